//! T2's language as flows: locations, relations of transitions, and where runs end.

use alphorn_front::t2;
use alphorn_problem::Flow;
use alphorn_program::program_to_flow;

#[track_caller]
fn flow(text: &str) -> Flow {
    let (program, diagnostics) = t2::read_runs(text.as_bytes());
    assert!(diagnostics.list.is_empty(), "{text}\n{diagnostics:#?}");
    let program = program.expect("a text without errors is a program");
    let flow = program_to_flow(&program).expect("it has no calls");
    flow.validate().expect("the flow is valid");
    flow
}

/// The transitions: from, to, formula, number of inputs.
fn steps(flow: &Flow) -> Vec<(&str, &str, String, usize)> {
    let step = |found: &alphorn_problem::flow::Transition| {
        let ends = [found.from, found.to].map(|end| flow.location_name(end));
        (ends[0], ends[1], flow.terms.show(found.formula).to_string(), found.inputs.len())
    };
    flow.transitions.iter().map(step).collect()
}

#[test]
fn locations_keep_their_names_and_transitions_are_relations() {
    let found = flow(
        "START: 0; CUTPOINT: 2;\nFROM: 0; x := nondet(); TO: 1;\n\
         FROM: 1; assume(x > 0); x := x - 1; y := x + y; TO: 1;\nFROM: 1; assume(x <= 0); TO: 2;\n\
         FROM: 2; x := nondet() + 1; assume(x > y); TO: 1;",
    );
    assert_eq!(found.vars.len(), 2);
    let names: Vec<&str> = found.location_ids().map(|l| found.location_name(l)).collect();
    assert_eq!(names.len(), 3);
    assert!(["0", "1", "2"].iter().all(|name| names.contains(name)));
    assert_eq!(found.starts.len(), 1);
    let start = &found.starts[0];
    assert_eq!(
        (found.location_name(start.at), found.terms.show(start.formula).to_string().as_str()),
        ("0", "true")
    );
    let steps = steps(&found);
    assert_eq!(steps.len(), 4);
    let of = |from: &str, to: &str| {
        steps.iter().find(|step| (step.0, step.1) == (from, to)).expect("there is such a step")
    };
    // Any value is a successor that nothing is said about.
    assert_eq!((of("0", "1").2.matches("x").count(), of("0", "1").3), (0, 0), "{}", of("0", "1").2);
    // The second assignment sees the first.
    assert!(of("1", "1").2.contains("(+ x"), "{}", of("1", "1").2);
    assert_eq!(of("1", "1").3, 0);
    // The cutpoint ends no run, and any value plus one needs an input.
    assert_eq!(of("2", "1").3, 1, "{}", of("2", "1").2);
}

#[test]
fn a_transition_that_cannot_be_taken_is_none() {
    let found =
        flow("START: a; FROM: a; assume(1 > 2); TO: a; FROM: a; x := 3; assume(x < 2); TO: a;");
    assert_eq!(found.transitions.len(), 0);
}
