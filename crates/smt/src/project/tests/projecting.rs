//! Implicants and projections.

use super::enumeration::{Enumeration, for_all};
use super::random::Shape;
use crate::project::mentions::symbols;
use crate::project::{implicant, prime_implicant, project};
use alphorn_term::eval::Program;
use alphorn_term::{Model, Op, Rat, SortId, Store, TermId, Value, eval};
use alphorn_testkit::Rng;
use std::collections::BTreeMap;

fn model_of(vars: &[TermId], values: &[Value]) -> Model {
    let mut model = Model::new();
    vars.iter().zip(values).for_each(|(&var, value)| model.set(var, value.clone()));
    model
}

fn holds(store: &Store, term: TermId, model: &Model) -> bool {
    eval(store, term, model).unwrap() == Value::Bool(true)
}

/// A model of a formula that is not the first in every case.
fn some_models(store: &Store, formula: TermId, vars: &[TermId], radius: i64) -> Vec<Model> {
    let all = Enumeration::new(radius);
    let domains: Vec<_> = vars.iter().map(|&var| all.values(store.sort(var))).collect();
    let mut program = Program::new(store, vars, &[formula]);
    let mut found = Vec::new();
    for_all(&domains, |values| {
        program.run(store, values, &Model::new());
        if program.holds(0) == Ok(true) {
            found.push(model_of(vars, values));
        }
        true
    });
    found
}

#[test]
fn implicants_are_true_and_imply_the_formula() {
    let mut found = 0;
    for seed in 0..150 {
        let mut random = Rng::new(seed);
        let mut store = Store::new();
        let shape = Shape {
            ints: ["x", "y"].map(|name| store.var(name, SortId::INT)).to_vec(),
            reals: vec![store.var("r", SortId::REAL)],
            bools: ["p", "q"].map(|name| store.var(name, SortId::BOOL)).to_vec(),
            is_rich: true,
            coefficient: 2,
        };
        let formula = shape.formula(&mut store, &mut random, 3);
        let vars = symbols(&store, formula);
        let models = some_models(&store, formula, &vars, 2);
        for model in models.iter().step_by(1 + models.len() / 10) {
            found += 1;
            let small = implicant(&mut store, &[formula], model).unwrap();
            let prime = prime_implicant(&mut store, &[formula], model).unwrap();
            for literals in [&small, &prime] {
                let all = store.and(literals);
                assert!(holds(&store, all, model), "seed {seed}");
                let negated = store.not(formula);
                let wrong = store.and(&[all, negated]);
                let counter = some_models(&store, wrong, &vars, 2);
                assert!(counter.is_empty(), "seed {seed}: {}", store.show(all));
            }
        }
    }
    assert!(found > 500, "{found} models were tried");
}

#[test]
fn a_model_of_something_else_has_no_implicant() {
    let mut store = Store::new();
    let p = store.var("p", SortId::BOOL);
    let model = model_of(&[p], &[Value::Bool(false)]);
    assert_eq!(implicant(&mut store, &[p], &model), None);
    assert_eq!(project(&mut store, &[p], &[], &model), None);
}

#[test]
fn one_true_argument_is_enough_and_a_chosen_one_is_free() {
    let mut store = Store::new();
    let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| store.var(name, SortId::BOOL));
    let (left, right) = (store.and(&[a, b]), store.and(&[c, d]));
    let either = store.or(&[left, right]);
    let model = model_of(&[a, b, c, d], &[const { Value::Bool(true) }; 4]);
    assert_eq!(implicant(&mut store, &[either, d], &model).unwrap(), [d, c]);
    assert_eq!(implicant(&mut store, &[either], &model).unwrap(), [a, b]);
    let other = store.or(&[a, d]);
    assert_eq!(implicant(&mut store, &[other, d], &model).unwrap(), [d]);
    let equal = store.eq(a, b);
    assert_eq!(implicant(&mut store, &[equal], &model).unwrap(), [a, b]);
}

