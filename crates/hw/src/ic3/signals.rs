//! The signals that cubes speak about: latches, and on request gates that depend on latches alone, or in
//! place of both the outputs.
//!
//! A gate over latches is a function of the state, so it can stand in a cube like a latch, and a clause
//! with it may say what takes very many clauses over latches. After a step it has the value of a copy of
//! the gate over the next functions; the copies are added to the circuit. Of all gates those are signals that have at
//! least two users and a known value in all first states, so that one look tells whether a cube excludes
//! these.
//!
//! Outputs as the only signals are an abstraction: states with equal outputs are taken for one, while steps
//! stay those of the circuit. Cimatti, Griggio, Mover, Tonetta, "IC3 Modulo Theories via Implicit Predicate
//! Abstraction" (TACAS 2014), have it over theories.
//!
//! Invariant: no signal depends on an input.
//!
//! After Dureja, Gurfinkel, Ivrii, Vizel, "IC3 with Internal Signals" (FMCAD 2021).

use crate::ask::same;
use crate::circuit::{first_gate, latch_of};
use crate::settings::IC3_FEWEST_USERS;
use alphorn_problem::Circuit;
use alphorn_problem::circuit::{And, Lit as Bit};
use alphorn_sat::{Lit, Var};

/// A signal after a step, and in first states.
#[derive(Clone, Copy)]
struct Signal {
    next: Lit,
    /// The value that it has in all first states, if there is one.
    start: Option<bool>,
}

/// The signals of a circuit.
pub(crate) struct Signals {
    by_var: Vec<Option<Signal>>,
    first_gate: u32,
    /// Whether states are more than what the signals say.
    is_abstract: bool,
}

impl Signals {
    /// The latches.
    pub(super) fn latches(circuit: &Circuit) -> Signals {
        let mut by_var = vec![None; circuit.max_var() as usize + 1];
        for (index, latch) in circuit.latches.iter().enumerate() {
            let start = (latch.reset.var() == 0).then(|| latch.reset.is_negated());
            by_var[circuit.latch(index).var() as usize] =
                Some(Signal { next: same(latch.next), start });
        }
        Signals { by_var, first_gate: first_gate(circuit), is_abstract: false }
    }

    /// The latches, and gates over latches, whose copies are added to the circuit.
    pub(super) fn with_gates(circuit: &mut Circuit) -> Signals {
        let users = users(circuit);
        let is_used = |var: u32, start: Option<bool>| {
            users[var as usize] >= IC3_FEWEST_USERS.short() && start.is_some()
        };
        Signals::with(circuit, is_used)
    }

    /// The outputs that are latches or gates over latches, whose copies are added to the circuit.
    pub(super) fn outputs(circuit: &mut Circuit, outputs: &[Bit]) -> Signals {
        let mut is_output = vec![false; circuit.max_var() as usize + 1];
        outputs.iter().for_each(|output| is_output[output.var() as usize] = true);
        let mut signals = Signals::with(circuit, |var, _| is_output[var as usize]);
        let latches = signals.by_var.iter_mut().zip(&is_output);
        latches.filter(|(_, is_output)| !**is_output).for_each(|(signal, _)| *signal = None);
        signals.is_abstract = true;
        signals
    }

    /// The latches, and those gates over latches that are wanted, by their variables and what they are in
    /// all first states.
    fn with(circuit: &mut Circuit, is_wanted: impl Fn(u32, Option<bool>) -> bool) -> Signals {
        let mut signals = Signals::latches(circuit);
        let values = first_values(circuit);
        let (count, gates) = (signals.by_var.len(), circuit.ands.clone());
        // By variable over latches alone: its copy after a step.
        let mut copies: Vec<Option<Bit>> = vec![None; count];
        copies[0] = Some(Bit::FALSE);
        for (index, latch) in circuit.latches.iter().enumerate() {
            copies[circuit.latch(index).var() as usize] = Some(latch.next);
        }
        for (gate, var) in gates.iter().zip(signals.first_gate..) {
            let copy = |bit: Bit| copies[bit.var() as usize].map(|copy| copy.xor(bit.is_negated()));
            let (Some(left), Some(right)) = (copy(gate.left), copy(gate.right)) else { continue };
            let copy = conjunction(circuit, left, right);
            copies[var as usize] = Some(copy);
            let start = values[var as usize];
            if copy.var() != 0 && is_wanted(var, start) {
                signals.by_var[var as usize] = Some(Signal { next: same(copy), start });
            }
        }
        signals.by_var.resize(circuit.max_var() as usize + 1, None);
        signals
    }

    fn signal(&self, lit: Lit) -> Signal {
        self.by_var[lit.var().index()].expect("cubes speak about signals")
    }

    /// Whether a variable is a signal.
    #[inline]
    pub(super) fn contains(&self, var: Var) -> bool {
        self.by_var[var.index()].is_some()
    }

    /// Whether a variable is a gate.
    #[inline]
    pub(super) fn is_gate(&self, var: Var) -> bool {
        var.0 >= self.first_gate
    }

    /// Whether states are more than what the signals say.
    pub(super) fn is_abstract(&self) -> bool {
        self.is_abstract
    }

    /// The signals.
    pub(super) fn all(&self) -> impl Iterator<Item = Var> {
        let vars = self.by_var.iter().enumerate().filter(|(_, signal)| signal.is_some());
        vars.map(|(var, _)| Var(var as u32))
    }

