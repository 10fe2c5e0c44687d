//! Checks models: every clause holds when the predicates mean what the definitions say.
//!
//! A definition is a formula over its parameters and nothing else, so together the definitions are
//! an interpretation, for every interpretation of what the system leaves open (background
//! functions, uninterpreted sorts, division by zero). The model fixes some of that by tables. A
//! clause that is refuted holds for all that the tables of functions allow, a clause that is evaluated
//! for what the tables say; so there is one interpretation under which all clauses hold.

use super::cases::check_cases;
use super::finite::Finite;
use super::fold::{check_folds, check_laws};
use super::values::{choices_fit, table_fits};
use super::{check_system, clause_name};
use crate::proof::replay;
use crate::{Refusal, work};
use alphorn_problem::Horn;
use alphorn_problem::evidence::horn::{ClauseProof, Definition, HornModel};
use alphorn_problem::horn::{Clause, Head, PredId};
use alphorn_problem::obligation::horn::assertions;
use alphorn_term::eval::bound;
use alphorn_term::{Meter, Op, SortId, Store, Substitution, TermId};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// How a model was checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ModelReport {
    /// Clauses whose negation was refuted.
    pub refuted: usize,
    /// Steps of the refutations, and of the proofs of laws about folds.
    pub steps: usize,
    /// Clauses that were evaluated.
    pub evaluated: usize,
    /// Instances of clauses that were evaluated.
    pub instances: u64,
}

/// Accepts a model if every clause of the system holds under it.
pub fn check_model(horn: &Horn, model: &HornModel) -> Result<ModelReport, Refusal> {
    check_model_within(horn, model, &work::of_model(horn, model))
}

/// `check_model` with the caller's limit on its work.
pub fn check_model_within(
    horn: &Horn,
    model: &HornModel,
    meter: &Meter,
) -> Result<ModelReport, Refusal> {
    check_system(horn)?;
    check_form(horn, model, meter)?;
    check_folds(horn, model, meter)?;
    let mut store = Cow::Borrowed(&model.terms);
    let mut finite = None;
    let mut report =
        ModelReport { steps: check_laws(&mut store, model, meter)?, ..Default::default() };
    for ((id, clause), proof) in horn.clauses().zip(&model.proofs) {
        let refuse = |reason| Refusal::new(clause_name(horn, id), reason);
        let effort = store.effort();
        check_sizes(horn, model, clause, meter).map_err(refuse)?;
        match proof {
            ClauseProof::Refute(_) | ClauseProof::Cases(_) => {
                let (folds, funcs) = (&model.folds, &model.funcs);
                let all = assertions(horn, &model.preds, (folds, funcs), clause, store.to_mut());
                let all = all.map_err(refuse)?;
                let made = store.effort() - effort;
                meter.spend(made).map_err(|exhausted| refuse(exhausted.into()))?;
                let steps = match proof {
                    ClauseProof::Refute(proof) => {
                        replay(&mut store, &all, proof, meter).map(|()| proof.steps.len())
                    }
                    ClauseProof::Cases(cases) => check_cases(&mut store, &all, cases, meter),
                    ClauseProof::Evaluate => Ok(0),
                };
                report.steps += steps.map_err(|refusal| {
                    let place = format!("{}, {}", clause_name(horn, id), refusal.place);
                    Refusal::new(place, refusal.reason)
                })?;
                report.refuted += 1;
            }
            ClauseProof::Evaluate => {
                let finite = finite.get_or_insert_with(|| Finite::new(horn, model, meter));
                report.instances += finite.check(store.to_mut(), clause).map_err(refuse)?;
                report.evaluated += 1;
            }
        }
    }
    Ok(report)
}

/// Whether the parts of a model fit the system.
fn check_form(horn: &Horn, model: &HornModel, meter: &Meter) -> Result<(), Refusal> {
    let refuse = |reason: &str| Err(Refusal::new("the model", reason));
    let spent = |exhausted| Refusal::new("the model", exhausted);
    meter.spend(model.terms.effort()).map_err(spent)?;
    if !model.terms.extends(&horn.terms) {
        return refuse("its terms do not extend those of the system");
    }
    if model.preds.len() != horn.preds.len() {
        return refuse("it does not have one definition for each predicate");
    }
    if model.proofs.len() != horn.clauses.len() {
        return refuse("it does not have one proof for each clause");
    }
    for (pred, definition) in horn.pred_ids().zip(&model.preds) {
        check_definition(horn, &model.terms, pred, definition, meter).map_err(|reason| {
            Refusal::new(format!("definition of {}", horn.pred_name(pred)), reason)
        })?;
    }
    let declared = model.terms.funcs().count();
    for (&func, table) in &model.funcs {
        if func.index() >= declared || horn.pred_of(func).is_some() {
            return refuse("it has a table for something that is not a background function");
        }
        let decl = model.terms.func(func);
        if !table_fits(&model.terms, table, &decl.args, decl.result, meter).map_err(spent)? {
            return refuse("a table does not fit the declaration of its function");
        }
    }
    if !choices_fit(&model.terms, &model.choices, meter).map_err(spent)? {
        return refuse("a choice does not fit its operator");
    }
    Ok(())
}

