//! Calls that are remembered: which are, and that nothing else than the steps of a run depends on it.

use alphorn_front::c;
use alphorn_program::c::layout::DataModel;
use alphorn_program::c::property::{Choice, Malloc, Property, Task};
use alphorn_program::c::run::{Limits, Listed, Outcome, Ran, Runnable, Watcher};
use alphorn_testkit::Rng;
use std::sync::Arc;

const HEAD: &str = "
    extern void reach_error(void); extern void abort(void); extern int abs(int);
    extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assume(int);
    #define is(x) if (!(x)) reach_error()
    int global = 1;
";

/// Whoever wants to see all calls.
struct All;

impl Watcher for All {
    fn sees_repeated_calls(&self) -> bool {
        true
    }
}

fn task(text: &str, properties: &[Property]) -> Task {
    let text = format!("{HEAD}\n{text}");
    let (unit, diagnostics) = c::read(text.as_bytes(), &c::Options::new(DataModel::Lp64));
    let unit = unit.unwrap_or_else(|| panic!("{text}\n{diagnostics:?}"));
    let entry = unit.find_function("main").expect("a main");
    let (properties, malloc) = (properties.to_vec(), Malloc::Succeeds);
    Task { unit: Arc::new(unit), entry, properties, malloc }
}

/// The run of a program, which comes to the same end if all calls are seen.
#[track_caller]
fn both(text: &str, properties: &[Property], choices: &[i128]) -> Ran {
    let task = task(text, properties);
    let program = Runnable::new(&task);
    let choices: Vec<Choice> = choices.iter().map(|&number| Choice::Value(number)).collect();
    let ran = program.run(&mut Listed::new(&choices), Limits::default(), &mut ());
    let all = program.run(&mut Listed::new(&choices), Limits::default(), &mut All);
    assert_eq!(ran.outcome, all.outcome, "{text}");
    assert_eq!(all.spared, 0, "{text}");
    // A call that is remembered is a step itself.
    assert!(
        ran.steps <= all.steps && all.steps <= ran.steps + ran.spared,
        "{text}\n{ran:?} {all:?}"
    );
    ran
}

/// The function `f` is remembered where it is called twice.
#[track_caller]
fn remembered(function: &str) {
    let ran = both(&twice(function), &[Property::UnreachCall], &[]);
    assert_eq!(ran.outcome, Outcome::Finished, "{function}");
    assert!(ran.spared > 0, "{function}");
}

/// It is not.
#[track_caller]
fn forgotten(function: &str, choices: &[i128]) {
    let ran = both(&twice(function), &[Property::UnreachCall], choices);
    assert_eq!(ran.outcome, Outcome::Finished, "{function}");
    assert_eq!(ran.spared, 0, "{function}");
}

/// A program that calls `f` for the same number again and again; `g` says what it must be after a change of `global`.
fn twice(function: &str) -> String {
    let main = "int main(void) {
        int first = f(9); int second = f(9); is(first == second || global);
        global = 2; int third = f(9); is(CHANGES ? third != first : third == first); return 0; }";
    let changes = i32::from(function.contains("changes"));
    format!("{function}\n{}", main.replace("CHANGES", &changes.to_string()))
}

#[test]
fn calls_of_functions_of_their_arguments_alone_are_remembered() {
    remembered("int f(int n) { int s = 0; for (int i = 0; i < 4 * n; i++) s += i; return s; }");
    remembered("int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }");
    remembered(
        "int g(int n); int f(int n) { return n < 1 ? 1 : g(n - 1); } int g(int n) { return n < 1 ? 0 : f(n - 1) + g(n - 2); }",
    );
    remembered(
        "int f(int n) { int s = 0; again: if (n < -20) return s; switch (n) { case 3: s += abs(-n); break; default: s ^= n; } n--; goto again; }",
    );
    remembered(
        "int f(int n) { __VERIFIER_assume(n < 100); while (n < 90) { n++; if (n < 0) abort(); } return n; }",
    );
}

#[test]
fn calls_that_see_anything_else_are_run_each_time() {
    let rounds = "int i = 0; while (i < 40) i++;";
    forgotten(&format!("int f(int n) {{ {rounds} return n + global; }} // changes"), &[]);
    forgotten(
        &format!(
            "int g(void) {{ return global; }} int f(int n) {{ {rounds} return n + g(); }} // changes"
        ),
        &[],
    );
    forgotten(
        &format!("int f(int n) {{ static int k; {rounds} return n + k++; }} // changes"),
        &[],
    );
    forgotten(&format!("int f(int n) {{ {rounds} global++; return n; }}"), &[]);
    forgotten(
        "int f(int n) { int i = 0; while (i < 40) i++; return __VERIFIER_nondet_int(); } // changes",
        &[1, 1, 2],
    );
    forgotten(
        "int f(int n) { int i = 0, k; while (i < 40) i++; return k; } // changes",
        &[1, 1, 2],
    );
    forgotten("int f(int n) { int a[1] = {0}; while (a[0] < 40) a[0]++; return n; }", &[]);
    forgotten("int f(int n) { int *p = &n; int i = 0; while (i < 40) i++; return *p; }", &[]);
    forgotten(
        "int g(int n) { return n; } int (*h)(int) = g; int f(int n) { int i = 0; while (i < 40) i++; return h(n); }",
        &[],
    );
    forgotten(
        "int f(int n) { float x = 1; int i = 0; while (i < 40) i++; return n + (int)x; }",
        &[],
    );
}

