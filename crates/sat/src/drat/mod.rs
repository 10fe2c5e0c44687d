//! Proofs without hints made into proofs with hints: DRAT to LRAT.
//!
//! A DRAT proof lists clauses that are added and deleted and does not say why they may be. What it
//! leaves out is found here: the clauses are read forward until unit propagation meets a
//! contradiction, and then looked at from the last to the first; of those that the contradiction
//! needs each is shown to follow by unit propagation (RUP), or to keep satisfiability when resolved
//! on its first literal (RAT), and what that needs is needed too. Clauses that are needed already are
//! propagated first, so that few are.
//!
//! Nobody has to believe the outcome: it is an LRAT proof, for a checker that does not search. As
//! `drat-trim` does, we ignore the deletion of a clause that is the reason for a literal, because
//! solvers delete such clauses and go on to use the literal, and that of a clause that is not there.
//!
//! After Heule, Hunt, Wetzler, "Trimming while checking clausal proofs" (FMCAD 2013) and Wetzler,
//! Heule, Hunt, "DRAT-trim" (SAT 2014).

mod backward;
mod clauses;
mod propagate;

use crate::literal::Lit;
use backward::Why;
use clauses::{Clauses, Number};
use propagate::Propagation;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// One line of a DRAT proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// Adds a clause; its first literal is the one for RAT.
    Add(Vec<Lit>),
    /// Deletes a clause with these literals, in any order.
    Delete(Vec<Lit>),
}

/// One step of the proof with hints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Adds a clause.
    Add {
        /// Its number.
        id: u64,
        /// Its literals, the one for RAT first.
        literals: Vec<Lit>,
        /// The hints, as LRAT has them.
        hints: Vec<i64>,
    },
    /// Deletes a clause by its number.
    Delete(u64),
}

/// How much work may be done.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The most clauses and literals to look at; no limit if there is none.
    pub ticks: Option<u64>,
    /// The most hints to write down, which memory grows with; no limit if there is none.
    pub hints: Option<u64>,
    /// Ends the work soon after it becomes true.
    pub interrupt: Arc<AtomicBool>,
}

/// Why there is no proof with hints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The clause of this line, counted from 1, follows neither way.
    Unfounded {
        /// The line.
        line: usize,
        /// Its clause.
        clause: Vec<Lit>,
    },
    /// No contradiction is met, up to the end.
    Open,
    /// The limits were met.
    Limit,
}

/// What happened in the forward pass.
#[derive(Clone, Copy)]
enum Event {
    Added { clause: Number, line: usize },
    Deleted(Number),
}

/// The work in progress.
struct Elaboration {
    clauses: Clauses,
    state: Propagation,
    events: Vec<Event>,
    /// How many clauses the formula has.
    originals: usize,
    /// Why an added clause may be added, by its position after those of the formula.
    why: Vec<Option<Why>>,
    /// Whether a clause may be added that only keeps satisfiability.
    may_resolve: bool,
}

/// The LRAT proof that a DRAT proof of `formula` amounts to.
pub fn elaborate<'a>(
    formula: impl IntoIterator<Item = &'a [Lit]>,
    lines: &[Line],
    limits: &Limits,
) -> Result<Vec<Step>, Failure> {
    elaborate_lines(formula, lines, limits, true)
}

/// The LRAT proof that a DRUP proof amounts to: every clause follows from those before it.
pub(crate) fn elaborate_consequences<'a>(
    formula: impl IntoIterator<Item = &'a [Lit]>,
    lines: &[Line],
    limits: &Limits,
) -> Result<Vec<Step>, Failure> {
    elaborate_lines(formula, lines, limits, false)
}

fn elaborate_lines<'a>(
    formula: impl IntoIterator<Item = &'a [Lit]>,
    lines: &[Line],
    limits: &Limits,
    may_resolve: bool,
) -> Result<Vec<Step>, Failure> {
    let mut clauses = Clauses::default();
    for clause in formula {
        clauses.add(clause);
    }
    let originals = clauses.len();
    let known = clauses.largest();
    for line in lines {
        if let Line::Add(literals) = line {
            clauses.see(literals);
        }
    }
    let state = Propagation::new(clauses.variables(), limits);
    let (events, why) = (Vec::new(), Vec::new());
    let mut work = Elaboration { clauses, state, events, originals, why, may_resolve };
    let conflict = work.forward(lines)?;
    let last = work.backward(conflict)?;
    Ok(work.steps(known, last))
}

