//! A goal: a tree of resolved rules with facts that are still to be derived.
//!
//! Vertices whose rule is resolved demand what the rule says, or a decision that implies it. The
//! others, the *leaves*, are instances that are known by their annotation. Variables are never
//! eliminated. The demands are given to a solver as assumptions, so that leaving a step undone is
//! leaving assumptions out.
//!
//! Invariant: the vertices below a vertex come after it, and a vertex is only unresolved when
//! everything that was added after its children is gone.

use super::annotation::NodeId;
use super::bounded::Bounded;
use super::position::PositionId;
use alphorn_term::{Model, TermId, Value};

/// The vertex of the goal itself.
pub(crate) const ROOT: usize = 0;

/// A vertex of a goal.
#[derive(Clone, Debug)]
pub(crate) struct Vertex {
    /// Where it hangs: the vertex above, and the atom there; none for the root.
    pub(crate) above: Option<(usize, usize)>,
    /// The instance it derives; none for the root.
    pub(crate) node: Option<NodeId>,
    /// The rule that derives it, unless it is a leaf.
    pub(crate) position: Option<PositionId>,
    /// The vertices below, for the atoms that are used.
    pub(crate) children: Vec<usize>,
    /// Literals that imply what the rule says.
    pub(crate) decision: Option<Vec<TermId>>,
}

/// A tree of instances that would be a counterexample, if values can be found for it.
#[derive(Clone, Debug)]
pub(crate) struct Goal {
    /// The vertices, the root first.
    pub(crate) vertices: Vec<Vertex>,
}

impl Goal {
    /// The goal of a root, with the instances that its atoms are.
    pub(crate) fn new(root: PositionId, children: &[Option<NodeId>]) -> Goal {
        let vertex = Vertex {
            above: None,
            node: None,
            position: None,
            children: Vec::new(),
            decision: None,
        };
        let mut goal = Goal { vertices: vec![vertex] };
        goal.resolve(ROOT, root, children);
        goal
    }

    /// Resolves a leaf.
    pub(crate) fn resolve(
        &mut self,
        vertex: usize,
        position: PositionId,
        children: &[Option<NodeId>],
    ) {
        self.vertices[vertex].position = Some(position);
        for (atom, &node) in children.iter().enumerate() {
            if node.is_some() {
                let child = self.vertices.len();
                self.vertices[vertex].children.push(child);
                self.vertices.push(Vertex {
                    above: Some((vertex, atom)),
                    node,
                    position: None,
                    children: Vec::new(),
                    decision: None,
                });
            }
        }
    }

    /// Makes a vertex a leaf again; its children are the last vertices.
    pub(crate) fn unresolve(&mut self, vertex: usize) {
        let Vertex { children, position, decision, .. } = &mut self.vertices[vertex];
        let first = children.first().copied();
        children.clear();
        (*position, *decision) = (None, None);
        if let Some(first) = first {
            self.vertices.truncate(first);
        }
    }

    /// The vertices that are leaves.
    pub(crate) fn leaves(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.vertices.len()).filter(|&vertex| self.vertices[vertex].position.is_none())
    }
}

impl Bounded<'_> {
    /// What a vertex demands: its decision or its rule, and what is known of the instances below.
    ///
    /// What is known of an instance counts for the vertex that needs it, whether it is resolved or
    /// not: what is learned of it then has to say only what is not known yet.
    pub(crate) fn demands(&mut self, goal: &Goal, vertex: usize) -> Vec<TermId> {
        let mut demands = self.rule_demands(goal, vertex);
        for &child in &goal.vertices[vertex].children {
            demands.extend(self.annotation_at(goal, child));
        }
        demands
    }

    /// What the rule of a vertex demands, or the decision that stands for it.
    pub(crate) fn rule_demands(&mut self, goal: &Goal, vertex: usize) -> Vec<TermId> {
        let it = &goal.vertices[vertex];
        if let Some(decision) = &it.decision {
            return decision.clone();
        }
        match it.position {
            Some(position) => self.position_demands(goal, vertex, position),
            None => Vec::new(),
        }
    }

    /// What a position demands; atoms without an instance are not used.
    fn position_demands(
        &mut self,
        goal: &Goal,
        vertex: usize,
        position: PositionId,
    ) -> Vec<TermId> {
        let mut demands = self.local_parts(position);
        let children = &goal.vertices[vertex].children;
        let slots = &self.positions.at(position).slots;
        if children.len() < slots.len() {
            let present: Vec<usize> = children
                .iter()
                .filter_map(|&child| goal.vertices[child].above.map(|(_, atom)| atom))
                .collect();
            for (atom, slot) in slots.iter().enumerate() {
                if !present.contains(&atom) {
                    demands.push(self.store.not(slot.flag));
                }
            }
        }
        demands
    }

    /// What is known of the instance of a vertex.
    pub(crate) fn annotation_at(&mut self, goal: &Goal, vertex: usize) -> Vec<TermId> {
        let it = &goal.vertices[vertex];
        let (Some((above, atom)), Some(node)) = (it.above, it.node) else { return Vec::new() };
        let Some(position) = goal.vertices[above].position else { return Vec::new() };
        let slot = &mut self.positions.at_mut(position).slots[atom];
        let lemmas = &self.nodes[node].lemmas;
        lemmas.iter().map(|&lemma| slot.of(&mut self.store, lemma)).collect()
    }

    /// The arguments of the fact that a vertex derives, and its flag.
    pub(crate) fn interface(&self, goal: &Goal, vertex: usize) -> Option<(Vec<TermId>, TermId)> {
        let (above, atom) = goal.vertices[vertex].above?;
        let slot = &self.positions.at(goal.vertices[above].position?).slots[atom];
        Some((slot.params.clone(), slot.flag))
    }

    /// The leaves that a model needs to be derived.
    pub(crate) fn needed_leaves(&self, goal: &Goal, model: &Model) -> Vec<usize> {
        goal.leaves().filter(|&leaf| self.is_needed(goal, leaf, model)).collect()
    }

    /// Whether the flags of a vertex and of those above it are true in a model.
    pub(crate) fn is_needed(&self, goal: &Goal, vertex: usize, model: &Model) -> bool {
        let mut at = vertex;
        while let Some((above, atom)) = goal.vertices[at].above {
            let Some(position) = goal.vertices[above].position else { return false };
            let flag = self.positions.at(position).slots[atom].flag;
            if flag != TermId::TRUE && model.vars.get(&flag) != Some(&Value::Bool(true)) {
                return false;
            }
            at = above;
        }
        true
    }
}
