//! A derivation with some of its choices made otherwise, as formulas to refute.
//!
//! Every step has variables of its own, `x@3` for the variable `x` of the clause of step 3. The formulas say
//! that every body holds, where an atom stands for the conclusion of one of the step's premises; that all
//! choices are as they were but for some; and that those are others. If they are contradictory, then no
//! derivation by the same clauses from the same premises has those other choices.
//!
//! A variable is a *choice* of its step if it occurs in no atom of the body and no equation of the body
//! defines it; equations count in order, unless what they define would depend on itself.
//!
//! Invariant: the formulas depend on the system, the derivation and the changes alone.

use crate::evidence::horn::{Change, Derivation, Step};
use crate::horn::{ClauseId, Head, Horn};
use alphorn_term::parts::conjuncts;
use alphorn_term::{Op, Store, Substitution, TermId};
use std::collections::{BTreeMap, BTreeSet};

/// The choices of a clause, by position, ascending.
pub fn choices(horn: &Horn, clause: ClauseId) -> Vec<usize> {
    let store = &horn.terms;
    let clause = horn.clause(clause);
    let in_atoms: BTreeSet<TermId> =
        store.free_vars(&horn.atoms(clause.body)).into_iter().collect();
    let own: BTreeSet<TermId> = clause.vars.iter().copied().collect();
    let mut needs: BTreeMap<TermId, Vec<TermId>> = BTreeMap::new();
    for conjunct in conjuncts(store, &[clause.body]) {
        let [left, right] = *store.args(conjunct) else { continue };
        if store.op(conjunct) != Op::Eq {
            continue;
        }
        for (var, term) in [(left, right), (right, left)] {
            let is_open =
                own.contains(&var) && !in_atoms.contains(&var) && !needs.contains_key(&var);
            let read = store.free_vars(&[term]);
            if is_open && !depends(&needs, &read, var) {
                needs.insert(var, read);
                break;
            }
        }
    }
    let is_choice = |var: &TermId| !in_atoms.contains(var) && !needs.contains_key(var);
    (0..clause.vars.len()).filter(|at| is_choice(&clause.vars[*at])).collect()
}

/// Whether one of the variables is, or is defined by, another one.
fn depends(needs: &BTreeMap<TermId, Vec<TermId>>, vars: &[TermId], on: TermId) -> bool {
    let (mut stack, mut seen) = (vars.to_vec(), BTreeSet::new());
    while let Some(var) = stack.pop() {
        if var == on {
            return true;
        }
        if seen.insert(var) {
            stack.extend(needs.get(&var).into_iter().flatten());
        }
    }
    false
}

/// The formulas, in a store that extends the system's; or why there are none. The derivation must be one.
pub fn changed(
    horn: &Horn,
    derivation: &Derivation,
    changes: &[Change],
    store: &mut Store,
) -> Result<Vec<TermId>, String> {
    let mut formulas = Vec::new();
    let mut maps: Vec<Substitution> = Vec::with_capacity(derivation.steps.len());
    let mut heads: Vec<Option<(TermId, Vec<TermId>)>> = Vec::new();
    for (at, step) in derivation.steps.iter().enumerate() {
        if step.progression.is_some() {
            return Err("a step stands for many".into());
        }
        let clause = horn.clause(step.clause);
        if store.has_quantifier(clause.body) {
            return Err("a clause has quantifiers".into());
        }
        let mut map = Substitution::default();
        for &var in &clause.vars {
            let name = format!("{}@{at}", store.var_name(var).unwrap_or("value"));
            let sort = store.sort(var);
            let own = store.var(&name, sort);
            map.insert(var, own);
        }
        let (renamed, atoms) = (map.clone(), horn.atoms(clause.body));
        for atom in atoms {
            let meant = premise(horn, step, atom, &renamed, &heads, store);
            map.insert(atom, meant);
        }
        formulas.push(store.substitute(clause.body, &map));
        heads.push(match &clause.head {
            Head::False => None,
            Head::Atom(pred, args) => {
                let args = store.substitute_all(args, &renamed);
                let func = horn.pred(*pred).func;
                let atom = store.mk(Op::Apply(func), &args);
                Some((atom, args))
            }
        });
        maps.push(renamed);
    }
    let mut met = 0;
    for (at, step) in derivation.steps.iter().enumerate() {
        for var in choices(horn, step.clause) {
            let own = maps[at][&horn.clause(step.clause).vars[var]];
            let change = changes.iter().find(|change| (change.step, change.var) == (at, var));
            met += usize::from(change.is_some());
            let value = change.and_then(|change| change.value.as_ref());
            let value = value.unwrap_or(&step.values[var]);
            let value = store.value_term(value).ok_or("a choice has no term for its value")?;
            if store.sort(value) != store.sort(own) {
                return Err("the other value has another sort".into());
            }
            let equal = store.eq(own, value);
            let is_other = change.is_some_and(|change| change.value.is_none());
            formulas.push(if is_other { store.not(equal) } else { equal });
        }
    }
    if met == changes.len() { Ok(formulas) } else { Err("there is no such choice".into()) }
}

/// That an atom of a step's body is the conclusion of one of its premises.
fn premise(
    horn: &Horn,
    step: &Step,
    atom: TermId,
    renamed: &Substitution,
    heads: &[Option<(TermId, Vec<TermId>)>],
    store: &mut Store,
) -> TermId {
    let args: Vec<TermId> = horn.terms.args(atom).to_vec();
    let args = store.substitute_all(&args, renamed);
    let mut cases = Vec::new();
    for head in step.premises.iter().filter_map(|at| heads.get(*at)).flatten() {
        if store.op(head.0) != horn.terms.op(atom) {
            continue;
        }
        let pairs: Vec<(TermId, TermId)> =
            args.iter().copied().zip(head.1.iter().copied()).collect();
        let equations: Vec<TermId> = pairs.iter().map(|(a, b)| store.eq(*a, *b)).collect();
        cases.push(store.and(&equations));
    }
    store.or(&cases)
}
