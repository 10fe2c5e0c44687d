//! Products and quotients of words whose gates are made on demand.
//!
//! All tests of this file make gates of products on demand at any width, so that small words, whose models can be counted, are enough.

use alphorn_problem::evidence::proof::Rule;
use alphorn_smt::settings::SETTINGS;
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{Bv, Model, Op, Store, TermId, Value, eval};
use alphorn_testkit::Rng;
use alphorn_testkit::formulas::check_answer;

const OVERFLOWS: [Op; 2] = [Op::BvUmulo, Op::BvSmulo];
const LARGE: [Op; 6] = [Op::BvMul, Op::BvUdiv, Op::BvUrem, Op::BvSdiv, Op::BvSrem, Op::BvSmod];

fn solver() -> Smt {
    let eager = SETTINGS.iter().find(|setting| setting.name == "demand.eager");
    eager.expect("the setting is in the table").set(0);
    Smt::new(Options { proofs: true, ..Options::default() })
}

fn decide(store: &mut Store, formulas: &[TermId]) -> (Smt, Answer) {
    let mut smt = solver();
    formulas.iter().for_each(|formula| _ = smt.assert(store, *formula));
    let answer = smt.check(store, &[]);
    check_answer(&smt, store, answer, "demand");
    (smt, answer)
}

fn words(store: &mut Store, width: u32) -> [TermId; 3] {
    let sort = store.bv_sort(width);
    ["x", "y", "z"].map(|name| store.var(name, sort))
}

fn number(store: &mut Store, width: u32, value: u64) -> TermId {
    store.bv(Bv::from_u64(width, value))
}

#[test]
fn what_is_refuted_without_a_product_makes_no_gates_of_it() {
    for op in LARGE {
        let mut store = Store::new();
        let [x, y, z] = words(&mut store, 64);
        let product = store.mk(op, &[x, y]);
        let sum = store.mk(Op::BvAdd, &[x, y]);
        let order = [[product, sum], [sum, z], [z, product]].map(|it| store.mk(Op::BvUlt, &it));
        let (smt, answer) = decide(&mut store, &order);
        assert_eq!(answer, Answer::Unsat);
        assert!(smt.size() < 3_000, "{op:?}: {}", smt.size());
    }
}

#[test]
fn a_factor_of_zero_one_or_a_power_of_two_needs_no_multiplier() {
    for value in [0, 1, 2, 1 << 40, u64::MAX] {
        let mut store = Store::new();
        let [x, y, _] = words(&mut store, 64);
        let number = number(&mut store, 64, value);
        // Nothing that is read is the literal, so that no rule of the constructors applies.
        let ends = [store.mk(Op::BvUle, &[x, number]), store.mk(Op::BvUle, &[number, x])];
        let product = store.mk(Op::BvMul, &[x, y]);
        let expected = store.mk(Op::BvMul, &[number, y]);
        let same = store.eq(product, expected);
        let differ = store.not(same);
        let (mut smt, answer) = decide(&mut store, &[ends[0], ends[1], differ]);
        assert_eq!(answer, Answer::Unsat, "{value}");
        assert!(smt.size() < 3_000, "{value}: {}", smt.size());
        let refutation = smt.refutation(&mut store).unwrap();
        assert!(refutation.proof.steps.iter().any(|step| step.rule == Rule::Congruence));
        smt.push();
    }
}

#[test]
fn low_bits_of_products_need_no_high_ones() {
    let mut store = Store::new();
    let [x, y, _] = words(&mut store, 64);
    let product = store.mk(Op::BvMul, &[x, y]);
    let is_odd = |store: &mut Store, word: TermId| {
        let low = store.mk(Op::Extract(0, 0), &[word]);
        store.bv_to_bool(low)
    };
    let odd = [x, y, product].map(|word| is_odd(&mut store, word));
    let even = store.not(odd[2]);
    let (smt, answer) = decide(&mut store, &[odd[0], odd[1], even]);
    assert_eq!(answer, Answer::Unsat);
    assert!(smt.size() < 2_000, "{}", smt.size());
}

