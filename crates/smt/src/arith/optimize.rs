//! Optima of linear forms under the bounds in force: the primal simplex method.
//!
//! From a feasible assignment, a nonbasic variable that improves the objective is moved until
//! something reaches a bound: itself, or a basic variable, which then changes places with it. When
//! no variable of the objective's row has room, their bounds add up to a bound of the objective.
//! Variables are chosen by Bland's rule, so there is an end.

use alphorn_term::Rat;

use super::Arith;
use super::bound::{Bound, Delta, Side, Var};
use super::certificate::Certificate;
use super::simplex::{Feasible, blocking_side, ratio};

/// How far a form can go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Optimum {
    /// There is no bound.
    Unbounded,
    /// The bound, which is approached arbitrarily closely if it has an infinitesimal part and
    /// reached otherwise; the certificate's last line is its inequality.
    Bounded {
        /// The least or greatest value.
        value: Delta,
        /// Why there is nothing beyond.
        certificate: Certificate,
    },
    /// The bounds in force contradict each other.
    Infeasible(Certificate),
    /// The ticks allowed were used up.
    GaveUp,
}

/// What stops a moving variable.
enum Stop {
    /// Its own bound.
    Own,
    /// The bound of a basic variable: row and position of the moving variable.
    Basic(u32, u32),
}

impl Arith {
    /// The least (`Side::Lower`) or greatest (`Side::Upper`) value of a form, over the rationals;
    /// the assignment reaches or approaches it, and satisfies all bounds.
    pub fn optimize(&mut self, form: Var, side: Side) -> Optimum {
        match self.repair() {
            Err(certificate) => return Optimum::Infeasible(certificate),
            Ok(Feasible::GaveUp) => return Optimum::GaveUp,
            Ok(Feasible::Yes) => self.forget_values(),
        }
        let optimum = loop {
            // Also tells the tableau that the row is of use.
            self.attach(form);
            if !self.has_room(form.0, side) {
                let fact = self.fact(form.0, side);
                let value = fact.bound.value.clone();
                let certificate = self.certify([(Rat::ONE, fact)]);
                break Optimum::Bounded { value, certificate };
            }
            let Some((var, towards)) = self.improving(form, side) else {
                break self.explain_optimum(form, side);
            };
            if self.is_exhausted() {
                break Optimum::GaveUp;
            }
            let Some((step, stop)) = self.stop(var, towards) else { break Optimum::Unbounded };
            self.shift(var, &step);
            if let Stop::Basic(row, entry) = stop {
                self.pivot(row, entry);
            }
        };
        self.accept();
        optimum
    }

    /// A nonbasic variable with room to move the form, and on which side; the form itself if it
    /// is not basic.
    fn improving(&self, form: Var, side: Side) -> Option<(u32, Side)> {
        let Some(row) = self.tableau.row_of(form.0) else { return Some((form.0, side)) };
        let entries = self.tableau.row(row);
        let candidates = entries[1..].iter().filter_map(|entry| {
            // Raising the form is what repairing its lower bound would do.
            let towards = blocking_side(side.opposite(), &entry.coefficient);
            self.has_room(entry.var, towards).then_some((entry.var, towards))
        });
        candidates.min_by_key(|(var, _)| *var)
    }

    /// How far a nonbasic variable can move towards a side, and what stops it.
    fn stop(&self, var: u32, towards: Side) -> Option<(Delta, Stop)> {
        let own = self.limits[var as usize].on(towards);
        let mut best: Option<(Delta, u32, Stop)> =
            own.map(|limit| (limit.value.minus(&self.values[var as usize]), var, Stop::Own));
        for place in self.tableau.column(var) {
            let row = self.tableau.row(place.row);
            let (base, entry) = (&row[0], &row[place.entry as usize]);
            let side = if entry.coefficient.is_positive() { towards.opposite() } else { towards };
            let Some(limit) = self.limits[base.var as usize].on(side) else { continue };
            let room = limit.value.minus(&self.values[base.var as usize]);
            let step = room.times(&-ratio(&base.coefficient, &entry.coefficient));
            let is_better = best.as_ref().is_none_or(|(least, least_var, _)| {
                let (near, far) = match towards {
                    Side::Lower => (least, &step),
                    Side::Upper => (&step, least),
                };
                near < far || (near == far && base.var < *least_var)
            });
            if is_better {
                best = Some((step, base.var, Stop::Basic(place.row, place.entry)));
            }
        }
        best.map(|(step, _, stop)| (step, stop))
    }

    /// The bounds that keep the form, which is basic, from going further.
    fn explain_optimum(&self, form: Var, side: Side) -> Optimum {
        let row = self.tableau.row_of(form.0).expect("a nonbasic form moves itself");
        let entries = self.tableau.row(row);
        let parts = entries[1..].iter().map(|entry| {
            let blocking = blocking_side(side.opposite(), &entry.coefficient);
            let multiplier = ratio(&entry.coefficient.abs(), &entries[0].coefficient);
            (multiplier, self.fact(entry.var, blocking))
        });
        let bound = Bound { var: form, side, value: self.values[form.index()].clone() };
        Optimum::Bounded { value: bound.value, certificate: self.certify(parts) }
    }
}
