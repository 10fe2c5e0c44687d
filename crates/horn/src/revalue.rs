//! Other values for a derivation.
//!
//! A derivation says which clauses to take; whether there are values for them that do not depend on what
//! selectors give on other constructors, the solver says.

use crate::ask::ask_within;
use crate::derivation::holds_throughout;
use crate::settings::REVALUE_CONFLICTS;
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::Horn;
use alphorn_problem::evidence::horn::{Derivation, Step};
use alphorn_problem::horn::Head;
use alphorn_problem::obligation::horn::unfold;
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{Op, Substitution, TermId, Value};
use std::collections::BTreeSet;

/// Values for the clauses of a derivation, if there are any that do not depend on what selectors give on
/// other constructors; its own values do not matter.
pub fn revalued(
    horn: &Horn,
    derivation: &Derivation,
    ctx: &mut Ctx<'_>,
) -> Result<Option<Derivation>, Stop> {
    let found = solved(horn, derivation, Options::default(), ctx)?;
    Ok(found.filter(|found| holds_throughout(found, horn)))
}

/// Values that a solver finds for the clauses of a derivation; its own values do not matter.
pub fn solved(
    horn: &Horn,
    derivation: &Derivation,
    options: Options,
    ctx: &mut Ctx<'_>,
) -> Result<Option<Derivation>, Stop> {
    let mut store = horn.terms.clone();
    let mut smt = Smt::new(options);
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
    if ask_within(&mut smt, &mut store, &guards, REVALUE_CONFLICTS.get(), ctx)? != Answer::Sat
        && ask_within(&mut smt, &mut store, &[], REVALUE_CONFLICTS.get(), ctx)? != Answer::Sat
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
        steps.push(Step::new(step.clause, values, step.premises.clone()));
    }
    Ok(Some(Derivation::of(steps)))
}
