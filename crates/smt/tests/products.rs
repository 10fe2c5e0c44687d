//! Products whose factors have names: what follows by putting equations into them.

use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{Op, SortId, Store, TermId};

fn symbols<const N: usize>(store: &mut Store, names: [&str; N]) -> [TermId; N] {
    names.map(|name| store.var(name, SortId::INT))
}

/// That a symbol is the product of two.
fn product(store: &mut Store, whole: TermId, factors: [TermId; 2]) -> TermId {
    let product = store.mk(Op::Mul, &factors);
    store.eq(whole, product)
}

fn decide(store: &mut Store, formulas: &[TermId]) -> (Smt, Answer) {
    let mut smt = Smt::new(Options { proofs: true, ..Options::default() });
    for &formula in formulas {
        smt.assert(store, formula);
    }
    let answer = smt.check(store, &[]);
    (smt, answer)
}

#[test]
fn products_of_named_products_are_associative_with_a_proof() {
    let mut store = Store::new();
    let [a, b, c, d, e, f, g] = symbols(&mut store, ["a", "b", "c", "d", "e", "f", "g"]);
    let mut formulas = vec![
        product(&mut store, b, [e, a]),
        product(&mut store, a, [f, g]),
        product(&mut store, d, [c, g]),
        product(&mut store, c, [e, f]),
    ];
    let same = store.eq(b, d);
    formulas.push(store.not(same));
    let (smt, answer) = decide(&mut store, &formulas);
    assert_eq!(answer, Answer::Unsat);
    assert!(smt.refutation(&mut store).is_some());
}

#[test]
fn without_one_of_the_names_it_is_not_said() {
    let mut store = Store::new();
    let [a, b, c, d, e, f, g] = symbols(&mut store, ["a", "b", "c", "d", "e", "f", "g"]);
    let mut formulas = vec![
        product(&mut store, b, [e, a]),
        product(&mut store, a, [f, g]),
        product(&mut store, d, [c, g]),
    ];
    let same = store.eq(b, d);
    formulas.push(store.not(same));
    assert_ne!(decide(&mut store, &formulas).1, Answer::Unsat);
}

#[test]
fn a_sum_with_a_name_is_multiplied_out() {
    let mut store = Store::new();
    let [x, y, s, p, q] = symbols(&mut store, ["x", "y", "s", "p", "q"]);
    let two = store.int(2);
    let sum = store.add(&[x, x, two]);
    // s = 2x + 2 and p = s·y, q = x·y: p = 2q + 2y.
    let mut formulas =
        vec![store.eq(s, sum), product(&mut store, p, [s, y]), product(&mut store, q, [x, y])];
    let right = store.add(&[q, q, y, y]);
    let same = store.eq(p, right);
    formulas.push(store.not(same));
    assert_eq!(decide(&mut store, &formulas).1, Answer::Unsat);
}
