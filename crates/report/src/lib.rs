//! What users and programs see: answers, events and diagnostics as text and as JSON.
//!
//! This crate turns data into strings and does nothing else: it opens no file, prints nothing, and
//! decides nothing. `answer` is the one structure behind every form of output.

pub mod answer;
pub mod batch;
pub mod carried;
pub mod diagnostic;
pub mod exit;
pub mod html;
pub mod journal;
pub mod json;
pub mod printable;
pub mod runs;
pub mod sarif;
pub mod summary;
pub mod text;
pub mod timeline;
pub mod trace;
pub mod waveform;

pub use answer::{Answer, AttemptLine, Checked, Outcome, Phase};
pub use exit::Exit;