#[test]
fn conditionals_inside_atoms_give_their_conditions() {
    let mut store = Store::new();
    let [x, y] = ["x", "y"].map(|name| store.var(name, SortId::INT));
    let p = store.var("p", SortId::BOOL);
    let choice = store.ite(p, x, y);
    let three = store.int(3);
    let atom = store.le(choice, three);
    let model =
        model_of(&[x, y, p], &[Value::Int(9.into()), Value::Int(1.into()), Value::Bool(false)]);
    let not_p = store.not(p);
    let bound = store.le(y, three);
    assert_eq!(implicant(&mut store, &[atom], &model).unwrap(), [bound, not_p]);
}

/// Projects in every model of a small box and checks the results point by point: whether values
/// for the variables exist is found by trying `witnesses`.
fn check_projections(
    store: &mut Store,
    literals: &[TermId],
    params: &[TermId],
    vars: &[TermId],
    radius: i64,
    witness_radius: i64,
    context: &str,
) -> usize {
    let formula = store.and(literals);
    let all: Vec<TermId> = params.iter().chain(vars).copied().collect();
    let (small, large) = (Enumeration::new(radius), Enumeration::new(witness_radius));
    let param_domains: Vec<_> = params.iter().map(|&var| small.values(store.sort(var))).collect();
    let var_domains: Vec<_> = vars.iter().map(|&var| large.values(store.sort(var))).collect();
    let mut program = Program::new(store, &all, &[formula]);
    let mut witnesses: Vec<(Vec<Value>, Vec<Value>)> = Vec::new();
    let mut exists: BTreeMap<Vec<Value>, bool> = BTreeMap::new();
    for_all(&param_domains, |given| {
        let mut found = 0;
        for_all(&var_domains, |chosen| {
            let point: Vec<Value> = given.iter().chain(chosen).cloned().collect();
            program.run(store, &point, &Model::new());
            if program.holds(0) == Ok(true) {
                found += 1;
                if found <= 3 {
                    witnesses.push((given.to_vec(), chosen.to_vec()));
                }
            }
            found < 12
        });
        exists.insert(given.to_vec(), found > 0);
        true
    });
    let mut results: BTreeMap<TermId, Model> = BTreeMap::new();
    for (given, chosen) in &witnesses {
        let point: Vec<Value> = given.iter().chain(chosen).cloned().collect();
        let model = model_of(&all, &point);
        let result = project(store, literals, vars, &model).unwrap();
        assert!(result.kept.is_empty(), "{context}");
        let cube = store.and(&result.literals);
        assert!(holds(store, cube, &model_of(params, given)), "{context}");
        results.insert(cube, model);
    }
    for (&cube, model) in &results {
        let mut program = Program::new(store, params, &[cube]);
        for (given, &is_possible) in &exists {
            program.run(store, given, &Model::new());
            if program.holds(0).unwrap() {
                assert!(
                    is_possible,
                    "{context}: {} projects to {} in {model:?}, wrong at {given:?}",
                    store.show(formula),
                    store.show(cube)
                );
            }
        }
    }
    results.len()
}

#[test]
fn integer_projections_are_sound() {
    let (mut results, mut most) = (0, 0);
    for seed in 0..160 {
        let mut random = Rng::new(seed);
        let mut store = Store::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| store.var(name, SortId::INT));
        let shape = Shape::over_ints(&[x, y, z], &[], seed);
        let count = random.between(2, 4);
        let literals: Vec<TermId> =
            (0..count).map(|_| shape.literal(&mut store, &mut random, 1)).collect();
        let found =
            check_projections(&mut store, &literals, &[y, z], &[x], 4, 90, &format!("seed {seed}"));
        results += found;
        most = most.max(found);
    }
    assert!(results > 120, "{results} results");
    assert!(most < 60, "{most} results of one conjunction");
}

#[test]
fn several_integers_are_projected_soundly() {
    let mut results = 0;
    for seed in 0..60 {
        let mut random = Rng::new(1000 + seed);
        let mut store = Store::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| store.var(name, SortId::INT));
        let p = store.var("p", SortId::BOOL);
        let shape = Shape::over_ints(&[x, y, z], &[p], seed);
        let mut literals: Vec<TermId> =
            (0..3).map(|_| shape.literal(&mut store, &mut random, 1)).collect();
        for var in [x, y] {
            let (low, high) = (store.int(-9), store.int(9));
            literals.extend([store.le(low, var), store.le(var, high)]);
        }
        let vars = [x, y, shape.bools[0]];
        let context = format!("seed {seed}");
        results += check_projections(&mut store, &literals, &[z], &vars, 12, 9, &context);
    }
    assert!(results > 100, "{results} results");
}

