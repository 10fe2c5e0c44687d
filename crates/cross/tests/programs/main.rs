//! Programs as Horn clauses: clauses are safe exactly if no run violates a check, and what a derivation
//! tells is a run that does.

mod oracle;
mod random;

use alphorn_chc::engines::HORN_ENGINES;
use alphorn_check::accept::accept;
use alphorn_engine::{Ctx, Stopper};
use alphorn_horn::conclude;
use alphorn_problem::{Horn, Verdict};
use alphorn_program::clauses::story::{Told, tell};
use alphorn_program::clauses::{Site, clauses};
use alphorn_term::Value;
use alphorn_testkit::Rng;

/// A checked verdict about the clauses, by whichever of the engines finds one within its ticks.
fn verdict(horn: &Horn) -> Option<Verdict<Horn>> {
    for name in ["forward", "pdr", "la"] {
        let card = HORN_ENGINES.iter().find(|card| card.name == name).expect("an engine");
        let mut sink = |_| {};
        let mut ctx = Ctx::new(3_000_000, Stopper::new(), 1, &mut sink);
        let Ok(finding) = (card.build)().run(horn, &mut ctx) else { continue };
        let Ok(verdict) = conclude(horn, finding, &mut ctx) else { continue };
        let checked = accept(horn, (), verdict).expect("evidence is right");
        return Some(checked.verdict().clone());
    }
    None
}

/// The verdicts on random programs, with so many of them decided.
fn check(seeds: u64, least: usize, shape: random::Shape) {
    let (mut decided, mut safe, mut called) = (0, 0, 0);
    for seed in 0..seeds {
        let program = random::program(&mut Rng::new(seed), shape);
        let is_violated = oracle::is_violated(&program);
        let made = clauses(&program);
        made.horn.validate().expect("the clauses are sound");
        match verdict(&made.horn) {
            None => continue,
            Some(Verdict::Safe(_)) => {
                assert!(!is_violated, "seed {seed}: safe clauses of a violated program");
                safe += 1;
            }
            Some(Verdict::Unsafe(derivation)) => {
                assert!(is_violated, "seed {seed}: unsafe clauses of a program without violation");
                if shape.observes {
                    let told = tell(&made, &derivation).expect("the derivation is a run");
                    let values: Vec<i64> = told
                        .iter()
                        .map(|told| match told {
                            Told::Value(Value::Int(value)) => {
                                value.to_i64().expect("a small value")
                            }
                            other => panic!("seed {seed}: {other:?} was observed"),
                        })
                        .collect();
                    oracle::replay(&program, &values)
                        .unwrap_or_else(|why| panic!("seed {seed}: {values:?}: {why}"));
                }
            }
        }
        decided += 1;
        called += usize::from(made.spots.iter().any(|spot| matches!(spot.site, Site::Summary(_))));
    }
    // Both verdicts are met, and summaries where there are calls.
    assert!(safe >= decided / 10 && decided - safe >= decided / 10, "{safe} of {decided} are safe");
    assert!(shape.procs < 3 || called >= decided / 10, "{called} of {decided} have summaries");
    assert!(decided >= least, "only {decided} of {seeds} programs were decided");
}

#[test]
fn clauses_of_programs_without_calls_are_safe_exactly_if_no_check_fails() {
    check(1500, 1300, random::Shape { procs: 1, observes: false, blocks: 5 });
}

#[test]
fn clauses_of_programs_with_calls_and_recursion_are_safe_exactly_if_no_check_fails() {
    check(1500, 1100, random::Shape { procs: 3, observes: false, blocks: 4 });
}

#[test]
fn clauses_with_many_paths_are_safe_exactly_if_no_check_fails() {
    check(600, 400, random::Shape { procs: 2, observes: false, blocks: 14 });
}

#[test]
fn what_a_derivation_tells_is_a_run_that_violates_a_check() {
    check(1500, 1200, random::Shape { procs: 1, observes: true, blocks: 5 });
    check(1500, 1100, random::Shape { procs: 3, observes: true, blocks: 4 });
    check(600, 400, random::Shape { procs: 2, observes: true, blocks: 14 });
}
