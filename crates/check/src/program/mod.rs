//! Evidence about programs.

mod model;
mod run;

pub use model::check_proof;
pub use run::{MAX_STEPS, check_run};
