//! Sampled runs: short lists of choices that many different runs begin with, for whoever wants to look at
//! runs before believing something about all of them.

use super::draw::{Drawn, MANNERS, Source};
use crate::settings::RUNS_SAMPLE_STEPS;
use alphorn_engine::Rng;
use alphorn_program::c::property::{Choice, Task};
use alphorn_program::c::run::{Limits, Listed, Outcome, Ran, Recorded, Runnable, Watcher};

/// A run that was drawn.
#[derive(Clone, Debug)]
pub struct Sampled {
    /// The choices that make the run come out the same again.
    pub choices: Vec<Choice>,
    /// How the run ended and how long it was.
    pub ran: Ran,
}

/// Some runs, determined by the seed.
pub fn sample(task: &Task, seed: u64, count: usize) -> Vec<Sampled> {
    let program = Runnable::new(task);
    let source = Source::new(&program);
    let mut rng = Rng::new(seed);
    let limits = Limits { steps: RUNS_SAMPLE_STEPS.get(), ..Limits::default() };
    (0..count)
        .map(|index| {
            let manner = MANNERS[index % MANNERS.len()];
            let drawn = Drawn::new(&program, &source, &mut rng, manner, &[]);
            let mut chooser = Recorded::new(drawn);
            let ran = program.run(&mut chooser, limits, &mut ());
            Sampled { choices: chooser.choices, ran }
        })
        .collect()
}

impl Sampled {
    /// Runs it again while somebody looks on. A run that was cut off is cut off at the same step.
    pub fn replay<W: Watcher + ?Sized>(&self, program: &Runnable, watch: &mut W) -> Outcome {
        let limits = Limits { steps: RUNS_SAMPLE_STEPS.get(), ..Limits::default() };
        program.run(&mut Listed::new(&self.choices), limits, watch).outcome
    }
}
