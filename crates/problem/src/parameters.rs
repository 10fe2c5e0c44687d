//! Circuits with parameters: latches that start with anything and keep it, and what raising them costs.
//!
//! A *valuation* gives every parameter a value; the circuit at a valuation is the circuit whose runs have
//! these values. It is *valid* if the safety property holds there. What is asked for is the front: the
//! costs of valid valuations that no other valid one undercuts, a valuation for each.
//!
//! The property is *monotone* if raising a parameter of a valid valuation leaves it valid. The *twin*
//! makes that a safety property: two copies of the circuit, the low one with parameters that are at most
//! those of the high one, run on the same inputs, and it is bad if the high copy violates the property and
//! the low one has not. `crates/check/PROOFS.md` has the argument.
//!
//! Invariant (`Parametric::validate`): parameters ascend and are such latches, every cost has a weight
//! for each, and no sum of weights overflows.
//!
//! After Bittner, Bozzano, Cimatti, Gario, Griggio, "Towards Pareto-Optimal Parameter Synthesis for
//! Monotonic Cost Functions" (FMCAD 2014). We differ in proving monotony, or doing without it.

use crate::circuit::{And, Circuit, Latch, Lit};

/// The largest sum of the weights of a cost.
pub const MAX_COST: u64 = 1 << 62;

/// The most parameters: bounds on costs are made by recursion over them.
pub const MAX_PARAMS: usize = 1 << 12;

/// A linear function of the parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cost {
    /// Its name, for people.
    pub name: String,
    /// What there is to pay in any case.
    pub base: u64,
    /// What each raised parameter costs, by the parameter's position.
    pub weights: Vec<u64>,
}

impl Cost {
    /// What a valuation costs.
    pub fn of(&self, valuation: &[bool]) -> u64 {
        let raised = self.weights.iter().zip(valuation).filter(|(_, raised)| **raised);
        self.base + raised.map(|(weight, _)| weight).sum::<u64>()
    }
}

/// A circuit with parameters, one of its safety properties, and costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parametric {
    /// The circuit.
    pub circuit: Circuit,
    /// The safety property, by its position in `Circuit::safety`.
    pub property: usize,
    /// The parameters: latches by their position, ascending.
    pub params: Vec<usize>,
    /// The costs.
    pub costs: Vec<Cost>,
}

impl Parametric {
    /// Checks the type's invariant.
    pub fn validate(&self) -> Result<(), String> {
        self.circuit.validate()?;
        if self.property >= self.circuit.safety().len() {
            return Err(format!("the circuit has no safety property {}", self.property));
        }
        if self.params.is_empty() || self.costs.is_empty() {
            return Err("there must be a parameter and a cost".into());
        }
        if self.params.len() > MAX_PARAMS {
            return Err(format!("there are more than {MAX_PARAMS} parameters"));
        }
        if self.params.windows(2).any(|pair| pair[0] >= pair[1]) {
            return Err("the parameters are not listed in ascending order".into());
        }
        for &latch in &self.params {
            self.is_parameter(latch)?;
        }
        for cost in &self.costs {
            if cost.weights.len() != self.params.len() {
                let (found, wanted) = (cost.weights.len(), self.params.len());
                return Err(format!("a cost has {found} weights for {wanted} parameters"));
            }
            let sum =
                cost.weights.iter().try_fold(cost.base, |sum, weight| sum.checked_add(*weight));
            if sum.is_none_or(|sum| sum > MAX_COST) {
                return Err(format!("a cost can be more than {MAX_COST}"));
            }
        }
        Ok(())
    }

    /// Whether a latch can be a parameter, or why not.
    pub fn is_parameter(&self, latch: usize) -> Result<(), String> {
        match self.circuit.latches.get(latch) {
            None => Err(format!("the circuit has no latch {latch}")),
            Some(_) if !self.circuit.is_uninitialised(latch) => {
                Err(format!("latch {latch} does not start with anything"))
            }
            Some(of) if of.next != self.circuit.latch(latch) => {
                Err(format!("latch {latch} does not keep its value"))
            }
            Some(_) => Ok(()),
        }
    }

