//! The greatest value of a linear term.
//!
//! Each model that is found is pushed as far as its literals' bounds allow, by the simplex method, and
//! the next one has to be better. With finitely many sets of bounds this ends, or the simplex method
//! finds a direction without an end, along which the formula stays true: numbers of the direction are
//! rational, so integers have multiples of it (Meyer 1974). The end of the relaxation need not be one
//! for integers: it is asked for, and otherwise the models alone climb, which ends where there is a
//! greatest value.
//!
//! After Sebastiani, Tomasi (IJCAR 2012) and Li et al. (POPL 2014).

use alphorn_sat::Answer;
use alphorn_term::{Op, Rat, SortId, Store, TermId, Value, eval};

use super::Smt;
use crate::arith::{Delta, Optimum, Side};
use crate::linear::Linear;
use crate::theories::agreement::Polynomial;
use crate::theories::arithmetic::encode::polynomial;

/// How large a term can be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Supremum {
    /// The formulas have no model.
    Infeasible,
    /// There is no limit.
    Unbounded,
    /// At most this; whether a model has it.
    Bounded(Rat, bool),
    /// The budget ran out; some model has at least this.
    Unknown(Option<Rat>),
}

impl Smt {
    /// The greatest value of a term of sort Int or Real in models of the assertions and assumptions.
    pub fn maximize(
        &mut self,
        store: &mut Store,
        objective: TermId,
        assumptions: &[TermId],
    ) -> Supremum {
        let linear = Linear::of(store, objective);
        let mut cx = self.kernel.encoding(store);
        let polynomial = polynomial(&mut cx, &linear);
        cx.settle();
        let mut best: Option<(Rat, bool)> = None;
        for _ in 0..self.options().optimize_rounds {
            let mut assumed = assumptions.to_vec();
            assumed.extend(best.as_ref().map(|best| better(store, objective, best)));
            match (self.check(store, &assumed), best.take()) {
                (Answer::Unknown, best) => return Supremum::Unknown(best.map(|best| best.0)),
                (Answer::Unsat, Some((value, is_attained))) => {
                    return Supremum::Bounded(value, is_attained);
                }
                (Answer::Unsat, None) => return Supremum::Infeasible,
                (Answer::Sat, _) => {}
            }
            let here = match eval(store, objective, &self.model(store)) {
                Ok(Value::Int(value)) => Rat::from(value),
                Ok(Value::Real(value)) => value,
                _ => return Supremum::Unknown(None),
            };
            best = match self.climb(&polynomial) {
                Some(Optimum::Unbounded) => return Supremum::Unbounded,
                Some(Optimum::Bounded { value, .. }) => {
                    let value = Delta::new(&value.value + &linear.constant, value.epsilon);
                    Some(self.reach(store, objective, assumptions, here, &value))
                }
                _ => Some((here, true)),
            };
        }
        Supremum::Unknown(best.map(|best| best.0))
    }

    /// How far the bounds in force let a polynomial go, if it may be moved at all: numbers that
    /// functions take, and products, hold the others in place.
    fn climb(&mut self, polynomial: &Polynomial) -> Option<Optimum> {
        let theory = self.kernel.theory_mut();
        if !theory.agreement.numbers.is_empty() || !theory.products.is_empty() {
            return None;
        }
        let form = theory.arithmetic.simplex.form(&polynomial.0);
        Some(theory.arithmetic.simplex.optimize(form, Side::Upper))
    }

    /// The best value known in a region whose relaxation ends at `end`.
    fn reach(
        &mut self,
        store: &mut Store,
        objective: TermId,
        assumptions: &[TermId],
        here: Rat,
        end: &Delta,
    ) -> (Rat, bool) {
        let has_integers = self.theory().arithmetic.simplex.has_integers();
        if store.sort(objective) == SortId::REAL && !has_integers {
            return (end.value.clone(), end.epsilon.is_zero());
        }
        // Integers need not get as far as the relaxation does.
        let goal = match store.sort(objective) {
            SortId::INT => Rat::from(end.value.floor()),
            _ => end.value.clone(),
        };
        if goal > here {
            let mut assumed = assumptions.to_vec();
            assumed.push(better(store, objective, &(goal.clone(), false)));
            if self.check(store, &assumed) == Answer::Sat {
                return (goal, true);
            }
        }
        (here, true)
    }
}

/// That the objective is above what was attained, or at least what was only approached.
fn better(store: &mut Store, objective: TermId, best: &(Rat, bool)) -> TermId {
    let number = Linear::constant(best.0.clone()).to_term(store, store.sort(objective));
    let op = if best.1 { Op::Lt } else { Op::Le };
    store.mk(op, &[number, objective])
}
