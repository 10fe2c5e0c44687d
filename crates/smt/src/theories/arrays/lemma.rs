//! Clauses about paths of writes: where indices are equal, so are reads from both ends.
//!
//! A path leads from an array that is read at `i` to one that is read at `j`, by equalities of arrays
//! and by writes at other indices. Its clause says: an equality does not hold, or a write is at `i`, or
//! `i` and `j` are different, or the reads are equal. Equalities are those that congruence rests on.
//! Where there are many long paths they are cut into their writes, by reads at `i` in between.

use crate::settings::{ARRAYS_LONGEST_PATH, ARRAYS_MAX_PATHS};
use std::sync::Arc;

use alphorn_problem::evidence::proof::Literal;
use alphorn_sat::Lit;
use alphorn_term::{Op, Sort, Store, TermId};

use super::demand;
use super::equations::share_equations;
use super::graph::Violation;
use super::unfold::unfold;
use crate::theories::encode::Leaf;
use crate::theories::kernel::Kernel;

/// A step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Hop {
    /// Two arrays are equal, by these literals.
    Equal(TermId, TermId, Vec<Lit>),
    /// A write, from its result to the array written or back.
    Write(TermId),
}

/// A path with the reads at its ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Path {
    pub(crate) hops: Vec<Hop>,
    /// The index of the first read, and of the second.
    pub(crate) indices: [TermId; 2],
    /// The array at the end.
    pub(crate) last: TermId,
    /// What the reads are.
    pub(crate) values: [TermId; 2],
}

/// States clauses about paths; whether one was not stated in this query.
pub(super) fn state_paths(
    kernel: &mut Kernel,
    store: &mut Store,
    violations: Vec<Violation>,
) -> bool {
    // Explanations are of the assignment, which clauses change.
    let mut paths = Vec::with_capacity(violations.len());
    for violation in violations {
        paths.push(path(kernel, store, violation));
    }
    let mut is_refined = false;
    let is_word = |store: &Store, path: &Path| {
        matches!(store.sort_of(store.sort(path.indices[0])), Sort::BitVec(_))
    };
    if paths.iter().any(|path| is_word(store, path)) {
        share_equations(kernel, store);
    }
    for path in paths {
        if is_word(store, &path) {
            for read in path.values {
                is_refined |= unfold(kernel, store, read);
            }
        }
        let count = kernel.theory_mut().arrays.paths.entry(path.values).or_insert(0);
        *count += 1;
        let is_long =
            path.hops.len() > ARRAYS_LONGEST_PATH.size() && *count > ARRAYS_MAX_PATHS.short();
        let is_stepped = is_long && state_steps(kernel, store, &path);
        is_refined |= is_stepped || state_path(kernel, store, path);
    }
    if !is_refined {
        kernel.theory_mut().is_at_a_loss = true;
    }
    is_refined
}

fn path(kernel: &mut Kernel, store: &Store, violation: Violation) -> Path {
    let Violation { start, writes, end, indices, values } = violation;
    let mut hops = Vec::new();
    let mut current = start;
    let connect = |kernel: &mut Kernel, from: TermId, to: TermId, hops: &mut Vec<Hop>| {
        if from == to {
            return;
        }
        let nodes = [from, to].map(|term| kernel.theory().equality.nodes[&term]);
        let mut tags = Vec::new();
        kernel.theory_mut().equality.closure.explain_equal(nodes[0], nodes[1], &mut tags);
        hops.push(Hop::Equal(from, to, tags.into_iter().map(Lit::from_code).collect()));
    };
    for (write, is_down) in writes {
        let older = store.args(write)[0];
        let (from, to) = if is_down { (write, older) } else { (older, write) };
        connect(kernel, current, from, &mut hops);
        hops.push(Hop::Write(write));
        current = to;
    }
    connect(kernel, current, end, &mut hops);
    Path { hops, indices, last: end, values }
}

