//! Traces: every rule with an accepted and a refused case.

use super::{counter, named, state, word};
use alphorn_check::words::check_trace;
use alphorn_problem::Words;
use alphorn_problem::evidence::words::{Property, WordTrace};
use alphorn_term::{Bv, Op, SortId, Value};

/// Adds 2, 2, 2 and sees six in step 3.
fn good() -> WordTrace {
    let row =
        |old: Option<u64>, free: u64| vec![None, Some(word(2, free)), old.map(|old| word(3, old))];
    WordTrace {
        property: Property::Bad(0),
        states: vec![row(Some(5), 0), row(None, 1), row(None, 0), row(None, 3)],
        inputs: [2, 2, 2, 0].map(|by| vec![word(2, by)]).to_vec(),
        trap: None,
    }
}

fn refusal(words: &Words, trace: &WordTrace) -> String {
    check_trace(words, trace).unwrap_err().to_string()
}

#[test]
fn a_run_into_a_bad_state_is_accepted() {
    assert_eq!(check_trace(&counter(), &good()), Ok(()));
}

#[test]
fn values_that_follow_may_be_given_but_must_agree() {
    let words = counter();
    let mut trace = good();
    trace.states[0][0] = Some(word(3, 0));
    trace.states[2][0] = Some(word(3, 4));
    trace.states[2][2] = Some(word(3, 2));
    assert_eq!(check_trace(&words, &trace), Ok(()));
    trace.states[2][2] = Some(word(3, 3));
    assert_eq!(refusal(&words, &trace), "step 2: old is #b010, not #b011");
    trace.states[0][0] = Some(word(3, 1));
    assert_eq!(refusal(&words, &trace), "step 0: count is #b000, not #b001");
}

#[test]
fn values_that_do_not_follow_must_be_given() {
    let words = counter();
    for (step, place, name) in [(0, 1, "free"), (0, 2, "old"), (2, 1, "free")] {
        let mut trace = good();
        trace.states[step][place] = None;
        let expected = format!("step {step}: {name} needs a value here, and has none");
        assert_eq!(refusal(&words, &trace), expected);
    }
}

#[test]
fn constraints_hold_up_to_the_last_step() {
    let words = counter();
    for step in 0..4 {
        let mut trace = good();
        trace.inputs[step][0] = word(2, 3);
        assert_eq!(refusal(&words, &trace), format!("step {step}: constraint 0 is false"));
    }
}

#[test]
fn the_last_step_is_bad() {
    let words = counter();
    let mut trace = good();
    trace.inputs[1][0] = word(2, 1);
    assert_eq!(refusal(&words, &trace), "step 3: the property is not violated in the last step");
    let mut trace = good();
    trace.inputs.pop();
    trace.states.pop();
    assert_eq!(refusal(&words, &trace), "step 2: the property is not violated in the last step");
    // Bad on the way is not bad at the end.
    let mut trace = good();
    trace.inputs.push(vec![word(2, 0)]);
    trace.inputs[3][0] = word(2, 1);
    trace.states.push(trace.states[3].clone());
    assert!(refusal(&words, &trace).contains("not violated"));
}

#[test]
fn shapes_and_sorts_must_fit() {
    let words = counter();
    let change = |change: &dyn Fn(&mut WordTrace)| {
        let mut trace = good();
        change(&mut trace);
        refusal(&words, &trace)
    };
    assert!(change(&|t| t.inputs.clear()).contains("at least one step"));
    assert!(change(&|t| drop(t.states.pop())).contains("3 steps of states, 4 of inputs"));
    assert!(change(&|t| drop(t.states[1].pop())).contains("step 1: 2 values for 3 states"));
    assert!(change(&|t| t.inputs[2].clear()).contains("step 2: 0 values for 1 inputs"));
    assert!(change(&|t| t.inputs[2][0] = word(3, 0)).contains("by has another sort"));
    assert!(
        change(&|t| t.states[1][1] = Some(Value::Bool(true))).contains("free has another sort")
    );
    assert!(change(&|t| t.property = Property::Bad(1)).contains("no safety property 1"));
    assert!(change(&|t| t.property = Property::Justice(1)).contains("no justice property 1"));
}

/// Adds 2 four times: the counter is zero again after the last step.
fn lasso() -> WordTrace {
    let row =
        |old: Option<u64>, free: u64| vec![None, Some(word(2, free)), old.map(|old| word(3, old))];
    WordTrace {
        property: Property::Justice(0),
        states: vec![row(Some(6), 0), row(None, 3), row(None, 0), row(None, 0)],
        inputs: [2, 2, 2, 2].map(|by| vec![word(2, by)]).to_vec(),
        trap: None,
    }
}

