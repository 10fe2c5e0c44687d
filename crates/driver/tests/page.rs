//! What the page of a run gets to say: definitions, named steps, loops, cells of arrays.

use alphorn_driver::page::section;
use alphorn_driver::report::Outcome;
use alphorn_driver::report::html::Section;
use alphorn_driver::report::timeline::Timeline;
use alphorn_driver::run::Stopper;
use alphorn_driver::{Config, Limits, decide, open_bytes};
use std::time::{Duration, Instant};

fn section_of(name: &str, text: &str, engine: &str) -> Section {
    let opened = open_bytes(name, text.as_bytes().to_vec(), None);
    assert!(opened.problem.is_some(), "{:?}", opened.diagnostics.list);
    let deadline = Some(Instant::now() + Duration::from_secs(60));
    let config = Config {
        limits: Limits { deadline, ..Limits::default() },
        engines: vec![engine.to_owned()],
        threads: 1,
        ..Config::default()
    };
    let decisions = decide(&opened, &config, &Stopper::new(), &mut |_| (), &mut |_| ());
    let decision = decisions.expect("it runs").remove(0);
    section(&opened, decision.answer, decision.evidence.as_ref(), Timeline::default())
}

#[test]
fn functions_of_an_invariant_are_defined() {
    let text = "(set-logic HORN)
        (declare-datatypes ((Lst 0)) (((nil) (cons (hd Int) (tl Lst)))))
        (declare-fun len (Lst Int) Bool)
        (assert (len nil 0))
        (assert (forall ((h Int) (t Lst) (n Int)) (=> (len t n) (len (cons h t) (+ n 1)))))
        (assert (forall ((x Lst) (n Int) (m Int)) (=> (and (len x n) (len x m) (not (= n m))) false)))
        (check-sat)";
    let section = section_of("lists.smt2", text, "folds");
    assert_eq!(section.answer.verdict, Outcome::Safe, "{:?}", section.answer);
    let definition = section.predicates[0].definition.clone().expect("a model defines predicates");
    let name = "count-Lst";
    assert!(definition.contains(name), "{definition}");
    assert!(section.functions[0].contains(&format!("(({name} ((x Lst)) Int))")), "{section:?}");
}

#[test]
fn proving_and_checking_have_times_of_their_own() {
    let text = "(set-logic HORN) (declare-fun p (Int) Bool) (assert (p 0))
        (assert (forall ((n Int)) (=> (p n) (p (+ n 2)))))
        (assert (forall ((n Int)) (=> (and (p n) (< n 0)) false)))";
    let section = section_of("even.smt2", text, "pdr");
    let phases: Vec<&str> = section.answer.phases.iter().map(|phase| phase.name).collect();
    assert_eq!(phases, ["read", "transform", "run", "prove", "check"]);
}

#[test]
fn steps_have_their_clauses_and_names() {
    let text = "(set-logic HORN)
        (declare-fun sum (Int Int) Bool)
        (assert (sum 0 0))
        (assert (forall ((n Int) (s Int)) (=> (sum n s) (sum (+ n 1) (+ s n)))))
        (assert (forall ((n Int) (s Int)) (=> (and (sum n s) (> s 5)) false)))
        (check-sat)";
    let section = section_of("sums.smt2", text, "forward");
    assert_eq!(section.answer.verdict, Outcome::Unsafe);
    let last = &section.derivation[section.derivation.len() - 2];
    assert_eq!((last.clause, last.arguments.join(", ")), (1, "n = 4, s = 6".to_owned()));
    assert_eq!(section.derivation.last().map(|step| step.clause), Some(2));
    let texts: Vec<&str> = (section.predicates.iter().flat_map(|predicate| &predicate.clauses))
        .map(|clause| clause.text.as_str())
        .collect();
    assert!(texts[1].starts_with("(assert (forall ((n Int) (s Int)) (=> (sum n s)"), "{texts:?}");
}

/// The second latch is set by the input for good; from then on the first changes in every step, and is
/// seen high again and again.
const LASSO: &str = "aag 5 1 2 0 2 0 0 1
2
4 8
6 11
1
4
8 5 6
10 3 7
i0 go
l0 turn
l1 set
j0 again
";

#[test]
fn a_lasso_says_where_it_goes_on() {
    let section = section_of("lasso.aag", LASSO, "lasso");
    assert_eq!(section.answer.verdict, Outcome::Unsafe, "{:?}", section.answer);
    let wave = section.waveform.expect("a violation is a run");
    let start = wave.loop_start.expect("it goes round");
    assert!(start >= 1, "the second latch is not set at first");
    let value = |name: &str, step| {
        let signal = wave.signals.iter().find(|signal| signal.name == name);
        signal.map(|signal| signal.value(step).to_owned()).expect("the signal is there")
    };
    // What follows the last step is the state of the first step of the loop.
    let last = wave.steps() - 1;
    let turned = if value("turn", last) == "0" && value("set", last) == "1" { "1" } else { "0" };
    assert_eq!(value("turn", start), turned);
    assert_eq!(value("set", start), "1");
    assert!((start..=last).any(|step| value("again.0", step) == "1"));
}

#[test]
fn cells_of_arrays_are_signals() {
    let text = "1 sort bitvec 1
2 sort bitvec 2
3 sort bitvec 8
4 sort array 2 3
5 zero 3
6 state 4 mem
7 init 4 6 5
8 state 2 at
9 zero 2
10 init 2 8 9
11 one 2
12 add 2 8 11
13 next 2 8 12
14 constd 3 7
15 write 4 6 8 14
16 next 4 6 15
17 constd 2 2
18 read 3 6 17
19 eq 1 18 14
20 bad 19
";
    let section = section_of("cells.btor2", text, "words-sim");
    assert_eq!(section.answer.verdict, Outcome::Unsafe, "{:?}", section.answer);
    let wave = section.waveform.expect("a violation is a run");
    let cell = |name: &str| -> Vec<String> {
        let signal = wave.signals.iter().find(|signal| signal.name == name);
        let signal = signal.unwrap_or_else(|| panic!("{name} in {:?}", wave.signals));
        (0..wave.steps()).map(|step| signal.value(step).to_owned()).collect()
    };
    let (zero, seven) = ("00000000", "00000111");
    assert_eq!(cell("mem[0]"), [zero, seven, seven, seven]);
    assert_eq!(cell("mem[2]"), [zero, zero, zero, seven]);
    assert_eq!(cell("mem[3]"), [zero; 4]);
    assert!(wave.signals.iter().all(|signal| signal.name != "mem[else]"), "all cells are there");
    assert!(wave.left_out.is_empty(), "{:?}", wave.left_out);
}
