//! Evidence about flows for people, a line per part.

use super::told::{Told, ToldChoice, ToldEdge, ToldLevel, ToldState, Why};
use alphorn_term::print::quote;
use std::collections::BTreeMap;

impl Told {
    /// The ranks of a flow, its recurrence with the way there, or the labels of a temporal formula.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Lines { told: self, out: Vec::new() };
        match &self.why {
            Why::Levels { invariants, levels } => {
                lines.sets("always", invariants);
                lines.levels(levels);
            }
            Why::Union { invariants, cuts, functions } => {
                lines.sets("always", invariants);
                for (function, least) in functions {
                    let line = format!("or {function} was not negative and is less by {least}");
                    lines.out.push(line);
                }
                let cuts: Vec<String> = cuts.iter().map(|&cut| self.location(cut)).collect();
                lines.out.push(format!("each time that a run is back at {}", cuts.join(", ")));
            }
            Why::Recurrence { path, sets, choices } => {
                lines.path(path);
                lines.sets("for ever in", sets);
                choices.iter().for_each(|choice| lines.choice(choice));
            }
            Why::Labels { first, labels } => {
                lines.path(first.as_slice());
                for (position, label) in labels.iter().enumerate().rev() {
                    lines.out.push(format!("[{position}] {}", label.formula));
                    if !label.is_said {
                        lines.sets("  at", &label.sets);
                    }
                    label.choices.iter().for_each(|choice| lines.choice(choice));
                    lines.sets("  stopped at", &label.stopped);
                    lines.levels(&label.levels);
                }
            }
        }
        lines.out
    }

    /// The name of a location as text has it.
    pub fn location(&self, at: usize) -> String {
        quote(&self.locations[at])
    }

    /// Steps by the names of their transitions, those of one transition together.
    pub fn steps(&self, edges: &[ToldEdge]) -> Vec<String> {
        let mut by_transition: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
        for edge in edges {
            let when = by_transition.entry(edge.transition).or_default();
            when.extend(edge.when.as_deref());
        }
        let name = |(transition, when): (usize, Vec<&str>)| {
            let name = &self.transitions[transition].name;
            // All three kinds of states are all states.
            match when.len() {
                1 | 2 => format!("{name} where {}", when.join(", or ")),
                _ => name.clone(),
            }
        };
        by_transition.into_iter().map(name).collect()
    }
}

struct Lines<'t> {
    told: &'t Told,
    out: Vec<String>,
}

impl Lines<'_> {
    fn sets(&mut self, what: &str, sets: &[Option<String>]) {
        for (at, set) in sets.iter().enumerate() {
            if let Some(set) = set {
                self.out.push(format!("{what} {}: {set}", self.told.location(at)));
            }
        }
    }

    fn levels(&mut self, levels: &[ToldLevel]) {
        for (position, level) in levels.iter().enumerate() {
            for (depth, function) in level.functions.iter().enumerate() {
                let is_said = |(_, number): &(usize, &String)| *number != "0";
                let said = function.iter().enumerate().filter(is_said);
                let mut parts: Vec<String> = said
                    .map(|(at, number)| format!("{}: {number}", self.told.location(at)))
                    .collect();
                if parts.is_empty() {
                    parts.push("0 everywhere".to_owned());
                }
                let nested = if depth > 0 { " (nested)" } else { "" };
                self.out.push(format!("rank {}{nested}: {}", position + 1, parts.join(", ")));
            }
            let removed = self.told.steps(&level.removed).join(", ");
            self.out.push(format!("  less by {} at {removed}", level.least));
        }
    }

    fn choice(&mut self, choice: &ToldChoice) {
        let name = &self.told.transitions[choice.transition].name;
        let changes: Vec<String> =
            choice.changes.iter().map(|(var, value)| format!("{var} := {value}")).collect();
        let changes =
            if changes.is_empty() { "nothing changes".to_owned() } else { changes.join(", ") };
        self.out.push(format!("  if {}, {name}: {changes}", choice.when));
    }

    fn path(&mut self, states: &[ToldState]) {
        for (position, state) in states.iter().enumerate() {
            let pairs = self.told.variables.iter().zip(&state.values);
            let parts: Vec<String> = pairs.map(|(var, value)| format!("{var} = {value}")).collect();
            let name = self.told.location(state.at);
            self.out.push(format!("step {position} at {name}: {}", parts.join(", ")));
        }
    }
}
