//! Lemmas of other engines as formulas over the state, and the other way round.
//!
//! Engines hand each other lemmas about predicates (`alphorn_engine::exchange`). On a transition system
//! a lemma about a predicate holds at the predicate's location, of the columns that are its arguments;
//! and an invariant of the system is a lemma about each predicate at its location.
//!
//! What others say is used without proof while searching. It belongs to what is then claimed: the
//! answer must imply it, and is proved as a whole.

use super::System;
use alphorn_engine::Ctx;
use alphorn_problem::Horn;
use alphorn_problem::horn::PredId;
use alphorn_problem::lemma::HornLemma as Lemma;
use alphorn_term::{Store, Substitution, TermId, Value};

/// Where a predicate's facts are among the states.
#[derive(Clone, Debug)]
pub(crate) struct Home {
    /// The predicate.
    pub(super) pred: PredId,
    /// The values of the location's truth values, which are the first variables of the state.
    pub(super) location: Vec<bool>,
    /// The column of each argument, as a position in the state.
    pub(super) columns: Vec<usize>,
}

impl System {
    /// Tells the other engines that a formula over the state is an invariant.
    pub(crate) fn publish(&self, store: &mut Store, invariant: TermId, ctx: &mut Ctx<'_>) {
        for home in &self.homes {
            let args: Vec<TermId> = home.columns.iter().map(|&column| self.state[column]).collect();
            let mut map = Substitution::default();
            for (position, &var) in self.state.iter().enumerate() {
                if let Some(&truth) = home.location.get(position) {
                    map.insert(var, store.bool(truth));
                } else if !home.columns.contains(&position)
                    && let Some(value) = Value::default_of(store, store.sort(var))
                    && let Some(value) = store.value_term(&value)
                {
                    map.insert(var, value);
                }
            }
            let formula = store.substitute(invariant, &map);
            if formula != TermId::TRUE
                && let Some(lemma) = Lemma::new(store, home.pred, &args, formula)
            {
                ctx.publish::<Horn>(lemma);
            }
        }
    }

    /// What other engines have said since the last time, as formulas over the state.
    pub(crate) fn news(&self, store: &mut Store, ctx: &mut Ctx<'_>) -> Vec<TermId> {
        let mut formulas = Vec::new();
        for lemma in ctx.news::<Horn>().into_iter().filter(|lemma| lemma.is_held()) {
            let Some(home) = self.homes.iter().find(|home| home.pred == lemma.pred) else {
                continue;
            };
            let args: Vec<TermId> = home.columns.iter().map(|&column| self.state[column]).collect();
            let Some(formula) = lemma.read(store, &args) else { continue };
            // Elsewhere the lemma says nothing.
            let mut parts = vec![formula];
            for (&truth, &bit) in home.location.iter().zip(&self.state) {
                parts.push(if truth { store.not(bit) } else { bit });
            }
            formulas.push(store.or(&parts));
        }
        formulas
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ts::fold::fold;
    use alphorn_engine::{Exchange, Stopper};
    use alphorn_problem::horn::{Clause, Head};
    use alphorn_problem::{Horn, Span};
    use alphorn_term::{Op, SortId};
    use std::sync::Arc;

    /// `x = 0 → P(x)`, `P(x) → Q(x, true)`, `Q(x, b) → P(x + 1)`, `P(x) ∧ x < 0 → false`.
    fn two_predicates() -> Horn {
        let mut horn = Horn::default();
        let p = horn.declare_pred("P", &[SortId::INT]);
        let q = horn.declare_pred("Q", &[SortId::INT, SortId::BOOL]);
        let store = &mut horn.terms;
        let (x, b) = (store.var("x", SortId::INT), store.var("b", SortId::BOOL));
        let (zero, one) = (store.int(0), store.int(1));
        let (p_func, q_func) = (horn.preds[0].func, horn.preds[1].func);
        let (at_p, at_q) =
            (store.mk(Op::Apply(p_func), &[x]), store.mk(Op::Apply(q_func), &[x, b]));
        let starts = store.eq(x, zero);
        let more = store.add(&[x, one]);
        let below = store.lt(x, zero);
        let fails = store.and(&[at_p, below]);
        let mut clause = |vars: &[TermId], body, head| {
            let (vars, span) = (vars.to_vec(), Span::NONE);
            horn.clauses.push(Clause { vars, body, head, name: None, span });
        };
        clause(&[x], starts, Head::Atom(p, vec![x]));
        clause(&[x], at_p, Head::Atom(q, vec![x, TermId::TRUE]));
        clause(&[x, b], at_q, Head::Atom(p, vec![more]));
        clause(&[x], fails, Head::False);
        horn
    }

    #[test]
    fn an_invariant_is_a_lemma_about_each_predicate_at_its_location() {
        let system = fold(&two_predicates()).expect("the system is linear").system;
        let exchange = Arc::new(Exchange::default());
        let (mut silent, mut deaf) = (|_| {}, |_| {});
        let ctx = Ctx::new(1_000, Stopper::new(), 0, &mut silent);
        let mut speaker = ctx.trading(0, Arc::clone(&exchange));
        let ctx = Ctx::new(1_000, Stopper::new(), 0, &mut deaf);
        let mut listener = ctx.trading(1, exchange);

        let mut store = system.store.clone();
        let column = system.state.iter().copied().find(|&var| store.sort(var) == SortId::INT);
        let column = column.expect("there is a number in the state");
        let zero = store.int(0);
        let invariant = store.le(zero, column);
        system.publish(&mut store, invariant, &mut speaker);
        assert!(system.news(&mut store, &mut speaker).is_empty(), "one's own lemmas are no news");

        let heard = system.news(&mut store, &mut listener);
        assert_eq!(heard.len(), 2, "one lemma for each predicate");
        for formula in heard {
            // Each says the same where it says anything: the invariant implies it.
            assert!(store.args(formula).contains(&invariant));
        }
        assert!(system.news(&mut store, &mut listener).is_empty(), "news are heard once");
    }
}
