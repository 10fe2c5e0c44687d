//! The largest set of guesses that all clauses keep.
//!
//! A guess is a formula over a predicate's parameters. For each clause one solver has the body, with the
//! guesses about its atoms switched on by literals; "some guess about the head breaks" is a clause over a
//! literal per guess, so that one question drops all guesses that its model breaks. A clause is asked
//! about again when guesses about its body went (Flanagan and Leino, FME 2001). What the solver cannot
//! tell together is asked one by one, and what it cannot tell then is dropped.
//!
//! Guesses are only ever dropped, so once those that are left allow a query, all further work is in vain: what
//! excludes each query is remembered, and the search ends when some of that went and nothing else does.

use crate::settings::{HOUDINI_CONFLICTS, HOUDINI_MODELS};
use alphorn_engine::{Ctx, Stop};
use alphorn_horn::ask::ask_within;
use alphorn_horn::transform::System;
use alphorn_problem::horn::{Clause, Head, PredId};
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{Model, SortId, Store, Substitution, TermId, Value, eval};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Guesses about predicates.
#[derive(Clone, Debug)]
pub(crate) struct Guesses {
    /// Variables for the arguments of each predicate.
    pub(crate) params: Vec<Vec<TermId>>,
    /// Formulas over them.
    pub(crate) of: Vec<Vec<TermId>>,
}

/// A search among guesses.
pub(crate) struct Houdini<'a> {
    system: &'a System,
    guesses: &'a Guesses,
    /// For each guess, the literal that makes bodies say it.
    flags: Vec<Vec<TermId>>,
    /// The guesses that are left.
    alive: Vec<BTreeSet<usize>>,
    filters: Vec<Option<Filter>>,
    users: Vec<Vec<usize>>,
    queries: Vec<Query>,
    /// The guess that each literal switches on.
    owners: FxHashMap<TermId, (usize, usize)>,
    /// Whether the search goes on although a query is allowed.
    settles: bool,
}

/// What is known of one query.
struct Query {
    /// The clause.
    at: usize,
    filter: Option<Filter>,
    /// Guesses that exclude it, by predicate and position, where they are known.
    excluded_by: Option<Vec<(usize, usize)>>,
    /// Whether the solver could not tell with all guesses on its mind.
    is_unclear: bool,
}

/// What is known of one clause.
struct Filter {
    smt: Smt,
    /// The guesses about the head, and literals that say that they break.
    after: Vec<TermId>,
    breaks: Vec<TermId>,
    /// The predicates of the body.
    needs: Vec<PredId>,
}

