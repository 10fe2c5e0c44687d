//! Truth tables of formulas over few variables: the oracle of the tests of interpolants.

use alphorn_sat::aig::{Aig, COUNTING, Edge};
use alphorn_sat::interpolate::InputMap;
use alphorn_sat::{Lit, Var};

/// A function of few variables: one bit for each assignment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table(Vec<u64>);

fn column(var: Var, word: usize) -> u64 {
    match var.0 {
        index @ 0..6 => COUNTING[index as usize],
        index => 0u64.wrapping_sub((word >> (index - 6)) as u64 & 1),
    }
}

impl Table {
    /// The function that is always true.
    pub fn truth(variables: u32) -> Table {
        Table(vec![!0; 1 << variables.saturating_sub(6)])
    }

    /// Conjoins a clause.
    pub fn add(&mut self, clause: &[Lit]) {
        for (word, bits) in self.0.iter_mut().enumerate() {
            let value =
                |lit: &Lit| column(lit.var(), word) ^ 0u64.wrapping_sub(lit.is_negated().into());
            *bits &= clause.iter().fold(0, |sum, lit| sum | value(lit));
        }
    }

    /// The function of an edge.
    pub fn of_edge(variables: u32, aig: &Aig, edge: Edge, inputs: &InputMap) -> Table {
        let mut columns = vec![0; aig.inputs() as usize];
        let word = |word: usize| {
            for (var, input) in inputs.iter() {
                let support = aig.support(&[input]);
                columns[support[0] as usize] = column(var, word);
            }
            aig.simulate(&columns).value(edge)
        };
        Table((0..1 << variables.saturating_sub(6)).map(word).collect())
    }

    /// The conjunction.
    pub fn and(&self, other: &Table) -> Table {
        Table(self.0.iter().zip(&other.0).map(|(left, right)| left & right).collect())
    }

    /// Whether all assignments of this are of the other.
    pub fn implies(&self, other: &Table) -> bool {
        self.0.iter().zip(&other.0).all(|(left, right)| left & !right == 0)
    }

    /// Whether it has no assignment.
    pub fn is_false(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }
}
