//! Reading refutations: atoms, then steps in their order, each with its clause and its rule.

use crate::evidence::names::read_variable;
use crate::evidence::{Fallible, word, wrong};
use crate::smtlib::{Context, Cursor, Kind};
use alphorn_problem::evidence::proof::{LinearStep, Literal, Proof, ProofStep, Rule, StepId};
use alphorn_term::meter::words_of;
use alphorn_term::{Rat, SortId, TermId};

/// Reads a proof's lines up to the closing parenthesis, which it leaves.
pub fn read(context: &mut Context, cursor: &mut Cursor<'_>) -> Fallible<Proof> {
    let mut atoms: Vec<Literal> = Vec::new();
    let mut proof = Proof::default();
    while cursor.peek().kind != Kind::Close {
        let open = cursor.open("`(var …)`, `(term …)`, `(atom …)` or `(step …)`")?;
        if read_name(context, cursor)? {
            // The name is known from here on.
        } else if cursor.is_word("atom") {
            cursor.take();
            counts(cursor, atoms.len())?;
            let term = context.parse_term(cursor)?;
            if context.store().sort(term) != SortId::BOOL {
                return wrong(cursor.span_from(open.start), "an atom is a formula");
            }
            atoms.push(Literal::of(context.store(), term));
        } else if cursor.is_word("step") {
            cursor.take();
            counts(cursor, proof.steps.len())?;
            let clause = read_clause(cursor, &atoms)?;
            let rule = read_rule(context, cursor)?;
            proof.steps.push(ProofStep { clause, rule });
        } else {
            return Err(cursor.unexpected("`var`, `term`, `atom` or `step`"));
        }
        cursor.close("the end of the line")?;
    }
    Ok(proof)
}

/// Reads what a name stands for, if that is what a line says.
pub fn read_name(context: &mut Context, cursor: &mut Cursor<'_>) -> Fallible<bool> {
    if cursor.is_word("var") {
        cursor.take();
        read_variable(context, cursor)?;
    } else if cursor.is_word("term") {
        cursor.take();
        let name = cursor.symbol("the abbreviation")?;
        let term = context.parse_term(cursor)?;
        context.bind(cursor.text_of(name), term);
    } else {
        return Ok(false);
    }
    Ok(true)
}

/// Takes a number that must be the next one.
fn counts(cursor: &mut Cursor<'_>, next: usize) -> Fallible<()> {
    let start = cursor.peek().start;
    let found = cursor.small_numeral("a number")?;
    if found as usize != next {
        return wrong(cursor.span_from(start), format!("the next number is {next}"));
    }
    Ok(())
}

fn read_clause(cursor: &mut Cursor<'_>, atoms: &[Literal]) -> Fallible<Vec<Literal>> {
    cursor.open("a clause")?;
    word(cursor, "cl")?;
    let mut clause = Vec::new();
    while cursor.peek().kind != Kind::Close {
        let negated = cursor.peek().kind == Kind::Open;
        if negated {
            cursor.take();
            word(cursor, "not")?;
        }
        let token = cursor.symbol("an atom")?;
        let number = cursor.text_of(token).strip_prefix('@').and_then(|n| n.parse::<usize>().ok());
        let Some(&atom) = number.and_then(|number| atoms.get(number)) else {
            return wrong(token.span(), "this names no atom");
        };
        if negated {
            cursor.close("the end of the negation")?;
        }
        clause.push(if negated { !atom } else { atom });
    }
    cursor.take();
    Ok(clause)
}

fn read_rule(context: &mut Context, cursor: &mut Cursor<'_>) -> Fallible<Rule> {
    cursor.open("a rule")?;
    let token = cursor.symbol("the rule's name")?;
    let rule = match cursor.text_of(token) {
        "assert" => Rule::Assert(cursor.small_numeral("the assertion's number")? as usize),
        "rup" => {
            let mut hints = Vec::new();
            while cursor.peek().kind != Kind::Close {
                hints.push(StepId(cursor.small_numeral("a step")?));
            }
            Rule::Rup(hints)
        }
        "tautology" => Rule::Tautology,
        "farkas" => {
            let mut multipliers = Vec::new();
            while cursor.peek().kind != Kind::Close {
                multipliers.push(read_number(context, cursor)?);
            }
            Rule::Farkas(multipliers)
        }
        "linear" => {
            let mut steps = Vec::new();
            while cursor.peek().kind != Kind::Close {
                steps.push(read_linear(context, cursor)?);
            }
            Rule::Linear(steps)
        }
        "branch" => Rule::Branch,
        "trichotomy" => Rule::Trichotomy,
        "arithmetic" => Rule::Arithmetic(context.parse_term(cursor)?),
        "product" => Rule::Product([context.parse_term(cursor)?, context.parse_term(cursor)?]),
        "transitivity" => Rule::Transitivity,
        "congruence" => Rule::Congruence,
        "array" => Rule::Array(context.parse_term(cursor)?),
        "conditional" => Rule::Conditional(context.parse_term(cursor)?),
        "datatype" => Rule::Datatype,
        "bisimulation" => Rule::Bisimulation(read_terms(context, cursor)?),
        "instantiate" => Rule::Instantiate(read_terms(context, cursor)?),
        "skolem" => Rule::Skolem(read_terms(context, cursor)?),
        "bits" => Rule::Bits,
        "ring" => Rule::Ring,
        "evaluate" => Rule::Evaluate,
        _ => return wrong(token.span(), "there is no such rule"),
    };
    cursor.close("the end of the rule")?;
    Ok(rule)
}

fn read_terms(context: &mut Context, cursor: &mut Cursor<'_>) -> Fallible<Vec<TermId>> {
    let mut terms = Vec::new();
    while cursor.peek().kind != Kind::Close {
        terms.push(context.parse_term(cursor)?);
    }
    Ok(terms)
}

fn read_linear(context: &mut Context, cursor: &mut Cursor<'_>) -> Fallible<LinearStep> {
    cursor.open("a line")?;
    let token = cursor.symbol("hypothesis, combine or round")?;
    let step = match cursor.text_of(token) {
        "hypothesis" => LinearStep::Hypothesis(cursor.small_numeral("a literal")? as usize),
        "round" => LinearStep::Round(cursor.small_numeral("a line")? as usize),
        "combine" => {
            let mut parts = Vec::new();
            while cursor.peek().kind != Kind::Close {
                cursor.open("a multiplier and a line")?;
                let multiplier = read_number(context, cursor)?;
                parts.push((multiplier, cursor.small_numeral("a line")? as usize));
                cursor.close("the end of the pair")?;
            }
            LinearStep::Combine(parts)
        }
        _ => return wrong(token.span(), "a line is hypothesis, combine or round"),
    };
    cursor.close("the end of the line")?;
    Ok(step)
}

fn read_number(context: &mut Context, cursor: &mut Cursor<'_>) -> Fallible<Rat> {
    let start = cursor.peek().start;
    let term = context.parse_term(cursor)?;
    match context.store().number_value(term) {
        Some(number) => {
            // An abbreviation may stand for a long number, of which this is a copy.
            context.spend(words_of(number.bit_len()));
            Ok(number)
        }
        None => wrong(cursor.span_from(start), "a number is expected"),
    }
}
