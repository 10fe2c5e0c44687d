//! Evidence about templates in circuits as text.
//!
//! ```text
//! alphorn-matches 1
//! match                       orders and settings of one match follow
//! order p a2 a0 a1            the bits of a permutation, the highest first, by the names in its first word
//! setting v1 00               the control inputs of a value, the highest first
//! invariant clauses           the certificate of the equivalence, as for circuits, up to `end`
//! complete                    that there are no others; without this line, there is one match
//! vector 01101001             values for the inputs of the circuit, the first one first
//! invariant clauses           the certificate of the exclusion, up to `end`
//! ```
//!
//! Lines whose first word is `c` are comments.

use super::circuit::{Lines, invariant, print_invariant};
use crate::diag::{Code, Diagnostic, Diagnostics, Read};
use alphorn_problem::circuit::Circuit;
use alphorn_problem::evidence::circuit::Certificate;
use alphorn_problem::evidence::matching::{AllMatches, Match};
use alphorn_problem::matching::{Matching, Solution};
use alphorn_problem::{Span, Verdict};
use std::fmt::Write;

const HEADER: &str = "alphorn-matches 1";

/// Whether a text is evidence about a template.
pub fn is_matches(bytes: &[u8]) -> bool {
    bytes.trim_ascii_start().starts_with(b"alphorn-matches")
}

/// The names of the bits that a permutation orders, the lowest first: those of its first word, or of the outputs.
pub fn ordered_names(matching: &Matching, permutation: usize) -> Vec<String> {
    let template = &matching.template;
    let own = &template.permutations[permutation];
    let (kind, bits) = match own.uses.first() {
        Some(&(word, _)) => (b'i', &template.words[word].bits),
        None => (b'o', &template.outputs),
    };
    bits.iter().map(|&bit| name(&matching.circuit, kind, bit)).collect()
}

fn name(circuit: &Circuit, kind: u8, bit: usize) -> String {
    let own = circuit.symbols.name(kind, bit);
    own.map_or_else(|| format!("{}{bit}", kind as char), str::to_owned)
}

/// The lines of a solution.
pub fn print_solution(matching: &Matching, solution: &Solution) -> String {
    let mut out = String::new();
    for (place, order) in solution.orders.iter().enumerate() {
        let names = ordered_names(matching, place);
        let _ = write!(out, "order {}", matching.template.permutations[place].name);
        for &bit in order.iter().rev() {
            let _ = write!(out, " {}", names[bit]);
        }
        out.push('\n');
    }
    for (value, setting) in matching.template.values.iter().zip(&solution.settings) {
        let bits: String = setting.iter().rev().map(|&bit| if bit { '1' } else { '0' }).collect();
        let _ = writeln!(out, "setting {value} {}", if bits.is_empty() { "-" } else { &bits });
    }
    out
}

/// A verdict's evidence as text.
pub fn print(matching: &Matching, verdict: &Verdict<Matching>) -> String {
    let mut out = format!("{HEADER}\n");
    let bare = Circuit::default();
    let certificate = |out: &mut String, own: &Certificate| {
        print_invariant(out, &bare, &own.invariant, &own.obligations);
    };
    let matches = match verdict {
        Verdict::Unsafe(found) => std::slice::from_ref(found),
        Verdict::Safe(all) => &all.matches[..],
    };
    for found in matches {
        out.push_str("match\n");
        out.push_str(&print_solution(matching, &found.solution));
        certificate(&mut out, &found.equivalence);
    }
    if let Verdict::Safe(all) = verdict {
        out.push_str("complete\n");
        for vector in &all.vectors {
            let bits: String = vector.iter().map(|&bit| if bit { '1' } else { '0' }).collect();
            let _ = writeln!(out, "vector {}", if bits.is_empty() { "-" } else { &bits });
        }
        certificate(&mut out, &all.exclusion);
    }
    out
}

type Fallible<T> = Result<T, Box<Diagnostic>>;

