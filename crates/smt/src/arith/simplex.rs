//! Feasibility: repairing the assignment until all bounds hold, or a row shows that they cannot.
//!
//! A nonbasic variable out of bounds is moved to its bound, and the basic variables follow. A basic
//! variable out of bounds is moved to its bound at the expense of a nonbasic variable in its row
//! that has room, and the two change places. If none has room, the row is a contradiction, and
//! the bounds of its variables are the certificate: minimal, because each is needed.
//!
//! The rows looked at first are short and the variables made basic occur in few rows; both keep the
//! tableau sparse. After a number of pivots in one check, the smallest variables are chosen
//! instead (Bland's rule), which cannot cycle.
//!
//! Invariant: between checks the values satisfy all rows, and a variable whose value is out of
//! bounds is in `touched`. A check that ends without success puts all values back.

use crate::settings::{FLOATING_AFTER, SIMPLEX_BLAND_AFTER};
use alphorn_term::{Int, Rat};

use super::Arith;
use super::bound::{Delta, Side, Var};
use super::certificate::Certificate;

/// Whether an assignment was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feasible {
    /// The assignment satisfies all bounds.
    Yes,
    /// The ticks allowed were used up.
    GaveUp,
}

impl Arith {
    /// Makes the assignment satisfy all bounds, over the rationals.
    ///
    /// # Errors
    ///
    /// A contradiction, if no assignment does.
    pub fn check(&mut self) -> Result<Feasible, Certificate> {
        self.stats.checks += 1;
        self.repair()
    }

    pub(super) fn repair(&mut self) -> Result<Feasible, Certificate> {
        if self.touched.is_empty() && self.infeasible.is_empty() {
            return Ok(Feasible::Yes);
        }
        self.forget_values();
        self.start_repair();
        let mut pivots = 0;
        let mut patience = self.consultation_ticks();
        let mut start = self.ticks_used();
        loop {
            if pivots >= FLOATING_AFTER.get() && self.ticks_used() - start >= patience {
                let consulted = self.consult();
                // Floats that did not bring it to an end are asked later each time.
                patience = patience.saturating_mul(2);
                start = self.ticks_used();
                pivots = 0;
                if let Some(certificate) = consulted {
                    self.restore();
                    return Err(certificate);
                }
            }
            let use_bland = pivots >= SIMPLEX_BLAND_AFTER.get();
            let Some((base, side)) = self.leaving(use_bland) else { break };
            let row = self.tableau.row_of(base).expect("only basic variables are infeasible");
            let Some(entry) = self.entering(row, side, use_bland) else {
                self.stats.conflicts += 1;
                let certificate = self.explain_row(row, side);
                self.restore();
                return Err(certificate);
            };
            if self.is_exhausted() {
                self.restore();
                return Ok(Feasible::GaveUp);
            }
            pivots += 1;
            self.move_to_bound(row, entry, side);
        }
        self.accept();
        for var in self.touched.drain(..) {
            self.marks[var.index()].is_touched = false;
        }
        Ok(Feasible::Yes)
    }

    /// Moves nonbasic variables into their bounds and collects the basic ones outside.
    pub(super) fn start_repair(&mut self) {
        for position in 0..self.touched.len() {
            let var = self.touched[position];
            let limits = &self.limits[var.index()];
            let Some(side) = limits.violated(&self.values[var.index()]) else { continue };
            if self.tableau.row_of(var.0).is_some() {
                self.note_infeasible(var.0);
            } else {
                let limit = limits.on(side).expect("a violated bound exists");
                let step = limit.value.minus(&self.values[var.index()]);
                self.shift(var.0, &step);
            }
        }
    }

    #[inline]
    pub(super) fn note_infeasible(&mut self, var: u32) {
        let marks = &mut self.marks[var as usize];
        if !marks.is_infeasible {
            marks.is_infeasible = true;
            self.infeasible.push(var);
        }
    }

    /// Adds to the value of a nonbasic variable, and to those of the basic variables accordingly.
    pub(super) fn shift(&mut self, var: u32, step: &Delta) {
        self.save(var);
        self.values[var as usize].add_scaled(step, &Rat::ONE);
        for position in 0..self.tableau.column(var).len() {
            let place = self.tableau.column(var)[position];
            let row = self.tableau.row(place.row);
            let base = row[0].var;
            let factor = ratio(&row[place.entry as usize].coefficient, &row[0].coefficient);
            self.save(base);
            self.values[base as usize].sub_scaled(step, &factor);
            if self.limits[base as usize].violated(&self.values[base as usize]).is_some() {
                self.note_infeasible(base);
            }
        }
    }

    /// Adds to the value of an unknown, if all bounds still hold then and integers stay integers; whether that is so.
    ///
    /// An unknown that is basic stays where it is.
    pub fn try_move(&mut self, var: Var, step: &Delta) -> bool {
        let is_free = self.definition(var).is_none() && self.tableau.row_of(var.0).is_none();
        if !is_free || self.is_unsettled() || !self.infeasible.is_empty() {
            return false;
        }
        self.spend_on(self.tableau.column(var.0).len(), &Int::ONE);
        self.forget_values();
        self.shift(var.0, step);
        if self.limits[var.index()].violated(&self.values[var.index()]).is_some() {
            self.restore();
            return false;
        }
        let is_integral = |&(var, _): &(u32, Delta)| {
            !self.variables[var as usize].is_int || self.values[var as usize].is_integer()
        };
        let is_well = self.infeasible.is_empty() && self.saved.iter().all(is_integral);
        match is_well {
            true => self.accept(),
            false => self.restore(),
        }
        is_well
    }

