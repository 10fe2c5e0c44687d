//! How much may be spent on making a core smaller.
//!
//! An effort covers all queries of one call, where a solver's own budget covers each query. Both
//! are kept: a query gets what is left of the effort or the solver's budget, whichever is less, and
//! the solver has its own budget back afterwards.

use crate::budget::Budget;
use crate::literal::Lit;
use crate::solver::{Answer, Solver};
use crate::theory::Theory;

/// What one search for a core may spend; `None` is no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Queries, the first included.
    pub queries: Option<u64>,
    /// Conflicts over all queries.
    pub conflicts: Option<u64>,
    /// Ticks over all queries.
    pub ticks: Option<u64>,
}

impl Effort {
    /// One query, whose failed assumptions are taken as they are.
    pub const ONE_QUERY: Effort = Effort { queries: Some(1), conflicts: None, ticks: None };
}

/// An effort while it is being spent.
pub(super) struct Meter {
    left: Effort,
}

impl Meter {
    pub(super) fn new(effort: Effort) -> Meter {
        Meter { left: effort }
    }

    /// Whether nothing is left.
    pub(super) fn is_spent(&self) -> bool {
        [self.left.queries, self.left.conflicts, self.left.ticks].contains(&Some(0))
    }

    /// Asks the solver, within what is left.
    pub(super) fn solve<T: Theory>(
        &mut self,
        solver: &mut Solver<T>,
        assumptions: &[Lit],
        clause: Option<&[Lit]>,
    ) -> Answer {
        if self.is_spent() {
            return Answer::Unknown;
        }
        let own = solver.budget();
        solver.set_budget(Budget {
            conflicts: least(own.conflicts, self.left.conflicts),
            ticks: least(own.ticks, self.left.ticks),
            ..own
        });
        let (conflicts, ticks) = (solver.stats().conflicts, solver.stats().ticks);
        let answer = match clause {
            None => solver.solve(assumptions),
            Some(clause) => solver.solve_with_clause(assumptions, clause),
        };
        solver.set_budget(own);
        spend(&mut self.left.queries, 1);
        spend(&mut self.left.conflicts, solver.stats().conflicts - conflicts);
        spend(&mut self.left.ticks, solver.stats().ticks - ticks);
        answer
    }
}

fn least(a: Option<u64>, b: Option<u64>) -> Option<u64> {
    [a, b].into_iter().flatten().min()
}

fn spend(left: &mut Option<u64>, cost: u64) {
    if let Some(left) = left {
        *left = left.saturating_sub(cost);
    }
}