#[test]
fn products_of_short_factors_need_short_multipliers() {
    let mut store = Store::new();
    let [x, y, _] = words(&mut store, 64);
    let (most, large) = (number(&mut store, 64, 15), number(&mut store, 64, 225));
    let product = store.mk(Op::BvMul, &[x, y]);
    let short = [x, y].map(|word| store.mk(Op::BvUle, &[word, most]));
    let beyond = store.mk(Op::BvUlt, &[large, product]);
    let (smt, answer) = decide(&mut store, &[short[0], short[1], beyond]);
    assert_eq!(answer, Answer::Unsat);
    assert!(smt.size() < 4_000, "{}", smt.size());
}

#[test]
fn products_of_short_factors_are_seen_not_to_overflow() {
    for op in OVERFLOWS {
        let mut store = Store::new();
        let [x, y, _] = words(&mut store, 64);
        let most = number(&mut store, 64, 1000);
        let short = [x, y].map(|word| store.mk(Op::BvUle, &[word, most]));
        let overflows = store.mk(op, &[x, y]);
        let (smt, answer) = decide(&mut store, &[short[0], short[1], overflows]);
        assert_eq!(answer, Answer::Unsat);
        assert!(smt.size() < 4_000, "{op:?}: {}", smt.size());
    }
}

/// Random comparisons of products and quotients of two words of few bits, about which all pairs of values are tried.
#[test]
fn answers_about_products_are_those_of_evaluation() {
    let mut answers = [0, 0];
    for seed in 0..600 {
        let mut rng = Rng::new(seed);
        let mut store = Store::new();
        let width = 2 + rng.below(3) as u32;
        let [x, y, _] = words(&mut store, width);
        let mut terms = vec![x, y, number(&mut store, width, rng.below(1 << width))];
        for _ in 0..2 + rng.below(3) {
            let mut pick = || terms[rng.below(terms.len() as u64) as usize];
            let args = [pick(), pick()];
            let op = match rng.below(9) {
                at @ 0..6 => LARGE[at as usize],
                6 => Op::BvAdd,
                7 => Op::BvXor,
                _ => Op::BvSub,
            };
            terms.push(store.mk(op, &args));
        }
        let formulas: Vec<TermId> = (0..2 + rng.below(2))
            .map(|_| {
                let last = terms[terms.len() - 1 - rng.below(2) as usize];
                let other = terms[rng.below(terms.len() as u64) as usize];
                match rng.below(5) {
                    0 => store.eq(last, other),
                    1 => store.mk(Op::BvUlt, &[last, other]),
                    at @ 2..4 => store.mk(OVERFLOWS[at as usize - 2], &[last, other]),
                    _ => store.mk(Op::BvSle, &[last, other]),
                }
            })
            .collect();
        let all = store.and(&formulas);
        let values = 0..1u64 << width;
        let has_model = values.clone().any(|a| {
            values.clone().any(|b| {
                let mut model = Model::new();
                model.set(x, Value::Bv(Bv::from_u64(width, a)));
                model.set(y, Value::Bv(Bv::from_u64(width, b)));
                eval(&store, all, &model).unwrap().as_bool() == Some(true)
            })
        });
        let (_, answer) = decide(&mut store, &formulas);
        assert_eq!(answer, if has_model { Answer::Sat } else { Answer::Unsat }, "seed {seed}");
        answers[usize::from(has_model)] += 1;
    }
    assert!(answers.iter().all(|count| *count > 50), "{answers:?}");
}

