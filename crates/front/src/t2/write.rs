//! Flows over integers as T2's text.
//!
//! A transition is written if it can be done by commands in their order: assumptions about what is before,
//! assignments, and assumptions about what is after. Each variable gets the value that an equation of the
//! relation says, or any value where none does.
//!
//! Invariant: reading the text gives a flow with the same infinite runs; where the flow has one start without
//! conditions, one with the same locations, variables and relations, up to names.

mod term;

use super::GRAMMAR;
use crate::diag::{Code, Diagnostic};
use alphorn_problem::Span;
use alphorn_problem::flow::{Flow, Transition};
use alphorn_term::parts::conjuncts;
use alphorn_term::{Op, SortId, Store, Substitution, TermId};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The longest formula that is written, in terms: text has no sharing.
const MAX_TERMS: u64 = 1 << 20;

/// Writes a flow over integers; what commands in an order cannot do is refused.
pub fn write(flow: &Flow) -> Result<String, Diagnostic> {
    let mut names = Names::default();
    let locations: Vec<String> =
        flow.locations.iter().map(|location| names.location(&location.name)).collect();
    let mut vars = BTreeMap::new();
    for &var in &flow.vars {
        if flow.terms.sort(var) != SortId::INT {
            let name = flow.terms.var_name(var).unwrap_or("a variable");
            return Err(refused(Span::NONE, format!("T2's variables are integers, unlike {name}")));
        }
        vars.insert(var, names.variable(flow.terms.var_name(var).unwrap_or("v")));
    }
    let mut writer = Writer { flow, store: flow.terms.clone(), vars };
    let mut out = String::new();
    match &flow.starts[..] {
        [only] if only.formula == TermId::TRUE => {
            let _ = writeln!(out, "START: {};", locations[only.at.index()]);
        }
        starts => {
            let first = names.location("start");
            let _ = writeln!(out, "START: {first};");
            for start in starts {
                let _ = writeln!(out, "\nFROM: {first};");
                let vars: BTreeSet<TermId> = flow.vars.iter().copied().collect();
                let parts = conjuncts(&writer.store, &[start.formula]);
                let once = writer.inputs(&parts, &start.inputs, start.span)?;
                for &part in &parts {
                    writer.assume(part, &vars, &once, start.span, &mut out)?;
                }
                let _ = writeln!(out, "TO: {};", locations[start.at.index()]);
            }
        }
    }
    for step in &flow.transitions {
        let _ = writeln!(out, "\nFROM: {};", locations[step.from.index()]);
        writer.transition(step, &mut out)?;
        let _ = writeln!(out, "TO: {};", locations[step.to.index()]);
    }
    Ok(out)
}

fn refused(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::unsupported(Code::ConvertMeaningless, span, message)
}

/// Names that are in use.
#[derive(Default)]
struct Names {
    locations: BTreeSet<String>,
    variables: BTreeSet<String>,
}

impl Names {
    fn location(&mut self, wanted: &str) -> String {
        let is_number = !wanted.is_empty() && wanted.bytes().all(|byte| byte.is_ascii_digit());
        let mut name = if is_number { wanted.to_owned() } else { word(wanted, 'l') };
        while !self.locations.insert(name.clone()) {
            name.push('_');
            if is_number {
                name.insert(0, 'l');
            }
        }
        name
    }

    fn variable(&mut self, wanted: &str) -> String {
        let mut name = word(wanted, 'v');
        while GRAMMAR.reserved.contains(&name.as_str())
            || matches!(name.as_str(), "assume" | "nondet" | "AT")
            || !self.variables.insert(name.clone())
        {
            name.push('_');
        }
        name
    }
}

/// A name with the letters of the language.
fn word(wanted: &str, first: char) -> String {
    let keep = |c: char| if c.is_ascii_alphanumeric() || "_$@.'^".contains(c) { c } else { '_' };
    let text: String = wanted.chars().map(keep).collect();
    match text.chars().next().filter(|c| c.is_ascii_alphabetic() || "_$@".contains(*c)) {
        Some(_) => text,
        None => format!("{first}{text}"),
    }
}

struct Writer<'f> {
    flow: &'f Flow,
    /// The terms, with those that only the text has.
    store: Store,
    vars: BTreeMap<TermId, String>,
}

