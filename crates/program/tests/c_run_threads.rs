//! How threads of C programs run: by the turns that are chosen.

use alphorn_front::c;
use alphorn_problem::Span;
use alphorn_program::c::layout::DataModel;
use alphorn_program::c::property::{Asked, Choice, Malloc, Property, Task};
use alphorn_program::c::run::{Chooser, Limits, Listed, Outcome, Reason, Runnable, Wanted};
use std::sync::Arc;

const HEAD: &str = "#include <pthread.h>
extern void reach_error(void); extern void abort(void); extern void exit(int);
extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void);
int x, y; pthread_mutex_t m, n; pthread_cond_t c;\n";

/// A program of two threads with these bodies, which are joined, and what the entry does then.
fn task(one: &str, two: &str, then: &str, property: Property) -> Task {
    let text = format!(
        "{HEAD}void *f(void *a) {{ {one} return 0; }} void *g(void *a) {{ {two} return 0; }}
        int main(void) {{ pthread_t s = 0, t = 0; pthread_create(&s, 0, f, 0);
        pthread_create(&t, 0, g, 0); pthread_join(s, 0); pthread_join(t, 0); {then} return 0; }}"
    );
    let (unit, diagnostics) = c::read(text.as_bytes(), &c::Options::new(DataModel::Lp64));
    let unit = unit.unwrap_or_else(|| panic!("{text}\n{diagnostics:?}"));
    let entry = unit.find_function("main").expect("a main");
    let (unit, properties) = (Arc::new(unit), vec![property]);
    Task { unit, entry, properties, malloc: Malloc::Succeeds }
}

/// The entry takes its turns as long as it can, and then threads take these; who is not ready is passed over.
struct Turns<'a> {
    turns: &'a [(u32, u64)],
    next: usize,
}

impl Chooser for Turns<'_> {
    fn choose(&mut self, _: Asked, wanted: Wanted, _: Span) -> Option<Choice> {
        let Wanted::Turn { ready, .. } = wanted else { return None };
        let is_ready = |thread: u32| ready >> thread & 1 == 1;
        if is_ready(0) && self.next == 0 {
            return Some(Choice::Turn { thread: 0, points: 1 });
        }
        while let Some(&(thread, points)) = self.turns.get(self.next) {
            self.next += 1;
            if is_ready(thread) {
                return Some(Choice::Turn { thread, points });
            }
        }
        Some(Choice::Turn { thread: ready.trailing_zeros(), points: 1 << 20 })
    }
}

fn with_turns(task: &Task, turns: &[(u32, u64)]) -> Outcome {
    let limits = Limits { steps: 2_000, ..Limits::default() };
    Runnable::new(task).run(&mut Turns { turns, next: 0 }, limits, &mut ()).outcome
}

/// The outcomes of all orders of the first visible steps of the two threads.
fn all(task: &Task) -> Vec<Outcome> {
    let mut outcomes = Vec::new();
    for order in 0..1_u32 << 12 {
        let turns: Vec<(u32, u64)> = (0..12).map(|at| (1 + (order >> at & 1), 1)).collect();
        outcomes.push(with_turns(task, &turns));
    }
    outcomes
}

fn is_violated(outcomes: &[Outcome], property: Property) -> bool {
    outcomes.iter().any(|one| matches!(one, Outcome::Violation(v) if v.property == property))
}

#[test]
fn an_update_is_lost_exactly_if_the_other_thread_runs_between_reading_and_writing() {
    let task =
        task("x = x + 1;", "x = x + 1;", "if (x != 2) reach_error();", Property::UnreachCall);
    let lost = with_turns(&task, &[(1, 2), (2, 3), (1, 1)]);
    assert!(matches!(lost, Outcome::Violation(_)), "{lost:?}");
    assert_eq!(with_turns(&task, &[(1, 3), (2, 3)]), Outcome::Finished);
    assert_eq!(with_turns(&task, &[(2, 3), (1, 3)]), Outcome::Finished);
}

