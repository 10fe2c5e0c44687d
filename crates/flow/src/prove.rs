//! From what is said of a flow to evidence that can be checked: each obligation is refuted by the solver.
//!
//! Invariant: what comes back has a refutation for every obligation, made of the assertions that the checker
//! will make itself (`obligation::flow`).

use alphorn_engine::{Ctx, Stop};
use alphorn_horn::ask::ask;
use alphorn_problem::evidence::flow::{Choice, Path, Ranking, Recurrence, Termination};
use alphorn_problem::evidence::proof::Proof;
use alphorn_problem::evidence::temporal::{Labelling, Labels};
use alphorn_problem::obligation::flow::{
    RecurrenceGoal, ranking_assertions, ranking_goals, recurrence_assertions, recurrence_goals,
};
use alphorn_problem::obligation::temporal::{TemporalGoal, temporal_assertions, temporal_goals};
use alphorn_problem::{Finding, Flow, Temporal, Verdict};
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{Model, Store, TermId};
use std::fmt::Debug;

/// Why an obligation is not proved.
#[derive(Clone, Debug)]
pub enum Cause {
    /// It does not hold: for these values.
    Broken(Box<Model>),
    /// The solver cannot tell, or cannot write down why.
    Unknown(String),
}

/// The verdict that a finding about a flow is, its evidence complete.
pub fn conclude(
    flow: &Flow,
    finding: Finding<Flow>,
    ctx: &mut Ctx<'_>,
) -> Result<Verdict<Flow>, Stop> {
    match finding {
        Finding::Holds(ranking) => prove_ranking(flow, ranking, ctx).map(Verdict::Safe),
        Finding::Fails(recurrence) => Ok(Verdict::Unsafe(recurrence)),
    }
}

/// A refutation of assertions, or why there is none; terms of the proof are added to the store.
pub fn refute(
    terms: &mut Store,
    assertions: &[TermId],
    ctx: &mut Ctx<'_>,
) -> Result<Result<Proof, Cause>, Stop> {
    ctx.tick(1)?;
    let mut smt = Smt::new(Options { proofs: true, ..Options::default() });
    for &assertion in assertions {
        smt.assert(terms, assertion);
    }
    Ok(match ask(&mut smt, terms, &[], ctx)? {
        Answer::Sat => Err(Cause::Broken(Box::new(smt.model(terms)))),
        Answer::Unknown => Err(Cause::Unknown("the solver cannot tell".to_owned())),
        Answer::Unsat => match smt.refutation_or_reason(terms) {
            Ok(refutation) => Ok(refutation.proof),
            Err(reason) => Err(Cause::Unknown(reason)),
        },
    })
}

/// Proves a ranking.
pub fn prove_ranking(
    flow: &Flow,
    mut ranking: Ranking,
    ctx: &mut Ctx<'_>,
) -> Result<Termination, Stop> {
    let goals = ranking_goals(flow, &ranking).map_err(Stop::Stuck)?;
    let mut terms = std::mem::take(&mut ranking.terms);
    let mut proofs = Vec::with_capacity(goals.len());
    for goal in goals {
        let assertions = ranking_assertions(flow, &ranking, goal, &mut terms);
        match refute(&mut terms, &assertions, ctx)? {
            Ok(proof) => proofs.push(proof),
            Err(cause) => return Err(unproved(&cause, &goal)),
        }
    }
    ranking.terms = terms;
    Ok(Termination { ranking, proofs })
}

fn unproved(cause: &Cause, goal: &dyn Debug) -> Stop {
    let why = match cause {
        Cause::Broken(_) => "it does not hold",
        Cause::Unknown(why) => why.as_str(),
    };
    Stop::Stuck(format!("what was found is not proved at {goal:?}: {why}"))
}

/// The verdict that a finding about a temporal formula is, its evidence complete.
pub fn conclude_temporal(
    problem: &Temporal,
    finding: Finding<Temporal>,
    ctx: &mut Ctx<'_>,
) -> Result<Verdict<Temporal>, Stop> {
    match finding {
        Finding::Holds(labelling) => match prove_labels(problem, labelling, ctx)? {
            Ok(labels) => Ok(Verdict::Safe(labels)),
            Err((goal, cause)) => Err(unproved(&cause, &goal)),
        },
        Finding::Fails(labels) => Ok(Verdict::Unsafe(labels)),
    }
}

/// Proves labels, or says which obligation is not proved.
pub fn prove_labels(
    problem: &Temporal,
    mut labelling: Labelling,
    ctx: &mut Ctx<'_>,
) -> Result<Result<Labels, (TemporalGoal, Cause)>, Stop> {
    let mut terms = std::mem::take(&mut labelling.terms);
    let nodes = problem.labelled(labelling.initial.is_some(), &mut terms);
    let goals = temporal_goals(problem, &nodes, &labelling).map_err(Stop::Stuck)?;
    let mut proofs = Vec::with_capacity(goals.len());
    for goal in goals {
        let assertions = temporal_assertions(problem, &nodes, &labelling, goal, &mut terms);
        match refute(&mut terms, &assertions, ctx)? {
            Ok(proof) => proofs.push(proof),
            Err(cause) => return Ok(Err((goal, cause))),
        }
    }
    labelling.terms = terms;
    Ok(Ok(Labels { labelling, proofs }))
}

/// Proves that sets and choices, whose terms are in `terms`, are a recurrence that the path leads into; or
/// says which obligation is not proved.
pub fn prove_recurrence(
    flow: &Flow,
    mut terms: Store,
    path: Path,
    sets: Vec<TermId>,
    choices: Vec<Choice>,
    ctx: &mut Ctx<'_>,
) -> Result<Result<Recurrence, (RecurrenceGoal, Cause)>, Stop> {
    let mut proofs = Vec::new();
    for goal in recurrence_goals(&sets, &choices) {
        let assertions = recurrence_assertions(flow, &sets, &choices, goal, &mut terms);
        match refute(&mut terms, &assertions, ctx)? {
            Ok(proof) => proofs.push(proof),
            Err(cause) => return Ok(Err((goal, cause))),
        }
    }
    Ok(Ok(Recurrence { terms, path, sets, choices, proofs }))
}
