//! Circuits for tests: by hand, and at random.

use alphorn_problem::circuit::{And, Circuit, Latch, Lit};

/// A circuit with `inputs` inputs and `latches` latches that start with 0 and stay.
pub fn circuit(inputs: u32, latches: usize) -> Circuit {
    let mut circuit = Circuit { inputs, ..Circuit::default() };
    for index in 0..latches {
        let next = circuit.latch(index);
        circuit.latches.push(Latch { next, reset: Lit::FALSE });
    }
    circuit
}

/// Adds the conjunction of `left` and `right`.
pub fn and(circuit: &mut Circuit, left: Lit, right: Lit) -> Lit {
    circuit.ands.push(And { left, right });
    circuit.gate(circuit.ands.len() - 1)
}

/// Adds the exclusive disjunction of `left` and `right`.
pub fn xor(circuit: &mut Circuit, left: Lit, right: Lit) -> Lit {
    let both = and(circuit, left, right);
    let none = and(circuit, !left, !right);
    and(circuit, !both, !none)
}

/// Adds a literal that is true where the first `bits` latches show `value`.
pub fn shows(circuit: &mut Circuit, bits: usize, value: usize) -> Lit {
    (0..bits).fold(Lit::TRUE, |all, bit| {
        let lit = circuit.latch(bit).xor(value >> bit & 1 == 0);
        and(circuit, all, lit)
    })
}

/// A counter of `bits` bits that counts while its input is 1 and goes from `last` back to 0;
/// it is bad to reach `bad`. `idle` further latches and inputs do not matter.
pub fn counter(bits: usize, last: usize, bad: usize, idle: usize) -> Circuit {
    let mut circuit = circuit(1 + idle as u32, bits + idle);
    let at_last = shows(&mut circuit, bits, last);
    let mut carry = circuit.input(0);
    let wrap = and(&mut circuit, carry, at_last);
    for bit in 0..bits {
        let latch = circuit.latch(bit);
        let sum = xor(&mut circuit, latch, carry);
        circuit.latches[bit].next = and(&mut circuit, sum, !wrap);
        carry = and(&mut circuit, carry, latch);
    }
    for index in 0..idle {
        let (latch, input) = (circuit.latch(bits + index), circuit.input(1 + index));
        circuit.latches[bits + index].next = xor(&mut circuit, latch, input);
        circuit.latches[bits + index].reset = [Lit::TRUE, latch, input][index % 3];
    }
    let bad = shows(&mut circuit, bits, bad);
    circuit.bads.push(bad);
    circuit.validate().expect("the counter is well formed");
    circuit
}

/// Numbers that look random and are the same in every run.
pub struct Random(pub alphorn_engine::Rng);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(alphorn_engine::Rng::new(seed))
    }

    pub fn below(&mut self, bound: usize) -> usize {
        self.0.below(bound as u64) as usize
    }

    fn lit(&mut self, max: u32) -> Lit {
        Lit(self.below(2 * (max as usize + 1)) as u32)
    }
}

/// A valid circuit with up to 4 inputs, 5 latches and 14 gates, one bad state, sometimes
/// constraints and reset functions.
pub fn random_circuit(random: &mut Random) -> Circuit {
    loop {
        let inputs = random.below(5) as u32;
        let mut circuit = circuit(inputs, random.below(6));
        for _ in 0..1 + random.below(14) {
            let max = circuit.max_var();
            let (left, right) = (random.lit(max), random.lit(max));
            and(&mut circuit, left, right);
        }
        let max = circuit.max_var();
        for index in 0..circuit.latches.len() {
            circuit.latches[index].next = random.lit(max);
            circuit.latches[index].reset = match random.below(8) {
                0 => random.lit(max),
                1 => circuit.latch(index),
                constant => Lit(constant as u32 & 1),
            };
        }
        circuit.bads.push(random.lit(max));
        for _ in 0..[0, 0, 1, 2][random.below(4)] {
            circuit.constraints.push(random.lit(max));
        }
        if circuit.validate().is_ok() {
            return circuit;
        }
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
    let mut here = std::collections::BTreeSet::new();
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
        let mut next = std::collections::BTreeSet::new();
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

/// The circuit with copies of some of its latches, and with some readers that read the copies; a
/// copy may be the opposite.
#[allow(dead_code)] // One of the two test programs has no use for it.
pub fn with_copies(random: &mut Random, circuit: &Circuit) -> Circuit {
    let old = circuit.latches.len();
    let originals: Vec<(usize, bool)> = (0..random.below(3))
        .filter(|_| old > 0)
        .map(|_| (random.below(old), random.below(2) == 1))
        .collect();
    let originals: Vec<(usize, bool)> = originals
        .into_iter()
        .filter(|(index, _)| circuit.latches[*index].reset.var() == 0)
        .collect();
    let first_gate = 1 + circuit.inputs + old as u32;
    let shift = originals.len() as u32;
    let moved = |lit: Lit| match lit.var() < first_gate {
        true => lit,
        false => Lit::new(lit.var() + shift, lit.is_negated()),
    };
    let mut read = |lit: Lit| {
        let copies = originals.iter().enumerate();
        let mut copies = copies.filter(|(_, (index, _))| circuit.latch(*index).var() == lit.var());
        match copies.next_back() {
            Some((copy, (_, opposite))) if random.below(2) == 1 => {
                Lit::new(first_gate + copy as u32, lit.is_negated() != *opposite)
            }
            _ => moved(lit),
        }
    };
    let mut large = circuit.clone();
    for gate in &mut large.ands {
        *gate = And { left: read(gate.left), right: read(gate.right) };
    }
    for latch in &mut large.latches {
        *latch = Latch { next: read(latch.next), reset: moved(latch.reset) };
    }
    for lit in large.bads.iter_mut().chain(&mut large.constraints) {
        *lit = read(*lit);
    }
    for (index, opposite) in originals {
        let latch = circuit.latches[index];
        let (next, reset) = (moved(latch.next).xor(opposite), latch.reset.xor(opposite));
        large.latches.push(Latch { next, reset });
    }
    large.validate().expect("copies are well formed");
    large
}
