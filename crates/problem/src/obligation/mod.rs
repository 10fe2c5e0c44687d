//! What must hold for evidence to be right, as formulas: shared by those who prove and those who check.

pub mod blast;
pub mod circuit;
mod components;
pub mod derivation;
pub mod flips;
pub mod flow;
pub mod fold;
pub mod front;
pub mod game;
pub mod horn;
pub mod interpretation;
pub mod matching;
pub mod ring;
pub mod script;
pub mod temporal;
pub mod words;
