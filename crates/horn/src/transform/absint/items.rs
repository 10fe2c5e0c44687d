//! What holds together in a clause, taken apart.
//!
//! A body is a list of items. Formulas become their parts, comparisons and Boolean literals, which
//! narrow the state; disjunctions, conditionals inside comparisons, disequalities and atoms whose facts
//! come in parts become choices; equivalences are kept until the state decides one side.

use super::bound::{Bound, Upper};
use super::evaluate::{compared, comparison, is_numeric, truth};
use super::interpret::Interpreter;
use super::octagon::{Empty, Signed};
use super::state::{Relation, State};
use alphorn_problem::horn::PredId;
use alphorn_smt::Linear;
use alphorn_term::{Op, Rat, SortId, TermId};
use std::rc::Rc;

/// Something that holds.
#[derive(Clone, Debug)]
pub(super) enum Item {
    /// A formula, or its negation.
    Formula(TermId, bool),
    /// A polynomial compares to zero.
    Compare(Rc<Linear>, Relation),
    /// Two formulas are equivalent, or just not.
    Same(TermId, TermId, bool),
    /// One of the alternatives.
    Choice(Vec<Vec<Item>>),
}

impl Interpreter<'_> {
    /// Takes an item apart, or narrows the state by it.
    pub(super) fn take(
        &mut self,
        state: &mut State,
        item: Item,
        todo: &mut Vec<Item>,
        kept: &mut Vec<Item>,
        choices: &mut Vec<Vec<Vec<Item>>>,
    ) -> Result<(), Empty> {
        match item {
            Item::Formula(formula, value) => {
                self.formula(state, formula, value, todo, kept, choices)
            }
            Item::Choice(alternatives) => {
                choices.push(alternatives);
                Ok(())
            }
            Item::Same(..) => {
                kept.push(item);
                Ok(())
            }
            Item::Compare(form, relation) => {
                self.compare(state, &form, relation)?;
                let conditional =
                    form.terms.iter().find(|(term, _)| self.store.op(*term) == Op::Ite);
                if let Some((term, _)) = conditional {
                    choices.push(self.cases(&form, relation, *term));
                } else {
                    kept.push(Item::Compare(form, relation));
                }
                Ok(())
            }
        }
    }

    /// The two cases of a conditional term in a comparison.
    fn cases(&self, form: &Linear, relation: Relation, term: TermId) -> Vec<Vec<Item>> {
        let (factor, rest) = form.split(term);
        let args = self.store.args(term);
        let case = |value: bool, branch: TermId| {
            let mut form = rest.clone();
            form.add_scaled(&Linear::of(self.store, branch), &factor);
            vec![Item::Formula(args[0], value), Item::Compare(Rc::new(form), relation)]
        };
        vec![case(true, args[1]), case(false, args[2])]
    }

    fn formula(
        &mut self,
        state: &mut State,
        formula: TermId,
        value: bool,
        todo: &mut Vec<Item>,
        kept: &mut Vec<Item>,
        choices: &mut Vec<Vec<Vec<Item>>>,
    ) -> Result<(), Empty> {
        if let Some(pred) = self.system.atom(self.store, formula) {
            return self.atom(pred, formula, todo, choices);
        }
        let store = self.store;
        let args = store.args(formula);
        let item = |formula: TermId| Item::Formula(formula, value);
        match store.op(formula) {
            Op::True | Op::False if (formula == TermId::TRUE) == value => {}
            Op::True | Op::False => return Err(Empty),
            Op::Not => todo.push(Item::Formula(args[0], !value)),
            Op::And | Op::Or if (store.op(formula) == Op::And) == value => {
                todo.extend(args.iter().rev().map(|&arg| item(arg)));
            }
            Op::And | Op::Or => choices.push(args.iter().map(|&arg| vec![item(arg)]).collect()),
            Op::Ite => {
                let case = |truth, branch| vec![Item::Formula(args[0], truth), item(branch)];
                choices.push(vec![case(true, args[1]), case(false, args[2])]);
            }
            Op::Eq if store.sort(args[0]) == SortId::BOOL => {
                kept.push(Item::Same(args[0], args[1], value));
            }
            _ => match comparison(store, formula) {
                Some((form, relation)) => compared_items(form, relation, value, todo, choices),
                None => {
                    state.decide(formula, value)?;
                }
            },
        }
        Ok(())
    }

    /// What follows for one of two equivalent formulas if the state decides the other.
    pub(super) fn equivalent(
        &self,
        state: &State,
        left: TermId,
        right: TermId,
        value: bool,
    ) -> Option<Item> {
        match (truth(self.store, state, left), truth(self.store, state, right)) {
            (Some(left), None) => Some(Item::Formula(right, left == value)),
            (None, Some(right)) => Some(Item::Formula(left, right == value)),
            (Some(left), Some(right)) if (left == right) != value => {
                Some(Item::Formula(TermId::FALSE, true))
            }
            _ => None,
        }
    }

    /// What is known about the facts of an atom's predicate, about the atom's arguments.
    fn atom(
        &self,
        pred: PredId,
        atom: TermId,
        todo: &mut Vec<Item>,
        choices: &mut Vec<Vec<Vec<Item>>>,
    ) -> Result<(), Empty> {
        let (key, args) = (&self.keys[pred.index()], self.store.args(atom));
        let mut parts = Vec::new();
        for (part, value) in self.values[pred.index()].iter().enumerate() {
            let Some(value) = value else { continue };
            let mut items = Vec::new();
            if let Some(at) = key.at {
                items.push(self.equal(args[at], key.values[part]));
            }
            self.facts(pred, args, value, &mut items);
            parts.push(items);
        }
        match parts.len() {
            0 => return Err(Empty),
            1 => todo.extend(parts.into_iter().flatten()),
            _ => choices.push(parts),
        }
        Ok(())
    }

    /// What a value says about arguments.
    fn facts(&self, pred: PredId, args: &[TermId], value: &State, items: &mut Vec<Item>) {
        let params = &self.params[pred.index()];
        let mut at_most = |mut form: Linear, bound: &Bound| {
            form.constant = &form.constant - &bound.value;
            let relation = if bound.is_strict { Relation::Below } else { Relation::AtMost };
            items.push(Item::Compare(Rc::new(form), relation));
        };
        let of_param = |param: TermId| {
            params
                .iter()
                .position(|&other| other == param)
                .map(|at| Linear::of(self.store, args[at]))
        };
        for (left, right, bound) in value.octagon.sums() {
            let form = |signed: Signed| {
                let form = of_param(value.dimensions[signed.dimension()])?;
                Some(if signed.is_negative() { form.negated() } else { form })
            };
            let (Some(mut sum), Some(other)) = (form(left), form(right)) else { continue };
            let alone = super::bound::plus(&side(value, left), &side(value, right));
            if super::bound::is_stronger(&alone, &Some(bound.clone())) {
                continue;
            }
            sum.add_scaled(&other, &Rat::ONE);
            at_most(sum, bound);
        }
        for (&param, range) in &value.ranges {
            let Some(form) = of_param(param) else { continue };
            if let Some(bound) = &range.up {
                at_most(form.clone(), bound);
            }
            if let Some(bound) = &range.down {
                at_most(form.negated(), bound);
            }
        }
        for (param, truth) in &value.truths {
            if let Some(at) = params.iter().position(|other| other == param) {
                items.push(Item::Formula(args[at], *truth));
            }
        }
    }

    /// Whether an item cannot hold.
    pub(super) fn refutes(&self, state: &State, item: &Item) -> bool {
        match item {
            Item::Formula(formula, value) => match self.system.atom(self.store, *formula) {
                Some(pred) => self.values[pred.index()].iter().all(Option::is_none),
                None => truth(self.store, state, *formula) == Some(!value),
            },
            Item::Compare(form, relation) => {
                compared(self.store, state, form, *relation) == Some(false)
            }
            Item::Same(..) | Item::Choice(_) => false,
        }
    }

    /// A term has the value of a literal.
    pub(super) fn equal(&self, term: TermId, literal: TermId) -> Item {
        if is_numeric(self.store, term) {
            let form = Linear::difference(self.store, term, literal);
            Item::Compare(Rc::new(form), Relation::Zero)
        } else {
            Item::Formula(term, literal == TermId::TRUE)
        }
    }
}

/// A comparison, or its negation, as items.
fn compared_items(
    form: Linear,
    relation: Relation,
    value: bool,
    todo: &mut Vec<Item>,
    choices: &mut Vec<Vec<Vec<Item>>>,
) {
    let negated = Rc::new(form.negated());
    let form = Rc::new(form);
    match (relation, value) {
        (_, true) => todo.push(Item::Compare(form, relation)),
        (Relation::AtMost, false) => todo.push(Item::Compare(negated, Relation::Below)),
        (Relation::Below, false) => todo.push(Item::Compare(negated, Relation::AtMost)),
        (Relation::Zero, false) => choices.push(vec![
            vec![Item::Compare(form, Relation::Below)],
            vec![Item::Compare(negated, Relation::Below)],
        ]),
    }
}

/// The bound of a signed dimension by itself.
fn side(value: &State, signed: Signed) -> Upper {
    let range = value.range(value.dimensions[signed.dimension()]);
    if signed.is_negative() { range.down } else { range.up }
}
