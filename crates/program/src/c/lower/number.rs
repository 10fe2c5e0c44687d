//! Integers of C as terms: what both ways of saying them share.
//!
//! A number is a term with the interval that its value is known to lie in by its type, by constants and by
//! checks that were passed; the interval decides where nothing needs to be wrapped or checked. Words are
//! always in the range of their type, and carry intervals all the same.
//!
//! Invariant: in every state that a run can be in, the value of a number lies in its interval, and the
//! interval within the range of its kind.

use super::{integers, words};
use crate::c::evidence::Numbers;
use crate::c::layout::{DataModel, IntKind};
use crate::c::tree::{Arith, Compare};
use alphorn_term::{Bv, Int, SortId, Store, TermId};

/// What values an integer has: those of a type or of a bit-field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Kind {
    /// Its width, sign included.
    pub bits: u32,
    /// Whether there are negative ones.
    pub is_signed: bool,
    /// Whether it is `_Bool`, where every number but zero becomes one.
    pub is_truth: bool,
}

impl Kind {
    /// That of a type.
    pub fn of(kind: IntKind, model: DataModel) -> Kind {
        let is_truth = kind == IntKind::Bool;
        Kind { bits: kind.bits(model), is_signed: kind.is_signed(), is_truth }
    }

    /// The least value.
    pub fn min(self) -> Int {
        if self.is_signed { -power(self.bits - 1) } else { Int::ZERO }
    }

    /// The largest value.
    pub fn max(self) -> Int {
        power(if self.is_signed { self.bits - 1 } else { self.bits }) - Int::ONE
    }

    /// All values.
    pub fn range(self) -> Range {
        Range { low: self.min(), high: self.max() }
    }
}

/// Two to a power.
pub fn power(exponent: u32) -> Int {
    Int::from(2i64).pow(exponent)
}

/// An interval that is not empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range {
    /// The least number.
    pub low: Int,
    /// The largest number.
    pub high: Int,
}

impl Range {
    /// One number.
    pub fn point(value: Int) -> Range {
        Range { low: value.clone(), high: value }
    }

    /// From one number to another.
    pub fn new(low: i64, high: i64) -> Range {
        Range { low: low.into(), high: high.into() }
    }

    /// The only number, if there is just one.
    pub fn value(&self) -> Option<&Int> {
        (self.low == self.high).then_some(&self.low)
    }

    /// Whether all of it lies in another.
    pub fn is_within(&self, other: &Range) -> bool {
        other.low <= self.low && self.high <= other.high
    }

    /// The least interval with both in it.
    pub fn hull(&self, other: &Range) -> Range {
        let low = (&self.low).min(&other.low).clone();
        Range { low, high: (&self.high).max(&other.high).clone() }
    }

    /// What lies in both; the first if nothing does, as then no run comes here.
    pub fn meet(&self, other: &Range) -> Range {
        let low = (&self.low).max(&other.low).clone();
        let high = (&self.high).min(&other.high).clone();
        if low <= high { Range { low, high } } else { self.clone() }
    }

    /// The least interval with these in it.
    fn around(values: [Int; 4]) -> Range {
        let low = values.iter().min().expect("there are four").clone();
        Range { low, high: values.into_iter().max().expect("there are four") }
    }
}

/// The interval of a sum, difference or product that nothing wraps; none for other operations.
pub fn exact_range(op: Arith, left: &Range, right: &Range) -> Option<Range> {
    Some(match op {
        Arith::Add => Range { low: &left.low + &right.low, high: &left.high + &right.high },
        Arith::Sub => Range { low: &left.low - &right.high, high: &left.high - &right.low },
        Arith::Mul => Range::around([
            &left.low * &right.low,
            &left.low * &right.high,
            &left.high * &right.low,
            &left.high * &right.high,
        ]),
        _ => return None,
    })
}

/// The interval of a quotient or remainder towards zero, before it is wrapped.
pub fn quotient_range(op: Arith, left: &Range, right: &Range) -> Range {
    let reach = (&left.low.abs()).max(&left.high.abs()).clone();
    // The remainder is smaller than the divisor, and neither is further from zero than the dividend.
    let reach = match op {
        Arith::Rem => {
            let divisor = (&right.low.abs()).max(&right.high.abs()).clone();
            if divisor.is_zero() { reach } else { reach.min(divisor - Int::ONE) }
        }
        _ => reach,
    };
    let may_be_negative = match op {
        Arith::Rem => left.low.is_negative(),
        _ => left.low.is_negative() || right.low.is_negative(),
    };
    let low = if may_be_negative { -reach.clone() } else { Int::ZERO };
    Range { low, high: reach }
}

/// A value of an integer type.
#[derive(Clone, Debug)]
pub struct Number {
    /// What it is in formulas: an integer or a word, as the program is lowered.
    pub term: TermId,
    /// Where its value lies.
    pub range: Range,
}

/// Why an operation has no term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NeedsWords;

/// The sort of the values of a kind.
pub fn sort(store: &mut Store, numbers: Numbers, kind: Kind) -> SortId {
    match numbers {
        Numbers::Integers => SortId::INT,
        Numbers::Words => store.bv_sort(kind.bits),
    }
}

/// A constant of a kind; it is in range.
pub fn constant(store: &mut Store, numbers: Numbers, kind: Kind, value: &Int) -> Number {
    let term = match numbers {
        Numbers::Integers => store.int(value.clone()),
        Numbers::Words => store.bv(Bv::from_int(kind.bits, value)),
    };
    Number { term, range: Range::point(value.clone()) }
}

