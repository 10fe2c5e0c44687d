//! Derivations for people: as a call tree, and as a graph for Graphviz.
//!
//! The tree has the query at its root and below each fact the facts that it was derived from. A
//! fact that is used twice is shown once and named the second time. Where a step has one premise,
//! the premise stands below it and not further in: most derivations are long chains.
//!
//! ```text
//! false                    by clause 3 (line 12)
//! └ (sum 2 3)              by clause 2 (line 9), with n = 1
//!   ├ (sum 1 1)            by clause 2 (line 9), with n = 0
//!   │ └ (zero 0)           by clause 0 (line 5)
//!   └ (zero 0)             see above
//! ```
//!
//! Values of a clause's variables are shown where no fact shows them already. Of a fact with many
//! arguments that follows from one of the same predicate only those arguments are shown that
//! changed: `(state …)  by clause 1 (line 9), changing pc = 3, n = 0`.

#[cfg(test)]
mod tests;

use super::derivation::show_conclusion;
use super::values::Printer;
use alphorn_problem::evidence::horn::{Derivation, Fact, Step};
use alphorn_problem::horn::{ClauseId, Head, Horn};
use alphorn_term::print::quote;
use alphorn_term::{TermId, Value};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Facts with more arguments are shown by what changed.
const MAX_ARGUMENTS: usize = 12;
/// The widest column of facts before the reasons.
const WIDEST: usize = 44;

/// A step in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The step's position in the derivation.
    pub step: usize,
    /// What it concludes.
    pub fact: String,
    /// Its clause: the name in the file, or the number, and the line where it stands.
    pub clause: String,
    /// Values of variables that no fact shows: `n = 1`.
    pub values: Vec<String>,
    /// The arguments that differ from a premise's, where the fact does not show them.
    pub changes: Option<Vec<String>>,
    /// The steps that it uses.
    pub premises: Vec<usize>,
    /// If it stands for many: how many rounds of its clauses there are.
    pub rounds: Option<String>,
}

impl Line {
    /// Its clause or clauses, and how often they are taken.
    pub fn applied(&self) -> String {
        match &self.rounds {
            Some(rounds) => format!("{}, {rounds} times", self.clause),
            None => self.clause.clone(),
        }
    }

    /// Why the fact holds, in words.
    pub fn reason(&self) -> String {
        let mut out = format!("by {}", self.applied());
        match &self.changes {
            Some(changes) if changes.is_empty() => out.push_str(", changing nothing"),
            Some(changes) => {
                let _ = write!(out, ", changing {}", changes.join(", "));
            }
            None => {}
        }
        if !self.values.is_empty() {
            let _ = write!(out, ", with {}", self.values.join(", "));
        }
        out
    }
}

/// Every step of a derivation in words. `source` is the text that the system was read from; without
/// it no lines are named.
pub fn tree_lines(horn: &Horn, derivation: &Derivation, source: &[u8]) -> Vec<Line> {
    let mut printer = Printer::new(horn.terms.clone());
    let breaks: Vec<usize> =
        (source.iter().enumerate()).filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at).collect();
    let facts: Vec<Option<Fact>> =
        derivation.steps.iter().map(|step| step.conclusion(horn)).collect();
    let line = |(position, step): (usize, &Step)| {
        let clause = &horn.clauses[step.clause.index()];
        let title = |id: ClauseId| {
            let Some(clause) = horn.clauses.get(id.index()) else { return "?".to_owned() };
            let start = clause.span.start as usize;
            let named = match &clause.name {
                Some(name) => format!("clause {} {}", id.0, quote(name)),
                None => format!("clause {}", id.0),
            };
            let place = match clause.span != alphorn_problem::Span::NONE && start < source.len() {
                true => format!(" (line {})", 1 + breaks.partition_point(|&at| at < start)),
                false => String::new(),
            };
            (named + &place).replace(['\n', '\r'], " ")
        };
        let titles = match &step.progression {
            None => title(step.clause),
            Some(progression) => {
                let members = progression.members.iter().map(|member| title(member.clause));
                members.collect::<Vec<_>>().join(", then ")
            }
        };
        let shown = shown(horn, step);
        let values = (clause.vars.iter().zip(&step.values))
            .filter(|(var, _)| !shown.contains(var))
            .map(|(&var, value)| {
                let name = quote(horn.terms.var_name(var).unwrap_or("?"));
                format!("{name} = {}", printer.show(value))
            })
            .collect();
        let changes = changes(horn, derivation, &facts, position, &mut printer);
        let fact = match (&changes, &clause.head) {
            (Some(_), Head::Atom(pred, _)) => format!("({} …)", quote(horn.pred_name(*pred))),
            _ => show_conclusion(horn, step, &mut printer).unwrap_or_else(|| "?".to_owned()),
        };
        Line {
            step: position,
            fact: fact.replace(['\n', '\r'], " "),
            changes,
            clause: titles,
            values,
            premises: step.premises.clone(),
            rounds: step.progression.as_ref().map(|progression| progression.rounds.to_string()),
        }
    };
    let known = |step: &Step| step.clause.index() < horn.clauses.len();
    derivation.steps.iter().enumerate().filter(|(_, step)| known(step)).map(line).collect()
}

