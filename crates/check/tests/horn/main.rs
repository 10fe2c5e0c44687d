//! Models and derivations of small Horn systems: accepted as they are, refused when changed.

mod cases;
mod progressions;

use alphorn_check::Refusal;
use alphorn_check::horn::{ModelReport, check_derivation, check_model};
use alphorn_problem::evidence::horn::{ClauseProof, Definition, Derivation, HornModel, Step};
use alphorn_problem::evidence::proof::{Literal, Proof, ProofStep, Rule, StepId};
use alphorn_problem::horn::{Clause, ClauseId, Head, Horn, PredId};
use alphorn_problem::span::Span;
use alphorn_term::eval::{Choices, Elsewhere, Table};
use alphorn_term::{Op, SortId, Store, TermId, Value};
use alphorn_testkit::Rng;
use alphorn_testkit::proofs::language::World;
use std::collections::BTreeMap;

/// A system over the vocabulary of `language`: predicates, and clauses as body and head.
struct System {
    world: World,
    horn: Horn,
}

/// Predicates are Q, R on integers, B on a Boolean, N on nothing, O on an element.
fn system(clauses: &[(&str, &str)]) -> System {
    let mut world = World::new();
    let (int, bool) = (SortId::INT, SortId::BOOL);
    let thing = world.term("e");
    let thing = world.store.sort(thing);
    let sorts: [(&'static str, Vec<SortId>); 5] = [
        ("Q", vec![int]),
        ("R", vec![int, int]),
        ("B", vec![bool]),
        ("N", vec![]),
        ("O", vec![thing]),
    ];
    let mut preds = Vec::new();
    for (name, args) in &sorts {
        let func = world.store.declare(name, args, bool);
        world.funcs.insert(name, func);
        preds.push(func);
    }
    let read: Vec<(TermId, TermId)> =
        clauses.iter().map(|(body, head)| (world.term(body), world.term(head))).collect();
    let mut horn = Horn::new(world.store.clone());
    for func in preds {
        horn.add_pred(func, Span::NONE);
    }
    for (body, head) in read {
        let store = &horn.terms;
        let vars = store.free_vars(&[body, head]);
        let head = match store.op(head) {
            Op::Apply(func) => {
                let pred = horn.pred_of(func).expect("the head is a predicate");
                Head::Atom(pred, store.args(head).to_vec())
            }
            _ => Head::False,
        };
        horn.clauses.push(Clause { vars, body, head, name: None, span: Span::NONE });
    }
    System { world, horn }
}

/// A model: definitions of Q(x), R(x, y), B(p), N, O(e), and a proof for each clause; an empty
/// proof is evaluation.
fn model(system: &mut System, definitions: [&str; 5], proofs: &[&str]) -> HornModel {
    let world = &mut system.world;
    let params = ["x", "x y", "p", "", "e"];
    let preds: Vec<Definition> = definitions
        .iter()
        .zip(params)
        .map(|(body, params)| Definition { params: world.terms(params), body: world.term(body) })
        .collect();
    // The obligations must have their ids before the proofs name them.
    for clause in &system.horn.clauses {
        _ = alphorn_problem::obligation::horn::negation(
            &system.horn,
            &preds,
            clause,
            &mut world.store,
        );
    }
    let proofs = proofs
        .iter()
        .map(|proof| match proof.trim() {
            "" => ClauseProof::Evaluate,
            text => ClauseProof::Refute(world.proof(text)),
        })
        .collect();
    HornModel {
        terms: world.store.clone(),
        preds,
        folds: Default::default(),
        funcs: BTreeMap::new(),
        choices: Choices::default(),
        proofs,
    }
}

fn refused<T: std::fmt::Debug>(result: Result<T, Refusal>, part: &str) {
    let refusal = result.expect_err("it should be refused").to_string();
    assert!(refusal.contains(part), "{refusal} does not mention {part}");
}

const FALSE: [&str; 5] = ["false", "false", "false", "false", "false"];

fn with(index: usize, definition: &'static str) -> [&'static str; 5] {
    let mut all = FALSE;
    all[index] = definition;
    all
}

/// The counter that starts at 0 and grows by 2 is never odd.
const COUNTER: &[(&str, &str)] = &[
    ("(= x 0)", "(Q x)"),
    ("(and (Q x) (= y (+ x 2)))", "(Q y)"),
    ("(and (Q x) (not (= (mod x 2) 0)))", "false"),
];

const COUNTER_PROOFS: [&str; 3] = [
    "assert 0 | (= x 0)
     assert 1 | (not (= (mod x 2) 0))
     congruence | (not (= x 0)) (= (mod x 2) 0)
     rup 0 1 2 |",
    "assert 0 | (and (= (mod x 2) 0) (= y (+ x 2)))
     assert 1 | (not (= (mod y 2) 0))
     tautology | (not (and (= (mod x 2) 0) (= y (+ x 2)))) (= (mod x 2) 0)
     tautology | (not (and (= (mod x 2) 0) (= y (+ x 2)))) (= y (+ x 2))
     arithmetic (mod x 2) | (= x (+ (* 2 (div x 2)) (mod x 2)))
     arithmetic (mod y 2) | (= y (+ (* 2 (div y 2)) (mod y 2)))
     arithmetic (mod y 2) | (>= (mod y 2) 0)
     arithmetic (mod y 2) | (< (mod y 2) 2)
     trichotomy | (= (mod y 2) 0) (< (mod y 2) 0) (> (mod y 2) 0)
     farkas 1 1 | (not (>= (mod y 2) 0)) (not (< (mod y 2) 0))
     linear hypothesis 0; hypothesis 1; hypothesis 2; hypothesis 3; hypothesis 4; hypothesis 5; sum 1 4 -1 3 1 1 1 2 1 0; round 6; sum 1 5 1 3 -1 1 -1 2 -1 0; round 8; sum 1 7 1 9 | (not (= (mod x 2) 0)) (not (= y (+ x 2))) (not (= x (+ (* 2 (div x 2)) (mod x 2)))) (not (= y (+ (* 2 (div y 2)) (mod y 2)))) (not (> (mod y 2) 0)) (not (< (mod y 2) 2))
     rup 0 1 2 3 4 5 6 7 9 8 10 |",
    "assert 0 |",
];

#[test]
fn the_counter_is_even() {
    let mut system = system(COUNTER);
    let model = model(&mut system, with(0, "(= (mod x 2) 0)"), &COUNTER_PROOFS);
    let report = check_model(&system.horn, &model).expect("the model is right");
    assert_eq!(report, ModelReport { refuted: 3, steps: 17, evaluated: 0, instances: 0 });
}

#[test]
fn other_definitions_and_proofs_of_the_counter_are_refused() {
    for definition in ["(= (mod x 2) 1)", "(= (mod x 4) 0)", "true", "false", "(= (mod x 3) 0)"] {
        let mut system = system(COUNTER);
        let model = model(&mut system, with(0, definition), &COUNTER_PROOFS);
        assert!(check_model(&system.horn, &model).is_err(), "{definition}");
    }
    let mut system = system(COUNTER);
    let right = model(&mut system, with(0, "(= (mod x 2) 0)"), &COUNTER_PROOFS);
    let mut fewer = right.clone();
    fewer.proofs.pop();
    refused(check_model(&system.horn, &fewer), "one proof for each clause");
    for (place, other) in [(0, 1), (1, 0), (0, 2), (1, 2)] {
        let mut swapped = right.clone();
        swapped.proofs[place] = right.proofs[other].clone();
        refused(check_model(&system.horn, &swapped), &format!("clause {place}, "));
    }
    let mut evaluated = right.clone();
    evaluated.proofs[1] = ClauseProof::Evaluate;
    refused(check_model(&system.horn, &evaluated), "clause 1: x is not determined");
    for clause in 0..2 {
        let ClauseProof::Refute(proof) = &right.proofs[clause] else { unreachable!() };
        for step in 0..proof.steps.len() {
            let mut shorter = proof.clone();
            shorter.steps.remove(step);
            let mut model = right.clone();
            model.proofs[clause] = ClauseProof::Refute(shorter);
            assert!(check_model(&system.horn, &model).is_err(), "clause {clause} step {step}");
        }
    }
}

#[test]
fn models_are_complete_and_well_formed() {
    let mut system = system(COUNTER);
    let right = model(&mut system, with(0, "(= (mod x 2) 0)"), &COUNTER_PROOFS);
    let horn = &system.horn;
    let check = |change: &dyn Fn(&mut HornModel), part: &str| {
        let mut model = right.clone();
        change(&mut model);
        refused(check_model(horn, &model), part);
    };
    check(&|m| _ = m.preds.pop(), "one definition for each predicate");
    check(&|m| m.preds[0].params.clear(), "it has 0 parameters");
    check(&|m| m.preds[1].params[1] = m.preds[1].params[0], "two arguments");
    check(&|m| m.preds[0].params[0] = m.terms.real(1i64), "not a variable");
    check(&|m| m.preds[0].params[0] = m.terms.var("u", SortId::REAL), "not a variable");
    check(&|m| m.preds[0].body = m.preds[0].params[0], "not a formula");
    check(&|m| m.preds[0].body = m.terms.var("q", SortId::BOOL), "q is not a parameter");
    check(
        &|m| {
            let func = horn.pred(PredId(3)).func;
            m.preds[0].body = m.terms.mk(Op::Apply(func), &[]);
        },
        "mentions a predicate",
    );
    check(
        &|m| {
            let mut larger = m.terms.clone();
            m.preds[0].body = larger.var("far away", SortId::BOOL);
        },
        "not a formula",
    );
    check(&|m| m.terms = Store::new(), "do not extend");
    let table = Table::constant(Value::Bool(true));
    check(&|m| _ = m.funcs.insert(horn.pred(PredId(0)).func, table.clone()), "not a background");
    let f = system.world.funcs["f"];
    check(&|m| _ = m.funcs.insert(f, table.clone()), "does not fit the declaration");
    check(&|m| m.choices.modulo = Some(table.clone()), "does not fit its operator");
}

/// Systems whose models are checked by evaluation: clauses, definitions, and what is expected: the
/// number of instances, or a part of the reason to refuse.
type Evaluated =
    (&'static [(&'static str, &'static str)], [&'static str; 5], Result<u64, &'static str>);

const STEPS: &[(&str, &str)] = &[
    ("(= x 0)", "(Q x)"),
    ("(and (Q x) (< x 3) (= y (+ x 1)))", "(Q y)"),
    ("(and (Q x) (> x 3))", "false"),
];
const PAIRS: &[(&str, &str)] = &[
    ("(and (= x 1) (= y 2))", "(R x y)"),
    ("(and (R x y) (R y z))", "(R x z)"),
    ("(R x x)", "false"),
];
const EITHER: &[(&str, &str)] =
    &[("(and (or (Q x) (and (R y z) (= x (+ y z)))) (= i (* 2 x)))", "(Q i)")];
const FLAGS: &[(&str, &str)] =
    &[("(B p)", "(B (not p))"), ("(and (B p) q p)", "N"), ("N", "false")];
const DIVIDES: &[(&str, &str)] = &[("(and (Q x) (= y (div 1 x)))", "(Q y)")];
const SQUARES: &[(&str, &str)] = &[(
    "(and (Q x) (= y (* x x)) (= z (* y y)) (= i (* z z)) (= j (* i i)) (= k (* j j)) (= n (* k k)))",
    "(Q (* n n))",
)];

const EVALUATED: &[Evaluated] = &[
    (STEPS, ["(or (= x 0) (= x 1) (= x 2) (= x 3))", "false", "false", "false", "false"], Ok(9)),
    (
        STEPS,
        ["(or (= x 0) (= x 1) (= x 2))", "false", "false", "false", "false"],
        Err("clause 1: the body holds and the head does not for x = 2, y = 3"),
    ),
    (
        STEPS,
        ["(or (= x 1) (= x 2) (= x 3))", "false", "false", "false", "false"],
        Err("clause 0: the body holds"),
    ),
    (
        STEPS,
        ["(or (= x 0) (= x 1) (= x 2) (= x 3) (= x 4))", "false", "false", "false", "false"],
        Err("clause 2: the body holds"),
    ),
    (
        STEPS,
        ["(and (<= 0 x) (<= x 3))", "false", "false", "false", "false"],
        Err("clause 1: x is not determined"),
    ),
    (STEPS, ["true", "false", "false", "false", "false"], Err("clause 1: x is not determined")),
    (PAIRS, ["false", "(and (= x 1) (= y 2))", "false", "false", "false"], Ok(1)),
    (
        PAIRS,
        ["false", "(or (and (= x 1) (= y 2)) (and (= x 2) (= 3 y)))", "false", "false", "false"],
        Err("x = 1, y = 2, z = 3"),
    ),
    (
        PAIRS,
        [
            "false",
            "(or (and (= x 1) (= y 2)) (and (= x 2) (= 3 y)) (and (= x 1) (= y 3)))",
            "false",
            "false",
            "false",
        ],
        Ok(2),
    ),
    (
        PAIRS,
        ["false", "(or (and (= x 1) (= y 2)) (and (= y 1) (= x 1)))", "false", "false", "false"],
        Err("clause 2: the body holds"),
    ),
    (EITHER, ["(= x 0)", "false", "false", "false", "false"], Ok(1)),
    (EITHER, ["(= x 0)", "(and (= x 2) (= y -2))", "false", "false", "false"], Ok(2)),
    (EITHER, ["(or (= x 1) (= x 2))", "false", "false", "false", "false"], Err("the body holds")),
    (FLAGS, ["false", "false", "(or p (not p))", "true", "false"], Err("clause 2: the body holds")),
    (FLAGS, ["false", "false", "true", "true", "false"], Err("clause 2: the body holds")),
    (
        EITHER,
        ["(= x 0)", "(and (= x 2) (= y 1))", "false", "false", "false"],
        Err("the body holds"),
    ),
    (FLAGS, ["false", "false", "p", "true", "false"], Err("clause 0: the body holds")),
    (FLAGS, ["false", "false", "false", "false", "false"], Ok(2)),
    (DIVIDES, ["(= x 1)", "false", "false", "false", "false"], Ok(1)),
    (
        DIVIDES,
        ["(or (= x 1) (= x 0))", "false", "false", "false", "false"],
        Err("is not determined"),
    ),
    (SQUARES, ["(= x 1)", "false", "false", "false", "false"], Ok(1)),
    (
        SQUARES,
        ["(or (= x 1) (= x 1000000000000000000))", "false", "false", "false", "false"],
        Err("the body holds"),
    ),
];

#[test]
fn clauses_are_evaluated() {
    for (index, (clauses, definitions, expected)) in EVALUATED.iter().enumerate() {
        let mut system = system(clauses);
        let proofs = vec![""; clauses.len()];
        let model = model(&mut system, *definitions, &proofs);
        match (check_model(&system.horn, &model), expected) {
            (Ok(report), Ok(instances)) => assert_eq!(report.instances, *instances, "case {index}"),
            (Err(refusal), Err(part)) => {
                let refusal = refusal.to_string();
                assert!(refusal.contains(part), "case {index}: {refusal}");
            }
            (result, _) => panic!("case {index}: {result:?}"),
        }
    }
}

#[test]
fn background_functions_and_choices_have_the_values_of_the_model() {
    let clauses = [("(and (Q x) (= y (f (div x 0))))", "(Q y)")];
    let mut system = system(&clauses);
    let plain = model(&mut system, with(0, "(or (= x 1) (= x 7))"), &[""]);
    refused(check_model(&system.horn, &plain), "y is not determined");
    let number = |value: i64| Value::Int(value.into());
    let mut chosen = plain.clone();
    chosen.choices = Choices::zero();
    refused(check_model(&system.horn, &chosen), "y is not determined");
    let f = system.world.funcs["f"];
    chosen.funcs.insert(f, Table::constant(number(7)));
    assert_eq!(check_model(&system.horn, &chosen).map(|report| report.instances), Ok(2));
    chosen.funcs.insert(f, Table::constant(number(8)));
    refused(check_model(&system.horn, &chosen), "the body holds");
}

#[test]
fn refutations_may_use_the_tables_of_functions() {
    // An axiom, and a step that goes where the function says.
    let clauses = [("(not (> (f x) 0))", "false"), ("(and (Q x) (= y (f x)))", "(Q y)")];
    let mut system = system(&clauses);
    let axiom = "assert 0 | false
                 rup 0 |";
    let step = "assert 0 | (= y 7)
                assert 1 | (not (= y 7))
                rup 0 1 |";
    let mut model = model(&mut system, with(0, "(= x 7)"), &[axiom, step]);
    refused(check_model(&system.horn, &model), "clause 0");
    let f = system.world.funcs["f"];
    let number = |value: i64| Value::Int(value.into());
    // The second body is (and (= x 7) (= y 7)) with the table.
    let assertions = |model: &mut HornModel, clause: usize| {
        alphorn_problem::obligation::horn::negation_under(
            &system.horn,
            &model.preds,
            &model.funcs,
            &system.horn.clauses[clause],
            &mut model.terms,
        )
        .expect("the definitions fit")
    };
    model.funcs.insert(f, Table::constant(number(7)));
    assert_eq!(assertions(&mut model, 0), vec![TermId::FALSE]);
    let parts = assertions(&mut model, 1);
    let literal = |term: TermId| Literal::of(&model.terms, term);
    let (body, head) = (literal(parts[0]), literal(parts[1]));
    let part = Literal::of(&model.terms, model.terms.args(parts[0])[1]);
    assert_eq!(part, !head);
    let step = |clause: Vec<Literal>, rule: Rule| ProofStep { clause, rule };
    let steps = vec![
        step(vec![body], Rule::Assert(0)),
        step(vec![head], Rule::Assert(1)),
        step(vec![!body, part], Rule::Tautology),
        step(vec![], Rule::Rup(vec![StepId(0), StepId(2), StepId(1)])),
    ];
    model.proofs[0] = ClauseProof::Refute(Proof { steps: vec![step(vec![], Rule::Assert(0))] });
    model.proofs[1] = ClauseProof::Refute(Proof { steps });
    assert_eq!(check_model(&system.horn, &model).map(|report| report.refuted), Ok(2));
    // Without a value elsewhere, nothing is known of the function there.
    let mut partial = model.clone();
    let entries = BTreeMap::from([(vec![number(1)], number(7))]);
    partial.funcs.insert(f, Table { entries, ..Table::default() });
    refused(check_model(&system.horn, &partial), "clause 0");
    // Another table satisfies the axiom, but not the other clause, and one not even the axiom.
    model.funcs.insert(f, Table::constant(number(8)));
    refused(check_model(&system.horn, &model), "clause 1");
    model.funcs.insert(f, Table::constant(number(0)));
    refused(check_model(&system.horn, &model), "clause 0");
}

/// Tables that are no constants elsewhere: for all integers, f(x) is larger than x, or rises.
#[test]
fn tables_may_add_arguments_or_rise_by_steps() {
    let mut system = system(&[("(<= (f x) x)", "false")]);
    let mut model = model(&mut system, FALSE, &["assert 0 | false\nrup 0 |"]);
    let f = system.world.funcs["f"];
    let number = |value: i64| Value::Int(value.into());
    let sum = |factors: &[i8], default: i64| Table {
        elsewhere: Elsewhere::Sum(factors.to_vec()),
        ..Table::constant(number(default))
    };
    let mut check = |table: Table| {
        model.funcs.insert(f, table);
        // What is left of the clause: the proof that its body is false is of two steps.
        check_model(&system.horn, &model).map(|report| report.refuted)
    };
    // x + 1 <= x is not false by construction, so that the proof above is none of it.
    refused(check(Table::constant(number(7))), "clause 0");
    refused(check(sum(&[1, 0], 1)), "a table does not fit");
    refused(check(sum(&[2], 1)), "a table does not fit");
    refused(check(sum(&[], 1)), "a table does not fit");
    let mut own = model_of_sums(&mut system, sum(&[1], 1));
    assert_eq!(check_model(&system.horn, &own).map(|report| report.refuted), Ok(1));
    own.funcs.insert(f, sum(&[1], 0));
    refused(check_model(&system.horn, &own), "clause 0");
    own.funcs.insert(f, sum(&[-1], 1));
    refused(check_model(&system.horn, &own), "clause 0");
    let entries = BTreeMap::from([(vec![number(0)], number(1)), (vec![number(5)], number(9))]);
    let steps = Table { entries, elsewhere: Elsewhere::Steps, ..Table::constant(number(0)) };
    own.funcs.insert(f, steps);
    refused(check_model(&system.horn, &own), "clause 0");
}

/// A model whose proof refutes `f(x) <= x` where f is a sum.
fn model_of_sums(system: &mut System, table: Table) -> HornModel {
    let mut model = model(system, FALSE, &[""]);
    model.funcs.insert(system.world.funcs["f"], table);
    let parts = alphorn_problem::obligation::horn::negation_under(
        &system.horn,
        &model.preds,
        &model.funcs,
        &system.horn.clauses[0],
        &mut model.terms,
    )
    .expect("the definitions fit");
    let body = Literal::of(&model.terms, parts[0]);
    let steps = vec![
        ProofStep { clause: vec![body], rule: Rule::Assert(0) },
        ProofStep { clause: vec![!body], rule: Rule::Farkas(vec![1.into()]) },
        ProofStep { clause: vec![], rule: Rule::Rup(vec![StepId(0), StepId(1)]) },
    ];
    model.proofs[0] = ClauseProof::Refute(Proof { steps });
    model
}

#[test]
fn quantified_definitions_can_be_refuted_but_not_with_names_of_the_clause() {
    let clauses = [("(> x 3)", "(Q x)"), ("(and (Q y) (< y 3))", "false")];
    let first = "assert 0 | (> x 3)
         assert 1 | (not (exists (k) (and (<= 3 k) (<= k x))))
         instantiate x | (exists (k) (and (<= 3 k) (<= k x))) (not (<= 3 x))
         farkas 1 1 | (not (> x 3)) (<= 3 x)
         rup 0 1 2 3 |";
    let second = "assert 0 | (and (exists (k) (and (<= 3 k) (<= k y))) (< y 3))
         tautology | (not (and (exists (k) (and (<= 3 k) (<= k y))) (< y 3))) (< y 3)
         tautology | (not (and (exists (k) (and (<= 3 k) (<= k y))) (< y 3))) (exists (k) (and (<= 3 k) (<= k y)))
         skolem n | (not (exists (k) (and (<= 3 k) (<= k y)))) (and (<= 3 n) (<= n y))
         tautology | (not (and (<= 3 n) (<= n y))) (<= 3 n)
         tautology | (not (and (<= 3 n) (<= n y))) (<= n y)
         farkas 1 1 1 | (not (<= 3 n)) (not (<= n y)) (not (< y 3))
         rup 0 1 2 3 4 5 6 |";
    let mut good = system(&clauses);
    let right = model(&mut good, with(0, "(exists (k) (and (<= 3 k) (<= k x)))"), &[first, second]);
    check_model(&good.horn, &right).map(|_| ()).expect("the model is right");
    let mut clash = system(&clauses[1..]);
    let wrong = model(&mut clash, with(0, "(exists (y) (and (<= 3 y) (<= y x)))"), &[""]);
    refused(check_model(&clash.horn, &wrong), "clause 0: a definition binds y");
}

/// Predicates that share a function would have two definitions.
#[test]
fn predicates_are_functions_of_their_own() {
    let mut system = system(COUNTER);
    let model = model(&mut system, with(0, "(= (mod x 2) 0)"), &COUNTER_PROOFS);
    let func = system.horn.pred(PredId(0)).func;
    system.horn.add_pred(func, Span::NONE);
    refused(check_model(&system.horn, &model), "predicate of its own");
    refused(check_derivation(&system.horn, &Derivation::of(vec![])), "predicate of its own");
}

/// A definition that squares its way to a number of a terabyte is refused before it is made.
#[test]
fn hopeless_definitions_are_refused() {
    let mut system = system(&[("true", "(Q 2000000000)")]);
    let mut model = model(&mut system, FALSE, &[""]);
    let mut power = model.preds[0].params[0];
    for _ in 0..60 {
        // What is no sum keeps products apart, so that they nest.
        let one = model.terms.int(1);
        let next = model.terms.add(&[power, one]);
        let next = model.terms.mk(Op::Abs, &[next]);
        power = model.terms.mul(&[next, next]);
    }
    let zero = model.terms.int(0);
    model.preds[0].body = model.terms.gt(power, zero);
    refused(check_model(&system.horn, &model), "takes more work than");
}

/// A clause about words of sixteen bits has more instances than anybody can look at; that is seen
/// before the first of them.
#[test]
fn instances_that_are_too_many_are_not_looked_at() {
    let mut store = Store::new();
    let word = store.bv_sort(16);
    let mut horn = Horn::new(store);
    let pred = horn.declare_pred("W", &[word, word]);
    let store = &mut horn.terms;
    let vars: Vec<TermId> = ["u", "v", "w"].iter().map(|name| store.var(name, word)).collect();
    let body = store.mk(Op::BvUle, &[vars[0], vars[1]]);
    let params = vars[1..].to_vec();
    let head = Head::Atom(pred, params.clone());
    horn.clauses.push(Clause { vars, body, head, name: None, span: Span::NONE });
    let preds = vec![Definition { params, body: TermId::TRUE }];
    let model = HornModel {
        terms: horn.terms.clone(),
        preds,
        folds: alphorn_problem::evidence::fold::Folds::default(),
        funcs: BTreeMap::new(),
        choices: Choices::default(),
        proofs: vec![ClauseProof::Evaluate],
    };
    refused(check_model(&horn, &model), "takes more work than");
}

fn step(clause: u32, values: &[i64], premises: &[usize]) -> Step {
    let values = values.iter().map(|&value| Value::Int(value.into())).collect();
    Step::new(ClauseId(clause), values, premises.to_vec())
}

/// Counts to two and sees that one and two are there.
const REACHES: &[(&str, &str)] = &[
    ("(= x 0)", "(Q x)"),
    ("(Q x)", "(Q (+ x 1))"),
    ("(and (Q x) (Q y) (< x y) (or (> x 0) N))", "false"),
    ("(and (Q x) (= (div x y) (f x)))", "(R x y)"),
    ("(or (Q x) N)", "N"),
];

fn reaches() -> Vec<Step> {
    vec![step(0, &[0], &[]), step(1, &[0], &[0]), step(1, &[1], &[1]), step(2, &[1, 2], &[1, 2])]
}

#[test]
fn derivations_are_replayed() {
    let horn = system(REACHES).horn;
    let check = |steps: Vec<Step>| check_derivation(&horn, &Derivation::of(steps));
    assert_eq!(check(reaches()), Ok(()));
    let changed = |change: &dyn Fn(&mut Vec<Step>), part: &str| {
        let mut steps = reaches();
        change(&mut steps);
        refused(check(steps), part);
    };
    changed(&|s| s.clear(), "not a query");
    changed(&|s| _ = s.pop(), "not a query");
    changed(&|s| s[0].values[0] = Value::Int(1.into()), "step 0 (clause 0): the body is false");
    changed(&|s| s[0].values[0] = Value::Bool(true), "the value of x does not fit");
    changed(&|s| s[0].values.clear(), "0 values are given for 1");
    changed(&|s| s[1].premises.clear(), "step 1 (clause 1): the body is false");
    changed(&|s| s[1].premises = vec![1], "premise 1 is not an earlier step");
    changed(&|s| s[1].premises = vec![usize::MAX], "is not an earlier step");
    changed(&|s| s[2].premises = vec![0], "step 2 (clause 1): the body is false");
    changed(&|s| s[3].values.swap(0, 1), "step 3 (clause 2): the body is false");
    changed(&|s| s[3].premises = vec![1], "the body is false");
    changed(&|s| s[3].clause = ClauseId(77), "there is no clause 77");
    changed(&|s| s.push(step(1, &[3], &[3])), "premise 3 is a query");
    changed(&|s| s.push(step(0, &[0], &[2])), "premise 2 is of no use");
    changed(&|s| s[3] = step(3, &[1, 0], &[1]), "division by zero");
    changed(&|s| s[3] = step(3, &[1, 1], &[1]), "the function f has no value");
    // The last clause's disjunction holds by N here, and N by one side of another disjunction.
    let other = vec![
        step(0, &[0], &[]),
        step(4, &[0], &[0]),
        step(1, &[0], &[0]),
        step(2, &[0, 1], &[0, 2, 1]),
    ];
    assert_eq!(check(other), Ok(()));
}

#[test]
fn an_uninterpreted_sort_may_have_one_element() {
    let system = system(&[
        ("true", "(O e)"),
        ("(and (O e) (O o) (not (= e o)))", "false"),
        ("(and (O e) (O o) (= e o))", "false"),
    ]);
    let sort = system.horn.terms.sort(system.horn.clauses[0].vars[0]);
    let element = |number| Value::Element(sort, number);
    let step = |clause, values: Vec<Value>, premises: &[usize]| {
        Step::new(ClauseId(clause), values, premises.to_vec())
    };
    let differ = vec![
        step(0, vec![element(0)], &[]),
        step(0, vec![element(1)], &[]),
        step(1, vec![element(0), element(1)], &[0, 1]),
    ];
    refused(check_derivation(&system.horn, &Derivation::of(differ)), "one element only");
    let same = vec![step(0, vec![element(4)], &[]), step(2, vec![element(4), element(4)], &[0, 0])];
    assert_eq!(check_derivation(&system.horn, &Derivation::of(same)), Ok(()));
}

/// What is derived depends on f, but something is, whatever f is.
const OPEN: &[(&str, &str)] = &[
    ("true", "(Q (f 0))"),
    ("(and (Q x) (= x (f 0)))", "false"),
    ("(and (Q x) (> x 0))", "false"),
    ("(and (Q x) (< x 5))", "false"),
];

fn refutation(system: &mut System, proof: &str) -> Derivation {
    let world = &mut system.world;
    _ = alphorn_problem::obligation::horn::formulas(&system.horn, &mut world.store);
    let proof = world.proof(proof);
    Derivation::refutation(world.store.clone(), proof)
}

#[test]
fn refutations_of_clauses_are_replayed() {
    let proof = "
        assert 0 | (Q (f 0))
        assert 1 | (forall (x) (not (and (Q x) (= x (f 0)))))
        instantiate (f 0) | (not (forall (x) (not (and (Q x) (= x (f 0)))))) (not (Q (f 0)))
        rup 0 1 2 |";
    let mut open = system(OPEN);
    let good = refutation(&mut open, proof);
    assert_eq!(check_derivation(&open.horn, &good), Ok(()));
    let check = |system: &mut System, proof: &str, part: &str| {
        let wrong = refutation(system, proof);
        refused(check_derivation(&system.horn, &wrong), part);
    };
    let changed = proof.replace("instantiate (f 0)", "instantiate (f 1)");
    check(&mut open, &changed, "step 2 (instantiate)");
    check(&mut open, &proof.replace("assert 1", "assert 2"), "step 1 (assert)");
    check(&mut open, &proof.replace("rup 0 1 2", "rup 0 1"), "step 3 (rup)");
    let without_end = proof.replace("rup 0 1 2 |", "");
    check(&mut open, &without_end, "the last step is not the empty clause");
    // The clauses in another order are other assertions.
    let mut swapped = system(&[OPEN[1], OPEN[0]]);
    check(&mut swapped, proof, "step 0 (assert)");
    // Evidence is of one kind.
    let mut both = good.clone();
    both.steps = vec![step(0, &[], &[])];
    refused(check_derivation(&open.horn, &both), "steps of a derivation as well");
    // Terms of another system mean something else.
    let other = system(COUNTER).horn;
    refused(check_derivation(&other, &good), "do not extend those of the system");
    // Values for the function are no evidence: others remain.
    let by_values = vec![step(0, &[], &[]), step(2, &[1], &[0])];
    refused(check_derivation(&open.horn, &Derivation::of(by_values)), "f has no value");
}

/// No arrangement of steps derives false from a safe system.
#[test]
fn random_derivations_from_a_safe_system_are_refused() {
    let clauses: &[(&str, &str)] = &[
        ("(= x 0)", "(Q x)"),
        ("(and (Q x) (< x 5))", "(Q (+ x 2))"),
        ("(and (Q x) (= (mod x 2) 1))", "false"),
        ("(and (Q x) (> x 6))", "false"),
    ];
    let horn = system(clauses).horn;
    let mut rng = Rng::new(12345);
    let mut below = |bound: u64| rng.below(bound);
    for _ in 0..4000 {
        let mut steps = Vec::new();
        for position in 0..1 + below(6) {
            let premises = (0..below(3)).map(|_| below(position + 1) as usize);
            let premises: Vec<usize> = premises.collect();
            let value = if below(2) == 0 { 2 * below(4) } else { below(9) } as i64;
            steps.push(step(below(4) as u32, &[value], &premises));
        }
        assert!(check_derivation(&horn, &Derivation::of(steps)).is_err());
    }
}

/// Random tables are models exactly when brute force says so.
#[test]
fn random_tables_are_judged_like_brute_force() {
    let clauses = [
        ("(= x 0)", "(Q x)"),
        ("(and (Q x) (< x 3) (= y (+ x 1)))", "(R x y)"),
        ("(or (and (R x y) (Q x)) (and (R x z) (R z y) (< z y)))", "(Q y)"),
        ("(and (R x y) (R y x))", "false"),
    ];
    let mut rng = Rng::new(99);
    let mut coin = || rng.one_in(2);
    let mut counts = [0, 0];
    for _ in 0..300 {
        let q: Vec<i64> = (0..4).filter(|&x| x == 0 || coin()).collect();
        let pairs = (0..4).flat_map(|x| (0..4).map(move |y| (x, y)));
        let r: Vec<(i64, i64)> = pairs.filter(|(x, y)| x + 1 == *y || coin() && x < y).collect();
        let is_model = q.contains(&0)
            && q.iter().all(|&x| x >= 3 || r.contains(&(x, x + 1)))
            && r.iter().all(|(x, y)| !q.contains(x) || q.contains(y))
            && r.iter()
                .all(|&(_, z)| r.iter().all(|&(from, y)| from != z || z >= y || q.contains(&y)))
            && r.iter().all(|&(x, y)| !r.contains(&(y, x)));
        let q: Vec<String> = q.iter().map(|x| format!("(= x {x})")).collect();
        let r: Vec<String> = r.iter().map(|(x, y)| format!("(and (= {y} y) (= x {x}))")).collect();
        let (q, r) = (format!("(or {})", q.join(" ")), format!("(or {})", r.join(" ")));
        let mut system = system(&clauses);
        let model = model(&mut system, [&q, &r, "false", "false", "false"], &["", "", "", ""]);
        assert_eq!(check_model(&system.horn, &model).is_ok(), is_model, "{q} {r}");
        counts[usize::from(is_model)] += 1;
    }
    assert!(counts.iter().all(|&count| count > 20), "{counts:?}");
}
