//! Random clauses, and whether few variables have values that satisfy them, by enumeration.
//!
//! Literals are those of the solver or DIMACS' numbers, as the caller says.

use crate::Rng;
use alphorn_sat::{Lit, Options, Var};
use std::ops::RangeInclusive;

/// A kind of literals.
pub trait Literal: Copy {
    /// The literal of a variable, from 0 on.
    fn of(var: u32, is_positive: bool) -> Self;
    /// Its variable, from 0 on, and whether it is positive.
    fn parts(self) -> (u32, bool);
}

impl Literal for i32 {
    fn of(var: u32, is_positive: bool) -> i32 {
        let number = var as i32 + 1;
        if is_positive { number } else { -number }
    }

    fn parts(self) -> (u32, bool) {
        (self.unsigned_abs() - 1, self > 0)
    }
}

impl Literal for Lit {
    fn of(var: u32, is_positive: bool) -> Lit {
        Var(var).lit(is_positive)
    }

    fn parts(self) -> (u32, bool) {
        (self.var().0, !self.is_negated())
    }
}

/// A literal of so many variables.
pub fn literal<L: Literal>(rng: &mut Rng, variables: u32) -> L {
    let var = rng.below(variables);
    L::of(var, rng.one_in(2))
}

/// A clause of so many literals, which may repeat or oppose each other.
pub fn clause<L: Literal>(rng: &mut Rng, variables: u32, width: u32) -> Vec<L> {
    (0..width).map(|_| literal(rng, variables)).collect()
}

/// A clause of so many variables that differ.
pub fn clause_of_distinct<L: Literal>(rng: &mut Rng, variables: u32, width: u32) -> Vec<L> {
    let mut clause: Vec<L> = Vec::new();
    while clause.len() < width as usize {
        let new: L = literal(rng, variables);
        if clause.iter().all(|old| old.parts().0 != new.parts().0) {
            clause.push(new);
        }
    }
    clause
}

/// So many clauses, each as wide as any of `widths`.
pub fn clauses<L: Literal>(
    rng: &mut Rng,
    variables: u32,
    count: u32,
    widths: RangeInclusive<u32>,
) -> Vec<Vec<L>> {
    let (least, most) = widths.into_inner();
    let mut next = || {
        let width = if least == most { least } else { least + rng.below(most - least + 1) };
        clause(rng, variables, width)
    };
    (0..count).map(|_| next()).collect()
}

/// Whether values of the variables satisfy all clauses.
pub fn has_model<L: Literal, C: AsRef<[L]>>(
    variables: u32,
    clauses: impl IntoIterator<Item = C>,
) -> bool {
    let clauses: Vec<C> = clauses.into_iter().collect();
    (0..1u64 << variables).any(|model| {
        let holds = |literal: &L| {
            let (var, is_positive) = literal.parts();
            (model >> var & 1 == 1) == is_positive
        };
        clauses.iter().all(|clause| clause.as_ref().iter().any(holds))
    })
}

/// Options of the solver with each value random, small limits preferred so that everything happens early.
pub fn random_options(rng: &mut Rng) -> Options {
    let mut options = Options::default();
    for info in Options::TABLE {
        let value = match rng.below(4) {
            0 => info.default,
            1 => info.min,
            _ => info.min + rng.below((info.max - info.min).min(30) + 1),
        };
        options.set(info.name, value).expect("the value is in range");
    }
    options
}

#[cfg(test)]
mod tests {
    use super::{clauses, has_model};
    use crate::cnf::prove::refutation;
    use crate::shrink::for_all;

    #[test]
    fn refutations_are_written_exactly_where_no_model_is_found() {
        let (mut with, mut without) = (0, 0);
        for_all(
            0..300,
            |rng| clauses::<i32>(rng, 5, 12, 1..=3),
            |clauses| {
                let slices = clauses.iter().map(Vec::as_slice);
                assert_eq!(has_model(5, slices.clone()), refutation(slices).is_none());
                *if has_model(5, clauses) { &mut with } else { &mut without } += 1;
            },
        );
        assert!(with > 30 && without > 30, "{with} with and {without} without");
    }
}
