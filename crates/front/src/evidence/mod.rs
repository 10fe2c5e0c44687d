//! Evidence as text: what `--evidence` writes and `alphorn check` reads.
//!
//! Where a community has a format for a kind of evidence we write that (AIGER and BTOR2
//! witnesses, SMT-LIB models); the rest is ours and described in the files below.

mod circuit;
pub mod lrat;

pub use circuit::{print as print_circuit, read as read_circuit};
