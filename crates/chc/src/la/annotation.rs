//! Instances of predicates, and what is known of them.
//!
//! An instance stands for the facts that one of its *ways* derives, a rule with instances for its
//! atoms. Its *annotation* is a set of lemmas, formulas over the predicate's parameters that hold of
//! all of these facts. Annotations only grow; what others imply is left out.
//!
//! Invariant: for each way, the rule with the annotations of its children implies each lemma.

use super::bounded::Bounded;
use super::derivation::FactId;
use super::system::{Pred, conjuncts};
use crate::settings::{LA_FEW_CONFLICTS, LA_LARGEST_SIMPLIFIED, LA_MAX_TERMS};
use alphorn_engine::{Ctx, Stop};
use alphorn_smt::project::simplify;
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{Store, TermId};
use rustc_hash::FxHashMap;

use alphorn_horn::ask::ask_within;

/// An instance, by its number.
pub(crate) type NodeId = usize;

/// A rule with instances for its atoms; none where an atom is not used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Way {
    /// Its position in the system.
    pub(crate) rule: usize,
    /// The instances.
    pub(crate) children: Vec<Option<NodeId>>,
}

/// An instance of a predicate.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    /// The predicate.
    pub(crate) pred: Pred,
    /// What derives its facts.
    pub(crate) ways: Vec<Way>,
    /// What is known of its facts.
    pub(crate) lemmas: Vec<TermId>,
    /// How often the annotation was strengthened.
    pub(crate) strengthened: u32,
    /// Facts that were derived, the latest last.
    pub(crate) facts: Vec<FactId>,
}

/// Answers to questions whether formulas over parameters imply one another.
#[derive(Default)]
pub(crate) struct Entailments {
    smt: Option<Smt>,
    asked: usize,
    known: FxHashMap<(TermId, TermId), bool>,
}

impl Entailments {
    /// Whether formulas imply another; false if that is too hard to tell.
    pub(crate) fn implies(
        &mut self,
        store: &mut Store,
        premises: &[TermId],
        conclusion: TermId,
        ctx: &mut Ctx<'_>,
    ) -> Result<bool, Stop> {
        if conclusion == TermId::TRUE || premises.contains(&conclusion) {
            return Ok(true);
        }
        let key = (store.and(premises), conclusion);
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        if self.asked > LA_MAX_TERMS.size() {
            (self.smt, self.asked) = (None, 0);
        }
        self.asked += 1;
        let smt = self.smt.get_or_insert_with(|| Smt::new(Options::default()));
        let mut assumptions = premises.to_vec();
        assumptions.push(store.not(conclusion));
        let answer = ask_within(smt, store, &assumptions, LA_FEW_CONFLICTS.get(), ctx)?;
        let result = answer == Answer::Unsat;
        self.known.insert(key, result);
        Ok(result)
    }
}

impl Bounded<'_> {
    /// Adds an instance of which nothing is known.
    pub(crate) fn add_node(&mut self, pred: Pred, ways: Vec<Way>) -> NodeId {
        self.nodes.push(Node {
            pred,
            ways,
            lemmas: Vec::new(),
            strengthened: 0,
            facts: Vec::new(),
        });
        self.nodes.len() - 1
    }

    /// Adds what follows from all ways of an instance to its annotation; whether that is anything.
    pub(crate) fn strengthen(
        &mut self,
        node: NodeId,
        formula: TermId,
        ctx: &mut Ctx<'_>,
    ) -> Result<bool, Stop> {
        let mut formula = formula;
        if self.store.dag_size(&[formula]) <= LA_LARGEST_SIMPLIFIED.size() {
            formula = simplify(&mut self.store, formula, &[], None);
        }
        let mut has_changed = false;
        for lemma in conjuncts(&self.store, formula) {
            let known = self.nodes[node].lemmas.clone();
            if self.entailments.implies(&mut self.store, &known, lemma, ctx)? {
                continue;
            }
            let mut kept = Vec::with_capacity(known.len() + 1);
            for other in known {
                if !self.entailments.implies(&mut self.store, &[lemma], other, ctx)? {
                    kept.push(other);
                }
            }
            kept.push(lemma);
            self.nodes[node].lemmas = kept;
            has_changed = true;
        }
        if has_changed {
            self.nodes[node].strengthened += 1;
            self.counts.lemmas += 1;
            if !self.changed.contains(&node) {
                self.changed.push(node);
            }
        }
        Ok(has_changed)
    }
}
