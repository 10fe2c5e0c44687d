//! Assertions, and clauses that follow from earlier ones by unit propagation.
//!
//! Propagation is that of LRAT without deletions, over atoms instead of numbered variables: with
//! all literals of the clause false, each hint in turn leaves one literal, which becomes true,
//! and the last hint leaves none. A hint that is satisfied, leaves two literals, or comes after
//! the conflict is refused. The atoms `true` and `false` have their values throughout.
//!
//! Invariant: between steps nothing else is assigned. The work is linear in the lengths of the
//! hinted clauses.

use super::context::{Context, is_clause};
use alphorn_problem::evidence::proof::{Literal, ProofStep, StepId};
use alphorn_term::{Meter, TermId};

/// The clause is the assertion with this number.
pub(super) fn assert(context: &Context, clause: &[Literal], index: usize) -> Result<(), String> {
    let Some(&assertion) = context.assertions().get(index) else {
        return Err(format!("there is no assertion {index}"));
    };
    match clause {
        [literal] if *literal == context.literal(assertion) => Ok(()),
        [] if is_clause(&[], &[context.literal(assertion)]) => Ok(()),
        _ => Err(format!("the clause is not the one literal of assertion {index}")),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Truth {
    Open,
    True,
    False,
}

/// The assignment under which steps are checked.
pub(super) struct Propagation {
    /// By the atom's position in the store.
    values: Vec<Truth>,
    trail: Vec<TermId>,
}

impl Propagation {
    /// Nothing is assigned, over `atoms` terms.
    pub(super) fn new(atoms: usize) -> Propagation {
        let mut values = vec![Truth::Open; atoms];
        values[TermId::TRUE.index()] = Truth::True;
        values[TermId::FALSE.index()] = Truth::False;
        Propagation { values, trail: Vec::new() }
    }

    /// The clause follows from `earlier` steps along the hints.
    pub(super) fn check(
        &mut self,
        earlier: &[ProofStep],
        clause: &[Literal],
        hints: &[StepId],
        meter: &Meter,
    ) -> Result<(), String> {
        let result = self.propagate(earlier, clause, hints, meter);
        for atom in self.trail.drain(..) {
            self.values[atom.index()] = Truth::Open;
        }
        result
    }

    fn propagate(
        &mut self,
        earlier: &[ProofStep],
        clause: &[Literal],
        hints: &[StepId],
        meter: &Meter,
    ) -> Result<(), String> {
        for &literal in clause {
            match self.value(literal) {
                Truth::Open => self.set_true(!literal),
                Truth::False => {}
                Truth::True => return Err("the clause is a tautology".to_owned()),
            }
        }
        let Some((last, others)) = hints.split_last() else {
            return Err("there are no hints".to_owned());
        };
        for hint in others {
            match self.open_literal(earlier, *hint, meter)? {
                Some(literal) => self.set_true(literal),
                None => return Err(format!("step {} conflicts before the last hint", hint.0)),
            }
        }
        match self.open_literal(earlier, *last, meter)? {
            Some(_) => Err(format!("step {}, the last hint, does not conflict", last.0)),
            None => Ok(()),
        }
    }

    /// The only literal of a hinted clause that is not false, or none.
    fn open_literal(
        &self,
        earlier: &[ProofStep],
        hint: StepId,
        meter: &Meter,
    ) -> Result<Option<Literal>, String> {
        let Some(step) = earlier.get(hint.0 as usize) else {
            return Err(format!("step {} is not an earlier step", hint.0));
        };
        meter.spend(1 + step.clause.len() as u64)?;
        let mut open = None;
        for &literal in &step.clause {
            match self.value(literal) {
                Truth::False => {}
                Truth::True => return Err(format!("step {} is satisfied", hint.0)),
                Truth::Open if open.is_some_and(|other| other != literal) => {
                    return Err(format!("step {} leaves more than one literal", hint.0));
                }
                Truth::Open => open = Some(literal),
            }
        }
        Ok(open)
    }

    fn value(&self, literal: Literal) -> Truth {
        match (self.values[literal.atom.index()], literal.negated) {
            (Truth::True, true) => Truth::False,
            (Truth::False, true) => Truth::True,
            (value, _) => value,
        }
    }

    fn set_true(&mut self, literal: Literal) {
        self.values[literal.atom.index()] =
            if literal.negated { Truth::False } else { Truth::True };
        self.trail.push(literal.atom);
    }
}
