//! The transform `contract`: loops that have exact closures are taken away.
//!
//! A predicate all of whose own clauses are loops with exact closures keeps the facts that come from elsewhere.
//! Where it is used, the use speaks of what any number of rounds makes of such a fact. So it is no longer
//! recursive, `inlining` replaces it by the bodies of its clauses, and what was a cycle through it is a loop of
//! another predicate, which may have a closure in turn. That is how Flata summarises procedures, the innermost
//! loops first.
//!
//! Several loops are closed by words: rounds of one loop, then of another, and so on, until one loop more
//! leads to nothing that a word does not say. Where that does not end soon the predicate is left as it is.
//!
//! On the way back a predicate's facts are those that rounds reach from the facts of the changed predicate, a
//! formula that its loops keep; steps of a derivation that stand for rounds become progressions.
//!
//! Source: \[BIK10\], \[Hoj13\] ch. 4.

use super::change::{Applied, Change, Instance, Reaching, Recipe, Rounds, Values};
use super::system::System;
use crate::accel::{Closure, Loop, all_rounds, between, close_or_end, copies, links, through};
use crate::ask::{ask_within, eliminate_within};
use crate::settings::{
    ACCEL_CONFLICTS, CONTRACT_MAX_LOOPS, CONTRACT_MAX_WORDS, DEFINITIONS_CONFLICTS,
    DEFINITIONS_ROUNDS,
};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::Horn;
use alphorn_problem::evidence::horn::Definition;
use alphorn_problem::horn::{Clause, ClauseId, Head, PredId};
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{Op, Store, Substitution, TermId};
use std::collections::BTreeMap;
use std::sync::Arc;

pub(super) fn apply(system: &System, store: &mut Store, ctx: &mut Ctx<'_>) -> Applied {
    let candidates = candidates(system, store);
    if candidates.is_empty() {
        return Ok(None);
    }
    let horn = system.to_horn(store.clone());
    let mut chosen: BTreeMap<PredId, Closed> = BTreeMap::new();
    for (pred, own) in candidates {
        ctx.tick(10)?;
        if let Some(words) = words(&horn, store, &own, ctx)? {
            chosen.insert(pred, Closed { own, words });
        }
    }
    if chosen.is_empty() {
        return Ok(None);
    }
    let mut clauses = Vec::with_capacity(system.clauses.len());
    for (at, clause) in system.clauses.iter().enumerate() {
        ctx.tick(1)?;
        if !chosen.values().any(|closed| closed.own.contains(&at)) {
            clauses.push(used(system, store, (at, clause), &chosen));
        }
    }
    let mut change = Change::of_clauses(system, store, clauses);
    for (pred, Closed { words, .. }) in chosen {
        change.reaching.insert(pred, reaching(store, words));
    }
    Ok(Some(change))
}

/// What is known of a predicate whose loops have closures.
struct Closed {
    /// The clauses that are its loops.
    own: Vec<usize>,
    words: Vec<Word>,
}

/// Rounds of loops one after the other.
#[derive(Clone)]
struct Word {
    before: Vec<TermId>,
    after: Vec<TermId>,
    /// Over both states and variables of its own.
    formula: TermId,
    /// The loops, each with the states around its rounds and their number.
    parts: Vec<Part>,
}

#[derive(Clone)]
struct Part {
    of: Arc<(Loop, Closure)>,
    from: Vec<TermId>,
    to: Vec<TermId>,
    number: TermId,
}

/// The predicates with clauses that need facts of their own, if these need nothing else.
fn candidates(system: &System, store: &Store) -> Vec<(PredId, Vec<usize>)> {
    let mut found: BTreeMap<PredId, Option<Vec<usize>>> = BTreeMap::new();
    for (at, clause) in system.clauses.iter().enumerate() {
        let Head::Atom(pred, _) = clause.head else { continue };
        if system.body_preds(store, clause.body).contains(&pred) {
            let own = found.entry(pred).or_insert_with(|| Some(Vec::new()));
            match system.atoms(store, clause.body).len() {
                1 => own.iter_mut().for_each(|own| own.push(at)),
                _ => *own = None,
            }
        }
    }
    found.into_iter().filter_map(|(pred, own)| Some((pred, own?))).collect()
}

