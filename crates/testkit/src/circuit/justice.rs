//! Justice properties of small circuits: at random, and whether they are violated, by brute force.

use super::random::random_circuit;
use crate::Rng;
use alphorn_problem::Circuit;
use alphorn_problem::circuit::Lit;
use std::collections::BTreeSet;

/// A circuit with one justice property, fairness, and nothing else that is asked about.
pub fn random_justice(random: &mut Rng) -> Circuit {
    let mut circuit = random_circuit(random);
    circuit.bads.clear();
    let max = circuit.max_var() as usize;
    let mut lit = || Lit(2 + random.below(2 * max) as u32);
    let justice = (0..[1, 1, 2, 0][lit().0 as usize % 4]).map(|_| lit()).collect();
    let fairness = (0..[0, 0, 1, 2][lit().0 as usize % 4]).map(|_| lit()).collect();
    (circuit.justice, circuit.fairness) = (vec![justice], fairness);
    circuit
}

/// Whether some reachable state is on a cycle along which all signals are true at some step, by brute
/// force.
pub fn has_fair_cycle(circuit: &Circuit) -> bool {
    let signals: Vec<Lit> = circuit.justice[0].iter().chain(&circuit.fairness).copied().collect();
    let latches = circuit.latches.len();
    let value = |lit: Lit, values: &[bool]| values[lit.var() as usize] ^ lit.is_negated();
    let mut first = BTreeSet::new();
    // For each state its successors, with the signals that are true on the way.
    let mut steps: Vec<Vec<(usize, usize)>> = vec![Vec::new(); 1 << latches];
    for (state, leaving) in steps.iter_mut().enumerate() {
        for inputs in 0..1usize << circuit.inputs {
            let mut values = vec![false];
            values.extend((0..circuit.inputs).map(|bit| inputs >> bit & 1 == 1));
            values.extend((0..latches).map(|bit| state >> bit & 1 == 1));
            for and in &circuit.ands {
                values.push(value(and.left, &values) && value(and.right, &values));
            }
            if !circuit.constraints.iter().all(|lit| value(*lit, &values)) {
                continue;
            }
            let next = (0..latches).filter(|i| value(circuit.latches[*i].next, &values));
            let next = next.fold(0, |state, bit| state | 1 << bit);
            let seen = (0..signals.len()).filter(|i| value(signals[*i], &values));
            let seen = seen.fold(0, |all, bit| all | 1usize << bit);
            leaving.push((next, seen));
            let fits = (0..latches).all(|index| {
                value(circuit.latches[index].reset, &values) == value(circuit.latch(index), &values)
            });
            if fits {
                // The first step goes on from here under these inputs alone.
                first.insert((next, 0));
            }
        }
    }
    let closure = |from: BTreeSet<(usize, usize)>, collect: bool| {
        let mut all = from.clone();
        let mut waiting: Vec<(usize, usize)> = from.into_iter().collect();
        while let Some((state, seen)) = waiting.pop() {
            for (next, more) in &steps[state] {
                let reached = (*next, if collect { seen | more } else { 0 });
                if all.insert(reached) {
                    waiting.push(reached);
                }
            }
        }
        all
    };
    let reachable = closure(first, false);
    reachable.iter().any(|(state, _)| {
        let after: BTreeSet<(usize, usize)> = steps[*state].iter().copied().collect();
        closure(after, true).contains(&(*state, (1 << signals.len()) - 1))
    })
}
