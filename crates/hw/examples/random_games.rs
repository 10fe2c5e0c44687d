//! Random games in bulk: `random_games [FIRST_SEED [COUNT]]`. Each is given to all engines for games; every
//! answer is held against brute force and its evidence is checked. The first that fails ends the program. For every
//! other seed the environment's strategy is one by steps and its proof one by cases, as otherwise in large games only; for
//! half of those, constants are played first and steps are taken apart, as in hard ones only.

use alphorn_hw::engines::GAME_ENGINES;
use alphorn_hw::games::settle_game;
use alphorn_hw::settings::SETTINGS;
use alphorn_testkit::Rng;
use alphorn_testkit::circuit::games::{judge, random_game};

/// Settings that say from where on a game is large.
const LARGE_ONLY: [&str; 2] = ["games.pursuit-ticks", "games.case-gates"];
/// Settings that say from where on it is hard.
const HARD_ONLY: [&str; 2] = ["games.choice-ticks", "games.case-ticks"];

fn main() {
    let (mut games, mut won, mut silent) = (0u64, 0u64, 0u64);
    for seed in alphorn_testkit::seeds("random_games") {
        for setting in SETTINGS {
            let is_large = LARGE_ONLY.contains(&setting.name) && seed % 2 == 1;
            let is_hard = HARD_ONLY.contains(&setting.name) && seed % 4 == 3;
            setting.set(if is_large || is_hard { 0 } else { setting.usual });
        }
        let game = random_game(&mut Rng::new(seed));
        games += 1;
        for (at, card) in GAME_ENGINES.iter().filter(|card| card.refutes).enumerate() {
            match judge(&game, card, settle_game) {
                Ok(is_won) => won += u64::from(is_won && at == 0),
                Err(stop) => {
                    silent += 1;
                    println!("seed {seed}: {} says nothing: {}", card.name, stop.describe());
                }
            }
        }
    }
    println!("{games} games, {won} won by the controller, {silent} without an answer");
}
