//! Games over words by predicates: what is won so, what is not, and that the evidence is accepted.

use alphorn_check::accept::accept;
use alphorn_engine::{Ctx, Engine, Stop, Stopper};
use alphorn_hw::games::settle_game;
use alphorn_hw::predicates::Predicates;
use alphorn_problem::evidence::words::Abstraction;
use alphorn_problem::game::CONTROLLABLE;
use alphorn_problem::obligation::blast::{Goal, Source, blast};
use alphorn_problem::{Game, Verdict, Words};
use alphorn_testkit::read::words;
use std::sync::Arc;

/// The game that a system is, by the names of its inputs.
fn game(system: Words) -> Game {
    let states = (0..system.states.len()).collect();
    let abstraction = Abstraction { states, cells: Vec::new() };
    let made = blast(&system, Goal::All, &abstraction).expect("it is made of bits");
    let mut controllable = vec![false; made.circuit.inputs as usize];
    for (source, bits) in made.layout.inputs() {
        if let Source::Input(input) = source {
            let name = system.terms.var_name(system.inputs[*input]).expect("a name");
            controllable[bits.clone()].fill(name.starts_with(CONTROLLABLE));
        }
    }
    Game::new(made.circuit, controllable).expect("it is a game").of_words(Arc::new(system))
}

/// Whether the controller is seen to win, with evidence that is accepted.
fn is_won(text: &str) -> Result<(), String> {
    let game = game(words(text));
    let mut ignore = |_| {};
    let mut ctx = Ctx::new(200_000_000, Stopper::new(), 0, &mut ignore);
    let finding = Predicates.run(&game, &mut ctx).map_err(|stop| match stop {
        Stop::Stuck(reason) | Stop::Unsupported(reason) => reason,
        other => format!("{other:?}"),
    })?;
    let verdict = settle_game(&game, finding, &mut ctx).expect("the strategy is proved");
    assert!(matches!(verdict, Verdict::Safe(_)));
    accept(&game, (), verdict).expect("the evidence is accepted");
    Ok(())
}

/// A driver puts a word into a register, the device copies what `copied` says of it, and what is in memory at the end must be what was
/// asked for. It begins with the driver's turn.
fn driver(copied: &str) -> String {
    format!(
        "1 sort bitvec 32\n2 sort bitvec 1\n3 state 1 memory\n4 state 1 data\n5 state 1 asked\n\
         6 state 2 busy\n7 state 2 done\n8 zero 2\n9 init 2 6 8\n10 init 2 7 8\n\
         11 input 1 controllable_value\n12 input 1 chosen\n13 one 1\n\
         14 next 1 5 5\n15 ite 1 6 4 11\n16 next 1 4 15\n{copied}\n\
         18 ite 1 6 17 3\n19 next 1 3 18\n20 not 2 6\n21 next 2 6 20\n22 next 2 7 6\n\
         23 neq 2 3 5\n24 and 2 7 23\n25 bad 24\n"
    )
}

#[test]
fn a_driver_that_puts_what_is_asked_for_is_found() {
    is_won(&driver("17 and 1 4 4")).expect("it is won");
}

#[test]
fn what_the_device_adds_is_undone() {
    is_won(&driver("17 add 1 4 13")).expect("it is won");
}

#[test]
fn a_device_that_copies_something_else_is_not_controlled() {
    let why = is_won(&driver("17 and 1 12 12")).expect_err("it is lost");
    assert!(why.contains("predicates"), "{why}");
}

#[test]
fn comparisons_that_contradict_each_other_are_not_the_environments() {
    // A word is put into one of two slots, which stay sorted, or is refused, but not twice in a row.
    is_won(
        "1 sort bitvec 32\n2 sort bitvec 1\n3 state 1 low\n4 state 1 high\n5 state 2 refused\n\
         6 zero 1\n7 ones 1\n8 zero 2\n9 init 1 3 6\n10 init 1 4 7\n11 init 2 5 8\n\
         12 input 1 word\n13 input 2 controllable_low\n14 input 2 controllable_refuse\n\
         15 ite 1 13 12 3\n16 ite 1 14 3 15\n17 next 1 3 16\n\
         18 ite 1 13 4 12\n19 ite 1 14 4 18\n20 next 1 4 19\n21 next 2 5 14\n\
         22 ugt 2 3 4\n23 bad 22\n24 and 2 5 14\n25 bad 24\n",
    )
    .expect("it is won");
}

#[test]
fn circuits_have_no_words() {
    let text = "1 sort bitvec 1\n2 state 1 s\n3 input 1 controllable_c\n4 next 1 2 3\n5 bad 2\n";
    let system = words(text);
    let with = game(system);
    let without = Game::new(with.circuit().clone(), vec![true]).expect("it is a game");
    let mut ignore = |_| {};
    let mut ctx = Ctx::new(1_000, Stopper::new(), 0, &mut ignore);
    let stop = Predicates.run(&without, &mut ctx).expect_err("it is not over words");
    assert!(matches!(stop, Stop::Unsupported(_)));
}
