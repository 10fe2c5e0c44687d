//! Equations of words that equality should know as well.
//!
//! The bits of `i = k` and `i = j` are compared apart, and that both say the same where `j = k` takes
//! the search a case for each bit. Equality sees it at once if it knows the three words, so once
//! reads are unfolded, words that are compared with indices, and with those in turn, become known to it.
//! Of a conditional word it learns that it is one of its branches, so what a shadow of a memory does can
//! be followed word by word.
//!
//! Invariant: a literal that is made here is tied to the gate that compares the bits; it says nothing
//! that the gate does not say.

use alphorn_term::{Op, Store, TermId};
use rustc_hash::FxHashSet;

use crate::encode::Leaf;
use crate::smt::Smt;

/// What was seen of the formulas, and of the words that equality knows.
#[derive(Default)]
pub(super) struct Compared {
    seen: FxHashSet<TermId>,
    /// Equations of words of which equality does not know both sides yet.
    open: Vec<TermId>,
    /// How many of the words were looked at.
    words: usize,
}

impl Smt {
    /// Lets equality know the equations of words that reach an index.
    pub(super) fn share_equations(&mut self, store: &mut Store) {
        let mut compared = std::mem::take(&mut self.arrays.compared);
        let formulas = self.assertions.iter().map(|assertion| assertion.term);
        let mut stack: Vec<TermId> =
            formulas.chain(self.assumed.iter().map(|(_, term)| *term)).collect();
        while let Some(term) = stack.pop() {
            if !compared.seen.insert(term) {
                continue;
            }
            let args = store.args(term);
            if store.op(term) == Op::Eq && store.width_of(store.sort(args[0])).is_some() {
                compared.open.push(term);
            }
            if !matches!(store.op(term), Op::Forall | Op::Exists) {
                stack.extend_from_slice(args);
            }
        }
        loop {
            compared.open.retain(|equation| !self.share_equation(store, *equation));
            if compared.words == self.encoder.words.shared.len() {
                break;
            }
            while let Some(word) = self.encoder.words.shared.get(compared.words) {
                compared.words += 1;
                self.share_branches(store, word.term);
            }
        }
        self.arrays.compared = compared;
    }

    /// Lets equality know that a conditional word is one of its branches.
    fn share_branches(&mut self, store: &mut Store, term: TermId) {
        let (Op::Ite, &[condition, then, other]) = (store.op(term), store.args(term)) else {
            return;
        };
        let Smt { encoder, search, .. } = self;
        let condition = encoder.literal(search, store, condition);
        for (condition, branch) in [(condition, then), (!condition, other)] {
            let equation = store.eq(term, branch);
            // What is simplified further is about the condition.
            if store.op(equation) != Op::Eq {
                continue;
            }
            let Ok(&[edge]) = encoder.words.bits.of(store, equation) else { return };
            encoder.node(search, store, branch);
            encoder.share_word(search, store, branch, None);
            let compared = encoder.gate(search, store, edge);
            let same = encoder.equation_of_words(search, store, term, branch, compared);
            encoder.lemma(search, &[!condition, same], Leaf::Conditional(term));
        }
        encoder.settle(search, store);
    }

    /// Lets equality know an equation of words, if it knows one of them.
    fn share_equation(&mut self, store: &mut Store, equation: TermId) -> bool {
        let sides = [store.args(equation)[0], store.args(equation)[1]];
        let Smt { encoder, search, .. } = self;
        let is_index = |term: &TermId| !store.is_literal(*term) && encoder.nodes.contains_key(term);
        if !sides.iter().any(is_index) {
            return false;
        }
        let Ok(&[edge]) = encoder.words.bits.of(store, equation) else { return true };
        for side in sides {
            encoder.node(search, store, side);
            encoder.share_word(search, store, side, None);
        }
        let compared = encoder.gate(search, store, edge);
        encoder.equation_of_words(search, store, sides[0], sides[1], compared);
        encoder.settle(search, store);
        true
    }
}
