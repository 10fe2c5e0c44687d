//! Definitions carried back through one transform.
//!
//! A predicate that has a meaning in the changed system gets it with the definitions put in. One that
//! was inlined has none: its definition must lie between what its clauses derive and what its uses
//! allow, with the other predicates' definitions put in. Where its clauses' own variables are
//! determined by equations, what they derive is written down, and where those of its uses are, what
//! they allow (`recover`). Otherwise the clauses of these predicates are a system without recursion,
//! and the engine for such systems interpolates; if it cannot, variables are eliminated. What is left
//! is said with quantifiers: of some values of the variables the body holds, or, where these would be
//! arrays, of all values of a use's variables the use is allowed. That is the case where other
//! definitions have quantifiers already; there, uses without quantifiers come before elimination.

use super::change::{Change, Meaning};
use super::flow::is_array;
use super::recover;
use super::system::System;
use crate::ask::ask_within;
use crate::settings::INTERPOLATION_TICKS;
use crate::settings::{DEFINITIONS_CONFLICTS, DEFINITIONS_INSTANCE_ROUNDS, DEFINITIONS_ROUNDS};
use alphorn_engine::{Ctx, Lost, Stop};
use alphorn_problem::evidence::horn::Definition;
use alphorn_problem::horn::{Clause, Head, PredId};
use alphorn_problem::{Finding, Horn};
use alphorn_smt::project::{Limits, eliminate};
use alphorn_smt::{Answer, Budget, Options, Smt};
use alphorn_term::{Store, Substitution, TermId};

/// Definitions of the predicates before, from those of the changed system; terms go into `store`.
pub fn carry(
    before: &System,
    change: &Change,
    store: &mut Store,
    definitions: &[Definition],
    ctx: &mut Ctx<'_>,
) -> Result<Vec<Definition>, Stop> {
    let mut known: Vec<Option<Definition>> = Vec::with_capacity(before.preds.len());
    for (at, meaning) in change.meanings.iter().enumerate() {
        let mut found = meaning.as_ref().map(|meaning| put_in(store, meaning, definitions));
        if let Some(definition) = &mut found {
            definition.body = change.columns.written_out(store, definition.body)?;
            if let Some(reaching) = change.reaching.get(&PredId(at as u32)) {
                *definition = reaching.reached(store, definition, ctx)?;
            }
        }
        known.push(found);
    }
    if known.iter().any(Option::is_none) {
        write_down(before, store, &mut known, 0);
    }
    if known.iter().any(Option::is_none) {
        recover_by_substitution(before, store, &mut known);
    }
    if known.iter().any(Option::is_none) {
        tell_truths(before, store, &mut known, ctx)?;
    }
    if known.iter().any(Option::is_none) {
        quantify_plain_uses(before, store, &mut known);
    }
    if known.iter().any(Option::is_none) {
        interpolate(before, store, &mut known, ctx)?;
    }
    if known.iter().any(Option::is_none) {
        write_down(before, store, &mut known, DEFINITIONS_ROUNDS.size());
    }
    if known.iter().any(Option::is_none) {
        quantify_uses(before, store, &mut known);
    }
    if known.iter().any(Option::is_none) {
        quantify(before, store, &mut known);
    }
    let lost = || Lost("no definition was found for a predicate that was inlined".to_owned());
    known.into_iter().collect::<Option<_>>().ok_or_else(|| lost().into())
}

/// A meaning with the definitions of the changed system's predicates.
fn put_in(store: &mut Store, meaning: &Meaning, definitions: &[Definition]) -> Definition {
    if let [case] = &meaning.cases[..]
        && let (TermId::TRUE, Some((pred, args))) = (case.condition, &case.part)
        && *args == meaning.params
        && !case.is_negated
    {
        return definitions[pred.index()].clone();
    }
    let mut cases = Vec::with_capacity(meaning.cases.len());
    for case in &meaning.cases {
        let part = match &case.part {
            Some((pred, args)) => instance(store, &definitions[pred.index()], args),
            None => TermId::TRUE,
        };
        let part = if case.is_negated { store.not(part) } else { part };
        cases.push(store.and(&[case.condition, part]));
    }
    Definition { params: meaning.params.clone(), body: store.or(&cases) }
}