/// States the steps of a path one by one, about reads along it; whether one was not stated.
fn state_steps(kernel: &mut Kernel, store: &mut Store, path: &Path) -> bool {
    let [index, other] = path.indices;
    let mut steps = Vec::new();
    for hop in &path.hops {
        let (from, to) = match hop {
            Hop::Equal(from, to, _) => (*from, *to),
            Hop::Write(write) => (*write, store.args(*write)[0]),
        };
        let reads = [from, to].map(|array| store.select(array, index));
        let is_read = |array: TermId, read: TermId| {
            store.op(read) == Op::Select && store.args(read)[0] == array
        };
        // Congruence knows that reads from equal arrays are equal, if it knows the reads.
        let is_known =
            matches!(hop, Hop::Equal(..)) && is_read(from, reads[0]) && is_read(to, reads[1]);
        if is_known {
            let mut cx = kernel.encoding(store);
            for read in reads {
                cx.visit(read);
                cx.settle();
            }
        } else if reads[0] != reads[1] {
            let hops = vec![hop.clone()];
            steps.push(Path { hops, indices: [index; 2], last: to, values: reads });
        }
    }
    let read = store.select(path.last, index);
    if read != path.values[1] {
        let values = [read, path.values[1]];
        let indices = [index, other];
        steps.push(Path { hops: Vec::new(), indices, last: path.last, values });
    }
    let mut is_refined = false;
    for step in steps {
        is_refined |= state_path(kernel, store, step);
    }
    is_refined
}

pub(super) fn state_path(kernel: &mut Kernel, store: &mut Store, path: Path) -> bool {
    let mut clause = Vec::new();
    let [index, other] = path.indices;
    let mut equations = Vec::new();
    for hop in &path.hops {
        match hop {
            Hop::Equal(_, _, lits) => clause.extend(lits.iter().map(|lit| !*lit)),
            Hop::Write(write) => {
                let written = store.args(*write)[1];
                equations.push((store.eq(written, index), false));
            }
        }
    }
    equations.push((store.eq(index, other), true));
    equations.push((store.eq(path.values[0], path.values[1]), false));
    let mut cx = kernel.encoding(store);
    for (equation, is_negated) in equations {
        clause.push(cx.literal(equation).xor(is_negated));
    }
    demand(kernel, store, clause, Leaf::Lemma(Arc::new(path)))
}

/// States for pairs of arrays that they are equal or differ at a witness.
pub(crate) fn state_witnesses(
    kernel: &mut Kernel,
    store: &mut Store,
    pairs: &[[TermId; 2]],
) -> bool {
    let mut is_refined = false;
    for pair in pairs {
        let mut pair = *pair;
        pair.sort_unstable();
        let known = kernel.theory().arrays.witnesses.get(&pair).cloned();
        let (clause, leaf) = match known {
            Some(clause) => (clause, Leaf::Theory),
            None => witness(kernel, store, pair),
        };
        is_refined |= demand(kernel, store, clause, leaf);
    }
    if !is_refined {
        kernel.theory_mut().is_at_a_loss = true;
    }
    is_refined
}

fn witness(kernel: &mut Kernel, store: &mut Store, pair: [TermId; 2]) -> (Vec<Lit>, Leaf) {
    let Sort::Array(index, _) = *store.sort_of(store.sort(pair[0])) else {
        unreachable!("what is told apart here are arrays")
    };
    let witness = store.fresh_var("k", index);
    let [left, right] = pair.map(|array| store.select(array, witness));
    let equation = store.eq(pair[0], pair[1]);
    let elements = store.eq(left, right);
    let terms = vec![Literal::of(store, equation), !Literal::of(store, elements)];
    let mut cx = kernel.encoding(store);
    let clause = vec![cx.literal(equation), !cx.literal(elements)];
    kernel.theory_mut().arrays.witnesses.insert(pair, clause.clone());
    (clause, Leaf::Witness(terms, vec![witness]))
}
