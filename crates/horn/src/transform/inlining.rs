//! The transform `inlining`: predicates are replaced by the bodies of their clauses.
//!
//! A predicate can be inlined if its clauses do not use it. It need not be free of recursion: of the
//! predicates along a loop all but one go. In one pass a set of predicates is taken such that none of
//! them is used by a clause of another, so every use is replaced once; later passes take the rest.
//!
//! Sizes are kept in check: clauses must not become more, and terms not much larger. A predicate
//! whose definition might be hard to find again, because its clauses leave linear arithmetic or are
//! about words and do not determine it (`recover`), stays.
//!
//! On the way back its definition is solved for (`definitions`), and in derivations the instances of
//! its clauses come before the instance of the clause that used it.

use super::change::{Applied, Change, Instance, Meaning, Recipe, Values};
use super::recover;
use super::system::{System, head_args};
use crate::settings::{INLINING_MAX_ADDED, INLINING_MAX_ATOMS, INLINING_MAX_COPIES};
use alphorn_engine::Ctx;
use alphorn_problem::horn::{Clause, Head, PredId};
use alphorn_term::{Op, Store, Substitution, TermId};
use rustc_hash::FxHashMap;

pub(super) fn apply(system: &System, store: &mut Store, ctx: &mut Ctx<'_>) -> Applied {
    ctx.tick(system.clauses.len() as u64)?;
    if system.is_one_large_formula(store) {
        return Ok(None);
    }
    let chosen = Choice::new(system, store).make();
    if !chosen.contains(&true) {
        return Ok(None);
    }
    let mut preds = Vec::new();
    let (mut place, mut meanings) = (Vec::new(), Vec::new());
    for (at, pred) in system.preds.iter().enumerate() {
        let changed = PredId(preds.len() as u32);
        place.push(changed);
        if chosen[at] {
            meanings.push(None);
        } else {
            preds.push(pred.clone());
            meanings.push(Some(Meaning::same(system, store, PredId(at as u32), changed)));
        }
    }
    let clauses_of = system.clauses_of();
    let mut clauses = Vec::new();
    for (at, clause) in system.clauses.iter().enumerate() {
        let mut root = clause.clone();
        if let Head::Atom(pred, _) = &mut root.head {
            if chosen[pred.index()] {
                continue;
            }
            *pred = place[pred.index()];
        }
        let atoms = system.atoms(store, clause.body).into_iter().filter_map(|atom| {
            let pred = system.atom(store, atom)?;
            chosen[pred.index()].then_some((atom, pred))
        });
        let atoms: Vec<(TermId, PredId)> = atoms.collect();
        let mut ways: Vec<Vec<usize>> = vec![Vec::new()];
        for (_, pred) in &atoms {
            let options = &clauses_of[pred.index()];
            let longer = |way: &Vec<usize>| {
                let way = way.clone();
                options.iter().map(move |&option| [&way[..], &[option]].concat())
            };
            ways = ways.iter().flat_map(longer).collect();
        }
        for way in ways {
            ctx.tick(1)?;
            clauses.push(unfolded(system, store, at, &root, &atoms, &way));
        }
    }
    Ok(Some(Change::new(preds, clauses, meanings, vec![None; system.preds.len()])))
}

/// The clause with atoms replaced by the bodies of clauses that conclude them.
fn unfolded(
    system: &System,
    store: &mut Store,
    at: usize,
    root: &Clause,
    atoms: &[(TermId, PredId)],
    way: &[usize],
) -> (Clause, Recipe) {
    let mut vars = root.vars.clone();
    let mut instances = Vec::with_capacity(way.len() + 1);
    let mut bodies: FxHashMap<TermId, TermId> = FxHashMap::default();
    for (&(atom, _), &used) in atoms.iter().zip(way) {
        let clause = &system.clauses[used];
        let args = store.args(atom).to_vec();
        let mut map = Substitution::default();
        for (&param, &arg) in head_args(clause).iter().zip(&args) {
            if matches!(store.op(param), Op::Var(_)) {
                map.entry(param).or_insert(arg);
            }
        }
        for &var in &clause.vars {
            map.entry(var).or_insert_with(|| {
                let hint = store.var_name(var).unwrap_or("x").to_owned();
                let fresh = store.fresh_var(&hint, store.sort(var));
                vars.push(fresh);
                fresh
            });
        }
        let mut parts = vec![store.substitute(clause.body, &map)];
        let params = store.substitute_all(head_args(clause), &map);
        for (&param, &arg) in params.iter().zip(&args) {
            parts.push(store.eq(param, arg));
        }
        bodies.insert(atom, store.and(&parts));
        let values = Values::Terms(clause.vars.iter().map(|var| map[var]).collect());
        instances.push(Instance::before_root(used, values));
    }
    let body = system.map_atoms(store, root.body, |_, _, atom| *bodies.get(&atom).unwrap_or(&atom));
    let values = Values::Terms(root.vars.clone());
    instances.push(Instance::root(at, values));
    (Clause { vars, body, ..root.clone() }, Recipe::of(instances))
}

/// Which predicates to inline.
struct Choice<'a> {
    system: &'a System,
    clauses_of: Vec<Vec<usize>>,
    /// The clauses that use each predicate, with the number of its atoms there.
    users: Vec<Vec<(usize, u32)>>,
    /// For each clause, its body's predicates, the number of its atoms and its size.
    needs: Vec<Vec<PredId>>,
    atoms: Vec<usize>,
    sizes: Vec<usize>,
    is_linear: Vec<bool>,
    /// How many clauses each clause becomes.
    copies: Vec<usize>,
    /// Whether a definition can be found again.
    is_recoverable: Vec<bool>,
}

