//! Clausal proofs that are as much work as a few bytes can ask for.
//!
//! A proof without hints is checked from its end, and ends where a clause does not follow. So here the
//! clauses that do not follow come first, and contradict each other, but not by unit propagation; what
//! comes after them follows, and each of its steps takes as long as possible.

use super::draw::Draw;
use std::fmt::Write;

/// The variables of the formula.
const KNOWN: i64 = 6;

/// A line of a proof: whether it deletes, and its literals.
type Line = (bool, Vec<i64>);

/// Fresh variables.
struct Fresh(i64);

impl Fresh {
    fn one(&mut self) -> i64 {
        self.0 += 1;
        self.0
    }

    fn some(&mut self, count: u64) -> Vec<i64> {
        (0..count).map(|_| self.one()).collect()
    }
}

/// Clauses that are resolved with many others, where every resolvent takes a long propagation.
///
/// `x ∨ a` is RAT on `x` for each `a`: the others say `¬x ∨ y`, and that `y` is false is a contradiction
/// which is found after all that follows from it. In a chain it has a long reason, else a short one.
pub fn resolved(draw: &mut Draw) -> Vec<u8> {
    let mut fresh = Fresh(KNOWN);
    let [s, t, c, x, r, b] = std::array::from_fn(|_| fresh.one());
    let needed = fresh.some(1 + draw.size(600));
    let partners = fresh.some(2 + draw.size(600));
    let follows = fresh.some(1 + draw.size(600));
    let is_chain = draw.chance(3);
    let mut lines: Vec<Line> = Vec::new();
    let mut add = |literals: Vec<i64>| lines.push((false, literals));
    add([s, t].into_iter().chain(needed.iter().map(|a| -a)).collect());
    [[s, -t], [-s, t], [-s, -t]].into_iter().for_each(|clause| add(clause.to_vec()));
    let mut last = b;
    for &follow in &follows {
        add(vec![-last, follow]);
        last = if is_chain { follow } else { b };
    }
    for (at, &y) in partners.iter().enumerate() {
        let end = if is_chain { last } else { follows[at % follows.len()] };
        [vec![y, b], vec![y, -end, c], vec![y, -end, -c]].into_iter().for_each(&mut add);
    }
    partners.iter().for_each(|&y| add(vec![-x, y]));
    add(partners.iter().map(|y| -y).chain([r]).collect());
    needed.iter().for_each(|&a| add(vec![-r, a]));
    needed.iter().for_each(|&a| add(vec![x, a]));
    needed.iter().for_each(|&a| add(vec![a]));
    add(vec![s]);
    add(Vec::new());
    written(draw, &lines)
}

/// Clauses that are there many times, deleted and added again, in lists that grow long.
pub fn deleted(draw: &mut Draw) -> Vec<u8> {
    let mut fresh = Fresh(KNOWN);
    let (a, b) = (fresh.one(), fresh.one());
    let others = fresh.some(1 + draw.size(3_000));
    let mut lines: Vec<Line> = Vec::new();
    let is_same = draw.chance(2);
    let clause = |other: i64| if is_same { vec![a, b] } else { vec![a, b, other] };
    others.iter().for_each(|&other| lines.push((false, clause(other))));
    for round in 0..1 + draw.below(3) {
        for &other in &others {
            let mut literals = clause(other);
            if draw.chance(2) {
                literals.reverse();
            }
            lines.push((true, literals.clone()));
            if round > 0 || draw.chance(3) {
                lines.push((false, literals));
            }
        }
    }
    lines.extend([(false, vec![-a]), (false, vec![-b]), (false, Vec::new())]);
    written(draw, &lines)
}

/// Hints at a long clause, again and again, all but one of them idle.
pub fn idle(draw: &mut Draw) -> Vec<u8> {
    let length = 1 + draw.size(8_000) as i64;
    let long: Vec<String> = (0..length).map(|at| (1 + at % KNOWN).to_string()).collect();
    let long = long.join(" ");
    let hint = *draw.pick(&[1, 6, 7, 7, 7]);
    let hints = format!("{hint} ").repeat(1 + draw.size(8_000) as usize);
    let mut text = String::new();
    let _ = writeln!(text, "7 {long} 0 1 0");
    for step in 0..1 + draw.below(4) {
        let negated = if draw.chance(2) { "-" } else { "" };
        let _ = writeln!(text, "{} {negated}{long} 0 {hints}0", 8 + step);
    }
    text.push_str("99 0 7 0\n");
    text.into_bytes()
}

/// The proof as text or in binary.
fn written(draw: &mut Draw, lines: &[Line]) -> Vec<u8> {
    if draw.chance(2) {
        let mut bytes = Vec::new();
        for (deletes, literals) in lines {
            bytes.push(if *deletes { b'd' } else { b'a' });
            for &lit in literals {
                super::scripts::number(&mut bytes, 2 * lit.unsigned_abs() + u64::from(lit < 0));
            }
            bytes.push(0);
        }
        return bytes;
    }
    let mut text = String::new();
    for (deletes, literals) in lines {
        text.push_str(if *deletes { "d " } else { "" });
        for lit in literals {
            let _ = write!(text, "{lit} ");
        }
        text.push_str("0\n");
    }
    text.into_bytes()
}
