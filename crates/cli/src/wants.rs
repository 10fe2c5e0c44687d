//! Options that not every kind of problem has: an error before any work is better than silence after it.

use crate::args::Decide;
use alphorn_driver::{AnyProblem, Opened};

/// What is wanted that not every kind of problem has.
#[derive(Clone, Copy)]
pub struct Wants {
    vcd: bool,
    tree: bool,
    dot: bool,
    show: bool,
    witness: bool,
    harness: bool,
    confirm: bool,
}

impl Wants {
    /// What the command line wants.
    pub fn of(args: &Decide) -> Wants {
        Wants {
            vcd: args.vcd.is_some(),
            tree: args.tree,
            dot: args.dot.is_some(),
            show: args.show.is_some(),
            witness: args.witness.is_some(),
            harness: args.harness.is_some(),
            confirm: args.confirm,
        }
    }

    /// An error if the problem has no such thing, whatever the answer.
    pub fn fit(self, opened: &Opened) -> Result<(), String> {
        let runs = ("--vcd", self.vcd, "it shows runs of circuits and transition systems");
        let tree = ("--tree", self.tree, "it shows derivations from Horn clauses");
        let dot = ("--dot", self.dot, "it shows derivations from Horn clauses; see --vcd");
        let programs = [
            ("--show", self.show, "it shows the source of programs"),
            ("--witness", self.witness, "it is for programs; see --evidence"),
            ("--harness", self.harness, "it is for programs; see --evidence"),
            ("--confirm", self.confirm, "it runs programs"),
        ];
        let kinds: Vec<(&str, bool, &str)> = match &opened.problem {
            Some(AnyProblem::Horn(_)) => std::iter::once(runs).chain(programs).collect(),
            Some(AnyProblem::C(_)) => vec![runs, tree, dot],
            _ => [tree, dot].into_iter().chain(programs).collect(),
        };
        match kinds.iter().find(|(_, is_wanted, _)| *is_wanted) {
            Some((option, _, why)) => Err(format!("{option} is not for this problem: {why}")),
            None => Ok(()),
        }
    }
}
