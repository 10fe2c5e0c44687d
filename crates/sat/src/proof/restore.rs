//! Hints found afterwards, for what a conclusion needs.
//!
//! A trace without hints lists clauses that follow by unit propagation from those before them (DRUP). From
//! the conclusion backwards, each clause that is needed is refuted once more by unit propagation, through
//! clauses that are needed already where that will do, and what it took is needed, too. So the solver
//! stores no hints for the many clauses that no conclusion ever needs, and of several derivations the
//! one is taken that needs the fewest clauses; the work is done once for each conclusion.
//!
//! Deletions are followed, so that a clause is propagated only while the solver had it; if that does not
//! do, all clauses stay.
//!
//! Invariant: what is propagated follows from the leaves that the conclusion may use. A temporary clause
//! is one of them only if the conclusion was drawn from it, and no other conclusion from such a clause is
//! a line of the proof; clauses of a group that was released are gone once its activation literal serves
//! another group.
//!
//! After Gurfinkel, Vizel, "DRUPing for Interpolants" (FMCAD 2014), and the proof checkers of Heule et al.
//! (FMCAD 2013), whose backward pass is that of `drat`.

use super::{ClauseId, Origin, Trace};
use crate::drat::{Failure, Limits, Line, Step, elaborate_consequences};
use crate::literal::Lit;
use std::collections::BTreeMap;

impl Trace {
    /// A trace with hints in which a conclusion of the solver follows, with its number.
    ///
    /// The conclusion's assumptions become clauses of the trace, with the labels that `partition` gives
    /// them, so that it is the empty clause. A conclusion under a temporary clause has that as a clause
    /// with the label `temporary`.
    pub fn restored(
        &self,
        goal: ClauseId,
        partition: impl Fn(Lit) -> u32,
        temporary: u32,
        limits: &Limits,
    ) -> Result<(Trace, ClauseId), Failure> {
        let mut restored = Trace::new(u64::MAX);
        let retired = self.retired_before(goal);
        for id in (1..=goal.0).map(ClauseId) {
            let label = match self.origin(id) {
                _ if self.is_retired(id, &retired) => continue,
                Origin::Input(label) => label,
                Origin::Temporary if id == goal || self.hints(goal).contains(&id) => temporary,
                Origin::Theory => {
                    let _ = restored.theory_lemma(self.literals(id));
                    continue;
                }
                Origin::Temporary | Origin::Derived | Origin::Dropped => continue,
            };
            let _ = restored.input(self.literals(id), label);
        }
        for lit in self.literals(goal) {
            let _ = restored.input(&[!*lit], partition(!*lit));
        }
        let leaves = || (1..=restored.len()).map(|number| restored.literals(ClauseId(number)));
        let follow = |with_deletions| {
            elaborate_consequences(leaves(), &self.lines(goal, &retired, with_deletions), limits)
        };
        let steps = match follow(true) {
            // A variable that was taken out may have come back with clauses that were deleted. A clause that
            // keeps satisfiability without them is no reason to go on: interpolants need what follows.
            Err(Failure::Unfounded { .. } | Failure::Open) => follow(false)?,
            steps => steps?,
        };
        let mut last = ClauseId::NONE;
        for step in steps {
            let Step::Add { id, literals, hints } = step else { continue };
            let known = |hint: &i64| u32::try_from(*hint).ok().map(ClauseId);
            let hints: Option<Vec<ClauseId>> = hints.iter().map(known).collect();
            last = restored.derive(&literals, hints.ok_or(Failure::Open)?);
            debug_assert_eq!(u64::from(last.0), id, "clauses are numbered alike");
        }
        Ok((restored, last))
    }

    /// For each activation literal that was used anew, the last clause before that.
    fn retired_before(&self, goal: ClauseId) -> BTreeMap<Lit, u32> {
        let past = self.retired.iter().filter(|(before, _)| *before < goal.0);
        past.map(|(before, activation)| (!*activation, *before)).collect()
    }

    fn is_retired(&self, id: ClauseId, retired: &BTreeMap<Lit, u32>) -> bool {
        let is_over = |lit: &Lit| retired.get(lit).is_some_and(|before| id.0 <= *before);
        !retired.is_empty() && self.literals(id).iter().any(is_over)
    }

    /// What was derived up to `goal`, and deleted if that is wanted.
    fn lines(
        &self,
        goal: ClauseId,
        retired: &BTreeMap<Lit, u32>,
        with_deletions: bool,
    ) -> Vec<Line> {
        let mut lines = Vec::new();
        let mut deletions = self.deletions().iter().peekable();
        for id in (1..=goal.0).map(ClauseId) {
            while let Some((_, gone)) = deletions.next_if(|(before, _)| *before < id.0) {
                let is_known = matches!(self.origin(*gone), Origin::Input(_) | Origin::Derived);
                if with_deletions && is_known && !self.is_retired(*gone, retired) {
                    lines.push(Line::Delete(self.literals(*gone).to_vec()));
                }
            }
            // Only conclusions from temporary clauses have hints.
            let is_line = self.origin(id) == Origin::Derived && self.hints(id).is_empty();
            if is_line && !self.literals(id).is_empty() && !self.is_retired(id, retired) {
                lines.push(Line::Add(self.literals(id).to_vec()));
            }
        }
        lines
    }
}