#[test]
fn what_a_mutex_an_atomic_section_or_an_atomic_variable_protects_is_not_lost() {
    let check = "if (x != 2) reach_error();";
    let locked = "pthread_mutex_lock(&m); x = x + 1; pthread_mutex_unlock(&m);";
    let section = "__VERIFIER_atomic_begin(); x = x + 1; __VERIFIER_atomic_end();";
    for body in [locked, section] {
        let outcomes = all(&task(body, body, check, Property::UnreachCall));
        assert!(outcomes.iter().all(|one| *one == Outcome::Finished), "{body}");
    }
    let text = format!(
        "{HEAD}_Atomic int z; void *f(void *a) {{ z++; z += 2; return 0; }}
        int main(void) {{ pthread_t s = 0, t = 0; pthread_create(&s, 0, f, 0);
        pthread_create(&t, 0, f, 0); pthread_join(s, 0); pthread_join(t, 0);
        if (z != 6) reach_error(); return 0; }}"
    );
    let (unit, _) = c::read(text.as_bytes(), &c::Options::new(DataModel::Lp64));
    let unit = Arc::new(unit.expect("it is read"));
    let entry = unit.find_function("main").expect("a main");
    for property in [Property::UnreachCall, Property::NoDataRace] {
        let task = Task {
            unit: Arc::clone(&unit),
            entry,
            properties: vec![property],
            malloc: Malloc::Succeeds,
        };
        assert!(all(&task).iter().all(|one| *one == Outcome::Finished));
    }
}

#[test]
fn a_race_is_two_accesses_at_once_one_of_them_writing_and_not_both_atomic() {
    let race = |one: &str, two: &str| {
        let task = task(one, two, "", Property::NoDataRace);
        is_violated(&all(&task), Property::NoDataRace)
    };
    assert!(race("x = 1;", "int l = x;"));
    assert!(race("x = 1;", "__VERIFIER_atomic_begin(); x = 2; __VERIFIER_atomic_end();"));
    assert!(!race("int l = x;", "int l = x;"));
    assert!(!race("x = 1;", "y = 1;"));
    let locked = "pthread_mutex_lock(&m); x = x + 1; pthread_mutex_unlock(&m);";
    assert!(!race(locked, locked));
    assert!(race(locked, "pthread_mutex_lock(&n); x = x + 1; pthread_mutex_unlock(&n);"));
    let section = "__VERIFIER_atomic_begin(); x = x + 1; __VERIFIER_atomic_end();";
    assert!(!race(section, section));
}

#[test]
fn threads_that_wait_for_each_other_end_the_run_without_a_violation() {
    let one = "pthread_mutex_lock(&m); pthread_mutex_lock(&n); pthread_mutex_unlock(&n); pthread_mutex_unlock(&m);";
    let two = "pthread_mutex_lock(&n); pthread_mutex_lock(&m); pthread_mutex_unlock(&m); pthread_mutex_unlock(&n);";
    let task = task(one, two, "reach_error();", Property::UnreachCall);
    assert_eq!(with_turns(&task, &[(1, 2), (2, 2)]), Outcome::Stopped(Reason::Deadlock));
    assert!(matches!(with_turns(&task, &[(1, 5), (2, 5)]), Outcome::Violation(_)));
}

#[test]
fn whoever_waits_for_a_condition_goes_on_after_a_signal() {
    let one = "pthread_mutex_lock(&m); while (!x) pthread_cond_wait(&c, &m); y = 1; pthread_mutex_unlock(&m);";
    let two = "pthread_mutex_lock(&m); x = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m);";
    let task = task(one, two, "if (y != 1) reach_error();", Property::UnreachCall);
    assert!(all(&task).iter().all(|one| *one == Outcome::Finished));
    assert_eq!(with_turns(&task, &[(1, 20), (2, 20), (1, 20)]), Outcome::Finished);
}

#[test]
fn to_give_back_a_mutex_that_another_thread_holds_has_no_meaning() {
    let task = task(
        "pthread_mutex_lock(&m); x = 1;",
        "pthread_mutex_unlock(&m);",
        "",
        Property::UnreachCall,
    );
    assert!(matches!(with_turns(&task, &[(1, 2), (2, 2)]), Outcome::Undefined(..)));
}

