//! Strategies of safety games: put into the game as read, and judged by the certificate of what that leaves.
//!
//! The circuit that a strategy leaves is made here, of the game and the strategy (`problem::obligation::game`);
//! evidence has no say in it. What is then checked is an ordinary certificate of an ordinary circuit.
//! `PROOFS.md` shows that it suffices.

use crate::Refusal;
use crate::circuit::check_certificate;
use alphorn_problem::Game;
use alphorn_problem::evidence::circuit::Certificate;
use alphorn_problem::evidence::circuit::Property;
use alphorn_problem::evidence::game::{Controller, Spoiler};
use alphorn_problem::obligation::game::{controlled, opposed};

/// Accepts `found` if its strategy keeps the controller from ever losing.
pub fn check_controller(game: &Game, found: &Controller) -> Result<(), Refusal> {
    let left = controlled(game, &found.circuit).map_err(|why| Refusal::new("controller", why))?;
    is_about_it(&found.certificate)?;
    check_certificate(&left, &found.certificate)
}

/// Accepts `found` if its strategy makes every controller lose.
pub fn check_spoiler(game: &Game, found: &Spoiler) -> Result<(), Refusal> {
    let left = opposed(game, found).map_err(|why| Refusal::new("environment", why))?;
    is_about_it(&found.certificate)?;
    check_certificate(&left, &found.certificate)
}

/// What a strategy leaves has one property.
fn is_about_it(certificate: &Certificate) -> Result<(), Refusal> {
    match certificate.holds() {
        Property::Bad(0) => Ok(()),
        _ => Err(Refusal::new("property", "a strategy is shown to win by property 0")),
    }
}
