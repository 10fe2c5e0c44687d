//! Words: wide ones, proofs that were changed, projection and elimination.

use alphorn_smt::project::{Limits, eliminate, project};
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{Bv, Op, SortId, Store, Substitution, TermId, Value};
use alphorn_testkit::formulas::{Formulas, Kind, check_answer};

fn decide(store: &mut Store, formulas: &[TermId]) -> (Smt, Answer) {
    let mut smt = Smt::new(Options { proofs: true, ..Options::default() });
    formulas.iter().for_each(|formula| _ = smt.assert(store, *formula));
    let answer = smt.check(store, &[]);
    check_answer(&smt, store, answer, "words");
    (smt, answer)
}

fn word_vars(store: &mut Store, width: u32) -> [TermId; 3] {
    let sort = store.bv_sort(width);
    ["x", "y", "z"].map(|name| store.var(name, sort))
}

#[test]
fn wide_words_are_decided() {
    let mut store = Store::new();
    let [x, y, z] = word_vars(&mut store, 512);
    let difference = store.mk(Op::BvSub, &[x, y]);
    let again = store.mk(Op::BvAdd, &[difference, y]);
    let same = store.eq(again, x);
    let differ = store.not(same);
    assert_eq!(decide(&mut store, &[differ]).1, Answer::Unsat);
    let (xy, yz) = (store.mk(Op::BvUlt, &[x, y]), store.mk(Op::BvUlt, &[y, z]));
    let zx = store.mk(Op::BvUle, &[z, x]);
    assert_eq!(decide(&mut store, &[xy, yz, zx]).1, Answer::Unsat);
    let sum = store.mk(Op::BvAdd, &[x, y]);
    let wraps = store.mk(Op::BvUlt, &[sum, x]);
    let (smt, answer) = decide(&mut store, &[wraps, xy, yz]);
    assert_eq!(answer, Answer::Sat);
    let model = smt.model(&store);
    assert_eq!(alphorn_term::eval(&store, wraps, &model).unwrap().as_bool(), Some(true));
}

#[test]
fn products_of_wide_words_are_decided() {
    let mut store = Store::new();
    let [x, y, _] = word_vars(&mut store, 64);
    let (product, number) = (store.mk(Op::BvMul, &[x, y]), store.bv(Bv::from_u64(64, 35)));
    let (is_product, one) = (store.eq(product, number), store.bv(Bv::from_u64(64, 1)));
    let small = store.bv(Bv::from_u64(64, 8));
    let bounds = [[one, x], [one, y]].map(|args| store.mk(Op::BvUlt, &args));
    let small = [x, y].map(|word| store.mk(Op::BvUlt, &[word, small]));
    let all = [&[is_product], &bounds[..], &small[..]].concat();
    let (smt, answer) = decide(&mut store, &all);
    assert_eq!(answer, Answer::Sat);
    let model = smt.model(&store);
    let value = |term| alphorn_term::eval(&store, term, &model).unwrap();
    assert!([5, 7].map(|n| Value::Bv(Bv::from_u64(64, n))).contains(&value(x)));
}

/// A sign that is changed in a step about gates makes the proof one that is refused.
#[test]
fn changed_proofs_are_refused() {
    let mut store = Store::new();
    let [x, y, _] = word_vars(&mut store, 4);
    let difference = store.mk(Op::BvSub, &[x, y]);
    let again = store.mk(Op::BvAdd, &[difference, y]);
    let same = store.eq(again, x);
    let differ = store.not(same);
    let (smt, answer) = decide(&mut store, &[differ]);
    assert_eq!(answer, Answer::Unsat);
    let refutation = smt.refutation(&mut store).unwrap();
    let mut changed = 0;
    for step in 0..refutation.proof.steps.len() {
        if refutation.proof.steps[step].rule != alphorn_problem::evidence::proof::Rule::Bits {
            continue;
        }
        for place in 0..refutation.proof.steps[step].clause.len() {
            let mut proof = refutation.proof.clone();
            proof.steps[step].clause[place].negated ^= true;
            changed += 1;
            let result = alphorn_check::proof::refute(&store, &refutation.assertions, &proof);
            assert!(result.is_err(), "step {step}, literal {place}");
        }
    }
    assert!(changed > 20);
}

/// The formula with each value for a variable, none of which makes it true.
fn none_fits(store: &mut Store, formula: TermId, var: TermId) -> Vec<TermId> {
    let width = store.width(var);
    let instance = |value: u64| {
        let value = store.bv(Bv::from_u64(width, value));
        let map: Substitution = [(var, value)].into_iter().collect();
        let instance = store.substitute(formula, &map);
        store.not(instance)
    };
    (0..1u64 << width).map(instance).collect()
}

