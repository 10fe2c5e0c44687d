//! Flows written as files of the termination competition and of T2: reading them gives the same flows.

use alphorn_front::{its, t2};
use alphorn_problem::Flow;
use alphorn_problem::flow::LocId;
use alphorn_program::program_to_flow;
use alphorn_term::TermId;
use alphorn_testkit::Rng;
use alphorn_testkit::flow::oracle::explore;
use alphorn_testkit::flow::random::{Small, random_flow};

/// A flow as text in which variables and inputs have names by their positions.
fn canonical(flow: &Flow) -> Vec<String> {
    let mut terms = flow.terms.clone();
    let mut from: Vec<TermId> = flow.vars.iter().chain(&flow.next).copied().collect();
    let mut to: Vec<TermId> = Vec::new();
    for (position, &var) in from.iter().enumerate() {
        let sort = terms.sort(var);
        to.push(terms.var(&format!("canonical{position}"), sort));
    }
    let mut lines: Vec<String> = flow.locations.iter().map(|one| one.name.clone()).collect();
    let mut line = |ends: &[LocId], formula: TermId, inputs: &[TermId]| {
        let free = terms.free_vars(&[formula]);
        let own = from.len();
        for &input in inputs.iter().filter(|input| free.contains(input)) {
            let sort = terms.sort(input);
            to.push(terms.var(&format!("input{}", from.len() - own), sort));
            from.push(input);
        }
        let renamed = terms.rename(formula, &from, &to);
        from.truncate(own);
        to.truncate(own);
        lines.push(format!("{ends:?} {}", terms.show(renamed)));
    };
    for start in &flow.starts {
        line(&[start.at], start.formula, &start.inputs);
    }
    for step in &flow.transitions {
        line(&[step.from, step.to], step.formula, &step.inputs);
    }
    lines
}

#[track_caller]
fn read(text: &str) -> Flow {
    let (flow, diagnostics) = its::read(text.as_bytes());
    assert!(diagnostics.list.is_empty(), "{text}\n{diagnostics:#?}");
    flow.expect("a text without errors is a flow")
}

#[track_caller]
fn read_t2(text: &str) -> Flow {
    let (program, diagnostics) = t2::read_runs(text.as_bytes());
    assert!(diagnostics.list.is_empty(), "{text}\n{diagnostics:#?}");
    program_to_flow(&program.expect("a text without errors is a program")).expect("it has no calls")
}

#[test]
fn what_is_written_is_read_again() {
    for seed in 0..150 {
        let Small { open } = random_flow(&mut Rng::new(seed));
        let text = its::write(&open).expect("numbers and truth values can be written");
        let again = read(&text);
        assert_eq!(canonical(&open), canonical(&again), "seed {seed}\n{text}");
        assert_eq!(its::write(&again).expect("it can be written"), text, "seed {seed}");
    }
}

#[test]
fn names_that_mean_something_else_are_changed() {
    let text = "(declare-sort L 0)(declare-const Loc L)(declare-const pc L)(declare-const |a b| L)
        (assert (distinct Loc pc |a b|))
        (define-fun cfg_init ((pc L) (src L) (rel Bool)) Bool (and (= pc src) rel))
        (define-fun cfg_trans2 ((pc L) (src L) (pc1 L) (dst L) (rel Bool)) Bool
          (and (= pc src) (= pc1 dst) rel))
        (define-fun init_main ((p L) (Loc Int)) Bool (cfg_init p |a b| (> Loc 0)))
        (define-fun next_main ((p L) (Loc Int) (q L) (cfg_init Int)) Bool
          (cfg_trans2 p pc q Loc (exists ((pc Int)) (= cfg_init (* pc Loc)))))";
    let flow = read(text);
    let again = read(&its::write(&flow).expect("it can be written"));
    assert_eq!(again.transitions[0].inputs.len(), 1);
    assert_eq!(canonical(&flow)[3..], canonical(&again)[3..]);
    assert_eq!(again.location_name(LocId(2)), "a b");
}

#[test]
fn t2_has_the_same_infinite_runs_where_it_can_be_written() {
    let (mut written, mut same) = (0, 0);
    for seed in 0..250 {
        let small = random_flow(&mut Rng::new(seed));
        let bounded = small.bounded();
        let Ok(text) = t2::write(&bounded) else { continue };
        written += 1;
        let again = read_t2(&text);
        assert_eq!(again.vars.len(), bounded.vars.len(), "seed {seed}\n{text}");
        let (old, new) = (explore(&bounded), explore(&within(again)));
        assert_eq!(old.terminates, new.terminates, "seed {seed}\n{text}");
        same += usize::from(old.terminates);
    }
    assert!(written > 40 && same > 10, "{written} were written, {same} of them end");
}

/// The flow that `START` adds a location to is not bounded there, and what T2 leaves open is an input.
fn within(flow: Flow) -> Flow {
    Small { open: flow }.bounded()
}

#[test]
fn a_start_without_conditions_is_the_same_flow() {
    let text = "START: 0;\n\nFROM: 0;\n  assume(x <= 3);\n  y := x + y;\n  x := nondet();\nTO: 1;\n\n\
                FROM: 1;\n  x := 2 * x;\n  assume(x < y);\nTO: 0;\n";
    let flow = read_t2(text);
    let again = read_t2(&t2::write(&flow).expect("it can be written"));
    let sorted = |flow: &Flow| {
        let mut lines = canonical(flow);
        lines.sort();
        lines
    };
    assert_eq!(sorted(&flow), sorted(&again));
}

#[test]
fn what_t2_cannot_say_is_refused_with_a_reason() {
    let refused = |params: &str, relation: &str, words: &str| {
        let text = format!(
            "(declare-sort L 0)(declare-const a L)
             (define-fun cfg_init ((pc L) (src L) (rel Bool)) Bool (and (= pc src) rel))
             (define-fun cfg_trans2 ((pc L) (src L) (pc1 L) (dst L) (rel Bool)) Bool
               (and (= pc src) (= pc1 dst) rel))
             (define-fun init_main ((p L) {}) Bool (cfg_init p a true))
             (define-fun next_main ((p L) {} (q L) {}) Bool (cfg_trans2 p a q a {relation}))",
            params.replace('?', ""),
            params.replace('?', ""),
            params.replace('?', "'").replace("x'", "|x'|").replace("y'", "|y'|"),
        );
        let said = t2::write(&read(&text)).expect_err("it cannot be written").message;
        assert!(said.contains(words), "{relation}: {said}");
    };
    let two = "(x? Int) (y? Int)";
    refused(two, "(and (= |x'| y) (= |y'| x))", "change places");
    refused(two, "(and (< |x'| x) (= |y'| y))", "what they were");
    refused(two, "(and (= |x'| (mod x 2)) (= |y'| y))", "Mod");
    refused(two, "(exists ((i Int)) (and (= |x'| (+ i x)) (= |y'| i)))", "twice");
    refused("(x? Bool)", "(= x |x'|)", "integers");
}
