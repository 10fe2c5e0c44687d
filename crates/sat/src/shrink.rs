//! Shorter learned clauses: one literal for all that a clause has of a level.
//!
//! The literals of a learned clause that belong to one level are its *block* there. Resolving the latest of
//! them with its reason, again and again, ends at one literal of the level that implies them all; if
//! nothing comes in on the way that the clause does not imply already, that literal takes the place of the
//! block. If something does, the literals of the block are minimised one by one (`minimize.rs`).
//! Blocks are gone through from the lowest level up: what is implied on a level depends on lower ones only,
//! and these are as they will be.
//!
//! Invariants: the highest level of the clause and the number of its levels stay; all literals that were
//! removed are implied by those that stay, and are in `scratch.literals` for the proof's hints.
//!
//! After Fleury, Biere, "Efficient All-UIP Learned Clause Minimization" (SAT 2021).

use crate::analyze::{REMOVABLE, SEEN};
use crate::literal::Lit;
use crate::solver::Solver;
use crate::state::Assigned;
use crate::theory::Theory;

/// In `Scratch::marks`: met on the way to the one literal of a block.
const SHRINKABLE: u8 = 1 << 4;

impl<T: Theory> Solver<T> {
    /// Shrinks or minimises each block of `scratch.clause`, apart from its first literal.
    pub(crate) fn shrink_blocks(&mut self) {
        let mut clause = std::mem::take(&mut self.scratch.clause);
        let mut blocks = std::mem::take(&mut self.scratch.blocks);
        blocks.clear();
        blocks.extend(clause.drain(1..).map(|lit| {
            let Assigned { level, trail, .. } = self.assigned[lit.var().index()];
            (level, trail, lit)
        }));
        blocks.sort_unstable_by_key(|(level, trail, _)| (*level, *trail));
        for block in blocks.chunk_by(|(a, ..), (b, ..)| a == b) {
            let uip = if block.len() > 1 { self.find_block_uip(block) } else { None };
            if let Some(uip) = uip {
                clause.push(uip);
                let removed = block.iter().map(|(_, _, lit)| *lit).filter(|lit| *lit != uip);
                self.scratch.literals.extend(removed);
                self.stats.shrunken += block.len() as u64 - 1;
                continue;
            }
            for (_, _, lit) in block {
                if self.is_removable(*lit, 0) {
                    self.scratch.literals.push(*lit);
                } else {
                    clause.push(*lit);
                }
            }
        }
        self.scratch.clause = clause;
        self.scratch.blocks = blocks;
    }

    /// The literal of the block's level that implies the whole block, given the lower levels, as it is to
    /// be in the clause; what it implies on the way is then known to be removable.
    fn find_block_uip(&mut self, block: &[(u32, u32, Lit)]) -> Option<Lit> {
        let level = block[0].0;
        let mut open = std::mem::take(&mut self.scratch.open);
        let mut met = std::mem::take(&mut self.scratch.met);
        open.clear();
        met.clear();
        for (_, trail, lit) in block {
            self.scratch.marks[lit.var().index()] |= SHRINKABLE;
            open.push(*trail);
            met.push(lit.var());
        }
        let mut uip = None;
        while let Some(position) = open.pop() {
            let lit = self.trail[position as usize];
            if open.is_empty() {
                uip = Some(lit);
                break;
            }
            let reason = self.assigned[lit.var().index()].reason.as_clause();
            let Some(reason) = reason else { break };
            let mut is_closed = true;
            for index in 0..self.arena.size(reason) {
                let other = self.arena.literal(reason, index);
                let var = other.var();
                let (place, marks) = (self.assigned[var.index()], self.scratch.marks[var.index()]);
                if other == lit || place.level == 0 {
                    continue;
                }
                if place.level != level {
                    is_closed = self.is_removable(other, 1);
                    if !is_closed {
                        break;
                    }
                } else if marks & SHRINKABLE == 0 {
                    self.scratch.marks[var.index()] |= SHRINKABLE;
                    open.push(place.trail);
                    met.push(var);
                }
            }
            if !is_closed {
                break;
            }
        }
        for var in met.drain(..) {
            let marks = &mut self.scratch.marks[var.index()];
            *marks &= !SHRINKABLE;
            let is_uip = uip.is_some_and(|uip| uip.var() == var);
            if is_uip {
                if *marks & SEEN == 0 {
                    *marks |= SEEN;
                    self.scratch.marked.push(var);
                }
            } else if uip.is_some() {
                *marks |= REMOVABLE;
                self.scratch.minimized.push(var);
            }
        }
        self.scratch.open = open;
        self.scratch.met = met;
        uip.map(|lit| !lit)
    }
}