    /// What a valuation costs, cost by cost.
    pub fn price(&self, valuation: &[bool]) -> Vec<u64> {
        self.costs.iter().map(|cost| cost.of(valuation)).collect()
    }

    /// The literals that say that the parameters have these values.
    pub fn literals<'a>(&'a self, valuation: &'a [bool]) -> impl Iterator<Item = Lit> + 'a {
        let latches = self.params.iter().map(|latch| self.circuit.latch(*latch));
        latches.zip(valuation).map(|(latch, raised)| latch.xor(!raised))
    }

    /// The circuit at a valuation, whose variables are those of the circuit.
    pub fn at(&self, valuation: &[bool]) -> Circuit {
        let mut circuit = self.circuit.clone();
        circuit.constraints.extend(self.literals(valuation));
        circuit
    }

    /// The circuit whose only property holds only if the property is monotone. Its latches are those of
    /// the high copy, those of the low copy, and one that says that the low copy has violated the property.
    pub fn twin(&self) -> Circuit {
        let one = &self.circuit;
        let (inputs, count) = (one.inputs, one.latches.len() as u32);
        let (first_latch, first_gate) = (1 + inputs, 1 + inputs + count);
        let gates = one.ands.len() as u32;
        let high = |lit: Lit| match lit.var() {
            var if var < first_gate => lit,
            var => Lit::new(var + count + 1, lit.is_negated()),
        };
        let low = |lit: Lit| match lit.var() {
            var if var < first_latch => lit,
            var if var < first_gate => Lit::new(var + count, lit.is_negated()),
            var => Lit::new(var + count + 1 + gates, lit.is_negated()),
        };
        let mut twin = Circuit { inputs, ..Circuit::default() };
        let moved = |latch: &Latch, of: &dyn Fn(Lit) -> Lit| Latch {
            next: of(latch.next),
            reset: of(latch.reset),
        };
        twin.latches.extend(one.latches.iter().map(|latch| moved(latch, &high)));
        for (index, latch) in one.latches.iter().enumerate() {
            let mut latch = moved(latch, &low);
            // What may start with anything starts in both copies with the same, but for parameters.
            if one.is_uninitialised(index) && self.params.binary_search(&index).is_err() {
                latch.reset = high(one.latch(index));
            }
            twin.latches.push(latch);
        }
        twin.latches.push(Latch { next: Lit::FALSE, reset: Lit::FALSE });
        let seen = twin.latch(2 * count as usize);
        for of in [&high as &dyn Fn(Lit) -> Lit, &low] {
            let copies = one.ands.iter();
            twin.ands.extend(copies.map(|and| And { left: of(and.left), right: of(and.right) }));
        }
        twin.constraints.extend(one.constraints.iter().map(|lit| high(*lit)));
        for &param in &self.params {
            let above = and(&mut twin, low(one.latch(param)), !high(one.latch(param)));
            twin.constraints.push(!above);
        }
        let bad = one.safety()[self.property];
        let mut counts = Lit::TRUE;
        for constraint in &one.constraints {
            counts = and(&mut twin, counts, low(*constraint));
        }
        let violated = and(&mut twin, counts, low(bad));
        let neither = and(&mut twin, !seen, !violated);
        twin.latches[2 * count as usize].next = !neither;
        let unmatched = and(&mut twin, high(bad), !low(bad));
        let fine = and(&mut twin, counts, !unmatched);
        let bad = and(&mut twin, !seen, !fine);
        twin.bads.push(bad);
        twin
    }
}

/// A further gate, which comes after all that it reads.
fn and(circuit: &mut Circuit, left: Lit, right: Lit) -> Lit {
    circuit.ands.push(And { left, right });
    circuit.gate(circuit.ands.len() - 1)
}

#[cfg(test)]
mod tests;
