//! Which clauses come and go together (`group.rs`).

use crate::arena::ClauseRef;
use crate::literal::{Lit, Var};

/// Names a group of clauses; assume its literal to make them hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Group(pub(crate) Var);

impl Group {
    /// The literal under which the clauses of the group hold.
    pub fn lit(self) -> Lit {
        self.0.positive()
    }
}

/// No group.
pub(crate) const NONE: u32 = u32::MAX;

/// Groups of clauses that can be taken back, each under a literal that activates it.
#[derive(Default)]
pub(crate) struct Groups {
    /// For each variable, the group it activates.
    pub(crate) of_var: Vec<u32>,
    pub(crate) activations: Vec<Lit>,
    pub(crate) clauses: Vec<Vec<ClauseRef>>,
    /// What was learned from the clauses.
    pub(crate) learned: Vec<Vec<ClauseRef>>,
    /// Positions in `clauses` that no group uses.
    pub(crate) unused: Vec<u32>,
    /// Variables that no clause mentions any more.
    pub(crate) free: Vec<Var>,
    pub(crate) live: usize,
}

impl Groups {
    pub(crate) fn grow(&mut self) {
        self.of_var.push(NONE);
    }

    #[inline]
    pub(crate) fn is_used(&self) -> bool {
        self.live > 0
    }

    /// Whether the variable activates a group.
    pub(crate) fn is_activation(&self, var: Var) -> bool {
        self.of_var[var.index()] != NONE
    }

    /// Notes to which groups a clause belongs; whether there are any.
    pub(crate) fn note(&mut self, literals: &[Lit], clause: ClauseRef, learned: bool) -> bool {
        let lists = if learned { &mut self.learned } else { &mut self.clauses };
        let mut is_grouped = false;
        for lit in literals {
            let group = self.of_var[lit.var().index()];
            if group != NONE {
                lists[group as usize].push(clause);
                is_grouped = true;
            }
        }
        is_grouped
    }

    pub(crate) fn clause_lists(&mut self) -> impl Iterator<Item = &mut Vec<ClauseRef>> {
        self.clauses.iter_mut().chain(&mut self.learned)
    }

    /// The activation literal of a group and its clauses, without what was learned.
    pub(crate) fn stated(&self, group: usize) -> Option<(Lit, &[ClauseRef])> {
        Some((*self.activations.get(group)?, &self.clauses[group]))
    }
}
