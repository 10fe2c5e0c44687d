//! The steps before a bad one, with the frames of a trace behind literals, for runs of all lengths.
//!
//! Step 0 is bad; step `j` comes `j` steps before it. For each step and each level a literal says that the
//! state lies in the frame of the level. It implies the literal of the next level, and each lemma follows
//! from the literal of the level that it was last seen at. Lemmas of the infinite frame hold without one.
//!
//! As runs grow, a state is asked about with higher and higher frames: the literals of lower levels are
//! false from then on, which satisfies the lemmas that stand behind them.
//!
//! After the remark on incremental solving in Vizel, Gurfinkel (CAV 2014), §5.

use crate::ask::bit;
use crate::frames::{Cube, Frames};
use crate::interpolation::steps::{Cutting, Steps};
use alphorn_problem::Circuit;
use alphorn_sat::Lit;
use alphorn_sat::aig::{Edge, Polarity};
use std::collections::BTreeMap;

/// The level at which a lemma of the infinite frame is noted.
const INFINITE: u32 = u32::MAX;

/// The steps, and which lemmas they have.
pub(super) struct Unrolled<'a> {
    circuit: &'a Circuit,
    /// The steps themselves.
    pub(super) steps: Steps<'a>,
    /// The number of each lemma that was seen.
    numbers: BTreeMap<Cube, usize>,
    /// These lemmas by number.
    cubes: Vec<Cube>,
    /// The lemmas of the trace as it is, by number, with their levels.
    present: Vec<(usize, u32)>,
    /// The last level.
    last: usize,
    states: Vec<State>,
}

/// What is noted of the state of a step.
#[derive(Default)]
struct State {
    /// For each level from 1 on the literal that says that the state is in its frame.
    levels: Vec<Lit>,
    /// How many of these are false for good.
    gone: usize,
    /// For each lemma by its number the highest level that it was put at; 0 if none.
    placed: Vec<u32>,
}

impl<'a> Unrolled<'a> {
    /// No steps of a valid circuit.
    pub(super) fn new(circuit: &'a Circuit) -> Unrolled<'a> {
        let steps = Steps::new(circuit, Cutting::Backward);
        let (numbers, cubes) = (BTreeMap::new(), Vec::new());
        Unrolled {
            circuit,
            steps,
            numbers,
            cubes,
            present: Vec::new(),
            last: 0,
            states: Vec::new(),
        }
    }

    /// Notes what the frames are, for questions about runs of a length.
    pub(super) fn note(&mut self, frames: &Frames, length: usize) {
        self.forget_below(length);
        self.last = frames.last();
        self.present.clear();
        let finite =
            (1..=self.last).flat_map(|at| frames.level(at).map(move |cube| (cube, at as u32)));
        for (cube, at) in finite.chain(frames.infinite().map(|cube| (cube, INFINITE))) {
            let number = match self.numbers.get(cube) {
                Some(number) => *number,
                None => {
                    self.numbers.insert(cube.clone(), self.cubes.len());
                    self.cubes.push(cube.clone());
                    self.cubes.len() - 1
                }
            };
            self.present.push((number, at));
        }
    }

    /// Lets the earliest state be the first one of the runs; returns the literal to assume.
    pub(super) fn begin(&mut self) -> Lit {
        self.steps.begin();
        self.steps.start()
    }

    /// The literal that says that the state of a step lies in the frame of a level, where the first level
    /// stands for the start, too; makes the step if there is none.
    pub(super) fn frame(&mut self, level: usize, step: usize) -> Lit {
        while self.steps.count() <= step {
            self.extend();
        }
        let level = level.max(1);
        while self.states[step].levels.len() < self.last {
            let lit = self.steps.fresh();
            if let Some(below) = self.states[step].levels.last() {
                self.steps.add_clause(&[!*below, lit], step);
            }
            self.states[step].levels.push(lit);
        }
        self.states[step].placed.resize(self.cubes.len(), 0);
        for index in 0..self.present.len() {
            let (number, at) = self.present[index];
            if at as usize >= level && self.states[step].placed[number] < at {
                self.place(number, at, step);
            }
        }
        self.states[step].levels[level - 1]
    }

    /// Lets no state lie in a frame that runs of this length or longer do not ask about.
    fn forget_below(&mut self, length: usize) {
        for (step, state) in self.states.iter_mut().enumerate() {
            let gone = length.saturating_sub(step + 1).min(state.levels.len());
            for lit in state.levels.iter().take(gone).skip(state.gone) {
                self.steps.add_clause(&[!*lit], step);
            }
            state.gone = state.gone.max(gone);
        }
    }

    /// Adds a step at the beginning, with its constraints.
    fn extend(&mut self) {
        let step = self.steps.count();
        self.steps.extend();
        self.states.push(State::default());
        for constraint in &self.circuit.constraints {
            let edge = self.steps.edge(*constraint, step);
            self.steps.assert(edge, step);
        }
        if step == 0 {
            let bad = self.steps.edge(self.circuit.safety()[0], 0);
            self.steps.assert(bad, 0);
        }
    }

    /// Lets a lemma hold in the state of a step if that lies in the frame of the level.
    fn place(&mut self, number: usize, level: u32, step: usize) {
        let state = &mut self.states[step];
        state.placed[number] = level;
        let mut clause = Vec::new();
        if level != INFINITE {
            clause.push(!state.levels[level as usize - 1]);
        }
        for lit in self.cubes[number].negation() {
            match self.steps.edge(bit(lit), step) {
                Edge::TRUE => return,
                Edge::FALSE => {}
                edge => clause.push(self.steps.literal(edge, Polarity::Both, step)),
            }
        }
        self.steps.add_clause(&clause, step);
    }
}
