//! The bounded problem solved as a whole: one formula for the derivation tree, one proof.
//!
//! The tree is partial. Leaves stay at their annotation until a model needs them; of those the
//! instances that were strengthened least are resolved first. A contradiction gives interpolants
//! for all vertices at once, and each is a lemma about the instance that its vertex derives.
//! Only what the contradiction needs goes into the proof; a vertex that it does not need has the
//! interpolant true.
//!
//! After McMillan, Rybalchenko, "Solving constrained Horn clauses using interpolation" (2013), sections
//! 3 and 4.6; this is Mark I of lazy annotation, with all steps in one proof.

use super::bounded::{Bounded, Outcome};
use super::goal::{Goal, ROOT};
use super::interpolants::interpolants;
use super::locality::Local;
use crate::settings::LA_WHOLE_CONFLICTS;
use alphorn_engine::{Ctx, Stop};
use alphorn_smt::Answer;
use alphorn_smt::interpolate::tree;
use alphorn_term::{Model, Substitution, TermId};
use rustc_hash::FxHashSet;

impl Bounded<'_> {
    /// Derives a goal or makes annotations exclude it, with at most so many questions.
    pub(crate) fn solve_whole(
        &mut self,
        mut goal: Goal,
        questions: u64,
        ctx: &mut Ctx<'_>,
    ) -> Result<Outcome, Stop> {
        for _ in 0..questions {
            let mut demands: Vec<TermId> = Vec::new();
            for vertex in 0..goal.vertices.len() {
                demands.extend(self.demands(&goal, vertex));
            }
            match self.check(&demands, ctx)? {
                Answer::Unknown => return Ok(Outcome::Open),
                Answer::Unsat => {
                    let learned = self.learn_tree(&goal, ctx)?;
                    return Ok(if learned { Outcome::Refuted } else { Outcome::Open });
                }
                Answer::Sat => {}
            }
            let model = self.model();
            let leaves = self.leaves_to_resolve(&goal, &model);
            match self.localise(&mut goal, &leaves, ctx)? {
                Local::Whole => {}
                Local::Wider => continue,
                Local::Unknown => return Ok(Outcome::Open),
            }
            let model = if leaves.is_empty() { self.model() } else { model };
            if leaves.is_empty() {
                return Ok(Outcome::Derived(self.derivation(&goal, model)?));
            }
            for leaf in leaves {
                self.resolve(&mut goal, leaf, 0);
            }
        }
        Ok(Outcome::Open)
    }

    /// Of the leaves that a model needs, those that are known least.
    fn leaves_to_resolve(&self, goal: &Goal, model: &Model) -> Vec<usize> {
        let needed = self.needed_leaves(goal, model);
        let known = |leaf: &usize| {
            goal.vertices[*leaf].node.map_or(0, |node| self.nodes[node].strengthened)
        };
        match needed.iter().map(known).min() {
            Some(0) => needed.into_iter().filter(|leaf| known(leaf) == 0).collect(),
            Some(least) => {
                needed.into_iter().find(|leaf| known(leaf) == least).into_iter().collect()
            }
            None => Vec::new(),
        }
    }

    /// Strengthens the annotations of a tree's instances, after a contradiction.
    fn learn_tree(&mut self, goal: &Goal, ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
        let core: FxHashSet<TermId> = self.smt.failed().into_iter().collect();
        let mut labels: Vec<TermId> = Vec::with_capacity(goal.vertices.len());
        for vertex in 0..goal.vertices.len() {
            let mut demands = self.demands(goal, vertex);
            demands.retain(|demand| core.contains(demand));
            labels.push(self.store.and(&demands));
        }
        let members = members(goal, &labels);
        let mut number = vec![None; labels.len()];
        for (place, &vertex) in members.iter().enumerate() {
            number[vertex] = Some(place as u32);
        }
        let formulas: Vec<TermId> = members.iter().map(|&vertex| labels[vertex]).collect();
        let parents: Vec<Option<u32>> = members
            .iter()
            .map(|&vertex| goal.vertices[vertex].above.and_then(|(above, _)| number[above]))
            .collect();
        self.counts.interpolants += 1;
        let store = &mut self.store;
        let found = interpolants(ctx, LA_WHOLE_CONFLICTS.get(), |options| {
            tree(store, &formulas, &parents, options)
        })?;
        let Some(found) = found else { return Ok(false) };
        for (&vertex, interpolant) in members.iter().zip(found) {
            let it = &goal.vertices[vertex];
            if let (Some(node), Some(_)) = (it.node, it.position) {
                let lemma = self.as_lemma(goal, vertex, interpolant);
                self.strengthen(node, lemma, ctx)?;
            }
        }
        Ok(true)
    }

    /// A formula over the arguments of a vertex's fact, over the parameters of its predicate.
    pub(crate) fn as_lemma(&mut self, goal: &Goal, vertex: usize, formula: TermId) -> TermId {
        let (Some(node), Some((args, flag))) =
            (goal.vertices[vertex].node, self.interface(goal, vertex))
        else {
            return formula;
        };
        let params = &self.system.params[self.nodes[node].pred];
        let mut map: Substitution = args.into_iter().zip(params.iter().copied()).collect();
        if flag != TermId::TRUE {
            map.insert(flag, TermId::TRUE);
        }
        self.store.substitute(formula, &map)
    }
}

/// The vertices that have something to say below or at them, and the root.
fn members(goal: &Goal, labels: &[TermId]) -> Vec<usize> {
    let mut speaks: Vec<bool> = labels.iter().map(|&label| label != TermId::TRUE).collect();
    speaks[ROOT] = true;
    for vertex in (0..labels.len()).rev() {
        if let (true, Some((above, _))) = (speaks[vertex], goal.vertices[vertex].above) {
            speaks[above] = true;
        }
    }
    (0..labels.len()).filter(|&vertex| speaks[vertex]).collect()
}
