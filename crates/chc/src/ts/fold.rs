//! From a linear Horn system to a transition system.
//!
//! Each way in which a clause can fire, from one atom of its body or from none, is a *rule*; a
//! generalized clause that needs at most one atom at a time is the disjunction of its rules. The
//! arguments of all predicates share *columns* of the state, by sort; with several predicates some
//! truth values say which predicate the state is of, its location. Columns that a location does not
//! use have a fixed value there, so that an invariant says something about the arguments alone.
//!
//! Predicates that no query depends on are left out; they may be true everywhere. Queries without
//! predicates are rules of no part of the system; whether they fire is asked before (`back`).

use super::System;
use super::exchange::Home;
use alphorn_engine::Stop;
use alphorn_horn::fragment::understood;
use alphorn_horn::graph::{derivable, relevant};
use alphorn_problem::Horn;
use alphorn_problem::horn::{Clause, ClauseId, Head, PredId};
use alphorn_problem::obligation::horn::unfold;
use alphorn_term::{SortId, Store, Substitution, TermId, Value};
use std::collections::hash_map::Entry;

/// One way in which a clause can fire.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    /// Which clause of the system; one with alternatives fires in several ways.
    pub(crate) clause: ClauseId,
    /// The body, with the atom taken as true and all others as false, over the clause's variables.
    pub(super) body: TermId,
    /// The atom it fires from, as a predicate's position and arguments.
    pub(super) from: Option<(usize, Vec<TermId>)>,
    /// The head, unless it is a query.
    pub(super) to: Option<(usize, Vec<TermId>)>,
}

/// Where a predicate's facts are among the states.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// The values of the location's truth values.
    pub(super) location: Vec<bool>,
    /// The column of each argument, as a position in the state.
    pub(super) columns: Vec<usize>,
}

/// A transition system with what it was made from.
#[derive(Clone, Debug)]
pub(crate) struct Fold {
    /// The transition system.
    pub(crate) system: System,
    /// The rules, in the order of the clauses.
    pub(super) rules: Vec<Rule>,
    /// Where the predicates are; none for those left out.
    pub(super) places: Vec<Option<Place>>,
    /// How many of the state's variables are the location.
    pub(super) bits: usize,
}

/// Folds a linear system into a transition system.
pub(crate) fn fold(horn: &Horn) -> Result<Fold, Stop> {
    if !horn.is_linear() {
        return Err(Stop::Unsupported("the clauses are not linear".to_owned()));
    }
    let mut store = horn.terms.clone();
    let is_in: Vec<bool> =
        relevant(horn).into_iter().zip(derivable(horn)).map(|(a, b)| a && b).collect();
    let mut rules = Vec::new();
    for (id, clause) in horn.clauses() {
        if let Head::Atom(pred, _) = &clause.head
            && !is_in[pred.index()]
        {
            continue;
        }
        rules_of(horn, &mut store, id, clause, &is_in, &mut rules)?;
    }
    let (places, sorts, bits) = places(horn, &is_in);
    let state: Vec<TermId> = sorts.iter().map(|&sort| store.fresh_var("s", sort)).collect();
    let next: Vec<TermId> = sorts.iter().map(|&sort| store.fresh_var("n", sort)).collect();
    let system = System {
        init: TermId::FALSE,
        init_inputs: Vec::new(),
        trans: TermId::FALSE,
        inputs: Vec::new(),
        bad: TermId::FALSE,
        bad_inputs: Vec::new(),
        homes: homes(&places),
        store,
        state,
        next,
    };
    let mut fold = Fold { system, rules, places, bits };
    fold.join(horn)?;
    Ok(fold)
}

/// The places of predicates that are in, for the exchange of lemmas.
fn homes(places: &[Option<Place>]) -> Vec<Home> {
    let home = |(position, place): (usize, &Option<Place>)| {
        let Place { location, columns } = place.clone()?;
        Some(Home { pred: PredId(position as u32), location, columns })
    };
    places.iter().enumerate().filter_map(home).collect()
}

/// Adds the ways in which a clause can fire.
fn rules_of(
    horn: &Horn,
    store: &mut Store,
    id: ClauseId,
    clause: &Clause,
    is_in: &[bool],
    rules: &mut Vec<Rule>,
) -> Result<(), Stop> {
    let to = match &clause.head {
        Head::Atom(pred, args) => Some((pred.index(), args.clone())),
        Head::False => None,
    };
    understood(horn, clause)?;
    let atoms = horn.atoms(clause.body);
    for chosen in atoms.iter().copied().map(Some).chain([None]) {
        let pred = chosen.and_then(|atom| horn.atom(atom));
        if pred.is_some_and(|pred| !is_in[pred.index()]) {
            continue;
        }
        let body = unfold(horn, clause, store, |_, atom, _| {
            Ok(Some(if Some(atom) == chosen { TermId::TRUE } else { TermId::FALSE }))
        });
        let body = body.map_err(Stop::Stuck)?;
        if body != TermId::FALSE {
            let from = chosen.zip(pred);
            let from = from.map(|(atom, pred)| (pred.index(), horn.terms.args(atom).to_vec()));
            rules.push(Rule { clause: id, body, from, to: to.clone() });
        }
    }
    Ok(())
}

