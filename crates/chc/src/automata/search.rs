//! Tables of an automaton by SAT.
//!
//! A variable for each state that a constructor may make of states, and for each tuple of states that a
//! predicate may have. Every constructor has some state for all states of its fields; every clause holds
//! for all states of its nodes.

use super::ground::{Domains, Ground, Node};
use crate::settings::{AUTOMATA_MAX_CONFLICTS, AUTOMATA_MAX_INSTANCES};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::Horn;
use alphorn_problem::horn::PredId;
use alphorn_sat::{Answer, Budget, Lit, Solver};
use alphorn_term::{CtorId, SortId, Store};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Conflicts and ticks in a slice of the search, which is some hundredths of a second.
const SLICE: u64 = 500;
const SLICE_TICKS: u64 = 200_000;
/// How many ticks of the search are one of the engine.
const SEARCH_PER_TICK: u64 = 10;

/// What an automaton does, and what the predicates are over its states.
pub(super) struct Tables {
    /// The state of what a constructor makes of states.
    pub(super) ctors: BTreeMap<CtorId, BTreeMap<Vec<usize>, usize>>,
    /// The states that each predicate has.
    pub(super) preds: Vec<BTreeSet<Vec<usize>>>,
}

/// Tables that satisfy all clauses; nothing if there are none, or none were found in reasonable time.
pub(super) fn tables(
    horn: &Horn,
    store: &Store,
    domains: &Domains,
    clauses: &[Ground],
    ctx: &mut Ctx<'_>,
) -> Result<Option<Tables>, Stop> {
    let instances = clauses.iter().map(|clause| size(store, domains, clause));
    if instances.fold(0, usize::saturating_add) > AUTOMATA_MAX_INSTANCES.size() {
        return Ok(None);
    }
    let mut used: BTreeSet<CtorId> = BTreeSet::new();
    for node in clauses.iter().flat_map(|clause| &clause.nodes) {
        if let Node::Made(ctor, _) = node {
            used.insert(*ctor);
        }
    }
    let mut search = Search {
        store,
        domains,
        solver: Solver::default(),
        made: FxHashMap::default(),
        facts: FxHashMap::default(),
    };
    for &ctor in &used {
        search.total(ctor, ctx)?;
    }
    for clause in clauses {
        search.clause(clause, ctx)?;
    }
    let slice = Budget { conflicts: Some(SLICE), ticks: Some(SLICE_TICKS), ..Budget::default() };
    loop {
        let before = search.solver.stats().ticks;
        search.solver.set_budget(slice);
        let answer = search.solver.solve(&[]);
        let spent = search.solver.stats().ticks - before;
        ctx.tick(1 + spent / SEARCH_PER_TICK)?;
        match answer {
            Answer::Sat => return Ok(Some(search.read(horn, &used))),
            Answer::Unsat => return Ok(None),
            Answer::Unknown if search.solver.stats().conflicts >= AUTOMATA_MAX_CONFLICTS.get() => {
                return Ok(None);
            }
            Answer::Unknown => {}
        }
    }
}

/// The states of a constructor's datatype.
fn states(store: &Store, domains: &Domains, ctor: CtorId) -> usize {
    domains.size(store.data(store.ctor(ctor).data).sort).unwrap_or(1)
}

fn node_states(store: &Store, domains: &Domains, node: &Node) -> usize {
    match node {
        Node::Any(states) => *states,
        Node::State(_) => 1,
        Node::Made(ctor, _) => states(store, domains, *ctor),
    }
}

/// How many instances a clause has.
fn size(store: &Store, domains: &Domains, clause: &Ground) -> usize {
    let sizes = clause.nodes.iter().map(|node| node_states(store, domains, node));
    sizes.fold(1, usize::saturating_mul)
}

/// The sorts of a constructor's fields that have states.
pub(super) fn kept_fields(store: &Store, domains: &Domains, ctor: CtorId) -> Vec<SortId> {
    let sorts: Vec<SortId> = store.ctor(ctor).fields.iter().map(|(_, sort)| *sort).collect();
    domains.kept(&sorts).into_iter().map(|at| sorts[at]).collect()
}

