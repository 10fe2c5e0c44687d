//! The union of two classes, and what it implies.
//!
//! The smaller class moves into the larger one. Applications with an argument in the smaller class
//! leave the table before and are filed again after, under their changed signature; one that finds
//! its place taken is congruent to the application there and stays outside, as that one speaks for
//! both. Equations with both sides in one class become true, and those between classes with
//! different values false. What follows waits in a queue, so nothing here is recursive.
//!
//! Cost: a node moves at most log n times along a branch of the search, and so does each use. A
//! class gets its value once along a branch, which is when its uses are looked through for
//! equations with other values.

use super::closure::{Euf, NONE};
use super::explain::Edge;
use super::trail::Undo;
use super::{Conflict, Node, Tag};

/// Why two nodes are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    /// It was asserted.
    Asserted(Tag),
    /// Their arguments are; crossed where both are equations, and one has to be turned round.
    Congruence { crossed: bool },
    /// One is an equation with equal sides, the other is `TRUE`.
    Sides,
    /// They are the sides of this equation, which is equal to `TRUE`.
    Holds(Node),
    /// One is an equation whose sides equal these values, the other is `FALSE`.
    Values(Node, Node),
}

/// An equality that is still to be merged.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pending {
    pub(super) a: Node,
    pub(super) b: Node,
    pub(super) reason: Reason,
}

impl Euf {
    pub(super) fn enqueue(&mut self, a: Node, b: Node, reason: Reason) {
        self.pending.items.push(Pending { a, b, reason });
    }

    /// Finds all that follows from what was asserted and from nodes that were made.
    ///
    /// A conflict stays until its level is left.
    pub fn close(&mut self) -> Result<(), Conflict> {
        while self.clash.is_none()
            && let Some(&Pending { a, b, reason }) = self.pending.items.get(self.pending.head)
        {
            self.pending.head += 1;
            self.merge(a, b, reason);
        }
        if let Some((v, w, _)) = self.clash {
            let mut tags = Vec::new();
            self.explain_equal(v, w, &mut tags);
            return Err(Conflict { tags });
        }
        let is_base = self.marks.is_empty();
        self.pending.forget(is_base);
        if is_base {
            self.trail.clear();
        }
        Ok(())
    }

    fn merge(&mut self, a: Node, b: Node, reason: Reason) {
        let (mut from, mut to) = (a, b);
        let (mut small, mut big) = (self.root(a), self.root(b));
        if small == big {
            return;
        }
        if self.nodes[small.index()].size > self.nodes[big.index()].size {
            std::mem::swap(&mut small, &mut big);
            std::mem::swap(&mut from, &mut to);
        }
        let reason = self.oriented(a, b, reason);
        self.link(from, Edge { a, b, reason });
        if let Some((v, w)) = self.different_values(small, big) {
            self.clash = Some((v, w, self.marks.len()));
        }
        let start = self.trail.len();
        self.unfile_uses(small);
        let end = self.trail.len();
        self.report_truths(small, big);
        if self.nodes[big.index()].class_value == NONE {
            self.compare_values(big, small);
        }
        self.unite(small, big);
        for at in start..end {
            if let Undo::Unfiled(node) = self.trail[at] {
                self.file(node);
            }
        }
    }

    /// Congruent equations may have to be matched crosswise; which way must be settled by what is
    /// known at this point, not when it is explained.
    fn oriented(&self, a: Node, b: Node, reason: Reason) -> Reason {
        match reason {
            Reason::Congruence { .. } if self.nodes[a.index()].is_equality => {
                let ((c, d), (e, f)) = (self.sides(a), self.sides(b));
                let straight = self.are_equal(c, e) && self.are_equal(d, f);
                Reason::Congruence { crossed: !straight }
            }
            _ => reason,
        }
    }

    /// Takes the applications to members of a class out of the table.
    fn unfile_uses(&mut self, root: Node) {
        let mut member = root;
        loop {
            let mut at = self.nodes[member.index()].uses;
            while at != NONE {
                let entry = self.uses[at as usize];
                if self.nodes[entry.owner.index()].is_filed {
                    self.unfile(entry.owner);
                    self.trail.push(Undo::Unfiled(entry.owner));
                }
                at = entry.next;
            }
            member = self.nodes[member.index()].next;
            if member == root {
                return;
            }
        }
    }

