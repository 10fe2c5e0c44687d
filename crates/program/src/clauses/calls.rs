//! Who calls whom, and what procedures do to global variables.
//!
//! Recursion is a circle of calls. What a procedure reads and changes includes what those it calls do.

use crate::form::{Action, Jump, ProcId, Program, VarId};
use alphorn_term::{Store, TermId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// What is known about the procedures of a program, by their positions.
pub struct Calls {
    /// Those that a procedure calls, once for every call.
    pub callees: Vec<Vec<ProcId>>,
    /// Whether it may come to call itself.
    pub is_recursive: Vec<bool>,
    /// The global variables that it may change.
    pub changes: Vec<BTreeSet<VarId>>,
    /// The global variables that it mentions.
    pub mentions: Vec<BTreeSet<VarId>>,
}

/// The variables of a program by their terms.
pub fn by_term(program: &Program) -> FxHashMap<TermId, VarId> {
    program.vars.iter().enumerate().map(|(index, var)| (var.term, VarId(index as u32))).collect()
}

/// The variables that formulas mention.
pub fn mentioned(
    terms: &Store,
    of: &FxHashMap<TermId, VarId>,
    formulas: &[TermId],
) -> BTreeSet<VarId> {
    terms.free_vars(formulas).iter().filter_map(|var| of.get(var).copied()).collect()
}

/// The formulas that a step reads.
pub fn reads(action: &Action) -> Vec<TermId> {
    match action {
        Action::Assign(pairs) => pairs.iter().map(|(_, value)| *value).collect(),
        Action::Havoc(_) => Vec::new(),
        Action::Relate(_, formula) | Action::Assume(formula) => vec![*formula],
        Action::Check(check) => vec![check.formula],
        Action::Call { args, .. } => args.clone(),
        Action::Observe(observation) => observation.terms(),
        Action::Thread(op) => op.terms(),
    }
}

/// The variables that a step gives other values, without what a called procedure does to globals.
pub fn writes(action: &Action) -> Vec<VarId> {
    match action {
        Action::Assign(pairs) | Action::Relate(pairs, _) => {
            pairs.iter().map(|(var, _)| *var).collect()
        }
        Action::Havoc(vars) => vars.clone(),
        Action::Call { results, .. } => results.clone(),
        Action::Thread(op) => op.writes(),
        Action::Assume(_) | Action::Check(_) | Action::Observe(_) => Vec::new(),
    }
}

impl Calls {
    /// Looks at all procedures.
    pub fn of(program: &Program) -> Calls {
        let of = by_term(program);
        let globals: BTreeSet<VarId> = program.globals.iter().copied().collect();
        let count = program.procs.len();
        let mut calls = Calls {
            callees: vec![Vec::new(); count],
            is_recursive: vec![false; count],
            changes: vec![BTreeSet::new(); count],
            mentions: vec![BTreeSet::new(); count],
        };
        for (index, proc) in program.procs.iter().enumerate() {
            for block in &proc.blocks {
                for step in &block.steps {
                    let seen = mentioned(&program.terms, &of, &reads(&step.action));
                    calls.mentions[index].extend(seen.intersection(&globals));
                    let changed = writes(&step.action);
                    calls.changes[index].extend(changed.iter().filter(|v| globals.contains(v)));
                    if let Action::Call { proc, .. } = &step.action {
                        calls.callees[index].push(*proc);
                    }
                }
                if let Jump::Branch(formula, ..) = &block.jump {
                    let seen = mentioned(&program.terms, &of, &[*formula]);
                    calls.mentions[index].extend(seen.intersection(&globals));
                }
            }
            let changed = calls.changes[index].clone();
            calls.mentions[index].extend(changed);
        }
        calls.close();
        calls
    }

    /// Adds what callees do, until nothing changes.
    fn close(&mut self) {
        let count = self.callees.len();
        let mut reach: Vec<BTreeSet<usize>> = self
            .callees
            .iter()
            .map(|callees| callees.iter().map(|proc| proc.0 as usize).collect())
            .collect();
        let mut changed = true;
        while changed {
            changed = false;
            for index in 0..count {
                for callee in reach[index].clone() {
                    let before =
                        reach[index].len() + self.changes[index].len() + self.mentions[index].len();
                    let (further, writes, mentions) = (
                        reach[callee].clone(),
                        self.changes[callee].clone(),
                        self.mentions[callee].clone(),
                    );
                    reach[index].extend(further);
                    self.changes[index].extend(writes);
                    self.mentions[index].extend(mentions);
                    let after =
                        reach[index].len() + self.changes[index].len() + self.mentions[index].len();
                    changed |= after != before;
                }
            }
        }
        for (index, reached) in reach.iter().enumerate() {
            self.is_recursive[index] = reached.contains(&index);
        }
    }
}
