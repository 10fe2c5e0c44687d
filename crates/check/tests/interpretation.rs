//! Refutations that choose arrays by definitions and the elements of declared sorts: accepted as they are, refused when
//! changed.

#![allow(clippy::unwrap_used)]

use alphorn_check::horn::check_derivation;
use alphorn_front::evidence::read_horn;
use alphorn_problem::evidence::horn::{Definition, Derivation, Refuted, Step};
use alphorn_problem::horn::ClauseId;
use alphorn_problem::{Horn, Verdict};
use alphorn_term::{SortId, Store};
use alphorn_testkit::read::horn as read;

/// No array is the successor everywhere.
const SUCCESSOR: &str = "(set-logic HORN)
    (assert (forall ((a (Array Int Int)))
      (=> (forall ((x Int)) (= (select a x) (+ x 1))) false)))";

/// But this one is.
const IS_SUCCESSOR: &str = "(interpretation (array k (Array Int Int) ((x Int)) (+ x 1)))
    (proof
      (var k (Array Int Int))
      (atom 0 (forall ((a (Array Int Int))) (not (forall ((x Int)) (= (select a x) (+ x 1))))))
      (atom 1 (forall ((x Int)) (= (select k x) (+ x 1))))
      (step 0 (cl @0) (assert 0))
      (step 1 (cl (not @0) (not @1)) (instantiate k))
      (step 2 (cl @1) (assert 1))
      (step 3 (cl) (rup 0 1 2)))";

/// All things are the same.
const SAME: &str = "(set-logic HORN) (declare-sort Thing 0)
    (declare-fun p (Thing) Bool)
    (assert (forall ((e Thing)) (p e)))
    (assert (forall ((e Thing) (o Thing)) (=> (and (p e) (p o) (distinct e o)) false)))";

/// But numbers are not.
const NUMBERS: &str = "(interpretation (sort Thing Int))
    (proof
      (atom 0 (forall ((e Int)) (p e)))
      (atom 1 (p 0))
      (atom 2 (p 1))
      (atom 3 (forall ((e Int) (o Int)) (not (and (p e) (p o) (not (= e o))))))
      (atom 4 (and (p 0) (p 1)))
      (step 0 (cl @0) (assert 0))
      (step 1 (cl (not @0) @1) (instantiate 0))
      (step 2 (cl (not @0) @2) (instantiate 1))
      (step 3 (cl @3) (assert 1))
      (step 4 (cl (not @3) (not @4)) (instantiate 0 1))
      (step 5 (cl @4 (not @1) (not @2)) (tautology))
      (step 6 (cl) (rup 0 1 2 3 4 5)))";

fn every(text: &str) -> String {
    format!("(set-option :functions every) {text}")
}

/// What a text says about a system, or why it is not read.
fn evidence(horn: &Horn, text: &str) -> Result<Derivation, String> {
    let (found, diagnostics) = read_horn(text.as_bytes(), horn);
    match found.map(|mut all| all.swap_remove(0)) {
        Some(Verdict::Unsafe(derivation)) => Ok(derivation),
        Some(Verdict::Safe(_)) => Err("it is a model".to_owned()),
        None => Err(format!("{diagnostics:?}")),
    }
}

/// The refusal of a text about a system, by the reader or by the checker; none if it is accepted.
fn refusal(horn: &Horn, text: &str) -> Option<String> {
    match evidence(horn, text) {
        Ok(derivation) => check_derivation(horn, &derivation).err().map(|no| no.to_string()),
        Err(reason) => Some(reason),
    }
}

#[track_caller]
fn refused(horn: &Horn, text: &str, part: &str) {
    let reason = refusal(horn, text).unwrap_or_else(|| panic!("accepted: {text}"));
    assert!(reason.contains(part), "{reason}");
}

#[test]
fn an_array_that_no_term_is() {
    let horn = read(SUCCESSOR);
    assert_eq!(refusal(&horn, IS_SUCCESSOR), None);
    let changed = |from: &str, to: &str, part: &str| {
        assert!(IS_SUCCESSOR.contains(from));
        refused(&horn, &IS_SUCCESSOR.replacen(from, to, 1), part);
    };
    // What it is decides: another array is no successor.
    changed("((x Int)) (+ x 1)))", "((x Int)) (+ x 2)))", "step 2 (assert)");
    changed("((x Int)) (+ x 1)))", "((x Int)) (+ (* 2 x) 1)))", "step 2 (assert)");
    // Without its definition nothing is known of it, nor of one that is not used.
    changed("(interpretation (array k (Array Int Int) ((x Int)) (+ x 1)))", "", "step 2 (assert)");
    changed("(array k ", "(array other ", "step 2 (assert)");
    // A definition is one: for all indices, by them and by what is defined before.
    changed("((x Int)) (+ x 1)))", "((x Int)) (+ y 1)))", "y");
    let other = "(interpretation (var y Int) (array k (Array Int Int) ((x Int)) (+ y 1)))";
    changed(
        "(interpretation (array k (Array Int Int) ((x Int)) (+ x 1)))",
        other,
        "neither an index",
    );
    changed("((x Int)) (+ x 1)))", "((x Int)) (+ (select k x) 1)))", "k is neither");
    changed("(array k (Array Int Int) ((x Int))", "(array k (Array Int Int) ((x Bool))", "");
    changed("((x Int)) (+ x 1)))", "((x Int)) (= x 1)))", "not of the sort");
    changed("((x Int)) (+ x 1)))", "((x Int) (y Int)) (+ x 1)))", "more indices than the array");
    changed("((x Int)) (+ x 1)))", "() k))", "k is neither");
    changed("(array k (Array Int Int)", "(array k Int", "more indices than the array");
    let twice = "(array k (Array Int Int) ((x Int)) (+ x 2)) (array k";
    changed("(array k", twice, "is not new");
    // A variable of the clauses is theirs.
    let own = IS_SUCCESSOR.replace("array k ", "array a ").replace("(var k ", "(var a ");
    refused(
        &horn,
        &own.replace("select k", "select a").replace("instantiate k", "instantiate a"),
        "not new",
    );
}

