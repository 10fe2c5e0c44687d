//! Words that equality knows as well: what functions and arrays take and give.
//!
//! An assignment is a model of both if
//!
//! 1. nodes that are equal have equal bits, and
//! 2. nodes that take the same place below the same function and have equal bits are equal.
//!
//! Where either fails, the equation of the two words becomes a literal that both know: equality
//! watches it, and it is tied to the gate that compares the bits. Then 1 cannot fail again, as
//! equality implies the literal, nor 2, as the search has to decide it.
//!
//! After de Moura, Bjørner, Model-based theory combination (SMT 2007), as `agreement` does for numbers.

use alphorn_sat::Lit;
use alphorn_term::{Bv, Store, TermId};
use rustc_hash::FxHashMap;

use super::gates::{bits_of, gate, tie_literals};
use crate::euf::Node;
use crate::theories::Theories;
use crate::theories::encode::Encoding;
use crate::theories::kernel::Kernel;

/// A word that equality knows.
pub(crate) struct SharedWord {
    pub(crate) term: TermId,
    pub(crate) node: Node,
    /// The places below functions where it stands; empty for mere values.
    pub(crate) places: Vec<u64>,
}

/// Lets equality and the bits both know a word.
pub(crate) fn share_word(cx: &mut Encoding<'_>, term: TermId, place: Option<u64>) {
    let theory = cx.theory_mut();
    let node = theory.equality.nodes[&term];
    let words = &mut theory.words;
    let index = match words.index.get(&node) {
        Some(index) => *index,
        None => {
            let index = words.shared.len();
            words.index.insert(node, index);
            words.shared.push(SharedWord { term, node, places: Vec::new() });
            match bits_of(cx, term) {
                Some(bits) => {
                    let justification = &mut cx.theory_mut().justification;
                    bits.iter().for_each(|bit| justification.always_decide(bit.var()));
                }
                None => cx.theory_mut().mark_unclear(),
            }
            index
        }
    };
    let places = &mut cx.theory_mut().words.shared[index].places;
    if let Some(place) = place.filter(|place| !places.contains(place)) {
        places.push(place);
    }
}

/// The literal that two words are equal, known to equality and tied to what compares the bits.
pub(crate) fn equation_of_words(
    cx: &mut Encoding<'_>,
    left: TermId,
    right: TermId,
    compared: Lit,
) -> Lit {
    let theory = cx.theory();
    let [a, b] = [left, right].map(|term| theory.equality.nodes[&term]);
    if let Some(lit) = theory.atoms.equality(a, b) {
        return lit;
    }
    let term = cx.store.eq(left, right);
    let var = cx.variable(Some(term));
    let theory = cx.theory_mut();
    theory.atoms.add_equality(var, a, b);
    theory.equality.closure.watch_equality(a, b, var.0);
    tie_literals(cx, var.positive(), compared);
    var.positive()
}

/// Makes equality and the bits agree on the words that both know; whether they did not.
pub(super) fn refine(kernel: &mut Kernel, store: &mut Store) -> bool {
    let Theories { words, equality, .. } = kernel.theory();
    if words.shared.is_empty() {
        return false;
    }
    let values: Vec<Option<Bv>> =
        (words.shared.iter()).map(|word| words.value(store, word.term, &kernel.search)).collect();
    let closure = &equality.closure;
    let mut leaders: FxHashMap<Node, usize> = FxHashMap::default();
    let mut together: FxHashMap<(u64, &Bv), usize> = FxHashMap::default();
    let mut pairs = Vec::new();
    for (index, word) in words.shared.iter().enumerate() {
        let leader = *leaders.entry(closure.root(word.node)).or_insert(index);
        if values[leader] != values[index] {
            pairs.push((leader, index));
        }
        let Some(value) = &values[index] else { continue };
        for place in &word.places {
            let first = *together.entry((*place, value)).or_insert(index);
            if closure.root(words.shared[first].node) != closure.root(word.node) {
                pairs.push((first, index));
            }
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    let terms: Vec<(TermId, TermId)> =
        (pairs.iter()).map(|&(a, b)| (words.shared[a].term, words.shared[b].term)).collect();
    let mut cx = kernel.encoding(store);
    for &(left, right) in &terms {
        let theory = cx.search.theory_mut();
        let Ok(edge) = theory.words.equality(cx.store, left, right) else {
            theory.mark_unclear();
            return false;
        };
        theory.words.has_arrangements = true;
        let compared = gate(&mut cx, edge);
        let lit = equation_of_words(&mut cx, left, right, compared);
        let theory = cx.theory_mut();
        theory.stats.arrangements += 1;
        theory.justification.split(lit.var());
    }
    !terms.is_empty()
}

impl super::Words {
    /// The literal of the graph that two words are equal.
    fn equality(
        &mut self,
        store: &Store,
        left: TermId,
        right: TermId,
    ) -> Result<alphorn_problem::circuit::Lit, String> {
        let a = self.bits.of(store, left)?.to_vec();
        let b = self.bits.of(store, right)?.to_vec();
        Ok(alphorn_problem::obligation::blast::word::equal(&mut self.bits.aig, &a, &b))
    }
}
