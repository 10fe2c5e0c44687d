//! Lemmas: what engines that work on one problem may tell each other.
//!
//! A lemma about a Horn system says of a predicate that all its facts satisfy a formula. Engines have
//! stores of their own, so it travels as code that any store that extends the problem's can read. About
//! a circuit it is a clause over latches that holds in all reachable states. A lemma is no truth: whoever uses
//! one must still prove what follows from it. What only may hold, or is a term to say something by, travels
//! as a lemma that is marked as a hint.

use crate::circuit::Lit;
use crate::hint::HintKind;
use crate::horn::PredId;
use alphorn_term::{Op, Sort, SortId, Store, TermId, Value};
use std::collections::BTreeMap;

/// A step of a lemma's code.
#[derive(Clone, Debug, PartialEq)]
enum Code {
    /// A parameter, by its position.
    Param(usize),
    /// A value.
    Value(Value),
    /// An operator on earlier steps.
    Apply(Op, Vec<usize>),
}

/// A formula about the arguments of a predicate that holds for all its facts; or a hint about them.
#[derive(Clone, Debug, PartialEq)]
pub struct HornLemma {
    /// Whose facts it is about.
    pub pred: PredId,
    /// What it is for, where nobody says that it holds.
    pub hint: Option<HintKind>,
    code: Vec<Code>,
}

impl HornLemma {
    /// A lemma from a formula over `params`; none if the formula cannot travel, because it has other
    /// variables, functions or binders.
    pub fn new(
        store: &Store,
        pred: PredId,
        params: &[TermId],
        formula: TermId,
    ) -> Option<HornLemma> {
        HornLemma::of(store, pred, params, formula, None)
    }

    /// A hint from a term over `params`; none if the term cannot travel.
    pub fn of_hint(
        store: &Store,
        pred: PredId,
        params: &[TermId],
        term: TermId,
        kind: HintKind,
    ) -> Option<HornLemma> {
        HornLemma::of(store, pred, params, term, Some(kind))
    }

    fn of(
        store: &Store,
        pred: PredId,
        params: &[TermId],
        formula: TermId,
        hint: Option<HintKind>,
    ) -> Option<HornLemma> {
        let mut code = Vec::new();
        let mut position: BTreeMap<TermId, usize> = BTreeMap::new();
        for term in store.subterms(&[formula]) {
            let step = if let Some(param) = params.iter().position(|&param| param == term) {
                Code::Param(param)
            } else if let Some(value) = store.literal_value(term) {
                Code::Value(value)
            } else {
                let op = store.op(term);
                let travels = !matches!(op, Op::Var(_) | Op::Apply(_) | Op::Forall | Op::Exists);
                let sort = store.sort(term);
                let is_plain = sort == SortId::BOOL
                    || sort.is_arithmetic()
                    || hint.is_some() && matches!(store.sort_of(sort), Sort::BitVec(_));
                if !travels || !(is_plain || matches!(op, Op::Store)) {
                    return None;
                }
                Code::Apply(op, store.args(term).iter().map(|arg| position[arg]).collect())
            };
            position.insert(term, code.len());
            code.push(step);
        }
        Some(HornLemma { pred, hint, code })
    }

    /// Whether somebody says that it holds.
    pub fn is_held(&self) -> bool {
        self.hint.is_none()
    }

    /// Whether it is a formula that may hold.
    pub fn is_formula(&self) -> bool {
        matches!(self.hint, None | Some(HintKind::Formula))
    }

    /// The formula over `params`, in a store that extends the problem's.
    pub fn read(&self, store: &mut Store, params: &[TermId]) -> Option<TermId> {
        let mut terms: Vec<TermId> = Vec::with_capacity(self.code.len());
        for step in &self.code {
            terms.push(match step {
                Code::Param(param) => *params.get(*param)?,
                Code::Value(value) => store.value_term(value)?,
                Code::Apply(op, args) => {
                    let args: Vec<TermId> = args.iter().map(|&arg| terms[arg]).collect();
                    store.mk(*op, &args)
                }
            });
        }
        terms.last().copied()
    }
}

/// An invariant of a flow at a location: in the Horn system that a flow is, the predicate of that position.
pub type FlowLemma = HornLemma;

/// A clause over the latches of a circuit that holds in all states it reaches.
pub type LatchClause = Box<[Lit]>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lemma_is_the_same_in_another_store() {
        let mut from = Store::new();
        let (x, b) = (from.var("x", SortId::INT), from.var("b", SortId::BOOL));
        let five = from.int(5);
        let below = from.le(x, five);
        let formula = from.or(&[b, below]);
        let lemma = HornLemma::new(&from, PredId(0), &[x, b], formula).expect("it can travel");

        let mut to = Store::new();
        // Other terms first, so that the ids differ.
        let (c, y) = (to.var("c", SortId::BOOL), to.var("y", SortId::INT));
        let read = lemma.read(&mut to, &[y, c]).expect("the parameters fit");
        let five = to.int(5);
        let below = to.le(y, five);
        let wanted = to.or(&[c, below]);
        assert_eq!(read, wanted);
        assert_eq!(lemma.read(&mut to, &[y]), None);
    }

    #[test]
    fn other_variables_do_not_travel() {
        let mut store = Store::new();
        let (x, y) = (store.var("x", SortId::INT), store.var("y", SortId::INT));
        let formula = store.le(x, y);
        assert!(HornLemma::new(&store, PredId(0), &[x], formula).is_none());
    }
}
