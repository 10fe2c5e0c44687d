//! Bodies that ask for a predicate at all values of a variable: which instances stand for them, that the
//! body as read is kept, and what is refused.

use alphorn_front::smtlib::{print_horn, read};
use alphorn_front::{Code, Severity};
use alphorn_problem::Horn;
use alphorn_problem::horn::ClauseId;

const DECLARED: &str = "(set-logic HORN)
(declare-fun P (Int) Bool)
(declare-fun Q (Int Int) Bool)
(declare-fun N () Bool)
";

fn script(assertion: &str) -> String {
    format!("{DECLARED}(assert {assertion})\n(check-sat)\n")
}

/// The system of an assertion that asks for all values; there is one warning.
#[track_caller]
fn system(assertion: &str) -> Horn {
    let (problem, diagnostics) = read(script(assertion).as_bytes());
    let horn = problem.unwrap_or_else(|| panic!("{assertion}: {:?}", diagnostics.list)).horn;
    let codes: Vec<Code> = diagnostics.list.iter().map(|diagnostic| diagnostic.code).collect();
    assert_eq!(codes, [Code::SmtInstances], "{assertion}");
    assert_eq!(horn.validate(), Ok(()), "{assertion}");
    horn
}

/// The body of the only clause, and the body as read.
#[track_caller]
fn bodies(assertion: &str) -> (String, String) {
    let horn = system(assertion);
    let [clause] = &horn.clauses[..] else { panic!("one clause expected: {assertion}") };
    (horn.terms.show(clause.body), horn.terms.show(horn.body_as_read(ClauseId(0))))
}

#[test]
fn instances_are_at_the_terms_that_the_clause_speaks_about() {
    let (body, read) =
        bodies("(forall ((k Int)) (=> (and (forall ((i Int)) (P i)) (> k 5)) false))");
    assert!(body.contains("(P k)") && body.contains("(P 5)"), "{body}");
    assert!(!body.contains("forall"), "{body}");
    assert!(read.contains("(forall ((i Int)) (P i))"), "{read}");
}

#[test]
fn what_guards_a_predicate_is_instantiated_with_it() {
    let all = "(forall ((i Int)) (=> (< i n) (Q i n)))";
    let (body, _) = bodies(&format!("(forall ((n Int)) (=> (and {all} (> n 0)) (P n)))"));
    assert!(body.contains("(Q 0 n)") && body.contains("(< 0 n)"), "{body}");
}

#[test]
fn every_combination_of_terms_is_an_instance_of_two_variables() {
    let all = "(forall ((i Int) (j Int)) (Q i j))";
    let (body, _) = bodies(&format!("(forall ((a Int) (b Int)) (=> {all} (Q (+ a b) a)))"));
    for instance in ["(Q a a)", "(Q a b)", "(Q b a)", "(Q b b)"] {
        assert!(body.contains(instance), "{body}");
    }
}

#[test]
fn a_clause_without_terms_has_an_instance_at_some_value() {
    assert_eq!(bodies("(=> (forall ((i Int)) (P i)) N)").0, "(P 0)");
}

#[test]
fn a_negated_exists_over_a_negated_predicate_asks_for_all_values() {
    let (body, read) = bodies("(=> (not (exists ((i Int)) (not (P i)))) false)");
    assert_eq!((&*body, &*read), ("(P 0)", "(forall ((i Int)) (P i))"));
}

#[test]
fn below_a_disjunction_only_the_quantified_part_has_instances() {
    let (body, _) = bodies("(forall ((k Int)) (=> (or N (forall ((i Int)) (Q i k))) (P k)))");
    assert_eq!(body, "(or N (Q k k))");
}

#[test]
fn instances_are_limited() {
    let vars: Vec<String> = (0..40).map(|i| format!("x{i}")).collect();
    let binder: String = vars.iter().map(|var| format!("({var} Int)")).collect();
    let used: String = vars.iter().map(|var| format!("(P {var})")).collect();
    let horn = system(&format!(
        "(forall ({binder}) (=> (and {used} (forall ((i Int) (j Int)) (Q i j))) false))"
    ));
    let count: usize =
        horn.quantified[&ClauseId(0)].instances.values().map(|instances| instances.len()).sum();
    assert!((10..=100).contains(&count), "{count}");
}

#[test]
fn what_is_printed_is_the_clause_as_read() {
    let assertion = "(forall ((k Int)) (=> (and (forall ((i Int)) (P i)) (> k 5)) false))";
    let horn = system(assertion);
    let text = print_horn(&horn);
    assert!(text.contains("(forall ((i Int)) (P i))"), "{text}");
    let (again, diagnostics) = read(text.as_bytes());
    let again = again.unwrap_or_else(|| panic!("{text}\n{:?}", diagnostics.list)).horn;
    assert_eq!(print_horn(&again), text);
    assert_eq!(again.quantified.len(), 1);
}

#[test]
fn other_quantifiers_over_predicates_are_refused() {
    let cases = [
        // Another quantifier inside, and a predicate that stands negatively below one.
        "(=> (forall ((i Int)) (exists ((j Int)) (Q i j))) false)",
        "(=> (forall ((i Int)) (=> (P i) (Q i i))) false)",
        "(=> (forall ((i Int)) (= (P i) (< i 5))) false)",
        // In a head.
        "(=> N (exists ((i Int)) (P i)))",
    ];
    for assertion in cases {
        let (problem, diagnostics) = read(script(assertion).as_bytes());
        assert!(problem.is_none(), "{assertion}");
        let worst = diagnostics.list.iter().find(|found| found.severity != Severity::Warning);
        assert_eq!(worst.map(|found| found.code), Some(Code::SmtNotHorn), "{assertion}");
        assert!(worst.is_some_and(|found| found.hint.is_some()), "{assertion}");
    }
}
