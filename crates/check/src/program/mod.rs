//! Evidence about programs.

pub mod run;
