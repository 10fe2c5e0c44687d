//! The solver for formulas without quantifiers, which stays from question to question.
//!
//! It has the assertions in force, level by level, and is told of them when a question needs it.
//! What it was told and is no longer in force stays in its tables, in every model that it reads off
//! and in every search, so when that is most of what it knows it is made anew.
//!
//! Invariant: its levels are the outer ones of the session, and it has the assertions without
//! quantifiers among the session's first `count`, in their order.

use crate::instances::Instances;
use crate::kernel::{Found, Kernel, Settings};
use crate::session::Session;
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
    fn new(kernel: K) -> Plain<K> {
        Plain { kernel, count: 0, levels: Vec::new(), dead: 0 }
    }

    /// The solver.
    pub(crate) fn kernel(&self) -> &K {
        &self.kernel
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
    fn is_fit(&self) -> bool {
        let living = self.kernel.size().saturating_sub(self.dead);
        self.dead <= DEAD_BORNE + DEAD_PER_LIVING * living
    }

    /// Catches up with assertions and the number of them before each level.
    fn follow(&mut self, store: &mut Store, assertions: &[TermId], levels: &[usize]) {
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

    fn entries(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.0.iter().map(|(name, count)| (*name, *count))
    }
}

impl<K: Kernel> Session<'_, K> {
    /// The solver for a question, with the terms: it has the assertions in force.
    pub(crate) fn ready_solver(&mut self) -> (&mut K, &mut Store) {
        let settings = self.options.settings(self.request);
        if let Some(unfit) = self.plain.take_if(|solver| !solver.is_fit()) {
            self.counted.add(unfit.kernel.statistics());
        }
        let solver = self.plain.get_or_insert_with(|| Plain::new((self.make)(&settings)));
        solver.kernel.limit(&settings);
        let formulas: Vec<TermId> =
            self.assertions.iter().map(|asserted| asserted.formula.term).collect();
        let levels: Vec<usize> = self.levels.iter().map(|level| level.assertions).collect();
        solver.follow(&mut self.store, &formulas, &levels);
        (&mut solver.kernel, &mut self.store)
    }

    /// Asks it, under assumptions.
    pub(crate) fn ask_solver(&mut self, assumptions: &[TermId]) -> Found {
        let (kernel, store) = self.ready_solver();
        let before = kernel.size();
        let found = kernel.check(store, assumptions);
        let after = kernel.size();
        if let Some(solver) = self.plain.as_mut().filter(|_| !assumptions.is_empty()) {
            solver.dead += after.saturating_sub(before);
        }
        found
    }

    /// The solver that was asked last, as it is.
    pub(crate) fn asked_solver(&mut self) -> Option<(&mut K, &mut Store)> {
        let solver = self.plain.as_mut()?;
        Some((&mut solver.kernel, &mut self.store))
    }

    /// Another solver, without assertions.
    pub(crate) fn fresh(&self, proofs: bool) -> K {
        let settings = self.options.settings(self.request);
        (self.make)(&Settings { proofs, cores: false, ..settings })
    }

    /// What the solvers for questions have counted, those of the past included.
    pub(crate) fn statistics(&mut self) -> Vec<(&'static str, u64)> {
        let mut counts = self.ready_solver().0.statistics();
        let others = self.instances.iter().flat_map(Instances::statistics);
        let others: Vec<(&'static str, u64)> = others.chain(self.counted.entries()).collect();
        for (name, count) in others {
            match counts.iter_mut().find(|(own, _)| *own == name) {
                Some((_, own)) => *own += count,
                None => counts.push((name, count)),
            }
        }
        counts
    }
}
