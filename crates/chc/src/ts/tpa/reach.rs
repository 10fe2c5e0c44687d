//! Whether states are some steps away from others, by halving.
//!
//! A question at a level is put to two relations of the level below in a row. If they do not allow it,
//! an interpolant that is implied by them is a conjunct of the level's relation. If they do, the states
//! in the middle of the model, generalized by projection, are the goal of the first half; those of
//! them that are really reached are the start of the second. A half that fails has made its relation
//! stronger, and the question is put again.
//!
//! Invariant: each state of a node's region is as many steps away from some state of its start as the
//! node says.

use super::region::{Region, project_to};
use super::relations::{Kind, Relations};
use crate::settings::{TPA_INTERPOLATION, TPA_ROUNDS};
use crate::ts::System;
use alphorn_engine::{Ctx, Stop};
use alphorn_horn::ask::ask;
use alphorn_smt::interpolate::{InterpolationOptions, Strength, binary};
use alphorn_smt::{Answer, Budget, Fuel};
use alphorn_term::{Model, Store, TermId, eval};
use rustc_hash::FxHashSet;

/// Ticks for an interpolant.
const TICKS: u64 = 500;

/// The number of a node.
pub(super) type Id = usize;

/// How states were reached.
pub(super) enum Way {
    /// They are states of the start.
    Same,
    /// By one step from the start.
    Step(Region),
    /// By two nodes, the second of which starts where the first ends.
    Both(Id, Id),
}

/// States that were reached.
pub(super) struct Node {
    pub(super) way: Way,
    pub(super) region: Region,
}

/// The relations and what was reached.
pub(super) struct Reach<'a> {
    pub(super) system: &'a System,
    pub(super) store: Store,
    pub(super) relations: Relations<'a>,
    pub(super) nodes: Vec<Node>,
    /// How much was known of each level when it was last tried whether it is closed.
    pub(super) tried: Vec<usize>,
    interpolants: usize,
    questions: usize,
}

