//! Operators of NTS: connectives, sums, comparisons, and what quantifiers bind.

use super::{Evaluator, Parts, Value, error};
use crate::diag::Code;
use crate::infix::{Fallible, compare, divide, remainder, same_sort};
use alphorn_problem::Span;
use alphorn_term::{SortId, TermId};

impl<'t> Evaluator<'t, '_> {
    pub(super) fn conjunction(&mut self, operands: Vec<Value>, span: Span) -> Fallible<Value> {
        let mut all = Parts::default();
        for operand in operands {
            let parts = match operand {
                Value::Frame(frame) => Parts { frame: Some(frame), ..Parts::default() },
                Value::Call(call) => Parts { call: Some(call), ..Parts::default() },
                Value::Parts(parts) => parts,
                other => {
                    let formulas = vec![self.truth(other, span)?];
                    Parts { formulas, ..Parts::default() }
                }
            };
            if all.frame.is_some() && parts.frame.is_some() {
                return error(Code::NtsSyntax, span, "an edge has one havoc");
            }
            if let (Some(_), Some(second)) = (&all.call, &parts.call) {
                return error(Code::NtsSyntax, second.name, "an edge has one call");
            }
            all.formulas.extend(parts.formulas);
            all.frame = all.frame.or(parts.frame);
            all.call = all.call.or(parts.call);
        }
        Ok(match (&all.frame, &all.call) {
            (None, None) => Value::Term(self.program.terms.and(&all.formulas)),
            _ => Value::Parts(all),
        })
    }

    /// Operands as terms of one sort, if they have one.
    fn alike(
        &mut self,
        operands: Vec<Value>,
        span: Span,
        read: fn(&mut Self, Value, Span) -> Fallible<TermId>,
    ) -> Fallible<(Vec<TermId>, Option<SortId>)> {
        let terms = operands.into_iter().map(|operand| read(self, operand, span));
        let mut terms = terms.collect::<Fallible<Vec<TermId>>>()?;
        let sort = same_sort(&mut self.program.terms, &mut terms);
        Ok((terms, sort))
    }

    pub(super) fn arithmetic(
        &mut self,
        word: &str,
        operands: Vec<Value>,
        span: Span,
    ) -> Fallible<TermId> {
        let (terms, sort) = self.alike(operands, span, Self::number)?;
        let store = &mut self.program.terms;
        Ok(match word {
            "+" => store.add(&terms),
            "-" => store.sub(terms[0], terms[1]),
            "*" => store.mul(&terms),
            "/" => divide(store, terms[0], terms[1]),
            _ if sort == Some(SortId::INT) => remainder(store, terms[0], terms[1]),
            _ => return error(Code::NtsSort, span, "`%` is the remainder of integers"),
        })
    }

    pub(super) fn comparison(
        &mut self,
        word: &str,
        operands: Vec<Value>,
        span: Span,
    ) -> Fallible<TermId> {
        let (terms, sort) = self.alike(operands, span, Self::term)?;
        let store = &mut self.program.terms;
        let is_equality = matches!(word, "=" | "==" | "!=");
        match sort {
            Some(sort) if sort.is_arithmetic() || is_equality => {
                Ok(compare(store, word, terms[0], terms[1]))
            }
            _ => error(Code::NtsSort, span, "these two cannot be compared"),
        }
    }

    /// The variables of `x, y : int, z : real .`
    pub(super) fn bindings(&mut self, span: Span) -> Fallible<Vec<(&'t str, TermId)>> {
        let mut cursor = self.cursor.at(span.start);
        let mut bound = Vec::new();
        loop {
            let names = cursor.names("a variable")?;
            cursor.expect(":")?;
            let (name, place) = cursor.name("a type")?;
            let sort = match name {
                "int" => SortId::INT,
                "real" => SortId::REAL,
                "bool" => SortId::BOOL,
                _ => return error(Code::NtsSyntax, place, format!("`{name}` is no type")),
            };
            for (name, _) in names {
                bound.push((name, self.program.terms.fresh_var(name, sort)));
            }
            if cursor.eat(",").is_none() {
                return Ok(bound);
            }
        }
    }
}
