//! Boolean structure that words of one bit hide.
//!
//! Systems of words say `(= (bvand a b) #b1)` where formulas would say that both are true. As one
//! atom it would be needed as a whole; as a conjunction, an implicant takes what matters of it. An
//! equation of a concatenation with a constant is one for each part.
//!
//! Only atoms are looked into; what is found is equivalent to what was there.

use super::implicant::is_connective;
use alphorn_term::{Op, Store, TermId};
use rustc_hash::FxHashMap;

/// The formulas with the structure of their words as connectives.
pub(super) fn with_structure(store: &mut Store, formulas: &[TermId]) -> Vec<TermId> {
    let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
    formulas.iter().map(|&formula| rewrite(store, formula, &mut done)).collect()
}

fn rewrite(store: &mut Store, root: TermId, done: &mut FxHashMap<TermId, TermId>) -> TermId {
    let mut stack = vec![(root, root, false)];
    // A term, what it was opened to, and whether its arguments are done.
    while let Some((term, opened, is_ready)) = stack.pop() {
        if done.contains_key(&term) {
            continue;
        }
        if is_ready {
            let args: Vec<TermId> = store.args(opened).iter().map(|arg| done[arg]).collect();
            let is_same = args == store.args(opened);
            let result = if is_same { opened } else { store.rebuild(opened, &args) };
            done.insert(term, result);
            continue;
        }
        let opened = open(store, term).unwrap_or(term);
        if !is_connective(store, opened) {
            done.insert(term, opened);
            continue;
        }
        stack.push((term, opened, true));
        let args = store.args(opened).to_vec();
        stack.extend(args.into_iter().rev().map(|arg| (arg, arg, false)));
    }
    done[&root]
}

/// An equation of words as the connective that it amounts to, one operator deep.
fn open(store: &mut Store, atom: TermId) -> Option<TermId> {
    let (Op::Eq, &[left, right]) = (store.op(atom), store.args(atom)) else { return None };
    let width = store.width_of(store.sort(left))?;
    for (word, constant) in [(left, right), (right, left)] {
        let Some(value) = store.bv_value(constant).cloned() else { continue };
        if width == 1 {
            let formula = truth(store, word)?;
            return Some(if value.bit(0) { formula } else { store.not(formula) });
        }
        let (Op::Concat, &[high, low]) = (store.op(word), store.args(word)) else { return None };
        let split = store.width(low);
        let parts = [(high, value.extract(width - 1, split)), (low, value.extract(split - 1, 0))];
        let equations = parts.map(|(word, value)| {
            let value = store.bv(value);
            store.eq(word, value)
        });
        return Some(store.and(&equations));
    }
    if width > 1 || !(is_open(store, left) || is_open(store, right)) {
        return None;
    }
    let (left, right) = (store.bv_to_bool(left), store.bv_to_bool(right));
    Some(store.eq(left, right))
}

fn is_open(store: &Store, word: TermId) -> bool {
    matches!(store.op(word), Op::BvAnd | Op::BvOr | Op::BvXor | Op::BvNot | Op::Ite)
}

/// What it means for a word of one bit to be one, by the words that it is made of.
fn truth(store: &mut Store, word: TermId) -> Option<TermId> {
    if !is_open(store, word) {
        return None;
    }
    let args = store.args(word).to_vec();
    let op = store.op(word);
    let bits = if op == Op::Ite { &args[1..] } else { &args[..] };
    let bits: Vec<TermId> = bits.iter().map(|&bit| store.bv_to_bool(bit)).collect();
    Some(match op {
        Op::BvAnd => store.and(&bits),
        Op::BvOr => store.or(&bits),
        Op::BvXor => store.xor(bits[0], bits[1]),
        Op::BvNot => store.not(bits[0]),
        _ => store.ite(args[0], bits[0], bits[1]),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_one_bit_are_opened() {
        let mut store = Store::new();
        let (bit, byte) = (store.bv_sort(1), store.bv_sort(8));
        let [a, b] = ["a", "b"].map(|name| store.var(name, bit));
        let [x, y] = ["x", "y"].map(|name| store.var(name, byte));
        let less = store.mk(Op::BvUlt, &[x, y]);
        let less = store.bool_to_bv(less);
        let not_b = store.mk(Op::BvNot, &[b]);
        let both = store.mk(Op::BvAnd, &[a, not_b]);
        let any = store.mk(Op::BvOr, &[both, less]);
        let formula = store.bv_to_bool(any);
        let opened = with_structure(&mut store, &[formula]);
        let expected = "(or (and (= a #b1) (not (= b #b1))) (bvult x y))";
        assert_eq!(store.show(opened[0]), expected);
        let pair = store.mk(Op::Concat, &[a, x]);
        let constant = store.bv(alphorn_term::Bv::from_u64(9, 0x105));
        let formula = store.eq(pair, constant);
        let opened = with_structure(&mut store, &[formula]);
        assert_eq!(store.show(opened[0]), "(and (= a #b1) (= x #x05))");
    }
}
