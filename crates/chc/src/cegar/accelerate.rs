//! Refinement by interpolants of loops: what excludes a path with so many rounds of a loop excludes all rounds.
//!
//! A path that goes round a loop more often than the *delay* says is folded to a scheme, in which the loop
//! may be gone round any number of times: a step by its closure (`accel`). If no run follows the scheme, its interpolants
//! before and after a loop are I′ and I″, and `sp(I′, L*)` and `wp(I″, L*)` lie between them
//! (`I′ → sp → wp → I″`) and are kept by the loop. So one refinement does what would take as many as there
//! are rounds. Where a loop has several cases, each has its closure, and they follow each other in the scheme, twice.
//! At the places inside a loop of several rules, interpolants of one round between the invariant and its negation
//! are added, or the abstraction would forget there what holds.
//!
//! Nothing here is trusted: these are predicates like others, and those of the path itself are there as well.
//!
//! Source: \[HIK+12\], \[Hoj13\] ch. 4, with the order of sp and wp repaired, and the scheme taken from the root.

use super::refine::{Interpolating, Refine, Refined};
use super::unfolding::Abstraction;
use crate::accel::{CycleCase, cycle_cases};
use crate::la::interpolants::interpolants_of;
use crate::la::position::make;
use crate::la::system::{Pred, System};
use crate::settings::{
    CEGAR_ACCELERATED_CONFLICTS, CEGAR_ACCELERATED_ROUNDS, CEGAR_DELAY, CEGAR_MAX_CYCLE,
};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::Horn;
use alphorn_problem::horn::ClauseId;
use alphorn_sat::Budget;
use alphorn_smt::interpolate::{Strength, tree};
use alphorn_smt::project::{Limits, eliminate};
use alphorn_smt::{Options, Smt};
use alphorn_term::{Store, Substitution, TermId};
use std::collections::BTreeMap;
use std::collections::hash_map::Entry;
use std::rc::Rc;

/// Refinement that folds loops.
pub(crate) struct Accelerating {
    inner: Interpolating,
    /// The cases of loops, by their clauses.
    known: BTreeMap<Vec<ClauseId>, Rc<Vec<CycleCase>>>,
}

impl Accelerating {
    /// Refinement that folds loops, and by interpolants besides.
    pub(crate) fn new(inner: Interpolating) -> Accelerating {
        Accelerating { inner, known: BTreeMap::new() }
    }
}

/// A part of a scheme, from the query down.
enum Part {
    /// A rule, by its position.
    Rule(usize),
    /// A loop at a relation symbol: its rules, from the last to the first, and the cases of a round that may be
    /// repeated here.
    Loop { pred: Pred, rules: Vec<usize>, case: usize, cases: Rc<Vec<CycleCase>> },
}

impl Refine for Accelerating {
    fn refine(
        &mut self,
        (horn, system): (&Horn, &System),
        store: &mut Store,
        derivations: &dyn Abstraction,
        ctx: &mut Ctx<'_>,
    ) -> Result<Refined, Stop> {
        let mut found = match self.inner.refine((horn, system), store, derivations, ctx)? {
            Refined::Predicates(found) => found,
            derived @ Refined::Derived(_) => return Ok(derived),
        };
        if let Some(rules) = path(derivations)
            && let Some(scheme) = self.folded((horn, system), &rules, store, ctx)?
        {
            found.extend(by_scheme(system, &scheme, store, ctx)?);
        }
        Ok(Refined::Predicates(found))
    }
}

/// The rules of the first derivation from the query down, if each has at most one atom.
fn path(derivations: &dyn Abstraction) -> Option<Vec<usize>> {
    let mut rules = Vec::new();
    let (mut node, mut height) = (None, derivations.height());
    loop {
        let way = derivations.ways(node, height).into_iter().next()?;
        rules.push(way.rule);
        match way.sources[..] {
            [] => return Some(rules),
            [source] => node = Some(source),
            _ => return None,
        }
        height = height.saturating_sub(1);
    }
}

