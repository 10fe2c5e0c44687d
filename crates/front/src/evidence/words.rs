//! Evidence about word-level systems as text: BTOR2 witnesses, and certificates of our own.
//!
//! ```text
//! (certificate (property 0)
//!   (states (0 2) (#b00 #b1) (#b01 #b0)))     rows of values of the listed states
//! (certificate (property 0)
//!   (home (0 2) ((#b00 #b1) (#b01)) …))       rows, each with the inputs of a step
//! (certificate (property 0)
//!   (variable and!1 (_ BitVec 4) "and")       a state whose name says something else in a term
//!   (formula (bvule count and!1))             over the states' names
//!   (proof (var …) (atom …) (step …) …) …)    one per obligation
//! ```
//!
//! An invariant about bits is written as one about circuits is (`bits`).

use super::names::{Names, read_variable};
use super::values::{Printer, Reader};
use super::{Fallible, bits, parts, proof, word, wrong};
use crate::btor2;
use crate::diag::{Code, Diagnostic, Read};
use crate::smtlib::{Cursor, Kind};
use alphorn_problem::evidence::words::{Homing, Rows, WordCertificate, WordInvariant};
use alphorn_problem::{Verdict, Words};
use alphorn_term::{Op, SortId, TermId, Value};
use std::fmt::Write;

/// The ticks that copies of a system's terms may take for all certificates of a file, about a word of
/// memory each, and for each byte of it.
const MAX_COPIED: u64 = 1 << 25;
const COPIED_PER_BYTE: u64 = 256;

/// A verdict's evidence as text.
pub fn print(words: &Words, verdict: &Verdict<Words>) -> String {
    match verdict {
        Verdict::Unsafe(trace) => btor2::write_witness(trace, words),
        Verdict::Safe(certificate) => print_certificate(words, certificate),
    }
}

fn print_certificate(words: &Words, certificate: &WordCertificate) -> String {
    if let WordInvariant::Bits(found) = &certificate.invariant {
        return bits::print(words, certificate.property, found);
    }
    let mut out = format!("(certificate (property {})\n", certificate.property);
    match &certificate.invariant {
        WordInvariant::States(Rows { vars, states }) => {
            let mut printer = Printer::new(words.terms.clone());
            let vars: Vec<String> = vars.iter().map(usize::to_string).collect();
            let _ = write!(out, "  (states ({})", vars.join(" "));
            for state in states {
                let row: Vec<String> = state.iter().map(|v| printer.show(v)).collect();
                let _ = write!(out, "\n    ({})", row.join(" "));
            }
            out.push(')');
        }
        WordInvariant::Home(Homing { rows, inputs }) => {
            let mut printer = Printer::new(words.terms.clone());
            let vars: Vec<String> = rows.vars.iter().map(usize::to_string).collect();
            let _ = write!(out, "  (home ({})", vars.join(" "));
            for (state, inputs) in rows.states.iter().zip(inputs) {
                let mut list = |values: &[Value]| {
                    let shown: Vec<String> = values.iter().map(|v| printer.show(v)).collect();
                    format!("({})", shown.join(" "))
                };
                let _ = match inputs {
                    Some(inputs) => write!(out, "\n    ({} {})", list(state), list(inputs)),
                    None => write!(out, "\n    ({})", list(state)),
                };
            }
            out.push(')');
        }
        WordInvariant::Formula { terms, formula, proofs } => {
            let mut roots = words.state_vars();
            roots.push(*formula);
            roots.extend(proofs.iter().flat_map(proof::mentioned));
            let mut names = Names::of(terms, &roots);
            let states = words.state_vars();
            let mut others = terms.free_vars(&[*formula]);
            others.retain(|var| !states.contains(var));
            for declaration in names.declarations(&others) {
                let _ = writeln!(out, "  (variable {declaration})");
            }
            let _ = write!(out, "  (formula {})", names.show(*formula));
            for proof in proofs {
                out.push_str("\n  (proof\n");
                proof::print(&mut out, &mut names, proof);
                out.push_str("  )");
            }
        }
        WordInvariant::Bits(_) => {}
    }
    out.push_str(")\n");
    out
}

