//! Tidying keeps the meaning, on random formulas and every point of a grid; and what it makes of
//! formulas that engines find.

use super::*;
use alphorn_problem::horn::Head;
use alphorn_term::{Model, Value, eval};
use alphorn_testkit::Rng;

/// A random formula over the variables.
fn formula(store: &mut Store, rng: &mut Rng, vars: &[TermId], depth: u32) -> TermId {
    let choice = if depth == 0 { rng.below(3) } else { rng.below(9) };
    let below = |store: &mut Store, rng: &mut Rng| formula(store, rng, vars, depth - 1);
    match choice {
        0 => vars[3 + rng.below(2) as usize],
        1 | 2 => atom(store, rng, vars),
        3 => {
            let part = below(store, rng);
            store.not(part)
        }
        4 => {
            let [a, b, c] = [(); 3].map(|()| below(store, rng));
            store.ite(a, b, c)
        }
        5 => {
            let [a, b] = [(); 2].map(|()| below(store, rng));
            store.eq(a, b)
        }
        _ => {
            let count = 2 + rng.below(3);
            let parts: Vec<TermId> = (0..count).map(|_| below(store, rng)).collect();
            if choice == 6 { store.or(&parts) } else { store.and(&parts) }
        }
    }
}

/// A random comparison of integers (the first two variables) or of everything as reals.
fn atom(store: &mut Store, rng: &mut Rng, vars: &[TermId]) -> TermId {
    let is_real = rng.below(3) == 0;
    let (mut sums, sort) = (Vec::new(), if is_real { SortId::REAL } else { SortId::INT });
    for _ in 0..2 {
        let mut parts = Vec::new();
        for &var in if is_real { &vars[..3] } else { &vars[..2] } {
            let factor = rng.pick(&[0i64, 0, 1, 1, -1, 2, -3]);
            let var = match is_real && store.sort(var) == SortId::INT {
                true => store.mk(Op::ToReal, &[var]),
                false => var,
            };
            let factor = store.number(sort, &factor.into());
            parts.push(store.mul(&[factor, var]));
        }
        parts.push(store.number(sort, &(rng.below(7) as i64 - 3).into()));
        sums.push(store.add(&parts));
    }
    match rng.below(4) {
        0 => store.eq(sums[0], sums[1]),
        1 => store.lt(sums[0], sums[1]),
        _ => store.le(sums[0], sums[1]),
    }
}

/// All points of a grid, with fractions for the real variable.
fn points() -> Vec<Vec<Value>> {
    let mut points = Vec::new();
    for number in 0..5 * 5 * 9 * 4i64 {
        let (x, y, r) = (number % 5 - 2, number / 5 % 5 - 2, number / 25 % 9 - 4);
        let half = &alphorn_term::Rat::from(r) / &alphorn_term::Rat::from(2i64);
        let bits = number / 225;
        points.push(vec![
            Value::Int(x.into()),
            Value::Int(y.into()),
            Value::Real(half),
            Value::Bool(bits % 2 == 1),
            Value::Bool(bits / 2 == 1),
        ]);
    }
    points
}

fn variables(store: &mut Store) -> Vec<TermId> {
    let (int, real, bool) = (SortId::INT, SortId::REAL, SortId::BOOL);
    [("x", int), ("y", int), ("r", real), ("p", bool), ("q", bool)]
        .map(|(name, sort)| store.var(name, sort))
        .to_vec()
}

#[test]
fn tidying_keeps_the_meaning() {
    let mut rng = Rng::new(7);
    let points = points();
    for _ in 0..100 {
        let mut store = Store::new();
        let vars = variables(&mut store);
        let before = formula(&mut store, &mut rng, &vars, 3);
        let after = tidy(&mut store, before);
        for point in &points {
            let mut model = Model::new();
            vars.iter().zip(point).for_each(|(&var, value)| model.set(var, value.clone()));
            let values = [before, after].map(|term| eval(&store, term, &model).unwrap());
            assert_eq!(
                values[0],
                values[1],
                "{}\n{}\nat {point:?}",
                store.show(before),
                store.show(after)
            );
        }
    }
}

/// Tidies a formula given as a function of the variables x, y, r, p, q.
#[track_caller]
fn check(make: impl Fn(&mut Store, &[TermId]) -> TermId, expected: &str) {
    let mut store = Store::new();
    let vars = variables(&mut store);
    let formula = make(&mut store, &vars);
    let tidied = tidy(&mut store, formula);
    assert_eq!(store.show(tidied), expected, "from {}", store.show(formula));
    assert_eq!(tidy(&mut store, tidied), tidied, "tidying twice changes nothing");
}

/// `factors` times x and y, plus a constant.
fn sum(store: &mut Store, vars: &[TermId], factors: [i64; 3]) -> TermId {
    let [a, b, c] = factors.map(|factor| store.int(factor));
    let (x, y) = (store.mul(&[a, vars[0]]), store.mul(&[b, vars[1]]));
    store.add(&[x, y, c])
}

