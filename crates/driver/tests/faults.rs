//! Faults of the translation from C to clauses, put in on purpose: none of them gives a wrong answer.
//!
//! A translation with a fault is the right translation of another program, so each fault here is a pair: the
//! program, and what a faulty translation takes it for. What engines find of the latter is then brought
//! before the checker as evidence about the former.

use alphorn_cross::c_horn::c_to_horn;
use alphorn_cross::shadow::shadow;
use alphorn_driver::certify::{Certified, certify};
use alphorn_driver::open::AnyProblem;
use alphorn_driver::report::Outcome;
use alphorn_driver::{AnyEvidence, Config, Decision, Opened, Stopper, Verdict, decide, open_bytes};
use alphorn_program::c::property::Task;
use std::sync::Arc;

const HEAD: &str = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n";

fn opened(text: &str) -> Opened {
    let opened = open_bytes("program.c", format!("{HEAD}{text}").into_bytes(), None);
    assert!(opened.problem.is_some(), "{:?}", opened.diagnostics);
    opened
}

fn task(opened: &Opened) -> Arc<Task> {
    let Some(AnyProblem::C(program)) = &opened.problem else { panic!("a program") };
    Arc::clone(&program.tasks[0].task)
}

fn decided(opened: &Opened) -> Decision {
    let mut config = Config::default();
    config.limits.ticks = 400_000_000;
    let decisions = decide(opened, &config, &Stopper::new(), &mut |_| {}, &mut |_| {});
    decisions.expect("it can be run").remove(0)
}

/// What a fault does to answers: the program violates its property, and what it is taken for does not.
fn hides_a_violation(program: &str, taken_for: &str) {
    let (program, taken_for) = (opened(program), opened(taken_for));
    assert_eq!(decided(&program).answer.verdict, Outcome::Unsafe, "the program itself");
    let wrong = decided(&taken_for);
    assert_eq!(wrong.answer.verdict, Outcome::Safe, "what it is taken for");
    let evidence = wrong.evidence.expect("there is a verdict");
    // The gate: the clauses are made anew from the program.
    let text = evidence.text(&taken_for);
    let judged = certify(&program, text.as_bytes());
    assert!(!matches!(judged[..], [Certified::Accepted(_)]), "{judged:?}");
    // Shadow runs: even if the checker had the same fault, runs of the program tell.
    let AnyEvidence::C(_, checked) = &evidence else { panic!("about a program") };
    let Verdict::Safe(proof) = checked.verdict() else { panic!("a proof") };
    let seen = c_to_horn(&task(&taken_for), proof.encoding).expect("it is treated");
    let shadowed = shadow(&task(&program), &seen, &proof.model, 1);
    assert!(shadowed.is_err(), "{shadowed:?}");
}

/// The opposite: the program is safe, and what it is taken for is not.
fn invents_a_violation(program: &str, taken_for: &str) {
    let (program, taken_for) = (opened(program), opened(taken_for));
    assert_eq!(decided(&program).answer.verdict, Outcome::Safe, "the program itself");
    let wrong = decided(&taken_for);
    assert_eq!(wrong.answer.verdict, Outcome::Unsafe, "what it is taken for");
    let text = wrong.evidence.expect("there is a verdict").text(&taken_for);
    let judged = certify(&program, text.as_bytes());
    assert!(matches!(judged[..], [Certified::Refused(_)]), "{judged:?}");
}

const COMPARE: &str = "int main(void) {
  unsigned u = 1; int i = -1, n = 0;
  while (n < 3) { n++; }
  if (!(i < CAST u)) reach_error();
  return 0;
}";

#[test]
fn a_wrong_promotion_is_caught() {
    let (right, wrong) = (COMPARE.replace("CAST ", ""), COMPARE.replace("CAST", "(int)"));
    hides_a_violation(&right, &wrong);
    let (right, wrong) = (right.replace("!(", "("), wrong.replace("!(", "("));
    invents_a_violation(&right, &wrong);
}

const COUNT: &str = "int main(void) {
  TYPE x = 1; int n = 0;
  while (n < 300) { x = x + 1; n++; }
  if (COND) reach_error();
  return 0;
}";

#[test]
fn a_missing_wrap_is_caught() {
    let with = |ty: &str, cond: &str| COUNT.replace("TYPE", ty).replace("COND", cond);
    hides_a_violation(&with("unsigned char", "x == 45"), &with("int", "x == 45"));
    invents_a_violation(&with("unsigned char", "x == 301"), &with("int", "x == 301"));
}

const ALIAS: &str = "int main(void) {
  int a = 0, b = 0, n = 0;
  int *p = &TARGET, *q = &b;
  while (n < 4) { *p = *p + 1; n++; }
  if (COND || *q == 9) reach_error();
  return 0;
}";

#[test]
fn an_aliased_region_is_caught() {
    let with = |target: &str, cond: &str| ALIAS.replace("TARGET", target).replace("COND", cond);
    hides_a_violation(&with("a", "a == 4"), &with("b", "a == 4"));
    invents_a_violation(&with("a", "b == 4"), &with("b", "b == 4"));
}

const FRAME: &str = "int g = 0;
int down(int n) { if (n <= 0) return 0; CHANGE return down(n - 1); }
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 5) return 0;
  down(n);
  if (COND) reach_error();
  return 0;
}";

#[test]
fn a_dropped_frame_is_caught() {
    let with = |change: &str, cond: &str| FRAME.replace("CHANGE", change).replace("COND", cond);
    hides_a_violation(&with("g = 1;", "g == 1"), &with("", "g == 1"));
    invents_a_violation(&with("g = 1;", "g == 0"), &with("", "g == 0"));
}
