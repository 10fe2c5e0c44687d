//! Evidence about word-level systems as text: BTOR2 witnesses, and certificates of our own.
//!
//! ```text
//! (certificate (property 0)
//!   (states (0 2) (#b00 #b1) (#b01 #b0)))     rows of values of the listed states
//! (certificate (property 0)
//!   (formula (bvule count #x0a))              over the states' names
//!   (proof (var …) (atom …) (step …) …) …)    one per obligation
//! ```

use super::{Fallible, outcome, proof, values, word, wrong};
use crate::btor2;
use crate::diag::Read;
use crate::smtlib::{Context, Cursor, Kind};
use alphorn_problem::evidence::words::{WordCertificate, WordInvariant};
use alphorn_problem::{Verdict, Words};
use alphorn_term::SortId;
use std::fmt::Write;

/// A verdict's evidence as text.
pub fn print(words: &Words, verdict: &Verdict<Words>) -> String {
    match verdict {
        Verdict::Unsafe(trace) => btor2::write_witness(trace, words),
        Verdict::Safe(certificate) => print_certificate(words, certificate),
    }
}

fn print_certificate(words: &Words, certificate: &WordCertificate) -> String {
    let mut out = format!("(certificate (property {})\n", certificate.property);
    match &certificate.invariant {
        WordInvariant::States { vars, states } => {
            let mut store = words.terms.clone();
            let vars: Vec<String> = vars.iter().map(usize::to_string).collect();
            let _ = write!(out, "  (states ({})", vars.join(" "));
            for state in states {
                let row: Vec<String> = state.iter().map(|v| values::show(&mut store, v)).collect();
                let _ = write!(out, "\n    ({})", row.join(" "));
            }
            out.push(')');
        }
        WordInvariant::Formula { terms, formula, proofs } => {
            let _ = write!(out, "  (formula {})", terms.show(*formula));
            for proof in proofs {
                out.push_str("\n  (proof\n");
                proof::print(&mut out, terms, proof);
                out.push_str("  )");
            }
        }
    }
    out.push_str(")\n");
    out
}

/// Reads evidence: certificates or a BTOR2 witness.
pub fn read(bytes: &[u8], words: &Words) -> Read<Vec<Verdict<Words>>> {
    let mut cursor = Cursor::new(bytes);
    if cursor.peek().kind != Kind::Open {
        let (traces, diagnostics) = btor2::read_witness(bytes, words);
        let verdicts = traces.map(|all| all.into_iter().map(Verdict::Unsafe).collect());
        return (verdicts, diagnostics);
    }
    let mut verdicts = Vec::new();
    while cursor.peek().kind != Kind::End {
        match read_certificate(&mut cursor, words) {
            Ok(certificate) => verdicts.push(Verdict::Safe(certificate)),
            Err(diagnostic) => return outcome(Err(diagnostic)),
        }
    }
    outcome(Ok(verdicts))
}

fn read_certificate(cursor: &mut Cursor<'_>, words: &Words) -> Fallible<WordCertificate> {
    cursor.open("a certificate")?;
    word(cursor, "certificate")?;
    cursor.open("`(property …)`")?;
    word(cursor, "property")?;
    let property = cursor.small_numeral("the property's number")? as usize;
    cursor.close("the end of the property")?;
    cursor.open("`(states …)` or `(formula …)`")?;
    let mut context = Context::over(words.terms.clone());
    let invariant = if cursor.is_word("states") {
        cursor.take();
        read_states(&mut context, cursor, words)?
    } else {
        word(cursor, "formula")?;
        for state in &words.states {
            let name = words.terms.var_name(state.var).unwrap_or_default();
            context.bind(name, state.var);
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

fn read_states(
    context: &mut Context,
    cursor: &mut Cursor<'_>,
    words: &Words,
) -> Fallible<WordInvariant> {
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
    let mut states = Vec::new();
    while cursor.peek().kind != Kind::Close {
        cursor.open("a row")?;
        let mut row = Vec::with_capacity(vars.len());
        for &var in &vars {
            let sort = words.terms.sort(words.states[var].var);
            row.push(values::read(context, cursor, sort)?);
        }
        cursor.close("the end of the row")?;
        states.push(row);
    }
    cursor.take();
    Ok(WordInvariant::States { vars, states })
}
