//! The graph of a system: its reachable states, the steps between them, and what is so in them.
//!
//! States are numbered by their distance from the first ones, so that runs to them are shortest. Steps that lead back to
//! where they start are not kept. Invariant: the steps of a state are contiguous, and lead to states of the graph.

use super::table::{Table, hash};
use super::{Scene, Seen, run_to};
use alphorn_engine::{Ctx, Event, Stop};

/// A step of a state.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The state that it leads to.
    pub to: u32,
    /// The choice of inputs that it is made with.
    pub choice: u32,
}

/// Something that is so in a state: a property is violated under a choice of inputs.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    /// The property of the system.
    pub property: u32,
    /// A choice with which it is; every such one if that depends on the choice.
    pub choice: u32,
}

/// Where the search for states ends.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most states.
    pub states: usize,
    /// The most steps.
    pub steps: usize,
}

/// All reachable states of a system, and the steps between them.
pub struct Graph {
    table: Table,
    origins: Vec<(u32, u32)>,
    steps: Rows<Step>,
    marks: Rows<Mark>,
}

/// A list for each state, one behind the other.
struct Rows<T> {
    ends: Vec<usize>,
    all: Vec<T>,
}

impl<T> Rows<T> {
    fn new() -> Rows<T> {
        Rows { ends: Vec::new(), all: Vec::new() }
    }

    fn of(&self, state: usize) -> &[T] {
        let start = if state == 0 { 0 } else { self.ends[state - 1] };
        &self.all[start..self.ends[state]]
    }
}

impl Graph {
    /// Goes through all states of a system.
    pub fn new(scene: &Scene<'_>, limits: Limits, ctx: &mut Ctx<'_>) -> Result<Graph, Stop> {
        let model = &scene.model;
        let (mut table, mut origins) = scene.begun();
        let mut workspace = model.workspace();
        let (mut steps, mut marks) = (Rows::new(), Rows::new());
        let mut state = vec![0; model.size()];
        let mut number = 0;
        while number < table.len() {
            state.copy_from_slice(table.state(number));
            let fired = model.expand(&state, &mut workspace, |seen, to| match seen {
                Seen::Bad(choice, property) => {
                    marks.all.push(Mark { property: property as u32, choice: choice as u32 });
                }
                Seen::Next(choice) => {
                    let (to, is_new) = table.insert(to, hash(to));
                    if is_new {
                        origins.push((number as u32, choice as u32));
                    }
                    if to != number {
                        steps.all.push(Step { to: to as u32, choice: choice as u32 });
                    }
                }
            });
            steps.ends.push(steps.all.len());
            marks.ends.push(marks.all.len());
            number += 1;
            ctx.tick(1 + fired as u64 + model.choices() as u64 / 8)?;
            if table.len() > limits.states || steps.all.len() > limits.steps {
                let why = format!(
                    "more than {} reachable states or {} steps",
                    limits.states, limits.steps
                );
                return Err(Stop::Stuck(why));
            }
        }
        ctx.emit(Event::Explored { seen: table.len() as u64, waiting: 0 });
        Ok(Graph { table, origins, steps, marks })
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.table.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.table.len() == 0
    }

    /// A state, packed.
    pub fn state(&self, state: usize) -> &[u64] {
        self.table.state(state)
    }

    /// How many steps there are between different states.
    pub fn count_steps(&self) -> usize {
        self.steps.all.len()
    }

    /// The steps of a state to others.
    pub fn steps(&self, state: usize) -> &[Step] {
        self.steps.of(state)
    }

    /// What is so in a state.
    pub fn marks(&self, state: usize) -> &[Mark] {
        self.marks.of(state)
    }

    /// The first state of a shortest run to a state, and the choices along it.
    pub fn run_to(&self, state: usize) -> (usize, Vec<usize>) {
        let (first, mut choices) = run_to(&self.origins, state, 0);
        choices.pop();
        (first, choices)
    }

    /// The steps that lead to each state, as steps to where they come from.
    pub fn backwards(&self) -> Backwards {
        let count = self.len();
        let mut ends = vec![0usize; count + 1];
        for step in &self.steps.all {
            ends[step.to as usize + 1] += 1;
        }
        for state in 0..count {
            ends[state + 1] += ends[state];
        }
        let mut all = vec![Step { to: 0, choice: 0 }; self.steps.all.len()];
        let mut places = ends.clone();
        for state in 0..count {
            for step in self.steps(state) {
                let place = &mut places[step.to as usize];
                all[*place] = Step { to: state as u32, choice: step.choice };
                *place += 1;
            }
        }
        ends.remove(0);
        Backwards(Rows { ends, all })
    }

    /// The strongly connected components of the states for which `within` is true, each after those that it has
    /// steps to (Tarjan 1972, with a stack of our own).
    pub fn components(&self, within: &[bool]) -> Vec<Vec<u32>> {
        const UNSEEN: u32 = u32::MAX;
        const DONE: u32 = u32::MAX - 1;
        let (mut order, mut lows) = (vec![UNSEEN; self.len()], vec![0; self.len()]);
        let (mut stack, mut calls): (Vec<u32>, Vec<(u32, usize)>) = (Vec::new(), Vec::new());
        let (mut found, mut next) = (Vec::new(), 0);
        for root in (0..self.len()).filter(|root| within[*root]) {
            let mut entered = (order[root] == UNSEEN).then_some(root as u32);
            loop {
                if let Some(state) = entered.take() {
                    (order[state as usize], lows[state as usize]) = (next, next);
                    next += 1;
                    stack.push(state);
                    calls.push((state, 0));
                }
                let Some((state, at)) = calls.last_mut() else { break };
                let here = *state as usize;
                if let Some(step) = self.steps(here).get(*at) {
                    *at += 1;
                    let to = step.to as usize;
                    match order[to] {
                        _ if !within[to] => {}
                        UNSEEN => entered = Some(step.to),
                        DONE => {}
                        seen => lows[here] = lows[here].min(seen),
                    }
                    continue;
                }
                calls.pop();
                if let Some((above, _)) = calls.last() {
                    let above = *above as usize;
                    lows[above] = lows[above].min(lows[here]);
                }
                if lows[here] == order[here] {
                    let start = stack.iter().rposition(|one| *one as usize == here).unwrap_or(0);
                    let component = stack.split_off(start);
                    component.iter().for_each(|one| order[*one as usize] = DONE);
                    found.push(component);
                }
            }
        }
        found
    }
}

/// The steps of a graph by where they lead to.
pub struct Backwards(Rows<Step>);

impl Backwards {
    /// The steps that lead to a state: `to` is where each comes from.
    pub fn steps(&self, state: usize) -> &[Step] {
        self.0.of(state)
    }
}
