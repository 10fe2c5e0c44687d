//! Checks folds and laws: that each fold is a function, and that each law holds.
//!
//! A fold has a case for every constructor, and its cases apply folds of lower levels to anything and
//! those of the same level to fields. Values of datatypes are finite trees, so by induction on the
//! level, and then on their size, there is one value for each fold on each of them, whatever the
//! interpretation of all else. Laws are proved by the same induction, all at once.

use crate::Refusal;
use crate::proof::replay;
use alphorn_problem::Horn;
use alphorn_problem::evidence::fold::{Fold, FoldCase, Law};
use alphorn_problem::evidence::horn::HornModel;
use alphorn_problem::obligation::fold::{constructors, induction};
use alphorn_term::eval::bound;
use alphorn_term::{CtorId, FuncId, Meter, Op, SortId, Store, Substitution, TermId};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// Whether every fold is given by structural recursion and has a name of its own.
pub(super) fn check_folds(horn: &Horn, model: &HornModel, meter: &Meter) -> Result<(), Refusal> {
    let (own, all) = (horn.terms.funcs().count(), model.terms.funcs().count());
    let levels = model.folds.functions.iter().map(|fold| (fold.func, fold.level)).collect();
    let mut seen = BTreeSet::new();
    for (position, fold) in model.folds.functions.iter().enumerate() {
        let refuse = |reason: &str| Err(Refusal::new(format!("fold {position}"), reason));
        if fold.func.index() >= all {
            return refuse("it is not declared");
        }
        if fold.func.index() < own || model.funcs.contains_key(&fold.func) {
            return refuse("it is a function that means something else");
        }
        if !seen.insert(fold.func) {
            return refuse("it is defined twice");
        }
    }
    for (position, fold) in model.folds.functions.iter().enumerate() {
        check_fold(model, fold, &levels, meter)
            .map_err(|reason| Refusal::new(format!("fold {position}"), reason))?;
    }
    for (position, law) in model.folds.laws.iter().enumerate() {
        check_law(&model.terms, law, meter)
            .map_err(|reason| Refusal::new(format!("law {position}"), reason))?;
    }
    Ok(())
}

/// The level of each fold.
type Levels = BTreeMap<FuncId, u32>;

fn check_fold(
    model: &HornModel,
    fold: &Fold,
    levels: &Levels,
    meter: &Meter,
) -> Result<(), String> {
    let decl = model.terms.func(fold.func);
    let Some((&sort, others)) = decl.args.split_first() else {
        return Err("it has no argument".to_owned());
    };
    check_variables(&model.terms, &fold.params, others, "a parameter")?;
    let ctors = constructors(&model.terms, sort);
    if ctors.is_empty() {
        return Err("its argument is not of a datatype".to_owned());
    }
    if ctors.len() != fold.cases.len() {
        return Err("it does not have one case for each constructor".to_owned());
    }
    for (ctor, case) in ctors.into_iter().zip(&fold.cases) {
        check_case(model, (fold, levels), ctor, case, meter)?;
    }
    Ok(())
}

