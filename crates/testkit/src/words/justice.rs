//! Justice properties of small word-level systems: random systems, and a search of their graphs.
//!
//! The oracle lists all states and steps, evaluates the system's terms, and looks for a strongly connected
//! set of states that can be reached and in which every condition and every fairness constraint is true in
//! some step.

use super::oracle::{Row, rows};
use crate::Rng;
use alphorn_problem::Words;
use alphorn_term::{Model, TermId, Value, eval};
use std::fmt::Write;

/// How many states and inputs a system may have.
const MAX_ROWS: usize = 1 << 8;

/// A system as text: two states, an input, some operators, constraints, fairness and justice.
pub fn random_text(rng: &mut Rng) -> String {
    let mut out = String::from("1 sort bitvec 1\n2 sort bitvec 2\n3 zero 1\n4 zero 2\n5 one 2\n");
    out.push_str("6 input 1 go\n7 state 2 count\n8 state 1 flag\n9 state 1 apart\n");
    let (mut bits, mut words, mut id) = (vec![6u64, 8], vec![5u64, 7], 9u64);
    for _ in 0..4 + rng.below(5) {
        id += 1;
        let (b, c) = (rng.pick(&bits), rng.pick(&bits));
        let (v, w) = (rng.pick(&words), rng.pick(&words));
        let (text, is_bit) = match rng.below(9) {
            0 => (format!("and 1 {b} {c}"), true),
            1 => (format!("or 1 {b} -{c}"), true),
            2 => (format!("xor 1 {b} {c}"), true),
            3 => (format!("eq 1 {v} {w}"), true),
            4 => (format!("ult 1 {v} {w}"), true),
            5 => (format!("slice 1 {v} 1 1"), true),
            6 => (format!("add 2 {v} {w}"), false),
            7 => (format!("ite 2 {b} {v} {w}"), false),
            _ => (format!("uext 2 {b} 1"), false),
        };
        let _ = writeln!(out, "{id} {text}");
        if is_bit { &mut bits } else { &mut words }.push(id);
    }
    let mut line = |out: &mut String, text: String| {
        id += 1;
        let _ = writeln!(out, "{id} {text}");
    };
    for (sort, state, zero, of) in [(2, 7, 4, &words), (1, 8, 3, &bits), (1, 9, 3, &bits)] {
        if rng.below(4) > 0 {
            line(&mut out, format!("init {sort} {state} {zero}"));
        }
        if rng.below(6) > 0 {
            let next = rng.pick(of);
            line(&mut out, format!("next {sort} {state} {next}"));
        }
    }
    let sign = |rng: &mut Rng| if rng.below(2) == 0 { "" } else { "-" };
    for (kind, most) in [("constraint", 2), ("fair", 3)] {
        for _ in 0..rng.below(most) {
            let (sign, bit) = (sign(rng), rng.pick(&bits));
            line(&mut out, format!("{kind} {sign}{bit}"));
        }
    }
    for _ in 0..1 + rng.below(2) {
        let count = 1 + rng.below(2);
        let mut text = format!("justice {count}");
        for _ in 0..count {
            let _ = write!(text, " {}{}", sign(rng), rng.pick(&bits));
        }
        line(&mut out, text);
    }
    out
}

/// A step of the graph: from, to, and which of the signals are true in it.
type Step = (usize, usize, Vec<bool>);

/// Whether justice property `index` is violated by some infinite run.
pub fn is_violated(words: &Words, index: usize) -> bool {
    let vars = words.state_vars();
    let states = rows(words, &vars, MAX_ROWS).expect("the system is small");
    let inputs = rows(words, &words.inputs, MAX_ROWS).expect("the system is small");
    let value = |term: TermId, model: &Model| eval(&words.terms, term, model).expect("total");
    let is_true = |term: TermId, model: &Model| value(term, model) == Value::Bool(true);
    let model_of = |state: &[Value], inputs: &[Value]| {
        let mut model = Model::new();
        vars.iter().zip(state).for_each(|(&var, value)| model.set(var, value.clone()));
        words.inputs.iter().zip(inputs).for_each(|(&var, value)| model.set(var, value.clone()));
        model
    };
    let fairness = words.fairness.iter().map(|fair| fair.term);
    let signals: Vec<TermId> = words.justice[index].terms.iter().copied().chain(fairness).collect();
    let mut steps: Vec<Step> = Vec::new();
    let mut reached = vec![false; states.len()];
    for (from, state) in states.iter().enumerate() {
        let model = model_of(state, &[]);
        reached[from] = (words.states.iter().zip(state))
            .all(|(of, has)| of.init.is_none_or(|init| value(init, &model) == *has));
        for inputs in &inputs {
            let model = model_of(state, inputs);
            if !words.constraints.iter().all(|constraint| is_true(constraint.term, &model)) {
                continue;
            }
            let seen: Vec<bool> = signals.iter().map(|&signal| is_true(signal, &model)).collect();
            let follows = |next: &Row| {
                let mut pairs = words.states.iter().zip(next);
                pairs.all(|(of, has)| of.next.is_none_or(|next| value(next, &model) == *has))
            };
            let tos = (0..states.len()).filter(|&to| follows(&states[to]));
            steps.extend(tos.map(|to| (from, to, seen.clone())));
        }
    }
    // Which states lead to which, in one step or more.
    let mut leads = vec![vec![false; states.len()]; states.len()];
    steps.iter().for_each(|(from, to, _)| leads[*from][*to] = true);
    for over in 0..states.len() {
        for from in 0..states.len() {
            for to in 0..states.len() {
                leads[from][to] |= leads[from][over] && leads[over][to];
            }
        }
    }
    let is_reached = |at: usize| (0..states.len()).any(|s| reached[s] && (s == at || leads[s][at]));
    (0..states.len()).filter(|&at| leads[at][at] && is_reached(at)).any(|at| {
        let inside = |state: usize| leads[at][state] && leads[state][at];
        (0..signals.len()).all(|signal| {
            steps.iter().any(|(from, to, seen)| inside(*from) && inside(*to) && seen[signal])
        })
    })
}
