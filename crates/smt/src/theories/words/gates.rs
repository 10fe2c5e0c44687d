//! Gates as variables of the search.
//!
//! A conjunction gets three clauses. One of two negated conjunctions that is an exclusive
//! disjunction or a choice gets four over its own inputs, and the conjunctions below it get variables
//! only where somebody else needs them. Bits of large products have variables before they have clauses (`demand`).
//!
//! Each clause begins with the gate's own literal, which evaluation two gates deep shows to be true
//! where the others are false.
//!
//! After Eén, Mishchenko, Sörensson, "Applying Logic Synthesis for Speeding Up SAT" (SAT 2007).

use alphorn_problem::circuit::{And, Lit as Edge};
use alphorn_problem::obligation::blast::bits::Leaf as Input;
use alphorn_sat::Lit;
use alphorn_term::TermId;

use super::Words;
use super::demand::open_literal;
use crate::theories::encode::{Encoder, Encoding, Leaf, Search};

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

/// The literal of the search for a literal of the graph, made with what it needs.
pub(crate) fn gate(cx: &mut Encoding<'_>, root: Edge) -> Lit {
    cx.search.theory_mut().words.notice(cx.store);
    let mut stack = vec![root.var()];
    while let Some(&var) = stack.last() {
        let words = &mut cx.search.theory_mut().words;
        if var == 0 || words.literal(Edge::new(var, false)).is_some() {
            stack.pop();
            continue;
        }
        let Some(fan_ins) = words.bits.aig.fan_ins(var) else {
            stack.pop();
            let lit = input(cx, var);
            cx.theory_mut().words.set_literal(var, lit);
            continue;
        };
        let before = stack.len();
        let is_missing = |var: &u32| *var != 0 && words.literal(Edge::new(*var, false)).is_none();
        if let Some(inputs) = words.demand.inputs_of(var) {
            stack.extend(inputs.iter().copied().filter(is_missing));
            if stack.len() == before {
                stack.pop();
                open_literal(cx, var);
            }
            continue;
        }
        let gate = words.shape(fan_ins);
        let (inputs, count) = gate.inputs();
        stack.extend(inputs[..count].iter().map(|edge| edge.var()).filter(is_missing));
        if stack.len() == before {
            stack.pop();
            define_gate(cx, var, gate);
        }
    }
    edge(cx.encoder, cx.search, root)
}

/// The literal of the search for a literal of the graph that has one.
pub(super) fn edge(encoder: &Encoder, search: &Search, edge: Edge) -> Lit {
    match edge.var() {
        0 => encoder.truth.xor(edge == Edge::FALSE),
        _ => search.theory().words.literal(edge).expect("inputs of a gate come before it"),
    }
}

fn input(cx: &mut Encoding<'_>, var: u32) -> Lit {
    match cx.theory().words.bits.leaf(var) {
        Some(Input::Truth(term)) => cx.sub_literal(term),
        _ => {
            let lit = cx.search.new_var().positive();
            cx.theory_mut().words.edges.insert(lit.var(), var);
            lit
        }
    }
}

/// Defines a gate that was left without a definition.
pub(super) fn define_late(cx: &mut Encoding<'_>, var: u32) {
    let words = &mut cx.theory_mut().words;
    let is_open = words.demand.close(var);
    let Some(g) = words.literal(Edge::new(var, false)).filter(|_| is_open) else { return };
    let Some(fan_ins) = words.bits.aig.fan_ins(var) else { return };
    let shape = words.shape(fan_ins);
    let (inputs, count) = shape.inputs();
    for input in &inputs[..count] {
        gate(cx, *input);
    }
    define(cx, var, g, shape);
    cx.theory_mut().justification.look_again(g.var());
}

fn define_gate(cx: &mut Encoding<'_>, var: u32, gate: Gate) {
    let g = open_literal(cx, var);
    define(cx, var, g, gate);
}

/// Says of a literal what the gate is.
fn define(cx: &mut Encoding<'_>, var: u32, g: Lit, gate: Gate) {
    let lit = |edge_: Edge| edge(cx.encoder, cx.search, edge_);
    match gate {
        Gate::And(a, b) => {
            let inputs = [a, b].map(lit);
            cx.theory_mut().justification.define_and(g, inputs);
        }
        Gate::Xor(a, b) => {
            let [a, b] = [a, b].map(lit);
            cx.theory_mut().justification.define_same(!g, a, b);
        }
        Gate::NotChoice(c, a, b) => {
            let inputs = [c, a, b].map(lit);
            cx.theory_mut().justification.define_choice(!g, inputs);
        }
    }
    // Proofs find the reason for these clauses in the graph.
    for clause in gate.clauses(Edge::new(var, false)) {
        let lit = |edge_: Edge| edge(cx.encoder, cx.search, edge_);
        let clause: Vec<Lit> = clause.into_iter().map(lit).collect();
        cx.search.add_clause_in(&clause, cx.encoder.partition);
    }
}

/// Ties two literals that say the same.
pub(super) fn tie_literals(cx: &mut Encoding<'_>, one: Lit, other: Lit) {
    cx.clause(&[one, !other], Leaf::Bits);
    cx.clause(&[!one, other], Leaf::Bits);
}

/// The literals of all bits of a word, lowest first; none if its circuit is too large.
pub(super) fn bits_of(cx: &mut Encoding<'_>, term: TermId) -> Option<Vec<Lit>> {
    let theory = cx.search.theory_mut();
    let row = theory.words.bits.of(cx.store, term).ok()?.to_vec();
    if theory.words.bits.is_partial() {
        theory.mark_unclear();
    }
    Some(row.into_iter().map(|edge| gate(cx, edge)).collect())
}
