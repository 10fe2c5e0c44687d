//! The variables to which queries are restricted (`domain.rs` beside this folder).

use crate::literal::Var;

/// The variables to which queries are restricted, if they are.
#[derive(Default)]
pub(crate) struct Domain {
    pub(crate) restricted: bool,
    pub(crate) variables: Vec<Var>,
    /// Variables of all domains, which are not in `variables`.
    pub(crate) kept: Vec<Var>,
    pub(crate) is_kept: Vec<bool>,
    /// All variables before these are assigned, while decisions follow the lists.
    pub(crate) cursor: usize,
    pub(crate) kept_cursor: usize,
    /// Whether a query had a conflict, so that decisions follow the scores.
    pub(crate) uses_scores: bool,
}

impl Domain {
    #[inline]
    pub(crate) fn is_restricted(&self) -> bool {
        self.restricted
    }

    /// Whether open variables of high score must be in the heap.
    #[inline]
    pub(crate) fn keeps_heap(&self) -> bool {
        !self.restricted || self.uses_scores
    }

    /// Notes that variables were unassigned.
    #[inline]
    pub(crate) fn rewind(&mut self) {
        self.cursor = 0;
        self.kept_cursor = 0;
    }
}
