//! Implicants that are in the way of a rank and may never be taken.
//!
//! A guard may have parts that no run comes to, and no function need decrease there. When there is no level,
//! the linear program is solved without one polyhedron after the other; where that helps, engines for Horn
//! systems are asked whether a run comes to the polyhedron's implicant. If none does, their model joins the
//! invariants.

use super::level;
use super::steps::Steps;
use super::wish::join;
use crate::ask::ask_horn;
use crate::horn::as_horn;
use crate::settings::RANK_WISH_TICKS;
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::horn::{Clause, Head, PredId};
use alphorn_problem::{Finding, Flow};
use alphorn_term::Op;

/// Finds invariants by which an implicant of a component is never taken; whether there is something new.
pub(super) fn settle(
    steps: &mut Steps<'_>,
    edges: &[usize],
    ctx: &mut Ctx<'_>,
) -> Result<bool, Stop> {
    steps.split(Vec::new());
    for &edge in edges {
        steps.begin(edge, ctx)?;
        for at in 0..steps.polyhedra[edge].len() {
            if !level::would_be_solved(steps, edges, (edge, at), ctx)? {
                continue;
            }
            let step = &steps.flow.transitions[edge];
            // What holds at the implicant is in the store that was made for ranks.
            let seen = Flow { terms: steps.store.clone(), ..steps.flow.clone() };
            let mut horn = as_horn(&seen);
            let func = horn.pred(PredId(step.from.0)).func;
            let from = horn.terms.mk(Op::Apply(func), &steps.flow.vars);
            let mut parts = vec![from, step.formula];
            parts.extend(&steps.polyhedra[edge][at].polyhedron.literals);
            let body = horn.terms.and(&parts);
            let vars = [&steps.flow.vars[..], &steps.flow.next, &step.inputs].concat();
            let (head, name, span) = (Head::False, None, step.span);
            horn.clauses.push(Clause { vars, body, head, name, span });
            if let Some(Finding::Holds(claim)) = ask_horn(&horn, RANK_WISH_TICKS.get() / 3, ctx)?
                && join(steps, claim, ctx)
            {
                return Ok(true);
            }
        }
    }
    Ok(false)
}
