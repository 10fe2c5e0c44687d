//! Words: their bits as literals of the search.
//!
//! Equations of products are multiplied out first (`ring`). Comparisons of words become gates of one graph (`problem::obligation::blast::bits`, the circuits
//! that the checker knows), and a gate becomes a variable of the search when a formula needs it
//! (`gates`). What functions, arrays and the like take and give are known to equality as well
//! (`shared`): an equation of two such words is a literal that both know. The gates of large products and quotients wait until an
//! assignment has their bits wrong (`demand`).
//!
//! Proofs: a bit is the atom that the word's bit is one, a gate the conjunction of words of one bit,
//! so every clause about gates is one that the rule `Bits` of the checker accepts (`proof`).
//! Interpolants speak of gates too, and are lifted to words (`lift`).
//!
//! Invariant: the variables of the search that stand for gates say what the graph says: their
//! clauses are definitions, and hold in every model.

mod demand;
mod gates;
mod intervals;
pub(crate) mod lift;
mod proof;
mod quotients;
pub(crate) mod ranges;
mod related;
mod ring;
mod shared;
mod special;
mod substituted;

use alphorn_problem::circuit::Lit as Edge;
use alphorn_problem::evidence::proof::{Literal, StepId};
use alphorn_problem::obligation::blast::bits::{self, Bits};
use alphorn_sat::{Lit, Var};
use alphorn_term::{Bv, Op, Sort, Store, TermId, Value};
use rustc_hash::FxHashMap;

use crate::euf::Node;
use crate::theories::encode::{Encoding, Search};
use crate::theories::kernel::Kernel;
use crate::theories::model::Reading;
use crate::theories::proof::Writer;
use crate::theories::theory::Theory;
use demand::Demand;
pub(crate) use demand::has_wrong_products;
pub(crate) use gates::gate;
pub(crate) use related::{Related, state_related};
use ring::multiplied_out;
pub(crate) use shared::{SharedWord, equation_of_words, share_word};

/// Bit-vectors: what the search knows of them.
#[derive(Default)]
pub(crate) struct Words {
    /// The graph.
    pub(crate) bits: Bits,
    /// The literals of the search for variables of the graph, as far as there are any.
    literals: Vec<Option<Lit>>,
    /// The variables of the graph that variables of the search were made for.
    edges: FxHashMap<Var, u32>,
    /// Words that equality knows.
    pub(crate) shared: Vec<SharedWord>,
    index: FxHashMap<Node, usize>,
    /// Whether equations were made for equality and the bits to agree on, of words that need not
    /// occur in one formula.
    pub(crate) has_arrangements: bool,
    /// Products, and what was said of them.
    related: Related,
    /// Those whose gates are made on demand.
    pub(crate) demand: Demand,
}

impl Words {
    /// The literal of the search for a literal of the graph, if there is one.
    pub(crate) fn literal(&self, edge: Edge) -> Option<Lit> {
        let lit = self.literals.get(edge.var() as usize).copied().flatten()?;
        Some(lit.xor(edge.is_negated()))
    }

    /// Whether there are no words.
    pub(crate) fn is_empty(&self) -> bool {
        self.literals.is_empty()
    }

    fn set_literal(&mut self, var: u32, lit: Lit) {
        if self.literals.len() <= var as usize {
            self.literals.resize(var as usize + 1, None);
        }
        self.literals[var as usize] = Some(lit);
    }

    /// The value of a word under an assignment, open bits being zero.
    pub(crate) fn value(&self, store: &Store, term: TermId, search: &Search) -> Option<Bv> {
        if let Some(value) = store.bv_value(term) {
            return Some(value.clone());
        }
        let row = self.bits.known(term)?;
        let digit = |edge: &Edge| {
            let value = match edge.var() {
                0 => *edge == Edge::TRUE,
                _ => self.literal(*edge).and_then(|lit| search.value(lit)).unwrap_or(false),
            };
            b'0' + u8::from(value)
        };
        let digits: Vec<u8> = row.iter().rev().map(digit).collect();
        Bv::parse_binary(&digits)
    }
}

impl Theory for Words {
    fn enter(cx: &mut Encoding<'_>, term: TermId) -> bool {
        // Bits are made when something asks for them.
        cx.search.theory_mut().words.demand.enter(cx.store, term);
        cx.store.width_of(cx.store.sort(term)).is_some()
    }

    fn atom(cx: &mut Encoding<'_>, term: TermId) -> Option<Lit> {
        bits::is_atom(cx.store, term).then(|| comparison(cx, term))
    }

    fn share(cx: &mut Encoding<'_>, term: TermId, place: Option<u64>) {
        if cx.store.width_of(cx.store.sort(term)).is_some() {
            share_word(cx, term, place);
        }
    }

    fn refine(kernel: &mut Kernel, store: &mut Store) -> bool {
        demand::refine(kernel, store) || shared::refine(kernel, store)
    }

    fn value(reading: &Reading<'_>, term: TermId, sort: &Sort) -> Option<Value> {
        let Sort::BitVec(_) = sort else { return None };
        let kernel = reading.kernel;
        kernel.theory().words.value(reading.store, term, &kernel.search).map(Value::Bv)
    }

    fn literal(writer: &mut Writer<'_>, var: Var) -> Option<Literal> {
        proof::gate(writer, var)
    }

    fn prove(writer: &mut Writer<'_>, lits: &[Lit], clause: &[Literal]) -> Option<StepId> {
        proof::definition(writer, lits, clause)
    }

    fn bridge(writer: &mut Writer<'_>, literal: Literal, to: &[Literal]) -> Option<StepId> {
        proof::bridge(writer, literal, to)
    }
}

/// The literal of a comparison of words.
fn comparison(cx: &mut Encoding<'_>, term: TermId) -> Lit {
    if let Some(lit) = multiplied_out(cx, term) {
        share_equation(cx, term, lit);
        return lit;
    }
    let theory = cx.search.theory_mut();
    let Ok(&[edge]) = theory.words.bits.of(cx.store, term) else {
        theory.mark_unclear();
        return cx.opaque(term);
    };
    if theory.words.bits.is_partial() {
        theory.mark_unclear();
    }
    let lit = gate(cx, edge);
    share_equation(cx, term, lit);
    lit
}

/// Lets equality know the literal of an equation of words that it knows.
fn share_equation(cx: &mut Encoding<'_>, term: TermId, lit: Lit) {
    if cx.store.op(term) == Op::Eq {
        let (left, right) = (cx.store.args(term)[0], cx.store.args(term)[1]);
        let nodes = &cx.theory().equality.nodes;
        if nodes.contains_key(&left) && nodes.contains_key(&right) {
            equation_of_words(cx, left, right, lit);
        }
    }
}
