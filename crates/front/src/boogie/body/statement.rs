//! Single statements of Boogie: assertions, assignments, jumps and loops.

use super::{Open, Work, stated};
use crate::boogie::GRAMMAR;
use crate::boogie::declare::{Reader, error, unsupported};
use crate::diag::Code;
use crate::infix::{Fallible, Kind, Tree, parse};
use alphorn_problem::Span;
use alphorn_program::form::{Action, BlockId, Check, Jump, VarId};
use alphorn_term::TermId;

impl<'t> Reader<'t> {
    pub(super) fn statement(
        &mut self,
        span: Span,
        label: Option<&'t str>,
        open: &mut Vec<Open<'t>>,
        work: &mut Work<'t>,
    ) -> Fallible<()> {
        if self.cursor.is_at_end() {
            return Err(self.cursor.unexpected("a statement"));
        }
        if self.cursor.eat("{").is_some() {
            open.push(Open::Group);
            return Ok(());
        }
        let word = match self.cursor.peek().kind {
            Kind::Name => self.cursor.text(span),
            _ => return Err(self.cursor.unexpected("a statement")),
        };
        match word {
            "if" => {
                self.cursor.take();
                let (then, otherwise) = self.branch(span, work)?;
                let end = work.builder.block(span);
                work.builder.here = then;
                open.push(Open::Then { otherwise, end });
                return Ok(());
            }
            "while" => {
                self.cursor.take();
                let opened = self.while_loop(span, label, work)?;
                open.push(opened);
                return Ok(());
            }
            "assert" | "assume" => {
                self.cursor.take();
                self.attributes(&[])?;
                let tree = parse(&mut self.cursor, &GRAMMAR)?;
                let formula = self.formula(&tree, &mut work.scope)?;
                let action = match word {
                    "assert" => Action::Check(Check { property: word.to_owned(), formula }),
                    _ => Action::Assume(formula),
                };
                work.builder.step(action, self.cursor.span_from(span));
            }
            "havoc" => {
                self.cursor.take();
                let names = self.cursor.names("a variable")?;
                let vars: Fallible<Vec<VarId>> =
                    names.iter().map(|(name, place)| self.target(name, *place, work)).collect();
                let vars = vars?;
                work.builder.step(Action::Havoc(vars.clone()), span);
                for var in vars {
                    self.where_holds(var, work)?;
                }
            }
            "goto" => {
                self.cursor.take();
                let names = self.cursor.names("a label")?;
                let labels = names.iter().map(|(name, place)| work.builder.label(name, *place));
                let targets: Vec<BlockId> = labels.collect();
                work.builder.leave(Jump::Choose(targets), span);
            }
            "return" => {
                self.cursor.take();
                work.builder.leave(Jump::Goto(work.builder.exit), span);
            }
            "break" => {
                self.cursor.take();
                let wanted = match self.cursor.peek().kind {
                    Kind::Name => Some(self.cursor.name("a label")?.0),
                    _ => None,
                };
                let exit = open.iter().rev().find_map(|open| match open {
                    Open::While { exit, label, .. } if wanted.is_none() || wanted == *label => {
                        Some(*exit)
                    }
                    _ => None,
                });
                let Some(exit) = exit else {
                    return error(Code::BoogieSyntax, span, "there is no loop here to leave");
                };
                work.builder.leave(Jump::Goto(exit), span);
            }
            "call" => {
                self.cursor.take();
                self.call(span, work)?;
            }
            "async" | "par" | "yield" => {
                return unsupported(span, format!("`{word}` is not treated"));
            }
            _ => self.assignment(span, work)?,
        }
        self.cursor.expect(";").map(|_| ())
    }

    fn while_loop(
        &mut self,
        span: Span,
        label: Option<&'t str>,
        work: &mut Work<'t>,
    ) -> Fallible<Open<'t>> {
        let condition = self.condition()?;
        let head = work.builder.fall(span);
        work.builder.get(head).label = Some(label.unwrap_or("loop").to_owned());
        while self.cursor.is("invariant") || self.cursor.is("free") {
            let is_free = self.cursor.eat("free").is_some();
            let place = self.cursor.expect("invariant")?.span;
            self.attributes(&[])?;
            let tree = parse(&mut self.cursor, &GRAMMAR)?;
            self.cursor.expect(";")?;
            let formula = self.formula(&tree, &mut work.scope)?;
            work.builder.step(stated(is_free, "invariant", formula), place);
        }
        let (body, exit) = self.branch_on(condition, span, work)?;
        self.cursor.expect("{")?;
        work.builder.here = body;
        Ok(Open::While { head, exit, label })
    }

    /// A variable that can be changed.
    pub(in crate::boogie) fn target(
        &self,
        name: &str,
        span: Span,
        work: &Work<'t>,
    ) -> Fallible<VarId> {
        if let Some(&var) = work.targets.get(name) {
            return Ok(var);
        }
        match self.globals.get(name) {
            _ if work.scope.names.contains_key(name) => {
                error(Code::BoogieSort, span, format!("the parameter `{name}` cannot be changed"))
            }
            Some(var) if self.constants.contains(var) => {
                error(Code::BoogieSort, span, format!("the constant `{name}` cannot be changed"))
            }
            Some(&var) => Ok(var),
            None => self.undeclared(name, span, "variable"),
        }
    }

    /// What a declaration says of a variable holds of any value it gets.
    pub(in crate::boogie) fn where_holds(
        &mut self,
        var: VarId,
        work: &mut Work<'t>,
    ) -> Fallible<()> {
        let Some(tree) = self.conditions.get(&var).cloned() else { return Ok(()) };
        let formula = self.formula(&tree, &mut work.scope)?;
        work.builder.step(Action::Assume(formula), tree.span);
        Ok(())
    }

    /// `x, m[i] := a, b`
    fn assignment(&mut self, span: Span, work: &mut Work<'t>) -> Fallible<()> {
        let mut targets: Vec<(VarId, Vec<Tree>, Span)> = Vec::new();
        loop {
            let (name, place) = self.cursor.name("a statement")?;
            let var = self.target(name, place, work)?;
            let mut indices = Vec::new();
            while self.cursor.eat("[").is_some() {
                indices.push(parse(&mut self.cursor, &GRAMMAR)?);
                while self.cursor.eat(",").is_some() {
                    indices.push(parse(&mut self.cursor, &GRAMMAR)?);
                }
                self.cursor.expect("]")?;
            }
            targets.push((var, indices, place));
            if self.cursor.eat(",").is_none() {
                break;
            }
        }
        self.cursor.expect(":=")?;
        let mut pairs: Vec<(VarId, TermId)> = Vec::new();
        for (index, (var, indices, place)) in targets.iter().enumerate() {
            if index > 0 {
                self.cursor.expect(",")?;
            }
            let tree = parse(&mut self.cursor, &GRAMMAR)?;
            let value = match indices.is_empty() {
                true => self.value_of(&tree, self.program.var(*var).sort, &mut work.scope)?,
                false => {
                    let value = self.value(&tree, &mut work.scope)?;
                    let at: Fallible<Vec<TermId>> =
                        indices.iter().map(|index| self.value(index, &mut work.scope)).collect();
                    self.updated(self.program.term(*var), &at?, value, *place)?
                }
            };
            if pairs.iter().any(|(other, _)| other == var) {
                return error(Code::BoogieSort, *place, "the variable is assigned twice at once");
            }
            pairs.push((*var, value));
        }
        work.builder.step(Action::Assign(pairs), self.cursor.span_from(span));
        Ok(())
    }
}
