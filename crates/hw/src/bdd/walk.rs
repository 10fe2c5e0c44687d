//! Which inputs a walk through a graph meets, as first orders of variables want to know: what is close in the graph should
//! be close in the order.

use alphorn_sat::aig::{Aig, Edge, Node};

/// The inputs below an edge that were not met before, in the order of a walk from left to right; `seen` has the nodes that were.
pub(crate) fn inputs_below(aig: &Aig, root: Edge, seen: &mut [bool]) -> Vec<u32> {
    let mut met = Vec::new();
    let mut stack = vec![root.node()];
    while let Some(node) = stack.pop() {
        if std::mem::replace(&mut seen[node as usize], true) {
            continue;
        }
        match aig.node(node) {
            Node::False => {}
            Node::Input(input) => met.push(input),
            Node::And(left, right) => stack.extend([right.node(), left.node()]),
        }
    }
    met
}