#[test]
fn a_turn_of_a_thread_that_cannot_go_on_is_refused() {
    let task = task("x = 1;", "y = 1;", "", Property::UnreachCall);
    for choice in [
        Choice::Turn { thread: 7, points: 1 },
        Choice::Turn { thread: 64, points: 1 },
        Choice::Turn { thread: 1, points: 0 },
        Choice::Value(1),
    ] {
        let choices = [choice];
        let outcome =
            Runnable::new(&task).run(&mut Listed::new(&choices), Limits::default(), &mut ());
        assert!(matches!(outcome.outcome, Outcome::Refused(..)), "{:?}", outcome.outcome);
    }
}

#[test]
fn a_variable_that_each_thread_has_is_not_taken_for_one_that_they_share() {
    let text = format!(
        "{HEAD}_Thread_local int z; void *f(void *a) {{ z = 1; return 0; }}
        int main(void) {{ pthread_t s = 0; pthread_create(&s, 0, f, 0); pthread_join(s, 0);
        if (z != 0) reach_error(); return 0; }}"
    );
    let (unit, _) = c::read(text.as_bytes(), &c::Options::new(DataModel::Lp64));
    let unit = Arc::new(unit.expect("it is read"));
    let entry = unit.find_function("main").expect("a main");
    let properties = vec![Property::UnreachCall];
    let task = Task { unit, entry, properties, malloc: Malloc::Succeeds };
    assert!(matches!(with_turns(&task, &[]), Outcome::Untreated(..)));
}

#[test]
fn a_thread_is_interrupted_before_it_ends_the_run() {
    // The first thread writes and gives up, ends the program, or goes round for ever; the second one sees the write.
    for end in ["abort();", "exit(0);", "while (1) ;", "if (y == 0) abort();"] {
        let body = format!("x = 1; {end}");
        let task = task(&body, "if (x == 1) reach_error();", "", Property::UnreachCall);
        let run = |turns: &[(u32, u64)]| {
            let mut turns = Turns { turns, next: 0 };
            Runnable::new(&task).run(&mut turns, Limits::default(), &mut ()).outcome
        };
        let seen = run(&[(1, 2), (2, 1 << 10)]);
        assert!(matches!(seen, Outcome::Violation(_)), "{end}: {seen:?}");
        // Without a turn of the other it ends.
        let alone = run(&[(1, 1 << 10)]);
        assert!(!matches!(alone, Outcome::Violation(_)), "{end}: {alone:?}");
    }
}

#[test]
fn others_may_run_before_the_entry_returns_and_the_program_ends() {
    let text = format!(
        "{HEAD}void *f(void *a) {{ if (x == 1) reach_error(); return 0; }}
        int main(void) {{ pthread_t s = 0; pthread_create(&s, 0, f, 0); x = 1; return 0; }}"
    );
    let (unit, _) = c::read(text.as_bytes(), &c::Options::new(DataModel::Lp64));
    let unit = unit.expect("a program");
    let entry = unit.find_function("main").expect("a main");
    let properties = vec![Property::UnreachCall];
    let task = Task { unit: Arc::new(unit), entry, properties, malloc: Malloc::Succeeds };
    let run = |choices: &[Choice]| {
        Runnable::new(&task).run(&mut Listed::new(choices), Limits::default(), &mut ()).outcome
    };
    let turn = |thread, points| Choice::Turn { thread, points };
    // It writes, and is asked again where it would return.
    assert!(matches!(run(&[turn(0, 1), turn(1, 9)]), Outcome::Violation(_)));
    assert_eq!(run(&[turn(0, 1), turn(0, 1)]), Outcome::Finished);
    assert_eq!(run(&[turn(0, 2)]), Outcome::Finished);
    // Put aside there, it ends the program when it is its turn again.
    assert_eq!(run(&[turn(0, 1), turn(1, 1), turn(0, 1)]), Outcome::Finished);
}