impl Choice<'_> {
    fn new<'a>(system: &'a System, store: &mut Store) -> Choice<'a> {
        let mut users: Vec<Vec<(usize, u32)>> = vec![Vec::new(); system.preds.len()];
        let (mut needs, mut count, mut sizes) = (Vec::new(), Vec::new(), Vec::new());
        let (mut is_linear, mut has_words) = (Vec::new(), Vec::new());
        for (at, clause) in system.clauses.iter().enumerate() {
            let atoms = system.atoms(store, clause.body);
            for pred in atoms.iter().filter_map(|&atom| system.atom(store, atom)) {
                match users[pred.index()].last_mut() {
                    Some((user, times)) if *user == at => *times += 1,
                    _ => users[pred.index()].push((at, 1)),
                }
            }
            needs.push(system.body_preds(store, clause.body));
            count.push(atoms.len());
            let mut roots = vec![clause.body];
            roots.extend(head_args(clause));
            let parts = store.subterms(&roots);
            sizes.push(parts.len());
            is_linear.push(parts.iter().all(|&part| stays_linear(system, store, part)));
            // Numbers that become words and come back leave no variable that is one.
            has_words.push(parts.iter().any(|&part| store.width_of(store.sort(part)).is_some()));
        }
        let clauses_of = system.clauses_of();
        let mut is_recoverable = vec![true; system.preds.len()];
        for (at, is_recoverable) in is_recoverable.iter_mut().enumerate() {
            let users: Vec<usize> = users[at].iter().map(|&(user, _)| user).collect();
            let (pred, clauses) = (PredId(at as u32), &clauses_of[at]);
            // Interpolation and elimination cannot define what is about words.
            if clauses.iter().chain(&users).any(|&clause| has_words[clause]) {
                *is_recoverable = recover::is_recoverable(system, store, pred, clauses, &users);
            }
        }
        Choice {
            system,
            clauses_of,
            users,
            needs,
            atoms: count,
            sizes,
            is_linear,
            copies: vec![1; system.clauses.len()],
            is_recoverable,
        }
    }

    fn make(mut self) -> Vec<bool> {
        let mut order: Vec<usize> = (0..self.system.preds.len()).collect();
        order.sort_by_key(|&pred| (self.clauses_of[pred].len() * self.users[pred].len(), pred));
        let mut chosen = vec![false; self.system.preds.len()];
        // Those that leave fewer clauses go first, and may make the others superfluous.
        for fewer in [1, 0] {
            for &pred in &order {
                chosen[pred] = self.takes(pred, &chosen, fewer);
            }
            if chosen.contains(&true) {
                break;
            }
        }
        chosen
    }

    /// Whether to inline a predicate, given those that are, if clauses become so many fewer.
    fn takes(&mut self, pred: usize, chosen: &[bool], fewer: usize) -> bool {
        let (clauses, users) = (&self.clauses_of[pred], &self.users[pred]);
        let id = PredId(pred as u32);
        let is_free = |&at: &usize| {
            !self.needs[at].iter().any(|&need| need == id || chosen[need.index()])
                && self.is_linear[at]
        };
        let is_apart = |&(user, _): &(usize, u32)| match self.system.clauses[user].head {
            Head::Atom(head, _) => !chosen[head.index()] && self.is_linear[user],
            Head::False => self.is_linear[user],
        };
        if !self.is_recoverable[pred] {
            return false;
        }
        if clauses.is_empty() || !clauses.iter().all(is_free) || !users.iter().all(is_apart) {
            return false;
        }
        let ways = |times: u32| clauses.len().saturating_pow(times);
        let size: usize = clauses.iter().map(|&at| self.sizes[at]).sum();
        let longest = clauses.iter().map(|&at| self.atoms[at]).max().unwrap_or(0);
        let (mut more, mut added) = (0usize, 0usize);
        for &(user, times) in users {
            let copies = self.copies[user].saturating_mul(ways(times));
            let atoms = self.atoms[user] + longest.saturating_sub(1) * times as usize;
            if copies > INLINING_MAX_COPIES.size()
                || atoms > INLINING_MAX_ATOMS.size().max(self.atoms[user])
            {
                return false;
            }
            more += copies - self.copies[user];
            added += (copies - self.copies[user]) * self.sizes[user] + size * times as usize;
        }
        if more + fewer > clauses.len() || added > size + INLINING_MAX_ADDED.size() {
            return false;
        }
        for &(user, times) in users {
            self.copies[user] *= ways(times);
            self.atoms[user] += longest.saturating_sub(1) * times as usize;
        }
        true
    }
}

/// Whether a term is not what puts a clause outside linear arithmetic.
fn stays_linear(system: &System, store: &Store, term: TermId) -> bool {
    let args = store.args(term);
    match store.op(term) {
        Op::Mul => args.iter().filter(|&&arg| !store.is_literal(arg)).count() <= 1,
        Op::IntDiv | Op::Mod | Op::RealDiv => store.is_literal(args[1]),
        Op::Apply(_) => system.atom(store, term).is_some(),
        Op::Forall | Op::Exists => false,
        _ => true,
    }
}
