//! Replays clausal refutations with hints.
//!
//! Each added clause must follow from clauses that are already there, and its hints say how: under
//! the negation of the clause, each hint in turn leaves one literal, which becomes true, and the
//! last hint leaves none (RUP). Where hints are negative the clause need not follow, but adding it
//! keeps satisfiability: resolved on its first literal with every clause that contains that
//! literal's negation, it gives a clause that follows in the same way (RAT).
//!
//! The replay is strict. A hint that is satisfied, leaves two literals, or comes after the
//! conflict is refused, although ignoring it would be sound: proofs that say more than they use
//! are proofs their author did not understand. The work is linear in the lengths of the hinted
//! clauses, except that the first RAT step counts the literals of all clauses.
//!
//! Invariant: before each step nothing is assigned, and if the clauses that are not deleted are
//! unsatisfiable, so was the formula.
//!
//! After Cruz-Filipe, Heule, Hunt, Kaufmann, Schneider-Kamp, "Efficient Certified RAT Verification"
//! (CADE 2017).

use alphorn_problem::evidence::circuit::{Lrat, LratStep};

use crate::{Refusal, work};
use alphorn_term::{Exhausted, Meter};

/// Accepts `proof` if it derives the empty clause from `formula`, whose clauses are numbered from 1.
pub fn refute<'a>(
    formula: impl IntoIterator<Item = &'a [i32]>,
    proof: &'a Lrat,
) -> Result<(), Refusal> {
    let formula: Vec<&[i32]> = formula.into_iter().collect();
    refute_within(formula.iter().copied(), proof, &meter(formula.iter().copied(), proof))
}

/// The meter for work on a formula and a proof of it.
pub fn meter<'a>(formula: impl IntoIterator<Item = &'a [i32]>, proof: &Lrat) -> Meter {
    let literals: u64 = formula.into_iter().map(|clause| 1 + clause.len() as u64).sum();
    work::meter(literals.saturating_add(work::lrat_size(proof)))
}

/// `refute` with the caller's limit on its work.
pub fn refute_within<'a>(
    formula: impl IntoIterator<Item = &'a [i32]>,
    proof: &'a Lrat,
    meter: &'a Meter,
) -> Result<(), Refusal> {
    let mut replay = Replay::new(formula.into_iter().collect(), proof.steps.len(), meter)?;
    for (position, step) in proof.steps.iter().enumerate() {
        match step {
            LratStep::Add { id, clause, hints } => replay
                .add(*id, clause, hints)
                .map_err(|reason| refused(position, &format!("clause {id}"), reason))?,
            LratStep::Delete(ids) => {
                for id in ids {
                    replay.delete(*id).map_err(|reason| refused(position, "deletion", reason))?;
                }
            }
        }
    }
    match proof.steps.last() {
        Some(LratStep::Add { clause, .. }) if clause.is_empty() => Ok(()),
        _ => Err(Refusal::new("end of the proof", "the last step is not the empty clause")),
    }
}

fn refused(position: usize, what: &str, reason: String) -> Refusal {
    Refusal::new(format!("step {} ({what})", position + 1), reason)
}

/// The clauses that can be hinted at, and the assignment under which a step is checked.
struct Replay<'a> {
    /// The formula, then the added clauses; `None` once deleted.
    clauses: Vec<Option<&'a [i32]>>,
    /// How many clauses the formula has.
    originals: usize,
    /// The numbers of the added clauses, ascending.
    added: Vec<u64>,
    /// Whether a literal is true, by `code`.
    is_true: Vec<bool>,
    /// The literals that are true.
    trail: Vec<i32>,
    /// How often a literal occurs in clauses, by `code`; empty until a RAT step asks.
    occurrences: Vec<usize>,
    meter: &'a Meter,
}

/// The index of a literal, which must not be 0.
fn code(lit: i32) -> usize {
    2 * lit.unsigned_abs() as usize + usize::from(lit < 0)
}