/// The invariant of a certificate for people, a line per conjunct or row.
pub fn print_invariant(words: &Words, certificate: &WordCertificate) -> Vec<String> {
    match &certificate.invariant {
        WordInvariant::States(Rows { vars, states })
        | WordInvariant::Home(Homing { rows: Rows { vars, states }, .. }) => {
            let mut printer = Printer::new(words.terms.clone());
            let states_vars = words.state_vars();
            let name = |index: &usize| {
                let var = states_vars.get(*index).copied();
                var.and_then(|var| words.terms.var_name(var)).unwrap_or("?").to_owned()
            };
            let names: Vec<String> = vars.iter().map(name).collect();
            if names.is_empty() {
                return vec!["true: the property needs no more".to_owned()];
            }
            let is = if names.len() == 1 { "is" } else { "are" };
            let mut lines = vec![match states.len() {
                1 => format!("{} {is}:", names.join(" ")),
                count => format!("{} {is} one of these {count}:", names.join(" ")),
            }];
            for state in states {
                let row: Vec<String> = state.iter().map(|v| printer.show(v)).collect();
                lines.push(row.join(" "));
            }
            lines
        }
        WordInvariant::Formula { terms, formula, .. } => {
            let mut roots = words.state_vars();
            roots.push(*formula);
            let mut names = Names::of(terms, &roots);
            let parts: Vec<TermId> = match terms.op(*formula) {
                Op::And => terms.args(*formula).to_vec(),
                _ => vec![*formula],
            };
            parts.into_iter().map(|part| names.show(part)).collect()
        }
        WordInvariant::Bits(found) => bits::in_words(words, certificate.property, found),
    }
}

/// Reads evidence: certificates and BTOR2 witnesses, in any order.
///
/// Each certificate takes a copy of the system's terms, so as many as fit the text's length are read.
pub fn read(bytes: &[u8], words: &Words) -> Read<Vec<Verdict<Words>>> {
    let mut room = MAX_COPIED.saturating_add((bytes.len() as u64).saturating_mul(COPIED_PER_BYTE));
    let mut certificate = |at: usize| {
        if bits::opens(&bytes[at..]) {
            let (certificate, end) = bits::read(bytes, at, words)?;
            return Ok((Verdict::Safe(certificate), end));
        }
        let mut cursor = Cursor::at(bytes, at);
        let Some(left) = room.checked_sub(words.terms.effort()) else {
            let message = "there are too many certificates for a system of this size";
            let found = Diagnostic::error(Code::Evidence, cursor.peek().span(), message);
            return Err(Box::new(found.hint("put them into files of their own")));
        };
        room = left;
        let certificate = read_certificate(&mut cursor, words)?;
        Ok((Verdict::Safe(certificate), cursor.last_end() as usize))
    };
    let witnesses = |part: &[u8]| {
        let (traces, diagnostics) = btor2::read_witness(part, words);
        (traces.map(|all| all.into_iter().map(Verdict::Unsafe).collect()), diagnostics)
    };
    let opens = |line: &[u8]| line.starts_with(b"(") || bits::opens(line);
    parts::read(bytes, opens, &mut certificate, witnesses)
}

