//! Random formulas: models are evaluated, refutations are replayed.

use alphorn_smt::{Answer, Options, Smt};
use alphorn_testkit::Rng;
use alphorn_testkit::formulas::{Kind, assertions, check_answer, seeds};
use alphorn_testkit::shrink::{Assertions, for_all};

/// Asserts random formulas one after the other and asks after each.
fn run(kind: Kind, seeds: std::ops::Range<u64>) -> [u32; 3] {
    let mut counts = [0; 3];
    let make = |rng: &mut Rng| assertions(rng, kind, 6);
    for_all(seeds, make, |Assertions { store, formulas }| {
        let mut store = store.clone();
        let mut smt = Smt::new(Options { proofs: true, ..Options::default() });
        for (round, &formula) in formulas.iter().enumerate() {
            smt.assert(&mut store, formula);
            smt.set_budget(alphorn_sat::Budget { conflicts: Some(2000), ..Default::default() });
            let answer = smt.check(&mut store, &[]);
            counts[answer as usize] += 1;
            check_answer(&smt, &mut store, answer, &format!("{kind:?}, {round}"));
            if answer == Answer::Unsat {
                break;
            }
        }
    });
    counts
}

#[test]
fn integers() {
    let [sat, unsat, unknown] = run(Kind { ints: true, ..Kind::default() }, seeds(300));
    assert!(sat > 0 && unsat > 0 && unknown * 20 < sat + unsat, "{sat} {unsat} {unknown}");
}

#[test]
fn reals() {
    let [sat, unsat, unknown] = run(Kind { reals: true, ..Kind::default() }, seeds(300));
    assert!(sat > 0 && unsat > 0 && unknown == 0, "{sat} {unsat} {unknown}");
}

#[test]
fn integer_operators() {
    let kind = Kind { ints: true, operators: true, ..Kind::default() };
    let [sat, unsat, unknown] = run(kind, seeds(300));
    assert!(sat > 0 && unsat > 0 && unknown * 10 < sat + unsat, "{sat} {unsat} {unknown}");
}

#[test]
fn mixed_numbers() {
    let kind = Kind { ints: true, reals: true, operators: true, ..Kind::default() };
    let [sat, unsat, unknown] = run(kind, seeds(300));
    assert!(sat > 0 && unsat > 0 && unknown * 10 < sat + unsat, "{sat} {unsat} {unknown}");
}

#[test]
fn functions() {
    let [sat, unsat, unknown] = run(Kind { functions: true, ..Kind::default() }, seeds(300));
    assert!(sat > 0 && unsat > 0 && unknown == 0, "{sat} {unsat} {unknown}");
}

#[test]
fn functions_of_numbers() {
    let kind = Kind { ints: true, reals: true, functions: true, ..Kind::default() };
    let [sat, unsat, unknown] = run(kind, seeds(300));
    assert!(sat > 0 && unsat > 0 && unknown * 20 < sat + unsat, "{sat} {unsat} {unknown}");
}

#[test]
fn arrays_of_elements() {
    let kind = Kind { arrays: true, ..Kind::default() };
    let [sat, unsat, unknown] = run(kind, seeds(300));
    assert!(sat > 0 && unsat > 0 && unknown * 20 < sat + unsat, "{sat} {unsat} {unknown}");
}

#[test]
fn arrays_of_integers() {
    let kind = Kind { arrays: true, ints: true, ..Kind::default() };
    let [sat, unsat, unknown] = run(kind, seeds(300));
    assert!(sat > 0 && unsat > 0 && unknown * 20 < sat + unsat, "{sat} {unsat} {unknown}");
}

#[test]
fn nested_arrays() {
    for kind in [
        Kind { arrays: true, nested: true, ints: true, ..Kind::default() },
        Kind { arrays: true, nested: true, ..Kind::default() },
        Kind { arrays: true, nested: true, reals: true, functions: true, ..Kind::default() },
    ] {
        let [sat, unsat, unknown] = run(kind, seeds(300));
        assert!(sat > 0 && unsat > 0 && unknown * 20 < sat + unsat, "{sat} {unsat} {unknown}");
    }
}

#[test]
fn arrays_with_everything() {
    let kind =
        Kind { arrays: true, ints: true, functions: true, operators: true, ..Kind::default() };
    let [sat, unsat, unknown] = run(kind, seeds(300));
    assert!(sat > 0 && unsat > 0 && unknown * 10 < sat + unsat, "{sat} {unsat} {unknown}");
}

#[test]
fn products() {
    let kind = Kind { ints: true, products: true, ..Kind::default() };
    let [sat, unsat, unknown] = run(kind, seeds(300));
    assert!(sat > 0 && unsat > 0 && unknown * 4 < sat + unsat, "{sat} {unsat} {unknown}");
}

#[test]
fn real_products() {
    let kind = Kind { reals: true, products: true, ..Kind::default() };
    let [sat, unsat, unknown] = run(kind, seeds(300));
    assert!(sat > 0 && unsat > 0 && unknown * 4 < sat + unsat, "{sat} {unsat} {unknown}");
}

#[test]
fn words() {
    let [sat, unsat, unknown] = run(Kind { words: true, ..Kind::default() }, seeds(300));
    assert!(sat > 0 && unsat > 0 && unknown == 0, "{sat} {unsat} {unknown}");
}

#[test]
fn functions_of_words() {
    let kind = Kind { words: true, functions: true, ..Kind::default() };
    let [sat, unsat, unknown] = run(kind, seeds(300));
    assert!(sat > 0 && unsat > 0 && unknown == 0, "{sat} {unsat} {unknown}");
}

#[test]
fn words_and_numbers() {
    let kind = Kind { words: true, ints: true, functions: true, ..Kind::default() };
    let [sat, unsat, unknown] = run(kind, seeds(300));
    assert!(sat > 0 && unsat > 0 && unknown * 20 < sat + unsat, "{sat} {unsat} {unknown}");
}

#[test]
fn datatypes() {
    let [sat, unsat, unknown] = run(Kind { data: true, ..Kind::default() }, seeds(300));
    assert!(sat > 0 && unsat > 0 && unknown == 0, "{sat} {unsat} {unknown}");
}

#[test]
fn datatypes_with_numbers_and_functions() {
    let kind = Kind { data: true, ints: true, functions: true, ..Kind::default() };
    let [sat, unsat, unknown] = run(kind, seeds(300));
    assert!(sat > 0 && unsat > 0 && unknown * 20 < sat + unsat, "{sat} {unsat} {unknown}");
}
