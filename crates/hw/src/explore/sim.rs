//! Random simulation, in rounds of 64 runs side by side (`circuit::Round`).
//!
//! Where the property fails in one of the 64 runs, that run is the counterexample.
//! The length of rounds follows Luby, Sinclair, Zuckerman (1993). The engine gives up after
//! so many words of patterns, or fewer for circuits so large that so many gates come first.

use crate::circuit::patterns::lanes;
use crate::circuit::{Round, first_bad};
use crate::luby::luby;
use crate::select::select_circuit;
use crate::settings::SIM_SHORTEST_ROUND;
use crate::settings::{SIM_MAX_STEPS, SIM_MAX_WORK};
use crate::transform::cone;
use alphorn_engine::{Ctx, Engine, Event, Stop};
use alphorn_problem::evidence::circuit::Trace;
use alphorn_problem::{Circuit, Finding};

/// Random simulation of 64 runs side by side.
#[derive(Debug, Default)]
pub struct Sim;

impl Engine<Circuit> for Sim {
    fn run(&mut self, circuit: &Circuit, ctx: &mut Ctx<'_>) -> Result<Finding<Circuit>, Stop> {
        first_bad(circuit)?;
        let (selected, unselect) = select_circuit(circuit, 0);
        let (small, uncone) = cone(&selected);
        let trace = simulate(&small, ctx)?;
        unselect.after(uncone).trace(trace, ctx).map(Finding::Fails)
    }
}

/// A violation of the first property of a valid circuit.
fn simulate(circuit: &Circuit, ctx: &mut Ctx<'_>) -> Result<Trace, Stop> {
    let bad = circuit.safety()[0];
    let work = SIM_MAX_WORK.get() / (circuit.ands.len() as u64 + 1);
    let most = SIM_MAX_STEPS.get().min(work).max(1);
    let mut seeds = ctx.rng(0);
    let mut steps = 0u64;
    for number in 1u64.. {
        let length = (SIM_SHORTEST_ROUND.get() * luby(number)).min(most - steps);
        let seed = seeds.next_u64();
        let mut round = Round::numbered(circuit, seed, number);
        let mut taken = 0;
        while taken < length {
            taken += 1;
            let words = round.step();
            (0..words).try_for_each(|_| ctx.tick(1))?;
            if let Some(lane) = lanes(round.alive & round.simulation.value(bad)).next() {
                let again = Round::numbered(circuit, seed, number);
                return Ok(again.recover(lane, &round, taken));
            }
            if !round.advance() {
                break;
            }
        }
        steps += taken;
        if number % 64 == 0 {
            ctx.emit(Event::Simulated { steps: steps * 64 });
        }
        if steps >= most {
            break;
        }
    }
    ctx.emit(Event::Simulated { steps: steps * 64 });
    Err(Stop::Stuck(format!("no counterexample in {} random steps", steps * 64)))
}
