//! Proofs of clauses by cases as text.
//!
//! ```text
//! (case (when c) (put (x 3) (y t!1)) (put (z 0)) (atom 0 …) (step 0 …))
//! (case (when true) …)
//! ```
//!
//! A case says what holds in it, then which equations are put in, round by round, then the lines of a
//! refutation of what is left. Variables and abbreviations come before they are used, as in `proof`.

use super::names::Names;
use super::proof::{self, Shown};
use super::{Fallible, word, wrong};
use crate::smtlib::{Context, Cursor, Kind};
use alphorn_problem::evidence::horn::Case;
use alphorn_term::{SortId, TermId};
use std::fmt::Write;

/// The terms that cases mention.
pub fn mentioned(cases: &[Case]) -> Vec<TermId> {
    let mut terms = Vec::new();
    for case in cases {
        terms.extend(said(case));
        terms.extend(proof::mentioned(&case.proof));
    }
    terms
}

/// The condition of a case and its equations.
fn said(case: &Case) -> Vec<TermId> {
    let sides = case.rounds.iter().flatten().flat_map(|&(var, term)| [var, term]);
    [case.condition].into_iter().chain(sides).collect()
}

/// Appends the lines of cases.
pub fn print(out: &mut String, names: &mut Names, cases: &[Case]) {
    for case in cases {
        out.push_str(" (case\n");
        let mut terms = Shown::of(out, names, &said(case));
        let _ = writeln!(out, "  (when {})", terms.show(case.condition));
        for round in &case.rounds {
            out.push_str("  (put");
            for &(var, term) in round {
                let _ = write!(out, " ({} {})", terms.show(var), terms.show(term));
            }
            out.push_str(")\n");
        }
        proof::print(out, names, &case.proof);
        out.push_str(" )\n");
    }
}

/// Reads cases up to a closing parenthesis, which it leaves.
pub fn read(context: &mut Context, cursor: &mut Cursor<'_>) -> Fallible<Vec<Case>> {
    let mut cases = Vec::new();
    while cursor.peek().kind != Kind::Close {
        cursor.open("a case")?;
        word(cursor, "case")?;
        cases.push(context.scoped(|context| read_case(context, cursor))?);
        cursor.close("the end of the case")?;
    }
    Ok(cases)
}

fn read_case(context: &mut Context, cursor: &mut Cursor<'_>) -> Fallible<Case> {
    let condition = loop {
        let open = cursor.open("`(var …)`, `(term …)` or `(when …)`")?;
        let is_name = proof::read_name(context, cursor)?;
        if !is_name {
            word(cursor, "when")?;
            let condition = context.parse_term(cursor)?;
            if context.store().sort(condition) != SortId::BOOL {
                return wrong(cursor.span_from(open.start), "a condition is a formula");
            }
            cursor.close("the end of the condition")?;
            break condition;
        }
        cursor.close("the end of the line")?;
    };
    let mut rounds = Vec::new();
    while cursor.opens("put") {
        cursor.open("a round")?;
        word(cursor, "put")?;
        let mut round = Vec::new();
        while cursor.peek().kind != Kind::Close {
            cursor.open("a variable and a term")?;
            let var = context.parse_term(cursor)?;
            let term = context.parse_term(cursor)?;
            round.push((var, term));
            cursor.close("the end of the equation")?;
        }
        cursor.close("the end of the round")?;
        rounds.push(round);
    }
    let proof = proof::read(context, cursor)?;
    Ok(Case { condition, rounds, proof })
}
