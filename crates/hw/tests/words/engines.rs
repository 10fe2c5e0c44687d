//! Engines on systems with known answers.

use crate::{decide, summary};
use alphorn_engine::Event;
use alphorn_problem::Span;
use alphorn_problem::Words;
use alphorn_problem::words::Justice;
use alphorn_term::{Op, SortId, TermId};
use alphorn_testkit::words::build::{counter, input, named, state, word};

#[track_caller]
fn check(name: &str, system: &Words, ticks: u64, expected: &str) {
    let (verdict, log, _) = decide(name, system, ticks, 1);
    assert_eq!(summary(&verdict), expected, "after {log:?}");
}

#[test]
fn counters_with_idle_parts() {
    for name in ["words-explicit", "explicit"] {
        check(name, &counter(3, 4, 6), 10_000, "safe, 5 states");
        check(name, &counter(3, 7, 6), 10_000, "unsafe, 7 steps");
        check(name, &counter(8, 99, 100), 10_000, "safe, 100 states");
        check(name, &counter(8, 255, 100), 10_000, "unsafe, 101 steps");
        check(name, &counter(8, 255, 100), 50, "out of ticks");
    }
    for name in ["words-sim", "sim"] {
        let (verdict, _, _) = decide(name, &counter(3, 7, 6), 10_000, 1);
        assert!(summary(&verdict).starts_with("unsafe"), "{verdict:?}");
        check(name, &counter(3, 4, 6), 100, "out of ticks");
    }
    check(
        "words-sim",
        &counter(3, 4, 6),
        u64::MAX,
        "stuck: no counterexample in 262144 random steps",
    );
}

/// A state that nobody sets, and one that starts with 0 and then takes any value.
fn loose(free_init: bool) -> Words {
    let mut system = Words::default();
    let sort = system.terms.bv_sort(2);
    let any = state(&mut system, "any", sort);
    let open = state(&mut system, "open", sort);
    let seen = state(&mut system, "seen", SortId::BOOL);
    let zero = word(&mut system, 2, 0);
    let three = word(&mut system, 2, 3);
    system.states[1].init = Some(if free_init { any } else { zero });
    system.states[2].init = Some(TermId::FALSE);
    let terms = &mut system.terms;
    let both = [terms.eq(any, three), terms.eq(open, three)];
    let both = terms.and(&both);
    let next = terms.or(&[seen, both]);
    system.states[2].next = Some(next);
    system.bads.push(named(seen));
    system
}

#[test]
fn states_without_next_values() {
    for name in ["words-explicit", "explicit", "words-sim", "sim"] {
        // Open is 0 in the first step and 3 in the second at the earliest.
        let (verdict, _, _) = decide(name, &loose(false), 10_000, 1);
        let expected = if name.ends_with("sim") { "unsafe" } else { "unsafe, 3 steps" };
        assert!(summary(&verdict).starts_with(expected), "{name}: {verdict:?}");
        // Open starts like any, so both can be 3 at once.
        let mut tied = loose(true);
        let (verdict, _, _) = decide(name, &tied, 10_000, 1);
        assert!(summary(&verdict).starts_with("unsafe"), "{verdict:?}");
        // Unless a constraint forbids it.
        let three = word(&mut tied, 2, 3);
        let any = tied.states[0].var;
        let is_three = tied.terms.eq(any, three);
        let not_three = tied.terms.not(is_three);
        tied.constraints.push(named(not_three));
        let (verdict, _, _) = decide(name, &tied, 10_000, 1);
        let expected = if name.ends_with("sim") { "out of ticks" } else { "safe" };
        assert!(summary(&verdict).starts_with(expected), "{name}: {verdict:?}");
    }
}

/// A memory of four cells that keeps what is written, if it is even.
fn memory(parity: bool) -> Words {
    let mut system = Words::default();
    let (at, cell) = (system.terms.bv_sort(2), system.terms.bv_sort(2));
    let sort = system.terms.array_sort(at, cell);
    let memory = state(&mut system, "memory", sort);
    let address = input(&mut system, "address", at);
    let value = input(&mut system, "value", cell);
    let zero = word(&mut system, 2, 0);
    let terms = &mut system.terms;
    let written = terms.store(memory, address, value);
    let low = terms.mk(Op::Extract(0, 0), &[value]);
    let odd = terms.bv_to_bool(low);
    let next = terms.ite(odd, memory, written);
    let read = terms.select(memory, address);
    let low = terms.mk(Op::Extract(0, 0), &[read]);
    let bad = if parity { terms.bv_to_bool(low) } else { terms.eq(read, value) };
    let zeros = terms.const_array(sort, zero);
    system.states[0].init = Some(zeros);
    system.states[0].next = Some(next);
    system.bads.push(named(bad));
    if !parity {
        // Reading 2 means that 2 was written before.
        let two = word(&mut system, 2, 2);
        let is_two = system.terms.eq(value, two);
        system.bads[0].term = system.terms.and(&[bad, is_two]);
    }
    system
}

