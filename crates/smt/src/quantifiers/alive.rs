//! Which terms a query is about, in a solver that had others before.
//!
//! Terms of scopes that have ended, and of assumptions of earlier queries, stay in the tables of the
//! search. Instances for them are right and of no use, and there may be many. So a query looks only at
//! terms of the formulas in force, and of instances and witnesses that these lead to. What was stated
//! before and is about them is in the search already.
//!
//! They are kept from query to query in layers, one for each scope and one for the query: an assertion
//! is walked once while it is in force, and what its scope brought goes when the scope ends.
//!
//! Invariant: the terms of every formula in force are alive, so a model of those that are decides it;
//! with a term its arguments are alive.

use alphorn_term::{Op, Store, TermId};
use rustc_hash::FxHashSet;

use super::Quantifiers;
use crate::theories::kernel::Kernel;

/// What was stated: of which formula, for which terms, and what follows.
pub(super) type Stated = (TermId, Vec<TermId>, TermId);

/// The terms that the formulas in force lead to.
#[derive(Default)]
pub(super) struct Alive {
    terms: FxHashSet<TermId>,
    /// The terms in the order in which they came.
    trail: Vec<TermId>,
    /// Whether the formulas lead to what was stated, in its order.
    is_reached: Vec<bool>,
    /// What they lead to, in the order in which it was found.
    reached: Vec<usize>,
    /// How many assertions were walked.
    assertions: usize,
    /// What there was before each scope, and before the query if there is one.
    layers: Vec<Layer>,
    has_query: bool,
}

/// How much there was before a layer.
struct Layer {
    terms: usize,
    reached: usize,
    assertions: usize,
}

impl Alive {
    fn begin_layer(&mut self) {
        self.layers.push(Layer {
            terms: self.trail.len(),
            reached: self.reached.len(),
            assertions: self.assertions,
        });
    }

    /// Ends layers until there are `count`.
    fn end_layers(&mut self, count: usize) {
        if self.layers.len() <= count {
            return;
        }
        self.has_query = false;
        if let Some(layer) = self.layers.drain(count..).next() {
            for term in self.trail.drain(layer.terms..) {
                self.terms.remove(&term);
            }
            for number in self.reached.drain(layer.reached..) {
                self.is_reached[number] = false;
            }
            self.assertions = layer.assertions;
        }
    }

    /// Walks a formula as far as it is new; how many terms that brings.
    fn enter(&mut self, store: &Store, formula: TermId) -> u64 {
        let before = self.trail.len();
        let mut stack = vec![formula];
        while let Some(term) = stack.pop() {
            if self.terms.insert(term) {
                self.trail.push(term);
                stack.extend(store.args(term));
            }
        }
        (self.trail.len() - before) as u64
    }

    /// Follows what was stated. Instances bring terms for later ones, so one pass is enough.
    fn follow(&mut self, store: &Store, log: &[Stated]) -> u64 {
        let mut ticks = 0;
        self.is_reached.resize(log.len(), false);
        for (number, (quantifier, terms, conclusion)) in log.iter().enumerate() {
            if !self.is_reached[number] && self.terms.contains(quantifier) {
                ticks += 1;
                if self.are_there(store, terms) {
                    ticks += self.enter(store, *conclusion);
                    self.is_reached[number] = true;
                    self.reached.push(number);
                }
            }
        }
        ticks
    }

    /// Whether terms are alive, or made of what is.
    fn are_there(&self, store: &Store, terms: &[TermId]) -> bool {
        let mut stack = terms.to_vec();
        while let Some(term) = stack.pop() {
            if self.terms.contains(&term) || store.is_literal(term) {
                continue;
            }
            if !matches!(store.op(term), Op::Add | Op::Mul | Op::ToReal) {
                return false;
            }
            stack.extend(store.args(term));
        }
        true
    }
}

impl Quantifiers {
    /// Whether a query looks at a term.
    pub(crate) fn is_alive(&self, term: TermId) -> bool {
        self.alive.as_ref().is_none_or(|alive| alive.terms.contains(&term))
    }

    /// What was stated about the terms that the query is about.
    pub(crate) fn stated_and_alive(&self) -> impl Iterator<Item = TermId> {
        let conclusions = self.log.iter().map(|(_, _, conclusion)| *conclusion);
        conclusions.filter(|conclusion| self.is_alive(*conclusion))
    }

    /// Takes note of what is stated now.
    pub(super) fn note(&mut self, store: &Store, stated: Stated) {
        if let Some(alive) = &mut self.alive {
            alive.enter(store, stated.2);
        }
        self.log.push(stated);
    }

    /// Forgets the terms of scopes that have ended, so that there are `scopes`.
    pub(super) fn forget_scopes(&mut self, scopes: usize) {
        if let Some(alive) = &mut self.alive {
            alive.end_layers(scopes);
        }
    }
}

/// Finds out which terms the formulas in force are about.
pub(crate) fn find_alive(kernel: &mut Kernel, store: &Store) {
    if !kernel.has_dead || kernel.theory().quantifiers.formulas.is_empty() {
        return;
    }
    let mut alive = kernel.theory_mut().quantifiers.alive.take().unwrap_or_default();
    if alive.has_query {
        alive.end_layers(alive.layers.len() - 1);
    }
    let log = &kernel.theory().quantifiers.log;
    let mut ticks = 0;
    let starts: Vec<usize> = kernel.scope_starts().skip(alive.layers.len()).collect();
    for end in starts.into_iter().chain([kernel.assertions.len()]) {
        for assertion in &kernel.assertions[alive.assertions..end] {
            ticks += alive.enter(store, assertion.term);
        }
        // What the first assertions of a layer lead to may count as the next one's.
        if end > alive.assertions || end == kernel.assertions.len() {
            ticks += alive.follow(store, log);
        }
        alive.assertions = end;
        alive.begin_layer();
    }
    alive.has_query = true;
    for (_, term) in &kernel.assumed {
        ticks += alive.enter(store, *term);
    }
    ticks += alive.follow(store, log);
    let quantifiers = &mut kernel.theory_mut().quantifiers;
    quantifiers.ticks += ticks;
    quantifiers.alive = Some(alive);
}
