//! Strategies of games: what is accepted, and what is refused.

use alphorn_check::accept::accept;
use alphorn_problem::circuit::{And, Circuit, Latch, Lit};
use alphorn_problem::evidence::circuit::{Certificate, Invariant};
use alphorn_problem::evidence::game::{Controller, Spoiler};
use alphorn_problem::{Game, Verdict};

fn var(var: u32) -> Lit {
    Lit::new(var, false)
}

/// Input 1 is the environment's and 2 the controller's; the latch has what was set last; an error shows where
/// the controllable input is not what the latch is.
fn game() -> Game {
    let (latch, control) = (var(3), var(2));
    let ands = vec![
        And { left: !latch, right: control },
        And { left: latch, right: !control },
        And { left: !var(5), right: !var(4) },
    ];
    let circuit = Circuit {
        inputs: 2,
        latches: vec![Latch { next: var(1), reset: Lit::FALSE }],
        ands,
        bads: vec![!var(6)],
        ..Circuit::default()
    };
    Game::new(circuit, vec![false, true]).expect("a game")
}

/// The same game with the sides exchanged: the environment wins at once.
fn lost() -> Game {
    let circuit = game().circuit().clone();
    Game::new(circuit, vec![true, false]).expect("a game")
}

fn anything(latches: &[u32], states: &[&[bool]]) -> Certificate {
    let states = states.iter().map(|row| row.to_vec()).collect();
    let invariant = Invariant::States { latches: latches.to_vec(), states };
    Certificate { property: 0, invariant, obligations: Vec::new() }
}

/// Reads the latch and the environment's input.
fn strategy(inputs: u32, outputs: Vec<Lit>) -> Circuit {
    Circuit { inputs, outputs, ..Circuit::default() }
}

fn controller(circuit: Circuit) -> Verdict<Game> {
    Verdict::Safe(Controller { circuit, certificate: anything(&[], &[&[]]) })
}

/// Wins in one step by setting its input to what the latch is not. The latches of what it leaves are the
/// game's, whether an error has shown, and one bit of the counter.
fn spoiler() -> Spoiler {
    let circuit = strategy(2, vec![!var(1)]);
    let certificate = anything(&[1, 2], &[&[false, false], &[true, true]]);
    Spoiler { start: vec![false], circuit, steps: 1, certificate }
}

fn refused(game: &Game, verdict: Verdict<Game>, why: &str) {
    let refusal = accept(game, (), verdict).expect_err("it must be refused");
    assert!(refusal.to_string().contains(why), "{refusal}");
}

#[test]
fn a_controller_that_wins_is_accepted() {
    accept(&game(), (), controller(strategy(2, vec![var(1)])))
        .expect("the latch is what is wanted");
}

#[test]
fn a_controller_that_loses_is_refused() {
    for wrong in [!var(1), var(2), Lit::FALSE, Lit::TRUE] {
        refused(&game(), controller(strategy(2, vec![wrong])), "violated");
    }
}

#[test]
fn strategies_of_other_widths_are_refused() {
    refused(&game(), controller(strategy(3, vec![var(1)])), "3 inputs, not 2");
    refused(&game(), controller(strategy(2, vec![var(1), var(2)])), "2 outputs, not 1");
    refused(&game(), controller(strategy(2, Vec::new())), "0 outputs, not 1");
}

#[test]
fn strategies_with_state_cycles_or_properties_are_refused() {
    let mut latch = strategy(2, vec![var(1)]);
    latch.latches.push(Latch { next: Lit::FALSE, reset: Lit::FALSE });
    refused(&game(), controller(latch), "latches or properties");
    let mut property = strategy(2, vec![var(1)]);
    property.constraints.push(Lit::FALSE);
    refused(&game(), controller(property), "latches or properties");
    let mut cyclic = strategy(2, vec![var(3)]);
    cyclic.ands.push(And { left: var(4), right: var(1) });
    cyclic.ands.push(And { left: var(3), right: var(1) });
    refused(&game(), controller(cyclic), "not before it");
    let absent = strategy(2, vec![var(9)]);
    refused(&game(), controller(absent), "names no variable");
}

#[test]
fn a_certificate_of_something_else_is_refused() {
    let circuit = strategy(2, vec![var(1)]);
    let certificate = Certificate { property: 1, ..anything(&[], &[&[]]) };
    refused(&game(), Verdict::Safe(Controller { circuit, certificate }), "property 0");
}

#[test]
fn an_environment_that_wins_is_accepted() {
    accept(&lost(), (), Verdict::Unsafe(spoiler())).expect("an error shows at once");
}

#[test]
fn an_environment_that_lets_the_controller_win_is_refused() {
    let strategy = strategy(2, vec![var(1)]);
    refused(&lost(), Verdict::Unsafe(Spoiler { circuit: strategy, ..spoiler() }), "");
    // It is the controller's input that decides here, which the environment cannot set.
    refused(&game(), Verdict::Unsafe(spoiler()), "");
}

#[test]
fn numbers_of_steps_that_say_nothing_are_refused() {
    refused(&lost(), Verdict::Unsafe(Spoiler { steps: 0, ..spoiler() }), "within no steps");
    // A counter of more bits is another circuit, of which this certificate says nothing.
    refused(&lost(), Verdict::Unsafe(Spoiler { steps: u32::MAX, ..spoiler() }), "inputs, not");
    let circuit = strategy(33, vec![!var(1)]);
    let huge = Spoiler { steps: u32::MAX, circuit, ..spoiler() };
    refused(&lost(), Verdict::Unsafe(huge), "");
    refused(&lost(), Verdict::Unsafe(Spoiler { start: Vec::new(), ..spoiler() }), "first values");
}

#[test]
fn what_begins_open_begins_as_the_environment_says() {
    let mut circuit = lost().circuit().clone();
    circuit.latches[0].reset = var(3);
    let game = Game::new(circuit, vec![true, false]).expect("a game");
    let found = Spoiler { start: vec![true], ..spoiler() };
    accept(&game, (), Verdict::Unsafe(found)).expect("an error shows at once");
}

#[test]
fn an_error_after_a_constraint_has_failed_does_not_count() {
    let mut circuit = lost().circuit().clone();
    circuit.constraints.push(Lit::FALSE);
    let game = Game::new(circuit, vec![true, false]).expect("a game");
    // Latches: the game's, shown, broken, the counter.
    let certificate = anything(&[1, 3], &[&[false, false], &[true, true]]);
    refused(&game, Verdict::Unsafe(Spoiler { certificate, ..spoiler() }), "");
    let constant = strategy(2, vec![Lit::FALSE]);
    accept(&game, (), controller(constant)).expect("nothing counts");
}
