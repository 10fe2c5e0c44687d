//! Terms as Prolog writes them: with the parentheses that precedence asks for, without recursion.

use super::{MAX_CLAUSE_TERMS, Writer, refused};
use crate::diag::Diagnostic;
use crate::infix::written::{AND, ATOM, COMPARISON, NOT, OR, PRODUCT, Piece, SUM};
use alphorn_problem::Span;
use alphorn_term::{Op, SortId, TermId};
use std::collections::BTreeMap;

impl Writer<'_> {
    /// Writes a formula.
    pub(super) fn term(
        &self,
        root: TermId,
        span: Span,
        names: &BTreeMap<TermId, String>,
        out: &mut String,
    ) -> Result<(), Diagnostic> {
        if self.store.tree_size(root) > MAX_CLAUSE_TERMS {
            return Err(refused(span, "written without sharing, this clause is too long"));
        }
        // A formula that is a conjunct needs parentheses if it is one itself, or weaker.
        let mut pieces = vec![Piece::Term(root, AND + 1)];
        let mut written = 0u64;
        while let Some(piece) = pieces.pop() {
            written += 1;
            if written > 8 * MAX_CLAUSE_TERMS {
                return Err(refused(span, "written without sharing, this clause is too long"));
            }
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Term(term, around) => {
                    self.piece(term, around, span, names, &mut pieces, out)?
                }
            }
        }
        Ok(())
    }

    /// Writes what is a word, and puts off the parts of anything else.
    fn piece(
        &self,
        term: TermId,
        around: u8,
        span: Span,
        names: &BTreeMap<TermId, String>,
        pieces: &mut Vec<Piece>,
        out: &mut String,
    ) -> Result<(), Diagnostic> {
        let (store, args) = (&self.store, self.store.args(term));
        let is_formula = args.first().is_some_and(|&arg| store.sort(arg) == SortId::BOOL);
        let (word, power) = match store.op(term) {
            Op::True => (" = ", COMPARISON),
            Op::False => (" = ", COMPARISON),
            Op::IntVal(_) => {
                let value = store.int_value(term).expect("an integer literal has a value");
                // A sign binds weaker than an operator in front of it may.
                let text = match value.is_negative() && around > SUM {
                    true => format!("({value})"),
                    false => value.to_string(),
                };
                out.push_str(&text);
                return Ok(());
            }
            Op::Var(_) => {
                out.push_str(&names[&term]);
                return Ok(());
            }
            Op::Apply(func) => match self.horn.pred_of(func) {
                Some(pred) => {
                    self.atom(pred, args, names, out);
                    return Ok(());
                }
                None => return Err(refused(span, "clauses in Prolog have no functions")),
            },
            Op::Not => ("\\+ ", NOT),
            Op::And => (", ", AND),
            Op::Or => (" ; ", OR),
            Op::Eq if is_formula => (" ; ", OR),
            Op::Ite if store.sort(term) == SortId::BOOL => (" ; ", OR),
            Op::Eq => (" = ", COMPARISON),
            Op::Le => (" =< ", COMPARISON),
            Op::Lt => (" < ", COMPARISON),
            Op::Add => (" + ", SUM),
            Op::Mul => (" * ", PRODUCT),
            Op::IntDiv => (" / ", PRODUCT),
            Op::Mod => (" mod ", PRODUCT),
            op => {
                let message = format!("clauses in Prolog cannot say {op:?}");
                return Err(refused(span, message));
            }
        };
        let closes = power < around;
        if closes {
            out.push('(');
        }
        pieces.extend(closes.then_some(Piece::Text(")")));
        pieces.extend(self.parts(term, word, power).into_iter().rev());
        Ok(())
    }

    /// What a term consists of, from left to right, without the parentheses around it.
    fn parts(&self, term: TermId, word: &'static str, power: u8) -> Vec<Piece> {
        let (store, args) = (&self.store, self.store.args(term));
        let mut parts: Vec<Piece> = Vec::new();
        let join = |parts: &mut Vec<Piece>, list: &[TermId], word: &'static str, power: u8| {
            for (position, &arg) in list.iter().enumerate() {
                if position > 0 {
                    parts.push(Piece::Text(word));
                }
                parts.push(Piece::Term(arg, power));
            }
        };
        match store.op(term) {
            Op::True => parts.push(Piece::Text("1 = 1")),
            Op::False => parts.push(Piece::Text("1 = 0")),
            Op::Not => {
                let inner = args[0];
                match (store.op(inner), store.args(inner)) {
                    (Op::Eq, &[left, right]) if store.sort(left) == SortId::INT => {
                        join(&mut parts, &[left, right], " =\\= ", COMPARISON + 1);
                    }
                    _ => {
                        parts.push(Piece::Text("\\+("));
                        parts.push(Piece::Term(inner, 0));
                        parts.push(Piece::Text(")"));
                    }
                }
            }
            Op::Eq if store.sort(args[0]) == SortId::BOOL => {
                join(&mut parts, args, ", ", AND + 1);
                parts.push(Piece::Text(" ; \\+("));
                join(&mut parts, args, "), \\+(", 0);
                parts.push(Piece::Text(")"));
            }
            Op::Ite => {
                join(&mut parts, &args[..2], ", ", AND + 1);
                parts.push(Piece::Text(" ; \\+("));
                parts.push(Piece::Term(args[0], 0));
                parts.push(Piece::Text("), "));
                parts.push(Piece::Term(args[2], AND + 1));
            }
            // Nothing but numbers and names stands beside these without parentheses.
            Op::IntDiv | Op::Mod => join(&mut parts, args, word, ATOM),
            _ => join(&mut parts, args, word, power + 1),
        }
        parts
    }
}
