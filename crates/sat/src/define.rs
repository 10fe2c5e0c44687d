//! Gates that the solver knows, so that a query need not give a value to all of its domain.
//!
//! A defined variable follows from its inputs, so an assignment extends to the rest of the formula
//! as soon as it is *justified*: each clause that defines an assigned gate has a true literal (for a
//! conjunction that is false: a false input), and so has each clause that defines nothing. Values of
//! the open gates then follow from any values of the open leaves. So in a domain it suffices to walk
//! along the trail and decide an input of each unjustified gate, and then a literal of each clause
//! that is not yet satisfied; most of the domain is never touched.
//!
//! Invariants: definitions are acyclic; what clauses other than definitions mention is kept in all
//! domains (`keep_in_domain`); what `Progress` counts is justified by the part of the trail that it
//! names, so that going back there leaves the rest of it justified.
//! Simplification rewrites clauses without keeping track of which of them define, so after a round
//! of it all variables of a domain are decided, as if there were no definitions.
//!
//! Deciding at the frontier of unjustified gates is as old as test generation (Goel's PODEM, 1981); as
//! a way to end early it is in Kuehlmann et al. (TCAD 2002).

use crate::arena::ClauseRef;
use crate::literal::{Lit, Var};
use crate::solver::Solver;
use crate::state::{FALSE, OPEN, TRUE};
use crate::theory::Theory;

impl<T: Theory> Solver<T> {
    /// Defines a variable as the conjunction of two literals, adding the clauses that say so.
    ///
    /// As `define`.
    pub fn define_and(&mut self, gate: Var, left: Lit, right: Lit) {
        let out = gate.positive();
        self.define(gate, &[vec![!out, left], vec![!out, right], vec![out, !left, !right]]);
    }

    /// Adds clauses that define a variable: each contains it, and for all values of the others exactly
    /// one value of it satisfies them.
    ///
    /// A variable is defined at most once, and not by itself. Once there are definitions, queries in
    /// a domain leave open what they need not know: any values of the variables without a
    /// definition that are left open can be added to the model. In return, variables of clauses of
    /// two literals and more that define nothing must be kept in all domains.
    pub fn define(&mut self, gate: Var, clauses: &[Vec<Lit>]) {
        self.definitions.add_gate(gate, clauses, self.assigned.len());
        self.definitions.is_defining = true;
        for clause in clauses {
            debug_assert!(clause.iter().any(|lit| lit.var() == gate), "it defines the variable");
            self.add_clause(clause);
        }
        self.definitions.is_defining = false;
    }

    /// Whether a justified assignment is enough.
    #[inline]
    pub(crate) fn is_justifying(&self) -> bool {
        !T::ACTIVE
            && self.definitions.has_gates()
            && self.domain.is_restricted()
            && self.stats.inprocessings == 0
    }

    /// A decision that helps to justify the assignment, unless it is justified.
    pub(crate) fn next_justifying(&mut self) -> Option<Lit> {
        let decision = self.next_root().or_else(|| self.next_on_trail());
        decision.or_else(|| self.next_stated()).or_else(|| self.next_in_groups())
    }

    /// The position of the trail by which a literal is justified, or a decision that helps if it is not.
    #[inline]
    fn justification(&self, lit: Lit) -> Result<u32, Lit> {
        let mut latest = 0;
        let mut needs = self.definitions.needs(lit).iter();
        while needs.len() > 0 {
            let (mut earliest, mut choice) = (u32::MAX, Lit::NONE);
            for &lit in needs.by_ref().take_while(|lit| **lit != Lit::NONE) {
                match self.byte(lit) {
                    TRUE => earliest = earliest.min(self.position(lit)),
                    FALSE => {}
                    OPEN if choice == Lit::NONE => choice = lit,
                    OPEN if !self.prefers(choice) && self.prefers(lit) => choice = lit,
                    OPEN => {}
                    // Outside the domain: somebody else's business.
                    _ => earliest = 0,
                }
            }
            if earliest != u32::MAX {
                latest = latest.max(earliest);
            } else if choice != Lit::NONE {
                return Err(choice);
            }
        }
        Ok(latest)
    }

    /// Whether what is fixed justifies a literal.
    fn is_justified_for_good(&self, lit: Lit) -> bool {
        let mut clauses = self.definitions.needs(lit).split(|lit| *lit == Lit::NONE);
        // The last one is empty, because each clause is followed by the mark.
        clauses.all(|c| c.is_empty() || c.iter().any(|lit| self.fixed_value(*lit) == Some(true)))
    }

    #[inline]
    fn position(&self, lit: Lit) -> u32 {
        self.assigned[lit.var().index()].trail
    }

    fn prefers(&self, lit: Lit) -> bool {
        self.phases.choose(lit.var(), false) == lit
    }

    fn next_root(&mut self) -> Option<Lit> {
        while self.definitions.searched < self.fixed {
            let lit = self.trail[self.definitions.searched];
            self.definitions.searched += 1;
            if !self.is_justified_for_good(lit) {
                self.definitions.roots.push(lit);
            }
        }
        while let Some(lit) = self.definitions.roots.get(self.definitions.on_roots.count()) {
            match self.justification(*lit) {
                Ok(position) => self.definitions.on_roots.advance(position),
                Err(decision) => return Some(decision),
            }
        }
        None
    }

    fn next_on_trail(&mut self) -> Option<Lit> {
        if self.definitions.on_trail_from != self.fixed {
            self.definitions.on_trail_from = self.fixed;
            self.definitions.on_trail.rewind(0);
        }
        let mut cursor = self.fixed + self.definitions.on_trail.count();
        while cursor < self.trail.len() {
            match self.justification(self.trail[cursor]) {
                Ok(position) => self.definitions.on_trail.advance(position.max(cursor as u32)),
                Err(decision) => return Some(decision),
            }
            cursor += 1;
        }
        None
    }

    fn next_stated(&mut self) -> Option<Lit> {
        while let Some(clause) = self.definitions.stated.get(self.definitions.on_stated.count()) {
            match self.satisfaction(*clause) {
                Ok(position) => self.definitions.on_stated.advance(position),
                Err(decision) => return Some(decision),
            }
        }
        None
    }

    fn next_in_groups(&mut self) -> Option<Lit> {
        let last = self.definitions.group_cursors.last();
        let (mut group, mut position) = last.map_or((0, 0), |last| (last.0, last.1 + 1));
        while let Some((activation, clauses)) = self.groups.stated(group as usize) {
            let clause = clauses.get(position as usize).filter(|_| self.is_true(activation));
            let Some(clause) = clause else {
                (group, position) = (group + 1, 0);
                continue;
            };
            match self.satisfaction(*clause) {
                Ok(trail) => {
                    self.definitions.on_groups.advance(trail);
                    self.definitions.group_cursors.push((group, position));
                }
                Err(decision) => return Some(decision),
            }
            position += 1;
        }
        None
    }

    /// The position of the trail by which a clause is satisfied, or a literal to make true if it has
    /// none that is, or is outside the domain.
    fn satisfaction(&self, clause: ClauseRef) -> Result<u32, Lit> {
        if self.arena.is_garbage(clause) {
            return Ok(0);
        }
        let mut choice = None;
        for lit in self.arena.literals(clause) {
            match self.byte(lit) {
                FALSE => {}
                OPEN if choice.is_none() || self.prefers(lit) => choice = Some(lit),
                OPEN => {}
                TRUE => return Ok(self.position(lit)),
                _ => return Ok(0),
            }
        }
        choice.map_or(Ok(0), Err)
    }
}
