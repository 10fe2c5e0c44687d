//! Threads under locks, and clauses that facts leave.

use super::*;
use alphorn_engine::Stopper;
use alphorn_term::{SortId, TermId};
use alphorn_testkit::read::horn as read;
use std::collections::BTreeSet;

fn with_ticks<R>(work: impl FnOnce(&mut Ctx<'_>) -> R) -> R {
    let mut sink = |_| {};
    work(&mut Ctx::new(20_000_000, Stopper::new(), 0, &mut sink))
}

fn run(text: &str) -> Result<Finding<Horn>, Stop> {
    let horn = read(text);
    with_ticks(|ctx| (CARD.build)().run(&horn, ctx))
}

/// Any number of threads that take a lock, count themselves in, look at the count, and go: two of them are seen, and a
/// third one moves as any of them may. With `free` as the value at which the lock is taken.
fn threads(free: i64) -> String {
    let steps = [
        (format!("(= l {free})"), 0, "1", "c", 1),
        ("true".to_owned(), 1, "l", "(+ c 1)", 2),
        ("(not (= c 1))".to_owned(), 2, "l", "c", 9),
        ("(= c 1)".to_owned(), 2, "l", "(- c 1)", 3),
        ("true".to_owned(), 3, "0", "c", 0),
    ];
    let mut text = "(set-logic HORN)
        (declare-fun inv (Int Int Int Int) Bool)
        (assert (inv 0 0 0 0))
        (assert (forall ((l Int) (c Int) (p Int) (q Int)) (=> (inv l c p q) (inv l c q p))))
        (assert (forall ((l Int) (c Int) (q Int)) (=> (inv l c 9 q) false)))"
        .to_owned();
    for (guard, from, lock, count, to) in steps {
        text += &format!(
            "(assert (forall ((l Int) (c Int) (q Int))
                (=> (and (inv l c {from} q) {guard}) (inv {lock} {count} {to} q))))
            (assert (forall ((l Int) (c Int) (p Int) (q Int))
                (=> (and (inv l c p q) (inv l c {from} q) (inv l c p {from}) {guard})
                    (inv {lock} {count} p q))))"
        );
    }
    text + "(check-sat)"
}

#[test]
fn threads_under_a_lock_are_never_both_inside() {
    assert!(matches!(run(&threads(0)), Ok(Finding::Holds(_))));
}

#[test]
fn a_lock_that_is_taken_while_it_is_held_proves_nothing() {
    assert!(matches!(run(&threads(1)), Ok(Finding::Holds(_))));
    let text = threads(0).replace("(= l 0)", "true");
    assert!(matches!(run(&text), Err(Stop::Stuck(_))));
}

#[test]
fn a_predicate_without_facts_is_false() {
    let text = "(set-logic HORN)
        (declare-fun p (Int) Bool)
        (declare-fun q (Int) Bool)
        (assert (p 0))
        (assert (forall ((x Int)) (=> (and (p x) (> x 3)) (q x))))
        (assert (forall ((x Int)) (=> (q x) false)))
        (check-sat)";
    assert!(matches!(run(text), Ok(Finding::Holds(_))));
}

#[test]
fn clauses_that_exclude_a_tuple_hold_of_all_facts_and_are_shortest() {
    let mut store = Store::new();
    let params: Vec<TermId> = ["x", "y", "z"].map(|name| store.var(name, SortId::INT)).to_vec();
    let mut literals = Vec::new();
    for &param in &params {
        for value in 0..3 {
            let value = store.int(value);
            let is_value = store.eq(param, value);
            literals.push(store.not(is_value));
        }
    }
    let tuple = |values: [i64; 3]| -> Arc<[Value]> {
        values.iter().map(|&value| Value::Int(value.into())).collect()
    };
    // All tuples in which not all three are equal, but for (0, 1, _).
    let mut facts = Vec::new();
    for code in 0..27 {
        let values = [code / 9, code / 3 % 3, code % 3];
        if values.iter().any(|&value| value != values[0]) && values[..2] != [0, 1] {
            facts.push(tuple(values));
        }
    }
    let excluding = |values| {
        with_ticks(|ctx| {
            let table = Table::new(&store, params.clone(), literals.clone(), &facts, ctx).unwrap();
            let row = table.row(&store, &mut table.program(&store), &tuple(values)).unwrap();
            table.excluding(&row, (3, 10), &BTreeSet::new(), ctx).unwrap()
        })
    };
    assert_eq!(excluding([1, 1, 1]), [vec![1, 4, 7]]);
    assert_eq!(excluding([0, 1, 2]), [vec![0, 4]]);
    assert!(excluding([0, 2, 1]).is_empty());
}

#[test]
fn cells_that_clauses_name_count_as_arguments() {
    let horn = read(
        "(set-logic HORN)
        (declare-fun p ((Array Int Int) Int Int) Bool)
        (assert (forall ((a (Array Int Int)) (i Int) (j Int)) (=> (= (select a i) 0) (p (store a i 1) i j))))
        (assert (forall ((a (Array Int Int)) (i Int) (j Int)) (=> (and (p a i j) (= (select a (+ j 1)) 3)) (p a j i))))
        (assert (forall ((a (Array Int Int)) (i Int) (j Int)) (=> (and (p a i j) (= i j)) false)))
        (check-sat)",
    );
    let system = System::of(&horn);
    let mut store = horn.terms.clone();
    let pred = horn.pred_ids().next().expect("there is one");
    let params = system.params(&mut store, pred);
    let cells = cells::cells(&system, &mut store, pred, &params);
    // Whoever is first changes places with the other.
    let one = store.int(1);
    let indices = [params[1], store.add(&[params[1], one]), store.add(&[params[2], one])];
    let expected = indices.map(|index| store.select(params[0], index));
    let found: BTreeSet<TermId> = cells.iter().copied().collect();
    assert_eq!(found, expected.into_iter().collect());
    let related = literals::related(&system, &mut store, pred, (&params, &cells));
    assert_eq!(related[1], related[2]);
}
