//! Evidence about flows for people, a line per part.

use crate::evidence::names::Names;
use alphorn_problem::evidence::flow::{Choice, Level, Measure, Path};
use alphorn_problem::evidence::temporal::Label;
use alphorn_problem::temporal::{Node, Runs};
use alphorn_problem::{Flow, Temporal, Verdict};
use alphorn_term::print::quote;
use alphorn_term::{Store, TermId};

/// The ranks of a flow, or its recurrence with the way there.
pub fn flow_lines(flow: &Flow, verdict: &Verdict<Flow>) -> Vec<String> {
    match verdict {
        Verdict::Safe(found) => {
            let mut lines = Lines::new(flow, &found.ranking.terms);
            lines.sets("always", &found.ranking.invariants, TermId::TRUE);
            match &found.ranking.measure {
                Measure::Levels(levels) => lines.levels(levels, &transitions(flow)),
                Measure::Disjunctive(union) => {
                    for (&function, &least) in union.functions.iter().zip(&union.least) {
                        let (function, least) = (lines.show(function), lines.show(least));
                        let line = format!("or {function} was not negative and is less by {least}");
                        lines.out.push(line);
                    }
                    let cuts = union.cuts.iter().map(|&cut| quote(flow.location_name(cut)));
                    let cuts = cuts.collect::<Vec<String>>().join(", ");
                    lines.out.push(format!("each time that a run is back at {cuts}"));
                }
            }
            lines.out
        }
        Verdict::Unsafe(found) => {
            let mut lines = Lines::new(flow, &found.terms);
            lines.path(&found.path);
            lines.sets("for ever in", &found.sets, TermId::FALSE);
            found.choices.iter().for_each(|choice| lines.choice(choice));
            lines.out
        }
    }
}

/// The labels of a temporal formula.
pub fn temporal_lines(problem: &Temporal, verdict: &Verdict<Temporal>) -> Vec<String> {
    let (Verdict::Safe(found) | Verdict::Unsafe(found)) = verdict;
    let labelling = &found.labelling;
    let mut terms = labelling.terms.clone();
    let nodes = problem.labelled(labelling.initial.is_some(), &mut terms);
    let mut lines = Lines::new(&problem.flow, &labelling.terms);
    if let Some(initial) = &labelling.initial {
        lines.path(&Path { first: initial.clone(), steps: Vec::new() });
    }
    for (position, (node, label)) in nodes.iter().zip(&labelling.labels).enumerate().rev() {
        lines.out.push(format!("[{position}] {}", shape(node)));
        if !matches!(node, Node::Atom(_)) {
            lines.label(label);
        } else if let Node::Atom(formulas) = node {
            lines.sets("  is", formulas, TermId::FALSE);
        }
    }
    lines.out
}

/// A subformula with its parts by position.
fn shape(node: &Node) -> String {
    let runs = |runs: &Runs| if *runs == Runs::All { 'A' } else { 'E' };
    match node {
        Node::Atom(_) => "atom".to_owned(),
        Node::And(a, b) => format!("[{a}] && [{b}]"),
        Node::Or(a, b) => format!("[{a}] || [{b}]"),
        Node::Next(which, a) => format!("{}X [{a}]", runs(which)),
        Node::Until(which, a, b) => format!("{}[[{a}] U [{b}]]", runs(which)),
        Node::Weak(which, a, b) => format!("{}[[{a}] W [{b}]]", runs(which)),
    }
}

fn transitions(flow: &Flow) -> Vec<String> {
    (0..flow.transitions.len()).map(|at| flow.transition_name(at)).collect()
}

struct Lines<'f> {
    flow: &'f Flow,
    names: Names,
    out: Vec<String>,
}

impl<'f> Lines<'f> {
    fn new(flow: &'f Flow, terms: &Store) -> Lines<'f> {
        Lines { flow, names: Names::of(terms, &flow.vars), out: Vec::new() }
    }

    fn show(&mut self, term: TermId) -> String {
        self.names.show_readable(term)
    }

    fn sets(&mut self, what: &str, sets: &[TermId], unsaid: TermId) {
        for (location, &set) in self.flow.location_ids().zip(sets) {
            if set != unsaid {
                let (name, set) = (quote(self.flow.location_name(location)), self.show(set));
                self.out.push(format!("{what} {name}: {set}"));
            }
        }
    }

    fn levels(&mut self, levels: &[Level], edges: &[String]) {
        for (position, level) in levels.iter().enumerate() {
            for (depth, function) in level.functions.iter().enumerate() {
                let mut parts: Vec<String> = Vec::new();
                for (location, &number) in self.flow.location_ids().zip(function) {
                    let shown = self.show(number);
                    if shown != "0" {
                        parts
                            .push(format!("{}: {shown}", quote(self.flow.location_name(location))));
                    }
                }
                let nested = if depth > 0 { " (nested)" } else { "" };
                self.out.push(format!("rank {}{nested}: {}", position + 1, parts.join(", ")));
            }
            let least = self.show(level.least);
            let removed = level.removed.iter().map(|&edge| match edges.get(edge) {
                Some(name) => name.clone(),
                None => format!("step {edge}"),
            });
            let removed: Vec<String> = removed.collect();
            self.out.push(format!("  less by {least} at {}", removed.join(", ")));
        }
    }

    fn label(&mut self, label: &Label) {
        self.sets("  at", &label.sets, TermId::FALSE);
        label.choices.iter().for_each(|choice| self.choice(choice));
        self.levels(&label.levels, &[]);
    }

    fn choice(&mut self, choice: &Choice) {
        let (when, name) = (self.show(choice.when), self.flow.transition_name(choice.transition));
        let mut changes: Vec<String> = Vec::new();
        for (&var, &value) in self.flow.vars.iter().zip(&choice.next) {
            if var != value {
                let (var, value) = (self.show(var), self.show(value));
                changes.push(format!("{var} := {value}"));
            }
        }
        let changes =
            if changes.is_empty() { "nothing changes".to_owned() } else { changes.join(", ") };
        self.out.push(format!("  if {when}, {name}: {changes}"));
    }

    fn path(&mut self, path: &Path) {
        let start = &self.flow.starts[path.first.start];
        let mut states = vec![(start.at, &path.first.values)];
        for step in &path.steps {
            states.push((self.flow.transitions[step.transition].to, &step.values));
        }
        for (position, (location, values)) in states.into_iter().enumerate() {
            let mut parts: Vec<String> = Vec::new();
            for (&var, value) in self.flow.vars.iter().zip(values) {
                let var = self.show(var);
                let value = match self.names.store.value_term(value) {
                    Some(term) => self.show(term),
                    None => "…".to_owned(),
                };
                parts.push(format!("{var} = {value}"));
            }
            let name = quote(self.flow.location_name(location));
            self.out.push(format!("step {position} at {name}: {}", parts.join(", ")));
        }
    }
}
