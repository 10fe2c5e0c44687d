//! Going where the floats say: to a point, or to a corner and its basis.
//!
//! A point needs few pivots: only variables with a single value must not be basic, as
//! nothing but luck gives a sum exactly that value. All other nonbasic variables get the float next to which
//! they should be, rounded to few bits, and the basic ones what the rows say. A corner needs as many pivots as
//! bases differ; the sparsest rows and columns go first.
//!
//! Invariant: afterwards values satisfy all rows, nonbasic variables are within their bounds, and basic
//! ones that are not are noted.

use alphorn_term::{Int, Rat};

use super::super::Arith;
use super::super::bound::{Delta, Side};
use super::super::simplex::ratio;
use super::number::rational;
use super::program::Program;

/// The bits after the point of values that are tried, the shortest first.
const BITS: [u32; 3] = [0, 8, 32];

/// What is wanted of a variable of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    /// Nothing: the program does not have it.
    Any,
    Basic,
    At(Side),
}

impl Arith {
    /// Goes near the point that was found, and says whether all bounds hold there.
    pub(super) fn try_point(&mut self, program: &Program, vars: &[u32]) -> bool {
        let wanted = self.wanted(program, vars);
        self.exchange_for(&wanted, true);
        let mut floats = vec![None; self.variables.len()];
        for (place, var) in vars.iter().enumerate() {
            floats[*var as usize] = Some(program.value(place));
        }
        BITS.into_iter().any(|bits| {
            self.settle(|arith, var| {
                let value = floats[var as usize].and_then(|value| rational(value, bits))?;
                Some(arith.within_bounds(var, value.into()))
            })
        })
    }

    /// Pivots towards the basis that was found and puts nonbasic variables to their bounds there.
    pub(super) fn import_corner(&mut self, program: &Program, vars: &[u32]) {
        let wanted = self.wanted(program, vars);
        self.exchange_for(&wanted, false);
        self.settle(|arith, var| {
            let Wanted::At(side) = wanted[var as usize] else { return None };
            let limits = &arith.limits[var as usize];
            let limit = limits.on(side).or_else(|| limits.on(side.opposite()))?;
            Some(limit.value.clone())
        });
    }

    fn wanted(&self, program: &Program, vars: &[u32]) -> Vec<Wanted> {
        let mut wanted = vec![Wanted::Any; self.variables.len()];
        for var in program.basic() {
            wanted[vars[*var] as usize] = Wanted::Basic;
        }
        for (var, is_upper) in program.nonbasic() {
            let side = if is_upper { Side::Upper } else { Side::Lower };
            wanted[vars[var] as usize] = Wanted::At(side);
        }
        wanted
    }

    /// Makes variables basic that should be, instead of those that should not be: of all, or only
    /// of those with a single value.
    fn exchange_for(&mut self, wanted: &[Wanted], only_fixed: bool) {
        while !self.is_exhausted() {
            let mut best: Option<(usize, u32, u32)> = None;
            for row in 0..self.tableau.rows() {
                let entries = self.tableau.row(row);
                let Some(base) = entries.first() else { continue };
                let leaves = matches!(wanted[base.var as usize], Wanted::At(_))
                    && (!only_fixed || self.limits[base.var as usize].fixed().is_some());
                if !leaves {
                    continue;
                }
                for (place, entry) in entries.iter().enumerate().skip(1) {
                    if wanted[entry.var as usize] == Wanted::Basic {
                        let cost = (self.tableau.column(entry.var).len() - 1) * entries.len();
                        if best.is_none_or(|(least, ..)| cost < least) {
                            best = Some((cost, row, place as u32));
                        }
                    }
                }
            }
            let Some((_, row, entry)) = best else { break };
            self.pivot(row, entry);
        }
    }

    /// Gives nonbasic variables the values wanted, or those within their bounds next to what they
    /// have, and lets basic ones follow. Says whether all bounds hold.
    fn settle(&mut self, wanted: impl Fn(&Arith, u32) -> Option<Delta>) -> bool {
        for position in 0..self.vars_in_play() {
            let var = self.var_in_play(position).0;
            if self.tableau.row_of(var).is_none() {
                let value = wanted(self, var)
                    .unwrap_or_else(|| self.within_bounds(var, self.values[var as usize].clone()));
                self.put(var, value);
            }
        }
        let mut is_feasible = true;
        for row in 0..self.tableau.rows() {
            let entries = self.tableau.row(row);
            let Some(base) = entries.first() else { continue };
            let mut sum = Delta::ZERO;
            for entry in &entries[1..] {
                let value = &self.values[entry.var as usize];
                if !value.is_zero() {
                    sum.sub_scaled(value, &Rat::from(&entry.coefficient));
                }
            }
            self.spend_on(entries.len(), &base.coefficient);
            let factor = ratio(&Int::ONE, &base.coefficient);
            let var = base.var;
            self.put(var, sum.times(&factor));
            if self.limits[var as usize].violated(&self.values[var as usize]).is_some() {
                self.note_infeasible(var);
                is_feasible = false;
            }
        }
        is_feasible
    }

    fn put(&mut self, var: u32, value: Delta) {
        if self.values[var as usize] != value {
            self.save(var);
            self.values[var as usize] = value;
        }
    }

    /// A value, or the bound that it is beyond.
    fn within_bounds(&self, var: u32, value: Delta) -> Delta {
        let limits = &self.limits[var as usize];
        let side = limits.violated(&value);
        let limit = side.and_then(|side| limits.on(side));
        limit.map_or(value, |limit| limit.value.clone())
    }
}
