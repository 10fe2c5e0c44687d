//! Memory of conflict analysis, kept between conflicts (`analyze.rs`).

use crate::literal::{Lit, Var};
use crate::proof::ClauseId;
use std::collections::BinaryHeap;

/// Memory of conflict analysis, kept between conflicts.
#[derive(Default)]
pub(crate) struct Scratch {
    /// What analysis knows about each variable; zero between conflicts.
    pub(crate) marks: Vec<u8>,
    /// Variables with marks.
    pub(crate) marked: Vec<Var>,
    /// The clause being derived.
    pub(crate) clause: Vec<Lit>,
    /// Levels that occur in it.
    pub(crate) levels: Vec<u32>,
    /// For each level the last question for which it was counted.
    pub(crate) level_stamp: Vec<u64>,
    pub(crate) clock: u64,
    /// Proof hints by the trail position of what they imply.
    pub(crate) chain: Vec<(u32, ClauseId)>,
    /// Unit clauses among the hints.
    pub(crate) units: Vec<ClauseId>,
    /// Variables whose minimisation marks are to be cleared.
    pub(crate) minimized: Vec<Var>,
    pub(crate) stack: Vec<Var>,
    pub(crate) literals: Vec<Lit>,
    /// The literals of a learned clause by level and position on the trail.
    pub(crate) blocks: Vec<(u32, u32, Lit)>,
    /// Positions on the trail of what is still to be resolved in a block.
    pub(crate) open: BinaryHeap<u32>,
    /// Variables met in a block.
    pub(crate) met: Vec<Var>,
    /// Literals that stay when levels are undone.
    pub(crate) kept: Vec<Lit>,
}
