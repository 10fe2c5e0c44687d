//! From definitions that should be a model to a model that can be checked.
//!
//! An engine that has found a formula for every predicate has found nothing yet that anybody must
//! believe. Here each clause's obligation is refuted by the solver, which writes down why; the
//! definitions and the refutations together are the evidence. Where an obligation has a model
//! instead, the model says which values break the clause, and engines can learn from that.
//!
//! Invariant: what comes back as a model has a refutation for every clause, made of the assertions
//! that the checker will make itself (`obligation::horn::negation_under`).

use crate::ask::ask_within;
use crate::by_cases::prove_by_cases;
use crate::folds::{Effort, Instances, refute};
use crate::readable::Names;
use crate::settings::PROOF_INSTANCE_ROUNDS;
use crate::settings::{PROOF_LARGE, PROOF_MAX_CASES};
use crate::transform::conjuncts;
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::Horn;
use alphorn_problem::evidence::fold::Folds;
use alphorn_problem::evidence::horn::{ClauseProof, Definition, HornModel};
use alphorn_problem::horn::ClauseId;
use alphorn_problem::obligation::fold::axioms;
use alphorn_problem::obligation::horn::negation_under;
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::eval::{Choices, Table};
use alphorn_term::{FuncId, Model, Op, Store, TermId};
use std::collections::BTreeMap;

/// How many subterms are tidied for the price of a tick.
const TIDIED_PER_TICK: u64 = 64;

/// What trying to prove a candidate came to.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// Every clause holds.
    Proved(Box<HornModel>),
    /// Some clauses are not proved, in the order of the system.
    Failed(Vec<Failure>),
}

/// A clause that is not proved.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Which clause of the system as read.
    pub clause: ClauseId,
    /// What stands in the way of its proof.
    pub cause: Cause,
}

/// Why a clause is not proved.
#[derive(Clone, Debug)]
pub enum Cause {
    /// It does not hold: for these values the body is true and the head is false.
    Broken(Box<Model>),
    /// The solver cannot tell.
    Unknown,
    /// It holds, but there is no proof of that in the form the checker reads: why not.
    Unwritten(String),
    /// It has no obligation: the definitions do not fit the clause.
    Unfit(String),
}

impl Outcome {
    /// The model, or a stop that says which clause it fails at and why.
    pub fn model(self, horn: &Horn) -> Result<HornModel, Stop> {
        let failures = match self {
            Outcome::Proved(model) => return Ok(*model),
            Outcome::Failed(failures) => failures,
        };
        let first = failures.first();
        let reason = match first.map(|failure| &failure.cause) {
            Some(Cause::Broken(_)) => "it does not hold".to_owned(),
            Some(Cause::Unknown) => "the solver cannot tell whether it holds".to_owned(),
            Some(Cause::Unwritten(why)) => format!("its proof could not be written down: {why}"),
            Some(Cause::Unfit(reason)) => reason.clone(),
            None => "no clause was looked at".to_owned(),
        };
        let clause = first.map_or(horn.clauses.len(), |failure| failure.clause.index());
        Err(Stop::Unproved { clauses: vec![clause as u64], reason })
    }
}

/// Proves every clause under `definitions`, which are by the predicates' positions and whose terms
/// are in `terms`, a store that extends the system's.
///
/// The model has the definitions in a form for people, unless only the given ones can be proved.
pub fn prove(
    horn: &Horn,
    mut terms: Store,
    definitions: Vec<Definition>,
    ctx: &mut Ctx<'_>,
) -> Result<Outcome, Stop> {
    let names = Names::of(horn);
    let mut tidy = Vec::with_capacity(definitions.len());
    for (pred, definition) in horn.pred_ids().zip(&definitions) {
        ctx.tick(1 + terms.dag_size(&[definition.body]) as u64 / TIDIED_PER_TICK)?;
        tidy.push(names.tidied(&mut terms, pred, definition));
    }
    let outcome = prove_with(horn, terms.clone(), tidy, Folds::default(), ctx)?;
    let is_open = |failure: &Failure| !matches!(failure.cause, Cause::Broken(_) | Cause::Unfit(_));
    match &outcome {
        // The meaning is the same, so that a clause that is broken is broken in either form.
        Outcome::Failed(failures) if failures.iter().all(is_open) => {
            prove_with(horn, terms, definitions, Folds::default(), ctx)
        }
        _ => Ok(outcome),
    }
}

/// Proves every clause under `definitions`, which may use `folds`, and none other.
pub fn prove_with(
    horn: &Horn,
    mut terms: Store,
    definitions: Vec<Definition>,
    folds: Folds,
    ctx: &mut Ctx<'_>,
) -> Result<Outcome, Stop> {
    let names = Names::of(horn);
    let named = |(pred, definition)| names.named(&mut terms, pred, definition);
    let definitions: Vec<Definition> = horn.pred_ids().zip(&definitions).map(named).collect();
    let funcs = BTreeMap::new();
    let (mut proofs, mut failures) = (Vec::new(), Vec::new());
    for clause in horn.clauses().map(|(id, _)| id) {
        match prove_clause(horn, &mut terms, &definitions, (&folds, &funcs), clause, ctx)? {
            Ok(proof) => proofs.push(proof),
            Err(cause) => failures.push(Failure { clause, cause }),
        }
    }
    if !failures.is_empty() {
        return Ok(Outcome::Failed(failures));
    }
    let choices = Choices::default();
    let model = HornModel { terms, preds: definitions, folds, funcs, choices, proofs };
    Ok(Outcome::Proved(Box::new(model)))
}

