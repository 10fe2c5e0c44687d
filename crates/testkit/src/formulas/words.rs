//! Random words: every operator, at a width that is asked for.

use super::Formulas;
use crate::terms::word_operators::{COMPARISONS, TO_WORD};
use alphorn_term::{Bv, Int, Op, SortId, Store, TermId};

/// Products and quotients of words wider than this take other solvers too long.
const WIDEST_PRODUCT: u32 = 9;

impl Formulas {
    fn word_literal(&mut self, store: &mut Store, width: u32) -> TermId {
        let value = match self.rng.below(4) {
            0 => Bv::from_u64(width, 0),
            1 => Bv::ones(width),
            2 => Bv::min_signed(width),
            _ => Bv::from_int(width, &Int::from(i64::from(self.rng.below(64)) - 32)),
        };
        store.bv(value)
    }

    /// A word.
    pub fn word(&mut self, store: &mut Store, width: u32, depth: u32) -> TermId {
        let sort = store.bv_sort(width);
        if depth > 0
            && self.kind.arrays
            && self.rng.one_in(3)
            && let Some(term) = self.select(store, sort, depth)
        {
            return term;
        }
        let name = format!("w{width}_{}", self.rng.below(3));
        match self.rng.below(if depth == 0 { 5 } else { 16 }) {
            0 => self.word_literal(store, width),
            1..=4 => store.var(&name, sort),
            5 => {
                let a = self.word(store, width, depth - 1);
                let op = if self.rng.one_in(2) { Op::BvNot } else { Op::BvNeg };
                store.mk(op, &[a])
            }
            6 => {
                let more = 1 + self.rng.below(3);
                let low = self.rng.below(more + 1);
                let a = self.word(store, width + more, depth - 1);
                store.mk(Op::Extract(low + width - 1, low), &[a])
            }
            7 if width > 1 => {
                let high = 1 + self.rng.below(width - 1);
                let (a, b) =
                    (self.word(store, high, depth - 1), self.word(store, width - high, depth - 1));
                store.mk(Op::Concat, &[a, b])
            }
            8 if width > 1 => {
                let less = 1 + self.rng.below(width - 1);
                let a = self.word(store, width - less, depth - 1);
                let is_signed = self.rng.one_in(2);
                store.mk(if is_signed { Op::SignExtend(less) } else { Op::ZeroExtend(less) }, &[a])
            }
            9 if width.is_multiple_of(3) => {
                let a = self.word(store, width / 3, depth - 1);
                store.mk(Op::Repeat(3), &[a])
            }
            10 => {
                let condition = self.formula(store, depth - 1);
                let a = self.word(store, width, depth - 1);
                let b = self.word(store, width, depth - 1);
                store.ite(condition, a, b)
            }
            11 if !self.kind.ints => {
                let a = self.word(store, width, depth - 1);
                let by = self.rng.below(width + 2);
                store.rotate_left(by, a)
            }
            11 if self.kind.ints && width < 5 => {
                let number = self.term(store, SortId::INT, depth - 1);
                store.mk(Op::IntToBv(width), &[number])
            }
            12 if self.kind.functions => match self.apply(store, sort, depth) {
                Some(term) => term,
                None => store.var(&name, sort),
            },
            _ => {
                let op = self.rng.pick(TO_WORD);
                let is_product = matches!(
                    op,
                    Op::BvMul | Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem | Op::BvSmod
                );
                let op = if is_product && width > WIDEST_PRODUCT { Op::BvAdd } else { op };
                let a = self.word(store, width, depth - 1);
                let b = self.word(store, width, depth - 1);
                store.mk(op, &[a, b])
            }
        }
    }

    /// A comparison of words.
    pub fn comparison(&mut self, store: &mut Store, depth: u32) -> TermId {
        let width = match self.rng.below(12) {
            0 => 1,
            1 if !self.kind.functions => self.rng.pick(&[64, 130]),
            2..=5 => 1 + self.rng.below(9),
            _ => 3,
        };
        let a = self.word(store, width, depth);
        if self.rng.one_in(12) {
            return store.mk(Op::BvNego, &[a]);
        }
        let b = self.word(store, width, depth);
        if self.rng.one_in(3) {
            return store.eq(a, b);
        }
        let op = self.rng.pick(COMPARISONS);
        let is_product = matches!(op, Op::BvUmulo | Op::BvSmulo);
        let op = if is_product && width > WIDEST_PRODUCT { Op::BvUlt } else { op };
        store.mk(op, &[a, b])
    }

    /// The functions of words.
    pub(super) fn declare_word_functions(&mut self, store: &mut Store, element: Option<SortId>) {
        let (three, one) = (store.bv_sort(3), store.bv_sort(1));
        self.functions.push(store.declare("wf", &[three], three));
        self.functions.push(store.declare("wg", &[three, one], three));
        self.functions.push(store.declare("wh", &[three], one));
        self.functions.push(store.declare("wp", &[three], SortId::BOOL));
        if let Some(element) = element {
            self.functions.push(store.declare("we", &[three], element));
            self.functions.push(store.declare("ew", &[element], three));
        }
    }
}
