//! Models that define functions on datatypes: accepted as they are, refused when changed.

use alphorn_check::horn::check_model;
use alphorn_problem::evidence::fold::{Fold, FoldCase, Folds, Law, LawCase};
use alphorn_problem::evidence::horn::{ClauseProof, Definition, HornModel};
use alphorn_problem::horn::{Clause, Head, Horn};
use alphorn_problem::obligation::{fold, horn};
use alphorn_problem::span::Span;
use alphorn_term::eval::Table;
use alphorn_term::{SortId, TermId, Value};
use alphorn_testkit::proofs::language::World;

const EQUATION: &str = "(forall (y m) (= (length (cons y m)) (+ 1 (length m))))";
const NATURAL: &str = "(forall (m) (<= 0 (length m)))";

/// Every list has at least 0 elements, and one more than its tail; the empty one has none.
fn proofs() -> [String; 3] {
    [
        format!(
            "assert 1 | (not (<= 0 (length l)))
             assert 4 | {NATURAL}
             instantiate l | (not {NATURAL}) (<= 0 (length l))
             rup 1 2 0 |"
        ),
        format!(
            "assert 0 | (<= x (length l))
             assert 1 | (not (<= (+ x 1) (length (cons y l))))
             assert 3 | {EQUATION}
             instantiate y l | (not {EQUATION}) (= (length (cons y l)) (+ 1 (length l)))
             linear hypothesis 0; hypothesis 1; hypothesis 2; sum 1 0 1 1 -1 2 | (not (<= x (length l))) (<= (+ x 1) (length (cons y l))) (not (= (length (cons y l)) (+ 1 (length l))))
             rup 0 1 2 3 4 |"
        ),
        "assert 0 | (and (<= x (length nil)) (> x 0))
         tautology | (not (and (<= x (length nil)) (> x 0))) (<= x (length nil))
         tautology | (not (and (<= x (length nil)) (> x 0))) (> x 0)
         assert 1 | (= (length nil) 0)
         linear hypothesis 0; hypothesis 1; hypothesis 2; sum 1 0 1 1 1 2 | (not (<= x (length nil))) (not (> x 0)) (not (= (length nil) 0))
         rup 0 1 2 3 4 |"
            .to_owned(),
    ]
}

/// The proofs that lengths are not negative.
fn law_proofs() -> [String; 2] {
    [
        "assert 0 | (not (<= 0 (length nil)))
         assert 1 | (= (length nil) 0)
         linear hypothesis 0; hypothesis 1; sum 1 0 -1 1 | (<= 0 (length nil)) (not (= (length nil) 0))
         rup 0 1 2 |"
            .to_owned(),
        format!(
            "assert 0 | (not (<= 0 (length (cons y m))))
             assert 1 | (<= 0 (length m))
             assert 3 | {EQUATION}
             instantiate y m | (not {EQUATION}) (= (length (cons y m)) (+ 1 (length m)))
             linear hypothesis 0; hypothesis 1; hypothesis 2; sum 1 0 1 1 -1 2 | (<= 0 (length (cons y m))) (not (<= 0 (length m))) (not (= (length (cons y m)) (+ 1 (length m))))
             rup 0 1 2 3 4 |"
        ),
    ]
}

/// A system about a predicate `Len`, and a model of it with the length of lists.
fn lists() -> (World, Horn, HornModel) {
    let mut world = World::new();
    let list = world.term("l");
    let list = world.store.sort(list);
    let pred = world.store.declare("Len", &[list, SortId::INT], SortId::BOOL);
    world.funcs.insert("Len", pred);
    let clauses = [
        ("true", "(Len l 0)", "l"),
        ("(Len l x)", "(Len (cons y l) (+ x 1))", "l x y"),
        ("(and (Len nil x) (> x 0))", "", "x"),
    ];
    let mut read = Vec::new();
    for (body, head, vars) in clauses {
        let body = world.term(body);
        let head = (!head.is_empty()).then(|| world.term(head));
        read.push((body, head, world.terms(vars)));
    }
    let mut system = Horn::new(world.store.clone());
    let len = system.add_pred(pred, Span::NONE);
    for (body, head, vars) in read {
        let args = |head: TermId| Head::Atom(len, world.store.args(head).to_vec());
        let head = head.map_or(Head::False, args);
        system.clauses.push(Clause { vars, body, head, name: None, span: Span::NONE });
    }
    let func = world.store.declare("length", &[list], SortId::INT);
    world.funcs.insert("length", func);
    let nil = FoldCase { fields: Vec::new(), value: world.term("0") };
    let cons = FoldCase { fields: world.terms("y m"), value: world.term("(+ 1 (length m))") };
    let cases = vec![nil, cons];
    let functions = vec![Fold { func, level: 0, params: Vec::new(), cases }];
    let formula = world.term("(<= 0 (length m))");
    let law = Law { level: 0, var: world.term("m"), formula, cases: vec![] };
    let mut folds = Folds { functions, laws: vec![law] };
    let preds =
        vec![Definition { params: world.terms("l x"), body: world.term("(<= x (length l))") }];
    for clause in &system.clauses {
        horn::assertions(&system, &preds, (&folds, &Default::default()), clause, &mut world.store)
            .expect("they fit");
    }
    let ctors = fold::constructors(&world.store, list);
    let all_fields = [Vec::new(), world.terms("y m")];
    let mut cases = Vec::new();
    for ((ctor, fields), proof) in ctors.into_iter().zip(all_fields).zip(law_proofs()) {
        fold::induction(&folds, &folds.laws[0], ctor, &fields, &mut world.store);
        cases.push(LawCase { fields, proof: world.proof(&proof) });
    }
    folds.laws[0].cases = cases;
    let proofs = proofs().map(|proof| ClauseProof::Refute(world.proof(&proof))).to_vec();
    let (funcs, choices) = Default::default();
    let model = HornModel { terms: world.store.clone(), preds, folds, funcs, choices, proofs };
    (world, system, model)
}

