//! The façade: open a file, run engines on it, check what they say, convert, report.
//!
//! The command line, and later the Python and web front ends, call this crate and nothing below
//! it. Everything that leaves here as a verdict has been through `check` against the problem as
//! read from the file (`run::Decision` holds a `Checked` verdict, which nothing else can make).

mod advice;
pub mod carried;
pub mod certify;
pub mod compressed;
pub mod config;
pub mod convert;
pub mod doctor;
pub mod evidence;
pub mod format;
pub mod invariant;
pub mod obligations;
pub mod open;
pub mod page;
mod partial;
mod prepare;
pub mod registry;
pub mod reply;
pub mod run;
pub mod sat;
mod several;
pub mod smt;
mod vacuity;
pub mod waveform;

pub use config::{Config, Limits};
pub use format::Format;
pub use open::{AnyProblem, Opened, open, open_bytes};
pub use run::{Decision, decide};

pub use alphorn_hw::minimize::Effort;

pub use alphorn_front::{Code, Diagnostic, Diagnostics, Severity};
pub use alphorn_report as report;
