//! From justice to safety: a circuit beside the circuit that notices what a violation must do.
//!
//! A justice property is violated by an infinite run on which each of its *signals*, the literals of
//! the property and the fairness constraints, is true infinitely often. A monitor adds latches (and
//! for loops an input) to the circuit, and one bad literal that every violation reaches after finitely
//! many steps. So where the bad literal is unreachable, the property holds; `crates/check/PROOFS.md`
//! has the argument. Engines and the checker build monitors with this file, from the circuit as read.
//!
//! Invariant: inputs and latches of the circuit keep their positions and come first. What a monitor
//! adds depends on the circuit, the property and the kind of monitor alone.
//!
//! After Claessen, Sörensson, "A Liveness Checking Algorithm that Counts" (FMCAD 2012), and Biere,
//! Artho, Schuppan, "Liveness Checking as Safety Checking" (FMICS 2002). We differ in the loop, which
//! is seen on the latches that matter to the property only.

use crate::circuit::{And, Circuit, Latch, Lit};

/// The largest count: it bounds what a certificate can ask for.
pub const MAX_COUNT: u32 = 1 << 16;

/// What a monitor watches for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Monitor {
    /// Bad when it has happened more often than `most` that all signals were seen since it happened
    /// last.
    Count {
        /// How often it may happen.
        most: u32,
    },
    /// Bad when a state repeats that was marked at some moment of the run's choice, and all signals
    /// were seen in between.
    Loop,
}

impl Monitor {
    /// How many inputs the monitor adds, after those of the circuit.
    pub fn inputs(self) -> u32 {
        match self {
            Monitor::Count { .. } => 0,
            Monitor::Loop => 1,
        }
    }

    /// The circuit with the monitor of justice property `index`, whose only property is that nothing
    /// bad is noticed; or why there is none. The circuit must be valid.
    pub fn build(self, circuit: &Circuit, index: usize) -> Result<Circuit, String> {
        let Some(justice) = circuit.justice.get(index) else {
            return Err(format!("the circuit has no justice property {index}"));
        };
        let signals: Vec<Lit> = justice.iter().chain(&circuit.fairness).copied().collect();
        match self {
            Monitor::Count { most } if most > MAX_COUNT => {
                Err(format!("a count of {most} is more than {MAX_COUNT}"))
            }
            Monitor::Count { most } => Ok(count(circuit, &signals, most)),
            Monitor::Loop => Ok(repetition(circuit, &signals)),
        }
    }
}

/// The latches on which a repetition is seen: those that the signals of justice property `index` and
/// the constraints depend on, through gates and next literals, ascending.
pub fn loop_latches(circuit: &Circuit, index: usize) -> Vec<usize> {
    let justice = circuit.justice.get(index).into_iter().flatten();
    closed_latches(circuit, justice.chain(&circuit.fairness).copied())
}

fn closed_latches(circuit: &Circuit, signals: impl Iterator<Item = Lit>) -> Vec<usize> {
    let mut seen = vec![false; circuit.max_var() as usize + 1];
    let mut stack: Vec<u32> =
        signals.chain(circuit.constraints.iter().copied()).map(Lit::var).collect();
    let first_gate = circuit.gate(0).var();
    while let Some(var) = stack.pop() {
        if std::mem::replace(&mut seen[var as usize], true) {
            continue;
        }
        if var >= first_gate {
            let and = circuit.ands[(var - first_gate) as usize];
            stack.extend([and.left.var(), and.right.var()]);
        } else if var > circuit.inputs {
            stack.push(circuit.latches[(var - circuit.inputs - 1) as usize].next.var());
        }
    }
    (0..circuit.latches.len()).filter(|latch| seen[circuit.latch(*latch).var() as usize]).collect()
}

/// Counts how often all signals were seen.
fn count(circuit: &Circuit, signals: &[Lit], most: u32) -> Circuit {
    // With one signal, having seen all is its truth.
    let flags = if signals.len() == 1 { 0 } else { signals.len() };
    let mut build = Builder::new(circuit, 0, flags + most as usize);
    let signals: Vec<Lit> = signals.iter().map(|signal| build.moved(*signal)).collect();
    let all = match signals[..] {
        [signal] => signal,
        _ => {
            let seen: Vec<Lit> =
                (0..flags).map(|flag| build.or(build.added(flag), signals[flag])).collect();
            let all = build.all(&seen);
            for (flag, seen) in seen.iter().enumerate() {
                let next = build.and(*seen, !all);
                build.set_next(flag, next);
            }
            all
        }
    };
    let mut happens = all;
    for position in flags..flags + most as usize {
        let counted = build.added(position);
        let next = build.or(counted, happens);
        build.set_next(position, next);
        happens = build.and(counted, all);
    }
    build.finish(happens)
}

