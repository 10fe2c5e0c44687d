//! Home properties: ways from all states, and traps.

use alphorn_check::accept::{AskedProperty, accept};
use alphorn_check::words::check_trace;
use alphorn_problem::evidence::words::{
    Homing, Property, Rows, WordCertificate, WordInvariant, WordTrace,
};
use alphorn_problem::words::{Named, State};
use alphorn_problem::{Span, Verdict, Words};
use alphorn_term::{Bv, Op, SortId, TermId, Value};

fn named(term: TermId) -> Named {
    Named { term, name: None, span: Span::NONE }
}

fn word(value: u64) -> Value {
    Value::Bv(Bv::from_u64(2, value))
}

/// A counter of two bits that goes up, or down with the input, and stays at `end` once it is there. Is 0 always within
/// reach?
fn counter(end: Option<u64>) -> Words {
    let mut words = Words::default();
    let store = &mut words.terms;
    let sort = store.bv_sort(2);
    let (count, down) = (store.var("count", sort), store.var("down", SortId::BOOL));
    let [zero, one, most] = [0, 1, 3].map(|value| store.bv(Bv::from_u64(2, value)));
    let up = store.mk(Op::BvAdd, &[count, one]);
    let is_most = store.eq(count, most);
    let up = store.ite(is_most, most, up);
    let less = store.mk(Op::BvSub, &[count, one]);
    let is_home = store.eq(count, zero);
    let less = store.ite(is_home, zero, less);
    let mut next = store.ite(down, less, up);
    if let Some(end) = end {
        let end = store.bv(Bv::from_u64(2, end));
        let is_there = store.eq(count, end);
        next = store.ite(is_there, end, next);
    }
    let state = State { var: count, init: Some(zero), next: Some(next), span: Span::NONE };
    words.inputs.push(down);
    words.states.push(state);
    words.homes.push(named(is_home));
    words
}

fn ways(rows: &[(u64, Option<bool>)]) -> Verdict<Words> {
    let states = rows.iter().map(|(count, _)| vec![word(*count)]).collect();
    let inputs = rows.iter().map(|(_, down)| down.map(|down| vec![Value::Bool(down)])).collect();
    let invariant = WordInvariant::Home(Homing { rows: Rows { vars: vec![0], states }, inputs });
    Verdict::Safe(WordCertificate { property: 0, invariant })
}

fn judged(words: &Words, verdict: Verdict<Words>) -> Result<(), String> {
    let asked = AskedProperty::of(Property::Home(0));
    accept(words, asked, verdict).map(|_| ()).map_err(|refusal| refusal.to_string())
}

const GOOD: [(u64, Option<bool>); 4] =
    [(0, Some(true)), (1, Some(true)), (2, Some(true)), (3, Some(true))];

#[test]
fn a_way_from_each_reachable_state_is_accepted() {
    assert_eq!(judged(&counter(None), ways(&GOOD)), Ok(()));
}

#[test]
fn ways_that_lack_a_state_turn_round_or_go_nowhere_are_refused() {
    let words = counter(None);
    // A reachable state is missing; a row does not come before the one that needs it; a way leads up.
    assert!(judged(&words, ways(&GOOD[..3])).is_err());
    let late = [(0, Some(true)), (2, Some(true)), (1, Some(true)), (3, Some(true))];
    assert!(judged(&words, ways(&late)).is_err());
    let round = [(0, Some(true)), (1, Some(false)), (2, Some(true)), (3, Some(true))];
    assert!(judged(&words, ways(&round)).is_err());
    // The formula is not true in the only row without a row ahead.
    assert!(
        judged(&words, ways(&[(1, Some(true)), (0, Some(true)), (2, None), (3, None)])).is_err()
    );
    // A row without a way must be one in which no run can be.
    let none = [(0, Some(true)), (1, Some(true)), (2, Some(true)), (3, None)];
    assert!(judged(&words, ways(&none)).is_err());
    // The first state is missing.
    assert!(judged(&words, ways(&[])).is_err());
}

#[test]
fn a_row_in_which_no_run_can_be_needs_no_way() {
    let mut words = counter(Some(3));
    // From 3 there is no way back, and no run may be there.
    let three = words.terms.bv(Bv::from_u64(2, 3));
    let is_three = words.terms.eq(words.states[0].var, three);
    let not = words.terms.not(is_three);
    words.constraints.push(named(not));
    let rows = [(0, Some(true)), (1, Some(true)), (2, Some(true)), (3, None)];
    assert_eq!(judged(&words, ways(&rows)), Ok(()));
    // A way through it is none.
    let rows = [(0, Some(true)), (3, Some(true)), (1, Some(true)), (2, Some(false))];
    assert!(judged(&words, ways(&rows)).is_err());
}

#[test]
fn what_depends_on_more_than_the_rows_say_is_refused() {
    let mut words = counter(None);
    let other = words.terms.var("other", SortId::BOOL);
    let no = words.terms.bool(false);
    words.states.push(State { var: other, init: Some(no), next: Some(other), span: Span::NONE });
    assert_eq!(judged(&words, ways(&GOOD)), Ok(()), "it does not matter");
    let home = words.homes[0].term;
    words.homes[0].term = words.terms.and(&[home, other]);
    assert!(judged(&words, ways(&GOOD)).is_err());
}

fn trapped(steps: usize, trap: Option<&[u64]>) -> WordTrace {
    let rows = |trap: &[u64]| Rows {
        vars: vec![0],
        states: trap.iter().map(|count| vec![word(*count)]).collect(),
    };
    WordTrace {
        property: Property::Home(0),
        states: vec![vec![None]; steps + 1],
        inputs: vec![vec![Value::Bool(false)]; steps + 1],
        trap: trap.map(rows),
    }
}

#[test]
fn a_run_into_a_trap_is_accepted() {
    assert!(check_trace(&counter(Some(2)), &trapped(2, Some(&[2]))).is_ok());
}

#[test]
fn a_run_that_is_not_in_a_trap_is_refused() {
    let words = counter(Some(2));
    for (steps, trap) in [
        (2, None),
        // The run ends elsewhere.
        (1, Some(&[2][..])),
        // A step leaves it.
        (2, Some(&[2, 1])),
        // The formula is true in it.
        (2, Some(&[0, 1, 2])),
        (2, Some(&[])),
    ] {
        assert!(check_trace(&words, &trapped(steps, trap)).is_err(), "{steps} {trap:?}");
    }
    let free = counter(None);
    assert!(check_trace(&free, &trapped(3, Some(&[3]))).is_err());
}

#[test]
fn evidence_about_another_kind_of_property_is_refused() {
    let mut words = counter(Some(2));
    let is_two = words.homes[0].clone();
    words.bads.push(is_two);
    let verdict = Verdict::Unsafe(trapped(2, Some(&[2])));
    assert!(accept(&words, AskedProperty::of(Property::Bad(0)), verdict.clone()).is_err());
    assert!(accept(&words, AskedProperty::of(Property::Home(1)), verdict).is_err());
    let run = WordTrace { property: Property::Bad(0), ..trapped(0, Some(&[2])) };
    assert!(check_trace(&words, &run).is_err(), "a trap is for home properties alone");
    let run = WordTrace { trap: None, ..run };
    assert!(check_trace(&words, &run).is_ok());
}
