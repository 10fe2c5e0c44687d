//! What is right about bounded flows, by brute force.
//!
//! All states that runs reach are listed, by evaluating formulas for all values of the domain. A run goes on
//! for ever exactly if a circle of states is reached.

use super::random::DOMAIN;
use alphorn_problem::Flow;
use alphorn_problem::evidence::flow::{Choice, Ranking};
use alphorn_problem::flow::LocId;
use alphorn_problem::obligation::flow::{
    ranking_assertions, ranking_goals, recurrence_assertions, recurrence_goals,
};
use alphorn_term::eval::Program;
use alphorn_term::{Model, Rat, SortId, Store, TermId, Value};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// The values of the variables.
pub type Row = Vec<Value>;

/// The states that runs reach, and whether a run may go on for ever.
#[derive(Clone, Debug)]
pub struct Explored {
    /// Each state, with the states after it.
    pub states: BTreeMap<(LocId, Row), Vec<(LocId, Row)>>,
    /// Whether every run ends.
    pub terminates: bool,
}

/// Looks at all runs of a flow whose steps keep numbers within the domain.
pub fn explore(flow: &Flow) -> Explored {
    let rows = rows(&flow.terms, &flow.vars, DOMAIN);
    let mut states: BTreeMap<(LocId, Row), Vec<(LocId, Row)>> = BTreeMap::new();
    let mut todo: Vec<(LocId, Row)> = Vec::new();
    for start in &flow.starts {
        let inputs = self::rows(&flow.terms, &start.inputs, DOMAIN);
        let all = [&flow.vars[..], &start.inputs].concat();
        let mut formula = Program::new(&flow.terms, &all, &[start.formula]);
        for row in &rows {
            if inputs.iter().any(|input| holds(&mut formula, &flow.terms, &[row, input])) {
                todo.push((start.at, row.clone()));
            }
        }
    }
    let mut steps: Vec<(Program, Vec<Row>)> = Vec::new();
    for step in &flow.transitions {
        let all = [&flow.vars[..], &flow.next, &step.inputs].concat();
        let formula = Program::new(&flow.terms, &all, &[step.formula]);
        steps.push((formula, self::rows(&flow.terms, &step.inputs, DOMAIN)));
    }
    while let Some(state) = todo.pop() {
        if states.contains_key(&state) {
            continue;
        }
        let mut after = Vec::new();
        for (step, (formula, inputs)) in flow.transitions.iter().zip(&mut steps) {
            if step.from != state.0 {
                continue;
            }
            for row in &rows {
                let is_step = |input: &Row| holds(formula, &flow.terms, &[&state.1, row, input]);
                if inputs.iter().any(is_step) {
                    after.push((step.to, row.clone()));
                }
            }
        }
        todo.extend(after.iter().cloned());
        states.insert(state, after);
    }
    let terminates = !has_circle(&states);
    Explored { states, terminates }
}

/// All rows of values of variables: truth values, and numbers of a domain.
pub fn rows(store: &Store, vars: &[TermId], domain: RangeInclusive<i64>) -> Vec<Row> {
    let mut rows = vec![Vec::new()];
    for &var in vars {
        let values: Vec<Value> = match store.sort(var) {
            SortId::BOOL => vec![Value::Bool(false), Value::Bool(true)],
            SortId::INT => domain.clone().map(|value| Value::Int(value.into())).collect(),
            _ => domain.clone().map(|value| Value::Real(Rat::from(value))).collect(),
        };
        rows = rows
            .iter()
            .flat_map(|row| {
                values.iter().map(|value| [&row[..], std::slice::from_ref(value)].concat())
            })
            .collect();
    }
    rows
}

fn holds(program: &mut Program, store: &Store, rows: &[&Row]) -> bool {
    let all: Row = rows.iter().flat_map(|row| row.iter().cloned()).collect();
    program.run(store, &all, &Model::default());
    program.holds(0).expect("a formula over variables that have values")
}

/// Whether states can come again: what is left when those without a state after them are left out, again and
/// again.
fn has_circle(states: &BTreeMap<(LocId, Row), Vec<(LocId, Row)>>) -> bool {
    let mut left: BTreeMap<&(LocId, Row), usize> = BTreeMap::new();
    let mut before: BTreeMap<&(LocId, Row), Vec<&(LocId, Row)>> = BTreeMap::new();
    let mut ended = Vec::new();
    for (state, after) in states {
        left.insert(state, after.len());
        for next in after {
            before.entry(next).or_default().push(state);
        }
        if after.is_empty() {
            ended.push(state);
        }
    }
    let mut removed = 0;
    while let Some(state) = ended.pop() {
        removed += 1;
        for &earlier in before.get(state).into_iter().flatten() {
            let count = left.get_mut(earlier).expect("every state is counted");
            *count -= 1;
            if *count == 0 {
                ended.push(earlier);
            }
        }
    }
    removed < states.len()
}

/// The most rows that are tried for one obligation.
const MAX_ROWS: usize = 200_000;

/// Whether formulas, which cannot hold together if evidence is right, do for some values near the domain.
fn can_hold(store: &Store, assertions: &[TermId]) -> bool {
    let vars = store.free_vars(assertions);
    // Wider than the domain, as far as that can be tried.
    let wide = DOMAIN.start() - 2..=DOMAIN.end() + 2;
    let size = |domain: &RangeInclusive<i64>| {
        let length = (domain.end() - domain.start() + 1) as usize;
        (0..vars.len()).fold(1usize, |size, _| size.saturating_mul(length))
    };
    let domain = if size(&wide) <= MAX_ROWS { wide } else { DOMAIN };
    if size(&domain) > MAX_ROWS {
        return false;
    }
    let mut program = Program::new(store, &vars, assertions);
    rows(store, &vars, domain).iter().any(|row| {
        program.run(store, row, &Model::default());
        (0..assertions.len()).all(|index| program.holds(index).unwrap_or(false))
    })
}

/// An obligation of a ranking that small values contradict; or what is wrong with its form.
pub fn broken_ranking(flow: &Flow, ranking: &Ranking) -> Option<String> {
    let goals = match ranking_goals(flow, ranking) {
        Ok(goals) => goals,
        Err(reason) => return Some(reason),
    };
    let mut store = ranking.terms.clone();
    goals.into_iter().find_map(|goal| {
        let assertions = ranking_assertions(flow, ranking, goal, &mut store);
        can_hold(&store, &assertions).then(|| format!("{goal:?}"))
    })
}

/// An obligation of sets and choices that small values contradict.
pub fn broken_recurrence(
    flow: &Flow,
    terms: &Store,
    sets: &[TermId],
    choices: &[Choice],
) -> Option<String> {
    let mut store = terms.clone();
    recurrence_goals(sets, choices).into_iter().find_map(|goal| {
        let assertions = recurrence_assertions(flow, sets, choices, goal, &mut store);
        can_hold(&store, &assertions).then(|| format!("{goal:?}"))
    })
}
