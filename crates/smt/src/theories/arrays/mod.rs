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
use alphorn_term::{Op, Sort, SortId, Store, TermId, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::euf::Node;
use crate::options::Options;
use crate::theories::encode::{Encoding, Leaf};
use crate::theories::kernel::Kernel;
use crate::theories::model::Reading;
use crate::theories::theory::{Congruence, Theory};
use graph::Graph;
pub(crate) use lemma::state_witnesses;
use relevant::relevant_arrays;
pub(crate) use values::parts_of;
use values::{Plan, equal_by_chance};

/// Arrays: what is kept about them from query to query.
#[derive(Default)]
pub(crate) struct Arrays {
    /// Terms of array operators, variables that are arrays, and equations of arrays, in the order
    /// of their first occurrence.
    pub(crate) terms: Vec<TermId>,
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
    /// How many lemmas there were.
    pub(crate) fn lemma_count(&self) -> u64 {
        self.lemmas.len() as u64
    }
}

impl Theory for Arrays {
    fn congruence(op: Op) -> Option<Congruence> {
        // What reads and writes make of equal indices is seen to here.
        matches!(op, Op::Select | Op::Store | Op::ConstArray).then_some(Congruence::Own)
    }

    fn enter(cx: &mut Encoding<'_>, term: TermId) -> bool {
        let op = cx.store.op(term);
        let is_array = |term| matches!(cx.store.sort_of(cx.store.sort(term)), Sort::Array(..));
        let is_equation = op == Op::Eq && is_array(cx.store.args(term)[0]);
        if op == Op::Select || is_array(term) || is_equation {
            cx.theory_mut().arrays.terms.push(term);
        }
        false
    }

    /// Forgets what the last query was told.
    fn begin(&mut self, _: &Options) {
        self.demanded.clear();
        self.unfolded.clear();
    }

    fn refine(kernel: &mut Kernel, store: &mut Store) -> bool {
        refine(kernel, store)
    }

    fn value(reading: &Reading<'_>, term: TermId, sort: &Sort) -> Option<Value> {
        let &Sort::Array(index, element) = sort else { return None };
        values::array(reading, term, index, element)
    }
}

/// States what the assignment violates about arrays; whether there is anything.
fn refine(kernel: &mut Kernel, store: &mut Store) -> bool {
    kernel.theory_mut().arrays.plan = Plan::default();
    if kernel.theory().arrays.terms.is_empty() {
        return false;
    }
    let terms = relevant_arrays(kernel, store);
    kernel.theory_mut().arrays.ticks +=
        kernel.search.var_count() as u64 / TICK_VARS + terms.len() as u64 * TICKS_TERM;
    let reading = Reading::without_elements(kernel, store);
    let mut graph = Graph::new(kernel, store, &reading, &terms);
    let named = |store: &Store, sort: SortId| terms_of(kernel, store, sort);
    let violations = graph.violations(store, &named);
    if !violations.is_empty() {
        return lemma::state_paths(kernel, store, violations);
    }
    kernel.theory_mut().arrays.plan = graph.plan(store);
    if kernel.theory().arrays.plan.is_beyond {
        kernel.theory_mut().is_at_a_loss = true;
        return false;
    }
    let pairs = equal_by_chance(kernel, store, &terms);
    !pairs.is_empty() && state_witnesses(kernel, store, &pairs)
}

/// The terms of a sort that equality knows, with their classes.
fn terms_of(kernel: &Kernel, store: &Store, sort: SortId) -> Vec<(TermId, Node)> {
    let euf = &kernel.search.theory().equality.closure;
    let nodes =
        kernel.theory().equality.nodes.iter().filter(|(term, _)| store.sort(**term) == sort);
    let mut terms: Vec<(TermId, Node)> =
        nodes.map(|(term, node)| (*term, euf.root(*node))).collect();
    terms.sort_unstable_by_key(|(term, _)| *term);
    terms
}

/// Adds a clause and has it satisfied in this query; false if that was done before.
fn demand(kernel: &mut Kernel, store: &mut Store, clause: Vec<Lit>, leaf: Leaf) -> bool {
    let mut key = clause;
    key.sort_unstable();
    key.dedup();
    if !kernel.theory_mut().arrays.demanded.insert(key.clone()) {
        return false;
    }
    let theory = kernel.theory_mut();
    theory.justification.demand(&key);
    if theory.arrays.lemmas.insert(key.clone()) {
        kernel.encoding(store).lemma(&key, leaf);
    }
    true
}
