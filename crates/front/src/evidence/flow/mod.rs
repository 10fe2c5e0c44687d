//! Evidence about flows as text: ranks, recurrences, and labels of temporal formulas.
//!
//! ```text
//! (termination
//!   (variable x Int)                          the flow's variables, which formulas below mention
//!   (invariant loop (<= 0 x))                 true where nothing is said
//!   (level 1 (removed 0 2)                    by how much the removed transitions decrease, and which they are
//!     (function (loop x)))                    0 where nothing is said; several functions are nested
//!   (proof …) …)                              one per obligation
//! (termination …
//!   (union (cuts loop) (saved x!0)
//!     (relation (loop (< x x!0))) …           one per cut point, true where nothing is said
//!     (function x 1) …)
//!   (proof …) …)
//! (recurrence
//!   (variable x Int)
//!   (start 0 (inputs) (values 5))
//!   (step 1 (inputs) (values 6)) …            a transition, and the values after it
//!   (set loop (<= 0 x)) …                     false where nothing is said
//!   (choice 1 true (inputs) (next (+ x 1))) … a transition, when it is taken, and where to
//!   (proof …) …)
//! (labels fails                               or: holds
//!   (formula "AG (x > 0)") (ends vacuous)     or: stutter; the question
//!   (fair "x > 0" "y > 0")                    perhaps
//!   (variable x Int)
//!   (start 0 (inputs) (values 5))             of what fails
//!   (label (set …) … (choice …) … (stopped loop (= x 0)) … (level …) …) …
//!   (proof …) …)
//! ```
//!
//! A location is written by its name, or by its position where the name cannot be written.

mod lines;
mod read;
mod told;

pub use read::{read_flow, read_question, read_temporal};
pub use told::{
    Told, ToldChoice, ToldEdge, ToldLabel, ToldLevel, ToldState, ToldTransition, Why, flow_told,
    temporal_told,
};

use super::names::Names;
use super::proof;
use super::values::Printer;
use alphorn_problem::evidence::flow::{Choice, Disjunctive, Initial, Level, Measure, Termination};
use alphorn_problem::evidence::proof::Proof;
use alphorn_problem::evidence::temporal::Labels;
use alphorn_problem::temporal::Ends;
use alphorn_problem::{Flow, Temporal, Verdict};
use alphorn_term::print::quote;
use alphorn_term::{Store, TermId, Value};
use std::fmt::Write;

/// A verdict's evidence as text.
pub fn print_flow(flow: &Flow, verdict: &Verdict<Flow>) -> String {
    match verdict {
        Verdict::Safe(Termination { ranking, proofs }) => {
            let mut roots = ranking.invariants.clone();
            let mut free = flow.vars.clone();
            match &ranking.measure {
                Measure::Levels(levels) => roots.extend(levels.iter().flat_map(level_terms)),
                Measure::Disjunctive(union) => {
                    free.extend(&union.saved);
                    roots.extend(union.relations.iter().flatten());
                    roots.extend(union.functions.iter().chain(&union.least));
                }
            }
            let mut writer =
                Writer::new(flow, &ranking.terms, "termination", &free, &roots, proofs);
            writer.formulas("invariant", &ranking.invariants, TermId::TRUE);
            match &ranking.measure {
                Measure::Levels(levels) => levels.iter().for_each(|level| writer.level(level)),
                Measure::Disjunctive(union) => writer.union(union),
            }
            writer.finish(proofs)
        }
        Verdict::Unsafe(found) => {
            let mut roots = found.sets.clone();
            roots.extend(found.choices.iter().flat_map(choice_terms));
            let (terms, free) = (&found.terms, &flow.vars);
            let mut writer = Writer::new(flow, terms, "recurrence", free, &roots, &found.proofs);
            writer.initial(&found.path.first);
            for step in &found.path.steps {
                let _ = write!(writer.out, "  (step {} ", step.transition);
                writer.values(&step.inputs, &step.values);
            }
            writer.formulas("set", &found.sets, TermId::FALSE);
            found.choices.iter().for_each(|choice| writer.choice(choice));
            writer.finish(&found.proofs)
        }
    }
}

/// A verdict's evidence as text.
pub fn print_temporal(problem: &Temporal, verdict: &Verdict<Temporal>) -> String {
    let (Verdict::Safe(labels) | Verdict::Unsafe(labels)) = verdict;
    let Labels { labelling, proofs } = labels;
    let mut roots = Vec::new();
    for label in &labelling.labels {
        roots.extend(label.sets.iter().chain(&label.stopped));
        roots.extend(label.choices.iter().flat_map(choice_terms));
        roots.extend(label.levels.iter().flat_map(level_terms));
    }
    let flow = &problem.flow;
    let head = match labelling.initial {
        Some(_) => "labels fails",
        None => "labels holds",
    };
    let head = format!("{head}\n  {}", question(problem));
    let mut writer = Writer::new(flow, &labelling.terms, &head, &flow.vars, &roots, proofs);
    if let Some(initial) = &labelling.initial {
        writer.initial(initial);
    }
    for label in &labelling.labels {
        writer.out.push_str("  (label\n");
        writer.formulas("set", &label.sets, TermId::FALSE);
        label.choices.iter().for_each(|choice| writer.choice(choice));
        writer.formulas("stopped", &label.stopped, TermId::FALSE);
        label.levels.iter().for_each(|level| writer.level(level));
        writer.out.push_str("  )\n");
    }
    writer.finish(proofs)
}

