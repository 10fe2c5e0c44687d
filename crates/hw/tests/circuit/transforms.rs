//! Transforms of circuits: what they drop, and that their ways back are right.

use crate::{decide, find, summary, with_ctx};
use alphorn_check::circuit::{check_certificate, check_trace};
use alphorn_hw::certify::conclude;
use alphorn_hw::circuit::{StateTable, transpose};
use alphorn_hw::select::{select_circuit, select_circuit_justice};
use alphorn_hw::transform::cone;
use alphorn_problem::circuit::{And, Circuit, Lit};
use alphorn_problem::evidence::circuit::{Bit, CircuitClaim, Invariant, Property, Trace};
use alphorn_problem::{Finding, Verdict};
use alphorn_testkit::Rng;
use alphorn_testkit::circuit::build::{and, circuit, counter};
use alphorn_testkit::circuit::oracle::shortest_violation;
use alphorn_testkit::circuit::random::random_circuit;

#[test]
fn cone_drops_what_nobody_sees() {
    let circuit = counter(3, 4, 6, 9);
    let (small, _) = cone(&circuit);
    assert_eq!((small.inputs, small.latches.len()), (1, 3));
    assert!(small.ands.len() < circuit.ands.len());
    let (again, _) = cone(&small);
    assert_eq!(small, again);
}

#[test]
fn names_move_with_what_they_name() {
    let mut circuit = counter(2, 3, 3, 3);
    for (kind, index, name) in [(b'i', 0, "go"), (b'i', 2, "no"), (b'l', 1, "high"), (b'l', 4, "x")]
    {
        circuit.symbols.entries.push((kind, index, name.to_owned()));
    }
    // Latch 0 goes by being constant: high alone counts the input.
    circuit.bads = vec![circuit.latch(1)];
    circuit.latches[1].next = circuit.input(0);
    circuit.symbols.entries.push((b'b', 0, "full".to_owned()));
    let (small, _) = cone(&circuit);
    assert_eq!((small.inputs, small.latches.len()), (1, 1));
    assert_eq!(small.symbols.name(b'i', 0), Some("go"));
    assert_eq!(small.symbols.name(b'l', 0), Some("high"));
    assert_eq!(small.symbols.name(b'b', 0), Some("full"));
    assert_eq!(small.symbols.entries.len(), 3);
}

/// Evidence for the small circuit, carried back by hand-made cones of random circuits.
#[test]
fn evidence_survives_the_way_back() {
    let mut random = Rng::new(13);
    for _ in 0..300 {
        let mut circuit = random_circuit(&mut random);
        let (other, lit) = (circuit.clone(), circuit.bads[0]);
        // A second property gives select something to choose from.
        circuit.bads = vec![Lit::TRUE, lit, !lit];
        let (selected, unselect) = select_circuit(&circuit, 1);
        let (small, uncone) = cone(&selected);
        let Ok(finding) = find("explicit", &small, 1_000_000) else { continue };
        let back = unselect.after(uncone);
        let verdict = with_ctx(1_000_000, |ctx| {
            let finding = back.finding(finding, ctx).expect("nothing is lost");
            conclude(&circuit, finding, ctx).expect("what is claimed is proved")
        });
        match verdict {
            Verdict::Safe(certificate) => {
                assert_eq!(certificate.property, 1);
                assert_eq!(shortest_violation(&other), None);
                check_certificate(&circuit, &certificate).expect("accepted");
            }
            Verdict::Unsafe(trace) => {
                assert_eq!(trace.property, Property::Bad(1));
                check_trace(&circuit, &trace).expect("accepted");
            }
        }
    }
}

/// What was left open in the small circuit may be read by a reset that was dropped.
#[test]
fn open_values_are_settled_where_a_dropped_reset_reads_them() {
    let mut circuit = counter(1, 1, 1, 1);
    circuit.latches[1].reset = circuit.input(0);
    let (small, back) = cone(&circuit);
    assert_eq!(small.latches.len(), 1);
    let inputs = vec![vec![Bit::One], vec![Bit::X]];
    let trace = Trace { property: Property::Bad(0), start: vec![Bit::Zero], inputs };
    check_trace(&small, &trace).expect("accepted");
    let trace = with_ctx(1, |ctx| back.trace(trace, ctx)).expect("carried");
    check_trace(&circuit, &trace).expect("accepted");
    let (verdict, _, _) = decide("explicit", &circuit, 100, 1);
    assert_eq!(summary(&verdict), "unsafe, 2 steps");
}

