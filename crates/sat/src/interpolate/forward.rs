//! Partial interpolants, from leaves to the empty clause.
//!
//! At a cut, a clause `C` of side A has the disjunction of its literals labelled `b`, a clause of
//! side B the negation of the disjunction of its literals labelled `a`. Resolving `C ∨ p` and
//! `D ∨ ¬p` combines `I` and `J`: to `I ∨ J` if `p` is labelled `a`, to `I ∧ J` if `b`, and to
//! `(I ∨ p) ∧ (J ∨ ¬p)` if `ab`. Under an assignment, clauses and resolvents that it satisfies do not
//! matter: a pivot that it makes true leaves the other premise's partial interpolant.
//!
//! Invariant, for each clause with partial interpolant `I`: A implies `I` or a literal not labelled
//! `b`, and B and `I` together imply a literal not labelled `a`. It holds as well for derived
//! clauses that count as leaves because one side alone is behind them; this keeps sequences and
//! trees inductive, by the same case distinction that shows it for leaves.
//!
//! Consecutive conjunctions, and disjunctions, of a chain become one balanced tree.
//!
//! After D'Silva et al. (VMCAI 2010), Gurfinkel, Vizel (FMCAD 2014), Jančík et al. (FMCAD 2014).

use super::chain::{Chain, Propagation};
use super::clausal::Clausal;
use super::cuts::Cuts;
use super::labels::{Label, Labels};
use super::store::{Kind, Store};
use super::{Lemma, LemmaInterpolator, VariableMap};
use crate::aig::{Aig, Edge};
use crate::literal::{Lit, Var};
use crate::proof::ClauseId;

/// The state of one pass.
pub(super) struct Forward<'a> {
    pub(super) cuts: &'a Cuts,
    pub(super) labels: Labels,
    pub(super) aig: &'a mut Aig,
    map: &'a mut dyn VariableMap,
    pub(super) store: Store,
    pub(super) propagation: Propagation,
    /// The clausal parts, if they are asked for.
    pub(super) clausal: Option<Clausal>,
    /// The edge of each variable, once it was asked for.
    edges: Vec<Option<Edge>>,
    operands: Vec<Edge>,
}

/// How operands waiting to be combined belong together.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Connective {
    And,
    Or,
}