/// What was asked, as the evidence says it.
fn question(problem: &Temporal) -> String {
    let text = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let ends = match problem.ends {
        Ends::Vacuous => "vacuous",
        Ends::Stutter => "stutter",
    };
    let mut out = format!("(formula {}) (ends {ends})", text(&problem.said.formula));
    if let Some((often, then)) = &problem.said.fairness {
        let _ = write!(out, " (fair {} {})", text(often), text(then));
    }
    out
}

fn level_terms(level: &Level) -> Vec<TermId> {
    level.functions.iter().flatten().copied().chain([level.least]).collect()
}

fn choice_terms(choice: &Choice) -> Vec<TermId> {
    choice.next.iter().chain(&choice.inputs).copied().chain([choice.when]).collect()
}

struct Writer<'f> {
    flow: &'f Flow,
    names: Names,
    printer: Printer,
    out: String,
}

impl<'f> Writer<'f> {
    fn new(
        flow: &'f Flow,
        terms: &Store,
        head: &str,
        free: &[TermId],
        roots: &[TermId],
        proofs: &[Proof],
    ) -> Writer<'f> {
        let mut all = [free, roots].concat();
        all.extend(proofs.iter().flat_map(proof::mentioned));
        let mut names = Names::of(terms, &all);
        let mut out = format!("({head}\n");
        for declaration in names.declarations(free) {
            let _ = writeln!(out, "  (variable {declaration})");
        }
        Writer { flow, names, printer: Printer::new(flow.terms.clone()), out }
    }

    fn finish(mut self, proofs: &[Proof]) -> String {
        for proof in proofs {
            self.out.push_str("  (proof\n");
            proof::print(&mut self.out, &mut self.names, proof);
            self.out.push_str("  )\n");
        }
        self.out.push_str(")\n");
        self.out
    }

    fn location(&self, at: usize) -> String {
        let name = &self.flow.locations[at].name;
        if name.contains(['|', '\\']) { at.to_string() } else { quote(name) }
    }

    /// A formula for each location but where it is what need not be said.
    fn formulas(&mut self, what: &str, formulas: &[TermId], unsaid: TermId) {
        for (at, &formula) in formulas.iter().enumerate() {
            if formula != unsaid {
                let (name, formula) = (self.location(at), self.names.show(formula));
                let _ = writeln!(self.out, "  ({what} {name} {formula})");
            }
        }
    }

    fn level(&mut self, level: &Level) {
        let removed: String = level.removed.iter().map(|edge| format!(" {edge}")).collect();
        let least = self.names.show(level.least);
        let _ = write!(self.out, "  (level {least} (removed{removed})");
        for function in &level.functions {
            self.out.push_str("\n    (function");
            for (at, &number) in function.iter().enumerate() {
                if self.names.store.number_value(number).is_none_or(|value| !value.is_zero()) {
                    let (name, number) = (self.location(at), self.names.show(number));
                    let _ = write!(self.out, " ({name} {number})");
                }
            }
            self.out.push(')');
        }
        self.out.push_str(")\n");
    }

    fn union(&mut self, union: &Disjunctive) {
        let cuts: String =
            union.cuts.iter().map(|cut| format!(" {}", self.location(cut.index()))).collect();
        let saved: String =
            union.saved.iter().map(|&var| format!(" {}", self.names.show(var))).collect();
        let _ = write!(self.out, "  (union (cuts{cuts}) (saved{saved})");
        for relation in &union.relations {
            self.out.push_str("\n    (relation");
            for (at, &formula) in relation.iter().enumerate() {
                if formula != TermId::TRUE {
                    let (name, formula) = (self.location(at), self.names.show(formula));
                    let _ = write!(self.out, " ({name} {formula})");
                }
            }
            self.out.push(')');
        }
        for (&function, &least) in union.functions.iter().zip(&union.least) {
            let (function, least) = (self.names.show(function), self.names.show(least));
            let _ = write!(self.out, "\n    (function {function} {least})");
        }
        self.out.push_str(")\n");
    }

    fn choice(&mut self, choice: &Choice) {
        let when = self.names.show(choice.when);
        let mut list = |terms: &[TermId]| -> String {
            terms.iter().map(|&term| format!(" {}", self.names.show(term))).collect()
        };
        let (inputs, next) = (list(&choice.inputs), list(&choice.next));
        let transition = choice.transition;
        let _ = writeln!(self.out, "  (choice {transition} {when} (inputs{inputs}) (next{next}))");
    }

    fn initial(&mut self, initial: &Initial) {
        let _ = write!(self.out, "  (start {} ", initial.start);
        self.values(&initial.inputs, &initial.values);
    }

    fn values(&mut self, inputs: &[Value], values: &[Value]) {
        let mut list = |values: &[Value]| -> String {
            values.iter().map(|value| format!(" {}", self.printer.show(value))).collect()
        };
        let (inputs, values) = (list(inputs), list(values));
        let _ = writeln!(self.out, "(inputs{inputs}) (values{values}))");
    }
}
