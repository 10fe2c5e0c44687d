//! Each transform alone and all together: verdicts on the small circuit, carried back and checked.

use crate::accept;
use alphorn_engine::{Back, Ctx, Stop, Stopper};
use alphorn_hw::certify::conclude;
use alphorn_hw::engines::CIRCUIT_ENGINES;
use alphorn_hw::transform::{CIRCUIT_TRANSFORMS, CircuitTransform, simplify_circuit};
use alphorn_problem::circuit::{Latch, Lit};
use alphorn_problem::{Circuit, Verdict};
use alphorn_testkit::Rng;
use alphorn_testkit::circuit::build::{and, circuit, counter, xor};
use alphorn_testkit::circuit::oracle::shortest_violation;
use alphorn_testkit::circuit::random::{random_circuit, with_copies};

fn chosen(names: &[&str]) -> Vec<&'static CircuitTransform> {
    let find = |name: &&str| CIRCUIT_TRANSFORMS.iter().find(|t| t.name == *name);
    names.iter().map(|name| find(name).expect("a transform of this name")).collect()
}

fn with_ctx<R>(f: impl FnOnce(&mut Ctx<'_>) -> R) -> R {
    f(&mut Ctx::new(u64::MAX, Stopper::new(), 1, &mut |_| {}))
}

fn simplified(circuit: &Circuit, names: &[&str]) -> (Circuit, Back<Circuit, Circuit>) {
    with_ctx(|ctx| simplify_circuit(circuit, &chosen(names), ctx)).expect("no budget was set")
}

/// What an engine says of the simplified circuit, carried back and checked.
fn decided(circuit: &Circuit, names: &[&str], engine: &str) -> Result<Verdict<Circuit>, Stop> {
    let card = CIRCUIT_ENGINES.iter().find(|card| card.name == engine).expect("an engine");
    let (small, back) = simplified(circuit, names);
    small.validate().expect("a valid circuit");
    let mut sink = |_| {};
    let mut ctx = Ctx::new(1_000_000, Stopper::new(), 1, &mut sink);
    let finding = (card.build)().run(&small, &mut ctx)?;
    let finding = back.finding(finding, &mut ctx)?;
    let verdict = conclude(circuit, finding, &mut ctx);
    accept(circuit, &verdict);
    verdict
}

/// Whether an answer may be lost for this reason.
fn is_known(why: &str, names: &[&str], engine: &str) -> bool {
    // No invariant can say what a reset that reads inputs says.
    why.contains("tied to the first inputs")
        || names.contains(&"resets") && why.contains("need not hold in first states")
        || engine == "kind" && why.contains("states differ in latches that were simplified away")
        || names.contains(&"phase") && why.contains("phases")
}

/// Random circuits, with copies of latches, through these transforms; how often an answer was lost.
fn agree(seed: u64, count: usize, names: &[&str]) -> usize {
    agree_on(seed, count, names, |random| {
        let plain = random_circuit(random);
        with_copies(random, &plain)
    })
}

/// Circuits of this kind through these transforms; how often an answer was lost.
fn agree_on(seed: u64, count: usize, names: &[&str], make: impl Fn(&mut Rng) -> Circuit) -> usize {
    let mut random = Rng::new(seed);
    let mut lost = 0;
    for number in 0..count {
        let circuit = make(&mut random);
        let expected = shortest_violation(&circuit);
        let engine = ["ic3", "kind", "explicit"][number % 3];
        match decided(&circuit, names, engine) {
            Ok(Verdict::Safe(_)) => assert_eq!(expected, None, "{names:?}: {circuit:?}"),
            Ok(Verdict::Unsafe(trace)) => {
                let length = expected.expect("a violation");
                assert!(trace.inputs.len() >= length, "{circuit:?}");
            }
            Err(stop) => {
                let why = format!("{stop:?}");
                assert!(is_known(&why, names, engine), "{why}: {names:?} {engine} {circuit:?}");
                lost += 1;
            }
        }
    }
    lost
}

#[test]
fn each_transform_keeps_verdicts() {
    for (transform, seed) in CIRCUIT_TRANSFORMS.iter().zip(100..) {
        let lost = agree(seed, 240, &[transform.name]);
        assert!(lost < 24, "{}: {lost} answers lost", transform.name);
    }
}

#[test]
fn all_together_keep_verdicts() {
    let usual: Vec<&str> =
        CIRCUIT_TRANSFORMS.iter().filter(|t| t.is_default).map(|t| t.name).collect();
    let lost = agree(51, 600, &usual);
    assert!(lost < 40, "{lost} answers lost");
    let all: Vec<&str> = CIRCUIT_TRANSFORMS.iter().map(|t| t.name).collect();
    let lost = agree(52, 300, &all);
    assert!(lost < 60, "{lost} answers lost");
}

#[test]
fn any_choice_keeps_verdicts() {
    let mut random = Rng::new(53);
    for seed in 0..40 {
        let names: Vec<&str> =
            CIRCUIT_TRANSFORMS.iter().filter(|_| random.below(2) == 1).map(|t| t.name).collect();
        agree(1000 + seed, 12, &names);
    }
}

/// A random circuit whose first latch is a clock.
fn clocked(random: &mut Rng) -> Circuit {
    let mut circuit = random_circuit(random);
    if !circuit.latches.is_empty() {
        let (next, reset) = (!circuit.latch(0), Lit::FALSE.xor(random.below(2) == 1));
        circuit.latches[0] = Latch { next, reset };
    }
    circuit
}

#[test]
fn phases_keep_verdicts() {
    let lost = agree_on(54, 600, &["phase"], clocked);
    assert!(lost < 60, "{lost} answers lost");
    let lost = agree_on(55, 300, &["phase", "cone"], clocked);
    assert!(lost < 30, "{lost} answers lost");
}

/// Two counters side by side, of which the second has its bits negated; bad where they differ.
fn twin_counters(bits: usize) -> Circuit {
    let one = counter(bits, (1 << bits) - 1, 0, 0);
    let first_gate = 1 + one.inputs + bits as u32;
    let gates = one.ands.len() as u32;
    let mut twin = circuit(one.inputs, 2 * bits);
    let copy = |number: u32| {
        move |lit: Lit| match lit.var() {
            var if var < 2 => lit,
            var if var < first_gate => {
                Lit::new(var + number * bits as u32, lit.is_negated() != (number == 1))
            }
            var => Lit::new(var + bits as u32 + number * gates, lit.is_negated()),
        }
    };
    for number in 0..2 {
        let lit = copy(number);
        twin.ands.extend(one.ands.iter().map(|gate| alphorn_problem::circuit::And {
            left: lit(gate.left),
            right: lit(gate.right),
        }));
        for (bit, latch) in one.latches.iter().enumerate() {
            let next = lit(latch.next).xor(number == 1);
            twin.latches[number as usize * bits + bit] =
                Latch { next, reset: Lit::FALSE.xor(number == 1) };
        }
    }
    let mut differ = Lit::FALSE;
    for bit in 0..bits {
        let (a, b) = (twin.latch(bit), twin.latch(bits + bit));
        let same = xor(&mut twin, a, b);
        differ = !and(&mut twin, !differ, same);
    }
    twin.bads.push(differ);
    twin.validate().expect("well formed");
    twin
}

#[test]
fn correspondence_finds_opposite_latches() {
    let twin = twin_counters(12);
    let (small, _) = simplified(&twin, &["correspondence", "cone"]);
    assert_eq!((small.latches.len(), small.bads[0]), (0, Lit::FALSE));
    for engine in ["ic3", "kind"] {
        let verdict = decided(&twin, &["correspondence", "cone"], engine);
        assert!(matches!(verdict, Ok(Verdict::Safe(_))), "{verdict:?}");
    }
}

/// A latch that only a counterexample tells from another: they differ once a counter is full.
#[test]
fn correspondence_splits_what_differs_late() {
    let mut late = counter(10, 1023, 1023, 0);
    let full = late.bads[0];
    late.latches.extend([Latch { next: Lit::FALSE, reset: Lit::FALSE }; 2]);
    let shifted =
        |lit: Lit| if lit.var() > 11 { Lit::new(lit.var() + 2, lit.is_negated()) } else { lit };
    for gate in &mut late.ands {
        gate.left = shifted(gate.left);
        gate.right = shifted(gate.right);
    }
    for latch in &mut late.latches {
        latch.next = shifted(latch.next);
    }
    let (first, second) = (late.latch(10), late.latch(11));
    late.latches[10].next = shifted(full);
    late.latches[11].next = Lit::FALSE;
    late.bads = vec![and(&mut late, first, !second)];
    late.validate().expect("well formed");
    let (small, _) = simplified(&late, &["correspondence", "cone"]);
    assert_eq!(small.latches.len(), 11);
}

#[test]
fn constants_follow_from_resets_and_constraints() {
    // Latch 0 stays 0, latch 1 reads it, latch 2 reads an input that a constraint forces.
    let mut stuck = circuit(2, 4);
    let latch: Vec<Lit> = (0..4).map(|index| stuck.latch(index)).collect();
    let (x, y) = (stuck.input(0), stuck.input(1));
    stuck.latches[1].next = and(&mut stuck, latch[0], y);
    stuck.latches[2].next = !x;
    stuck.latches[3].next = y;
    let both = and(&mut stuck, x, !latch[2]);
    stuck.constraints.push(both);
    let some = and(&mut stuck, !latch[1], !latch[2]);
    let bad = and(&mut stuck, !some, latch[3]);
    stuck.bads.push(bad);
    let (small, _) = simplified(&stuck, &["constants", "cone"]);
    assert_eq!((small.inputs, small.latches.len(), small.ands.len()), (0, 0, 0));
    assert_eq!((small.bads[0], small.constraints.len()), (Lit::FALSE, 0));
    let verdict = decided(&stuck, &["constants", "cone"], "ic3");
    assert!(matches!(verdict, Ok(Verdict::Safe(_))), "{verdict:?}");
}

#[test]
fn sweeping_merges_equal_functions() {
    // Two ways to write an exclusive disjunction, compared.
    let mut circuit = circuit(2, 1);
    let (x, y) = (circuit.input(0), circuit.input(1));
    let one = xor(&mut circuit, x, y);
    let left = and(&mut circuit, x, !y);
    let right = and(&mut circuit, !x, y);
    let other = and(&mut circuit, !left, !right);
    let same = xor(&mut circuit, one, !other);
    circuit.latches[0].next = same;
    circuit.bads.push(circuit.latch(0));
    let (small, _) = simplified(&circuit, &["rewrite", "cone"]);
    assert!(!small.ands.is_empty());
    let (small, _) = simplified(&circuit, &["sweep", "cone"]);
    assert_eq!((small.ands.len(), small.latches[0].next), (0, Lit::FALSE));
    let verdict = decided(&circuit, &["sweep", "cone"], "ic3");
    assert!(matches!(verdict, Ok(Verdict::Safe(_))), "{verdict:?}");
}

/// The low half of a product, by rows of adders.
fn product(circuit: &mut Circuit, left: &[Lit], right: &[Lit]) -> Vec<Lit> {
    let mut sum = vec![Lit::FALSE; left.len()];
    for (shift, bit) in right.iter().enumerate() {
        let mut carry = Lit::FALSE;
        for place in shift..left.len() {
            let (a, b) = (sum[place], and(circuit, left[place - shift], *bit));
            let half = xor(circuit, a, b);
            let (both, through) = (and(circuit, a, b), and(circuit, half, carry));
            sum[place] = xor(circuit, half, carry);
            carry = !and(circuit, !both, !through);
        }
    }
    sum
}

/// Questions about a multiplier have no answers, and the sweep soon asks less of them.
#[test]
fn sweeping_multipliers_ends_soon() {
    let bits = 64;
    let mut twice = circuit(2 * bits as u32, bits);
    let inputs: Vec<Lit> = (0..2 * bits).map(|index| twice.input(index)).collect();
    let (x, y) = inputs.split_at(bits);
    let (one, other) = (product(&mut twice, x, y), product(&mut twice, y, x));
    for (bit, (one, other)) in one.into_iter().zip(other).enumerate() {
        twice.latches[bit].next = !xor(&mut twice, one, other);
    }
    let latches: Vec<Lit> = (0..bits).map(|bit| twice.latch(bit)).collect();
    let none = latches.into_iter().fold(Lit::TRUE, |none, bit| and(&mut twice, none, !bit));
    twice.bads.push(!none);
    twice.validate().expect("well formed");
    let usual: Vec<_> = CIRCUIT_TRANSFORMS.iter().filter(|t| t.is_default).collect();
    let mut sink = |_| {};
    let mut ctx = Ctx::new(200_000, Stopper::new(), 1, &mut sink);
    let (small, _) = simplify_circuit(&twice, &usual, &mut ctx).expect("within the budget");
    assert!(small.ands.len() < twice.ands.len() * 3 / 4, "{} gates", small.ands.len());
}

#[test]
fn names_stay() {
    let mut twin = twin_counters(3);
    twin.symbols.entries.push((b'l', 2, "high".to_owned()));
    twin.symbols.entries.push((b'i', 0, "count".to_owned()));
    twin.bads = vec![twin.latch(2)];
    let (small, _) =
        simplified(&twin, &["cone", "constants", "rewrite", "correspondence", "sweep"]);
    assert_eq!(small.symbols.name(b'l', small.latches.len() - 1), Some("high"));
    assert_eq!(small.symbols.name(b'i', 0), Some("count"));
}

/// A circuit from its variables: inputs, then latches as (next, reset), then gates.
fn written(inputs: u32, latches: &[(i32, i32)], gates: &[(i32, i32)]) -> Circuit {
    let lit = |code: i32| Lit::new(code.unsigned_abs(), code < 0);
    let mut circuit = circuit(inputs, latches.len());
    for (latch, (next, reset)) in circuit.latches.iter_mut().zip(latches) {
        *latch = Latch { next: lit(*next), reset: lit(*reset) };
    }
    for (left, right) in gates {
        circuit.ands.push(alphorn_problem::circuit::And { left: lit(*left), right: lit(*right) });
    }
    circuit
}

#[test]
fn resets_that_read_inputs_lose_no_answer_that_a_set_of_states_can_give() {
    let not = |var: u32| Lit::new(var, true);
    // Two latches that start equal, by an input; the constraints let them start with 0.
    let mut equal = written(3, &[(-6, -7), (1, 2)], &[(5, 2), (-2, -5)]);
    equal.constraints = vec![not(4), not(3)];
    equal.bads = vec![Lit::new(5, false)];
    // The last latch starts with 1, as the second one does, whatever the input is.
    let gates = [(3, 3), (3, 6), (-6, 1), (1, -2), (7, 8), (1, 7)];
    let mut implied = written(1, &[(8, 0), (-1, 0), (7, 0), (-2, -8)], &gates);
    implied.latches[0].reset = Lit::TRUE;
    implied.latches[1].reset = Lit::TRUE;
    implied.constraints = vec![not(5)];
    for bad in [not(3), not(8), not(9)] {
        implied.bads = vec![bad];
        if shortest_violation(&implied).is_none() {
            break;
        }
    }
    for (circuit, names) in [(&equal, &["phase", "resets"][..]), (&implied, &["resets", "fold"])] {
        circuit.validate().expect("well formed");
        assert_eq!(shortest_violation(circuit), None);
        for engine in ["ic3", "imc", "avy", "igr"] {
            let verdict = decided(circuit, names, engine);
            assert!(matches!(verdict, Ok(Verdict::Safe(_))), "{engine}: {verdict:?}");
        }
    }
}

/// The first state goes with one value of an input, and with the other one something bad follows: no set of states
/// says that, and an induction over the first steps does.
#[test]
fn where_no_set_of_states_will_do_an_induction_takes_its_place() {
    let gates = [(7, -1), (3, 4), (-9, 10), (5, 3)];
    let mut tied = written(4, &[(12, -10), (7, 0), (4, 0), (-4, 8), (7, 9)], &gates);
    tied.latches[1].reset = Lit::TRUE;
    tied.latches[2].reset = Lit::TRUE;
    tied.constraints = vec![Lit::new(13, false)];
    let bads = [Lit::new(1, false), Lit::new(12, true), Lit::new(7, true)];
    let mut told = 0;
    for bad in bads {
        tied.bads = vec![bad];
        tied.validate().expect("well formed");
        if shortest_violation(&tied).is_some() {
            continue;
        }
        for engine in ["ic3", "imc", "avy", "igr"] {
            let alone = decided(&tied, &[], engine);
            let Err(Stop::Stuck(why)) = alone else { panic!("{engine}: {alone:?}") };
            assert!(why.contains("tied to the first inputs"), "{engine}: {why}");
            let verdict =
                decided(&tied, &["constants", "phase", "resets", "fold", "sticky"], engine);
            assert!(matches!(verdict, Ok(Verdict::Safe(_))), "{engine}: {verdict:?}");
            told += 1;
        }
    }
    assert!(told >= 4, "one of the properties holds");
}
