//! Clauses proved by cases: accepted as they are, refused when a case, an equation or a proof is another.

use super::{System, model, refused, system, with};
use alphorn_check::horn::{ModelReport, check_model};
use alphorn_problem::evidence::horn::{Case, ClauseProof, HornModel};
use alphorn_term::{SortId, TermId};

/// A number that grows or stays is never negative.
const GROWS: &[(&str, &str)] =
    &[("(and (Q x) (or (and p (= y (+ x 1))) (and (not p) (= y x))))", "(Q y)")];

const GROWN: &str = "assert 0 | (>= x 0)
     assert 1 | (not (>= (+ x 1) 0))
     farkas 1 1 | (not (>= x 0)) (>= (+ x 1) 0)
     rup 0 1 2 |";
const STAYED: &str = "assert 0 | (>= x 0)
     assert 1 | (not (>= x 0))
     rup 0 1 |";

/// A case: its condition, rounds of variables and terms, and a proof.
fn case(system: &mut System, condition: &str, rounds: &[&[(&str, &str)]], proof: &str) -> Case {
    let world = &mut system.world;
    let condition = world.term(condition);
    let mut round = |round: &&[(&str, &str)]| -> Vec<(TermId, TermId)> {
        round.iter().map(|(var, term)| (world.term(var), world.term(term))).collect()
    };
    let rounds = rounds.iter().map(&mut round).collect();
    Case { condition, rounds, proof: world.proof(proof) }
}

fn by_cases(system: &mut System, definition: &'static str, cases: Vec<Case>) -> HornModel {
    let mut model = model(system, with(0, definition), &[""]);
    model.proofs[0] = ClauseProof::Cases(cases);
    model
}

/// A formula that a model does not have, nor the checker after making what it needs.
fn elsewhere(model: &HornModel) -> TermId {
    let mut terms = model.terms.clone();
    let far = (0..10_000).map(|k| terms.var(&format!("far away {k}"), SortId::BOOL));
    far.last().expect("there are some")
}

fn grows() -> (System, HornModel) {
    let mut system = system(GROWS);
    let cases = vec![
        case(&mut system, "p", &[&[("p", "true")], &[("y", "(+ x 1)")]], GROWN),
        case(&mut system, "true", &[&[("p", "false")], &[("y", "x")]], STAYED),
    ];
    let model = by_cases(&mut system, "(>= x 0)", cases);
    (system, model)
}

#[test]
fn each_case_is_refuted_with_its_equations_put_in() {
    let (system, model) = grows();
    let report = check_model(&system.horn, &model).expect("the cases are right");
    assert_eq!(report, ModelReport { refuted: 1, steps: 7, evaluated: 0, instances: 0 });
}

#[test]
fn cases_must_be_all_and_in_order() {
    let (system, model) = grows();
    let check = |change: &dyn Fn(&mut Vec<Case>), part: &str| {
        let mut model = model.clone();
        let ClauseProof::Cases(cases) = &mut model.proofs[0] else { unreachable!() };
        change(cases);
        refused(check_model(&system.horn, &model), part);
    };
    check(&|cases| cases.clear(), "clause 0, the cases: the last condition is not `true`");
    check(&|cases| _ = cases.pop(), "the last condition is not `true`");
    check(&|cases| cases.swap(0, 1), "the last condition is not `true`");
    check(&|cases| _ = cases.remove(0), "clause 0, case 0: nothing says that p is");
    check(&|cases| cases[0].condition = TermId::FALSE, "clause 0, case 0: nothing says that p is");
    check(&|cases| cases[0].condition = cases[1].rounds[1][0].0, "its condition is not a formula");
    check(&|cases| cases[0].condition = elsewhere(&model), "its condition is not a formula");
    check(&|cases| cases[0].proof = cases[1].proof.clone(), "clause 0, case 0, ");
    check(&|cases| cases[1].proof.steps.clear(), "clause 0, case 1, ");
}

