//! What engines that work on one problem tell each other.
//!
//! A *lemma* says of a predicate that all its facts satisfy a formula. Engines have stores of their
//! own, so lemmas travel as code that any store that extends the problem's can read. On circuits a
//! lemma is a clause over latches that holds in all reachable states. A lemma is a hint, not a truth:
//! whoever uses one must still prove what follows from it, and every answer is checked. So a wrong
//! lemma costs time, never an answer that is wrong.
//!
//! Invariant: lemmas are only ever added, and each engine reads each lemma of others once.

use alphorn_problem::circuit::Lit;
use alphorn_problem::horn::PredId;
use alphorn_term::{Op, Store, TermId, Value};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

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

/// A formula about the arguments of a predicate that holds for all its facts.
#[derive(Clone, Debug, PartialEq)]
pub struct Lemma {
    /// The predicate.
    pub pred: PredId,
    code: Vec<Code>,
}

impl Lemma {
    /// A lemma from a formula over `params`; none if the formula cannot travel, because it has other
    /// variables, functions or binders.
    pub fn new(store: &Store, pred: PredId, params: &[TermId], formula: TermId) -> Option<Lemma> {
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
                if !travels || !(sort == alphorn_term::SortId::BOOL || sort.is_arithmetic()) {
                    return None;
                }
                Code::Apply(op, store.args(term).iter().map(|arg| position[arg]).collect())
            };
            position.insert(term, code.len());
            code.push(step);
        }
        Some(Lemma { pred, code })
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

/// A clause over the latches of a circuit that holds in all states it reaches.
pub type Clause = Box<[Lit]>;

/// The place where lemmas lie.
#[derive(Debug, Default)]
pub struct Exchange {
    lemmas: Shelf<Lemma>,
    clauses: Shelf<Clause>,
}

impl Exchange {
    /// The lemmas about predicates.
    pub(crate) fn lemmas(&self) -> &Shelf<Lemma> {
        &self.lemmas
    }

    /// The clauses over latches.
    pub(crate) fn clauses(&self) -> &Shelf<Clause> {
        &self.clauses
    }

    /// All lemmas about predicates.
    pub fn all(&self) -> Vec<Arc<Lemma>> {
        self.lemmas.news(usize::MAX, 0).0
    }
}

/// Lemmas of one kind, with who said them.
#[derive(Debug)]
pub(crate) struct Shelf<T> {
    said: Mutex<Vec<(usize, Arc<T>)>>,
}

impl<T> Default for Shelf<T> {
    fn default() -> Shelf<T> {
        Shelf { said: Mutex::default() }
    }
}

impl<T: PartialEq> Shelf<T> {
    /// Adds a lemma of the engine `from`, unless it is there.
    pub(crate) fn publish(&self, from: usize, lemma: T) {
        let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        if said.len() < MOST && !said.iter().any(|(_, known)| **known == lemma) {
            said.push((from, Arc::new(lemma)));
        }
    }

    /// The lemmas of others from position `seen` on, and the position to go on from.
    pub(crate) fn news(&self, who: usize, seen: usize) -> (Vec<Arc<T>>, usize) {
        let said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        let others = said[seen..].iter().filter(|(from, _)| *from != who);
        (others.map(|(_, lemma)| Arc::clone(lemma)).collect(), said.len())
    }
}

/// The most lemmas that are kept: more help nobody.
const MOST: usize = 4_000;

#[cfg(test)]
mod tests {
    use super::*;
    use alphorn_term::SortId;

    #[test]
    fn a_lemma_is_the_same_in_another_store() {
        let mut from = Store::new();
        let (x, b) = (from.var("x", SortId::INT), from.var("b", SortId::BOOL));
        let five = from.int(5);
        let below = from.le(x, five);
        let formula = from.or(&[b, below]);
        let lemma = Lemma::new(&from, PredId(0), &[x, b], formula).expect("it can travel");

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
        assert!(Lemma::new(&store, PredId(0), &[x], formula).is_none());
    }

    #[test]
    fn each_reads_what_others_say_once() {
        let mut store = Store::new();
        let x = store.var("x", SortId::INT);
        let zero = store.int(0);
        let formula = store.le(zero, x);
        let lemma = Lemma::new(&store, PredId(0), &[x], formula).expect("it can travel");
        let exchange = Exchange::default();
        exchange.lemmas().publish(0, lemma.clone());
        exchange.lemmas().publish(1, lemma);
        assert_eq!(exchange.all().len(), 1);
        assert!(exchange.lemmas().news(0, 0).0.is_empty());
        let (news, seen) = exchange.lemmas().news(1, 0);
        assert_eq!(news.len(), 1);
        assert!(exchange.lemmas().news(1, seen).0.is_empty());
    }
}
