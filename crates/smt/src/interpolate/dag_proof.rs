//! The interpolants of all nodes of a DAG out of one proof.
//!
//! Nodes in topological order are the partitions of one formula, which says that a path leads from the entry to
//! the exit: a flag for each node and for each edge, and a node's flag needs that of an edge out of it, which
//! needs the edge's formula and the flag of where it leads. An ordinary interpolant between the nodes before one
//! and the rest speaks about other nodes, too, as paths may go round it. So it is made under an *assignment*: the
//! node is on the path, and no edge is that is on no path through it. What is satisfied so does not count, and
//! only the node's arguments are left to speak about.
//!
//! With McMillan's labels interpolants of nodes are inductive along edges. Lemmas of theories may bring in
//! atoms of parts that do not count, so every interpolant is held against its definition, and one that is none is
//! replaced by one from a problem of its own.
//!
//! After Jančík, Kofroň, Rollini, Sharygina, "On interpolants and variable assignments" (FMCAD 2014), with flags
//! for edges: without them an edge past the node would count.

use alphorn_problem::evidence::proof::Literal;
use alphorn_sat::Answer;
use alphorn_term::{Op, SortId, Store, Substitution, TermId};

use super::dag::Walk;
use super::problem::Problem;
use super::refutation::{self, Outcome};
use super::{InterpolationOptions, Strength};
use crate::project::simplify;
use crate::settings::INTERPOLANTS_LARGEST_SIMPLIFIED;

impl Walk<'_> {
    /// Candidates for the interpolants of all nodes, in the order of the walk; the first node has none.
    pub(super) fn at_once(&self, store: &mut Store, options: &InterpolationOptions) -> Outcome {
        let edges = &self.dag.edges;
        let taken: Vec<TermId> = edges.iter().map(|_| store.fresh_var("e", SortId::BOOL)).collect();
        let mut formulas = Vec::with_capacity(self.order.len());
        for &node in &self.order {
            let mut parts = Vec::new();
            if node == self.dag.entry {
                parts.push(self.flags[node as usize]);
            }
            let mut ways = Vec::new();
            for (edge, &taken) in edges.iter().zip(&taken).filter(|(edge, _)| edge.0 == node) {
                ways.push(taken);
                for part in self.step(store, None, edge) {
                    for conjunct in conjuncts(store, part) {
                        parts.push(store.implies(taken, conjunct));
                    }
                }
            }
            if node != self.dag.exit {
                let any = store.or(&ways);
                parts.push(store.implies(self.flags[node as usize], any));
            }
            formulas.push(store.and(&parts));
        }
        let mut place = vec![0; self.order.len()];
        self.order.iter().enumerate().for_each(|(at, &node)| place[node as usize] = at);
        // By where they start: an edge comes after all that lead to its start.
        let mut ascending: Vec<(u32, u32)> =
            edges.iter().map(|&(from, to, _)| (from, to)).collect();
        ascending.sort_by_key(|&(from, _)| place[from as usize]);
        let through = |&node: &u32| self.through(node, &taken, &ascending);
        let mut assumed: Vec<Vec<Literal>> = self.order[1..].iter().map(through).collect();
        assumed.push(Vec::new());
        let problem = Problem::assuming(store, &formulas, assumed);
        let options = InterpolationOptions { strength: Strength::Strong, ..options.clone() };
        refutation::interpolate(store, &problem, &options, options.seed)
    }

    /// The assignment that leaves the paths through a node.
    fn through(&self, node: u32, taken: &[TermId], ascending: &[(u32, u32)]) -> Vec<Literal> {
        let edges = &self.dag.edges;
        let mut is_before = vec![false; self.dag.nodes.len()];
        let mut is_after = is_before.clone();
        is_before[node as usize] = true;
        is_after[node as usize] = true;
        for &(from, to) in ascending {
            is_after[to as usize] |= is_after[from as usize];
        }
        for &(from, to) in ascending.iter().rev() {
            is_before[from as usize] |= is_before[to as usize];
        }
        let literal = |atom: TermId, negated| Literal { atom, negated };
        let mut assumed = vec![literal(self.flags[node as usize], false)];
        for (other, &flag) in self.flags.iter().enumerate() {
            if !is_before[other] && !is_after[other] {
                assumed.push(literal(flag, true));
            }
        }
        for ((from, to, _), &taken) in edges.iter().zip(taken) {
            if !is_before[*to as usize] && !is_after[*from as usize] {
                assumed.push(literal(taken, true));
            }
        }
        assumed
    }

    /// The interpolants of all nodes, from candidates where these are such; none if they mislead.
    pub(super) fn confirmed(
        &self,
        store: &mut Store,
        candidates: Vec<TermId>,
        options: &InterpolationOptions,
    ) -> Option<Vec<TermId>> {
        let mut found = vec![TermId::TRUE; self.dag.nodes.len()];
        for (place, &node) in self.order.iter().enumerate() {
            let is_end = node == self.dag.entry || node == self.dag.exit;
            let candidate = match place.checked_sub(1) {
                Some(before) if !is_end => self.about(store, node, candidates[before], options),
                _ => None,
            };
            if node == self.dag.exit || candidate.is_some() {
                let before = self.before(store, node, &found);
                let goal = candidate.unwrap_or(TermId::FALSE);
                if self.implies(store, before, goal, options) {
                    found[node as usize] = goal;
                    continue;
                }
                if node == self.dag.exit {
                    return None;
                }
            }
            self.alone(store, node, &mut found, options).ok()?;
        }
        Some(found)
    }

    /// A candidate as a formula about a node's arguments, if it is one.
    fn about(
        &self,
        store: &mut Store,
        node: u32,
        candidate: TermId,
        options: &InterpolationOptions,
    ) -> Option<TermId> {
        let names = &self.names[node as usize];
        let back: Substitution = names.iter().map(|(&argument, &name)| (name, argument)).collect();
        if candidate == TermId::FALSE
            || !store.free_vars(&[candidate]).iter().all(|var| back.contains_key(var))
        {
            return None;
        }
        let found = store.substitute(candidate, &back);
        let is_small = store.dag_size(&[found]) <= INTERPOLANTS_LARGEST_SIMPLIFIED.size();
        Some(if options.simplify && is_small { simplify(store, found, &[], None) } else { found })
    }

    fn implies(
        &self,
        store: &mut Store,
        before: TermId,
        after: TermId,
        options: &InterpolationOptions,
    ) -> bool {
        let mut smt = options.solver(false, options.seed);
        smt.assert(store, before);
        let otherwise = store.not(after);
        smt.assert(store, otherwise);
        smt.check(store, &[]) == Answer::Unsat
    }
}

/// The conjuncts of a formula: each is guarded by itself, so that what is not taken is satisfied as a clause.
fn conjuncts(store: &Store, formula: TermId) -> Vec<TermId> {
    match store.op(formula) {
        Op::And => store.args(formula).to_vec(),
        _ => vec![formula],
    }
}
