//! Other proofs of what was refuted: shorter ones, and such that need as little of the steps as possible.
//!
//! A search that knows nothing but the clauses that a proof needs, and does not simplify them, tends to end
//! sooner, with a shorter proof. A *least* core is one of which no clause of the steps can be left out: these
//! are tried one after the other, the earliest steps first, while the lemmas of the frames stay, so that
//! interpolants say as little as possible beside them.
//!
//! The least core is `min-core` of Vizel, Gurfinkel, "Interpolating Property Directed Reachability" (CAV 2014),
//! §4; where it ends for lack of time the core is smaller, and not least.

use crate::ask::{ask_within, make_variables};
use crate::settings::{
    AVY_CORE_MAX_CLAUSES, AVY_CORE_TICKS, INTERPOLATION_LONG_PROOF, INTERPOLATION_MAX_AGAIN,
};
use alphorn_engine::{Ctx, Stop};
use alphorn_sat::{Answer, Budget, ClauseId, Lit, Options, Origin, Solver, Trace};

/// The proof of a solver that has one, or the one given.
pub(super) fn better<'t>(
    solver: Option<&'t Solver>,
    other: (&'t Trace, ClauseId),
) -> (&'t Trace, ClauseId) {
    solver.and_then(|solver| solver.trace().zip(solver.conclusion())).unwrap_or(other)
}

/// A solver with a shorter proof from the clauses that a long proof needs, if that is found quickly.
///
/// A search that knows nothing but the core, and does not simplify it, tends to end sooner.
pub(super) fn shorter(
    trace: &Trace,
    goal: ClauseId,
    assumptions: &[(Lit, usize)],
    ctx: &mut Ctx<'_>,
) -> Result<Option<Solver>, Stop> {
    let mut best: Option<Solver> = None;
    let mut size = trace.trim(goal).clauses.len();
    for _ in 0..INTERPOLATION_MAX_AGAIN.size() {
        if size < INTERPOLATION_LONG_PROOF.size() {
            break;
        }
        let (trace, goal) = match &best {
            None => (trace, goal),
            Some(solver) => match solver.trace().zip(solver.conclusion()) {
                Some(parts) => parts,
                None => break,
            },
        };
        let clauses = inputs(trace, goal);
        let assumed: Vec<Lit> = assumptions.iter().map(|(lit, _)| *lit).collect();
        let mut solver =
            solver_for(clauses.iter().flat_map(|(clause, _)| clause.iter()).chain(&assumed), 1);
        for (clause, partition) in clauses {
            solver.add_clause_in(clause, partition);
        }
        solver.set_budget(Budget { conflicts: Some(size as u64), ..Budget::default() });
        let answer = solver.solve(&assumed);
        ctx.tick(1 + solver.stats().ticks / 64)?;
        let Some((trace, goal)) = solver.trace().zip(solver.conclusion()) else { break };
        let again = trace.trim(goal).clauses.len();
        if answer != Answer::Unsat || 10 * again > 9 * size {
            break;
        }
        size = again;
        best = Some(solver);
    }
    Ok(best)
}

/// The inputs of a proof with their partitions.
fn inputs(trace: &Trace, goal: ClauseId) -> Vec<(&[Lit], u32)> {
    let input = |id: ClauseId| match trace.origin(id) {
        Origin::Input(partition) => Some((trace.literals(id), partition)),
        _ => None,
    };
    trace.core(goal).into_iter().filter_map(input).collect()
}

/// A solver that has variables for all literals.
fn solver_for<'l>(lits: impl IntoIterator<Item = &'l Lit>, proof: u32) -> Solver {
    let mut solver = Solver::new(Options { proof, inprocess: 0, ..Options::default() });
    make_variables(&mut solver, lits.into_iter().map(|lit| lit.var().0 + 1).max().unwrap_or(0));
    solver
}

/// A solver with a proof from a least core of the clauses that a proof needs, if the proof is small.
pub(super) fn least(
    trace: &Trace,
    goal: ClauseId,
    assumptions: &[(Lit, usize)],
    ctx: &mut Ctx<'_>,
) -> Result<Option<Solver>, Stop> {
    let clauses = inputs(trace, goal);
    if clauses.len() > AVY_CORE_MAX_CLAUSES.size() {
        return Ok(None);
    }
    let assumed: Vec<Lit> = assumptions.iter().map(|(lit, _)| *lit).collect();
    let is_lemma = |clause: &[Lit]| clause.iter().any(|lit| assumed.contains(&!*lit));
    let all = || clauses.iter().flat_map(|(clause, _)| clause.iter()).chain(&assumed);
    let mut solver = solver_for(all(), 0);
    let mut open: Vec<(Lit, usize)> = Vec::new();
    for (index, (clause, _)) in clauses.iter().enumerate() {
        if is_lemma(clause) {
            solver.add_clause(clause);
            continue;
        }
        let selector = solver.new_var().positive();
        solver.add_clause(&[&[!selector], *clause].concat());
        open.push((selector, index));
    }
    // Steps are counted from the bad one.
    open.sort_by_key(|(_, index)| clauses[*index].1);
    let end = solver.stats().ticks + AVY_CORE_TICKS.get();
    let mut needed: Vec<(Lit, usize)> = Vec::new();
    while let Some(candidate) = open.pop() {
        let left = end.saturating_sub(solver.stats().ticks);
        let rest = needed.iter().chain(&open).map(|(selector, _)| *selector);
        let questions: Vec<Lit> = assumed.iter().copied().chain(rest).collect();
        match ask_within(&mut solver, &questions, left, ctx)? {
            Some(false) => {
                open.retain(|(selector, _)| solver.is_failed(*selector));
                needed.retain(|(selector, _)| solver.is_failed(*selector));
            }
            Some(true) => needed.push(candidate),
            None => {
                needed.push(candidate);
                needed.append(&mut open);
            }
        }
    }
    let mut keep = vec![false; clauses.len()];
    needed.iter().for_each(|(_, index)| keep[*index] = true);
    let mut solver = solver_for(all(), 1);
    for ((clause, partition), keep) in clauses.iter().zip(keep) {
        if keep || is_lemma(clause) {
            solver.add_clause_in(clause, *partition);
        }
    }
    Ok((ask_within(&mut solver, &assumed, u64::MAX, ctx)? == Some(false)).then_some(solver))
}
