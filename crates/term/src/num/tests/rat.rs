//! Rationals against `RBig`.

use std::ops::Bound::{self, Excluded, Included, Unbounded};

use dashu_int::ops::Abs;

use super::*;

proptest! {
    #![proptest_config(config())]

    #[test]
    fn field(a in any_rbig(), b in any_rbig()) {
        let (x, y) = (rat(&a), rat(&b));
        for (found, expected) in [(&x + &y, &a + &b), (&x - &y, &a - &b), (&x * &y, &a * &b)] {
            check_rat(&found, &expected);
        }
        check_rat(&(x.clone() + y.clone()), &(&a + &b));
        check_rat(&(x.clone() - &y), &(&a - &b));
        check_rat(&(&x * y.clone()), &(&a * &b));
        let mut z = x.clone();
        z += &y;
        z -= y.clone();
        check_rat(&z, &a);
        z *= &y;
        check_rat(&z, &(&a * &b));
        if b.is_zero() {
            prop_assert_eq!(x.checked_div(&y), None);
        } else {
            check_rat(&x.checked_div(&y).unwrap(), &(&a / &b));
            check_rat(&(&x / &y), &(&a / &b));
            z /= y;
            check_rat(&z, &a);
        }
    }

    #[test]
    fn fused(a in any_rbig(), b in any_rbig(), c in any_rbig()) {
        let (x, y) = (rat(&b), rat(&c));
        let mut sum = rat(&a);
        sum.mul_add_assign(&x, &y);
        check_rat(&sum, &(&a + &b * &c));
        sum.mul_sub_assign(&x, &y);
        check_rat(&sum, &a);
        sum.mul_sub_assign(&x, &y);
        check_rat(&sum, &(&a - &b * &c));
    }

    #[test]
    fn unary(a in any_rbig()) {
        let x = rat(&a);
        check_rat(&-&x, &-&a);
        check_rat(&-x.clone(), &-&a);
        check_rat(&x.abs(), &a.clone().abs());
        prop_assert_eq!(IBig::from(x.signum()), a.numerator().signum());
        prop_assert_eq!(x.is_negative(), a < RBig::ZERO);
        prop_assert_eq!(x.is_positive(), a > RBig::ZERO);
        prop_assert_eq!(x.is_zero(), a.is_zero());
        prop_assert_eq!(x.is_one(), a.is_one());
        prop_assert_eq!(x.is_integer(), a.is_int());
        check_int(&x.floor(), &a.floor());
        check_int(&x.ceil(), &a.ceil());
        match x.recip() {
            None => prop_assert!(a.is_zero()),
            Some(inverse) => check_rat(&inverse, &(RBig::ONE / &a)),
        }
    }

    #[test]
    fn order(a in any_rbig(), b in any_rbig()) {
        let (x, y) = (rat(&a), rat(&b));
        prop_assert_eq!(x.cmp(&y), a.cmp(&b));
        prop_assert_eq!(x == y, a == b);
        let middle = x.midpoint(&y);
        check_rat(&middle, &((&a + &b) / RBig::from(2)));
        prop_assert_eq!(middle.cmp(&x), y.cmp(&x));
    }

    #[test]
    fn integers(a in any_ibig(), b in any_ibig()) {
        check_rat(&Rat::from(int(&a)), &RBig::from(a.clone()));
        check_rat(&Rat::from(&int(&a)), &RBig::from(a.clone()));
        prop_assert_eq!(Rat::from(int(&a)).to_int(), Some(int(&a)));
        let quotient = Rat::new(int(&a), int(&b));
        if b.is_zero() {
            prop_assert_eq!(quotient, None);
        } else {
            let expected = RBig::from_parts_signed(a, b);
            let quotient = quotient.unwrap();
            prop_assert_eq!(quotient.to_int().is_some(), expected.is_int());
            check_rat(&quotient, &expected);
        }
    }

    #[test]
    fn text(a in any_rbig()) {
        prop_assert_eq!(rat(&a).to_string(), a.to_string());
    }

    #[test]
    fn decimals(
        negative in any::<bool>(),
        whole in "[0-9]{1,25}",
        places in "([0-9]{1,12}|[0-9]{17,19}|[0-9]{40}|5?0{0,30})",
        fives in 0_usize..40,
    ) {
        // A power of five in front makes the digits share fives with the denominator.
        let whole = format!("{}{whole}", UBig::from(5_u8).pow(fives));
        let sign = if negative { "-" } else { "" };
        let places = if places.is_empty() { "0".to_owned() } else { places };
        let text = format!("{sign}{whole}.{places}");
        let digits: IBig = format!("{sign}{whole}{places}").parse().unwrap();
        let expected = RBig::from_parts(digits, UBig::from(10_u8).pow(places.len()));
        check_rat(&Rat::parse_decimal(text.as_bytes()).unwrap(), &expected);
    }

    #[test]
    fn decimals_of_fives(fives in 0_usize..80, twos in 0_usize..80, places in 1_usize..60) {
        let digits = UBig::from(5_u8).pow(fives) << twos;
        let text = format!("{digits:0>width$}", width = places + 1);
        let (whole, fraction) = text.split_at(text.len() - places);
        let expected = RBig::from_parts(digits.into(), UBig::from(10_u8).pow(places));
        let text = format!("{whole}.{fraction}");
        check_rat(&Rat::parse_decimal(text.as_bytes()).unwrap(), &expected);
    }

    #[test]
    fn simplest_of_small_intervals(
        a in small(), b in small(), lo_kind in 0..3, hi_kind in 0..3,
    ) {
        let lo = bound(&a, lo_kind);
        let hi = bound(&b, hi_kind);
        prop_assert_eq!(Rat::simplest_in(lo, hi), simplest_by_search(lo, hi));
        if lo_kind + hi_kind == 0 {
            prop_assert_eq!(Rat::simplest_between(&a, &b), Rat::simplest_in(lo, hi));
        }
    }

    #[test]
    fn simplest_of_any_interval(a in any_rbig(), b in any_rbig()) {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        let (lo, hi) = (rat(&a), rat(&b));
        let closed = Rat::simplest_between(&lo, &hi).unwrap();
        prop_assert!(lo <= closed && closed <= hi);
        let open = Rat::simplest_in(Excluded(&lo), Excluded(&hi));
        prop_assert_eq!(open.is_some(), lo < hi);
        // The judge treats an end at zero as if it were inside.
        if lo < hi && a.numerator().signum() * b.numerator().signum() == IBig::ONE {
            check_rat(&open.unwrap(), &RBig::simplest_in(a, b));
        }
    }
}

