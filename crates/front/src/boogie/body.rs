//! Statements, read straight into blocks.
//!
//! Conditionals and loops that are open wait on a stack, so that depth is bounded by memory alone.

mod statement;

use super::GRAMMAR;
use super::declare::{Reader, error};
use super::value::Scope;
use crate::blocks::Builder;
use crate::diag::Code;
use crate::infix::{Fallible, Kind, Tree, parse};
use alphorn_problem::Span;
use alphorn_program::form::{Action, BlockId, Check, Jump, VarId};
use alphorn_term::TermId;
use std::collections::BTreeMap;

/// A statement that is open.
enum Open<'t> {
    /// The first branch of a conditional: where the other begins, and where both meet.
    Then {
        otherwise: BlockId,
        end: BlockId,
    },
    Else {
        end: BlockId,
    },
    While {
        head: BlockId,
        exit: BlockId,
        label: Option<&'t str>,
    },
    /// Braces that only group.
    Group,
}

/// A body that is being read.
pub(super) struct Work<'t> {
    pub builder: Builder,
    pub scope: Scope<'t>,
    /// What can be assigned: locals and results; parameters cannot.
    pub targets: BTreeMap<&'t str, VarId>,
    pub locals: Vec<VarId>,
}

impl<'t> Reader<'t> {
    /// Reads the body at the cursor, from its brace to the one that closes it.
    pub(super) fn body(&mut self, work: &mut Work<'t>) -> Fallible<()> {
        self.cursor.expect("{")?;
        while self.cursor.eat("var").is_some() {
            self.attributes(&[])?;
            let declared = self.typed_list()?;
            self.cursor.expect(";")?;
            for typed in declared {
                let sort = self.sort_at(typed.sort)?;
                let var = self.program.add_var(typed.name, sort, typed.span);
                work.locals.push(var);
                work.scope.names.insert(typed.name, self.program.term(var));
                if work.targets.insert(typed.name, var).is_some() {
                    let message = format!("`{}` is declared twice", typed.name);
                    return error(Code::BoogieRedeclared, typed.span, message);
                }
                if let Some(condition) = typed.condition {
                    self.conditions.insert(var, condition);
                }
            }
        }
        for var in work.locals.clone() {
            self.where_holds(var, work)?;
        }
        let mut open: Vec<Open<'t>> = Vec::new();
        let mut label = None;
        loop {
            let span = self.cursor.peek().span;
            if self.cursor.eat("}").is_some() {
                match open.pop() {
                    None => break,
                    Some(last) => self.close(last, &mut open, work)?,
                }
                label = None;
                continue;
            }
            let is_label = self.cursor.peek().kind == Kind::Name
                && self.cursor.peek_second().kind == Kind::Symbol(":");
            if is_label {
                let (name, place) = self.cursor.name("a label")?;
                self.cursor.take();
                self.label(name, place, work)?;
                label = Some(name);
                continue;
            }
            self.statement(span, label.take(), &mut open, work)?;
        }
        let exit = work.builder.exit;
        work.builder.jump(Jump::Goto(exit), exit);
        match work.builder.labels.iter().find_map(|(name, (_, at))| Some((name, (*at)?))) {
            None => Ok(()),
            Some((name, at)) => {
                error(Code::BoogieUndeclared, at, format!("there is no label `{name}`"))
            }
        }
    }

    fn label(&mut self, name: &str, span: Span, work: &mut Work<'t>) -> Fallible<()> {
        let block = work.builder.label(name, span);
        if work.builder.labels.get_mut(name).and_then(|label| label.1.take()).is_none() {
            return error(Code::BoogieRedeclared, span, format!("the label `{name}` stands twice"));
        }
        work.builder.get(block).label = Some(name.to_owned());
        work.builder.jump(Jump::Goto(block), block);
        Ok(())
    }

    /// Ends what is open at its closing brace.
    fn close(
        &mut self,
        last: Open<'t>,
        open: &mut Vec<Open<'t>>,
        work: &mut Work<'t>,
    ) -> Fallible<()> {
        match last {
            Open::Group => {}
            Open::While { head, exit, .. } => work.builder.jump(Jump::Goto(head), exit),
            Open::Else { end } => work.builder.jump(Jump::Goto(end), end),
            Open::Then { otherwise, end } => {
                work.builder.jump(Jump::Goto(end), otherwise);
                if self.cursor.eat("else").is_none() {
                    work.builder.jump(Jump::Goto(end), end);
                } else if self.cursor.is("if") {
                    let span = self.cursor.take().span;
                    let (then, otherwise) = self.branch(span, work)?;
                    work.builder.here = then;
                    open.push(Open::Then { otherwise, end });
                } else {
                    self.cursor.expect("{")?;
                    open.push(Open::Else { end });
                }
            }
        }
        Ok(())
    }

    /// Takes `(condition) {`, or `(*) {`, and branches.
    fn branch(&mut self, span: Span, work: &mut Work<'t>) -> Fallible<(BlockId, BlockId)> {
        let condition = self.condition()?;
        let blocks = self.branch_on(condition, span, work)?;
        self.cursor.expect("{")?;
        Ok(blocks)
    }

    /// Takes `(condition)`, or `(*)`, which is none.
    fn condition(&mut self) -> Fallible<Option<Tree>> {
        self.cursor.expect("(")?;
        let condition = if self.cursor.eat("*").is_some() {
            None
        } else {
            Some(parse(&mut self.cursor, &GRAMMAR)?)
        };
        self.cursor.expect(")")?;
        Ok(condition)
    }

    fn branch_on(
        &mut self,
        condition: Option<Tree>,
        span: Span,
        work: &mut Work<'t>,
    ) -> Fallible<(BlockId, BlockId)> {
        match condition {
            Some(tree) => {
                let condition = self.formula(&tree, &mut work.scope)?;
                Ok(work.builder.branch(condition, span))
            }
            None => {
                let (then, otherwise) = (work.builder.block(span), work.builder.block(span));
                let here = work.builder.here;
                work.builder.get(here).jump = Jump::Choose(vec![then, otherwise]);
                Ok((then, otherwise))
            }
        }
    }
}
/// What is checked, or assumed where it is free.
pub(super) fn stated(is_free: bool, property: &str, formula: TermId) -> Action {
    match is_free {
        true => Action::Assume(formula),
        false => Action::Check(Check { property: property.to_owned(), formula }),
    }
}
