//! What a model of a Horn system must prove for a clause: that its negation is unsatisfiable.
//!
//! The negation is the body with every predicate atom replaced by its definition on the atom's
//! arguments, together with the negation of the head's definition. Its free variables are those
//! of the clause, so a refutation of it says that the clause holds for all of their values.
//!
//! Engines and the checker both call this file. They must get the same terms, so nothing here may
//! depend on what else a store contains: the result has the ids that the engine's store has given
//! it, provided that store is the model's. The one thing that would break this is a bound
//! variable renamed to avoid capture; definitions that bind a variable of a clause are therefore
//! refused instead of renamed.

use super::fold;
use crate::evidence::fold::Folds;
use crate::evidence::horn::Definition;
use crate::horn::{Clause, ClauseId, Head, Horn};
use alphorn_term::eval::Table;
use alphorn_term::parts::conjuncts;
use alphorn_term::{FuncId, Op, Store, Substitution, TermId, Value};
use std::collections::{BTreeMap, BTreeSet};

/// The assertions whose refutation shows that `clause` holds under `definitions` with `folds` and the
/// tables of functions: the clause's negation, and what the folds say.
pub fn assertions(
    horn: &Horn,
    definitions: &[Definition],
    (folds, funcs): (&Folds, &BTreeMap<FuncId, Table>),
    clause: &Clause,
    store: &mut Store,
) -> Result<Vec<TermId>, String> {
    let mut all = negation_under(horn, definitions, funcs, clause, store)?;
    all.extend(fold::axioms(folds, store));
    Ok(all)
}

/// The clauses as closed formulas, as they were read, in which predicates are functions like others: they cannot all
/// hold if the system is unsafe for every interpretation of its declared functions.
pub fn formulas(horn: &Horn, store: &mut Store) -> Vec<TermId> {
    let formula = |(id, clause): (ClauseId, &Clause)| {
        let head = match &clause.head {
            Head::False => TermId::FALSE,
            Head::Atom(pred, args) => store.mk(Op::Apply(horn.pred(*pred).func), args),
        };
        let holds = store.implies(horn.body_as_read(id), head);
        store.forall(&clause.vars, holds)
    };
    horn.clauses().map(formula).collect()
}

/// The negation of `clause` under `definitions`, which are by the predicates' positions and whose
/// terms are in `store`.
///
/// One assertion for the body, and one for the head unless the clause is a query. The clause must
/// be valid and the definitions must fit their predicates.
pub fn negation(
    horn: &Horn,
    definitions: &[Definition],
    clause: &Clause,
    store: &mut Store,
) -> Result<Vec<TermId>, String> {
    let body = unfold(horn, clause, store, |store, pred_atom, args| {
        let pred = horn.atom(pred_atom).expect("only atoms are unfolded");
        instance(clause, &definitions[pred.index()], args, store).map(Some)
    })?;
    let mut assertions = vec![body];
    if let Head::Atom(pred, args) = &clause.head {
        let head = instance(clause, &definitions[pred.index()], args, store)?;
        assertions.push(store.not(head));
    }
    Ok(assertions)
}

/// `negation` for one interpretation of declared functions: where one has a table, its applications
/// are written out (`written_out`).
pub fn negation_under(
    horn: &Horn,
    definitions: &[Definition],
    funcs: &BTreeMap<FuncId, Table>,
    clause: &Clause,
    store: &mut Store,
) -> Result<Vec<TermId>, String> {
    let assertions = negation(horn, definitions, clause, store)?;
    Ok(assertions.into_iter().map(|term| written_out(term, funcs, store)).collect())
}

/// A term with applications of functions that have tables as case distinctions over the entries.
///
/// Where a table says nothing, the application stays. Nothing is written out of a table with a
/// value that no term is, so what is left holds for every interpretation that the table allows.
pub fn written_out(root: TermId, funcs: &BTreeMap<FuncId, Table>, store: &mut Store) -> TermId {
    if funcs.is_empty() || !store.has_apply(root) {
        return root;
    }
    let mut done: BTreeMap<TermId, TermId> = BTreeMap::new();
    let mut stack = vec![(root, false)];
    while let Some((term, ready)) = stack.pop() {
        if done.contains_key(&term) {
            continue;
        }
        if !store.has_apply(term) {
            done.insert(term, term);
            continue;
        }
        if !ready {
            stack.push((term, true));
            stack.extend(store.args(term).iter().rev().map(|&arg| (arg, false)));
            continue;
        }
        let args: Vec<TermId> = store.args(term).iter().map(|arg| done[arg]).collect();
        let rebuilt = store.rebuild(term, &args);
        let table = match store.op(term) {
            Op::Apply(func) => funcs.get(&func),
            _ => None,
        };
        let result = match table {
            Some(table) => {
                let literal = &mut |store: &mut Store, value: &Value| store.value_term(value);
                store.table_term(table, &args, Some(rebuilt), literal).unwrap_or(rebuilt)
            }
            None => rebuilt,
        };
        done.insert(term, result);
    }
    done[&root]
}

