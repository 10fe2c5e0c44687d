//! What happens along clauses, and the run that a derivation is.
//!
//! A clause begins at a place (its *spine* is the atom of that place; none for the beginning of the
//! program) and passes choices and calls. A derivation, read from its query along
//! spines to the beginning and then forwards, with the derivations of calls in their places, is a run, and
//! what it observes are the choices that the run was given.

use super::{Clauses, Site};
use crate::form::Observation;
use alphorn_problem::Span;
use alphorn_problem::evidence::horn::{Derivation, Fact};
use alphorn_problem::horn::ClauseId;
use alphorn_term::{Model, TermId, Value, eval};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// What happens along a clause.
#[derive(Clone, Debug, Default)]
pub struct Story {
    /// The atom of the place where it begins.
    pub spine: Option<TermId>,
    /// What happens, in order.
    pub events: Vec<Event>,
}

/// Something that happens if a formula holds.
#[derive(Clone, Debug)]
pub struct Event {
    /// The formula; an event without one always happens.
    pub guard: Option<TermId>,
    /// What happens.
    pub what: What,
}

/// What may happen.
#[derive(Clone, Debug)]
pub enum What {
    /// A procedure is called, and its summary is this atom.
    Call(TermId),
    /// Something is observed.
    Observe(Observation),
}

/// What was observed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    /// A value.
    Value(Value),
    /// Contents of an object: where each part begins, how far apart elements are (zero for a single
    /// value), and what it is.
    Contents(Vec<(u64, u64, Value)>),
    /// Whether an allocation succeeded.
    Allocated(bool),
    /// A thread takes a visible step, which stands there.
    Turn(u32, Span),
    /// A thread is created.
    Created(u32),
}

/// The instance of a clause that a step of a derivation is.
struct Instance<'a> {
    clauses: &'a Clauses,
    story: &'a Story,
    model: Model,
}

impl<'a> Instance<'a> {
    fn of(clauses: &'a Clauses, derivation: &Derivation, step: usize) -> Option<Instance<'a>> {
        let step = derivation.steps.get(step)?;
        let ClauseId(clause) = step.clause;
        let story = clauses.stories.get(clause as usize)?;
        let vars = &clauses.horn.clauses.get(clause as usize)?.vars;
        let mut model = Model::new();
        for (&var, value) in vars.iter().zip(&step.values) {
            model.set(var, value.clone());
        }
        // What the clause does not mention may be anything.
        let terms: Vec<TermId> = story.events.iter().flat_map(Event::terms).collect();
        for var in clauses.horn.terms.free_vars(&terms) {
            if !vars.contains(&var) {
                let sort = clauses.horn.terms.sort(var);
                model.set(var, Value::default_of(&clauses.horn.terms, sort)?);
            }
        }
        Some(Instance { clauses, story, model })
    }

    fn value(&self, term: TermId) -> Option<Value> {
        eval(&self.clauses.horn.terms, term, &self.model).ok()
    }

    /// The fact that an atom is.
    fn fact(&self, atom: TermId) -> Option<Fact> {
        let terms = &self.clauses.horn.terms;
        let pred = self.clauses.horn.atom(atom)?;
        let args = terms.args(atom).iter().map(|&arg| self.value(arg));
        Some((self.clauses.horn.pred(pred).func, args.collect::<Option<Vec<Value>>>()?))
    }

    /// Whether an atom says that its procedure is entered.
    fn is_entered(&self, atom: TermId) -> bool {
        let pred = self.clauses.horn.atom(atom);
        pred.is_some_and(|pred| matches!(self.clauses.spots[pred.index()].site, Site::Context(_)))
    }

    fn happens(&self, event: &Event) -> bool {
        event.guard.is_none_or(|guard| self.value(guard) == Some(Value::Bool(true)))
    }

    fn told(&self, observation: &Observation) -> Option<Told> {
        Some(match observation {
            Observation::Value(term) => Told::Value(self.value(*term)?),
            Observation::Turn(thread, span) => Told::Turn(*thread, *span),
            Observation::Created(thread) => Told::Created(*thread),
            Observation::Allocated(term) => {
                Told::Allocated(self.value(*term)? == Value::Bool(true))
            }
            Observation::Contents(parts) => {
                let parts = parts
                    .iter()
                    .map(|part| Some((part.offset, part.stride, self.value(part.term)?)));
                Told::Contents(parts.collect::<Option<Vec<_>>>()?)
            }
        })
    }
}

impl Event {
    fn terms(&self) -> Vec<TermId> {
        let mut terms: Vec<TermId> = self.guard.iter().copied().collect();
        match &self.what {
            What::Call(atom) => terms.push(*atom),
            What::Observe(observation) => terms.extend(observation.terms()),
        }
        terms
    }
}

/// What is still to be told.
enum Todo {
    /// The way to this step: from where its procedure begins if that was called and the caller's way is
    /// told already, else from where the program begins.
    Way(usize, bool),
    /// The events of a step, from this one on.
    Events(usize, usize),
}

/// The observations of the run that a derivation is; none if it is not one of these clauses.
pub fn tell(clauses: &Clauses, derivation: &Derivation) -> Option<Vec<Told>> {
    let facts: Vec<Option<Fact>> =
        derivation.steps.iter().map(|step| step.conclusion(&clauses.horn)).collect();
    let premise = |step: usize, fact: &Fact| {
        let premises = derivation.steps[step].premises.iter().copied();
        let mut found = premises.filter(|&other| facts[other].as_ref() == Some(fact));
        found.next()
    };
    let mut told = Vec::new();
    let mut instances: BTreeMap<usize, Instance<'_>> = BTreeMap::new();
    let mut todo = vec![Todo::Way(derivation.steps.len().checked_sub(1)?, false)];
    while let Some(next) = todo.pop() {
        let (Todo::Way(step, _) | Todo::Events(step, _)) = next;
        if let Entry::Vacant(entry) = instances.entry(step) {
            entry.insert(Instance::of(clauses, derivation, step)?);
        }
        let instance = &instances[&step];
        match next {
            Todo::Way(step, is_call) => {
                todo.push(Todo::Events(step, 0));
                if let Some(spine) = instance.story.spine
                    && !(is_call && instance.is_entered(spine))
                {
                    todo.push(Todo::Way(premise(step, &instance.fact(spine)?)?, is_call));
                }
            }
            Todo::Events(step, at) => {
                let Some(event) = instance.story.events.get(at) else { continue };
                todo.push(Todo::Events(step, at + 1));
                if instance.happens(event) {
                    match &event.what {
                        What::Call(atom) => {
                            todo.push(Todo::Way(premise(step, &instance.fact(*atom)?)?, true));
                        }
                        What::Observe(observation) => told.push(instance.told(observation)?),
                    }
                }
            }
        }
    }
    Some(told)
}
