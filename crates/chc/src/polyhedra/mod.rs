//! Convex hulls of what clauses derive, apart for each control state.
//!
//! Where control is finite and numbers are moved and added, what holds of the numbers at each control state is often
//! convex, with coefficients and sums that no template has: that what two threads computed together never exceeds
//! what each would have by then. Clauses are applied to polyhedra, one for each state of the control (`places`,
//! `rule`), round by round; hulls that go on growing are widened, and once nothing grows they are taken back as far as
//! the clauses allow. If the hulls exclude the queries, few of their rows do (`needed`), and these are the model.
//!
//! After Cousot, Halbwachs, "Automatic discovery of linear restraints among variables of a program" (POPL 1978), with
//! the places of Rival, Mauborgne, "The trace partitioning abstract domain" (TOPLAS 2007).
//!
//! - `cone`, `polyhedron`: the double description
//! - `places`: control and hulls; `rule`, `instances`: what a clause concludes
//! - `needed`: rows that are enough
//!
//! Invariant: what is claimed is a candidate like any other; it is proved of all clauses before it counts.

mod cone;
mod instances;
mod needed;
mod places;
mod polyhedron;
mod rule;
#[cfg(test)]
mod tests;

use crate::settings::{
    POLYHEDRA_DELAY, POLYHEDRA_MAX_CHOICES, POLYHEDRA_MAX_PLACES, POLYHEDRA_STAGES,
};
use alphorn_engine::{Card, Ctx, Engine, Event, Stop};
use alphorn_horn::readable::Names;
use alphorn_horn::transform::System;
use alphorn_problem::evidence::horn::{Definition, HornClaim};
use alphorn_problem::{Finding, Horn};
use alphorn_term::{SortId, Store, TermId};
use instances::Input;
use needed::Needed;
use places::{Key, Layout, Places};
use rule::{BodyAt, Choice, Growth, Rule};
use std::collections::BTreeSet;

/// Registry entry.
pub const CARD: Card<Horn> = Card {
    name: "polyhedra",
    about: "computes convex hulls of what is derived, for each control state [CH78]",
    proves: true,
    refutes: false,
    build: || Box::new(Polyhedra),
};

struct Polyhedra;

impl Engine<Horn> for Polyhedra {
    fn run(&mut self, horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Finding<Horn>, Stop> {
        let mut search = Search::of(horn)?;
        let mut delay = POLYHEDRA_DELAY.get();
        for _ in 0..POLYHEDRA_STAGES.short() {
            search.explore(delay, ctx)?;
            if search.excludes_queries(ctx)? {
                return Ok(Finding::Holds(search.claim(horn, ctx)?));
            }
            if !search.is_widened {
                break;
            }
            delay = delay.saturating_mul(8);
        }
        Err(Stop::Stuck("convex hulls do not exclude the queries".to_owned()))
    }
}

/// What is known of a system.
struct Search {
    store: Store,
    rules: Vec<Rule>,
    sorts: Vec<Vec<SortId>>,
    layouts: Vec<Layout>,
    places: Vec<Places>,
    /// Whether a hull was widened.
    is_widened: bool,
}

/// Places of each predicate.
type Marked = Vec<BTreeSet<Key>>;

impl Search {
    fn of(horn: &Horn) -> Result<Search, Stop> {
        let (system, mut store) = (System::of(horn), horn.terms.clone());
        let sorts: Vec<Vec<SortId>> =
            horn.pred_ids().map(|pred| system.sorts(&store, pred)).collect();
        if !sorts.iter().flatten().any(|sort| sort.is_arithmetic()) {
            return Err(Stop::Unsupported("no predicate speaks of numbers".to_owned()));
        }
        let mut rules = Vec::with_capacity(horn.clauses.len());
        for clause in &horn.clauses {
            rules.extend(Rule::of(horn, clause, &mut store)?);
        }
        let layouts = sorts.iter().map(|sorts| Layout::new(sorts)).collect();
        let places = vec![Places::new(); sorts.len()];
        Ok(Search { store, rules, sorts, layouts, places, is_widened: false })
    }

    /// Computes places that all clauses keep, with hulls that are widened after so many growths.
    fn explore(&mut self, delay: u64, ctx: &mut Ctx<'_>) -> Result<(), Stop> {
        while let Some((pred, arg)) = self.saturate(delay, ctx)? {
            self.layouts[pred].demote(arg);
        }
        let count: usize = self.places.iter().map(Places::len).sum();
        ctx.emit(Event::Remark(format!("hulls at {count} places")));
        if self.is_widened && !self.excludes_queries(ctx)? {
            self.narrow(ctx)?;
        }
        Ok(())
    }

