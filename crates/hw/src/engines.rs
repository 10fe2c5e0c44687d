//! The registry: one line per engine.

use crate::bits::Memory;
use crate::ic3::Tuned;
use crate::{
    Avy, Bmc, Counting, Generalization, Ic3, Igr, Imc, Kind, Leap, Loops, Sequences, Settings,
    Shoals, circuit, words,
};
use alphorn_engine::{Card, Engine};
use alphorn_problem::{Circuit, Problem, Words};

/// The engines for circuits.
pub static CIRCUIT_ENGINES: &[Card<Circuit>] = &[
    refuter("sim", "random and guided simulation, 64 runs at a time", || Box::new(circuit::Sim)),
    decider("explicit", "breadth-first search over states", || Box::new(circuit::Explicit)),
    refuter("bmc", "bounded model checking, one step at a time [BCCZ99]", || Box::new(Bmc)),
    refuter("leap", "bounded model checking that leaps over lengths that take long", || {
        Box::new(Leap)
    }),
    decider("kind", "k-induction with simple paths on demand [SSS00]", || Box::new(Kind)),
    decider("ic3", "an invariant of clauses from what stands in its way [Bra11]", || Box::new(Ic3)),
    decider("ic3-internal", "ic3 whose clauses speak about gates, too [DGIV21]", || {
        Box::new(Tuned(Settings { internal_signals: true, ..Settings::default() }))
    }),
    decider("imc", "reachable states from interpolants of bounded proofs [McM03]", || {
        Box::new(Imc)
    }),
    decider("avy", "a clausal trace strengthened by sequences of interpolants [VG14]", || {
        Box::new(Avy::default())
    }),
    decider("igr", "sets of states per level, refined by interpolants [CPP14]", || {
        Box::new(Igr::default())
    }),
    refuter("lasso", "justice: bounded search for a loop [BAS02]", || {
        Box::new(Loops(|| Box::new(Bmc)))
    }),
    decider("l2s", "justice: loops as a safety property, by ic3 [BAS02]", || {
        Box::new(Loops(|| Box::new(Ic3)))
    }),
    decider("klive", "justice: how often the signals can be seen, by ic3 [CS12]", || {
        Box::new(Counting(|| Box::new(Ic3)))
    }),
    decider(
        "rlive",
        "justice: states from which the signals are seen no more, by ic3 [XCGL24]",
        || Box::new(Shoals),
    ),
];

/// Engines with other settings, found by name only.
pub static CIRCUIT_VARIANTS: &[Card<Circuit>] = &[
    decider("imc-sequence", "a set per step from one refutation cut at every step [VG09]", || {
        Box::new(Sequences)
    }),
    decider("avy-strides", "avy whose runs grow by four steps at a time", || {
        Box::new(Avy { stride: 4, ..Avy::default() })
    }),
    decider("avy-internal", "avy whose clauses speak about gates, too", || {
        Box::new(Avy { internal_signals: true, ..Avy::default() })
    }),
    decider("ic3-plain", "ic3 that blocks no counterexamples to generalization", || {
        Box::new(Tuned(Settings { generalization: Generalization::Plain, ..Settings::default() }))
    }),
    decider("ic3-outputs", "ic3 whose clauses speak about outputs alone [CGMT14]", || {
        Box::new(Tuned(Settings { output_signals: true, ..Settings::default() }))
    }),
    decider("ic3-ctp", "ic3 that blocks what stands in the way of pushing lemmas", || {
        Box::new(Tuned(Settings { block_in_propagation: true, ..Settings::default() }))
    }),
    decider("ic3-dynamic", "ic3 that tries harder where obligations come back", || {
        Box::new(Tuned(Settings { generalization: Generalization::Dynamic, ..Settings::default() }))
    }),
];

/// The engines for word-level transition systems as such. Where a system can be written out in bits,
/// the engines for circuits work on it, too.
pub static WORDS_ENGINES: &[Card<Words>] = &[
    refuter("words-sim", "random simulation by evaluation of terms", || Box::new(words::Sim)),
    decider("words-explicit", "breadth-first search over states of words", || {
        Box::new(words::Explicit)
    }),
    decider("words-memory", "ic3 on those cells of large arrays that matter [Bje08]", || {
        Box::new(Memory)
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
