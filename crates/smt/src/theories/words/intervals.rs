//! Intervals of words, and what operators make of them.
//!
//! A word is a number without a sign and one with, and a range bounds both: what wraps around as one may have bounds as the other. What an
//! operator on numbers gives is bounded exactly first, and then brought back among the words, where it has bounds as long as all of
//! it wraps around equally often.
//!
//! Invariant: a word that is in its range stays in what the operator gives, whatever it is. Bounds are not empty.

use alphorn_term::{Bv, Int, Op};

/// The least and the greatest of some numbers.
pub(super) type Interval = [Int; 2];

/// Where a word is, without signs and with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) unsigned: Interval,
    pub(super) signed: Interval,
}

/// A power of two.
fn power(exponent: u32) -> Int {
    Int::from(2).pow(exponent)
}

impl Range {
    /// All words.
    pub(super) fn full(width: u32) -> Range {
        let half = power(width - 1);
        Range {
            unsigned: [Int::ZERO, &power(width) - &Int::ONE],
            signed: [-&half, &half - &Int::ONE],
        }
    }

    /// One word.
    pub(super) fn of_value(value: &Bv) -> Range {
        let (unsigned, signed) = (value.to_unsigned(), value.to_signed());
        Range { unsigned: [unsigned.clone(), unsigned], signed: [signed.clone(), signed] }
    }

    /// The words that numbers are, modulo a power of two.
    fn wrapped(numbers: &Interval, width: u32) -> Range {
        let full = Range::full(width);
        let modulus = power(width);
        let inside = |all: &Interval| {
            let turns = |number: &Int| (number - &all[0]).div_floor(&modulus);
            let (first, last) = (turns(&numbers[0])?, turns(&numbers[1])?);
            let back = &first * &modulus;
            (first == last).then(|| [&numbers[0] - &back, &numbers[1] - &back])
        };
        let range = Range {
            unsigned: inside(&full.unsigned).unwrap_or_else(|| full.unsigned.clone()),
            signed: inside(&full.signed).unwrap_or_else(|| full.signed.clone()),
        };
        full.meet(&range, width).unwrap_or(full)
    }

    /// The numbers with signs, or those without.
    pub(super) fn of(&self, is_signed: bool) -> &Interval {
        if is_signed { &self.signed } else { &self.unsigned }
    }

    /// The numbers with signs, or those without, to be changed.
    pub(super) fn of_mut(&mut self, is_signed: bool) -> &mut Interval {
        if is_signed { &mut self.signed } else { &mut self.unsigned }
    }

    /// Whether no word is in both.
    pub(super) fn is_apart(&self, other: &Range) -> bool {
        [true, false].into_iter().any(|is_signed| {
            let (own, its) = (self.of(is_signed), other.of(is_signed));
            own[1] < its[0] || its[1] < own[0]
        })
    }

    /// What is in one of both.
    pub(super) fn join(&self, other: &Range) -> Range {
        Range {
            unsigned: hull(&self.unsigned, &other.unsigned),
            signed: hull(&self.signed, &other.signed),
        }
    }

    /// What is in both, as far as intervals can say it; none if nothing is.
    pub(super) fn meet(&self, other: &Range, width: u32) -> Option<Range> {
        let mut unsigned = common(&self.unsigned, &other.unsigned)?;
        let mut signed = common(&self.signed, &other.signed)?;
        let (half, modulus) = (power(width - 1), power(width));
        // Where all have one sign, both say the same.
        if unsigned[1] < half {
            signed = common(&signed, &unsigned)?;
        } else if unsigned[0] >= half {
            signed = common(&signed, &unsigned.clone().map(|number| &number - &modulus))?;
        }
        if !signed[0].is_negative() {
            unsigned = common(&unsigned, &signed)?;
        } else if signed[1].is_negative() {
            unsigned = common(&unsigned, &signed.clone().map(|number| &number + &modulus))?;
        }
        Some(Range { unsigned, signed })
    }
}

fn hull(a: &Interval, b: &Interval) -> Interval {
    [a[0].clone().min(b[0].clone()), a[1].clone().max(b[1].clone())]
}

fn common(a: &Interval, b: &Interval) -> Option<Interval> {
    let found = [a[0].clone().max(b[0].clone()), a[1].clone().min(b[1].clone())];
    (found[0] <= found[1]).then_some(found)
}

/// The hull of what an operation gives at the ends of intervals.
fn corners(a: &Interval, b: &Interval, operation: impl Fn(&Int, &Int) -> Int) -> Interval {
    let all = [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(i, j)| operation(&a[i], &b[j]));
    let least = all.iter().min().cloned().unwrap_or_default();
    let most = all.into_iter().max().unwrap_or_default();
    [least, most]
}