/// Gates that are defined after their bits had values are justified in later queries, too.
#[test]
fn gates_that_are_made_late_hold_in_later_questions() {
    for seed in 0..40 {
        let mut rng = Rng::new(seed);
        let mut store = Store::new();
        let [x, y, z] = words(&mut store, 6);
        let product = store.mk(Op::BvMul, &[x, y]);
        let other = store.mk(Op::BvUrem, &[product, z]);
        let mut smt = solver();
        let is_larger = store.mk(Op::BvUlt, &[z, product]);
        smt.assert(&mut store, is_larger);
        for _ in 0..30 {
            let mut assumptions = Vec::new();
            for word in [x, y, z, product, other] {
                let bound = number(&mut store, 6, rng.below(64));
                match rng.below(4) {
                    0 => assumptions.push(store.eq(word, bound)),
                    1 => assumptions.push(store.mk(Op::BvUle, &[word, bound])),
                    2 => assumptions.push(store.mk(Op::BvUle, &[bound, word])),
                    _ => {}
                }
            }
            let answer = smt.check(&mut store, &assumptions);
            check_answer(&smt, &mut store, answer, "late");
            let all = [&[is_larger], &assumptions[..]].concat();
            assert_eq!(decide(&mut store, &all).1, answer, "seed {seed}");
        }
    }
}

/// Where nothing special is said, the gates decide.
#[test]
fn all_gates_are_made_if_nothing_else_helps() {
    let mut store = Store::new();
    let [x, y, _] = words(&mut store, 10);
    let product = store.mk(Op::BvMul, &[x, y]);
    let prime = number(&mut store, 10, 1021);
    let small = number(&mut store, 10, 32);
    let one = number(&mut store, 10, 1);
    let is_prime = store.eq(product, prime);
    let bounds = [x, y].map(|word| store.mk(Op::BvUlt, &[word, small]));
    let larger = [x, y].map(|word| store.mk(Op::BvUlt, &[one, word]));
    let all = [&[is_prime], &bounds[..], &larger[..]].concat();
    assert_eq!(decide(&mut store, &all).1, Answer::Unsat);
}

#[test]
fn a_product_with_a_conditional_factor_is_that_of_what_is_chosen() {
    let mut store = Store::new();
    let [x, y, z] = words(&mut store, 64);
    let condition = store.mk(Op::BvUlt, &[y, z]);
    let factor = store.ite(condition, y, z);
    let product = store.mk(Op::BvMul, &[x, factor]);
    let products = [y, z].map(|word| store.mk(Op::BvMul, &[x, word]));
    let chosen = store.ite(condition, products[0], products[1]);
    let is_less = store.mk(Op::BvUlt, &[product, chosen]);
    let (smt, answer) = decide(&mut store, &[is_less]);
    assert_eq!(answer, Answer::Unsat);
    assert!(smt.size() < 4_000, "{}", smt.size());
}

#[test]
fn a_product_of_short_words_with_signs_is_one_of_short_words() {
    for width in [12, 64] {
        for count in [2, 3] {
            let mut store = Store::new();
            let all = words(&mut store, width);
            let ends = [-6i64, 6].map(|end| store.bv(Bv::from_int(width, &end.into())));
            let mut formulas = Vec::new();
            for &word in &all[..count] {
                formulas
                    .extend([[ends[0], word], [word, ends[1]]].map(|it| store.mk(Op::BvSle, &it)));
            }
            let product = all[1..count]
                .iter()
                .fold(all[0], |product, &word| store.mk(Op::BvMul, &[product, word]));
            for (most, expected) in
                [(6i64.pow(count as u32), Answer::Unsat), (6i64.pow(count as u32) - 1, Answer::Sat)]
            {
                let most = store.bv(Bv::from_int(width, &most.into()));
                let below = store.mk(Op::BvSle, &[product, most]);
                let above = store.not(below);
                formulas.push(above);
                let (smt, answer) = decide(&mut store, &formulas);
                assert_eq!(answer, expected, "{count} factors of {width} bits");
                assert!(
                    expected == Answer::Sat || smt.stats().conflicts < 10_000,
                    "{}",
                    smt.stats().conflicts
                );
                formulas.truncate(2 * count);
            }
        }
    }
}
