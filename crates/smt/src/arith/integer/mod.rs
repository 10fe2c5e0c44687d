//! Integers: from a rational solution to an integer one, a contradiction, or a split.
//!
//! In order of cost: moving variables so that values become integers (`patch`); divisibility in
//! single rows and bounds that rows imply, rounded (`tighten`); the equations that hold as bounds
//! meet, solved over the integers (`diophantine`); rounding where there is space (`cube`); cuts
//! (`cut`); a split on a variable whose value is no integer, or, where splits do not end, on a sum that has few values
//! (`lattice`). Each step is a way to succeed or to fail early, and none is needed for
//! soundness: splits alone decide bounded problems.
//!
//! Bounds derived here come into force like asserted ones, in the level of the moment, with a
//! derivation instead of a tag. Derivations from derivations are allowed up to a depth, or x < y,
//! y < x would be followed for as long as there are numbers.

mod cube;
mod cut;
mod diophantine;
pub(super) mod lattice;
mod patch;
mod tighten;

use crate::settings::{CUTS_ROUNDS, INTEGERS_MAX_DEPTH, LATTICE_AFTER};
use alphorn_term::{Int, Rat};

use super::Arith;
use super::bound::{Bound, Reason, Var};
use super::certificate::{Certificate, Derivation};
use super::simplex::Feasible;

/// How much may be spent on integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// What is cheap, for the middle of a search; never ends in a split.
    Light,
    /// All there is; ends in a split if nothing else decides.
    Full,
}

/// What became of the integers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Integers {
    /// The assignment satisfies all bounds and has integers where they belong.
    Model,
    /// There is no integer solution.
    Conflict(Certificate),
    /// Every integer solution has `var <= below` or `var >= below + 1`, and the assignment has
    /// neither.
    Branch {
        /// The variable to split: an unknown, or a form that the caller knows from now on.
        var: Var,
        /// The greatest value of the lower half.
        below: Int,
    },
    /// Undecided with the effort or the ticks allowed.
    Unknown,
}

/// Why a step of the search for integers is the last one.
type Stop = Integers;

impl Arith {
    /// Looks for integer values, after a check that found rational ones.
    pub fn check_integers(&mut self, effort: Effort) -> Integers {
        self.forget_values();
        match self.search_integers(effort) {
            Err(Integers::Model) => {
                self.splits = 0;
                Integers::Model
            }
            Err(stop) => stop,
            Ok(()) => match self.split() {
                None => Integers::Model,
                Some(_) if effort == Effort::Light => Integers::Unknown,
                Some(var) => {
                    self.stats.branches += 1;
                    self.splits += 1;
                    let sum =
                        if self.splits > LATTICE_AFTER.get() { self.direction() } else { None };
                    let single = || (var, self.values[var.index()].floor());
                    let (var, below) = sum.unwrap_or_else(single);
                    Integers::Branch { var, below }
                }
            },
        }
    }

    /// Goes through the steps; `Ok` if what is left is a split.
    fn search_integers(&mut self, effort: Effort) -> Result<(), Stop> {
        if !self.touched.is_empty() {
            self.repair_and_patch()?;
        }
        if self.split().is_none() {
            return Err(Integers::Model);
        }
        self.settle_nonbasic()?;
        self.patch_all()?;
        self.divisibility()?;
        if self.tighten_rows()? {
            self.repair_and_patch()?;
        }
        if effort == Effort::Light {
            return Ok(());
        }
        if self.solve_equations()? {
            self.repair_and_patch()?;
        }
        if self.find_cube() {
            return Err(Integers::Model);
        }
        for _ in 0..CUTS_ROUNDS.size() {
            if !self.add_cuts()? {
                break;
            }
            self.repair_and_patch()?;
        }
        if self.is_exhausted() { Err(Integers::Unknown) } else { Ok(()) }
    }

    fn repair_and_patch(&mut self) -> Result<(), Stop> {
        match self.repair() {
            Err(certificate) => Err(Integers::Conflict(certificate)),
            Ok(Feasible::GaveUp) => Err(Integers::Unknown),
            Ok(Feasible::Yes) => self.patch_all(),
        }
    }

    /// Patches, and stops if that gives integers.
    fn patch_all(&mut self) -> Result<(), Stop> {
        self.patch();
        if self.split().is_none() { Err(Integers::Model) } else { Ok(()) }
    }

    /// Gives nonbasic integers integer values, which assignments from before a pivot need not.
    fn settle_nonbasic(&mut self) -> Result<(), Stop> {
        let mut is_moved = false;
        for position in 0..self.vars_in_play() {
            let var = self.var_in_play(position);
            if !self.is_int(var) || self.tableau.row_of(var.0).is_some() {
                continue;
            }
            let value = &self.values[var.index()];
            if !value.is_integer() {
                // Bounds of integers are integers, so this stays within them.
                let mut step = super::Delta::from(value.floor());
                step.sub_scaled(value, &Rat::ONE);
                self.shift(var.0, &step);
                is_moved = true;
            }
        }
        if is_moved { self.repair_and_patch() } else { Ok(()) }
    }

    /// The unknown to split: one that should be an integer and is not, with as few values as
    /// possible, or a small one.
    fn split(&self) -> Option<Var> {
        let mut best: Option<((bool, Rat), Var)> = None;
        for &var in &self.unknowns {
            let value = &self.values[var.index()];
            if value.is_integer() || !self.is_int(var) {
                continue;
            }
            let limits = &self.limits[var.index()];
            let key = match (&limits.lower, &limits.upper) {
                (Some(lower), Some(upper)) => (false, &upper.value.value - &lower.value.value),
                _ => (true, value.value.abs()),
            };
            if best.as_ref().is_none_or(|(least, _)| key < *least) {
                best = Some((key, var));
            }
        }
        best.map(|(_, var)| var)
    }

    /// Puts a derived bound in force; `false` if it is no news or comes from too far.
    fn limit_derived(&mut self, bound: Bound, derivation: Derivation) -> Result<bool, Stop> {
        let news = self.limits[bound.var.index()]
            .on(bound.side)
            .is_none_or(|limit| bound.side.is_tighter(&bound.value, &limit.value));
        let mut depth = 0;
        for premise in &derivation.premises {
            if let Reason::Derived(derived) = premise.reason {
                depth = depth.max(self.derivations[derived as usize].depth + 1);
            }
        }
        if !news || depth > INTEGERS_MAX_DEPTH.short() {
            return Ok(false);
        }
        let position = u32::try_from(self.derivations.len()).expect("fewer than 2^32 derivations");
        self.derivations.push(Derivation { depth, ..derivation });
        match self.limit(bound, Reason::Derived(position)) {
            Ok(()) => Ok(true),
            Err(certificate) => Err(Integers::Conflict(certificate)),
        }
    }

    /// The conflict that a finished derivation of a contradiction is.
    fn contradiction(&mut self, derivation: Derivation) -> Stop {
        self.stats.conflicts += 1;
        Integers::Conflict(derivation.certify(&self.derivations))
    }
}
