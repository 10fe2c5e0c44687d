//! The engine `runs` finds violations by running, what it finds is accepted, and the same seed finds the same.

use alphorn_check::program::check_run;
use alphorn_cross::runs::{Runs, sample};
use alphorn_engine::{Ctx, Engine, Stop, Stopper};
use alphorn_front::c;
use alphorn_problem::{Finding, Span};
use alphorn_program::c::evidence::Run;
use alphorn_program::c::layout::DataModel;
use alphorn_program::c::property::{Choice, Malloc, Property, Task};
use alphorn_program::c::run::{Outcome, Runnable, State, Value, Watcher};
use std::sync::Arc;

const HEAD: &str = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
    extern unsigned __VERIFIER_nondet_uint(void); extern void *malloc(unsigned long);
    extern void free(void *); extern float __VERIFIER_nondet_float(void);";

fn task(text: &str, property: Property) -> Task {
    let text = format!("{HEAD}\n{text}");
    let (unit, diagnostics) = c::read(text.as_bytes(), &c::Options::new(DataModel::Lp64));
    let unit = unit.unwrap_or_else(|| panic!("{diagnostics:?}"));
    let entry = unit.find_function("main").expect("a main");
    Task { unit: Arc::new(unit), entry, properties: vec![property], malloc: Malloc::Succeeds }
}

fn search(task: &Task, ticks: u64) -> Result<Run, Stop> {
    let mut sink = |_| {};
    let mut ctx = Ctx::new(ticks, Stopper::new(), 0, &mut sink);
    match Runs.run(task, &mut ctx)? {
        Finding::Fails(run) => {
            check_run(task, &run).unwrap_or_else(|refusal| panic!("{refusal}"));
            Ok(run)
        }
        Finding::Holds(_) => panic!("runs prove nothing"),
    }
}

#[test]
fn a_number_that_no_constant_names_is_approached() {
    let text = "int main(void) { unsigned x = __VERIFIER_nondet_uint();
                if (x * 3 == 370371) reach_error(); }";
    let run = search(&task(text, Property::UnreachCall), 10_000_000).expect("a run");
    assert_eq!(run.choices, [Choice::Value(123_457)]);
}

#[test]
fn of_runs_that_remember_calls_one_is_told_that_ends_soon_without() {
    // For 47 numbers wrap around and the sum is negative, which takes billions of steps; for 8 it is 21.
    let text =
        "int f(int n) { if (n < 1) return 0; if (n == 1) return 1; return f(n - 1) + f(n - 2); }
                int main(void) { int x = __VERIFIER_nondet_int(); int r = f(x);
                if (!(x < 8 || r >= 34)) reach_error(); }";
    let run = search(&task(text, Property::UnreachCall), 50_000_000).expect("a run");
    assert_eq!(run.choices, [Choice::Value(8)]);
}

#[test]
fn branches_that_need_each_other_are_found_one_after_the_other() {
    let text = "int main(void) { int s = 0; for (int i = 0; i < 20; i++) {
                  int x = __VERIFIER_nondet_int();
                  if (s == 0 && x == 1000) s = 1; else if (s == 1 && x == -7777) s = 2;
                  else if (s == 2 && x == 424242) s = 3; }
                if (s == 3) reach_error(); }";
    assert!(search(&task(text, Property::UnreachCall), 20_000_000).is_ok());
}

#[test]
fn overflow_and_memory_are_found_too() {
    let text = "int main(void) { int x = __VERIFIER_nondet_int(); return x + 1; }";
    let run = search(&task(text, Property::NoOverflow), 1_000_000).expect("a run");
    assert_eq!(run.choices, [Choice::Value(i128::from(i32::MAX))]);
    let text = "int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1 || n > 9) return 0;
                int *p = malloc(4 * n); p[n - 1] = 1; if (n == 5) p++; int r = p[n - 1]; return r; }";
    assert!(search(&task(text, Property::ValidDeref), 1_000_000).is_ok());
    let text = "int main(void) { int *p = malloc(4); if (__VERIFIER_nondet_int() != 3) free(p); }";
    let run = search(&task(text, Property::ValidMemtrack), 1_000_000).expect("a run");
    assert_eq!(run.choices.last(), Some(&Choice::Value(3)));
}

