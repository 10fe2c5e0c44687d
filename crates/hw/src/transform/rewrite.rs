//! Structural hashing and local rewriting: equal gates become one, and gates that nobody reads go.
//!
//! The rules are those of the graph (`sat::aig`): constants, idempotence and contradiction over two
//! levels of gates. Functions stay the same in every state, so invariants need nothing added.

use super::facts::Facts;
use super::graph::Graph;
use super::{Change, size};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::Circuit;
use alphorn_sat::aig::Edge;

/// The transform.
pub(super) fn apply(circuit: &Circuit, _: &mut Ctx<'_>) -> Result<Option<Change>, Stop> {
    let mut graph = Graph::new(circuit, |_, _, edge| edge);
    let resets = graph.resets(circuit, |_, edge| edge);
    let mut constraints: Vec<Edge> = circuit.constraints.iter().map(|l| graph.edge(*l)).collect();
    constraints.retain(|edge| *edge != Edge::TRUE);
    let small = graph.circuit(circuit, &resets, &constraints);
    if size(&small) == size(circuit) {
        return Ok(None);
    }
    let about = format!("{} of {} gates stay", small.ands.len(), circuit.ands.len());
    let back = Facts::default().back(circuit, &small);
    Ok(Some(Change { circuit: small, back, about }))
}
