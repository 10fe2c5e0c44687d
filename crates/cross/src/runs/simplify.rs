//! Simpler choices for the same violation: numbers near zero, contents that are one number throughout.

use super::draw::{Drawn, Manner, Source};
use crate::settings::{RUNS_MAX_SIMPLIFY, RUNS_MAX_SIMPLIFY_STEPS};
use alphorn_engine::{Ctx, Rng, Stop};
use alphorn_program::c::evidence::Run;
use alphorn_program::c::property::Choice;
use alphorn_program::c::run::{Limits, Outcome, Recorded, Runnable};

/// A run with a violation of the same property, and choices that are no harder to read.
pub fn simplify(
    program: &Runnable,
    source: &Source,
    found: Run,
    ctx: &mut Ctx<'_>,
) -> Result<Run, Stop> {
    let mut best = found;
    let (mut runs, mut steps) = (0, 0);
    let mut index = 0;
    while index < best.choices.len()
        && runs < RUNS_MAX_SIMPLIFY.size()
        && steps < RUNS_MAX_SIMPLIFY_STEPS.get()
    {
        let mut is_simpler = false;
        for simpler in simpler(&best.choices[index]) {
            runs += 1;
            steps += best.steps;
            let mut list = best.choices.clone();
            list[index] = simpler;
            let tried = attempt(program, source, &list, best.steps);
            ctx.tick(best.steps.min(1 << 20))?;
            if let Some(run) = tried
                && run.violation.property == best.violation.property
                && run.choices.len() <= best.choices.len()
            {
                best = run;
                is_simpler = true;
                break;
            }
        }
        // A number that was halved may be halved again.
        if !is_simpler {
            index += 1;
        }
    }
    Ok(best)
}

/// The violation that a list of choices leads to, with the choices that were asked for.
pub fn attempt(program: &Runnable, source: &Source, list: &[Choice], steps: u64) -> Option<Run> {
    let mut rng = Rng::new(0);
    let drawn = Drawn::new(program, source, &mut rng, Manner::Bits, list);
    let mut chooser = Recorded::new(drawn);
    let limits = Limits { steps, ..Limits::default() };
    let ran = program.run(&mut chooser, limits, &mut ());
    match ran.outcome {
        Outcome::Violation(violation) => {
            Some(Run { choices: chooser.choices, steps: ran.steps, violation })
        }
        _ => None,
    }
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
        Choice::Allocated(true) => Vec::new(),
        Choice::Allocated(false) => vec![Choice::Allocated(true)],
    }
}