/// A quotient, rounded towards zero; the divisor is positive.
fn truncated(a: &Int, b: &Int) -> Int {
    let quotient = a.abs().div_floor(b).unwrap_or_default();
    if a.is_negative() { -quotient } else { quotient }
}

/// What an operator gives, of a width, for arguments in ranges, the first of another width perhaps; none if nothing is known. It is long
/// because each operator has a rule of its own.
pub(super) fn apply(op: Op, width: u32, first: u32, args: &[&Range]) -> Option<Range> {
    let both = |operation: &dyn Fn(&Interval, &Interval) -> Interval| {
        let [a, b] = args else { return None };
        let unsigned = Range::wrapped(&operation(&a.unsigned, &b.unsigned), width);
        unsigned.meet(&Range::wrapped(&operation(&a.signed, &b.signed), width), width)
    };
    let zero = [Int::ZERO, Int::ZERO];
    match (op, args) {
        (Op::BvAdd, _) => both(&|a, b| [&a[0] + &b[0], &a[1] + &b[1]]),
        (Op::BvSub, _) => both(&|a, b| [&a[0] - &b[1], &a[1] - &b[0]]),
        (Op::BvMul, _) => both(&|a, b| corners(a, b, |a, b| a * b)),
        (Op::BvNeg, &[a]) => {
            let minus = |of: &Interval| Range::wrapped(&[-&of[1], -&of[0]], width);
            minus(&a.unsigned).meet(&minus(&a.signed), width)
        }
        (Op::BvNot, &[a]) => {
            let minus = |of: &Interval| {
                Range::wrapped(&[&-&of[1] - &Int::ONE, &-&of[0] - &Int::ONE], width)
            };
            minus(&a.unsigned).meet(&minus(&a.signed), width)
        }
        (Op::BvUdiv, &[a, b]) if b.unsigned[0].is_positive() => {
            let [least, most] =
                [(0, 1), (1, 0)].map(|(i, j)| a.unsigned[i].div_floor(&b.unsigned[j]));
            Some(Range::wrapped(&[least?, most?], width))
        }
        (Op::BvUrem, &[a, b]) => {
            let mut most = a.unsigned[1].clone();
            if b.unsigned[0].is_positive() {
                most = most.min(&b.unsigned[1] - &Int::ONE);
            }
            Some(Range::wrapped(&[Int::ZERO, most], width))
        }
        (Op::BvSdiv, &[a, b]) if b.signed[0].is_positive() => {
            Some(Range::wrapped(&corners(&a.signed, &b.signed, truncated), width))
        }
        (Op::BvSrem, &[a, b]) if b.signed[0].is_positive() || b.signed[1].is_negative() => {
            let most = &b.signed[0].abs().max(b.signed[1].abs()) - &Int::ONE;
            let span = hull(&zero, &a.signed);
            Some(Range::wrapped(&common(&span, &[-&most, most])?, width))
        }
        (Op::BvAnd, &[a, b]) => {
            let most = a.unsigned[1].clone().min(b.unsigned[1].clone());
            Some(Range::wrapped(&[Int::ZERO, most], width))
        }
        (Op::BvOr | Op::BvXor, &[a, b]) => {
            let bits = a.unsigned[1].bit_len().max(b.unsigned[1].bit_len()) as u32;
            let least = match op {
                Op::BvOr => a.unsigned[0].clone().max(b.unsigned[0].clone()),
                _ => Int::ZERO,
            };
            Some(Range::wrapped(&[least, &power(bits) - &Int::ONE], width))
        }
        (Op::BvShl, &[a, b]) => {
            let [least, most] = shifts(b, width)?;
            let factors = [power(least), power(most)];
            let unsigned = Range::wrapped(&corners(&a.unsigned, &factors, |a, b| a * b), width);
            let signed = Range::wrapped(&corners(&a.signed, &factors, |a, b| a * b), width);
            unsigned.meet(&signed, width)
        }
        (Op::BvLshr | Op::BvAshr, &[a, b]) => {
            let [least, most] = shifts(b, width)?;
            let divisors = [power(least), power(most)];
            let numbers = if op == Op::BvLshr { &a.unsigned } else { &a.signed };
            let quotient = |a: &Int, b: &Int| a.div_floor(b).unwrap_or_default();
            Some(Range::wrapped(&corners(numbers, &divisors, quotient), width))
        }
        (Op::Concat, &[a, b]) => {
            let scale = power(width - first);
            let join = |at: usize| &(&a.unsigned[at] * &scale) + &b.unsigned[at];
            Some(Range::wrapped(&[join(0), join(1)], width))
        }
        (Op::Extract(_, low), &[a]) => {
            let divisor = power(low);
            let part = |of: &Interval| -> Option<Range> {
                let [least, most] = [0, 1].map(|at| of[at].div_floor(&divisor));
                Some(Range::wrapped(&[least?, most?], width))
            };
            part(&a.unsigned)?.meet(&part(&a.signed)?, width)
        }
        (Op::ZeroExtend(_), &[a]) => Some(Range::wrapped(&a.unsigned, width)),
        (Op::SignExtend(_), &[a]) => Some(Range::wrapped(&a.signed, width)),
        _ => None,
    }
}

