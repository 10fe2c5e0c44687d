//! Clauses.

use super::value::Value;
use super::{GRAMMAR, Reader};
use crate::diag::{Code, Diagnostic};
use crate::infix::{Fallible, parse};
use alphorn_problem::Span;
use alphorn_problem::horn::{Clause, Head};
use alphorn_term::TermId;

impl Reader<'_> {
    /// A clause with its point.
    pub(super) fn clause(&mut self, start: Span) -> Fallible<()> {
        let head_tree = parse(&mut self.cursor, &GRAMMAR)?;
        let body_tree = match self.cursor.eat(":-") {
            Some(_) => Some(parse(&mut self.cursor, &GRAMMAR)?),
            None => None,
        };
        if self.cursor.is("<=") {
            let message = "`<=` is no comparison here";
            let place = self.cursor.peek().span;
            let diagnostic = Diagnostic::error(Code::PrologSyntax, place, message);
            return Err(Box::new(diagnostic.hint("at most is written =<")));
        }
        if !self.cursor.is(".") {
            return Err(self.cursor.unexpected("`.` at the end of the clause"));
        }
        // From here on the clause is whole, and reading goes on behind it.
        self.cursor.take();
        let span = self.cursor.span_from(start);
        let result = self.whole(&head_tree, body_tree.as_ref(), span);
        if let Err(diagnostic) = result {
            self.report(*diagnostic);
        }
        Ok(())
    }

    fn whole(
        &mut self,
        head: &crate::infix::Tree,
        body: Option<&crate::infix::Tree>,
        span: Span,
    ) -> Fallible<()> {
        let value = self.value(head)?;
        let head = self.head(value, head.span)?;
        let body = match body {
            Some(tree) => {
                let value = self.value(tree)?;
                self.formula(value)?.0
            }
            None => TermId::TRUE,
        };
        let mut roots = vec![body];
        if let Head::Atom(_, arguments) = &head {
            roots.extend(arguments);
        }
        let vars = self.horn.terms.free_vars(&roots);
        self.horn.clauses.push(Clause { vars, body, head, name: None, span });
        Ok(())
    }

    /// The head of a clause: a relation, or false.
    fn head(&mut self, value: Value, span: Span) -> Fallible<Head> {
        let (term, _) = self.formula(value)?;
        if let Some(pred) = self.horn.atom(term) {
            return Ok(Head::Atom(pred, self.horn.terms.args(term).to_vec()));
        }
        if term == TermId::FALSE {
            return Ok(Head::False);
        }
        let message = "the head of a clause is a relation or false";
        Err(Box::new(Diagnostic::error(Code::PrologNotHorn, span, message)))
    }
}
