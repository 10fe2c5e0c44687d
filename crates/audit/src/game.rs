//! Safety games: what a circuit or a system over words is a game of.
//!
//! The inputs whose names begin with `controllable_` are the controller's. A system over words is written out in
//! bits first, by the code that makes the obligations of evidence about bits (`problem::obligation::blast`), with all
//! its states; so a strategy is one of the bits, and whoever checks it makes the same circuit.

use alphorn_front::{Code, Diagnostic};
use alphorn_problem::circuit::{Circuit, Symbols};
use alphorn_problem::evidence::words::Abstraction;
use alphorn_problem::game::CONTROLLABLE;
use alphorn_problem::obligation::blast::{Goal, Source, blast};
use alphorn_problem::{Game, Span, Words};
use std::sync::Arc;

/// The game that a circuit is, or why it is none.
pub(crate) fn of_circuit(circuit: &Circuit) -> Result<Game, Diagnostic> {
    named(Game::of_names(circuit.clone()))
}

/// The game that a system over words is, or why it is none.
pub(crate) fn of_words(words: &Words) -> Result<Game, Diagnostic> {
    let game = named(in_bits(words).and_then(Game::of_names))?;
    Ok(game.of_words(Arc::new(words.clone())))
}

/// That files of this kind state no games.
pub(crate) fn not_a_game(what: &str) -> Diagnostic {
    let message = format!("games are circuits in AIGER or systems in BTOR2; these are {what}");
    Diagnostic::error(Code::Game, Span::NONE, message)
}

fn named(game: Result<Game, String>) -> Result<Game, Diagnostic> {
    game.map_err(|why| {
        let message = format!("this is no safety game: {why}");
        let hint = format!("the names of inputs that a controller sets begin with {CONTROLLABLE}");
        Diagnostic::error(Code::Game, Span::NONE, message).hint(hint)
    })
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
