//! Equations of products of words: decided by multiplying out, with proofs that the checker replays.

use alphorn_problem::evidence::proof::Rule;
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{Bv, Model, Op, Store, TermId, Value, eval};
use alphorn_testkit::Rng;
use alphorn_testkit::formulas::check_answer;

fn decide(store: &mut Store, formulas: &[TermId]) -> (Smt, Answer) {
    let mut smt = Smt::new(Options { proofs: true, ..Options::default() });
    formulas.iter().for_each(|formula| _ = smt.assert(store, *formula));
    let answer = smt.check(store, &[]);
    check_answer(&smt, store, answer, "ring");
    (smt, answer)
}

fn words(store: &mut Store, width: u32) -> [TermId; 3] {
    let sort = store.bv_sort(width);
    ["x", "y", "z"].map(|name| store.var(name, sort))
}

#[test]
fn laws_of_products_hold_at_all_widths() {
    for width in [2, 12, 24, 32, 64] {
        let mut store = Store::new();
        let [x, y, z] = words(&mut store, width);
        let one = store.bv(Bv::from_u64(width, 1));
        let mut mk = |op: Op, a: TermId, b: TermId| store.mk(op, &[a, b]);
        let (xy, yx) = (mk(Op::BvMul, x, y), mk(Op::BvMul, y, x));
        let (yz, xz) = (mk(Op::BvMul, y, z), mk(Op::BvMul, x, z));
        let next = mk(Op::BvAdd, y, one);
        let sum = mk(Op::BvAdd, x, y);
        let less = mk(Op::BvSub, x, y);
        let (xx, yy) = (mk(Op::BvMul, x, x), mk(Op::BvMul, y, y));
        let twice = mk(Op::BvShl, xy, one);
        let pairs = [
            (xy, yx),
            (mk(Op::BvMul, xy, z), mk(Op::BvMul, yz, x)),
            (mk(Op::BvMul, x, next), mk(Op::BvAdd, xy, x)),
            (mk(Op::BvMul, sum, z), mk(Op::BvAdd, xz, yz)),
            (mk(Op::BvMul, sum, less), mk(Op::BvSub, xx, yy)),
        ];
        let square = mk(Op::BvMul, sum, sum);
        let long = mk(Op::BvAdd, xx, twice);
        let long = mk(Op::BvAdd, long, yy);
        for (left, right) in pairs.into_iter().chain([(square, long)]) {
            let same = store.eq(left, right);
            let differ = store.not(same);
            assert_eq!(decide(&mut store, &[differ]).1, Answer::Unsat, "{width}");
            let off = store.mk(Op::BvAdd, &[right, one]);
            let never = store.eq(left, off);
            assert_eq!(decide(&mut store, &[never]).1, Answer::Unsat, "{width}");
        }
    }
}

#[test]
fn what_is_left_over_is_decided_by_bits() {
    let mut store = Store::new();
    let [x, y, z] = words(&mut store, 32);
    let one = store.bv(Bv::from_u64(32, 1));
    let next = store.mk(Op::BvAdd, &[y, one]);
    let (left, xy) = (store.mk(Op::BvMul, &[x, next]), store.mk(Op::BvMul, &[x, y]));
    let right = store.mk(Op::BvAdd, &[xy, z]);
    let equation = store.eq(left, right);
    let (below, same) = (store.mk(Op::BvUlt, &[x, z]), store.eq(x, z));
    let (smt, answer) = decide(&mut store, &[equation, below]);
    assert_eq!(answer, Answer::Unsat);
    let proof = smt.refutation(&mut store).expect("it has a proof").proof;
    assert!(proof.steps.iter().any(|step| step.rule == Rule::Ring));
    assert_eq!(decide(&mut store, &[equation, same]).1, Answer::Sat);
    let differ = store.not(equation);
    assert_eq!(decide(&mut store, &[differ, same]).1, Answer::Unsat);
}

