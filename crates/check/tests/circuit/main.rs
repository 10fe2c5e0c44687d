//! Circuit evidence: what must be accepted, and what must be refused.
//!
//! `build` makes circuits, `oracle` knows the answers by brute force, `prove` writes refutations.

mod build;
mod obligations;
mod oracle;
mod proofs;
mod prove;
mod simulate;
mod states;
mod trace;
mod witness;
