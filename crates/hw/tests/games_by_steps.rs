//! Strategies of the environment by steps and proofs by cases, which otherwise only large games have. Their settings
//! are the program's, so these tests have one of their own.

use alphorn_hw::engines::GAME_ENGINES;
use alphorn_hw::games::settle_game;
use alphorn_hw::settings::SETTINGS;
use alphorn_testkit::Rng;
use alphorn_testkit::circuit::games::{judge, random_game};

#[test]
fn plans_by_steps_and_proofs_by_cases_agree_with_brute_force() {
    let names = ["games.pursuit-ticks", "games.case-gates"];
    let mut settings = SETTINGS.iter().filter(|setting| names.contains(&setting.name));
    let both = [settings.next(), settings.next()].map(|setting| setting.expect("there are two"));
    both.iter().for_each(|setting| setting.set(0));
    for seed in 0..150 {
        let game = random_game(&mut Rng::new(7_000 + seed));
        for card in GAME_ENGINES.iter().filter(|card| card.refutes) {
            judge(&game, card, settle_game).expect("there is no limit");
        }
    }
}
