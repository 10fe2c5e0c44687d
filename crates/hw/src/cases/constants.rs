//! What is constant in a case, and the steps of the proof that say so.
//!
//! A variable is constant because those that it is defined by are, or because what is to be refuted says so of it: a
//! conjunction that holds has parts that hold. Steps are made for those constants only that other steps need.
//!
//! Invariant: the clause that is the reason of a constant has no other literal that is not false by constants found
//! before.

use super::Proof;

/// What is constant in a case: for each variable its value, and the clause that says so with what it needs.
pub(super) struct Constants {
    /// That the case is not the one at hand.
    pub(super) not_case: Vec<i32>,
    pub(super) value: Vec<i8>,
    pub(super) reason: Vec<u32>,
    /// The step that says so, once there is one.
    pub(super) step: Vec<u64>,
    /// Variables whose values others that they define say, so that the clauses that define them may say more.
    pub(super) said: Vec<u32>,
}

impl Constants {
    /// Nothing is known of so many variables.
    pub(super) fn none(count: usize) -> Constants {
        let mut constants = Constants {
            not_case: Vec::new(),
            value: Vec::new(),
            reason: Vec::new(),
            step: Vec::new(),
            said: Vec::new(),
        };
        constants.grow(count);
        constants
    }

    pub(super) fn of(&self, lit: i32) -> i8 {
        let value = self.value[lit.unsigned_abs() as usize];
        if lit < 0 { -value } else { value }
    }

    /// Makes room for so many variables, of which nothing is known.
    pub(super) fn grow(&mut self, count: usize) {
        self.value.resize(count, 0);
        self.reason.resize(count, GIVEN);
        self.step.resize(count, 0);
    }
}

/// The reason of what is supposed.
const GIVEN: u32 = u32::MAX;

impl Proof<'_> {
    /// The variables that are constant in a case, by the clauses that define them, or because of what is to be
    /// refuted.
    pub(super) fn constants(&self, case: &[i32]) -> Constants {
        let mut constants = Constants::none(self.defining.len());
        constants.not_case = case.iter().map(|lit| -lit).collect();
        for lit in case {
            constants.value[lit.unsigned_abs() as usize] = lit.signum() as i8;
        }
        // The constant false of the obligation.
        let first = self.clauses.first().filter(|clause| **clause == [-1]);
        if first.is_some() {
            constants.value[1] = -1;
            constants.reason[1] = 0;
        }
        self.upwards(&mut constants);
        let mut stack: Vec<u32> = self.units.clone();
        while let Some(position) = stack.pop() {
            let clause = self.clause(position);
            let mut open = clause.iter().copied().filter(|lit| constants.of(*lit) == 0);
            let (Some(lit), None) = (open.next(), open.next()) else { continue };
            if clause.iter().any(|lit| constants.of(*lit) > 0) {
                continue;
            }
            let var = lit.unsigned_abs();
            constants.value[var as usize] = lit.signum() as i8;
            constants.reason[var as usize] = position;
            constants.said.push(var);
            // What latches are after the step says nothing of the state before by itself.
            if !self.is_after(var) {
                stack.extend(&self.defining[var as usize]);
            }
        }
        self.upwards(&mut constants);
        constants
    }

    /// Adds the variables that are constant by the clauses that define them.
    pub(super) fn upwards(&self, constants: &mut Constants) {
        for (var, defining) in self.defining.iter().enumerate() {
            if constants.value[var] != 0 {
                continue;
            }
            for position in defining {
                let clause = self.clause(*position);
                let (own, others) = (clause[clause.len() - 1], &clause[..clause.len() - 1]);
                if others.iter().all(|lit| constants.of(*lit) < 0) {
                    constants.value[var] = own.signum() as i8;
                    constants.reason[var] = *position;
                    break;
                }
            }
        }
    }

    /// Adds what is needed for a constant to hints; steps are made for those that have none.
    pub(super) fn constant(&mut self, lit: i32, constants: &mut Constants, hints: &mut Vec<i64>) {
        let mut stack = vec![lit];
        while let Some(lit) = stack.last().copied() {
            let var = lit.unsigned_abs() as usize;
            let reason = constants.reason[var];
            if reason == GIVEN || constants.step[var] != 0 {
                stack.pop();
                continue;
            }
            // What the obligation says itself is no step.
            if let [_] = self.clause(reason) {
                constants.step[var] = self.number(reason) as u64;
                stack.pop();
                continue;
            }
            let clause = self.clause(reason);
            let others = || clause.iter().copied().filter(|other| *other != lit);
            let is_open = |other: &i32| {
                let var = other.unsigned_abs() as usize;
                constants.reason[var] != GIVEN && constants.step[var] == 0
            };
            let open: Vec<i32> = others().filter(is_open).map(|other| -other).collect();
            if !open.is_empty() {
                stack.extend(open);
                continue;
            }
            let steps = others().map(|other| constants.step[other.unsigned_abs() as usize]);
            let mut needed: Vec<i64> =
                steps.filter(|step| *step != 0).map(|step| step as i64).collect();
            needed.sort_unstable();
            needed.dedup();
            needed.push(self.number(reason));
            let mut clause = vec![lit];
            clause.extend(&constants.not_case);
            constants.step[var] = self.add(clause, needed);
            stack.pop();
        }
        let step = constants.step[lit.unsigned_abs() as usize];
        if step != 0 {
            hints.push(step as i64);
        }
    }
}