#[test]
fn mixed_projections_are_sound() {
    let mut results = 0;
    for seed in 0..60 {
        let mut random = Rng::new(2000 + seed);
        let mut store = Store::new();
        let [x, y] = ["x", "y"].map(|name| store.var(name, SortId::INT));
        let [r, s] = ["r", "s"].map(|name| store.var(name, SortId::REAL));
        let shape = Shape {
            ints: vec![x, y],
            reals: vec![r, s],
            bools: vec![],
            is_rich: seed % 3 == 0,
            coefficient: 2,
        };
        let literals: Vec<TermId> =
            (0..3).map(|_| shape.literal(&mut store, &mut random, 1)).collect();
        let context = format!("seed {seed}");
        // The integer goes, and reals stay next to it.
        results += check_projections(&mut store, &literals, &[r, s, y], &[x], 2, 40, &context);
    }
    assert!(results > 40, "{results} results");
}

/// Whether a real makes linear literals true: the points where one of them changes, points
/// between those, and points beyond.
fn real_exists(store: &mut Store, literals: &[TermId], var: TermId, given: &Model) -> bool {
    let zero = Rat::ZERO;
    let mut points = vec![zero.clone()];
    for &literal in literals {
        let atom = match store.op(literal) {
            Op::Not => store.args(literal)[0],
            _ => literal,
        };
        let [left, right] = *store.args(atom) else { continue };
        let difference = store.sub(left, right);
        let at = |value: Rat| {
            let mut model = given.clone();
            model.set(var, Value::Real(value));
            let Value::Real(value) = eval(store, difference, &model).unwrap() else { panic!() };
            value
        };
        let (start, slope) = (at(zero.clone()), at(Rat::ONE) - at(zero.clone()));
        if !slope.is_zero() {
            points.push(-start.checked_div(&slope).unwrap());
        }
    }
    points.sort();
    let mut tries = points.clone();
    tries.extend(points.windows(2).map(|pair| pair[0].midpoint(&pair[1])));
    tries.extend([&points[0] - &Rat::ONE, &points[points.len() - 1] + &Rat::ONE]);
    tries.into_iter().any(|value| {
        let mut model = given.clone();
        model.set(var, Value::Real(value));
        literals.iter().all(|&literal| holds(store, literal, &model))
    })
}

#[test]
fn real_projections_are_sound() {
    let mut results = 0;
    for seed in 0..200 {
        let mut random = Rng::new(3000 + seed);
        let mut store = Store::new();
        let [r, s, t] = ["r", "s", "t"].map(|name| store.var(name, SortId::REAL));
        let shape = Shape {
            ints: vec![],
            reals: vec![r, s, t],
            bools: vec![],
            is_rich: false,
            coefficient: 3,
        };
        let literals: Vec<TermId> =
            (0..4).map(|_| shape.literal(&mut store, &mut random, 0)).collect();
        let formula = store.and(&literals);
        let models = some_models(&store, formula, &[r, s, t], 2);
        for model in models.iter().step_by(1 + models.len() / 12) {
            let result = project(&mut store, &literals, &[r], model).unwrap();
            let cube = store.and(&result.literals);
            assert!(holds(&store, cube, model), "seed {seed}");
            assert!(!symbols(&store, cube).contains(&r));
            results += 1;
            for point in some_models(&store, cube, &[s, t], 2) {
                assert!(
                    real_exists(&mut store, &literals, r, &point),
                    "seed {seed}: {} projects to {}, wrong at {point:?}",
                    store.show(formula),
                    store.show(cube)
                );
            }
        }
    }
    assert!(results > 300, "{results} results");
}

