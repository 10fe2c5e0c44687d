//! What a question about parameters is, and what its twin is made of.

use super::*;

/// Two parameters, an input and a latch that becomes 1 with the input unless the first parameter is set.
fn small() -> Parametric {
    let mut circuit = Circuit { inputs: 1, ..Circuit::default() };
    let free = |var: u32| Latch { next: Lit::new(var, false), reset: Lit::new(var, false) };
    circuit.latches = vec![free(2), free(3), Latch { next: Lit::FALSE, reset: Lit::FALSE }];
    let set = and(&mut circuit, Lit::new(1, false), Lit::new(2, true));
    circuit.latches[2].next = set;
    circuit.bads = vec![Lit::new(4, false)];
    let cost = Cost { name: "c".into(), base: 1, weights: vec![2, 3] };
    Parametric { circuit, property: 0, params: vec![0, 1], costs: vec![cost] }
}

#[test]
fn a_valuation_costs_the_base_and_what_it_raises() {
    let problem = small();
    assert_eq!(problem.validate(), Ok(()));
    assert_eq!(problem.price(&[false, false]), [1]);
    assert_eq!(problem.price(&[true, true]), [6]);
    let at = problem.at(&[true, false]);
    assert_eq!(at.constraints, [Lit::new(2, false), Lit::new(3, true)]);
}

#[test]
fn what_is_no_parameter_or_no_cost_is_refused() {
    let changed = |change: &dyn Fn(&mut Parametric)| {
        let mut problem = small();
        change(&mut problem);
        problem.validate().err()
    };
    type Change<'a> = &'a dyn Fn(&mut Parametric);
    let cases: [(Change<'_>, &str); 7] = [
        (&|p| p.params = vec![0, 2], "latch 2 does not start with anything"),
        (&|p| p.circuit.latches[1].next = Lit::FALSE, "latch 1 does not keep its value"),
        (&|p| p.params = vec![1, 0], "the parameters are not listed in ascending order"),
        (&|p| p.params = vec![0, 9], "the circuit has no latch 9"),
        (&|p| p.costs[0].weights = vec![1], "a cost has 1 weights for 2 parameters"),
        (&|p| p.costs.clear(), "there must be a parameter and a cost"),
        (&|p| p.costs[0].weights[0] = u64::MAX, "a cost can be more than 4611686018427387904"),
    ];
    for (change, reason) in cases {
        assert_eq!(changed(change).as_deref(), Some(reason));
    }
}

#[test]
fn the_twin_is_a_circuit_with_both_copies_and_one_property() {
    let problem = small();
    let twin = problem.twin();
    assert_eq!(twin.validate(), Ok(()));
    assert_eq!((twin.inputs, twin.latches.len(), twin.bads.len()), (1, 7, 1));
    // The copies of what is neither a parameter nor initialised start alike.
    let mut open = problem.clone();
    open.params = vec![0];
    open.costs[0].weights = vec![2];
    let twin = open.twin();
    assert!(twin.is_uninitialised(3), "the low parameter");
    assert_eq!(twin.latches[4].reset, twin.latch(1), "the low copy of another latch");
}
