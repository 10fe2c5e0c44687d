//! Gates that the solver knows, so that a query need not give a value to all of its domain.
//!
//! A defined variable follows from its inputs, so an assignment extends to the rest of the formula
//! as soon as it is *justified*: each gate that is false has a false input (one that is true has
//! true inputs by propagation), and each clause that defines nothing has a true literal. Values of
//! the open gates then follow from any values of the open leaves. So in a domain it suffices to walk
//! along the trail and decide an input of each unjustified gate, and then a literal of each clause
//! that is not yet satisfied; most of the domain is never touched.
//!
//! Invariants: definitions are acyclic; what clauses other than definitions mention is kept in all
//! domains (`keep_in_domain`); trail, roots and clauses before the cursors are justified.
//! Simplification rewrites clauses without keeping track of which of them define, so after a round
//! of it all variables of a domain are decided, as if there were no definitions.
//!
//! Deciding at the frontier of unjustified gates is as old as test generation (Goel's PODEM, 1981); as
//! a way to end early it is in Kuehlmann et al. (TCAD 2002).

use crate::arena::ClauseRef;
use crate::literal::{Lit, Var};
use crate::solver::{FALSE, OPEN, Solver, TRUE};
use crate::theory::Theory;

/// The gates, and how far the current assignment is known to be justified.
#[derive(Default)]
pub(crate) struct Definitions {
    /// The inputs of the gate that a variable is, by variable, as far as there are any.
    inputs: Vec<[Lit; 2]>,
    is_defining: bool,
    /// Clauses outside groups that define nothing.
    pub(crate) stated: Vec<ClauseRef>,
    /// Gates fixed to false of which no input is fixed to false.
    roots: Vec<Lit>,
    /// How much of the trail has been searched for roots.
    searched: usize,
    cursor: usize,
    root_cursor: usize,
    stated_cursor: usize,
    /// Group and position in it.
    group_cursor: (usize, usize),
}

impl Definitions {
    /// Forgets what was justified, because values were taken back, or clauses have come or moved.
    #[inline]
    pub(crate) fn rewind(&mut self) {
        // A gate early on the trail may have been justified by a value late on it.
        self.cursor = 0;
        self.root_cursor = 0;
        self.stated_cursor = 0;
        self.group_cursor = (0, 0);
    }

    /// Notes a clause that belongs to no group.
    pub(crate) fn note(&mut self, clause: ClauseRef) {
        if !self.is_defining {
            self.stated.push(clause);
        }
    }

    fn inputs(&self, var: Var) -> Option<[Lit; 2]> {
        self.inputs.get(var.index()).copied().filter(|inputs| inputs[0] != Lit::NONE)
    }
}

impl<T: Theory> Solver<T> {
    /// Defines a variable as the conjunction of two literals, adding the clauses that say so.
    ///
    /// A variable is defined at most once, and not by itself. Once there are definitions, queries in
    /// a domain leave open what they need not know: any values of the variables without a
    /// definition that are left open can be added to the model. In return, variables of clauses of
    /// two literals and more that define nothing must be kept in all domains.
    pub fn define_and(&mut self, gate: Var, left: Lit, right: Lit) {
        let out = gate.positive();
        let definitions = &mut self.definitions;
        if definitions.inputs.len() <= gate.index() {
            definitions.inputs.resize(self.assigned.len(), [Lit::NONE; 2]);
        }
        debug_assert!(definitions.inputs(gate).is_none(), "a variable is defined once");
        definitions.inputs[gate.index()] = [left, right];
        definitions.is_defining = true;
        self.add_clause(&[!out, left]);
        self.add_clause(&[!out, right]);
        self.add_clause(&[out, !left, !right]);
        self.definitions.is_defining = false;
    }

    /// Whether a justified assignment is enough.
    #[inline]
    pub(crate) fn is_justifying(&self) -> bool {
        !T::ACTIVE
            && !self.definitions.inputs.is_empty()
            && self.domain.is_restricted()
            && self.stats.inprocessings == 0
    }

    /// A decision that helps to justify the assignment, unless it is justified.
    pub(crate) fn next_justifying(&mut self) -> Option<Lit> {
        let decision = self.next_root().or_else(|| self.next_on_trail());
        decision.or_else(|| self.next_stated()).or_else(|| self.next_in_groups())
    }

    /// An input to make false, if the literal is a false gate without a false input.
    #[inline]
    fn unjustified(&self, lit: Lit) -> Option<Lit> {
        if !lit.is_negated() {
            return None;
        }
        let [left, right] = self.definitions.inputs(lit.var())?;
        let (left_value, right_value) = (self.byte(left), self.byte(right));
        if left_value == FALSE || right_value == FALSE {
            return None;
        }
        match (left_value == OPEN, right_value == OPEN) {
            (true, true) if !self.prefers(!left) && self.prefers(!right) => Some(!right),
            (true, _) => Some(!left),
            (false, true) => Some(!right),
            (false, false) => None,
        }
    }

    fn prefers(&self, lit: Lit) -> bool {
        self.phases.choose(lit.var(), false) == lit
    }

    fn next_root(&mut self) -> Option<Lit> {
        while self.definitions.searched < self.fixed {
            let lit = self.trail[self.definitions.searched];
            self.definitions.searched += 1;
            if lit.is_negated()
                && let Some(inputs) = self.definitions.inputs(lit.var())
                && !inputs.iter().any(|input| self.fixed_value(*input) == Some(false))
            {
                self.definitions.roots.push(lit);
            }
        }
        while let Some(lit) = self.definitions.roots.get(self.definitions.root_cursor) {
            let decision = self.unjustified(*lit);
            if decision.is_some() {
                return decision;
            }
            self.definitions.root_cursor += 1;
        }
        None
    }

    fn next_on_trail(&mut self) -> Option<Lit> {
        let mut cursor = self.definitions.cursor.max(self.fixed);
        let mut decision = None;
        while cursor < self.trail.len() {
            decision = self.unjustified(self.trail[cursor]);
            if decision.is_some() {
                break;
            }
            cursor += 1;
        }
        self.definitions.cursor = cursor;
        decision
    }

    fn next_stated(&mut self) -> Option<Lit> {
        while let Some(clause) = self.definitions.stated.get(self.definitions.stated_cursor) {
            let decision = self.unsatisfied(*clause);
            if decision.is_some() {
                return decision;
            }
            self.definitions.stated_cursor += 1;
        }
        None
    }

    fn next_in_groups(&mut self) -> Option<Lit> {
        let (mut group, mut position) = self.definitions.group_cursor;
        let mut decision = None;
        'groups: while let Some((activation, clauses)) = self.groups.stated(group) {
            if self.is_true(activation) {
                while let Some(clause) = clauses.get(position) {
                    decision = self.unsatisfied(*clause);
                    if decision.is_some() {
                        break 'groups;
                    }
                    position += 1;
                }
            }
            (group, position) = (group + 1, 0);
        }
        self.definitions.group_cursor = (group, position);
        decision
    }

    /// A literal to make true, if the clause has none that is, or is outside the domain.
    fn unsatisfied(&self, clause: ClauseRef) -> Option<Lit> {
        if self.arena.is_garbage(clause) {
            return None;
        }
        let mut choice = None;
        for lit in self.arena.literals(clause) {
            match self.byte(lit) {
                FALSE => {}
                OPEN if choice.is_none() || self.prefers(lit) => choice = Some(lit),
                OPEN => {}
                TRUE.. => return None,
                _ => {}
            }
        }
        choice
    }
}
