//! Strategies of the environment by steps and proofs by cases, which otherwise only large games have. Their settings
//! are the program's, so these tests have one of their own.

use alphorn_hw::engines::GAME_ENGINES;
use alphorn_hw::games::settle_game;
use alphorn_hw::settings::SETTINGS;
use alphorn_testkit::Rng;
use alphorn_testkit::circuit::games::{judge, random_game};

#[test]
fn plans_by_steps_and_proofs_by_cases_agree_with_brute_force() {
    let large = ["games.pursuit-ticks", "games.case-gates"];
    let hard = ["games.choice-ticks", "games.case-ticks"];
    for seed in 0..150 {
        // Every other game is taken for a hard one as well: constants are played first, and steps are taken apart.
        for setting in SETTINGS {
            let is_hard = hard.contains(&setting.name) && seed % 2 == 1;
            let is_zero = is_hard || large.contains(&setting.name);
            setting.set(if is_zero { 0 } else { setting.usual });
        }
        let game = random_game(&mut Rng::new(7_000 + seed));
        for card in GAME_ENGINES.iter().filter(|card| card.refutes) {
            judge(&game, card, settle_game).expect("there is no limit");
        }
    }
}
