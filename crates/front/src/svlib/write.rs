//! Programs as SV-LIB scripts: every block is a label, its steps, and a jump.
//!
//! Names are those of the source where they are unique, and numbered where they are not. A relation between
//! old and new values becomes arbitrary new values, an assumption, and an assignment.

use crate::background::{replace_terms, terms_of};
use crate::smtlib::{Declarations, is_reserved_name};
use alphorn_program::Program;
use alphorn_program::form::{Action, BlockId, Jump, Proc, ProcId, VarId};
use alphorn_term::print::quote;
use alphorn_term::{Substitution, TermId};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The program as a script.
pub fn write(program: &Program) -> String {
    let mut writer = Writer { program: program.clone(), new: BTreeMap::new() };
    let new = writer.names();
    let mut out = String::from("(set-logic ALL)\n(set-info :format-version 1.0)\n");
    writer.declarations(&mut out);
    for &var in &writer.program.globals.clone() {
        let _ = writeln!(out, "(declare-var {})", writer.declared(var));
    }
    for proc in writer.order() {
        let nexts = new.get(&proc).cloned().unwrap_or_default();
        writer.procedure(proc, &nexts, &mut out);
    }
    writer.question(&mut out);
    out
}

struct Writer {
    /// The program, with terms that have the names of the text.
    program: Program,
    /// The terms of new values, by the variable.
    new: BTreeMap<TermId, TermId>,
}

/// A name that nobody else has, and that can be declared.
fn unique(name: &str, taken: &mut BTreeSet<String>) -> String {
    let base = if name.is_empty() || name.contains(['|', '\\']) { "x" } else { name };
    let mut text = base.to_owned();
    let mut number = 0;
    while is_reserved_name(&text) || !taken.insert(text.clone()) {
        number += 1;
        text = format!("{base}!{number}");
    }
    text
}

impl Writer {
    /// Gives variables the names of the text; the new values of each procedure, which become locals.
    fn names(&mut self) -> BTreeMap<ProcId, Vec<TermId>> {
        let mut map = Substitution::default();
        let mut taken: BTreeSet<String> = BTreeSet::new();
        for &var in &self.program.globals.clone() {
            self.name(var, &mut taken, &mut map);
        }
        // Names of procedures are names of other things, but not for everybody.
        taken.extend(self.program.procs.iter().map(|proc| proc.name.clone()));
        let mut new: BTreeMap<ProcId, Vec<TermId>> = BTreeMap::new();
        for index in 0..self.program.procs.len() {
            let mut own = taken.clone();
            let vars: Vec<VarId> = self.program.procs[index].variables().collect();
            for var in vars {
                self.name(var, &mut own, &mut map);
            }
            let pairs = related(&self.program.procs[index]);
            for (var, next) in pairs {
                if map.contains_key(&next) {
                    continue;
                }
                let name = unique(&format!("{}'", self.program.var(var).name), &mut own);
                let sort = self.program.var(var).sort;
                let term = self.program.terms.var(&name, sort);
                map.insert(next, term);
                self.new.insert(next, term);
                new.entry(ProcId(index as u32)).or_default().push(term);
            }
        }
        let terms = terms_of(&self.program);
        let renamed = self.program.terms.substitute_all(&terms, &map);
        let renamed: BTreeMap<TermId, TermId> = terms.into_iter().zip(renamed).collect();
        replace_terms(&mut self.program, |term| renamed[&term]);
        for variable in &mut self.program.vars {
            variable.term = *map.get(&variable.term).unwrap_or(&variable.term);
        }
        new
    }

    fn name(&mut self, var: VarId, taken: &mut BTreeSet<String>, map: &mut Substitution) {
        let variable = self.program.var(var).clone();
        let name = unique(&variable.name, taken);
        map.insert(variable.term, self.program.terms.var(&name, variable.sort));
    }

    fn declarations(&self, out: &mut String) {
        let mut terms = terms_of(&self.program);
        terms.extend(self.program.vars.iter().map(|variable| variable.term));
        Declarations::of(&self.program.terms, &terms, &[]).write(&self.program.terms, out);
    }

    fn show(&self, term: TermId) -> String {
        self.program.terms.show(term).to_string()
    }

    fn declared_term(&self, term: TermId) -> String {
        let store = &self.program.terms;
        format!("{} {}", store.show(term), store.show_sort(store.sort(term)))
    }

    fn declared(&self, var: VarId) -> String {
        self.declared_term(self.program.term(var))
    }

    /// The procedures, callees before callers where that is possible.
    fn order(&self) -> Vec<ProcId> {
        let mut seen = vec![false; self.program.procs.len()];
        let mut order = Vec::new();
        for index in 0..self.program.procs.len() {
            // A procedure is put out when all it calls has been looked at.
            let mut stack = vec![(index, false)];
            while let Some((at, is_done)) = stack.pop() {
                if is_done {
                    order.push(ProcId(at as u32));
                } else if !std::mem::replace(&mut seen[at], true) {
                    stack.push((at, true));
                    let steps = self.program.procs[at].blocks.iter().flat_map(|block| &block.steps);
                    let callees = steps.filter_map(|step| match &step.action {
                        Action::Call { proc, .. } => Some(proc.0 as usize),
                        _ => None,
                    });
                    stack.extend(callees.map(|callee| (callee, false)));
                }
            }
        }
        order
    }

