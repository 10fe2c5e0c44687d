//! Formulas of computation tree logic: labels are found from the inside out, and proved.
//!
//! One engine labels the formula, and looks whether all states in which runs begin are in the label; the other
//! labels the negation, and looks for one of them that is. Neither is derived from the other: both may fail.
//!
//! After \[CKP14\]: preconditions for all locations at once, universal operators by reachability and ranks,
//! existential ones by strategies; what the paper has as finite unrollings are recurrence sets here.

mod facts;
mod label;
mod search;
mod stages;
mod steps;

use crate::prove::prove_labels;
use alphorn_engine::{Card, Ctx, Engine, Stop};
use alphorn_horn::ask::ask;
use alphorn_problem::evidence::flow::Initial;
use alphorn_problem::evidence::temporal::{Labelling, Labels};
use alphorn_problem::{Finding, Temporal};
use alphorn_smt::project::{Limits, eliminate};
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{Model, Store, TermId, Value, eval};
use label::{Labeller, Sets};

/// The most models that taking inputs out of a start may take.
const MAX_MODELS: usize = 60;

/// The engine that shows formulas.
pub const HOLDS: Card<Temporal> = Card {
    name: "labels",
    about: "labels the subformulas with states that satisfy them, until all initial states are in [CKP14]",
    proves: true,
    refutes: false,
    build: || Box::new(Holds),
};

/// The engine that refutes formulas.
pub const FAILS: Card<Temporal> = Card {
    name: "labels-not",
    about: "labels the subformulas of the negation, until an initial state is in [CKP14]",
    proves: false,
    refutes: true,
    build: || Box::new(Fails),
};

struct Holds;
struct Fails;

/// The states in which runs begin, without inputs.
fn initial_states(problem: &Temporal, store: &mut Store) -> Result<Sets, Stop> {
    let flow = &problem.flow;
    let mut sets: Vec<Vec<TermId>> = vec![Vec::new(); flow.locations.len()];
    for start in &flow.starts {
        let mut smt = Smt::new(Options::default());
        let limits = Limits { rounds: MAX_MODELS };
        let formula = eliminate(store, start.formula, &start.inputs, &mut smt, &limits);
        let unknown = |_| Stop::Stuck("the inputs of a start cannot be taken out".to_owned());
        sets[start.at.index()].push(formula.map_err(unknown)?);
    }
    Ok(sets.into_iter().map(|parts| store.or(&parts)).collect())
}

impl Engine<Temporal> for Holds {
    fn run(&mut self, problem: &Temporal, ctx: &mut Ctx<'_>) -> Result<Finding<Temporal>, Stop> {
        let mut store = problem.flow.terms.clone();
        let nodes = problem.labelled(false, &mut store);
        let initial = initial_states(problem, &mut store)?;
        let mut labeller = Labeller::new(problem, &nodes, store, ctx)?;
        labeller.label(nodes.len() - 1, &initial, ctx)?;
        let labelling = Labelling { terms: labeller.store, labels: labeller.labels, initial: None };
        match prove_labels(problem, labelling, ctx)? {
            Ok(labels) => Ok(Finding::Holds(labels.labelling)),
            Err((goal, _)) => Err(Stop::Stuck(format!(
                "no label was found that has all initial states ({goal:?})"
            ))),
        }
    }
}

impl Engine<Temporal> for Fails {
    fn run(&mut self, problem: &Temporal, ctx: &mut Ctx<'_>) -> Result<Finding<Temporal>, Stop> {
        let mut store = problem.flow.terms.clone();
        let nodes = problem.labelled(true, &mut store);
        let initial = initial_states(problem, &mut store)?;
        let mut labeller = Labeller::new(problem, &nodes, store, ctx)?;
        for wanted in labeller.parts_of(&initial, ctx)? {
            labeller.label(nodes.len() - 1, &wanted, ctx)?;
            let label = labeller.labels[nodes.len() - 1].sets.clone();
            let Some(first) = first_state(problem, &mut labeller.store, &label, ctx)? else {
                continue;
            };
            let (terms, labels) = (labeller.store.clone(), labeller.labels.clone());
            let labelling = Labelling { terms, labels, initial: Some(first) };
            if let Ok(labels) = prove_labels(problem, labelling, ctx)? {
                let labels: Labels = labels;
                return Ok(Finding::Fails(labels));
            }
        }
        Err(Stop::Stuck("no label of the negation was found that has an initial state".to_owned()))
    }
}

/// A state in which a run begins and that is in one of the sets.
fn first_state(
    problem: &Temporal,
    store: &mut Store,
    sets: &Sets,
    ctx: &mut Ctx<'_>,
) -> Result<Option<Initial>, Stop> {
    let flow = &problem.flow;
    for (position, start) in flow.starts.iter().enumerate() {
        let mut smt = Smt::new(Options::default());
        smt.assert(store, start.formula);
        smt.assert(store, sets[start.at.index()]);
        if ask(&mut smt, store, &[], ctx)? != Answer::Sat {
            continue;
        }
        let model = smt.model(store);
        let values = values_of(store, &model, &flow.vars);
        let inputs = values_of(store, &model, &start.inputs);
        if let (Some(values), Some(inputs)) = (values, inputs) {
            return Ok(Some(Initial { start: position, inputs, values }));
        }
    }
    Ok(None)
}

/// The values of variables in a model; what it leaves open is any value.
fn values_of(store: &Store, model: &Model, vars: &[TermId]) -> Option<Vec<Value>> {
    let value = |&var: &TermId| {
        eval(store, var, model).ok().or_else(|| Value::default_of(store, store.sort(var)))
    };
    vars.iter().map(value).collect()
}