/// All tuples of states of these sizes.
pub(super) fn tuples(sizes: &[usize]) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for &size in sizes {
        let longer =
            |tuple: Vec<usize>| (0..size).map(move |state| [&tuple[..], &[state]].concat());
        all = all.into_iter().flat_map(longer).collect();
    }
    all
}

struct Search<'a> {
    store: &'a Store,
    domains: &'a Domains,
    solver: Solver,
    made: FxHashMap<(CtorId, Vec<usize>, usize), Lit>,
    facts: FxHashMap<(PredId, Vec<usize>), Lit>,
}

impl Search<'_> {
    fn made(&mut self, ctor: CtorId, fields: Vec<usize>, state: usize) -> Lit {
        let solver = &mut self.solver;
        *self.made.entry((ctor, fields, state)).or_insert_with(|| solver.new_var().positive())
    }

    fn fact(&mut self, pred: PredId, args: Vec<usize>) -> Lit {
        let solver = &mut self.solver;
        *self.facts.entry((pred, args)).or_insert_with(|| solver.new_var().positive())
    }

    /// A constructor makes something of everything.
    fn total(&mut self, ctor: CtorId, ctx: &mut Ctx<'_>) -> Result<(), Stop> {
        let fields = kept_fields(self.store, self.domains, ctor);
        let sizes: Vec<usize> =
            fields.into_iter().map(|sort| self.domains.size(sort).unwrap_or(1)).collect();
        for tuple in tuples(&sizes) {
            ctx.tick(1)?;
            let count = states(self.store, self.domains, ctor);
            let some: Vec<Lit> =
                (0..count).map(|state| self.made(ctor, tuple.clone(), state)).collect();
            self.solver.add_clause(&some);
        }
        Ok(())
    }

    /// A clause for all states of its nodes.
    fn clause(&mut self, clause: &Ground, ctx: &mut Ctx<'_>) -> Result<(), Stop> {
        let sizes: Vec<usize> =
            (clause.nodes.iter()).map(|node| node_states(self.store, self.domains, node)).collect();
        let mut states: Vec<usize> = vec![0; sizes.len()];
        loop {
            ctx.tick(1)?;
            let value = |at: usize, states: &[usize]| match clause.nodes[at] {
                Node::State(state) => state,
                _ => states[at],
            };
            let tuple = |nodes: &[usize], states: &[usize]| -> Vec<usize> {
                nodes.iter().map(|&at| value(at, states)).collect()
            };
            let mut literals = Vec::new();
            for (at, node) in clause.nodes.iter().enumerate() {
                if let Node::Made(ctor, fields) = node {
                    literals.push(!self.made(*ctor, tuple(fields, &states), states[at]));
                }
            }
            for (pred, args) in &clause.body {
                literals.push(!self.fact(*pred, tuple(args, &states)));
            }
            if let Some((pred, args)) = &clause.head {
                literals.push(self.fact(*pred, tuple(args, &states)));
            }
            self.solver.add_clause(&literals);
            let Some(at) = (0..sizes.len()).find(|&at| states[at] + 1 < sizes[at]) else {
                return Ok(());
            };
            states[at] += 1;
            states[..at].fill(0);
        }
    }

    fn read(&self, horn: &Horn, used: &BTreeSet<CtorId>) -> Tables {
        let mut ctors: BTreeMap<CtorId, BTreeMap<Vec<usize>, usize>> = BTreeMap::new();
        for &ctor in used {
            ctors.insert(ctor, BTreeMap::new());
        }
        for ((ctor, fields, state), &lit) in &self.made {
            if self.solver.value(lit) == Some(true) {
                // Any of several states would do, as all clauses hold for each of them.
                let table = ctors.entry(*ctor).or_default();
                let least = table.entry(fields.clone()).or_insert(*state);
                *least = (*least).min(*state);
            }
        }
        let mut preds = vec![BTreeSet::new(); horn.preds.len()];
        for ((pred, args), &lit) in &self.facts {
            if self.solver.value(lit) == Some(true) {
                preds[pred.index()].insert(args.clone());
            }
        }
        Tables { ctors, preds }
    }
}
