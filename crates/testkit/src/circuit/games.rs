//! Small safety games at random, who wins them, and a judge of engines for games.
//!
//! The winner is found by brute force over states and inputs, from what a game means and from nothing else.

use super::oracle::value;
use super::random::{Size, circuit_of};
use crate::Rng;
use alphorn_check::accept::accept;
use alphorn_engine::{Card, Ctx, Stop, Stopper};
use alphorn_problem::circuit::Lit;
use alphorn_problem::{Finding, Game, Verdict};

/// A game with few latches and inputs, sometimes with constraints, two properties and open first values.
pub fn random_game(rng: &mut Rng) -> Game {
    loop {
        let mut circuit = circuit_of(rng, Size { inputs: 5, latches: 5, gates: 24 });
        if rng.below(4) > 0 {
            circuit.constraints.clear();
        }
        if rng.below(4) == 0 {
            circuit.bads.push(super::random::lit(rng, circuit.max_var()));
        }
        for index in 0..circuit.latches.len() {
            let reset = circuit.latches[index].reset;
            if reset.var() != 0 && !circuit.is_uninitialised(index) {
                circuit.latches[index].reset = Lit::FALSE;
            }
        }
        let controllable = (0..circuit.inputs).map(|_| rng.below(2) == 0).collect();
        if let Ok(game) = Game::new(circuit, controllable) {
            return game;
        }
    }
}

/// Whether the controller wins.
pub fn is_won(game: &Game) -> bool {
    let circuit = game.circuit();
    let mask =
        |inputs: Vec<usize>| inputs.into_iter().fold(0, |mask, input| mask | 1usize << input);
    let (controls, others) = (mask(game.controls()), mask(game.others()));
    let subsets = |mask: usize| (0..=mask).filter(move |set| set & !mask == 0);
    let states = 1usize << circuit.latches.len();
    let mut winning = vec![true; states];
    loop {
        let is_good = |winning: &[bool], state: usize, input: usize| {
            let at = |lit: Lit| value(circuit, lit, state, input);
            let next = circuit.latches.iter().enumerate();
            let next: usize = next.map(|(at_, latch)| usize::from(at(latch.next)) << at_).sum();
            let is_over = circuit.constraints.iter().any(|lit| !at(*lit));
            is_over || !circuit.safety().iter().any(|lit| at(*lit)) && winning[next]
        };
        let keeps = |state: usize| {
            subsets(others)
                .all(|other| subsets(controls).any(|own| is_good(&winning, state, other | own)))
        };
        let next: Vec<bool> = (0..states).map(|state| winning[state] && keeps(state)).collect();
        if next == winning {
            break;
        }
        winning = next;
    }
    let is_first = |state: usize| {
        circuit.latches.iter().enumerate().all(|(index, latch)| {
            circuit.is_uninitialised(index)
                || (latch.reset == Lit::TRUE) == (state >> index & 1 == 1)
        })
    };
    (0..states).filter(|state| is_first(*state)).all(|state| winning[state])
}

/// What makes a verdict of a finding about a game.
pub type Settle = fn(&Game, Finding<Game>, &mut Ctx<'_>) -> Result<Verdict<Game>, Stop>;

/// Has an engine decide a game, and everything about its answer checked; whether it says that the controller
/// wins, or why it says nothing.
///
/// # Panics
///
/// If the answer is wrong or its evidence is refused.
pub fn judge(game: &Game, card: &Card<Game>, settle: Settle) -> Result<bool, Stop> {
    let mut sink = |_| {};
    let mut ctx = Ctx::new(50_000_000, Stopper::new(), 0, &mut sink);
    let finding = (card.build)().run(game, &mut ctx)?;
    let verdict = settle(game, finding, &mut ctx)?;
    let says = matches!(verdict, Verdict::Safe(_));
    assert_eq!(says, is_won(game), "{} is wrong about {game:?}", card.name);
    if let Err(refusal) = accept(game, (), verdict) {
        panic!("{}: {refusal} about {game:?}", card.name);
    }
    Ok(says)
}
