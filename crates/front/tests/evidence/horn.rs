//! Models and derivations of Horn systems.

use super::terms::{same_proofs, same_terms, table, value, vocabulary};
use alphorn_front::evidence::{print_horn, read_horn};
use alphorn_problem::evidence::horn::{
    Case, ClauseProof, Definition, Derivation, HornModel, Member, Progression, Step,
};
use alphorn_problem::horn::{Clause, ClauseId, Head, Horn};
use alphorn_problem::{Span, Verdict};
use alphorn_term::eval::Choices;
use alphorn_term::{Int, Op, Rat, SortId, Store, TermId, Value};
use alphorn_testkit::Rng;
use alphorn_testkit::read::horn;
use std::collections::BTreeMap;

const PLAIN: &[&str] =
    &["x", "y", "z", "u", "v", "w", "p", "q", "r", "s", "t", "k", "l", "m", "n", "o", "i", "j"];
/// Names that belong to operators, to functions, to several variables, or that need bars.
const ODD: &[&str] =
    &["and", "x", "f", "a b", "let", "head", "x", "1st", "", "\"", "a|b", "nil", "t!1", "é", "x"];

pub fn read(text: &[u8], horn: &Horn) -> Verdict<Horn> {
    let (verdicts, diagnostics) = read_horn(text, horn);
    let shown = String::from_utf8_lossy(text);
    let mut verdicts = verdicts.unwrap_or_else(|| panic!("{:?}\n{shown}", diagnostics.list));
    assert_eq!(verdicts.len(), 1);
    verdicts.remove(0)
}

/// Checks that a model is written and read as itself, and that its text is stable.
#[track_caller]
pub fn check_model(horn: &Horn, model: &HornModel) -> String {
    let text = print_horn(horn, &Verdict::Safe(model.clone()));
    let Verdict::Safe(again) = read(text.as_bytes(), horn) else { panic!("not a model:\n{text}") };
    assert!(again.terms.extends(&horn.terms));
    let (left, right) = (&model.terms, &again.terms);
    assert_eq!(model.preds.len(), again.preds.len());
    for (a, b) in model.preds.iter().zip(&again.preds) {
        same_terms((left, &a.params), (right, &b.params));
        same_terms((left, &[a.body]), (right, &[b.body]));
    }
    assert_eq!(model.funcs, again.funcs, "{text}");
    assert_eq!(model.choices, again.choices, "{text}");
    assert_eq!(model.proofs.len(), again.proofs.len());
    for (a, b) in model.proofs.iter().zip(&again.proofs) {
        match (a, b) {
            (ClauseProof::Evaluate, ClauseProof::Evaluate) => {}
            (ClauseProof::Refute(a), ClauseProof::Refute(b)) => {
                same_proofs((left, a), (right, b));
            }
            (ClauseProof::Cases(a), ClauseProof::Cases(b)) => {
                assert_eq!(a.len(), b.len());
                for (a, b) in a.iter().zip(b) {
                    let sizes = |case: &Case| case.rounds.iter().map(Vec::len).collect::<Vec<_>>();
                    assert_eq!(sizes(a), sizes(b));
                    let said = |case: &Case| -> Vec<TermId> {
                        let sides = case.rounds.iter().flatten().flat_map(|&(var, to)| [var, to]);
                        [case.condition].into_iter().chain(sides).collect()
                    };
                    same_terms((left, &said(a)), (right, &said(b)));
                    same_proofs((left, &a.proof), (right, &b.proof));
                }
            }
            _ => panic!("another kind of proof:\n{text}"),
        }
    }
    assert_eq!(print_horn(horn, &Verdict::Safe(again)), text);
    text
}

#[track_caller]
pub fn check_derivation(horn: &Horn, derivation: &Derivation) -> String {
    let text = print_horn(horn, &Verdict::Unsafe(derivation.clone()));
    match read(text.as_bytes(), horn) {
        Verdict::Unsafe(again) => assert_eq!(again, *derivation, "{text}"),
        Verdict::Safe(_) => panic!("not a derivation:\n{text}"),
    }
    text
}