#[test]
fn arrays() {
    for name in ["words-explicit", "explicit"] {
        check(name, &memory(false), 100_000, "unsafe, 2 steps");
    }
    check("words-explicit", &memory(true), 100_000, "safe, 16 states");
    // On bits, the high ones do not matter.
    check("explicit", &memory(true), 100_000, "safe, 1 states");
    for name in ["words-sim", "sim"] {
        let (verdict, _, _) = decide(name, &memory(false), 100_000, 1);
        assert!(summary(&verdict).starts_with("unsafe"), "{verdict:?}");
    }
}

/// Numbers have no bits, but they can be evaluated.
#[test]
fn integers() {
    let mut system = Words::default();
    let x = state(&mut system, "x", SortId::INT);
    let up = input(&mut system, "up", SortId::BOOL);
    let [zero, one, seven] = [0, 1, 7].map(|value: i64| system.terms.int(value));
    let more = system.terms.mk(Op::Add, &[x, one]);
    let next = system.terms.ite(up, more, zero);
    let bad = system.terms.mk(Op::Le, &[seven, x]);
    system.states[0].init = Some(zero);
    system.states[0].next = Some(next);
    system.bads.push(named(bad));
    check("words-explicit", &system, 10_000, "unsafe, 8 steps");
    let (verdict, _, _) = decide("words-sim", &system, 100_000, 1);
    assert!(summary(&verdict).starts_with("unsafe"), "{verdict:?}");
    let reason = "unsupported: x: values of sort Int are not made of bits";
    check("explicit", &system, 100, reason);
    // Below 7 it wraps around.
    let wrap = system.terms.mk(Op::Mod, &[next, seven]);
    system.states[0].next = Some(wrap);
    check("words-explicit", &system, 10_000, "safe, 7 states");
    // Nobody says what a division by zero is.
    let undefined = system.terms.mk(Op::Mod, &[seven, x]);
    system.states[0].next = Some(undefined);
    let reason = "unsupported: a division by zero, with no choice recorded for it";
    check("words-explicit", &system, 100, reason);
}

#[test]
fn what_cannot_be_treated() {
    for name in ["words-sim", "words-explicit", "sim", "explicit"] {
        check(name, &Words::default(), 100, "unsupported: the system has no property");
        let mut live = Words::default();
        live.justice.push(Justice { terms: vec![TermId::TRUE], name: None, span: Span::NONE });
        check(name, &live, 100, "unsupported: the system has only justice properties");
        let mut loose = Words::default();
        let stray = loose.terms.var("stray", SortId::BOOL);
        loose.bads.push(named(stray));
        check(name, &loose, 100, "unsupported: stray is neither a state nor an input");
    }
    let mut wide = Words::default();
    let sort = wide.terms.bv_sort(32);
    let (x, y) = (input(&mut wide, "x", sort), input(&mut wide, "y", sort));
    let bad = wide.terms.mk(Op::BvUaddo, &[x, y]);
    wide.bads.push(named(bad));
    let reason = "unsupported: the inputs have too many values to enumerate";
    check("words-explicit", &wide, 100, reason);
    check("explicit", &wide, 10_000, "unsupported: 64 inputs are too many to enumerate");
    check("words-sim", &wide, 100, "unsafe, 1 steps");
    check("sim", &wide, 10_000, "unsafe, 1 steps");
}

/// On bits a wide input of which one bit matters is small; on words it is enumerated whole.
#[test]
fn a_bit_of_a_wide_input() {
    let mut system = counter(3, 4, 6);
    let sort = system.terms.bv_sort(20);
    let wide = input(&mut system, "wide", sort);
    let bit = system.terms.mk(Op::Extract(7, 7), &[wide]);
    let go = system.terms.bv_to_bool(bit);
    let next = system.states[1].next.expect("it counts");
    let count = system.states[1].var;
    let next = system.terms.ite(go, next, count);
    system.states[1].next = Some(next);
    check("explicit", &system, 1000, "safe, 5 states");
    let reason = "unsupported: the inputs have too many values to enumerate";
    check("words-explicit", &system, 1000, reason);
}

#[test]
fn limits_agree_with_the_checker() {
    use alphorn_hw::checkable::{CIRCUIT_WORK, WORDS_WORK};
    assert_eq!(CIRCUIT_WORK, alphorn_check::circuit::MAX_WORK);
    assert_eq!(WORDS_WORK, alphorn_check::words::MAX_WORK);
}

/// Ticks, not seconds: this passes on every machine or on none.
#[test]
fn the_budget_is_deterministic() {
    let (_, log, _) = decide("words-explicit", &counter(3, 4, 6), 1000, 1);
    assert_eq!(log[0], Event::Explored { seen: 2, waiting: 1 });
    assert_eq!(log[1], Event::Bound { depth: 0 });
    for name in ["words-sim", "words-explicit", "sim", "explicit"] {
        let system = counter(3, 7, 6);
        let (first, log, used) = decide(name, &system, 100_000, 7);
        let (again, same_log, same_used) = decide(name, &system, 100_000, 7);
        assert_eq!(format!("{first:?}"), format!("{again:?}"));
        assert_eq!((log, used), (same_log, same_used));
        // Engines on bits tick in strides; they have their own tests.
        if name.starts_with("words-") {
            let (short, _, spent) = decide(name, &system, used - 1, 7);
            assert_eq!(summary(&short), "out of ticks");
            assert!(spent < used);
        }
    }
}
