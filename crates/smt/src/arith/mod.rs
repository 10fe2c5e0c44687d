//! Linear arithmetic on bounds: feasibility, explanations, integers, optimisation.
//!
//! The kernel knows unknowns and linear forms of them, and bounds asserted on both in a stack of
//! levels. It is the general simplex method of Dutertre and de Moura (CAV 2006): a form is a
//! variable with a row that defines it; rows are equations, bounds are all that comes and goes, and
//! taking a bound back restores nothing but the bound. What it finds out (conflicts, implied bounds,
//! optima) it says with certificates over the asserted bounds.
//!
//! Differences from the paper: bounds are not acted upon before [`Arith::check`]; the assignment
//! between checks is always the last one that satisfied all bounds of its time; a form has a row
//! only while it has bounds, or has had them recently, because a caller that works for hours meets
//! many more forms than are in play at a time.
//!
//! - `bound`: variables, bounds, infinitesimals
//! - `certificate`: derivations
//! - `tableau`: sparse integer rows
//! - `simplex`: feasibility; `optimize`: optima; `model`: concrete values
//! - `floating`: where long checks go next
//! - `propagate`: bounds that equations imply
//! - `integer`: integer solutions
//!
//! It knows neither terms nor literals; `theories::arithmetic` connects it with them.

mod bound;
mod certificate;
mod floating;
mod form;
mod integer;
mod model;
mod optimize;
mod propagate;
mod simplex;
mod tableau;

#[cfg(test)]
mod tests;

use std::cell::{Cell, OnceCell, RefCell};

use alphorn_term::{Int, Rat};
use rustc_hash::FxHashMap;

pub use bound::{Bound, Delta, Side, Tag, Var};
use bound::{Fact, Limit, Limits, Reason};
use certificate::Derivation;
pub use certificate::{Certificate, Hypothesis, Line};
pub use integer::{Effort, Integers};
pub use optimize::Optimum;
pub use propagate::Implied;
pub use simplex::Feasible;
use tableau::Tableau;

/// A solver for bounds on linear forms.
#[derive(Debug, Default)]
pub struct Arith {
    tableau: Tableau,
    variables: Vec<Variable>,
    limits: Vec<Limits>,
    /// The last assignment that satisfied all bounds; meaningless for forms without a row.
    values: Vec<Delta>,
    marks: Vec<Marks>,
    /// Forms by their definitions.
    interned: FxHashMap<Box<[(Var, Rat)]>, Var>,
    unknowns: Vec<Var>,
    /// Forms that have a row.
    attached: Vec<Var>,
    /// Forms made for cuts.
    cuts: Vec<Var>,
    trail: Vec<Change>,
    levels: Vec<Level>,
    /// Variables whose value may be out of bounds.
    touched: Vec<Var>,
    /// Basic variables out of bounds, during a check.
    infeasible: Vec<u32>,
    /// Values before the check, of variables it changed.
    saved: Vec<(u32, Delta)>,
    /// Variables bounded since implied bounds were last asked for.
    bounded: Vec<u32>,
    /// How bounds that nobody asserted were derived.
    derivations: Vec<Derivation>,
    /// How often an integer was split since there were values for all.
    splits: u64,
    /// Values of forms without a row that were asked for since the assignment last changed.
    looked_at: RefCell<Vec<Var>>,
    /// A buffer for the terms of a row being made.
    terms: Vec<(u32, Int)>,
    /// A buffer for the equations being looked at.
    equations: Vec<propagate::Equation>,
    ticks: Ticks,
    stats: Stats,
}

/// What does not change about a variable.
#[derive(Debug)]
struct Variable {
    is_int: bool,
    /// What a form stands for, over unknowns; `None` for unknowns.
    definition: Option<Box<[(Var, Rat)]>>,
    /// The caller's forms of an unknown.
    forms: Vec<Var>,
    /// The position of a form among those that have a row.
    position: u32,
    /// Whether the variable is a form that the caller does not know.
    is_cut: bool,
    /// The value of a form without a row, when it was asked for.
    value: OnceCell<Delta>,
}

