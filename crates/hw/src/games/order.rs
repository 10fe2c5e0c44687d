//! First orders of the variables of a game's diagrams.

use super::arena::Arena;
use alphorn_sat::aig::{Edge, Node};

/// The order in which an input that becomes the value of a latch comes right after that latch, and the inputs of
/// which this is so: a set of states is then much like the set of steps that lead to it.
pub(super) fn paired(arena: &Arena, order: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let mut latch_of = vec![None; arena.aig.inputs() as usize];
    for (latch, next) in arena.next.iter().enumerate() {
        if let Node::Input(input) = arena.aig.node(next.node())
            && input as usize >= arena.latches.len()
        {
            latch_of[input as usize].get_or_insert(latch as u32);
        }
    }
    let bound: Vec<u32> =
        order.iter().copied().filter(|var| latch_of[*var as usize].is_some()).collect();
    let mut paired = Vec::with_capacity(order.len());
    for var in order.iter().filter(|var| latch_of[**var as usize].is_none()) {
        paired.push(*var);
        paired.extend(bound.iter().filter(|input| latch_of[**input as usize] == Some(*var)));
    }
    (paired, bound)
}

/// The variables in the order in which a walk from errors through functions meets them.
pub(super) fn first_order(arena: &Arena) -> Vec<u32> {
    let aig = &arena.aig;
    let mut seen = vec![false; aig.len() as usize];
    let mut order = Vec::new();
    let mut waiting = std::collections::VecDeque::from([arena.bad, arena.holds]);
    let mut walk = |root: Edge, order: &mut Vec<u32>| {
        let mut met = Vec::new();
        let mut stack = vec![root.node()];
        while let Some(node) = stack.pop() {
            if std::mem::replace(&mut seen[node as usize], true) {
                continue;
            }
            match aig.node(node) {
                Node::False => {}
                Node::Input(input) => {
                    order.push(input);
                    met.push(input);
                }
                Node::And(left, right) => stack.extend([right.node(), left.node()]),
            }
        }
        met
    };
    while let Some(root) = waiting.pop_front() {
        for input in walk(root, &mut order) {
            if let Some(next) = arena.next.get(input as usize) {
                waiting.push_back(*next);
            }
        }
    }
    let is_met = |input: &u32| order.contains(input);
    let rest: Vec<u32> = (0..aig.inputs()).filter(|input| !is_met(input)).collect();
    order.extend(rest);
    order
}