/// Whether a definition is a formula over its parameters, without predicates.
fn check_definition(
    horn: &Horn,
    store: &Store,
    pred: PredId,
    definition: &Definition,
    meter: &Meter,
) -> Result<(), String> {
    let params = check_params(store, &definition.params, horn.pred_args(pred))?;
    let known = |term: TermId| term.index() < store.len();
    if !known(definition.body) || store.sort(definition.body) != SortId::BOOL {
        return Err("its body is not a formula".to_owned());
    }
    // Bounds the walk below: it visits a subterm once for each scope it is in.
    bound::free_vars(store, &[definition.body], meter)?;
    for var in store.free_vars(&[definition.body]) {
        if !params.contains(&var) {
            let name = store.var_name(var).unwrap_or("?");
            return Err(format!("the variable {name} is not a parameter"));
        }
    }
    for term in store.subterms(&[definition.body]) {
        if let Op::Apply(func) = store.op(term)
            && horn.pred_of(func).is_some()
        {
            return Err("it mentions a predicate".to_owned());
        }
    }
    Ok(())
}

/// Parameters as a set, if they are one variable for each argument.
pub(super) fn check_params(
    store: &Store,
    params: &[TermId],
    sorts: &[SortId],
) -> Result<BTreeSet<TermId>, String> {
    if params.len() != sorts.len() {
        return Err(format!("it has {} parameters", params.len()));
    }
    let known = |term: TermId| term.index() < store.len();
    let mut all: BTreeSet<TermId> = BTreeSet::new();
    for (&param, &sort) in params.iter().zip(sorts) {
        if !known(param) || !matches!(store.op(param), Op::Var(_)) || store.sort(param) != sort {
            return Err("a parameter is not a variable of the argument's sort".to_owned());
        }
        if !all.insert(param) {
            return Err("a parameter stands for two arguments".to_owned());
        }
    }
    Ok(all)
}

/// Whether the definitions on the clause's arguments are terms of reasonable size.
fn check_sizes(
    horn: &Horn,
    model: &HornModel,
    clause: &Clause,
    meter: &Meter,
) -> Result<(), String> {
    let check = |pred: PredId, args: &[TermId]| {
        let definition = &model.preds[pred.index()];
        let params = definition.params.iter().copied();
        let map: Substitution = params.zip(args.iter().copied()).collect();
        bound::substitution(&model.terms, &[definition.body], &map, meter)
    };
    check_tables(horn, model, clause, meter)?;
    for atom in horn.atoms(clause.body) {
        let pred = horn.atom(atom).expect("atoms are applications of predicates");
        check(pred, horn.terms.args(atom))?;
    }
    match &clause.head {
        Head::Atom(pred, args) => check(*pred, args),
        Head::False => Ok(()),
    }
}

/// Counts the work of writing out the tables of functions: for each application its entries.
fn check_tables(
    horn: &Horn,
    model: &HornModel,
    clause: &Clause,
    meter: &Meter,
) -> Result<(), String> {
    const ENTRY: u64 = 32;
    if model.funcs.is_empty() {
        return Ok(());
    }
    let mut roots = vec![clause.body];
    if let Head::Atom(_, args) = &clause.head {
        roots.extend(args);
    }
    // Definitions are put for atoms, and their applications are written out as well.
    let atoms = horn.atoms(clause.body).into_iter().filter_map(|atom| horn.atom(atom));
    let head = match &clause.head {
        Head::Atom(pred, _) => Some(*pred),
        Head::False => None,
    };
    roots.extend(atoms.chain(head).map(|pred| model.preds[pred.index()].body));
    for root in roots {
        bound::free_vars(&model.terms, &[root], meter)?;
        for term in model.terms.subterms(&[root]) {
            if let Op::Apply(func) = model.terms.op(term)
                && let Some(table) = model.funcs.get(&func)
            {
                let args = 1 + model.terms.args(term).len() as u64;
                meter.spend((table.entries.len() as u64).saturating_mul(ENTRY * args))?;
            }
        }
    }
    Ok(())
}