/// Membership of a variable in the work lists.
#[derive(Clone, Copy, Debug, Default)]
struct Marks {
    is_touched: bool,
    is_infeasible: bool,
    is_saved: bool,
    is_bounded: bool,
    /// Whether the caller does not want to know of implied bounds.
    is_ignored: bool,
    /// Whether bounds are derived from its definition, however long it is.
    is_long: bool,
}

/// A bound that was replaced.
#[derive(Debug)]
struct Change {
    var: Var,
    side: Side,
    old: Option<Limit>,
}

/// How long the trails were when a level began.
#[derive(Clone, Copy, Debug)]
struct Level {
    trail: usize,
    derivations: usize,
}

/// The work left, and the work done.
#[derive(Debug)]
struct Ticks {
    left: Cell<u64>,
    used: Cell<u64>,
}

impl Default for Ticks {
    fn default() -> Ticks {
        Ticks { left: Cell::new(u64::MAX), used: Cell::new(0) }
    }
}

/// The row entries that change in a tick.
const TICK_LENGTH: u64 = 16;

/// What a solver has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Exchanges of a basic variable.
    pub pivots: u64,
    /// How often floats were asked.
    pub consultations: u64,
    /// Calls of [`Arith::check`].
    pub checks: u64,
    /// Contradictions found.
    pub conflicts: u64,
    /// Splits proposed.
    pub branches: u64,
    /// Cuts added.
    pub cuts: u64,
    /// Bounds of integers derived by rounding.
    pub tightenings: u64,
}

impl Arith {
    /// A solver without unknowns.
    pub fn new() -> Arith {
        Arith::default()
    }

    /// An unknown, integer or rational.
    pub fn new_var(&mut self, is_int: bool) -> Var {
        self.add_variable(is_int, None)
    }

    /// An unknown that has a value of its own until bounds say otherwise; integers get integers.
    pub fn new_var_at(&mut self, is_int: bool, value: Int) -> Var {
        let var = self.add_variable(is_int, None);
        self.values[var.index()] = Rat::from(value).into();
        var
    }

    /// Whether a variable is an integer by its definition.
    #[inline]
    pub fn is_int(&self, var: Var) -> bool {
        self.variables[var.index()].is_int
    }

    /// Whether there is an integer unknown.
    pub fn has_integers(&self) -> bool {
        self.variables.iter().any(|variable| variable.is_int && variable.definition.is_none())
    }

    /// The number of variables, forms included.
    #[inline]
    pub fn vars(&self) -> usize {
        self.variables.len()
    }

    /// What a form stands for, over unknowns; `None` for an unknown.
    #[inline]
    pub fn definition(&self, var: Var) -> Option<&[(Var, Rat)]> {
        self.variables[var.index()].definition.as_deref()
    }

    /// Begins a level of bounds.
    pub fn push(&mut self) {
        self.levels.push(Level { trail: self.trail.len(), derivations: self.derivations.len() });
    }

    /// Takes back the bounds of the last levels.
    pub fn pop(&mut self, levels: usize) {
        debug_assert!(levels <= self.levels.len(), "only levels that were begun can be left");
        let Some(&level) = self.levels.get(self.levels.len().saturating_sub(levels)) else {
            return;
        };
        self.levels.truncate(self.levels.len() - levels);
        for change in self.trail.drain(level.trail..).rev() {
            *self.limits[change.var.index()].on_mut(change.side) = change.old;
        }
        self.derivations.truncate(level.derivations);
    }

    /// Asserts a bound. Bounds of integer variables are integers without an infinitesimal part.
    ///
    /// # Errors
    ///
    /// The bound contradicts the opposite one; it is not asserted then.
    pub fn assert(&mut self, bound: Bound, tag: Tag) -> Result<(), Certificate> {
        debug_assert!(
            !self.is_int(bound.var) || bound.value.is_integer(),
            "bounds of integers are rounded by the caller"
        );
        self.limit(bound, Reason::Asserted(tag))
    }

