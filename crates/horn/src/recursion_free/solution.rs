//! From a contradictory expansion to what holds of the predicates.
//!
//! A tree of labels is a tree interpolation problem: the interpolant of a node, with its flag on,
//! says what holds of its arguments whenever the node is derived. Uses of one predicate are
//! conjoined later, since solutions of Horn clauses are closed under conjunction, and a node that is
//! not expanded is known by what was known before.
//!
//! A graph is one of interpolation, too: branches are edges from the node of their atom to that of their head, and
//! the arguments of a node are what they have in common. Its interpolants come from one proof, where paths would be
//! exponentially many.

use super::expansion::{Expansion, Node, ROOT};
use crate::settings::ACYCLIC_FIRST_ATTEMPT;
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::horn::PredId;
use alphorn_smt::interpolate::{
    Cause, Dag, Interpolation, InterpolationOptions, binary, dag, tree,
};
use alphorn_smt::{Budget, Reason};
use alphorn_term::{Store, Substitution, TermId};

/// What holds of predicates because the labels of a tree are contradictory: formulas over the parameters
/// that its knowledge is over. With what was known they are a model of all clauses but queries, recursive
/// ones as well: uses that are not expanded are known by what was known before.
pub fn of_predicates(
    expansion: &Expansion<'_>,
    store: &mut Store,
    ctx: &mut Ctx<'_>,
) -> Result<Vec<(PredId, TermId)>, Stop> {
    let facts = of_tree(expansion, store, ctx)?;
    Ok(facts.into_iter().filter_map(|fact| fact.of_predicate(expansion, store)).collect())
}

impl Fact {
    /// The fact as one about all uses of the node's predicate.
    pub(super) fn of_predicate(
        self,
        expansion: &Expansion<'_>,
        store: &mut Store,
    ) -> Option<(PredId, TermId)> {
        let node = &expansion.nodes[self.node];
        let pred = node.pred?;
        Some((pred, store.rename(self.formula, &node.params, expansion.params(pred))))
    }
}

/// What holds of a node's arguments.
pub(super) struct Fact {
    /// The node of the expansion whose arguments it speaks of.
    pub(super) node: usize,
    /// A formula over its parameters.
    pub(super) formula: TermId,
}

/// What holds of the expanded nodes of a tree whose labels are contradictory.
pub(super) fn of_tree(
    expansion: &Expansion<'_>,
    store: &mut Store,
    ctx: &mut Ctx<'_>,
) -> Result<Vec<Fact>, Stop> {
    let nodes = &expansion.nodes;
    // A leaf that says nothing would only be one more cut.
    let is_part = |node: &Node| node.branches.is_some() || node.label != TermId::TRUE;
    let members: Vec<usize> = (0..nodes.len()).filter(|&node| is_part(&nodes[node])).collect();
    let mut number = vec![None; nodes.len()];
    for (place, &node) in members.iter().enumerate() {
        number[node] = Some(place as u32);
    }
    let labels: Vec<TermId> = members.iter().map(|&node| nodes[node].label).collect();
    let parents: Vec<Option<u32>> =
        members.iter().map(|&node| nodes[node].parent.and_then(|parent| number[parent])).collect();
    let found = attempt(ctx, members.len(), |options| tree(store, &labels, &parents, options))?;
    let mut facts = Vec::new();
    for (&node, interpolant) in members.iter().zip(found) {
        if node != ROOT && nodes[node].branches.is_some() {
            let formula = switched_on(store, &nodes[node], interpolant);
            facts.push(Fact { node, formula });
        }
    }
    Ok(facts)
}

/// What holds of the nodes of a graph, all of them expanded, whose labels are contradictory.
///
/// A branch leads from the node of its atom, or from where derivations start, to the node that it concludes.
pub(super) fn of_graph(
    expansion: &Expansion<'_>,
    store: &mut Store,
    ctx: &mut Ctx<'_>,
) -> Result<Vec<Fact>, Stop> {
    let start = expansion.nodes.len() as u32;
    let mut edges = Vec::new();
    for (index, node) in expansion.nodes.iter().enumerate() {
        for branch in node.branches.iter().flatten() {
            let flags = branch.atoms.iter().filter_map(|&(_, child)| expansion.nodes[child].flag);
            let off: Substitution = flags.map(|flag| (flag, TermId::FALSE)).collect();
            let alone = store.substitute(branch.condition, &off);
            if alone != TermId::FALSE {
                edges.push((start, index as u32, alone));
            }
            for &(_, child) in &branch.atoms {
                let Node { flag, known, .. } = expansion.nodes[child];
                let mut on = off.clone();
                on.extend(flag.map(|flag| (flag, TermId::TRUE)));
                let way = store.and(&[known, branch.condition]);
                let way = store.substitute(way, &on);
                edges.push((child as u32, index as u32, way));
            }
        }
    }
    let nodes = vec![TermId::TRUE; start as usize + 1];
    let graph = Dag { nodes, edges, entry: start, exit: ROOT as u32 };
    let found = attempt(ctx, start as usize, |options| dag(store, &graph, options))?;
    let nodes = ROOT + 1..expansion.nodes.len();
    Ok(nodes.map(|node| Fact { node, formula: found[node] }).collect())
}

/// A formula that the first one implies and that excludes the second, about what they have in common; none if
/// none is found quickly.
pub(super) fn separating(
    store: &mut Store,
    inside: TermId,
    outside: TermId,
    ctx: &mut Ctx<'_>,
) -> Result<Option<TermId>, Stop> {
    let budget = Budget { conflicts: Some(ACYCLIC_FIRST_ATTEMPT.get()), ..Budget::default() };
    ctx.tick(2)?;
    let options = InterpolationOptions { budget, ..InterpolationOptions::default() };
    Ok(match binary(store, inside, outside, &options) {
        Interpolation::Interpolants(mut found) => found.pop(),
        Interpolation::Unknown(_) | Interpolation::Satisfiable(_) => None,
    })
}

/// A formula about a node that is part of the derivation.
fn switched_on(store: &mut Store, node: &Node, formula: TermId) -> TermId {
    let on: Substitution = node.flag.map(|flag| (flag, TermId::TRUE)).into_iter().collect();
    store.substitute(formula, &on)
}

fn inseparable() -> Stop {
    Stop::Stuck("a query cannot be derived, but no formula was found that says why".to_owned())
}

/// Interpolants by `act`, with more and more conflicts until they are enough.
fn attempt(
    ctx: &mut Ctx<'_>,
    nodes: usize,
    mut act: impl FnMut(&InterpolationOptions) -> Interpolation,
) -> Result<Vec<TermId>, Stop> {
    let mut conflicts = ACYCLIC_FIRST_ATTEMPT.get();
    loop {
        ctx.tick(nodes as u64)?;
        let budget = Budget { conflicts: Some(conflicts), ..Budget::default() };
        let options = InterpolationOptions { budget, ..InterpolationOptions::default() };
        match act(&options) {
            Interpolation::Interpolants(found) => return Ok(found),
            Interpolation::Unknown(Cause::Search(Reason::Budget)) => {}
            Interpolation::Unknown(_) | Interpolation::Satisfiable(_) => return Err(inseparable()),
        }
        ctx.tick(conflicts)?;
        conflicts = conflicts.saturating_mul(2);
    }
}
