//! Damage to evidence as text: bytes, pieces of its language, numbers, whole lines.

use crate::Rng;

const PIECES: &[&str] = &[
    "(",
    ")",
    " ",
    "\n",
    "0",
    "1",
    "-1",
    "9",
    "99999999999999999999",
    "x",
    "y!1",
    "@0",
    "@1",
    "@",
    "not",
    "(not @0)",
    "true",
    "(- 1)",
    "#b1",
    "#xF",
    "1.5",
    "(/ 1.0 2.0)",
    "|",
    "\"",
    ";",
    "|a b|",
    "var",
    "term",
    "atom",
    "step",
    "cl",
    "let",
    "forall",
    "((x Int))",
    "Int",
    "Real",
    "(_ BitVec 4)",
    "assert",
    "rup",
    "farkas",
    "linear",
    "(combine (1.0 0))",
    "skolem",
    "case",
    "else",
    "define-fun",
    "set-info",
    ":alphorn-proof",
    ":alphorn-element",
    ":alphorn-variable",
    "derivation",
    "premises",
    "states",
    "formula",
    "proof",
    "variable",
    "certificate",
    "property",
    "invariant",
    "obligation",
    "end",
    "c",
    "-",
    "d",
    "x x",
    "sat",
    "b0",
    ".",
    "#0",
    "@0\n",
    "-2147483648",
    "4294967296",
    "-9223372036854775808",
    "18446744073709551615",
    "\u{e9}",
    "\0",
    "\t",
    "\r\n",
];

/// Damages a text a few times: bytes, pieces, or whole lines.
pub fn damage(rng: &mut Rng, bytes: &mut Vec<u8>) {
    for _ in 0..1 + rng.below(3) {
        let at = rng.below(bytes.len() + 1);
        let length = rng.below(8).min(bytes.len() - at);
        match rng.below(7) {
            0 => drop(bytes.drain(at..at + length)),
            1 => drop(bytes.splice(at..at + length, rng.pick(PIECES).bytes())),
            2 => {
                let copy = bytes[at..at + length].to_vec();
                let to = rng.below(bytes.len() + 1);
                bytes.splice(to..to, copy);
            }
            3 if at < bytes.len() => bytes[at] = rng.pick(b"0123456789 \n-;()|@\"abz\xff"),
            4 => replace_number(rng, bytes),
            5 => lines(rng, bytes),
            _ if rng.one_in(8) => bytes.truncate(at),
            _ => {}
        }
    }
}

/// Replaces a number by another: texts stay readable more often than not.
fn replace_number(rng: &mut Rng, bytes: &mut [u8]) {
    let digits: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at].is_ascii_digit()).collect();
    if !digits.is_empty() {
        bytes[rng.pick(&digits)] = b'0' + rng.below(10) as u8;
    }
}

/// Removes, repeats or exchanges lines.
fn lines(rng: &mut Rng, bytes: &mut Vec<u8>) {
    let mut lines: Vec<Vec<u8>> = bytes.split(|&b| b == b'\n').map(<[u8]>::to_vec).collect();
    let (a, b) = (rng.below(lines.len()), rng.below(lines.len()));
    match rng.below(3) {
        0 => drop(lines.remove(a)),
        1 => lines.insert(a, lines[b].clone()),
        _ => lines.swap(a, b),
    }
    *bytes = lines.join(&b'\n');
}
