//! The state of a bounded search: instances with annotations, positions, and one solver.
//!
//! The solver is never told to forget: rules, lemmas and decisions are assumptions of single
//! questions. It is replaced by an empty one between goals when it has met too many formulas.

use super::annotation::{Entailments, Node, NodeId};
use super::derivation::Fact;
use super::goal::{Goal, ROOT};
use super::locality::Locality;
use super::mark::Switches;
use super::position::{PositionId, Positions};
use super::system::{Pred, System};
use super::templates::Templates;
use crate::settings::LA_MAX_FORMULAS;
use alphorn_engine::{Ctx, Stop};
use alphorn_horn::ask::ask;
use alphorn_problem::Horn;
use alphorn_problem::evidence::horn::Derivation;
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{Model, Store, TermId};
use rustc_hash::FxHashSet;
use std::fmt;

/// What a bounded search found.
pub(crate) enum Outcome {
    /// The goal is derived; the derivation is of its query, or of what its root needs.
    Derived(Derivation),
    /// The annotations exclude the goal.
    Refuted,
    /// The limit of questions was reached, or one was too hard.
    Open,
}

/// What was done, for remarks.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Counts {
    /// Questions to the solver about goals.
    pub(crate) questions: u64,
    /// Leaves that were resolved.
    pub(crate) resolutions: u64,
    /// Interpolation problems.
    pub(crate) interpolants: u64,
    /// Strengthened annotations.
    pub(crate) lemmas: u64,
    /// Resolutions that were left without learning.
    pub(crate) jumps: u64,
    /// Lemmas that were propagated.
    pub(crate) propagated: u64,
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counts { questions, resolutions, interpolants, lemmas, jumps, propagated } = self;
        write!(
            f,
            "{resolutions} resolutions, {questions} questions, {interpolants} interpolants, "
        )?;
        write!(f, "{lemmas} strengthenings, {jumps} jumps, {propagated} propagated")
    }
}

/// The state of a bounded search.
pub(crate) struct Bounded<'a> {
    pub(crate) horn: &'a Horn,
    pub(crate) store: Store,
    pub(crate) system: System,
    pub(crate) positions: Positions,
    /// The instances; children come before those that need them.
    pub(crate) nodes: Vec<Node>,
    /// Instances whose annotation was strengthened since somebody looked.
    pub(crate) changed: Vec<NodeId>,
    pub(crate) entailments: Entailments,
    pub(crate) switches: Switches,
    /// How relevant each rule was; lower after resolutions that led to nothing.
    pub(crate) scores: Vec<i64>,
    pub(crate) counts: Counts,
    /// Lemmas that were tried on an instance, and how much was known below it.
    pub(crate) tried: rustc_hash::FxHashMap<(NodeId, TermId), u32>,
    /// What was derived.
    pub(super) facts: Vec<Fact>,
    /// What other engines were told.
    pub(super) told: FxHashSet<(Pred, TermId)>,
    pub(super) templates: Templates,
    pub(super) locality: Locality,
    pub(crate) smt: Smt,
    given: FxHashSet<TermId>,
}

impl<'a> Bounded<'a> {
    /// A search without instances.
    pub(crate) fn new(horn: &'a Horn, switches: Switches) -> Result<Bounded<'a>, Stop> {
        let mut store = horn.terms.clone();
        let system = System::new(horn, &mut store)?;
        let scores = vec![0; system.rules.len()];
        let locality = Locality::new(&store, &system, switches.localisation);
        Ok(Bounded {
            horn,
            store,
            system,
            positions: Positions::default(),
            nodes: Vec::new(),
            changed: Vec::new(),
            entailments: Entailments::default(),
            switches,
            scores,
            counts: Counts::default(),
            tried: rustc_hash::FxHashMap::default(),
            facts: Vec::new(),
            told: FxHashSet::default(),
            templates: Templates::default(),
            locality,
            smt: Smt::new(Options::default()),
            given: FxHashSet::default(),
        })
    }

    /// Begins a goal.
    pub(crate) fn begin(&mut self, root: PositionId, children: &[Option<NodeId>]) -> Goal {
        if self.given.len() > LA_MAX_FORMULAS.size() {
            self.given.clear();
            self.smt = Smt::new(Options::default());
        }
        Goal::new(root, children)
    }

    /// Whether formulas have a model.
    pub(crate) fn check(&mut self, formulas: &[TermId], ctx: &mut Ctx<'_>) -> Result<Answer, Stop> {
        self.given.extend(formulas);
        self.counts.questions += 1;
        ask(&mut self.smt, &mut self.store, formulas, ctx)
    }

    /// The model that the last check found.
    pub(crate) fn model(&self) -> Model {
        self.smt.model(&self.store)
    }

    /// The values, in the model that the last check found, of the flags of a goal and of the
    /// variables of a vertex's rule.
    pub(crate) fn model_at(&self, goal: &Goal, vertex: usize) -> Model {
        let mut vars: Vec<TermId> = Vec::new();
        for it in &goal.vertices {
            let slots = it.position.iter().flat_map(|&at| &self.positions.at(at).slots);
            vars.extend(slots.map(|slot| slot.flag).filter(|&flag| flag != TermId::TRUE));
        }
        if let Some(position) = goal.vertices[vertex].position {
            vars.extend(&self.positions.at(position).vars);
        }
        self.smt.model_of(&self.store, &vars)
    }

    /// Resolves a leaf with the way of its instance.
    pub(crate) fn resolve(&mut self, goal: &mut Goal, vertex: usize, way: usize) {
        let it = &goal.vertices[vertex];
        let (Some((above, atom)), Some(node)) = (it.above, it.node) else { return };
        let Some(position) = goal.vertices[above].position else { return };
        debug_assert!(vertex != ROOT);
        let way = &self.nodes[node].ways[way];
        let below = self.positions.below(&mut self.store, &self.system, (position, atom), way.rule);
        goal.resolve(vertex, below, &way.children);
        self.counts.resolutions += 1;
    }
}
