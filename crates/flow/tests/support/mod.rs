//! Flows written as Horn clauses: locations are predicates, facts are starts, and all have the same arguments.

use alphorn_problem::Span;
use alphorn_problem::flow::{Flow, LocId, Start, Transition};
use alphorn_problem::horn::{Head, Horn};
use alphorn_term::{Op, TermId};

/// The flow that clauses with at most one atom say.
pub fn flow(horn: &Horn) -> Flow {
    let sorts = horn.pred_args(horn.pred_ids().next().expect("there is a location")).to_vec();
    let mut terms = horn.terms.clone();
    let names: Vec<Option<String>> = {
        let first = horn.pred_ids().next().expect("there is a location");
        horn.argument_names(first).into_iter().map(|name| name.map(str::to_owned)).collect()
    };
    let vars: Vec<TermId> = sorts
        .iter()
        .zip(&names)
        .map(|(&sort, name)| terms.fresh_var(name.as_deref().unwrap_or("v"), sort))
        .collect();
    let mut flow = Flow::new(terms, &vars);
    for pred in horn.pred_ids() {
        flow.add_location(horn.pred_name(pred), Span::NONE);
    }
    for clause in &horn.clauses {
        let Head::Atom(to, args) = &clause.head else { continue };
        let inputs = clause.vars.clone();
        let store = &mut flow.terms;
        let parts = match store.op(clause.body) {
            Op::And => store.args(clause.body).to_vec(),
            _ => vec![clause.body],
        };
        let mut from = None;
        let mut formula = Vec::new();
        for part in parts {
            let pred = match store.op(part) {
                Op::Apply(func) => horn.pred_of(func),
                _ => None,
            };
            let Some(pred) = pred else {
                formula.push(part);
                continue;
            };
            from = Some(LocId(pred.0));
            for (&var, arg) in vars.iter().zip(store.args(part).to_vec()) {
                formula.push(store.eq(var, arg));
            }
        }
        let after = if from.is_some() { &flow.next } else { &flow.vars };
        for (&var, &arg) in after.iter().zip(args) {
            formula.push(store.eq(var, arg));
        }
        let (formula, at, span) = (store.and(&formula), LocId(to.0), Span::NONE);
        match from {
            None => flow.starts.push(Start { at, formula, inputs, span }),
            Some(from) => {
                let name = None;
                flow.transitions.push(Transition { from, to: at, formula, inputs, name, span });
            }
        }
    }
    flow.validate().expect("the flow is one");
    flow
}
