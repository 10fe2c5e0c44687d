//! The solver for formulas without quantifiers, which stays from question to question.
//!
//! It has the assertions in force, level by level, and is told of them when a question needs it.
//! What it was told and is no longer in force stays in its tables, in every model that it reads off
//! and in every search, so when that is most of what it knows it is made anew.
//!
//! Invariant: its levels are the outer ones of the session, and it has the assertions without
//! quantifiers among the session's first `count`, in their order.

use crate::kernel::{Found, Kernel};
use alphorn_term::{Store, TermId};
use std::collections::BTreeMap;

/// The size of what is no longer in force that is always borne, and that is borne for what is.
const DEAD_BORNE: usize = 256;
const DEAD_PER_LIVING: usize = 2;

/// A solver that is behind the session.
pub(crate) struct Plain<K> {
    kernel: K,
    /// How many assertions it was shown.
    count: usize,
    /// What there was before each of its levels.
    levels: Vec<Level>,
    /// The size of what is no longer in force.
    dead: usize,
}

/// The size of all that a solver knew, and of what was no longer in force, before a level.
#[derive(Clone, Copy)]
struct Level {
    size: usize,
    dead: usize,
}

impl<K: Kernel> Plain<K> {
    /// A solver that was told nothing.
    pub(crate) fn new(kernel: K) -> Plain<K> {
        Plain { kernel, count: 0, levels: Vec::new(), dead: 0 }
    }

    /// The solver, which may be behind the session.
    pub(crate) fn kernel(&self) -> &K {
        &self.kernel
    }

    /// The solver, to be changed in what is not about assertions.
    pub(crate) fn kernel_mut(&mut self) -> &mut K {
        &mut self.kernel
    }

    /// Asks it, under assumptions, which are in force no longer then.
    pub(crate) fn check(&mut self, store: &mut Store, assumptions: &[TermId]) -> Found {
        let before = self.kernel.size();
        let found = self.kernel.check(store, assumptions);
        if !assumptions.is_empty() {
            self.dead += self.kernel.size().saturating_sub(before);
        }
        found
    }

    /// Ends levels until there are `levels`, before which there were `count` assertions.
    pub(crate) fn pop_to(&mut self, levels: usize, count: usize) {
        while self.levels.len() > levels {
            if let Some(level) = self.levels.pop() {
                self.dead = level.dead + self.kernel.size().saturating_sub(level.size);
            }
            self.kernel.pop();
        }
        self.count = self.count.min(count);
    }

    /// Whether most of what it knows is in force.
    pub(crate) fn is_fit(&self) -> bool {
        let living = self.kernel.size().saturating_sub(self.dead);
        self.dead <= DEAD_BORNE + DEAD_PER_LIVING * living
    }

    /// Catches up with assertions and the number of them before each level.
    pub(crate) fn follow(&mut self, store: &mut Store, assertions: &[TermId], levels: &[usize]) {
        loop {
            let level = levels.get(self.levels.len());
            let end = level.copied().unwrap_or(assertions.len());
            for &formula in &assertions[self.count.min(end)..end] {
                if !store.has_quantifier(formula) {
                    self.kernel.assert(store, formula);
                }
            }
            self.count = self.count.max(end);
            if level.is_none() {
                return;
            }
            self.levels.push(Level { size: self.kernel.size(), dead: self.dead });
            self.kernel.push();
        }
    }
}

/// What solvers that were dropped have counted.
#[derive(Debug, Default)]
pub(crate) struct Counted(BTreeMap<&'static str, u64>);

impl Counted {
    pub(crate) fn add(&mut self, counts: impl IntoIterator<Item = (&'static str, u64)>) {
        for (name, count) in counts {
            *self.0.entry(name).or_default() += count;
        }
    }

    pub(crate) fn entries(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.0.iter().map(|(name, count)| (*name, *count))
    }
}
