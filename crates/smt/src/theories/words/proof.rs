//! Gates as terms, and the clauses about them as steps.
//!
//! The bit of a leaf or of a product is the word's extract, another gate the conjunction (`bvand`) of words of one bit, and
//! the atom says that the word is one. Terms are made for the gates that a proof mentions, and what
//! a clause says is looked up in the graph: no reasons are kept for the clauses that define gates.
//!
//! Invariant: the term of a gate, translated again, is the gate.

use alphorn_problem::circuit::Lit as Edge;
use alphorn_problem::evidence::proof::{Literal, Rule, StepId};
use alphorn_problem::obligation::blast::bits::{self, Leaf as Input};
use alphorn_sat::{Lit, Var};
use alphorn_term::{Bv, Op, SortId, Store, TermId};

use super::Words;
use crate::theories::proof::Writer;

impl Words {
    /// The variable of the graph that a variable of the search was made for.
    pub(crate) fn edge_of(&self, var: Var) -> Option<Edge> {
        self.edges.get(&var).map(|&var| Edge::new(var, false))
    }

    /// The word of one bit that a literal of the graph is.
    pub(crate) fn term(
        &self,
        store: &mut Store,
        known: &mut rustc_hash::FxHashMap<u32, TermId>,
        root: Edge,
    ) -> Option<TermId> {
        let mut stack = vec![(root.var(), false)];
        while let Some((var, is_ready)) = stack.pop() {
            if known.contains_key(&var) {
                continue;
            }
            // Translated again, a product has the gates that it has here, so nothing below it has to be said.
            if let Some((product, bit, is_negated)) = self.demand.name_of(var) {
                let word = match store.sort(product) {
                    SortId::BOOL => store.bool_to_bv(product),
                    _ => store.mk(Op::Extract(bit, bit), &[product]),
                };
                let word = if is_negated { store.mk(Op::BvNot, &[word]) } else { word };
                known.insert(var, word);
                continue;
            }
            let made = match (self.bits.aig.fan_ins(var), is_ready) {
                (Some(gate), false) => {
                    stack.push((var, true));
                    stack.extend([(gate.left.var(), false), (gate.right.var(), false)]);
                    continue;
                }
                (Some(gate), true) => {
                    let left = signed(store, known, gate.left)?;
                    let right = signed(store, known, gate.right)?;
                    store.mk(Op::BvAnd, &[left, right])
                }
                (None, _) if var == 0 => store.bv(Bv::from_bool(false)),
                (None, _) => match self.bits.leaf(var)? {
                    Input::Bit(word, bit) => store.mk(Op::Extract(bit, bit), &[word]),
                    Input::Truth(formula) => store.bool_to_bv(formula),
                },
            };
            known.insert(var, made);
        }
        signed(store, known, root)
    }
}

fn signed(
    store: &mut Store,
    known: &rustc_hash::FxHashMap<u32, TermId>,
    edge: Edge,
) -> Option<TermId> {
    let term = *known.get(&edge.var())?;
    Some(if edge.is_negated() { store.mk(Op::BvNot, &[term]) } else { term })
}

/// The atom that a literal of the graph is true.
fn bit(writer: &mut Writer<'_>, edge: Edge) -> Option<Literal> {
    let positive = edge.xor(edge.is_negated());
    let term = writer.kernel.theory().words.term(writer.store, &mut writer.gates, positive)?;
    let atom = writer.store.bv_to_bool(term);
    let literal = Literal::of(writer.store, atom);
    Some(if edge.is_negated() { !literal } else { literal })
}

/// The atom of a variable of the search that was made for a gate.
pub(super) fn gate(writer: &mut Writer<'_>, var: Var) -> Option<Literal> {
    let edge = writer.kernel.theory().words.edge_of(var)?;
    bit(writer, edge)
}

/// A step for a clause that defines a gate, if it is one.
pub(super) fn definition(
    writer: &mut Writer<'_>,
    key: &[Lit],
    clause: &[Literal],
) -> Option<StepId> {
    let kernel = writer.kernel;
    let words = &kernel.theory().words;
    let literal = |edge: &Edge| match edge.var() {
        0 => Some(kernel.encoder.truth.xor(*edge == Edge::FALSE)),
        _ => words.literal(*edge),
    };
    let is_it = |edges: &Vec<Edge>| {
        let lits: Option<Vec<Lit>> = edges.iter().map(literal).collect();
        lits.is_some_and(|mut lits| {
            lits.sort_unstable();
            lits.dedup();
            lits == key
        })
    };
    // Gates are made after what they are made of, but for those that are defined late.
    let gates = key.iter().rev().filter_map(|lit| words.edge_of(lit.var()));
    let mut clauses = gates.filter_map(|gate| {
        let shape = words.shape(words.bits.aig.fan_ins(gate.var())?);
        shape.clauses(gate).into_iter().find(&is_it)
    });
    let edges = clauses.next()?;
    let mut literals = Vec::with_capacity(edges.len());
    for edge in edges {
        literals.push(bit(writer, edge)?);
    }
    let step = writer.push(literals.clone(), Rule::Bits);
    writer.represent(step, &literals, clause)
}

/// A step from a comparison of words to the gate that it is.
pub(super) fn bridge(writer: &mut Writer<'_>, literal: Literal, to: &[Literal]) -> Option<StepId> {
    let edge = match bits::is_atom(writer.store, literal.atom) {
        true => *writer.kernel.theory().words.bits.known(literal.atom)?.first()?,
        false => return None,
    };
    let gate = match edge.var() {
        0 => Literal { atom: writer.store.bool(edge == Edge::TRUE), negated: false },
        _ => bit(writer, edge)?,
    };
    let gate = if literal.negated { !gate } else { gate };
    let mut clause = vec![!literal];
    match (gate.atom, gate.negated) {
        (TermId::FALSE, false) | (TermId::TRUE, true) => {}
        _ if to.contains(&gate) => clause.push(gate),
        _ => return None,
    }
    Some(writer.push(clause, Rule::Bits))
}
