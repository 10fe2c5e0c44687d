//! Variables and literals.
//!
//! A literal is `2v` for the variable `v` and `2v + 1` for its negation, so that literals index
//! arrays directly and negation flips one bit. Variables count from 0; the DIMACS number of a
//! literal is its variable plus one, negative when the literal is negated.

use std::fmt;
use std::ops::Not;

/// A propositional variable, counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Var(pub u32);

/// A variable or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lit(u32);

impl Var {
    /// The literal that is true when the variable is.
    #[inline]
    pub fn positive(self) -> Lit {
        Lit(self.0 << 1)
    }

    /// The literal that is true when the variable is false.
    #[inline]
    pub fn negative(self) -> Lit {
        Lit(self.0 << 1 | 1)
    }

    /// The literal of the variable that is true when the variable has `value`.
    #[inline]
    pub fn lit(self, value: bool) -> Lit {
        Lit(self.0 << 1 | u32::from(!value))
    }

    /// The position of the variable in arrays.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Lit {
    /// Stands for no literal where one is optional and memory matters.
    pub(crate) const NONE: Lit = Lit(u32::MAX);

    /// The literal with the given code, as `code` returns it.
    #[inline]
    pub fn from_code(code: u32) -> Lit {
        Lit(code)
    }

    /// Twice the variable, plus one if negated.
    #[inline]
    pub fn code(self) -> u32 {
        self.0
    }

    /// The position of the literal in arrays.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The variable of the literal.
    #[inline]
    pub fn var(self) -> Var {
        Var(self.0 >> 1)
    }

    /// Whether the literal is the negation of its variable.
    #[inline]
    pub fn is_negated(self) -> bool {
        self.0 & 1 != 0
    }

    /// The literal, negated if `negate`.
    #[inline]
    pub fn xor(self, negate: bool) -> Lit {
        Lit(self.0 ^ u32::from(negate))
    }

    /// The literal's number in DIMACS files.
    pub fn to_dimacs(self) -> i32 {
        let number = (self.0 >> 1) as i32 + 1;
        if self.is_negated() { -number } else { number }
    }

    /// The literal with a number from a DIMACS file; there is none for 0 and the smallest number.
    pub fn from_dimacs(number: i32) -> Option<Lit> {
        if number == 0 || number == i32::MIN {
            return None;
        }
        Some(Var(number.unsigned_abs() - 1).lit(number > 0))
    }
}

impl Not for Lit {
    type Output = Lit;

    #[inline]
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.to_dimacs())
    }
}

impl fmt::Debug for Var {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0 + 1)
    }
}