/// The assertions of a case: `assertions`, the condition of the case and the negations of `before`, the
/// conditions of earlier ones.
pub fn of_case(
    assertions: &[TermId],
    condition: TermId,
    before: &[TermId],
    store: &mut Store,
) -> Vec<TermId> {
    let mut all = assertions.to_vec();
    all.push(condition);
    all.extend(before.iter().map(|&other| store.not(other)));
    all
}

/// Formulas with what the equations of a round say put for variables.
///
/// An equation must be a conjunct of the formulas, and its term may mention variables of the round only if
/// they stand before it. So an assignment that satisfies the formulas gives each variable the value of what
/// is put for it, and satisfies the result. `allow` is asked before terms are looked at and put in.
pub fn put_round(
    formulas: &[TermId],
    round: &[(TermId, TermId)],
    store: &mut Store,
    mut allow: impl FnMut(&Store, &[TermId], &Substitution) -> Result<(), String>,
) -> Result<Vec<TermId>, String> {
    allow(store, formulas, &Substitution::default())?;
    let parts: BTreeSet<TermId> = conjuncts(store, formulas).into_iter().collect();
    let mut later: BTreeSet<TermId> = BTreeSet::new();
    for &(var, _) in round {
        if !matches!(store.op(var), Op::Var(_)) || !later.insert(var) {
            return Err("a round puts something for what is no variable, or twice".to_owned());
        }
    }
    let mut map = Substitution::default();
    for &(var, term) in round {
        allow(store, &[term], &Substitution::default())?;
        let name = store.var_name(var).unwrap_or("?");
        if store.sort(var) != store.sort(term) {
            return Err(format!("what is put for {name} is of another sort"));
        }
        let free = store.free_vars(&[term]);
        if free.iter().any(|part| later.contains(part)) {
            return Err(format!("what is put for {name} mentions what is not put in before"));
        }
        let equation = store.eq(var, term);
        if !parts.contains(&equation) {
            let name = store.var_name(var).unwrap_or("?");
            return Err(format!("nothing says that {name} is what is put for it"));
        }
        let own = free.into_iter().filter_map(|var| map.get(&var).map(|&to| (var, to))).collect();
        allow(store, &[term], &own)?;
        let put = store.substitute(term, &own);
        later.remove(&var);
        map.insert(var, put);
    }
    allow(store, formulas, &map)?;
    Ok(store.substitute_all(formulas, &map))
}

/// The body of `clause` with its predicate atoms replaced by what `replace` says; atoms for which
/// it says nothing stay.
pub fn unfold(
    horn: &Horn,
    clause: &Clause,
    store: &mut Store,
    mut replace: impl FnMut(&mut Store, TermId, &[TermId]) -> Result<Option<TermId>, String>,
) -> Result<TermId, String> {
    // Atoms stand below conjunctions and disjunctions only, so nothing else is rebuilt.
    let mut done: BTreeMap<TermId, TermId> = BTreeMap::new();
    let mut stack = vec![(clause.body, false)];
    while let Some((term, ready)) = stack.pop() {
        if done.contains_key(&term) {
            continue;
        }
        let args = horn.terms.args(term);
        let result = if horn.atom(term).is_some() {
            replace(store, term, args)?.unwrap_or(term)
        } else if !matches!(horn.terms.op(term), Op::And | Op::Or) || !horn.terms.has_apply(term) {
            term
        } else if !ready {
            stack.push((term, true));
            stack.extend(args.iter().rev().map(|&arg| (arg, false)));
            continue;
        } else {
            let args: Vec<TermId> = args.iter().map(|arg| done[arg]).collect();
            store.mk(horn.terms.op(term), &args)
        };
        done.insert(term, result);
    }
    Ok(done[&clause.body])
}

/// A definition with `args`, terms over the variables of `clause`, for its parameters.
pub fn instance(
    clause: &Clause,
    definition: &Definition,
    args: &[TermId],
    store: &mut Store,
) -> Result<TermId, String> {
    if store.has_quantifier(definition.body) {
        let vars: BTreeSet<TermId> = clause.vars.iter().copied().collect();
        for term in store.subterms(&[definition.body]) {
            let binds = matches!(store.op(term), Op::Forall | Op::Exists);
            let both = store.bound_vars(term).iter().find(|var| binds && vars.contains(var));
            if let Some(var) = both {
                let name = store.var_name(*var).unwrap_or("?");
                return Err(format!(
                    "a definition binds {name}, a variable of the clause; it needs another name"
                ));
            }
        }
    }
    let params = definition.params.iter().copied();
    let map: Substitution = params.zip(args.iter().copied()).collect();
    Ok(store.substitute(definition.body, &map))
}