fn random_word(store: &mut Store, vars: &[TermId], depth: u32, random: &mut Rng) -> TermId {
    let width = store.width_of(store.sort(vars[0])).expect("a word");
    if depth == 0 || random.below(5) == 0 {
        return match random.below(4) {
            0 => store.bv(Bv::from_u64(width, random.below(1 << width))),
            at => vars[at as usize % vars.len()],
        };
    }
    let mut part = |store: &mut Store| random_word(store, vars, depth - 1, random);
    let (a, b) = (part(store), part(store));
    let by = store.bv(Bv::from_u64(width, random.below(u64::from(width) + 1)));
    match random.below(8) {
        0 => store.mk(Op::BvSub, &[a, b]),
        1 => store.mk(Op::BvNeg, &[a]),
        2 => store.mk(Op::BvNot, &[a]),
        3 => store.mk(Op::BvShl, &[a, by]),
        4 | 5 => store.mk(Op::BvAdd, &[a, b]),
        _ => store.mk(Op::BvMul, &[a, b]),
    }
}

#[test]
fn random_equations_are_answered_as_evaluation_says() {
    let mut random = Rng::new(7);
    for round in 0..300 {
        let mut store = Store::new();
        let width = 2 + (round % 2) as u32;
        let vars = words(&mut store, width);
        let left = random_word(&mut store, &vars, 3, &mut random);
        let right = random_word(&mut store, &vars, 3, &mut random);
        let equation = store.eq(left, right);
        let differ = store.not(equation);
        let mut seen = [false; 2];
        for assignment in 0..1u64 << (3 * width) {
            let mut model = Model::new();
            for (at, &var) in vars.iter().enumerate() {
                let value = assignment >> (at as u32 * width);
                model.set(var, Value::Bv(Bv::from_u64(width, value & ((1 << width) - 1))));
            }
            let value = eval(&store, equation, &model).expect("it has a value").as_bool();
            seen[usize::from(value == Some(true))] = true;
        }
        for (formula, can_be) in [(differ, seen[0]), (equation, seen[1])] {
            let expected = if can_be { Answer::Sat } else { Answer::Unsat };
            let text = store.show(equation);
            assert_eq!(decide(&mut store, &[formula]).1, expected, "{round}: {text}");
        }
    }
}

/// Forms of two words that differ in no model where the words are equal.
fn differences(store: &mut Store, left: TermId, right: TermId) -> Vec<TermId> {
    let sort = store.sort(left);
    let width = store.width(left);
    let func = store.declare("f", &[sort], sort);
    let [f, g] = [left, right].map(|word| store.mk(Op::Apply(func), &[word]));
    let [high, other_high] =
        [left, right].map(|word| store.mk(Op::Extract(width - 1, width / 2), &[word]));
    let chosen = store.var("chosen", alphorn_term::SortId::BOOL);
    let either = store.ite(chosen, left, right);
    let extra = store.var("extra", sort);
    let [one, other] = [left, right].map(|word| store.mk(Op::BvXor, &[word, extra]));
    let mut all = vec![store.mk(Op::BvUlt, &[left, right]), store.mk(Op::BvSlt, &[right, left])];
    for (a, b) in [(f, g), (high, other_high), (either, right), (one, other)] {
        let equation = store.eq(a, b);
        all.push(store.not(equation));
    }
    all
}

#[test]
fn products_are_related_wherever_they_stand() {
    for width in [4, 12, 32, 64] {
        let mut store = Store::new();
        let [x, y, z] = words(&mut store, width);
        let sum = store.mk(Op::BvAdd, &[y, z]);
        let left = store.mk(Op::BvMul, &[x, sum]);
        let [xy, xz] = [y, z].map(|other| store.mk(Op::BvMul, &[x, other]));
        let right = store.mk(Op::BvAdd, &[xy, xz]);
        for formula in differences(&mut store, left, right) {
            let (smt, answer) = decide(&mut store, &[formula]);
            assert_eq!(answer, Answer::Unsat, "{width}: {}", store.show(formula));
            assert!(width < 12 || smt.stats().conflicts < 2000, "{width}: {:?}", smt.stats());
        }
    }
}

