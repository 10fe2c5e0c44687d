//! The unwinding, and where it grows.
//!
//! A *candidate* is a rule with instances for its atoms. Candidates wait in a queue, queries first;
//! one is taken up if its instances are uncovered and if it derives something that the uncovered
//! instances of its head do not allow. When the queue is empty, an uncovered instance is *expanded*:
//! it and the latest expanded instances of other predicates make candidates. When there is none
//! left to expand, all clauses are looked at; a clause that fails says by its countermodel which
//! instances make it fail, and there the unwinding grows. If none fails, there is a model.
//!
//! Invariant: instances are numbered in the order in which they are made, children first; the
//! annotations solve the unwinding with all queries that were taken up.

use super::Options;
use super::{BoundedSolver, clauses::Clauses};
use crate::la::annotation::{NodeId, Way};
use crate::la::bounded::{Bounded, Outcome};
use crate::la::mark::Switches;
use crate::la::position::PositionId;
use crate::settings::{DUALITY_CONVERGES, DUALITY_MAX_FOR_A_RULE};
use alphorn_engine::{Ctx, Event, Stop};
use alphorn_problem::evidence::horn::HornClaim;
use alphorn_problem::{Finding, Horn};
use std::collections::VecDeque;

/// Instances between two remarks.
const REMARK_EVERY: usize = 20;

/// What the unwinding knows of an instance.
#[derive(Clone, Debug, Default)]
pub(super) struct Instance {
    /// The instance that covers it.
    pub(super) covered_by: Option<NodeId>,
    /// Whether it has made candidates.
    pub(super) is_expanded: bool,
    /// The length of the longest chain of rules that derives it.
    pub(super) height: u64,
}

/// The state of the engine.
pub(super) struct Unwinding<'a> {
    pub(super) options: Options,
    pub(super) bounded: Bounded<'a>,
    pub(super) instances: Vec<Instance>,
    /// Whether each instance, or one that it depends on, is covered.
    pub(super) is_covered: Vec<bool>,
    pub(super) clauses: Clauses,
    /// The latest two expanded instances of each predicate, the latest last.
    latest: Vec<Vec<NodeId>>,
    queries: VecDeque<Way>,
    rules: VecDeque<Way>,
    /// How many questions a forced covering may take, by predicate.
    pub(super) patience: Vec<u64>,
    pub(super) coverings: u64,
    pub(super) forced: u64,
    /// How many instances are expanded, and at how many of them lemmas are tried as invariants.
    expanded: usize,
    next_convergence: usize,
}

