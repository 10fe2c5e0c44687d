//! Horn systems: what is done with them before engines see them, and after.
//!
//! Graph and shape say what a system is like; transforms make it smaller, with their way back; claims
//! are proved and put into a form for people; derivations lose what they do not need. Loops have closures,
//! which transforms and engines use. The engines are
//! another crate's business, except for systems without recursion, whose solution is a part of the way
//! back of inlining.

pub mod accel;
pub mod ask;
mod by_cases;
pub mod choices;
mod conclude;
pub mod derivation;
pub mod evidence;
pub mod exclusion;
pub mod folds;
pub mod fragment;
pub mod graph;
pub mod model;
pub mod readable;
pub mod recursion_free;
pub mod revalue;
pub mod settings;
pub mod shape;
pub mod transform;
pub mod word_sum;

pub use ask::{ask, ask_within, eliminate_within};
pub use conclude::{conclude, prove_horn};
pub use transform::{Passage, Simplified, TRANSFORMS, TransformCard, simplify, simplify_with};
