//! Hostile evidence about clauses in other forms: assignments, and DRAT proofs as text and as bytes.

use crate::hostile::draw::Draw;
use std::fmt::Write;

pub(super) fn assignment(draw: &mut Draw) -> String {
    let mut text = String::from("s SATISFIABLE\nv");
    for _ in 0..draw.size(20_000) {
        let variable = match draw.below(20) {
            0 => (1 << 31) - 1 - draw.below(3),
            1 => draw.index(6).max(1),
            _ => 1 + draw.below(6),
        };
        let _ = write!(text, " {}{variable}", if draw.chance(2) { "-" } else { "" });
    }
    text + " 0\n"
}

pub(super) fn drat(draw: &mut Draw) -> String {
    let mut text = String::new();
    let lines = draw.size(3_000);
    let far = *draw.pick(&[6, 6, 60, 3_000, (1 << 31) - 1]);
    let is_chain = draw.chance(3);
    for line in 0..lines {
        if draw.chance(12) {
            text.push_str("d ");
        }
        if is_chain {
            // Each new variable follows from the one before it.
            let _ = writeln!(text, "{} -{} 0", 8 + line, 7 + line);
            continue;
        }
        let most = *draw.pick(&[6, 6, 6, 6, 6, 6, 6, 6, 6, 200]);
        for _ in 0..draw.below(most) {
            let sign = if draw.chance(2) { "-" } else { "" };
            let _ = write!(text, "{sign}{} ", 1 + draw.below(far));
        }
        text.push_str("0\n");
    }
    text + "0\n"
}

/// A number in groups of seven bits.
pub fn number(bytes: &mut Vec<u8>, mut number: u64) {
    while number > 127 {
        bytes.push(128 | (number & 127) as u8);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// A binary proof, with hints or without.
pub(super) fn binary(draw: &mut Draw, has_hints: bool) -> Vec<u8> {
    let mut bytes = Vec::new();
    let far = *draw.pick(&[14, 14, 200, 1 << 32, 1 << 62]);
    for line in 0..draw.size(1_500) {
        let is_deletion = draw.chance(10);
        bytes.push(if is_deletion { b'd' } else { b'a' });
        if has_hints && !is_deletion {
            let id = if draw.chance(60) { draw.bits() >> 2 } else { 2 * (7 + line) };
            number(&mut bytes, id);
        }
        let most = *draw.pick(&[5, 5, 5, 5, 5, 5, 5, 5, 5, 300]);
        for _ in 0..draw.below(most) {
            let code = if draw.chance(30) { 2 + draw.below(far) } else { 2 + draw.below(12) };
            number(&mut bytes, code);
        }
        bytes.push(0);
        if has_hints && !is_deletion {
            for _ in 0..draw.size(60) {
                let code =
                    if draw.chance(40) { draw.bits() >> 3 } else { 2 + draw.below(14 + line) };
                number(&mut bytes, code);
            }
            bytes.push(0);
        }
    }
    bytes
}
