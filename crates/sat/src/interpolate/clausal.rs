//! The clausal part of a sequence of interpolants.
//!
//! A clause over the variables shared at cut `k` that follows from partition `k` and the clauses
//! collected at cut `k - 1` is collected at cut `k`; there its partial interpolant is true. The
//! collected clauses form an inductive chain on their own, and the interpolant at `k` is their
//! conjunction with what the empty clause's partial interpolant still says.
//!
//! *Colorizing* makes more such clauses: each derivation is cut into chains of one partition, those
//! of earlier partitions first, and propagation takes hints by partition. Unit clauses are not
//! derived by themselves but fixed, so that chains reach through them.
//!
//! After Gurfinkel, Vizel, "DRUPing for Interpolants" (FMCAD 2014). We differ in four points: a
//! clause may use clauses of its partition's closure that are not shared themselves (the paper's
//! definition rejects them); a variable may occur in any number of partitions, and a collected
//! clause stays collected as long as its variables are shared, so that formulas need not be striped;
//! propagation goes through the hints of the proof only (`chain.rs`); and what is fixed keeps the
//! order of the proof, only the rest is propagated by partition.

use std::collections::{BTreeSet, BinaryHeap};

use super::chain::Chain;
use super::cuts::BitRows;
use super::forward::Forward;
use super::labels::Labels;
use super::store::Store;
use crate::literal::Lit;

/// Which clauses are collected where.
pub(super) struct Clausal {
    partitions: usize,
    pub(super) colorizes: bool,
    /// For each clause the partitions from which, with the clauses collected at the cut before, it
    /// follows; one of them is the partition after each cut at which it is collected.
    support: BitRows,
    /// For each clause the cuts at which it is collected.
    collected: BitRows,
    /// The clauses collected at each cut.
    pub(super) clauses: Vec<BTreeSet<Vec<Lit>>>,
}

impl Clausal {
    pub(super) fn new(partitions: u32, words: usize, colorizes: bool) -> Clausal {
        Clausal {
            partitions: partitions as usize,
            colorizes,
            support: BitRows::new(0, words),
            collected: BitRows::new(0, words),
            clauses: vec![BTreeSet::new(); (partitions as usize).saturating_sub(1)],
        }
    }

    fn grow(&mut self) -> usize {
        let words = self.support.words;
        self.support.bits.resize(self.support.bits.len() + words, 0);
        self.collected.bits.resize(self.support.bits.len(), 0);
        self.support.bits.len() / words - 1
    }

    /// Whether the clause is collected at the cut.
    #[inline]
    pub(super) fn is_in(&self, clause: usize, cut: usize) -> bool {
        self.collected.has(clause, cut)
    }

    pub(super) fn leaf(&mut self, partition: u32) {
        let clause = self.grow();
        self.support.set(clause, partition as usize);
    }

    /// A lemma holds everywhere, but its atoms belong to no partition, so it supports nothing.
    pub(super) fn lemma(&mut self) {
        self.grow();
    }

    pub(super) fn derived(&mut self, chain: &Chain) {
        let clause = self.grow();
        let words = self.support.words;
        let mut common = vec![!0u64; words];
        let premises = chain.steps.iter().map(|(_, premise)| *premise);
        for premise in premises.chain([chain.start]) {
            let support = self.support.row(premise);
            common.iter_mut().zip(support).for_each(|(common, support)| *common &= support);
        }
        self.support.row_mut(clause).copy_from_slice(&common);
    }

    /// Collects the last clause wherever it may be.
    pub(super) fn collect(&mut self, store: &Store, labels: &Labels, clause: usize) {
        let is_shared =
            |cut: usize| store.literals(clause).iter().all(|lit| labels.is_shared(lit.var(), cut));
        for cut in 0..self.partitions.saturating_sub(1) {
            if self.support.has(clause, cut) && is_shared(cut) {
                self.collected.set(clause, cut);
                self.support.set(clause, cut + 1);
                let mut literals = store.literals(clause).to_vec();
                literals.sort_unstable();
                literals.dedup();
                self.clauses[cut].insert(literals);
            }
        }
    }
}

