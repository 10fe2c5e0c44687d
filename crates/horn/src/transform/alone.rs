//! The transform `alone`: a variable that nothing ties to others is replaced by a value that fits.
//!
//! Conjuncts in which one variable occurs and no other, such as the bounds of a value that a program draws and
//! does not use, hold for some value or for none. Where one of the numbers that occur there, or a
//! neighbour of one, satisfies all of them, it takes the variable's place and the conjuncts are true.
//! Engines that fire clauses with values need not guess then.

use super::change::{Applied, Change, Recipe};
use super::system::{System, conjuncts, head_args};
use crate::settings::{ALONE_LARGEST, ALONE_MAX_TRIED};
use alphorn_engine::Ctx;
use alphorn_problem::horn::Clause;
use alphorn_term::{Int, Model, SortId, Store, Substitution, TermId, Value, eval};
use rustc_hash::{FxHashMap, FxHashSet};

pub(super) fn apply(system: &System, store: &mut Store, ctx: &mut Ctx<'_>) -> Applied {
    let mut clauses = Vec::with_capacity(system.clauses.len());
    let mut has_changed = false;
    for (at, clause) in system.clauses.iter().enumerate() {
        ctx.tick(1)?;
        let map = fitting(store, clause);
        if map.is_empty() {
            clauses.push((clause.clone(), Recipe::same(at)));
            continue;
        }
        has_changed = true;
        let values = store.substitute_all(&clause.vars, &map);
        let mut changed = clause.clone();
        changed.body = store.substitute(clause.body, &map);
        changed.vars.retain(|var| !map.contains_key(var));
        clauses.push((changed, Recipe::terms(at, values)));
    }
    Ok(has_changed.then(|| Change::of_clauses(system, store, clauses)))
}

/// Values for the variables of a clause that stand alone.
fn fitting(store: &mut Store, clause: &Clause) -> Substitution {
    let mut tied: FxHashSet<TermId> = store.free_vars(head_args(clause)).into_iter().collect();
    let mut alone: FxHashMap<TermId, Vec<TermId>> = FxHashMap::default();
    for part in conjuncts(store, clause.body) {
        let vars = store.free_vars(&[part]);
        match vars[..] {
            [var]
                if !store.has_apply(part)
                    && !store.has_quantifier(part)
                    && store.sort(var) == SortId::INT
                    && store.dag_size(&[part]) <= ALONE_LARGEST.size() =>
            {
                alone.entry(var).or_default().push(part);
            }
            _ => tied.extend(vars),
        }
    }
    let mut map = Substitution::default();
    for &var in &clause.vars {
        if tied.contains(&var) {
            continue;
        }
        if let Some(parts) = alone.get(&var)
            && let Some(value) = value_of(store, var, parts)
        {
            map.insert(var, store.int(value));
        }
    }
    map
}

/// A value of a variable that satisfies formulas about it alone.
fn value_of(store: &Store, var: TermId, parts: &[TermId]) -> Option<Int> {
    let mut tried = vec![Int::ZERO];
    for term in store.subterms(parts) {
        if let Some(value) = store.int_value(term) {
            tried.extend([value.clone(), value + &Int::ONE, value - &Int::ONE]);
        }
    }
    tried.truncate(ALONE_MAX_TRIED.size());
    tried.into_iter().find(|value| {
        let mut model = Model::new();
        model.set(var, Value::Int(value.clone()));
        parts.iter().all(|&part| eval(store, part, &model).is_ok_and(|v| v == Value::Bool(true)))
    })
}
