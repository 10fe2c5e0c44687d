//! Operations on words as gates; words are rows of literals, the lowest bit first.
//!
//! Textbook circuits: ripple carry, shift and add, restoring division, barrel shifters. What they
//! compute is what `term::eval` says, which the tests compare operator by operator.

use super::aig::Aig;
use crate::circuit::Lit;

/// A word, lowest bit first.
pub type Word = Vec<Lit>;

/// The word of `width` bits that is `value` modulo 2ⁿ.
pub fn constant(width: usize, value: u64) -> Word {
    (0..width).map(|bit| Lit(u32::from(bit < 64 && value >> (bit % 64) & 1 == 1))).collect()
}

/// Bitwise negation.
pub fn not(a: &[Lit]) -> Word {
    a.iter().map(|&lit| !lit).collect()
}

/// `op` on each pair of bits.
pub fn bitwise(aig: &mut Aig, a: &[Lit], b: &[Lit], op: fn(&mut Aig, Lit, Lit) -> Lit) -> Word {
    a.iter().zip(b).map(|(&a, &b)| op(aig, a, b)).collect()
}

/// If `condition` then `a` else `b`, bit by bit.
pub fn ite(aig: &mut Aig, condition: Lit, a: &[Lit], b: &[Lit]) -> Word {
    a.iter().zip(b).map(|(&a, &b)| aig.ite(condition, a, b)).collect()
}

/// The carry out of a bit: the majority of three.
fn majority(aig: &mut Aig, a: Lit, b: Lit, c: Lit) -> Lit {
    let both = aig.and(a, b);
    let one = aig.or(a, b);
    let carried = aig.and(one, c);
    aig.or(both, carried)
}

/// The sum with a carry in, and the carry out.
pub fn add(aig: &mut Aig, a: &[Lit], b: &[Lit], carry: Lit) -> (Word, Lit) {
    let mut carry = carry;
    let mut sum = Vec::with_capacity(a.len());
    for (&a, &b) in a.iter().zip(b) {
        let (a, b) = if a.var() == 0 { (b, a) } else { (a, b) };
        if b.var() == 0 {
            // The gates of this sum are the conjunction and the disjunction that carry.
            sum.push(aig.xor(a, carry).xor(b == Lit::TRUE));
            carry = if b == Lit::TRUE { aig.or(a, carry) } else { aig.and(a, carry) };
            continue;
        }
        let half = aig.xor(a, b);
        sum.push(aig.xor(half, carry));
        // Both conjunctions are gates of the sums above.
        let (both, carried) = (aig.and(a, b), aig.and(half, carry));
        carry = aig.or(both, carried);
    }
    (sum, carry)
}

