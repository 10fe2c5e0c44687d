//! The operators of terms.
//!
//! The list is shorter than SMT-LIB's: where an operator is definable by others at no cost, the
//! reader's constructors define it (`=>`, `xor`, `-`, `>=`, `bvnand`, `bvcomp`, `rotate_left`,
//! `divisible` …; see `build`). What is left is what every theory must treat.

use crate::id::{CtorId, FuncId, SymbolId};

/// What a term's root does with its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Op {
    /// The truth value true.
    True,
    /// The truth value false.
    False,
    /// An integer literal; `Store::int_value` has it.
    IntVal(u32),
    /// A real literal; `Store::real_value` has it.
    RealVal(u32),
    /// A word literal; `Store::bv_value` has it.
    BvVal(u32),
    /// A variable, free or bound by an enclosing quantifier: a name with a sort.
    Var(SymbolId),
    /// A declared function (a constant when it has no arguments), applied.
    Apply(FuncId),

    /// Negation.
    Not,
    /// Conjunction of two or more.
    And,
    /// Disjunction of two or more.
    Or,
    /// Equality of two terms of one sort.
    Eq,
    /// Three or more terms, pairwise different.
    Distinct,
    /// If, then, else.
    Ite,
    /// `forall`: the bound variables, then the body.
    Forall,
    /// `exists`: the bound variables, then the body.
    Exists,

    /// Sum of two or more.
    Add,
    /// Product of two or more; a literal factor stands first.
    Mul,
    /// At most.
    Le,
    /// Less than.
    Lt,
    /// Integer division; the remainder is never negative.
    IntDiv,
    /// The remainder of `IntDiv`.
    Mod,
    /// Absolute value of an integer.
    Abs,
    /// Real division.
    RealDiv,
    /// The integer as a real.
    ToReal,
    /// The largest integer not above.
    ToInt,
    /// Whether a real is an integer.
    IsInt,

    /// The first word stands in the high bits.
    Concat,
    /// Bits `.0` down to `.1`.
    Extract(u32, u32),
    /// Bitwise negation.
    BvNot,
    /// Two's complement.
    BvNeg,
    /// Bitwise and.
    BvAnd,
    /// Bitwise or.
    BvOr,
    /// Bitwise exclusive or.
    BvXor,
    /// Sum modulo 2ⁿ.
    BvAdd,
    /// Difference modulo 2ⁿ.
    BvSub,
    /// Product modulo 2ⁿ.
    BvMul,
    /// Unsigned quotient; all ones when dividing by zero.
    BvUdiv,
    /// Unsigned remainder; the dividend when dividing by zero.
    BvUrem,
    /// Signed quotient, rounded towards zero.
    BvSdiv,
    /// Signed remainder, with the dividend's sign.
    BvSrem,
    /// Signed remainder, with the divisor's sign.
    BvSmod,
    /// Shift left.
    BvShl,
    /// Shift right, filling with zeros.
    BvLshr,
    /// Shift right, filling with the sign.
    BvAshr,
    /// The word, `.0` times.
    Repeat(u32),
    /// `.0` zeros in front.
    ZeroExtend(u32),
    /// `.0` copies of the sign in front.
    SignExtend(u32),
    /// Unsigned less than.
    BvUlt,
    /// Unsigned at most.
    BvUle,
    /// Signed less than.
    BvSlt,
    /// Signed at most.
    BvSle,
    /// The negation overflows.
    BvNego,
    /// The unsigned sum overflows.
    BvUaddo,
    /// The signed sum overflows.
    BvSaddo,
    /// The unsigned difference underflows.
    BvUsubo,
    /// The signed difference overflows.
    BvSsubo,
    /// The unsigned product overflows.
    BvUmulo,
    /// The signed product overflows.
    BvSmulo,
    /// The signed quotient overflows.
    BvSdivo,
    /// The word as a natural number.
    UbvToInt,
    /// The word as an integer in two's complement.
    SbvToInt,
    /// The integer modulo 2ⁿ, for n = `.0`.
    IntToBv(u32),

    /// The array's value at an index.
    Select,
    /// The array with the value at an index replaced.
    Store,
    /// The array that has the same value everywhere; the term's sort says which array.
    ConstArray,

    /// A constructor of a datatype, applied.
    Construct(CtorId),
    /// Field `.1` of values made by constructor `.0`; any value otherwise.
    Field(CtorId, u32),
    /// Whether a value was made by the constructor.
    Is(CtorId),
}

impl Op {
    /// Whether evaluating the operator, or writing it as gates, takes more than time linear in the bits
    /// of its arguments: products and quotients of numbers and words.
    pub fn is_product(self) -> bool {
        matches!(
            self,
            Op::Mul
                | Op::IntDiv
                | Op::Mod
                | Op::RealDiv
                | Op::BvMul
                | Op::BvUdiv
                | Op::BvUrem
                | Op::BvSdiv
                | Op::BvSrem
                | Op::BvSmod
                | Op::BvUmulo
                | Op::BvSmulo
        )
    }
}
