//! And-inverter graphs under construction, with structural hashing.
//!
//! Inputs and latches are numbered beforehand, gates as they come. A conjunction that is constant,
//! one of its arguments, or known already makes no gate; nor does one that the fan-ins of its
//! arguments show to be a simpler one. That look goes one gate deep and costs a few comparisons.
//!
//! Invariant: a gate's fan-ins are smaller than the gate, and no two gates have the same fan-ins.
//!
//! After Brummayer, Biere, "Local two-level and-inverter graph minimization without blowup" (MEMICS
//! 2006): contradiction, subsumption, substitution and resolution; not idempotence, which only pays
//! where gates are counted.

use crate::circuit::{And, Lit};
use rustc_hash::FxHashMap;

/// A graph over a fixed number of inputs and latches.
#[derive(Clone, Debug)]
pub struct Aig {
    leaves: u32,
    ands: Vec<And>,
    known: FxHashMap<(Lit, Lit), Lit>,
}

/// What a conjunction is in simpler terms.
enum Simpler {
    /// A literal.
    Is(Lit),
    /// Another conjunction.
    Pair(Lit, Lit),
}

use Simpler::{Is, Pair};

impl Aig {
    /// A graph without gates over `leaves` inputs and latches: the variables `1..=leaves`.
    pub fn new(leaves: u32) -> Aig {
        Aig { leaves, ands: Vec::new(), known: FxHashMap::default() }
    }

    /// One more input, numbered like a gate.
    ///
    /// It is kept as the conjunction of itself with itself, which is true of it.
    pub fn leaf(&mut self) -> Lit {
        let leaf = Lit::new(1 + self.leaves + self.ands.len() as u32, false);
        self.ands.push(And { left: leaf, right: leaf });
        leaf
    }

    /// The fan-ins of a variable that is a gate.
    pub fn fan_ins(&self, var: u32) -> Option<And> {
        let gate = self.gate(Lit::new(var, false))?;
        (gate.left.var() != var).then_some(gate)
    }

    /// Makes room for so many gates.
    pub fn reserve(&mut self, gates: usize) {
        self.ands.reserve(gates);
        self.known.reserve(gates);
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
        let (mut a, mut b) = (a, b);
        loop {
            let (left, right) = if a > b { (a, b) } else { (b, a) };
            match right {
                Lit::FALSE => return Lit::FALSE,
                Lit::TRUE => return left,
                _ if left == right => return left,
                _ if left == !right => return Lit::FALSE,
                _ => {}
            }
            if let Some(&gate) = self.known.get(&(left, right)) {
                return gate;
            }
            match self.simpler(left, right) {
                Some(Is(lit)) => return lit,
                Some(Pair(c, d)) => (a, b) = (c, d),
                None => {
                    let gate = Lit::new(1 + self.leaves + self.ands.len() as u32, false);
                    self.ands.push(And { left, right });
                    self.known.insert((left, right), gate);
                    return gate;
                }
            }
        }
    }

    fn gate(&self, lit: Lit) -> Option<And> {
        let index = lit.var().checked_sub(1 + self.leaves)?;
        self.ands.get(index as usize).copied()
    }

    /// What the fan-ins of two literals say about their conjunction.
    fn simpler(&self, a: Lit, b: Lit) -> Option<Simpler> {
        let (above, below) = (self.gate(a), self.gate(b));
        let one_sided = above
            .and_then(|gate| beside(b, a, gate))
            .or_else(|| below.and_then(|gate| beside(a, b, gate)));
        if one_sided.is_some() {
            return one_sided;
        }
        let (g, h) = (above?, below?);
        match (a.is_negated(), b.is_negated()) {
            (false, false) => clash(g, h).then_some(Is(Lit::FALSE)),
            (false, true) => against(a, g, h),
            (true, false) => against(b, h, g),
            (true, true) => resolvent(g, h).map(Is),
        }
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
        if a == !b {
            return !self.xor(condition, a);
        }
        let then = self.and(condition, a);
        let other = self.and(!condition, b);
        self.or(then, other)
    }

    /// Conjunction of many, as a balanced tree.
    pub fn all(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        let mut layer: Vec<Lit> = lits.into_iter().collect();
        while layer.len() > 1 {
            let pair = |pair: &[Lit]| pair[1..].iter().fold(pair[0], |a, &b| self.and(a, b));
            layer = layer.chunks(2).map(pair).collect();
        }
        layer.first().copied().unwrap_or(Lit::TRUE)
    }

    /// Disjunction of many.
    pub fn any(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        !self.all(lits.into_iter().map(|lit| !lit))
    }
}

/// `other` and the literal `lit` of a gate.
fn beside(other: Lit, lit: Lit, And { left, right }: And) -> Option<Simpler> {
    match lit.is_negated() {
        false if other == left || other == right => Some(Is(lit)),
        false if other == !left || other == !right => Some(Is(Lit::FALSE)),
        true if other == !left || other == !right => Some(Is(other)),
        true if other == left => Some(Pair(other, !right)),
        true if other == right => Some(Pair(other, !left)),
        _ => None,
    }
}

/// Whether two gates have contradictory fan-ins.
fn clash(g: And, h: And) -> bool {
    let is_in = |lit: Lit| lit == h.left || lit == h.right;
    is_in(!g.left) || is_in(!g.right)
}

/// The gate `g`, whose literal is `lit`, and the negation of the gate `h`.
fn against(lit: Lit, g: And, h: And) -> Option<Simpler> {
    let is_in = |lit: Lit| lit == g.left || lit == g.right;
    if clash(g, h) {
        Some(Is(lit))
    } else if is_in(h.left) {
        Some(Pair(lit, !h.right))
    } else if is_in(h.right) {
        Some(Pair(lit, !h.left))
    } else {
        None
    }
}

/// The negations of two gates that share a fan-in and disagree on the other.
fn resolvent(g: And, h: And) -> Option<Lit> {
    let pairs = [
        (g.left, g.right, h.left, h.right),
        (g.left, g.right, h.right, h.left),
        (g.right, g.left, h.left, h.right),
        (g.right, g.left, h.right, h.left),
    ];
    pairs.into_iter().find(|(a, b, c, d)| a == c && *b == !*d).map(|(a, ..)| !a)
}
