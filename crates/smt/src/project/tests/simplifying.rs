//! Simplification.

use super::enumeration::{Enumeration, for_all};
use super::random::Shape;
use crate::project::mentions::symbols;
use crate::project::simplify;
use alphorn_term::eval::Program;
use alphorn_term::{Model, Op, SortId, Store, TermId};
use alphorn_testkit::Rng;

/// The integer variables x, y, z and the truth values p, q of a store.
struct Names {
    x: TermId,
    y: TermId,
    z: TermId,
    p: TermId,
    q: TermId,
}

fn names(store: &mut Store) -> Names {
    let [x, y, z] = ["x", "y", "z"].map(|name| store.var(name, SortId::INT));
    let [p, q] = ["p", "q"].map(|name| store.var(name, SortId::BOOL));
    Names { x, y, z, p, q }
}

/// Whether two formulas have the same value wherever a context holds, in a box.
fn agree(store: &Store, left: TermId, right: TermId, context: TermId) -> bool {
    let mut vars = symbols(store, left);
    for other in [right, context] {
        for symbol in symbols(store, other) {
            if !vars.contains(&symbol) {
                vars.push(symbol);
            }
        }
    }
    let all = Enumeration::new(4);
    let domains: Vec<_> = vars.iter().map(|&var| all.values(store.sort(var))).collect();
    let mut program = Program::new(store, &vars, &[left, right, context]);
    for_all(&domains, |values| {
        program.run(store, values, &Model::new());
        !program.holds(2).unwrap() || program.holds(0).unwrap() == program.holds(1).unwrap()
    })
}

#[test]
fn simplified_formulas_mean_the_same() {
    let (mut before, mut after, mut semantic) = (0, 0, 0);
    for seed in 0..250 {
        let mut random = Rng::new(seed);
        let mut store = Store::new();
        let Names { x, y, p, q, .. } = names(&mut store);
        let reals = if seed % 3 == 0 { vec![store.var("r", SortId::REAL)] } else { vec![] };
        let shape = Shape {
            ints: vec![x, y],
            reals,
            bools: vec![p, q],
            is_rich: seed % 2 == 0,
            coefficient: 2,
        };
        let formula = shape.formula(&mut store, &mut random, 4);
        let context = match seed % 4 {
            0 => shape.formula(&mut store, &mut random, 1),
            _ => TermId::TRUE,
        };
        let result = simplify(&mut store, formula, &[context], None);
        assert!(
            agree(&store, formula, result, context),
            "seed {seed}: {} became {}",
            store.show(formula),
            store.show(result)
        );
        let again = simplify(&mut store, result, &[context], None);
        assert!(agree(&store, again, result, context), "seed {seed}");
        let mut oracle = Enumeration::new(4);
        let smaller = simplify(&mut store, formula, &[context], Some(&mut oracle));
        assert!(
            agree(&store, formula, smaller, context),
            "seed {seed}: {} became {}",
            store.show(formula),
            store.show(smaller)
        );
        before += store.tree_size(formula);
        after += store.tree_size(result);
        semantic += store.tree_size(smaller);
    }
    assert!(after < before && semantic < after, "sizes {before}, {after}, {semantic}");
}

fn shown(store: &mut Store, formula: TermId) -> String {
    let result = simplify(store, formula, &[], None);
    store.show(result)
}

#[test]
fn atoms_are_readable() {
    let mut store = Store::new();
    let Names { x, y, z, .. } = names(&mut store);
    let number = |store: &mut Store, value: i64| store.int(value);
    let minus_y = store.neg(y);
    let difference = store.add(&[x, minus_y]);
    for (bound, expected) in
        [(3, "(<= x (+ y 3))"), (0, "(<= x y)"), (-1, "(< x y)"), (-3, "(<= (+ x 3) y)")]
    {
        let bound = number(&mut store, bound);
        let atom = store.le(difference, bound);
        assert_eq!(shown(&mut store, atom), expected);
    }
    let three = number(&mut store, 3);
    let atom = store.le(difference, three);
    let negated = store.not(atom);
    assert_eq!(shown(&mut store, negated), "(<= (+ y 4) x)");
    let atom = store.eq(difference, three);
    assert_eq!(shown(&mut store, atom), "(= x (+ y 3))");
    let two = number(&mut store, 2);
    let (twice, double) = (store.mul(&[two, x]), store.mul(&[two, z]));
    let sum = store.add(&[twice, double]);
    let atom = store.le(sum, three);
    assert_eq!(shown(&mut store, atom), "(<= (+ x z) 1)");
    let atom = store.eq(sum, three);
    assert_eq!(shown(&mut store, atom), "false");
    let atom = store.le(three, x);
    assert_eq!(shown(&mut store, atom), "(<= 3 x)");
    let atom = store.lt(x, three);
    assert_eq!(shown(&mut store, atom), "(<= x 2)");
}

