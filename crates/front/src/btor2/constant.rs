//! Constants: digits to words.

use super::operator::Operator;
use alphorn_term::{Bv, Int};

/// The word that `one`, `ones` or `zero` stands for.
pub(super) fn named(operator: Operator, width: u32) -> Bv {
    match operator {
        Operator::One => Bv::from_u64(width, 1),
        Operator::Ones => Bv::ones(width),
        _ => Bv::from_u64(width, 0),
    }
}

/// The word of `width` bits that the digits of a `const`, `constd` or `consth` stand for, or what
/// is wrong with them.
pub(super) fn parse(operator: Operator, digits: &[u8], width: u32) -> Result<Bv, String> {
    match operator {
        Operator::Const => {
            if !digits.iter().all(|digit| matches!(digit, b'0' | b'1')) {
                return Err("`const` wants binary digits".into());
            }
            let count = digits.len();
            if count != width as usize {
                return Err(format!("there are {count} digits for a bitvec {width}"));
            }
            Bv::parse_binary(digits).ok_or_else(|| "the digits are missing".into())
        }
        Operator::Consth => {
            if !digits.iter().all(u8::is_ascii_hexdigit) {
                return Err("`consth` wants hexadecimal digits".into());
            }
            let zeros = digits.iter().take_while(|digit| **digit == b'0').count();
            let significant = &digits[zeros.min(digits.len() - 1)..];
            // Four bits a digit, of which the first may have leading zeros.
            if significant.len() > width as usize / 4 + 1 {
                return Err(too_large(width));
            }
            let value = Bv::parse_hex(significant).ok_or("the digits are missing")?;
            if value.to_unsigned().bit_len() > width as usize {
                return Err(too_large(width));
            }
            Ok(Bv::from_int(width, &value.to_unsigned()))
        }
        _ => parse_decimal(digits, width),
    }
}

fn parse_decimal(digits: &[u8], width: u32) -> Result<Bv, String> {
    let magnitude = digits.strip_prefix(b"-").unwrap_or(digits);
    if magnitude.is_empty() || !magnitude.iter().all(u8::is_ascii_digit) {
        return Err("`constd` wants decimal digits".into());
    }
    let zeros = magnitude.iter().take_while(|digit| **digit == b'0').count();
    // A decimal digit is worth more than three bits; reading on would only take time.
    if magnitude.len() - zeros > width as usize / 3 + 1 {
        return Err(too_large(width));
    }
    let value = Int::parse_decimal(digits).ok_or("`constd` wants decimal digits")?;
    let fits = if value.is_negative() {
        // The least signed word is -2^(width - 1).
        (-value.clone() - Int::from(1i64)).bit_len() < width as usize
    } else {
        value.bit_len() <= width as usize
    };
    if fits { Ok(Bv::from_int(width, &value)) } else { Err(too_large(width)) }
}

fn too_large(width: u32) -> String {
    format!("the number does not fit a bitvec {width}")
}
