//! Procedures with their contracts, calls, and where runs begin.

mod entry;

use super::GRAMMAR;
use super::body::{Work, stated};
use super::declare::{Body, Procedure, Reader, Typed, error, unsupported};
use super::value::Scope;
use crate::background::functions_to_arrays;
use crate::blocks::{Builder, tidy};
use crate::diag::{Code, Diagnostic, Diagnostics};
use crate::infix::{Fallible, parse};
use alphorn_problem::Span;
use alphorn_program::Program;
use alphorn_program::form::{Action, Jump, Proc, ProcId, Step, VarId};
use alphorn_term::{Substitution, TermId};
use std::collections::BTreeMap;

/// The procedure that runs begin with where no other is named.
const START: &str = "ULTIMATE.start";

/// What the procedure that calls all others is called.
const CALLER: &str = "any procedure";

/// The program of a file.
pub(super) fn program(bytes: &[u8], diagnostics: &mut Diagnostics) -> Option<Program> {
    let mut reader = Reader::new(bytes);
    if reader.cursor.is_at_end() {
        diagnostics.push(Diagnostic::error(
            Code::FileEmpty,
            Span::NONE,
            "the file has no declarations",
        ));
        return None;
    }
    reader.declarations(diagnostics);
    if !diagnostics.is_clean() {
        return None;
    }
    if let Err(diagnostic) = reader.headers() {
        diagnostics.push(*diagnostic);
        return None;
    }
    for name in reader.order.clone() {
        if diagnostics.is_full() {
            return None;
        }
        if let Err(diagnostic) = reader.procedure_blocks(name) {
            diagnostics.push(*diagnostic);
        }
    }
    if !diagnostics.is_clean() {
        return None;
    }
    if let Err(diagnostic) = reader.entry() {
        diagnostics.push(*diagnostic);
        return None;
    }
    let mut program = reader.program;
    functions_to_arrays(&mut program);
    for proc in &mut program.procs {
        tidy(proc);
    }
    Some(program)
}

impl<'t> Reader<'t> {
    /// Gives procedures their variables and bodies, so that they can be called.
    fn headers(&mut self) -> Fallible<()> {
        for (name, body) in std::mem::take(&mut self.implementations) {
            let Some(procedure) = self.procedures.get_mut(name) else {
                return self.undeclared(name, body.span, "procedure");
            };
            procedure.bodies.push(body);
        }
        for name in self.order.clone() {
            let Procedure { inputs, outputs, span, .. } = self.procedures[name].clone();
            let inputs = self.parameters_of(&inputs)?;
            let outputs = self.parameters_of(&outputs)?;
            let name = name.to_owned();
            let proc = Proc { name, inputs, outputs, span, ..Proc::default() };
            self.program.procs.push(proc);
        }
        Ok(())
    }

