//! The transform `ranges`: a predicate becomes one for each number that an argument can be.
//!
//! Bounds that hold in all facts (`absint`) may leave few numbers for an argument: the depth of a recursion that is
//! bounded, the counter of a short loop. With a predicate for each of them, what was recursive is often so no
//! more, or along fewer arguments, and what engines say of one number need not hold of the others: Ackermann's
//! function is linear for each small first argument.
//!
//! A clause becomes one for each choice of numbers for its atoms and its head that its constraints do not exclude
//! at sight; a number that one atom gives a variable determines others. The predicate before means: the bounds
//! hold, and for some number the argument is that number and its predicate holds. The bounds are proved to be
//! inductive, so that a head with another number has a body that the bounds exclude.
//!
//! Source: polyvariant specialisation of logic programs \[Gal93\]; we differ in that bounds say for which values.

use super::absint;
use super::change::{Applied, Change, Recipe};
use super::finite::{Parts, Split};
use super::system::{System, conjuncts};
use crate::settings::{RANGES_MAX_CLAUSES, RANGES_MAX_VALUES};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::horn::{Clause, Head};
use alphorn_term::{Int, Op, Store, Substitution, TermId};

pub(super) fn apply(system: &System, store: &mut Store, ctx: &mut Ctx<'_>) -> Applied {
    let Some(facts) = absint::inductive(system, store, false, ctx)? else { return Ok(None) };
    let mut splits = Vec::with_capacity(system.preds.len());
    for (params, facts) in facts.params.iter().zip(&facts.facts) {
        let all = params.iter().enumerate();
        let ranged = all.filter_map(|(at, &param)| Some((at, range(store, param, facts)?)));
        let smallest = ranged.min_by_key(|(_, values)| values.len());
        splits.push(smallest.map(|(at, values)| {
            let values = values.into_iter().map(|value| store.int(value)).collect();
            (at, values)
        }));
    }
    keep_conjuncts(system, store, &mut splits);
    // What makes too many clauses stays as it is, beginning with what has most values.
    while splits.iter().any(Option::is_some) {
        if let Some(ways) = all_ways(system, store, &splits, ctx)? {
            return Ok(Some(split(system, store, &splits, &ways, &facts)));
        }
        let size = |split: &Split| split.as_ref().map_or(0, |(_, values)| values.len());
        if let Some(largest) = splits.iter_mut().max_by_key(|split| size(split)) {
            *largest = None;
        }
    }
    Ok(None)
}

/// The numbers that facts leave for a parameter, if these are several and few.
fn range(store: &Store, param: TermId, facts: &[TermId]) -> Option<Vec<Int>> {
    let (mut down, mut up): (Option<&Int>, Option<&Int>) = (None, None);
    for &fact in facts {
        let (Op::Le, &[left, right]) = (store.op(fact), store.args(fact)) else { continue };
        if right == param {
            down = store.int_value(left).or(down);
        } else if left == param {
            up = store.int_value(right).or(up);
        }
    }
    let (mut next, up) = (down?.clone(), up?);
    let mut values = Vec::new();
    while next <= *up {
        if values.len() == RANGES_MAX_VALUES.size() {
            return None;
        }
        let after = &next + &Int::ONE;
        values.push(std::mem::replace(&mut next, after));
    }
    (values.len() > 1).then_some(values)
}

/// Leaves predicates alone that some body has as an alternative.
fn keep_conjuncts(system: &System, store: &Store, splits: &mut [Split]) {
    for clause in &system.clauses {
        let parts = conjuncts(store, clause.body);
        for atom in system.atoms(store, clause.body) {
            if let Some(pred) = system.atom(store, atom)
                && !parts.contains(&atom)
            {
                splits[pred.index()] = None;
            }
        }
    }
}

/// An atom or a head whose predicate is split: the argument, and the numbers that it can be.
struct Use<'s> {
    /// The atom of the body; the head if there is none.
    atom: Option<TermId>,
    arg: TermId,
    values: &'s [TermId],
}

/// Numbers for the uses of a clause, in their order.
type Way = Vec<TermId>;

/// The ways of each clause; nothing if these are too many.
fn all_ways(
    system: &System,
    store: &mut Store,
    splits: &[Split],
    ctx: &mut Ctx<'_>,
) -> Result<Option<Vec<Vec<Way>>>, Stop> {
    let mut all = Vec::with_capacity(system.clauses.len());
    let mut left = RANGES_MAX_CLAUSES.size();
    for clause in &system.clauses {
        let uses = uses(system, store, splits, clause);
        let constraints = conjuncts(store, clause.body).into_iter();
        let constraints = constraints.filter(|&part| system.is_constraint(store, part));
        let constraint = store.and(&constraints.collect::<Vec<_>>());
        let mut found = Vec::new();
        let mut chosen = vec![None; uses.len()];
        let mut search = Search { uses: &uses, constraint, left, found: &mut found };
        if !search.go_on(store, &Substitution::default(), &mut chosen, ctx)? {
            return Ok(None);
        }
        left = left.saturating_sub(found.len());
        all.push(found);
    }
    Ok(Some(all))
}