    /// Puts a bound in force if it is tighter than the one that is.
    fn limit(&mut self, bound: Bound, reason: Reason) -> Result<(), Certificate> {
        let Bound { var, side, value } = bound;
        let limits = &self.limits[var.index()];
        if let Some(limit) = limits.on(side)
            && !side.is_tighter(&value, &limit.value)
        {
            return Ok(());
        }
        if let Some(limit) = limits.on(side.opposite())
            && side.is_tighter(&value, &limit.value)
        {
            self.stats.conflicts += 1;
            let other = Fact {
                bound: Bound { var, side: side.opposite(), value: limit.value.clone() },
                reason: limit.reason,
            };
            let fact = Fact { bound: Bound { var, side, value }, reason };
            return Err(self.certify([(Rat::ONE, fact), (Rat::ONE, other)]));
        }
        self.attach(var);
        let is_violated = side.is_tighter(&value, &self.values[var.index()]);
        let slot = self.limits[var.index()].on_mut(side);
        let old = slot.replace(Limit { value, reason });
        self.trail.push(Change { var, side, old });
        let marks = &mut self.marks[var.index()];
        if is_violated && !marks.is_touched {
            marks.is_touched = true;
            self.touched.push(var);
        }
        if !marks.is_bounded {
            marks.is_bounded = true;
            self.bounded.push(var.0);
        }
        Ok(())
    }

    /// The lower bound in force.
    #[inline]
    pub fn lower(&self, var: Var) -> Option<&Delta> {
        self.limits[var.index()].lower.as_ref().map(|limit| &limit.value)
    }

    /// The upper bound in force.
    #[inline]
    pub fn upper(&self, var: Var) -> Option<&Delta> {
        self.limits[var.index()].upper.as_ref().map(|limit| &limit.value)
    }

    /// What the solver has done.
    pub fn stats(&self) -> &Stats {
        &self.stats
    }

    /// Allows this much work from here on: a tick is a pivot or, within it, a change of a row
    /// of ordinary length, or as much work elsewhere.
    pub fn set_ticks(&mut self, ticks: u64) {
        self.ticks.left.set(ticks);
    }

    /// The ticks left.
    pub fn ticks(&self) -> u64 {
        self.ticks.left.get()
    }

    /// The ticks used so far.
    pub fn ticks_used(&self) -> u64 {
        self.ticks.used.get()
    }

    #[inline]
    fn spend(&self, ticks: u64) {
        self.ticks.left.set(self.ticks.left.get().saturating_sub(ticks));
        self.ticks.used.set(self.ticks.used.get() + ticks);
    }

    /// Spends what it takes to go through a row whose numbers are like this one.
    #[inline]
    fn spend_on(&self, length: usize, like: &Int) {
        let words = 1 + like.bit_len() as u64 / 64;
        self.spend(1 + length as u64 * words / TICK_LENGTH);
    }

    #[inline]
    fn is_exhausted(&self) -> bool {
        self.ticks.left.get() == 0
    }

    /// Whether bounds were asserted that no check has dealt with to the end.
    #[inline]
    pub fn is_unsettled(&self) -> bool {
        !self.touched.is_empty()
    }

    /// The bound in force on a side, as a fact to derive from.
    fn fact(&self, var: u32, side: Side) -> Fact {
        let limit = self.limits[var as usize].on(side);
        let limit = limit.expect("facts are asked for where there is a bound");
        Fact {
            bound: Bound { var: Var(var), side, value: limit.value.clone() },
            reason: limit.reason,
        }
    }

    /// The certificate that is the sum of distinct facts.
    fn certify(&self, parts: impl IntoIterator<Item = (Rat, Fact)>) -> Certificate {
        let mut derivation = Derivation::default();
        derivation.sum(parts);
        derivation.certify(&self.derivations)
    }
}