    /// Keeps the value that a variable had before the check.
    #[inline]
    pub(super) fn save(&mut self, var: u32) {
        let marks = &mut self.marks[var as usize];
        if !marks.is_saved {
            marks.is_saved = true;
            self.saved.push((var, self.values[var as usize].clone()));
        }
    }

    /// Puts back the values from before the check.
    pub(super) fn restore(&mut self) {
        for (var, value) in self.saved.drain(..) {
            self.marks[var as usize].is_saved = false;
            self.values[var as usize] = value;
        }
        for var in self.infeasible.drain(..) {
            self.marks[var as usize].is_infeasible = false;
        }
    }

    /// Keeps the values found.
    pub(super) fn accept(&mut self) {
        for (var, _) in self.saved.drain(..) {
            self.marks[var as usize].is_saved = false;
        }
    }

    /// A basic variable that is out of bounds, and on which side.
    fn leaving(&mut self, use_bland: bool) -> Option<(u32, Side)> {
        let mut best: Option<((usize, u32), Side)> = None;
        let mut position = 0;
        while let Some(&var) = self.infeasible.get(position) {
            let Some(side) = self.limits[var as usize].violated(&self.values[var as usize]) else {
                self.marks[var as usize].is_infeasible = false;
                self.infeasible.swap_remove(position);
                continue;
            };
            position += 1;
            let length = if use_bland {
                0
            } else {
                self.tableau.row_of(var).map_or(0, |row| self.tableau.row(row).len())
            };
            if best.is_none_or(|(key, _)| (length, var) < key) {
                best = Some(((length, var), side));
            }
        }
        best.map(|((_, var), side)| (var, side))
    }

    /// The position in the row of a nonbasic variable that can move the basic one back into its
    /// bound on the given side.
    fn entering(&self, row: u32, side: Side, use_bland: bool) -> Option<u32> {
        let entries = self.tableau.row(row);
        let mut best: Option<((usize, u32), u32)> = None;
        for (position, entry) in entries.iter().enumerate().skip(1) {
            let needed = blocking_side(side, &entry.coefficient);
            if !self.has_room(entry.var, needed) {
                continue;
            }
            let size = if use_bland { 0 } else { self.tableau.column(entry.var).len() };
            if best.is_none_or(|(key, _)| (size, entry.var) < key) {
                best = Some(((size, entry.var), position as u32));
            }
        }
        best.map(|(_, position)| position)
    }

    /// Moves a basic variable to its bound and exchanges it with the variable at `entry`.
    fn move_to_bound(&mut self, row: u32, entry: u32, side: Side) {
        let entries = self.tableau.row(row);
        let (base, other) = (&entries[0], &entries[entry as usize]);
        let limit = self.limits[base.var as usize].on(side).expect("a violated bound exists");
        let step = limit.value.minus(&self.values[base.var as usize]);
        let step = step.times(&-ratio(&base.coefficient, &other.coefficient));
        let entering = other.var;
        self.shift(entering, &step);
        self.pivot(row, entry);
        if self.limits[entering as usize].violated(&self.values[entering as usize]).is_some() {
            self.note_infeasible(entering);
        }
    }

    /// Exchanges the basic variable of a row with the variable at position `entry`.
    pub(super) fn pivot(&mut self, row: u32, entry: u32) {
        self.stats.pivots += 1;
        self.spend(1);
        let var = self.tableau.row(row)[entry as usize].var;
        self.tableau.exchange(row, entry);
        let mut position = self.tableau.column(var).len();
        while position > 0 {
            position -= 1;
            let place = self.tableau.column(var)[position];
            if place.row == row || self.drop_if_idle(place.row) {
                continue;
            }
            self.tableau.eliminate(place.row, place.entry, row);
            let entries = self.tableau.row(place.row);
            self.spend_on(entries.len(), &entries[0].coefficient);
        }
    }

    /// The bounds that keep the basic variable of a row beyond its bound on this side, with it.
    fn explain_row(&self, row: u32, side: Side) -> Certificate {
        let entries = self.tableau.row(row);
        let parts = entries.iter().enumerate().map(|(position, entry)| {
            let side = match position {
                0 => side,
                _ => blocking_side(side, &entry.coefficient),
            };
            (Rat::from(entry.coefficient.abs()), self.fact(entry.var, side))
        });
        self.certify(parts)
    }

    /// Whether a variable is away from its bound on this side.
    #[inline]
    pub(super) fn has_room(&self, var: u32, side: Side) -> bool {
        let value = &self.values[var as usize];
        self.limits[var as usize]
            .on(side)
            .is_none_or(|limit| side.opposite().is_tighter(&limit.value, value))
    }
}

/// The side whose bound stops a variable from moving the basic variable of its row, whose
/// coefficient is positive, towards its bound on `side`.
#[inline]
pub(super) fn blocking_side(side: Side, coefficient: &Int) -> Side {
    // In a·x + b·y = 0 with positive a and b, y must fall for x to rise.
    if coefficient.is_positive() { side } else { side.opposite() }
}

/// The quotient of two coefficients.
#[inline]
pub(super) fn ratio(left: &Int, right: &Int) -> Rat {
    if right.is_one() {
        return Rat::from(left);
    }
    Rat::new(left.clone(), right.clone()).expect("coefficients are not zero")
}
