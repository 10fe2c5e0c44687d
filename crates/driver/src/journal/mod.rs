//! Journals: what a run learns goes out in lines, and what others learned comes in.
//!
//! A `Wire` (`crate::wire`) carries lines (`alphorn_report::journal`) between runs: a file that one run writes and the next
//! one reads (`file`), or a broker between processes. While engines run, a `Keeper` (`keeper`) takes what they
//! tell and remember, says it of the problem as read (`crate::speech`), and hands it to the wires; what comes from
//! there goes to the engines as hints. An answer that comes in is judged from its evidence, like one from a
//! file (`answers`).
//!
//! Invariant: nothing that comes in is believed. Lemmas are tried by engines and belong to what they prove;
//! an answer counts if the checker accepts its evidence against the problem as read. So a line can cost time,
//! and never an answer.

pub(crate) mod answers;
pub mod file;
pub(crate) mod keeper;

pub use crate::wire::Wire;
pub use alphorn_report::journal::{Holds, Line};
pub use file::FileJournal;
