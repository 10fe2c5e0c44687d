//! Safety games: what a circuit or a system over words is a game of.
//!
//! The inputs whose names begin with `controllable_` are the controller's. A system over words is written out in
//! bits first, by the code that makes the obligations of evidence about bits (`problem::obligation::blast`), with all
//! its states; so a strategy is one of the bits, and whoever checks it makes the same circuit.

use crate::format::AnyProblem;
use alphorn_front::{Code, Diagnostic};
use alphorn_problem::circuit::{Circuit, Symbols};
use alphorn_problem::evidence::words::Abstraction;
use alphorn_problem::game::CONTROLLABLE;
use alphorn_problem::obligation::blast::{Goal, Source, blast};
use alphorn_problem::{Game, Span, Words};
use std::sync::Arc;

/// The game that a problem states, or why it states none; `what` says what the file has.
pub(crate) fn of_problem(problem: &AnyProblem, what: &str) -> Result<AnyProblem, Diagnostic> {
    let wrong = |message: String| {
        let hint = format!("the names of inputs that a controller sets begin with {CONTROLLABLE}");
        Diagnostic::error(Code::Game, Span::NONE, message).hint(hint)
    };
    let game = match problem {
        AnyProblem::Circuit(circuit) => Game::of_names(Circuit::clone(circuit)),
        AnyProblem::Words(words) => in_bits(words).and_then(Game::of_names),
        _ => {
            let message =
                format!("games are circuits in AIGER or systems in BTOR2; these are {what}");
            return Err(Diagnostic::error(Code::Game, Span::NONE, message));
        }
    };
    let game = game.map_err(|why| wrong(format!("this is no safety game: {why}")))?;
    Ok(AnyProblem::Game(Arc::new(game)))
}

/// A system as a circuit with names: a word has one per bit, the lowest first.
fn in_bits(words: &Words) -> Result<Circuit, String> {
    let abstraction = Abstraction { states: (0..words.states.len()).collect(), cells: Vec::new() };
    let made = blast(words, Goal::All, &abstraction)?;
    if !made.layout.is_exact() {
        return Err("large arrays cannot be written out in bits".into());
    }
    let mut entries = Vec::new();
    let mut name = |kind: u8, bits: &std::ops::Range<usize>, name: &str| {
        for (bit, place) in bits.clone().enumerate() {
            let name = match bits.len() {
                1 => name.to_owned(),
                _ => format!("{name}[{bit}]"),
            };
            entries.push((kind, place as u32, name));
        }
    };
    for (source, bits) in made.layout.inputs() {
        if let Source::Input(input) = source {
            let var = words.inputs[*input];
            name(b'i', bits, words.terms.var_name(var).unwrap_or("input"));
        }
    }
    for (state, bits) in made.layout.states().iter().zip(made.layout.latches()) {
        let var = words.states[*state].var;
        name(b'l', bits, words.terms.var_name(var).unwrap_or("state"));
    }
    Ok(Circuit { symbols: Symbols { entries }, ..made.circuit })
}
