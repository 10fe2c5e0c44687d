//! Witness circuits: those of every kind of invariant simulate the circuit and have an inductive property.
//!
//! Base and step are proved by a solver; that the witness circuit moves and is bad as the circuit is, is
//! seen on many patterns, reachable or not. `bench/certificate.py` asks outside solvers all of it.

use alphorn_engine::{Ctx, Engine, Stopper};
use alphorn_front::aiger::{read, witness_circuit, write_ascii, write_binary};
use alphorn_hw::certify::certify;
use alphorn_hw::circuit::Simulation;
use alphorn_hw::explore::Explicit;
use alphorn_hw::{Ic3, Kind};
use alphorn_problem::Finding;
use alphorn_problem::circuit::{And, Circuit, Latch, Lit};
use alphorn_problem::evidence::circuit::Invariant;
use alphorn_testkit::Rng;
use alphorn_testkit::circuit::random::{Size, circuit_of};

fn with_ctx<T>(ticks: u64, run: impl FnOnce(&mut Ctx<'_>) -> T) -> T {
    let mut sink = |_| {};
    run(&mut Ctx::new(ticks, Stopper::new(), 0, &mut sink))
}

/// The literal in the model that a name says, if it says one.
fn mapped(witness: &Circuit, kind: u8, index: usize) -> Option<u32> {
    witness.symbols.name(kind, index)?.strip_prefix("= ")?.parse().ok()
}

fn confirm(model: &Circuit, property: usize, witness: &Circuit, rng: &mut Rng) {
    witness.validate().expect("the witness circuit is a circuit");
    let (read_back, complaints) = read(&write_binary(witness));
    assert!(complaints.is_clean());
    assert_eq!(read_back.as_ref(), Some(witness));
    assert!(read(write_ascii(witness).as_bytes()).0.is_some());
    let induction = Invariant::KInductive { k: 1, simple_path: false, lemmas: Vec::new() };
    let proved = with_ctx(u64::MAX, |ctx| certify(witness, 0, induction, ctx));
    proved.expect("the property of the witness circuit is inductive");

    for index in 0..model.inputs as usize {
        assert_eq!(mapped(witness, b'i', index), Some(model.input(index).0));
    }
    for (index, latch) in model.latches.iter().enumerate() {
        assert_eq!(mapped(witness, b'l', index), Some(model.latch(index).0));
        let reset = witness.latches[index].reset;
        assert!(latch.reset.var() != 0 || reset == latch.reset, "constant resets stay");
    }
    let (mut ours, mut theirs) = (Simulation::new(model), Simulation::new(witness));
    for _ in 0..64 {
        for index in 0..model.inputs as usize {
            let word = rng.next_u64();
            ours.set_input(index, word);
            theirs.set_input(index, word);
        }
        for index in 0..witness.latches.len() {
            let word = rng.next_u64();
            theirs.set_latch(index, word);
            if index < model.latches.len() {
                ours.set_latch(index, word);
            }
        }
        ours.settle();
        theirs.settle();
        assert_eq!(ours.allowed(), theirs.allowed());
        let (bad, claimed) = (model.safety()[property], witness.safety()[0]);
        assert_eq!(ours.allowed() & ours.value(bad) & !theirs.value(claimed), 0);
        for index in 0..model.latches.len() {
            let (mine, its) = (model.latches[index], witness.latches[index]);
            assert_eq!(ours.value(mine.next), theirs.value(its.next));
            assert_eq!(ours.value(mine.reset), theirs.value(its.reset));
        }
    }
}

/// A circuit in the form that files have, whose property may be an output.
fn random_circuit(rng: &mut Rng) -> Circuit {
    let mut circuit = circuit_of(rng, Size { inputs: 2, latches: 5, gates: 17 });
    for And { left, right } in &mut circuit.ands {
        (*left, *right) = ((*left).max(*right), (*left).min(*right));
    }
    if rng.one_in(4) {
        circuit.outputs = std::mem::take(&mut circuit.bads);
    }
    circuit
}

#[test]
fn every_kind_of_invariant_has_one() {
    let mut rng = Rng::new(11);
    let mut kinds = [0usize; 4];
    for _ in 0..1500 {
        let circuit = random_circuit(&mut rng);
        let engines: [Box<dyn Engine<Circuit>>; 3] =
            [Box::new(Explicit), Box::new(Kind), Box::new(Ic3)];
        for mut engine in engines {
            let finding = with_ctx(1 << 20, |ctx| engine.run(&circuit, ctx));
            let Ok(Finding::Holds(claim)) = finding else { continue };
            let invariant = &claim.invariant;
            let witness = witness_circuit(&circuit, 0, invariant);
            match (invariant, witness) {
                (Invariant::KInductive { simple_path: true, .. }, witness) => {
                    assert!(witness.is_err());
                    continue;
                }
                (invariant, witness) => {
                    kinds[match invariant {
                        Invariant::States { .. } => 0,
                        Invariant::Clauses(_) => 1,
                        Invariant::KInductive { k: 0 | 1, .. } => 2,
                        _ => 3,
                    }] += 1;
                    let witness = witness.expect("it has one");
                    confirm(&circuit, 0, &witness, &mut rng);
                    if let Invariant::Clauses(lemmas) = invariant {
                        // What is invariant may help an induction over any number of steps.
                        let (k, lemmas) = (rng.below(4) as usize, lemmas.clone());
                        let invariant = Invariant::KInductive { k, simple_path: false, lemmas };
                        let witness = witness_circuit(&circuit, 0, &invariant);
                        confirm(&circuit, 0, &witness.expect("it has one"), &mut rng);
                    }
                }
            }
        }
    }
    assert!(kinds.iter().all(|count| *count >= 5), "{kinds:?}");
}

#[test]
fn a_function_of_the_latches_has_one() {
    // Two latches that follow each other and start equal; bad when they differ.
    let circuit = Circuit {
        inputs: 1,
        latches: vec![Latch { next: Lit(2), reset: Lit::FALSE }; 2],
        ands: vec![
            And { left: Lit(6), right: Lit(5) },
            And { left: Lit(7), right: Lit(4) },
            And { left: Lit(11), right: Lit(9) },
        ],
        bads: vec![Lit(13)],
        ..Circuit::default()
    };
    let equal = Circuit {
        inputs: 2,
        ands: vec![
            And { left: Lit(4), right: Lit(3) },
            And { left: Lit(5), right: Lit(2) },
            And { left: Lit(9), right: Lit(7) },
        ],
        outputs: vec![Lit(10)],
        ..Circuit::default()
    };
    let invariant = Invariant::Aig(Box::new(equal));
    let witness = witness_circuit(&circuit, 0, &invariant).expect("it has one");
    confirm(&circuit, 0, &witness, &mut Rng::new(1));
    assert_eq!(witness.ands.len(), circuit.ands.len(), "the invariant's gates are the circuit's");
}

#[test]
fn absurd_inductions_are_refused() {
    let circuit = Circuit {
        latches: vec![Latch { next: Lit(2), reset: Lit::FALSE }],
        bads: vec![Lit(2)],
        ..Circuit::default()
    };
    let invariant = Invariant::KInductive { k: usize::MAX, simple_path: false, lemmas: Vec::new() };
    assert!(witness_circuit(&circuit, 0, &invariant).is_err());
    assert!(witness_circuit(&circuit, 1, &Invariant::Clauses(Vec::new())).is_err());
}
