//! Clauses about paths of writes: where indices are equal, so are reads from both ends.
//!
//! A path leads from an array that is read at `i` to one that is read at `j`, by equalities of arrays
//! and by writes at other indices. Its clause says: an equality does not hold, or a write is at `i`, or
//! `i` and `j` are different, or the reads are equal. Equalities are those that congruence rests on.

use alphorn_problem::evidence::proof::Literal;
use alphorn_sat::Lit;
use alphorn_term::{Sort, Store, TermId};

use super::graph::Violation;
use crate::encode::Leaf;
use crate::smt::Smt;

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

impl Smt {
    /// States clauses about paths; whether one was not stated in this query.
    pub(super) fn state_paths(&mut self, store: &mut Store, violations: Vec<Violation>) -> bool {
        // Explanations are of the assignment, which clauses change.
        let mut paths = Vec::with_capacity(violations.len());
        for violation in violations {
            paths.push(self.path(store, violation));
        }
        let mut is_refined = false;
        for path in paths {
            is_refined |= self.state_path(store, path);
        }
        if !is_refined {
            self.search.theory_mut().is_at_a_loss = true;
        }
        is_refined
    }

    fn path(&mut self, store: &Store, violation: Violation) -> Path {
        let Violation { start, writes, end, indices, values } = violation;
        let mut hops = Vec::new();
        let mut current = start;
        let connect = |smt: &mut Smt, from: TermId, to: TermId, hops: &mut Vec<Hop>| {
            if from == to {
                return;
            }
            let nodes = [from, to].map(|term| smt.encoder.nodes[&term]);
            let mut tags = Vec::new();
            smt.search.theory_mut().euf.explain_equal(nodes[0], nodes[1], &mut tags);
            hops.push(Hop::Equal(from, to, tags.into_iter().map(Lit::from_code).collect()));
        };
        for (write, is_down) in writes {
            let older = store.args(write)[0];
            let (from, to) = if is_down { (write, older) } else { (older, write) };
            connect(self, current, from, &mut hops);
            hops.push(Hop::Write(write));
            current = to;
        }
        connect(self, current, end, &mut hops);
        Path { hops, indices, last: end, values }
    }

    fn state_path(&mut self, store: &mut Store, path: Path) -> bool {
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
        for (equation, is_negated) in equations {
            let lit = self.encoder.literal(&mut self.search, store, equation);
            clause.push(lit.xor(is_negated));
        }
        self.demand(clause, Leaf::Array(Box::new(path)))
    }

    /// States for pairs of arrays that they are equal or differ at a witness.
    pub(crate) fn state_witnesses(&mut self, store: &mut Store, pairs: &[[TermId; 2]]) -> bool {
        let mut is_refined = false;
        for pair in pairs {
            let mut pair = *pair;
            pair.sort_unstable();
            let known = self.arrays.witnesses.get(&pair).cloned();
            let (clause, leaf) = match known {
                Some(clause) => (clause, Leaf::Theory),
                None => self.witness(store, pair),
            };
            is_refined |= self.demand(clause, leaf);
        }
        if !is_refined {
            self.search.theory_mut().is_at_a_loss = true;
        }
        is_refined
    }

    fn witness(&mut self, store: &mut Store, pair: [TermId; 2]) -> (Vec<Lit>, Leaf) {
        let Sort::Array(index, _) = *store.sort_of(store.sort(pair[0])) else {
            unreachable!("what is told apart here are arrays")
        };
        let witness = store.fresh_var("k", index);
        let [left, right] = pair.map(|array| store.select(array, witness));
        let equation = store.eq(pair[0], pair[1]);
        let elements = store.eq(left, right);
        let terms = vec![Literal::of(store, equation), !Literal::of(store, elements)];
        let Smt { encoder, search, .. } = self;
        let clause = vec![
            encoder.literal(search, store, equation),
            !encoder.literal(search, store, elements),
        ];
        self.arrays.witnesses.insert(pair, clause.clone());
        (clause, Leaf::Witness(terms, vec![witness]))
    }
}
