//! The registry: one line per engine.

use crate::bits::Bits;
use crate::{Avy, Bmc, Ic3, Igr, Imc, Kind, circuit, words};
use alphorn_engine::{Card, Engine};
use alphorn_problem::{Circuit, Problem, Words};

/// The engines for circuits.
pub static CIRCUIT_ENGINES: &[Card<Circuit>] = &[
    refuter("sim", "random simulation, 64 runs at a time", || Box::new(circuit::Sim)),
    decider("explicit", "breadth-first search over states", || Box::new(circuit::Explicit)),
    refuter("bmc", "bounded model checking, one step at a time [BCCZ99]", || Box::new(Bmc)),
    decider("kind", "k-induction with simple paths on demand [SSS00]", || Box::new(Kind)),
    decider("ic3", "an invariant of clauses from what stands in its way [Bra11]", || Box::new(Ic3)),
    decider("imc", "reachable states from interpolants of bounded proofs [McM03]", || {
        Box::new(Imc)
    }),
    decider("avy", "a clausal trace strengthened by sequences of interpolants [VG14]", || {
        Box::new(Avy)
    }),
    decider("igr", "sets of states per level, refined by interpolants [CPP14]", || {
        Box::new(Igr::default())
    }),
];

/// The engines for word-level transition systems.
pub static WORDS_ENGINES: &[Card<Words>] = &[
    refuter("sim", "random simulation by evaluation of terms", || Box::new(words::Sim)),
    decider("explicit", "breadth-first search over states", || Box::new(words::Explicit)),
    refuter("bits-sim", "random simulation of the bits, 64 runs at a time", || {
        Box::new(Bits::new(Box::new(circuit::Sim)))
    }),
    decider("bits-explicit", "breadth-first search over states of bits", || {
        Box::new(Bits::new(Box::new(circuit::Explicit)))
    }),
    refuter("bits-bmc", "bounded model checking of the bits, one step at a time [BCCZ99]", || {
        Box::new(Bits::new(Box::new(Bmc)))
    }),
];

/// Makes an engine.
type Build<P> = fn() -> Box<dyn Engine<P>>;

/// An engine that finds counterexamples.
const fn refuter<P: Problem>(name: &'static str, about: &'static str, build: Build<P>) -> Card<P> {
    Card { name, about, proves: false, refutes: true, build }
}

/// An engine that finds counterexamples and proofs.
const fn decider<P: Problem>(name: &'static str, about: &'static str, build: Build<P>) -> Card<P> {
    Card { name, about, proves: true, refutes: true, build }
}
