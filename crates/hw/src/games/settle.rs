//! The last steps before evidence about a game is checked: proofs of what the strategy leaves of it.

use crate::certify::{certify, certify_by_cases, prove_circuit};
use crate::settings::GAMES_CASE_GATES;
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::evidence::circuit::{CircuitClaim, Invariant};
use alphorn_problem::evidence::game::{Controller, Spoiler};
use alphorn_problem::obligation::game::{controlled, counter_bits, opposed};
use alphorn_problem::{Finding, Game, Verdict};

/// The verdict that a finding about a game is, its evidence complete.
pub fn settle_game(
    game: &Game,
    finding: Finding<Game>,
    ctx: &mut Ctx<'_>,
) -> Result<Verdict<Game>, Stop> {
    match finding {
        Finding::Holds(claim) => {
            let left = controlled(game, &claim.circuit).map_err(Stop::Stuck)?;
            let certificate = prove_circuit(&left, CircuitClaim::of(claim.invariant), ctx)?;
            Ok(Verdict::Safe(Controller { circuit: claim.circuit, certificate }))
        }
        Finding::Fails(found) => {
            let left = opposed(game, &found).map_err(Stop::Stuck)?;
            let invariant = found.certificate.invariant.clone();
            let certificate = match &invariant {
                Invariant::Aig(graph) if graph.ands.len() > GAMES_CASE_GATES.size() => {
                    let bits = counter_bits(found.steps);
                    // For each number of steps that have passed, whether an error has shown.
                    let mut latches: Vec<usize> =
                        (left.latches.len() - bits..left.latches.len()).collect();
                    latches.push(game.circuit().latches.len());
                    certify_by_cases(&left, invariant, &latches, ctx)?
                }
                _ => certify(&left, 0, invariant, ctx)?,
            };
            Ok(Verdict::Unsafe(Spoiler { certificate, ..found }))
        }
    }
}
