//! Safety games: a circuit some of whose inputs a controller sets, against all others.
//!
//! In each step the environment sets its inputs first, then the controller sets the *controllable* ones and
//! sees both the latches and those inputs. The controller wins if no error ever shows: no run that counts is
//! bad. What counts and what is bad is AIGER's: a step is bad where a safety property of the circuit is
//! violated (any of them, where there are several), and counts while all constraints have held up to and
//! including it. So whoever makes a constraint fail ends the game in the controller's favour. Latches without a
//! first value have one of the environment's choice.
//!
//! Invariant: the circuit is valid, has a safety property and neither justice nor fairness, at least one
//! input is controllable, and every first value is a constant or open.
//!
//! After Jacobs, "Extended AIGER Format for Synthesis" (2014). We differ in what that format leaves out:
//! constraints, several properties, and first values other than 0.

use crate::circuit::Circuit;
use crate::words::Words;
use std::sync::Arc;

/// What the names of controllable inputs begin with.
pub const CONTROLLABLE: &str = "controllable_";

/// The most inputs of a game: they cost a file nothing, and a strategy says something of each.
pub const MAX_INPUTS: u32 = 1 << 24;

/// A safety game.
#[derive(Clone, Debug)]
pub struct Game {
    circuit: Circuit,
    controllable: Vec<bool>,
    words: Option<Arc<Words>>,
}

/// What is played is said by the circuit and whose inputs are whose.
impl PartialEq for Game {
    fn eq(&self, other: &Game) -> bool {
        (&self.circuit, &self.controllable) == (&other.circuit, &other.controllable)
    }
}

impl Eq for Game {}

impl Game {
    /// The game on a valid circuit in which these inputs are controllable, or why it is none.
    pub fn new(circuit: Circuit, controllable: Vec<bool>) -> Result<Game, String> {
        circuit.validate()?;
        has_few_inputs(&circuit)?;
        if controllable.len() != circuit.inputs as usize {
            let (said, has) = (controllable.len(), circuit.inputs);
            return Err(format!("{said} inputs are said to be controllable or not, of {has}"));
        }
        if !controllable.contains(&true) {
            return Err("no input is controllable".into());
        }
        if !circuit.justice.is_empty() || !circuit.fairness.is_empty() {
            return Err("justice and fairness are no part of a safety game".into());
        }
        if circuit.safety().is_empty() {
            return Err("there is no output and no bad state that says what an error is".into());
        }
        let is_plain = |latch: &usize| {
            circuit.latches[*latch].reset.var() == 0 || circuit.is_uninitialised(*latch)
        };
        match (0..circuit.latches.len()).find(|latch| !is_plain(latch)) {
            Some(latch) => Err(format!("the first value of latch {latch} is a function of others")),
            None => Ok(Game { circuit, controllable, words: None }),
        }
    }

    /// The game in which those inputs are controllable whose names say so.
    pub fn of_names(circuit: Circuit) -> Result<Game, String> {
        has_few_inputs(&circuit)?;
        let mut controllable = vec![false; circuit.inputs as usize];
        for (kind, index, name) in &circuit.symbols.entries {
            if *kind == b'i'
                && name.starts_with(CONTROLLABLE)
                && let Some(flag) = controllable.get_mut(*index as usize)
            {
                *flag = true;
            }
        }
        Game::new(circuit, controllable)
    }

    /// The game, of whose circuit it is known that it is a system written out in bits, with all its states and
    /// inputs, in order.
    pub fn of_words(self, words: Arc<Words>) -> Game {
        Game { words: Some(words), ..self }
    }

    /// The system that the circuit was written out from, if there is one. Engines may look at it; evidence is about the
    /// circuit.
    pub fn words(&self) -> Option<&Words> {
        self.words.as_deref()
    }

    /// The circuit that is played on.
    pub fn circuit(&self) -> &Circuit {
        &self.circuit
    }

    /// Whether each input is the controller's.
    pub fn is_controllable(&self, input: usize) -> bool {
        self.controllable[input]
    }

    /// The positions of the controller's inputs, ascending.
    pub fn controls(&self) -> Vec<usize> {
        (0..self.controllable.len()).filter(|input| self.controllable[*input]).collect()
    }

    /// The positions of the environment's inputs, ascending.
    pub fn others(&self) -> Vec<usize> {
        (0..self.controllable.len()).filter(|input| !self.controllable[*input]).collect()
    }
}

fn has_few_inputs(circuit: &Circuit) -> Result<(), String> {
    match circuit.inputs {
        few if few <= MAX_INPUTS => Ok(()),
        many => Err(format!("a game of {many} inputs is larger than {MAX_INPUTS}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::circuit::{Latch, Lit, Symbols};

    /// One latch, an input of the environment and a controllable one.
    fn circuit() -> Circuit {
        let entries = vec![(b'i', 1, "controllable_c".to_owned())];
        Circuit {
            inputs: 2,
            latches: vec![Latch { next: Lit::new(2, false), reset: Lit::FALSE }],
            outputs: vec![Lit::new(3, false)],
            symbols: Symbols { entries },
            ..Circuit::default()
        }
    }

    #[test]
    fn names_say_which_inputs_are_controllable() {
        let game = Game::of_names(circuit()).expect("a game");
        assert_eq!((game.controls(), game.others()), (vec![1], vec![0]));
    }

    #[test]
    fn what_is_no_safety_game_is_refused() {
        let without = Circuit { symbols: Symbols::default(), ..circuit() };
        assert!(Game::of_names(without).unwrap_err().contains("no input is controllable"));
        let no_error = Circuit { outputs: Vec::new(), ..circuit() };
        assert!(Game::of_names(no_error).unwrap_err().contains("what an error is"));
        let fair = Circuit { fairness: vec![Lit::TRUE], ..circuit() };
        assert!(Game::of_names(fair).unwrap_err().contains("fairness"));
        assert!(Game::new(circuit(), vec![true]).is_err());
    }

    #[test]
    fn first_values_are_constant_or_open() {
        let mut bad = circuit();
        bad.latches.push(Latch { next: Lit::FALSE, reset: Lit::new(1, false) });
        assert!(Game::of_names(bad.clone()).unwrap_err().contains("latch 1"));
        bad.latches[1].reset = Lit::new(4, false);
        assert!(Game::of_names(bad).is_ok());
    }
}