impl<'a> Forward<'a> {
    pub(super) fn new(
        cuts: &'a Cuts,
        labels: Labels,
        variables: u32,
        aig: &'a mut Aig,
        map: &'a mut dyn VariableMap,
    ) -> Forward<'a> {
        Forward {
            cuts,
            store: Store::new(cuts.words(), labels.assigned.clone()),
            labels,
            aig,
            map,
            propagation: Propagation::new(variables),
            clausal: None,
            edges: vec![None; variables as usize],
            operands: Vec::new(),
        }
    }

    fn edge(&mut self, lit: Lit) -> Edge {
        let Forward { edges, map, aig, .. } = self;
        let edge = edges[lit.var().index()].get_or_insert_with(|| map.edge(lit.var(), aig));
        edge.xor(lit.is_negated())
    }

    /// The cuts that exist, as one word of bits.
    fn existing(&self, word: usize) -> u64 {
        match (self.cuts.len() as usize).saturating_sub(64 * word) {
            count @ 0..64 => (1 << count) - 1,
            _ => !0,
        }
    }

    /// Adds a clause of the formula.
    pub(super) fn leaf(&mut self, literals: &[Lit], partition: u32) -> usize {
        let words = self.cuts.words();
        let members = self.cuts.members.row(partition as usize);
        let mut sides = members.to_vec();
        sides.extend((0..words).map(|word| !members[word] & self.existing(word)));
        let clause = self.store.push(literals, Kind::Leaf, partition, &sides);
        if let Some(clausal) = &mut self.clausal {
            clausal.leaf(partition);
            clausal.collect(&self.store, &self.labels, clause);
            let is_unit = literals.iter().all(|lit| *lit == literals[0]) && !literals.is_empty();
            if clausal.colorizes && is_unit {
                self.propagation.fix(literals[0], clause);
            }
        }
        clause
    }

    /// Adds a lemma of the theory, whose partial interpolants come from outside.
    pub(super) fn lemma(
        &mut self,
        id: ClauseId,
        literals: &[Lit],
        theory: &mut dyn LemmaInterpolator,
    ) -> usize {
        let words = self.cuts.words();
        let all: Vec<u64> = (0..2 * words).map(|word| self.existing(word % words.max(1))).collect();
        let last = self.cuts.partitions().saturating_sub(1);
        let clause = self.store.push(literals, Kind::Lemma, last, &all);
        for cut in 0..self.cuts.len() {
            let is_true = |lit: Lit| self.labels.is_true(lit, cut as usize);
            let edge = if literals.iter().any(|lit| is_true(*lit)) {
                Edge::TRUE
            } else {
                let open: Vec<Lit> =
                    literals.iter().copied().filter(|lit| !is_true(!*lit)).collect();
                let label = |lit: &Lit| self.labels.label(lit.var(), cut as usize);
                let labels: Vec<Label> = open.iter().map(label).collect();
                theory.interpolate(&Lemma { id, literals: &open, labels: &labels, cut }, self.aig)
            };
            self.store.push_edge(edge);
        }
        if let Some(clausal) = &mut self.clausal {
            clausal.lemma();
        }
        clause
    }

    /// Adds a derived clause by its hints; nothing if they do not refute its negation.
    ///
    /// The clause may turn out to be one that is there already, or a part of what was asked for.
    pub(super) fn derive(&mut self, literals: &[Lit], hints: &[usize]) -> Option<usize> {
        if self.clausal.as_ref().is_some_and(|clausal| clausal.colorizes) {
            return self.derive_colored(literals, hints);
        }
        let Forward { propagation, store, .. } = self;
        let conflict = propagation.refute(store, literals, hints, false)?;
        let mut chain = Chain::default();
        propagation.chain(store, conflict, &mut chain);
        Some(self.resolve(&chain))
    }

    /// Adds the clause that a chain derives.
    pub(super) fn resolve(&mut self, chain: &Chain) -> usize {
        if chain.steps.is_empty() {
            return chain.start;
        }
        let mut sides = self.store.sides(chain.start).to_vec();
        let mut color = self.store.color(chain.start);
        for (_, clause) in &chain.steps {
            color = color.max(self.store.color(*clause));
            let more = self.store.sides(*clause);
            sides.iter_mut().zip(more).for_each(|(side, more)| *side |= more);
        }
        let clause = self.store.push(&chain.literals, Kind::Derived, color, &sides);
        for word in 0..self.cuts.words() {
            let mut stored = self.store.stored(clause, word);
            while stored != 0 {
                let cut = 64 * word + stored.trailing_zeros() as usize;
                let edge = self.fold(chain, cut);
                self.store.push_edge(edge);
                stored &= stored - 1;
            }
        }
        if let Some(clausal) = &mut self.clausal {
            clausal.derived(chain);
            clausal.collect(&self.store, &self.labels, clause);
        }
        clause
    }

    /// The partial interpolant of a clause at a cut.
    pub(super) fn partial(&mut self, clause: usize, cut: usize) -> Edge {
        match self.store.edge(clause, cut) {
            Some(edge) => edge,
            None => self.partial_of_leaf(clause, cut),
        }
    }

    fn partial_of_leaf(&mut self, clause: usize, cut: usize) -> Edge {
        if self.clausal.as_ref().is_some_and(|clausal| clausal.is_in(clause, cut)) {
            return Edge::TRUE;
        }
        let is_in_a = self.store.has_a(clause, cut);
        let kept = if is_in_a { Label::B } else { Label::A };
        let mut operands = Vec::new();
        for index in 0..self.store.literals(clause).len() {
            let lit = self.store.literals(clause)[index];
            if self.labels.is_true(lit, cut) {
                return Edge::TRUE;
            }
            if !self.labels.is_true(!lit, cut) && self.labels.label(lit.var(), cut) == kept {
                operands.push(!self.edge(lit));
            }
        }
        let none = self.aig.and_all(&mut operands);
        if is_in_a { !none } else { none }
    }

    /// The partial interpolant at a cut of what a chain derives.
    fn fold(&mut self, chain: &Chain, cut: usize) -> Edge {
        let mut connective = Connective::And;
        let mut operands = std::mem::take(&mut self.operands);
        operands.clear();
        operands.push(self.partial(chain.start, cut));
        for (pivot, clause) in &chain.steps {
            if self.labels.is_true(!*pivot, cut) {
                continue;
            }
            if self.labels.is_true(*pivot, cut) {
                operands.clear();
                operands.push(self.partial(*clause, cut));
                continue;
            }
            let wanted = match self.labels.label(pivot.var(), cut) {
                Label::A => Connective::Or,
                Label::B => Connective::And,
                Label::Both => {
                    let here = self.combine(connective, &mut operands);
                    let (there, pivot) = (self.partial(*clause, cut), self.edge(*pivot));
                    operands.push(self.aig.ite(pivot, there, here));
                    continue;
                }
            };
            let there = self.partial(*clause, cut);
            if wanted != connective {
                let here = self.combine(connective, &mut operands);
                operands.push(here);
                connective = wanted;
            }
            operands.push(there);
        }
        let edge = self.combine(connective, &mut operands);
        self.operands = operands;
        edge
    }

    fn combine(&mut self, connective: Connective, operands: &mut Vec<Edge>) -> Edge {
        match connective {
            Connective::And => self.aig.and_all(operands),
            Connective::Or => {
                operands.iter_mut().for_each(|edge| *edge = !*edge);
                !self.aig.and_all(operands)
            }
        }
    }

    /// The variables that may occur in the interpolant of a cut.
    pub(super) fn shared(&self, cut: usize) -> Vec<Var> {
        let all = (0..self.edges.len() as u32).map(Var);
        all.filter(|var| self.labels.is_shared(*var, cut)).collect()
    }
}