impl<'a> Reach<'a> {
    /// Nothing is known.
    pub(super) fn new(system: &'a System, mut store: Store) -> Reach<'a> {
        let relations = Relations::new(&mut store, system);
        let (nodes, tried) = (Vec::new(), Vec::new());
        Reach { system, store, relations, nodes, tried, interpolants: 0, questions: 0 }
    }

    /// The initial states.
    pub(super) fn start(&self) -> Region {
        let is_plain = self.system.init_inputs.is_empty();
        Region { formulas: vec![self.system.init], is_plain }
    }

    /// The bad states.
    pub(super) fn goal(&self) -> Region {
        let is_plain = self.system.bad_inputs.is_empty();
        Region { formulas: vec![self.system.bad], is_plain }
    }

    /// Adds a level.
    pub(super) fn add_level(&mut self) {
        self.relations.add_level(&mut self.store);
    }

    /// How far the search is, in words.
    pub(super) fn describe(&self) -> String {
        format!(
            "level {}: {} interpolants, {} regions, {} questions",
            self.relations.levels.len() - 1,
            self.interpolants,
            self.nodes.len(),
            self.questions
        )
    }

    /// States of the goal that are 2^level steps away from the start, or fewer, as the kind of relation
    /// says; none if there are none.
    pub(super) fn reach(
        &mut self,
        kind: Kind,
        level: usize,
        start: &Region,
        goal: &Region,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Id>, Stop> {
        loop {
            let Some(model) = self.ask(level, kind, start, goal, ctx)? else { return Ok(None) };
            if kind == Kind::Within && level > 0 && self.is_short(&model) {
                if let Some(node) = self.reach(kind, level - 1, start, goal, ctx)? {
                    return Ok(Some(node));
                }
                continue;
            }
            let mut formulas = match (kind, level.checked_sub(1)) {
                (Kind::Exact, None) => vec![self.system.trans],
                (Kind::Within, None) => self.relations.levels[0].within.clone(),
                (Kind::Exact, Some(half)) => {
                    self.relations.exact_after_exact(&mut self.store, half)
                }
                (Kind::Within, Some(half)) => self.relations.within_twice(&mut self.store, half),
            };
            formulas.extend(&start.formulas);
            formulas.extend(goal.next(&mut self.store, self.system));
            if level == 0 {
                let region = self.region(&formulas, &self.system.next, model)?;
                let way = match kind {
                    Kind::Exact => Way::Step(start.clone()),
                    Kind::Within => Way::Same,
                };
                return Ok(Some(self.node(way, region)));
            }
            // The first half always has its full length.
            let middle = self.middle(&formulas, model)?;
            let first = self.reach(Kind::Exact, level - 1, start, &middle, ctx)?;
            let Some(first) = first else { continue };
            let reached = self.nodes[first].region.clone();
            if let Some(second) = self.reach(kind, level - 1, &reached, goal, ctx)? {
                let region = self.nodes[second].region.clone();
                return Ok(Some(self.node(Way::Both(first, second), region)));
            }
        }
    }

    /// Whether a model takes the shorter of the two ways that a relation for fewer steps has.
    fn is_short(&self, model: &Model) -> bool {
        let is_short = eval(&self.store, self.relations.is_short, model);
        is_short.is_ok_and(|value| value.as_bool() == Some(true))
    }

    fn node(&mut self, way: Way, region: Region) -> Id {
        self.nodes.push(Node { way, region });
        self.nodes.len() - 1
    }

    /// The states `at` of a model of the formulas, and similar ones.
    fn region(&mut self, formulas: &[TermId], at: &[TermId], model: Model) -> Result<Region, Stop> {
        let literals = project_to(&mut self.store, formulas, at, model)?;
        let rename = |&literal: &TermId| self.store.rename(literal, at, &self.system.state);
        Ok(Region { formulas: literals.iter().map(rename).collect(), is_plain: true })
    }

    fn middle(&mut self, formulas: &[TermId], model: Model) -> Result<Region, Stop> {
        let middle = self.relations.middle.clone();
        self.region(formulas, &middle, model)
    }

    /// A model of two relations below a level between states of the start and the goal; if there is
    /// none, the level's relation is made stronger.
    fn ask(
        &mut self,
        level: usize,
        kind: Kind,
        start: &Region,
        goal: &Region,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Model>, Stop> {
        ctx.tick(1)?;
        self.questions += 1;
        self.relations.count_question(&mut self.store, level);
        let ends = goal.next(&mut self.store, self.system);
        let assumptions: Vec<TermId> = start.formulas.iter().chain(&ends).copied().collect();
        let here = &mut self.relations.levels[level];
        let smt = match kind {
            Kind::Exact => &mut here.twice,
            Kind::Within => &mut here.up_to,
        };
        match ask(smt, &mut self.store, &assumptions, ctx)? {
            Answer::Sat => return Ok(Some(smt.model(&self.store))),
            Answer::Unknown => return Err(Stop::Stuck("a question is too hard".to_owned())),
            Answer::Unsat => {}
        }
        // The relations of level 0 are what they are.
        if level > 0 {
            let failed: FxHashSet<TermId> = smt.failed().into_iter().collect();
            let needed: Vec<TermId> =
                assumptions.into_iter().filter(|term| failed.contains(term)).collect();
            let is_plain = start.is_plain && goal.is_plain;
            let conjunct = self.interpolant(level, kind, &needed, is_plain, ctx)?;
            self.relations.strengthen(&mut self.store, level, kind, conjunct);
        }
        Ok(None)
    }

    /// What two relations below a level imply and the ends contradict.
    fn interpolant(
        &mut self,
        level: usize,
        kind: Kind,
        ends: &[TermId],
        is_plain: bool,
        ctx: &mut Ctx<'_>,
    ) -> Result<TermId, Stop> {
        ctx.tick(TICKS)?;
        self.interpolants += 1;
        let inside = match kind {
            Kind::Exact => self.relations.exact_after_exact(&mut self.store, level - 1),
            Kind::Within => self.relations.within_twice(&mut self.store, level - 1),
        };
        let inside = self.store.and(&inside);
        let outside = self.store.and(ends);
        let budget = Budget { ticks: Some(TPA_INTERPOLATION.get()), ..Budget::default() };
        let options = InterpolationOptions {
            strength: Strength::Weak,
            budget,
            fuel: Some(Fuel::new(2 * TPA_INTERPOLATION.get())),
            rounds: TPA_ROUNDS.size(),
            ..InterpolationOptions::default()
        };
        match binary(&mut self.store, inside, outside, &options).interpolants() {
            Some(interpolants) => Ok(interpolants[0]),
            // The ends themselves exclude nothing else, but they exclude this question.
            None if is_plain => Ok(self.store.not(outside)),
            None => Err(Stop::Stuck("there is no interpolant".to_owned())),
        }
    }
}
