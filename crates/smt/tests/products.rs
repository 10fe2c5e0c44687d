//! Products of unknowns: what follows by putting equations into them, by bounds and by lines, and values that are tried.

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

/// Two positive reals, the first at least three times the second, with squares of which the first is below a multiple of the other.
fn squares(store: &mut Store, multiple: i64) -> Vec<TermId> {
    let [a, b] = ["a", "b"].map(|name| store.var(name, SortId::REAL));
    let [zero, three, multiple] = [0, 3, multiple].map(|number| store.real(number));
    let thrice = store.mk(Op::Mul, &[three, b]);
    let [left, right] = [a, b].map(|factor| store.mk(Op::Mul, &[factor, factor]));
    let right = store.mk(Op::Mul, &[multiple, right]);
    vec![store.lt(zero, b), store.le(thrice, a), store.lt(left, right)]
}

#[test]
fn a_bound_of_two_factors_is_one_of_their_squares_with_a_proof() {
    let mut store = Store::new();
    let formulas = squares(&mut store, 8);
    let (smt, answer) = decide(&mut store, &formulas);
    assert_eq!(answer, Answer::Unsat);
    assert!(smt.refutation(&mut store).is_some());
}

#[test]
fn factors_get_values_where_lemmas_do_not_end() {
    let mut store = Store::new();
    let mut smt = Smt::new(Options::default());
    for formula in squares(&mut store, 11) {
        smt.assert(&mut store, formula);
    }
    assert_eq!(smt.check_small(&mut store, &[]), Answer::Sat);
}

#[test]
fn a_root_is_found_by_its_square() {
    for (square, is_rational) in [(9, true), (8, false)] {
        let mut store = Store::new();
        let x = store.var("x", SortId::REAL);
        let [four, square] = [4, square].map(|number| store.real(number));
        let whole = store.mk(Op::Mul, &[four, x, x]);
        let equation = store.eq(whole, square);
        let mut smt = Smt::new(Options::default());
        smt.assert(&mut store, equation);
        let expected = if is_rational { Answer::Sat } else { Answer::Unknown };
        assert_eq!(smt.check_small(&mut store, &[]), expected);
    }
}

#[test]
fn a_square_is_below_the_line_between_two_squares() {
    let mut store = Store::new();
    let x = store.var("x", SortId::REAL);
    let [zero, two, seven] = [0, 2, 7].map(|number| store.real(number));
    let five = store.real(5);
    let square = store.mk(Op::Mul, &[x, x]);
    let end = store.mk(Op::Mul, &[five, x]);
    let formulas = [store.eq(square, two), store.lt(zero, x), store.lt(end, seven)];
    let (smt, answer) = decide(&mut store, &formulas);
    assert_eq!(answer, Answer::Unsat);
    assert!(smt.refutation(&mut store).is_some());
}

#[test]
fn products_that_no_formula_in_force_has_may_be_wrong() {
    let mut store = Store::new();
    let [x, y] = ["x", "y"].map(|name| store.var(name, SortId::REAL));
    let [two, three, one] = [2, 3, 1].map(|number| store.real(number));
    let mut smt = Smt::new(Options::default());
    // No rational number has this square, so that no assignment has this product right.
    smt.push();
    let square = store.mk(Op::Mul, &[y, y]);
    let root = store.eq(square, two);
    smt.assert(&mut store, root);
    assert_eq!(smt.check(&mut store, &[]), Answer::Unknown);
    smt.pop();
    let [product, mixed] = [[x, x], [x, y]].map(|factors| store.mk(Op::Mul, &factors));
    let formulas = [store.eq(product, one), store.lt(three, mixed)];
    formulas.iter().for_each(|formula| _ = smt.assert(&mut store, *formula));
    assert_eq!(smt.check_small(&mut store, &[]), Answer::Sat);
}

/// `x·x + c = m·y`, of integers.
fn square_and_multiple(store: &mut Store, more: i64, multiple: i64) -> TermId {
    let [x, y] = symbols(store, ["x", "y"]);
    let [more, multiple] = [more, multiple].map(|number| store.int(number));
    let square = store.mk(Op::Mul, &[x, x]);
    let left = store.add(&[square, more]);
    let right = store.mk(Op::Mul, &[multiple, y]);
    store.eq(left, right)
}

#[test]
fn remainders_of_factors_refute_with_a_proof() {
    for (more, multiple, is_solvable) in
        [(1, 3, false), (2, 3, true), (1, 4, false), (3, 5, false), (4, 5, true)]
    {
        let mut store = Store::new();
        let formula = square_and_multiple(&mut store, more, multiple);
        let mut smt = Smt::new(Options { proofs: true, ..Options::default() });
        smt.assert(&mut store, formula);
        let expected = if is_solvable { Answer::Sat } else { Answer::Unsat };
        assert_eq!(smt.check_small(&mut store, &[]), expected, "x·x + {more} = {multiple}·y");
        assert_eq!(smt.refutation(&mut store).is_some(), !is_solvable);
    }
}
