//! The last step: what was found of a system becomes a verdict on it, proved.
//!
//! A claim that was carried back says what every predicate is. Here it is made as small as can be told
//! quickly, put into a form for people, and every clause is proved, once; who claims it may have left
//! the proofs as hints. If the form for people cannot be proved, the one that was given is.
//!
//! A derivation must hold whatever selectors give on other constructors, which the engines' solver may
//! choose; one that does not gets other values.

use crate::derivation::holds_throughout;
use crate::evidence::{Cause, prove_clause_within};
use crate::readable::Names;
use crate::revalue::revalued;
use crate::settings::PROOF_FIRST_CONFLICTS;
use crate::transform::{conjuncts, weaken};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::evidence::horn::{
    ClauseProof, Definition, Derivation, HornClaim, HornModel, Step,
};
use alphorn_problem::horn::{ClauseId, Head};
use alphorn_problem::{Finding, Horn, Verdict};
use alphorn_term::{Op, Store, Substitution, Value};

/// The verdict that a finding about a system is, its evidence complete.
pub fn conclude(
    horn: &Horn,
    finding: Finding<Horn>,
    ctx: &mut Ctx<'_>,
) -> Result<Verdict<Horn>, Stop> {
    match finding {
        Finding::Holds(claim) => prove_horn(horn, claim, ctx).map(Verdict::Safe),
        Finding::Fails(_) if horn.allows_more => {
            let text = "the clauses allow more than what they stand for, and this is no violation";
            Err(Stop::Stuck(text.to_owned()))
        }
        Finding::Fails(derivation) => settled(horn, derivation, ctx).map(Verdict::Unsafe),
    }
}

/// The model that a claim is, with definitions as small as can be told quickly, and a proof of every clause.
pub fn prove_horn(horn: &Horn, mut claim: HornClaim, ctx: &mut Ctx<'_>) -> Result<HornModel, Stop> {
    let hints = std::mem::take(&mut claim.hints);
    if hints.len() == horn.clauses.len() {
        return Ok(claim.proved(hints));
    }
    let (given, names) = (claim.preds.clone(), Names::of(horn));
    let mut model = claim.proved(hints);
    // What is weakened must hold for all interpretations of functions.
    if model.funcs.is_empty() {
        weaken(horn, &mut model.terms, &mut model.preds, ctx)?;
    }
    for pred in horn.pred_ids() {
        let definition = &model.preds[pred.index()];
        let tidy = names.tidied(&mut model.terms, pred, definition);
        model.preds[pred.index()] = tidy;
    }
    let open = prove_anew(horn, &mut model, None, ctx)?;
    if open.is_empty() {
        return Ok(model);
    }
    for (pred, definition) in horn.pred_ids().zip(&given) {
        model.preds[pred.index()] = names.named(&mut model.terms, pred, definition);
    }
    let mut open = prove_anew(horn, &mut model, open.last().copied(), ctx)?;
    let HornModel { terms, preds, .. } = &mut model;
    let seeded: Vec<Definition> =
        preds.iter().map(|definition| with_instances(terms, definition)).collect();
    if !open.is_empty() && seeded != *preds {
        *preds = seeded;
        open = prove_anew(horn, &mut model, open.last().copied(), ctx)?;
    }
    match open.into_iter().find(|&at| is_quantified(horn, &model, at)) {
        Some(at) => Err(unproved(at, "the solver cannot tell whether it holds".to_owned())),
        None => Ok(model),
    }
}

/// A derivation whose values do not depend on what selectors give on other constructors, which the
/// engines' solver may choose.
fn settled(horn: &Horn, derivation: Derivation, ctx: &mut Ctx<'_>) -> Result<Derivation, Stop> {
    if derivation.steps.iter().any(|step| horn.quantified.contains_key(&step.clause)) {
        let text = "a query can be derived if instances of a quantified body are taken for all";
        return Err(Stop::Stuck(text.to_owned()));
    }
    let store = &horn.terms;
    let has_selector = |step: &Step| {
        let clause = horn.clause(step.clause);
        let mut roots = vec![clause.body];
        if let Head::Atom(_, args) = &clause.head {
            roots.extend(args);
        }
        store.subterms(&roots).iter().any(|&term| matches!(store.op(term), Op::Field(..)))
    };
    let is_open = derivation.steps.iter().any(has_selector);
    if !is_open || holds_throughout(&derivation, horn) {
        return Ok(derivation);
    }
    match revalued(horn, &derivation, ctx)? {
        Some(found) => Ok(found),
        None => {
            let text = "a query can be derived if selectors give some value on other constructors";
            Err(Stop::Stuck(text.to_owned()))
        }
    }
}