/// The arguments in which a step's conclusion differs from a premise of the same predicate, if
/// there are too many arguments to show all.
fn changes(
    horn: &Horn,
    derivation: &Derivation,
    facts: &[Option<Fact>],
    position: usize,
    printer: &mut Printer,
) -> Option<Vec<String>> {
    let (func, args) = facts[position].as_ref().filter(|(_, args)| args.len() > MAX_ARGUMENTS)?;
    let premises = derivation.steps[position].premises.iter();
    let mut before = premises.filter_map(|&premise| facts.get(premise)?.as_ref());
    let (_, before) = before.find(|(other, _)| other == func)?;
    let names = horn.argument_names(horn.pred_of(*func)?);
    let differing = args.iter().zip(before).enumerate().filter(|(_, (new, old))| new != old);
    let change = |(at, (value, _)): (usize, (&Value, &Value))| {
        let name = names[at].map_or_else(|| format!("argument {at}"), quote);
        format!("{name} = {}", printer.show(value))
    };
    Some(differing.map(change).collect())
}

/// The variables whose values the conclusion or the premises show.
fn shown(horn: &Horn, step: &Step) -> BTreeSet<TermId> {
    let clause = horn.clause(step.clause);
    let mut shown = BTreeSet::new();
    if let Head::Atom(_, args) = &clause.head {
        shown.extend(args);
    }
    // In a disjunction some atoms are not used.
    if let Some((atoms, _)) = horn.conjunctive(step.clause) {
        shown.extend(atoms.iter().flat_map(|&atom| horn.terms.args(atom)));
    }
    shown
}

/// A derivation as a call tree.
pub fn print_tree(horn: &Horn, derivation: &Derivation, source: &[u8]) -> String {
    let lines = tree_lines(horn, derivation, source);
    let Some(root) = lines.len().checked_sub(1).filter(|_| lines.len() == derivation.steps.len())
    else {
        return String::new();
    };
    let rows = rows(&lines, root);
    let width = |row: &Row| row.prefix.chars().count() + lines[row.step].fact.chars().count();
    let column = rows.iter().map(width).filter(|&width| width <= WIDEST).max().unwrap_or(0);
    let mut out = String::new();
    for row in &rows {
        let line = &lines[row.step];
        let space = " ".repeat(column.saturating_sub(width(row)));
        let _ = write!(out, "{}{}{space}  ", row.prefix, line.fact);
        if row.is_repeated {
            out.push_str("see above\n");
            continue;
        }
        let _ = writeln!(out, "{}", line.reason());
    }
    out
}

/// A line of the tree.
struct Row {
    prefix: String,
    step: usize,
    is_repeated: bool,
}

/// The tree's lines from the root down.
fn rows(lines: &[Line], root: usize) -> Vec<Row> {
    let mut rows = Vec::with_capacity(lines.len());
    let mut told = BTreeSet::new();
    // Guides are what stands below a line to its left: `│ ` while siblings follow.
    let mut stack = vec![(root, String::new(), String::new(), false)];
    while let Some((step, prefix, mut guides, is_chained)) = stack.pop() {
        let is_repeated = !told.insert(step);
        rows.push(Row { prefix, step, is_repeated });
        let premises = &lines[step].premises;
        if is_repeated {
            continue;
        }
        if let [only] = premises[..] {
            stack.push((only, format!("{guides}└ "), guides, true));
            continue;
        }
        // What a chain ends in stands no further in than the chain itself; its premises do.
        guides.push_str(if is_chained { "  " } else { "" });
        for (position, &premise) in premises.iter().enumerate().rev() {
            let is_last = position + 1 == premises.len();
            let mark = if is_last { "└ " } else { "├ " };
            let below = if is_last { "  " } else { "│ " };
            stack.push((premise, format!("{guides}{mark}"), format!("{guides}{below}"), false));
        }
    }
    rows
}

/// A derivation as a graph in Graphviz' language: premises point to conclusions.
pub fn print_dot(horn: &Horn, derivation: &Derivation, source: &[u8]) -> String {
    let mut out = String::from("digraph derivation {\n  rankdir=BT;\n  node [shape=box];\n");
    for line in tree_lines(horn, derivation, source) {
        let is_query = horn.clause(derivation.steps[line.step].clause).head == Head::False;
        let style = if is_query { ", color=red" } else { "" };
        let mut label = format!("{}\n{}", line.fact, line.applied());
        let changes = line.changes.iter().flatten();
        changes.chain(&line.values).for_each(|value| {
            let _ = write!(label, "\n{value}");
        });
        let _ = writeln!(out, "  s{} [label=\"{}\"{style}];", line.step, escaped(&label));
        for premise in &line.premises {
            let _ = writeln!(out, "  s{premise} -> s{};", line.step);
        }
    }
    out + "}\n"
}

/// Text inside a quoted label.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
