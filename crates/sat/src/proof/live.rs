//! Keeping a trace small: what no live clause depends on is dropped.
//!
//! Roots are the stored clauses, the reasons and units of the trail, the clauses that went with
//! variables taken out, a temporary clause in use, and the conclusion of the last answer. What their
//! hints reach stays, and so do all clauses of the user. Numbers stay as they are: a dropped clause
//! leaves an empty record behind, so that nothing that holds a number has to change.
//!
//! Safe with interpolation: clauses of the user keep their labels, and the conclusion of the last
//! answer keeps all it follows from. Conclusions of earlier answers may go, so whoever wants
//! interpolants of them asks before trimming, or leaves the option `proof.trim` off.
//!
//! A trace that outgrows its limit is given up as a whole: its memory is returned, the statistics
//! say so, and answers from then on come without a proof.

use super::{ClauseId, Origin, Trace};

impl Trace {
    /// The trace itself, unless it was given up.
    pub(crate) fn if_recorded(&self) -> Option<&Trace> {
        (!self.is_lost).then_some(self)
    }

    /// Words in use: literals, hints, and four for each record.
    pub fn words(&self) -> u64 {
        (self.literals.len() + self.hints.len() + 4 * self.records.len()) as u64
    }

    /// Whether the clause was dropped, so that neither its literals nor its hints are known.
    pub fn is_dropped(&self, id: ClauseId) -> bool {
        self.origin(id) == Origin::Dropped
    }

    /// Whether the trace has doubled since it was last trimmed, and has at least so many words.
    pub(crate) fn is_trim_due(&self, fewest: u64) -> bool {
        self.words() >= fewest.max(2 * self.trimmed_words)
    }

    /// Drops what neither the user gave nor `needed`, marks by number, leads to.
    pub(crate) fn retain(&mut self, mut needed: Vec<bool>) {
        for number in (1..=self.len()).rev() {
            if needed[number as usize] {
                for hint in self.hints(ClauseId(number)) {
                    needed[hint.0 as usize] = true;
                }
            }
        }
        let (mut literals, mut hints) = (0, 0);
        let (mut literals_from, mut hints_from) = (0, 0);
        for (index, record) in self.records.iter_mut().enumerate() {
            let (literals_end, hints_end) = (record.literals as usize, record.hints as usize);
            if needed[index + 1] || matches!(record.origin, Origin::Input(_)) {
                self.literals.copy_within(literals_from..literals_end, literals);
                self.hints.copy_within(hints_from..hints_end, hints);
                literals += literals_end - literals_from;
                hints += hints_end - hints_from;
            } else {
                record.origin = Origin::Dropped;
            }
            (literals_from, hints_from) = (literals_end, hints_end);
            (record.literals, record.hints) = (literals as u64, hints as u64);
        }
        self.literals.truncate(literals);
        self.hints.truncate(hints);
        let Trace { deletions, records, .. } = self;
        deletions.retain(|(_, id)| records[id.0 as usize - 1].origin != Origin::Dropped);
        self.literals.shrink_to(2 * literals);
        self.hints.shrink_to(2 * hints);
        self.trimmed_words = self.words();
    }
}
