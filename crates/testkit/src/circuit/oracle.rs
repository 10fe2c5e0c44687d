//! The right answers for small circuits, by brute force over states and inputs.
//!
//! Nothing here shares code or ideas with the checker: values are computed by recursion, resets are
//! a relation, paths are enumerated.

use alphorn_problem::circuit::{Circuit, Lit};
use alphorn_problem::evidence::circuit::{Bit, Invariant, Property, Trace};
use std::collections::BTreeSet;

/// The value of `lit`, latches being the bits of `state` and inputs those of `input`.
pub fn value(circuit: &Circuit, lit: Lit, state: usize, input: usize) -> bool {
    let (var, inputs, latches) =
        (lit.var() as usize, circuit.inputs as usize, circuit.latches.len());
    let positive = if var == 0 {
        false
    } else if var <= inputs {
        input >> (var - 1) & 1 == 1
    } else if var <= inputs + latches {
        state >> (var - inputs - 1) & 1 == 1
    } else {
        let and = circuit.ands[var - inputs - latches - 1];
        value(circuit, and.left, state, input) && value(circuit, and.right, state, input)
    };
    positive != lit.is_negated()
}

/// A state and inputs, and what is true of them.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    /// The latches, a bit each.
    pub state: usize,
    /// The inputs, a bit each.
    pub input: usize,
    /// The state may be the first one under these inputs.
    pub is_reset: bool,
    /// The constraints hold.
    pub is_allowed: bool,
    /// The first bad literal is true.
    pub is_bad: bool,
    /// The state after it.
    pub next: usize,
}

/// All states with all inputs, for the first bad literal.
pub fn pairs(circuit: &Circuit) -> Vec<Pair> {
    let latches = circuit.latches.len();
    let mut pairs = Vec::new();
    for state in 0..1 << latches {
        for input in 0..1 << circuit.inputs {
            let at = |lit| value(circuit, lit, state, input);
            let bits = (0..latches).map(|l| usize::from(at(circuit.latches[l].next)) << l);
            pairs.push(Pair {
                state,
                input,
                is_reset: (0..latches)
                    .all(|l| at(circuit.latches[l].reset) == (state >> l & 1 == 1)),
                is_allowed: circuit.constraints.iter().all(|lit| at(*lit)),
                is_bad: at(circuit.safety()[0]),
                next: bits.sum(),
            });
        }
    }
    pairs
}

/// A shortest violation of the first bad literal, if there is one.
pub fn violation(pairs: &[Pair]) -> Option<Vec<Pair>> {
    let mut seen = BTreeSet::new();
    let mut runs: Vec<Vec<Pair>> =
        pairs.iter().filter(|p| p.is_reset && p.is_allowed).map(|p| vec![*p]).collect();
    while !runs.is_empty() {
        if let Some(run) = runs.iter().find(|run| run[run.len() - 1].is_bad) {
            return Some(run.clone());
        }
        let mut longer = Vec::new();
        for run in &runs {
            let next = run[run.len() - 1].next;
            if seen.insert(next) {
                let steps = pairs.iter().filter(|p| p.state == next && p.is_allowed);
                longer.extend(steps.map(|p| [&run[..], &[*p]].concat()));
            }
        }
        runs = longer;
    }
    None
}

/// Whether some state can be the first one under some inputs but not under others.
pub fn ties_inputs(pairs: &[Pair]) -> bool {
    pairs.iter().any(|p| pairs.iter().any(|q| p.state == q.state && p.is_reset != q.is_reset))
}

/// The states on runs, and those a run leads to.
pub fn reachable(pairs: &[Pair]) -> BTreeSet<usize> {
    let first = pairs.iter().filter(|p| p.is_reset && p.is_allowed);
    let mut states: BTreeSet<usize> = first.map(|p| p.state).collect();
    loop {
        let steps = pairs.iter().filter(|p| p.is_allowed && states.contains(&p.state));
        let more: BTreeSet<usize> = steps.map(|p| p.next).collect();
        let before = states.len();
        states.extend(more);
        if states.len() == before {
            return states;
        }
    }
}

/// Whether a list of states has all the first ones, is closed, and has no bad state.
pub fn is_inductive(pairs: &[Pair], states: &BTreeSet<usize>) -> bool {
    pairs.iter().filter(|p| p.is_allowed).all(|p| {
        (!p.is_reset || states.contains(&p.state))
            && (!states.contains(&p.state) || (!p.is_bad && states.contains(&p.next)))
    })
}

