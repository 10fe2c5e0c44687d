//! Circuit engines on word-level systems: blast, run, carry the evidence back.
//!
//! The cone is taken on words first, where it is cheap, and again on bits by the circuit engine,
//! where it is finer. A list of states that comes back is checked on words, where inputs are
//! enumerated as a whole and not bit by bit; a list that would take the checker too long is not
//! handed out.

use super::words_to_circuit;
use crate::checkable::words_checkable;
use crate::select::select_words;
use crate::settle::plain_run;
use crate::words::{cone, first_bad};
use alphorn_engine::{Ctx, Engine, Stop};
use alphorn_problem::{Circuit, Verdict, Words};

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
    fn run(&mut self, system: &Words, ctx: &mut Ctx<'_>) -> Result<Verdict<Words>, Stop> {
        first_bad(system)?;
        let (selected, unselect) = select_words(system, 0);
        let (small, uncone) = cone(&selected);
        let (circuit, unblast) = words_to_circuit(&small).map_err(Stop::Unsupported)?;
        let verdict = match self.inner.run(&circuit, ctx)? {
            // What does not matter becomes 0, which is easier to read than what a solver chose.
            Verdict::Unsafe(trace) => Verdict::Unsafe(plain_run(&circuit, trace, ctx)?),
            safe => safe,
        };
        let back = unselect.after(uncone).after(unblast);
        let verdict = back.verdict(verdict).map_err(|lost| Stop::Stuck(lost.0))?;
        if let Verdict::Safe(certificate) = &verdict {
            words_checkable(system, certificate)?;
        }
        Ok(verdict)
    }
}