impl<'a> Unwinding<'a> {
    /// An unwinding without instances.
    pub(super) fn new(horn: &'a Horn, options: Options) -> Result<Unwinding<'a>, Stop> {
        let localisation = options.localisation;
        let switches = Switches { localisation, ..options.mark.switches() };
        let mut bounded = Bounded::new(horn, switches)?;
        let clauses = Clauses::new(&mut bounded);
        let latest = vec![Vec::new(); bounded.system.params.len()];
        let patience = vec![options.forced_questions; latest.len()];
        let mut unwinding = Unwinding {
            options,
            bounded,
            instances: Vec::new(),
            is_covered: Vec::new(),
            clauses,
            latest,
            queries: VecDeque::new(),
            rules: VecDeque::new(),
            patience,
            coverings: 0,
            forced: 0,
            expanded: 0,
            next_convergence: DUALITY_CONVERGES.size(),
        };
        for rule in 0..unwinding.bounded.system.rules.len() {
            let atoms = &unwinding.bounded.system.rules[rule].atoms;
            if atoms.iter().all(|atom| atom.used != alphorn_term::TermId::TRUE) {
                let children = vec![None; atoms.len()];
                unwinding.enqueue(Way { rule, children });
            }
        }
        Ok(unwinding)
    }

    /// Unwinds until a query is derived, or no clause leads out of the uncovered instances.
    pub(super) fn run(&mut self, ctx: &mut Ctx<'_>) -> Result<Option<Finding<Horn>>, Stop> {
        loop {
            ctx.tick(1)?;
            if let Some(query) = self.queries.pop_front() {
                if let Some(finding) = self.take_query(&query, ctx)? {
                    return Ok(Some(finding));
                }
            } else if let Some(way) = self.rules.pop_front() {
                self.take_rule(way, ctx)?;
            } else if let Some(instance) = self.next_unexpanded() {
                if !self.force(instance, ctx)? {
                    self.expand(instance);
                    if let Some(finding) = self.converge(ctx)? {
                        return Ok(Some(finding));
                    }
                }
            } else if let Some(way) = self.failing_clause(ctx)? {
                match self.bounded.system.rules[way.rule].head {
                    Some(_) => self.add(way, ctx),
                    None => self.queries.push_back(way),
                }
            } else {
                self.tell(ctx);
                return Ok(None);
            }
        }
    }

    /// The model that some of all lemmas are, if they are one; looked for now and then. Lemmas that hold
    /// without being one are told to other engines.
    fn converge(&mut self, ctx: &mut Ctx<'_>) -> Result<Option<Finding<Horn>>, Stop> {
        self.expanded += 1;
        if self.expanded < self.next_convergence {
            return Ok(None);
        }
        self.next_convergence = 2 * self.expanded;
        let Some(definitions) = self.bounded.converge(ctx)? else { return Ok(None) };
        let claim = HornClaim::of(self.bounded.store.clone(), definitions);
        Ok(Some(Finding::Holds(claim)))
    }

    fn enqueue(&mut self, way: Way) {
        match self.bounded.system.rules[way.rule].head {
            Some(_) => self.rules.push_back(way),
            None => self.queries.push_back(way),
        }
    }

    /// Whether all instances of a candidate are uncovered.
    fn is_open(&self, way: &Way) -> bool {
        way.children.iter().flatten().all(|&child| !self.is_covered[child])
    }

    /// Excludes a query at the instances of a candidate, or derives it.
    fn take_query(
        &mut self,
        query: &Way,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Finding<Horn>>, Stop> {
        if !self.is_open(query) {
            return Ok(None);
        }
        let Bounded { positions, store, system, .. } = &mut self.bounded;
        let root = positions.of_query(store, system, query.rule);
        match self.solve(root, &query.children, u64::MAX, ctx)? {
            Outcome::Derived(derivation) => return Ok(Some(Finding::Fails(derivation))),
            Outcome::Refuted => {}
            Outcome::Open => {
                let text = "a query could be neither derived nor excluded at some instances";
                return Err(Stop::Stuck(text.to_owned()));
            }
        }
        self.cover(ctx)?;
        Ok(None)
    }

    /// Solves a bounded problem.
    pub(super) fn solve(
        &mut self,
        root: PositionId,
        children: &[Option<NodeId>],
        questions: u64,
        ctx: &mut Ctx<'_>,
    ) -> Result<Outcome, Stop> {
        let goal = self.bounded.begin(root, children);
        match self.options.bounded {
            BoundedSolver::WholeTree => self.bounded.solve_whole(goal, questions, ctx),
            BoundedSolver::LazyAnnotation => self.bounded.search(goal, questions, ctx),
        }
    }

    /// Adds an instance for a candidate that derives something else than what is there.
    fn take_rule(&mut self, way: Way, ctx: &mut Ctx<'_>) -> Result<(), Stop> {
        if self.is_open(&way) && self.leads_out(&way, ctx)? {
            self.add(way, ctx);
        }
        Ok(())
    }

    /// Adds an instance.
    fn add(&mut self, way: Way, ctx: &mut Ctx<'_>) {
        let Some((pred, _)) = self.bounded.system.rules[way.rule].head else { return };
        let below = way.children.iter().flatten().map(|&child| self.instances[child].height);
        let height = 1 + below.max().unwrap_or(0);
        self.bounded.add_node(pred, vec![way]);
        self.instances.push(Instance { height, ..Instance::default() });
        self.is_covered.push(false);
        if self.instances.len().is_multiple_of(REMARK_EVERY) {
            self.tell(ctx);
        }
    }

    /// The first instance that is neither covered nor expanded.
    fn next_unexpanded(&self) -> Option<NodeId> {
        (0..self.instances.len())
            .find(|&id| !self.is_covered[id] && !self.instances[id].is_expanded)
    }

    /// Makes candidates with an instance and the latest expanded instances of all predicates.
    fn expand(&mut self, instance: NodeId) {
        self.instances[instance].is_expanded = true;
        let pred = self.bounded.nodes[instance].pred;
        let latest = &mut self.latest[pred];
        latest.push(instance);
        if latest.len() > 2 {
            latest.remove(0);
        }
        for number in self.bounded.system.users_of[pred].clone() {
            for children in self.choices(number, instance) {
                self.enqueue(Way { rule: number, children });
            }
        }
    }

    /// The vectors of instances for a rule's atoms in which an instance occurs.
    fn choices(&self, rule: usize, instance: NodeId) -> Vec<Vec<Option<NodeId>>> {
        let pred = self.bounded.nodes[instance].pred;
        let mut found: Vec<Vec<Option<NodeId>>> = vec![Vec::new()];
        for atom in &self.bounded.system.rules[rule].atoms {
            let known = self.latest[atom.pred].iter().rev().filter(|&&id| !self.is_covered[id]);
            let count = if atom.pred == pred { 2 } else { 1 };
            let mut options: Vec<Option<NodeId>> = known.take(count).map(|&id| Some(id)).collect();
            if options.is_empty() && atom.used != alphorn_term::TermId::TRUE {
                options.push(None);
            }
            let longer = options.iter().flat_map(|&option| {
                found.iter().map(move |vector| {
                    let mut vector = vector.clone();
                    vector.push(option);
                    vector
                })
            });
            found = longer.take(2 * DUALITY_MAX_FOR_A_RULE.size()).collect();
        }
        found.retain(|vector| vector.contains(&Some(instance)));
        found.truncate(DUALITY_MAX_FOR_A_RULE.size());
        found
    }

    /// Says how far the unwinding is.
    fn tell(&self, ctx: &mut Ctx<'_>) {
        let uncovered = self.is_covered.iter().filter(|&&covered| !covered).count();
        let waiting = self.queries.len() + self.rules.len();
        let seen = self.instances.len() as u64;
        ctx.emit(Event::Explored { seen, waiting: waiting as u64 });
        let height = self.instances.iter().map(|instance| instance.height).max().unwrap_or(0);
        let counts = &self.bounded.counts;
        ctx.emit(Event::Remark(format!(
            "{seen} instances of which {uncovered} are uncovered, height {height}, {} coverings, \
             {} forced, {counts}",
            self.coverings, self.forced
        )));
    }
}
