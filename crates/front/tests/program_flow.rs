//! Programs as flows: bodies in the place of calls, and what is refused.

use alphorn_front::nts;
use alphorn_problem::Flow;
use alphorn_program::program_to_flow;
use alphorn_testkit::flow::oracle::explore;
use alphorn_testkit::flow::random::Small;

#[track_caller]
fn flow(text: &str) -> Result<Flow, String> {
    let (program, diagnostics) = nts::read(text.as_bytes());
    assert!(diagnostics.is_clean(), "{text}\n{diagnostics:#?}");
    let program = program.expect("a text without errors is a program");
    program_to_flow(&program).map_err(|untreated| untreated.what)
}

/// Whether every run of the flow ends that stays within a small domain.
#[track_caller]
fn terminates(text: &str) -> bool {
    let open = flow(text).expect("it is a flow");
    open.validate().expect("the flow is valid");
    explore(&Small { open }.bounded()).terminates
}

/// A loop that calls; `body` is what the called system does with `x` for its result `y`.
fn calling(body: &str) -> String {
    format!(
        "nts calls;\nmain {{\n  n : int;\n  initial start;\n  start -> loop {{ n' = 2 and havoc(n) }}\n  \
         loop -> loop {{ n > 0 and n' = step(n) and havoc(n) }}\n}}\n\
         step {{\n  in x : int;\n  out y : int;\n  initial begin;\n  final end;\n  {body}\n}}\n"
    )
}

#[test]
fn what_a_called_system_does_is_done_where_it_is_called() {
    assert!(terminates(&calling("begin -> end { y' = x - 1 and havoc(y) }")));
    assert!(!terminates(&calling("begin -> end { y' = x and havoc(y) }")));
    // One way through the called system is enough for a run that goes on.
    let two = "begin -> end { y' = x - 1 and havoc(y) }\n  begin -> end { y' = x and x = 1 and havoc(y) }";
    assert!(!terminates(&calling(two)));
    // A run may stay in the called system, or end there.
    assert!(!terminates(&calling("begin -> begin { havoc() }")));
    assert!(terminates(&calling("begin -> end { x < 0 and y' = x and havoc(y) }")));
}

/// One call of a system that calls itself on what `argument` says of `x`, as long as `x` is positive.
fn recursive(argument: &str) -> String {
    let ways = format!(
        "begin -> middle {{ x > 0 and havoc() }}\n  middle -> end {{ y' = step({argument}) and havoc(y) }}\n  \
         begin -> end {{ x <= 0 and y' = 0 and havoc(y) }}"
    );
    calling(&ways).replace("loop -> loop", "loop -> done")
}

#[test]
fn calls_that_need_not_come_back_are_what_recursion_adds() {
    assert!(terminates(&recursive("x - 1")));
    assert!(!terminates(&recursive("x")));
    assert!(!terminates(&recursive("1")));
    // What a call comes back with is any value, so that nothing is shown by a run.
    assert!(flow(&recursive("x - 1")).expect("it is a flow").is_loose);
    assert!(!flow(&calling("begin -> end { y' = x - 1 and havoc(y) }")).expect("a flow").is_loose);
}

#[test]
fn the_caller_goes_on_after_a_call_that_comes_back() {
    // The loop of the caller never ends, whatever the recursive system does.
    let again = "loop -> loop { n > 0 and havoc() }\n}\nstep";
    assert!(!terminates(&recursive("x - 1").replace("}\nstep", again)));
    // It goes on after the call, with any result.
    let after = "done -> done { n = 0 - 1 and havoc() }\n}\nstep";
    assert!(!terminates(&recursive("x - 1").replace("}\nstep", after)));
    let after = "done -> done { n > n and havoc() }\n}\nstep";
    assert!(terminates(&recursive("x - 1").replace("}\nstep", after)));
}

#[test]
fn systems_that_call_each_other_are_taken_apart_together() {
    let other = |argument: &str| {
        let text = recursive("x - 1").replace("y' = step(x - 1)", "y' = other(x - 1)");
        text + &format!(
            "other {{\n  in x : int;\n  out y : int;\n  initial begin;\n  final end;\n  \
             begin -> end {{ y' = step({argument}) and havoc(y) }}\n}}\n"
        )
    };
    assert!(terminates(&other("x")));
    assert!(!terminates(&other("x + 1")));
}

#[test]
fn each_call_has_values_of_its_own() {
    // The second call sees the result of the first.
    let text = "nts twice;\nmain {\n  a, b : int;\n  initial start;\n\
        start -> one { a' = 0 and havoc(a) }\n  one -> two { b' = next(a) and havoc(b) }\n\
        two -> three { a' = next(b) and havoc(a) }\n\
        three -> three { a = 2 and b = 1 and havoc() }\n}\n\
        next {\n  in x : int;\n  out y : int;\n  initial begin;\n  final end;\n\
        begin -> end { y' = x + 1 and havoc(y) }\n}\n";
    assert!(!terminates(text));
    assert!(terminates(&text.replace("a = 2", "a = 1")));
}