/// The truth value as a number of a kind: one or zero.
pub fn of_truth(store: &mut Store, numbers: Numbers, kind: Kind, truth: TermId) -> Number {
    let one = constant(store, numbers, kind, &Int::ONE);
    let zero = constant(store, numbers, kind, &Int::ZERO);
    let term = store.ite(truth, one.term, zero.term);
    let range = match truth {
        TermId::TRUE => one.range,
        TermId::FALSE => zero.range,
        _ => Range::new(0, 1),
    };
    Number { term, range }
}

/// Whether a number is not zero.
pub fn is_true(store: &mut Store, numbers: Numbers, kind: Kind, number: &Number) -> TermId {
    let zero = constant(store, numbers, kind, &Int::ZERO);
    let same = store.eq(number.term, zero.term);
    store.not(same)
}

/// That a value of a kind lies in its range; true for words.
pub fn in_range(store: &mut Store, numbers: Numbers, kind: Kind, term: TermId) -> TermId {
    match numbers {
        Numbers::Integers => integers::within(store, term, &kind.range()),
        Numbers::Words => TermId::TRUE,
    }
}

/// A number converted from one kind to another.
pub fn convert(
    store: &mut Store,
    numbers: Numbers,
    from: Kind,
    to: Kind,
    number: &Number,
) -> Number {
    if from == to {
        return number.clone();
    }
    if to.is_truth {
        let truth = is_true(store, numbers, from, number);
        return of_truth(store, numbers, to, truth);
    }
    match numbers {
        Numbers::Integers => integers::wrap(store, to, number.term, &number.range),
        Numbers::Words => words::convert(store, from, to, number),
    }
}

/// A comparison of two numbers of one kind.
pub fn compare(
    store: &mut Store,
    numbers: Numbers,
    op: Compare,
    kind: Kind,
    left: &Number,
    right: &Number,
) -> TermId {
    let (left, right) = (left.term, right.term);
    match op {
        Compare::Eq => store.eq(left, right),
        Compare::Ne => {
            let same = store.eq(left, right);
            store.not(same)
        }
        Compare::Lt => less(store, numbers, kind, left, right),
        Compare::Gt => less(store, numbers, kind, right, left),
        Compare::Le => {
            let above = less(store, numbers, kind, right, left);
            negated_order(store, numbers, kind, above, left, right)
        }
        Compare::Ge => {
            let below = less(store, numbers, kind, left, right);
            negated_order(store, numbers, kind, below, right, left)
        }
    }
}

/// `left < right`.
fn less(store: &mut Store, numbers: Numbers, kind: Kind, left: TermId, right: TermId) -> TermId {
    use alphorn_term::Op;
    match numbers {
        Numbers::Integers => store.lt(left, right),
        Numbers::Words if kind.is_signed => store.mk(Op::BvSlt, &[left, right]),
        Numbers::Words => store.mk(Op::BvUlt, &[left, right]),
    }
}

/// `left <= right`, where `above` says `right < left`.
fn negated_order(
    store: &mut Store,
    numbers: Numbers,
    kind: Kind,
    above: TermId,
    left: TermId,
    right: TermId,
) -> TermId {
    use alphorn_term::Op;
    match numbers {
        _ if above == TermId::TRUE => TermId::FALSE,
        _ if above == TermId::FALSE => TermId::TRUE,
        Numbers::Integers => store.le(left, right),
        Numbers::Words if kind.is_signed => store.mk(Op::BvSle, &[left, right]),
        Numbers::Words => store.mk(Op::BvUle, &[left, right]),
    }
}

/// What an operation gives: the value as it is when it wraps, and when it fits without wrapping.
pub struct Outcome {
    /// The value, wrapped into the range of the kind.
    pub wrapped: Number,
    /// The value where it is known to fit.
    pub fitting: Number,
    /// A formula that is true where nothing overflows.
    pub fits: TermId,
}

/// Arithmetic on two numbers of one kind. Divisors are not zero and amounts of shifts lie below the width:
/// who calls has seen to it.
pub fn arith(
    store: &mut Store,
    numbers: Numbers,
    op: Arith,
    kind: Kind,
    left: &Number,
    right: &Number,
) -> Result<Outcome, NeedsWords> {
    match numbers {
        Numbers::Integers => integers::arith(store, op, kind, left, right),
        Numbers::Words => Ok(words::arith(store, op, kind, left, right)),
    }
}

/// The negative of a number.
pub fn neg(store: &mut Store, numbers: Numbers, kind: Kind, number: &Number) -> Outcome {
    let zero = constant(store, numbers, kind, &Int::ZERO);
    match arith(store, numbers, Arith::Sub, kind, &zero, number) {
        Ok(outcome) => outcome,
        Err(NeedsWords) => unreachable!("differences are exact in integers"),
    }
}

/// The complement of a number.
pub fn bit_not(store: &mut Store, numbers: Numbers, kind: Kind, number: &Number) -> Number {
    // In two's complement x + ~x is −1, which is the largest value where there is no sign.
    let top = if kind.is_signed { Int::MINUS_ONE } else { kind.max() };
    let range = Range { low: &top - &number.range.high, high: &top - &number.range.low };
    let term = match numbers {
        Numbers::Integers => {
            let top = store.int(top);
            store.sub(top, number.term)
        }
        Numbers::Words => store.mk(alphorn_term::Op::BvNot, &[number.term]),
    };
    Number { term, range }
}