#[test]
fn products_behind_definitions_are_related_as_long_as_these_are_in_force() {
    for width in [12, 64] {
        let mut store = Store::new();
        let [x, y, z] = words(&mut store, width);
        let sort = store.sort(x);
        let [s, p, q] = ["s", "p", "q"].map(|name| store.var(name, sort));
        let sum = store.mk(Op::BvAdd, &[y, z]);
        let [xs, xy, xz] = [s, y, z].map(|other| store.mk(Op::BvMul, &[x, other]));
        let given = [(s, sum), (p, xy), (q, xz)].map(|(name, word)| store.eq(name, word));
        let parts = store.mk(Op::BvAdd, &[p, q]);
        let goal = store.eq(xs, parts);
        let differ = store.not(goal);
        let mut smt = Smt::new(Options { proofs: true, ..Options::default() });
        smt.assert(&mut store, differ);
        smt.push();
        given.iter().for_each(|it| _ = smt.assert(&mut store, *it));
        let answer = smt.check(&mut store, &[]);
        assert_eq!(answer, Answer::Unsat, "{width}");
        check_answer(&smt, &mut store, answer, "in force");
        smt.pop();
        assert_eq!(smt.check(&mut store, &[]), Answer::Sat, "{width}");
        let answer = smt.check(&mut store, &given);
        assert_eq!(answer, Answer::Unsat, "{width}");
        check_answer(&smt, &mut store, answer, "assumed");
        assert_eq!(smt.check(&mut store, &given[1..]), Answer::Sat, "{width}");
    }
}

#[test]
fn definitions_that_lead_back_to_themselves_are_no_definitions() {
    let mut store = Store::new();
    let [x, y, z] = words(&mut store, 8);
    let one = store.bv(Bv::from_u64(8, 1));
    let (xy, next) = (store.mk(Op::BvMul, &[x, y]), store.mk(Op::BvAdd, &[z, one]));
    let given = [store.eq(z, xy), store.eq(x, next)];
    let product = store.mk(Op::BvMul, &[next, y]);
    let same = store.eq(product, z);
    let differ = store.not(same);
    assert_eq!(decide(&mut store, &[given[0], given[1]]).1, Answer::Sat);
    assert_eq!(decide(&mut store, &[given[0], given[1], differ]).1, Answer::Unsat);
}

#[test]
fn random_systems_with_definitions_are_answered_as_evaluation_says() {
    let mut random = Rng::new(11);
    for round in 0..200 {
        let mut store = Store::new();
        let width = 2 + (round % 2) as u32;
        let vars = words(&mut store, width);
        let mut formulas = Vec::new();
        for _ in 0..1 + random.below(3) {
            let var = vars[random.below(3) as usize];
            let word = random_word(&mut store, &vars, 2, &mut random);
            formulas.push(store.eq(var, word));
        }
        let left = random_word(&mut store, &vars, 3, &mut random);
        let right = random_word(&mut store, &vars, 3, &mut random);
        let of = differences(&mut store, left, right);
        // The first two have no function, so that all models can be tried.
        formulas.push(of[random.below(2) as usize]);
        let whole = store.and(&formulas);
        let can_be = (0..1u64 << (3 * width)).any(|assignment| {
            let mut model = Model::new();
            for (at, &var) in vars.iter().enumerate() {
                let value = assignment >> (at as u32 * width);
                model.set(var, Value::Bv(Bv::from_u64(width, value & ((1 << width) - 1))));
            }
            eval(&store, whole, &model).expect("it has a value").as_bool() == Some(true)
        });
        let expected = if can_be { Answer::Sat } else { Answer::Unsat };
        let text = store.show(whole);
        assert_eq!(decide(&mut store, &formulas).1, expected, "{round}: {text}");
    }
}