#[test]
fn equations_are_used_below_functions() {
    let mut store = Store::new();
    let [x, y] = ["x", "y"].map(|name| store.var(name, SortId::INT));
    let f = store.declare("f", &[SortId::INT], SortId::INT);
    let one = store.int(1);
    let next = store.add(&[y, one]);
    let equation = store.eq(x, next);
    let applied = store.mk(Op::Apply(f), &[x]);
    let bound = store.le(applied, y);
    let result = project(&mut store, &[equation, bound], &[x], &Model::new());
    assert_eq!(result, None, "x = y + 1 is false where both are zero");
    let model = model_of(&[x, y], &[Value::Int(5.into()), Value::Int(4.into())]);
    let result = project(&mut store, &[equation, bound], &[x], &model).unwrap();
    assert!(result.kept.is_empty());
    let applied = store.mk(Op::Apply(f), &[next]);
    let expected = store.le(applied, y);
    assert_eq!(result.literals, [expected]);
}

#[test]
fn variables_below_functions_are_kept_and_named() {
    let mut store = Store::new();
    let [x, y] = ["x", "y"].map(|name| store.var(name, SortId::INT));
    let f = store.declare("f", &[SortId::INT], SortId::INT);
    let applied = store.mk(Op::Apply(f), &[x]);
    let bound = store.le(applied, y);
    let result = project(&mut store, &[bound], &[x], &Model::new()).unwrap();
    assert_eq!(result.kept, [x]);
    assert_eq!(result.literals, [bound]);
    let literals = result.with_values(&mut store, &Model::new()).unwrap();
    assert_eq!(store.show(literals[0]), "(<= (f 0) y)");
}

#[test]
fn a_wide_gap_needs_no_divisibility() {
    let mut store = Store::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| store.var(name, SortId::INT));
    let (two, three) = (store.int(2), store.int(3));
    let (double, triple) = (store.mul(&[two, x]), store.mul(&[three, x]));
    let literals = [store.le(y, double), store.le(triple, z)];
    let int = |value: i64| Value::Int(value.into());
    let model = model_of(&[x, y, z], &[int(5), int(4), int(30)]);
    let result = project(&mut store, &literals, &[x], &model).unwrap();
    let cube = store.and(&result.literals);
    assert_eq!(store.show(cube), "(<= (+ (* 3 y) 3) (* 2 z))");
    let model = model_of(&[x, y, z], &[int(2), int(4), int(6)]);
    let result = project(&mut store, &literals, &[x], &model).unwrap();
    let cube = store.and(&result.literals);
    assert_eq!(store.show(cube), "(and (= (mod y 2) 0) (<= (* 3 y) (* 2 z)))");
}

#[test]
fn divisibilities_of_a_free_variable_are_joined() {
    let mut store = Store::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| store.var(name, SortId::INT));
    let (two, three) = (store.int(2), store.int(3));
    // Every z is 2*x + 3*y.
    let summands = [store.mul(&[two, x]), store.mul(&[three, y])];
    let sum = store.add(&summands);
    let equation = store.eq(sum, z);
    let result = project(&mut store, &[equation], &[x, y], &Model::new()).unwrap();
    assert_eq!(result.literals, []);
    // 4 divides x + y, and 6 divides x + z.
    let (left, right) = (store.add(&[x, y]), store.add(&[x, z]));
    let literals = [store.divisible(&4.into(), left), store.divisible(&6.into(), right)];
    let result = project(&mut store, &literals, &[x], &Model::new()).unwrap();
    let cube = store.and(&result.literals);
    assert_eq!(store.show(cube), "(= (mod (+ y z) 2) 0)");
}

#[test]
fn a_strict_bound_is_not_replaced_by_an_equal_one() {
    let mut store = Store::new();
    let names = ["r", "s", "t", "u", "v"];
    let [r, s, t, u, v] = names.map(|name| store.var(name, SortId::REAL));
    let literals = [store.lt(s, r), store.le(t, r), store.le(r, u), store.le(r, v)];
    let real = |value: i64| Value::Real(value.into());
    let model = model_of(&[r, s, t, u, v], &[1, 0, 1, 2, 2].map(real));
    let result = project(&mut store, &literals, &[r], &model).unwrap();
    let cube = store.and(&result.literals);
    assert_eq!(store.show(cube), "(and (< s t) (<= t u) (<= t v))");
    // Where both are at the same number, the strict one counts.
    let model = model_of(&[r, s, t, u, v], &[2, 1, 1, 2, 2].map(real));
    let result = project(&mut store, &literals, &[r], &model).unwrap();
    let cube = store.and(&result.literals);
    assert_eq!(store.show(cube), "(and (<= t s) (< s u) (< s v))");
}