/// `factors` times x and y plus a constant is at most zero.
fn at_most(store: &mut Store, vars: &[TermId], factors: [i64; 3]) -> TermId {
    let (sum, zero) = (sum(store, vars, factors), store.int(0));
    store.le(sum, zero)
}

#[test]
fn negations_become_comparisons() {
    check(
        |store, vars| {
            let six = store.int(6);
            let large = store.le(six, vars[0]);
            store.not(large)
        },
        "(<= x 5)",
    );
}

#[test]
fn numbers_stand_on_the_side_where_they_are_positive() {
    check(|store, vars| at_most(store, vars, [-2, 6, 4]), "(<= (+ (* 3 y) 2) x)");
    check(|store, vars| at_most(store, vars, [-1, 0, 3]), "(<= 3 x)");
    check(|store, vars| at_most(store, vars, [1, -1, -3]), "(<= x (+ y 3))");
    // Over the integers 2x <= 5 is x <= 2.
    check(|store, vars| at_most(store, vars, [2, 0, -5]), "(<= x 2)");
}

#[test]
fn the_tighter_bound_stays() {
    let both = |op: Op| {
        move |store: &mut Store, vars: &[TermId]| {
            let bounds = [[1, 0, -5], [1, 0, -7]].map(|bound| at_most(store, vars, bound));
            store.mk(op, &bounds)
        }
    };
    check(both(Op::And), "(<= x 5)");
    check(both(Op::Or), "(<= x 7)");
}

#[test]
fn bounds_meet_in_equations() {
    check(
        |store, vars| {
            let bounds = [[1, 0, -5], [-1, 0, 5]].map(|bound| at_most(store, vars, bound));
            store.and(&bounds)
        },
        "(= x 5)",
    );
    check(
        |store, vars| {
            let bounds = [[1, 0, -4], [-1, 0, 6]].map(|bound| at_most(store, vars, bound));
            store.or(&bounds)
        },
        "(not (= x 5))",
    );
    check(
        |store, vars| {
            let bounds = [[1, 0, -4], [-1, 0, 5]].map(|bound| at_most(store, vars, bound));
            store.or(&bounds)
        },
        "true",
    );
}

#[test]
fn parts_are_absorbed_and_shortened() {
    // x <= 3 and (x >= 5 or p) and (x <= 4 or q) is x <= 3 and p.
    check(
        |store, vars| {
            let low = at_most(store, vars, [1, 0, -3]);
            let high = at_most(store, vars, [-1, 0, 5]);
            let middle = at_most(store, vars, [1, 0, -4]);
            let first = store.or(&[high, vars[3]]);
            let second = store.or(&[middle, vars[4]]);
            store.and(&[first, second, low])
        },
        "(and (<= x 3) p)",
    );
}

#[test]
fn parts_that_differ_in_one_literal_are_one() {
    check(
        |store, vars| {
            let (low, high) = (at_most(store, vars, [1, 0, -5]), at_most(store, vars, [-1, 0, 5]));
            let (first, second) = (store.or(&[vars[3], low]), store.or(&[high, vars[3]]));
            store.and(&[first, second])
        },
        "(or p (= x 5))",
    );
    check(
        |store, vars| {
            let negated = store.not(vars[4]);
            let (first, second) = (store.or(&[vars[3], vars[4]]), store.or(&[negated, vars[3]]));
            store.and(&[first, second])
        },
        "p",
    );
}

#[test]
fn weaker_parts_go() {
    check(
        |store, vars| {
            let (a, b) = (at_most(store, vars, [1, 0, 0]), at_most(store, vars, [1, 0, -2]));
            let short = store.or(&[a, vars[3]]);
            let long = store.or(&[vars[4], b, vars[3]]);
            store.and(&[long, short])
        },
        "(or (<= x 0) p)",
    );
}

#[test]
fn parameters_are_called_as_in_the_clauses() {
    let mut horn = Horn::default();
    let pred = horn.declare_pred("P", &[SortId::INT, SortId::INT, SortId::BOOL]);
    let (n, m) = (horn.terms.var("n", SortId::INT), horn.terms.var("m", SortId::INT));
    let body = horn.terms.eq(n, m);
    horn.clauses.push(alphorn_problem::horn::Clause {
        vars: vec![n, m],
        body,
        head: Head::Atom(pred, vec![n, n, TermId::TRUE]),
        name: None,
        span: alphorn_problem::Span::NONE,
    });
    let mut store = horn.terms.clone();
    let params: Vec<TermId> =
        [SortId::INT, SortId::INT, SortId::BOOL].map(|sort| store.fresh_var("x", sort)).to_vec();
    let body = store.lt(params[1], params[0]);
    let tidied = Names::of(&horn).tidied(&mut store, pred, &Definition { params, body });
    let names: Vec<&str> =
        tidied.params.iter().map(|&param| store.var_name(param).unwrap()).collect();
    assert_eq!(names[0], "n");
    assert!(names[1] != "n" && names[2] != "n" && names[1] != names[2], "{names:?}");
    assert_eq!(store.show(tidied.body), format!("(< {} n)", names[1]));
}