/// A number as a word as translators write it that know of no negative ones: the negation of what becomes a word.
fn as_word(store: &mut Store, number: TermId, width: u32) -> TermId {
    let zero = store.int(0);
    let positive = store.mk(Op::Le, &[zero, number]);
    let minus = store.int(-1);
    let negated = store.mk(Op::Mul, &[minus, number]);
    let [plain, opposite] = [number, negated].map(|number| store.mk(Op::IntToBv(width), &[number]));
    let ones = store.bv(Bv::ones(width));
    let opposite = store.mk(Op::BvMul, &[ones, opposite]);
    store.ite(positive, plain, opposite)
}

#[test]
fn shifts_of_numbers_are_related_where_definitions_make_them_the_same() {
    for (width, op) in [(32, Op::BvShl), (256, Op::BvAshr), (256, Op::BvShl)] {
        let mut store = Store::new();
        let [a, b, c, d, e] =
            ["a", "b", "c", "d", "e"].map(|name| store.var(name, alphorn_term::SortId::INT));
        let value = |store: &mut Store, one: TermId, by: TermId| {
            let [one, by] = [one, by].map(|number| as_word(store, number, width));
            let shifted = store.mk(op, &[one, by]);
            store.mk(Op::UbvToInt, &[shifted])
        };
        let [one, other] = [(a, b), (c, e)].map(|(x, y)| value(&mut store, x, y));
        let chain = [(a, d), (d, c), (b, e)].map(|(x, y)| store.eq(x, y));
        let same = store.eq(one, other);
        let differ = store.not(same);
        let all = [&chain[..], &[differ]].concat();
        let (smt, answer) = decide(&mut store, &all);
        assert_eq!(answer, Answer::Unsat, "{width}");
        assert!(smt.stats().conflicts < 100, "{width}: {:?}", smt.stats());
    }
}

#[test]
fn random_systems_of_numbers_as_words_have_models_that_evaluate_and_proofs_that_check() {
    let mut random = Rng::new(29);
    let ops = [Op::BvShl, Op::BvLshr, Op::BvAshr, Op::BvUdiv, Op::BvUrem, Op::BvSdiv, Op::BvAnd];
    let mut count = [0, 0];
    for round in 0..150 {
        let mut store = Store::new();
        let width = 2 + (round % 3) as u32;
        let vars = ["a", "b", "c", "d"].map(|name| store.var(name, alphorn_term::SortId::INT));
        let mut formulas = Vec::new();
        let mut terms = Vec::new();
        for _ in 0..2 {
            let pick = |random: &mut Rng| vars[random.below(4) as usize];
            let [one, by] = [pick(&mut random), pick(&mut random)];
            let [one, by] = [one, by].map(|number| as_word(&mut store, number, width));
            let op = ops[random.below(ops.len() as u64) as usize];
            let word = store.mk(op, &[one, by]);
            let to = if random.below(2) == 0 { Op::UbvToInt } else { Op::SbvToInt };
            terms.push(store.mk(to, &[word]));
        }
        for _ in 0..3 {
            let [one, other] = [0, 0].map(|_| vars[random.below(4) as usize]);
            let other = if random.below(4) == 0 { terms[0] } else { other };
            let equation = store.eq(one, other);
            formulas.push(equation);
        }
        let same = store.eq(terms[0], terms[1]);
        formulas.push(if random.below(3) == 0 { same } else { store.not(same) });
        for &var in &vars {
            let [low, high] = [-5, 5].map(|bound| store.int(bound));
            formulas.push(store.mk(Op::Le, &[low, var]));
            formulas.push(store.mk(Op::Le, &[var, high]));
        }
        let (_, answer) = decide(&mut store, &formulas);
        assert_ne!(answer, Answer::Unknown, "{round}");
        count[usize::from(answer == Answer::Sat)] += 1;
    }
    assert!(count.iter().all(|&count| count > 20), "{count:?}");
}
