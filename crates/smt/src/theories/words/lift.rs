//! Formulas about bits as formulas about words.
//!
//! Proofs speak of gates. A gate that a comparison is, or that is a bit of a word that the formulas have,
//! is said by them (`Names`); in conjunctions of bits, neighbours of one word become an equation of that
//! part of the word with a constant, in disjunctions a disequation (`lift`).

use crate::settings::WORDS_MAX_NAMES;
use alphorn_problem::evidence::proof::Literal;
use alphorn_term::{Bv, Op, SortId, Store, TermId};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

use super::Words;

/// The terms whose bits gates are: by the variable of the graph the terms, bits and signs.
pub(crate) struct Names {
    known: FxHashMap<u32, Vec<(TermId, u32, bool)>>,
}

impl Names {
    /// All terms that were translated, comparisons first, then those that were made earlier.
    pub(crate) fn new(store: &Store, words: &Words) -> Names {
        let mut terms: Vec<TermId> = words.bits.terms().collect();
        terms.sort_unstable_by_key(|term| (store.sort(*term) != SortId::BOOL, *term));
        let mut known: FxHashMap<u32, Vec<(TermId, u32, bool)>> = FxHashMap::default();
        for term in terms {
            let row = words.bits.known(term).unwrap_or_default();
            for (bit, edge) in (0..).zip(row) {
                let names = known.entry(edge.var()).or_default();
                if names.len() < WORDS_MAX_NAMES.size() {
                    names.push((term, bit, edge.is_negated()));
                }
            }
        }
        Names { known }
    }

    /// The terms that have a variable of the graph for a bit: the term, the bit and the sign.
    pub(crate) fn of(&self, var: u32) -> &[(TermId, u32, bool)] {
        self.known.get(&var).map_or(&[], Vec::as_slice)
    }
}

/// The literal that a bit of a term is one, or not one; a formula is its own bit.
pub(crate) fn bit_literal(store: &mut Store, (term, bit, negated): (TermId, u32, bool)) -> Literal {
    let formula = match store.sort(term) {
        SortId::BOOL => term,
        _ => {
            let word = store.mk(Op::Extract(bit, bit), &[term]);
            store.bv_to_bool(word)
        }
    };
    let literal = Literal::of(store, formula);
    if negated { !literal } else { literal }
}

/// The word and the bit that an atom says to be one.
fn as_bit(store: &Store, atom: TermId) -> Option<(TermId, u32, bool)> {
    let (Op::Eq, &[left, right]) = (store.op(atom), store.args(atom)) else { return None };
    for (word, value) in [(left, right), (right, left)] {
        let (Op::Extract(high, low), Some(value)) = (store.op(word), store.bv_value(value)) else {
            continue;
        };
        if high == low {
            return Some((store.args(word)[0], low, value.bit(0)));
        }
    }
    None
}

/// The formula with neighbouring bits of words joined.
pub(crate) fn lift(store: &mut Store, formula: TermId) -> TermId {
    let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
    let is_inside = |store: &Store, term: TermId| match store.op(term) {
        Op::And | Op::Or | Op::Not => true,
        Op::Ite => store.sort(term) == SortId::BOOL,
        Op::Eq => store.sort(store.args(term)[0]) == SortId::BOOL,
        _ => false,
    };
    let mut stack = vec![(formula, false)];
    while let Some((term, is_ready)) = stack.pop() {
        if done.contains_key(&term) {
            continue;
        }
        if !is_inside(store, term) {
            done.insert(term, term);
        } else if !is_ready {
            stack.push((term, true));
            stack.extend(store.args(term).iter().map(|arg| (*arg, false)));
        } else {
            let args: Vec<TermId> = store.args(term).iter().map(|arg| done[arg]).collect();
            let result = match store.op(term) {
                op @ (Op::And | Op::Or) => join(store, op, &args),
                _ => store.rebuild(term, &args),
            };
            done.insert(term, result);
        }
    }
    done[&formula]
}

/// A conjunction or disjunction with neighbouring bits joined.
fn join(store: &mut Store, op: Op, args: &[TermId]) -> TermId {
    let mut bits: BTreeMap<(TermId, u32), bool> = BTreeMap::new();
    let mut parts = Vec::new();
    for &arg in args {
        let literal = Literal::of(store, arg);
        match as_bit(store, literal.atom) {
            Some((word, bit, value)) => {
                // A disjunction is the negation of the conjunction of the negations.
                let value = (value != literal.negated) == (op == Op::And);
                if bits.insert((word, bit), value).is_some_and(|other| other != value) {
                    return store.bool(op == Op::Or);
                }
            }
            None => parts.push(arg),
        }
    }
    let bits: Vec<((TermId, u32), bool)> = bits.into_iter().collect();
    let is_next =
        |a: &((TermId, u32), bool), b: &((TermId, u32), bool)| a.0.0 == b.0.0 && a.0.1 + 1 == b.0.1;
    for run in bits.chunk_by(is_next) {
        let ((word, low), _) = run[0];
        let high = low + run.len() as u32 - 1;
        let digits: Vec<u8> = run.iter().rev().map(|(_, bit)| b'0' + u8::from(*bit)).collect();
        let Some(value) = Bv::parse_binary(&digits) else { continue };
        let part = store.mk(Op::Extract(high, low), &[word]);
        let value = store.bv(value);
        let equation = store.eq(part, value);
        parts.push(if op == Op::And { equation } else { store.not(equation) });
    }
    store.mk(op, &parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbouring_bits_become_an_equation() {
        let mut store = Store::new();
        let sort = store.bv_sort(4);
        let word = store.var("x", sort);
        let bits: Vec<TermId> = (0..4)
            .map(|bit| {
                let literal = bit_literal(&mut store, (word, bit, bit == 2));
                if literal.negated { store.not(literal.atom) } else { literal.atom }
            })
            .collect();
        let all = store.and(&bits);
        let lifted = lift(&mut store, all);
        assert_eq!(store.show(lifted), "(= x #xb)");
        let some = store.or(&[bits[0], bits[1], bits[3]]);
        let lifted = lift(&mut store, some);
        let expected = "(or (not (= ((_ extract 1 0) x) #b00)) (not (= ((_ extract 3 3) x) #b0)))";
        assert_eq!(store.show(lifted), expected);
    }
}
