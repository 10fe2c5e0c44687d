//! Transition systems of the termination competition: what flows files are, and what is said about mistakes.

use alphorn_front::its;
use alphorn_front::{Code, Severity};
use alphorn_problem::Flow;
use alphorn_term::TermId;
use alphorn_testkit::Rng;
use alphorn_testkit::reading::{clean, complains_first, rearranged};

const WORDS: &str = "(define-fun cfg_init ((pc Loc) (src Loc) (rel Bool)) Bool (and (= pc src) rel))
(define-fun cfg_trans2 ((pc Loc) (src Loc) (pc1 Loc) (dst Loc) (rel Bool)) Bool
  (and (= pc src) (= pc1 dst) rel))
(define-fun cfg_trans3 ((pc Loc) (exit Loc) (pc1 Loc) (call Loc) (pc2 Loc) (return Loc) (rel Bool)) Bool
  (and (= pc exit) (= pc1 call) (= pc2 return) rel))
";

/// A file over `x` and `y` with these starts and transitions.
fn file(init: &str, next: &str) -> String {
    format!(
        "(declare-sort Loc 0)\n(declare-const l0 Loc)\n(declare-const l1 Loc)\n\
         (assert (distinct l0 l1))\n{WORDS}(define-fun init_main ((pc^0 Loc) (x^0 Int) (y^0 Int)) Bool\n{init})\n\
         (define-fun next_main ((pc^0 Loc) (x^0 Int) (y^0 Int) (pc^post Loc) (x^post Int) (y^post Int)) Bool\n{next})\n"
    )
}

#[track_caller]
fn flow(text: &str) -> Flow {
    let flow = clean(its::read(text.as_bytes()), text);
    flow.validate().expect("what is read is valid");
    flow
}

#[track_caller]
fn complain(text: &str, code: Code, severity: Severity, words: &str) {
    complains_first(its::read(text.as_bytes()), text, (code, severity, words));
}

fn shown(flow: &Flow, formula: TermId) -> String {
    flow.terms.show(formula).to_string()
}

#[test]
fn a_disjunction_is_a_transition_each() {
    let found = flow(&file(
        "(cfg_init pc^0 l0 (= y^0 0))",
        "(or (cfg_trans2 pc^0 l0 pc^post l1 (and (<= 1 (+ 0 x^0)) (= x^post (+ -1 x^0))))\n\
            (or (cfg_trans2 pc^0 l1 pc^post l0 (= x^0 x^post)) false))",
    ));
    let names: Vec<&str> = found.vars.iter().filter_map(|&v| found.terms.var_name(v)).collect();
    assert_eq!(names, ["x^0", "y^0"]);
    assert_eq!(
        found.location_ids().map(|l| found.location_name(l)).collect::<Vec<_>>(),
        ["l0", "l1"]
    );
    assert_eq!((found.starts.len(), found.transitions.len()), (1, 2));
    assert_eq!(found.location_name(found.starts[0].at), "l0");
    assert_eq!(shown(&found, found.starts[0].formula), "(= y^0 0)");
    let step = &found.transitions[0];
    assert_eq!((found.location_name(step.from), found.location_name(step.to)), ("l0", "l1"));
    let formula = shown(&found, step.formula);
    assert!(formula.contains("x^post"), "{formula}");
    assert!(formula.contains("(- 1)"), "a sign in front makes a number: {formula}");
    assert!(found.transitions.iter().all(|step| step.inputs.is_empty()));
}

#[test]
fn the_two_formulas_may_come_in_any_order_and_under_other_names() {
    let text = format!(
        "(set-logic LIA)(set-info :source |x|)(declare-sort L 0)(declare-fun a () L)\n{}\
         (define-fun double ((v Int)) Int (* 2 v))\
         (define-fun next_main ((p L) (x Int) (q L) (z Int)) Bool (cfg_trans2 p a q a (= z (double x))))\
         (define-fun init_main ((p L) (w Int)) Bool (or (cfg_init p a (> w 3)) (cfg_init p a (< w 0))))\
         (exit)",
        WORDS.replace("Loc", "L")
    );
    let found = flow(&text);
    assert_eq!(shown(&found, found.transitions[0].formula), "(= z (* 2 x))");
    assert_eq!(found.starts.len(), 2);
    assert_eq!(found.terms.free_vars(&[found.starts[0].formula]), found.vars);
}

