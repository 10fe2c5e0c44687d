//! What simplification knows between rounds, and which variables it has taken out (`simplify/mod.rs`).

use super::removed::Stack;
use crate::literal::{Lit, Var};
use crate::options::Options;
use crate::proof::ClauseId;

/// What simplification knows between rounds.
pub(crate) struct Simplifier {
    /// Whether a variable was taken out of the formula.
    inactive: Vec<bool>,
    pub(crate) inactive_count: usize,
    pub(crate) frozen: Vec<u32>,
    /// Whether clauses of a variable have gone or changed since elimination last tried it.
    pub(crate) touched: Vec<bool>,
    pub(crate) stack: Stack,
    /// The empty clause of the proof, once there is one.
    pub(crate) empty_clause: ClauseId,
    /// How many literals were fixed when satisfied clauses were last removed.
    pub(crate) cleaned: usize,
    pub(crate) due_at: u64,
    /// Whether clauses are found by occurrence lists, and nothing is watched.
    pub(crate) is_dense: bool,
    /// Ticks of the search when simplification last ended.
    pub(crate) searched: u64,
    /// Where probing goes on.
    pub(crate) probe_from: u32,
    /// What the formula was like after the last elimination.
    pub(crate) eliminated_at: (usize, usize, u64),
}

impl Simplifier {
    pub(crate) fn new(options: &Options) -> Simplifier {
        Simplifier {
            inactive: Vec::new(),
            inactive_count: 0,
            frozen: Vec::new(),
            touched: Vec::new(),
            stack: Stack::default(),
            empty_clause: ClauseId::NONE,
            cleaned: 0,
            due_at: u64::from(options.inprocess_first),
            is_dense: false,
            searched: 0,
            probe_from: 0,
            eliminated_at: (usize::MAX, 0, 0),
        }
    }

    pub(crate) fn grow(&mut self) {
        self.inactive.push(false);
        self.frozen.push(0);
        self.touched.push(true);
    }

    /// Whether the variable is still part of the formula.
    #[inline]
    pub(crate) fn is_active(&self, var: Var) -> bool {
        !self.inactive[var.index()]
    }

    pub(crate) fn set_active(&mut self, var: Var, active: bool) {
        debug_assert_ne!(self.is_active(var), active);
        self.inactive[var.index()] = !active;
        self.touched[var.index()] = active;
        if active { self.inactive_count -= 1 } else { self.inactive_count += 1 }
    }

    /// The value that the extended model gives to `lit`.
    #[inline]
    pub(crate) fn extended_value(&self, lit: Lit) -> Option<bool> {
        self.stack.value(lit)
    }

    pub(crate) fn forget_model(&mut self) {
        self.stack.forget_model();
    }
}
