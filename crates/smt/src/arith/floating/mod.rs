//! Floats as an oracle: where a long exact check should go next.
//!
//! A check that has taken many pivots is costly because its numbers have grown; floats do not
//! grow. So the bounds and rows of the moment are solved once in floats (`program`), and what comes
//! out is a place to look at, exactly:
//!
//! - a row that cannot be repaired names the bounds that contradict each other. The
//!   equation between them is computed anew, in integers and from their rows alone (`conflict`);
//! - a point within all bounds, away from them where there is room, gives the nonbasic variables
//!   short values, which the others follow (`corner`);
//! - otherwise the exact tableau is pivoted to the basis of the corner that was found, and the
//!   nonbasic variables go to their bounds there (`corner`).
//!
//! In each case the ordinary check reads off the answer, or goes on from there. This is the one
//! place where a search of this crate uses floats: they decide where it goes and never what
//! it says, so a wrong number costs time. Only sums, products and quotients are used, in a fixed
//! order, which IEEE 754 makes the same on every machine.
//!
//! After King, Barrett and Tinelli [KBT14], who import the basis and not the numbers. The linear part
//! only; and different from them, a contradiction needs no pivot of the tableau, and a point inside the bounds none
//! but for equations.

mod conflict;
mod corner;
mod number;
mod program;

#[cfg(test)]
mod tests;

use crate::settings::{FLOATING_MAX_ENTRIES, FLOATING_MAX_WORK, FLOATING_PATIENCE};

use super::Arith;
use super::bound::{self, Side};
use super::certificate::Certificate;
use number::{float, float_of};
use program::{Ending, Limit, Program};

/// The entries changed in floats that cost about as much as a tick of exact work.
const ENTRIES_IN_A_TICK: u64 = 128;

/// The room that a point keeps from its bounds, in parts of their size.
const MARGIN: f64 = 1.0 / 4096.0;

/// A program in floats, with the variables that its own stand for.
struct Relaxation {
    program: Program,
    vars: Vec<u32>,
}

impl Arith {
    /// The ticks after which a check may as well ask the floats: several times what it takes to
    /// look at all their entries (the rent-or-buy rule).
    pub(super) fn consultation_ticks(&self) -> u64 {
        let entries = self.attached.len() as u64 * self.unknowns.len() as u64;
        entries * FLOATING_PATIENCE.get() / ENTRIES_IN_A_TICK
    }

    /// Asks the floats where to go, and goes there: to another basis and assignment, or to a
    /// contradiction. Values changed are saved.
    pub(super) fn consult(&mut self) -> Option<Certificate> {
        let Relaxation { mut program, vars } = self.relaxation()?;
        self.stats.consultations += 1;
        // Integers want a corner, from which cuts are made.
        let has_integers = vars.iter().any(|var| self.variables[*var as usize].is_int);
        let margins: &[f64] = if has_integers { &[0.0] } else { &[MARGIN, 0.0] };
        for &margin in margins {
            program.tighten(margin);
            match self.run(&mut program) {
                Ending::Blocked(row) => {
                    let support: Vec<u32> = program.support(row).map(|var| vars[var]).collect();
                    let certificate = self.conflict_among(&support);
                    if certificate.is_some() {
                        return certificate;
                    }
                }
                Ending::Feasible if margin > 0.0 && self.try_point(&program, &vars) => return None,
                Ending::Feasible => {}
                Ending::Stopped => return None,
            }
        }
        self.import_corner(&program, &vars);
        None
    }

    /// Runs a program with what work is left.
    fn run(&self, program: &mut Program) -> Ending {
        let before = program.work;
        let most = self.ticks().saturating_mul(ENTRIES_IN_A_TICK).min(FLOATING_MAX_WORK.get());
        let ending = program.run(most);
        self.spend((program.work - before) / ENTRIES_IN_A_TICK);
        ending
    }

    /// The rows of bounded basic variables in floats; `None` if there are too many. Other rows
    /// can follow any assignment.
    fn relaxation(&self) -> Option<Relaxation> {
        let rows: Vec<u32> = (0..self.tableau.rows())
            .filter(|row| {
                let base = self.tableau.row(*row).first();
                base.is_some_and(|base| !self.limits[base.var as usize].is_free())
            })
            .collect();
        let mut local = vec![usize::MAX; self.variables.len()];
        let mut vars = Vec::new();
        for row in &rows {
            for entry in self.tableau.row(*row) {
                let local = &mut local[entry.var as usize];
                if *local == usize::MAX {
                    *local = vars.len();
                    vars.push(entry.var);
                }
            }
        }
        let width = vars.len() - rows.len();
        if rows.is_empty() || rows.len() * width > FLOATING_MAX_ENTRIES.size() {
            return None;
        }
        let is_basic = |var: u32| self.tableau.row_of(var).is_some();
        let basic = rows.iter().map(|row| local[self.tableau.base(*row) as usize]).collect();
        let mut nonbasic = Vec::with_capacity(width);
        let mut columns = vec![0; vars.len()];
        for (place, var) in vars.iter().enumerate() {
            if !is_basic(*var) {
                columns[place] = nonbasic.len();
                nonbasic.push(place);
            }
        }
        let mut entries = vec![0.0; rows.len() * width];
        for (place, row) in rows.iter().enumerate() {
            let row = self.tableau.row(*row);
            for entry in &row[1..] {
                let column = columns[local[entry.var as usize]];
                entries[place * width + column] = -float(&entry.coefficient, &row[0].coefficient);
            }
        }
        self.spend(entries.len() as u64 / ENTRIES_IN_A_TICK);
        let limits = vars.iter().map(|var| {
            let limits = &self.limits[*var as usize];
            [Side::Lower, Side::Upper].map(|side| limit_of(limits.on(side), side))
        });
        let values = vars.iter().map(|var| float_of(&self.values[*var as usize].value)).collect();
        let program = Program::new(basic, nonbasic, entries, limits.collect(), values);
        Some(Relaxation { program, vars })
    }
}

/// A bound as a float.
fn limit_of(limit: Option<&bound::Limit>, side: Side) -> Limit {
    match limit {
        Some(bound::Limit { value, .. }) => {
            Limit { value: float_of(&value.value), is_strict: !value.epsilon.is_zero() }
        }
        None => {
            let value = if side == Side::Lower { f64::NEG_INFINITY } else { f64::INFINITY };
            Limit { value, is_strict: false }
        }
    }
}