#[test]
fn what_is_said_to_exist_is_an_input_of_its_own() {
    let relation = "(or (exists ((a Int)) (and (> a x^0) (exists ((b Int)) (= x^post (+ a b)))))\n\
                    (exists ((a Int)) (< a (* x^0 y^0))) (not (forall ((x^0 Int)) (> x^0 y^0))))";
    let step = format!("(cfg_trans2 pc^0 l0 pc^post l1 {relation})");
    let found = flow(&file(
        "(cfg_init pc^0 l0 (exists ((a Int)) (> a x^0)))",
        &format!("(or {step} {step})"),
    ));
    assert_eq!(found.starts[0].inputs.len(), 1);
    assert_eq!(found.transitions[0].inputs.len(), 4);
    let mut all = found.starts[0].inputs.clone();
    all.extend(found.transitions.iter().flat_map(|step| &step.inputs));
    let different: std::collections::BTreeSet<TermId> = all.iter().copied().collect();
    assert_eq!((all.len(), different.len()), (9, 9));
}

#[test]
fn a_quantifier_that_is_no_input_is_refused() {
    let refused = |relation: &str| {
        let next = format!("(cfg_trans2 pc^0 l0 pc^post l1 {relation})");
        complain(&file("false", &next), Code::ItsQuantifier, Severity::Unsupported, "and, or");
    };
    refused("(forall ((a Int)) (> a x^0))");
    refused("(not (exists ((a Int)) (> a x^0)))");
    refused("(=> (exists ((a Int)) (> a (* a x^0))) (= x^0 0))");
    refused("(= (> x^0 0) (exists ((a Int)) (= a (* a x^0 y^0))))");
    refused("(ite (exists ((a Int)) (= y^0 (* a x^0))) (> x^0 0) (> y^0 0))");
}

#[test]
fn one_value_serves_the_same_formula_twice() {
    let exists =
        "(let ((e (exists ((a Int)) (= x^0 (* a y^0))))) (or (and e (> x^0 0)) (and e (< y^0 0))))";
    let next = format!("(cfg_trans2 pc^0 l0 pc^post l1 {exists})");
    assert_eq!(flow(&file("false", &next)).transitions[0].inputs.len(), 1);
}

#[test]
fn words_of_the_format_mean_what_the_competition_says() {
    let good = file("(cfg_init pc^0 l0 true)", "false");
    flow(&good);
    let other = good.replace("(and (= pc src) rel)", "(or (= pc src) rel)");
    complain(&other, Code::ItsForm, Severity::Error, "cfg_init");
    let other = good.replace("(pc Loc) (src Loc) (rel", "(pc Loc) (pc Loc) (rel");
    complain(&other, Code::ItsForm, Severity::Error, "cfg_init");
    let other = good.replace("(= pc1 dst) rel)", "(= pc1 src) rel)");
    complain(&other, Code::ItsForm, Severity::Error, "cfg_trans2");
    let start = good.find("(define-fun cfg_init").expect("it is there");
    let end = good.find("(define-fun cfg_trans2").expect("it is there");
    let without = format!("{}{}", &good[..start], &good[end..]);
    complain(&without, Code::ItsForm, Severity::Error, "not defined before");
    let twice = format!("{}{}", good, &good[start..end]);
    complain(&twice, Code::SmtRedeclared, Severity::Error, "defined twice");
}