/// Gives every predicate that is in its place; also the sorts of the state, and how many of these
/// are the location.
fn places(horn: &Horn, is_in: &[bool]) -> (Vec<Option<Place>>, Vec<SortId>, usize) {
    let count = is_in.iter().filter(|&&is_in| is_in).count();
    let has_columns = horn.pred_ids().any(|p| is_in[p.index()] && !horn.pred_args(p).is_empty());
    // A state has at least one variable.
    let least = usize::from(!has_columns);
    let bits = (count.next_power_of_two().trailing_zeros() as usize).max(least);
    let mut sorts = vec![SortId::BOOL; bits];
    let mut places = Vec::with_capacity(is_in.len());
    let mut number = 0usize;
    for pred in horn.pred_ids() {
        if !is_in[pred.index()] {
            places.push(None);
            continue;
        }
        let mut columns: Vec<usize> = Vec::new();
        for &sort in horn.pred_args(pred) {
            let free = (bits..sorts.len())
                .find(|column| sorts[*column] == sort && !columns.contains(column));
            columns.push(free.unwrap_or_else(|| {
                sorts.push(sort);
                sorts.len() - 1
            }));
        }
        let location = (0..bits).map(|bit| number >> bit & 1 == 1).collect();
        places.push(Some(Place { location, columns }));
        number += 1;
    }
    (places, sorts, bits)
}

impl Fold {
    /// Joins the rules into formulas.
    fn join(&mut self, horn: &Horn) -> Result<(), Stop> {
        let (mut init, mut trans, mut bad) = (Vec::new(), Vec::new(), Vec::new());
        for rule in std::mem::take(&mut self.rules) {
            if rule.from.is_none() && rule.to.is_none() {
                self.rules.push(rule);
                continue;
            }
            let (formula, inputs) = self.formula(horn, &rule)?;
            let (part, own) = match (&rule.from, &rule.to) {
                (None, _) => (&mut init, &mut self.system.init_inputs),
                (Some(_), Some(_)) => (&mut trans, &mut self.system.inputs),
                (Some(_), None) => (&mut bad, &mut self.system.bad_inputs),
            };
            part.push(formula);
            own.extend(inputs);
            self.rules.push(rule);
        }
        let system = &mut self.system;
        system.init = system.store.or(&init);
        system.trans = system.store.or(&trans);
        system.bad = system.store.or(&bad);
        Ok(())
    }

    /// A rule over the state, with its inputs.
    fn formula(&mut self, horn: &Horn, rule: &Rule) -> Result<(TermId, Vec<TermId>), Stop> {
        let mut map = Substitution::default();
        let mut parts: Vec<TermId> = Vec::new();
        let mut tied: Vec<(TermId, TermId)> = Vec::new();
        // An initial state is a state, and not the next of one.
        let after = if rule.from.is_none() { &self.system.state } else { &self.system.next };
        for (atom, at) in [(&rule.from, &self.system.state), (&rule.to, after)] {
            let Some((pred, args)) = atom else { continue };
            let Some(place) = &self.places[*pred] else { continue };
            let store = &mut self.system.store;
            for (&truth, &bit) in place.location.iter().zip(at) {
                parts.push(if truth { bit } else { store.not(bit) });
            }
            for (&column, &arg) in place.columns.iter().zip(args) {
                let is_free = horn.clause(rule.clause).vars.contains(&arg);
                if is_free && !map.contains_key(&arg) {
                    map.insert(arg, at[column]);
                } else {
                    tied.push((at[column], arg));
                }
            }
            let unused = (self.bits..at.len()).filter(|column| !place.columns.contains(column));
            for column in unused {
                let value = fixed(store, at[column])?;
                parts.push(store.eq(at[column], value));
            }
        }
        let store = &mut self.system.store;
        let mut inputs = Vec::new();
        let mut roots = vec![rule.body];
        roots.extend(tied.iter().map(|(_, arg)| *arg));
        for var in store.free_vars(&roots) {
            if let Entry::Vacant(entry) = map.entry(var) {
                let own = store.fresh_var("i", store.sort(var));
                entry.insert(own);
                inputs.push(own);
            }
        }
        for (column, arg) in tied {
            let arg = store.substitute(arg, &map);
            parts.push(store.eq(column, arg));
        }
        parts.push(store.substitute(rule.body, &map));
        Ok((store.and(&parts), inputs))
    }
}

/// The value of a column where it is not used, as a term.
pub(super) fn fixed(store: &mut Store, column: TermId) -> Result<TermId, Stop> {
    let value = Value::default_of(store, store.sort(column));
    value
        .and_then(|value| store.value_term(&value))
        .ok_or_else(|| Stop::Unsupported("a sort without values".to_owned()))
}
