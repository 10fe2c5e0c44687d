//! Derivations of an abstraction as a formula: are they derivations of the system?
//!
//! Abstract derivations are unfolded from the query downwards into an and/or tree. A *vertex* is an abstract
//! fact on variables of its own; each of its *branches* is a rule that may derive it, with vertices for its
//! atoms. A vertex is unfolded where a model of what is there needs it, so contradictions are found as near to
//! the query as they are (the thesis' pivot). Nothing is said of a vertex that is not unfolded: its label,
//! which the abstraction has proved, would be right, but predicates that were ill chosen would breed
//! others. Only where trees become large, because facts are shared, are labels used.
//!
//! Where a vertex has one branch its flag is the branch's. So the formula of a single derivation has no flags,
//! and that of many has those of disjunctive interpolation.

use super::graph::{NodeId, Way};
use crate::la::position::{Position, make};
use crate::la::system::{Pred, System};
use crate::settings::{CEGAR_MAX_UNLABELLED, CEGAR_MAX_VERTICES};
use alphorn_engine::{Ctx, Stop};
use alphorn_horn::ask::ask;
use alphorn_problem::Horn;
use alphorn_problem::evidence::horn::{Derivation, Step};
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{Model, SortId, Store, Substitution, TermId, Value, eval};
use rustc_hash::FxHashSet;

/// The vertex of the queries.
pub(crate) const ROOT: usize = 0;

/// The derivations of false that an abstraction has.
pub(crate) trait Abstraction {
    /// The ways to derive a node, or false, that are looked at; with at most so many steps one above the
    /// other, if that is said.
    fn ways(&self, node: Option<NodeId>, height: u32) -> Vec<Way>;
    /// The height of the derivations that are looked at.
    fn height(&self) -> u32;
    /// The relation symbol of a node.
    fn pred(&self, node: NodeId) -> Pred;
    /// What holds of a node's facts, over the parameters of its symbol.
    fn label(&self, node: NodeId) -> Vec<TermId>;
}

/// An abstract fact in a tree.
pub(crate) struct Vertex {
    /// The vertex that needs it.
    pub(crate) above: Option<usize>,
    /// The node; none for the root.
    pub(crate) node: Option<NodeId>,
    /// Variables for its arguments.
    pub(crate) params: Vec<TermId>,
    /// Whether it is needed: a variable, or true.
    pub(crate) flag: TermId,
    /// What may derive it, once it is unfolded.
    pub(crate) branches: Option<Vec<Branch>>,
    height: u32,
}

/// A rule that may derive a vertex.
pub(crate) struct Branch {
    /// Whether it is taken: a variable, or true.
    flag: TermId,
    /// The rule with its variables.
    pub(crate) position: Position,
    /// The vertices of its atoms.
    pub(crate) children: Vec<usize>,
}

/// What an unfolding came to.
pub(crate) enum Unfolded {
    /// False is derived.
    Derived(Derivation),
    /// The formulas of the vertices contradict each other; the part of each that is needed for that.
    Contradictory(Vec<TermId>),
}

/// Derivations of false as a tree.
pub(crate) struct Unfolding<'a> {
    horn: &'a Horn,
    system: &'a System,
    abstraction: &'a dyn Abstraction,
    /// Whether vertices that are not unfolded are known by their labels.
    has_labels: bool,
    /// The vertices, each after the one that needs it.
    pub(crate) vertices: Vec<Vertex>,
}