impl Elaboration {
    /// Reads the proof up to a contradiction by unit propagation; returns a clause that is false.
    fn forward(&mut self, lines: &[Line]) -> Result<Number, Failure> {
        for index in 0..self.originals {
            if let Some(conflict) = self.state.attach(&mut self.clauses, index as Number)? {
                return Ok(conflict);
            }
        }
        if let Some(conflict) = self.state.settle(&mut self.clauses)? {
            return Ok(conflict);
        }
        for (index, line) in lines.iter().enumerate() {
            match line {
                Line::Add(literals) if literals.is_empty() => {
                    return Err(Failure::Unfounded { line: index + 1, clause: Vec::new() });
                }
                Line::Add(literals) => {
                    let clause = self.clauses.add(literals);
                    self.events.push(Event::Added { clause, line: index + 1 });
                    self.why.push(None);
                    let conflict = match self.state.attach(&mut self.clauses, clause)? {
                        Some(conflict) => Some(conflict),
                        None => self.state.settle(&mut self.clauses)?,
                    };
                    if let Some(conflict) = conflict {
                        return Ok(conflict);
                    }
                }
                Line::Delete(literals) => {
                    let (found, looked) = self.clauses.find(literals);
                    self.state.spend(looked)?;
                    let Some(clause) = found else { continue };
                    if !self.state.is_reason(&self.clauses, clause) {
                        let looked = self.clauses.forget(clause);
                        self.state.spend(looked)?;
                        self.state.detach(&self.clauses, clause)?;
                        self.events.push(Event::Deleted(clause));
                    }
                }
            }
        }
        Err(Failure::Open)
    }

    /// Steps that delete what always holds and replace clauses that repeat literals, if clauses are
    /// resolved with all that contain a literal: LRAT would have these counted.
    fn tidied(&self, ids: &mut [u64], next: &mut u64) -> Vec<Step> {
        let mut steps = Vec::new();
        if !self.why.iter().flatten().any(|why| matches!(why, Why::Resolves(_))) {
            return steps;
        }
        for clause in 0..self.originals as Number {
            let id = &mut ids[clause as usize];
            let old = *id;
            if self.clauses.is_tautology(clause) {
                *id = 0;
            } else if self.clauses.repeats(clause) {
                *next += 1;
                *id = *next;
                let literals = self.clauses.literals(clause).to_vec();
                steps.push(Step::Add { id: *id, literals, hints: vec![old as i64] });
            }
            if *id != old {
                steps.push(Step::Delete(old));
            }
        }
        steps
    }

    /// The steps that are needed, in order; the variables that they define count on from `known`.
    fn steps(&self, known: u32, last: Vec<Number>) -> Vec<Step> {
        let mut ids: Vec<u64> = (1..=self.originals as u64).collect();
        ids.resize(self.clauses.len(), 0);
        let mut next = self.originals as u64;
        let mut names = clauses::Names::after(known);
        let mut steps = self.tidied(&mut ids, &mut next);
        for event in &self.events {
            match *event {
                Event::Added { clause, .. } => {
                    let Some(why) = &self.why[clause as usize - self.originals] else { continue };
                    next += 1;
                    ids[clause as usize] = next;
                    let name = |lit: Lit| names.of(self.clauses.original(lit));
                    let literals = self.clauses.pivot_first(clause).map(name).collect();
                    steps.push(Step::Add { id: next, literals, hints: why.hints(&ids) });
                }
                Event::Deleted(clause) if ids[clause as usize] != 0 => {
                    steps.push(Step::Delete(ids[clause as usize]));
                }
                Event::Deleted(_) => {}
            }
        }
        let hints = last.iter().map(|&clause| ids[clause as usize] as i64).collect();
        steps.push(Step::Add { id: next + 1, literals: Vec::new(), hints });
        steps
    }
}
