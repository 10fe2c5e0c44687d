//! Functions for a derivation that satisfy axioms.
//!
//! Where a system is to be safe for every interpretation, functions are arrays among the arguments of predicates
//! (`axioms`), and a derivation has the same ones throughout. Solvers find models of axioms about functions by
//! instances and tables, which arrays under quantifiers stand in the way of. So arrays that are only read, and that
//! the steps of a derivation hand on, are functions again for the question which values a derivation has; the
//! tables that are found are arrays with finitely many exceptions, where they have a default.
//!
//! Invariant: nothing is believed of what is found: it is proved for the values (`axioms::refutation`).

use alphorn_engine::{Ctx, Stop};
use alphorn_horn::revalue::Unrolled;
use alphorn_problem::Horn;
use alphorn_problem::evidence::horn::Derivation;
use alphorn_smt::Options;
use alphorn_term::eval::{Elsewhere, Table};
use alphorn_term::value::ArrayValue;
use alphorn_term::{FuncId, Op, Sort, SortId, Store, Substitution, TermId, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Values for the clauses of a derivation, with arrays that are only read as functions; none if none are found.
pub(super) fn solved(
    horn: &Horn,
    derivation: &Derivation,
    options: Options,
    ctx: &mut Ctx<'_>,
) -> Result<Option<Derivation>, Stop> {
    let mut unrolled = Unrolled::of(horn, derivation, ctx)?;
    let first_of = joined(&mut unrolled);
    let funcs = as_functions(&mut unrolled);
    let Some(mut model) = unrolled.model(options, ctx)? else { return Ok(None) };
    for (var, func) in funcs {
        let table = model.funcs.get(&func).cloned().unwrap_or_default();
        let sort = unrolled.store.sort(var);
        let Some(array) = array(&unrolled.store, sort, &table) else { return Ok(None) };
        model.set(var, array);
    }
    for (var, first) in first_of {
        if let Some(value) = model.vars.get(&first).cloned() {
            model.set(var, value);
        }
    }
    Ok(unrolled.valued(derivation, &model))
}

fn is_array(store: &Store, sort: SortId) -> bool {
    matches!(store.sort_of(sort), Sort::Array(..))
}

fn is_array_var(store: &Store, term: TermId) -> bool {
    matches!(store.op(term), Op::Var(_)) && is_array(store, store.sort(term))
}

/// Puts one variable in the place of arrays that steps hand on to each other, and says which.
fn joined(unrolled: &mut Unrolled) -> BTreeMap<TermId, TermId> {
    let Unrolled { store, formulas, .. } = unrolled;
    let mut parent: BTreeMap<TermId, TermId> = BTreeMap::new();
    let find = |parent: &BTreeMap<TermId, TermId>, mut term: TermId| {
        while let Some(&above) = parent.get(&term) {
            term = above;
        }
        term
    };
    for term in store.subterms(formulas) {
        if let (Op::Eq, &[left, right]) = (store.op(term), store.args(term))
            && is_array_var(store, left)
            && is_array_var(store, right)
        {
            let (left, right) = (find(&parent, left), find(&parent, right));
            if left != right {
                parent.insert(left, right);
            }
        }
    }
    let first_of: BTreeMap<TermId, TermId> =
        parent.keys().map(|&var| (var, find(&parent, var))).collect();
    let map: Substitution = first_of.iter().map(|(&var, &first)| (var, first)).collect();
    *formulas = store.substitute_all(formulas, &map);
    first_of
}

/// Puts functions in the place of array variables that are only read, down to values that are no arrays, and says
/// which.
fn as_functions(unrolled: &mut Unrolled) -> BTreeMap<TermId, FuncId> {
    let Unrolled { store, formulas, .. } = unrolled;
    let terms = store.subterms(formulas);
    let mut bare: BTreeSet<TermId> = BTreeSet::new();
    for &term in &terms {
        let args = store.args(term);
        let whole = if store.op(term) == Op::Select { &args[1..] } else { args };
        let parts = whole.iter().filter(|&&arg| is_array(store, store.sort(arg)));
        bare.extend(parts.filter_map(|&part| read(store, part)).map(|(var, _)| var));
    }
    let mut funcs: BTreeMap<TermId, FuncId> = BTreeMap::new();
    for &var in &terms {
        if is_array_var(store, var) && !bare.contains(&var) {
            let (mut args, mut result) = (Vec::new(), store.sort(var));
            while let Sort::Array(index, element) = store.sort_of(result) {
                args.push(*index);
                result = *element;
            }
            let name = store.var_name(var).unwrap_or("f").to_owned();
            funcs.insert(var, store.declare(&format!("{name}@function"), &args, result));
        }
    }
    let mut done: BTreeMap<TermId, TermId> = BTreeMap::new();
    for &term in &terms {
        let args: Vec<TermId> = store.args(term).iter().map(|arg| done[arg]).collect();
        let complete = read(store, term).filter(|_| !is_array(store, store.sort(term)));
        let seen = match complete.and_then(|(var, at)| Some((*funcs.get(&var)?, at))) {
            Some((func, at)) => {
                let at: Vec<TermId> = at.iter().map(|index| done[index]).collect();
                store.mk(Op::Apply(func), &at)
            }
            None if args == store.args(term) => term,
            None => match store.op(term) {
                op @ (Op::Forall | Op::Exists) => store.mk(op, &args),
                _ => store.rebuild(term, &args),
            },
        };
        done.insert(term, seen);
    }
    formulas.iter_mut().for_each(|formula| *formula = done[formula]);
    funcs
}

/// The array variable that a term reads, and where.
pub(super) fn read(store: &Store, term: TermId) -> Option<(TermId, Vec<TermId>)> {
    match (store.op(term), store.args(term)) {
        (Op::Var(_), _) => is_array_var(store, term).then(|| (term, Vec::new())),
        (Op::Select, &[array, index]) => {
            let (var, mut at) = read(store, array)?;
            at.push(index);
            Some((var, at))
        }
        _ => None,
    }
}

/// A table as an array over its first argument with arrays over the others in it; none if it has no default.
fn array(store: &Store, sort: SortId, table: &Table) -> Option<Value> {
    if table.elsewhere != Elsewhere::Same {
        return None;
    }
    let entries: Vec<(&[Value], &Value)> =
        table.entries.iter().map(|(at, value)| (&at[..], value)).collect();
    nested(store, sort, &entries, table.default.as_ref())
}

fn nested(
    store: &Store,
    sort: SortId,
    entries: &[(&[Value], &Value)],
    default: Option<&Value>,
) -> Option<Value> {
    let &Sort::Array(index, element) = store.sort_of(sort) else {
        let own = entries.first().map(|(_, value)| *value).or(default);
        return own.cloned().or_else(|| Value::default_of(store, sort));
    };
    let mut rows: BTreeMap<&Value, Vec<(&[Value], &Value)>> = BTreeMap::new();
    for (at, value) in entries {
        let (first, rest) = at.split_first()?;
        rows.entry(first).or_default().push((rest, value));
    }
    let elsewhere = nested(store, element, &[], default)?;
    let mut array = ArrayValue::constant(store, index, elsewhere)?;
    for (first, row) in rows {
        array = array.with(store, first.clone(), nested(store, element, &row, default)?)?;
    }
    Some(Value::Array(Arc::new(array)))
}