impl Accelerating {
    /// The scheme of a path, if a loop of it has closures.
    fn folded(
        &mut self,
        (horn, system): (&Horn, &System),
        rules: &[usize],
        store: &mut Store,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Vec<Part>>, Stop> {
        let mut scheme = Vec::new();
        let (mut at, mut has_loop) = (0, false);
        while at < rules.len() {
            let (length, copies) = repeated(&rules[at..]);
            let is_long = copies > CEGAR_DELAY.size();
            let head = system.rules[rules[at]].head.as_ref().map(|(pred, _)| *pred);
            let own = &rules[at..at + length];
            let closed = match (is_long, head) {
                (true, Some(pred)) => Some((pred, self.cases((horn, system), own, store, ctx)?)),
                _ => None,
            };
            match closed.filter(|(_, cases)| !cases.is_empty()) {
                Some((pred, cases)) => {
                    has_loop = true;
                    let times = if cases.len() == 1 { 1 } else { 2 };
                    for case in (0..times).flat_map(|_| (0..cases.len()).rev()) {
                        let (rules, cases) = (own.to_vec(), Rc::clone(&cases));
                        scheme.push(Part::Loop { pred, rules, case, cases });
                    }
                    at += length * copies;
                }
                None => {
                    scheme.push(Part::Rule(rules[at]));
                    at += 1;
                }
            }
        }
        Ok(has_loop.then_some(scheme))
    }

    /// The cases of a loop that have closures; its rules stand from the last to the first.
    fn cases(
        &mut self,
        (horn, system): (&Horn, &System),
        rules: &[usize],
        store: &mut Store,
        ctx: &mut Ctx<'_>,
    ) -> Result<Rc<Vec<CycleCase>>, Stop> {
        let clauses: Vec<ClauseId> =
            rules.iter().rev().map(|&rule| system.rules[rule].clause).collect();
        if let Some(known) = self.known.get(&clauses) {
            return Ok(Rc::clone(known));
        }
        let cases = Rc::new(cycle_cases(horn, store, &clauses, ctx)?);
        self.known.insert(clauses, Rc::clone(&cases));
        Ok(cases)
    }
}

/// The rules at the beginning that are there most often one after the other: how many, and how often.
fn repeated(rules: &[usize]) -> (usize, usize) {
    let mut best = (1, 1);
    for length in 1..=CEGAR_MAX_CYCLE.size().min(rules.len() / 2) {
        let copies = rules.chunks(length).take_while(|chunk| *chunk == &rules[..length]).count();
        if copies > 1 && copies * length > best.0 * best.1 {
            best = (length, copies);
        }
    }
    best
}

/// Predicates that exclude all runs of a scheme, if it has none.
fn by_scheme(
    system: &System,
    scheme: &[Part],
    store: &mut Store,
    ctx: &mut Ctx<'_>,
) -> Result<Vec<(Pred, TermId)>, Stop> {
    // The state above each part, as variables, and what the part says of it and of the state below.
    let (mut states, mut formulas) = (Vec::new(), Vec::new());
    let mut state: Vec<TermId> = Vec::new();
    for part in scheme {
        states.push(state.clone());
        match part {
            Part::Rule(rule) => {
                let position = make(store, system, *rule, &state, TermId::TRUE);
                formulas.push(store.and(&position.parts));
                state = position.slots.first().map_or(Vec::new(), |slot| slot.params.clone());
            }
            Part::Loop { pred, case, cases, .. } => {
                let before = copies(&system.params[*pred], store);
                let mut ways = vec![same(&before, &state, store)];
                for way in &cases[*case].ways {
                    ways.push(cases[*case].at(way, &before, &state, store).0);
                }
                formulas.push(store.or(&ways));
                state = before;
            }
        }
    }
    let interpolants = of_chain(&formulas, store, ctx)?;
    let Some(interpolants) = interpolants else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for (at, part) in scheme.iter().enumerate().skip(1) {
        let Some(pred) = pred_of(system, part) else { continue };
        let after = store.rename(interpolants[at], &states[at], &system.params[pred]);
        found.push((pred, after));
        let Part::Loop { rules, case, cases, .. } = part else { continue };
        let Some(&below) = interpolants.get(at + 1) else { continue };
        let before = store.rename(below, &states[at + 1], &system.params[pred]);
        let params = &system.params[pred];
        for kept in [
            reached(params, before, &cases[*case], store, ctx)?,
            not_leaving(params, after, &cases[*case], store, ctx)?,
        ]
        .into_iter()
        .flatten()
        {
            found.push((pred, kept));
            found.extend(inside(system, (pred, kept), rules, store, ctx)?);
        }
    }
    Ok(found)
}

/// The interpolants of formulas one below the other, if they contradict each other.
fn of_chain(
    formulas: &[TermId],
    store: &mut Store,
    ctx: &mut Ctx<'_>,
) -> Result<Option<Vec<TermId>>, Stop> {
    let parents: Vec<Option<u32>> =
        (0..formulas.len() as u32).map(|at| at.checked_sub(1)).collect();
    let conflicts = CEGAR_ACCELERATED_CONFLICTS.get();
    interpolants_of(ctx, conflicts, Strength::Weak, |options| {
        tree(store, formulas, &parents, options)
    })
}

/// The relation symbol of the state above a part.
fn pred_of(system: &System, part: &Part) -> Option<Pred> {
    match part {
        Part::Rule(rule) => system.rules[*rule].head.as_ref().map(|(pred, _)| *pred),
        Part::Loop { pred, .. } => Some(*pred),
    }
}

/// Fresh variables for a state.
fn copies(params: &[TermId], store: &mut Store) -> Vec<TermId> {
    let mut copies = Vec::with_capacity(params.len());
    for &param in params {
        let name = store.var_name(param).unwrap_or("x").to_owned();
        let sort = store.sort(param);
        copies.push(store.fresh_var(&name, sort));
    }
    copies
}

/// That two states are the same.
fn same(one: &[TermId], other: &[TermId], store: &mut Store) -> TermId {
    let mut parts = Vec::with_capacity(one.len());
    for (&one, &other) in one.iter().zip(other) {
        parts.push(store.eq(one, other));
    }
    store.and(&parts)
}

/// `sp(I′, L*)`: what holds after any number of rounds from where a formula holds; none if that is hard to say.
fn reached(
    params: &[TermId],
    before: TermId,
    case: &CycleCase,
    store: &mut Store,
    ctx: &mut Ctx<'_>,
) -> Result<Option<TermId>, Stop> {
    let earlier = copies(params, store);
    let there = store.rename(before, params, &earlier);
    let mut all = vec![before];
    for way in &case.ways {
        let (step, hidden) = case.at(way, &earlier, params, store);
        let both = store.and(&[there, step]);
        match without(both, &[&earlier[..], &hidden].concat(), store, ctx)? {
            Some(formula) => all.push(formula),
            None => return Ok(None),
        }
    }
    Ok(Some(store.or(&all)))
}

/// `wp(I″, L*)`: from where any number of rounds leads to a formula only; none if that is hard to say.
fn not_leaving(
    params: &[TermId],
    after: TermId,
    case: &CycleCase,
    store: &mut Store,
    ctx: &mut Ctx<'_>,
) -> Result<Option<TermId>, Stop> {
    let later = copies(params, store);
    let there = store.rename(after, params, &later);
    let outside = store.not(there);
    let mut all = vec![after];
    for way in &case.ways {
        let (step, hidden) = case.at(way, params, &later, store);
        let leaves = store.and(&[outside, step]);
        match without(leaves, &[&later[..], &hidden].concat(), store, ctx)? {
            Some(formula) => all.push(store.not(formula)),
            None => return Ok(None),
        }
    }
    Ok(Some(store.and(&all)))
}

/// A formula without some variables, if that does not take too long.
fn without(
    formula: TermId,
    hidden: &[TermId],
    store: &mut Store,
    ctx: &mut Ctx<'_>,
) -> Result<Option<TermId>, Stop> {
    ctx.tick(100)?;
    let mut smt = Smt::new(Options::default());
    smt.set_budget(Budget {
        conflicts: Some(CEGAR_ACCELERATED_CONFLICTS.get()),
        ..Budget::default()
    });
    let limits = Limits { rounds: CEGAR_ACCELERATED_ROUNDS.size() };
    Ok(eliminate(store, formula, hidden, &mut smt, &limits).ok())
}

/// What holds inside a loop of several rules, from the last to the first, that keeps a formula at its beginning.
fn inside(
    system: &System,
    (pred, kept): (Pred, TermId),
    rules: &[usize],
    store: &mut Store,
    ctx: &mut Ctx<'_>,
) -> Result<Vec<(Pred, TermId)>, Stop> {
    if rules.len() < 2 {
        return Ok(Vec::new());
    }
    let mut state = copies(&system.params[pred], store);
    let end = store.rename(kept, &system.params[pred], &state);
    let (mut formulas, mut states) = (vec![store.not(end)], vec![Vec::new()]);
    for &rule in rules {
        states.push(state.clone());
        let position = make(store, system, rule, &state, TermId::TRUE);
        formulas.push(store.and(&position.parts));
        state = position.slots.first().map_or(Vec::new(), |slot| slot.params.clone());
    }
    states.push(state.clone());
    formulas.push(store.rename(kept, &system.params[pred], &state));
    let interpolants = of_chain(&formulas, store, ctx)?;
    let mut found = Vec::new();
    for (place, &rule) in rules.iter().enumerate().skip(1) {
        let Some(interpolants) = &interpolants else { break };
        let Some((pred, _)) = &system.rules[rule].head else { continue };
        let formula =
            store.rename(interpolants[place + 1], &states[place + 1], &system.params[*pred]);
        found.push((*pred, formula));
    }
    Ok(found)
}

impl CycleCase {
    /// A way of the case between two states, and its own variables.
    fn at(
        &self,
        way: &TermId,
        before: &[TermId],
        after: &[TermId],
        store: &mut Store,
    ) -> (TermId, Vec<TermId>) {
        let given = self.pre.iter().chain(&self.post).copied();
        let mut map: Substitution = given.zip(before.iter().chain(after).copied()).collect();
        let mut hidden = Vec::new();
        for var in store.free_vars(&[*way]) {
            if let Entry::Vacant(unknown) = map.entry(var) {
                hidden.push(*unknown.insert(copies(&[var], store)[0]));
            }
        }
        (store.substitute(*way, &map), hidden)
    }
}
