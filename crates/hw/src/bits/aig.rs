//! And-inverter graphs under construction, with structural hashing.
//!
//! Inputs and latches are numbered beforehand, gates as they come. A conjunction that is constant,
//! one of its arguments, or known already makes no new gate.
//!
//! Invariant: a gate's fan-ins are smaller than the gate, and no two gates have the same fan-ins.

use alphorn_problem::circuit::{And, Lit};
use rustc_hash::FxHashMap;

/// A graph over a fixed number of inputs and latches.
#[derive(Clone, Debug)]
pub struct Aig {
    leaves: u32,
    ands: Vec<And>,
    known: FxHashMap<(Lit, Lit), Lit>,
}

impl Aig {
    /// A graph without gates over `leaves` inputs and latches: the variables `1..=leaves`.
    pub fn new(leaves: u32) -> Aig {
        Aig { leaves, ands: Vec::new(), known: FxHashMap::default() }
    }

    /// The number of gates.
    pub fn len(&self) -> usize {
        self.ands.len()
    }

    /// Whether there are no gates.
    pub fn is_empty(&self) -> bool {
        self.ands.is_empty()
    }

    /// The gates.
    pub fn into_ands(self) -> Vec<And> {
        self.ands
    }

    /// Conjunction.
    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (left, right) = if a > b { (a, b) } else { (b, a) };
        match right {
            Lit::FALSE => return Lit::FALSE,
            Lit::TRUE => return left,
            _ if left == right => return left,
            _ if left == !right => return Lit::FALSE,
            _ => {}
        }
        let fresh = Lit::new(1 + self.leaves + self.ands.len() as u32, false);
        let gate = *self.known.entry((left, right)).or_insert(fresh);
        if gate == fresh {
            self.ands.push(And { left, right });
        }
        gate
    }

    /// Disjunction.
    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// Exclusive disjunction.
    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let both = self.and(a, b);
        let none = self.and(!a, !b);
        self.and(!both, !none)
    }

    /// If `condition` then `a` else `b`.
    pub fn ite(&mut self, condition: Lit, a: Lit, b: Lit) -> Lit {
        if a == b {
            return a;
        }
        let then = self.and(condition, a);
        let other = self.and(!condition, b);
        self.or(then, other)
    }

    /// Conjunction of many.
    pub fn all(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        lits.into_iter().fold(Lit::TRUE, |all, lit| self.and(all, lit))
    }

    /// Disjunction of many.
    pub fn any(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        lits.into_iter().fold(Lit::FALSE, |any, lit| self.or(any, lit))
    }
}
