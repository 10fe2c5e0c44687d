//! Comparisons of words that are worth to be watched in the circuit of a transition system.
//!
//! That one word is at most another takes as many clauses over their bits as there are words, while
//! invariants of programs are about little else. So comparisons become outputs of the circuit, about
//! which `ic3-outputs` speaks as about latches: those of the system that depend on states alone, and
//! order and equality of states that the system brings together.
//!
//! Invariant: what is watched depends on followed states alone, and the circuit is the same otherwise.

use crate::settings::{WATCH_MAX_PAIRED, WATCH_MAX_WATCHED, WATCH_NARROW, WATCH_NARROWEST};
use alphorn_hw::bits::follow;
use alphorn_problem::circuit::{And, Lit};
use alphorn_problem::obligation::blast::bits::is_atom;
use alphorn_problem::obligation::blast::gates::Blaster;
use alphorn_problem::obligation::blast::{Goal, Layout};
use alphorn_problem::words::Named;
use alphorn_problem::{Circuit, Span, Words};
use alphorn_term::{Op, Sort, TermId};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// Adds the comparisons to be watched to the outputs of a system, after those that are there.
pub(super) fn choose(words: &mut Words) {
    let followed: Vec<TermId> = (follow(words, Goal::Safety(0)).states.iter())
        .map(|&place| words.states[place].var)
        .collect();
    let is_followed: FxHashSet<TermId> = followed.iter().copied().collect();
    let roots: Vec<TermId> = (words.bads.iter().map(|bad| bad.term))
        .chain(words.states.iter().filter_map(|state| state.next))
        .collect();
    let mut found: BTreeSet<TermId> = BTreeSet::new();
    let mut related: BTreeSet<(TermId, TermId)> = BTreeSet::new();
    for term in words.terms.subterms(&roots) {
        let is_compared = is_atom(&words.terms, term);
        if words.terms.op(term) == Op::Ite || (words.terms.width(term) == 0 && !is_compared) {
            continue;
        }
        let vars = words.terms.free_vars(&[term]);
        let states: Vec<TermId> =
            vars.iter().copied().filter(|var| is_followed.contains(var)).collect();
        if is_compared && states.len() == vars.len() && !states.is_empty() {
            found.insert(term);
        }
        if states.len() <= 4 {
            related.extend(pairs(&states));
        }
    }
    let slots: Vec<TermId> = followed
        .iter()
        .copied()
        .filter(|&var| words.terms.width(var) >= WATCH_NARROWEST.short())
        .collect();
    if slots.len() <= WATCH_MAX_PAIRED.size() {
        related.extend(pairs(&slots));
    }
    let given = words.outputs.iter().map(|output| output.term);
    let mut chosen: Vec<TermId> = Vec::new();
    for term in given.filter(|&term| depends_on(words, term, &is_followed)).chain(found) {
        if !chosen.contains(&term) {
            chosen.push(term);
        }
    }
    for (x, y) in related {
        let sort = words.terms.sort(x);
        if sort != words.terms.sort(y)
            || !matches!(words.terms.sort_of(sort), Sort::BitVec(width) if *width >= WATCH_NARROWEST.short())
        {
            continue;
        }
        for op in [Op::Eq, Op::BvUle, Op::BvSle] {
            let term = words.terms.mk(op, &[x, y]);
            if !chosen.contains(&term) {
                chosen.push(term);
            }
        }
    }
    chosen.truncate(WATCH_MAX_WATCHED.size());
    let named = |term| Named { term, name: None, span: Span::NONE };
    words.outputs = chosen.into_iter().map(named).collect();
}

/// Whether a term depends on these variables alone.
fn depends_on(words: &Words, term: TermId, vars: &FxHashSet<TermId>) -> bool {
    words.terms.free_vars(&[term]).iter().all(|var| vars.contains(var))
}

/// All pairs of different terms, the smaller first.
fn pairs(terms: &[TermId]) -> Vec<(TermId, TermId)> {
    let mut all = Vec::new();
    for (at, &x) in terms.iter().enumerate() {
        all.extend(terms[..at].iter().map(|&y| (x.min(y), x.max(y))));
    }
    all
}

/// The circuit of the first safety property with the system's outputs as its own.
pub(super) fn watch(words: &Words, circuit: &mut Circuit) -> Result<(), String> {
    let layout = Layout::new(words, Goal::Safety(0), &follow(words, Goal::Safety(0)))?;
    let shape = layout.shape(words);
    let leaves = circuit.inputs + circuit.latches.len() as u32;
    let mut blaster = Blaster::new(&words.terms, &shape, leaves);
    for (place, &state) in layout.states().iter().enumerate() {
        blaster.set(words.states[state].var, &layout.latch_word(place));
    }
    let roots: Vec<TermId> = words.outputs.iter().map(|output| output.term).collect();
    blaster.translate(&words.terms.subterms(&roots))?;
    let moved = circuit.ands.len() as u32;
    let lit = |lit: Lit| match lit.var() > leaves {
        true => Lit::new(lit.var() + moved, lit.is_negated()),
        false => lit,
    };
    let outputs: Vec<Lit> =
        roots.iter().filter_map(|&root| blaster.bits(root)).map(|bits| lit(bits[0])).collect();
    let narrow =
        layout.latches().iter().enumerate().filter(|(_, bits)| bits.len() <= WATCH_NARROW.size());
    let control: Vec<Lit> = narrow.flat_map(|(place, _)| layout.latch_word(place)).collect();
    let gates = blaster.aig.into_ands();
    circuit.ands.extend(gates.iter().map(|and| And { left: lit(and.left), right: lit(and.right) }));
    circuit.outputs = outputs.into_iter().chain(control).collect();
    circuit.validate()
}
