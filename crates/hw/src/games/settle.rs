//! The last steps before evidence about a game is checked: proofs of what the strategy leaves of it.

use crate::certify::{certify, prove_circuit};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::evidence::circuit::CircuitClaim;
use alphorn_problem::evidence::game::{Controller, Spoiler};
use alphorn_problem::obligation::game::{controlled, opposed};
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
            let certificate = certify(&left, 0, found.certificate.invariant.clone(), ctx)?;
            Ok(Verdict::Unsafe(Spoiler { certificate, ..found }))
        }
    }
}
