//! Files opened and evidence judged, without any solver: what somebody needs who believes nobody.
//!
//! A file states a problem (`open`), another one has evidence about it (`certify`), and `check` says whether it
//! is right. Neither this crate nor what it uses can search: that is a fact about the graph of crates. The binary
//! `alphorn-check` is this crate and a command line.
//!
//! ```
//! use alphorn_audit::certify::Certified;
//! use alphorn_audit::{certify, open};
//!
//! let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
//! let opened = open(&format!("{folder}/bounded_counter.smt2"), None, None);
//! let evidence = "(define-fun counter ((x Int)) Bool (or (= x 0) (= x 1)))";
//! let judged = certify(&opened, None, evidence.as_bytes());
//! assert!(!matches!(judged[..], [Certified::Accepted(_)]), "from 1 it counts to 2");
//! ```

pub mod certify;
pub mod compressed;
pub mod evidence;
pub mod explain;
pub mod flow;
pub mod format;
pub mod formula;
mod game;
mod horn_to_flow;
mod idle_hints;
pub mod judge;
pub mod matching;
pub mod open;
pub mod parameters;
pub mod preprocess;
pub mod program;
mod task;
pub mod waveform;

pub use certify::certify;
pub use evidence::AnyEvidence;
pub use format::Format;
pub use open::{AnyProblem, Opened, open};
