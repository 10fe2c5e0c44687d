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
//! After de Moura, Bjørner, Model-based theory combination (SMT 2007), as `combine` does for numbers.

use alphorn_sat::Lit;
use alphorn_term::{Bv, Store, TermId};
use rustc_hash::FxHashMap;

use crate::encode::{Encoder, Search};
use crate::euf::Node;
use crate::smt::Smt;

/// A word that equality knows.
pub(crate) struct SharedWord {
    pub(crate) term: TermId,
    pub(crate) node: Node,
    /// The places below functions where it stands; empty for mere values.
    pub(crate) places: Vec<u64>,
}

impl Encoder {
    /// Lets equality and the bits both know a word.
    pub(crate) fn share_word(
        &mut self,
        search: &mut Search,
        store: &mut Store,
        term: TermId,
        place: Option<u64>,
    ) {
        let node = self.nodes[&term];
        let index = match self.words.index.get(&node) {
            Some(index) => *index,
            None => {
                let index = self.words.shared.len();
                self.words.index.insert(node, index);
                self.words.shared.push(SharedWord { term, node, places: Vec::new() });
                match self.bits_of(search, store, term) {
                    Some(bits) => {
                        let justification = &mut search.theory_mut().justification;
                        bits.iter().for_each(|bit| justification.always_decide(bit.var()));
                    }
                    None => search.theory_mut().mark_unclear(),
                }
                index
            }
        };
        let places = &mut self.words.shared[index].places;
        if let Some(place) = place.filter(|place| !places.contains(place)) {
            places.push(place);
        }
    }

    /// The literal that two words are equal, known to equality and tied to what compares the bits.
    pub(crate) fn equation_of_words(
        &mut self,
        search: &mut Search,
        store: &mut Store,
        left: TermId,
        right: TermId,
        compared: Lit,
    ) -> Lit {
        let (a, b) = (self.nodes[&left], self.nodes[&right]);
        if let Some(lit) = search.theory().atoms.equality(a, b) {
            return lit;
        }
        let term = store.eq(left, right);
        let var = self.variable(search, Some(term));
        let theory = search.theory_mut();
        theory.atoms.add_equality(var, a, b);
        theory.euf.watch_equality(a, b, var.0);
        self.tie_literals(search, var.positive(), compared);
        var.positive()
    }
}

impl Smt {
    /// Makes equality and the bits agree on the words that both know; whether they did not.
    pub(crate) fn refine_words(&mut self, store: &mut Store) -> bool {
        let words = &self.encoder.words;
        if words.shared.is_empty() {
            return false;
        }
        let values: Vec<Option<Bv>> =
            (words.shared.iter()).map(|word| words.value(store, word.term, &self.search)).collect();
        let euf = &self.search.theory().euf;
        let mut leaders: FxHashMap<Node, usize> = FxHashMap::default();
        let mut together: FxHashMap<(u64, &Bv), usize> = FxHashMap::default();
        let mut pairs = Vec::new();
        for (index, word) in words.shared.iter().enumerate() {
            let leader = *leaders.entry(euf.root(word.node)).or_insert(index);
            if values[leader] != values[index] {
                pairs.push((leader, index));
            }
            let Some(value) = &values[index] else { continue };
            for place in &word.places {
                let first = *together.entry((*place, value)).or_insert(index);
                if euf.root(words.shared[first].node) != euf.root(word.node) {
                    pairs.push((first, index));
                }
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        let terms: Vec<(TermId, TermId)> =
            (pairs.iter()).map(|&(a, b)| (words.shared[a].term, words.shared[b].term)).collect();
        for &(left, right) in &terms {
            let Smt { encoder, search, .. } = self;
            let Ok(edge) = encoder.words.equality(store, left, right) else {
                search.theory_mut().mark_unclear();
                return false;
            };
            encoder.words.has_arrangements = true;
            let compared = encoder.gate(search, store, edge);
            let lit = encoder.equation_of_words(search, store, left, right, compared);
            search.theory_mut().stats.arrangements += 1;
            search.theory_mut().justification.split(lit.var());
        }
        !terms.is_empty()
    }
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