/// Whether each obligation of `invariant` is right, in their order.
pub fn obligations(circuit: &Circuit, invariant: &Invariant) -> Vec<bool> {
    let pairs = pairs(circuit);
    let allowed: Vec<Pair> = pairs.iter().copied().filter(|p| p.is_allowed).collect();
    let conjunction = |clauses: &[Vec<Lit>], state: usize| {
        clauses.iter().all(|clause| clause.iter().any(|lit| value(circuit, *lit, state, 0)))
    };
    let holds: Box<dyn Fn(usize) -> bool> = match invariant {
        Invariant::States { .. } => return Vec::new(),
        Invariant::KInductive { k, simple_path, lemmas } => {
            let mut right = match &lemmas[..] {
                [] => Vec::new(),
                _ => obligations(circuit, &Invariant::Clauses(lemmas.clone()))[..2].to_vec(),
            };
            let assumed = allowed.iter().copied().filter(|p| conjunction(lemmas, p.state));
            let assumed: Vec<Pair> = assumed.collect();
            let bases = *k + usize::from(*simple_path);
            let reset: Vec<Pair> = assumed.iter().copied().filter(|p| p.is_reset).collect();
            right.extend((0..bases).map(|depth| !ends_badly(&reset, &assumed, depth, None)));
            let mask = simple_path.then(|| cone_mask(circuit, lemmas));
            right.push(!ends_badly(&assumed, &assumed, *k, mask));
            return right;
        }
        Invariant::Clauses(clauses) => Box::new(|state| conjunction(clauses, state)),
        Invariant::Aig(aig) => Box::new(|state| value(aig, aig.outputs[0], 0, state)),
        Invariant::Justice { .. } => panic!("the oracle knows safety only"),
    };
    let lives = |state: usize| allowed.iter().any(|p| p.state == state);
    vec![
        allowed.iter().all(|p| !p.is_reset || holds(p.state)),
        allowed.iter().all(|p| !holds(p.state) || holds(p.next) || !lives(p.next)),
        allowed.iter().all(|p| !holds(p.state) || !p.is_bad),
    ]
}

/// Whether `depth` good steps and then a bad one are possible; with `distinct`, through states
/// that differ in the latches of this mask.
fn ends_badly(first: &[Pair], all: &[Pair], depth: usize, distinct: Option<usize>) -> bool {
    fn search(path: &mut Vec<usize>, pair: &Pair, all: &[Pair], left: usize, mask: usize) -> bool {
        if mask != 0 && path.contains(&(pair.state & mask)) {
            return false;
        }
        if left == 0 || pair.is_bad {
            return left == 0 && pair.is_bad;
        }
        path.push(pair.state & mask);
        let mut next = all.iter().filter(|p| p.state == pair.next);
        let found = next.any(|p| search(path, p, all, left - 1, mask));
        path.pop();
        found
    }
    // Without a latch in the cone all states are the same.
    if distinct == Some(0) && depth > 0 {
        return false;
    }
    first.iter().any(|p| search(&mut Vec::new(), p, all, depth, distinct.unwrap_or(0)))
}

/// The latches that the first bad literal, a constraint or a lemma depends on, over time.
fn cone_mask(circuit: &Circuit, lemmas: &[Vec<Lit>]) -> usize {
    let first_latch = 1 + circuit.inputs as usize;
    let first_gate = first_latch + circuit.latches.len();
    let mut marked = vec![false; circuit.max_var() as usize + 1];
    let bad = &circuit.safety()[0];
    for lit in circuit.constraints.iter().chain([bad]).chain(lemmas.iter().flatten()) {
        marked[lit.var() as usize] = true;
    }
    loop {
        let before = marked.clone();
        for (index, latch) in circuit.latches.iter().enumerate() {
            if marked[first_latch + index] {
                marked[latch.next.var() as usize] = true;
                marked[latch.reset.var() as usize] = true;
            }
        }
        for (index, and) in circuit.ands.iter().enumerate() {
            if marked[first_gate + index] {
                marked[and.left.var() as usize] = true;
                marked[and.right.var() as usize] = true;
            }
        }
        if before == marked {
            return (0..circuit.latches.len())
                .map(|l| usize::from(marked[first_latch + l]) << l)
                .sum();
        }
    }
}

