//! Statements of SV-LIB without statements in them: assignments, choices, assumptions, calls, jumps.

use super::Open;
use crate::blocks::Builder;
use crate::diag::Code;
use crate::smtlib::{Fallible, Kind};
use crate::svlib::commands::{Reader, error};
use alphorn_problem::Span;
use alphorn_program::form::{Action, Jump, VarId};
use alphorn_term::{SortId, TermId};

impl Reader<'_> {
    /// A statement without others in it.
    pub(super) fn simple(
        &mut self,
        word: &str,
        span: Span,
        open: &[Open],
        builder: &mut Builder,
    ) -> Fallible<()> {
        match word {
            "assume" => {
                let formula = self.formula()?;
                builder.step(Action::Assume(formula), span);
            }
            "assign" => {
                let pairs = self.assignments()?;
                if !pairs.is_empty() {
                    builder.step(Action::Assign(pairs), span);
                }
            }
            "havoc" => {
                let mut vars = Vec::new();
                while self.cursor.peek().kind != Kind::Close {
                    vars.push(self.target()?);
                }
                if !vars.is_empty() {
                    builder.step(Action::Havoc(vars), span);
                }
            }
            "call" => self.call(span, builder)?,
            "return" => builder.leave(Jump::Goto(builder.exit), span),
            "break" | "continue" => {
                let target = open.iter().rev().find_map(|open| match open {
                    Open::While { head, exit, .. } => Some((*head, *exit)),
                    _ => None,
                });
                let Some((head, exit)) = target else {
                    return error(Code::SvlibStatement, span, format!("{word} stands in no loop"));
                };
                let target = if word == "break" { exit } else { head };
                builder.leave(Jump::Goto(target), span);
            }
            "goto" => {
                let token = self.cursor.symbol("a label")?;
                let name = self.cursor.text_of(token);
                let target = builder.label(name, token.span());
                builder.leave(Jump::Goto(target), span);
            }
            "label" => {
                let token = self.cursor.symbol("a label")?;
                let name = self.cursor.text_of(token);
                let block = builder.label(name, token.span());
                let seen = builder.labels.get_mut(name).and_then(|label| label.1.take());
                if seen.is_none() {
                    let message = format!("the label `{name}` stands twice");
                    return error(Code::SvlibStatement, token.span(), message);
                }
                builder.get(block).label = Some(name.to_owned());
                // Who jumps to an annotated label reaches its annotations.
                match open.last() {
                    Some(Open::Annotated { place, start, .. }) if *start == builder.here => {
                        let before = place.before;
                        builder.get(block).jump = Jump::Goto(before);
                    }
                    _ => builder.jump(Jump::Goto(block), block),
                }
            }
            _ => {
                let message = format!("there is no statement `{word}`");
                return error(Code::SvlibStatement, span, message);
            }
        }
        Ok(())
    }

    /// Reads a formula.
    pub(in crate::svlib) fn formula(&mut self) -> Fallible<TermId> {
        let place = self.cursor.peek().start;
        let term = self.context.parse_term(&mut self.cursor)?;
        if self.context.store().sort(term) != SortId::BOOL {
            let span = self.cursor.span_from(place);
            return error(Code::SvlibSort, span, "a formula is needed here");
        }
        Ok(term)
    }

    /// Reads a variable that can be changed.
    fn target(&mut self) -> Fallible<VarId> {
        let token = self.cursor.symbol("a variable")?;
        let name = self.cursor.text_of(token);
        match self.variable(name) {
            Some(var) => Ok(var),
            None => error(Code::SvlibSort, token.span(), format!("`{name}` is no variable here")),
        }
    }

    fn assignments(&mut self) -> Fallible<Vec<(VarId, TermId)>> {
        let mut pairs: Vec<(VarId, TermId)> = Vec::new();
        while self.cursor.peek().kind != Kind::Close {
            let start = self.cursor.open("(variable value)")?.start;
            let var = self.target()?;
            let value = self.context.parse_term(&mut self.cursor)?;
            self.cursor.close("a closing parenthesis")?;
            let span = self.cursor.span_from(start);
            let value = self.fitting(value, self.program.var(var).sort, span)?;
            if pairs.iter().any(|(other, _)| *other == var) {
                return error(Code::SvlibStatement, span, "the variable is assigned twice at once");
            }
            pairs.push((var, value));
        }
        Ok(pairs)
    }

    fn call(&mut self, span: Span, builder: &mut Builder) -> Fallible<()> {
        let (proc, args) = self.call_head()?;
        self.cursor.open("the variables for the results")?;
        let mut results = Vec::new();
        while self.cursor.peek().kind != Kind::Close {
            let var = self.target()?;
            if results.contains(&var) {
                return error(Code::SvlibStatement, span, "a variable takes two results");
            }
            results.push(var);
        }
        self.cursor.close("a closing parenthesis")?;
        let outputs = &self.program.proc(proc).outputs;
        let fits = outputs.len() == results.len()
            && outputs.iter().zip(&results).all(|(&output, &result)| {
                self.program.var(output).sort == self.program.var(result).sort
            });
        if !fits {
            let name = &self.program.proc(proc).name;
            let message = format!("the results of `{name}` are others in number or sort");
            return error(Code::SvlibSort, span, message);
        }
        builder.step(Action::Call { proc, args, results }, span);
        Ok(())
    }
}
