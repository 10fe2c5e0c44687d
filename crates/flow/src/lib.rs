//! Infinite runs of flows: engines that rank what must end, and that find what need not.
//!
//! `engines` is the registry. An engine returns a ranking, which is then proved (`prove`), or a recurrence,
//! whose obligations it has refuted itself by the same means. Invariants come from engines for Horn systems,
//! which see the flow as one (`horn`).

mod always;
mod ask;
pub mod engines;
mod equation;
pub mod horn;
pub mod prove;
mod rank;
mod recur;
pub mod settings;
mod temporal;
pub mod transform;

pub use always::always;
pub use horn::{as_horn, with_query};
