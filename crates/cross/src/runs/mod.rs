//! The engine `runs`: it runs the program, with choices that are drawn, and then with choices that are
//! bent towards what no run has done.
//!
//! Random runs draw numbers in several manners (`draw`). Lists of choices that led to something new are
//! kept, changed and run again; and for a comparison that always turned out one way, the choices of the run that
//! came closest to the other are moved one after the other as long as the distance shrinks, in steps that
//! double. Runs get longer from round to round, and a round is measured in steps.
//!
//! A violation is found by running, so that the evidence is there: the choices. They are made simple before
//! they are handed out.
//!
//! Source: random runs first as in Korn; keeping what is new as in AFL; alternating variables \[Kor90\].

mod cover;
mod draw;
mod sample;
mod search;
mod simplify;

pub use sample::{Sampled, sample};
pub use search::Runs;