impl Writer<'_> {
    fn transition(&mut self, step: &Transition, out: &mut String) -> Result<(), Diagnostic> {
        let flow = self.flow;
        let mut parts = conjuncts(&self.store, &[step.formula]);
        let once = self.inputs(&parts, &step.inputs, step.span)?;
        let next: BTreeSet<TermId> = flow.next.iter().copied().collect();
        // What variables become, as far as equations say so over what is before.
        let mut values: BTreeMap<usize, TermId> = BTreeMap::new();
        for (position, &target) in flow.next.iter().enumerate() {
            let found = parts.iter().enumerate().find_map(|(index, &part)| {
                let value = self.solved(part, target)?;
                let free = self.store.free_vars(&[value]);
                free.iter().all(|var| !next.contains(var)).then_some((index, value))
            });
            if let Some((index, value)) = found {
                parts.remove(index);
                values.insert(position, value);
            }
        }
        let mentions_next = |store: &Store, part: TermId| {
            store.free_vars(&[part]).iter().any(|var| next.contains(var))
        };
        let (after, before): (Vec<TermId>, Vec<TermId>) =
            parts.into_iter().partition(|&part| mentions_next(&self.store, part));
        let vars: BTreeSet<TermId> = flow.vars.iter().copied().collect();
        for part in before {
            self.assume(part, &vars, &once, step.span, out)?;
        }
        self.assign(&values, &once, step.span, out)?;
        // Afterwards the variables are their successors, and what they were is gone unless it stays.
        let mut current = Substitution::default();
        for (position, (&var, &target)) in flow.vars.iter().zip(&flow.next).enumerate() {
            current.insert(target, var);
            if values.get(&position) != Some(&var) {
                let gone = self.store.fresh_var("gone", SortId::INT);
                current.insert(var, gone);
            }
        }
        for part in after {
            let part = self.store.substitute(part, &current);
            self.assume(part, &vars, &once, step.span, out)?;
        }
        Ok(())
    }

    /// The other side of an equation that has a variable on one.
    fn solved(&mut self, part: TermId, target: TermId) -> Option<TermId> {
        let (Op::Eq, &[left, right]) = (self.store.op(part), self.store.args(part)) else {
            return None;
        };
        match (left == target, right == target) {
            (true, false) => Some(right),
            (false, true) => Some(left),
            _ => None,
        }
    }

    /// Writes assignments such that none reads what another has changed.
    fn assign(
        &mut self,
        values: &BTreeMap<usize, TermId>,
        once: &BTreeSet<TermId>,
        span: Span,
        out: &mut String,
    ) -> Result<(), Diagnostic> {
        let flow = self.flow;
        let mut left: Vec<usize> = (0..flow.vars.len())
            .filter(|position| values.get(position) != Some(&flow.vars[*position]))
            .collect();
        while !left.is_empty() {
            let reads = |position: usize, var: TermId| {
                let value = values.get(&position);
                value.is_some_and(|&value| self.store.free_vars(&[value]).contains(&var))
            };
            // Whatever nobody else reads may change.
            let free = left.iter().position(|&position| {
                left.iter().all(|&other| other == position || !reads(other, flow.vars[position]))
            });
            let Some(free) = free else {
                let message = "T2 assigns one variable after the other, and these change places";
                return Err(refused(span, message));
            };
            let position = left.remove(free);
            let _ = write!(out, "  {} := ", self.vars[&flow.vars[position]]);
            match values.get(&position) {
                Some(&value) => self.term(value, 0, once, span, out)?,
                None => out.push_str("nondet()"),
            }
            out.push_str(";\n");
        }
        Ok(())
    }

    fn assume(
        &mut self,
        part: TermId,
        vars: &BTreeSet<TermId>,
        once: &BTreeSet<TermId>,
        span: Span,
        out: &mut String,
    ) -> Result<(), Diagnostic> {
        if part == TermId::TRUE {
            return Ok(());
        }
        let free = self.store.free_vars(&[part]);
        if free.iter().any(|var| !vars.contains(var) && !once.contains(var)) {
            let message = "T2 cannot compare what variables become with what they were";
            return Err(refused(span, message));
        }
        out.push_str("  assume(");
        self.term(part, 0, once, span, out)?;
        out.push_str(");\n");
        Ok(())
    }

    /// The inputs, each of which stands in one place: there it is `nondet()`.
    fn inputs(
        &self,
        parts: &[TermId],
        inputs: &[TermId],
        span: Span,
    ) -> Result<BTreeSet<TermId>, Diagnostic> {
        let mut counts: BTreeMap<TermId, usize> = inputs.iter().map(|&input| (input, 0)).collect();
        let sizes = parts.iter().map(|&part| self.store.tree_size(part));
        if sizes.fold(0u64, u64::saturating_add) > MAX_TERMS {
            return Err(refused(span, "written without sharing, this relation is too long"));
        }
        let mut stack = parts.to_vec();
        while let Some(term) = stack.pop() {
            if let Some(count) = counts.get_mut(&term) {
                *count += 1;
            }
            stack.extend(self.store.args(term));
        }
        match counts.values().all(|&count| count <= 1) {
            true => Ok(counts.into_keys().collect()),
            false => Err(refused(span, "T2 has no name for a value that is used twice")),
        }
    }
}
