//! Threads one by one: how many predicates there are, and what movers leave out.

use super::agree::task;
use alphorn_program::c::evidence::{Encoding, Numbers, Sight, clauses_of};
use alphorn_program::c::layout::DataModel;
use alphorn_program::c::property::{Malloc, Property};
use alphorn_program::clauses::{Clauses, Site};

const HEAD: &str = "typedef unsigned long pthread_t; typedef union { int a; long b; } pthread_mutex_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern int pthread_mutex_lock(pthread_mutex_t *); extern int pthread_mutex_unlock(pthread_mutex_t *);
extern int pthread_mutex_trylock(pthread_mutex_t *);
extern int pthread_mutex_init(pthread_mutex_t *, const void *);
int x, y; pthread_mutex_t m, n;\n";

const BOTH: &str = "pthread_create(&s, 0, f, 0); pthread_create(&t, 0, g, 0);
    pthread_join(s, 0); pthread_join(t, 0);";

/// The clauses of a program whose threads do this, or the first thing that is not treated.
fn apart(one: &str, two: &str, main: &str, sight: Sight) -> Result<Clauses, String> {
    let text = format!(
        "{HEAD}void *f(void *a) {{ {one} return 0; }} void *g(void *a) {{ {two} return 0; }}
        int main(void) {{ pthread_t s, t; {main} if (x == 7) reach_error(); return 0; }}"
    );
    let task = task(&text, &[Property::UnreachCall], DataModel::Lp64, Malloc::Succeeds);
    let encoding = Encoding { numbers: Numbers::Integers, sight: Some(sight) };
    let made = clauses_of(&task, encoding).map_err(|untreated| untreated[0].what.clone());
    made.map(|(_, clauses)| clauses)
}

/// How many rests the thread of a procedure has.
fn rests(made: &Clauses, procedure: usize) -> usize {
    let is_its = |site: Site| matches!(site, Site::Head(proc, _) if proc.0 as usize == procedure);
    made.spots.iter().filter(|spot| is_its(spot.site)).count()
}

fn lock(mutex: &str, body: &str) -> String {
    format!("pthread_mutex_lock(&{mutex}); {body} pthread_mutex_unlock(&{mutex});")
}

#[test]
fn predicates_grow_with_the_sum_of_places_and_a_derivation_is_no_violation() {
    let up = |count: usize| "x++; ".repeat(count);
    let size =
        |count| apart(&up(count), &up(count), BOTH, Sight::Own).expect("treated").spots.len();
    let (few, many) = (size(4), size(8));
    assert!(many < 2 * few, "{few} and {many} predicates");
    assert!(apart("x++;", "", BOTH, Sight::Own).expect("treated").horn.allows_more);
}

#[test]
fn what_a_mutex_protects_is_one_step() {
    let rests_of =
        |one: &str, two: &str| rests(&apart(one, two, BOTH, Sight::Own).expect("treated"), 1);
    let body = "x++; y = x; x--;";
    assert_eq!(rests_of(&lock("m", body), &lock("m", body)), 1, "it begins, and that is all");
    let plain = rests_of(body, body);
    assert!(plain > 5, "{plain} rests without a mutex");
    // Another mutex protects nothing, and neither does one that somebody tries to take or makes anew.
    assert!(rests_of(&lock("m", body), &lock("n", body)) > plain - 2);
    let tried =
        format!("if (pthread_mutex_trylock(&m) == 0) {{ {body} pthread_mutex_unlock(&m); }}");
    assert!(rests_of(&lock("m", body), &tried) > 1);
    let made = format!("pthread_mutex_init(&m, 0); {}", lock("m", body));
    assert!(rests_of(&lock("m", body), &made) > plain - 2);
}

#[test]
fn a_mutex_is_not_taken_in_a_step_that_gave_one_back() {
    let twice = format!("{} {}", lock("m", "x++;"), lock("m", "x++;"));
    assert_eq!(rests(&apart(&twice, &twice, BOTH, Sight::Own).expect("treated"), 1), 2);
    let nested = lock("m", &lock("n", "x++;"));
    assert_eq!(rests(&apart(&nested, &nested, BOTH, Sight::Own).expect("treated"), 1), 1);
}

#[test]
fn what_is_used_before_threads_are_there_and_after_they_are_joined_meets_nothing() {
    let main = format!("x = 3; {BOTH} x = x + 1;");
    let body = lock("m", "x++;");
    assert_eq!(rests(&apart(&body, &body, &main, Sight::Own).expect("treated"), 1), 1);
    let early = "pthread_create(&s, 0, f, 0); pthread_create(&t, 0, g, 0); x = x + 1;
        pthread_join(s, 0); pthread_join(t, 0);";
    assert!(rests(&apart(&body, &body, early, Sight::Own).expect("treated"), 1) > 1);
}

#[test]
fn one_template_stands_for_threads_without_bound() {
    let main = "while (x < 9) { pthread_create(&s, 0, f, 0); }";
    let made = apart("x = 1;", "", main, Sight::Own).expect("treated");
    assert_eq!(made.program.procs.len(), 2);
    let again = format!("{main} pthread_create(&t, 0, f, 0);");
    let made = apart("x = 1;", "", &again, Sight::Own).expect("treated");
    assert_eq!(made.program.procs.len(), 3, "one that is alone, and all others");
}

#[test]
fn others_are_seen_as_far_as_is_asked_for() {
    let widest = |sight| {
        let made =
            apart("int k = x; x = k + 1;", "int k = x; y = k;", BOTH, sight).expect("treated");
        made.spots.iter().map(|spot| spot.args.len()).max()
    };
    assert!(widest(Sight::Own) < widest(Sight::Places));
}

#[test]
fn what_is_not_treated_one_by_one_has_a_reason() {
    let begin =
        "extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void);";
    let looping =
        format!("{begin} __VERIFIER_atomic_begin(); while (x < 5) x++; __VERIFIER_atomic_end();");
    let reason = apart(&looping, "", BOTH, Sight::Own).expect_err("it is not treated");
    assert!(reason.contains("atomic section"), "{reason}");
    let reason = apart("", "", "x = 1;", Sight::Own).expect_err("there are no threads");
    assert!(reason.contains("without threads"), "{reason}");
}
