//! Where a program of Boogie begins: the procedure that is named so, or any that nobody calls.

use super::{CALLER, START};
use crate::blocks::Builder;
use crate::boogie::declare::{Reader, error};
use crate::boogie::value::Scope;
use crate::diag::Code;
use crate::infix::Fallible;
use alphorn_problem::Span;
use alphorn_program::form::{Action, Jump, Proc, ProcId, VarId};
use alphorn_term::{Op, SortId, TermId};
use std::collections::BTreeMap;

impl<'t> Reader<'t> {
    /// Where runs begin, and what holds there.
    pub(super) fn entry(&mut self) -> Fallible<()> {
        let mut start = Vec::new();
        let mut scope = Scope::default();
        for axiom in std::mem::take(&mut self.axioms) {
            start.push(self.formula(&axiom, &mut scope)?);
        }
        let mut by_sort: BTreeMap<SortId, Vec<TermId>> = BTreeMap::new();
        for &var in &self.unique {
            by_sort.entry(self.program.var(var).sort).or_default().push(self.program.term(var));
        }
        for terms in by_sort.into_values() {
            start.push(match terms[..] {
                [_] => TermId::TRUE,
                [left, right] => {
                    let equal = self.program.terms.eq(left, right);
                    self.program.terms.not(equal)
                }
                _ => self.program.terms.mk(Op::Distinct, &terms),
            });
        }
        for global in self.program.globals.clone() {
            if let Some(tree) = self.conditions.get(&global).cloned() {
                start.push(self.formula(&tree, &mut scope)?);
            }
        }
        if !start.is_empty() {
            self.program.start = Some(self.program.terms.and(&start));
        }
        let marked: Vec<ProcId> =
            self.procedures.values().filter(|found| found.is_entry).map(|found| found.id).collect();
        let with_body = self.order.iter().map(|name| &self.procedures[name]);
        let with_body = with_body.filter(|found| !found.bodies.is_empty()).map(|found| found.id);
        let entries: Vec<ProcId> = match (&marked[..], self.procedures.get(START)) {
            ([], Some(found)) => vec![found.id],
            ([], None) => with_body.collect(),
            _ => marked,
        };
        match entries[..] {
            [] => {
                let message = "no procedure has a body: there is nothing to verify";
                error(Code::BoogieSyntax, Span::NONE, message)
            }
            [only] => {
                self.program.entry = Some(only);
                Ok(())
            }
            _ => {
                self.call_any(&entries);
                Ok(())
            }
        }
    }

    /// A procedure that calls any one of these with any arguments.
    fn call_any(&mut self, entries: &[ProcId]) {
        let mut builder = Builder::new(Span::NONE);
        let mut locals = Vec::new();
        let mut ways = Vec::new();
        for &proc in entries {
            builder.here = builder.block(Span::NONE);
            ways.push(builder.here);
            let callee = self.program.proc(proc).clone();
            let mut copy = |vars: &[VarId]| -> Vec<VarId> {
                let copies = vars.iter().map(|&var| {
                    let variable = self.program.var(var).clone();
                    self.program.add_var(&variable.name, variable.sort, variable.span)
                });
                copies.collect()
            };
            let (args, results) = (copy(&callee.inputs), copy(&callee.outputs));
            locals.extend(args.iter().chain(&results).copied());
            let args = args.into_iter().map(|var| self.program.term(var)).collect();
            builder.step(Action::Call { proc, args, results }, callee.span);
            builder.leave(Jump::Return, Span::NONE);
        }
        builder.blocks[0].jump = Jump::Choose(ways);
        self.program.entry = Some(ProcId(self.program.procs.len() as u32));
        let (name, blocks) = (CALLER.to_owned(), builder.blocks);
        self.program.procs.push(Proc { name, locals, blocks, ..Proc::default() });
    }
}
