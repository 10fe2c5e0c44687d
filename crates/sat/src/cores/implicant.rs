//! Prime implicants of a formula from one of its models.
//!
//! A literal of the model can go when every clause in which it occurs has another true literal that
//! stays. Removing literals only lowers the number of true ones, so a literal that could not go
//! once never can: one pass in any order ends in a prime implicant, from which no further literal
//! can go. The order decides which one.
//!
//! The result satisfies the clauses one by one. Where these encode a circuit, that is more than the
//! circuit asks; `justify.rs` and `lift.rs` know better.
//!
//! After Déharbe, Fontaine, Le Berre, Mazure, "Computing prime implicants" (FMCAD 2013).

use super::without_repetition;
use crate::literal::Lit;

/// The clauses of a formula, indexed by literal, for shrinking many models.
pub struct Implicants {
    /// Positions of the clauses in which a literal occurs, from `starts` of its code on.
    occurrences: Vec<u32>,
    starts: Vec<usize>,
    /// How many literals of what is left of the model each clause contains.
    satisfied: Vec<u32>,
}

impl Implicants {
    /// Indexes the clauses.
    pub fn new<'a>(clauses: impl IntoIterator<Item = &'a [Lit]>) -> Implicants {
        let mut pairs: Vec<(Lit, u32)> = Vec::new();
        let mut count = 0;
        for (index, clause) in clauses.into_iter().enumerate() {
            pairs.extend(clause.iter().map(|lit| (*lit, index as u32)));
            count = index + 1;
        }
        pairs.sort_unstable();
        // A literal that a clause repeats is still only one.
        pairs.dedup();
        let codes = pairs.last().map_or(0, |(lit, _)| lit.index() + 1);
        let mut starts = vec![0; codes + 1];
        pairs.iter().for_each(|(lit, _)| starts[lit.index() + 1] += 1);
        for code in 1..starts.len() {
            starts[code] += starts[code - 1];
        }
        let occurrences = pairs.into_iter().map(|(_, index)| index).collect();
        Implicants { occurrences, starts, satisfied: vec![0; count] }
    }

    fn clauses_of(&self, lit: Lit) -> std::ops::Range<usize> {
        match self.starts.get(lit.index()..lit.index() + 2) {
            Some(&[start, end]) => start..end,
            _ => 0..0,
        }
    }

    /// The literals of `model`, in its order, that keep every clause true; none if it leaves a
    /// clause without a true literal.
    ///
    /// Literals late in the model go first. Costs time in proportion to the formula.
    ///
    /// ```
    /// use alphorn_sat::{Lit, Var};
    /// use alphorn_sat::cores::Implicants;
    ///
    /// let [a, b, c] = [0, 1, 2].map(|index| Var(index).positive());
    /// let clauses: [&[Lit]; 2] = [&[a, b], &[b, !c]];
    /// let mut implicants = Implicants::new(clauses);
    /// assert_eq!(implicants.shrink(&[b, a, c]), Some(vec![b]));
    /// assert_eq!(implicants.shrink(&[a, !c, b]), Some(vec![a, !c]));
    /// assert_eq!(implicants.shrink(&[a, c]), None);
    /// ```
    pub fn shrink(&mut self, model: &[Lit]) -> Option<Vec<Lit>> {
        let model = without_repetition(model);
        self.satisfied.fill(0);
        let mut satisfied_clauses = 0;
        for lit in &model {
            for at in self.clauses_of(*lit) {
                let count = &mut self.satisfied[self.occurrences[at] as usize];
                satisfied_clauses += usize::from(*count == 0);
                *count += 1;
            }
        }
        if satisfied_clauses < self.satisfied.len() {
            return None;
        }
        let mut kept = Vec::new();
        for lit in model.into_iter().rev() {
            let clauses = &self.occurrences[self.clauses_of(lit)];
            if clauses.iter().any(|index| self.satisfied[*index as usize] == 1) {
                kept.push(lit);
            } else {
                clauses.iter().for_each(|index| self.satisfied[*index as usize] -= 1);
            }
        }
        kept.reverse();
        Some(kept)
    }
}