/// How far a word shifts another, if not beyond its end.
fn shifts(by: &Range, width: u32) -> Option<[u32; 2]> {
    let [least, most] =
        [0, 1].map(|at| by.unsigned[at].to_i64().and_then(|it| u32::try_from(it).ok()));
    (most? < width).then_some([least?, most?])
}

#[cfg(test)]
mod tests {
    use super::*;
    use alphorn_term::eval::Program;
    use alphorn_term::{Model, Store, Value};

    /// All ranges between two words of so many bits, without signs or with.
    fn ranges(width: u32) -> Vec<Range> {
        let full = Range::full(width);
        let mut found = Vec::new();
        for is_signed in [false, true] {
            let [low, high] = full.of(is_signed).clone().map(|it| it.to_i64().unwrap());
            for least in low..=high {
                for most in least..=high {
                    let mut range = full.clone();
                    *range.of_mut(is_signed) = [Int::from(least), Int::from(most)];
                    found.push(full.meet(&range, width).unwrap());
                }
            }
        }
        found
    }

    fn has(range: &Range, value: &Bv) -> bool {
        let is_in =
            |interval: &Interval, number: Int| interval[0] <= number && number <= interval[1];
        is_in(&range.unsigned, value.to_unsigned()) && is_in(&range.signed, value.to_signed())
    }

    #[test]
    fn what_operators_give_is_in_the_range_that_they_are_said_to_give() {
        const WIDTH: u32 = 3;
        let mut store = Store::new();
        let sort = store.bv_sort(WIDTH);
        let (x, y) = (store.var("x", sort), store.var("y", sort));
        let words: Vec<Bv> = (0..8).map(|value| Bv::from_u64(WIDTH, value)).collect();
        let binary = [
            Op::BvAdd,
            Op::BvSub,
            Op::BvMul,
            Op::BvUdiv,
            Op::BvUrem,
            Op::BvSdiv,
            Op::BvSrem,
            Op::BvAnd,
            Op::BvOr,
            Op::BvXor,
            Op::BvShl,
            Op::BvLshr,
            Op::BvAshr,
            Op::Concat,
        ];
        let unary = [
            Op::BvNeg,
            Op::BvNot,
            Op::Extract(1, 1),
            Op::Extract(1, 0),
            Op::Extract(2, 1),
            Op::ZeroExtend(2),
            Op::SignExtend(2),
        ];
        let mut terms = binary.map(|op| (op, store.mk(op, &[x, y]))).to_vec();
        terms.extend(unary.map(|op| (op, store.mk(op, &[x]))));
        let mut values = Vec::new();
        for a in &words {
            for b in &words {
                let mut model = Model::new();
                model.set(x, Value::Bv(a.clone()));
                model.set(y, Value::Bv(b.clone()));
                let roots: Vec<_> = terms.iter().map(|(_, term)| *term).collect();
                let mut program = Program::new(&store, &[], &roots);
                program.run(&store, &[], &model);
                let outputs = (0..roots.len()).map(|at| match program.output(at) {
                    Ok(Value::Bv(value)) => value.clone(),
                    other => panic!("{other:?}"),
                });
                values.push((a.clone(), b.clone(), outputs.collect::<Vec<Bv>>()));
            }
        }
        let ranges = ranges(WIDTH);
        for a in &ranges {
            for b in &ranges {
                for (place, (op, term)) in terms.iter().enumerate() {
                    let args = [a, b];
                    let count = store.args(*term).len();
                    let Some(found) = apply(*op, store.width(*term), WIDTH, &args[..count]) else {
                        continue;
                    };
                    for (left, right, outputs) in &values {
                        if has(a, left) && has(b, right) {
                            assert!(
                                has(&found, &outputs[place]),
                                "{op:?} {a:?} {b:?} {left:?} {right:?}"
                            );
                        }
                    }
                }
            }
        }
    }
}
