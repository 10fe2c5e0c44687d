//! Several properties of one circuit: each gets its verdict and evidence of its own.

use alphorn_driver::report::Outcome;
use alphorn_driver::run::Stopper;
use alphorn_driver::{Config, Decision, Limits, decide, open_bytes};
use std::time::{Duration, Instant};

/// A ring of three latches with one token, and a latch that any input sets. Bad are: two tokens in the
/// three possible ways, the free latch, the token in the last place, no token, and both at once.
const RING: &str = "aag 15 1 4 0 10 7
2
4 8 1
6 4
8 6
10 13
14
16
18
10
8
22
24
12 11 3
14 4 6
16 6 8
18 4 8
20 5 7
22 20 9
24 8 10
26 2 3
28 26 5
30 28 7
";

/// A latch that repeats the input, and one that it sets for good. Nothing is bad in one property, the
/// moment of setting in the other; it does not come again and again, but the first latch may be set
/// again and again.
const MIXED: &str = "aag 5 1 2 0 2 2 0 2
2
4 2
6 11
0
8
1
1
8
4
8 4 7
10 5 7
";

fn decisions(text: &str, engines: &[&str]) -> Vec<Decision> {
    let opened = open_bytes("test.aag", text.as_bytes().to_vec(), None);
    assert!(opened.problem.is_some(), "{:?}", opened.diagnostics.list);
    // Simulation decides no property that holds and would take all the time for them.
    let seconds = if engines == ["sim"] { 2 } else { 20 };
    let deadline = Some(Instant::now() + Duration::from_secs(seconds));
    let config = Config {
        limits: Limits { deadline, ..Limits::default() },
        engines: engines.iter().map(|name| (*name).to_owned()).collect(),
        ..Config::default()
    };
    let mut announced = 0;
    let decisions = decide(&opened, &config, &Stopper::new(), &mut |_| {}, &mut |_| announced += 1);
    let decisions = decisions.expect("the problem is supported");
    assert_eq!(announced, decisions.len());
    for (index, decision) in decisions.iter().enumerate().filter(|(_, d)| d.evidence.is_some()) {
        let evidence = decision.evidence.as_ref().expect("it was filtered");
        assert_eq!(evidence.outcome(), decision.answer.verdict);
        let about = evidence.property().expect("circuits name their properties");
        assert_eq!(about, decision.answer.property, "{index}");
    }
    decisions
}

fn outcomes(text: &str, engines: &[&str]) -> Vec<Outcome> {
    decisions(text, engines).iter().map(|decision| decision.answer.verdict).collect()
}

#[test]
fn every_property_gets_its_verdict() {
    use Outcome::{Safe, Unsafe};
    let expected = [Safe, Safe, Safe, Unsafe, Unsafe, Safe, Unsafe];
    assert_eq!(outcomes(RING, &[]), expected);
    assert_eq!(outcomes(RING, &["ic3"]), expected);
    // An induction of all properties together proves none of them: they are run one by one.
    assert_eq!(outcomes(RING, &["kind"]), expected);
}

#[test]
fn what_no_engine_decides_stays_open() {
    use Outcome::{Unknown, Unsafe};
    let found = outcomes(RING, &["sim"]);
    assert_eq!(found, [Unknown, Unknown, Unknown, Unsafe, Unsafe, Unknown, Unsafe]);
}

#[test]
fn justice_and_safety_properties_of_one_circuit_are_decided_apart() {
    use Outcome::{Safe, Unsafe};
    assert_eq!(outcomes(MIXED, &[]), [Safe, Unsafe, Safe, Unsafe]);
}
