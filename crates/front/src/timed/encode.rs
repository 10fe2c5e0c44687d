//! Networks of timed automata as Horn clauses.
//!
//! *Product*: one predicate of the whole state, a clause per joint move and one for the passing of time.
//! *Owicki–Gries*: a predicate of the whole state per process, each kept by all moves.
//! *Rely–guarantee*: besides, per process a relation of two states, what the others do to it.
//! *Parameterised*: any number of copies of one process; these clauses are made elsewhere (`parameterised`), of the steps here. A network
//! whose copies are counted is a product.
//!
//! Of the last two the thesis (Hojjat, ch. 6, fig. 6.3) has clauses in which a move of one process supposes the predicate
//! of that process alone; their conjunction may then hold of more than can be reached, and a derivation need not be
//! a run. Here every move supposes the predicates of all processes. So the least model is the reachable states in all three
//! encodings, derivations are runs, and whatever solves the thesis' clauses solves these.

use super::network::{Move, Network};
use crate::views::push;
use alphorn_problem::horn::{Head, PredId};
use alphorn_problem::{Horn, Span};
use alphorn_term::{Op, SortId, Substitution, TermId};
use std::collections::BTreeMap;

/// Which clauses a network becomes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// A predicate of the whole state.
    #[default]
    Product,
    /// A predicate of the whole state for each process.
    OwickiGries,
    /// The same, and what others do to a process as a relation of two states.
    RelyGuarantee,
    /// A predicate of what is shared and of a few copies of a template, for any number of copies (`parameterised`).
    Parameterised,
}

/// The encodings, by name.
pub const ENCODINGS: [(&str, Encoding); 4] = [
    ("product", Encoding::Product),
    ("owicki-gries", Encoding::OwickiGries),
    ("rely-guarantee", Encoding::RelyGuarantee),
    ("parameterised", Encoding::Parameterised),
];

/// A step of the network: who moves, when, and the state after.
pub(super) struct Step {
    pub movers: Vec<usize>,
    pub body: Vec<TermId>,
    pub after: Vec<TermId>,
    pub name: String,
    pub span: Span,
}

/// The clauses of a network.
pub(super) fn horn(mut network: Network, encoding: Encoding) -> Horn {
    let mut horn = Horn::new(std::mem::take(&mut network.terms));
    add(&mut horn, network, encoding);
    horn
}

/// Adds the clauses of a network over the terms of a system.
pub(super) fn add(horn: &mut Horn, mut network: Network, encoding: Encoding) {
    network.terms = std::mem::take(&mut horn.terms);
    let state = network.state();
    let start = start(&mut network);
    let mut steps = Vec::new();
    steps.extend(delay(&mut network));
    for at in 0..network.moves.len() {
        steps.extend(joint(&mut network, at));
    }
    let Network { name, terms, processes, bad, .. } = network;
    horn.terms = terms;
    let sorts: Vec<SortId> = state.iter().map(|&var| horn.terms.sort(var)).collect();
    let names: Vec<String> = match encoding {
        Encoding::Product | Encoding::Parameterised => vec![name],
        _ => processes.into_iter().map(|process| process.name).collect(),
    };
    let preds = names.iter().map(|name| horn.declare_pred(name, &sorts)).collect();
    let relations = match encoding {
        Encoding::RelyGuarantee => {
            let two = [sorts.as_slice(), &sorts].concat();
            let declare = |name: &String| horn.declare_pred(&format!("{name}.others"), &two);
            names.iter().map(declare).collect()
        }
        _ => Vec::new(),
    };
    Encoder { horn, state, preds, relations }.run(&start, &steps, &bad);
}

struct Encoder<'h> {
    horn: &'h mut Horn,
    state: Vec<TermId>,
    preds: Vec<PredId>,
    /// What others do to each process; none where an encoding has no such relations.
    relations: Vec<PredId>,
}

impl Encoder<'_> {
    fn run(&mut self, start: &[TermId], steps: &[Step], bad: &[(TermId, Span)]) {
        let here = self.state.clone();
        for pred in self.preds.clone() {
            push(self.horn, start, Head::Atom(pred, here.clone()), Some("start"), Span::NONE);
        }
        let all: Vec<TermId> =
            self.preds.clone().into_iter().map(|pred| self.atom(pred, &here)).collect();
        for step in steps {
            let body = [all.as_slice(), &step.body].concat();
            for (process, pred) in self.preds.clone().into_iter().enumerate() {
                let is_mover = step.movers.is_empty() || step.movers.contains(&process);
                let head = match self.relations.get(process) {
                    Some(&relation) if !is_mover => {
                        Head::Atom(relation, [here.as_slice(), &step.after].concat())
                    }
                    _ => Head::Atom(pred, step.after.clone()),
                };
                push(self.horn, &body, head, Some(&step.name), step.span);
            }
        }
        let next: Vec<TermId> = here
            .iter()
            .map(|&var| {
                let name = format!("{}'", self.horn.terms.var_name(var).unwrap_or("next"));
                let sort = self.horn.terms.sort(var);
                self.horn.terms.var(&name, sort)
            })
            .collect();
        for (process, relation) in self.relations.clone().into_iter().enumerate() {
            let both = [here.as_slice(), &next].concat();
            let body = [all[process], self.atom(relation, &both)];
            let head = Head::Atom(self.preds[process], next.clone());
            push(self.horn, &body, head, Some("others"), Span::NONE);
        }
        for &(bad, span) in bad {
            let body = [all.as_slice(), &[bad]].concat();
            push(self.horn, &body, Head::False, None, span);
        }
    }

    fn atom(&mut self, pred: PredId, args: &[TermId]) -> TermId {
        let func = self.horn.pred(pred).func;
        self.horn.terms.mk(Op::Apply(func), args)
    }
}