#[test]
fn lengths_of_lists_are_accepted() {
    let (_, system, model) = lists();
    let report = check_model(&system, &model).expect("the model is right");
    assert_eq!((report.refuted, report.steps), (3, 26));
}

/// The reason for which a changed model is refused.
fn refusal(change: impl FnOnce(&mut World, &mut HornModel)) -> String {
    let (mut world, system, mut model) = lists();
    change(&mut world, &mut model);
    model.terms = world.store.clone();
    check_model(&system, &model).expect_err("it should be refused").to_string()
}

#[test]
fn there_are_no_folds_and_laws_on_codatatypes() {
    let on_streams = refusal(|world, model| {
        let stream = world.term("S");
        let sort = world.store.sort(stream);
        let fold = &mut model.folds.functions[0];
        fold.func = world.store.declare("length", &[sort], SortId::INT);
        world.funcs.insert("length", fold.func);
        fold.cases[0].fields = world.terms("y T");
        fold.cases[0].value = world.term("(+ 1 (length T))");
        fold.cases[1] = FoldCase { fields: Vec::new(), value: world.term("0") };
    });
    assert!(on_streams.contains("its argument is not of a datatype"), "{on_streams}");
    let about_streams = refusal(|world, model| {
        let law = &mut model.folds.laws[0];
        (law.var, law.formula) = (world.term("S"), world.term("(is-dry S)"));
    });
    assert!(about_streams.contains("law 0"), "{about_streams}");
}

#[test]
fn functions_that_are_no_folds_are_refused() {
    let value = |text: &'static str| {
        move |world: &mut World, model: &mut HornModel| {
            model.folds.functions[0].cases[1].value = world.term(text);
        }
    };
    for (text, part) in [
        ("(+ 1 (length (cons y m)))", "something but folds of fields or below"),
        ("(length (tail m))", "something but folds of fields or below"),
        ("(f y)", "something but folds of fields or below"),
        ("(+ 1 x)", "the variable x is neither"),
        ("true", "not of the function's sort"),
        ("(ite (forall (y) (<= y 0)) 1 0)", "a quantifier"),
    ] {
        let refused = refusal(value(text));
        assert!(refused.contains(part), "{text}: {refused}");
    }
    let check = |part: &str, change: &dyn Fn(&mut World, &mut HornModel)| {
        let refused = refusal(|world, model| change(world, model));
        assert!(refused.contains(part), "{refused} does not mention {part}");
    };
    check("one case for each constructor", &|_, m| _ = m.folds.functions[0].cases.pop());
    check("one variable of the right sort for a field", &|_, m| {
        _ = m.folds.functions[0].cases[1].fields.pop()
    });
    check("one variable of the right sort for a field", &|_, m| {
        m.folds.functions[0].cases[1].fields.reverse()
    });
    check("defined twice", &|_, m| {
        let again = m.folds.functions[0].clone();
        m.folds.functions.push(again);
    });
    check("means something else", &|w, m| m.folds.functions[0].func = w.funcs["f"]);
    check("means something else", &|w, m| m.folds.functions[0].func = w.funcs["Len"]);
    check("means something else", &|_, m| {
        let table = Table { default: Some(Value::Int(7.into())), ..Table::default() };
        m.funcs.insert(m.folds.functions[0].func, table);
    });
    check("not declared", &|w, m| {
        m.folds.functions[0].func = w.store.clone().declare("h", &[], SortId::INT);
    });
    check("not of a datatype", &|w, m| {
        m.folds.functions[0].func = w.store.declare("h", &[SortId::INT], SortId::INT);
    });
}

#[test]
fn laws_that_are_not_proved_are_refused() {
    let check = |part: &str, change: &dyn Fn(&mut World, &mut HornModel)| {
        let refused = refusal(|world, model| change(world, model));
        assert!(refused.contains(part), "{refused} does not mention {part}");
    };
    check("law 0, case 0", &|w, m| m.folds.laws[0].formula = w.term("(<= 1 (length m))"));
    check("law 0, case 1", &|_, m| m.folds.laws[0].cases[1].proof.steps.truncate(4));
    check("one case for each constructor", &|_, m| _ = m.folds.laws[0].cases.pop());
    check("x is not the one", &|w, m| m.folds.laws[0].formula = w.term("(<= x (length m))"));
    check("not about values", &|w, m| m.folds.laws[0].var = w.term("x"));
    check("not about a variable", &|w, m| m.folds.laws[0].var = w.term("nil"));
    check("not a formula", &|w, m| m.folds.laws[0].formula = w.term("(length m)"));
    check("clause 0", &|_, m| m.folds.laws.clear());
    check("law 0, case", &|w, m| m.folds.functions[0].cases[1].value = w.term("(- (length m) 1)"));
    check("clause 0", &|_, m| m.proofs[0] = ClauseProof::Evaluate);
}