    pub(super) fn unfile(&mut self, node: Node) {
        let hash = self.signature_hash(node);
        self.signatures.remove(hash, node.0);
        self.nodes[node.index()].is_filed = false;
    }

    /// Puts an application into the table, or finds what it is equal to.
    pub(super) fn file(&mut self, node: Node) {
        let is_equality = self.nodes[node.index()].is_equality;
        if is_equality {
            let (a, b) = self.sides(node);
            if self.are_equal(a, b) {
                self.enqueue(node, Euf::TRUE, Reason::Sides);
                return;
            }
        }
        let hash = self.signature_hash(node);
        let same = |id: u32| self.are_congruent(node, Node(id));
        if let Some(other) = self.signatures.find(hash, same) {
            self.enqueue(node, Node(other), Reason::Congruence { crossed: false });
            return;
        }
        self.put_back(node, hash);
        self.record(Undo::Filed(node));
        if is_equality {
            let (a, b) = self.sides(node);
            if let Some((v, w)) = self.different_values(self.root(a), self.root(b)) {
                self.enqueue(node, Euf::FALSE, Reason::Values(v, w));
            }
        }
    }

    pub(super) fn put_back(&mut self, node: Node, hash: u32) {
        self.signatures.insert(hash, node.0);
        self.nodes[node.index()].is_filed = true;
    }

    /// Reports the watched equations of the class that gets a truth value by a merge; the sides of
    /// true ones are equal.
    fn report_truths(&mut self, small: Node, big: Node) {
        let (root, truth) = match (self.truth(small), self.truth(big)) {
            (None, Some(truth)) => (small, truth),
            (Some(truth), None) => (big, truth),
            _ => return,
        };
        let mut member = root;
        loop {
            let mut at = self.nodes[member.index()].watches;
            while at != NONE {
                let watch = self.watches[at as usize];
                self.implied.items.push((watch.id, truth));
                at = watch.next;
            }
            if truth && self.nodes[member.index()].is_equality {
                let (a, b) = self.sides(member);
                self.enqueue(a, b, Reason::Holds(member));
            }
            member = self.nodes[member.index()].next;
            if member == root {
                return;
            }
        }
    }

    /// Equations of a class without a value that is about to get the value of `other`.
    fn compare_values(&mut self, root: Node, other: Node) {
        let carrier = self.nodes[other.index()].class_value;
        if carrier == NONE {
            return;
        }
        let mut member = root;
        loop {
            let mut at = self.nodes[member.index()].uses;
            while at != NONE {
                let entry = self.uses[at as usize];
                let owner = &self.nodes[entry.owner.index()];
                if owner.is_equality && owner.is_filed {
                    self.compare_sides(entry.owner, root, other);
                }
                at = entry.next;
            }
            member = self.nodes[member.index()].next;
            if member == root {
                return;
            }
        }
    }

    /// An equation with a side in `root`, which is about to get the value of `other`.
    fn compare_sides(&mut self, equality: Node, root: Node, other: Node) {
        let (a, b) = self.sides(equality);
        let class = |node: Node| match self.root(node) {
            class if class == root => other,
            class => class,
        };
        if let Some((v, w)) = self.different_values(class(a), class(b)) {
            self.enqueue(equality, Euf::FALSE, Reason::Values(v, w));
        }
    }

    /// Moves all nodes of the class `small` to the class `big`.
    fn unite(&mut self, small: Node, big: Node) {
        let mut member = small;
        loop {
            self.nodes[member.index()].root = big;
            member = self.nodes[member.index()].next;
            if member == small {
                break;
            }
        }
        self.splice(small, big);
        let moved = &self.nodes[small.index()];
        let (size, value, shared) = (moved.size, moved.class_value, moved.class_shared);
        let class = &mut self.nodes[big.index()];
        class.size += size;
        if class.class_value == NONE {
            class.class_value = value;
        }
        if class.class_shared == NONE {
            class.class_shared = shared;
        } else if shared != NONE {
            self.merges.items.push((Node(shared), Node(class.class_shared)));
        }
        self.trail.push(Undo::Merged(small));
    }

    /// Joins two circular lists, or takes a joined list apart again.
    pub(super) fn splice(&mut self, a: Node, b: Node) {
        let next = self.nodes[a.index()].next;
        self.nodes[a.index()].next = std::mem::replace(&mut self.nodes[b.index()].next, next);
    }
}
