//! Interpolants of a DAG of formulas, as abstract reachability graphs have them.
//!
//! Edges and nodes have formulas. An edge's formula relates what holds before to what holds after
//! it; the *arguments* of a node are the symbols that occur both on an edge into it and on an
//! edge out of it, and only these are passed on. Interpolants of nodes have only arguments; that
//! of the entry is true, that of the exit false; and if a node's interpolant and formula and an edge's
//! formula hold, then so do the interpolant and the formula of the node that the edge leads to.
//!
//! One proof that no path leads to the exit has interpolants for all nodes (`dag_proof`). Each is held against
//! the ones before it, and where one is missing or wrong, the node is a problem of its own: nodes are taken in
//! topological order. What may be true before a node is the disjunction over
//! its incoming edges, with the interpolants of where they come from. What leads from it to the exit,
//! or to a node whose formula is violated, is one formula with a flag for each node: names of
//! symbols are made different from edge to edge, except that arguments of a node are the same on
//! all its edges. The two are contradictory by induction, and a binary interpolant is the node's.
//! Where paths are enumerated there would be exponentially many.
//!
//! After Albarghouthi, Gurfinkel, Chechik, "Craig Interpretation" (SAS 2012), with the variable
//! condition corrected as in Hojjat's thesis (EPFL 2013), which is that of linear Horn clauses.

use alphorn_sat::interpolate::CutError;
use alphorn_term::{Op, SortId, Store, TermId};
use rustc_hash::FxHashMap;

use super::refutation::Outcome;
use super::{Cause, Interpolation, InterpolationOptions, Method, binary};
use crate::settings::INTERPOLANTS_AT_ONCE;

/// A DAG; nodes are numbered from 0.
#[derive(Clone, Debug)]
pub struct Dag {
    /// The formula of each node.
    pub nodes: Vec<TermId>,
    /// From where, to where, and the formula.
    pub edges: Vec<(u32, u32, TermId)>,
    /// The node without incoming edges.
    pub entry: u32,
    /// The node without outgoing edges.
    pub exit: u32,
}

/// A DAG with what is needed to walk it.
pub(super) struct Walk<'a> {
    pub(super) dag: &'a Dag,
    pub(super) order: Vec<u32>,
    /// The variables that each node passes on.
    pub(super) arguments: Vec<Vec<TermId>>,
    /// By node, a name for each argument.
    pub(super) names: Vec<FxHashMap<TermId, TermId>>,
    pub(super) flags: Vec<TermId>,
}

/// For each node of a DAG an interpolant.
///
/// Symbols are variables; functions are the same everywhere.
pub fn dag(store: &mut Store, dag: &Dag, options: &InterpolationOptions) -> Interpolation {
    let walk = match Walk::new(store, dag) {
        Ok(walk) => walk,
        Err(error) => return Interpolation::Unknown(Cause::Shape(error)),
    };
    let mut is_contradictory = false;
    if options.method == Method::Proof && dag.nodes.len() > 3 && INTERPOLANTS_AT_ONCE.get() > 0 {
        match walk.at_once(store, options) {
            Outcome::Interpolants(candidates) => {
                if let Some(found) = walk.confirmed(store, candidates, options) {
                    return Interpolation::Interpolants(found);
                }
                is_contradictory = true;
            }
            Outcome::Satisfiable(model) => return Interpolation::Satisfiable(model),
            Outcome::Unknown(reason) => return Interpolation::Unknown(Cause::Search(reason)),
            Outcome::Stuck => is_contradictory = true,
        }
    }
    if !is_contradictory {
        // With the entry's problem the question is settled whether there are interpolants.
        let after = walk.after(store, dag.entry);
        if let other @ (Interpolation::Satisfiable(_) | Interpolation::Unknown(_)) =
            binary(store, TermId::TRUE, after, options)
        {
            return other;
        }
    }
    let mut found = vec![TermId::TRUE; dag.nodes.len()];
    for &node in &walk.order {
        if let Err(other) = walk.alone(store, node, &mut found, options) {
            return other;
        }
    }
    Interpolation::Interpolants(found)
}

