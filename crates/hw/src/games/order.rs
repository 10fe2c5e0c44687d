//! First orders of the variables of a game's diagrams.

use super::arena::Arena;
use crate::bdd::walk::inputs_below;
use alphorn_sat::aig::Node;
use std::collections::VecDeque;

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
    let mut waiting = VecDeque::from([arena.bad, arena.holds]);
    while let Some(root) = waiting.pop_front() {
        for input in inputs_below(aig, root, &mut seen) {
            order.push(input);
            waiting.extend(arena.next.get(input as usize));
        }
    }
    let mut is_met = vec![false; aig.inputs() as usize];
    order.iter().for_each(|input| is_met[*input as usize] = true);
    order.extend((0..aig.inputs()).filter(|input| !is_met[*input as usize]));
    order
}