/// A system whose one predicate takes all variables of the vocabulary, and random evidence.
fn random_system(names: &[&str], rng: &mut Rng) -> (Horn, HornModel, Derivation) {
    let mut store = Store::new();
    let vocabulary = vocabulary(&mut store, names);
    let sorts: Vec<SortId> = vocabulary.vars.iter().map(|&var| store.sort(var)).collect();
    let mut horn = Horn::new(store);
    let all = horn.declare_pred("a predicate", &sorts);
    let none = horn.declare_pred("none", &[]);
    let vars = vocabulary.vars.clone();
    for head in [Head::Atom(all, vars.clone()), Head::Atom(none, vec![]), Head::False] {
        let vars = vars.clone();
        let clause = Clause { vars, body: TermId::TRUE, head, name: None, span: Span::NONE };
        horn.clauses.push(clause);
    }
    let mut terms = horn.terms.clone();
    let pool = vocabulary.terms(&mut terms, &vars, rng);
    let formulas: Vec<TermId> =
        pool.iter().copied().filter(|&t| terms.sort(t) == SortId::BOOL).collect();
    let preds = vec![
        Definition { params: vars.clone(), body: formulas[formulas.len() - 1] },
        Definition { params: vec![], body: TermId::FALSE },
    ];
    let proofs = (0..horn.clauses.len())
        .map(|_| match rng.below(4) {
            0 => ClauseProof::Evaluate,
            1 => {
                let case = |rng: &mut Rng, terms: &mut Store| {
                    let mut round =
                        |_| (0..rng.below(3)).map(|_| (rng.pick(&vars), rng.pick(&pool))).collect();
                    let rounds = (0..2).map(&mut round).collect();
                    let condition = rng.pick(&formulas);
                    Case { condition, rounds, proof: vocabulary.proof(terms, &vars, rng) }
                };
                ClauseProof::Cases((0..=rng.below(3)).map(|_| case(rng, &mut terms)).collect())
            }
            _ => ClauseProof::Refute(vocabulary.proof(&mut terms, &vars, rng)),
        })
        .collect();
    let mut funcs = BTreeMap::new();
    for func in terms.funcs().filter(|&func| horn.pred_of(func).is_none()) {
        let decl = terms.func(func).clone();
        if rng.one_in(2) {
            funcs.insert(func, table(&terms, &decl.args, decl.result, rng));
        }
    }
    let mut choices = Choices::default();
    if rng.one_in(2) {
        choices.int_div = Some(table(&terms, &[SortId::INT], SortId::INT, rng));
        choices.real_div = Some(table(&terms, &[SortId::REAL], SortId::REAL, rng));
    }
    if rng.one_in(2) {
        choices.modulo = Some(table(&terms, &[SortId::INT], SortId::INT, rng));
        for data in terms.datas() {
            for ctor in terms.data(data).ctors.clone() {
                for (field, (_, sort)) in terms.ctor(ctor).fields.iter().enumerate() {
                    let table = table(&terms, &[terms.data(data).sort], *sort, rng);
                    choices.fields.insert((ctor, field as u32), table);
                }
            }
        }
    }
    let steps = (0..rng.below(5))
        .map(|_| {
            let clause = ClauseId(rng.below(3) as u32);
            let values = |rng: &mut Rng| -> Vec<Value> {
                vars.iter().map(|&var| value(&horn.terms, horn.terms.sort(var), rng)).collect()
            };
            let premises: Vec<usize> = (0..rng.below(3)).map(|_| rng.below(4)).collect();
            if !rng.one_in(3) {
                return Step::new(clause, values(rng), premises);
            }
            let growth = |rng: &mut Rng| -> Vec<Rat> {
                let number = |&var: &TermId| match value(&horn.terms, horn.terms.sort(var), rng) {
                    Value::Int(value) => Rat::from(value),
                    Value::Real(value) => value,
                    _ => Rat::from(0),
                };
                vars.iter().map(number).collect()
            };
            let member = |rng: &mut Rng| Member { clause, start: values(rng), growth: growth(rng) };
            let members = (0..=rng.below(3)).map(|_| member(rng)).collect();
            let run = Progression { rounds: Int::from(1 + rng.below(1000) as u64), members };
            Step::progress(run, premises).expect("there are members")
        })
        .collect();
    let folds = Default::default();
    (horn, HornModel { terms, preds, folds, funcs, choices, proofs }, Derivation::of(steps))
}

