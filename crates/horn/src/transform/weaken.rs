//! Models made smaller: conjuncts of definitions that no clause needs are dropped.
//!
//! Definitions that were carried back say all that was found on the way: equations of arguments that
//! were removed, everything that the clauses of an inlined predicate derive. Most of it is not needed.
//! What is needed is found from the queries: the conjuncts that refute a query's body, then for each
//! of these the conjuncts that the clauses which must keep to it take from their bodies, and so on.
//! The result satisfies every clause because each was refuted with what is kept. (After Ivrii,
//! Gurfinkel, Belov, "Small inductive safe invariants", FMCAD 2014.)
//!
//! Whatever the solver cannot tell quickly ends the attempt, and the definitions stay as they are. Conflicts alone are no measure
//! of that: a question about wide words may come to few of them in any time.

use crate::ask::ask_within;
use crate::settings::{WEAKEN_CONFLICTS, WEAKEN_MAX_CONJUNCTS, WEAKEN_MAX_TRIED, WEAKEN_TICKS};
use crate::transform::system::{System, conjuncts};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::Horn;
use alphorn_problem::evidence::horn::Definition;
use alphorn_problem::horn::{Clause, Head, PredId};
use alphorn_smt::{Answer, Smt};
use alphorn_term::{SortId, Store, Substitution, TermId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// A conjunct of a definition.
type Part = (usize, usize);

/// Drops conjuncts that are not needed; the definitions stay if that cannot be told quickly.
pub fn weaken(
    horn: &Horn,
    store: &mut Store,
    definitions: &mut [Definition],
    ctx: &mut Ctx<'_>,
) -> Result<(), Stop> {
    let parts: Vec<Vec<TermId>> =
        definitions.iter().map(|definition| conjuncts(store, definition.body)).collect();
    let count: usize = parts.iter().map(Vec::len).sum();
    if count > WEAKEN_MAX_CONJUNCTS.size() || count <= definitions.len() {
        return Ok(());
    }
    let system = System::of(horn);
    let mut search = Search::new(&system, store, definitions, parts);
    match ctx.within(WEAKEN_TICKS.get(), |ctx| search.run(store, ctx)) {
        Ok(true) => {}
        Ok(false) => return Ok(()),
        // Whether all of the time is over is found out by asking for more.
        Err(Stop::Budget(_)) => return ctx.tick(1),
        Err(stop) => return Err(stop),
    }
    for (pred, definition) in definitions.iter_mut().enumerate() {
        let kept: Vec<TermId> = search.kept(pred).map(|at| search.parts[pred][at]).collect();
        definition.body = store.and(&kept);
    }
    Ok(())
}

struct Search<'a> {
    system: &'a System,
    params: Vec<Vec<TermId>>,
    /// The conjuncts of each definition.
    parts: Vec<Vec<TermId>>,
    /// For each conjunct, the truth value that makes bodies say it.
    flags: Vec<Vec<TermId>>,
    part_of: FxHashMap<TermId, Part>,
    is_needed: Vec<Vec<bool>>,
    /// A solver for each clause that was asked about, with its body.
    solvers: Vec<Option<Smt>>,
}

