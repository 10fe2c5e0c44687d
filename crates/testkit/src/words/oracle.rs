//! The right answers for small word-level systems, by brute force over states and inputs.
//!
//! Nothing is clever: rows of values are enumerated, terms are evaluated, and the states are searched
//! breadth first, so that a violation found is a shortest one.

use alphorn_problem::evidence::circuit::Property;
use alphorn_problem::evidence::words::{Rows, WordCertificate, WordInvariant, WordTrace};
use alphorn_problem::{Verdict, Words};
use alphorn_term::eval::Program;
use alphorn_term::value::elements;
use alphorn_term::{Model, TermId, Value, eval};
use std::collections::BTreeMap;

/// Values of some variables, in their order.
pub type Row = Vec<Value>;

/// All rows of values of some variables; none if they are more than `most`.
pub fn rows(words: &Words, vars: &[TermId], most: usize) -> Option<Vec<Row>> {
    let mut rows = vec![Vec::new()];
    for &var in vars {
        let values = elements(&words.terms, words.terms.sort(var), most as u64)?;
        rows = extended(&rows, |_| values.clone());
        if rows.len() > most {
            return None;
        }
    }
    Some(rows)
}

/// Every row with every value that may come after it.
fn extended(rows: &[Row], mut next: impl FnMut(&Row) -> Vec<Value>) -> Vec<Row> {
    let mut longer = Vec::new();
    for row in rows {
        longer.extend(next(row).into_iter().map(|value| [&row[..], &[value]].concat()));
    }
    longer
}

/// The value of a term for values of the first states and of the inputs.
pub fn value(words: &Words, term: TermId, state: &[Value], inputs: &[Value]) -> Value {
    let mut model = Model::new();
    let vars = words.states.iter().map(|state| state.var).zip(state);
    for (var, value) in vars.chain(words.inputs.iter().copied().zip(inputs)) {
        model.set(var, value.clone());
    }
    eval(&words.terms, term, &model).expect("all variables have values")
}

/// What can be reached.
#[derive(Clone, Debug)]
pub struct Explored {
    /// The reachable states, each with the state and the inputs that led there; none for a first one.
    pub reached: BTreeMap<Row, Option<(Row, Row)>>,
    /// A state and inputs where the first property is violated, as near as any.
    pub bad: Option<(Row, Row)>,
}

/// Looks at all runs; nothing if that takes more than `most` rows of inputs, of first states, or of
/// states after one.
pub fn explore(words: &Words, most: usize) -> Option<Explored> {
    let inputs = rows(words, &words.inputs, most)?;
    let mut firsts = vec![Vec::new()];
    let mut free = Vec::new();
    for state in &words.states {
        let all = elements(&words.terms, words.terms.sort(state.var), most as u64);
        firsts = match (state.init, &all) {
            (Some(init), _) => extended(&firsts, |row| vec![value(words, init, row, &[])]),
            (None, all) => {
                let all = all.clone()?;
                extended(&firsts, |_| all.clone())
            }
        };
        free.push(if state.next.is_none() { all? } else { Vec::new() });
        let choices: usize = free.iter().map(|values| values.len().max(1)).product();
        if firsts.len() > most || choices > most {
            return None;
        }
    }
    let vars: Vec<TermId> = words.state_vars().into_iter().chain(words.inputs.clone()).collect();
    let mut outputs: Vec<TermId> = words.states.iter().filter_map(|state| state.next).collect();
    let nexts = outputs.len();
    outputs.push(words.bads[0].term);
    outputs.extend(words.constraints.iter().map(|constraint| constraint.term));
    let mut program = Program::new(&words.terms, &vars, &outputs);
    let mut explored = Explored { reached: BTreeMap::new(), bad: None };
    let mut queue = Vec::new();
    let is_allowed = |program: &mut Program, state: &Row, row: &Row| {
        let all: Row = state.iter().chain(row).cloned().collect();
        program.run(&words.terms, &all, &Model::default());
        let holds = |at: usize| program.holds(nexts + 1 + at).expect("a constraint has a value");
        (0..words.constraints.len()).all(holds)
    };
    for first in firsts {
        if inputs.iter().any(|row| is_allowed(&mut program, &first, row)) {
            explored.reached.insert(first.clone(), None);
            queue.push(first);
        }
    }
    let mut at = 0;
    while at < queue.len() {
        let state = queue[at].clone();
        at += 1;
        for row in &inputs {
            if !is_allowed(&mut program, &state, row) {
                continue;
            }
            if explored.bad.is_none() && program.holds(nexts).expect("a property has a value") {
                explored.bad = Some((state.clone(), row.clone()));
            }
            let mut after = vec![Vec::new()];
            let mut determined = 0..nexts;
            for (state, free) in words.states.iter().zip(&free) {
                let values = match state.next {
                    None => free.clone(),
                    Some(_) => {
                        let place = determined.next().expect("one output per next value");
                        vec![program.output(place).expect("a next value").clone()]
                    }
                };
                after = extended(&after, |_| values.clone());
            }
            for next in after {
                if !explored.reached.contains_key(&next) {
                    explored.reached.insert(next.clone(), Some((state.clone(), row.clone())));
                    queue.push(next);
                }
            }
        }
    }
    Some(explored)
}

