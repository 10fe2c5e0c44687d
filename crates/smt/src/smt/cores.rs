//! Smaller reasons: assumptions and assertions that a contradiction needs, none of them in vain.
//!
//! The reason that a search gives is small but not minimal. Each member is left out once; if the rest
//! still contradicts itself, the reason that this search gives replaces the old one, which often drops
//! several at once (clause-set refinement). What cannot be left out stays for good, since the reasons
//! that follow are parts of the old one.
//!
//! After Belov, Marques-Silva, Accelerating MUS extraction with recursive model rotation (FMCAD 2011), for the
//! loop; models of formulas with theories cannot be rotated.

use alphorn_sat::{Answer, Lit};
use alphorn_term::{Store, TermId};

use super::{AssertionId, Smt};

/// A contradiction's reason.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Core {
    /// Assertions that contradict each other and the assumptions below.
    pub assertions: Vec<AssertionId>,
    /// Those assumptions of the query that take part.
    pub assumptions: Vec<TermId>,
    /// Whether none can be left out; false if the budget ran out before that was known.
    pub is_minimal: bool,
}

impl Smt {
    /// A minimal reason for the last answer, which was `Unsat`.
    ///
    /// Assertions are left out only if the option for cores is on. Afterwards the last query is one
    /// about this reason, so that a refutation is one of it.
    pub fn minimal_core(&mut self, store: &mut Store) -> Core {
        let mut needed: Vec<Lit> = Vec::new();
        let mut open = self.failed_literals();
        let mut is_minimal = true;
        while let Some(candidate) = open.pop() {
            let mut lits = self.kernel.scope_guards();
            lits.extend(needed.iter().chain(&open));
            match self.search_for(store, &lits) {
                Answer::Unsat => {
                    let failed = self.failed_literals();
                    open.retain(|lit| failed.contains(lit));
                }
                Answer::Sat => needed.push(candidate),
                Answer::Unknown => {
                    is_minimal = false;
                    needed.push(candidate);
                }
            }
        }
        needed.reverse();
        let mut lits = self.kernel.scope_guards();
        lits.extend(&needed);
        // Asked again, so that what the search remembers is about the reason that is returned.
        self.search_for(store, &lits);
        let assertions = self.guarded(&needed);
        // Equal assumptions are one reason.
        let mut seen: Vec<Lit> = Vec::new();
        self.kernel.assumed.retain(|(lit, _)| {
            let is_kept = needed.contains(lit) && !seen.contains(lit);
            seen.push(*lit);
            is_kept
        });
        let assumptions = self.kernel.assumed.iter().map(|(_, term)| *term).collect();
        Core { assertions, assumptions, is_minimal }
    }
}
