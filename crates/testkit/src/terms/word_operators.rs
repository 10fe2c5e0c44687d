//! The operators on two words, for random terms here and in the tests of the solver.

use alphorn_term::Op;

/// Operators that take two words of one width and give one.
pub const TO_WORD: &[Op] = &[
    Op::BvAnd,
    Op::BvOr,
    Op::BvXor,
    Op::BvAdd,
    Op::BvSub,
    Op::BvMul,
    Op::BvUdiv,
    Op::BvUrem,
    Op::BvSdiv,
    Op::BvSrem,
    Op::BvSmod,
    Op::BvShl,
    Op::BvLshr,
    Op::BvAshr,
];

/// Relations of two words of one width.
pub const COMPARISONS: &[Op] = &[
    Op::BvUlt,
    Op::BvUle,
    Op::BvSlt,
    Op::BvSle,
    Op::BvUaddo,
    Op::BvSaddo,
    Op::BvUsubo,
    Op::BvSsubo,
    Op::BvUmulo,
    Op::BvSmulo,
    Op::BvSdivo,
];