/// Whether a clause has a quantifier under the definitions of a model, so that it cannot be evaluated.
fn is_quantified(horn: &Horn, model: &HornModel, at: usize) -> bool {
    let clause = &horn.clauses[at];
    let head = match clause.head {
        Head::Atom(pred, _) => Some(pred),
        Head::False => None,
    };
    let atoms = horn.atoms(clause.body).into_iter().filter_map(|atom| horn.atom(atom));
    let has_quantifier = |body| model.terms.has_quantifier(body);
    horn.terms.has_quantifier(clause.body)
        || atoms.chain(head).any(|pred| has_quantifier(model.preds[pred.index()].body))
}

/// The definition with an instance of each of its quantified conjuncts: the same, but a solver that takes
/// instances at the terms it sees has some to begin with.
fn with_instances(terms: &mut Store, definition: &Definition) -> Definition {
    let mut parts = conjuncts(terms, definition.body);
    for part in parts.clone() {
        if terms.op(part) != Op::Forall {
            continue;
        }
        let vars = terms.bound_vars(part).to_vec();
        let Some(&body) = terms.args(part).last() else { continue };
        let mut map = Substitution::default();
        for var in vars {
            let value = Value::default_of(terms, terms.sort(var));
            map.extend(value.and_then(|value| terms.value_term(&value)).map(|value| (var, value)));
        }
        parts.push(terms.substitute(body, &map));
    }
    Definition { params: definition.params.clone(), body: terms.and(&parts) }
}

/// Proves the clauses of a model, beginning with one that may be difficult; those about which the solver cannot tell, by
/// position. One that has quantifiers is the last, as the checker cannot evaluate it.
///
/// Where there are quantifiers, whatever takes little effort comes first: many claims fail at a clause of which the solver soon
/// says that it cannot tell, and the proofs of others would be in vain.
fn prove_anew(
    horn: &Horn,
    model: &mut HornModel,
    first: Option<usize>,
    ctx: &mut Ctx<'_>,
) -> Result<Vec<usize>, Stop> {
    let mut open = Vec::new();
    let mut proofs: Vec<Option<ClauseProof>> = vec![None; horn.clauses.len()];
    model.proofs.clear();
    if let Some(at) = first {
        match prove_one(horn, model, at, u64::MAX, ctx)? {
            Ok(proof) => proofs[at] = Some(proof),
            Err(Unclear) if is_quantified(horn, model, at) => return Ok(vec![at]),
            Err(Unclear) => {}
        }
    }
    let mut order: Vec<(u64, usize)> = Vec::with_capacity(horn.clauses.len());
    for at in (0..horn.clauses.len()).filter(|&at| proofs[at].is_none()).collect::<Vec<_>>() {
        let before = ctx.ticks_used();
        if is_quantified(horn, model, at)
            && let Ok(proof) = prove_one(horn, model, at, PROOF_FIRST_CONFLICTS.get(), ctx)?
        {
            proofs[at] = Some(proof);
        } else {
            order.push((ctx.ticks_used() - before, at));
        }
    }
    order.sort_unstable();
    for (_, at) in order {
        if let Ok(proof) = prove_one(horn, model, at, u64::MAX, ctx)? {
            proofs[at] = Some(proof);
            continue;
        }
        // The checker may still be able to evaluate it.
        proofs[at] = Some(ClauseProof::Evaluate);
        open.push(at);
        if is_quantified(horn, model, at) {
            return Ok(open);
        }
    }
    model.proofs.extend(proofs.into_iter().flatten());
    Ok(open)
}

/// The solver cannot tell whether a clause holds.
struct Unclear;

/// Proves one clause of a model with about so many conflicts for each question.
fn prove_one(
    horn: &Horn,
    model: &mut HornModel,
    at: usize,
    conflicts: u64,
    ctx: &mut Ctx<'_>,
) -> Result<Result<ClauseProof, Unclear>, Stop> {
    let HornModel { terms, preds, folds, funcs, .. } = model;
    let clause = ClauseId(at as u32);
    match prove_clause_within(horn, terms, preds, (folds, funcs), clause, conflicts, ctx)? {
        Ok(proof) => Ok(Ok(proof)),
        Err(Cause::Unknown | Cause::Unwritten(_)) => Ok(Err(Unclear)),
        Err(Cause::Unfit(reason)) => Err(unproved(at, reason)),
        Err(Cause::Broken(_)) => Err(unproved(at, "it does not hold".to_owned())),
    }
}

/// A claim is not proved at a clause.
fn unproved(clause: usize, reason: String) -> Stop {
    Stop::Unproved { clauses: vec![clause as u64], reason }
}
