//! Constructors of words: the operators that others define, and the identities worth a look.

use crate::bv::Bv;
use crate::id::TermId;
use crate::op::Op;
use crate::store::Store;

impl Store {
    /// A truth value as a word of one bit.
    pub fn bool_to_bv(&mut self, term: TermId) -> TermId {
        let (one, zero) = (self.bv(Bv::from_bool(true)), self.bv(Bv::from_bool(false)));
        self.ite(term, one, zero)
    }

    /// A word of one bit as a truth value.
    pub fn bv_to_bool(&mut self, term: TermId) -> TermId {
        let one = self.bv(Bv::from_bool(true));
        self.eq(term, one)
    }

    /// `bvcomp`: one bit that says whether two words are equal.
    pub fn bvcomp(&mut self, left: TermId, right: TermId) -> TermId {
        let same = self.eq(left, right);
        self.bool_to_bv(same)
    }

    /// The word rotated left by `by` bits, modulo its width.
    pub fn rotate_left(&mut self, by: u32, term: TermId) -> TermId {
        let width = self.width(term);
        let by = if width == 0 { 0 } else { by % width };
        if by == 0 {
            return term;
        }
        let low = self.mk(Op::Extract(width - by - 1, 0), &[term]);
        let high = self.mk(Op::Extract(width - 1, width - by), &[term]);
        self.mk(Op::Concat, &[low, high])
    }

    /// The word rotated right by `by` bits, modulo its width.
    pub fn rotate_right(&mut self, by: u32, term: TermId) -> TermId {
        let width = self.width(term);
        let by = if width == 0 { 0 } else { by % width };
        self.rotate_left(width - by, term)
    }

    /// Exclusive or of all bits, as one bit.
    pub fn reduce_xor(&mut self, term: TermId) -> TermId {
        let mut result = self.mk(Op::Extract(0, 0), &[term]);
        for bit in 1..self.width(term) {
            let bit = self.mk(Op::Extract(bit, bit), &[term]);
            result = self.mk(Op::BvXor, &[result, bit]);
        }
        result
    }

    /// A term equal to `op` applied to `args`, where an identity gives one.
    pub(super) fn word_identity(&mut self, op: Op, args: &[TermId]) -> Option<TermId> {
        match (op, args) {
            (Op::Extract(high, 0), &[a]) if high + 1 == self.width(a) => Some(a),
            (Op::Extract(high, low), &[a]) => match self.op(a) {
                Op::Extract(_, base) => {
                    let inner = self.args(a)[0];
                    Some(self.mk(Op::Extract(high + base, low + base), &[inner]))
                }
                _ => None,
            },
            (Op::ZeroExtend(0) | Op::SignExtend(0) | Op::Repeat(1), &[a]) => Some(a),
            (Op::BvNot | Op::BvNeg, &[a]) if self.op(a) == op => Some(self.args(a)[0]),
            (Op::BvAnd | Op::BvOr, &[a, b]) if a == b => Some(a),
            (Op::BvXor | Op::BvSub, &[a, b]) if a == b => {
                let width = self.width(a);
                Some(self.bv(Bv::from_u64(width, 0)))
            }
            (Op::BvUle | Op::BvSle, &[a, b]) if a == b => Some(TermId::TRUE),
            (Op::BvUlt | Op::BvSlt, &[a, b]) if a == b => Some(TermId::FALSE),
            (Op::BvShl | Op::BvLshr | Op::BvAshr | Op::BvSub, &[a, b]) => {
                self.bv_value(b).is_some_and(Bv::is_zero).then_some(a)
            }
            (Op::BvAnd | Op::BvOr | Op::BvXor | Op::BvAdd | Op::BvMul, &[a, b]) => {
                (self.commutative_identity(op, a, b))
                    .or_else(|| self.commutative_identity(op, b, a))
                    // Both orders are one term: the one that was made first.
                    .or_else(|| self.find_raw(op, self.sort(a), &[b, a]))
            }
            _ => None,
        }
    }

    fn commutative_identity(&self, op: Op, literal: TermId, other: TermId) -> Option<TermId> {
        let value = self.bv_value(literal)?;
        let one = || *value == Bv::from_u64(value.width(), 1);
        match op {
            Op::BvAnd | Op::BvMul if value.is_zero() => Some(literal),
            Op::BvAnd if value.is_ones() => Some(other),
            Op::BvOr if value.is_ones() => Some(literal),
            Op::BvOr | Op::BvXor | Op::BvAdd if value.is_zero() => Some(other),
            Op::BvMul if one() => Some(other),
            _ => None,
        }
    }
}