impl Forward<'_> {
    /// Adds a derived clause by chains of one partition each.
    ///
    /// A unit clause that one clause implies under fixed literals is not derived: it becomes fixed,
    /// and the clause that implies it stands for it as a hint.
    pub(super) fn derive_colored(&mut self, literals: &[Lit], hints: &[usize]) -> Option<usize> {
        let fixed = literals
            .iter()
            .find_map(|lit| self.propagation.fixed_reason(*lit).map(|reason| (*lit, reason)));
        let Forward { propagation, store, .. } = self;
        if let Some((lit, reason)) = fixed {
            propagation.refute(store, &[], &[], true);
            return Some(self.colorize_all(reason, Some(lit)));
        }
        let conflict = propagation.refute(store, literals, hints, true)?;
        let is_unit = literals.iter().all(|lit| *lit == literals[0]) && !literals.is_empty();
        let is_implied = is_unit && store.literals(conflict).contains(&literals[0]);
        if is_implied && propagation.is_immediate() {
            propagation.fix(literals[0], conflict);
            return Some(conflict);
        }
        let clause = self.colorize_all(conflict, None);
        if let [lit] = *self.store.literals(clause) {
            self.propagation.fix(lit, clause);
        }
        Some(clause)
    }

    /// Resolves a clause with reasons until no literal but `implied` has one.
    fn colorize_all(&mut self, conflict: usize, implied: Option<Lit>) -> usize {
        let mut clause = conflict;
        let mut color = self.store.color(conflict);
        loop {
            clause = self.colorize(clause, implied, color);
            let others = self.store.literals(clause).iter().filter(|lit| Some(**lit) != implied);
            let reasons = others.filter_map(|lit| self.propagation.reason(lit.var()));
            match reasons.map(|reason| self.store.color(reason)).min() {
                Some(next) => color = next,
                None => return clause,
            }
        }
    }

    /// Resolves the clause with the reasons of partitions up to `color`, as far as there are any;
    /// `implied` is the literal of which the clause is the reason.
    ///
    /// The recursion goes to smaller partitions only, hence is no deeper than their number.
    fn colorize(&mut self, clause: usize, implied: Option<Lit>, color: u32) -> usize {
        let mut chain = Chain { start: clause, ..Chain::default() };
        chain.literals.extend(implied);
        let mut met = BTreeSet::new();
        let mut open = BinaryHeap::new();
        self.meet(clause, implied, color, &mut met, &mut open, &mut chain);
        while let Some((_, pivot)) = open.pop() {
            let var = pivot.var();
            let mut reason = self.propagation.reason(var).expect("open literals have reasons");
            let reason_color = self.store.color(reason);
            if reason_color < color {
                reason = self.colorize(reason, Some(!pivot), reason_color);
                self.propagation.set_reason(var, reason);
            }
            chain.steps.push((pivot, reason));
            self.meet(reason, Some(!pivot), color, &mut met, &mut open, &mut chain);
        }
        self.resolve(&chain)
    }

    /// Sorts the literals of a clause of the chain into those to resolve and those to keep.
    fn meet(
        &self,
        clause: usize,
        implied: Option<Lit>,
        color: u32,
        met: &mut BTreeSet<Lit>,
        open: &mut BinaryHeap<(u32, Lit)>,
        chain: &mut Chain,
    ) {
        for lit in self.store.literals(clause) {
            if Some(*lit) == implied || !met.insert(*lit) {
                continue;
            }
            let reason = self.propagation.reason(lit.var());
            if reason.is_some_and(|reason| self.store.color(reason) <= color) {
                open.push((self.propagation.position(lit.var()), *lit));
            } else {
                chain.literals.push(*lit);
            }
        }
    }
}
