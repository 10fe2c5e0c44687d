//! The engine `explore`: breadth-first search over packed states, with compiled rules.
//!
//! What is found is what `words-explicit` finds, on systems of words that fit into registers and for far more states.
//! Where they are too many for a list that `check` would go through, the search still finds violations, and says how
//! many states it saw.

pub mod fair;
mod graph;
pub mod home;
mod memo;
mod model;
mod program;
mod table;

pub use graph::{Backwards, Graph, Limits, Mark, Step};
pub use model::{Model, Seen, Workspace};
pub use table::{Table, hash};

use super::explicit::Combinations;
use super::roles::Choice;
use super::{Machine, cone, first_bad};
use crate::checkable::words_checkable;
use crate::select::select_words;
use crate::settings::{EXPLORE_MAX_STATES, WORDS_EXPLICIT_MAX_CHOICES, WORDS_EXPLICIT_MAX_FIRST};
use alphorn_engine::{Ctx, Engine, Event, Stop};
use alphorn_problem::evidence::words::{ClaimedInvariant, Rows, WordClaim, WordTrace};
use alphorn_problem::{Finding, Words};
use alphorn_term::{SortId, TermId, Value};

/// Search over packed states.
#[derive(Debug, Default)]
pub struct Explore;

impl Engine<Words> for Explore {
    fn run(&mut self, system: &Words, ctx: &mut Ctx<'_>) -> Result<Finding<Words>, Stop> {
        if system.bads.is_empty() && !system.homes.is_empty() {
            return home::decide_home(system, ctx);
        }
        first_bad(system)?;
        let (selected, unselect) = select_words(system, 0);
        let (small, uncone) = cone(&selected);
        let finding = search(&small, ctx)?;
        let finding = unselect.after(uncone).finding(finding, ctx)?;
        if let Finding::Holds(certificate) = &finding {
            words_checkable(system, certificate)?;
        }
        Ok(finding)
    }
}

/// A system ready to be gone through.
pub struct Scene<'a> {
    machine: Machine<'a>,
    choices: Combinations,
    /// The compiled system.
    pub model: Model,
    /// Its first states, packed.
    pub firsts: Vec<Vec<u64>>,
    /// Values that have the sorts of the states.
    like: Vec<Value>,
}

impl<'a> Scene<'a> {
    /// Compiles a system, or says why it is not for this engine.
    pub fn new(system: &'a Words, ctx: &mut Ctx<'_>) -> Result<Scene<'a>, Stop> {
        let mut machine = Machine::new(system)?;
        if machine.choices.iter().any(|choice| matches!(choice, Choice::Next(_))) {
            return Err(Stop::Unsupported("a state without next value is not packed".into()));
        }
        let (store, sorts) = (&system.terms, machine.sorts());
        let too_many = |what| Stop::Unsupported(format!("the {what} are too many to enumerate"));
        let choices = Combinations::new(store, &sorts, WORDS_EXPLICIT_MAX_CHOICES.get())
            .ok_or_else(|| too_many("values of inputs"))?;
        let open = machine.uninitialised();
        let sort = |place: &usize| store.sort(system.states[machine.states[*place]].var);
        let sorts: Vec<SortId> = open.iter().map(sort).collect();
        let first = Combinations::new(store, &sorts, WORDS_EXPLICIT_MAX_FIRST.get())
            .ok_or_else(|| too_many("first states"))?;
        let chosen: Vec<TermId> = (machine.choices.iter())
            .map(|choice| super::Roles::variable(system, *choice))
            .collect();
        let all: Vec<Vec<Value>> = (0..choices.count()).map(|index| choices.at(index)).collect();
        let model = Model::new(system, &machine.states.clone(), &chosen, &all, ctx)?;
        let (mut firsts, mut like) = (Vec::new(), Vec::new());
        for index in 0..first.count() {
            ctx.tick(1)?;
            let state = machine.first(&first.at(index))?;
            let packed = model.pack(&state);
            firsts.push(packed.ok_or_else(|| Stop::Unsupported("a state has no bits".into()))?);
            like = state;
        }
        Ok(Scene { machine, choices, model, firsts, like })
    }

    /// The values of a packed state.
    pub fn values(&self, state: &[u64]) -> Vec<Value> {
        self.model.unpack(state, &self.like)
    }

    /// The values of the system's inputs under a choice; those of no importance are some.
    pub fn inputs(&self, choice: usize) -> Vec<Value> {
        let trace = self.machine.trace(&self.like, &[self.choices.at(choice as u64)]);
        trace.inputs.into_iter().next().unwrap_or_default()
    }

    /// The first states, each with where it came from, and by which choice: first states come from themselves.
    fn begun(&self) -> (Table, Vec<(u32, u32)>) {
        let mut table = Table::new(self.model.size());
        let mut origins: Vec<(u32, u32)> = Vec::new();
        for first in &self.firsts {
            if table.insert(first, hash(first)).1 {
                origins.push((origins.len() as u32, 0));
            }
        }
        (table, origins)
    }

    /// The run that starts in `first` and makes these choices.
    pub fn trace(&self, first: &[u64], choices: &[usize]) -> WordTrace {
        let choices: Vec<Vec<Value>> =
            choices.iter().map(|choice| self.choices.at(*choice as u64)).collect();
        self.machine.trace(&self.values(first), &choices)
    }
}

fn search(system: &Words, ctx: &mut Ctx<'_>) -> Result<Finding<Words>, Stop> {
    let scene = Scene::new(system, ctx)?;
    let model = &scene.model;
    let (mut table, mut origins) = scene.begun();
    let mut workspace = model.workspace();
    let (mut next, mut depth) = (0, 0);
    let mut state = vec![0; model.size()];
    while next < table.len() {
        let end = table.len();
        for number in next..end {
            state.copy_from_slice(table.state(number));
            let mut bad = None;
            let fired = model.expand(&state, &mut workspace, |seen, to| match seen {
                Seen::Bad(choice, 0) => bad = bad.or(Some(choice)),
                Seen::Bad(..) => {}
                Seen::Next(choice) => {
                    if table.insert(to, hash(to)).1 {
                        origins.push((number as u32, choice as u32));
                    }
                }
            });
            ctx.tick(1 + fired as u64 + model.choices() as u64 / 8)?;
            if let Some(choice) = bad {
                let (first, choices) = run_to(&origins, number, choice);
                return Ok(Finding::Fails(scene.trace(table.state(first), &choices)));
            }
        }
        next = end;
        let (seen, waiting) = (table.len() as u64, (table.len() - end) as u64);
        ctx.emit(Event::Explored { seen, waiting });
        ctx.emit(Event::Bound { depth });
        depth += 1;
        let most = EXPLORE_MAX_STATES.size();
        if table.len() > most {
            return Err(Stop::Stuck(format!("more than {most} reachable states")));
        }
    }
    let states = (0..table.len()).map(|number| scene.values(table.state(number))).collect();
    let invariant = ClaimedInvariant::States(Rows { vars: scene.machine.states, states });
    Ok(Finding::Holds(WordClaim { property: 0, invariant }))
}

/// The first state of the run to a state, and the choices along it, with the last.
fn run_to(origins: &[(u32, u32)], state: usize, last: usize) -> (usize, Vec<usize>) {
    let (mut state, mut choices) = (state, vec![last]);
    while origins[state].0 as usize != state {
        choices.push(origins[state].1 as usize);
        state = origins[state].0 as usize;
    }
    choices.reverse();
    (state, choices)
}
