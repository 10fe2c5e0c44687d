//! Inverses of odd words.
//!
//! By Newton's iteration, each round of which doubles the bits that are right; an odd number is its own
//! inverse modulo 8. Functions beside the words and no methods of theirs: the checker has no use for them.

use crate::bv::Bv;

/// The number whose product with an odd one is 1 modulo 2⁶⁴, and so modulo every smaller power of two.
pub fn inverse_u64(odd: u64) -> u64 {
    let step = |x: u64, _| x.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(x)));
    (0..5).fold(odd, step)
}

/// The word whose product with an odd word is 1.
pub fn inverse(odd: &Bv) -> Bv {
    let width = odd.width();
    let two = Bv::from_u64(width, 2);
    let low = odd.extract(width.min(64) - 1, 0).to_u64().expect("64 bits are a machine word");
    let mut inverse = Bv::from_u64(width, inverse_u64(low));
    let mut right = 64;
    while right < width {
        inverse = inverse.mul(&two.sub(&odd.mul(&inverse)));
        right *= 2;
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_odd_word_times_its_inverse_is_one() {
        for width in [1, 2, 3, 4, 7, 8, 33, 63, 64, 65, 127, 128, 129, 130, 300] {
            for number in [1u64, 3, 5, 7, 11, 255, 12345, u64::MAX] {
                let low = Bv::from_u64(width, number);
                let high = low.mul(&low).mul(&low);
                for word in [low.clone(), high, low.neg()] {
                    assert_eq!(word.mul(&inverse(&word)), Bv::from_u64(width, 1), "{word:?}");
                }
            }
        }
    }
}
