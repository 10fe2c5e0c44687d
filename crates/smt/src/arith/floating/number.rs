//! Between exact numbers and floats.

use alphorn_term::{Int, Rat};

/// The bits of a quotient that are computed before it becomes a float, which keeps 53 of them.
const QUOTIENT_BITS: i64 = 61;

/// The float next to a quotient, or nearly so; infinite or zero if it is out of range.
pub(super) fn float(numerator: &Int, denominator: &Int) -> f64 {
    if let (Some(numerator), Some(denominator)) = (numerator.to_i64(), denominator.to_i64()) {
        return numerator as f64 / denominator as f64;
    }
    let shift = QUOTIENT_BITS - (numerator.bit_len() as i64 - denominator.bit_len() as i64);
    let by = Int::from(2).pow(u32::try_from(shift.unsigned_abs()).unwrap_or(u32::MAX));
    let quotient = if shift >= 0 {
        (numerator * &by).div_floor(denominator)
    } else {
        numerator.div_floor(&(denominator * &by))
    };
    quotient.and_then(|quotient| quotient.to_i64()).map_or(0.0, |quotient| {
        let exponent = i32::try_from(-shift).unwrap_or(if shift < 0 { i32::MAX } else { i32::MIN });
        times_power(quotient as f64, exponent)
    })
}

/// The float next to a rational.
pub(super) fn float_of(value: &Rat) -> f64 {
    float(&value.numerator(), &value.denominator())
}

/// The multiple of 2 to the power `-bits` next to a float; `None` if that is no number or a huge one.
pub(super) fn rational(value: f64, bits: u32) -> Option<Rat> {
    const LARGEST: f64 = 1e30;
    let multiple = times_power(value, i32::try_from(bits).ok()?);
    if !(-LARGEST..=LARGEST).contains(&multiple) {
        return None;
    }
    let half = if multiple < 0.0 { -0.5 } else { 0.5 };
    Rat::new(Int::from((multiple + half) as i128), Int::from(2).pow(bits))
}

/// The product with a power of 2, which is exact unless it is out of range.
pub(super) fn times_power(mut value: f64, mut exponent: i32) -> f64 {
    const STEP: i32 = 1000;
    if exponent.abs() > 3 * STEP {
        exponent = exponent.signum() * 3 * STEP;
    }
    while exponent != 0 {
        let step = exponent.clamp(-STEP, STEP);
        value *= f64::from_bits(((1023 + step) as u64) << 52);
        exponent -= step;
    }
    value
}

/// The exponent of a float: the power of 2 that is next below its size.
pub(super) fn exponent(value: f64) -> i32 {
    ((value.to_bits() >> 52) & 0x7ff) as i32 - 1023
}