#[test]
fn only_what_a_case_says_is_put_in() {
    let (mut system, model) = grows();
    let [p, x, y, q, u] = ["p", "x", "y", "q", "u"].map(|name| system.world.term(name));
    let [next, one, sum] = ["(+ x 1)", "1", "(+ y 1)"].map(|text| system.world.term(text));
    let mut model = model;
    model.terms = system.world.store.clone();
    let check = |change: &dyn Fn(&mut Vec<Case>), part: &str| {
        let mut model = model.clone();
        let ClauseProof::Cases(cases) = &mut model.proofs[0] else { unreachable!() };
        change(cases);
        refused(check_model(&system.horn, &model), part);
    };
    let put = |at: usize, round: Vec<(TermId, TermId)>| {
        move |cases: &mut Vec<Case>| cases[0].rounds[at] = round.clone()
    };
    // What holds elsewhere, what nothing says, what only the other case says.
    check(&put(0, vec![(p, TermId::FALSE)]), "case 0: nothing says that p is");
    check(&put(0, vec![(y, next)]), "nothing says that y is");
    check(&put(1, vec![(y, x)]), "nothing says that y is");
    check(&put(1, vec![(y, one)]), "nothing says that y is");
    check(&put(1, vec![(x, y)]), "nothing says that x is");
    check(&put(0, vec![(q, TermId::TRUE)]), "nothing says that q is");
    // What is no variable, is put twice, is of another sort, mentions itself or what comes later.
    check(&put(1, vec![(next, y)]), "for what is no variable, or twice");
    check(&put(0, vec![(p, TermId::TRUE), (p, TermId::TRUE)]), "for what is no variable, or twice");
    check(&put(1, vec![(y, TermId::TRUE)]), "of another sort");
    check(&put(1, vec![(u, x)]), "of another sort");
    check(&put(1, vec![(y, sum)]), "mentions what is not put in before");
    check(&put(1, vec![(x, one), (y, next)]), "nothing says that x is");
    check(&put(1, vec![(p, elsewhere(&model))]), "a term that is not there");
    check(&put(1, vec![(elsewhere(&model), p)]), "a term that is not there");
    // Rounds that are left out leave something else to refute.
    check(&|cases| _ = cases[0].rounds.pop(), "clause 0, case 0, ");
    check(&|cases| cases[1].rounds.clear(), "clause 0, case 1, ");
    assert_eq!(system.world.store.sort(u), SortId::REAL);
}

#[test]
fn equations_of_a_round_may_use_those_before_them() {
    let mut system = system(&[("(and (Q x) (= y (+ x 1)) (= z (+ y 1)))", "(Q z)")]);
    let proof = "assert 0 | (>= x 0)
         assert 1 | (not (>= (+ x 2) 0))
         farkas 1 1 | (not (>= x 0)) (>= (+ x 2) 0)
         rup 0 1 2 |";
    let forwards: &[(&str, &str)] = &[("y", "(+ x 1)"), ("z", "(+ y 1)")];
    let backwards: &[(&str, &str)] = &[("z", "(+ y 1)"), ("y", "(+ x 1)")];
    let right = case(&mut system, "true", &[forwards], proof);
    let wrong = case(&mut system, "true", &[backwards], proof);
    let model = by_cases(&mut system, "(>= x 0)", vec![right]);
    check_model(&system.horn, &model).map(|_| ()).expect("each is put in with those before it");
    let model = by_cases(&mut system, "(>= x 0)", vec![wrong]);
    refused(check_model(&system.horn, &model), "mentions what is not put in before");
}

#[test]
fn what_does_not_hold_is_not_proved_by_cases() {
    let mut system = system(&[("(and (Q x) (= y (- x 1)))", "(Q y)")]);
    let cases = vec![case(&mut system, "true", &[&[("y", "(- x 1)")]], STAYED)];
    let model = by_cases(&mut system, "(>= x 0)", cases);
    refused(check_model(&system.horn, &model), "clause 0, case 0, ");
}

#[test]
fn clauses_with_quantifiers_are_not_proved_by_cases() {
    let mut system = system(&[("(and (Q x) (= y x))", "(Q y)")]);
    let cases = vec![case(&mut system, "true", &[&[("y", "x")]], STAYED)];
    let model = by_cases(&mut system, "(exists (k) (= x (* 2 k)))", cases);
    refused(check_model(&system.horn, &model), "a clause with quantifiers");
}
