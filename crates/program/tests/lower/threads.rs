//! Threads woven into one procedure: what is left out, what is not treated.

use super::agree::task;
use alphorn_program::c::evidence::Numbers;
use alphorn_program::c::layout::DataModel;
use alphorn_program::c::lower::{Lowered, lower};
use alphorn_program::c::property::{Malloc, Property};
use alphorn_program::form::Action;

const HEAD: &str = "typedef unsigned long pthread_t; typedef union { int a; long b; } pthread_mutex_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern int pthread_mutex_lock(pthread_mutex_t *); extern int pthread_mutex_unlock(pthread_mutex_t *);
int x, y; pthread_mutex_t m, n;\n";

/// The woven form of two threads with the same body, or the first thing that is not treated.
fn woven(one: &str, two: &str, main: &str) -> Result<Lowered, String> {
    let text = format!(
        "{HEAD}void *f(void *a) {{ {one} return 0; }} void *g(void *a) {{ {two} return 0; }}
        int main(void) {{ pthread_t s, t; {main} if (x == 7) reach_error(); return 0; }}"
    );
    let task = task(&text, &[Property::UnreachCall], DataModel::Lp64, Malloc::Succeeds);
    lower(&task, Numbers::Integers).map_err(|untreated| untreated[0].what.clone())
}

const BOTH: &str = "pthread_create(&s, 0, f, 0); pthread_create(&t, 0, g, 0);
    pthread_join(s, 0); pthread_join(t, 0);";

fn blocks(lowered: &Lowered) -> usize {
    lowered.program.procs.iter().map(|proc| proc.blocks.len()).sum()
}

fn has_check(lowered: &Lowered, property: &str) -> bool {
    let blocks = lowered.program.procs.iter().flat_map(|proc| &proc.blocks);
    blocks
        .flat_map(|block| &block.steps)
        .any(|step| matches!(&step.action, Action::Check(check) if check.property == property))
}

#[test]
fn a_woven_program_is_a_valid_one_without_threads() {
    let lowered = woven("x++;", "x--;", BOTH).expect("it is treated");
    assert!(lowered.is_woven);
    assert_eq!(lowered.program.validate(), Ok(()));
    assert_eq!(lowered.origins.len(), lowered.program.vars.len());
    assert!(has_check(&lowered, "unreach-call"));
}

#[test]
fn a_function_that_is_called_and_run_by_a_thread_shares_no_variable_with_the_woven_procedure() {
    let main = "pthread_create(&s, 0, f, 0); f(0); pthread_join(s, 0);";
    let lowered = woven("int kept = x; x = kept + 1;", "", main).expect("it is treated");
    let mut seen = std::collections::BTreeSet::new();
    for var in lowered.program.procs.iter().flat_map(|proc| proc.variables()) {
        assert!(seen.insert(var), "{} belongs to two", lowered.program.var(var).name);
    }
    assert_eq!(lowered.program.validate(), Ok(()));
}

#[test]
fn interleavings_that_lead_nowhere_else_have_no_place() {
    let size = |one: &str, two: &str| blocks(&woven(one, two, BOTH).expect("it is treated"));
    let up = |var: &str| format!("{var}++; ").repeat(8);
    let shared = size(&up("x"), &up("x"));
    let apart = size(&up("x"), &up("y"));
    assert!(2 * apart < shared, "{apart} and {shared} blocks");
    let lock = |body: &str| format!("pthread_mutex_lock(&m); {body} pthread_mutex_unlock(&m);");
    let locked = size(&lock(&up("x")), &lock(&up("x")));
    assert!(2 * locked < shared, "{locked} and {shared} blocks");
    let other = lock(&up("x")).replace("&m", "&n");
    assert!(size(&lock(&up("x")), &other) > locked, "another mutex protects nothing");
}

#[test]
fn a_thread_more_than_are_woven_fails_a_check() {
    let few = woven("x++;", "", "pthread_create(&s, 0, f, 0);").expect("it is treated");
    assert!(!has_check(&few, "outside"));
    let many = "while (__VERIFIER_nondet_int()) pthread_create(&s, 0, f, 0);";
    assert!(has_check(&woven("x = 1;", "", many).expect("it is treated"), "outside"));
}

#[test]
fn what_is_not_treated_of_threads_has_a_reason() {
    let reason = |one: &str, main: &str| woven(one, "", main).expect_err("it is not treated");
    assert!(
        reason("", "pthread_create(&s, 0, f, 0); void *r; pthread_join(s, &r);").contains("result")
    );
    assert!(reason("", "pthread_create(&s, 0, f, 0); x = (int) s;").contains("another way"));
    let pointer = "pthread_mutex_t *p = &m; pthread_mutex_lock(p);";
    assert!(reason(pointer, "pthread_create(&s, 0, f, 0);").contains("mutex"));
    assert!(reason("f(a);", "pthread_create(&s, 0, f, 0);").contains("may call itself"));
}
