//! Queries that are programs to be run.

use super::*;
use alphorn_engine::Stopper;
use alphorn_horn::derivation::is_derivation;
use alphorn_testkit::read::horn as read;

/// Lists of unary numbers: their order, length and sum, and a query.
fn lists(query: &str) -> String {
    format!(
        "(set-logic HORN)
        (declare-datatypes ((N 0) (L 0)) (((z) (s (p N))) ((nil) (cons (hd N) (tl L)))))
        (declare-fun add (N N N) Bool)
        (assert (forall ((y N)) (add z y y)))
        (assert (forall ((x N) (y N) (r N)) (=> (add x y r) (add (s x) y (s r)))))
        (declare-fun lt (N N) Bool)
        (assert (forall ((y N)) (lt z (s y))))
        (assert (forall ((x N) (y N)) (=> (lt x y) (lt (s x) (s y)))))
        (declare-fun len (L N) Bool)
        (assert (len nil z))
        (assert (forall ((x N) (l L) (r N)) (=> (len l r) (len (cons x l) (s r)))))
        (declare-fun sum (L N) Bool)
        (assert (sum nil z))
        (assert (forall ((x N) (l L) (r N) (q N))
          (=> (and (sum l r) (add x r q)) (sum (cons x l) q))))
        (declare-fun inc (L) Bool)
        (assert (inc nil))
        (assert (forall ((a N)) (inc (cons a nil))))
        (assert (forall ((a N) (b N) (x L))
          (=> (and (lt a b) (inc (cons b x))) (inc (cons a (cons b x))))))
        (assert (forall ((l L)) (=> {query} false)))
        (check-sat)"
    )
}

fn number(number: u32) -> String {
    (0..number).fold("z".to_owned(), |number, _| format!("(s {number})"))
}

/// What an engine finds in a system with so many ticks; a derivation is one.
pub(crate) fn run_within(card: &Card<Horn>, ticks: u64, text: &str) -> Result<Finding<Horn>, Stop> {
    let horn = read(text);
    let mut sink = |_| {};
    let mut ctx = Ctx::new(ticks, Stopper::new(), 0, &mut sink);
    let finding = (card.build)().run(&horn, &mut ctx);
    if let Ok(Finding::Fails(derivation)) = &finding {
        assert!(is_derivation(derivation, &horn));
    }
    finding
}

fn run(text: &str) -> Result<Finding<Horn>, Stop> {
    run_within(&CARD, 200_000, text)
}

fn is_unsafe(text: &str) -> bool {
    matches!(run(text), Ok(Finding::Fails(_)))
}

#[test]
fn an_increasing_list_of_a_length_and_a_sum_is_found() {
    let query = |sum| format!("(and (inc l) (len l {}) (sum l {}))", number(4), number(sum));
    assert!(is_unsafe(&lists(&query(6))));
    assert!(is_unsafe(&lists(&query(11))));
    assert!(!is_unsafe(&lists(&query(5))));
}

#[test]
fn a_search_without_choices_left_ends() {
    let query = "(and (len l (s z)) (sum l z) (not (= l (cons z nil))))";
    assert!(matches!(run(&lists(query)), Err(Stop::Stuck(_))));
}

#[test]
fn variables_that_only_guards_speak_of_get_values_from_the_solver() {
    let text = |least: i32| {
        format!(
            "(set-logic HORN)
        (declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))
        (declare-fun sum (L Int) Bool)
        (assert (sum nil 0))
        (assert (forall ((x Int) (l L) (r Int))
          (=> (and (sum l r) (< 0 x) (< x 5)) (sum (cons x l) (+ x r)))))
        (assert (forall ((x Int) (l L))
          (=> (and (sum (cons x l) {least}) (not ((_ is nil) l)) (= (mod x 3) 1)) false)))
        (check-sat)"
        )
    };
    assert!(is_unsafe(&text(7)));
    assert!(!is_unsafe(&text(1)));
}

#[test]
fn alternatives_of_a_body_are_rules() {
    let text = |last: &str| {
        format!(
            "(set-logic HORN)
        (declare-datatypes ((N 0)) (((z) (s (p N)))))
        (declare-fun even (N) Bool)
        (assert (forall ((n N)) (=> (or (= n z) (and ((_ is s) n) ((_ is s) (p n)) (even (p (p n))))) (even n))))
        (assert (=> (even {last}) false))
        (check-sat)"
        )
    };
    assert!(is_unsafe(&text(&number(8))));
    assert!(!is_unsafe(&text(&number(7))));
}

#[test]
fn terms_deeper_than_values_are_refused() {
    let query = |depth| format!("(len l {})", number(depth));
    assert!(is_unsafe(&lists(&query(100))));
    assert!(matches!(run(&lists(&query(3_000))), Err(Stop::Unsupported(_))));
}
