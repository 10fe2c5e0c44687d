//! Integers against `IBig`.

use dashu_int::ops::{Abs, BitTest, DivRemEuclid, Gcd, UnsignedAbs};

use super::*;

proptest! {
    #![proptest_config(config())]

    #[test]
    fn ring(a in any_ibig(), b in any_ibig()) {
        let (x, y) = (int(&a), int(&b));
        for (found, expected) in [(&x + &y, &a + &b), (&x - &y, &a - &b), (&x * &y, &a * &b)] {
            check_int(&found, &expected);
        }
        check_int(&(x.clone() + y.clone()), &(&a + &b));
        check_int(&(x.clone() - &y), &(&a - &b));
        check_int(&(&x * y.clone()), &(&a * &b));
        let mut z = x.clone();
        z += &y;
        check_int(&z, &(&a + &b));
        z -= y.clone();
        check_int(&z, &a);
        z *= y;
        check_int(&z, &(&a * &b));
    }

    #[test]
    fn fused(a in any_ibig(), b in any_ibig(), c in any_ibig()) {
        let (x, y) = (int(&b), int(&c));
        let mut sum = int(&a);
        sum.mul_add_assign(&x, &y);
        check_int(&sum, &(&a + &b * &c));
        sum.mul_sub_assign(&x, &y);
        check_int(&sum, &a);
        sum.mul_sub_assign(&x, &y);
        check_int(&sum, &(&a - &b * &c));
    }

    #[test]
    fn unary(a in any_ibig()) {
        let x = int(&a);
        check_int(&-&x, &-&a);
        check_int(&-x.clone(), &-&a);
        check_int(&x.abs(), &(&a).abs());
        prop_assert_eq!(IBig::from(x.signum()), a.signum());
        prop_assert_eq!(x.is_negative(), a < IBig::ZERO);
        prop_assert_eq!(x.is_positive(), a > IBig::ZERO);
        prop_assert_eq!(x.is_zero(), a.is_zero());
        prop_assert_eq!(x.is_one(), a.is_one());
        prop_assert_eq!(x.bit_len(), (&a).unsigned_abs().bit_len());
    }

    #[test]
    fn order(a in any_ibig(), b in any_ibig()) {
        prop_assert_eq!(int(&a).cmp(&int(&b)), a.cmp(&b));
        prop_assert_eq!(int(&a) == int(&b), a == b);
    }

    #[test]
    fn divisors(a in any_ibig(), b in any_ibig()) {
        let (x, y) = (int(&a), int(&b));
        let both_zero = a.is_zero() && b.is_zero();
        let divisor = if both_zero { UBig::ZERO } else { (&a).gcd(&b) };
        check_int(&x.gcd(&y), divisor.as_ibig());
        let multiple = if both_zero { IBig::ZERO } else { (&a * &b).abs() / divisor };
        check_int(&x.lcm(&y), &multiple);
    }

    #[test]
    fn power(a in any_ibig(), exponent in 0_u32..9) {
        check_int(&int(&a).pow(exponent), &a.pow(exponent as usize));
    }

    #[test]
    fn division(a in any_ibig(), b in any_ibig()) {
        let (x, y) = (int(&a), int(&b));
        if b.is_zero() {
            prop_assert_eq!(x.div_rem_euclid(&y), None);
            prop_assert_eq!(x.div_euclid(&y), None);
            prop_assert_eq!(x.rem_euclid(&y), None);
            prop_assert_eq!(x.div_floor(&y), None);
            prop_assert_eq!(x.div_ceil(&y), None);
            prop_assert_eq!(x.div_exact(&y), None);
            prop_assert_eq!(x.is_multiple_of(&y), a.is_zero());
            return Ok(());
        }
        let (quotient, remainder) = (&a).div_rem_euclid(&b);
        let (q, r) = x.div_rem_euclid(&y).unwrap();
        check_int(&q, &quotient);
        check_int(&r, remainder.as_ibig());
        check_int(&(&q * &y + &r), &a);
        prop_assert_eq!(x.div_euclid(&y), Some(q));
        prop_assert_eq!(x.rem_euclid(&y), Some(r));
        let exact = RBig::from_parts_signed(a.clone(), b.clone());
        check_int(&x.div_floor(&y).unwrap(), &exact.floor());
        check_int(&x.div_ceil(&y).unwrap(), &exact.ceil());
        prop_assert_eq!(x.is_multiple_of(&y), remainder.is_zero());
        prop_assert_eq!(x.div_exact(&y).is_some(), remainder.is_zero());
        check_int(&(&x * &y).div_exact(&y).unwrap(), &a);
    }

    #[test]
    fn residues(a in any_ibig(), bits in 0_u32..260) {
        prop_assert_eq!(int(&a).mod_pow2(bits), residue(&a, bits));
    }

    #[test]
    fn words(a in any_ibig()) {
        let x = int(&a);
        prop_assert_eq!(x.to_i64(), i64::try_from(&a).ok());
        prop_assert_eq!(x.to_u64(), u64::try_from(&a).ok());
        prop_assert_eq!(x.to_u32(), u32::try_from(&a).ok());
        prop_assert_eq!(x.to_ubig(), UBig::try_from(a.clone()).ok());
        prop_assert_eq!(IBig::from(x), a);
    }

    #[test]
    fn from_words(a in any::<i128>(), shift in 0_u32..128) {
        let a = a >> shift;
        check_int(&Int::from(a), &a.into());
        check_int(&Int::from(a.unsigned_abs()), &a.unsigned_abs().into());
        check_int(&Int::from(a as u64), &(a as u64).into());
        check_int(&Int::from(a as i64), &(a as i64).into());
        check_int(&Int::from(a as u32), &(a as u32).into());
        check_int(&Int::from(a as i32), &(a as i32).into());
        check_int(&Int::from(a as usize), &(a as usize).into());
        check_int(&Int::from(UBig::from(a.unsigned_abs())), &a.unsigned_abs().into());
    }

    #[test]
    fn text(a in any_ibig(), zeros in 0_usize..25) {
        let text = a.to_string();
        let x = int(&a);
        prop_assert_eq!(x.to_string(), &text[..]);
        prop_assert_eq!(format!("{x:?}"), &text[..]);
        check_int(&Int::parse_decimal(text.as_bytes()).unwrap(), &a);
        let padded = format!("{}{}", "0".repeat(zeros), x.abs());
        check_int(&Int::parse_decimal(padded.as_bytes()).unwrap(), &(&a).abs());
    }
}

#[test]
fn text_that_is_no_integer() {
    let long = "1".repeat(40);
    let texts =
        ["", "-", "+1", "--1", "1_000", " 1", "1 ", "0x1", "1a", "½", &format!("{long}_{long}")];
    for text in texts {
        assert_eq!(Int::parse_decimal(text.as_bytes()), None, "{text:?}");
    }
    assert_eq!(Int::parse_decimal(b"\xff"), None);
    assert_eq!(Int::parse_decimal(b"-0"), Some(Int::ZERO));
}

#[test]
fn a_long_literal_is_read_and_printed() {
    let text = "7".repeat(100_000);
    let value = Int::parse_decimal(text.as_bytes()).unwrap();
    assert_eq!(value.to_string(), text);
}

#[test]
fn division_follows_smt_lib() {
    for (a, b, quotient, remainder) in
        [(7, 3, 2, 1), (-7, 3, -3, 2), (7, -3, -2, 1), (-7, -3, 3, 2), (i64::MIN, 1, i64::MIN, 0)]
    {
        let found = Int::from(a).div_rem_euclid(&Int::from(b));
        assert_eq!(found, Some((Int::from(quotient), Int::from(remainder))), "{a} by {b}");
    }
}
