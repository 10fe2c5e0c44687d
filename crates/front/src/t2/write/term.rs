//! Terms as T2 writes them: with the parentheses that precedence asks for, without recursion.

use super::{Writer, refused};
use crate::diag::Diagnostic;
use crate::infix::written::{AND, ATOM, COMPARISON, OR, PRODUCT, Piece, SUM};
use alphorn_problem::Span;
use alphorn_term::{Op, SortId, TermId};
use std::collections::BTreeSet;
use std::fmt::Write;

impl Writer<'_> {
    pub(super) fn term(
        &self,
        root: TermId,
        around: u8,
        once: &BTreeSet<TermId>,
        span: Span,
        out: &mut String,
    ) -> Result<(), Diagnostic> {
        let mut pieces = vec![Piece::Term(root, around)];
        while let Some(piece) = pieces.pop() {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Term(term, around) => {
                    self.piece(term, around, once, span, &mut pieces, out)?;
                }
            }
        }
        Ok(())
    }

    fn piece(
        &self,
        term: TermId,
        around: u8,
        once: &BTreeSet<TermId>,
        span: Span,
        pieces: &mut Vec<Piece>,
        out: &mut String,
    ) -> Result<(), Diagnostic> {
        let (store, args) = (&self.store, self.store.args(term));
        let are_numbers = args.first().is_some_and(|&arg| store.sort(arg) == SortId::INT);
        let (word, power) = match store.op(term) {
            Op::True => ("0 == 0", COMPARISON),
            Op::False => ("0 == 1", COMPARISON),
            Op::IntVal(_) => {
                let value = store.int_value(term).expect("an integer literal has a value");
                let _ = match value.is_negative() {
                    true => write!(out, "({value})"),
                    false => write!(out, "{value}"),
                };
                return Ok(());
            }
            Op::Var(_) if once.contains(&term) => ("nondet()", ATOM),
            Op::Var(_) => match self.vars.get(&term) {
                Some(name) => {
                    out.push_str(name);
                    return Ok(());
                }
                None => return Err(refused(span, "T2 has no truth values as variables")),
            },
            Op::Not => ("!", ATOM),
            Op::And => (" && ", AND),
            Op::Or => (" || ", OR),
            Op::Eq if are_numbers => (" == ", COMPARISON),
            Op::Le => (" <= ", COMPARISON),
            Op::Lt => (" < ", COMPARISON),
            Op::Add => (" + ", SUM),
            Op::Mul => (" * ", PRODUCT),
            op => return Err(refused(span, format!("T2's formulas cannot say {op:?}"))),
        };
        if args.is_empty() {
            out.push_str(word);
            return Ok(());
        }
        let closes = power < around;
        if closes {
            out.push('(');
            pieces.push(Piece::Text(")"));
        }
        if store.op(term) == Op::Not {
            out.push_str("!(");
            pieces.push(Piece::Text(")"));
            pieces.push(Piece::Term(args[0], 0));
            return Ok(());
        }
        for (position, &arg) in args.iter().enumerate().rev() {
            pieces.push(Piece::Term(arg, power + 1));
            if position > 0 {
                pieces.push(Piece::Text(word));
            }
        }
        Ok(())
    }
}
