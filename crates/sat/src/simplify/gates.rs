//! Clauses that define a variable: conjunction, equivalence, parity, choice.
//!
//! Elimination needs only the resolvents of a clause of the definition with one of the others.
//! Resolvents inside the definition are tautologies. Those of two other clauses follow: whatever
//! the rest of the assignment, the definition forces one value of the variable by a clause of its
//! own, and resolving that clause with the other of the two that the value falsifies gives a kept
//! resolvent. All this needs is that the definition forces a value under every assignment of its
//! inputs, which each of the shapes here does.
//!
//! After Eén, Biere (SatELite, SAT 2005).

use super::eliminate::Sides;
use crate::arena::ClauseRef;
use crate::literal::{Lit, Var};
use crate::solver::Solver;
use crate::theory::Theory;

/// Most literals of a clause of a parity: there are two to the power of one less such clauses.
const LONGEST_PARITY: usize = 5;
/// Where more clauses of three literals mention a variable, no choice is looked for.
const MAX_TERNARY: usize = 40;

impl<T: Theory> Solver<T> {
    /// Looks for clauses that define the variable and marks them.
    pub(super) fn find_definition(&mut self, var: Var, sides: &mut Sides, marks: &mut [bool]) {
        // The headers read here were just read to list the clauses.
        self.stats.ticks += (sides.positive.len() + sides.negative.len()) as u64 / 8;
        let found = self.find_conjunction(var.positive(), sides, marks)
            || self.find_conjunction(var.negative(), sides, marks)
            || self.find_choice(var, sides)
            || self.find_parity(var, sides, marks);
        sides.has_definition = found;
        self.stats.gates += u64::from(found);
    }