fn read_certificate(cursor: &mut Cursor<'_>, words: &Words) -> Fallible<WordCertificate> {
    cursor.open("a certificate")?;
    word(cursor, "certificate")?;
    cursor.open("`(property …)`")?;
    word(cursor, "property")?;
    let property = cursor.small_numeral("the property's number")? as usize;
    cursor.close("the end of the property")?;
    let mut reader = Reader::over(words.terms.clone(), cursor.text().len());
    cursor.open("`(variable …)`, `(states …)` or `(formula …)`")?;
    while cursor.is_word("variable") {
        cursor.take();
        read_variable(&mut reader.context, cursor)?;
        cursor.close("the end of the variable")?;
        cursor.open("`(variable …)`, `(states …)` or `(formula …)`")?;
    }
    let invariant = if cursor.is_word("states") {
        cursor.take();
        WordInvariant::States(read_states(&mut reader, cursor, words)?)
    } else if cursor.is_word("home") {
        cursor.take();
        WordInvariant::Home(read_home(&mut reader, cursor, words)?)
    } else {
        word(cursor, "formula")?;
        let mut context = reader.context;
        for state in &words.states {
            let name = words.terms.var_name(state.var).unwrap_or_default();
            if !context.is_declared(name) {
                context.bind(name, state.var);
            }
        }
        let start = cursor.peek().start;
        let formula = context.parse_term(cursor)?;
        if context.store().sort(formula) != SortId::BOOL {
            return wrong(cursor.span_from(start), "the invariant is a formula");
        }
        cursor.close("the end of the formula")?;
        let mut proofs = Vec::new();
        while cursor.peek().kind == Kind::Open {
            cursor.take();
            word(cursor, "proof")?;
            proofs.push(context.scoped(|context| proof::read(context, cursor))?);
            cursor.close("the end of the proof")?;
        }
        let terms = Box::new(context.into_store());
        WordInvariant::Formula { terms, formula, proofs }
    };
    cursor.close("the end of the certificate")?;
    Ok(WordCertificate { property, invariant })
}

/// Reads the positions of states.
fn read_positions(cursor: &mut Cursor<'_>, words: &Words) -> Fallible<Vec<usize>> {
    cursor.open("the states' positions")?;
    let mut vars = Vec::new();
    while cursor.peek().kind != Kind::Close {
        let start = cursor.peek().start;
        let position = cursor.small_numeral("a position")? as usize;
        if position >= words.states.len() {
            return wrong(cursor.span_from(start), "the system has no such state");
        }
        vars.push(position);
    }
    cursor.take();
    Ok(vars)
}

/// Reads values of these variables in parentheses.
fn read_row(
    reader: &mut Reader,
    cursor: &mut Cursor<'_>,
    words: &Words,
    vars: impl Iterator<Item = TermId>,
) -> Fallible<Vec<Value>> {
    cursor.open("a row")?;
    let mut row = Vec::new();
    for var in vars {
        row.push(reader.value(cursor, words.terms.sort(var))?);
    }
    cursor.close("the end of the row")?;
    Ok(row)
}

fn read_states(reader: &mut Reader, cursor: &mut Cursor<'_>, words: &Words) -> Fallible<Rows> {
    let vars = read_positions(cursor, words)?;
    let mut states = Vec::new();
    while cursor.peek().kind != Kind::Close {
        let listed = vars.iter().map(|var| words.states[*var].var);
        states.push(read_row(reader, cursor, words, listed)?);
    }
    cursor.take();
    Ok(Rows { vars, states })
}

/// Reads rows with the inputs of a step each: `((…) (…))`, or `((…))` for one without.
fn read_home(reader: &mut Reader, cursor: &mut Cursor<'_>, words: &Words) -> Fallible<Homing> {
    let vars = read_positions(cursor, words)?;
    let (mut states, mut inputs) = (Vec::new(), Vec::new());
    while cursor.peek().kind != Kind::Close {
        cursor.open("a row and its inputs")?;
        let listed = vars.iter().map(|var| words.states[*var].var);
        states.push(read_row(reader, cursor, words, listed)?);
        inputs.push(match cursor.peek().kind {
            Kind::Open => Some(read_row(reader, cursor, words, words.inputs.iter().copied())?),
            _ => None,
        });
        cursor.close("the end of the row and its inputs")?;
    }
    cursor.take();
    Ok(Homing { rows: Rows { vars, states }, inputs })
}
