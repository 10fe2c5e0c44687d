//! From the contradiction back to the formula: which clauses are needed, and why each may be added.

use super::clauses::Number;
use super::{Elaboration, Event, Failure};
use crate::literal::Lit;

/// A clause to resolve with, and what the resolvent follows by.
type Resolvent = (Number, Vec<Number>);

/// Why a clause may be added.
pub(super) enum Why {
    /// It follows by these clauses.
    Follows(Vec<Number>),
    /// It keeps satisfiability: for each clause to resolve with, what the resolvent follows by;
    /// nothing if it always holds.
    Resolves(Vec<Resolvent>),
}

impl Why {
    /// The hints of LRAT, by the numbers that clauses have there; 0 for those that are left out.
    pub(super) fn hints(&self, ids: &[u64]) -> Vec<i64> {
        let id = |clause: &Number| ids[*clause as usize] as i64;
        match self {
            Why::Follows(chain) => chain.iter().map(id).collect(),
            Why::Resolves(groups) => {
                // What is not needed is not there to be resolved with.
                let there = groups.iter().filter(|(partner, _)| id(partner) != 0);
                there
                    .flat_map(|(partner, chain)| {
                        std::iter::once(-id(partner)).chain(chain.iter().map(id))
                    })
                    .collect()
            }
        }
    }
}

impl Elaboration {
    /// Finds out why every needed clause may be added; returns what the contradiction follows by.
    pub(super) fn backward(&mut self, conflict: Number) -> Result<Vec<Number>, Failure> {
        self.state.ask();
        let last = self.needed_chain(conflict)?;
        self.state.prefer_needed();
        let mut is_there = vec![true; self.clauses.len()];
        for event in &self.events {
            if let Event::Deleted(clause) = *event {
                is_there[clause as usize] = false;
            }
        }
        for index in (0..self.events.len()).rev() {
            match self.events[index] {
                Event::Deleted(clause) => {
                    is_there[clause as usize] = true;
                    let conflict = self.state.attach(&mut self.clauses, clause)?;
                    debug_assert!(conflict.is_none(), "it was there before the contradiction was");
                }
                Event::Added { clause, line } => {
                    is_there[clause as usize] = false;
                    self.state.detach(&self.clauses, clause)?;
                    if let Some(place) = self.state.place_of(&self.clauses, clause) {
                        self.state.cut(&mut self.clauses, place)?;
                    }
                    if self.state.is_needed(clause) {
                        let why = self.justify(clause, line, &is_there)?;
                        self.why[clause as usize - self.originals] = Some(why);
                    }
                }
            }
        }
        Ok(last)
    }

    /// The clauses by which `conflict` is false, all of which are needed.
    fn needed_chain(&mut self, conflict: Number) -> Result<Vec<Number>, Failure> {
        let chain = self.state.chain(&self.clauses, conflict)?;
        chain.iter().for_each(|&clause| self.state.need(clause));
        Ok(chain)
    }

    /// Why a clause, which is not there any more, may be added to those that are.
    fn justify(&mut self, clause: Number, line: usize, is_there: &[bool]) -> Result<Why, Failure> {
        self.state.ask();
        if let Some(conflict) = self.state.settle(&mut self.clauses)? {
            return Ok(Why::Follows(self.needed_chain(conflict)?));
        }
        let base = self.state.trail_length();
        let literals: Vec<Lit> = self.clauses.literals(clause).to_vec();
        let why = match self.refute(&literals)? {
            Some(conflict) => Why::Follows(self.needed_chain(conflict)?),
            None => match self.resolve(clause, is_there)? {
                Some(groups) => Why::Resolves(groups),
                None => {
                    let original = |lit: Lit| self.clauses.original(lit);
                    let clause = self.clauses.pivot_first(clause).map(original).collect();
                    return Err(Failure::Unfounded { line, clause });
                }
            },
        };
        self.state.undo(base);
        Ok(why)
    }

    /// Assumes the negations of the literals and propagates; returns a clause that is false.
    fn refute(&mut self, literals: &[Lit]) -> Result<Option<Number>, Failure> {
        // All are assumed before a conflict is told, since the chain must not derive any of them.
        let mut conflict = None;
        for &lit in literals {
            conflict = conflict.or(self.state.assume(!lit));
        }
        match conflict {
            Some(conflict) => Ok(Some(conflict)),
            None => self.state.settle(&mut self.clauses),
        }
    }

    /// Refutes every resolvent on the clause's first literal, whose negation is assumed like that of
    /// the others; nothing if one cannot be refuted.
    fn resolve(
        &mut self,
        clause: Number,
        is_there: &[bool],
    ) -> Result<Option<Vec<Resolvent>>, Failure> {
        if !self.may_resolve {
            return Ok(None);
        }
        let pivot = self.clauses.pivot(clause);
        let base = self.state.trail_length();
        let mut groups = Vec::new();
        for partner in 0..self.clauses.len() as Number {
            self.state.spend(1 + self.clauses.literals(partner).len())?;
            let is_there = is_there[partner as usize] && !self.clauses.is_tautology(partner);
            if !is_there || !self.clauses.literals(partner).contains(&!pivot) {
                continue;
            }
            let mut others: Vec<Lit> = self.clauses.literals(partner).to_vec();
            others.retain(|&lit| lit != !pivot);
            let always = self.is_met(&others);
            let chain = if always { Vec::new() } else { self.refute_resolvent(&others)? };
            self.state.undo(base);
            if chain.is_empty() && !always {
                return Ok(None);
            }
            groups.push((partner, chain));
        }
        Ok(Some(groups))
    }

    /// Whether one of the literals is assumed to be true.
    fn is_met(&self, literals: &[Lit]) -> bool {
        literals.iter().any(|&lit| self.state.holds(lit) && self.state.is_assumed(lit))
    }

    /// What a resolvent follows by, whose other half is assumed to be false; nothing if it does not.
    fn refute_resolvent(&mut self, others: &[Lit]) -> Result<Vec<Number>, Failure> {
        let fresh = |lit: &&Lit| !self.state.is_assumed(**lit);
        let fresh: Vec<Lit> = others.iter().filter(fresh).copied().collect();
        let chain = match self.refute(&fresh)? {
            Some(conflict) => self.needed_chain(conflict)?,
            None => Vec::new(),
        };
        fresh.into_iter().for_each(|lit| self.state.withdraw(lit));
        Ok(chain)
    }
}
