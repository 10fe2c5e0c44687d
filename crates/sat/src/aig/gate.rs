//! Gates larger than a conjunction of two: exclusive or, if-then-else, conjunctions of many.
//!
//! Both of the first have the shape `¬(a ∧ b) ∧ ¬(c ∧ d)` where an operand of one conjunction is
//! the negation of an operand of the other; that operand chooses. A conjunction of many reaches
//! through operands that nobody else refers to.

use super::{Aig, Edge};

/// What a conjunction is, seen from above.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Gate {
    /// The operands differ.
    Xor(Edge, Edge),
    /// The second operand where the first holds, the third elsewhere.
    Ite(Edge, Edge, Edge),
    /// A conjunction and nothing more.
    And,
}

impl Aig {
    /// What the conjunction `node` is.
    ///
    /// `is_open` says whether the gate may reach through a node, and `is_private` whether only
    /// one user refers to it.
    pub(super) fn gate(
        &self,
        node: u32,
        is_open: impl Fn(u32) -> bool,
        is_private: impl Fn(u32) -> bool,
    ) -> Gate {
        let Some((left, right)) = self.operands(node) else { return Gate::And };
        if !left.is_negated() || !right.is_negated() {
            return Gate::And;
        }
        if !is_open(left.node()) || !is_open(right.node()) {
            return Gate::And;
        }
        let (Some((a, b)), Some((c, d))) =
            (self.operands(left.node()), self.operands(right.node()))
        else {
            return Gate::And;
        };
        let (choice, then, otherwise) = if a == !c {
            (a, !b, !d)
        } else if a == !d {
            (a, !b, !c)
        } else if b == !c {
            (b, !a, !d)
        } else if b == !d {
            (b, !a, !c)
        } else {
            return Gate::And;
        };
        if then == !otherwise {
            Gate::Xor(choice, !then)
        } else if is_private(left.node()) || is_private(right.node()) {
            Gate::Ite(choice, then, otherwise)
        } else {
            // Both inner nodes are encoded for others anyway, and two operands are cheaper.
            Gate::And
        }
    }

    /// Fills `leaves` with the operands of the conjunction `node`, sorted and without repetition,
    /// reaching through conjunctions for which `is_inner` holds.
    pub(super) fn conjuncts(
        &self,
        node: u32,
        is_inner: impl Fn(u32) -> bool,
        leaves: &mut Vec<Edge>,
    ) {
        leaves.clear();
        let mut stack = Vec::new();
        let open = |node: u32, stack: &mut Vec<Edge>| {
            if let Some((left, right)) = self.operands(node) {
                stack.extend([left, right]);
            }
        };
        open(node, &mut stack);
        while let Some(edge) = stack.pop() {
            let is_and = !edge.is_negated() && self.operands(edge.node()).is_some();
            if is_and && is_inner(edge.node()) {
                open(edge.node(), &mut stack);
            } else {
                leaves.push(edge);
            }
        }
        leaves.sort_unstable();
        leaves.dedup();
    }
}
