//! The evaluator against recursion.

use alphorn_check::circuit::{MAX_VARIABLES, Simulation, Ternary, Value};
use alphorn_problem::circuit::{Circuit, Lit};

use alphorn_testkit::Rng;
use alphorn_testkit::circuit::build::circuit;
use alphorn_testkit::circuit::oracle::value;
use alphorn_testkit::circuit::random::{Size, circuit_of};

/// Puts `state` and `input` on the wires.
fn set<V: Value>(
    simulation: &mut Simulation<V>,
    circuit: &Circuit,
    state: usize,
    input: usize,
    wire: impl Fn(bool) -> V,
) {
    for index in 0..circuit.inputs as usize {
        simulation.set(circuit.input(index).var(), wire(input >> index & 1 == 1));
    }
    for index in 0..circuit.latches.len() {
        simulation.set(circuit.latch(index).var(), wire(state >> index & 1 == 1));
    }
}

#[test]
fn all_kinds_of_values_agree_with_recursion() {
    let mut random = Rng::new(1);
    for _ in 0..300 {
        let circuit = circuit_of(&mut random, Size::SMALL);
        let mut one = Simulation::<bool>::new(&circuit).expect("the circuit is well formed");
        let mut many = Simulation::<u64>::new(&circuit).expect("the circuit is well formed");
        let mut ternary = Simulation::<Ternary>::new(&circuit).expect("the circuit is well formed");
        let patterns: Vec<(usize, usize)> = (0..64)
            .map(|_| (random.below(1 << circuit.latches.len()), random.below(1 << circuit.inputs)))
            .collect();
        for var in 1..=circuit.inputs + circuit.latches.len() as u32 {
            let lit = Lit::new(var, false);
            let bits = patterns.iter().enumerate();
            let word = bits.map(|(lane, (s, i))| u64::from(value(&circuit, lit, *s, *i)) << lane);
            many.set(var, word.sum());
        }
        many.settle();
        many.advance();
        many.settle();
        for (lane, &(state, input)) in patterns.iter().enumerate() {
            let next = |(l, latch): (usize, &alphorn_problem::circuit::Latch)| {
                usize::from(value(&circuit, latch.next, state, input)) << l
            };
            let next = circuit.latches.iter().enumerate().map(next).sum();
            set(&mut one, &circuit, state, input, |bit| bit);
            set(&mut ternary, &circuit, state, input, |bit| {
                if bit { Ternary::One } else { Ternary::Zero }
            });
            one.settle();
            ternary.settle();
            for code in 0..2 * (circuit.max_var() + 1) {
                let expected = value(&circuit, Lit(code), state, input);
                assert_eq!(one.value(Lit(code)), expected);
                assert_eq!(ternary.value(Lit(code)) == Ternary::One, expected);
                assert_eq!(ternary.value(Lit(code)) == Ternary::Zero, !expected);
                let later = value(&circuit, Lit(code), next, input);
                assert_eq!(many.value(Lit(code)) >> lane & 1 == 1, later);
            }
        }
    }
}

#[test]
fn known_ternary_values_hold_for_all_unknowns() {
    let mut random = Rng::new(2);
    for _ in 0..300 {
        let circuit = circuit_of(&mut random, Size::SMALL);
        let leaves = circuit.inputs as usize + circuit.latches.len();
        let (unknown, values) = (random.below(1 << leaves), random.below(1 << leaves));
        let mut simulation = Simulation::<Ternary>::new(&circuit).expect("well formed");
        for leaf in 0..leaves {
            let wire = match (unknown >> leaf & 1, values >> leaf & 1) {
                (1, _) => Ternary::Unknown,
                (_, 1) => Ternary::One,
                _ => Ternary::Zero,
            };
            simulation.set(1 + leaf as u32, wire);
        }
        simulation.settle();
        for filled in (0..1 << leaves).filter(|filled| (filled ^ values) & !unknown == 0) {
            let (state, input) = (filled >> circuit.inputs, filled & ((1 << circuit.inputs) - 1));
            for var in 0..=circuit.max_var() {
                let lit = Lit::new(var, false);
                match simulation.value(lit) {
                    Ternary::Unknown => {}
                    known => assert_eq!(known == Ternary::One, value(&circuit, lit, state, input)),
                }
            }
        }
    }
}

#[test]
fn resets_solve_the_reset_relation() {
    let mut random = Rng::new(3);
    for _ in 0..500 {
        let circuit = circuit_of(&mut random, Size::SMALL);
        let mut simulation = Simulation::<bool>::new(&circuit).expect("well formed");
        let (state, input) =
            (random.below(1 << circuit.latches.len()), random.below(1 << circuit.inputs));
        set(&mut simulation, &circuit, state, input, |bit| bit);
        simulation.reset();
        let first: usize =
            simulation.state().iter().enumerate().map(|(l, bit)| usize::from(*bit) << l).sum();
        for index in 0..circuit.latches.len() {
            let reset = value(&circuit, circuit.latches[index].reset, first, input);
            assert_eq!(reset, first >> index & 1 == 1);
            if circuit.is_uninitialised(index) {
                assert_eq!(first >> index & 1, state >> index & 1);
            }
        }
    }
}

#[test]
fn malformed_circuits_are_refused() {
    let well_formed = circuit(1, 2);
    assert!(Simulation::<bool>::new(&well_formed).is_ok());
    let mut own_negation = well_formed.clone();
    own_negation.latches[1].reset = !own_negation.latch(1);
    let mut around = well_formed.clone();
    around.latches[0].reset = around.latch(1);
    around.latches[1].reset = !around.latch(0);
    let mut beyond = well_formed.clone();
    beyond.latches[0].next = Lit(100);
    let mut huge = well_formed.clone();
    huge.inputs = u32::MAX;
    let mut large = well_formed.clone();
    large.inputs = MAX_VARIABLES as u32 - 1;
    for malformed in [own_negation, around, beyond, huge, large] {
        assert!(Simulation::<bool>::new(&malformed).is_err());
    }
}
