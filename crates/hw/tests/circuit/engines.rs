//! Engines on circuits with known answers.

use crate::{decide, summary};
use alphorn_engine::Event;
use alphorn_problem::Circuit;
use alphorn_problem::circuit::Lit;
use alphorn_testkit::circuit::build::{and, circuit, counter, shows};
use alphorn_testkit::read::circuit as read;

#[track_caller]
fn check(name: &str, circuit: &Circuit, ticks: u64, expected: &str) {
    let (verdict, log, _) = decide(name, circuit, ticks, 1);
    assert_eq!(summary(&verdict), expected, "after {log:?}");
}

/// A latch that keeps its reset value.
const HOLD: &str = "aag 1 0 1 0 0 1\n2 2\n2\n";
/// A latch that flips every step.
const FLIP: &str = "aag 1 0 1 0 0 1\n2 3\n2\n";
/// The old format: the output is the property; bad when the latch and the input are set.
const OLD: &str = "aag 3 1 1 1 1\n2\n4 2\n6\n6 4 2\n";
/// No latches at all: bad when both inputs are set.
const WIRES: &str = "aag 3 2 0 0 1 1\n2\n4\n6\n6 4 2\n";
/// The latch may start with anything; bad when set.
const ANY: &str = "aag 1 0 1 0 0 1\n2 2 2\n2\n";
/// The latch starts like the input; bad when they differ in the first step or later.
const TIED: &str = "aag 5 1 1 0 3 1\n2\n4 4 2\n10\n6 4 2\n8 5 3\n10 7 9\n";
/// The input must be 0, so that the latch never becomes 1.
const KEPT_OUT: &str = "aag 2 1 1 0 0 1 1\n2\n4 2\n4\n3\n";
/// The input must be 1 and 0 at once: no run counts.
const NO_RUNS: &str = "aag 2 1 1 0 0 1 2\n2\n4 2\n5\n3\n2\n";

#[test]
fn explicit_on_small_circuits() {
    check("explicit", &read(HOLD), 100, "safe, 1 states");
    check("explicit", &read(FLIP), 100, "unsafe, 2 steps");
    check("explicit", &read(OLD), 100, "unsafe, 2 steps");
    check("explicit", &read(WIRES), 100, "unsafe, 1 steps");
    check("explicit", &read(ANY), 100, "unsafe, 1 steps");
    check("explicit", &read(KEPT_OUT), 100, "safe, 1 states");
    check("explicit", &read(NO_RUNS), 100, "safe, 1 states");
}

#[test]
fn sim_on_small_circuits() {
    let nothing = "stuck: no counterexample in 16777216 random steps";
    check("sim", &read(HOLD), u64::MAX, nothing);
    check("sim", &read(FLIP), 1000, "unsafe, 2 steps");
    check("sim", &read(OLD), 1000, "unsafe, 2 steps");
    check("sim", &read(WIRES), 1000, "unsafe, 1 steps");
    check("sim", &read(ANY), 1000, "unsafe, 1 steps");
    check("sim", &read(KEPT_OUT), u64::MAX, nothing);
    check("sim", &read(NO_RUNS), 1000, "out of ticks");
}

/// In the first step the latch equals the input, so bad needs a second step.
#[test]
fn the_first_step_knows_the_resets_inputs() {
    check("explicit", &read(TIED), 100, "unsafe, 2 steps");
    check("sim", &read(TIED), 1000, "unsafe, 2 steps");
    // The latch leaves 1 at once, so the property holds; but not if first states meet any input.
    let safe = read("aag 3 1 1 0 1 1\n2\n4 0 2\n6\n6 4 3\n");
    let (verdict, _, _) = decide("explicit", &safe, 100, 1);
    assert!(summary(&verdict).contains("tied to the first inputs"), "{verdict:?}");
}

#[test]
fn counters_with_idle_parts() {
    check("explicit", &counter(3, 4, 6, 0), 1000, "safe, 5 states");
    check("explicit", &counter(3, 4, 6, 9), 1000, "safe, 5 states");
    check("explicit", &counter(3, 7, 6, 9), 1000, "unsafe, 7 steps");
    check("explicit", &counter(10, 999, 1000, 3), 10_000, "safe, 1000 states");
    check("explicit", &counter(10, 1023, 1000, 3), 10_000, "unsafe, 1001 steps");
    let (verdict, _, _) = decide("sim", &counter(4, 15, 12, 9), 10_000, 1);
    assert!(summary(&verdict).starts_with("unsafe"), "{verdict:?}");
}