#[test]
fn random_models_and_derivations_survive() {
    for (seed, names) in [(11, PLAIN), (12, ODD)] {
        let mut rng = Rng::new(seed);
        for _ in 0..150 {
            let (horn, model, derivation) = random_system(names, &mut rng);
            check_model(&horn, &model);
            check_derivation(&horn, &derivation);
        }
    }
}

/// A model without proofs, from definitions as they stand in the text.
fn plain_model(horn: &Horn, text: &str) -> HornModel {
    let Verdict::Safe(model) = read(text.as_bytes(), horn) else { panic!("not a model") };
    model
}

#[test]
fn models_of_other_solvers_are_read() {
    let horn = horn(
        "(set-logic HORN)(declare-fun P (Int) Bool)(declare-fun |a b| (Bool) Bool)
         (assert (P 0))(assert (forall ((x Int)) (=> (P x) (|a b| (> x 3)))))",
    );
    let definitions = "(define-fun P ((A Int)) Bool (let ((a!1 (* 2 A))) (>= a!1 0)))
         (define-fun |a b| ((B Bool)) Bool true)";
    let expected = check_model(&horn, &plain_model(&horn, definitions));
    for text in [
        format!("sat\n{definitions}"),
        format!("sat\n(\n{definitions}\n)"),
        format!("({definitions})"),
        format!("(model {definitions})"),
        format!("; a comment\n(set-info :status sat)\n{definitions}\n(set-info :source |x|)"),
    ] {
        assert_eq!(check_model(&horn, &plain_model(&horn, &text)), expected);
    }
}

#[test]
fn a_system_without_predicates_has_a_model() {
    let horn = horn("(set-logic HORN)(assert (forall ((x Int)) (=> (< x x) false)))");
    assert!(horn.preds.is_empty());
    let model = HornModel {
        terms: horn.terms.clone(),
        preds: Vec::new(),
        folds: Default::default(),
        funcs: BTreeMap::new(),
        choices: Choices::default(),
        proofs: vec![ClauseProof::Evaluate; horn.clauses.len()],
    };
    assert_eq!(check_model(&horn, &model), "()\n");
}

#[test]
fn conclusions_with_line_breaks_stay_comments() {
    let mut horn = Horn::default();
    let pred = horn.declare_pred("two\nlines) (step 1", &[]);
    let head = Head::Atom(pred, vec![]);
    let clause = Clause { vars: vec![], body: TermId::TRUE, head, name: None, span: Span::NONE };
    horn.clauses.push(clause);
    let step = Step::new(ClauseId(0), vec![], vec![]);
    check_derivation(&horn, &Derivation::of(vec![step.clone(), step]));
}

#[test]
fn progressions_say_their_rounds_and_their_growth() {
    let horn = horn(
        "(set-logic HORN)(declare-fun P (Int Bool Real) Bool)(assert (P 0 true 0.0))
         (assert (forall ((x Int) (b Bool) (r Real)) (=> (P x b r) (P (+ x 2) b (- r 0.5)))))
         (assert (forall ((x Int) (b Bool) (r Real)) (=> (and (P x b r) (= x 2000)) false)))",
    );
    let run = "(progression 1000 (member (clause 1) (values 0 true 0.0) (growth 2 (/ (- 1) 2))))";
    let with = |run: &str| {
        format!("(derivation (step 0 (clause 0) (values) (premises)) (step 1 {run} (premises 0)))")
    };
    let Verdict::Unsafe(derivation) = read(with(run).as_bytes(), &horn) else { panic!("a model") };
    let progression = derivation.steps[1].progression.as_ref().expect("it is a progression");
    assert_eq!(progression.rounds, Int::from(1000));
    assert_eq!(progression.members[0].growth[0], Rat::from(2));
    assert_eq!(derivation.steps[1].values[0], Value::Int(1998.into()));
    let text = check_derivation(&horn, &derivation);
    assert!(text.contains("(progression 1000 (member (clause 1)"), "{text}");
    let long = "9".repeat(2000);
    for wrong in [
        "(progression 1000)",
        "(progression 0 (member (clause 1) (values 0 true 0.0) (growth 2 0.0)))",
        "(progression (- 4) (member (clause 1) (values 0 true 0.0) (growth 2 0.0)))",
        "(progression 10 (member (clause 9) (values 0 true 0.0) (growth 2 0.0)))",
        "(progression 10 (member (clause 1) (values 0 true 0.0) (growth 2)))",
        "(progression 10 (member (clause 1) (values 0 true 0.0) (growth 2 false 0.0)))",
        "(progression 10 (member (clause 1) (values 0 true) (growth 2 0.0)))",
        "(progression 10 (clause 1))",
        &format!("(progression {long} (member (clause 1) (values 0 true 0.0) (growth 2 0.0)))"),
    ] {
        let (found, diagnostics) = read_horn(with(wrong).as_bytes(), &horn);
        assert!(found.is_none() && !diagnostics.is_clean(), "{wrong}");
    }
}

