//! Statements: they leave the stack as it was.

use super::{Compiler, Exit, travel};
use crate::c::run::code::{Branching, Cases, Instr, Scope, ScopeId};
use crate::c::tree::{Expr, LabelId, Stmt, StmtKind, Storage};
use alphorn_problem::Span;

impl Compiler<'_> {
    /// A new scope; returns the one around it.
    pub(super) fn open_scope(&mut self, span: Span) -> ScopeId {
        let parent = self.scope;
        let depth = self.code.scopes[parent as usize].depth + 1;
        self.scope = self.code.scopes.len() as ScopeId;
        self.code.scopes.push(Scope { parent, depth, ..Scope::default() });
        self.emit(span, Instr::Enter(self.scope));
        parent
    }

    /// Ends the scope; the one around it is that of what follows.
    pub(super) fn close_scope(&mut self, span: Span, outer: ScopeId) {
        self.emit(span, Instr::Leave(self.scope));
        self.scope = outer;
    }

    /// Where a jump to a mark in this scope goes.
    fn exit(&mut self) -> Exit {
        Exit { mark: self.mark(), scope: self.scope, nesting: self.nesting }
    }

    /// A jump may come here, past declarations of the scopes around.
    fn is_jumped(&mut self) {
        let mut scope = self.scope;
        loop {
            let here = &mut self.code.scopes[scope as usize];
            here.is_jumped = true;
            if here.parent == scope {
                return;
            }
            scope = here.parent;
        }
    }

    /// Where a loop begins again.
    fn loop_head(&mut self, span: Span) {
        self.emit(span, Instr::LoopHead);
        self.look_over(span);
    }

    /// Memory is looked over, if it is asked whether some is lost. Runs without an end come by places where this is
    /// done: loops, labels and the beginnings of functions.
    pub(super) fn look_over(&mut self, span: Span) {
        if self.is_tracking {
            self.emit(span, Instr::LookOver);
        }
    }

    /// The code of a statement. Long: one match, so that a kind without code does not compile.
    pub(super) fn statement(&mut self, statement: &Stmt) {
        let span = statement.span;
        let is_silent = matches!(
            statement.kind,
            StmtKind::Block(_) | StmtKind::Case(..) | StmtKind::Default(_) | StmtKind::Label(..)
        );
        if !is_silent {
            self.emit(span, Instr::Statement);
        }
        match &statement.kind {
            StmtKind::Empty => {}
            StmtKind::Expr(expr) => {
                self.expr(expr);
                self.emit(span, Instr::Pop);
            }
            StmtKind::Declare(var, init) => match (self.unit.var(*var).storage, init) {
                (Storage::Local | Storage::Hidden, Some(init)) => {
                    self.home(*var);
                    self.initialise(*var, init, span);
                }
                (Storage::Local, None) => {
                    self.home(*var);
                    self.any_value(*var, span);
                }
                (Storage::Hidden, None) => {
                    self.home(*var);
                }
                _ => {}
            },
            StmtKind::Block(statements) => {
                let outer = self.open_scope(span);
                for statement in statements {
                    self.statement(statement);
                }
                self.close_scope(span, outer);
            }
            StmtKind::If(condition, then, otherwise) => {
                let other = self.mark();
                self.expr(condition);
                self.emit(span, Instr::Branch(Branching::If, other));
                self.statement(then);
                match otherwise {
                    Some(otherwise) => {
                        let end = self.mark();
                        self.emit(span, Instr::Jump(end));
                        self.put(other);
                        self.statement(otherwise);
                        self.put(end);
                    }
                    None => self.put(other),
                }
            }
            StmtKind::While(condition, body) => {
                self.repeat(span, Some(condition), None, body);
            }
            StmtKind::DoWhile(body, condition) => {
                let (again, next, end) = (self.mark(), self.exit(), self.exit());
                self.put(again);
                self.loop_head(span);
                self.body(body, next, end);
                self.put(next.mark);
                self.expr(condition);
                self.emit(span, Instr::Branch(Branching::Loop, end.mark));
                self.emit(span, Instr::Jump(again));
                self.put(end.mark);
            }
            StmtKind::For(start, condition, step, body) => {
                let outer = self.open_scope(span);
                match start.as_deref() {
                    Some(Stmt { kind: StmtKind::Block(statements), .. }) => {
                        for statement in statements {
                            self.statement(statement);
                        }
                    }
                    Some(start) => self.statement(start),
                    None => {}
                }
                self.repeat(span, condition.as_ref(), step.as_ref(), body);
                self.close_scope(span, outer);
            }
            StmtKind::Switch(value, body) => self.switch(span, value, body),
            StmtKind::Case(low, high, body) => {
                let exit = self.exit();
                self.put(exit.mark);
                self.is_jumped();
                if let Some(cases) = self.switches.last_mut() {
                    cases.ranges.push((*low, *high, exit.mark, exit.scope));
                }
                self.statement(body);
            }
            StmtKind::Default(body) => {
                let exit = self.exit();
                self.put(exit.mark);
                self.is_jumped();
                if let Some(cases) = self.switches.last_mut() {
                    cases.default = (exit.mark, exit.scope);
                }
                self.statement(body);
            }
            StmtKind::Break => self.jump(span, self.breaks.last().copied()),
            StmtKind::Continue => self.jump(span, self.continues.last().copied()),
            StmtKind::Return(value) => match value {
                Some(value) => {
                    self.expr(value);
                    self.emit(span, Instr::Return);
                }
                None => {
                    self.emit(span, Instr::ReturnNothing);
                }
            },
            StmtKind::Goto(label) => {
                let from = self.scope;
                let goes = Instr::Travel { to: 0, from, into: from, is_outside: false };
                let at = self.emit(span, goes);
                self.gotos.push((at, *label, self.nesting));
            }
            StmtKind::GotoValue(value) => {
                self.expr(value);
                self.emit(span, Instr::TravelTo(self.scope));
            }
            StmtKind::Label(label, body) => {
                self.label(*label);
                // After the label, since whoever jumps here comes by.
                self.emit(span, Instr::Statement);
                self.look_over(span);
                self.statement(body);
            }
            StmtKind::Untreated(what) => {
                self.emit(span, Instr::Untreated(what));
            }
        }
    }

    fn label(&mut self, label: LabelId) {
        let exit = self.exit();
        self.put(exit.mark);
        self.is_jumped();
        if let Some(known) = self.labels.get_mut(label.0 as usize) {
            *known = Some(exit);
        }
    }

    fn jump(&mut self, span: Span, exit: Option<Exit>) {
        let instr = match exit {
            Some(exit) => travel(self.scope, self.nesting, exit),
            None => Instr::Untreated("a jump out of nothing"),
        };
        self.emit(span, instr);
    }

    /// The body of a loop.
    fn body(&mut self, body: &Stmt, next: Exit, end: Exit) {
        self.continues.push(next);
        self.breaks.push(end);
        self.statement(body);
        self.breaks.pop();
        self.continues.pop();
    }

    /// A loop that looks at its condition first.
    fn repeat(&mut self, span: Span, condition: Option<&Expr>, step: Option<&Expr>, body: &Stmt) {
        let (again, next, end) = (self.mark(), self.exit(), self.exit());
        self.put(again);
        self.loop_head(span);
        if let Some(condition) = condition {
            self.expr(condition);
            self.emit(span, Instr::Branch(Branching::Loop, end.mark));
        }
        self.body(body, next, end);
        self.put(next.mark);
        if let Some(step) = step {
            self.expr(step);
            self.emit(span, Instr::Pop);
        }
        self.emit(span, Instr::Jump(again));
        self.put(end.mark);
    }

    fn switch(&mut self, span: Span, value: &Expr, body: &Stmt) {
        let end = self.exit();
        self.expr(value);
        let table = self.code.cases.len();
        self.code.cases.push(Cases::default());
        self.emit(span, Instr::Switch(table as u32));
        let from = self.scope;
        let default = (end.mark, end.scope);
        self.switches.push(Cases { from, ranges: Vec::new(), default });
        self.breaks.push(end);
        self.statement(body);
        self.breaks.pop();
        self.code.cases[table] = self.switches.pop().expect("it was pushed above");
        self.put(end.mark);
    }
}
