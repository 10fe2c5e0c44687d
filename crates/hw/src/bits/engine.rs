//! A circuit engine on a word-level system: blast, run, carry back what it finds.
//!
//! The command line does the same with many engines at a time, after all transforms of circuits; this
//! is for one engine, as a part of something larger, and takes the cone alone.

use super::property_to_circuit;
use crate::settle::plain_run;
use crate::transform::cone;
use crate::words::first_bad;
use alphorn_engine::{Ctx, Engine, Stop};
use alphorn_problem::{Circuit, Finding, Words};
use std::sync::Arc;

/// A circuit engine that works on word-level systems.
pub struct Bits {
    inner: Box<dyn Engine<Circuit>>,
}

impl Bits {
    /// The engine `inner`, on words.
    pub fn new(inner: Box<dyn Engine<Circuit>>) -> Bits {
        Bits { inner }
    }
}

impl Engine<Words> for Bits {
    fn run(&mut self, system: &Words, ctx: &mut Ctx<'_>) -> Result<Finding<Words>, Stop> {
        first_bad(system)?;
        let system = Arc::new(system.clone());
        let (circuit, unblast) = property_to_circuit(&system, 0).map_err(Stop::Unsupported)?;
        let (small, back) = cone(&circuit);
        let finding = self.inner.run(&small, ctx)?;
        let finding = match back.finding(finding, ctx)? {
            // What does not matter becomes 0, which is easier to read than what a solver chose.
            Finding::Fails(trace) => Finding::Fails(plain_run(&circuit, trace, ctx)?),
            holds => holds,
        };
        unblast.finding(finding, ctx)
    }
}
