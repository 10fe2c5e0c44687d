//! Refutations as others read them: LRAT and DRAT, as text and in binary.
//!
//! A refutation is cut out of a trace: the leaves that matter are its formula, numbered from 1,
//! followed by assumptions as unit clauses; derived clauses get the numbers after them; each is
//! deleted after its last use; the last step is the empty clause.
//!
//! Binary formats code a number `n` as the unsigned number `2n`, or `2|n| + 1` if negative, in
//! seven-bit groups, smallest first.

use super::{ClauseId, Origin, Trace};
use crate::literal::Lit;

/// One step of a refutation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// Adds a clause that follows by its hints.
    Add {
        /// The number of the clause.
        id: u64,
        /// Its literals.
        literals: Vec<Lit>,
        /// The clauses by which it follows, in order.
        hints: Vec<u64>,
    },
    /// Deletes clauses by their numbers.
    Delete(Vec<u64>),
}

/// A formula and the steps that refute it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refutation {
    /// The clauses of the formula, numbered from 1.
    pub formula: Vec<Vec<Lit>>,
    /// Where in the trace the first of them come from; the others are assumptions.
    pub leaves: Vec<ClauseId>,
    /// The steps, the last of which adds the empty clause.
    pub steps: Vec<Step>,
}

impl Trace {
    /// The refutation of the leaves behind `goal` together with the negations of its literals.
    pub fn refutation(&self, goal: ClauseId) -> Refutation {
        let leaves = self.core(goal);
        let mut formula: Vec<Vec<Lit>> =
            leaves.iter().map(|id| self.literals(*id).to_vec()).collect();
        // The user may repeat literals, and a hint must not be satisfied.
        let mut assumptions: Vec<Lit> = self.literals(goal).iter().map(|lit| !*lit).collect();
        assumptions.sort_unstable();
        assumptions.dedup();
        formula.extend(assumptions.into_iter().map(|lit| vec![lit]));
        self.refute(goal, formula, leaves, false)
    }

    /// The refutation of all clauses that the user gave before `goal`, which must be empty.
    pub fn refutation_of_inputs(&self, goal: ClauseId) -> Refutation {
        let all = (1..=goal.0).map(ClauseId);
        let leaves: Vec<ClauseId> =
            all.filter(|id| matches!(self.origin(*id), Origin::Input(_))).collect();
        let formula = leaves.iter().map(|id| self.literals(*id).to_vec()).collect();
        self.refute(goal, formula, leaves, true)
    }

    fn refute(
        &self,
        goal: ClauseId,
        formula: Vec<Vec<Lit>>,
        leaves: Vec<ClauseId>,
        keeps_formula: bool,
    ) -> Refutation {
        let mut number = vec![0u64; goal.0 as usize + 1];
        for (index, leaf) in leaves.iter().enumerate() {
            number[leaf.0 as usize] = index as u64 + 1;
        }
        let mut derived = self.trim(goal).clauses;
        derived.retain(|id| self.origin(*id) == Origin::Derived);
        let last_use = self.last_uses(&derived, goal);
        let mut next = formula.len() as u64;
        let mut steps = Vec::new();
        for id in derived {
            next += 1;
            number[id.0 as usize] = next;
            let hints = self.hints(id);
            steps.push(Step::Add {
                id: next,
                literals: self.literals(id).to_vec(),
                hints: hints.iter().map(|hint| number[hint.0 as usize]).collect(),
            });
            let is_over = |hint: &&ClauseId| {
                last_use[hint.0 as usize] == id.0
                    && **hint != goal
                    && !(keeps_formula && self.origin(**hint) != Origin::Derived)
            };
            let mut over: Vec<u64> =
                hints.iter().filter(is_over).map(|hint| number[hint.0 as usize]).collect();
            over.dedup();
            if !over.is_empty() && id != goal {
                steps.push(Step::Delete(over));
            }
        }
        if !(self.literals(goal).is_empty() && self.origin(goal) == Origin::Derived) {
            let mut hints: Vec<u64> = (leaves.len() as u64 + 1..=formula.len() as u64).collect();
            hints.push(number[goal.0 as usize]);
            steps.push(Step::Add { id: next + 1, literals: Vec::new(), hints });
        }
        Refutation { formula, leaves, steps }
    }

