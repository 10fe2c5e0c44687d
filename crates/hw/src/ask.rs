//! Questions to a solver within an engine's budget.
//!
//! A solver does not know the engine's context, so it searches in slices of its own ticks; between
//! them the engine's budget is charged and its flag is read. What was learned in one slice serves
//! the next. The slices do not depend on the machine, and neither do the answers.

use alphorn_engine::{Ctx, Stop};
use alphorn_problem::circuit;
use alphorn_sat::{Answer, Budget, Lit, Solver, Var};

/// Ticks of the solver between two looks at the engine's budget.
const SLICE: u64 = 1 << 19;
/// Ticks of the solver that make one tick of the engine.
pub(crate) const SCALE: u64 = 1 << 6;

/// Whether there is a model in which the assumptions and `clause`, if there is one, hold.
pub(crate) fn ask(
    solver: &mut Solver,
    assumptions: &[Lit],
    clause: Option<&[Lit]>,
    ctx: &mut Ctx<'_>,
) -> Result<bool, Stop> {
    solver.set_budget(Budget { ticks: Some(SLICE), ..Budget::default() });
    loop {
        let before = solver.stats().ticks;
        let answer = match clause {
            Some(clause) => solver.solve_with_clause(assumptions, clause),
            None => solver.solve(assumptions),
        };
        ctx.tick(1 + (solver.stats().ticks - before) / SCALE)?;
        match answer {
            Answer::Sat => return Ok(true),
            Answer::Unsat => return Ok(false),
            Answer::Unknown => {}
        }
    }
}

/// Whether there is a model in which the assumptions hold, if so many ticks of the solver suffice to
/// find out; what was learned stays.
pub(crate) fn ask_within(
    solver: &mut Solver,
    assumptions: &[Lit],
    ticks: u64,
    ctx: &mut Ctx<'_>,
) -> Result<Option<bool>, Stop> {
    let begun = solver.stats().ticks;
    loop {
        let before = solver.stats().ticks;
        let left = ticks.saturating_sub(before - begun);
        if left == 0 {
            return Ok(None);
        }
        solver.set_budget(Budget { ticks: Some(left.min(SLICE)), ..Budget::default() });
        let answer = solver.solve(assumptions);
        ctx.tick(1 + (solver.stats().ticks - before) / SCALE)?;
        match answer {
            Answer::Sat => return Ok(Some(true)),
            Answer::Unsat => return Ok(Some(false)),
            // A search that does nothing would not end.
            Answer::Unknown if solver.stats().ticks == before => return Ok(None),
            Answer::Unknown => {}
        }
    }
}

/// The solver's literal for a circuit's, where variables have the same numbers.
#[inline]
pub(crate) fn same(lit: circuit::Lit) -> Lit {
    Lit::from_code(lit.0)
}

/// The circuit's literal for a solver's, where variables have the same numbers.
#[inline]
pub(crate) fn bit(lit: Lit) -> circuit::Lit {
    circuit::Lit(lit.code())
}

/// Makes variables until there are `count` of them.
pub(crate) fn make_variables(solver: &mut Solver, count: u32) {
    while solver.variables() < count {
        let _: Var = solver.new_var();
    }
}
