//! Constructors of arithmetic.
//!
//! Sums collect equal summands (`x + x` is `2 * x`) in the order of their first occurrence, with
//! the constant last; a product has its literal factor first, and a literal factor distributes
//! over a short sum. So linear terms are polynomials, up to the length where flattening stops.
//! Literals that would become too long stay apart: squares of squares grow without bound.

use super::FLAT;
use crate::id::TermId;
use crate::meter::words_of;
use crate::op::Op;
use crate::sort::SortId;
use crate::store::Store;
use crate::{Int, Rat};
use rustc_hash::FxHashMap;

/// Up to how many bits putting literals together counts as nothing.
const COLLECTED_BITS: u64 = 1 << 10;

/// Terms with coefficients, in the order of their first occurrence.
struct Summands {
    list: Vec<(TermId, Rat)>,
    /// Where the terms are, once there are many.
    position: FxHashMap<TermId, usize>,
}

impl Summands {
    /// The most terms that are searched one by one.
    const SHORT: usize = 16;

    fn with_capacity(capacity: usize) -> Summands {
        Summands { list: Vec::with_capacity(capacity), position: FxHashMap::default() }
    }

    fn add(&mut self, term: TermId, coefficient: Rat) {
        let at = if self.list.len() < Self::SHORT {
            self.list.iter().position(|(other, _)| *other == term)
        } else {
            if self.position.is_empty() {
                self.position = self.list.iter().enumerate().map(|(at, s)| (s.0, at)).collect();
            }
            self.position.get(&term).copied()
        };
        match at {
            Some(at) => self.list[at].1 += &coefficient,
            None => {
                if self.list.len() >= Self::SHORT {
                    self.position.insert(term, self.list.len());
                }
                self.list.push((term, coefficient));
            }
        }
    }
}

/// The most summands of a product of sums that is multiplied out.
const MULTIPLIED_OUT: usize = 12;

impl Store {
    /// Sum.
    pub fn add(&mut self, terms: &[TermId]) -> TermId {
        self.mk(Op::Add, terms)
    }

    /// Product.
    pub fn mul(&mut self, terms: &[TermId]) -> TermId {
        self.mk(Op::Mul, terms)
    }

    /// The negative.
    pub fn neg(&mut self, term: TermId) -> TermId {
        let minus_one = self.number(self.sort(term), &Int::from(-1i64));
        self.mk(Op::Mul, &[minus_one, term])
    }

    /// Difference.
    pub fn sub(&mut self, left: TermId, right: TermId) -> TermId {
        let right = self.neg(right);
        self.mk(Op::Add, &[left, right])
    }

    /// At most.
    pub fn le(&mut self, left: TermId, right: TermId) -> TermId {
        self.mk(Op::Le, &[left, right])
    }

    /// Less than.
    pub fn lt(&mut self, left: TermId, right: TermId) -> TermId {
        self.mk(Op::Lt, &[left, right])
    }

    /// At least.
    pub fn ge(&mut self, left: TermId, right: TermId) -> TermId {
        self.mk(Op::Le, &[right, left])
    }

    /// Greater than.
    pub fn gt(&mut self, left: TermId, right: TermId) -> TermId {
        self.mk(Op::Lt, &[right, left])
    }

    /// `term` is a multiple of `divisor`, which is positive.
    pub fn divisible(&mut self, divisor: &Int, term: TermId) -> TermId {
        let (divisor, zero) = (self.int(divisor.clone()), self.int(0));
        let rest = self.mk(Op::Mod, &[term, divisor]);
        self.eq(rest, zero)
    }

    /// The number a numeric literal stands for, in either sort.
    pub fn number_value(&self, term: TermId) -> Option<Rat> {
        match self.op(term) {
            Op::IntVal(_) => self.int_value(term).map(|value| Rat::from(value.clone())),
            Op::RealVal(_) => self.real_value(term).cloned(),
            _ => None,
        }
    }

    /// The literal of a number that is known to be an element of `sort`.
    fn number_literal(&mut self, sort: SortId, value: &Rat) -> TermId {
        if sort == SortId::REAL {
            self.real(value.clone())
        } else {
            self.int(value.to_int().expect("integer terms have integer coefficients"))
        }
    }