/// The difference, and whether there is no borrow: whether `a` is at least `b`.
pub fn subtract(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> (Word, Lit) {
    add(aig, a, &not(b), Lit::TRUE)
}

/// Two's complement.
pub fn negate(aig: &mut Aig, a: &[Lit]) -> Word {
    add(aig, &constant(a.len(), 0), &not(a), Lit::TRUE).0
}

/// The absolute value in two's complement.
fn absolute(aig: &mut Aig, a: &[Lit]) -> Word {
    let negated = negate(aig, a);
    ite(aig, sign(a), &negated, a)
}

/// The highest bit.
pub fn sign(a: &[Lit]) -> Lit {
    a[a.len() - 1]
}

/// The product modulo 2ⁿ.
pub fn multiply(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Word {
    let width = a.len();
    // There is a row for each bit of the second factor that may be true: the one with fewer rows
    // comes second. The numbers of literals decide nothing, so that circuits made of the same terms
    // are the same gate by gate, whatever was made before.
    let rows = |word: &[Lit]| word.iter().filter(|&&lit| lit != Lit::FALSE).count();
    let (a, b) = if rows(a) < rows(b) { (b, a) } else { (a, b) };
    for (word, factor) in [(a, b), (b, a)] {
        if factor.iter().all(|&lit| lit == Lit::FALSE || lit == Lit::TRUE) {
            let bits: Vec<bool> = factor.iter().map(|&lit| lit == Lit::TRUE).collect();
            return multiple(aig, word, &bits);
        }
    }
    let mut sum = constant(width, 0);
    for (shift, &bit) in b.iter().enumerate() {
        if bit == Lit::FALSE {
            continue;
        }
        let row: Word = a[..width - shift].iter().map(|&lit| aig.and(lit, bit)).collect();
        let (high, _) = add(aig, &sum[shift..], &row, Lit::FALSE);
        sum.splice(shift.., high);
    }
    sum
}

/// The product with a number modulo 2ⁿ, whose bits are given: multiples by powers of two are added and
/// subtracted, as few as there can be.
fn multiple(aig: &mut Aig, a: &[Lit], factor: &[bool]) -> Word {
    let width = a.len();
    let mut sum = constant(width, 0);
    let mut carry = false;
    for shift in 0..width {
        let is_odd = factor[shift] != carry;
        // Where the next digit is a one as well, subtracting leaves more zeros than adding does.
        let subtracts = is_odd && factor.get(shift + 1) == Some(&true);
        if is_odd {
            let row = &a[..width - shift];
            let high = if subtracts {
                subtract(aig, &sum[shift..], row).0
            } else {
                add(aig, &sum[shift..], row, Lit::FALSE).0
            };
            sum.splice(shift.., high);
        }
        carry = (factor[shift] && carry) || subtracts;
    }
    sum
}

/// Quotient and remainder without signs: all ones and the dividend when dividing by zero.
pub fn divide(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> (Word, Word) {
    let width = a.len();
    let mut divisor = b.to_vec();
    divisor.push(Lit::FALSE);
    let mut quotient = constant(width, 0);
    // The remainder is below the divisor before each step, so one more bit is room enough.
    let mut remainder = constant(width + 1, 0);
    for bit in (0..width).rev() {
        remainder.pop();
        remainder.insert(0, a[bit]);
        let (rest, fits) = subtract(aig, &remainder, &divisor);
        quotient[bit] = fits;
        remainder = ite(aig, fits, &rest, &remainder);
    }
    remainder.truncate(width);
    (quotient, remainder)
}

/// Signed quotient, rounded towards zero.
pub fn signed_quotient(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Word {
    let (dividend, divisor) = (absolute(aig, a), absolute(aig, b));
    let (quotient, _) = divide(aig, &dividend, &divisor);
    let negated = negate(aig, &quotient);
    let differ = aig.xor(sign(a), sign(b));
    ite(aig, differ, &negated, &quotient)
}

/// Signed remainder with the dividend's sign.
pub fn signed_remainder(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Word {
    let (dividend, divisor) = (absolute(aig, a), absolute(aig, b));
    let (_, remainder) = divide(aig, &dividend, &divisor);
    let negated = negate(aig, &remainder);
    ite(aig, sign(a), &negated, &remainder)
}

/// Signed remainder with the divisor's sign.
pub fn signed_modulo(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Word {
    let remainder = signed_remainder(aig, a, b);
    let (moved, _) = add(aig, &remainder, b, Lit::FALSE);
    let is_zero = !aig.any(remainder.iter().copied());
    let differ = aig.xor(sign(a), sign(b));
    let move_it = aig.and(differ, !is_zero);
    ite(aig, move_it, &moved, &remainder)
}

/// Which way a word is shifted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Towards the high bits.
    Left,
    /// Towards the low bits.
    Right,
}

/// The word shifted by another, with `fill` for the bits that come in.
pub fn shift(aig: &mut Aig, a: &[Lit], by: &[Lit], direction: Direction, fill: Lit) -> Word {
    let width = a.len();
    let mut shifted = a.to_vec();
    let mut too_far = Lit::FALSE;
    for (stage, &bit) in by.iter().enumerate() {
        let distance = if stage < 63 { 1usize << stage } else { usize::MAX };
        if distance >= width {
            too_far = aig.or(too_far, bit);
            continue;
        }
        let moved: Word = (0..width)
            .map(|index| match direction {
                Direction::Left => index.checked_sub(distance).map_or(fill, |from| shifted[from]),
                Direction::Right => shifted.get(index + distance).copied().unwrap_or(fill),
            })
            .collect();
        shifted = ite(aig, bit, &moved, &shifted);
    }
    shifted.into_iter().map(|lit| aig.ite(too_far, fill, lit)).collect()
}

/// Unsigned less than.
pub fn less(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Lit {
    let at_least = a.iter().zip(b).fold(Lit::TRUE, |carry, (&a, &b)| majority(aig, a, !b, carry));
    !at_least
}

/// Signed less than.
pub fn signed_less(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Lit {
    let flip = |word: &[Lit]| {
        let mut flipped = word.to_vec();
        let last = flipped.len() - 1;
        flipped[last] = !flipped[last];
        flipped
    };
    less(aig, &flip(a), &flip(b))
}

/// Equality.
pub fn equal(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Lit {
    let same: Word = a.iter().zip(b).map(|(&a, &b)| !aig.xor(a, b)).collect();
    aig.all(same)
}

/// Whether the signed sum overflows.
pub fn signed_sum_overflows(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Lit {
    let (sum, _) = add(aig, a, b, Lit::FALSE);
    let differ = aig.xor(sign(a), sign(b));
    let changed = aig.xor(sign(a), sign(&sum));
    aig.and(!differ, changed)
}

/// Whether the signed difference overflows.
pub fn signed_difference_overflows(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Lit {
    let (difference, _) = subtract(aig, a, b);
    let differ = aig.xor(sign(a), sign(b));
    let changed = aig.xor(sign(a), sign(&difference));
    aig.and(differ, changed)
}

/// Whether the product overflows, where both words are extended by `fill`'s idea of their sign.
pub fn product_overflows(aig: &mut Aig, a: &[Lit], b: &[Lit], signed: bool) -> Lit {
    let width = a.len();
    let widen = |word: &[Lit]| {
        let fill = if signed { sign(word) } else { Lit::FALSE };
        [word, &vec![fill; width]].concat()
    };
    let product = multiply(aig, &widen(a), &widen(b));
    if signed {
        // All bits from the sign on must agree.
        let top = sign(&product);
        let bits: Word = product[width - 1..].iter().map(|&lit| aig.xor(lit, top)).collect();
        aig.any(bits)
    } else {
        aig.any(product[width..].iter().copied())
    }
}

/// Whether a word is the smallest signed one.
pub fn is_smallest(aig: &mut Aig, a: &[Lit]) -> Lit {
    let (&top, low) = a.split_last().expect("words have at least one bit");
    let some_low = aig.any(low.iter().copied());
    aig.and(top, !some_low)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_of_numbers_are_those_of_arithmetic() {
        let mut aig = Aig::new(0);
        for width in [1, 4, 5] {
            let most = 1u64 << width;
            for (a, b) in (0..most).flat_map(|a| (0..most).map(move |b| (a, b))) {
                let (left, right) = (constant(width, a), constant(width, b));
                let product = constant(width, a * b % most);
                assert_eq!(multiply(&mut aig, &left, &right), product, "{a} times {b}");
            }
        }
    }

    #[test]
    fn a_multiple_by_minus_one_is_a_negation() {
        let inputs: Word = (1..=8).map(|var| Lit::new(var, false)).collect();
        let mut aig = Aig::new(8);
        let product = multiply(&mut aig, &constant(8, 255), &inputs);
        assert_eq!(product, negate(&mut aig, &inputs));
    }
}