/// A definition on arguments.
fn instance(store: &mut Store, definition: &Definition, args: &[TermId]) -> TermId {
    let params = definition.params.iter().copied();
    let map: Substitution = params.zip(args.iter().copied()).collect();
    store.substitute(definition.body, &map)
}

/// A body with definitions put in, where they are known.
fn unfold(
    before: &System,
    store: &mut Store,
    body: TermId,
    known: &[Option<Definition>],
) -> TermId {
    before.map_atoms(store, body, |store, pred, atom| match &known[pred.index()] {
        None => atom,
        Some(definition) => {
            let args = store.args(atom).to_vec();
            instance(store, definition, &args)
        }
    })
}

/// Defines unknown predicates by what their clauses derive, where that can be said without
/// quantifiers. Their clauses do not use one another, so one pass is enough.
fn write_down(before: &System, store: &mut Store, known: &mut [Option<Definition>], rounds: usize) {
    define_by_cases(before, store, known, |store, clause, params, known| {
        derived(before, store, clause, params, known, rounds)
    });
}

/// Defines unknown predicates as the disjunction of what `case` says each of their clauses derives; those
/// stay unknown where it does not say that of a clause.
fn define_by_cases(
    before: &System,
    store: &mut Store,
    known: &mut [Option<Definition>],
    mut case: impl FnMut(&mut Store, &Clause, &[TermId], &[Option<Definition>]) -> Option<TermId>,
) {
    let clauses_of = before.clauses_of();
    for pred in (0..known.len()).filter(|&pred| known[pred].is_none()).collect::<Vec<_>>() {
        let params = before.params(store, PredId(pred as u32));
        let clauses = clauses_of[pred].iter().map(|&at| &before.clauses[at]);
        let cases: Option<Vec<TermId>> =
            clauses.map(|clause| case(store, clause, &params, known)).collect();
        if let Some(cases) = cases {
            known[pred] = Some(Definition { params, body: store.or(&cases) });
        }
    }
}

/// Defines unknown predicates by substitution, where equations determine everything else.
fn recover_by_substitution(before: &System, store: &mut Store, known: &mut [Option<Definition>]) {
    let clauses_of = before.clauses_of();
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); known.len()];
    for (at, clause) in before.clauses.iter().enumerate() {
        before.body_preds(store, clause.body).iter().for_each(|pred| users[pred.index()].push(at));
    }
    for at in (0..known.len()).filter(|&at| known[at].is_none()).collect::<Vec<_>>() {
        let pred = PredId(at as u32);
        let has_known = |store: &Store, body: TermId| {
            let preds = before.body_preds(store, body);
            preds.iter().all(|pred| known[pred.index()].is_some())
        };
        let below = recover::from_below(before, store, pred, &clauses_of[at], |store, clause| {
            has_known(store, clause.body).then(|| unfold(before, store, clause.body, known))
        });
        let found = below.or_else(|| {
            recover::from_above(before, store, pred, &users[at], |store, clause, atom| {
                let map: Substitution = [(atom, TermId::TRUE)].into_iter().collect();
                let rest = store.substitute(clause.body, &map);
                if !has_known(store, rest) {
                    return None;
                }
                let rest = unfold(before, store, rest, known);
                let otherwise = match &clause.head {
                    Head::False => TermId::TRUE,
                    Head::Atom(head, args) => {
                        let head = instance(store, known[head.index()].as_ref()?, args);
                        store.not(head)
                    }
                };
                Some(store.and(&[rest, otherwise]))
            })
        });
        known[at] = found;
    }
}

