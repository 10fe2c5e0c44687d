//! The abstraction to cells, looked at without its engine, and what becomes of lemmas.

use super::abstraction::{Detail, abstraction};
use super::bases::{Base, bases};
use super::mirrors::mirrors;
use super::replay::replay;
use super::{CARD, CEGAR, meaning};
use alphorn_engine::{Ctx, Stop, Stopper};
use alphorn_problem::Finding;
use alphorn_term::{SortId, Store};
use alphorn_testkit::read::horn as read;

fn with_ctx<T>(test: impl FnOnce(&mut Ctx<'_>) -> T) -> T {
    let mut sink = |_| {};
    test(&mut Ctx::new(3_000_000, Stopper::new(), 0, &mut sink))
}

/// A loop over cells with this written, and this said of the cell `k` to be impossible.
fn filled(value: &str, wrong: &str) -> String {
    format!(
        "(set-logic HORN) (declare-fun p (Int (Array Int Int)) Bool)
         (assert (forall ((a (Array Int Int))) (p 0 a)))
         (assert (forall ((i Int) (a (Array Int Int)))
           (=> (p i a) (p (+ i 1) (store a i {value})))))
         (assert (forall ((i Int) (a (Array Int Int)) (k Int))
           (=> (and (p i a) (<= 0 k) (< k i) {wrong}) false)))"
    )
}

#[test]
fn an_abstraction_has_no_arrays_and_an_atom_for_each_read() {
    let horn = read(&filled("(select a (+ i 5))", "(< (select a k) 0)"));
    for (copies, args, atoms) in [(1, 3, [0, 2, 1]), (2, 5, [0, 6, 1])] {
        let detail = Detail { copies, is_eager: false, is_mirrored: false };
        let cells = with_ctx(|ctx| abstraction(&horn, detail, ctx)).unwrap().horn;
        assert!(cells.validate().is_ok(), "{:?}", cells.validate());
        let bodies: Vec<_> = cells.clauses.iter().map(|clause| clause.body).collect();
        let is_plain = |&term: &_| {
            let sort = cells.terms.sort(term);
            sort == SortId::BOOL || sort.is_arithmetic()
        };
        assert!(cells.terms.subterms(&bodies).iter().all(is_plain));
        let widths = cells.pred_ids().map(|pred| cells.pred_args(pred).len());
        assert_eq!(widths.collect::<Vec<_>>(), [args]);
        let counts = bodies.iter().map(|&body| cells.atoms(body).len());
        assert_eq!(counts.collect::<Vec<_>>(), atoms);
    }
}

#[test]
fn an_equality_of_arrays_holds_at_every_index_that_is_read() {
    let horn = read(
        "(set-logic HORN) (declare-fun p ((Array Int Int) (Array Int Int)) Bool)
         (assert (forall ((a (Array Int Int))) (p a a)))
         (assert (forall ((a (Array Int Int)) (b (Array Int Int)) (c (Array Int Int)) (i Int))
           (=> (and (p a b) (p b c) (or (= a c) (= i 0)) (not (= (select a 1) (select c 1)))) false)))",
    );
    assert!(matches!(with_ctx(|ctx| (CARD.build)().run(&horn, ctx)), Ok(Finding::Holds(_))));
}

#[test]
fn what_holds_of_all_cells_is_proved_and_nothing_else() {
    let safe = read(&filled("7", "(distinct (select a k) 7)"));
    let finding = with_ctx(|ctx| (CARD.build)().run(&safe, ctx));
    let Ok(Finding::Holds(claim)) = finding else { panic!("{finding:?}") };
    let model = with_ctx(|ctx| alphorn_horn::prove_horn(&safe, claim, ctx)).unwrap();
    alphorn_check::horn::check_model(&safe, &model).unwrap();
    assert!(model.terms.has_quantifier(model.preds[0].body));
    let broken = read(&filled("i", "(distinct (select a k) 7)"));
    let finding = with_ctx(|ctx| (CARD.build)().run(&broken, ctx));
    let Ok(Finding::Fails(derivation)) = finding else { panic!("{finding:?}") };
    alphorn_check::horn::check_derivation(&broken, &derivation).unwrap();
}

/// What the abstraction derives of three cells that it does not tell apart is no derivation.
#[test]
fn a_derivation_that_no_array_has_is_not_believed() {
    let text = |query: &str| {
        format!(
            "(set-logic HORN) (declare-fun p ((Array Int Int)) Bool)
             (assert (forall ((a (Array Int Int)))
               (=> (= (+ (select a 0) (select a 1) (select a 2)) 0) (p a))))
             (assert (forall ((a (Array Int Int)))
               (=> (and (p a) (= (+ (select a 0) (select a 1) (select a 2)) {query})) false)))"
        )
    };
    let horn = read(&text("1"));
    let detail = Detail { copies: 1, is_eager: true, is_mirrored: false };
    let cells = with_ctx(|ctx| abstraction(&horn, detail, ctx)).unwrap();
    let derived = with_ctx(|ctx| (crate::pdr::CARD.build)().run(&cells.horn, ctx));
    let Ok(Finding::Fails(derived)) = derived else { panic!("{derived:?}") };
    assert_eq!(with_ctx(|ctx| replay(&horn, &derived, ctx)).unwrap(), None);
    let stop = with_ctx(|ctx| (CARD.build)().run(&horn, ctx));
    assert!(matches!(stop, Err(Stop::Stuck(_) | Stop::Unproved { .. })), "{stop:?}");
    let horn = read(&text("0"));
    let replayed = with_ctx(|ctx| replay(&horn, &derived, ctx)).unwrap().unwrap();
    alphorn_check::horn::check_derivation(&horn, &replayed).unwrap();
}

/// Bases are added to every index, and no loop changes them; counters are none.
#[test]
fn arrays_begin_at_what_is_handed_on() {
    let text = |index: &str| {
        format!(
            "(set-logic HORN)
             (declare-fun p (Int Int (Array Int Int)) Bool) (declare-fun q ((Array Int Int) Int) Bool)
             (assert (forall ((b Int) (a (Array Int Int))) (p 0 b a)))
             (assert (forall ((i Int) (b Int) (a (Array Int Int)))
               (=> (p i b a) (p (+ i 1) b (store a {index} 0)))))
             (assert (forall ((i Int) (b Int) (a (Array Int Int))) (=> (p i b a) (q a b))))
             (assert (forall ((a (Array Int Int)) (b Int)) (=> (and (q a b) (< b 0)) false)))"
        )
    };
    let places = |index: &str| {
        let horn = read(&text(index));
        let found = bases(&horn).into_iter();
        let plain = |(place, base): ((_, usize), Base)| (place.1, base.at, base.step.to_string());
        found.map(plain).collect::<Vec<_>>()
    };
    let one_each = |step: &str| vec![(2, 1, step.to_owned()), (0, 1, step.to_owned())];
    assert_eq!(places("(+ b i)"), one_each("1"));
    assert_eq!(places("(+ b (* 4 i) 8)"), one_each("4"));
    assert_eq!(places("(+ b (* 4 i) 7)"), one_each("1"));
    assert_eq!(places("(- b i)"), []);
    assert_eq!(places("i"), []);
}

/// A counter that clauses call even reaches every second cell, and one with another remainder, too.
#[test]
fn counters_step_over_cells() {
    let text = |rest: i64, index: &str| {
        format!(
            "(set-logic HORN) (declare-fun p (Int Int (Array Int Int)) Bool)
             (assert (forall ((b Int) (a (Array Int Int))) (p {rest} b a)))
             (assert (forall ((i Int) (b Int) (a (Array Int Int)))
               (=> (and (p i b a) (= (mod i 6) {rest})) (p (+ i 6) b (store a {index} 0)))))"
        )
    };
    for (rest, index, step) in
        [(0, "(+ b i)", "6"), (2, "(+ b i)", "2"), (3, "(+ b (* 2 i))", "6"), (0, "(+ b i 1)", "1")]
    {
        let found = bases(&read(&text(rest, index)));
        let steps: Vec<String> = found.values().map(|base| base.step.to_string()).collect();
        assert_eq!(steps, [step], "{rest} {index}");
    }
}

/// What is said of cells is said of the indices of one read; the others are at a distance.
#[test]
fn lemmas_are_about_the_index_of_a_read() {
    let mut terms = Store::new();
    let array = terms.array_sort(SortId::INT, SortId::INT);
    let [a, b] = ["a", "b"].map(|name| terms.var(name, array));
    let [i, p, q, n] = ["i", "p", "q", "n"].map(|name| terms.var(name, SortId::INT));
    let lemma = |terms: &mut Store, step: i64| {
        let step = terms.int(step);
        let at = terms.mul(&[step, i]);
        let [left, right] = [(a, p), (b, q)].map(|(array, base)| {
            let index = terms.add(&[base, at]);
            terms.select(array, index)
        });
        let (agree, after) = (terms.eq(left, right), terms.le(n, i));
        terms.or(&[after, agree])
    };
    let plain = lemma(&mut terms, 1);
    let (first, last) = meaning::plain_reads(&mut terms, plain, &[i]);
    let show = |terms: &Store, term| terms.show(term).to_string();
    assert_ne!(first, last);
    assert!(show(&terms, first).contains("(select a i)"), "{}", show(&terms, first));
    assert!(show(&terms, last).contains("(select b i)"), "{}", show(&terms, last));
    let wide = lemma(&mut terms, 4);
    let (first, _) = meaning::plain_reads(&mut terms, wide, &[i]);
    let text = show(&terms, first);
    assert!(
        text.contains("(select a i)") && text.contains("mod") && text.contains("div"),
        "{text}"
    );
    let mut model = alphorn_term::Model::new();
    let value = |n: i64| alphorn_term::Value::Int(n.into());
    // An index that is no cell says nothing.
    for (index, expected) in [(9, true), (8, false)] {
        for (var, number) in [(p, 0), (q, 0), (n, 100), (i, index)] {
            model.set(var, value(number));
        }
        let (zero, one) = (terms.int(0), terms.int(1));
        let (zeros, ones) = (terms.const_array(array, zero), terms.const_array(array, one));
        let map: alphorn_term::Substitution = [(a, zeros), (b, ones)].into_iter().collect();
        let closed = terms.substitute(first, &map);
        let truth = alphorn_term::eval(&terms, closed, &model);
        assert_eq!(truth, Ok(alphorn_term::Value::Bool(expected)), "{index}");
    }
}

#[test]
fn arrays_that_agree_everywhere_are_equal() {
    let mut terms = Store::new();
    let array = terms.array_sort(SortId::INT, SortId::INT);
    let [a, b] = ["a", "b"].map(|name| terms.fresh_var(name, array));
    let [i, k] = ["i", "k"].map(|name| terms.fresh_var(name, SortId::INT));
    let [left, right, other] =
        [(a, i), (b, i), (b, k)].map(|(array, index)| terms.select(array, index));
    let (agree, differ) = (terms.eq(left, right), terms.eq(left, other));
    let equal = terms.eq(a, b);
    assert_eq!(meaning::whole(&mut terms, agree, &[i]), Some(equal));
    assert_eq!(meaning::whole(&mut terms, differ, &[i]), None);
    assert_eq!(meaning::whole(&mut terms, differ, &[i, k]), None);
    let unless = terms.mk(alphorn_term::Op::Le, &[k, i]);
    let (outside, inside) = (terms.or(&[unless, agree]), terms.or(&[unless, equal]));
    assert_eq!(meaning::whole(&mut terms, outside, &[i]), None);
    assert_eq!(meaning::whole(&mut terms, inside, &[i]), None);
}

#[test]
fn indices_and_elements_may_be_words() {
    let text = "(set-logic HORN)
        (declare-fun P ((Array (_ BitVec 8) (_ BitVec 4)) (_ BitVec 8)) Bool)
        (assert (forall ((a (Array (_ BitVec 8) (_ BitVec 4)))) (P a #x00)))
        (assert (forall ((a (Array (_ BitVec 8) (_ BitVec 4))) (i (_ BitVec 8)))
          (=> (and (P a i) (bvult i #xff)) (P (store a i #x3) (bvadd i #x01)))))
        (assert (forall ((a (Array (_ BitVec 8) (_ BitVec 4))) (i (_ BitVec 8)) (k (_ BitVec 8)))
          (=> (and (P a i) (bvult k i) (not (= (select a k) #x3))) false)))
        (check-sat)";
    let horn = read(text);
    let finding = with_ctx(|ctx| (CARD.build)().run(&horn, ctx));
    assert!(matches!(finding, Ok(Finding::Holds(_))), "{finding:?}");
}

#[test]
fn predicate_abstraction_needs_cells_to_speak_of_all_elements() {
    let safe = read(&filled("7", "(distinct (select a k) 7)"));
    let mut sink = |_| {};
    let mut few = Ctx::new(20_000, Stopper::new(), 0, &mut sink);
    let alone = (crate::cegar::CARD.build)().run(&safe, &mut few);
    assert!(matches!(alone, Err(Stop::Budget(_))), "{alone:?}");
    let finding = with_ctx(|ctx| (CEGAR.build)().run(&safe, ctx));
    assert!(matches!(finding, Ok(Finding::Holds(_))), "{finding:?}");
    let wrong = read(&filled("7", "(= (select a k) 7) (> k 2)"));
    let finding = with_ctx(|ctx| (CEGAR.build)().run(&wrong, ctx));
    assert!(matches!(finding, Ok(Finding::Fails(_))), "{finding:?}");
}

/// A loop with two indices, of which the second is said here, that hands these on.
fn paired(index: &str, first: &str, second: &str) -> String {
    format!(
        "(set-logic HORN) (declare-fun p (Int Int Int (Array Int Int)) Bool)
         (assert (forall ((n Int) (a (Array Int Int))) (p 0 n n a)))
         (assert (forall ((i Int) (j Int) (n Int) (a (Array Int Int)))
           (=> (and (p i j n a) (< i n)) (p {first} {second} n (store a i (select a {index}))))))
         (assert (forall ((i Int) (j Int) (n Int) (a (Array Int Int)) (k Int))
           (=> (and (p i j n a) (< (select a k) 0)) false)))"
    )
}

#[test]
fn indices_mirror_each_other_where_loops_keep_their_sum() {
    let has_mirror = |index: &str, first: &str, second: &str| {
        let horn = read(&paired(index, first, second));
        mirrors(&horn).len() == 1
    };
    assert!(has_mirror("(- n 1 i)", "(+ i 1)", "j"));
    assert!(has_mirror("(- j 1)", "(+ i 1)", "(- j 1)"));
    assert!(!has_mirror("(- j 1)", "(+ i 1)", "j"), "the sum grows");
    assert!(!has_mirror("(+ i 1)", "(+ i 1)", "j"), "both go up");
}

#[test]
fn a_mirrored_cell_has_an_image_and_no_second_index() {
    let horn = read(&paired("(- n 1 i)", "(+ i 1)", "j"));
    let detail = Detail { copies: 1, is_eager: false, is_mirrored: true };
    let cells = with_ctx(|ctx| abstraction(&horn, detail, ctx)).unwrap().horn;
    assert!(cells.validate().is_ok(), "{:?}", cells.validate());
    let widths = cells.pred_ids().map(|pred| cells.pred_args(pred).len());
    // Three numbers, an index, and two elements.
    assert_eq!(widths.collect::<Vec<_>>(), [6]);
    let plain = read(&filled("7", "(< (select a k) 0)"));
    let refused = with_ctx(|ctx| abstraction(&plain, detail, ctx).map(|_| ()));
    assert!(matches!(refused, Err(Stop::Stuck(_))));
}
