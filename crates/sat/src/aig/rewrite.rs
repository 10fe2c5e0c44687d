//! Conjunction, with rules that look at the operands' operands.
//!
//! Each rule either ends with an edge that exists already, or replaces one operand by one of its
//! own operands and starts over, so that rewriting ends and never adds more than one node. The
//! rules need no knowledge of who else uses a node, hence results do not depend on history beyond
//! structural hashing.
//!
//! After Brummayer, Biere, "Local Two-Level And-Inverter Graph Minimization without Blowup"
//! (MEMICS 2006), levels one to four.

use super::{Aig, Edge};

/// What the rules say about a conjunction.
enum Rewritten {
    To(Edge),
    Again(Edge, Edge),
    Unchanged,
}

use Rewritten::{Again, To, Unchanged};

impl Aig {
    /// The conjunction of two edges.
    pub fn and(&mut self, left: Edge, right: Edge) -> Edge {
        let (mut left, mut right) = (left, right);
        loop {
            match self.rewrite(left, right) {
                To(edge) => return edge,
                Again(first, second) => (left, right) = (first, second),
                Unchanged => return self.hashed(left, right),
            }
        }
    }

    fn rewrite(&self, left: Edge, right: Edge) -> Rewritten {
        if left == Edge::FALSE || right == Edge::FALSE || left == !right {
            return To(Edge::FALSE);
        }
        if left == Edge::TRUE || left == right {
            return To(right);
        }
        if right == Edge::TRUE {
            return To(left);
        }
        for (edge, other) in [(left, right), (right, left)] {
            if let Some(operands) = self.operands(edge.node()) {
                let result = one_sided(edge, operands, other);
                if !matches!(result, Unchanged) {
                    return result;
                }
            }
        }
        let (Some(first), Some(second)) = (self.operands(left.node()), self.operands(right.node()))
        else {
            return Unchanged;
        };
        match (left.is_negated(), right.is_negated()) {
            (false, false) => both_positive(left, first, second),
            (true, false) => mixed(first, right, second),
            (false, true) => mixed(second, left, first),
            (true, true) => both_negated(first, second),
        }
    }
}

/// Rules for `edge ∧ other`, where `edge` is `a ∧ b` or its negation.
#[inline]
fn one_sided(edge: Edge, (a, b): (Edge, Edge), other: Edge) -> Rewritten {
    if !edge.is_negated() {
        if a == !other || b == !other {
            return To(Edge::FALSE);
        }
        if a == other || b == other {
            return To(edge);
        }
        return Unchanged;
    }
    if a == !other || b == !other {
        return To(other);
    }
    if a == other {
        return Again(!b, other);
    }
    if b == other {
        return Again(!a, other);
    }
    Unchanged
}

/// Rules for `(a ∧ b) ∧ (c ∧ d)`; `left` is the first conjunction.
#[inline]
fn both_positive(left: Edge, (a, b): (Edge, Edge), (c, d): (Edge, Edge)) -> Rewritten {
    if a == !c || a == !d || b == !c || b == !d {
        return To(Edge::FALSE);
    }
    if a == c || b == c {
        return Again(left, d);
    }
    if a == d || b == d {
        return Again(left, c);
    }
    Unchanged
}

/// Rules for `¬(a ∧ b) ∧ (c ∧ d)`; `right` is the second conjunction.
#[inline]
fn mixed((a, b): (Edge, Edge), right: Edge, (c, d): (Edge, Edge)) -> Rewritten {
    if a == !c || a == !d || b == !c || b == !d {
        return To(right);
    }
    if a == c || a == d {
        return Again(!b, right);
    }
    if b == c || b == d {
        return Again(!a, right);
    }
    Unchanged
}

/// Rules for `¬(a ∧ b) ∧ ¬(c ∧ d)`.
#[inline]
fn both_negated((a, b): (Edge, Edge), (c, d): (Edge, Edge)) -> Rewritten {
    if (a == c && b == !d) || (a == d && b == !c) {
        return To(!a);
    }
    if (b == d && a == !c) || (b == c && a == !d) {
        return To(!b);
    }
    Unchanged
}