    /// For each clause the number of the last one that hints at it.
    fn last_uses(&self, derived: &[ClauseId], goal: ClauseId) -> Vec<u32> {
        let mut last = vec![0; goal.0 as usize + 1];
        for id in derived {
            for hint in self.hints(*id) {
                last[hint.0 as usize] = id.0;
            }
        }
        last
    }
}

impl Refutation {
    /// The steps as LRAT text.
    pub fn to_lrat(&self) -> String {
        let mut text = String::new();
        let mut last = self.formula.len() as u64;
        for step in &self.steps {
            match step {
                Step::Add { id, literals, hints } => {
                    last = *id;
                    text.push_str(&id.to_string());
                    for lit in literals {
                        text.push_str(&format!(" {}", lit.to_dimacs()));
                    }
                    text.push_str(" 0");
                    for hint in hints {
                        text.push_str(&format!(" {hint}"));
                    }
                    text.push_str(" 0\n");
                }
                Step::Delete(ids) => {
                    text.push_str(&format!("{last} d"));
                    for id in ids {
                        text.push_str(&format!(" {id}"));
                    }
                    text.push_str(" 0\n");
                }
            }
        }
        text
    }

    /// The steps as binary LRAT.
    pub fn to_lrat_binary(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for step in &self.steps {
            match step {
                Step::Add { id, literals, hints } => {
                    bytes.push(b'a');
                    encode(&mut bytes, 2 * id);
                    for lit in literals {
                        encode(&mut bytes, signed(*lit));
                    }
                    bytes.push(0);
                    for hint in hints {
                        encode(&mut bytes, 2 * hint);
                    }
                    bytes.push(0);
                }
                Step::Delete(ids) => {
                    bytes.push(b'd');
                    for id in ids {
                        encode(&mut bytes, 2 * id);
                    }
                    bytes.push(0);
                }
            }
        }
        bytes
    }

    /// The steps as DRAT text, without hints.
    pub fn to_drat(&self) -> String {
        let mut text = String::new();
        self.each_drat(|is_deletion, literals| {
            text.push_str(if is_deletion { "d " } else { "" });
            for lit in literals {
                text.push_str(&format!("{} ", lit.to_dimacs()));
            }
            text.push_str("0\n");
        });
        text
    }

    /// The steps as binary DRAT.
    pub fn to_drat_binary(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.each_drat(|is_deletion, literals| {
            bytes.push(if is_deletion { b'd' } else { b'a' });
            for lit in literals {
                encode(&mut bytes, signed(*lit));
            }
            bytes.push(0);
        });
        bytes
    }

    /// Calls `step` with each addition and deletion; the formula's units are never deleted, as
    /// checkers of DRAT ignore or misread that.
    fn each_drat<'a>(&'a self, mut step: impl FnMut(bool, &'a [Lit])) {
        let mut literals_of: Vec<&[Lit]> = self.formula.iter().map(Vec::as_slice).collect();
        for entry in &self.steps {
            match entry {
                Step::Add { literals, .. } => {
                    step(false, literals);
                    literals_of.push(literals);
                }
                Step::Delete(ids) => {
                    for id in ids {
                        let literals = literals_of[*id as usize - 1];
                        if literals.len() > 1 {
                            step(true, literals);
                        }
                    }
                }
            }
        }
    }
}

fn signed(lit: Lit) -> u64 {
    let number = lit.to_dimacs();
    2 * u64::from(number.unsigned_abs()) + u64::from(number < 0)
}

fn encode(bytes: &mut Vec<u8>, mut number: u64) {
    while number > 127 {
        bytes.push((number & 127) as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
}