#[test]
fn a_lasso_is_accepted_and_a_line_is_not() {
    let words = counter();
    assert_eq!(check_trace(&words, &lasso()), Ok(()));
    // A state on which nothing depends need not come back; one that matters must.
    let mut trace = lasso();
    trace.states[0][2] = Some(word(3, 5));
    assert_eq!(check_trace(&words, &trace), Ok(()));
    let mut watching = counter();
    let (old, zero) = (watching.states[2].var, watching.terms.bv(Bv::from_u64(3, 0)));
    let same = watching.terms.eq(old, zero);
    let either = watching.terms.not(same);
    let either = watching.terms.or(&[same, either]);
    watching.fairness.push(named(either));
    assert!(watching.loop_states(0).len() < 3, "what is always true depends on nothing");
    watching.fairness[1].term = same;
    assert_eq!(watching.loop_states(0), [0, 1, 2]);
    assert_eq!(
        refusal(&watching, &trace),
        "end of the trace: the state differs from all before it"
    );
    // Neither does what a state that matters depends on go unseen.
    watching.states[0].next = Some(watching.states[2].var);
    watching.fairness.pop();
    assert_eq!(watching.loop_states(0), [0, 1, 2]);
    let mut trace = lasso();
    trace.inputs[3][0] = word(2, 1);
    assert!(refusal(&words, &trace).contains("differs from all before"));
    // The constraints hold in the last step too.
    trace.inputs[3][0] = word(2, 3);
    assert!(refusal(&words, &trace).contains("constraint 0 is false"));
}

#[test]
fn everything_required_happens_in_the_loop() {
    let words = counter();
    let mut trace = lasso();
    trace.states[1][1] = Some(word(2, 1));
    assert_eq!(refusal(&words, &trace), "loop: fairness condition 0 is never true in it");
    // A loop of one step, after the counter was zero; fairness is given.
    let mut trace = lasso();
    trace.states.truncate(3);
    trace.inputs.truncate(3);
    trace.inputs[1] = vec![word(2, 0)];
    trace.inputs[2] = vec![word(2, 0)];
    trace.states[2][1] = Some(word(2, 3));
    assert_eq!(refusal(&words, &trace), "loop: justice condition 0 is never true in it");
}

#[test]
fn what_cannot_be_evaluated_is_refused() {
    let mut words = Words::default();
    let terms = &mut words.terms;
    let (x, y) = (terms.var("x", SortId::INT), terms.var("y", SortId::INT));
    let zero = terms.int(0);
    let quotient = terms.mk(Op::IntDiv, &[x, y]);
    let bad = terms.eq(quotient, zero);
    words.states.push(state(x, Some(zero), Some(quotient)));
    words.inputs.push(y);
    words.bads.push(named(bad));
    let trace = |divisors: &[i64]| WordTrace {
        property: Property::Bad(0),
        states: vec![vec![None]; divisors.len()],
        inputs: divisors.iter().map(|y| vec![Value::Int((*y).into())]).collect(),
        trap: None,
    };
    assert_eq!(check_trace(&words, &trace(&[1, 2])), Ok(()));
    assert!(
        refusal(&words, &trace(&[0])).contains("the property has no value: a division by zero")
    );
    assert!(refusal(&words, &trace(&[1, 0])).contains("step 1: the property has no value"));
    // Nobody looks at the state after the last step.
    words.bads[0].term = words.terms.eq(x, zero);
    assert_eq!(check_trace(&words, &trace(&[1, 0])), Ok(()));
    assert!(refusal(&words, &trace(&[0, 1])).contains("the next value of x has no value"));
}

#[test]
fn systems_whose_parts_do_not_fit_are_refused() {
    let change = |change: &dyn Fn(&mut Words)| {
        let mut words = counter();
        change(&mut words);
        refusal(&words, &good())
    };
    assert!(change(&|w| w.states[0].next = Some(w.inputs[0])).contains("has another sort"));
    assert!(change(&|w| w.states[0].init = Some(w.states[2].var)).contains("earlier states"));
    assert!(change(&|w| w.inputs[0] = w.states[1].var).contains("declared twice"));
    assert!(change(&|w| w.bads[0].term = w.inputs[0]).contains("not a formula"));
    assert!(change(&|w| w.constraints[0].term = w.inputs[0]).contains("not a formula"));
    assert!(change(&|w| w.inputs[0] = w.bads[0].term).contains("not a variable"));
    assert!(
        change(&|w| {
            let two = w.terms.bv_sort(2);
            w.states[1].init = Some(w.inputs[0]);
            assert_eq!(w.terms.sort(w.inputs[0]), two);
        })
        .contains("earlier states")
    );
}

#[test]
fn initial_values_may_look_at_earlier_states() {
    let mut words = counter();
    let (count, free) = (words.states[0].var, words.states[1].var);
    let old = words.states[2].var;
    // Declared last, initialised with twice what `old` starts with.
    let twice = words.terms.mk(Op::BvAdd, &[old, old]);
    let three = words.terms.bv_sort(3);
    let copy = words.terms.var("copy", three);
    words.states.push(state(copy, Some(twice), Some(copy)));
    let _ = (count, free);
    let mut trace = good();
    trace.states.iter_mut().for_each(|row| row.push(None));
    assert_eq!(check_trace(&words, &trace), Ok(()));
    trace.states[0][3] = Some(Value::Bv(Bv::from_u64(3, 10)));
    assert_eq!(check_trace(&words, &trace), Ok(()));
    trace.states[3][3] = Some(word(3, 3));
    assert_eq!(refusal(&words, &trace), "step 3: copy is #b010, not #b011");
}
