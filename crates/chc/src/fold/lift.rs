//! What is known of the abstract system, as evidence about the system.
//!
//! A model becomes one with folds of the parameters in the place of the abstract parameters; the laws
//! that were used are proved by induction, and every clause is proved anew. A derivation says which
//! clauses to take; whether there are values for them the solver says.

use super::data::ctors;
use super::family::Family;
use super::instances::Instances;
use crate::ask::{ask, ask_within};
use crate::derivation::holds_throughout;
use crate::evidence::{Outcome, prove_with};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::Horn;
use alphorn_problem::evidence::fold::{Folds, LawCase};
use alphorn_problem::evidence::horn::{Definition, Derivation, HornClaim, HornModel, Step};
use alphorn_problem::horn::Head;
use alphorn_problem::obligation::fold::induction;
use alphorn_problem::obligation::horn::unfold;
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{Op, Store, Substitution, TermId, Value};
use std::collections::BTreeSet;

/// Conflicts for the question whether an abstract derivation has values.
const CONFLICTS: u64 = 5_000;

/// A model of the abstract system as one of the system.
pub(super) fn model(
    horn: &Horn,
    family: &Family,
    claim: HornClaim,
    ctx: &mut Ctx<'_>,
) -> Result<HornModel, Stop> {
    let HornClaim { mut terms, preds, .. } = claim;
    let mut definitions = Vec::with_capacity(preds.len());
    for (pred, definition) in horn.pred_ids().zip(&preds) {
        let (mut params, mut map) = (Vec::new(), Substitution::default());
        let mut abstract_params = definition.params.iter().copied();
        for &sort in horn.pred_args(pred) {
            let param = terms.fresh_var("x", sort);
            params.push(param);
            match family.of.get(&sort) {
                None => map.extend(abstract_params.next().map(|old| (old, param))),
                Some(list) => {
                    for &func in list {
                        let value = terms.mk(Op::Apply(func), &[param]);
                        map.extend(abstract_params.next().map(|old| (old, value)));
                    }
                }
            }
        }
        let body = terms.substitute(definition.body, &map);
        definitions.push(Definition { params, body });
    }
    let folds = with_laws(family.folds.clone(), &mut terms, ctx)?;
    match prove_with(horn, terms, definitions, folds, ctx)? {
        Outcome::Proved(model) => Ok(*model),
        failed => Err(failed.model(horn).err().unwrap_or(Stop::Stuck(String::new()))),
    }
}

/// The folds with proofs of their laws.
pub(crate) fn with_laws(
    mut folds: Folds,
    store: &mut Store,
    ctx: &mut Ctx<'_>,
) -> Result<Folds, Stop> {
    let mut proved = folds.laws.clone();
    for law in &mut proved {
        for ctor in ctors(store, store.sort(law.var)) {
            let sorts = super::data::field_sorts(store, ctor);
            let fields: Vec<TermId> =
                sorts.into_iter().map(|sort| store.fresh_var("z", sort)).collect();
            let mut claims = induction(&folds, law, ctor, &fields, store);
            let equations = alphorn_problem::obligation::fold::equations(&folds, store).len();
            claims.truncate(claims.len() - equations);
            let instances = Instances::of_equations(&folds, store, &claims);
            claims.extend(instances.formulas());
            let mut smt = Smt::new(Options { proofs: true, ..Options::default() });
            for &claim in &claims {
                smt.assert(store, claim);
            }
            let refutation = match ask(&mut smt, store, &[], ctx)? {
                Answer::Unsat => smt.refutation(store),
                _ => None,
            };
            let Some(refutation) = refutation else {
                return Err(Stop::Stuck("a law of folds was not proved".to_owned()));
            };
            let proof = instances.instantiated(store, refutation.proof);
            law.cases.push(LawCase { fields, proof });
        }
    }
    folds.laws = proved;
    Ok(folds)
}

/// Values for the clauses of a derivation, if there are any that do not depend on what selectors give on
/// other constructors; its own values do not matter.
pub(crate) fn derivation(
    horn: &Horn,
    derivation: &Derivation,
    ctx: &mut Ctx<'_>,
) -> Result<Option<Derivation>, Stop> {
    let mut store = horn.terms.clone();
    let mut smt = Smt::new(Options::default());
    let mut vars: Vec<Vec<TermId>> = Vec::with_capacity(derivation.steps.len());
    let mut conclusions = Vec::with_capacity(derivation.steps.len());
    let mut guards: BTreeSet<TermId> = BTreeSet::new();
    for step in &derivation.steps {
        ctx.tick(1)?;
        let clause = horn.clause(step.clause);
        let own: Vec<TermId> = (clause.vars.iter())
            .map(|&var| {
                let (name, sort) = (store.var_name(var).unwrap_or("x").to_owned(), store.sort(var));
                store.fresh_var(&name, sort)
            })
            .collect();
        let map: Substitution = clause.vars.iter().copied().zip(own.iter().copied()).collect();
        let body = unfold(horn, clause, &mut store, |store, atom, args| {
            let pred = horn.atom(atom);
            let args = store.substitute_all(args, &map);
            let mut choices = Vec::new();
            for &premise in &step.premises {
                let Some((of, values)) = &conclusions[premise] else { continue };
                if Some(*of) == pred {
                    let values: &Vec<TermId> = values;
                    let same: Vec<TermId> =
                        args.iter().zip(values).map(|(&a, &b)| store.eq(a, b)).collect();
                    choices.push(store.and(&same));
                }
            }
            Ok(Some(store.or(&choices)))
        });
        let body = body.map_err(Stop::Stuck)?;
        let body = store.substitute(body, &map);
        smt.assert(&mut store, body);
        let conclusion = match &clause.head {
            Head::Atom(pred, args) => Some((*pred, store.substitute_all(args, &map))),
            Head::False => None,
        };
        let args = conclusion.iter().flat_map(|(_, args)| args).copied();
        let roots: Vec<TermId> = args.chain([body]).collect();
        for term in store.subterms(&roots) {
            if let Op::Field(ctor, _) = store.op(term) {
                let of = store.args(term)[0];
                guards.insert(store.mk(Op::Is(ctor), &[of]));
            }
        }
        conclusions.push(conclusion);
        vars.push(own);
    }
    // What a selector gives on another constructor is open, so values are better without that.
    let guards: Vec<TermId> = guards.into_iter().collect();
    if ask_within(&mut smt, &mut store, &guards, CONFLICTS, ctx)? != Answer::Sat
        && ask_within(&mut smt, &mut store, &[], CONFLICTS, ctx)? != Answer::Sat
    {
        return Ok(None);
    }
    let model = smt.model(&store);
    let mut steps = Vec::with_capacity(vars.len());
    for (step, own) in derivation.steps.iter().zip(&vars) {
        let value = |&var: &TermId| {
            let known = model.vars.get(&var).cloned();
            known.or_else(|| Value::default_of(&store, store.sort(var)))
        };
        let Some(values) = own.iter().map(value).collect::<Option<Vec<Value>>>() else {
            return Ok(None);
        };
        steps.push(Step { clause: step.clause, values, premises: step.premises.clone() });
    }
    Ok(Some(Derivation::of(steps)).filter(|found| holds_throughout(found, horn)))
}
