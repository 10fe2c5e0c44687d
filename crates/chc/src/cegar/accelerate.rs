//! Refinement by interpolants of loops: what excludes a path with so many rounds of a loop excludes all rounds.
//!
//! A path that goes round a loop more often than the *delay* says is folded to a scheme, in which the loop
//! may be gone round any number of times (`scheme`). Schemes come in forms, the first of which says something:
//!
//! - *exact*, where a loop has one case with an exact closure;
//! - by the *hull*, which has all that rounds of any cases can do and more: what it excludes is excluded;
//! - in the *order of the path*: each case has its closure, and they follow each other, twice: what runs of that
//!   form do, the system does.
//!
//! A scheme of the first or the last form that has a run is a violation, however many rounds it takes.
//!
//! Nothing here is trusted: predicates are like others, and those of the path itself are there as well; a run
//! is told in steps of clauses.
//!
//! Source: \[HIK+12\], \[Hoj13\] ch. 4, with the order of sp and wp repaired, and the scheme taken from the root.

use super::refine::{Interpolating, Refine, Refined};
use super::scheme::{Form, Outcome, Part, Scheme};
use super::unfolding::Abstraction;
use crate::la::system::System;
use crate::settings::{CEGAR_DELAY, CEGAR_MAX_CYCLE};
use alphorn_engine::{Ctx, Stop};
use alphorn_horn::accel::{Cycle, cycle};
use alphorn_problem::Horn;
use alphorn_problem::horn::ClauseId;
use alphorn_term::Store;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Refinement that folds loops.
pub(crate) struct Accelerating {
    inner: Interpolating,
    /// What rounds of loops do, by their clauses.
    known: BTreeMap<Vec<ClauseId>, Rc<Cycle>>,
}

impl Accelerating {
    /// Refinement that folds loops, and by interpolants besides.
    pub(crate) fn new(inner: Interpolating) -> Accelerating {
        Accelerating { inner, known: BTreeMap::new() }
    }
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
        let Some(rules) = path(derivations) else { return Ok(Refined::Predicates(found)) };
        let parts = self.folded((horn, system), &rules, store, ctx)?;
        for form in [Form::Exact, Form::Hull, Form::PathOrder] {
            let Some(scheme) = Scheme::of(system, &parts, form, store) else { continue };
            match scheme.look(horn, store, ctx)? {
                Outcome::Excluded(predicates) => {
                    found.extend(predicates);
                    break;
                }
                Outcome::Derived(derivation) => return Ok(Refined::Derived(derivation)),
                Outcome::Unknown => {}
            }
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
    /// A path with its loops folded.
    fn folded(
        &mut self,
        (horn, system): (&Horn, &System),
        rules: &[usize],
        store: &mut Store,
        ctx: &mut Ctx<'_>,
    ) -> Result<Vec<Part>, Stop> {
        let (mut parts, mut at) = (Vec::new(), 0);
        while at < rules.len() {
            let (length, copies) = repeated(&rules[at..]);
            let own = &rules[at..at + length];
            let head = system.rules[rules[at]].head.as_ref().map(|(pred, _)| *pred);
            let closed = match head {
                Some(pred) if copies > CEGAR_DELAY.size() => {
                    Some((pred, self.cycle((horn, system), own, store, ctx)?))
                }
                _ => None,
            };
            let is_closed = |cycle: &Cycle| !cycle.cases.is_empty() || cycle.hull.is_some();
            match closed.filter(|(_, cycle)| is_closed(cycle)) {
                Some((pred, cycle)) => {
                    parts.push(Part::Loop { pred, rules: own.to_vec(), cycle });
                    at += length * copies;
                }
                None => {
                    parts.push(Part::Rule(rules[at]));
                    at += 1;
                }
            }
        }
        Ok(parts)
    }

    /// What rounds of a loop do; its rules stand from the last to the first.
    fn cycle(
        &mut self,
        (horn, system): (&Horn, &System),
        rules: &[usize],
        store: &mut Store,
        ctx: &mut Ctx<'_>,
    ) -> Result<Rc<Cycle>, Stop> {
        let clauses: Vec<ClauseId> =
            rules.iter().rev().map(|&rule| system.rules[rule].clause).collect();
        if let Some(known) = self.known.get(&clauses) {
            return Ok(Rc::clone(known));
        }
        let found = Rc::new(cycle(horn, store, &clauses, ctx)?);
        self.known.insert(clauses, Rc::clone(&found));
        Ok(found)
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
