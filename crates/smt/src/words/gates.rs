//! Gates as variables of the search.
//!
//! A conjunction gets three clauses. One of two negated conjunctions that is an exclusive
//! disjunction or a choice gets four over its own inputs, and the conjunctions below it get variables
//! only where somebody else needs them.
//!
//! Each clause begins with the gate's own literal, which evaluation two gates deep shows to be true
//! where the others are false.
//!
//! After Eén, Mishchenko, Sörensson, "Applying Logic Synthesis for Speeding Up SAT" (SAT 2007).

use alphorn_problem::circuit::{And, Lit as Edge};
use alphorn_problem::obligation::blast::bits::Leaf as Input;
use alphorn_sat::Lit;
use alphorn_term::{Store, TermId};

use super::Words;
use crate::encode::{Encoder, Leaf, Search};

/// What a gate is, in terms of its inputs.
#[derive(Clone, Copy, Debug)]
pub(super) enum Gate {
    And(Edge, Edge),
    Xor(Edge, Edge),
    /// The negation of a choice: the condition, then what it chooses from.
    NotChoice(Edge, Edge, Edge),
}

impl Gate {
    /// The clauses that define the gate `g`: its own literal first.
    pub(super) fn clauses(&self, g: Edge) -> Vec<Vec<Edge>> {
        match *self {
            Gate::And(a, b) => vec![vec![!g, a], vec![!g, b], vec![g, !a, !b]],
            Gate::Xor(a, b) => {
                vec![vec![!g, a, b], vec![!g, !a, !b], vec![g, !a, b], vec![g, a, !b]]
            }
            Gate::NotChoice(c, a, b) => {
                vec![vec![!g, !c, !a], vec![!g, c, !b], vec![g, !c, a], vec![g, c, b]]
            }
        }
    }

    fn inputs(&self) -> ([Edge; 3], usize) {
        match *self {
            Gate::And(a, b) | Gate::Xor(a, b) => ([a, b, b], 2),
            Gate::NotChoice(a, b, c) => ([a, b, c], 3),
        }
    }
}

impl Words {
    /// What a gate is, in terms of its inputs.
    pub(super) fn shape(&self, And { left, right }: And) -> Gate {
        let below = |edge: Edge| {
            let gate = self.bits.aig.fan_ins(edge.var());
            gate.filter(|_| edge.is_negated())
        };
        let (Some(p), Some(q)) = (below(left), below(right)) else {
            return Gate::And(left, right);
        };
        for (condition, then) in [(p.left, p.right), (p.right, p.left)] {
            for (opposite, other) in [(q.left, q.right), (q.right, q.left)] {
                if condition != !opposite {
                    continue;
                }
                return match then == !other {
                    true => Gate::Xor(condition, then),
                    false => Gate::NotChoice(condition, then, other),
                };
            }
        }
        Gate::And(left, right)
    }
}

impl Encoder {
    /// The literal of the search for a literal of the graph, made with what it needs.
    pub(crate) fn gate(&mut self, search: &mut Search, store: &mut Store, root: Edge) -> Lit {
        let mut stack = vec![root.var()];
        while let Some(&var) = stack.last() {
            if var == 0 || self.words.literal(Edge::new(var, false)).is_some() {
                stack.pop();
                continue;
            }
            let Some(fan_ins) = self.words.bits.aig.fan_ins(var) else {
                stack.pop();
                let lit = self.input(search, store, var);
                self.words.set_literal(var, lit);
                continue;
            };
            let gate = self.words.shape(fan_ins);
            let (inputs, count) = gate.inputs();
            let before = stack.len();
            let open = inputs[..count].iter().map(|edge| edge.var());
            stack.extend(open.filter(|&var| var != 0 && !self.has_literal(var)));
            if stack.len() == before {
                stack.pop();
                self.define_gate(search, var, gate);
            }
        }
        self.edge(root)
    }

    fn has_literal(&self, var: u32) -> bool {
        self.words.literal(Edge::new(var, false)).is_some()
    }

    /// The literal of the search for a literal of the graph that has one.
    pub(super) fn edge(&self, edge: Edge) -> Lit {
        match edge.var() {
            0 => self.truth.xor(edge == Edge::FALSE),
            _ => self.words.literal(edge).expect("inputs of a gate come before it"),
        }
    }

    fn input(&mut self, search: &mut Search, store: &mut Store, var: u32) -> Lit {
        match self.words.bits.leaf(var) {
            Some(Input::Truth(term)) => {
                self.visit(search, store, term);
                self.lit(store, term)
            }
            _ => {
                let lit = search.new_var().positive();
                self.words.edges.insert(lit.var(), var);
                lit
            }
        }
    }

    fn define_gate(&mut self, search: &mut Search, var: u32, gate: Gate) {
        let g = search.new_var().positive();
        self.words.edges.insert(g.var(), var);
        self.words.set_literal(var, g);
        let justification = &mut search.theory_mut().justification;
        match gate {
            Gate::And(a, b) => justification.define_and(g, [self.edge(a), self.edge(b)]),
            Gate::Xor(a, b) => justification.define_same(!g, self.edge(a), self.edge(b)),
            Gate::NotChoice(c, a, b) => {
                justification.define_choice(!g, [c, a, b].map(|edge| self.edge(edge)));
            }
        }
        // Proofs find the reason for these clauses in the graph.
        for clause in gate.clauses(Edge::new(var, false)) {
            let clause: Vec<Lit> = clause.into_iter().map(|edge| self.edge(edge)).collect();
            search.add_clause_in(&clause, self.partition);
        }
    }

    /// Ties two literals that say the same.
    pub(super) fn tie_literals(&mut self, search: &mut Search, one: Lit, other: Lit) {
        self.clause(search, &[one, !other], Leaf::Bits);
        self.clause(search, &[!one, other], Leaf::Bits);
    }

    /// The literals of all bits of a word, lowest first; none if its circuit is too large.
    pub(crate) fn bits_of(
        &mut self,
        search: &mut Search,
        store: &mut Store,
        term: TermId,
    ) -> Option<Vec<Lit>> {
        let row = self.words.bits.of(store, term).ok()?.to_vec();
        if self.words.bits.is_partial() {
            search.theory_mut().mark_unclear();
        }
        Some(row.into_iter().map(|edge| self.gate(search, store, edge)).collect())
    }
}
