//! Levels, and how merges are taken back.
//!
//! Every change that depends on a level is an entry of the trail, undone in constant time (a
//! merge: in the time of relabelling the smaller class). Nodes, watches and marks stay when the
//! level they were made in is left. What they meant there is undone like everything else, and they
//! are admitted again at the level that remains: a congruence that holds there is found there.
//!
//! Invariant: an entry is undone in exactly the state in which it was made, apart from nodes made
//! since, which are single classes outside of the table by then. The proof forest may have been
//! turned round in between; edges are cut where they are found.

use super::Node;
use super::closure::{Euf, NONE};

/// A change that can be undone, or something to do again afterwards.
#[derive(Clone, Copy, Debug)]
pub(super) enum Undo {
    /// An application was taken out of the table.
    Unfiled(Node),
    /// An application was put into the table.
    Filed(Node),
    /// The class of this root was moved into another.
    Merged(Node),
    /// The root got its first marked node.
    Witness(Node),
    /// A node was made in this level.
    Created(Node),
    /// A watch was added to an equation that was known.
    Watched(u32),
    /// A node was marked.
    Marked(Node),
}

/// Where a level begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    trail: usize,
    pending: (usize, usize),
    implied: (usize, usize),
    merges: (usize, usize),
}

impl Euf {
    /// Begins a level.
    pub fn push(&mut self) {
        self.marks.push(Mark {
            trail: self.trail.len(),
            pending: (self.pending.items.len(), self.pending.head),
            implied: (self.implied.items.len(), self.implied.head),
            merges: (self.merges.items.len(), self.merges.head),
        });
    }

    /// How many levels there are.
    pub fn level(&self) -> usize {
        self.marks.len()
    }

    /// Leaves the last `levels` levels; more than there are leaves all.
    ///
    /// Nodes made in them may be congruent at the level that remains: `close` finds out.
    pub fn pop(&mut self, levels: usize) {
        let level = self.marks.len().saturating_sub(levels);
        let Some(&mark) = self.marks.get(level) else { return };
        self.marks.truncate(level);
        let mut revisit = std::mem::take(&mut self.revisit);
        while self.trail.len() > mark.trail
            && let Some(entry) = self.trail.pop()
        {
            self.undo(entry, &mut revisit);
        }
        (self.pending.head, self.implied.head, self.merges.head) =
            (mark.pending.1, mark.implied.1, mark.merges.1);
        self.pending.items.truncate(mark.pending.0);
        self.implied.items.truncate(mark.implied.0);
        self.merges.items.truncate(mark.merges.0);
        self.clash = self.clash.filter(|&(_, _, at)| at <= level);
        while let Some(entry) = revisit.pop() {
            match entry {
                Undo::Created(node) => self.admit(node),
                Undo::Watched(watch) => self.report_watch(watch),
                Undo::Marked(node) => self.attach_shared(node),
                _ => {}
            }
        }
        self.revisit = revisit;
    }

    /// Records a change that has to be undone when the level is left.
    pub(super) fn record(&mut self, entry: Undo) {
        if !self.marks.is_empty() {
            self.trail.push(entry);
        }
    }

    fn undo(&mut self, entry: Undo, revisit: &mut Vec<Undo>) {
        match entry {
            Undo::Unfiled(node) => {
                let hash = self.signature_hash(node);
                self.put_back(node, hash);
            }
            Undo::Filed(node) => self.unfile(node),
            Undo::Merged(small) => self.separate(small),
            Undo::Witness(root) => self.nodes[root.index()].class_shared = NONE,
            Undo::Created(_) | Undo::Watched(_) | Undo::Marked(_) => revisit.push(entry),
        }
    }

    /// Undoes `unite` and the edge that goes with it.
    fn separate(&mut self, small: Node) {
        let big = self.root(small);
        self.splice(small, big);
        let mut member = small;
        loop {
            self.nodes[member.index()].root = small;
            member = self.nodes[member.index()].next;
            if member == small {
                break;
            }
        }
        let moved = &self.nodes[small.index()];
        let (size, value, shared) = (moved.size, moved.class_value, moved.class_shared);
        let class = &mut self.nodes[big.index()];
        class.size -= size;
        // The larger class has the carrier of the smaller one only if it had none of its own.
        if class.class_value == value {
            class.class_value = NONE;
        }
        if class.class_shared == shared {
            class.class_shared = NONE;
        }
        self.cut();
    }
}