/// Where runs begin: all clocks are 0, whatever the time is.
pub(super) fn start(network: &mut Network) -> Vec<TermId> {
    let mut parts = Vec::new();
    for &clock in &network.clocks {
        parts.push(network.terms.eq(clock, network.now));
    }
    for number in &network.numbers {
        parts.push(network.terms.eq(number.var, number.first));
        // Bounds that depend on the number of copies may exclude the first value.
        parts.push(network.terms.ge(number.first, number.least));
        parts.push(network.terms.le(number.first, number.most));
    }
    for process in 0..network.processes.len() {
        let mut first = Vec::new();
        for location in 0..network.processes[process].locations.len() {
            if network.processes[process].locations[location].is_initial {
                first.push(network.is_at(process, location));
            }
        }
        parts.push(network.terms.or(&first));
        parts.extend(invariants(network, process, &Substitution::default(), |_| true));
    }
    parts
}

/// The invariants of a process wherever it is, after a change of the state.
fn invariants(
    network: &mut Network,
    process: usize,
    change: &Substitution,
    is_wanted: impl Fn(&[TermId]) -> bool,
) -> Vec<TermId> {
    let mut parts = Vec::new();
    for location in 0..network.processes[process].locations.len() {
        let invariant = network.processes[process].locations[location].invariant;
        if invariant == TermId::TRUE || !is_wanted(&network.terms.free_vars(&[invariant])) {
            continue;
        }
        let is_at = network.is_at(process, location);
        let after = network.terms.substitute(invariant, change);
        parts.push(network.terms.implies(is_at, after));
    }
    parts
}

/// The passing of time; none if there are no clocks.
pub(super) fn delay(network: &mut Network) -> Option<Step> {
    if network.clocks.is_empty() {
        return None;
    }
    let later = network.terms.var("later", SortId::REAL);
    let mut body = vec![network.terms.ge(later, network.now)];
    let change: Substitution = [(network.now, later)].into_iter().collect();
    for process in 0..network.processes.len() {
        for location in 0..network.processes[process].locations.len() {
            let place = &network.processes[process].locations[location];
            if place.is_committed || place.is_urgent {
                let is_at = network.is_at(process, location);
                body.push(network.terms.not(is_at));
            }
        }
        body.extend(invariants(network, process, &change, |_| true));
    }
    for at in 0..network.moves.len() {
        if network.moves[at].is_urgent {
            let moved = network.moves[at].clone();
            let parts = enabled(network, &moved);
            let can = network.terms.and(&parts);
            body.push(network.terms.not(can));
        }
    }
    let mut after = network.state();
    after[0] = later;
    let name = "time".to_owned();
    Some(Step { movers: Vec::new(), body, after, name, span: Span::NONE })
}

/// When a move can begin.
fn enabled(network: &mut Network, moved: &Move) -> Vec<TermId> {
    let mut parts = Vec::new();
    let mut is_committed = false;
    for &(process, edge) in &moved.edges {
        let (from, guard) = {
            let edge = &network.processes[process].edges[edge];
            (edge.from, edge.guard)
        };
        is_committed |= network.processes[process].locations[from].is_committed;
        parts.push(network.is_at(process, from));
        parts.push(guard);
    }
    for (process, places) in &moved.absent {
        for &place in places {
            let is_at = network.is_at(*process, place);
            parts.push(network.terms.not(is_at));
        }
    }
    if is_committed {
        return parts;
    }
    for process in 0..network.processes.len() {
        if moved.edges.iter().any(|(mover, _)| *mover == process) {
            continue;
        }
        for location in 0..network.processes[process].locations.len() {
            if network.processes[process].locations[location].is_committed {
                let is_at = network.is_at(process, location);
                parts.push(network.terms.not(is_at));
            }
        }
    }
    parts
}

/// A joint move; none if it can never happen.
pub(super) fn joint(network: &mut Network, at: usize) -> Option<Step> {
    let moved = network.moves[at].clone();
    let mut body = enabled(network, &moved);
    let mut values: BTreeMap<TermId, TermId> = BTreeMap::new();
    let (mut names, mut span) = (Vec::new(), Span::NONE);
    for &(process, edge) in &moved.edges {
        let edge = network.processes[process].edges[edge].clone();
        let change: Substitution = values.iter().map(|(&var, &value)| (var, value)).collect();
        body.extend(network.terms.substitute_all(&edge.ranges, &change));
        for (&var, &value) in &edge.updates {
            let value = network.terms.substitute(value, &change);
            values.insert(var, value);
        }
        let place = network.terms.int(edge.to as i64);
        values.insert(network.processes[process].at, place);
        let process = &network.processes[process];
        let (from, to) = (&process.locations[edge.from], &process.locations[edge.to]);
        names.push(format!("{}.{}-{}", process.name, from.name, to.name));
        span = if span == Span::NONE { edge.span } else { span };
    }
    let change: Substitution = values.iter().map(|(&var, &value)| (var, value)).collect();
    for process in 0..network.processes.len() {
        match moved.edges.iter().find(|(mover, _)| *mover == process) {
            Some(&(_, edge)) => {
                let process = &network.processes[process];
                let invariant = process.locations[process.edges[edge].to].invariant;
                body.push(network.terms.substitute(invariant, &change));
            }
            None => {
                let changes = |vars: &[TermId]| vars.iter().any(|var| values.contains_key(var));
                body.extend(invariants(network, process, &change, changes));
            }
        }
    }
    if body.contains(&TermId::FALSE) {
        return None;
    }
    let state = network.state();
    let after = state.iter().map(|var| values.get(var).copied().unwrap_or(*var)).collect();
    let movers = moved.edges.iter().map(|(process, _)| *process).collect();
    Some(Step { movers, body, after, name: names.join("+"), span })
}
