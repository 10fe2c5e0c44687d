//! Circuit evidence: what must be accepted, and what must be refused.

mod obligations;
mod proofs;
mod simulate;
mod states;
mod trace;
mod witness;
