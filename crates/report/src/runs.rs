//! What evidence about infinite runs says, as JSON: ranks, a recurrence, or labels, with the flow they are about.
//!
//! Locations and transitions are given by their positions; lists over locations have null where nothing needs
//! to be said.

use alphorn_front::evidence::{Told, ToldChoice, ToldEdge, ToldLabel, ToldLevel, ToldState, Why};
use serde_json::{Map, Value, json};

/// The flow and what is said about it.
pub fn value(told: &Told) -> Value {
    let transition = |step: &alphorn_front::evidence::ToldTransition| json!({"name": step.name, "from": step.from, "to": step.to, "relation": step.relation});
    let transitions: Vec<Value> = told.transitions.iter().map(transition).collect();
    let levels = |all: &[ToldLevel]| -> Vec<Value> { all.iter().map(level).collect() };
    let mut out = Map::new();
    out.insert("variables".to_owned(), json!(told.variables));
    out.insert("locations".to_owned(), json!(told.locations));
    out.insert("starts".to_owned(), json!(told.starts));
    out.insert("transitions".to_owned(), json!(transitions));
    let (name, said) = match &told.why {
        Why::Levels { invariants, levels: all } => {
            ("ranking", json!({"invariants": invariants, "levels": levels(all)}))
        }
        Why::Union { invariants, cuts, functions } => {
            let functions: Vec<Value> = functions
                .iter()
                .map(|(function, least)| json!({"function": function, "least": least}))
                .collect();
            ("union", json!({"invariants": invariants, "cuts": cuts, "functions": functions}))
        }
        Why::Recurrence { path, sets, choices } => {
            let path: Vec<Value> = path.iter().map(|one| state(told, one)).collect();
            let choices: Vec<Value> = choices.iter().map(choice).collect();
            ("recurrence", json!({"path": path, "sets": sets, "choices": choices}))
        }
        Why::Labels { first, labels } => {
            let label = |one: &ToldLabel| {
                let choices: Vec<Value> = one.choices.iter().map(choice).collect();
                json!({
                    "formula": one.formula, "sets": one.sets, "choices": choices,
                    "stopped": one.stopped, "levels": levels(&one.levels),
                })
            };
            let first = first.as_ref().map(|one| state(told, one));
            let all: Vec<Value> = labels.iter().map(label).collect();
            ("labels", json!({"first": first, "labels": all}))
        }
    };
    out.insert(name.to_owned(), said);
    Value::Object(out)
}

fn level(level: &ToldLevel) -> Value {
    let edge = |edge: &ToldEdge| json!({"transition": edge.transition, "when": edge.when});
    let removed: Vec<Value> = level.removed.iter().map(edge).collect();
    json!({"functions": level.functions, "least": level.least, "removed": removed})
}

fn choice(choice: &ToldChoice) -> Value {
    let changes: Map<String, Value> =
        choice.changes.iter().map(|(var, value)| (var.clone(), json!(value))).collect();
    json!({"when": choice.when, "transition": choice.transition, "changes": changes})
}

fn state(told: &Told, state: &ToldState) -> Value {
    let pairs = told.variables.iter().zip(&state.values);
    let values: Map<String, Value> =
        pairs.map(|(var, value)| (var.clone(), json!(value))).collect();
    json!({"by": state.by, "at": state.at, "values": values})
}