fn uses<'s>(system: &System, store: &Store, splits: &'s [Split], clause: &Clause) -> Vec<Use<'s>> {
    let mut uses = Vec::new();
    for atom in system.atoms(store, clause.body) {
        let Some(pred) = system.atom(store, atom) else { continue };
        if let Some((at, values)) = &splits[pred.index()] {
            uses.push(Use { atom: Some(atom), arg: store.args(atom)[*at], values });
        }
    }
    if let Head::Atom(pred, args) = &clause.head
        && let Some((at, values)) = &splits[pred.index()]
    {
        uses.push(Use { atom: None, arg: args[*at], values });
    }
    uses
}

/// Looks for all ways of a clause.
struct Search<'s> {
    uses: &'s [Use<'s>],
    /// What the clause says besides atoms.
    constraint: TermId,
    /// How many ways there may be.
    left: usize,
    found: &'s mut Vec<Way>,
}

impl Search<'_> {
    /// Goes on with the numbers of some variables and uses; whether all ways were found.
    fn go_on(
        &mut self,
        store: &mut Store,
        known: &Substitution,
        chosen: &mut Vec<Option<TermId>>,
        ctx: &mut Ctx<'_>,
    ) -> Result<bool, Stop> {
        ctx.tick(1 + self.uses.len() as u64)?;
        if store.substitute(self.constraint, known) == TermId::FALSE {
            return Ok(true);
        }
        let mut next: Option<(usize, TermId)> = None;
        let before = chosen.clone();
        for (at, one) in self.uses.iter().enumerate().filter(|(at, _)| before[*at].is_none()) {
            let arg = store.substitute(one.arg, known);
            if store.is_literal(arg) {
                if !one.values.contains(&arg) {
                    *chosen = before;
                    return Ok(true);
                }
                chosen[at] = Some(arg);
            } else if next.is_none_or(|(_, other)| !is_var(store, other) && is_var(store, arg)) {
                next = Some((at, arg));
            }
        }
        let mut is_whole = true;
        match next {
            None => {
                is_whole = self.found.len() < self.left;
                self.found.push(chosen.iter().copied().flatten().collect());
            }
            Some((at, arg)) => {
                for &value in self.uses[at].values {
                    let mut known = known.clone();
                    if is_var(store, arg) {
                        known.insert(arg, value);
                    }
                    chosen[at] = Some(value);
                    is_whole = is_whole && self.go_on(store, &known, chosen, ctx)?;
                }
            }
        }
        *chosen = before;
        Ok(is_whole)
    }
}

fn split(
    system: &System,
    store: &mut Store,
    splits: &[Split],
    ways: &[Vec<Way>],
    facts: &absint::Facts,
) -> Change {
    let mut parts = Parts::of(system, store, splits);
    for (pred, meaning) in parts.meanings.iter_mut().flatten().enumerate() {
        let bounds = facts.on(store, pred, &meaning.params);
        for case in &mut meaning.cases {
            let mut all = vec![case.condition];
            all.extend(&bounds);
            case.condition = store.and(&all);
        }
    }
    let mut clauses = Vec::new();
    for (index, (clause, ways)) in system.clauses.iter().zip(ways).enumerate() {
        let uses = uses(system, store, splits, clause);
        for way in ways {
            let value_of = |atom: Option<TermId>| {
                uses.iter().zip(way).find(|(one, _)| one.atom == atom).map(|(_, &value)| value)
            };
            let mut body = vec![system.map_atoms(store, clause.body, |store, pred, atom| {
                let (value, args) = (value_of(Some(atom)), store.args(atom).to_vec());
                let part = parts.part(pred, value);
                parts.atom(store, part, &without(&splits[pred.index()], &args))
            })];
            for (one, &value) in uses.iter().zip(way) {
                body.push(store.eq(one.arg, value));
            }
            let body = store.and(&body);
            let head = match &clause.head {
                Head::False => Head::False,
                Head::Atom(pred, args) => {
                    let part = parts.part(*pred, value_of(None));
                    Head::Atom(part, without(&splits[pred.index()], args))
                }
            };
            clauses.push((Clause { body, head, ..clause.clone() }, Recipe::same(index)));
        }
    }
    Change::new(parts.preds, clauses, parts.meanings, vec![None; system.preds.len()])
}

fn is_var(store: &Store, term: TermId) -> bool {
    matches!(store.op(term), Op::Var(_))
}

/// The arguments without the one by which a predicate is split.
fn without(split: &Split, args: &[TermId]) -> Vec<TermId> {
    let mut args = args.to_vec();
    if let Some((at, _)) = split {
        args.remove(*at);
    }
    args
}
