//! Exact numbers against `dashu` as the judge.
//!
//! Every operation is run on values crowded around the places where a shape changes:
//! powers of two near 32, 63, 64 and 128 bits, give or take two. Each result must be
//! the judge's value and must be canonical, that is, indistinguishable in equality and
//! hash from the same value built anew.

#![allow(clippy::unwrap_used)]

mod int;
mod rat;

use std::hash::{DefaultHasher, Hash, Hasher};

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::{Int, Rat};

/// A fixed seed, and no file of past failures.
fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 1500,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(0x616c_7068),
        ..ProptestConfig::default()
    }
}

/// Integers crowded around the changes of shape.
fn any_ibig() -> impl Strategy<Value = IBig> + Clone {
    let edge = (
        prop::sample::select(vec![15_usize, 31, 32, 62, 63, 64, 65, 126, 127, 128, 200]),
        -2_i64..=2,
        any::<bool>(),
    )
        .prop_map(|(shift, delta, negative)| {
            let value = (IBig::ONE << shift) + delta;
            if negative { -value } else { value }
        });
    prop_oneof![
        4 => (-20_i64..=20).prop_map(IBig::from),
        5 => edge,
        1 => any::<i32>().prop_map(IBig::from),
        2 => any::<i64>().prop_map(IBig::from),
        2 => any::<i128>().prop_map(IBig::from),
        1 => any::<(i128, i128)>().prop_map(|(a, b)| IBig::from(a) * IBig::from(b)),
    ]
}

/// Rationals crowded around the changes of shape, many of them small.
fn any_rbig() -> impl Strategy<Value = RBig> + Clone {
    let den = any_ibig().prop_map(|den| if den.is_zero() { IBig::ONE } else { den });
    prop_oneof![
        2 => (-30_i64..=30, 1_i64..=12)
            .prop_map(|(num, den)| RBig::from_parts_signed(num.into(), den.into())),
        1 => any_ibig().prop_map(RBig::from),
        3 => (any_ibig(), den).prop_map(|(num, den)| RBig::from_parts_signed(num, den)),
    ]
}

fn int(value: &IBig) -> Int {
    Int::from(value.clone())
}

fn rat(value: &RBig) -> Rat {
    let (num, den) = value.clone().into_parts();
    Rat::new(Int::from(num), Int::from(den)).expect("the judge has no zero denominator")
}

fn hash_of(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

#[track_caller]
fn check_int(found: &Int, expected: &IBig) {
    assert_eq!(&found.to_ibig(), expected);
    let anew = int(expected);
    assert_eq!(found, &anew, "two shapes of one value");
    assert_eq!(hash_of(found), hash_of(&anew));
    assert_eq!(found.to_i64(), i64::try_from(expected).ok(), "the inline range is inline");
}

#[track_caller]
fn check_rat(found: &Rat, expected: &RBig) {
    check_int(&found.numerator(), expected.numerator());
    check_int(&found.denominator(), expected.denominator().as_ibig());
    let anew = rat(expected);
    assert_eq!(found, &anew, "two shapes of one value");
    assert_eq!(hash_of(found), hash_of(&anew));
}

/// The value modulo a power of two, the slow way.
fn residue(value: &IBig, bits: u32) -> UBig {
    use dashu_int::ops::RemEuclid;
    value.rem_euclid(IBig::ONE << bits as usize)
}
