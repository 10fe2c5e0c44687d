//! Games over words by predicates: what wide words are is forgotten but for comparisons.
//!
//! The controller is offered a few terms for each of its wide inputs, the *labels*: those that make a comparison true
//! or false, found by undoing what it is compared through. Short words stay as they are. Comparisons of wide words are
//! *predicates*: those of states alone are *tracked*, up to a number, and become states of a smaller game, whose next
//! values are combinations of predicates; all others are *untracked*, and the environment says what they are, as
//! long as they do not contradict each other. The smaller game is solved by diagrams. Who wins it as the controller
//! wins the game: its strategy chooses among labels, and its region is one of comparisons.
//!
//! What is won is proved on the bits of the game as it is, like any other strategy; nothing here is believed. A game
//! that is lost may be lost only because too much was forgotten, and is left to others.
//!
//! After Walker, Ryzhyk, "Predicate Abstraction for Reactive Synthesis" (FMCAD 2014). We differ in labels, which are
//! terms that are always available instead of predicates whose availability is approximated from both sides, so
//! that there is one game and not two, and nothing is refined.

mod concrete;
mod labels;
mod view;

use crate::games::Symbolic;
use alphorn_engine::{Ctx, Engine, Event, Stop};
use alphorn_problem::{Finding, Game};
use labels::Labels;
use view::View;

/// Solves a game over words by predicates.
pub struct Predicates;

impl Engine<Game> for Predicates {
    fn run(&mut self, game: &Game, ctx: &mut Ctx<'_>) -> Result<Finding<Game>, Stop> {
        let Some(words) = game.words() else {
            return Err(Stop::Unsupported("the game is not one over words".into()));
        };
        let labels = Labels::find(words, ctx)?;
        let mut view = View::new(words, &labels)?;
        let small = view.game(ctx)?;
        ctx.emit(Event::Remark(view.summary()));
        match (Symbolic { as_clauses: false }).run(&small.game, ctx)? {
            Finding::Holds(claim) => concrete::claim(game, words, &labels, &view, &small, claim),
            Finding::Fails(_) => {
                Err(Stop::Stuck("the environment wins what predicates tell of the game".into()))
            }
        }
    }
}
