//! Transitions on cycles: fair ones and unfair ones, by the graph of a label.

use crate::evidence::temporal::Label;
use crate::flow::{Flow, LocId};
use crate::obligation::components::components;
use crate::obligation::flow::on_cycles;
use crate::temporal::{Node, Runs};
use std::collections::BTreeSet;

/// Where the ranked steps of a label come from and lead.
pub(super) fn graph(flow: &Flow, node: &Node, label: &Label) -> Vec<(LocId, LocId)> {
    let ends = |transition: usize| {
        let found = &flow.transitions[transition];
        (found.from, found.to)
    };
    match node {
        Node::Until(Runs::Some, ..) | Node::Weak(Runs::Some, ..) => {
            label.choices.iter().map(|choice| ends(choice.transition)).collect()
        }
        _ => (0..flow.transitions.len()).map(ends).collect(),
    }
}

/// The kinds of edges under fairness: a step is three edges, by what holds where it begins.
pub(super) const THEN: usize = 0;
pub(super) const OFTEN: usize = 1;

/// Those of some edges that lie on a cycle of them on which a fair run can stay: where a component has no edge
/// of the second condition, its edges of the first one are gone, since runs that take them again and again
/// are unfair.
pub fn fairly_on_cycles(
    locations: usize,
    graph: &[(LocId, LocId)],
    present: &[usize],
) -> Vec<usize> {
    let mut left = on_cycles(locations, graph, present);
    loop {
        let edges: Vec<(LocId, LocId)> = left.iter().map(|&edge| graph[edge]).collect();
        let component = components(locations, &edges);
        let of = |edge: usize| component[graph[edge].0.index()];
        let then = left.iter().filter(|&edge| edge % 3 == THEN);
        let has_then: BTreeSet<usize> = then.map(|&edge| of(edge)).collect();
        let stays = |edge: &usize| edge % 3 != OFTEN || has_then.contains(&of(*edge));
        let fewer: Vec<usize> = left.iter().copied().filter(stays).collect();
        if fewer.len() == left.len() {
            return left;
        }
        left = on_cycles(locations, graph, &fewer);
    }
}

/// Those of some edges that lie on a cycle without the second condition, in a component of such cycles that has
/// an edge of the first one: a run that takes no such edge again and again is fair.
pub fn unfairly_on_cycles(
    locations: usize,
    graph: &[(LocId, LocId)],
    present: &[usize],
) -> Vec<usize> {
    let quiet: Vec<usize> = present.iter().copied().filter(|edge| edge % 3 != THEN).collect();
    let left = on_cycles(locations, graph, &quiet);
    let edges: Vec<(LocId, LocId)> = left.iter().map(|&edge| graph[edge]).collect();
    let component = components(locations, &edges);
    let of = |edge: usize| component[graph[edge].0.index()];
    let often = left.iter().filter(|&edge| edge % 3 == OFTEN);
    let has_often: BTreeSet<usize> = often.map(|&edge| of(edge)).collect();
    left.iter().copied().filter(|&edge| has_often.contains(&of(edge))).collect()
}
