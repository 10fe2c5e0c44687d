//! Random simulation by evaluation of terms.
//!
//! One run at a time, with values that like corners (`random`). A choice that violates a
//! constraint is drawn again a few times before the run is given up. Where a value was drawn once,
//! later steps sometimes keep it: equality of words is what designs wait for.
//!
//! The length of rounds follows Luby, Sinclair, Zuckerman (1993). The engine gives up after
//! `MAX_STEPS` evaluated steps.

use super::{Machine, cone, first_bad, random_value};
use crate::luby::luby;
use crate::select::select_words;
use crate::settings::WORDS_SIM_MAX_STEPS;
use crate::settings::{WORDS_SIM_DRAWS, WORDS_SIM_SHORTEST_ROUND};
use alphorn_engine::{Ctx, Engine, Event, Rng, Stop};
use alphorn_problem::evidence::words::WordTrace;
use alphorn_problem::{Finding, Words};
use alphorn_term::{SortId, Value};

/// Random simulation of terms, one run at a time.
#[derive(Debug, Default)]
pub struct Sim;

impl Engine<Words> for Sim {
    fn run(&mut self, system: &Words, ctx: &mut Ctx<'_>) -> Result<Finding<Words>, Stop> {
        first_bad(system)?;
        let (selected, unselect) = select_words(system, 0);
        let (small, uncone) = cone(&selected);
        let trace = simulate(&small, ctx)?;
        unselect.after(uncone).trace(trace, ctx).map(Finding::Fails)
    }
}

fn simulate(system: &Words, ctx: &mut Ctx<'_>) -> Result<WordTrace, Stop> {
    let mut machine = Machine::new(system)?;
    let mut draw = Draw { rng: ctx.rng(0) };
    let sorts = machine.sorts();
    let first_sorts: Vec<SortId> = (machine.uninitialised().into_iter())
        .map(|place| system.terms.sort(system.states[machine.states[place]].var))
        .collect();
    let mut steps = 0;
    for number in 1.. {
        let length = WORDS_SIM_SHORTEST_ROUND.get() * luby(number);
        let first = machine.first(&draw.all(system, &first_sorts)?)?;
        let mut state = first.clone();
        let mut history: Vec<Vec<Value>> = Vec::new();
        'round: for _ in 0..length {
            for attempt in 0..=WORDS_SIM_DRAWS.size() {
                if attempt == WORDS_SIM_DRAWS.size() {
                    break 'round;
                }
                ctx.tick(1)?;
                steps += 1;
                let choices = draw.choices(system, &sorts, history.last())?;
                let (allowed, bad) = machine.step(&state, &choices)?;
                if allowed {
                    state = machine.next(&choices)?;
                    history.push(choices);
                    if bad {
                        return Ok(machine.trace(&first, &history));
                    }
                    break;
                }
            }
        }
        if number % 64 == 0 {
            ctx.emit(Event::Simulated { steps });
        }
        if steps >= WORDS_SIM_MAX_STEPS.get() {
            break;
        }
    }
    ctx.emit(Event::Simulated { steps });
    Err(Stop::Stuck(format!("no counterexample in {steps} random steps")))
}

struct Draw {
    rng: Rng,
}

impl Draw {
    /// Random values of `sorts`.
    fn all(&mut self, system: &Words, sorts: &[SortId]) -> Result<Vec<Value>, Stop> {
        let value = |sort: &SortId| {
            let value = random_value(&system.terms, *sort, &mut self.rng);
            value.ok_or_else(|| Stop::Unsupported("a sort has no values we can make".into()))
        };
        sorts.iter().map(value).collect()
    }

    /// Random values, some of them those of the step before.
    fn choices(
        &mut self,
        system: &Words,
        sorts: &[SortId],
        before: Option<&Vec<Value>>,
    ) -> Result<Vec<Value>, Stop> {
        let mut choices = self.all(system, sorts)?;
        for (choice, before) in choices.iter_mut().zip(before.into_iter().flatten()) {
            if self.rng.below(4) == 0 {
                *choice = before.clone();
            }
        }
        Ok(choices)
    }
}
