//! Exported obligations say everything the checker uses, so that an outside solver can agree.

use alphorn_driver::certify::{Certified, certify};
use alphorn_driver::obligations::scripts;
use alphorn_driver::open_bytes;

/// Checks that the evidence is accepted and that the script called `name` contains `expected`.
#[track_caller]
fn check(file: &str, problem: &str, evidence: &str, name: &str, expected: &str) {
    let opened = open_bytes(file, problem.as_bytes().to_vec(), None);
    assert!(opened.problem.is_some(), "{:?}", opened.diagnostics.list);
    let mut all = Vec::new();
    for certified in certify(&opened, evidence.as_bytes()) {
        let Certified::Accepted(evidence) = certified else { panic!("{certified:?}") };
        all.extend(scripts(&opened, &evidence).expect("the evidence can be exported"));
    }
    let found = all.iter().find(|script| script.name == name).expect("the script is there");
    assert!(found.text.contains(expected), "{}", found.text);
}

#[test]
fn tables_of_background_functions_are_exported() {
    let problem = "(set-logic HORN)(declare-fun c () Int)(declare-fun P (Int) Bool)(assert (P 0))
        (assert (forall ((x Int)) (=> (and (P x) (= c 5)) false)))(check-sat)";
    let model = "(define-fun P ((x Int)) Bool (= x 0))
        (set-info :alphorn-function (c (else 4)))";
    check("a.smt2", problem, model, "clause-1", "(= c 4)");
}

#[test]
fn choices_for_division_by_zero_are_exported() {
    let problem = "(set-logic HORN)(declare-fun P (Int) Bool)(assert (P 0))
        (assert (forall ((x Int)) (=> (and (P x) (= (div 1 x) 5)) false)))(check-sat)";
    let model = "(define-fun P ((x Int)) Bool (= x 0))
        (set-info :alphorn-choice (div (else 4)))";
    check("a.smt2", problem, model, "clause-1", "(div x!");
}

#[test]
fn each_property_has_files_of_its_own() {
    let problem = "aag 1 0 1 0 0 2\n2 2\n2\n2\n";
    let certificate = |property: usize| {
        format!("alphorn-certificate 1\nproperty {property}\ninvariant states 0\n0\nend\n")
    };
    let evidence = certificate(0) + &certificate(1);
    check("a.aag", problem, &evidence, "property-0-consecution", "(check-sat)");
    check("a.aag", problem, &evidence, "property-1-consecution", "(check-sat)");
}

#[test]
fn sorts_of_fields_are_part_of_the_logic() {
    let problem = "(set-logic HORN)(declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L)))))
        (declare-fun P (L) Bool)(assert (P nil))
        (assert (forall ((x L)) (=> (and (P x) ((_ is cons) x)) false)))(check-sat)";
    let model = "(define-fun P ((x L)) Bool (= x nil))";
    check("a.smt2", problem, model, "clause-1", "IA)");
}
