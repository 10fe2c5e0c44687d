//! Systems with a clause for each closure of a loop: any number of rounds at once.
//!
//! A model of more clauses is one of fewer. A step by a clause that was added is told as rounds of the loop
//! (`path`), so a derivation of the system with closures becomes one of the system without. Engines that
//! see the closures find violations after a million rounds as soon as others, and invariants that must exclude
//! all rounds at once.

use crate::settings::{ACCEL_MAX_CLAUSES, ACCEL_MAX_LENGTH, ACCEL_MAX_WAYS};
use alphorn_engine::{Back, Ctx, Seen, Steps, Stop, View};
use alphorn_horn::accel::{Accuracy, Closure, Link, Loop, Way, close, links, lost, through};
use alphorn_problem::Horn;
use alphorn_problem::Span;
use alphorn_problem::evidence::horn::{Derivation, HornClaim, Step};
use alphorn_problem::horn::{Clause, Head};
use alphorn_term::{Model, Op, Store, TermId, Value};
use std::sync::Arc;

/// Systems with closures of their loops.
pub static ACCELERATED: View<Horn, Horn> =
    View { name: "with closures of loops", steps: Steps::Changed, make };

/// A clause that was added: the loop, its closure, and the piece of it.
struct Added {
    of: Loop,
    closure: Closure,
    piece: usize,
}

/// A system and what was added to it.
struct Accelerated {
    before: Horn,
    store: Store,
    added: Vec<Added>,
}

fn make(horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Seen<Horn, Horn>, Stop> {
    let mut store = horn.terms.clone();
    let mut added: Vec<Added> = Vec::new();
    for of in all_loops(horn, &mut store, ctx)? {
        for closure in close(&mut store, &of.relation, ctx)? {
            for piece in 0..closure.pieces.len() {
                added.push(Added { of: of.clone(), closure: closure.clone(), piece });
            }
        }
    }
    // Exact ones first, with short periods.
    added.sort_by_key(|Added { of, closure, .. }| {
        (closure.accuracy == Accuracy::Under, of.links.len(), closure.period)
    });
    added.truncate(ACCEL_MAX_CLAUSES.size());
    if added.is_empty() {
        return Err(Stop::Unsupported("no loop has a closure".to_owned()));
    }
    let mut seen = horn.clone();
    for Added { of, closure, piece } in &added {
        let clause = clause(horn, &mut store, of, closure.pieces[*piece].formula);
        seen.clauses.push(clause);
    }
    seen.terms = store.clone();
    let own = Arc::new(Accelerated { before: horn.clone(), store, added });
    let back = Back::searching(
        |claim: HornClaim, _| Ok(HornClaim { hints: Vec::new(), ..claim }),
        move |derivation: Derivation, ctx| own.derivation(&derivation, ctx),
    );
    Ok(Seen::new(seen, back))
}

/// The loops of a system: through one clause, and through few that lead from predicate to predicate.
fn all_loops(horn: &Horn, store: &mut Store, ctx: &mut Ctx<'_>) -> Result<Vec<Loop>, Stop> {
    let mut all: Vec<Link> = Vec::new();
    for (id, _) in horn.clauses() {
        ctx.tick(1)?;
        all.extend(links(horn, store, id));
    }
    let mut found = Vec::new();
    // Ways of links to different predicates, none of which comes before the first.
    let mut ways: Vec<Vec<usize>> = (0..all.len()).map(|at| vec![at]).collect();
    for length in 1..=ACCEL_MAX_LENGTH.size() {
        let mut longer = Vec::new();
        for way in ways {
            ctx.tick(1)?;
            let (first, last) = (&all[way[0]], &all[way[way.len() - 1]]);
            if first.from == last.to {
                let links: Vec<&Link> = way.iter().map(|&at| &all[at]).collect();
                found.extend(through(store, &links));
                continue;
            }
            let is_new = |link: &Link| {
                link.to >= first.from && way.iter().all(|&at| all[at].from != link.from)
            };
            if length < ACCEL_MAX_LENGTH.size() && last.to > first.from {
                let next = (0..all.len()).filter(|&at| all[at].from == last.to && is_new(&all[at]));
                longer.extend(next.map(|at| [&way[..], &[at]].concat()));
            }
        }
        longer.truncate(ACCEL_MAX_WAYS.size());
        ways = longer;
    }
    Ok(found)
}

/// The clause that a piece of a closure is.
fn clause(horn: &Horn, store: &mut Store, of: &Loop, formula: TermId) -> Clause {
    let pred = of.pred;
    let atom = store.mk(Op::Apply(horn.pred(pred).func), &of.relation.pre);
    let body = store.and(&[atom, formula]);
    let roots: Vec<TermId> = [&[body][..], &of.relation.post].concat();
    let vars = store.free_vars(&roots);
    let head = Head::Atom(pred, of.relation.post.clone());
    Clause { vars, body, head, name: None, span: Span::NONE }
}

impl Accelerated {
    /// The derivation without the clauses that were added.
    fn derivation(&self, derivation: &Derivation, ctx: &mut Ctx<'_>) -> Result<Derivation, Stop> {
        let mut store = self.store.clone();
        let mut steps: Vec<Step> = Vec::with_capacity(derivation.steps.len());
        let mut places: Vec<usize> = Vec::with_capacity(derivation.steps.len());
        for step in &derivation.steps {
            let mut step = step.clone();
            for premise in &mut step.premises {
                *premise = *places.get(*premise).ok_or_else(lost)?;
            }
            match step.clause.index().checked_sub(self.before.clauses.len()) {
                None => steps.push(step),
                Some(at) => self.told(&self.added[at], &step, &mut store, &mut steps, ctx)?,
            }
            places.push(steps.len() - 1);
        }
        Ok(Derivation::of(steps))
    }

    /// Appends the steps that a step by an added clause stands for.
    fn told(
        &self,
        added: &Added,
        step: &Step,
        store: &mut Store,
        steps: &mut Vec<Step>,
        ctx: &mut Ctx<'_>,
    ) -> Result<(), Stop> {
        let Added { of, closure, piece } = added;
        let mut scratch = store.clone();
        let vars = clause(&self.before, &mut scratch, of, closure.pieces[*piece].formula).vars;
        let mut model = Model::new();
        for (&var, value) in vars.iter().zip(&step.values) {
            model.set(var, value.clone());
        }
        let state = |vars: &[TermId]| -> Option<Vec<Value>> {
            vars.iter().map(|var| model.vars.get(var).cloned()).collect()
        };
        let from = state(&of.relation.pre).ok_or_else(lost)?;
        let to = state(&of.relation.post).ok_or_else(lost)?;
        let count = match model.vars.get(&closure.pieces[*piece].count) {
            Some(Value::Int(count)) => count.clone(),
            _ => return Err(lost().into()),
        };
        let rounds = closure.rounds(*piece, &count);
        Way { store, of, closure }.append(&from, &to, &rounds, &step.premises, steps, ctx)
    }
}