/// Whether a trace without `X` is a violation.
pub fn is_violation(circuit: &Circuit, trace: &Trace) -> bool {
    let number = |bits: &[Bit]| -> usize {
        bits.iter().enumerate().map(|(i, bit)| usize::from(*bit == Bit::One) << i).sum()
    };
    let inputs: Vec<usize> = trace.inputs.iter().map(|row| number(row)).collect();
    let fits = trace.start.len() == circuit.latches.len()
        && trace.inputs.iter().all(|row| row.len() == circuit.inputs as usize);
    if !fits || inputs.is_empty() {
        return false;
    }
    let mut states = vec![number(&trace.start)];
    for (step, &input) in inputs.iter().enumerate() {
        let bit = |(l, latch): (usize, &alphorn_problem::circuit::Latch)| {
            usize::from(value(circuit, latch.next, states[step], input)) << l
        };
        let next = circuit.latches.iter().enumerate().map(bit).sum();
        states.push(next);
    }
    let at = |lit: &Lit, step: usize| value(circuit, *lit, states[step], inputs[step]);
    let starts = (0..circuit.latches.len())
        .all(|l| at(&circuit.latches[l].reset, 0) == (states[0] >> l & 1 == 1));
    let end = inputs.len();
    let constrained = (0..end).all(|step| circuit.constraints.iter().all(|lit| at(lit, step)));
    starts
        && constrained
        && match trace.property {
            Property::Bad(index) => circuit.safety().get(index).is_some_and(|lit| at(lit, end - 1)),
            Property::Justice(index) => circuit.justice.get(index).is_some_and(|set| {
                (0..end).filter(|l| states[*l] == states[end]).any(|l| {
                    set.iter().chain(&circuit.fairness).all(|lit| (l..end).any(|t| at(lit, t)))
                })
            }),
            Property::Home(_) => false,
        }
}

/// The length of a shortest violation of the first property, by brute force over sets of states;
/// `None` if there is none.
pub fn shortest_violation(circuit: &Circuit) -> Option<usize> {
    let latches = circuit.latches.len();
    let value = |lit: Lit, values: &[bool]| values[lit.var() as usize] ^ lit.is_negated();
    let settle = |state: usize, inputs: usize| {
        let mut values = vec![false];
        values.extend((0..circuit.inputs).map(|bit| inputs >> bit & 1 == 1));
        values.extend((0..latches).map(|bit| state >> bit & 1 == 1));
        for and in &circuit.ands {
            values.push(value(and.left, &values) && value(and.right, &values));
        }
        values
    };
    let mut here = BTreeSet::new();
    for state in 0..1usize << latches {
        for inputs in 0..1usize << circuit.inputs {
            let values = settle(state, inputs);
            let fits = (0..latches).all(|index| {
                value(circuit.latches[index].reset, &values) == value(circuit.latch(index), &values)
            });
            if fits {
                here.insert((state, Some(inputs)));
            }
        }
    }
    let mut seen = vec![false; 1 << latches];
    for length in 1.. {
        if here.is_empty() {
            break;
        }
        let mut next = BTreeSet::new();
        for &(state, first) in &here {
            for inputs in 0..1usize << circuit.inputs {
                let values = settle(state, inputs);
                let allowed = circuit.constraints.iter().all(|lit| value(*lit, &values));
                if !allowed || first.is_some_and(|first| first != inputs) {
                    continue;
                }
                if value(circuit.bads[0], &values) {
                    return Some(length);
                }
                let bits = (0..latches).filter(|i| value(circuit.latches[*i].next, &values));
                let state = bits.fold(0, |state, bit| state | 1 << bit);
                if !std::mem::replace(&mut seen[state], true) {
                    next.insert((state, None));
                }
            }
        }
        here = next;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{pairs, shortest_violation, violation};
    use crate::circuit::random::{Size, circuit_of};
    use crate::shrink::for_all;

    #[test]
    fn paths_and_sets_of_states_agree_on_the_shortest_violation() {
        let (mut safe, mut unsafe_) = (0, 0);
        for_all(
            0..200,
            |rng| circuit_of(rng, Size::SMALL),
            |circuit| {
                let by_paths = violation(&pairs(circuit)).map(|run| run.len());
                assert_eq!(by_paths, shortest_violation(circuit));
                *if by_paths.is_some() { &mut unsafe_ } else { &mut safe } += 1;
            },
        );
        assert!(safe > 30 && unsafe_ > 30, "{safe} safe, {unsafe_} unsafe");
    }
}