/// Defines unknown predicates that are false, if quantified definitions say so: no clause derives
/// anything.
fn tell_truths(
    before: &System,
    store: &mut Store,
    known: &mut [Option<Definition>],
    ctx: &mut Ctx<'_>,
) -> Result<(), Stop> {
    let clauses_of = before.clauses_of();
    for pred in (0..known.len()).filter(|&pred| known[pred].is_none()).collect::<Vec<_>>() {
        let mut bodies = Vec::with_capacity(clauses_of[pred].len());
        for &at in &clauses_of[pred] {
            let body = before.clauses[at].body;
            let preds = before.body_preds(store, body);
            if preds.iter().all(|pred| known[pred.index()].is_some()) {
                bodies.push(unfold(before, store, body, known));
            }
        }
        let is_complete = bodies.len() == clauses_of[pred].len();
        if !is_complete || !bodies.iter().any(|&body| store.has_quantifier(body)) {
            continue;
        }
        let mut is_false = true;
        for body in bodies {
            is_false = is_false && is_contradictory(store, body, ctx)?;
        }
        let params = before.params(store, PredId(pred as u32));
        if is_false {
            known[pred] = Some(Definition { params, body: TermId::FALSE });
        } else if params.is_empty() {
            known[pred] = Some(Definition { params, body: TermId::TRUE });
        }
    }
    Ok(())
}

fn is_contradictory(store: &mut Store, formula: TermId, ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
    let mut smt = Smt::new(Options {
        instance_rounds: DEFINITIONS_INSTANCE_ROUNDS.short(),
        ..Options::default()
    });
    smt.assert(store, formula);
    Ok(ask_within(&mut smt, store, &[], DEFINITIONS_CONFLICTS.get(), ctx)? == Answer::Unsat)
}

/// Defines unknown predicates by what their clauses derive, with quantifiers.
fn quantify(before: &System, store: &mut Store, known: &mut [Option<Definition>]) {
    define_by_cases(before, store, known, |store, clause, params, known| {
        let preds = before.body_preds(store, clause.body);
        if preds.iter().any(|pred| known[pred.index()].is_none()) {
            return None;
        }
        let body = unfold(before, store, clause.body, known);
        Some(existence(store, clause, body, params))
    });
}

/// Defines unknown predicates by what their uses allow, with quantifiers, where what their clauses
/// derive would take quantifiers over arrays: what is said of all indices is proved more easily than
/// that there is an array.
fn quantify_uses(before: &System, store: &mut Store, known: &mut [Option<Definition>]) {
    let clauses_of = before.clauses_of();
    for pred in (0..known.len()).filter(|&pred| known[pred].is_none()).collect::<Vec<_>>() {
        let has_arrays = clauses_of[pred].iter().any(|&at| {
            let clause = &before.clauses[at];
            let args = super::system::head_args(clause);
            clause.vars.iter().any(|var| is_array(store, *var) && !args.contains(var))
        });
        if has_arrays {
            known[pred] = allowed(before, store, PredId(pred as u32), known, true);
        }
    }
}

/// Defines unknown predicates by what their uses allow, where what their clauses derive would say that there is a value of
/// which something holds at all indices, and uses have no quantifiers: that alternation is what proofs fail at.
fn quantify_plain_uses(before: &System, store: &mut Store, known: &mut [Option<Definition>]) {
    let clauses_of = before.clauses_of();
    let mut has_changed = true;
    while has_changed {
        has_changed = false;
        for pred in (0..known.len()).filter(|&pred| known[pred].is_none()).collect::<Vec<_>>() {
            let clauses = clauses_of[pred].iter().map(|&at| &before.clauses[at]);
            if clauses.into_iter().any(|clause| hides_values(before, store, clause, known)) {
                known[pred] = allowed(before, store, PredId(pred as u32), known, false);
                has_changed |= known[pred].is_some();
            }
        }
    }
}