#[test]
fn a_run_without_choices_is_taken_once_and_ends_when_the_budget_does() {
    let text = "int main(void) { unsigned x = 0; while (x < 10000000) x++; reach_error(); }";
    let run = search(&task(text, Property::UnreachCall), 30_000_000).expect("a run");
    assert!(run.steps > 20_000_000, "{run:?}");
    let endless = task("int main(void) { while (1); }", Property::UnreachCall);
    let mut sink = |_| {};
    let mut ctx = Ctx::new(4_000_000, Stopper::new(), 0, &mut sink);
    assert!(matches!(Runs.run(&endless, &mut ctx), Err(Stop::Budget(_))));
    assert!(ctx.ticks_used() < 6_000_000, "{}", ctx.ticks_used());
}

#[test]
fn memory_that_is_lost_before_a_loop_without_an_end_is_found() {
    let text = "int main(void) { int *p = malloc(4); if (__VERIFIER_nondet_int() == 3) p = 0; while (1); }";
    let run = search(&task(text, Property::ValidMemtrack), 10_000_000).expect("a run");
    assert_eq!(run.choices.last(), Some(&Choice::Value(3)));
}

#[test]
fn what_comes_after_a_long_loop_is_found() {
    let text = "int main(void) { int y = __VERIFIER_nondet_int(); unsigned x = 0;
                while (x < 3000000) x++; if (x + y != 5) reach_error(); }";
    let run = search(&task(text, Property::UnreachCall), 200_000_000).expect("a run");
    assert!(run.steps > 3_000_000 && run.choices.len() == 1, "{run:?}");
}

#[test]
fn a_safe_program_has_no_violation_and_what_is_outside_is_said() {
    let text =
        "int main(void) { int x = __VERIFIER_nondet_int(); if (x > 5 && x < 3) reach_error(); }";
    assert!(search(&task(text, Property::UnreachCall), 300_000).is_err());
    let text = "int main(void) { if (__VERIFIER_nondet_float() > 0) reach_error(); }";
    let stop = search(&task(text, Property::UnreachCall), u64::MAX).expect_err("nothing runs");
    assert!(matches!(stop, Stop::Unsupported(_)), "{stop:?}");
}

#[test]
fn the_same_seed_finds_the_same_run() {
    let text = "int main(void) { int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
                if (x > 100 && y - x == 54321) reach_error(); }";
    let task = task(text, Property::UnreachCall);
    let first = search(&task, 20_000_000).expect("a run");
    assert_eq!(search(&task, 20_000_000), Ok(first));
}

#[test]
fn sampled_runs_can_be_watched_again() {
    struct Heads(Vec<i128>);
    impl Watcher for Heads {
        fn loop_head(&mut self, _: Span, state: &State<'_>) {
            if let Some(Value::Int(number)) = state.var(alphorn_program::c::VarId(1)) {
                self.0.push(number);
            }
        }
    }
    let text =
        "int main(void) { int n = __VERIFIER_nondet_int(), i = 0; while (i < n && i < 50) i++; }";
    let task = task(text, Property::UnreachCall);
    let program = Runnable::new(&task);
    let mut heads = Heads(Vec::new());
    for sampled in sample(&task, 1, 20) {
        assert_eq!(sampled.replay(&program, &mut heads), sampled.ran.outcome);
        assert_eq!(sampled.ran.outcome, Outcome::Finished);
    }
    assert!(heads.0.iter().all(|&i| (0..=50).contains(&i)));
    assert!(heads.0.iter().any(|&i| i > 3));
}