impl<'a> Houdini<'a> {
    pub(crate) fn new(system: &'a System, store: &mut Store, guesses: &'a Guesses) -> Houdini<'a> {
        let flags = guesses
            .of
            .iter()
            .map(|all| all.iter().map(|_| store.fresh_var("on", SortId::BOOL)).collect::<Vec<_>>());
        let flags: Vec<Vec<TermId>> = flags.collect();
        let mut owners = FxHashMap::default();
        for (pred, all) in flags.iter().enumerate() {
            owners.extend(all.iter().enumerate().map(|(guess, &flag)| (flag, (pred, guess))));
        }
        let alive = guesses.of.iter().map(|all| (0..all.len()).collect()).collect();
        let mut users = vec![Vec::new(); system.preds.len()];
        for (at, clause) in system.clauses.iter().enumerate() {
            for pred in system.body_preds(store, clause.body) {
                users[pred.index()].push(at);
            }
        }
        let filters = system.clauses.iter().map(|_| None).collect();
        let is_query = |&at: &usize| system.clauses[at].head == Head::False;
        let queries = (0..system.clauses.len()).filter(is_query);
        let query = |at| Query { at, filter: None, excluded_by: None, is_unclear: false };
        let queries = queries.map(query).collect();
        let settles = false;
        Houdini { system, guesses, flags, alive, filters, users, queries, owners, settles }
    }

    /// `run` to its end even where a query is allowed, so that what is left can be told to others.
    pub(crate) fn settle(&mut self, store: &mut Store, ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
        self.settles = true;
        self.run(store, ctx)?;
        self.settles = false;
        self.excludes_queries(store, ctx)
    }

    /// The guesses about a predicate that are left.
    pub(crate) fn left(&self, pred: usize) -> Vec<TermId> {
        self.alive[pred].iter().map(|&guess| self.guesses.of[pred][guess]).collect()
    }

    /// Drops guesses until all clauses keep those that are left, and says whether these exclude all queries;
    /// ends before that when they certainly do not.
    pub(crate) fn run(&mut self, store: &mut Store, ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
        let has_head = |at: &usize| matches!(self.system.clauses[*at].head, Head::Atom(..));
        let mut todo: BTreeSet<usize> = (0..self.system.clauses.len()).filter(has_head).collect();
        while let Some(at) = todo.pop_first() {
            let Head::Atom(pred, _) = self.system.clauses[at].head else { continue };
            let before = self.alive[pred.index()].len();
            if !self.filter(store, at, pred.index(), ctx)? {
                return Ok(false);
            }
            if self.alive[pred.index()].len() < before {
                let again = self.users[pred.index()].iter().copied();
                todo.extend(
                    again.filter(|at| matches!(self.system.clauses[*at].head, Head::Atom(..))),
                );
            }
        }
        self.excludes_queries(store, ctx)
    }

    /// Of the guesses that are left, for each predicate some that exclude the queries and that all clauses keep, after
    /// `run` said that those left do; nothing where a solver could not tell which. Found backwards from the queries, by
    /// what each refutation took; what is needed already is tried first, so that it may be enough.
    pub(crate) fn needed(
        &mut self,
        store: &mut Store,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Vec<Vec<TermId>>>, Stop> {
        let mut needed: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); self.alive.len()];
        let mut todo: Vec<(usize, usize)> = Vec::new();
        for query in &self.queries {
            let Some(guesses) = &query.excluded_by else { return Ok(None) };
            for &(pred, guess) in guesses {
                if needed[pred].insert(guess) {
                    todo.push((pred, guess));
                }
            }
        }
        let keepers = self.system.clauses_of();
        while let Some((pred, guess)) = todo.pop() {
            for &at in &keepers[pred] {
                let Some(used) = self.keeps_by(store, at, guess, &needed, ctx)? else {
                    return Ok(None);
                };
                for (pred, guess) in used {
                    if needed[pred].insert(guess) {
                        todo.push((pred, guess));
                    }
                }
            }
        }
        let formulas = |(pred, guesses): (usize, BTreeSet<usize>)| -> Vec<TermId> {
            guesses.into_iter().map(|guess| self.guesses.of[pred][guess]).collect()
        };
        Ok(Some(needed.into_iter().enumerate().map(formulas).collect()))
    }

    /// Guesses about a clause's body with which it keeps a guess about its head.
    fn keeps_by(
        &mut self,
        store: &mut Store,
        at: usize,
        guess: usize,
        needed: &[BTreeSet<usize>],
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Vec<(usize, usize)>>, Stop> {
        let mut filter = match self.filters[at].take() {
            Some(filter) => filter,
            None => self.make(store, at),
        };
        let mut used = None;
        for guesses in [needed, &self.alive] {
            ctx.tick(1)?;
            let mut assumed = self.switches(&filter, guesses);
            assumed.push(filter.breaks[guess]);
            let answer =
                ask_within(&mut filter.smt, store, &assumed, HOUDINI_CONFLICTS.get(), ctx)?;
            if answer == Answer::Unsat {
                let failed = filter.smt.failed();
                used =
                    Some(failed.iter().filter_map(|flag| self.owners.get(flag).copied()).collect());
                break;
            }
        }
        self.filters[at] = Some(filter);
        Ok(used)
    }

    /// Whether the guesses that are left exclude all queries; what is unclear with all of them is asked with
    /// nothing else on the solver's mind.
    fn excludes_queries(&mut self, store: &mut Store, ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
        if self.settles {
            return Ok(false);
        }
        if !self.may_exclude_queries(store, ctx)? {
            return Ok(false);
        }
        for query in &self.queries {
            if self.is_excluded(query) {
                continue;
            }
            let body = self.body(store, query.at);
            let mut smt = Smt::new(Options::default());
            smt.assert(store, body);
            if ask_within(&mut smt, store, &[], HOUDINI_CONFLICTS.get(), ctx)? != Answer::Unsat {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether guesses that are known to exclude a query are all left.
    fn is_excluded(&self, query: &Query) -> bool {
        let is_left = |&(pred, guess): &(usize, usize)| self.alive[pred].contains(&guess);
        query.excluded_by.as_ref().is_some_and(|guesses| guesses.iter().all(is_left))
    }

    /// Whether no query certainly has a model of the guesses that are left.
    fn may_exclude_queries(&mut self, store: &mut Store, ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
        if self.settles {
            return Ok(true);
        }
        for index in 0..self.queries.len() {
            let query = &self.queries[index];
            if query.is_unclear || self.is_excluded(query) {
                continue;
            }
            let at = query.at;
            let mut filter = match self.queries[index].filter.take() {
                Some(filter) => filter,
                None => self.make(store, at),
            };
            let assumed = self.assumed(&filter);
            let answer =
                ask_within(&mut filter.smt, store, &assumed, HOUDINI_CONFLICTS.get(), ctx)?;
            let failed = if answer == Answer::Unsat { filter.smt.failed() } else { Vec::new() };
            let query = &mut self.queries[index];
            query.filter = Some(filter);
            match answer {
                Answer::Sat => return Ok(false),
                Answer::Unsat => {
                    let guesses = failed.iter().filter_map(|flag| self.owners.get(flag).copied());
                    query.excluded_by = Some(guesses.collect());
                }
                Answer::Unknown => query.is_unclear = true,
            }
        }
        Ok(true)
    }

    /// Drops guesses about a clause's head that the clause breaks; false if those that are left certainly do
    /// not exclude the queries.
    fn filter(
        &mut self,
        store: &mut Store,
        at: usize,
        pred: usize,
        ctx: &mut Ctx<'_>,
    ) -> Result<bool, Stop> {
        let mut filter = match self.filters[at].take() {
            Some(filter) => filter,
            None => self.make(store, at),
        };
        let (mut may_exclude, mut models) = (true, 0u32);
        while may_exclude && !self.alive[pred].is_empty() {
            ctx.tick(1 + self.alive[pred].len() as u64)?;
            let some = store.fresh_var("some", SortId::BOOL);
            let mut clause = vec![store.not(some)];
            clause.extend(self.alive[pred].iter().map(|&guess| filter.breaks[guess]));
            let clause = store.or(&clause);
            filter.smt.assert(store, clause);
            let mut assumed = self.assumed(&filter);
            assumed.push(some);
            let answer =
                ask_within(&mut filter.smt, store, &assumed, HOUDINI_CONFLICTS.get(), ctx)?;
            if answer == Answer::Unsat {
                break;
            }
            let broken = match answer {
                Answer::Sat => filter.broken(store, &self.system.clauses[at], &self.alive[pred]),
                _ => Vec::new(),
            };
            let is_stuck = broken.is_empty();
            match is_stuck {
                true => self.one_by_one(store, at, &filter, pred, ctx)?,
                false => self.alive[pred].retain(|guess| !broken.contains(guess)),
            }
            models += 1;
            if is_stuck || models.is_multiple_of(HOUDINI_MODELS.short()) {
                may_exclude = self.may_exclude_queries(store, ctx)?;
            }
            if is_stuck {
                break;
            }
        }
        self.filters[at] = Some(filter);
        Ok(may_exclude && (models == 0 || self.may_exclude_queries(store, ctx)?))
    }

    /// Keeps the guesses of which a solver that has nothing else on its mind can tell, one by one, that they
    /// do not break.
    fn one_by_one(
        &mut self,
        store: &mut Store,
        at: usize,
        filter: &Filter,
        pred: usize,
        ctx: &mut Ctx<'_>,
    ) -> Result<(), Stop> {
        for guess in self.alive[pred].clone() {
            let body = self.body(store, at);
            let negation = store.not(filter.after[guess]);
            let mut smt = Smt::new(Options::default());
            smt.assert(store, body);
            smt.assert(store, negation);
            if ask_within(&mut smt, store, &[], HOUDINI_CONFLICTS.get(), ctx)? != Answer::Unsat {
                self.alive[pred].remove(&guess);
            }
        }
        Ok(())
    }

    /// A clause's body, with the guesses that are left in the place of its atoms.
    fn body(&self, store: &mut Store, at: usize) -> TermId {
        self.system.map_atoms(store, self.system.clauses[at].body, |store, pred, atom| {
            let args = store.args(atom).to_vec();
            let all = self.instances(store, pred, &args);
            let left: Vec<TermId> =
                self.alive[pred.index()].iter().map(|&guess| all[guess]).collect();
            store.and(&left)
        })
    }

    /// The switches of the guesses about a clause's body.
    fn assumed(&self, filter: &Filter) -> Vec<TermId> {
        self.switches(filter, &self.alive)
    }

    /// The switches of those of some guesses that are about a clause's body.
    fn switches(&self, filter: &Filter, guesses: &[BTreeSet<usize>]) -> Vec<TermId> {
        let of = |pred: &PredId| {
            let flags = &self.flags[pred.index()];
            guesses[pred.index()].iter().map(move |&guess| flags[guess])
        };
        filter.needs.iter().flat_map(of).collect()
    }

    /// The solver of a clause.
    fn make(&self, store: &mut Store, at: usize) -> Filter {
        let clause = &self.system.clauses[at];
        let needs = self.system.body_preds(store, clause.body);
        let parts = |store: &mut Store, pred, args: &[TermId]| self.instances(store, pred, args);
        let mut smt = self.system.switched(store, clause.body, &self.flags, parts);
        let after = match &clause.head {
            Head::Atom(pred, args) => self.instances(store, *pred, args),
            Head::False => Vec::new(),
        };
        let mut breaks = Vec::with_capacity(after.len());
        for &guess in &after {
            let broken = store.fresh_var("breaks", SortId::BOOL);
            let negation = store.not(guess);
            let clause = store.implies(broken, negation);
            smt.assert(store, clause);
            breaks.push(broken);
        }
        Filter { smt, after, breaks, needs }
    }

    /// The guesses about a predicate on arguments.
    fn instances(&self, store: &mut Store, pred: PredId, args: &[TermId]) -> Vec<TermId> {
        let params = self.guesses.params[pred.index()].iter().copied();
        let map: Substitution = params.zip(args.iter().copied()).collect();
        store.substitute_all(&self.guesses.of[pred.index()], &map)
    }
}

impl Filter {
    /// The guesses that break in the last model.
    fn broken(&self, store: &Store, clause: &Clause, alive: &BTreeSet<usize>) -> Vec<usize> {
        let found = self.smt.model(store);
        let mut model = Model::new();
        for &var in &clause.vars {
            let value = found.vars.get(&var).cloned();
            let value = value.or_else(|| Value::default_of(store, store.sort(var)));
            if let Some(value) = value {
                model.set(var, value);
            }
        }
        let is_false = |guess: &&usize| {
            let value = eval(store, self.after[**guess], &model);
            value.is_ok_and(|value| value.as_bool() == Some(false))
        };
        alive.iter().filter(is_false).copied().collect()
    }
}
