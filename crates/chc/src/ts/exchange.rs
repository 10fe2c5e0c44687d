//! Lemmas of other engines as formulas over the state, and the other way round.
//!
//! Engines hand each other lemmas about predicates (`alphorn_engine::exchange`). On a transition system
//! a lemma about a predicate holds at the predicate's location, of the columns that are its arguments;
//! and an invariant of the system is a lemma about each predicate at its location.
//!
//! What others say is used without proof while searching. It belongs to what is then claimed: the
//! answer must imply it, and is proved as a whole.

use super::System;
use alphorn_engine::{Ctx, Lemma};
use alphorn_problem::horn::PredId;
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
                ctx.publish(lemma);
            }
        }
    }

    /// What other engines have said since the last time, as formulas over the state.
    pub(crate) fn news(&self, store: &mut Store, ctx: &mut Ctx<'_>) -> Vec<TermId> {
        let mut formulas = Vec::new();
        for lemma in ctx.news() {
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