#[test]
fn arrays_of_arrays_and_arrays_by_arrays() {
    let horn = read(SUCCESSOR);
    let before = "(array b (Array Int (Array Int Int)) ((x Int) (y Int)) (+ x y))
        (array k (Array Int Int) ((x Int)) (select (select b x) 1))";
    let text = IS_SUCCESSOR
        .replace("(array k (Array Int Int) ((x Int)) (+ x 1))", before)
        .replace("(var k ", "(var b (Array Int (Array Int Int))) (var k ");
    // The definitions are two assertions, of which the proof has the first.
    refused(&horn, &text, "step 2 (assert)");
    let Ok(derivation) = evidence(&horn, &text) else { panic!("it is read") };
    assert_eq!(derivation.refuted.unwrap().chosen.arrays.len(), 2);
    // What is defined later is not defined before.
    let (first, second) = before.split_once("\n").unwrap();
    refused(&horn, &text.replace(before, &format!("{second} {first}")), "b");
}

#[test]
fn parts_of_a_definition_that_do_not_fit_are_refused() {
    let horn = read(SUCCESSOR);
    let good = evidence(&horn, IS_SUCCESSOR).unwrap();
    let changed = |change: &dyn Fn(&mut Refuted), part: &str| {
        let mut other = good.clone();
        change(other.refuted.as_mut().unwrap());
        let reason = check_derivation(&horn, &other).unwrap_err().to_string();
        assert!(reason.contains(part), "{reason}");
    };
    let definition = |refuted: &mut Refuted, change: &dyn Fn(&mut Definition)| {
        change(&mut refuted.chosen.arrays[0].1);
    };
    changed(&|r| definition(r, &|d| d.params.push(d.params[0])), "more indices");
    changed(&|r| definition(r, &|d| d.params[0] = d.body), "not a variable");
    changed(&|r| definition(r, &|d| d.params.clear()), "not of the sort");
    changed(&|r| r.chosen.arrays[0].0 = r.chosen.arrays[0].1.body, "not a variable");
    let mut larger = good.refuted.as_ref().unwrap().terms.clone();
    let far = larger.var("far", SortId::INT);
    changed(&|r| definition(r, &|d| d.body = far), "not of the sort");
    changed(&|r| r.chosen.arrays[0].0 = far, "not a variable");
    changed(&|r| r.chosen.arrays[0].1.params[0] = r.chosen.arrays[0].0, "sort");
    changed(&|r| r.terms = Store::default(), "do not extend");
}

#[test]
fn elements_are_chosen_where_every_sort_is_meant() {
    let horn = read(&every(SAME));
    assert!(horn.every_sort);
    assert_eq!(refusal(&horn, NUMBERS), None);
    let changed = |from: &str, to: &str, part: &str| {
        assert!(NUMBERS.contains(from));
        refused(&horn, &NUMBERS.replacen(from, to, 1), part);
    };
    changed("(sort Thing Int)", "(sort Thing Real)", "");
    changed("(sort Thing Int)", "(sort Thing (Array Int Int))", "no such sort");
    changed("(sort Thing Int)", "(sort Thing Thing)", "replaced");
    changed("(sort Thing Int)", "(sort Int Bool)", "not a declared sort");
    changed("(sort Thing Int)", "(sort Thing Int) (sort Thing Bool)", "two sorts");
    changed("(interpretation (sort Thing Int))", "", "");
    changed("instantiate 0 1", "instantiate 0 0", "step 4 (instantiate)");
    // For some sort the clauses do hold: for one of one element.
    let some = read(SAME);
    assert!(!some.every_sort);
    refused(&some, NUMBERS, "some interpretation of its sorts");
    // A refutation that chooses nothing of what another one chose is none.
    let mut less = evidence(&horn, NUMBERS).unwrap();
    less.refuted.as_mut().unwrap().chosen.sorts.clear();
    assert!(check_derivation(&horn, &less).is_err());
    let mut other = evidence(&horn, NUMBERS).unwrap();
    other.refuted.as_mut().unwrap().chosen.sorts[0].1 = SortId::BOOL;
    assert!(check_derivation(&horn, &other).is_err());
    let mut from_text = evidence(&horn, NUMBERS).unwrap();
    from_text.steps = vec![Step::new(ClauseId(0), Vec::new(), Vec::new())];
    let reason = check_derivation(&horn, &from_text).unwrap_err().to_string();
    assert!(reason.contains("as well"), "{reason}");
}