/// Proves one clause under `definitions`, and tables of declared functions; terms of the proof are
/// added to `terms`.
pub fn prove_clause(
    horn: &Horn,
    terms: &mut Store,
    definitions: &[Definition],
    functions: (&Folds, &BTreeMap<FuncId, Table>),
    clause: ClauseId,
    ctx: &mut Ctx<'_>,
) -> Result<Result<ClauseProof, Cause>, Stop> {
    prove_clause_within(horn, terms, definitions, functions, clause, u64::MAX, ctx)
}

/// `prove_clause` with about so many conflicts for each question: unknown, too, if they are not enough.
pub fn prove_clause_within(
    horn: &Horn,
    terms: &mut Store,
    definitions: &[Definition],
    (folds, funcs): (&Folds, &BTreeMap<FuncId, Table>),
    clause: ClauseId,
    conflicts: u64,
    ctx: &mut Ctx<'_>,
) -> Result<Result<ClauseProof, Cause>, Stop> {
    ctx.tick(1)?;
    let mut assertions = match negation_under(horn, definitions, funcs, horn.clause(clause), terms)
    {
        Ok(assertions) => assertions,
        Err(reason) => return Ok(Err(Cause::Unfit(reason))),
    };
    if folds.functions.iter().any(|fold| !fold.params.is_empty()) {
        let all = [&assertions[..], &axioms(folds, terms)[..]].concat();
        if let Some(proof) = refute(terms, &all, Effort::thorough(), ctx)? {
            return Ok(Ok(ClauseProof::Refute(proof)));
        }
    }
    let instances = Instances::of(folds, terms, &assertions);
    assertions.extend(instances.formulas());
    let is_quantified = assertions.iter().any(|&assertion| terms.has_quantifier(assertion));
    let rounds = PROOF_INSTANCE_ROUNDS.get();
    let instance_rounds = if is_quantified { u32::try_from(rounds).unwrap_or(u32::MAX) } else { 0 };
    let cases = match is_quantified {
        true => assertions.last().map_or(Vec::new(), |&last| conclusions(terms, last)),
        false => cases(terms, &assertions),
    };
    if !is_quantified
        && folds.functions.is_empty()
        && terms.dag_size(&assertions) >= PROOF_LARGE.size()
    {
        match prove_by_cases(terms, &assertions, &cases, conflicts, ctx)? {
            None | Some(Err(Cause::Unknown | Cause::Unwritten(_))) => {}
            Some(outcome) => return Ok(outcome),
        }
    }
    let options = Options { proofs: true, instance_rounds, ..Options::default() };
    let mut smt = Smt::closed(options, terms, &assertions);
    // What is learned in one case is known in the next, and the whole is a matter of propagation.
    for case in cases {
        match ask_within(&mut smt, terms, &[case], conflicts, ctx)? {
            Answer::Sat => return Ok(Err(Cause::Broken(Box::new(smt.model(terms))))),
            Answer::Unknown if conflicts < u64::MAX => return Ok(Err(Cause::Unknown)),
            Answer::Unknown | Answer::Unsat => {}
        }
    }
    Ok(match ask_within(&mut smt, terms, &[], conflicts, ctx)? {
        Answer::Sat => Err(Cause::Broken(Box::new(smt.model(terms)))),
        Answer::Unknown => Err(Cause::Unknown),
        Answer::Unsat => match smt.refutation_or_reason(terms) {
            Ok(refutation) => {
                Ok(ClauseProof::Refute(instances.instantiated(terms, refutation.proof)))
            }
            Err(reason) => Err(Cause::Unwritten(reason)),
        },
    })
}

/// That one conjunct of a conclusion, which is given negated, does not hold, for each: instances that all of them ask for at once are
/// many, and most have nothing to do with each other.
pub(crate) fn conclusions(terms: &mut Store, negated: TermId) -> Vec<TermId> {
    let (Op::Not, &[head]) = (terms.op(negated), terms.args(negated)) else { return Vec::new() };
    let parts = match terms.op(head) {
        Op::And => terms.args(head).to_vec(),
        _ => Vec::new(),
    };
    parts.into_iter().map(|part| terms.not(part)).collect()
}

/// The cases of the largest disjunction of conjunctions among the assertions, if it is large: as a
/// definition is that says something else of each phase, which a search would mix.
fn cases(terms: &mut Store, assertions: &[TermId]) -> Vec<TermId> {
    let whole = terms.and(assertions);
    let is_case = |&arg: &TermId| terms.op(arg) == Op::And;
    let is_choice = |&part: &TermId| {
        let args = terms.args(part);
        terms.op(part) == Op::Or && args.len() <= PROOF_MAX_CASES.size() && args.iter().all(is_case)
    };
    let choices = conjuncts(terms, whole).into_iter().filter(is_choice);
    let largest = choices.map(|part| (terms.dag_size(&[part]), part)).max();
    match largest {
        Some((size, part)) if size >= PROOF_LARGE.size() => terms.args(part).to_vec(),
        _ => Vec::new(),
    }
}
