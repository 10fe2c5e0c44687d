//! Runs of C programs as evidence: what is accepted, and for each reason to refuse one that is refused.

use alphorn_check::RefusalKind;
use alphorn_check::program::{MAX_STEPS, check_run};
use alphorn_front::c;
use alphorn_problem::Span;
use alphorn_program::c::evidence::Run;
use alphorn_program::c::layout::DataModel;
use alphorn_program::c::property::{Choice, Malloc, Property, Task, Violation};
use std::sync::Arc;

const TEXT: &str = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
extern void __VERIFIER_assume(int);
int main(void) {
  int x = __VERIFIER_nondet_int();
  __VERIFIER_assume(x != 77);
  int y = __VERIFIER_nondet_int();
  if (y == 13) return 1 / (y - 13);
  for (int i = 0; i < x; i++) y--;
  if (x == 6 && y == 36) reach_error();
  if (x == 7) reach_error();
  return 0;
}";

fn task(properties: &[Property]) -> Task {
    let (unit, diagnostics) = c::read(TEXT.as_bytes(), &c::Options::new(DataModel::Lp64));
    let unit = unit.unwrap_or_else(|| panic!("{diagnostics:?}"));
    let entry = unit.find_function("main").expect("a main");
    let properties = properties.to_vec();
    Task { unit: Arc::new(unit), entry, properties, malloc: Malloc::Succeeds }
}

/// Where the call of the error function stands that follows a text.
fn place(after: &str) -> Span {
    let start = TEXT.find(after).expect("it is there") + after.len();
    Span::new(start, start + "reach_error()".len())
}

fn run(choices: &[i128]) -> Run {
    Run {
        choices: choices.iter().map(|&value| Choice::Value(value)).collect(),
        steps: 100,
        violation: Violation { property: Property::UnreachCall, span: place("y == 36) ") },
    }
}

/// The reason of the refusal.
#[track_caller]
fn refused(run: &Run) -> String {
    check_run(&task(&[Property::UnreachCall]), run).expect_err("it is refused").reason
}

#[test]
fn the_run_that_meets_the_violation_is_accepted() {
    let task = task(&[Property::UnreachCall]);
    assert_eq!(check_run(&task, &run(&[6, 42])), Ok(()));
    let span = place("x == 7) ");
    let other = Run { violation: Violation { span, ..run(&[]).violation }, ..run(&[7, 0]) };
    assert_eq!(check_run(&task, &other), Ok(()));
}

#[test]
fn a_run_without_a_violation_is_refused() {
    assert!(refused(&run(&[6, 41])).contains("ends without a violation"));
    assert!(refused(&run(&[77, 42])).contains("stops itself"));
    assert!(refused(&run(&[6, 13])).contains("not defined"));
}

#[test]
fn a_violation_elsewhere_or_of_another_kind_is_refused() {
    assert!(refused(&run(&[7, 42])).contains("and not"));
    let violation = Violation { property: Property::Assert, ..run(&[]).violation };
    let other = Run { violation, ..run(&[6, 42]) };
    let refusal = check_run(&task(&[Property::UnreachCall]), &other).expect_err("it is refused");
    assert_eq!(refusal.kind, RefusalKind::OtherProperty);
    let both = task(&[Property::UnreachCall, Property::Assert]);
    assert!(check_run(&both, &other).is_err());
}

#[test]
fn choices_that_are_missing_left_over_or_wrong_are_refused() {
    assert!(refused(&run(&[6])).contains("no choice is left"));
    assert!(refused(&run(&[6, 42, 0])).contains("over before it is asked for"));
    assert!(refused(&run(&[1 << 31, 42])).contains("not one of the values"));
    let mut kind = run(&[6, 42]);
    kind.choices[0] = Choice::Allocated(true);
    assert!(refused(&kind).contains("not one of the values"));
}

#[test]
fn steps_are_limited_by_what_the_run_claims_and_by_us() {
    assert!(refused(&Run { steps: 10, ..run(&[6, 42]) }).contains("within 10 steps"));
    let refusal =
        check_run(&task(&[Property::UnreachCall]), &Run { steps: MAX_STEPS + 1, ..run(&[6, 42]) });
    assert_eq!(refusal.expect_err("it is refused").kind, RefusalKind::TooLarge);
}

const THREADS: &str = "typedef unsigned long pthread_t; extern void reach_error(void);
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
int x;
void *f(void *a) { x = x + 1; return 0; }
int main(void) {
  pthread_t s = 0, t = 0;
  pthread_create(&s, 0, f, 0); pthread_create(&t, 0, f, 0);
  pthread_join(s, 0); pthread_join(t, 0);
  if (x == 1) reach_error();
  return 0;
}";

#[test]
fn a_run_of_threads_is_accepted_with_its_schedule_and_with_no_other() {
    let (unit, _) = c::read(THREADS.as_bytes(), &c::Options::new(DataModel::Lp64));
    let unit = Arc::new(unit.expect("it is read"));
    let entry = unit.find_function("main").expect("a main");
    let properties = vec![Property::UnreachCall];
    let task = Task { unit, entry, properties, malloc: Malloc::Succeeds };
    let start = THREADS.find("x == 1) ").expect("it is there") + "x == 1) ".len();
    let span = Span::new(start, start + "reach_error()".len());
    let violation = Violation { property: Property::UnreachCall, span };
    let turns = |turns: &[(u32, u64)]| {
        let turn = |&(thread, points): &(u32, u64)| Choice::Turn { thread, points };
        Run { choices: turns.iter().map(turn).collect(), steps: 100, violation }
    };
    // The entry creates the second thread; one reads, the other reads and writes, and so on.
    let good = [(0, 1), (1, 2), (2, 100), (1, 100)];
    assert_eq!(check_run(&task, &turns(&good)), Ok(()));
    let mut refused = 0;
    for at in 0..good.len() {
        for (thread, points) in
            [(0, 1), (1, 1), (2, 1), (1, 2), (2, 2), (1, 100), (2, 100), (3, 1), (0, 0)]
        {
            let mut other = good.to_vec();
            if other[at] == (thread, points) {
                continue;
            }
            other[at] = (thread, points);
            refused += usize::from(check_run(&task, &turns(&other)).is_err());
        }
        let mut fewer = good.to_vec();
        fewer.remove(at);
        assert!(check_run(&task, &turns(&fewer)).is_err(), "without turn {at}");
    }
    assert!(refused >= 20, "{refused} refused");
    let mut more = good.to_vec();
    more.push((1, 1));
    assert!(check_run(&task, &turns(&more)).is_err());
    assert!(check_run(&task, &turns(&[(0, 1), (1, 3), (2, 3)])).is_err());
}
