//! Proofs about threads one by one: found, accepted, and refused where the program is another one.

use alphorn_driver::certify::{Certified, certify};
use alphorn_driver::open::open_asking;
use alphorn_driver::program::{Encoding, Property, Wishes};
use alphorn_driver::report::Outcome;
use alphorn_driver::{Config, Decision, Opened, Stopper, decide};

const HEAD: &str = "typedef unsigned long pthread_t; typedef union { int a; long b; } pthread_mutex_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern int pthread_mutex_lock(pthread_mutex_t *); extern int pthread_mutex_unlock(pthread_mutex_t *);
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int x, y; pthread_mutex_t m, n;\n";

fn opened(text: &str, property: Property) -> Opened {
    let questions = vec![(property.name().to_owned(), vec![property])];
    let encoding = Some(Encoding::RelyGuarantee);
    let wishes = Wishes { questions, encoding, ..Wishes::default() };
    let opened = open_asking("threads.c", format!("{HEAD}{text}").into_bytes(), None, &wishes);
    assert!(opened.problem.is_some(), "{:?}", opened.diagnostics);
    opened
}

fn decided(opened: &Opened) -> Decision {
    let mut config = Config { threads: 1, ..Config::default() };
    config.limits.ticks = 200_000_000;
    let decisions = decide(opened, &config, &Stopper::new(), &mut |_| {}, &mut |_| {});
    decisions.expect("it can be run").remove(0)
}

/// Any number of threads that keep `x` and `y` equal where they hold a mutex.
const ANY: &str = "void *f(void *a) {
  pthread_mutex_lock(&m);
  if (x != y) reach_error();
  x = __VERIFIER_nondet_int();
  y = x;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  while (__VERIFIER_nondet_int()) pthread_create(&t, 0, f, 0);
  return 0;
}";

#[test]
fn any_number_of_threads_is_proved_and_the_proof_is_about_this_program() {
    let right = opened(ANY, Property::UnreachCall);
    let decision = decided(&right);
    assert_eq!(decision.answer.verdict, Outcome::Safe, "{:?}", decision.answer.detail);
    let text = decision.evidence.expect("there is a verdict").text(&right);
    assert!(text.contains("safe integers threads own\n"), "{}", &text[..200.min(text.len())]);
    assert!(matches!(certify(&right, text.as_bytes())[..], [Certified::Accepted(_)]));
    // What makes the steps of a thread one step, taken away piece by piece: the proof is one of another program.
    let lock = "pthread_mutex_lock(&m);\n";
    let unlock = "  pthread_mutex_unlock(&m);\n";
    let early = format!("{unlock}  y = x;");
    let mutated = [
        ANY.replace(lock, "").replace(unlock, ""),
        ANY.replace(unlock, "").replace("  y = x;", &early),
        ANY.replace("  y = x;", &format!("{unlock}  {lock}  y = x;")),
        ANY.replace("return 0;\n}\nint", "x = 1; return 0;\n}\nint"),
    ];
    for mutant in mutated {
        assert_ne!(mutant, ANY);
        let wrong = opened(&mutant, Property::UnreachCall);
        let judged = certify(&wrong, text.as_bytes());
        assert!(!matches!(judged[..], [Certified::Accepted(_)]), "{mutant}");
        assert_ne!(decided(&wrong).answer.verdict, Outcome::Safe, "{mutant}");
    }
    // A proof of this kind is none of the other kinds.
    for kind in ["safe integers\n", "safe integers threads places\n", "safe words threads own\n"] {
        let other = text.replace("safe integers threads own\n", kind);
        assert!(!matches!(certify(&right, other.as_bytes())[..], [Certified::Accepted(_)]));
    }
}

/// Two threads that use `x`, each with a mutex.
const RACE: &str =
    "void *f(void *a) { pthread_mutex_lock(&m); x = x + 1; pthread_mutex_unlock(&m); return 0; }
void *g(void *a) { pthread_mutex_lock(&m); x = x - 1; pthread_mutex_unlock(&m); y = 1; return 0; }
int main(void) {
  pthread_t s, t;
  y = 2; x = 1;
  pthread_create(&s, 0, f, 0); pthread_create(&t, 0, g, 0);
  pthread_join(s, 0); pthread_join(t, 0);
  x = y;
  return 0;
}";

#[test]
fn that_nothing_races_is_proved_and_refused_where_something_does() {
    let right = opened(RACE, Property::NoDataRace);
    let decision = decided(&right);
    assert_eq!(decision.answer.verdict, Outcome::Safe, "{:?}", decision.answer.detail);
    let text = decision.evidence.expect("there is a verdict").text(&right);
    assert!(matches!(certify(&right, text.as_bytes())[..], [Certified::Accepted(_)]));
    let mutated = [
        RACE.replacen("&m", "&n", 2),
        RACE.replace(" pthread_join(t, 0);", ""),
        RACE.replace("y = 1;", "x = 1;"),
        RACE.replace("pthread_join(s, 0);", "x = 5; pthread_join(s, 0);"),
    ];
    for mutant in mutated {
        let wrong = opened(&mutant, Property::NoDataRace);
        let judged = certify(&wrong, text.as_bytes());
        assert!(!matches!(judged[..], [Certified::Accepted(_)]), "{mutant}");
        assert_eq!(decided(&wrong).answer.verdict, Outcome::Unsafe, "{mutant}");
    }
}
