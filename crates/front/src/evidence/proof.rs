//! Term-level proofs as text.
//!
//! ```text
//! (var x Int)                      a variable that occurs in the proof
//! (atom 0 (<= x 3))                an atom, to be mentioned as @0
//! (step 0 (cl @0 (not @1)) (farkas 1.0 (/ 1.0 2.0)))
//! ```
//!
//! Variables come first, then atoms, then steps, each kind of number counting from zero. The
//! rules are those of the checker's PROOFS.md, with their arguments in its order.

use super::{Fallible, word, wrong};
use crate::smtlib::{Context, Cursor, Kind};
use alphorn_problem::evidence::proof::{LinearStep, Literal, Proof, ProofStep, Rule, StepId};
use alphorn_term::print::quote;
use alphorn_term::{Rat, Store, TermId};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Appends a proof's lines, each indented by two spaces. Its terms are `store`'s.
pub fn print(out: &mut String, store: &Store, proof: &Proof) {
    let mut atoms: Vec<TermId> = Vec::new();
    let mut number: BTreeMap<TermId, usize> = BTreeMap::new();
    let mut mentioned: Vec<TermId> = Vec::new();
    for step in &proof.steps {
        for literal in &step.clause {
            number.entry(literal.atom).or_insert_with(|| {
                atoms.push(literal.atom);
                atoms.len() - 1
            });
        }
        match &step.rule {
            Rule::Arithmetic(term) | Rule::Array(term) | Rule::Conditional(term) => {
                mentioned.push(*term);
            }
            Rule::Instantiate(terms) | Rule::Skolem(terms) => mentioned.extend(terms),
            _ => {}
        }
    }
    mentioned.extend(&atoms);
    for var in store.free_vars(&mentioned) {
        let name = quote(store.var_name(var).unwrap_or_default());
        let _ = writeln!(out, "  (var {name} {})", store.show_sort(store.sort(var)));
    }
    for (position, &atom) in atoms.iter().enumerate() {
        let _ = writeln!(out, "  (atom {position} {})", store.show(atom));
    }
    for (position, step) in proof.steps.iter().enumerate() {
        let _ = write!(out, "  (step {position} (cl");
        for literal in &step.clause {
            let atom = number[&literal.atom];
            let _ = match literal.negated {
                true => write!(out, " (not @{atom})"),
                false => write!(out, " @{atom}"),
            };
        }
        let _ = writeln!(out, ") {})", show_rule(store, &step.rule));
    }
}

fn show_rule(store: &Store, rule: &Rule) -> String {
    let mut out = format!("({}", rule.name());
    let terms = |out: &mut String, terms: &[TermId]| {
        for &term in terms {
            let _ = write!(out, " {}", store.show(term));
        }
    };
    match rule {
        Rule::Assert(index) => {
            let _ = write!(out, " {index}");
        }
        Rule::Rup(hints) => hints.iter().for_each(|hint| {
            let _ = write!(out, " {}", hint.0);
        }),
        Rule::Farkas(multipliers) => multipliers.iter().for_each(|multiplier| {
            let _ = write!(out, " {}", show_number(multiplier));
        }),
        Rule::Linear(steps) => steps.iter().for_each(|step| {
            let _ = match step {
                LinearStep::Hypothesis(index) => write!(out, " (hypothesis {index})"),
                LinearStep::Round(line) => write!(out, " (round {line})"),
                LinearStep::Combine(parts) => {
                    out.push_str(" (combine");
                    for (multiplier, line) in parts {
                        let _ = write!(out, " ({} {line})", show_number(multiplier));
                    }
                    write!(out, ")")
                }
            };
        }),
        Rule::Arithmetic(term) | Rule::Array(term) | Rule::Conditional(term) => {
            terms(&mut out, &[*term]);
        }
        Rule::Instantiate(list) | Rule::Skolem(list) => terms(&mut out, list),
        _ => {}
    }
    out.push(')');
    out
}

fn show_number(number: &Rat) -> String {
    let mut store = Store::new();
    let term = store.real(number.clone());
    store.show(term)
}

/// Reads a proof's lines up to the closing parenthesis, which it leaves.
pub fn read(context: &mut Context, cursor: &mut Cursor<'_>) -> Fallible<Proof> {
    let mut atoms: Vec<TermId> = Vec::new();
    let mut proof = Proof::default();
    while cursor.peek().kind != Kind::Close {
        let open = cursor.open("`(var …)`, `(atom …)` or `(step …)`")?;
        if cursor.is_word("var") {
            cursor.take();
            let name = cursor.symbol("the variable's name")?;
            let name = cursor.text_of(name);
            let sort = context.parse_sort(cursor)?;
            let var = context.store_mut().var(name, sort);
            context.bind(name, var);
        } else if cursor.is_word("atom") {
            cursor.take();
            counts(cursor, atoms.len())?;
            let term = context.parse_term(cursor)?;
            if context.store().sort(term) != alphorn_term::SortId::BOOL {
                return wrong(cursor.span_from(open.start), "an atom is a formula");
            }
            atoms.push(term);
        } else if cursor.is_word("step") {
            cursor.take();
            counts(cursor, proof.steps.len())?;
            let clause = read_clause(cursor, &atoms)?;
            let rule = read_rule(context, cursor)?;
            proof.steps.push(ProofStep { clause, rule });
        } else {
            return Err(cursor.unexpected("`var`, `atom` or `step`"));
        }
        cursor.close("the end of the line")?;
    }
    Ok(proof)
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

fn read_clause(cursor: &mut Cursor<'_>, atoms: &[TermId]) -> Fallible<Vec<Literal>> {
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
        clause.push(Literal { atom, negated });
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
        "transitivity" => Rule::Transitivity,
        "congruence" => Rule::Congruence,
        "array" => Rule::Array(context.parse_term(cursor)?),
        "conditional" => Rule::Conditional(context.parse_term(cursor)?),
        "datatype" => Rule::Datatype,
        "instantiate" => Rule::Instantiate(read_terms(context, cursor)?),
        "skolem" => Rule::Skolem(read_terms(context, cursor)?),
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
        Some(number) => Ok(number),
        None => wrong(cursor.span_from(start), "a number is expected"),
    }
}