/// Whether a clause derives something of which a quantified formula holds for a value that it does not hand on.
fn hides_values(
    before: &System,
    store: &mut Store,
    clause: &Clause,
    known: &[Option<Definition>],
) -> bool {
    let preds = before.body_preds(store, clause.body);
    if preds.iter().any(|pred| known[pred.index()].is_none()) {
        return false;
    }
    let body = unfold(before, store, clause.body, known);
    let args = super::system::head_args(clause);
    store.has_quantifier(body) && store.free_vars(&[body]).iter().any(|var| !args.contains(var))
}

/// What the uses of a predicate allow: of all values of their variables, the body does not hold
/// unless the head does. None where a variable that is not given by the predicate is an array, or, unless they may, other atoms of
/// a use have quantifiers.
fn allowed(
    before: &System,
    store: &mut Store,
    pred: PredId,
    known: &[Option<Definition>],
    has_quantifiers: bool,
) -> Option<Definition> {
    let params = before.params(store, pred);
    let mut cases = Vec::new();
    for clause in &before.clauses {
        let atoms = before.atoms(store, clause.body);
        let mut own = atoms.iter().copied().filter(|&atom| before.atom(store, atom) == Some(pred));
        let Some(atom) = own.next() else { continue };
        if own.next().is_some() || !super::system::conjuncts(store, clause.body).contains(&atom) {
            return None;
        }
        let rest: Substitution = [(atom, TermId::TRUE)].into_iter().collect();
        let rest = store.substitute(clause.body, &rest);
        let others = before.body_preds(store, rest);
        if others.iter().any(|pred| known[pred.index()].is_none()) {
            return None;
        }
        let rest = unfold(before, store, rest, known);
        if !has_quantifiers && store.has_quantifier(rest) {
            return None;
        }
        let head = match &clause.head {
            Head::False => TermId::FALSE,
            Head::Atom(head, args) => instance(store, known[head.index()].as_ref()?, args),
        };
        let (mut map, mut parts) = (Substitution::default(), Vec::new());
        for (&param, &arg) in params.iter().zip(&store.args(atom).to_vec()) {
            if clause.vars.contains(&arg) && !map.contains_key(&arg) {
                map.insert(arg, param);
            } else {
                parts.push(store.eq(arg, param));
            }
        }
        parts.push(rest);
        let violation = store.and(&parts);
        let holds = store.implies(violation, head);
        let mut bound = Vec::new();
        for var in store.free_vars(&[holds]) {
            if map.contains_key(&var) || params.contains(&var) {
                continue;
            }
            if is_array(store, var) {
                return None;
            }
            // Definitions are put into clauses, whose variables they must not bind.
            let sort = store.sort(var);
            let name = store.fresh_var("y", sort);
            map.insert(var, name);
            bound.push(name);
        }
        let holds = store.substitute(holds, &map);
        cases.push(if bound.is_empty() { holds } else { store.forall(&bound, holds) });
    }
    Some(Definition { params, body: store.and(&cases) })
}

/// That a clause's body holds of some values for which the head is of the parameters.
fn existence(store: &mut Store, clause: &Clause, body: TermId, params: &[TermId]) -> TermId {
    let mut map = Substitution::default();
    let mut rest: Vec<(TermId, TermId)> = Vec::new();
    for (&param, &arg) in params.iter().zip(super::system::head_args(clause)) {
        if clause.vars.contains(&arg) && !map.contains_key(&arg) {
            map.insert(arg, param);
        } else {
            rest.push((param, arg));
        }
    }
    let mut parts = vec![store.substitute(body, &map)];
    for (param, arg) in rest {
        let arg = store.substitute(arg, &map);
        parts.push(store.eq(param, arg));
    }
    let formula = store.and(&parts);
    let free = store.free_vars(&[formula]);
    let own: Vec<TermId> = clause.vars.iter().copied().filter(|var| free.contains(var)).collect();
    if own.is_empty() {
        return formula;
    }
    // Definitions are put into clauses, whose variables they must not bind.
    let mut names = Vec::with_capacity(own.len());
    for &var in &own {
        let sort = store.sort(var);
        names.push(store.fresh_var("y", sort));
    }
    let map: Substitution = own.into_iter().zip(names.iter().copied()).collect();
    let formula = store.substitute(formula, &map);
    store.exists(&names, formula)
}

