//! Circuits made smaller: fewer inputs, latches, gates, constraints and properties.
//!
//! A variable goes by having a constant in its place, a gate also by one of its own inputs. The last
//! property of a kind stays, so that what is asked about does.

use super::{Shrink, shorter};
use alphorn_problem::circuit::{And, Circuit, Latch, Lit};

/// The circuit without a variable, `by` in its place; `by` comes before it.
fn without(circuit: &Circuit, var: u32, by: Lit) -> Circuit {
    let renamed = |lit: Lit| match lit.var().cmp(&var) {
        std::cmp::Ordering::Less => lit,
        std::cmp::Ordering::Equal => by.xor(lit.is_negated()),
        std::cmp::Ordering::Greater => Lit::new(lit.var() - 1, lit.is_negated()),
    };
    let mut small = circuit.clone();
    let first_latch = 1 + circuit.inputs;
    let first_gate = first_latch + circuit.latches.len() as u32;
    if var < first_latch {
        small.inputs -= 1;
    } else if var < first_gate {
        small.latches.remove((var - first_latch) as usize);
    } else {
        small.ands.remove((var - first_gate) as usize);
    }
    for And { left, right } in &mut small.ands {
        (*left, *right) = (renamed(*left), renamed(*right));
    }
    for Latch { next, reset } in &mut small.latches {
        (*next, *reset) = (renamed(*next), renamed(*reset));
    }
    let lists = [&mut small.outputs, &mut small.bads, &mut small.constraints, &mut small.fairness];
    let conditions = small.justice.iter_mut().flatten();
    lists.into_iter().flatten().chain(conditions).for_each(|lit| *lit = renamed(*lit));
    small.symbols = Default::default();
    small
}

impl Shrink for Circuit {
    fn smaller(&self) -> Box<dyn Iterator<Item = Self> + '_> {
        let first_gate = 1 + self.inputs + self.latches.len() as u32;
        let variables = (1..=self.max_var()).rev().flat_map(move |var| {
            let mut by = vec![Lit::FALSE, Lit::TRUE];
            if let Some(and) = var.checked_sub(first_gate).map(|at| self.ands[at as usize]) {
                by.extend([and.left, and.right]);
            }
            by.into_iter().filter(move |by| by.var() < var).map(move |by| without(self, var, by))
        });
        let free = shorter(&self.constraints)
            .map(|constraints| Circuit { constraints, ..self.clone() })
            .chain(shorter(&self.fairness).map(|fairness| Circuit { fairness, ..self.clone() }));
        let asked = shorter(&self.bads)
            .filter(|bads| !bads.is_empty())
            .map(|bads| Circuit { bads, ..self.clone() });
        let resets = (0..self.latches.len()).filter_map(move |at| {
            let mut circuit = self.clone();
            circuit.latches[at].reset = Lit::FALSE;
            (self.latches[at].reset != Lit::FALSE).then_some(circuit)
        });
        let all = free.chain(asked).chain(variables).chain(resets);
        Box::new(all.filter(|circuit| circuit.validate().is_ok()))
    }

    fn show(&self) -> String {
        alphorn_front::aiger::write_ascii(self)
    }
}