/// Marks a state and waits for it to come back.
fn repetition(circuit: &Circuit, signals: &[Lit]) -> Circuit {
    let watched = closed_latches(circuit, signals.iter().copied());
    let mut build = Builder::new(circuit, 1, 1 + signals.len() + watched.len());
    let mark = Lit::new(circuit.inputs + 1, false);
    let marked = build.added(0);
    let inside = build.or(marked, mark);
    build.set_next(0, inside);
    let mut back = vec![marked];
    for (position, signal) in signals.iter().enumerate() {
        let (flag, signal) = (build.added(1 + position), build.moved(*signal));
        let seen = build.or(flag, signal);
        let next = build.and(inside, seen);
        build.set_next(1 + position, next);
        back.push(flag);
    }
    for (position, latch) in watched.iter().enumerate() {
        let position = 1 + signals.len() + position;
        let (copy, latch) = (build.added(position), build.moved(circuit.latch(*latch)));
        let next = build.choose(marked, copy, latch);
        build.set_next(position, next);
        back.push(build.equals(copy, latch));
    }
    let bad = build.all(&back);
    build.finish(bad)
}

/// A circuit in the making: the one given, with further inputs, latches that start with 0, and gates.
pub(crate) struct Builder {
    pub made: Circuit,
    inputs: u32,
    first_gate: u32,
    first_added: usize,
    more_inputs: u32,
    more: u32,
}

impl Builder {
    /// The circuit with so many more inputs and latches, and without properties.
    pub fn new(circuit: &Circuit, more_inputs: u32, more_latches: usize) -> Builder {
        let mut build = Builder {
            made: Circuit::default(),
            inputs: circuit.inputs,
            first_gate: circuit.gate(0).var(),
            first_added: circuit.latches.len(),
            more_inputs,
            more: more_inputs + more_latches as u32,
        };
        let moved = |lit: Lit| build.moved(lit);
        let latch = |latch: &Latch| Latch { next: moved(latch.next), reset: moved(latch.reset) };
        let gate = |and: &And| And { left: moved(and.left), right: moved(and.right) };
        let added = Latch { next: Lit::FALSE, reset: Lit::FALSE };
        let latches = circuit.latches.iter().map(latch);
        build.made = Circuit {
            inputs: circuit.inputs + more_inputs,
            latches: latches.chain(std::iter::repeat_n(added, more_latches)).collect(),
            ands: circuit.ands.iter().map(gate).collect(),
            constraints: circuit.constraints.iter().map(|lit| moved(*lit)).collect(),
            ..Circuit::default()
        };
        build
    }

    /// A literal of the circuit given, as one of the circuit made.
    pub fn moved(&self, lit: Lit) -> Lit {
        let var = lit.var();
        let by = match var {
            _ if var <= self.inputs => 0,
            _ if var < self.first_gate => self.more_inputs,
            _ => self.more,
        };
        Lit::new(var + by, lit.is_negated())
    }

    /// The further latch number `position`.
    fn added(&self, position: usize) -> Lit {
        self.made.latch(self.first_added + position)
    }

    /// Whether the further input number `position` has said before or now, while a literal of the circuit given was
    /// true, that a time has come; the further latch with this number keeps it.
    pub fn guessed(&mut self, position: usize, condition: Lit) -> Lit {
        let guess = self.made.input(self.inputs as usize + position);
        let condition = self.moved(condition);
        let now = self.and(guess, condition);
        let is_so = self.or(self.added(position), now);
        self.set_next(position, is_so);
        is_so
    }

    fn set_next(&mut self, position: usize, next: Lit) {
        self.made.latches[self.first_added + position].next = next;
    }

    pub fn and(&mut self, left: Lit, right: Lit) -> Lit {
        self.made.ands.push(And { left, right });
        self.made.gate(self.made.ands.len() - 1)
    }

    pub fn or(&mut self, left: Lit, right: Lit) -> Lit {
        !self.and(!left, !right)
    }

    fn choose(&mut self, condition: Lit, then: Lit, otherwise: Lit) -> Lit {
        let (yes, no) = (self.and(condition, then), self.and(!condition, otherwise));
        self.or(yes, no)
    }

    fn equals(&mut self, left: Lit, right: Lit) -> Lit {
        self.choose(left, right, !right)
    }

    fn all(&mut self, lits: &[Lit]) -> Lit {
        let mut all = Lit::TRUE;
        for lit in lits {
            all = if all == Lit::TRUE { *lit } else { self.and(all, *lit) };
        }
        all
    }

    fn finish(mut self, bad: Lit) -> Circuit {
        self.made.bads = vec![bad];
        self.made
    }
}