#[test]
fn bounds_on_one_polynomial_become_one() {
    let mut store = Store::new();
    let Names { x, y, p, .. } = names(&mut store);
    let at_most = |store: &mut Store, term: TermId, value: i64| {
        let bound = store.int(value);
        store.le(term, bound)
    };
    let at_least = |store: &mut Store, term: TermId, value: i64| {
        let bound = store.int(value);
        store.le(bound, term)
    };
    let (three, five) = (at_most(&mut store, x, 3), at_most(&mut store, x, 5));
    let both = store.and(&[three, p, five]);
    assert_eq!(shown(&mut store, both), "(and (<= x 3) p)");
    let either = store.or(&[three, p, five]);
    assert_eq!(shown(&mut store, either), "(or (<= x 5) p)");
    let low = at_least(&mut store, x, 3);
    let exact = store.and(&[three, low]);
    assert_eq!(shown(&mut store, exact), "(= x 3)");
    let high = at_least(&mut store, x, 4);
    let none = store.and(&[three, p, high]);
    assert_eq!(shown(&mut store, none), "false");
    let all = store.or(&[three, p, high]);
    assert_eq!(shown(&mut store, all), "true");
    // A bound inside is judged by the bounds outside.
    let inner = store.or(&[five, p]);
    let outer = store.and(&[three, inner]);
    assert_eq!(shown(&mut store, outer), "(<= x 3)");
    let far = at_least(&mut store, x, 9);
    let inner = store.or(&[far, p]);
    let outer = store.and(&[three, inner]);
    assert_eq!(shown(&mut store, outer), "(and (<= x 3) p)");
    // Known numbers are put in.
    let (sum, three_exactly) = (store.add(&[x, y]), store.int(3));
    let sum = at_most(&mut store, sum, 5);
    let equal = store.eq(x, three_exactly);
    let known = store.and(&[sum, equal]);
    assert_eq!(shown(&mut store, known), "(and (<= y 2) (= x 3))");
}

#[test]
fn of_equal_bounds_on_reals_the_strict_one_is_tighter() {
    let mut store = Store::new();
    let r = store.var("r", SortId::REAL);
    let three = store.real(3);
    let (at_most, below) = (store.le(r, three), store.lt(r, three));
    let (at_least, above) = (store.le(three, r), store.lt(three, r));
    for (tight, loose) in [(below, at_most), (above, at_least)] {
        for pair in [[tight, loose], [loose, tight]] {
            let both = store.and(&pair);
            assert_eq!(simplify(&mut store, both, &[], None), tight);
            let either = store.or(&pair);
            assert_eq!(simplify(&mut store, either, &[], None), loose);
        }
    }
    let exact = store.eq(r, three);
    let different = store.not(exact);
    let both = store.and(&[at_most, different]);
    assert_eq!(simplify(&mut store, both, &[], None), below);
    let both = store.and(&[at_most, above]);
    assert_eq!(simplify(&mut store, both, &[], None), TermId::FALSE);
}

#[test]
fn cubes_are_absorbed_joined_and_factored() {
    let mut store = Store::new();
    let Names { p, q, x, .. } = names(&mut store);
    let r = store.var("r", SortId::BOOL);
    let (both, not_q) = (store.and(&[p, q]), store.not(q));
    let longer = store.and(&[p, q, r]);
    let covered = store.or(&[longer, both]);
    assert_eq!(simplify(&mut store, covered, &[], None), both);
    // Of cubes that say the same, one stays.
    let two = store.int(2);
    let (equal, bound) = (store.eq(x, two), store.le(x, two));
    let same = [store.and(&[p, equal]), store.and(&[p, equal, bound])];
    let same = store.or(&same);
    assert_eq!(shown(&mut store, same), "(and p (= x 2))");
    let rest = store.and(&[p, not_q]);
    let joined = store.or(&[both, rest]);
    assert_eq!(simplify(&mut store, joined, &[], None), p);
    let other = store.and(&[p, r]);
    let factored = store.or(&[both, other]);
    assert_eq!(shown(&mut store, factored), "(and p (or q r))");
    let clauses = [store.or(&[p, q]), store.or(&[p, not_q])];
    let clauses = store.and(&clauses);
    assert_eq!(simplify(&mut store, clauses, &[], None), p);
    let (even, odd) = (store.divisible(&2.into(), x), store.divisible(&2.into(), x));
    let odd = store.not(odd);
    let cases = [store.and(&[p, even]), store.and(&[p, odd])];
    let cases = store.or(&cases);
    assert_eq!(simplify(&mut store, cases, &[], None), p);
}

#[test]
fn divisibilities_are_judged_by_others() {
    let mut store = Store::new();
    let Names { x, p, .. } = names(&mut store);
    let rest = |store: &mut Store, divisor: i64, rest: i64| {
        let (divisor, rest) = (store.int(divisor), store.int(rest));
        let remainder = store.mk(Op::Mod, &[x, divisor]);
        store.eq(remainder, rest)
    };
    let ten = rest(&mut store, 10, 3);
    for (value, expected) in [(3, "(= (mod x 10) 3)"), (2, "(and (= (mod x 10) 3) p)")] {
        let five = rest(&mut store, 5, value);
        let either = store.or(&[five, p]);
        let both = store.and(&[ten, either]);
        assert_eq!(shown(&mut store, both), expected);
    }
}

#[test]
fn the_context_counts_and_the_oracle_sees_more() {
    let mut store = Store::new();
    let Names { x, y, z, p, .. } = names(&mut store);
    let (xy, yz, xz) = (store.le(x, y), store.le(y, z), store.le(x, z));
    let formula = store.or(&[xz, p]);
    assert_eq!(simplify(&mut store, formula, &[p], None), TermId::TRUE);
    let chain = store.and(&[xy, yz, xz]);
    assert_eq!(simplify(&mut store, chain, &[], None), chain);
    let mut oracle = Enumeration::new(3);
    let result = simplify(&mut store, chain, &[], Some(&mut oracle));
    assert_eq!(store.show(result), "(and (<= x y) (<= y z))");
    let result = simplify(&mut store, xz, &[xy, yz], Some(&mut oracle));
    assert_eq!(result, TermId::TRUE);
}