    /// Applies clauses until nothing grows; or finds an argument that is no control.
    fn saturate(&mut self, delay: u64, ctx: &mut Ctx<'_>) -> Result<Option<(usize, usize)>, Stop> {
        self.places = vec![Places::new(); self.sorts.len()];
        self.layouts.iter_mut().for_each(Layout::forget);
        self.is_widened = false;
        let mut last: Option<Marked> = None;
        for round in 0.. {
            let mut grown: Marked = vec![BTreeSet::new(); self.sorts.len()];
            for at in 0..self.rules.len() {
                let Some((pred, _)) = self.rules[at].head else { continue };
                for choice in choices(&self.rules[at], &self.places, last.as_ref())? {
                    let growth = Growth { round, delay };
                    let (body, inputs) = self.body_at(at, &choice);
                    let target = (&mut self.layouts[pred], &mut self.places[pred]);
                    let rule = &self.rules[at];
                    let found =
                        rule.conclude(&mut self.store, (&body, &inputs), target, growth, ctx)?;
                    if let Some(arg) = found.demoted {
                        return Ok(Some((pred, arg)));
                    }
                    self.is_widened |= found.is_widened;
                    grown[pred].extend(found.grown);
                    if self.places[pred].len() > POLYHEDRA_MAX_PLACES.size() {
                        let widest = self.layouts[pred].widest(&self.sorts[pred]);
                        let too_many = || Stop::Stuck("there are too many places".to_owned());
                        return widest.map(|arg| Some((pred, arg))).ok_or_else(too_many);
                    }
                }
            }
            if grown.iter().all(BTreeSet::is_empty) {
                return Ok(None);
            }
            if !self.is_widened && !self.excludes_queries_from(Some(&grown), ctx)? {
                return Err(Stop::Stuck("convex hulls do not exclude the queries".to_owned()));
            }
            last = Some(grown);
        }
        Ok(None)
    }

    /// Computes hulls anew from what is known, without widening: the clauses keep these, too.
    fn narrow(&mut self, ctx: &mut Ctx<'_>) -> Result<(), Stop> {
        for _ in 0..2 {
            let mut places = vec![Places::new(); self.sorts.len()];
            for at in 0..self.rules.len() {
                let Some((pred, _)) = self.rules[at].head else { continue };
                for choice in choices(&self.rules[at], &self.places, None)? {
                    let growth = Growth { round: 0, delay: u64::MAX };
                    let (body, inputs) = self.body_at(at, &choice);
                    let target = (&mut self.layouts[pred], &mut places[pred]);
                    let rule = &self.rules[at];
                    let found =
                        rule.conclude(&mut self.store, (&body, &inputs), target, growth, ctx)?;
                    if found.demoted.is_some() {
                        return Ok(());
                    }
                }
            }
            self.places = places;
        }
        Ok(())
    }

    fn excludes_queries(&mut self, ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
        self.excludes_queries_from(None, ctx)
    }

    /// Whether no query can be answered with places of which one is marked, if some are.
    fn excludes_queries_from(
        &mut self,
        marked: Option<&Marked>,
        ctx: &mut Ctx<'_>,
    ) -> Result<bool, Stop> {
        for at in 0..self.rules.len() {
            if self.rules[at].head.is_some() {
                continue;
            }
            for choice in choices(&self.rules[at], &self.places, marked)? {
                let (body, inputs) = self.body_at(at, &choice);
                if self.rules[at].is_possible(&mut self.store, (&body, &inputs), ctx)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    fn body_at(&mut self, rule: usize, choice: &Choice) -> (BodyAt, Vec<Option<Input>>) {
        let (known, rule) = ((&self.layouts[..], &self.places[..]), &self.rules[rule]);
        let inputs = rule.inputs(known, choice);
        (rule.body_at(&mut self.store, known, choice), inputs)
    }

    /// The claim that what is needed of the hulls is a model.
    fn claim(&mut self, horn: &Horn, ctx: &mut Ctx<'_>) -> Result<HornClaim, Stop> {
        let needed = Needed::of(self, ctx)?;
        ctx.emit(Event::Remark(format!("{} rows are needed", needed.count())));
        let (names, mut terms) = (Names::of(horn), self.store.clone());
        let mut preds = Vec::with_capacity(horn.preds.len());
        for pred in horn.pred_ids() {
            let params = names.parameters(&mut terms, pred);
            let (layout, places) = (&self.layouts[pred.index()], &self.places[pred.index()]);
            let mut ways = Vec::with_capacity(places.len());
            for key in places.keys() {
                let mut parts = vec![layout.at(&mut terms, &params, key)];
                let rows = needed.of_place(pred.index(), key);
                parts.extend(rows.map(|row| layout.says(&mut terms, &params, row)));
                ways.push(terms.and(&parts));
            }
            preds.push(Definition { body: terms.or(&ways), params });
        }
        Ok(HornClaim::of(terms, preds))
    }
}

/// The choices of places for a rule's atoms; of those with marked places only, if some are.
fn choices(rule: &Rule, places: &[Places], marked: Option<&Marked>) -> Result<Vec<Choice>, Stop> {
    let mut all: Vec<(Choice, bool)> = vec![(Vec::new(), false)];
    for atom in &rule.body.atoms {
        let is_marked = |key: &Key| marked.is_some_and(|it| it[atom.pred].contains(key));
        let mut options: Vec<(Option<Key>, bool)> = Vec::new();
        options.extend(places[atom.pred].keys().map(|key| (Some(key.clone()), is_marked(key))));
        if atom.used != TermId::TRUE {
            options.push((None, false));
        }
        if all.len().saturating_mul(options.len()) > POLYHEDRA_MAX_CHOICES.size() {
            return Err(Stop::Stuck("there are too many choices of places".to_owned()));
        }
        let mut next = Vec::with_capacity(all.len() * options.len());
        for (choice, is_new) in &all {
            for (key, is_marked) in &options {
                let mut choice = choice.clone();
                choice.push(key.clone());
                next.push((choice, *is_new || *is_marked));
            }
        }
        all = next;
    }
    let all = all.into_iter().filter(|(_, is_new)| marked.is_none() || *is_new);
    Ok(all.map(|(choice, _)| choice).collect())
}