/// Clauses, gates and inductions are renamed.
#[test]
fn other_invariants_are_renamed() {
    // Latches 1 and 3 of four are kept, and none of two inputs.
    let mut circuit = circuit(2, 4);
    let (low, high) = (circuit.latch(1), circuit.latch(3));
    let full = and(&mut circuit, low, high);
    circuit.bads.push(full);
    let (small, back) = cone(&circuit);
    assert_eq!((small.inputs, small.latches.len()), (0, 2));
    let carry = |invariant| {
        let claim = CircuitClaim::of(invariant);
        with_ctx(1, |ctx| back.claim(claim, ctx)).expect("carried").invariant
    };
    let both = vec![vec![Lit::new(1, true), Lit::new(2, true)]];
    let expected = vec![vec![!low, !high]];
    assert_eq!(carry(Invariant::Clauses(both)), Invariant::Clauses(expected));
    let induction = Invariant::induction(2, true);
    assert_eq!(carry(induction.clone()), induction);
    let mut aig = Circuit { inputs: 2, ..Circuit::default() };
    let low_and_high = and(&mut aig, Lit::new(1, false), Lit::new(2, false));
    aig.outputs.push(!low_and_high);
    let Invariant::Aig(wide) = carry(Invariant::Aig(Box::new(aig))) else { panic!("still gates") };
    assert_eq!((wide.inputs, wide.outputs[0]), (4, Lit::new(5, true)));
    assert_eq!(wide.ands[0], And { left: Lit::new(2, false), right: Lit::new(4, false) });
    wide.validate().expect("valid");
}

#[test]
fn selection_sets_the_property() {
    let mut circuit = counter(3, 4, 6, 0);
    circuit.bads.push(circuit.latch(0));
    circuit.symbols.entries.push((b'b', 1, "odd".to_owned()));
    let (selected, back) = select_circuit(&circuit, 1);
    assert_eq!(selected.bads, [circuit.latch(0)]);
    assert_eq!(selected.symbols.name(b'b', 0), Some("odd"));
    let finding = find("explicit", &selected, 1000).expect("decided");
    let finding = with_ctx(1, |ctx| back.finding(finding, ctx)).expect("carried");
    let Finding::Fails(trace) = finding else { panic!("odd numbers exist") };
    assert_eq!(trace.property, Property::Bad(1));
    check_trace(&circuit, &trace).expect("accepted");

    // A file of the old format has outputs for properties.
    circuit.outputs = std::mem::take(&mut circuit.bads);
    circuit.symbols.entries = vec![(b'o', 0, "six".to_owned())];
    let (selected, _) = select_circuit(&circuit, 0);
    assert_eq!((selected.outputs.len(), selected.bads.len()), (0, 1));
    assert_eq!(selected.symbols.name(b'b', 0), Some("six"));

    circuit.justice = vec![vec![circuit.latch(0)], vec![circuit.latch(1)]];
    circuit.fairness = vec![circuit.input(0)];
    let (live, back) = select_circuit_justice(&circuit, 1);
    assert_eq!((live.justice.len(), live.fairness.len(), live.bads.len()), (1, 1, 0));
    let trace = Trace { property: Property::Justice(0), start: Vec::new(), inputs: Vec::new() };
    let trace = with_ctx(1, |ctx| back.trace(trace, ctx)).expect("carried");
    assert_eq!(trace.property, Property::Justice(1));
}

#[test]
fn transposition_mirrors() {
    let mut random = Rng::new(14);
    let rows: [u64; 64] = std::array::from_fn(|_| random.next_u64());
    let mut columns = rows;
    transpose(&mut columns);
    for (i, row) in rows.iter().enumerate() {
        for (j, column) in columns.iter().enumerate() {
            assert_eq!(row >> j & 1, column >> i & 1);
        }
    }
}

#[test]
fn the_table_of_states_is_a_set() {
    let mut random = Rng::new(15);
    for bits in [0, 1, 64, 65, 130] {
        let mut table = StateTable::new(bits);
        let mut set = std::collections::BTreeMap::new();
        assert!(table.is_empty());
        for _ in 0..5000 {
            let words = bits.div_ceil(64);
            let state: Vec<u64> = (0..words).map(|_| random.below(40) as u64).collect();
            let number = set.len();
            let expected = (!set.contains_key(&state)).then_some(number);
            assert_eq!(table.insert(&state), expected);
            set.entry(state).or_insert(number);
        }
        assert_eq!(table.len(), set.len());
        assert!(set.iter().all(|(state, &number)| table.state(number) == state));
    }
}