/// What a clause derives, as a formula over its head's parameters.
fn derived(
    before: &System,
    store: &mut Store,
    clause: &Clause,
    params: &[TermId],
    known: &[Option<Definition>],
    rounds: usize,
) -> Option<TermId> {
    let preds = before.body_preds(store, clause.body);
    if preds.iter().any(|pred| known[pred.index()].is_none()) {
        return None;
    }
    let Head::Atom(_, args) = &clause.head else { return None };
    let mut parts = vec![unfold(before, store, clause.body, known)];
    for (&param, &arg) in params.iter().zip(args) {
        parts.push(store.eq(param, arg));
    }
    let formula = store.and(&parts);
    let parts = super::system::conjuncts(store, formula);
    let formula = store.and(&parts);
    let mut smt = Smt::new(Options::default());
    smt.set_budget(Budget { conflicts: Some(DEFINITIONS_CONFLICTS.get()), ..Budget::default() });
    eliminate(store, formula, &clause.vars, &mut smt, &Limits { rounds }).ok()
}

/// Defines unknown predicates by interpolants between what derives them and what uses them.
///
/// Where that is not found within the ticks for it, predicates stay unknown.
fn interpolate(
    before: &System,
    store: &mut Store,
    known: &mut [Option<Definition>],
    ctx: &mut Ctx<'_>,
) -> Result<(), Stop> {
    let unknown: Vec<usize> = (0..known.len()).filter(|&pred| known[pred].is_none()).collect();
    let mut clauses: Vec<Clause> = Vec::new();
    for clause in &before.clauses {
        let is_open = |pred: &PredId| known[pred.index()].is_none();
        let uses = before.body_preds(store, clause.body).iter().any(is_open);
        let body = match &clause.head {
            Head::Atom(pred, _) if is_open(pred) => {
                let head = Head::Atom(
                    position(&unknown, *pred),
                    super::system::head_args(clause).to_vec(),
                );
                let body = unfold(before, store, clause.body, known);
                clauses.push(Clause { body, head, ..clause.clone() });
                continue;
            }
            _ if !uses => continue,
            Head::False => unfold(before, store, clause.body, known),
            Head::Atom(pred, args) => {
                let body = unfold(before, store, clause.body, known);
                let Some(definition) = &known[pred.index()] else { continue };
                let head = instance(store, definition, args);
                let otherwise = store.not(head);
                store.and(&[body, otherwise])
            }
        };
        clauses.push(Clause { body, head: Head::False, ..clause.clone() });
    }
    let mut horn = Horn::new(store.clone());
    for &pred in &unknown {
        horn.add_pred(before.preds[pred].func, before.preds[pred].span);
    }
    horn.clauses = clauses;
    let mut engine = (crate::recursion_free::CARD.build)();
    let found =
        ctx.apart(|ctx| ctx.within(INTERPOLATION_TICKS.get(), |ctx| engine.run(&horn, ctx)));
    // A flag that was raised is seen here.
    ctx.tick(1)?;
    if let Ok(Finding::Holds(claim)) = found {
        *store = claim.terms;
        for (&pred, definition) in unknown.iter().zip(claim.preds) {
            known[pred] = Some(definition);
        }
    }
    Ok(())
}

fn position(unknown: &[usize], pred: PredId) -> PredId {
    PredId(unknown.iter().position(|&other| other == pred.index()).unwrap_or(0) as u32)
}
