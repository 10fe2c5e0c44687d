//! The clauses of a formula and of a proof, without repeated literals, and how they are found again.
//!
//! Variables of the proof that the formula does not have are renumbered in the order in which they
//! come, so that memory follows what is there and not the largest number.

use crate::literal::{Lit, Var};
use std::collections::BTreeMap;

/// The position of a clause.
pub(super) type Number = u32;

#[derive(Default)]
pub(super) struct Clauses {
    literals: Vec<Lit>,
    ends: Vec<usize>,
    pivots: Vec<Lit>,
    /// Clauses that are there, by a hash of their literals.
    present: BTreeMap<u64, Vec<Number>>,
    /// How many variables the formula needs.
    known: u32,
    /// Positions of the proof's own variables, and the variables by position.
    renumbered: BTreeMap<Var, Var>,
    own: Vec<Var>,
    /// Whether a clause contains a literal and its negation.
    tautologies: Vec<bool>,
    /// Whether a clause had literals twice.
    repeated: Vec<bool>,
}

impl Clauses {
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// How many variables the clauses so far have.
    pub(super) fn largest(&self) -> u32 {
        self.known
    }

    /// How many variables there are, with those of the proof.
    pub(super) fn variables(&self) -> usize {
        self.known as usize + self.own.len()
    }

    /// Makes variables for the literals of a proof, once the formula is complete.
    pub(super) fn see(&mut self, literals: &[Lit]) {
        for lit in literals.iter().filter(|lit| lit.var().0 >= self.known) {
            let fresh = Var(self.known + self.own.len() as u32);
            if *self.renumbered.entry(lit.var()).or_insert(fresh) == fresh {
                self.own.push(lit.var());
            }
        }
    }

    /// The literal here that a literal of a file is.
    fn inside(&self, lit: Lit) -> Option<Lit> {
        if lit.var().0 < self.known {
            return Some(lit);
        }
        Some(self.renumbered.get(&lit.var())?.lit(!lit.is_negated()))
    }

    /// The literal of a file that a literal here is.
    pub(super) fn original(&self, lit: Lit) -> Lit {
        match self.own.get((lit.var().0 as usize).wrapping_sub(self.known as usize)) {
            Some(var) => var.lit(!lit.is_negated()),
            None => lit,
        }
    }

    /// Adds a clause; those of the formula come before the first `see`.
    pub(super) fn add(&mut self, literals: &[Lit]) -> Number {
        if self.own.is_empty() && self.renumbered.is_empty() {
            let largest = literals.iter().map(|lit| lit.var().0 + 1).max().unwrap_or(0);
            self.known = self.known.max(largest);
        }
        let inside = self.normal(literals).expect("variables of all clauses were seen");
        let number = self.len() as Number;
        self.pivots.push(literals.first().and_then(|&lit| self.inside(lit)).unwrap_or(Lit::NONE));
        self.tautologies.push(inside.windows(2).any(|pair| pair[0] == !pair[1]));
        self.repeated.push(inside.len() < literals.len());
        self.present.entry(hash(&inside)).or_default().push(number);
        self.literals.extend(inside);
        self.ends.push(self.literals.len());
        number
    }

    /// The literals here, sorted, each once; none if one of them is in no clause.
    fn normal(&self, literals: &[Lit]) -> Option<Vec<Lit>> {
        let mut inside =
            literals.iter().map(|&lit| self.inside(lit)).collect::<Option<Vec<Lit>>>()?;
        inside.sort_unstable();
        inside.dedup();
        Some(inside)
    }

    /// The latest clause with these literals that is there, and how much was looked at: a proof can be
    /// full of clauses whose hashes are equal.
    pub(super) fn find(&self, literals: &[Lit]) -> (Option<Number>, usize) {
        let mut looked = 1 + literals.len();
        let Some(wanted) = self.normal(literals) else { return (None, looked) };
        for &number in self.present.get(&hash(&wanted)).into_iter().flatten().rev() {
            let found = self.literals(number);
            looked += 1;
            if found.len() != wanted.len() {
                continue;
            }
            looked += found.len();
            let mut found = found.to_vec();
            found.sort_unstable();
            if found == wanted {
                return (Some(number), looked);
            }
        }
        (None, looked)
    }

    /// Lets a clause be found no more; returns how much was looked at.
    pub(super) fn forget(&mut self, number: Number) -> usize {
        let mut literals = self.literals(number).to_vec();
        literals.sort_unstable();
        let Some(numbers) = self.present.get_mut(&hash(&literals)) else { return 0 };
        let before = numbers.len();
        let at = numbers.iter().rposition(|other| *other == number);
        at.map_or(before, |at| {
            numbers.remove(at);
            before - at
        })
    }

    pub(super) fn literals(&self, number: Number) -> &[Lit] {
        &self.literals[self.range(number)]
    }

    pub(super) fn literals_mut(&mut self, number: Number) -> &mut [Lit] {
        let range = self.range(number);
        &mut self.literals[range]
    }

    fn range(&self, number: Number) -> std::ops::Range<usize> {
        let index = number as usize;
        index.checked_sub(1).map_or(0, |before| self.ends[before])..self.ends[index]
    }

    pub(super) fn is_tautology(&self, number: Number) -> bool {
        self.tautologies[number as usize]
    }

    pub(super) fn repeats(&self, number: Number) -> bool {
        self.repeated[number as usize]
    }

    pub(super) fn pivot(&self, number: Number) -> Lit {
        self.pivots[number as usize]
    }

    /// The literals, the one for RAT first.
    pub(super) fn pivot_first(&self, number: Number) -> impl Iterator<Item = Lit> {
        let pivot = self.pivot(number);
        let others = self.literals(number).iter().copied().filter(move |lit| *lit != pivot);
        std::iter::once(pivot).chain(others)
    }
}

fn hash(sorted: &[Lit]) -> u64 {
    let mix = |hash: u64, lit: &Lit| {
        (hash.rotate_left(5) ^ u64::from(lit.code())).wrapping_mul(0x517c_c1b7_2722_0a95)
    };
    sorted.iter().fold(0, mix)
}

/// Variables of a proof, numbered after those of its formula in the order in which they come.
pub(super) struct Names {
    known: u32,
    given: BTreeMap<Var, Var>,
}

impl Names {
    pub(super) fn after(known: u32) -> Names {
        Names { known, given: BTreeMap::new() }
    }

    pub(super) fn of(&mut self, lit: Lit) -> Lit {
        if lit.var().0 < self.known {
            return lit;
        }
        let fresh = Var(self.known + self.given.len() as u32);
        self.given.entry(lit.var()).or_insert(fresh).lit(!lit.is_negated())
    }
}