impl<'a> Replay<'a> {
    fn new(formula: Vec<&'a [i32]>, steps: usize, meter: &'a Meter) -> Result<Replay<'a>, Refusal> {
        let mut largest = 0;
        for (position, clause) in formula.iter().enumerate() {
            if clause.iter().any(|lit| *lit == 0 || *lit == i32::MIN) {
                let place = format!("clause {} of the formula", position + 1);
                return Err(Refusal::new(place, "0 and the smallest number are not literals"));
            }
            largest =
                clause.iter().map(|lit| lit.unsigned_abs() as usize).fold(largest, usize::max);
        }
        // A step can define one variable. Without a bound, one literal could ask for gigabytes.
        let variables = largest.saturating_add(steps).min(i32::MAX as usize);
        let literals: u64 = formula.iter().map(|clause| 2 + clause.len() as u64).sum();
        meter
            .spend(literals.saturating_add(variables as u64))
            .map_err(|exhausted| Refusal::new("the formula", exhausted))?;
        Ok(Replay {
            meter,
            originals: formula.len(),
            clauses: formula.into_iter().map(Some).collect(),
            added: Vec::new(),
            is_true: vec![false; 2 * (variables + 1)],
            trail: Vec::new(),
            occurrences: Vec::new(),
        })
    }

    /// The position of clause `id`, if it was ever there.
    fn position(&self, id: u64) -> Option<usize> {
        let Some(offset) = id.checked_sub(self.originals as u64 + 1) else {
            return usize::try_from(id.checked_sub(1)?).ok();
        };
        // Numbers ascend, so a clause is at most as far along as its number says, and exactly
        // there if the proof leaves no number out.
        let offset = usize::try_from(offset).unwrap_or(usize::MAX);
        if self.added.get(offset) == Some(&id) {
            return Some(self.originals + offset);
        }
        let prefix = &self.added[..offset.min(self.added.len())];
        prefix.binary_search(&id).ok().map(|index| self.originals + index)
    }

    fn clause(&self, id: u64) -> Result<&'a [i32], String> {
        let clause = self.position(id).and_then(|position| self.clauses[position]);
        clause.ok_or_else(|| format!("there is no clause {id} at this point"))
    }

    fn add(&mut self, id: u64, clause: &'a [i32], hints: &[i64]) -> Result<(), String> {
        if id <= self.added.last().copied().unwrap_or(self.originals as u64) {
            return Err("the number is not larger than those before it".into());
        }
        self.meter.spend(4 + clause.len() as u64)?;
        for &lit in clause {
            if lit == 0 || lit == i32::MIN || code(lit) >= self.is_true.len() {
                return Err(format!("{lit} is no literal of the formula or its definitions"));
            }
            if self.is_true[code(lit)] {
                return Err(format!("the clause contains both {lit} and {}", -lit));
            }
            self.assign(-lit);
        }
        let split = hints.iter().position(|hint| *hint < 0).unwrap_or(hints.len());
        let (chain, resolvents) = hints.split_at(split);
        match (self.propagate(chain)?, resolvents.is_empty()) {
            (true, true) => {}
            (true, false) => return Err("hints follow the conflict".into()),
            // Without groups it may be that no clause contains the negation: a definition.
            (false, _) => self.resolve(clause, resolvents)?,
        }
        self.undo(0);
        self.count(clause, true);
        self.clauses.push(Some(clause));
        self.added.push(id);
        Ok(())
    }

    fn delete(&mut self, id: u64) -> Result<(), String> {
        let clause = self.clause(id)?;
        self.count(clause, false);
        let position = self.position(id).expect("a clause that was found has a position");
        self.clauses[position] = None;
        Ok(())
    }

    /// Makes `lit` true, if it is not already; its negation must not be.
    fn assign(&mut self, lit: i32) {
        if !self.is_true[code(lit)] {
            self.is_true[code(lit)] = true;
            self.trail.push(lit);
        }
    }

    fn undo(&mut self, length: usize) {
        for lit in self.trail.drain(length..) {
            self.is_true[code(lit)] = false;
        }
    }

    /// Follows `hints` and says whether the last of them is a conflict.
    fn propagate(&mut self, hints: &[i64]) -> Result<bool, String> {
        for (index, &hint) in hints.iter().enumerate() {
            let mut unit = None;
            let clause = self.clause(hint.unsigned_abs())?;
            self.meter.spend(4 + clause.len() as u64)?;
            for &lit in clause {
                if self.is_true[code(lit)] {
                    return Err(format!("hint {hint} is satisfied by {lit}"));
                }
                if self.is_true[code(-lit)] || unit == Some(lit) {
                    continue;
                }
                if let Some(other) = unit.replace(lit) {
                    return Err(format!("hint {hint} leaves both {other} and {lit} open"));
                }
            }
            match unit {
                Some(lit) => self.assign(lit),
                None if index + 1 < hints.len() => return Err("hints follow the conflict".into()),
                None => return Ok(true),
            }
        }
        Ok(false)
    }

    /// Checks that every resolvent of `clause` on its first literal follows; `hints` are, for each
    /// clause to resolve with, its negated number and then the hints for the resolvent.
    fn resolve(&mut self, clause: &[i32], mut hints: &[i64]) -> Result<(), String> {
        let Some(&pivot) = clause.first() else {
            return Err("the hints end without a conflict".into());
        };
        let mut partners = Vec::new();
        let base = self.trail.len();
        while let Some((&hint, rest)) = hints.split_first() {
            let id = hint.unsigned_abs();
            let partner = self.clause(id)?;
            self.meter.spend(4 + 2 * partner.len() as u64)?;
            if !partner.contains(&-pivot) {
                return Err(format!("clause {id} does not contain {}", -pivot));
            }
            partners.push(id);
            let end = rest.iter().position(|hint| *hint < 0).unwrap_or(rest.len());
            let (chain, later) = rest.split_at(end);
            let mut is_satisfied = false;
            for &lit in partner.iter().filter(|lit| **lit != -pivot) {
                if self.is_true[code(lit)] {
                    is_satisfied = true;
                    break;
                }
                self.assign(-lit);
            }
            match (is_satisfied, chain.is_empty()) {
                (true, true) => {}
                (true, false) => return Err(format!("hints follow clause {id}, which needs none")),
                (false, _) if self.propagate(chain)? => {}
                (false, _) => return Err(format!("the hints of clause {id} reach no conflict")),
            }
            self.undo(base);
            hints = later;
        }
        partners.sort_unstable();
        partners.dedup();
        if self.occurrences.is_empty() {
            self.count_all()?;
        }
        // Every partner contains the literal, so as many partners as occurrences are all there are.
        if partners.len() != self.occurrences[code(-pivot)] {
            let missing = format!("not every clause with {} is resolved with", -pivot);
            return Err(format!("the hints end without a conflict, and {missing}"));
        }
        Ok(())
    }

    fn count_all(&mut self) -> Result<(), Exhausted> {
        let literals = self.clauses.iter().flatten().map(|clause| 1 + clause.len() as u64);
        self.meter.spend(literals.sum::<u64>() + 8 * self.is_true.len() as u64)?;
        self.occurrences = vec![0; self.is_true.len()];
        for position in 0..self.clauses.len() {
            if let Some(clause) = self.clauses[position] {
                self.count(clause, true);
            }
        }
        Ok(())
    }

    /// Counts the literals of a clause that comes or goes, once anyone asks for the counts.
    fn count(&mut self, clause: &[i32], comes: bool) {
        if self.occurrences.is_empty() {
            return;
        }
        for &lit in clause {
            let count = &mut self.occurrences[code(lit)];
            *count = if comes { *count + 1 } else { *count - 1 };
        }
    }
}