#[test]
fn a_sort_that_only_variables_have_is_known() {
    let horn = horn(
        "(set-logic HORN)(declare-sort Thing 0)(declare-fun N () Bool)
         (assert (forall ((e Thing) (o Thing)) (=> (= e o) N)))(assert (=> N false))",
    );
    let thing = horn.terms.sort(horn.clauses[0].vars[0]);
    let element = Value::Element(thing, 0);
    let values = vec![element.clone(), element];
    let steps =
        vec![Step::new(ClauseId(0), values, vec![]), Step::new(ClauseId(1), vec![], vec![0])];
    let text = check_derivation(&horn, &Derivation::of(steps));
    assert!(text.contains("(element e!1 Thing 0)"), "{text}");
}

/// The text of a proof grows like its terms with sharing, not like their written-out size.
#[test]
fn shared_parts_are_written_once() {
    use alphorn_problem::evidence::proof::{Literal, Proof, ProofStep, Rule};
    let mut horn = horn("(set-logic HORN)(assert (forall ((x Int)) (=> (< x 0) false)))");
    let x = horn.terms.var("x", SortId::INT);
    let mut terms = horn.terms.clone();
    let (mut sum, zero) = (x, terms.int(0));
    let mut steps = Vec::new();
    for _ in 0..500 {
        let abs = terms.mk(Op::Abs, &[sum]);
        sum = terms.mk(Op::Mul, &[abs, sum]);
        let atom = terms.le(zero, sum);
        let literal = Literal { atom, negated: false };
        steps.push(ProofStep { clause: vec![literal], rule: Rule::Arithmetic(abs) });
    }
    horn.terms = terms.clone();
    let model = HornModel {
        terms,
        preds: Vec::new(),
        folds: Default::default(),
        funcs: BTreeMap::new(),
        choices: Choices::default(),
        proofs: vec![ClauseProof::Refute(Proof { steps })],
    };
    let text = check_model(&horn, &model);
    assert!(text.len() < 120_000, "{} bytes", text.len());
}

