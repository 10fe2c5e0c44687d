//! Which inputs and first values look alike: classes of what a circuit leaves open, by how it is used.
//!
//! Every variable has a colour, at first its kind, and takes in the colours of those that it reads and that read it, as
//! often as *rounds* say. Two variables of one colour look the same as far as so many steps from them. Bits of a word on
//! a data path do, as nothing tells them apart but their place; what steers the circuit hardly ever does. Polarity
//! does not count: a comparison with a constant makes no difference.
//!
//! With more rounds classes get smaller. A stable colouring would tell apart all that a chain of carries or a tree of
//! comparisons tells apart, which is almost everything, so few rounds are better than many.
//!
//! After Weisfeiler, Leman, "The reduction of a graph to canonical form" (1968). Equal colours are a guess: two
//! variables that are not alike may get one by chance.

use alphorn_problem::Circuit;
use alphorn_problem::circuit::Lit;
use std::collections::BTreeMap;

/// What a variable is to another: part of its colour.
#[derive(Clone, Copy)]
enum Tie {
    Operand = 1,
    Gate,
    Next,
    Latch,
    Reset,
    Bad,
    Constraint,
}

/// The inputs and uninitialised latches of a circuit in classes of those that look alike after so many rounds, each
/// class in the order of variables.
pub(super) fn classes(circuit: &Circuit, rounds: u64) -> Vec<Vec<u32>> {
    let mut colours = kinds(circuit);
    for _ in 0..rounds {
        colours = round(circuit, &colours);
    }
    let mut classes: BTreeMap<u64, Vec<u32>> = BTreeMap::new();
    let open = (0..circuit.latches.len()).filter(|latch| circuit.is_uninitialised(*latch));
    for var in (1..=circuit.inputs).chain(open.map(|latch| circuit.latch(latch).var())) {
        classes.entry(colours[var as usize]).or_default().push(var);
    }
    let mut classes: Vec<Vec<u32>> = classes.into_values().collect();
    classes.sort_unstable();
    classes
}

/// The first colours.
fn kinds(circuit: &Circuit) -> Vec<u64> {
    let mut colours = vec![0];
    colours.extend((0..circuit.inputs).map(|_| 1));
    for (index, latch) in circuit.latches.iter().enumerate() {
        colours.push(match latch.reset {
            Lit::FALSE => 2,
            Lit::TRUE => 3,
            _ if circuit.is_uninitialised(index) => 4,
            _ => 5,
        });
    }
    colours.extend(circuit.ands.iter().map(|_| 6));
    let mut tied = |lits: &[Lit], tie: Tie| {
        for lit in lits {
            let colour = &mut colours[lit.var() as usize];
            *colour = mixed(*colour, tie as u64);
        }
    };
    tied(circuit.safety(), Tie::Bad);
    tied(&circuit.constraints, Tie::Constraint);
    colours
}

/// The colours after one more look at who reads whom; those that are seen are added up, so that their order
/// does not matter.
fn round(circuit: &Circuit, colours: &[u64]) -> Vec<u64> {
    let mut seen = vec![0u64; colours.len()];
    let mut see = |who: u32, whom: u32, tie: Tie| {
        let seen = &mut seen[who as usize];
        *seen = seen.wrapping_add(mixed(colours[whom as usize], tie as u64));
    };
    for (index, latch) in circuit.latches.iter().enumerate() {
        let var = circuit.latch(index).var();
        see(var, latch.next.var(), Tie::Next);
        see(latch.next.var(), var, Tie::Latch);
        see(latch.reset.var(), var, Tie::Reset);
    }
    for (index, and) in circuit.ands.iter().enumerate() {
        let var = circuit.gate(index).var();
        for operand in [and.left.var(), and.right.var()] {
            see(var, operand, Tie::Operand);
            see(operand, var, Tie::Gate);
        }
    }
    colours.iter().zip(seen).map(|(colour, seen)| mixed(*colour, seen)).collect()
}

/// Two numbers in one.
fn mixed(left: u64, right: u64) -> u64 {
    let sum = left.wrapping_mul(0xff51_afd7_ed55_8ccd).wrapping_add(right);
    let product = (sum ^ (sum >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    product ^ (product >> 29)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alphorn_problem::circuit::{And, Latch};

    /// Latches that keep what inputs give them when the last input says so, and are compared with 0.
    fn register(width: u32) -> Circuit {
        let mut circuit = Circuit { inputs: width + 1, ..Circuit::default() };
        let load = Lit::new(width + 1, false);
        let first = 2 + 2 * width;
        for bit in 0..width {
            let gate = Lit::new(first + bit, false);
            circuit.latches.push(Latch { next: gate, reset: Lit::FALSE });
            circuit.ands.push(And { left: Lit::new(1 + bit, false), right: load });
        }
        circuit.bads = vec![Lit::new(2 + width, false)];
        circuit
    }

    #[test]
    fn bits_of_a_word_are_alike_and_what_steers_them_is_not() {
        let classes = classes(&register(5), 2);
        // The first bit is told apart by the property.
        assert_eq!(classes, [vec![1], vec![2, 3, 4, 5], vec![6]]);
    }

    #[test]
    fn a_look_from_afar_tells_less_apart() {
        assert_eq!(classes(&register(5), 0), [vec![1, 2, 3, 4, 5, 6]]);
        assert_eq!(classes(&register(5), 1).len(), 2);
    }
}
