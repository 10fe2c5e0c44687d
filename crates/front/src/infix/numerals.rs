//! Numbers as they are written.

use alphorn_term::{Int, Rat};

/// The integer that digits stand for.
pub(crate) fn integer(digits: &str) -> Int {
    Int::parse_decimal(digits.as_bytes()).expect("a numeral has digits only")
}

/// The number that digits with a point in them stand for.
pub(crate) fn decimal(text: &str) -> Rat {
    Rat::parse_decimal(text.as_bytes()).expect("a decimal has digits and a point")
}
