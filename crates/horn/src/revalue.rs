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
use alphorn_term::{Model, Op, Store, Substitution, TermId, Value};
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
    let mut unrolled = Unrolled::of(horn, derivation, ctx)?;
    let found = unrolled.model(options, ctx)?;
    Ok(found.and_then(|model| unrolled.valued(derivation, &model)))
}

/// The clauses of a derivation as formulas: what makes them true together are values for it.
pub struct Unrolled {
    /// The terms of the formulas.
    pub store: Store,
    /// What each step says, and that its premises conclude its atoms.
    pub formulas: Vec<TermId>,
    /// By step: the variables that stand for those of its clause.
    pub vars: Vec<Vec<TermId>>,
    /// What selectors need to give what they are made for.
    guards: Vec<TermId>,
}

impl Unrolled {
    /// The formulas of a derivation; its own values do not matter.
    pub fn of(horn: &Horn, derivation: &Derivation, ctx: &mut Ctx<'_>) -> Result<Unrolled, Stop> {
        let mut store = horn.terms.clone();
        let mut vars: Vec<Vec<TermId>> = Vec::with_capacity(derivation.steps.len());
        let mut formulas = Vec::with_capacity(derivation.steps.len());
        let mut conclusions = Vec::with_capacity(derivation.steps.len());
        let mut guards: BTreeSet<TermId> = BTreeSet::new();
        for step in &derivation.steps {
            ctx.tick(1)?;
            let clause = horn.clause(step.clause);
            let own: Vec<TermId> = (clause.vars.iter())
                .map(|&var| {
                    let name = store.var_name(var).unwrap_or("x").to_owned();
                    store.fresh_var(&name, store.sort(var))
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
            formulas.push(body);
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
        Ok(Unrolled { store, formulas, vars, guards: guards.into_iter().collect() })
    }

    /// A model of the formulas, if the solver finds one.
    pub fn model(&mut self, options: Options, ctx: &mut Ctx<'_>) -> Result<Option<Model>, Stop> {
        let Unrolled { store, formulas, guards, .. } = self;
        let mut smt = Smt::new(options);
        for &formula in formulas.iter() {
            smt.assert(store, formula);
        }
        // What a selector gives on another constructor is open, so values are better without that.
        let conflicts = REVALUE_CONFLICTS.get();
        let is_found = ask_within(&mut smt, store, guards, conflicts, ctx)? == Answer::Sat
            || ask_within(&mut smt, store, &[], conflicts, ctx)? == Answer::Sat;
        Ok(is_found.then(|| smt.model(store)))
    }

    /// The derivation with the values of a model.
    pub fn valued(&self, derivation: &Derivation, model: &Model) -> Option<Derivation> {
        let mut steps = Vec::with_capacity(self.vars.len());
        for (step, own) in derivation.steps.iter().zip(&self.vars) {
            let value = |&var: &TermId| {
                let known = model.vars.get(&var).cloned();
                known.or_else(|| Value::default_of(&self.store, self.store.sort(var)))
            };
            let values = own.iter().map(value).collect::<Option<Vec<Value>>>()?;
            steps.push(Step::new(step.clause, values, step.premises.clone()));
        }
        Some(Derivation::of(steps))
    }
}