impl<'a> Unfolding<'a> {
    /// The tree of which only the queries are unfolded.
    pub(crate) fn new(
        horn: &'a Horn,
        system: &'a System,
        abstraction: &'a dyn Abstraction,
        store: &mut Store,
    ) -> Unfolding<'a> {
        let height = abstraction.height();
        let (above, node, params, flag, branches) = (None, None, Vec::new(), TermId::TRUE, None);
        let root = Vertex { above, node, params, flag, branches, height };
        let mut unfolding =
            Unfolding { horn, system, abstraction, has_labels: false, vertices: vec![root] };
        unfolding.unfold(ROOT, store);
        unfolding
    }

    /// The relation symbol of a vertex; none for the root.
    pub(crate) fn pred(&self, vertex: usize) -> Option<Pred> {
        self.vertices[vertex].node.map(|node| self.abstraction.pred(node))
    }

    /// Gives a vertex its branches.
    fn unfold(&mut self, vertex: usize, store: &mut Store) {
        let Vertex { node, flag, height, .. } = self.vertices[vertex];
        let params = self.vertices[vertex].params.clone();
        let ways = self.abstraction.ways(node, height);
        let is_single = ways.len() == 1;
        let mut branches = Vec::with_capacity(ways.len());
        for way in ways {
            let flag = if is_single { flag } else { store.fresh_var("way", SortId::BOOL) };
            let position = make(store, self.system, way.rule, &params, flag);
            let mut children = Vec::with_capacity(way.sources.len());
            for (slot, &source) in position.slots.iter().zip(&way.sources) {
                children.push(self.vertices.len());
                self.vertices.push(Vertex {
                    above: Some(vertex),
                    node: Some(source),
                    params: slot.params.clone(),
                    flag: slot.flag,
                    branches: None,
                    height: height.saturating_sub(1),
                });
            }
            branches.push(Branch { flag, position, children });
        }
        self.vertices[vertex].branches = Some(branches);
    }

    /// What a vertex says, as conjuncts.
    pub(super) fn demands(&self, vertex: usize, store: &mut Store) -> Vec<TermId> {
        let it = &self.vertices[vertex];
        let mut demands = Vec::new();
        match &it.branches {
            None => {
                let Some(node) = it.node.filter(|_| self.has_labels) else { return demands };
                let params = &self.system.params[self.abstraction.pred(node)];
                for formula in self.abstraction.label(node) {
                    let here = store.rename(formula, params, &it.params);
                    demands.push(store.implies(it.flag, here));
                }
            }
            Some(branches) => {
                if branches.len() != 1 {
                    let flags: Vec<TermId> = branches.iter().map(|branch| branch.flag).collect();
                    let some = store.or(&flags);
                    demands.push(store.implies(it.flag, some));
                }
                demands.extend(branches.iter().flat_map(|branch| &branch.position.parts));
            }
        }
        demands.retain(|&demand| demand != TermId::TRUE);
        demands
    }

    /// Unfolds until false is derived, or there is a contradiction.
    pub(crate) fn solve(&mut self, store: &mut Store, ctx: &mut Ctx<'_>) -> Result<Unfolded, Stop> {
        let mut smt = Smt::new(Options::default());
        loop {
            ctx.tick(1 + self.vertices.len() as u64)?;
            self.has_labels = self.vertices.len() > CEGAR_MAX_UNLABELLED.size();
            let mut demands = Vec::new();
            for vertex in 0..self.vertices.len() {
                demands.extend(self.demands(vertex, store));
            }
            match ask(&mut smt, store, &demands, ctx)? {
                Answer::Unknown => {
                    let text = "whether an abstract derivation is one is too hard to tell";
                    return Err(Stop::Stuck(text.to_owned()));
                }
                Answer::Unsat => {
                    let core: FxHashSet<TermId> = smt.failed().into_iter().collect();
                    let mut labels = Vec::with_capacity(self.vertices.len());
                    for vertex in 0..self.vertices.len() {
                        let mut demands = self.demands(vertex, store);
                        demands.retain(|demand| core.contains(demand));
                        labels.push(store.and(&demands));
                    }
                    return Ok(Unfolded::Contradictory(labels));
                }
                Answer::Sat => {}
            }
            let model = smt.model(store);
            let leaves = self.needed_leaves(&model);
            if leaves.is_empty() {
                return self.derivation(store, model).map(Unfolded::Derived);
            }
            if self.vertices.len() > CEGAR_MAX_VERTICES.size() {
                return Err(Stop::Stuck("an abstract derivation has too many steps".to_owned()));
            }
            for leaf in leaves {
                self.unfold(leaf, store);
            }
        }
    }

    /// The branch of an unfolded vertex that a model takes.
    fn taken(&self, vertex: usize, model: &Model) -> Option<&Branch> {
        let branches = self.vertices[vertex].branches.as_ref()?;
        let is_true = |branch: &&Branch| {
            branch.flag == TermId::TRUE || model.vars.get(&branch.flag) == Some(&Value::Bool(true))
        };
        if branches.len() == 1 { branches.first() } else { branches.iter().find(is_true) }
    }

    /// The vertices that a model needs and that are not unfolded.
    fn needed_leaves(&self, model: &Model) -> Vec<usize> {
        let (mut stack, mut leaves) = (vec![ROOT], Vec::new());
        while let Some(vertex) = stack.pop() {
            if self.vertices[vertex].branches.is_none() {
                leaves.push(vertex);
            } else if let Some(branch) = self.taken(vertex, model) {
                stack.extend(branch.children.iter().rev());
            }
        }
        leaves
    }

    /// The derivation that a model is which needs no more unfolding.
    fn derivation(&self, store: &Store, mut model: Model) -> Result<Derivation, Stop> {
        let mut order = Vec::new();
        let mut stack = vec![ROOT];
        while let Some(vertex) = stack.pop() {
            order.push(vertex);
            if let Some(branch) = self.taken(vertex, &model) {
                stack.extend(branch.children.iter());
            }
        }
        let mut step_of = vec![None; self.vertices.len()];
        let mut steps: Vec<Step> = Vec::with_capacity(order.len());
        for vertex in order.into_iter().rev() {
            let Some(branch) = self.taken(vertex, &model) else { return Err(no_values()) };
            let Some(rule) = branch.position.rule else { return Err(no_values()) };
            let clause = self.system.rules[rule].clause;
            let count = self.horn.clause(clause).vars.len();
            let mut values = Vec::with_capacity(count);
            for &term in &branch.position.values[..count] {
                values.push(value(store, term, &mut model)?);
            }
            let Some(branch) = self.taken(vertex, &model) else { return Err(no_values()) };
            let premises = branch.children.iter().filter_map(|&child| step_of[child]).collect();
            let step = Step::new(clause, values, premises);
            let known = steps.iter().position(|other| *other == step);
            step_of[vertex] = Some(known.unwrap_or_else(|| {
                steps.push(step);
                steps.len() - 1
            }));
        }
        Ok(Derivation::of(steps))
    }

    /// A formula over a vertex's variables, over the parameters of its symbol.
    pub(crate) fn over_params(
        &self,
        vertex: usize,
        formula: TermId,
        store: &mut Store,
    ) -> Option<(Pred, TermId)> {
        let pred = self.pred(vertex)?;
        let it = &self.vertices[vertex];
        let params = self.system.params[pred].iter().copied();
        let mut map: Substitution = it.params.iter().copied().zip(params).collect();
        if it.flag != TermId::TRUE {
            map.insert(it.flag, TermId::TRUE);
        }
        Some((pred, store.substitute(formula, &map)))
    }
}

pub(super) fn no_values() -> Stop {
    Stop::Stuck("a step of a derivation could not be given values".to_owned())
}

/// The value of a term; variables that the model leaves open get some value.
pub(super) fn value(store: &Store, term: TermId, model: &mut Model) -> Result<Value, Stop> {
    for var in store.free_vars(&[term]) {
        if !model.vars.contains_key(&var)
            && let Some(value) = Value::default_of(store, store.sort(var))
        {
            model.set(var, value);
        }
    }
    eval(store, term, model).map_err(|_| no_values())
}
