//! What makes a verdict believable, as plain data; `check` decides whether it is.

pub mod circuit;
pub mod flips;
pub mod flow;
pub mod fold;
pub mod front;
pub mod game;
pub mod horn;
pub mod matching;
pub mod progression;
pub mod proof;
pub mod script;
pub mod temporal;
pub mod words;