    /// A term as a coefficient times a rest; the rest of a literal is `None`.
    fn monomial(&self, term: TermId) -> (Rat, Option<TermId>) {
        if let Some(value) = self.number_value(term) {
            return (value, None);
        }
        if self.op(term) == Op::Mul
            && let [first, rest] = *self.args(term)
            && let Some(value) = self.number_value(first)
        {
            return (value, Some(rest));
        }
        (Rat::from(1i64), Some(term))
    }

    fn scaled(&mut self, sort: SortId, coefficient: &Rat, rest: TermId) -> TermId {
        if coefficient.is_one() {
            return rest;
        }
        let literal = self.number_literal(sort, coefficient);
        self.raw(Op::Mul, sort, &[literal, rest])
    }

    /// Whether the literals in the arguments of a sum or product can be put together, and counts
    /// the work of it.
    fn may_collect(&mut self, args: &[TermId]) -> bool {
        let mut bits = 0u64;
        for &arg in args {
            let inner = match self.op(arg) {
                Op::Add | Op::Mul if self.args(arg).len() <= FLAT => self.args(arg),
                _ => std::slice::from_ref(&arg),
            };
            bits =
                inner.iter().fold(bits, |bits, &term| bits.saturating_add(self.literal_bits(term)));
        }
        if bits > super::MAX_LITERAL_BITS {
            return false;
        }
        if bits > COLLECTED_BITS {
            let words = words_of(bits);
            self.charge(words * words);
        }
        true
    }

    /// The bits of the literal that a term is or has for a factor, where they are many.
    fn literal_bits(&self, term: TermId) -> u64 {
        let of = |term: TermId| match self.op(term) {
            Op::IntVal(_) => self.int_value(term).map_or(0, |value| value.bit_len() as u64),
            Op::RealVal(_) => self.real_value(term).map_or(0, Rat::bit_len),
            _ => 0,
        };
        match (self.op(term), self.args(term)) {
            (Op::Mul, &[first, ..]) => of(first),
            _ => of(term),
        }
    }

    pub(super) fn build_add(&mut self, sort: SortId, args: &[TermId]) -> TermId {
        if !self.may_collect(args) {
            return match args {
                [single] => *single,
                _ => self.raw(Op::Add, sort, args),
            };
        }
        let mut constant = Rat::from(0i64);
        let mut summands = Summands::with_capacity(args.len());
        for &arg in args {
            let nested = self.op(arg) == Op::Add && self.args(arg).len() <= FLAT;
            let inner = if nested { self.args(arg) } else { std::slice::from_ref(&arg) };
            for &term in inner {
                match self.monomial(term) {
                    (coefficient, None) => constant += &coefficient,
                    (coefficient, Some(rest)) => summands.add(rest, coefficient),
                }
            }
        }
        let summands = summands.list;
        let mut sum: Vec<TermId> = Vec::with_capacity(summands.len() + 1);
        for (rest, coefficient) in summands {
            if !coefficient.is_zero() {
                sum.push(self.scaled(sort, &coefficient, rest));
            }
        }
        if !constant.is_zero() || sum.is_empty() {
            sum.push(self.number_literal(sort, &constant));
        }
        match sum.as_slice() {
            [single] => *single,
            _ => self.raw(Op::Add, sort, &sum),
        }
    }