    fn procedure(&self, id: ProcId, nexts: &[TermId], out: &mut String) {
        let proc = self.program.proc(id);
        let list = |vars: &[VarId]| {
            let vars = vars.iter().map(|&var| format!("({})", self.declared(var)));
            vars.collect::<Vec<_>>().join(" ")
        };
        let nexts = nexts.iter().map(|&term| format!("({})", self.declared_term(term)));
        let nexts: Vec<String> = nexts.collect();
        let locals = [list(&proc.locals), nexts.join(" ")].join(" ");
        let _ = write!(out, "\n(define-proc {}\n  ", quote(&proc.name));
        let _ = write!(
            out,
            "({}) ({}) ({})\n  (sequence",
            list(&proc.inputs),
            list(&proc.outputs),
            locals.trim()
        );
        let labels = labels(proc);
        for (block, label) in proc.blocks.iter().zip(&labels) {
            let _ = write!(out, "\n    (label {label})");
            for step in &block.steps {
                self.action(&step.action, out);
            }
            let goto = |target: &BlockId| format!("(goto {})", labels[target.0 as usize]);
            out.push_str("\n    ");
            match &block.jump {
                Jump::Goto(target) => out.push_str(&goto(target)),
                Jump::Branch(condition, then, otherwise) => {
                    let condition = self.show(*condition);
                    let _ = write!(out, "(if {condition} {} {})", goto(then), goto(otherwise));
                }
                Jump::Choose(targets) if targets.is_empty() => out.push_str("(assume false)"),
                Jump::Choose(targets) => {
                    let ways: Vec<String> = targets.iter().map(goto).collect();
                    let _ = write!(out, "(choice {})", ways.join(" "));
                }
                Jump::Return => out.push_str("(return)"),
            }
        }
        out.push_str("))\n");
    }

    fn action(&self, action: &Action, out: &mut String) {
        let names = |vars: &[VarId]| {
            let names = vars.iter().map(|&var| self.show(self.program.term(var)));
            names.collect::<Vec<_>>().join(" ")
        };
        let pairs = |pairs: &mut dyn Iterator<Item = (VarId, TermId)>| {
            let mut text = String::new();
            for (var, value) in pairs {
                let _ =
                    write!(text, " ({} {})", self.show(self.program.term(var)), self.show(value));
            }
            text
        };
        match action {
            Action::Assign(list) => {
                let _ = write!(out, "\n    (assign{})", pairs(&mut list.iter().copied()));
            }
            Action::Havoc(vars) => {
                let _ = write!(out, "\n    (havoc {})", names(vars));
            }
            Action::Relate(list, formula) => {
                let new = |term: &TermId| self.new[term];
                let terms: Vec<String> =
                    list.iter().map(|(_, next)| self.show(new(next))).collect();
                let _ = write!(out, "\n    (havoc {})", terms.join(" "));
                let _ = write!(out, "\n    (assume {})", self.show(*formula));
                let mut list = list.iter().map(|(var, next)| (*var, new(next)));
                let _ = write!(out, "\n    (assign{})", pairs(&mut list));
            }
            Action::Assume(formula) => {
                let _ = write!(out, "\n    (assume {})", self.show(*formula));
            }
            Action::Check(check) => {
                let formula = self.show(check.formula);
                let tag = quote(&check.property);
                let _ = write!(out, "\n    (! (sequence) :tag {tag} :check-true {formula})");
            }
            Action::Call { proc, args, results } => {
                let args: Vec<String> = args.iter().map(|&arg| self.show(arg)).collect();
                let callee = quote(&self.program.proc(*proc).name);
                let _ =
                    write!(out, "\n    (call {callee} ({}) ({}))", args.join(" "), names(results));
            }
            // What another program was given here has no place in this one.
            Action::Observe(_) | Action::Thread(_) => {}
        }
    }

    /// The call to verify. Inputs of the entry are constants of which nothing is known.
    fn question(&mut self, out: &mut String) {
        let Some(entry) = self.program.entry else { return };
        let proc = self.program.proc(entry);
        let mut taken: BTreeSet<String> =
            self.program.vars.iter().map(|variable| self.show(variable.term)).collect();
        let inputs = proc.inputs.clone();
        let mut map = Substitution::default();
        let mut args = Vec::new();
        out.push('\n');
        for &input in &inputs {
            let variable = self.program.var(input).clone();
            let name = unique(&variable.name, &mut taken);
            let constant = self.program.terms.var(&name, variable.sort);
            map.insert(variable.term, constant);
            let _ = writeln!(out, "(declare-const {})", self.declared_term(constant));
            args.push(self.show(constant));
        }
        if let Some(start) = self.program.start {
            let start = self.program.terms.substitute(start, &map);
            let _ = writeln!(out, "(assert {})", self.show(start));
        }
        let name = quote(&self.program.proc(entry).name);
        let _ = writeln!(out, "(verify-call {name} ({}))", args.join(" "));
    }
}

/// The relations of a procedure: each variable with what stands for its new value.
fn related(proc: &Proc) -> Vec<(VarId, TermId)> {
    let steps = proc.blocks.iter().flat_map(|block| &block.steps);
    let pairs = steps.filter_map(|step| match &step.action {
        Action::Relate(pairs, _) => Some(pairs.clone()),
        _ => None,
    });
    pairs.flatten().collect()
}

/// The labels of a procedure's blocks.
fn labels(proc: &Proc) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let names = proc.blocks.iter().enumerate().map(|(index, block)| {
        let own = block.label.clone().unwrap_or_else(|| format!("b{index}"));
        quote(&unique(&own, &mut taken)).to_string()
    });
    names.collect()
}
