//! Variables that a proof defines: what a literal chooses between two others.
//!
//! A new variable is said to be its choice by clauses that can be added without changing whether there is a model: the
//! first ones have it positively, where nothing has its negation, and what the others give when they are
//! resolved with these has a literal and its negation (definitions are a case of RAT).
//!
//! Invariant: equal choices are one variable; a literal is never defined by itself.
//!
//! After Tseitin, "On the complexity of derivation in propositional calculus" (1968), and Bryant, Heule, "Generating
//! Extended Resolution Proofs with a BDD-Based SAT Solver" (TACAS 2021).

use super::Proof;

/// The literal of the obligation's first variable, which is false.
pub(super) const FALSE: i32 = 1;
/// The literal that is true.
pub(super) const TRUE: i32 = -FALSE;

impl Proof<'_> {
    /// A literal that is `high` where `by` is true and `low` where it is false.
    pub(super) fn choice(&mut self, by: i32, high: i32, low: i32) -> i32 {
        if by < 0 {
            return self.choice(-by, low, high);
        }
        // Equal choices are one variable, which can be the one that is chosen by.
        let given = |lit: i32, value: i32| if lit == by { value } else { lit };
        let (high, low) = (-given(-given(high, TRUE), TRUE), -given(-given(low, FALSE), FALSE));
        if high == low {
            return high;
        }
        if low == FALSE && high == TRUE {
            return by;
        }
        if low < 0 {
            return -self.choice(by, -high, -low);
        }
        let key = [by, high, low];
        if let Some(known) = self.defined.get(&key) {
            return *known;
        }
        let own = self.defining.len() as i32;
        let mut defining = Vec::new();
        let mut before: Vec<i64> = Vec::new();
        for (sign, side, chosen) in [(1, -by, -high), (1, by, -low), (-1, -by, high), (-1, by, low)]
        {
            if chosen == TRUE {
                continue;
            }
            let mut others = vec![side];
            others.extend((chosen != FALSE).then_some(chosen));
            let clause = [&[sign * own], &others[..]].concat();
            // The numbers of the clauses that have the negation: all that were added before of the other sign.
            let hints = if sign > 0 { Vec::new() } else { before.clone() };
            let number = self.add(clause, hints);
            if sign > 0 {
                before.push(-(number as i64));
            }
            others.push(sign * own);
            defining.push(self.keep(others, number));
        }
        self.defining.push(defining);
        self.defined.insert(key, own);
        own
    }
}
