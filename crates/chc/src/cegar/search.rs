//! The loop: abstract facts are derived until a query is, or nothing new can be.
//!
//! A query that is derived is a question to the refinement. If it is none, there are new predicates; edges
//! from whose rules one of them follows are taken away, with all that rests on them, and looked at again.

use super::clauses::Premise;
use super::domain::Domain;
use super::graph::{EdgeId, Graph, NodeId, Way};
use super::predicates::{PredicateId, Predicates};
use super::queue::Queue;
use super::refine::{Refine, Refined};
use super::unfolding::Abstraction;
use super::{Extent, Options};
use crate::la::system::Pred;
use alphorn_engine::{Ctx, Event, Stop};
use alphorn_problem::evidence::horn::Derivation;
use alphorn_problem::{Finding, Horn};
use alphorn_term::TermId;
use rustc_hash::FxHashSet;

/// The state of the engine.
pub(super) struct Search<'a> {
    options: Options,
    domain: Domain<'a>,
    graph: Graph,
    queue: Queue,
    /// Queries that are derived.
    found: Vec<Way>,
}

impl<'a> Search<'a> {
    /// A search that begins with some predicates.
    pub(super) fn new(domain: Domain<'a>, options: Options) -> Search<'a> {
        let graph = Graph::new(domain.system.params.len());
        let queue = Queue::new(options.order);
        let mut search = Search { options, domain, graph, queue, found: Vec::new() };
        search.begin();
        search
    }

    /// Derives abstract facts until there is an answer.
    pub(super) fn run(
        mut self,
        refinement: &mut dyn Refine,
        ctx: &mut Ctx<'_>,
    ) -> Result<Finding<Horn>, Stop> {
        loop {
            ctx.tick(1)?;
            if self.is_time_to_refine() {
                if let Some(derivation) = self.refine(refinement, ctx)? {
                    self.domain.tell(self.graph.alive().count(), ctx);
                    return Ok(Finding::Fails(derivation));
                }
                let news = self.domain.news(ctx).formulas;
                self.adopt(news, ctx)?;
            } else if let Some(way) = self.queue.pop() {
                self.look_at(way, ctx)?;
            } else {
                self.domain.tell(self.graph.alive().count(), ctx);
                let needed = self.graph.needed().into_iter().map(|id| self.graph.node(id));
                let labels: Vec<(Pred, &[PredicateId])> =
                    needed.map(|node| (node.pred, &node.label[..])).collect();
                return self.domain.answer(&labels, ctx);
            }
        }
    }

    /// Rules without atoms wait.
    fn begin(&mut self) {
        for rule in 0..self.domain.system.rules.len() {
            if self.domain.system.rules[rule].atoms.is_empty() {
                self.enqueue(Way { rule, sources: Vec::new() });
            }
        }
    }

    fn enqueue(&mut self, way: Way) {
        let is_query = self.domain.head(way.rule).is_none();
        let height = self.graph.height(&way);
        self.queue.push(way, height, is_query);
    }

    /// Whether queries are derived, and all that the refinement should see.
    fn is_time_to_refine(&self) -> bool {
        let heights = self.found.iter().map(|way| self.graph.height(way));
        let Some(least) = heights.min() else { return false };
        match self.options.extent {
            Extent::One => true,
            Extent::Lowest { slack } => {
                self.queue.height().is_none_or(|next| next > least.saturating_add(slack))
            }
        }
    }

    /// The premises of a rule with nodes for its atoms.
    fn premises(&self, sources: &[NodeId]) -> Vec<Premise> {
        let mut premises = Vec::new();
        for (atom, &node) in sources.iter().enumerate() {
            premises.extend(self.graph.node(node).label.iter().map(|&id| (atom, id)));
        }
        premises
    }

    /// Follows a rule from nodes.
    fn look_at(&mut self, way: Way, ctx: &mut Ctx<'_>) -> Result<(), Stop> {
        let is_open = way.sources.iter().all(|&source| self.graph.is_open(source));
        if !is_open || self.graph.has_edge(&way) {
            return Ok(());
        }
        let premises = self.premises(&way.sources);
        let Some(pred) = self.domain.head(way.rule) else {
            if !self.domain.follows(way.rule, &premises, None, ctx)? {
                self.found.push(way);
            }
            return Ok(());
        };
        let candidates = self.domain.predicates.of(pred).to_vec();
        let implied = self.domain.consequences(way.rule, &premises, &candidates, ctx)?;
        if let Some(label) = implied
            && let Some(node) = self.graph.add(way, pred, label)
        {
            self.open(node, ctx)?;
        }
        Ok(())
    }

    /// Makes a node open unless another covers it: rules with it wait.
    fn open(&mut self, node: NodeId, ctx: &mut Ctx<'_>) -> Result<(), Stop> {
        if !self.graph.open_or_cover(node) {
            return Ok(());
        }
        let pred = self.graph.node(node).pred;
        for rule in self.domain.system.users_of[pred].clone() {
            for place in 0..self.domain.system.rules[rule].atoms.len() {
                if self.domain.system.rules[rule].atoms[place].pred == pred {
                    for sources in self.tuples(rule, place, node, ctx)? {
                        self.enqueue(Way { rule, sources });
                    }
                }
            }
        }
        Ok(())
    }

    /// The tuples of open nodes for a rule's atoms in which a node stands at a place, and at none before it;
    /// without those that are seen to be contradictory.
    fn tuples(
        &mut self,
        rule: usize,
        place: usize,
        node: NodeId,
        ctx: &mut Ctx<'_>,
    ) -> Result<Vec<Vec<NodeId>>, Stop> {
        let count = self.domain.system.rules[rule].atoms.len();
        let mut found: Vec<Vec<NodeId>> = vec![Vec::new()];
        for atom in 0..count {
            let options: Vec<NodeId> = if atom == place {
                vec![node]
            } else {
                let open = self.graph.open(self.domain.system.rules[rule].atoms[atom].pred);
                open.iter().copied().filter(|&other| atom > place || other != node).collect()
            };
            let mut longer = Vec::new();
            for tuple in &found {
                for &option in &options {
                    let mut tuple = tuple.clone();
                    tuple.push(option);
                    let premises = self.premises(&tuple);
                    if count == 1 || !self.domain.follows(rule, &premises, None, ctx)? {
                        longer.push(tuple);
                    }
                }
            }
            found = longer;
        }
        Ok(found)
    }

    /// Finds out whether the queries are derived, and otherwise what to look at anew.
    fn refine(
        &mut self,
        refinement: &mut dyn Refine,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Derivation>, Stop> {
        self.domain.rounds += 1;
        let found = std::mem::take(&mut self.found);
        let least = found.iter().map(|way| self.graph.height(way)).min().unwrap_or(0);
        let height = match self.options.extent {
            Extent::One => least,
            Extent::Lowest { slack } => least.saturating_add(slack),
        };
        let Domain { horn, store, system, predicates, .. } = &mut self.domain;
        let (graph, extent) = (&self.graph, self.options.extent);
        let seen = Seen { graph, predicates, queries: &found, height, extent };
        let formulas = match refinement.refine((horn, system), store, &seen, ctx)? {
            Refined::Derived(derivation) => return Ok(Some(derivation)),
            Refined::Predicates(formulas) => formulas,
        };
        if !self.adopt(formulas, ctx)? {
            let text = "an abstract derivation is none, but no predicate is known that excludes it";
            return Err(Stop::Stuck(text.to_owned()));
        }
        if !self.options.restarts {
            for way in found {
                if self.is_alive(&way) {
                    self.enqueue(way);
                }
            }
        }
        let seen = self.graph.alive().count() as u64;
        ctx.emit(Event::Explored { seen, waiting: self.queue.len() as u64 });
        ctx.emit(Event::Lemmas { count: self.domain.predicates.count() as u64 });
        Ok(None)
    }

    /// Whether all nodes of a rule's atoms are part of the graph.
    fn is_alive(&self, way: &Way) -> bool {
        way.sources.iter().all(|&source| self.graph.node(source).is_alive)
    }

    /// Adds predicates, and takes away the edges that they change; whether there are new ones.
    fn adopt(&mut self, formulas: Vec<(Pred, TermId)>, ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
        let Some(new) = self.domain.add(formulas) else { return Ok(false) };
        if self.options.restarts {
            self.graph = Graph::new(self.domain.system.params.len());
            self.queue.clear();
            self.begin();
        } else {
            let (edges, ways): (Vec<EdgeId>, Vec<Way>) = self.stale(&new, ctx)?.into_iter().unzip();
            let uncovered = self.graph.remove(&edges);
            for way in ways {
                if self.is_alive(&way) {
                    self.enqueue(way);
                }
            }
            for node in uncovered {
                self.open(node, ctx)?;
            }
        }
        let labels = self.graph.alive().flat_map(|node| node.label.iter().copied());
        let in_use: FxHashSet<PredicateId> = labels.collect();
        self.domain.predicates.forget(&in_use);
        Ok(true)
    }

    /// The edges that lead to another node with new predicates.
    fn stale(
        &mut self,
        new: &[Vec<PredicateId>],
        ctx: &mut Ctx<'_>,
    ) -> Result<Vec<(EdgeId, Way)>, Stop> {
        let mut all = Vec::new();
        for (id, edge) in self.graph.edges() {
            let pred = self.graph.node(edge.target).pred;
            if !new[pred].is_empty() {
                all.push((id, edge.way.clone(), pred));
            }
        }
        let mut stale = Vec::new();
        for (id, way, pred) in all {
            let premises = self.premises(&way.sources);
            for &candidate in &new[pred] {
                if self.domain.follows(way.rule, &premises, Some(candidate), ctx)? {
                    stale.push((id, way));
                    break;
                }
            }
        }
        Ok(stale)
    }
}

/// What the refinement sees of the graph.
struct Seen<'a> {
    graph: &'a Graph,
    predicates: &'a Predicates,
    queries: &'a [Way],
    height: u32,
    extent: Extent,
}

impl Abstraction for Seen<'_> {
    fn ways(&self, node: Option<NodeId>, height: u32) -> Vec<Way> {
        let Some(node) = node else { return self.queries.to_vec() };
        let incoming = self.graph.incoming(node).map(|edge| &edge.way);
        match self.extent {
            Extent::One => {
                incoming.min_by_key(|way| self.graph.height(way)).cloned().into_iter().collect()
            }
            Extent::Lowest { .. } => {
                incoming.filter(|way| self.graph.height(way) <= height).cloned().collect()
            }
        }
    }

    fn height(&self) -> u32 {
        self.height
    }

    fn pred(&self, node: NodeId) -> Pred {
        self.graph.node(node).pred
    }

    fn label(&self, node: NodeId) -> Vec<TermId> {
        self.predicates.formulas(&self.graph.node(node).label)
    }
}