#[test]
fn wrong_texts_are_refused_with_a_place() {
    let horn = horn(
        "(set-logic HORN)(declare-fun P (Int) Bool)(declare-fun c () Int)
         (assert (forall ((x Int)) (=> (= x c) (P x))))",
    );
    for (text, part) in [
        ("", "evidence expected"),
        ("()", "the predicate P is not defined"),
        ("(define-fun Q ((x Int)) Bool true)", "no predicate of this name"),
        ("(define-fun P ((x Int)) Int x)", "has sort Bool"),
        ("(define-fun P ((x Int)) Bool true)(define-fun P ((x Int)) Bool true)", "defined twice"),
        ("(define-fun P ((x Int)) Bool (= x y))", "`y` is not declared"),
        ("(declare-fun P (Int) Bool)", "`define-fun` or `set-info` expected"),
        ("(set-info :alphorn-proof (clause 7))", "no such clause"),
        ("(set-info :alphorn-proof (clause 0))(set-info :alphorn-proof (clause 0))", "two proofs"),
        ("(set-info :alphorn-proof (clause 0 (step 1 (cl) (assert 0))))", "the next number is 0"),
        ("(set-info :alphorn-proof (clause 0 (step 0 (cl @0) (assert 0))))", "names no atom"),
        ("(set-info :alphorn-proof (clause 0 (atom 0 1)))", "an atom is a formula"),
        ("(set-info :alphorn-proof (clause 0 (step 0 (cl) (magic))))", "no such rule"),
        ("(set-info :alphorn-proof (clause 0 (step 0 (cl) (farkas c))))", "a number is expected"),
        ("(set-info :alphorn-function (P (else true)))", "no function of this name"),
        ("(set-info :alphorn-function (c (case () 1) (case () 2)))", "stands twice"),
        ("(set-info :alphorn-function (c (else 1.5)))", "a value of sort Int is expected"),
        ("(set-info :alphorn-choice (sin (else 0)))", "div, mod, / or select"),
        ("(set-info :alphorn-choice (div (else c)))", "not a value"),
        ("(set-info :alphorn-choice (select head Int (else 0)))", "no such selector"),
        ("(set-info :alphorn-element (e Int 0))", "declared sorts"),
        ("(derivation (step 0 (clause 3) (values) (premises)))", "no such clause"),
        ("(derivation (step 0 (clause 0) (values true) (premises)))", "a value of sort Int"),
        ("(derivation (step 0 (clause 0) (values) (premises)))", "a term expected"),
        ("(derivation (step 1 (clause 0) (values 1) (premises)))", "the next step is 0"),
        ("(derivation) (derivation)", "the end expected"),
    ] {
        let (verdicts, diagnostics) = read_horn(text.as_bytes(), &horn);
        assert!(verdicts.is_none(), "{text}");
        let message = &diagnostics.list[0].message;
        assert!(message.contains(part), "{text}: {message}");
        assert!(diagnostics.list[0].span.end as usize <= text.len(), "{text}");
    }
}

/// A variable that is free in a shared part and bound beside it keeps its name in both places.
#[test]
fn bound_variables_keep_their_names() {
    let horn = horn(
        "(set-logic HORN)(declare-fun P (Int) Bool)
         (assert (forall ((x Int)) (=> (= x 0) (P x))))",
    );
    let mut terms = horn.terms.clone();
    let x = terms.var("x", SortId::INT);
    let (one, zero, five) = (terms.int(1), terms.int(0), terms.int(5));
    let sum = terms.add(&[x, one]);
    let squares = terms.mul(&[sum, sum]);
    let parts = [terms.le(zero, squares), terms.le(squares, five), terms.le(x, zero)];
    let inner = terms.exists(&[x], parts[0]);
    let both = terms.and(&[parts[1], inner]);
    let outer = terms.forall(&[x], both);
    let body = terms.and(&[parts[0], parts[1], parts[2], outer]);
    let model = HornModel {
        terms,
        preds: vec![Definition { params: vec![x], body }],
        folds: Default::default(),
        funcs: BTreeMap::new(),
        choices: Choices::default(),
        proofs: vec![ClauseProof::Evaluate],
    };
    check_model(&horn, &model);
    // Elsewhere a binder would get another name; here it cannot, so the text must.
    for (text, is_read) in [
        ("(let ((s (+ x 1))) (exists ((y Int)) (= y s)))", true),
        ("(let ((s (+ x 1))) (exists ((x Int)) (= x 1)))", true),
        ("(exists ((x Int)) (let ((s (+ x 1))) (= x s)))", true),
        ("(exists ((x Int)) (exists ((x Int)) (let ((s (+ x 1))) (= x s))))", true),
        ("(let ((s (+ x 1))) (exists ((x Int)) (= x s)))", false),
        ("(let ((s x)) (and (exists ((x Int)) (= x 1)) (exists ((x Int)) (= x s))))", false),
        ("(let ((s x)) (and (exists ((x Int)) (= x 1)) (= x s)))", true),
    ] {
        let text = format!("(define-fun P ((x Int)) Bool {text})");
        let (verdicts, diagnostics) = read_horn(text.as_bytes(), &horn);
        assert_eq!(verdicts.is_some(), is_read, "{text}");
        let said = diagnostics.list.first().map(|d| d.message.as_str());
        assert_eq!(said, (!is_read).then_some("a quantifier here binds a variable of `s`"));
    }
}
