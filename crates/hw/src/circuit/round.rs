//! A round of random simulation, 64 runs side by side.
//!
//! Runs start in random reset states and get random inputs. Three things help beyond plain luck:
//!
//! - Each input has a *habit* for the length of a run (mostly zero, constant, seldom changing …),
//!   since uniform noise never holds a request long enough for anything to happen.
//! - Inputs that violate a constraint are drawn again, a few times, for the violating runs only.
//! - A run that still violates a constraint dies, and a survivor's run forks into its place
//!   (a particle filter); when nothing survives, the round ends.
//!
//! In one of eight rounds runs are guided: those far from a bad step end, and near ones fork into their
//! places (`guide`).
//!
//! Only the seed of a round and the forks are remembered. A counterexample is recovered by
//! running the round again and following the ancestors of the failing run.

use super::Simulation;
use super::guide::Guide;
use super::patterns::lanes;
use crate::settings::SIM_DRAWS;
use alphorn_engine::Rng;
use alphorn_problem::Circuit;
use alphorn_problem::evidence::circuit::{Bit, Property, Trace};

/// How an input behaves during a round.
#[derive(Clone, Copy)]
enum Habit {
    Uniform,
    Seldom,
    Often,
    Constant,
    Keep,
}

/// The survivors that replace the dead after a step: for each lane, whose run it continues.
type Fork = (u64, [u8; 64]);

/// 64 runs from the start.
pub(crate) struct Round<'a> {
    circuit: &'a Circuit,
    pub(crate) simulation: Simulation<'a>,
    rng: Rng,
    habits: Vec<Habit>,
    /// The runs that satisfy the constraints so far.
    pub(crate) alive: u64,
    /// Steps taken.
    time: u64,
    forks: Vec<Fork>,
    guide: Option<Guide>,
}

impl<'a> Round<'a> {
    /// The round with a number: one of eight is guided, and these include the longest.
    pub(crate) fn numbered(circuit: &'a Circuit, seed: u64, number: u64) -> Round<'a> {
        let guide = (number % 8 == 7).then(|| Guide::new(circuit));
        Round { guide, ..Round::new(circuit, seed) }
    }

    pub(crate) fn new(circuit: &'a Circuit, seed: u64) -> Round<'a> {
        let mut rng = Rng::new(seed);
        let plain = rng.below(4) == 0;
        let habits = (0..circuit.inputs).map(|_| match rng.below(8) {
            _ if plain => Habit::Uniform,
            0..=2 => Habit::Uniform,
            3 => Habit::Seldom,
            4 => Habit::Often,
            5 => Habit::Constant,
            _ => Habit::Keep,
        });
        let habits = habits.collect();
        let simulation = Simulation::new(circuit);
        let (alive, forks) = (!0, Vec::new());
        Round { circuit, simulation, rng, habits, alive, time: 0, forks, guide: None }
    }

    /// Draws inputs (and the start, in the first step) until the constraints hold or patience
    /// ends, and settles the gates; how many words were evaluated.
    pub(crate) fn step(&mut self) -> u64 {
        let mut wanted = !0u64;
        let mut words = self.guide.as_ref().map_or(0, Guide::words);
        for attempt in 0..SIM_DRAWS.size() {
            self.draw(wanted, attempt > 0);
            self.simulation.settle();
            words += 1;
            wanted = !self.simulation.allowed();
            if wanted == 0 {
                break;
            }
        }
        self.alive = !wanted;
        words
    }

    /// Values for the patterns `wanted`; `again` if those drawn before violate a constraint.
    fn draw(&mut self, wanted: u64, again: bool) {
        for index in 0..self.circuit.inputs as usize {
            let old = self.simulation.inputs()[index];
            let noise = self.rng.next_u64();
            let few = |rng: &mut Rng| noise & rng.next_u64() & rng.next_u64();
            let word = match self.habits[index] {
                Habit::Uniform => noise,
                Habit::Seldom => few(&mut self.rng),
                Habit::Often => !few(&mut self.rng),
                // A constraint may want another constant, so a second draw may change it.
                Habit::Constant if self.time == 0 || again => noise,
                Habit::Constant => old,
                Habit::Keep if self.time == 0 => noise,
                Habit::Keep => old ^ few(&mut self.rng),
            };
            self.simulation.set_input(index, old & !wanted | word & wanted);
        }
        if self.time == 0 {
            for index in 0..self.circuit.latches.len() {
                if self.circuit.is_uninitialised(index) {
                    let old = self.simulation.latches()[index];
                    let word = self.rng.next_u64();
                    self.simulation.set_latch(index, old & !wanted | word & wanted);
                }
            }
            self.simulation.reset();
        }
    }

    /// Moves on to the next step, survivors' runs forking into the places of the dead; false if
    /// there are no survivors.
    pub(crate) fn advance(&mut self) -> bool {
        if self.alive == 0 {
            return false;
        }
        self.simulation.advance();
        self.time += 1;
        if self.alive != !0 {
            let survivors: Vec<u32> = lanes(self.alive).collect();
            let mut from = [0u8; 64];
            for (lane, from) in from.iter_mut().enumerate() {
                let dead = self.alive >> lane & 1 == 0;
                let pick = self.rng.below(survivors.len() as u64) as usize;
                *from = if dead { survivors[pick] as u8 } else { lane as u8 };
            }
            self.fork(from);
        }
        let Round { circuit, simulation, guide, time, .. } = self;
        if let Some(from) = guide.as_mut().and_then(|g| g.choose(circuit, simulation, *time)) {
            self.fork(from);
        }
        true
    }

    /// Runs the round again and reads off the run that failed in `lane` after `length` steps.
    pub(crate) fn recover(mut self, lane: u32, failed: &Round<'_>, length: u64) -> Trace {
        let bad = self.circuit.safety()[0];
        // Which lane the run is in at each time, from the end to the start.
        let mut place = vec![lane as u8; length as usize];
        let mut lane = lane as u8;
        let mut forks = failed.forks.iter().rev().peekable();
        for time in (0..length).rev() {
            place[time as usize] = lane;
            while let Some((_, from)) = forks.next_if(|(at, _)| *at == time) {
                lane = from[lane as usize];
            }
        }
        let bit = |word: u64, lane: u8| if word >> lane & 1 == 1 { Bit::One } else { Bit::Zero };
        let mut trace = Trace { property: Property::Bad(0), start: Vec::new(), inputs: Vec::new() };
        for (time, &lane) in place.iter().enumerate() {
            self.step();
            if time == 0 {
                trace.start = self.simulation.latches().iter().map(|w| bit(*w, lane)).collect();
            }
            trace.inputs.push(self.simulation.inputs().iter().map(|w| bit(*w, lane)).collect());
            debug_assert!(
                time as u64 + 1 < length || bit(self.simulation.value(bad), lane) == Bit::One
            );
            if time as u64 + 1 < length {
                self.advance();
            }
        }
        trace
    }

    /// Lets each lane continue the run of another.
    fn fork(&mut self, from: [u8; 64]) {
        for word in self.simulation.latches_mut() {
            *word = gather(*word, &from);
        }
        for index in 0..self.circuit.inputs as usize {
            let word = gather(self.simulation.inputs()[index], &from);
            self.simulation.set_input(index, word);
        }
        self.forks.push((self.time, from));
    }
}

/// The word whose bit `lane` is bit `from[lane]` of `word`.
fn gather(word: u64, from: &[u8; 64]) -> u64 {
    from.iter().enumerate().fold(0, |all, (lane, &from)| all | (word >> from & 1) << lane)
}
