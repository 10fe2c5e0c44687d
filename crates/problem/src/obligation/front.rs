//! That a front has all points, as clauses to refute.
//!
//! The clauses describe a valuation that is a counterexample: no run of the evidence speaks for it, and no
//! point costs at most what it costs in all respects. Variables `1..` are the parameters; then come
//! auxiliary ones, each of which *implies* what it stands for: that the parameters from a position on cost
//! at most so much more. So every counterexample extends to a model of the clauses, and a refutation shows
//! that there is none.
//!
//! A bound on a cost is a decision diagram: the parameter with the largest weight comes first, and a node is
//! a position and what is left to spend, divided by the greatest common divisor of the weights. Bounds of
//! one cost share nodes.
//!
//! Invariant: the clauses depend on the parameters' number, the costs, the points' costs, the runs'
//! valuations and whether the property is monotone alone, and are made in this order.
//!
//! After Eén, Sörensson, "Translating Pseudo-Boolean Constraints into SAT" (JSAT 2006).

use super::circuit::Cnf;
use crate::evidence::circuit::{Bit, Trace};
use crate::parameters::{Cost, Parametric};
use std::collections::BTreeMap;

/// The most nodes of all bounds together.
pub const MAX_NODES: u32 = 1 << 20;

/// What a bound on a cost says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// Every valuation keeps it.
    Always,
    /// None does.
    Never,
    /// Those do for which this literal can be true.
    If(i32),
}

/// The valuations that a run of the evidence speaks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excluded {
    /// By parameter: the value of those valuations, or both.
    pub values: Vec<Bit>,
    /// Whether what lies below them is excluded, too.
    pub is_monotone: bool,
}

impl Excluded {
    /// What a run says; its shape must fit the circuit.
    pub fn by(problem: &Parametric, trace: &Trace, is_monotone: bool) -> Excluded {
        let values = problem.params.iter().map(|latch| trace.start[*latch]).collect();
        Excluded { values, is_monotone }
    }

    /// The clause that says that a valuation is not among them.
    pub fn clause(&self) -> Vec<i32> {
        let numbered = self.values.iter().zip(1..);
        let lit = |(value, number): (&Bit, i32)| match value {
            Bit::Zero => Some(number),
            Bit::One if !self.is_monotone => Some(-number),
            _ => None,
        };
        numbered.filter_map(lit).collect()
    }
}

/// The diagram of a cost.
#[derive(Debug)]
struct Diagram {
    /// Parameters that cost something, by falling weight, with their weights divided.
    items: Vec<(i32, u64)>,
    /// What the items from a position on cost together.
    rest: Vec<u64>,
    base: u64,
    divisor: u64,
    nodes: BTreeMap<(u32, u64), i32>,
}

/// Makes the clauses.
#[derive(Debug)]
pub struct Encoder {
    cnf: Cnf,
    diagrams: Vec<Diagram>,
    nodes: u32,
}

impl Encoder {
    /// No clause yet.
    pub fn new(problem: &Parametric) -> Encoder {
        let mut cnf = Cnf::default();
        for _ in &problem.params {
            cnf.fresh();
        }
        Encoder { cnf, diagrams: problem.costs.iter().map(Diagram::new).collect(), nodes: 0 }
    }

    /// The clauses so far.
    pub fn cnf(&self) -> &Cnf {
        &self.cnf
    }

    /// A valuation is not among the excluded ones.
    pub fn exclude(&mut self, excluded: &Excluded) {
        self.cnf.add(excluded.clause());
    }

    /// A valuation costs less than a point in some respect.
    pub fn undercut(&mut self, price: &[u64]) -> Result<(), String> {
        let mut some = Vec::with_capacity(price.len());
        for (cost, &price) in price.iter().enumerate() {
            match price.checked_sub(1).map_or(Ok(Bound::Never), |most| self.at_most(cost, most))? {
                Bound::Never => {}
                Bound::Always => return Ok(()),
                Bound::If(lit) => some.push(lit),
            }
        }
        self.cnf.add(some);
        Ok(())
    }

    /// What implies that a cost is at most `most`.
    pub fn at_most(&mut self, cost: usize, most: u64) -> Result<Bound, String> {
        let diagram = &self.diagrams[cost];
        match most.checked_sub(diagram.base) {
            None => Ok(Bound::Never),
            Some(left) => {
                let left = left / diagram.divisor;
                self.node(cost, 0, left)
            }
        }
    }

    /// What implies that the items from a position on cost at most `left`.
    fn node(&mut self, cost: usize, at: usize, left: u64) -> Result<Bound, String> {
        let diagram = &self.diagrams[cost];
        if diagram.rest[at] <= left {
            return Ok(Bound::Always);
        }
        if let Some(&node) = diagram.nodes.get(&(at as u32, left)) {
            return Ok(Bound::If(node));
        }
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return Err(format!("the bounds on costs have more than {MAX_NODES} nodes"));
        }
        let (param, weight) = diagram.items[at];
        let without = self.node(cost, at + 1, left)?;
        let with = match left.checked_sub(weight) {
            None => Bound::Never,
            Some(left) => self.node(cost, at + 1, left)?,
        };
        let node = self.cnf.fresh();
        for (bound, clause) in [(without, [-node, -node]), (with, [-node, -param])] {
            match bound {
                Bound::Always => {}
                Bound::Never => self.cnf.add(clause),
                Bound::If(below) => self.cnf.add(clause.into_iter().chain([below])),
            }
        }
        self.diagrams[cost].nodes.insert((at as u32, left), node);
        Ok(Bound::If(node))
    }
}

impl Diagram {
    fn new(cost: &Cost) -> Diagram {
        let numbered = cost.weights.iter().zip(1..);
        let costly = numbered.filter(|(weight, _)| **weight > 0);
        let mut items: Vec<(i32, u64)> = costly.map(|(weight, param)| (param, *weight)).collect();
        items.sort_by_key(|(param, weight)| (std::cmp::Reverse(*weight), *param));
        let divisor = items.iter().fold(0, |divisor, (_, weight)| gcd(divisor, *weight)).max(1);
        items.iter_mut().for_each(|(_, weight)| *weight /= divisor);
        let mut rest = vec![0; items.len() + 1];
        for at in (0..items.len()).rev() {
            rest[at] = rest[at + 1] + items[at].1;
        }
        Diagram { items, rest, base: cost.base, divisor, nodes: BTreeMap::new() }
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The clauses that a valuation satisfies if no run speaks for it and it undercuts every point, or why
/// they are too many. Runs come first, so that their clauses have the first numbers.
pub fn coverage(
    problem: &Parametric,
    failed: &[Excluded],
    prices: &[Vec<u64>],
) -> Result<Cnf, String> {
    let mut encoder = Encoder::new(problem);
    failed.iter().for_each(|excluded| encoder.exclude(excluded));
    for price in prices {
        encoder.undercut(price)?;
    }
    Ok(encoder.cnf)
}

#[cfg(test)]
mod tests;