    /// Whether some signal is a gate that is not the same in all first states.
    pub(super) fn has_open_gates(&self) -> bool {
        let gates = self.by_var.iter().skip(self.first_gate as usize).flatten();
        gates.into_iter().any(|signal| signal.start.is_none())
    }

    /// The literal that says after a step what `lit` says.
    #[inline]
    pub(super) fn next(&self, lit: Lit) -> Lit {
        self.signal(lit).next.xor(lit.is_negated())
    }

    /// Whether the literal is false in all first states.
    #[inline]
    pub(super) fn excludes_start(&self, lit: Lit) -> bool {
        self.signal(lit).start == Some(lit.is_negated())
    }

    /// The gates that are signals, and what they are after a step.
    pub(super) fn gates(&self) -> impl Iterator<Item = Lit> {
        let gates = self.by_var.iter().enumerate().skip(self.first_gate as usize);
        let named = |(var, signal): (usize, &Option<Signal>)| {
            signal.map(|signal| [Var(var as u32).positive(), signal.next])
        };
        gates.filter_map(named).flatten()
    }
}

/// The conjunction, as a gate that is added where it takes one.
fn conjunction(circuit: &mut Circuit, left: Bit, right: Bit) -> Bit {
    match (left, right) {
        (Bit::FALSE, _) | (_, Bit::FALSE) => Bit::FALSE,
        (Bit::TRUE, other) | (other, Bit::TRUE) => other,
        _ if left == right => left,
        _ if left == !right => Bit::FALSE,
        _ => {
            circuit.ands.push(And { left: left.max(right), right: left.min(right) });
            Bit::new(circuit.max_var(), false)
        }
    }
}

/// The value that each variable has in all first states, if there is one.
fn first_values(circuit: &Circuit) -> Vec<Option<bool>> {
    let mut values = vec![None; circuit.max_var() as usize + 1];
    values[0] = Some(false);
    for var in 0..first_gate(circuit) {
        if let Some(index) = latch_of(circuit, var) {
            let reset = circuit.latches[index].reset;
            values[var as usize] = (reset.var() == 0).then(|| reset.is_negated());
        }
    }
    for (gate, var) in circuit.ands.iter().zip(first_gate(circuit)..) {
        let value = |bit: Bit| values[bit.var() as usize].map(|value| value != bit.is_negated());
        values[var as usize] = match (value(gate.left), value(gate.right)) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        };
    }
    values
}

/// How many gates and next functions read each variable.
fn users(circuit: &Circuit) -> Vec<u32> {
    let mut users = vec![0; circuit.max_var() as usize + 1];
    let operands = circuit.ands.iter().flat_map(|gate| [gate.left, gate.right]);
    for bit in operands.chain(circuit.latches.iter().map(|latch| latch.next)) {
        users[bit.var() as usize] += 1;
    }
    users
}

#[cfg(test)]
mod tests {
    use super::*;
    use alphorn_problem::circuit::Latch;

    #[test]
    fn gates_over_latches_are_signals_if_they_have_two_users() {
        // Variable 1 is an input, 2 and 3 are latches; 4 is a gate over them, 5 and 6 read it, and 5 reads
        // the input, too.
        let and = |left: u32, right: u32| And { left: Bit(left), right: Bit(right) };
        let latch = |next: u32, reset: u32| Latch { next: Bit(next), reset: Bit(reset) };
        let mut circuit = Circuit {
            inputs: 1,
            latches: vec![latch(10, 0), latch(12, 1)],
            ands: vec![and(7, 5), and(8, 2), and(9, 4)],
            bads: vec![Bit(0)],
            ..Circuit::default()
        };
        let signals = Signals::with_gates(&mut circuit);
        let is_signal: Vec<bool> = (1..=6).map(|var| signals.contains(Var(var))).collect();
        assert_eq!(is_signal, [false, true, true, true, false, false]);
        // The gate is ¬6 ∧ ¬4 in first states, where latch 3 is 1: false.
        assert!(signals.excludes_start(Var(4).positive()));
        assert!(!signals.excludes_start(Var(4).negative()));
        let copy = circuit.ands[signals.next(Var(4).positive()).var().index() - 4];
        assert_eq!((copy.left, copy.right), (Bit(13), Bit(11)));
    }

    #[test]
    fn outputs_are_the_only_signals_where_they_are_wanted() {
        // Variable 1 is an input, 2 and 3 are latches; 4 is a gate over them, and 5 reads it and the input.
        let and = |left: u32, right: u32| And { left: Bit(left), right: Bit(right) };
        let latch = |next: u32, reset: u32| Latch { next: Bit(next), reset: Bit(reset) };
        let mut circuit = Circuit {
            inputs: 1,
            // The first latch starts with anything.
            latches: vec![latch(6, 4), latch(4, 0)],
            ands: vec![and(7, 4), and(8, 2)],
            bads: vec![Bit(0)],
            ..Circuit::default()
        };
        let outputs = [Bit(6), Bit(9), Bit(10), Bit(1)];
        let signals = Signals::outputs(&mut circuit, &outputs);
        let found: Vec<u32> = signals.all().map(|var| var.0).collect();
        assert_eq!(found, [3, 4], "a latch and a gate; the other gate depends on an input");
        assert!(signals.is_abstract());
        // The gate is the first latch without the second, and that is open in first states.
        assert!(signals.has_open_gates());
        assert!(!signals.excludes_start(Var(4).positive()));
        assert!(signals.excludes_start(Var(3).positive()));
    }
}
