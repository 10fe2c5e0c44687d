//! Arrays: which assignments are models of reads, writes and constant arrays, and what the others violate.
//!
//! Equality knows reads and writes as functions. Classes of equal arrays are the vertices of a graph whose
//! edges are writes: `store(a, i, v)` and `a` agree everywhere but at `i`. Arrays are *k-connected*
//! if a path of writes at other indices than `k` leads from one to the other, and then they have one
//! element at `k`. So an assignment is a model if
//!
//! 1. reads at `k` from k-connected arrays are equal, where a write reads its value at its index and a
//!    constant array its value everywhere,
//! 2. constant arrays that are connected at all are equal, if there is an index that no write is at, and
//! 3. arrays that have to be different are.
//!
//! Violations of 1 and 2 are told to the search as clauses about the path, without any read along it;
//! for 3 an index is named at which the arrays differ. Only terms below literals that have a value count.
//!
//! - `graph`: the classes, writes and reads of an assignment, and violations of 1 and 2
//! - `lemma`: clauses about paths
//! - `unfold`: reads of built arrays, level by level
//! - `equations`: equations of words that equality should know
//! - `values`: the arrays of a model, and violations of 3
//! - `proof`: steps for the clauses
//!
//! After Christ, Hoenicke, "Weakly equivalent arrays" (FroCoS 2015); Brummayer, Biere, "Lemmas on
//! demand for the extensional theory of arrays" (JSAT 2009). We differ in that extensionality is by
//! witnesses, and only where the model's arrays are equal by chance.

mod equations;
mod graph;
mod lemma;
mod proof;
mod relevant;
mod unfold;
mod values;

use alphorn_sat::Lit;
use alphorn_term::{SortId, Store, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::euf::Node;
use crate::model::Reading;
use crate::smt::Smt;
use graph::Graph;
pub(crate) use lemma::Path;
pub(crate) use values::Plan;

/// What is kept about arrays from query to query.
#[derive(Default)]
pub(crate) struct Arrays {
    /// The clauses that were added, by their sorted literals.
    lemmas: FxHashSet<Vec<Lit>>,
    /// For two arrays the clause that they are equal or differ at a witness.
    pub(crate) witnesses: FxHashMap<[TermId; 2], Vec<Lit>>,
    /// How many paths between two reads were stated.
    paths: FxHashMap<[TermId; 2], u32>,
    /// What the arrays of the last assignment are.
    pub(crate) plan: Plan,
    /// The clauses that this query was told to satisfy.
    demanded: FxHashSet<Vec<Lit>>,
    /// The reads that were unfolded in this query: arrays with indices.
    unfolded: FxHashSet<(TermId, TermId)>,
    /// The equations of words that equality was told of.
    compared: equations::Compared,
    /// Work, in ticks.
    pub(crate) ticks: u64,
}

/// The variables that are looked at in a tick.
const TICK_VARS: u64 = 8;
/// Ticks for a term of an assignment.
const TICKS_TERM: u64 = 4;

impl Arrays {
    /// Forgets what the last query was told.
    pub(crate) fn begin(&mut self) {
        self.demanded.clear();
        self.unfolded.clear();
    }
}

impl Smt {
    /// States what the assignment violates about arrays; whether there is anything.
    pub(crate) fn refine_arrays(&mut self, store: &mut Store) -> bool {
        self.arrays.plan = Plan::default();
        if self.encoder.arrays.is_empty() {
            return false;
        }
        let terms = self.relevant_arrays(store);
        self.arrays.ticks +=
            self.search.var_count() as u64 / TICK_VARS + terms.len() as u64 * TICKS_TERM;
        let reading = Reading::without_elements(self, store);
        let mut graph = Graph::new(self, store, &reading, &terms);
        let named = |store: &Store, sort: SortId| self.terms_of(store, sort);
        let violations = graph.violations(store, &named);
        if !violations.is_empty() {
            return self.state_paths(store, violations);
        }
        self.arrays.plan = graph.plan(store);
        if self.arrays.plan.is_beyond {
            self.search.theory_mut().is_at_a_loss = true;
            return false;
        }
        let pairs = self.equal_by_chance(store, &terms);
        !pairs.is_empty() && self.state_witnesses(store, &pairs)
    }

    /// The terms of a sort that equality knows, with their classes.
    fn terms_of(&self, store: &Store, sort: SortId) -> Vec<(TermId, Node)> {
        let euf = &self.search.theory().euf;
        let nodes = self.encoder.nodes.iter().filter(|(term, _)| store.sort(**term) == sort);
        let mut terms: Vec<(TermId, Node)> =
            nodes.map(|(term, node)| (*term, euf.root(*node))).collect();
        terms.sort_unstable_by_key(|(term, _)| *term);
        terms
    }

    /// Adds a clause and has it satisfied in this query; false if that was done before.
    fn demand(&mut self, clause: Vec<Lit>, leaf: crate::encode::Leaf) -> bool {
        let mut key = clause;
        key.sort_unstable();
        key.dedup();
        if !self.arrays.demanded.insert(key.clone()) {
            return false;
        }
        let Smt { encoder, search, arrays, .. } = self;
        search.theory_mut().justification.demand(&key);
        if arrays.lemmas.insert(key.clone()) {
            encoder.lemma(search, &key, leaf);
        }
        true
    }
}