/// What one round or more of loops can do; none if that is not known exactly.
fn words(
    horn: &Horn,
    store: &mut Store,
    own: &[usize],
    ctx: &mut Ctx<'_>,
) -> Result<Option<Vec<Word>>, Stop> {
    let mut loops: Vec<Vec<Word>> = Vec::new();
    for &clause in own {
        let cases = links(horn, store, ClauseId(clause as u32));
        if cases.is_empty() {
            return Ok(None);
        }
        for case in cases {
            ctx.tick(10)?;
            let Some(found) = through(store, &[&case]) else { return Ok(None) };
            let round = store.and(&found.relation.parts);
            if is_contradictory(store, round, ctx)? {
                continue;
            }
            let closures = close_or_end(store, &found.relation, ctx)?;
            let [closure] = &closures[..] else { return Ok(None) };
            let Some(all) = all_rounds(store, &found.relation, closure) else { return Ok(None) };
            let of = Arc::new((found, closure.clone()));
            loops.push(
                all.into_iter().map(|(formula, number)| Word::of(&of, formula, number)).collect(),
            );
            if loops.len() > CONTRACT_MAX_LOOPS.size() {
                return Ok(None);
            }
        }
    }
    match loops.len() {
        1 => Ok(loops.pop()),
        _ => saturated(store, &loops, ctx),
    }
}

/// All words of loops, if few say what all of them do.
fn saturated(
    store: &mut Store,
    loops: &[Vec<Word>],
    ctx: &mut Ctx<'_>,
) -> Result<Option<Vec<Word>>, Stop> {
    let Some(first) = loops.iter().flatten().next() else { return Ok(Some(Vec::new())) };
    let (before, after) = (first.before.clone(), first.after.clone());
    // What is said so far, between these two states, without variables of words.
    let mut said = vec![same(store, &before, &after)];
    let mut found: Vec<(Word, usize)> = Vec::new();
    let mut open: Vec<(Word, usize)> = Vec::new();
    for (at, own) in loops.iter().enumerate() {
        open.extend(own.iter().map(|word| (word.clone(), at)));
    }
    let mut next = 0;
    while next < open.len() {
        ctx.tick(10)?;
        let (word, last) = open[next].clone();
        next += 1;
        let (formula, hidden) = word.between(store, &before, &after);
        let rest: Vec<TermId> = said.iter().map(|&formula| store.not(formula)).collect();
        let new = store.and(&[&[formula.formula][..], &rest].concat());
        if is_contradictory(store, new, ctx)? {
            continue;
        }
        let Some(plain) = without(store, formula.formula, &hidden, ctx)? else { return Ok(None) };
        said.push(plain);
        if found.len() >= CONTRACT_MAX_WORDS.size() {
            return Ok(None);
        }
        for (at, own) in loops.iter().enumerate().filter(|(at, _)| *at != last) {
            for more in own {
                open.push((word.then(store, more), at));
            }
        }
        found.push((word, last));
    }
    Ok(Some(found.into_iter().map(|(word, _)| word).collect()))
}

impl Word {
    /// Rounds of one loop.
    fn of(of: &Arc<(Loop, Closure)>, formula: TermId, number: TermId) -> Word {
        let relation = &of.0.relation;
        let (before, after) = (relation.pre.clone(), relation.post.clone());
        let part = Part { of: Arc::clone(of), from: before.clone(), to: after.clone(), number };
        Word { before, after, formula, parts: vec![part] }
    }

    /// The word between two states given by terms, with fresh variables of its own.
    fn between(
        &self,
        store: &mut Store,
        before: &[TermId],
        after: &[TermId],
    ) -> (Word, Vec<TermId>) {
        let states = (&self.before[..], &self.after[..]);
        let (formula, own) = between(store, states, self.formula, before, after);
        let given = self.before.iter().chain(&self.after).copied();
        let mut map: Substitution = given.zip(before.iter().chain(after).copied()).collect();
        map.extend(own.iter().map(|(&var, &fresh)| (var, fresh)));
        let mut hidden: Vec<TermId> = own.into_values().collect();
        hidden.sort_unstable();
        let mut parts = Vec::with_capacity(self.parts.len());
        for part in &self.parts {
            parts.push(Part {
                of: Arc::clone(&part.of),
                from: store.substitute_all(&part.from, &map),
                to: store.substitute_all(&part.to, &map),
                number: store.substitute(part.number, &map),
            });
        }
        let (before, after) = (before.to_vec(), after.to_vec());
        (Word { before, after, formula, parts }, hidden)
    }

