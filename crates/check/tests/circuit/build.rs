//! Circuits for tests: by hand and at random.

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

/// Adds the disjunction of `left` and `right`.
pub fn or(circuit: &mut Circuit, left: Lit, right: Lit) -> Lit {
    !and(circuit, !left, !right)
}

/// Adds the exclusive disjunction of `left` and `right`.
pub fn xor(circuit: &mut Circuit, left: Lit, right: Lit) -> Lit {
    let both = and(circuit, left, right);
    let none = and(circuit, !left, !right);
    and(circuit, !both, !none)
}

/// A counter of `bits` bits that counts while its input is 1 and goes from `last` back to 0;
/// it is bad to reach `bad`.
pub fn counter(bits: usize, last: usize, bad: usize) -> Circuit {
    let mut circuit = circuit(1, bits);
    let at = |circuit: &mut Circuit, value: usize| {
        (0..bits).fold(Lit::TRUE, |all, bit| {
            let lit = circuit.latch(bit).xor(value >> bit & 1 == 0);
            and(circuit, all, lit)
        })
    };
    let at_last = at(&mut circuit, last);
    let mut carry = circuit.input(0);
    let wrap = and(&mut circuit, carry, at_last);
    for bit in 0..bits {
        let latch = circuit.latch(bit);
        let sum = xor(&mut circuit, latch, carry);
        circuit.latches[bit].next = and(&mut circuit, sum, !wrap);
        carry = and(&mut circuit, carry, latch);
    }
    let bad = at(&mut circuit, bad);
    circuit.bads.push(bad);
    circuit.validate().expect("the counter is well formed");
    circuit
}

/// Numbers that look random and are the same in every run.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn word(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        ((self.word() >> 33) % bound as u64) as usize
    }

    /// True once in `times`.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// A literal of the variables `0..=max`.
    pub fn lit(&mut self, max: u32) -> Lit {
        Lit(self.below(2 * (max as usize + 1)) as u32)
    }
}

/// A valid circuit with at most 4 inputs, 4 latches and 12 gates, one bad state, sometimes
/// constraints and reset functions.
pub fn random_circuit(random: &mut Random) -> Circuit {
    loop {
        let inputs = random.below(4) as u32 + u32::from(random.once_in(8));
        let mut circuit = circuit(inputs, random.below(4) + usize::from(!random.once_in(8)));
        for _ in 0..random.below(10) + random.below(4) {
            let max = circuit.max_var();
            // Constants make dull gates, so they are rare.
            let mut fan_in = || match random.lit(max) {
                lit if lit.var() == 0 && !random.once_in(4) => random.lit(max),
                lit => lit,
            };
            let (left, right) = (fan_in(), fan_in());
            and(&mut circuit, left, right);
        }
        let max = circuit.max_var();
        for index in 0..circuit.latches.len() {
            circuit.latches[index].next = random.lit(max);
            circuit.latches[index].reset = match random.below(8) {
                0 | 1 => random.lit(max),
                2 => circuit.latch(index),
                constant => Lit(constant as u32 & 1),
            };
        }
        let bad = random.lit(max);
        circuit.bads.push(if bad.var() == 0 { circuit.gate(0) } else { bad });
        for _ in 0..[0, 0, 1, 2][random.below(4)] {
            let lit = random.lit(max);
            circuit.constraints.push(lit);
        }
        if circuit.validate().is_ok() {
            return circuit;
        }
    }
}
