//! Derivations as text.
//!
//! ```text
//! (derivation
//!   (element e!1 Thing 0)
//!   (step 0 (clause 0) (values 1 e!1) (premises)) ; (P 1)
//!   (step 1 (clause 3) (values 2) (premises 0)))
//! ```
//!
//! A step that stands for many has a progression in place of its clause and values: how many rounds there
//! are, and for each member of a round its clause, the values in the first round, and how much those that are
//! numbers grow from round to round, in the order of the variables.
//!
//! ```text
//!   (step 2 (progression 1000 (member (clause 1) (values 0 true) (growth 2))) (premises 1)) ; (P 2000)
//! ```
//!
//! A refutation of the clauses, in place of a derivation, is `(proof …)` as in `proof`, behind what it chooses of what
//! they leave open (`interpretation`).
//!
//! Values stand in the order of the clause's variables. What a step concludes is a comment.

use super::proof::print_refutation;
use super::values::{Printer, Reader};
use super::{Fallible, interpretation, word, wrong};
use crate::smtlib::{Cursor, Kind};
use alphorn_problem::evidence::horn::{Derivation, Member, Progression, Step};
use alphorn_problem::horn::{ClauseId, Head, Horn};
use alphorn_term::print::quote;
use alphorn_term::{Rat, SortId, Value};
use std::fmt::Write;

/// The longest count of rounds, in bits, as the checker has it.
const MAX_ROUNDS: usize = 1 << 12;

/// A derivation as text.
pub fn print(horn: &Horn, derivation: &Derivation) -> String {
    if let Some(refuted) = &derivation.refuted {
        let chosen = interpretation::print(&refuted.terms, &refuted.chosen);
        return chosen + &print_refutation(&refuted.terms, &refuted.proof) + "\n";
    }
    let mut printer = Printer::new(horn.terms.clone());
    let mut steps = String::new();
    for (position, step) in derivation.steps.iter().enumerate() {
        let _ = write!(steps, "\n  (step {position} ");
        match &step.progression {
            None => print_instance(&mut steps, &mut printer, step.clause, &step.values),
            Some(progression) => print_progression(horn, &mut steps, &mut printer, progression),
        }
        steps.push_str(" (premises");
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

/// A clause, and values of its variables.
fn print_instance(out: &mut String, printer: &mut Printer, clause: ClauseId, values: &[Value]) {
    let _ = write!(out, "(clause {}) (values", clause.0);
    for value in values {
        let _ = write!(out, " {}", printer.show(value));
    }
    out.push(')');
}

fn print_progression(horn: &Horn, out: &mut String, printer: &mut Printer, run: &Progression) {
    let _ = write!(out, "(progression {}", printer.show(&Value::Int(run.rounds.clone())));
    for member in &run.members {
        out.push_str(" (member ");
        print_instance(out, printer, member.clause, &member.start);
        out.push_str(" (growth");
        let vars = horn.clauses.get(member.clause.index()).map_or(&[][..], |clause| &clause.vars);
        for (&var, growth) in vars.iter().zip(&member.growth) {
            let value = match horn.terms.sort(var) {
                SortId::INT => Value::Int(growth.floor()),
                SortId::REAL => Value::Real(growth.clone()),
                _ => continue,
            };
            let _ = write!(out, " {}", printer.show(&value));
        }
        out.push_str("))");
    }
    out.push(')');
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
    let derivation = read_one(cursor, horn)?;
    match cursor.peek().kind {
        Kind::End => Ok(derivation),
        _ => Err(cursor.unexpected("the end")),
    }
}

/// Reads a derivation.
pub fn read_one(cursor: &mut Cursor<'_>, horn: &Horn) -> Fallible<Derivation> {
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
        cursor.open("`(clause …)` or `(progression …)`")?;
        let progression = match cursor.is_word("progression") {
            true => Some(read_progression(cursor, horn, &mut reader)?),
            false => None,
        };
        let instance = match &progression {
            Some(_) => None,
            None => Some(read_instance(cursor, horn, &mut reader)?),
        };
        cursor.open("`(premises …)`")?;
        word(cursor, "premises")?;
        let mut premises = Vec::new();
        while cursor.peek().kind != Kind::Close {
            premises.push(cursor.small_numeral("a step")? as usize);
        }
        cursor.take();
        cursor.close("the end of the step")?;
        let step = match (instance, progression) {
            (Some((clause, values)), _) => Some(Step::new(clause, values, premises)),
            (None, Some(progression)) => Step::progress(progression, premises),
            (None, None) => None,
        };
        match step {
            Some(step) => steps.push(step),
            None => return wrong(cursor.span_from(start), "the progression has no members"),
        }
    }
    cursor.take();
    Ok(Derivation::of(steps))
}

/// Reads a clause and values of its variables, after the clause's parenthesis.
fn read_instance(
    cursor: &mut Cursor<'_>,
    horn: &Horn,
    reader: &mut Reader,
) -> Fallible<(ClauseId, Vec<Value>)> {
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
    Ok((clause, list))
}

/// Reads a progression, after its parenthesis.
fn read_progression(
    cursor: &mut Cursor<'_>,
    horn: &Horn,
    reader: &mut Reader,
) -> Fallible<Progression> {
    word(cursor, "progression")?;
    let start = cursor.peek().start;
    let rounds = match reader.value(cursor, SortId::INT)? {
        Value::Int(rounds) if rounds.is_positive() && rounds.bit_len() <= MAX_ROUNDS => rounds,
        _ => {
            return wrong(
                cursor.span_from(start),
                "the number of rounds is positive, and not as long",
            );
        }
    };
    let mut members = Vec::new();
    while cursor.peek().kind != Kind::Close {
        cursor.open("a member")?;
        word(cursor, "member")?;
        cursor.open("`(clause …)`")?;
        let (clause, start) = read_instance(cursor, horn, reader)?;
        cursor.open("`(growth …)`")?;
        word(cursor, "growth")?;
        let mut growth = Vec::with_capacity(start.len());
        for &var in &horn.clause(clause).vars {
            growth.push(match horn.terms.sort(var) {
                sort @ (SortId::INT | SortId::REAL) => match reader.value(cursor, sort)? {
                    Value::Int(value) => Rat::from(value),
                    Value::Real(value) => value,
                    _ => Rat::from(0),
                },
                _ => Rat::from(0),
            });
        }
        cursor.close("the end of the growth")?;
        cursor.close("the end of the member")?;
        members.push(Member { clause, start, growth });
    }
    cursor.take();
    Ok(Progression { rounds, members })
}
