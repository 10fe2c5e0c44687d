//! The ARI form of transition systems: what flows files are, and what is said about mistakes.

use alphorn_front::its;
use alphorn_front::{Code, Severity};
use alphorn_problem::Flow;
use alphorn_testkit::Rng;
use alphorn_testkit::reading::{clean, complains_first, rearranged};

const HEAD: &str = "(format LCTRS :smtlib 2.6)\n(theory Ints)\n(fun f (-> Int Int Int))\n\
    (fun g (-> Int Bool Int))\n(fun stop Int)\n(entrypoint f)\n";

#[track_caller]
fn flow(text: &str) -> Flow {
    let flow = clean(its::read_ari(text.as_bytes()), text);
    flow.validate().expect("what is read is valid");
    flow
}

#[track_caller]
fn complain(text: &str, code: Code, severity: Severity, words: &str) {
    complains_first(its::read_ari(text.as_bytes()), text, (code, severity, words));
}

#[test]
fn rules_are_transitions_between_functions() {
    let found = flow(&format!(
        "; a comment\n{HEAD}\
         (rule (f x y) (f (- x 1) y) :guard (and (> x 0) (< y -3)))\n\
         (rule (f x x) (g z b) :guard (> z x))\n\
         (rule (g 3 b) stop :guard b)\n\
         (rule (g u c) (g w c) :guard (= u (* 2 w)) :var ((u Int) (w Int) (c Bool)))\n\
         (rule stop 0)\n"
    ));
    let names: Vec<&str> = found.location_ids().map(|l| found.location_name(l)).collect();
    assert_eq!(names, ["f", "g", "stop"]);
    // Two integers and a truth value.
    assert_eq!(found.vars.len(), 3);
    assert_eq!(found.starts.len(), 1);
    assert_eq!(found.location_name(found.starts[0].at), "f");
    // What rewrites to a number ends.
    assert_eq!(found.transitions.len(), 4);
    let shown = |at: usize| found.terms.show(found.transitions[at].formula).to_string();
    assert!(shown(0).contains("(- 3)"), "{}", shown(0));
    // Both arguments are the same.
    assert!(shown(1).contains("(= x2 x1)") || shown(1).contains("(= x1 x2)"), "{}", shown(1));
    assert!(shown(2).contains("3"), "{}", shown(2));
    assert!(found.transitions.iter().all(|step| step.inputs.is_empty()));
}

#[test]
fn without_an_entry_point_runs_begin_anywhere() {
    let found = flow(
        "(format LCTRS)(theory Ints)(fun f (-> Int Int))(fun g Int)(rule (f x) (f y))(rule g (f i))",
    );
    assert_eq!(found.starts.len(), 2);
    assert_eq!(found.transitions.len(), 2);
}

#[test]
fn variables_of_rules_are_their_own() {
    let found = flow(
        "(format LCTRS)(theory Ints)(fun f (-> Int Int))(entrypoint f)\
         (rule (f x) (f (+ x i)) :guard (> i 0))(rule (f x1) (f (* i i)))\
         (rule (f x) (f x) :guard (exists ((i Int)) (= x (* 2 i))))",
    );
    let inputs: Vec<_> = found.transitions.iter().flat_map(|step| &step.inputs).collect();
    let different: std::collections::BTreeSet<_> = inputs.iter().collect();
    assert_eq!((inputs.len(), different.len()), (3, 3));
}

#[test]
fn mistakes_have_a_code() {
    let (error, unsupported) = (Severity::Error, Severity::Unsupported);
    let after = |rest: &str| format!("{HEAD}{rest}");
    complain(&after("(rule (f x y) (h x))"), Code::SmtUndeclared, error, "h");
    complain(&after("(rule (f x) (f x x))"), Code::SmtSort, error, "2 arguments, not 1");
    complain(&after("(rule (f x y) (g x y))"), Code::SmtSort, error, "another sort");
    complain(
        &after("(rule (f x y) (f x y) :guard (+ x 1))"),
        Code::SmtSort,
        error,
        "not a formula",
    );
    complain(&after("(rule (f x y) (+ 1 (f x y)))"), Code::ItsUntreated, unsupported, "recursion");
    complain(&after("(rule (f x y) (f (f x y) y))"), Code::ItsUntreated, unsupported, "recursion");
    complain(&after("(rule 3 (f 1 2))"), Code::ItsForm, error, "left side");
    complain(
        &after("(rule (f x y) (f x y) :cost 1)"),
        Code::ItsUntreated,
        unsupported,
        "part of a rule",
    );
    complain(&after("(entrypoint g)"), Code::ItsForm, error, "one entry point");
    complain(&after("(fun f Int)"), Code::SmtRedeclared, error, "twice");
    complain(&after("(ruled (f x y) (f x y))"), Code::ItsForm, error, "rule");
    complain(&after(")"), Code::SmtParen, error, "closes nothing");
    complain("(theory Ints)(fun f Int)", Code::ItsForm, error, "format");
    complain("(format TRS)", Code::ItsUntreated, unsupported, "LCTRS");
    complain("(format LCTRS)(theory Reals)", Code::ItsUntreated, unsupported, "Ints");
    complain("(format LCTRS)(entrypoint f)", Code::SmtUndeclared, error, "location `f`");
    complain("(format LCTRS", Code::SmtParen, error, "not closed");
    complain(
        &after("(rule (f x y) (f x y) :guard (forall ((i Int)) (> x (* i i))))"),
        Code::ItsQuantifier,
        unsupported,
        "all values",
    );
    complain("", Code::FileEmpty, error, "empty");
}

#[test]
fn deep_rules_need_no_stack() {
    const DEPTH: usize = 100_000;
    let deep = format!("{}x{}", "(abs (- y ".repeat(DEPTH), "))".repeat(DEPTH));
    flow(&format!("{HEAD}(rule (f x y) (f {deep} y))"));
    its::read_ari("(".repeat(DEPTH).as_bytes());
    its::read_ari("(rule ".repeat(DEPTH).as_bytes());
}

#[test]
fn files_of_this_form_are_recognised() {
    assert!(its::begins_ari(b"; @author x\n ( format LCTRS)"));
    assert!(!its::begins_ari(b"(format TRS)"));
    assert!(!its::begins_ari(b""));
    assert!(!its::begins(HEAD.as_bytes()));
}

/// Whatever bytes there are, the reader ends and does not panic, and what it returns is valid.
#[test]
fn damaged_files_are_refused_or_valid() {
    let good = format!(
        "{HEAD}(rule (f x y) (g z b) :guard (> z -1) :var ((b Bool)))\n(rule (g u c) stop)\n"
    );
    let pieces: Vec<&str> = good.split_inclusive([' ', '(', ')', '\n']).collect();
    let mut rng = Rng::new(7);
    for _ in 0..3_000 {
        let (flow, diagnostics) = its::read_ari(rearranged(&pieces, &mut rng).as_bytes());
        assert_eq!(flow.is_some(), diagnostics.is_clean());
        if let Some(flow) = flow {
            flow.validate().expect("what is read is valid");
        }
    }
}