    fn parameters_of(&mut self, typed: &[Typed<'t>]) -> Fallible<Vec<VarId>> {
        let mut vars = Vec::with_capacity(typed.len());
        for parameter in typed {
            let sort = self.sort_at(parameter.sort)?;
            let var = self.program.add_var(parameter.name, sort, parameter.span);
            if let Some(condition) = &parameter.condition {
                self.conditions.insert(var, condition.clone());
            }
            vars.push(var);
        }
        Ok(vars)
    }

    /// A scope in which parameters have these names.
    fn scope(
        &self,
        proc: ProcId,
        inputs: &[Typed<'t>],
        outputs: &[Typed<'t>],
    ) -> Fallible<Scope<'t>> {
        let own = self.program.proc(proc);
        let mut scope = Scope { old: Some(BTreeMap::new()), ..Scope::default() };
        let lists = [(inputs, &own.inputs), (outputs, &own.outputs)];
        for (typed, vars) in lists {
            if typed.len() != vars.len() {
                let message = "the implementation has other parameters than its procedure";
                let place = typed.first().map_or(own.span, |parameter| parameter.span);
                return error(Code::BoogieSort, place, message);
            }
            for (parameter, &var) in typed.iter().zip(vars) {
                if scope.names.insert(parameter.name, self.program.term(var)).is_some() {
                    let message = format!("`{}` is declared twice", parameter.name);
                    return error(Code::BoogieRedeclared, parameter.span, message);
                }
            }
        }
        Ok(scope)
    }

    /// The blocks of a procedure: what is assumed at the beginning, a body or what stands for one, and
    /// what must hold at the end.
    fn procedure_blocks(&mut self, name: &'t str) -> Fallible<()> {
        let procedure = self.procedures[name].clone();
        let (proc, span) = (procedure.id, procedure.span);
        let scope = self.scope(proc, &procedure.inputs, &procedure.outputs)?;
        let mut work = Work {
            builder: Builder::new(span),
            scope,
            targets: BTreeMap::new(),
            locals: Vec::new(),
        };
        // Old values are set in a block of their own, when it is known which are asked for.
        let begin = work.builder.here;
        work.builder.fall(span);
        let parameters = self.program.proc(proc);
        let parameters: Vec<VarId> =
            parameters.inputs.iter().chain(&parameters.outputs).copied().collect();
        for &var in &parameters {
            self.where_holds(var, &mut work)?;
        }
        for clause in &procedure.requires {
            let formula = self.formula(&clause.tree, &mut work.scope)?;
            work.builder.step(Action::Assume(formula), clause.tree.span);
        }
        self.bodies(&procedure, &mut work)?;
        // The end: everything arrives at the block that is left by.
        let exit = work.builder.exit;
        work.builder.here = exit;
        let end = work.builder.block(span);
        work.builder.get(end).jump = Jump::Return;
        for clause in &procedure.ensures {
            let formula = self.formula(&clause.tree, &mut work.scope)?;
            // Without a body, what is promised is what is known.
            let is_free = clause.is_free || procedure.bodies.is_empty();
            work.builder.step(stated(is_free, "ensures", formula), clause.tree.span);
        }
        work.builder.jump(Jump::Goto(end), end);
        let old = work.scope.old.take().unwrap_or_default();
        let mut saved = Vec::new();
        for (global, term) in old {
            let variable = self.program.var(global).clone();
            let var = self.program.add_var(&format!("old {}", variable.name), variable.sort, span);
            saved.push((var, self.program.term(global)));
            // The term that formulas mention is the one of the variable.
            self.program.vars[var.0 as usize].term = term;
            work.locals.push(var);
        }
        if !saved.is_empty() {
            let step = Step { action: Action::Assign(saved), span };
            work.builder.get(begin).steps.push(step);
        }
        let own = &mut self.program.procs[proc.0 as usize];
        own.blocks = work.builder.blocks;
        own.locals.extend(work.locals);
        Ok(())
    }

    /// The bodies of a procedure, any one of which is run; without one, what it may change has any value.
    fn bodies(&mut self, procedure: &Procedure<'t>, work: &mut Work<'t>) -> Fallible<()> {
        let span = procedure.span;
        if procedure.bodies.is_empty() {
            let mut vars = Vec::new();
            for &(name, place) in &procedure.modifies {
                let var = self.target(name, place, work)?;
                if !vars.contains(&var) {
                    vars.push(var);
                }
            }
            if !vars.is_empty() {
                work.builder.step(Action::Havoc(vars.clone()), span);
            }
            for var in vars {
                self.where_holds(var, work)?;
            }
            let exit = work.builder.exit;
            work.builder.jump(Jump::Goto(exit), exit);
            return Ok(());
        }
        let from = work.builder.here;
        let mut ways = Vec::new();
        for Body { inputs, outputs, at, .. } in &procedure.bodies {
            let way = work.builder.block(span);
            ways.push(way);
            work.builder.here = way;
            work.builder.labels.clear();
            let mut inner = self.scope(procedure.id, inputs, outputs)?;
            inner.old = work.scope.old.take();
            let outside = std::mem::replace(&mut work.scope, inner);
            work.targets.clear();
            let results = self.program.proc(procedure.id).outputs.clone();
            work.targets.extend(outputs.iter().map(|output| output.name).zip(results));
            self.cursor = self.cursor.at(*at);
            self.body(work)?;
            let old = work.scope.old.take();
            work.scope = Scope { old, ..outside };
        }
        work.builder.get(from).jump = match ways[..] {
            [only] => Jump::Goto(only),
            _ => Jump::Choose(ways),
        };
        work.targets.clear();
        Ok(())
    }

    /// `call a, b := p(x, y)`, behind the first word.
    pub(super) fn call(&mut self, span: Span, work: &mut Work<'t>) -> Fallible<()> {
        self.attributes(&[])?;
        if self.cursor.is("forall") {
            return unsupported(span, "calls for all arguments are not treated");
        }
        let mut results = Vec::new();
        let mut ahead = self.cursor.clone();
        if ahead.names("a name").is_ok() && ahead.is(":=") {
            results = self.cursor.names("a variable")?;
            self.cursor.take();
        }
        let (name, place) = self.cursor.name("a procedure")?;
        let Some(procedure) = self.procedures.get(name).cloned() else {
            return self.undeclared(name, place, "procedure");
        };
        let callee = self.program.proc(procedure.id).clone();
        self.cursor.expect("(")?;
        let mut args = Vec::new();
        while !self.cursor.is(")") {
            if !args.is_empty() {
                self.cursor.expect(",")?;
            }
            let tree = parse(&mut self.cursor, &GRAMMAR)?;
            let Some(&input) = callee.inputs.get(args.len()) else {
                return error(
                    Code::BoogieSort,
                    tree.span,
                    format!("`{name}` has fewer parameters"),
                );
            };
            args.push(self.value_of(&tree, self.program.var(input).sort, &mut work.scope)?);
        }
        self.cursor.take();
        if args.len() != callee.inputs.len() || results.len() != callee.outputs.len() {
            let message = format!("the arguments or results of `{name}` are others in number");
            return error(Code::BoogieSort, place, message);
        }
        let mut vars = Vec::new();
        for ((result, at), &output) in results.into_iter().zip(&callee.outputs) {
            let var = self.target(result, at, work)?;
            if self.program.var(var).sort != self.program.var(output).sort {
                return error(Code::BoogieSort, at, "the result has another type");
            }
            if vars.contains(&var) {
                return error(Code::BoogieSort, at, "the variable takes two results");
            }
            vars.push(var);
        }
        self.preconditions(&procedure, &args, place, work)?;
        let place = self.cursor.span_from(span);
        work.builder.step(Action::Call { proc: procedure.id, args, results: vars.clone() }, place);
        for var in vars {
            self.where_holds(var, work)?;
        }
        Ok(())
    }

    /// What a callee requires of its arguments is checked.
    fn preconditions(
        &mut self,
        procedure: &Procedure<'t>,
        args: &[TermId],
        span: Span,
        work: &mut Work<'t>,
    ) -> Fallible<()> {
        let mut scope = self.scope(procedure.id, &procedure.inputs, &procedure.outputs)?;
        scope.old = None;
        let inputs = self.program.proc(procedure.id).inputs.clone();
        let inputs = inputs.into_iter().map(|input| self.program.term(input));
        let map: Substitution = inputs.zip(args.iter().copied()).collect();
        for clause in procedure.requires.iter().filter(|clause| !clause.is_free) {
            let formula = self.formula(&clause.tree, &mut scope)?;
            let formula = self.program.terms.substitute(formula, &map);
            work.builder.step(stated(false, "requires", formula), span);
        }
        Ok(())
    }
}
