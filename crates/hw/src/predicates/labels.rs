//! Labels: what the controller may put into its wide inputs.
//!
//! The game is looked at with its inputs as they are. Where a comparison of wide words has one of the controller's in
//! it, whatever makes both sides equal is offered, if it does not depend on the controller itself; besides zero.

use super::view::{View, is_control, is_wide};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::Words;
use alphorn_term::{Bv, Op, Store, Substitution, TermId};
use std::collections::BTreeMap;

/// The most terms that are offered for an input.
const MAX_OFFERED: usize = 8;

/// What is offered for an input.
pub(super) struct Label {
    /// The input.
    pub(super) input: TermId,
    /// Which of the terms is chosen: a short word, an input of the controller.
    pub(super) chosen: TermId,
    /// The terms.
    pub(super) terms: Vec<TermId>,
}

/// What is offered for the wide inputs of the controller, with the terms that it is made of.
pub(super) struct Labels {
    /// Extends that of the system.
    pub(super) store: Store,
    pub(super) list: Vec<Label>,
    /// The choices in place of the inputs.
    pub(super) map: Substitution,
}

impl Labels {
    /// Nothing is offered.
    pub(super) fn none(words: &Words) -> Labels {
        Labels { store: words.terms.clone(), list: Vec::new(), map: Substitution::default() }
    }

    pub(super) fn find(words: &Words, ctx: &mut Ctx<'_>) -> Result<Labels, Stop> {
        let mut labels = Labels::none(words);
        let is_label =
            |input: &&TermId| is_control(&words.terms, **input) && is_wide(&words.terms, **input);
        let inputs: Vec<TermId> = words.inputs.iter().filter(is_label).copied().collect();
        if inputs.is_empty() {
            return Ok(labels);
        }
        let mut view = View::new(words, &labels)?;
        view.look(ctx)?;
        let compared = view.compared();
        labels.store = view.into_store();
        let mut offered: BTreeMap<TermId, Vec<TermId>> = BTreeMap::new();
        for input in &inputs {
            let width = labels.store.width(*input);
            let zero = labels.store.bv(Bv::from_u64(width, 0));
            offered.insert(*input, vec![zero]);
        }
        for term in compared {
            for (input, terms) in &mut offered {
                if let Some(found) = undone(&mut labels.store, words, term, *input)
                    && !terms.contains(&found)
                    && terms.len() < MAX_OFFERED
                {
                    terms.push(found);
                }
            }
        }
        for (input, terms) in offered {
            labels.offer(input, terms);
        }
        Ok(labels)
    }

    fn offer(&mut self, input: TermId, terms: Vec<TermId>) {
        let store = &mut self.store;
        let width = terms.len().next_power_of_two().trailing_zeros().max(1);
        let sort = store.bv_sort(width);
        let chosen = store.fresh_var("controllable_label", sort);
        let mut made = terms[0];
        for (number, &term) in terms.iter().enumerate().skip(1) {
            let number = store.bv(Bv::from_u64(width, number as u64));
            let is_chosen = store.eq(chosen, number);
            made = store.ite(is_chosen, term, made);
        }
        self.map.insert(input, made);
        self.list.push(Label { input, chosen, terms });
    }
}

/// What an input must be for both sides of a comparison to be equal, if that is seen and does not depend on the
/// controller.
fn undone(store: &mut Store, words: &Words, term: TermId, input: TermId) -> Option<TermId> {
    let &[left, right] = store.args(term) else { return None };
    for (side, other) in [(left, right), (right, left)] {
        if mentions(store, side, input) && !mentions(store, other, input) {
            let found = solved(store, side, other, input)?;
            let vars = store.free_vars(&[found]);
            let is_own = |var: &TermId| words.inputs.contains(var) && is_control(store, *var);
            return (!vars.iter().any(is_own)).then_some(found);
        }
    }
    None
}

fn mentions(store: &Store, term: TermId, var: TermId) -> bool {
    store.free_vars(&[term]).contains(&var)
}

/// What makes a term with the input in it equal to another one, through operators that can be undone.
fn solved(store: &mut Store, term: TermId, value: TermId, input: TermId) -> Option<TermId> {
    let (mut term, mut value) = (term, value);
    while term != input {
        let (op, args) = (store.op(term), store.args(term).to_vec());
        let (here, there): (Vec<TermId>, Vec<TermId>) =
            args.iter().partition(|arg| mentions(store, **arg, input));
        let &[inner] = &here[..] else { return None };
        value = match (op, &there[..]) {
            (Op::BvNot | Op::BvNeg, []) => store.mk(op, &[value]),
            (Op::BvAdd, &[other]) => store.mk(Op::BvSub, &[value, other]),
            (Op::BvXor, &[other]) => store.mk(Op::BvXor, &[value, other]),
            (Op::BvSub, &[other]) if args[0] == inner => store.mk(Op::BvAdd, &[value, other]),
            (Op::BvSub, &[other]) => store.mk(Op::BvSub, &[other, value]),
            _ => return None,
        };
        term = inner;
    }
    Some(value)
}