    /// This word, and then another one.
    fn then(&self, store: &mut Store, other: &Word) -> Word {
        let middle = copies(&self.after, store);
        let (first, _) = self.between(store, &self.before, &middle);
        let after = copies(&other.after, store);
        let (second, _) = other.between(store, &middle, &after);
        let formula = store.and(&[first.formula, second.formula]);
        let parts = first.parts.into_iter().chain(second.parts).collect();
        Word { before: self.before.clone(), after, formula, parts }
    }
}

/// A clause that uses predicates whose loops are taken away.
fn used(
    system: &System,
    store: &mut Store,
    (at, clause): (usize, &Clause),
    chosen: &BTreeMap<PredId, Closed>,
) -> (Clause, Recipe) {
    let mut vars = clause.vars.clone();
    let mut rounds = Vec::new();
    let body = system.map_atoms(store, clause.body, |store, pred, atom| {
        let Some(Closed { words, .. }) = chosen.get(&pred) else { return atom };
        let args = store.args(atom).to_vec();
        let start = system.params(store, pred);
        vars.extend(&start);
        let mut ways = vec![same(store, &start, &args)];
        for word in words {
            let (word, hidden) = word.between(store, &start, &args);
            vars.extend(hidden);
            ways.push(word.formula);
            for Part { of, from, to, number } in word.parts {
                rounds.push(Rounds { of, from, to, number, condition: word.formula });
            }
        }
        let start = store.mk(Op::Apply(system.preds[pred.index()].func), &start);
        let way = store.or(&ways);
        store.and(&[start, way])
    });
    let values = Values::Terms(clause.vars.clone());
    let recipe = Recipe { rounds, ..Recipe::of(vec![Instance::root(at, values)]) };
    (Clause { vars, body, ..clause.clone() }, recipe)
}

/// What words do, together.
fn reaching(store: &mut Store, words: Vec<Word>) -> Reaching {
    let Some(first) = words.first() else {
        return Reaching { before: Vec::new(), after: Vec::new(), ways: Vec::new() };
    };
    let (before, after) = (first.before.clone(), first.after.clone());
    let between = |word: &Word| word.between(store, &before, &after).0.formula;
    let ways = words.iter().map(between).collect();
    Reaching { before, after, ways }
}

impl Reaching {
    /// What rounds reach from the facts of a definition. Where that cannot be said without quantifiers, it is
    /// said with them.
    pub(super) fn reached(
        &self,
        store: &mut Store,
        definition: &Definition,
        ctx: &mut Ctx<'_>,
    ) -> Result<Definition, Stop> {
        let Reaching { before, after, ways } = self;
        if ways.is_empty() || definition.body == TermId::FALSE || definition.body == TermId::TRUE {
            return Ok(definition.clone());
        }
        let start = store.rename(definition.body, &definition.params, before);
        let mut all = vec![store.rename(definition.body, &definition.params, after)];
        for &way in ways {
            let formula = store.and(&[start, way]);
            let free = store.free_vars(&[formula]);
            let hidden: Vec<TermId> = free.into_iter().filter(|var| !after.contains(var)).collect();
            all.push(match without(store, formula, &hidden, ctx)? {
                Some(formula) => formula,
                None => {
                    let names = copies(&hidden, store);
                    let formula = store.rename(formula, &hidden, &names);
                    store.exists(&names, formula)
                }
            });
        }
        Ok(Definition { params: after.clone(), body: store.or(&all) })
    }
}

/// A formula without some variables, if that does not take too long.
fn without(
    store: &mut Store,
    formula: TermId,
    hidden: &[TermId],
    ctx: &mut Ctx<'_>,
) -> Result<Option<TermId>, Stop> {
    let limits = (DEFINITIONS_CONFLICTS.get(), DEFINITIONS_ROUNDS.size());
    eliminate_within(store, formula, hidden, limits, ctx)
}

/// Whether a formula is seen to be contradictory.
fn is_contradictory(store: &mut Store, formula: TermId, ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
    let mut smt = Smt::new(Options::default());
    smt.assert(store, formula);
    Ok(ask_within(&mut smt, store, &[], ACCEL_CONFLICTS.get(), ctx)? == Answer::Unsat)
}

/// That two states are the same.
fn same(store: &mut Store, one: &[TermId], other: &[TermId]) -> TermId {
    let mut parts = Vec::with_capacity(one.len());
    for (&one, &other) in one.iter().zip(other) {
        parts.push(store.eq(one, other));
    }
    store.and(&parts)
}