    /// The literals of a clause other than `lit`.
    fn others(&self, clause: ClauseRef, lit: Lit) -> impl Iterator<Item = Lit> + '_ {
        self.arena.literals(clause).filter(move |other| *other != lit)
    }

    /// output = ⋀ inputs: (¬output ∨ input) for each, and (output ∨ ⋁ ¬input); an equivalence if
    /// there is one input.
    fn find_conjunction(&self, output: Lit, sides: &mut Sides, marks: &mut [bool]) -> bool {
        let (long_side, short_side) = match output.is_negated() {
            false => (&mut sides.positive, &mut sides.negative),
            true => (&mut sides.negative, &mut sides.positive),
        };
        let binary = short_side.iter().filter(|(clause, _)| self.arena.size(*clause) == 2);
        let inputs: Vec<Lit> =
            binary.flat_map(|(clause, _)| self.others(*clause, !output)).collect();
        inputs.iter().for_each(|lit| marks[(!*lit).index()] = true);
        let found = long_side
            .iter_mut()
            .find(|(clause, _)| self.others(*clause, output).all(|lit| marks[lit.index()]));
        inputs.iter().for_each(|lit| marks[(!*lit).index()] = false);
        let Some((long, defines)) = found else { return false };
        *defines = true;
        for lit in self.others(*long, output) {
            let of_input = |(clause, _): &&mut (ClauseRef, bool)| {
                self.arena.size(*clause) == 2
                    && self.arena.literals(*clause).any(|other| other == !lit)
            };
            let (_, defines) = short_side.iter_mut().find(of_input).expect("it is an input");
            *defines = true;
        }
        true
    }

    /// output = (condition ? then : otherwise): (output ∨ ¬condition ∨ ¬then),
    /// (output ∨ condition ∨ ¬otherwise), and both with the output and the branch flipped.
    fn find_choice(&mut self, var: Var, sides: &mut Sides) -> bool {
        let positive = self.ternary(&sides.positive, var.positive());
        let negative = self.ternary(&sides.negative, var.negative());
        if positive.len().max(negative.len()) > MAX_TERNARY {
            return false;
        }
        self.stats.ticks += (positive.len() * positive.len() / 16) as u64;
        let find = |a: Lit, b: Lit| {
            let has = |(_, pair): &&(usize, [Lit; 2])| *pair == [a, b] || *pair == [b, a];
            negative.iter().find(has).map(|(index, _)| *index)
        };
        for (place, (first, one)) in positive.iter().enumerate() {
            for (second, other) in &positive[place + 1..] {
                for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                    if one[i] != !other[j] {
                        continue;
                    }
                    let (with_one, with_other) = (!one[1 - i], !other[1 - j]);
                    let (Some(third), Some(fourth)) =
                        (find(one[i], with_one), find(other[j], with_other))
                    else {
                        continue;
                    };
                    sides.positive[*first].1 = true;
                    sides.positive[*second].1 = true;
                    sides.negative[third].1 = true;
                    sides.negative[fourth].1 = true;
                    return true;
                }
            }
        }
        false
    }

    /// The clauses of three literals, each with its place and its literals but `lit`.
    fn ternary(&self, side: &[(ClauseRef, bool)], lit: Lit) -> Vec<(usize, [Lit; 2])> {
        let mut found = Vec::new();
        for (place, (clause, _)) in side.iter().enumerate() {
            if self.arena.size(*clause) == 3 {
                let mut others = self.others(*clause, lit);
                if let (Some(a), Some(b)) = (others.next(), others.next()) {
                    found.push((place, [a, b]));
                }
            }
        }
        found
    }

    /// output = ⊕ inputs: all clauses over the same variables with an even, or all with an odd
    /// number of negations.
    fn find_parity(&mut self, var: Var, sides: &mut Sides, marks: &mut [bool]) -> bool {
        for index in 0..sides.positive.len() {
            let base = sides.positive[index].0;
            let size = self.arena.size(base);
            let fewest = 1usize << (size - 1).min(LONGEST_PARITY) >> 1;
            if !(3..=LONGEST_PARITY).contains(&size)
                || sides.positive.len() < fewest
                || sides.negative.len() < fewest
            {
                continue;
            }
            self.stats.ticks += (sides.positive.len() + sides.negative.len()) as u64 / 4;
            let inputs: Vec<Var> = self.others(base, var.positive()).map(Lit::var).collect();
            inputs.iter().for_each(|input| marks[input.positive().index()] = true);
            let same = |side: &[(ClauseRef, bool)]| -> Vec<(u32, usize)> {
                let alike = side.iter().enumerate().filter(|(_, (clause, _))| {
                    let is_input = |lit: Lit| marks[lit.var().positive().index()];
                    self.arena.size(*clause) == size
                        && self.arena.literals(*clause).all(|lit| lit.var() == var || is_input(lit))
                });
                alike.map(|(place, (clause, _))| (self.signs(*clause, &inputs), place)).collect()
            };
            let (mut positive, mut negative) = (same(&sides.positive), same(&sides.negative));
            inputs.iter().for_each(|input| marks[input.positive().index()] = false);
            // Negations are counted without the output's own.
            let parity = self.signs(base, &inputs).count_ones() % 2;
            positive.retain(|(signs, _)| signs.count_ones() % 2 == parity);
            negative.retain(|(signs, _)| signs.count_ones() % 2 != parity);
            for side in [&mut positive, &mut negative] {
                side.sort_unstable();
                side.dedup_by_key(|(signs, _)| *signs);
            }
            if positive.len() == fewest && negative.len() == fewest {
                positive.iter().for_each(|(_, place)| sides.positive[*place].1 = true);
                negative.iter().for_each(|(_, place)| sides.negative[*place].1 = true);
                return true;
            }
        }
        false
    }

    /// Which of the `inputs` the clause negates, as bits.
    fn signs(&self, clause: ClauseRef, inputs: &[Var]) -> u32 {
        let negated = self.arena.literals(clause).filter(|lit| lit.is_negated());
        let places = negated.filter_map(|lit| inputs.iter().position(|input| *input == lit.var()));
        places.fold(0, |bits, place| bits | 1 << place)
    }
}