    pub(super) fn build_mul(&mut self, sort: SortId, args: &[TermId]) -> TermId {
        if !self.may_collect(args) {
            return match args {
                [single] => *single,
                _ => self.raw(Op::Mul, sort, args),
            };
        }
        let mut coefficient = Rat::from(1i64);
        let mut factors: Vec<TermId> = Vec::with_capacity(args.len());
        for &arg in args {
            let (value, rest) = self.monomial(arg);
            coefficient *= &value;
            if let Some(rest) = rest {
                let nested = self.op(rest) == Op::Mul && self.args(rest).len() <= FLAT;
                let inner = if nested { self.args(rest) } else { std::slice::from_ref(&rest) };
                // A longer product may still carry its own literal in front.
                for &factor in inner {
                    match self.number_value(factor) {
                        Some(value) => coefficient *= &value,
                        None => factors.push(factor),
                    }
                }
            }
        }
        if coefficient.is_zero() || factors.is_empty() {
            return self.number_literal(sort, &coefficient);
        }
        if let Some(sum) = self.multiplied_out(sort, &coefficient, &factors) {
            return sum;
        }
        if factors.len() > 2 {
            factors.sort_unstable();
        }
        let rest = match factors.as_slice() {
            [single] => *single,
            // Both orders of two factors are one term: the one that was made first.
            [left, right] => match self.find_raw(Op::Mul, sort, &[*right, *left]) {
                Some(term) => term,
                None => self.raw(Op::Mul, sort, &factors),
            },
            _ => self.raw(Op::Mul, sort, &factors),
        };
        if coefficient.is_one() {
            return rest;
        }
        if self.op(rest) == Op::Add && self.args(rest).len() <= FLAT {
            let literal = self.number_literal(sort, &coefficient);
            let terms: Vec<TermId> = self.args(rest).to_vec();
            let scaled: Vec<TermId> =
                terms.into_iter().map(|term| self.build_mul(sort, &[literal, term])).collect();
            return self.build_add(sort, &scaled);
        }
        self.scaled(sort, &coefficient, rest)
    }

    /// The product of several factors some of which are sums, if it is a short sum: then products of the same unknowns are
    /// the same terms, however they were written.
    fn multiplied_out(
        &mut self,
        sort: SortId,
        coefficient: &Rat,
        factors: &[TermId],
    ) -> Option<TermId> {
        let summands = |factor: TermId| match self.op(factor) {
            Op::Add => self.args(factor).len(),
            _ => 1,
        };
        let counts = factors.iter().map(|&factor| summands(factor));
        let count = counts.fold(1usize, usize::saturating_mul);
        if factors.len() < 2 || !(2..=MULTIPLIED_OUT).contains(&count) {
            return None;
        }
        // In one order, so that the sum does not depend on how the product was written.
        let mut factors = factors.to_vec();
        factors.sort_unstable();
        let mut products = vec![vec![self.number_literal(sort, coefficient)]];
        for factor in factors {
            let parts = match self.op(factor) {
                Op::Add => self.args(factor).to_vec(),
                _ => vec![factor],
            };
            let longer = |product: &Vec<TermId>| {
                let of = |part: &TermId| product.iter().copied().chain([*part]).collect();
                parts.iter().map(of).collect::<Vec<Vec<TermId>>>()
            };
            products = products.iter().flat_map(longer).collect();
        }
        let products: Vec<TermId> =
            products.iter().map(|product| self.build_mul(sort, product)).collect();
        Some(self.build_add(sort, &products))
    }

    pub(super) fn build_order(&mut self, op: Op, left: TermId, right: TermId) -> TermId {
        if left == right {
            return self.bool(op == Op::Le);
        }
        self.raw(op, SortId::BOOL, &[left, right])
    }

    pub(super) fn build_division(&mut self, op: Op, left: TermId, right: TermId) -> TermId {
        let divisor = self.number_value(right).filter(|value| !value.is_zero());
        let divisor = divisor.filter(|value| value.bit_len() <= super::MAX_LITERAL_BITS);
        match (op, divisor) {
            (Op::RealDiv, Some(divisor)) => {
                let inverse = divisor.recip().expect("the divisor is not zero");
                let factor = self.real(inverse);
                self.build_mul(SortId::REAL, &[factor, left])
            }
            (Op::IntDiv, Some(divisor)) if divisor.is_one() => left,
            (Op::Mod, Some(divisor)) if divisor.abs().is_one() => self.int(0),
            _ => {
                let sort = self.sort(left);
                self.raw(op, sort, &[left, right])
            }
        }
    }

    pub(super) fn build_from_real(&mut self, op: Op, term: TermId) -> TermId {
        match (op, self.op(term)) {
            (Op::ToInt, Op::ToReal) => self.args(term)[0],
            (Op::IsInt, Op::ToReal) => TermId::TRUE,
            (Op::ToInt, _) => self.raw(op, SortId::INT, &[term]),
            _ => self.raw(op, SortId::BOOL, &[term]),
        }
    }
}
