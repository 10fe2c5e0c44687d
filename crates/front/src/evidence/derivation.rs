//! Derivations as text.
//!
//! ```text
//! (derivation
//!   (element e!1 Thing 0)
//!   (step 0 (clause 0) (values 1 e!1) (premises)) ; (P 1)
//!   (step 1 (clause 3) (values 2) (premises 0)))
//! ```
//!
//! A refutation of the clauses, in place of a derivation, is `(proof …)` as in `proof`.
//!
//! Values stand in the order of the clause's variables. What a step concludes is a comment.

use super::proof::print_refutation;
use super::values::{Printer, Reader};
use super::{Fallible, word, wrong};
use crate::smtlib::{Cursor, Kind};
use alphorn_problem::evidence::horn::{Derivation, Step};
use alphorn_problem::horn::{ClauseId, Head, Horn};
use alphorn_term::print::quote;
use std::fmt::Write;

/// A derivation as text.
pub fn print(horn: &Horn, derivation: &Derivation) -> String {
    if let Some(refuted) = &derivation.refuted {
        return print_refutation(&refuted.terms, &refuted.proof) + "\n";
    }
    let mut printer = Printer::new(horn.terms.clone());
    let mut steps = String::new();
    for (position, step) in derivation.steps.iter().enumerate() {
        let clause = step.clause.0;
        let _ = write!(steps, "\n  (step {position} (clause {clause}) (values");
        for value in &step.values {
            let _ = write!(steps, " {}", printer.show(value));
        }
        steps.push_str(") (premises");
        for premise in &step.premises {
            let _ = write!(steps, " {premise}");
        }
        steps.push_str("))");
        if let Some(fact) = show_conclusion(horn, step, &mut printer) {
            // A comment ends with its line, and symbols may hold line breaks.
            let _ = write!(steps, " ; {}", fact.replace(['\n', '\r'], " "));
        }
    }
    let mut out = String::from("(derivation");
    for declaration in printer.declarations() {
        let _ = write!(out, "\n  (element {declaration})");
    }
    out + &steps + "\n)\n"
}

/// What a step concludes, for the reader's eye.
pub fn show_conclusion(horn: &Horn, step: &Step, printer: &mut Printer) -> Option<String> {
    let clause = horn.clauses.get(step.clause.index())?;
    let Head::Atom(pred, _) = &clause.head else { return Some("false".to_owned()) };
    let name = quote(horn.pred_name(*pred));
    let (_, values) = step.conclusion(horn)?;
    if values.is_empty() {
        return Some(name.to_string());
    }
    let values: Vec<String> = values.iter().map(|value| printer.show(value).to_string()).collect();
    Some(format!("({name} {})", values.join(" ")))
}

/// Reads a derivation, and nothing after it.
pub fn read(cursor: &mut Cursor<'_>, horn: &Horn) -> Fallible<Derivation> {
    let mut reader = Reader::of_horn(horn, cursor.text().len());
    cursor.open("a derivation")?;
    cursor.take();
    let mut steps: Vec<Step> = Vec::new();
    while cursor.peek().kind != Kind::Close {
        cursor.open("a step")?;
        if cursor.is_word("element") {
            cursor.take();
            reader.element(cursor)?;
            cursor.close("the end of the element")?;
            continue;
        }
        word(cursor, "step")?;
        let start = cursor.peek().start;
        if cursor.small_numeral("the step's number")? as usize != steps.len() {
            return wrong(cursor.span_from(start), format!("the next step is {}", steps.len()));
        }
        cursor.open("`(clause …)`")?;
        word(cursor, "clause")?;
        let start = cursor.peek().start;
        let clause = ClauseId(cursor.small_numeral("the clause's number")?);
        let Some(vars) = horn.clauses.get(clause.index()).map(|clause| &clause.vars) else {
            return wrong(cursor.span_from(start), "the problem has no such clause");
        };
        cursor.close("the end of the clause")?;
        cursor.open("`(values …)`")?;
        word(cursor, "values")?;
        let mut list = Vec::with_capacity(vars.len());
        for &var in vars {
            list.push(reader.value(cursor, horn.terms.sort(var))?);
        }
        cursor.close("the end of the values")?;
        cursor.open("`(premises …)`")?;
        word(cursor, "premises")?;
        let mut premises = Vec::new();
        while cursor.peek().kind != Kind::Close {
            premises.push(cursor.small_numeral("a step")? as usize);
        }
        cursor.take();
        cursor.close("the end of the step")?;
        steps.push(Step { clause, values: list, premises });
    }
    cursor.take();
    match cursor.peek().kind {
        Kind::End => Ok(Derivation::of(steps)),
        _ => Err(cursor.unexpected("the end")),
    }
}