/// Reads evidence about a template in a circuit.
pub fn read(bytes: &[u8], matching: &Matching) -> Read<Verdict<Matching>> {
    let mut diagnostics = Diagnostics::default();
    let found = match std::str::from_utf8(bytes) {
        Ok(text) => whole(&mut Lines::new(text, 0), matching),
        Err(_) => Err(Box::new(Diagnostic::error(
            Code::Evidence,
            Span::NONE,
            "evidence about a template is text, and this is not",
        ))),
    };
    match found {
        Ok(verdict) => (Some(verdict), diagnostics),
        Err(diagnostic) => {
            diagnostics.push(*diagnostic);
            (None, diagnostics)
        }
    }
}

fn whole(lines: &mut Lines<'_>, matching: &Matching) -> Fallible<Verdict<Matching>> {
    let (header, span) = lines.expect("the header")?;
    if header != HEADER {
        return lines.wrong(span, format!("the first line of evidence is `{HEADER}`"));
    }
    let mut matches = Vec::new();
    while lines.peek() == Some("match") {
        lines.expect("a match")?;
        let solution = solution(lines, matching)?;
        matches.push(Match { solution, equivalence: certificate(lines)? });
    }
    if lines.peek().is_none() {
        let end = lines.last_end;
        return match (matches.pop(), matches.is_empty()) {
            (Some(found), true) => Ok(Verdict::Unsafe(found)),
            (Some(_), false) => lines
                .wrong(Span::new(end, end), "several matches are evidence with `complete` only"),
            (None, _) => {
                lines.wrong(Span::new(end, end), "there is neither a match nor `complete`")
            }
        };
    }
    let (word, span) = lines.expect("`complete`")?;
    if word != "complete" {
        return lines.wrong(span, "`match` or `complete` is expected here");
    }
    let mut vectors = Vec::new();
    while let Some(line) = lines.peek().and_then(|line| line.strip_prefix("vector ")) {
        let (_, span) = lines.expect("a vector")?;
        vectors.push(bits(lines, line.trim(), span)?);
    }
    let exclusion = certificate(lines)?;
    if lines.peek().is_some() {
        let (_, span) = lines.expect("the end")?;
        return lines.wrong(span, "something stands behind the certificate of the exclusion");
    }
    Ok(Verdict::Safe(AllMatches { matches, vectors, exclusion }))
}

fn certificate(lines: &mut Lines<'_>) -> Fallible<Certificate> {
    let (invariant, obligations) = invariant(lines, &Circuit::default())?;
    Ok(Certificate { property: 0, invariant, obligations })
}

fn bits(lines: &Lines<'_>, text: &str, span: Span) -> Fallible<Vec<bool>> {
    if text == "-" {
        return Ok(Vec::new());
    }
    let bit = |letter: char| match letter {
        '0' => Some(false),
        '1' => Some(true),
        _ => None,
    };
    match text.chars().map(bit).collect() {
        Some(bits) => Ok(bits),
        None => lines.wrong(span, "values are written as 0 and 1"),
    }
}

fn solution(lines: &mut Lines<'_>, matching: &Matching) -> Fallible<Solution> {
    let template = &matching.template;
    let mut orders = Vec::new();
    for (place, permutation) in template.permutations.iter().enumerate() {
        let (line, span) = lines.expect("an order")?;
        let mut words = line.split_ascii_whitespace();
        if words.next() != Some("order") || words.next() != Some(&permutation.name) {
            return lines.wrong(span, format!("`order {} …` is expected here", permutation.name));
        }
        let names = ordered_names(matching, place);
        let mut order = Vec::new();
        for word in words {
            match names.iter().position(|name| name == word) {
                Some(bit) => order.push(bit),
                None => return lines.wrong(span, format!("`{word}` is no bit of the word")),
            }
        }
        order.reverse();
        orders.push(order);
    }
    let mut settings = Vec::new();
    for value in &template.values {
        let (line, span) = lines.expect("a setting")?;
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let &["setting", name, text] = &words[..] else {
            return lines.wrong(span, format!("`setting {value} …` is expected here"));
        };
        if name != value {
            return lines.wrong(span, format!("`setting {value} …` is expected here"));
        }
        let mut setting = bits(lines, text, span)?;
        setting.reverse();
        settings.push(setting);
    }
    let solution = Solution { orders, settings };
    if !matching.fits(&solution) {
        let end = lines.last_end;
        return lines.wrong(Span::new(end, end), "the orders and settings do not fit the template");
    }
    Ok(solution)
}