impl<'a> Walk<'a> {
    fn new(store: &mut Store, dag: &'a Dag) -> Result<Walk<'a>, CutError> {
        let count = dag.nodes.len() as u32;
        let order = topological(dag)?;
        for end in [dag.entry, dag.exit] {
            if end >= count {
                return Err(CutError::NoSuchPartition(end));
            }
        }
        let mut arguments = Vec::new();
        let mut names = Vec::new();
        for node in 0..count {
            let mut incoming = variables(store, dag.edges.iter().filter(|edge| edge.1 == node));
            let outgoing = variables(store, dag.edges.iter().filter(|edge| edge.0 == node));
            incoming.retain(|variable| outgoing.contains(variable));
            let fresh = |variable: &TermId| {
                let name = store.var_name(*variable).unwrap_or("x").to_string();
                let sort = store.sort(*variable);
                (*variable, store.fresh_var(&name, sort))
            };
            names.push(incoming.iter().map(fresh).collect());
            arguments.push(incoming);
        }
        let flags = (0..count).map(|_| store.fresh_var("n", SortId::BOOL)).collect();
        Ok(Walk { dag, order, arguments, names, flags })
    }

    /// Finds the interpolant of a node by a problem of its own, given those of the nodes before it.
    pub(super) fn alone(
        &self,
        store: &mut Store,
        node: u32,
        found: &mut [TermId],
        options: &InterpolationOptions,
    ) -> Result<(), Interpolation> {
        if node == self.dag.entry || node == self.dag.exit {
            found[node as usize] = store.bool(node == self.dag.entry);
            return Ok(());
        }
        let before = self.before(store, node, found);
        let after = self.after(store, node);
        match binary(store, before, after, options) {
            Interpolation::Interpolants(interpolants) => {
                found[node as usize] = interpolants[0];
                Ok(())
            }
            other => Err(other),
        }
    }

    /// What holds where the node is reached, given the interpolants of the nodes before it.
    pub(super) fn before(&self, store: &mut Store, node: u32, found: &[TermId]) -> TermId {
        let mut ways = Vec::new();
        for (from, _, formula) in self.dag.edges.iter().filter(|edge| edge.1 == node) {
            let from = *from as usize;
            ways.push(store.and(&[found[from], self.dag.nodes[from], *formula]));
        }
        store.or(&ways)
    }

    /// What leads from a node to the exit, or to a node whose formula is violated.
    fn after(&self, store: &mut Store, start: u32) -> TermId {
        let mut parts = vec![self.flags[start as usize]];
        let mut is_reached = vec![false; self.dag.nodes.len()];
        is_reached[start as usize] = true;
        for &node in &self.order {
            if !is_reached[node as usize] || node == self.dag.exit {
                continue;
            }
            let mut ways = Vec::new();
            for edge in self.dag.edges.iter().filter(|edge| edge.0 == node) {
                is_reached[edge.1 as usize] = true;
                let parts = self.step(store, Some(start), edge);
                ways.push(store.and(&parts));
            }
            let any = store.or(&ways);
            parts.push(store.implies(self.flags[node as usize], any));
        }
        store.and(&parts)
    }

    /// Going along an edge: its formula, and the flag or the violated formula of where it leads. Where paths start,
    /// arguments have their own names.
    pub(super) fn step(
        &self,
        store: &mut Store,
        start: Option<u32>,
        edge: &(u32, u32, TermId),
    ) -> Vec<TermId> {
        let (from, to, formula) = *edge;
        let (before, after) = (self.dag.nodes[from as usize], self.dag.nodes[to as usize]);
        let mut names: FxHashMap<TermId, TermId> = FxHashMap::default();
        let mut same = Vec::new();
        for variable in store.free_vars(&[before, formula, after]) {
            let name = |node: u32| match Some(node) == start {
                true => self.arguments[node as usize].contains(&variable).then_some(variable),
                false => self.names[node as usize].get(&variable).copied(),
            };
            let name = match (name(from), name(to)) {
                (Some(left), Some(right)) => {
                    same.push((left, right));
                    left
                }
                (Some(name), None) | (None, Some(name)) => name,
                (None, None) => {
                    let hint = store.var_name(variable).unwrap_or("x").to_string();
                    let sort = store.sort(variable);
                    store.fresh_var(&hint, sort)
                }
            };
            names.insert(variable, name);
        }
        let renamed = store.substitute_all(&[before, formula, after], &names);
        let violated = store.not(renamed[2]);
        let mut ends = store.or(&[self.flags[to as usize], violated]);
        if to == self.dag.exit {
            ends = TermId::TRUE;
        }
        let mut parts = vec![renamed[0], renamed[1], ends];
        for (left, right) in same {
            parts.push(store.mk(Op::Eq, &[left, right]));
        }
        parts
    }
}

/// The free variables of edges, in the order of their first occurrence.
fn variables<'a>(
    store: &Store,
    edges: impl Iterator<Item = &'a (u32, u32, TermId)>,
) -> Vec<TermId> {
    let formulas: Vec<TermId> = edges.map(|edge| edge.2).collect();
    store.free_vars(&formulas)
}

/// The nodes, each after those that have an edge to it.
fn topological(dag: &Dag) -> Result<Vec<u32>, CutError> {
    let count = dag.nodes.len();
    let mut waiting = vec![0u32; count];
    for (from, to, _) in &dag.edges {
        for end in [from, to] {
            if *end as usize >= count {
                return Err(CutError::NoSuchPartition(*end));
            }
        }
        waiting[*to as usize] += 1;
    }
    let mut order: Vec<u32> = (0..count as u32).filter(|n| waiting[*n as usize] == 0).collect();
    let mut next = 0;
    while let Some(&node) = order.get(next) {
        next += 1;
        for (_, to, _) in dag.edges.iter().filter(|edge| edge.0 == node) {
            waiting[*to as usize] -= 1;
            if waiting[*to as usize] == 0 {
                order.push(*to);
            }
        }
    }
    match waiting.iter().position(|left| *left > 0) {
        Some(node) => Err(CutError::Cycle(node as u32)),
        None => Ok(order),
    }
}
