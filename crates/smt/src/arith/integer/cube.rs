//! Solutions by rounding: a cube that fits between the bounds.
//!
//! If all points within a distance of 1/2 of a solution in every coordinate are solutions, the
//! nearest integer point is one. A form changes by at most half the sum of the sizes of its
//! coefficients in such a cube, so it is enough to solve the problem with bounds that much tighter.
//! Unknowns and differences of two need no room, as rounding both keeps integer bounds on them.
//! This finds integers at once where there is plenty of space, in particular where a problem is
//! unbounded and splits would not end.
//!
//! After Bromberger and Weidenbach (IJCAR 2016). Problems with rational unknowns are left alone.

use alphorn_term::Rat;

use super::super::Arith;
use super::super::bound::{Bound, Delta, Reason, Side, Var};
use super::super::simplex::Feasible;

impl Arith {
    /// Looks for a cube between the bounds and moves to the integer point in it.
    pub(super) fn find_cube(&mut self) -> bool {
        let vars = (0..self.vars_in_play()).map(|position| self.var_in_play(position));
        let in_rows = vars.filter(|var| !self.tableau.column(var.0).is_empty());
        let vars: Vec<Var> = in_rows.collect();
        if vars.iter().any(|var| !self.is_int(*var)) {
            return false;
        }
        let conflicts = self.stats.conflicts;
        self.push();
        let is_found = self.shrink(&vars) && self.repair() == Ok(Feasible::Yes);
        self.pop(1);
        self.stats.conflicts = conflicts;
        if is_found {
            self.round_all(&vars);
        }
        is_found
    }

    /// Tightens bounds by what rounding may change; `false` if they cross.
    fn shrink(&mut self, vars: &[Var]) -> bool {
        for &var in vars {
            let Some(room) = self.room(var) else { continue };
            for side in [Side::Lower, Side::Upper] {
                let Some(limit) = self.limits[var.index()].on(side) else { continue };
                let value = match side {
                    Side::Lower => &limit.value.value + &room,
                    Side::Upper => &limit.value.value - &room,
                };
                let bound = Bound { var, side, value: value.into() };
                // The bound is taken back before anybody asks for its reason.
                if self.limit(bound, Reason::Asserted(0)).is_err() {
                    return false;
                }
            }
        }
        true
    }

    /// What rounding unknowns may change about a form, if anything.
    fn room(&self, var: Var) -> Option<Rat> {
        let definition = self.definition(var)?;
        if let [(_, first), (_, second)] = definition
            && first.abs().is_one()
            && (first + second).is_zero()
        {
            return None;
        }
        let sum = definition.iter().fold(Rat::ZERO, |sum, (_, by)| sum + by.abs());
        Some(sum * Rat::ratio(1, 2).expect("two is not zero"))
    }

    /// Rounds the unknowns, all integers, and evaluates the forms.
    fn round_all(&mut self, vars: &[Var]) {
        let half = Rat::ratio(1, 2).expect("two is not zero");
        for &var in &self.unknowns {
            if self.variables[var.index()].is_int {
                let value = &mut self.values[var.index()];
                *value = Delta::from((&value.value + &half).floor());
            }
        }
        for &var in vars {
            if let Some(definition) = self.definition(var) {
                self.values[var.index()] = self.evaluate(definition);
            }
        }
        debug_assert!(
            vars.iter()
                .all(|var| self.limits[var.index()].violated(&self.values[var.index()]).is_none()),
            "the cube lies within the bounds"
        );
    }
}
