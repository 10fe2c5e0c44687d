//! Edges one after the other, as conditions and states over where they begin and what is chosen on the way.

use super::edges::Edge;
use super::solve::values;
use alphorn_problem::Flow;
use alphorn_problem::evidence::flow::{Initial, Path, PathStep};
use alphorn_problem::flow::LocId;
use alphorn_term::{Model, Store, Substitution, TermId, Value};

/// Edges one after the other.
#[derive(Clone, Debug)]
pub(super) struct Chain {
    /// What must hold, over the terms of the first state and what is chosen.
    pub(super) conditions: Vec<TermId>,
    /// The states: one more than there are edges.
    pub(super) states: Vec<Vec<TermId>>,
    /// The edges, by position, each with new variables for what it leaves open.
    pub(super) steps: Vec<(usize, Vec<TermId>)>,
}

impl Chain {
    /// No edge, from a state.
    pub(super) fn begin(state: Vec<TermId>) -> Chain {
        Chain { conditions: Vec::new(), states: vec![state], steps: Vec::new() }
    }

    /// Edges, by position, from any state.
    pub(super) fn of(flow: &Flow, store: &mut Store, edges: &[Edge], steps: &[usize]) -> Chain {
        let mut chain = Chain::begin(flow.vars.clone());
        for &step in steps {
            chain.push(flow, store, edges, step);
        }
        chain
    }

    /// Goes on by an edge.
    pub(super) fn push(&mut self, flow: &Flow, store: &mut Store, edges: &[Edge], step: usize) {
        let edge = &edges[step];
        let fresh = |&var: &TermId| {
            let name = store.var_name(var).unwrap_or("o").to_owned();
            let sort = store.sort(var);
            store.fresh_var(&name, sort)
        };
        let chosen: Vec<TermId> = edge.open.iter().map(fresh).collect();
        let map = put(flow, edge, self.last(), &chosen);
        self.conditions.extend(store.substitute_all(&edge.guard, &map));
        self.states.push(store.substitute_all(&edge.next, &map));
        self.steps.push((step, chosen));
    }

    /// The state at the end.
    pub(super) fn last(&self) -> &[TermId] {
        self.states.last().expect("a chain has a first state")
    }

    /// The path that a model makes of the chain, which begins at a start with the flow's variables.
    pub(super) fn path(
        &self,
        flow: &Flow,
        store: &Store,
        edges: &[Edge],
        start: usize,
        model: &Model,
    ) -> Option<Path> {
        let first = values(store, &self.states[0], model)?;
        let inputs = values(store, &flow.starts[start].inputs, model)?;
        let mut path = Path { first: Initial { start, inputs, values: first }, steps: Vec::new() };
        for (step, chosen) in &self.steps {
            let chosen = values(store, chosen, model)?;
            extend(flow, store, &edges[*step], &chosen, &mut path)?;
        }
        Some(path)
    }
}

/// What to put for the variables and for what an edge leaves open.
fn put(flow: &Flow, edge: &Edge, state: &[TermId], chosen: &[TermId]) -> Substitution {
    let vars = flow.vars.iter().copied().zip(state.iter().copied());
    vars.chain(edge.open.iter().copied().zip(chosen.iter().copied())).collect()
}

/// Takes an edge with values for what it leaves open; the guard is not looked at.
pub(super) fn extend(
    flow: &Flow,
    store: &Store,
    edge: &Edge,
    chosen: &[Value],
    path: &mut Path,
) -> Option<()> {
    let model = state_model(flow, edge, path.last(), chosen);
    let inputs = values(store, &edge.inputs, &model)?;
    let after = values(store, &edge.next, &model)?;
    path.steps.push(PathStep { transition: edge.transition, inputs, values: after });
    Some(())
}

/// The values of the variables and of what an edge leaves open.
pub(super) fn state_model(flow: &Flow, edge: &Edge, state: &[Value], chosen: &[Value]) -> Model {
    let mut model = Model::new();
    let vars = flow.vars.iter().zip(state);
    for (&var, value) in vars.chain(edge.open.iter().zip(chosen)) {
        model.set(var, value.clone());
    }
    model
}

/// An edge with a term, over the variables, for all that it leaves open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Move {
    /// The transition, by its position.
    pub(super) transition: usize,
    /// Where it comes from.
    pub(super) from: LocId,
    /// Where it leads.
    pub(super) to: LocId,
    /// When it can be made.
    pub(super) guard: Vec<TermId>,
    /// The variables afterwards.
    pub(super) next: Vec<TermId>,
    /// The inputs.
    pub(super) inputs: Vec<TermId>,
}

impl Move {
    /// An edge with terms for what is open.
    pub(super) fn of(flow: &Flow, store: &mut Store, edge: &Edge, chosen: &[TermId]) -> Move {
        let map = put(flow, edge, &flow.vars, chosen);
        let mut guard = store.substitute_all(&edge.guard, &map);
        guard.retain(|&literal| literal != TermId::TRUE);
        Move {
            transition: edge.transition,
            from: edge.from,
            to: edge.to,
            guard,
            next: store.substitute_all(&edge.next, &map),
            inputs: store.substitute_all(&edge.inputs, &map),
        }
    }

    /// What a formula about the state afterwards says of the one before.
    pub(super) fn before(&self, flow: &Flow, store: &mut Store, formula: TermId) -> TermId {
        store.rename(formula, &flow.vars, &self.next)
    }

    /// When the move can be made and leads to what a formula says.
    pub(super) fn into(&self, flow: &Flow, store: &mut Store, formula: TermId) -> TermId {
        let after = self.before(flow, store, formula);
        let all: Vec<TermId> = self.guard.iter().copied().chain([after]).collect();
        store.and(&all)
    }
}