/// More than 64 latches, more than 6 inputs: several words of each.
#[test]
fn wide_states_and_many_inputs() {
    let mut wide = circuit(9, 70);
    let mut all = Lit::TRUE;
    for index in 0..9 {
        let input = wide.input(index);
        all = and(&mut wide, all, input);
    }
    wide.latches[0].next = all;
    for index in 1..70 {
        wide.latches[index].next = wide.latch(index - 1);
    }
    let last = wide.latch(69);
    let both = and(&mut wide, last, !all);
    wide.bads.push(both);
    check("explicit", &wide, 1_000, "out of ticks");
    // Only one request at a time may be under way, which keeps the states few.
    for index in 0..69 {
        let (latch, next) = (wide.latch(index), all);
        let two = and(&mut wide, latch, next);
        wide.constraints.push(!two);
    }
    check("explicit", &wide, 1_000_000, "unsafe, 71 steps");
    wide.bads[0] = Lit::FALSE;
    let (both, last) = (wide.latch(68), wide.latch(69));
    wide.bads[0] = and(&mut wide, both, last);
    check("explicit", &wide, 1_000_000, "safe, 71 states");
}

#[test]
fn what_cannot_be_treated() {
    let mut many = circuit(17, 1);
    let all = (0..17).fold(Lit::TRUE, |all, index| {
        let input = many.input(index);
        and(&mut many, all, input)
    });
    many.bads.push(all);
    check("explicit", &many, 100, "unsupported: 17 inputs are too many to enumerate");
    let mut open = circuit(0, 21);
    (0..21).for_each(|index| open.latches[index].reset = open.latch(index));
    let all = shows(&mut open, 21, 5);
    open.bads.push(all);
    let reason = "unsupported: 21 uninitialised bits are too many to enumerate";
    check("explicit", &open, 100, reason);
    for name in ["sim", "explicit"] {
        check(name, &circuit(1, 1), 100, "unsupported: the circuit has no property");
        let mut live = circuit(1, 1);
        live.justice.push(vec![live.latch(0)]);
        check(name, &live, 100, "unsupported: the circuit has only justice properties");
        let mut malformed = circuit(1, 1);
        malformed.bads.push(Lit::new(9, false));
        check(name, &malformed, 100, "unsupported: literal 18 names no variable of the circuit");
    }
}

/// Runs that violate a constraint die; others fork into their places.
#[test]
fn sim_survives_tight_constraints() {
    // Each of 8 inputs must be 1 in every step; the counter then reaches 12.
    let mut tight = counter(4, 15, 12, 9);
    for index in 1..9 {
        tight.constraints.push(tight.input(index));
    }
    tight.constraints.push(tight.input(0));
    let (verdict, _, used) = decide("sim", &tight, 1_000_000, 1);
    assert_eq!(summary(&verdict), "unsafe, 13 steps");
    assert!(used < 10_000, "{used} ticks");
}

#[test]
fn events_tell_the_story() {
    let (_, log, _) = decide("explicit", &counter(3, 4, 6, 9), 1000, 1);
    let bounds: Vec<u64> = log
        .iter()
        .filter_map(|event| match event {
            Event::Bound { depth } => Some(*depth),
            _ => None,
        })
        .collect();
    assert_eq!(bounds, [0, 1, 2, 3, 4]);
    assert_eq!(log[0], Event::Explored { seen: 2, waiting: 1 });
    let (_, log, _) = decide("sim", &read(HOLD), u64::MAX, 1);
    assert_eq!(log.last(), Some(&Event::Simulated { steps: 16_777_216 }));
}

/// Ticks, not seconds: this passes on every machine or on none.
#[test]
fn the_budget_is_deterministic() {
    let circuit = counter(10, 1023, 1000, 3);
    for ticks in [0, 1, 10, 500] {
        let (verdict, _, used) = decide("explicit", &circuit, ticks, 1);
        assert_eq!(summary(&verdict), "out of ticks");
        assert!(used <= ticks);
        let (verdict, _, used) = decide("sim", &read(HOLD), ticks, 1);
        assert_eq!(summary(&verdict), "out of ticks");
        assert_eq!(used, ticks);
    }
    for name in ["sim", "explicit"] {
        let circuit = counter(4, 15, 12, 9);
        let (first, log, used) = decide(name, &circuit, 100_000, 7);
        let (again, same_log, same_used) = decide(name, &circuit, 100_000, 7);
        assert_eq!(format!("{first:?}"), format!("{again:?}"));
        assert_eq!((log, used), (same_log, same_used));
        // One tick fewer than it takes is not enough.
        let (short, _, _) = decide(name, &circuit, used - 1, 7);
        assert_eq!(summary(&short), "out of ticks");
    }
}
