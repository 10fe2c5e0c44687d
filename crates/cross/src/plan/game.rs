//! Which engines a game gets, and how they share the time.
//!
//! Diagrams answer most games, and solvers some with many latches at once; `bench/notes/games.md` has the
//! figures.

use alphorn_engine::{Entry, Plan};
use alphorn_hw::engines as hw;
use alphorn_problem::Game;

/// Safety games.
static GAMES: Plan<Game> = Plan {
    about: "safety games",
    rows: &[
        Entry::share(&hw::GAME_BDD, 16),
        Entry::share(&hw::GAME_IC3, 2),
        Entry::share(&hw::GAME_SAT, 1).late(2_000),
        Entry::share(&hw::GAME_PLAIN, 1).late(2_000),
        Entry::share(&hw::GAME_WORDS, 4),
    ],
};

/// All plans for games.
pub static GAME_PLANS: &[&Plan<Game>] = &[&GAMES];

/// The engines for a game, with their shares of the time.
pub fn plan_game() -> Vec<Entry<Game>> {
    GAMES.rows.to_vec()
}
