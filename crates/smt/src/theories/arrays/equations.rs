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

use crate::theories::encode::{Encoding, Leaf};
use crate::theories::equality::nodes::node;
use crate::theories::kernel::Kernel;
use crate::theories::words::{equation_of_words, gate, share_word};

/// What was seen of the formulas, and of the words that equality knows.
#[derive(Default)]
pub(super) struct Compared {
    seen: FxHashSet<TermId>,
    /// Equations of words of which equality does not know both sides yet.
    open: Vec<TermId>,
    /// How many of the words were looked at.
    words: usize,
}

/// Lets equality know the equations of words that reach an index.
pub(super) fn share_equations(kernel: &mut Kernel, store: &mut Store) {
    let mut compared = std::mem::take(&mut kernel.theory_mut().arrays.compared);
    let mut stack: Vec<TermId> = kernel.in_force().collect();
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
        compared.open.retain(|equation| !share_equation(&mut kernel.encoding(store), *equation));
        if compared.words == kernel.theory().words.shared.len() {
            break;
        }
        while let Some(word) = kernel.theory().words.shared.get(compared.words) {
            let term = word.term;
            compared.words += 1;
            share_branches(&mut kernel.encoding(store), term);
        }
    }
    kernel.theory_mut().arrays.compared = compared;
}

/// Lets equality know that a conditional word is one of its branches.
fn share_branches(cx: &mut Encoding<'_>, term: TermId) {
    let (Op::Ite, &[condition, then, other]) = (cx.store.op(term), cx.store.args(term)) else {
        return;
    };
    let condition = cx.literal(condition);
    for (condition, branch) in [(condition, then), (!condition, other)] {
        let equation = cx.store.eq(term, branch);
        // What is simplified further is about the condition.
        if cx.store.op(equation) != Op::Eq {
            continue;
        }
        let words = &mut cx.search.theory_mut().words;
        let Ok(&[edge]) = words.bits.of(cx.store, equation) else { return };
        node(cx, branch);
        share_word(cx, branch, None);
        let compared = gate(cx, edge);
        let same = equation_of_words(cx, term, branch, compared);
        cx.lemma(&[!condition, same], Leaf::Conditional(term));
    }
    cx.settle();
}

/// Lets equality know an equation of words, if it knows one of them.
fn share_equation(cx: &mut Encoding<'_>, equation: TermId) -> bool {
    let sides = [cx.store.args(equation)[0], cx.store.args(equation)[1]];
    let nodes = &cx.theory().equality.nodes;
    let is_index = |term: &TermId| !cx.store.is_literal(*term) && nodes.contains_key(term);
    if !sides.iter().any(is_index) {
        return false;
    }
    let words = &mut cx.search.theory_mut().words;
    let Ok(&[edge]) = words.bits.of(cx.store, equation) else { return true };
    for side in sides {
        node(cx, side);
        share_word(cx, side, None);
    }
    let compared = gate(cx, edge);
    equation_of_words(cx, sides[0], sides[1], compared);
    cx.settle();
    true
}