/// Whether a case is a term over fields and parameters that needs folds on nothing but smaller values
/// and folds of lower levels.
fn check_case(
    model: &HornModel,
    (fold, levels): (&Fold, &Levels),
    ctor: CtorId,
    case: &FoldCase,
    meter: &Meter,
) -> Result<(), String> {
    let store = &model.terms;
    check_fields(store, ctor, &case.fields)?;
    let own: BTreeSet<TermId> = case.fields.iter().chain(&fold.params).copied().collect();
    if own.len() < case.fields.len() + fold.params.len() {
        return Err("a variable is a field and a parameter".to_owned());
    }
    let result = store.func(fold.func).result;
    if case.value.index() >= store.len() || store.sort(case.value) != result {
        return Err("a case is not of the function's sort".to_owned());
    }
    bound::free_vars(store, &[case.value], meter)?;
    let fields: BTreeSet<TermId> = case.fields.iter().copied().collect();
    for term in store.subterms(&[case.value]) {
        match store.op(term) {
            Op::Var(_) if !own.contains(&term) => {
                let name = store.var_name(term).unwrap_or("?");
                return Err(format!("the variable {name} is neither a field nor a parameter"));
            }
            Op::Forall | Op::Exists => return Err("a case has a quantifier".to_owned()),
            Op::Apply(func) => {
                let is_field = store.args(term).first().is_some_and(|a| fields.contains(a));
                let level = levels.get(&func).copied();
                if level.is_none_or(|at| at > fold.level || (at == fold.level && !is_field)) {
                    return Err("a case uses something but folds of fields or below".to_owned());
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// Whether these are different variables of the sorts of the constructor's fields.
fn check_fields(store: &Store, ctor: CtorId, fields: &[TermId]) -> Result<(), String> {
    let sorts: Vec<SortId> = store.ctor(ctor).fields.iter().map(|(_, sort)| *sort).collect();
    check_variables(store, fields, &sorts, "a field")
}

/// Whether these are different variables of these sorts.
fn check_variables(
    store: &Store,
    vars: &[TermId],
    sorts: &[SortId],
    what: &str,
) -> Result<(), String> {
    let fits = |(&field, &sort): (&TermId, &SortId)| {
        let is_var = field.index() < store.len() && matches!(store.op(field), Op::Var(_));
        is_var && store.sort(field) == sort
    };
    if vars.len() != sorts.len() || !vars.iter().zip(sorts).all(fits) {
        return Err(format!("there is not one variable of the right sort for {what}"));
    }
    match vars.iter().collect::<BTreeSet<_>>().len() == vars.len() {
        true => Ok(()),
        false => Err(format!("a variable stands for {what} twice")),
    }
}

/// Whether a law is a formula about one value of a datatype, with a case per constructor.
fn check_law(store: &Store, law: &Law, meter: &Meter) -> Result<(), String> {
    let known = |term: TermId| term.index() < store.len();
    if !known(law.var) || !matches!(store.op(law.var), Op::Var(_)) {
        return Err("it is not about a variable".to_owned());
    }
    let ctors = constructors(store, store.sort(law.var));
    if ctors.is_empty() {
        return Err("it is not about values of a datatype".to_owned());
    }
    if !known(law.formula) || store.sort(law.formula) != SortId::BOOL {
        return Err("it is not a formula".to_owned());
    }
    bound::free_vars(store, &[law.formula], meter)?;
    if let Some(other) = store.free_vars(&[law.formula]).into_iter().find(|&var| var != law.var) {
        let name = store.var_name(other).unwrap_or("?");
        return Err(format!("the variable {name} is not the one it is about"));
    }
    if ctors.len() != law.cases.len() {
        return Err("it does not have one case for each constructor".to_owned());
    }
    let cases = ctors.into_iter().zip(&law.cases);
    cases.into_iter().try_for_each(|(ctor, case)| check_fields(store, ctor, &case.fields))
}

/// Replays the proofs of the laws; how many steps they have.
pub(super) fn check_laws(
    store: &mut Cow<Store>,
    model: &HornModel,
    meter: &Meter,
) -> Result<usize, Refusal> {
    let mut steps = 0;
    for (position, law) in model.folds.laws.iter().enumerate() {
        let ctors = constructors(store, store.sort(law.var));
        for (number, (ctor, case)) in ctors.into_iter().zip(&law.cases).enumerate() {
            let refuse = |reason: String| Refusal::new(format!("law {position}"), reason);
            check_instances(store, model, &case.fields, meter).map_err(refuse)?;
            let assertions = induction(&model.folds, law, ctor, &case.fields, store.to_mut());
            replay(store, &assertions, &case.proof, meter).map_err(|refusal| {
                let place = format!("law {position}, case {number}, {}", refusal.place);
                Refusal::new(place, refusal.reason)
            })?;
            steps += case.proof.steps.len();
        }
    }
    Ok(steps)
}

/// Counts the work of the obligations of a law's case: an instance of every law for the value and for
/// each field, and all equations.
fn check_instances(
    store: &Store,
    model: &HornModel,
    fields: &[TermId],
    meter: &Meter,
) -> Result<(), String> {
    for law in &model.folds.laws {
        // A law is about one variable, and fields are variables.
        let map: Substitution = [(law.var, law.var)].into_iter().collect();
        for _ in 0..=fields.len() {
            bound::substitution(store, &[law.formula], &map, meter)?;
        }
    }
    let cases = model.folds.functions.iter().flat_map(|fold| {
        fold.cases.iter().map(|case| 32 + 2 * (case.fields.len() + fold.params.len()) as u64)
    });
    Ok(meter.spend(cases.fold(0, u64::saturating_add))?)
}