#[test]
fn a_call_with_an_address_is_run_each_time() {
    let text = "int f(int *p, int n) { int i = 0; while (i < 40) i++; return p ? n : i; }
        int main(void) { int a; int b = f(&a, 1) + f(&a, 1) + f(0, 1) + f(0, 1); is(b == 82); return 0; }";
    let ran = both(text, &[Property::UnreachCall], &[5]);
    assert_eq!(ran.outcome, Outcome::Finished);
    // Null is an integer.
    assert!(ran.spared > 40 && ran.spared < 90, "{ran:?}");
}

#[test]
fn nothing_is_remembered_where_lost_memory_is_asked_about() {
    let text = twice("int f(int n) { int i = 0; while (i < 40) i++; return n; }");
    assert_eq!(both(&text, &[Property::ValidMemtrack], &[]).spared, 0);
}

#[test]
fn what_goes_wrong_in_a_call_is_met_the_first_time() {
    let text = "int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2) * 40; }
        int main(void) { return f(__VERIFIER_nondet_int()); }";
    for number in 0..16 {
        both(text, &[Property::NoOverflow], &[number]);
    }
    assert!(matches!(both(text, &[Property::NoOverflow], &[16]).outcome, Outcome::Violation(_)));
}

#[test]
fn a_sum_is_found_too_large_though_nobody_could_wait_for_it() {
    let text = "int fibonacci(int n) { if (n < 1) return 0; if (n == 1) return 1;
            return fibonacci(n - 1) + fibonacci(n - 2); }
        int main(void) { int n = __VERIFIER_nondet_int(); return fibonacci(n) < n; }";
    let run = |number| {
        let task = task(text, &[Property::NoOverflow]);
        let choices = [Choice::Value(number)];
        Runnable::new(&task).run(&mut Listed::new(&choices), Limits::default(), &mut ())
    };
    assert_eq!(run(46).outcome, Outcome::Finished);
    let ran = run(47);
    assert!(matches!(ran.outcome, Outcome::Violation(_)));
    assert!(ran.steps < 1_000 && ran.spared > 1 << 32, "{ran:?}");
}

/// Functions that call those before them in loops, some of which see the global variable.
fn random_functions(rng: &mut Rng) -> String {
    let mut text = "int f0(int a, int b) { return a > b ? a - b : a ^ b; }\n".to_owned();
    for index in 1..5 {
        let callee = rng.below(index as u64);
        let (rounds, factor, mask) = (rng.below(12u64), rng.below(5u64), 1 << rng.below(5u64));
        let seen = if rng.below(6u64) == 0 { "global" } else { "i" };
        let changed = if rng.below(8u64) == 0 { "global ^= 1;" } else { "" };
        text += &format!(
            "int f{index}(int a, int b) {{ int s = b; {changed} if (a > 40) return a;
                for (int i = 0; i < {rounds}; i++) s = s * {factor} + f{callee}({seen} & 3, s & {mask});
                return a < 3 ? s : f{index}(a - 1, s & 3) + f{index}(a - 2, b & 1); }}\n"
        );
    }
    text
}

#[test]
fn random_functions_come_to_the_same_end_whether_calls_are_remembered_or_not() {
    let (mut spared, mut violations) = (0, 0);
    for seed in 0..200 {
        let functions = random_functions(&mut Rng::new(seed));
        let main = "int main(void) { int n = __VERIFIER_nondet_int(); int s = 0;
            for (int i = 0; i < 3; i++) s ^= f4(n & 3, s & 1); is(s & 6); return 0; }";
        for property in [Property::UnreachCall, Property::NoOverflow] {
            let task = task(&format!("{functions}{main}"), &[property]);
            let (program, choices) = (Runnable::new(&task), [Choice::Value(i128::from(seed))]);
            let ran = program.run(&mut Listed::new(&choices), Limits::default(), &mut ());
            let all = program.run(&mut Listed::new(&choices), Limits::default(), &mut All);
            if all.outcome != Outcome::Limit {
                assert_eq!(ran.outcome, all.outcome, "{functions}");
                assert!(all.steps <= ran.steps + ran.spared, "{functions}");
            }
            spared += u32::from(ran.spared > 0);
            violations += u32::from(matches!(ran.outcome, Outcome::Violation(_)));
        }
    }
    assert!(spared > 50 && violations > 20, "{spared} {violations}");
}
