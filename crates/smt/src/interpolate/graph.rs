//! Formulas as and-inverter graphs, and back.
//!
//! Partial interpolants are edges of a graph whose inputs are atoms; the same term is the same
//! input, whether it comes from a variable of the search or from the interpolant of a lemma. On the
//! way back, conjunctions of conjunctions that nothing else uses become one.

use alphorn_problem::evidence::proof::Literal;
use alphorn_sat::aig::{Aig, Edge, Node};
use alphorn_term::{Op, SortId, Store, TermId};
use rustc_hash::FxHashMap;

/// Which term each input is.
#[derive(Default)]
pub(super) struct Graph {
    atoms: Vec<TermId>,
    edges: FxHashMap<TermId, Edge>,
}

impl Graph {
    /// The edge of an atom or its negation.
    pub(super) fn literal(&mut self, aig: &mut Aig, literal: Literal) -> Edge {
        let edge = match literal.atom {
            TermId::TRUE => Edge::TRUE,
            TermId::FALSE => Edge::FALSE,
            atom => *self.edges.entry(atom).or_insert_with(|| {
                self.atoms.push(atom);
                aig.add_input()
            }),
        };
        edge.xor(literal.negated)
    }

    /// The edge of a formula.
    pub(super) fn edge(&mut self, aig: &mut Aig, store: &Store, formula: TermId) -> Edge {
        let mut stack = vec![(formula, false)];
        while let Some((term, is_ready)) = stack.pop() {
            if self.edges.contains_key(&term) {
                continue;
            }
            let is_equation = |op| op == Op::Eq && store.sort(store.args(term)[0]) == SortId::BOOL;
            let op = store.op(term);
            if !matches!(op, Op::And | Op::Or | Op::Not | Op::Ite) && !is_equation(op) {
                let edge = self.literal(aig, Literal { atom: term, negated: false });
                self.edges.insert(term, edge);
                continue;
            }
            if !is_ready {
                stack.push((term, true));
                stack.extend(store.args(term).iter().map(|arg| (*arg, false)));
                continue;
            }
            let args: Vec<Edge> = store.args(term).iter().map(|arg| self.edges[arg]).collect();
            let edge = match op {
                Op::And => aig.and_n(args),
                Op::Or => aig.or_n(args),
                Op::Not => !args[0],
                Op::Ite => aig.ite(args[0], args[1], args[2]),
                _ => aig.equals(args[0], args[1]),
            };
            self.edges.insert(term, edge);
        }
        self.edges[&formula]
    }

    /// The formulas of edges.
    pub(super) fn terms(&self, aig: &Aig, store: &mut Store, roots: &[Edge]) -> Vec<TermId> {
        let cone = aig.cone(roots);
        let parts = parts_of(aig, &cone, roots);
        let mut terms: FxHashMap<Edge, TermId> = FxHashMap::default();
        for node in cone {
            for edge in [Edge::new(node, false), Edge::new(node, true)] {
                let Some(parts) = parts.get(&edge) else { continue };
                let parts: Vec<TermId> = parts.iter().map(|part| terms[part]).collect();
                let term = match (aig.node(node), edge.is_negated()) {
                    (Node::False, false) => TermId::FALSE,
                    (Node::False, true) => TermId::TRUE,
                    (Node::Input(index), false) => self.atoms[index as usize],
                    (Node::Input(index), true) => store.not(self.atoms[index as usize]),
                    (Node::And(..), false) => store.and(&parts),
                    (Node::And(..), true) => store.or(&parts),
                };
                terms.insert(edge, term);
            }
        }
        roots.iter().map(|root| terms[root]).collect()
    }
}

/// For the edges that are needed for the roots, the parts of conjunctions and disjunctions.
fn parts_of(aig: &Aig, cone: &[u32], roots: &[Edge]) -> FxHashMap<Edge, Vec<Edge>> {
    let mut uses: FxHashMap<u32, u32> = FxHashMap::default();
    for root in roots {
        *uses.entry(root.node()).or_default() += 2;
    }
    for node in cone {
        for edge in aig.operands(*node).iter().flat_map(|(left, right)| [left, right]) {
            // A negated conjunction is no part of a larger one.
            *uses.entry(edge.node()).or_default() += 1 + u32::from(edge.is_negated());
        }
    }
    let mut parts: FxHashMap<Edge, Vec<Edge>> =
        roots.iter().map(|root| (*root, Vec::new())).collect();
    for node in cone.iter().rev() {
        for is_negated in [false, true] {
            let edge = Edge::new(*node, is_negated);
            if aig.operands(*node).is_none() || !parts.contains_key(&edge) {
                continue;
            }
            let mut found = conjuncts(aig, *node, &uses);
            found.iter_mut().for_each(|part| *part = part.xor(is_negated));
            for part in &found {
                parts.entry(*part).or_default();
            }
            parts.insert(edge, found);
        }
    }
    parts
}

/// The edges whose conjunction a node is, through conjunctions that are used once.
fn conjuncts(aig: &Aig, node: u32, uses: &FxHashMap<u32, u32>) -> Vec<Edge> {
    let mut found = Vec::new();
    let mut stack = vec![Edge::new(node, false)];
    while let Some(edge) = stack.pop() {
        match aig.operands(edge.node()) {
            Some((left, right)) if edge.node() == node || uses[&edge.node()] < 2 => {
                stack.extend([right, left]);
            }
            _ => found.push(edge),
        }
    }
    found
}
