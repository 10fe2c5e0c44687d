//! What is run of a program in SV-LIB: the procedures that are to be verified, called by one that chooses.

use super::{CALLER, Reader};
use crate::background::functions_to_arrays;
use crate::blocks::{Builder, tidy};
use crate::diag::{Code, Diagnostic, Read, Severity};
use crate::smtlib::Cursor;
use alphorn_problem::Span;
use alphorn_program::Program;
use alphorn_program::form::{Action, Jump, Proc, ProcId, Variable};
use alphorn_term::TermId;

impl<'t> Reader<'t> {
    /// Reads bodies, then what is said of their tags.
    pub(super) fn bodies(&mut self, bytes: &'t [u8]) {
        for proc in 0..self.headers.len() {
            let header = &self.headers[proc];
            let (body, span) = (header.body, header.span);
            self.cursor = Cursor::at(bytes, body as usize);
            let mark = self.context.declared();
            self.bind_variables(proc);
            let mut builder = Builder::new(span);
            let result = self.body(proc, &mut builder);
            self.context.undeclare(mark);
            let missing = builder.labels.iter().find_map(|(name, (_, at))| Some((name, (*at)?)));
            match (result, missing) {
                (Err(diagnostic), _) => self.report(*diagnostic),
                (Ok(()), Some((name, at))) => {
                    let message = format!("there is no label `{name}`");
                    self.report(Diagnostic::error(Code::SvlibStatement, at, message));
                }
                (Ok(()), None) => self.program.procs[proc].blocks = builder.blocks,
            }
            if self.diagnostics.is_full() {
                return;
            }
        }
        if self.diagnostics.is_clean() {
            for at in std::mem::take(&mut self.annotations) {
                self.cursor = Cursor::at(bytes, at as usize);
                if let Err(diagnostic) = self.annotate_tag() {
                    self.report(*diagnostic);
                }
            }
        }
        self.locals.clear();
    }

    /// Reads what is to be verified.
    pub(super) fn finish(mut self, bytes: &'t [u8]) -> Read<Program> {
        let mut calls = Vec::new();
        for question in std::mem::take(&mut self.questions) {
            self.cursor = Cursor::at(bytes, question.at as usize);
            match self.call_head() {
                Ok((proc, args)) => calls.push((proc, args, question.asserted)),
                Err(diagnostic) => self.report(*diagnostic),
            }
        }
        if self.diagnostics.is_clean() {
            self.entry(calls);
        }
        let Reader { context, mut program, mut diagnostics, .. } = self;
        let room = |d: &Diagnostic| d.severity == Severity::Warning;
        diagnostics.list.extend(context.diagnostics.list.iter().filter(|d| room(d)).cloned());
        program.terms = context.into_store();
        if !diagnostics.is_clean() {
            return (None, diagnostics);
        }
        functions_to_arrays(&mut program);
        for proc in &mut program.procs {
            tidy(proc);
        }
        (Some(program), diagnostics)
    }

    /// Where runs begin: the procedure that is called, or one that makes the calls.
    fn entry(&mut self, calls: Vec<(ProcId, Vec<TermId>, usize)>) {
        let Some(last) = calls.last() else {
            let message = "the script does not say what to verify";
            let diagnostic = Diagnostic::error(Code::SmtNoQuery, Span::NONE, message);
            self.report(diagnostic.hint("add (verify-call procedure (arguments))"));
            return;
        };
        for (_, span) in self.asserted.split_off(last.2) {
            let message = "this assertion comes after all calls and has no effect";
            self.report(Diagnostic::warning(Code::SmtIgnored, span, message));
        }
        let formulas: Vec<TermId> = self.asserted.iter().map(|(formula, _)| *formula).collect();
        if let [(proc, args, _)] = &calls[..]
            && args.is_empty()
        {
            self.program.entry = Some(*proc);
            if !formulas.is_empty() {
                self.program.start = Some(self.context.store_mut().and(&formulas));
            }
            return;
        }
        let mut builder = Builder::new(Span::NONE);
        let mut locals = Vec::new();
        let mut ways = Vec::new();
        for (proc, args, asserted) in calls {
            builder.here = builder.block(Span::NONE);
            ways.push(builder.here);
            let callee = self.program.proc(proc).clone();
            if asserted > 0 {
                let formula = self.context.store_mut().and(&formulas[..asserted]);
                builder.step(Action::Assume(formula), callee.span);
            }
            let mut results = Vec::new();
            for output in callee.outputs {
                let Variable { name, sort, span, .. } = self.program.var(output).clone();
                results.push(self.add_var(&name, sort, span));
            }
            locals.extend(results.clone());
            builder.step(Action::Call { proc, args, results }, callee.span);
            builder.leave(Jump::Return, Span::NONE);
        }
        builder.blocks[0].jump = Jump::Choose(ways);
        let mut name = CALLER.to_owned();
        while self.program.find_proc(&name).is_some() {
            name.push('\'');
        }
        self.program.entry = Some(ProcId(self.program.procs.len() as u32));
        let blocks = builder.blocks;
        self.program.procs.push(Proc { name, locals, blocks, ..Proc::default() });
    }
}