impl Explored {
    /// A run into the bad state.
    pub fn trace(&self, words: &Words) -> Option<WordTrace> {
        let (mut row, inputs) = self.bad.clone()?;
        let mut steps = vec![(row.clone(), inputs)];
        while let Some((before, inputs)) = &self.reached[&row] {
            steps.push((before.clone(), inputs.clone()));
            row = before.clone();
        }
        steps.reverse();
        let given = |(step, (row, _)): (usize, &(Row, Row))| {
            let needed = |(state, value): (&alphorn_problem::words::State, &Value)| {
                let follows = if step == 0 { state.init } else { state.next };
                follows.is_none().then(|| value.clone())
            };
            words.states.iter().zip(row).map(needed).collect()
        };
        Some(WordTrace {
            property: Property::Bad(0),
            states: steps.iter().enumerate().map(given).collect(),
            inputs: steps.into_iter().map(|(_, inputs)| inputs).collect(),
            trap: None,
        })
    }

    /// The list of these states.
    pub fn certificate(vars: Vec<usize>, states: Vec<Row>) -> WordCertificate {
        WordCertificate { property: 0, invariant: WordInvariant::States(Rows { vars, states }) }
    }

    /// The verdict on the first property, with evidence.
    pub fn verdict(&self, words: &Words) -> Verdict<Words> {
        match self.trace(words) {
            Some(trace) => Verdict::Unsafe(trace),
            None => {
                let states = self.reached.keys().cloned().collect();
                let vars = (0..words.states.len()).collect();
                Verdict::Safe(Explored::certificate(vars, states))
            }
        }
    }
}

/// Whether a trace is a run into a bad state, by following the one state that agrees with it.
pub fn is_violation(words: &Words, trace: &WordTrace) -> bool {
    let mut before: Option<Row> = None;
    for (step, inputs) in trace.inputs.iter().enumerate() {
        let mut now: Row = Vec::new();
        for (place, state) in words.states.iter().enumerate() {
            let given = trace.states[step][place].clone();
            let follows = match &before {
                None => state.init.map(|init| value(words, init, &now, &[])),
                Some(row) => {
                    state.next.map(|next| value(words, next, row, &trace.inputs[step - 1]))
                }
            };
            match (follows, given) {
                (Some(follows), Some(given)) if follows != given => return false,
                (Some(value), _) | (None, Some(value)) => now.push(value),
                (None, None) => return false,
            }
        }
        let holds = |term| value(words, term, &now, inputs) == Value::Bool(true);
        let is_last = step + 1 == trace.inputs.len();
        if !words.constraints.iter().all(|constraint| holds(constraint.term))
            || is_last && !holds(words.bads[0].term)
        {
            return false;
        }
        before = Some(now);
    }
    before.is_some()
}