#[test]
fn mistakes_have_a_place_and_a_code() {
    let good = file("(cfg_init pc^0 l0 true)", "(cfg_trans2 pc^0 l0 pc^post l1 (= x^post 1))");
    flow(&good);
    let says = |from: &str, to: &str, code: Code, severity: Severity, words: &str| {
        assert!(good.contains(from), "{from}");
        complain(&good.replace(from, to), code, severity, words);
    };
    let (error, unsupported) = (Severity::Error, Severity::Unsupported);
    says("pc^post l1 (", "pc^post l7 (", Code::SmtUndeclared, error, "location `l7`");
    says("pc^post l1 (", "pc^0 l1 (", Code::ItsForm, error, "`pc^post` expected");
    says("(= x^post 1)", "(+ x^post 1)", Code::SmtSort, error, "not a formula");
    says("(= x^post 1)", "(= x^past 1)", Code::SmtUndeclared, error, "x^post");
    says("(= x^post 1)", "(= x^post 1) true", Code::SmtSyntax, error, "closing parenthesis");
    says("(cfg_trans2 pc^0", "(cfg_trans3 pc^0", Code::ItsUntreated, unsupported, "calls");
    says("(cfg_trans2 pc^0", "(and pc^0", Code::ItsForm, error, "cfg_trans2");
    says("(assert (distinct l0 l1))", "", Code::ItsForm, error, "distinct");
    says("(distinct l0 l1)", "(distinct l0 l0)", Code::ItsForm, error, "itself");
    says("(distinct l0 l1)", "(= l0 l1)", Code::ItsUntreated, unsupported, "different");
    says("(declare-const l1 Loc)", "(declare-const l0 Loc)", Code::SmtRedeclared, error, "twice");
    says(
        "(declare-const l1 Loc)",
        "(declare-const l1 Int)",
        Code::ItsUntreated,
        unsupported,
        "location",
    );
    says("(declare-sort Loc 0)", "(declare-sort Loc 1)", Code::ItsForm, error, "no arguments");
    says("(declare-sort Loc 0)", "(declare-sort Int 0)", Code::SmtRedeclared, error, "theories");
    says(
        "(declare-sort Loc 0)",
        "(declare-sort Loc 0)(declare-sort M 0)",
        Code::ItsForm,
        error,
        "one sort",
    );
    says("(y^post Int)", "(y^post Real)", Code::ItsForm, error, "not those");
    says("(y^post Int)", "(x^0 Int)", Code::SmtRedeclared, error, "repeated");
    says(
        "(pc^0 Loc) (x^0 Int) (y^0 Int)) Bool",
        "(x^0 Int) (pc^0 Loc) (y^0 Int)) Bool",
        Code::ItsForm,
        error,
        "first",
    );
    says(
        "(pc^0 Loc) (x^0 Int) (y^0 Int)) Bool",
        "(pc^0 Loc) (x^0 Int)) Bool",
        Code::ItsForm,
        error,
        "not those",
    );
    says("init_main", "init_mein", Code::SmtUndeclared, error, "Loc");
    says("(assert", "(check-sat)(assert", Code::SmtCommand, unsupported, "check-sat");
    says("(assert", "(set-option :a b)(assert", Code::SmtIgnored, Severity::Warning, "no effect");
    complain("(exit)", Code::ItsForm, error, "init_main");
    let cut = &good[..good.len() - 3];
    complain(cut, Code::SmtParen, error, "not closed");
    complain("", Code::FileEmpty, error, "empty");
    complain(")", Code::SmtParen, error, "closes nothing");
}

#[test]
fn several_mistakes_are_reported_at_once() {
    let text = file("(cfg_init pc^0 l9 true)", "(cfg_trans2 pc^0 l0 pc^post l8 true)");
    let (_, diagnostics) = its::read(text.as_bytes());
    assert_eq!(diagnostics.list.len(), 2, "{diagnostics:#?}");
}

#[test]
fn deep_formulas_need_no_stack() {
    const DEPTH: usize = 100_000;
    let deep = format!(
        "{}true{}",
        "(or (exists ((a Int)) (= x^0 (* a y^0))) (and (> y^0 0) ".repeat(DEPTH),
        "))".repeat(DEPTH)
    );
    flow(&file("false", &format!("(cfg_trans2 pc^0 l0 pc^post l1 {deep})")));
    let nested = format!(
        "{}(= x^0 0){}",
        "(exists ((a Int)) (or (= x^0 (* a y^0)) ".repeat(3_000),
        "))".repeat(3_000)
    );
    let found = flow(&file("false", &format!("(cfg_trans2 pc^0 l0 pc^post l1 {nested})")));
    assert_eq!(found.transitions[0].inputs.len(), 3_000);
    flow(&file("false", &format!("{}false{}", "(or ".repeat(DEPTH), ")".repeat(DEPTH))));
    its::read("(".repeat(DEPTH).as_bytes());
    its::read("(assert ".repeat(DEPTH).as_bytes());
    its::read(format!("(define-fun cfg_init {}", "(".repeat(DEPTH)).as_bytes());
}

#[test]
fn files_of_this_form_are_recognised() {
    assert!(its::begins(file("false", "false").as_bytes()));
    assert!(!its::begins(b"(set-logic HORN)(check-sat)"));
    assert!(!its::begins(b""));
}

/// Whatever bytes there are, the reader ends and does not panic, and what it returns is valid.
#[test]
fn damaged_files_are_refused_or_valid() {
    let good = file(
        "(or (cfg_init pc^0 l0 (= y^0 0)) (cfg_init pc^0 l1 (exists ((a Int)) (= x^0 (* a 2)))))",
        "(or (cfg_trans2 pc^0 l0 pc^post l1 (and (<= 1 (+ 0 x^0)) (= x^post (+ -1 x^0))))\n\
            (cfg_trans2 pc^0 l1 pc^post l0 (exists ((a Int)) (= x^0 (* a x^post)))))",
    );
    let pieces: Vec<&str> = good.split_inclusive([' ', '(', ')']).collect();
    let mut rng = Rng::new(7);
    for _ in 0..3_000 {
        let (flow, diagnostics) = its::read(rearranged(&pieces, &mut rng).as_bytes());
        assert_eq!(flow.is_some(), diagnostics.is_clean());
        if let Some(flow) = flow {
            flow.validate().expect("what is read is valid");
        }
    }
}
