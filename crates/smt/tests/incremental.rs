//! Scopes, assumptions and cores: every answer is compared with that of a fresh solver.

use alphorn_smt::{Answer, Budget, Options, Reason, Smt};
use alphorn_term::{SortId, Store, TermId};
use alphorn_testkit::formulas::{Formulas, Kind, check_answer, seeds};

fn fresh(store: &mut Store, formulas: &[TermId]) -> Answer {
    let mut smt = Smt::new(Options { seed: 7, ..Options::default() });
    for formula in formulas {
        smt.assert(store, *formula);
    }
    smt.check(store, &[])
}

fn compare(left: Answer, right: Answer, what: &str) {
    let is_known = left != Answer::Unknown && right != Answer::Unknown;
    assert!(!is_known || left == right, "{what}: {left:?} and {right:?}");
}

/// The answer, found with few ticks at a time.
fn in_slices(smt: &mut Smt, store: &mut Store, assumptions: &[TermId]) -> Answer {
    let mut ticks = 1;
    loop {
        smt.set_budget(Budget { ticks: Some(ticks), ..Budget::default() });
        let answer = smt.check(store, assumptions);
        if answer != Answer::Unknown || smt.reason_unknown() != Some(Reason::Budget) {
            smt.set_budget(Budget::default());
            return answer;
        }
        ticks += 1 + ticks / 4;
    }
}

fn trace(kind: Kind, seed: u64, options: Options) -> u32 {
    let mut store = Store::new();
    let mut formulas = Formulas::new(&mut store, seed, kind);
    let mut smt = Smt::new(options);
    let mut scopes: Vec<Vec<TermId>> = vec![Vec::new()];
    let mut refuted = 0;
    for round in 0..25 {
        let what = format!("{kind:?}, seed {seed}, round {round}");
        match formulas.rng.below(6) {
            0 => {
                smt.push();
                scopes.push(Vec::new());
            }
            1 if scopes.len() > 1 => {
                smt.pop();
                scopes.pop();
            }
            2 | 3 => {
                let depth = 1 + formulas.rng.below(2);
                let formula = formulas.formula(&mut store, depth);
                smt.assert(&mut store, formula);
                scopes.last_mut().expect("a scope").push(formula);
            }
            _ => {
                let count = formulas.rng.below(4);
                let assumptions: Vec<TermId> =
                    (0..count).map(|_| formulas.formula(&mut store, 1)).collect();
                let answer = match seed % 4 {
                    0 => in_slices(&mut smt, &mut store, &assumptions),
                    _ => smt.check(&mut store, &assumptions),
                };
                let asserted: Vec<TermId> = scopes.iter().flatten().copied().collect();
                let mut all = asserted.clone();
                all.extend(&assumptions);
                compare(answer, fresh(&mut store, &all), &what);
                check_answer(&smt, &mut store, answer, &what);
                if answer == Answer::Unsat {
                    refuted += 1;
                    let failed = smt.failed();
                    assert!(failed.iter().all(|term| assumptions.contains(term)), "{what}");
                    let core: Vec<TermId> = smt
                        .core()
                        .iter()
                        .map(|id| smt.assertion(*id).expect("an assertion"))
                        .collect();
                    assert!(core.iter().all(|term| asserted.contains(term)), "{what}");
                    let needed: Vec<TermId> = core.iter().chain(&failed).copied().collect();
                    compare(answer, fresh(&mut store, &needed), &format!("{what}, core"));
                }
            }
        }
    }
    refuted
}

fn run(kind: Kind) {
    let mut refuted = 0;
    for seed in seeds(100) {
        let (proofs, cores) = (seed % 3 != 0, seed % 2 == 0);
        refuted += trace(kind, seed, Options { proofs, cores, ..Options::default() });
    }
    assert!(refuted > 0);
}

#[test]
fn arithmetic_is_paid_for() {
    // Sums that each exceed the next one, all around: no clause is about that.
    let mut store = Store::new();
    let mut smt = Smt::new(Options::default());
    let vars: Vec<TermId> =
        (0..12).map(|place| store.var(&format!("x{place}"), SortId::REAL)).collect();
    let mut sums = Vec::new();
    for place in 0..12 {
        let parts = [vars[place], vars[(place + 1) % 12], vars[(place + 5) % 12]];
        sums.push(store.add(&parts));
    }
    for place in 0..12 {
        let greater = store.lt(sums[(place + 1) % 12], sums[place]);
        smt.assert(&mut store, greater);
    }
    smt.set_budget(Budget { ticks: Some(1), ..Budget::default() });
    let answer = smt.check(&mut store, &[]);
    assert_eq!(answer, Answer::Unknown, "{:?}", smt.theory_stats());
    assert_eq!(smt.reason_unknown(), Some(Reason::Budget));
    assert!(smt.theory_stats().ticks > 0);
    assert_eq!(in_slices(&mut smt, &mut store, &[]), Answer::Unsat);
}

#[test]
fn integers() {
    run(Kind { ints: true, operators: true, ..Kind::default() });
}

#[test]
fn reals() {
    run(Kind { reals: true, ..Kind::default() });
}

#[test]
fn functions() {
    run(Kind { functions: true, ..Kind::default() });
}

#[test]
fn everything() {
    run(Kind { ints: true, reals: true, functions: true, operators: true, ..Kind::default() });
}

#[test]
fn minimal_cores_are_minimal() {
    let mut larger = 0;
    for seed in seeds(100) {
        let mut store = Store::new();
        let kind = Kind { ints: true, ..Kind::default() };
        let mut formulas = Formulas::new(&mut store, seed, kind);
        let mut smt = Smt::new(Options { cores: true, proofs: true, ..Options::default() });
        for _ in 0..8 {
            let formula = formulas.formula(&mut store, 1);
            smt.assert(&mut store, formula);
        }
        let assumptions: Vec<TermId> = (0..4).map(|_| formulas.formula(&mut store, 1)).collect();
        if smt.check(&mut store, &assumptions) != Answer::Unsat {
            continue;
        }
        let core = smt.minimal_core(&mut store);
        check_answer(&smt, &mut store, Answer::Unsat, &format!("seed {seed}, minimal"));
        assert!(core.is_minimal);
        let mut all: Vec<TermId> =
            core.assertions.iter().map(|id| smt.assertion(*id).expect("an assertion")).collect();
        all.extend(&core.assumptions);
        assert_eq!(fresh(&mut store, &all), Answer::Unsat, "seed {seed}");
        larger += u32::from(all.len() > 1);
        for place in 0..all.len() {
            let mut fewer = all.clone();
            fewer.remove(place);
            assert_eq!(fresh(&mut store, &fewer), Answer::Sat, "seed {seed}, without {place}");
        }
    }
    assert!(larger > 0);
}