fn small() -> impl Strategy<Value = Rat> {
    (-40_i64..=40, 1_i64..=15).prop_map(|(num, den)| Rat::ratio(num, den).unwrap())
}

fn bound(value: &Rat, kind: i32) -> Bound<&Rat> {
    match kind {
        0 => Included(value),
        1 => Excluded(value),
        _ => Unbounded,
    }
}

/// Tries denominators and numerators from simple to complicated.
fn simplest_by_search(lo: Bound<&Rat>, hi: Bound<&Rat>) -> Option<Rat> {
    let fits = |value: &Rat| {
        (match lo {
            Included(lo) => value >= lo,
            Excluded(lo) => value > lo,
            Unbounded => true,
        }) && (match hi {
            Included(hi) => value <= hi,
            Excluded(hi) => value < hi,
            Unbounded => true,
        })
    };
    // Denominators up to 15 are at least 1/225 apart; a denominator of 31 lands between.
    (1..=31).find_map(|den| {
        let candidate = |num: i64| Rat::ratio(num, den).filter(|value| fits(value));
        (0..=41 * den).find_map(|num| candidate(num).or_else(|| candidate(-num)))
    })
}

#[test]
fn text_that_is_no_decimal() {
    for text in ["", "-", ".", "1.", ".5", "1.-5", "1.2.3", "+1.0", "1,5", "1_0.0", "1.0_0", "1e3"]
    {
        assert_eq!(Rat::parse_decimal(text.as_bytes()), None, "{text:?}");
    }
}

#[test]
fn text_that_is_a_decimal() {
    for (text, num, den) in
        [("12.345", 2469, 200), ("-0.5", -1, 2), ("-0.0", 0, 1), ("007", 7, 1), ("3.1400", 157, 50)]
    {
        assert_eq!(Rat::parse_decimal(text.as_bytes()), Rat::ratio(num, den), "{text}");
    }
}

#[test]
fn a_long_decimal_is_read() {
    let text = format!("0.{}1", "0".repeat(100_000));
    let value = Rat::parse_decimal(text.as_bytes()).unwrap();
    assert_eq!(value.numerator(), Int::ONE);
    assert_eq!(value.denominator().bit_len(), 332_197);
}

#[test]
#[should_panic(expected = "excludes a zero divisor")]
fn the_operator_refuses_zero() {
    let _ = Rat::ONE / Rat::ZERO;
}