impl<'a> Search<'a> {
    fn new(
        system: &'a System,
        store: &mut Store,
        definitions: &[Definition],
        parts: Vec<Vec<TermId>>,
    ) -> Search<'a> {
        let mut part_of = FxHashMap::default();
        let mut flags = Vec::with_capacity(parts.len());
        for (pred, parts) in parts.iter().enumerate() {
            let fresh = parts.iter().enumerate().map(|(at, _)| {
                let flag = store.fresh_var("keep", SortId::BOOL);
                part_of.insert(flag, (pred, at));
                flag
            });
            flags.push(fresh.collect());
        }
        let params = definitions.iter().map(|definition| definition.params.clone()).collect();
        let is_needed = parts.iter().map(|parts| vec![false; parts.len()]).collect();
        let solvers = system.clauses.iter().map(|_| None).collect();
        Search { system, params, parts, flags, part_of, is_needed, solvers }
    }

    fn kept(&self, pred: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.parts[pred].len()).filter(move |&at| self.is_needed[pred][at])
    }

    /// Finds what is needed; whether that worked.
    fn run(&mut self, store: &mut Store, ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
        let clauses_of = self.system.clauses_of();
        let clauses = &self.system.clauses;
        let mut todo: BTreeSet<usize> =
            (0..clauses.len()).filter(|&at| clauses[at].head == Head::False).collect();
        while let Some(at) = todo.pop_first() {
            let Some(added) = self.ask(store, at, ctx)? else { return Ok(false) };
            for (pred, part) in added {
                if !std::mem::replace(&mut self.is_needed[pred][part], true) {
                    todo.extend(&clauses_of[pred]);
                }
            }
        }
        Ok(true)
    }

    /// The conjuncts that must be added so that a clause holds; none if that is not known.
    fn ask(
        &mut self,
        store: &mut Store,
        at: usize,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Vec<Part>>, Stop> {
        let clause = &self.system.clauses[at];
        let goal = self.goal(store, clause);
        let mut smt = match self.solvers[at].take() {
            Some(smt) => smt,
            None => self.solver(store, clause),
        };
        let preds = self.system.body_preds(store, clause.body);
        let flags = |is_needed: bool| -> Vec<TermId> {
            let all = preds.iter().flat_map(|pred| {
                let pred = pred.index();
                (0..self.flags[pred].len()).map(move |part| (pred, part))
            });
            let chosen = all.filter(|&(pred, part)| self.is_needed[pred][part] == is_needed);
            chosen.map(|(pred, part)| self.flags[pred][part]).collect()
        };
        let mut assumed = flags(true);
        assumed.push(goal);
        let mut answer = ask_within(&mut smt, store, &assumed, WEAKEN_CONFLICTS.get(), ctx)?;
        let mut added: Vec<TermId> = Vec::new();
        if answer == Answer::Sat {
            let others = flags(false);
            let all = [&assumed[..], &others[..]].concat();
            answer = ask_within(&mut smt, store, &all, WEAKEN_CONFLICTS.get(), ctx)?;
            added = smt.failed();
            added.retain(|term| others.contains(term));
        }
        if answer != Answer::Unsat {
            return Ok(None);
        }
        if added.len() <= WEAKEN_MAX_TRIED.size() {
            for candidate in added.clone() {
                let fewer = added.iter().copied().filter(|&flag| flag != candidate);
                let fewer: Vec<TermId> = fewer.chain(assumed.iter().copied()).collect();
                if ask_within(&mut smt, store, &fewer, WEAKEN_CONFLICTS.get(), ctx)?
                    == Answer::Unsat
                {
                    added.retain(|&flag| flag != candidate);
                }
            }
        }
        self.solvers[at] = Some(smt);
        Ok(Some(added.iter().filter_map(|flag| self.part_of.get(flag).copied()).collect()))
    }

    /// The negation of what is needed of a clause's head.
    fn goal(&self, store: &mut Store, clause: &Clause) -> TermId {
        let Head::Atom(pred, args) = &clause.head else { return TermId::TRUE };
        let map = self.map(*pred, args);
        let kept: Vec<TermId> =
            self.kept(pred.index()).map(|at| self.parts[pred.index()][at]).collect();
        let kept = store.substitute_all(&kept, &map);
        let whole = store.and(&kept);
        store.not(whole)
    }

    fn map(&self, pred: PredId, args: &[TermId]) -> Substitution {
        self.params[pred.index()].iter().copied().zip(args.iter().copied()).collect()
    }

    /// A solver that knows a clause's body, with its atoms as far as flags say.
    fn solver(&self, store: &mut Store, clause: &Clause) -> Smt {
        self.system.switched(store, clause.body, &self.flags, |store, pred, args| {
            store.substitute_all(&self.parts[pred.index()], &self.map(pred, args))
        })
    }
}
