//! Random games in bulk: `random_games [FIRST_SEED [COUNT]]`. Each is given to all engines for games; every
//! answer is held against brute force and its evidence is checked. The first that fails ends the program.

use alphorn_hw::engines::GAME_ENGINES;
use alphorn_hw::games::settle_game;
use alphorn_testkit::Rng;
use alphorn_testkit::circuit::games::{judge, random_game};

fn main() {
    let (mut games, mut won, mut silent) = (0u64, 0u64, 0u64);
    for seed in alphorn_testkit::seeds("random_games") {
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
