//! Engines for Horn systems.
//!
//! `engines` is the registry. An engine reads a system and hands out what it finds; it
//! depends on terms and problems and on nothing that checks evidence.

pub mod accel;
mod automata;
mod bmc;
pub mod cegar;
mod cells;
pub mod declared;
pub mod duality;
pub mod engines;
mod enumerate;
mod fold;
mod forward;
mod heaps;
pub mod houdini;
mod induction;
pub mod la;
pub mod pdr;
mod polyhedra;
mod polynomials;
mod rule_body;
mod samples;
pub mod settings;
mod sld;
mod ts;
mod vacuous;
mod wqo;
mod zones;

pub use fold::speaks_of_data;
pub use wqo::is_counting;
