//! Systems written as rules, `head :- constraint, atoms`, all over integers: short to write down.

use crate::judge::read;
use alphorn_problem::Horn;
use std::collections::{BTreeMap, BTreeSet};

/// The system of the rules. A line is `head :- part; part.` with SMT-LIB terms or atoms `p(X Y)` for
/// the parts; words that begin with an upper-case letter are variables; the head `false` makes a query.
#[track_caller]
pub fn rules(text: &str) -> Horn {
    let mut arities: BTreeMap<String, usize> = BTreeMap::new();
    let mut clauses = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (head, body) = line.split_once(":-").unwrap_or((line, "true"));
        for part in [head].into_iter().chain(body.split(';')) {
            let words: Vec<&str> =
                part.split(['(', ')', ' ']).filter(|word| !word.is_empty()).collect();
            let name = words[0];
            if name.starts_with(|c: char| c.is_ascii_lowercase())
                && !["true", "false", "not", "or", "and", "distinct"].contains(&name)
            {
                arities.insert(name.to_owned(), words.len() - 1);
            }
        }
        let vars: BTreeSet<&str> = line
            .split(|c: char| !c.is_ascii_alphanumeric())
            .filter(|word| word.starts_with(|c: char| c.is_ascii_uppercase()))
            .collect();
        let vars: String = vars.iter().map(|var| format!("({var} Int)")).collect();
        let body: String = body.split(';').map(term).collect();
        let rule = format!("(=> (and true {body}) {})", term(head));
        clauses.push(match vars.is_empty() {
            true => format!("(assert {rule})"),
            false => format!("(assert (forall ({vars}) {rule}))"),
        });
    }
    let mut script = String::from("(set-logic HORN)\n");
    for (name, arity) in arities {
        script.push_str(&format!("(declare-fun {name} ({}) Bool)\n", "Int ".repeat(arity)));
    }
    script.push_str(&clauses.join("\n"));
    read(&script)
}

/// A part as SMT-LIB writes it.
fn term(part: &str) -> String {
    match part.trim().split_once('(') {
        Some((name, args)) if !name.is_empty() => format!(" ({name} {args}"),
        _ => format!(" {part}"),
    }
}
