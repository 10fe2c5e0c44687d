//! Simpler choices for the same violation: numbers near zero, contents that are one number throughout.

use super::draw::{Drawn, Manner, Source};
use crate::settings::{RUNS_MAX_SIMPLIFY, RUNS_MAX_SIMPLIFY_STEPS};
use alphorn_engine::{Ctx, Rng, Stop};
use alphorn_program::c::evidence::Run;
use alphorn_program::c::property::Choice;
use alphorn_program::c::run::{Limits, Outcome, Recorded, Runnable};

/// A run with a violation of the same property, and choices that are no harder to read. What a compiled program takes,
/// where no call is remembered, counts: a run that nobody can wait for is made shorter if that can be.
pub fn simplify(
    program: &Runnable,
    source: &Source,
    found: Run,
    ctx: &mut Ctx<'_>,
) -> Result<Run, Stop> {
    let mut search = Search { program, source, best: found, weight: u64::MAX, runs: 0, steps: 0 };
    // How long it takes without remembering is not known yet.
    if !search.best.choices.is_empty() && search.best.steps <= MAX_QUICK_STEPS {
        let list = search.best.choices.clone();
        search.attempt(&list, ctx)?;
    }
    let mut index = 0;
    while index < search.best.choices.len() && search.goes_on() {
        let tried = simpler(&search.best.choices[index]);
        // A number that was halved may be halved again.
        if !search.first_of(index, tried, ctx)? {
            index += 1;
        }
    }
    for index in 0..search.best.choices.len() {
        if search.is_quick() || !search.goes_on() {
            break;
        }
        if let Some(Choice::Value(number)) = search.best.choices.get(index) {
            search.first_of(index, near_zero(*number), ctx)?;
        }
    }
    Ok(search.best)
}

/// A compiled run of so many steps is over at once.
const MAX_QUICK_STEPS: u64 = 1 << 22;
/// A turn of a thread that is as long as it can be.
const MAX_POINTS: u64 = 1 << 20;
/// How far from zero numbers are all tried for a run that is not.
const MAX_SMALL: i128 = 40;

/// The simplest run so far, and what it cost.
struct Search<'s> {
    program: &'s Runnable,
    source: &'s Source,
    best: Run,
    /// The steps of the best run if no call is remembered.
    weight: u64,
    runs: usize,
    steps: u64,
}

impl Search<'_> {
    fn goes_on(&self) -> bool {
        self.runs < RUNS_MAX_SIMPLIFY.size() && self.steps < RUNS_MAX_SIMPLIFY_STEPS.get()
    }

    /// Whether a compiled program does not take long for the best run.
    fn is_quick(&self) -> bool {
        self.weight <= MAX_QUICK_STEPS
    }

    /// Takes the first of some choices in the place of one that leads to the violation, too.
    fn first_of(
        &mut self,
        index: usize,
        tried: Vec<Choice>,
        ctx: &mut Ctx<'_>,
    ) -> Result<bool, Stop> {
        for choice in tried {
            let mut list = self.best.choices.clone();
            list[index] = choice;
            if self.attempt(&list, ctx)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Runs with a list of choices, and keeps the run if it is as good as the best.
    fn attempt(&mut self, list: &[Choice], ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
        self.runs += 1;
        self.steps += self.best.steps;
        let tried = attempt(self.program, self.source, list, self.best.steps);
        ctx.tick(self.best.steps.min(1 << 20))?;
        let is_better = |(run, weight): &(Run, u64)| {
            run.violation.property == self.best.violation.property
                && run.choices.len() <= self.best.choices.len()
                && *weight <= self.weight.max(MAX_QUICK_STEPS)
        };
        let Some((run, weight)) = tried.filter(is_better) else { return Ok(false) };
        (self.best, self.weight) = (run, weight);
        Ok(true)
    }
}

/// The violation that a list of choices leads to, with the choices that were asked for, and how many steps the run
/// takes if no call is remembered.
fn attempt(program: &Runnable, source: &Source, list: &[Choice], steps: u64) -> Option<(Run, u64)> {
    let mut rng = Rng::new(0);
    let drawn = Drawn::new(program, source, &mut rng, Manner::Bits, list);
    let mut chooser = Recorded::new(drawn);
    let limits = Limits { steps, ..Limits::default() };
    let ran = program.run(&mut chooser, limits, &mut ());
    match ran.outcome {
        Outcome::Violation(violation) => {
            let run = Run { choices: chooser.choices, steps: ran.steps, violation };
            Some((run, ran.steps.saturating_add(ran.spared)))
        }
        _ => None,
    }
}

/// All numbers near zero that are nearer to it than one, from the nearest.
fn near_zero(number: i128) -> Vec<Choice> {
    let end = MAX_SMALL.min(i128::try_from(number.unsigned_abs()).unwrap_or(MAX_SMALL));
    (0..end).flat_map(|size| [size, -size]).skip(1).map(Choice::Value).collect()
}

/// Choices that are simpler than one.
fn simpler(choice: &Choice) -> Vec<Choice> {
    let numbers = |number: i128| {
        let mut tried: Vec<i128> = vec![0, 1, number / 16, number / 2, number - number.signum()];
        tried.retain(|&tried| tried.unsigned_abs() < number.unsigned_abs());
        tried.dedup();
        tried
    };
    match choice {
        Choice::Value(number) => numbers(*number).into_iter().map(Choice::Value).collect(),
        Choice::Contents { cells, default } => {
            let mut tried = Vec::new();
            if !cells.is_empty() {
                tried.push(Choice::Contents { cells: Vec::new(), default: 0 });
                tried.push(Choice::Contents { cells: Vec::new(), default: *default });
                let half = cells[..cells.len() / 2].to_vec();
                tried.push(Choice::Contents { cells: half, default: *default });
            } else if *default != 0 {
                tried.push(Choice::Contents { cells: Vec::new(), default: 0 });
            }
            tried
        }
        // The longer a turn the fewer there are.
        Choice::Turn { thread, points } if *points < MAX_POINTS => {
            vec![Choice::Turn { thread: *thread, points: MAX_POINTS }]
        }
        Choice::Turn { .. } | Choice::Allocated(true) => Vec::new(),
        Choice::Allocated(false) => vec![Choice::Allocated(true)],
    }
}
