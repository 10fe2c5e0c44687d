//! Term-level proofs as text.
//!
//! ```text
//! (var x Int)                      a variable that occurs in the proof
//! (term t!1 (+ x y))               an abbreviation
//! (atom 0 (<= t!1 3))              an atom, to be mentioned as @0
//! (step 0 (cl @0 (not @1)) (farkas 1.0 (/ 1.0 2.0)))
//! ```
//!
//! Atoms and steps are each numbered from zero, and everything is said before it is used. The
//! rules are those of the checker's PROOFS.md, with their arguments in its order. What several
//! atoms share is abbreviated, so that a text is about as large as the proof is in memory.

mod read;

use super::names::{Names, unused};
use super::{Fallible, outcome, word};
use crate::diag::Read;
use crate::smtlib::{Context, Cursor, Kind};
use alphorn_problem::evidence::proof::{LinearStep, Proof, Rule};
use alphorn_term::{Op, Rat, Store, TermId};
pub use read::{read, read_name};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The terms that a proof mentions: its atoms, each once, and the arguments of rules.
pub fn mentioned(proof: &Proof) -> Vec<TermId> {
    let mut terms = atoms(proof).0;
    terms.extend(proof.steps.iter().flat_map(|step| rule_terms(&step.rule)));
    terms
}

fn atoms(proof: &Proof) -> (Vec<TermId>, BTreeMap<TermId, usize>) {
    let mut atoms: Vec<TermId> = Vec::new();
    let mut number: BTreeMap<TermId, usize> = BTreeMap::new();
    for literal in proof.steps.iter().flat_map(|step| &step.clause) {
        number.entry(literal.atom).or_insert_with(|| {
            atoms.push(literal.atom);
            atoms.len() - 1
        });
    }
    (atoms, number)
}

fn rule_terms(rule: &Rule) -> &[TermId] {
    match rule {
        Rule::Arithmetic(term) | Rule::Array(term) | Rule::Conditional(term) => {
            std::slice::from_ref(term)
        }
        Rule::Product(terms) => terms,
        Rule::Bisimulation(terms) | Rule::Instantiate(terms) | Rule::Skolem(terms) => terms,
        _ => &[],
    }
}

/// A proof that stands alone: `(proof`, its lines, `)`.
pub fn print_refutation(store: &Store, proof: &Proof) -> String {
    let mut names = Names::of(store, &mentioned(proof));
    let mut out = String::from("(proof\n");
    for declaration in names.declarations(&[]) {
        let _ = writeln!(out, "  (var {declaration})");
    }
    print(&mut out, &mut names, proof);
    out.push(')');
    out
}

/// Reads a proof that stands alone, about formulas of `store`; the store comes back with the terms
/// of the proof.
pub fn read_refutation(store: Store, text: &[u8]) -> Read<(Store, Proof)> {
    outcome(read_alone(store, &mut Cursor::new(text)))
}

/// Reads a proof that stands alone, and nothing after it.
pub fn read_alone(store: Store, cursor: &mut Cursor<'_>) -> Fallible<(Store, Proof)> {
    let mut context = Context::over(store);
    context.keep_names();
    context.limit_effort(cursor.text().len());
    cursor.open("`(proof …)`")?;
    word(cursor, "proof")?;
    let proof = read(&mut context, cursor)?;
    cursor.close("the end of the proof")?;
    match cursor.peek().kind {
        Kind::End => Ok((context.into_store(), proof)),
        _ => Err(cursor.unexpected("the end")),
    }
}

/// Terms as text, after lines for the variables in them and for what they share.
pub struct Shown<'n> {
    names: &'n mut Names,
    short: FxHashMap<TermId, TermId>,
}

impl Shown<'_> {
    /// Appends the lines.
    pub fn of<'n>(out: &mut String, names: &'n mut Names, terms: &[TermId]) -> Shown<'n> {
        for var in names.store.free_vars(terms) {
            if !names.is_renamed(var) {
                let _ = writeln!(out, "  (var {})", names.show_variable(var));
            }
        }
        let written: Vec<TermId> = terms.iter().map(|&term| names.written(term)).collect();
        let short = abbreviate(out, &mut names.store, &written);
        Shown { names, short }
    }

    /// One of the terms.
    pub fn show(&mut self, term: TermId) -> String {
        let term = self.names.written(term);
        self.names.store.show(self.short[&term])
    }
}

/// Appends a proof's lines, each indented by two spaces.
pub fn print(out: &mut String, names: &mut Names, proof: &Proof) {
    let (atoms, number) = atoms(proof);
    let mut terms = Shown::of(out, names, &mentioned(proof));
    let mut shown = |term: TermId| terms.show(term);
    for (position, &atom) in atoms.iter().enumerate() {
        let _ = writeln!(out, "  (atom {position} {})", shown(atom));
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
        let _ = write!(out, ") ({}", step.rule.name());
        for &term in rule_terms(&step.rule) {
            let _ = write!(out, " {}", shown(term));
        }
        show_numbers(out, &step.rule);
        out.push_str("))\n");
    }
}

/// Writes the abbreviations: a line for every part that occurs in several places. What comes back
/// are the terms with abbreviations in place of their parts.
fn abbreviate(out: &mut String, store: &mut Store, roots: &[TermId]) -> FxHashMap<TermId, TermId> {
    // Parts under a quantifier may mention bound variables and stay where they are.
    let mut uses: FxHashMap<TermId, u32> = FxHashMap::default();
    let mut order: Vec<TermId> = Vec::new();
    let mut stack: Vec<(TermId, bool)> = roots.iter().rev().map(|&root| (root, false)).collect();
    while let Some((term, ready)) = stack.pop() {
        if ready {
            order.push(term);
            continue;
        }
        let count = uses.entry(term).or_default();
        *count += 1;
        if *count > 1 {
            continue;
        }
        stack.push((term, true));
        if !matches!(store.op(term), Op::Forall | Op::Exists) {
            stack.extend(store.args(term).iter().rev().map(|&arg| (arg, false)));
        }
    }
    let mut short: FxHashMap<TermId, TermId> = FxHashMap::default();
    let mut count = 0;
    for term in order {
        let is_leaf = store.args(term).is_empty();
        let is_quantifier = matches!(store.op(term), Op::Forall | Op::Exists);
        let result = if is_leaf || is_quantifier {
            term
        } else {
            let args: Vec<TermId> = store.args(term).iter().map(|arg| short[arg]).collect();
            store.rebuild(term, &args)
        };
        let is_small = is_leaf || store.op(term) == Op::Not;
        if uses[&term] > 1 && !is_small {
            let name = unused(store, "t", &mut count);
            let _ = writeln!(out, "  (term {name} {})", store.show(result));
            short.insert(term, store.var(&name, store.sort(term)));
        } else {
            short.insert(term, result);
        }
    }
    short
}

fn show_numbers(out: &mut String, rule: &Rule) {
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
        _ => {}
    }
}

fn show_number(number: &Rat) -> String {
    let (numerator, denominator) = (number.numerator().abs(), number.denominator());
    let size = match denominator.is_one() {
        true => format!("{numerator}.0"),
        false => format!("(/ {numerator}.0 {denominator}.0)"),
    };
    if number.is_negative() { format!("(- {size})") } else { size }
}