#[test]
fn projections_imply_that_there_is_a_value() {
    let mut checked = 0;
    for seed in 0..400 {
        let mut store = Store::new();
        let kind = Kind { words: true, functions: seed % 3 == 0, ..Kind::default() };
        let mut formulas = Formulas::new(&mut store, seed, kind);
        let sort = store.bv_sort(3);
        let x = store.var("w3_0", sort);
        let literals: Vec<TermId> =
            (0..3).map(|_| formulas.comparison(&mut store, 1 + seed as u32 % 2)).collect();
        let (smt, answer) = decide(&mut store, &literals);
        if answer != Answer::Sat {
            continue;
        }
        let model = smt.model(&store);
        let projection = project(&mut store, &literals, &[x], &model).unwrap();
        assert!(projection.kept.is_empty());
        let all = store.and(&literals);
        let rest = store.and(&projection.literals);
        assert!(!store.free_vars(&[rest]).contains(&x), "seed {seed}");
        let mut question = none_fits(&mut store, all, x);
        question.push(rest);
        assert_eq!(decide(&mut store, &question).1, Answer::Unsat, "seed {seed}");
        checked += 1;
    }
    assert!(checked > 100, "{checked}");
}

#[test]
fn words_are_eliminated() {
    let mut store = Store::new();
    let [x, y, z] = word_vars(&mut store, 8);
    let cases: [(TermId, &str); 3] = [
        (
            {
                let (low, high) = (store.mk(Op::BvUle, &[y, x]), store.mk(Op::BvUle, &[x, z]));
                store.and(&[low, high])
            },
            "(bvule y z)",
        ),
        (
            {
                let sum = store.mk(Op::BvAdd, &[x, y]);
                let (is_z, small) = (store.eq(sum, z), store.mk(Op::BvUlt, &[x, y]));
                store.and(&[is_z, small])
            },
            "(bvult (bvsub z y) y)",
        ),
        (store.mk(Op::BvUle, &[x, y]), "true"),
    ];
    for (formula, expected) in cases {
        let mut oracle = Smt::new(Options::default());
        let result = eliminate(&mut store, formula, &[x], &mut oracle, &Limits::default());
        assert_eq!(store.show(result.unwrap()), expected);
    }
}

#[test]
fn elimination_is_exact() {
    for seed in 0..40 {
        let mut store = Store::new();
        let kind = Kind { words: true, ..Kind::default() };
        let mut formulas = Formulas::new(&mut store, seed, kind);
        let sort = store.bv_sort(3);
        let x = store.var("w3_0", sort);
        let parts: Vec<TermId> = (0..2).map(|_| formulas.comparison(&mut store, 1)).collect();
        let formula = if seed % 2 == 0 { store.or(&parts) } else { store.and(&parts) };
        let mut oracle = Smt::new(Options::default());
        let limits = Limits { rounds: 100 };
        let Ok(result) = eliminate(&mut store, formula, &[x], &mut oracle, &limits) else {
            continue;
        };
        let mut question = none_fits(&mut store, formula, x);
        let negated = store.not(result);
        let decided = decide(&mut store, &[formula, negated]).1;
        assert_eq!(decided, Answer::Unsat, "seed {seed}");
        question.push(result);
        assert_eq!(decide(&mut store, &question).1, Answer::Unsat, "seed {seed}");
    }
}

#[test]
fn a_counter_is_bounded_step_by_step() {
    let mut store = Store::new();
    let sort = store.bv_sort(48);
    let number = |store: &mut Store, value: u64| store.bv(Bv::from_u64(48, value));
    let [zero, three, most] = [0, 3, 180].map(|value| number(&mut store, value));
    let mut smt = Smt::new(Options { proofs: true, word_ranges: true, ..Options::default() });
    let mut before = store.var("x0", sort);
    let start = store.eq(before, zero);
    smt.assert(&mut store, start);
    for step in 1..=60 {
        let [now, grows] = [(format!("x{step}"), sort), (format!("t{step}"), SortId::BOOL)]
            .map(|(name, sort)| store.var(&name, sort));
        let sum = store.mk(Op::BvAdd, &[before, three]);
        let next = store.ite(grows, sum, before);
        let step = store.eq(now, next);
        smt.assert(&mut store, step);
        before = now;
    }
    let above = store.mk(Op::BvUlt, &[most, before]);
    smt.assert(&mut store, above);
    assert_eq!(smt.check(&mut store, &[]), Answer::Unsat);
    assert!(smt.stats().conflicts < 4_000, "{}", smt.stats().conflicts);
    assert!(smt.refutation(&mut store).is_some());
}
