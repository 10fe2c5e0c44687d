//! What expressions mean.

mod apply;

use super::declare::{Reader, error};
use super::sorts;
use crate::diag::Code;
use crate::infix::{Cursor, Fallible, Node, Shape, Tree, compare, decimal, integer, remainder};
use alphorn_problem::Span;
use alphorn_program::form::VarId;
use alphorn_term::{Bv, Op, Sort, SortId, TermId};
use std::collections::BTreeMap;

/// What can be named in an expression besides globals, and what `old` means.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope<'t> {
    /// Parameters and locals, or parameters of a function.
    pub names: BTreeMap<&'t str, TermId>,
    /// What quantifiers bind, innermost last.
    pub bound: Vec<Vec<(&'t str, TermId)>>,
    /// The values of globals at the beginning of the procedure, for those asked for; none where there is
    /// no beginning.
    pub old: Option<BTreeMap<VarId, TermId>>,
}

/// A value with its place, for messages.
type Value = (TermId, Span);

impl<'t> Reader<'t> {
    /// A formula.
    pub(super) fn formula(&mut self, tree: &Tree, scope: &mut Scope<'t>) -> Fallible<TermId> {
        let term = self.value(tree, scope)?;
        match self.program.terms.sort(term) == SortId::BOOL {
            true => Ok(term),
            false => error(Code::BoogieSort, tree.span, "a formula is needed here"),
        }
    }

    /// A value of a sort.
    pub(super) fn value_of(
        &mut self,
        tree: &Tree,
        sort: SortId,
        scope: &mut Scope<'t>,
    ) -> Fallible<TermId> {
        let term = self.value(tree, scope)?;
        let found = self.program.terms.sort(term);
        if found == sort {
            return Ok(term);
        }
        let store = &self.program.terms;
        let (found, sort) = (store.show_sort(found), store.show_sort(sort));
        error(Code::BoogieSort, tree.span, format!("{sort} is needed here, and this is {found}"))
    }

    /// The value of an expression.
    pub(super) fn value(&mut self, tree: &Tree, scope: &mut Scope<'t>) -> Fallible<TermId> {
        let depth = scope.bound.len();
        let result = self.evaluate(tree, scope);
        scope.bound.truncate(depth);
        result
    }

    fn evaluate(&mut self, tree: &Tree, scope: &mut Scope<'t>) -> Fallible<TermId> {
        let (term, _) = tree.fold(|node, operands| {
            if node.shape == Shape::Binding {
                let bound = self.bindings(node.span)?;
                scope.bound.push(bound);
                return Ok(None);
            }
            let term = self.node(node, &operands, scope)?;
            Ok(Some((term, node.span)))
        })?;
        Ok(term)
    }

    fn node(&mut self, node: Node, operands: &[Value], scope: &mut Scope<'t>) -> Fallible<TermId> {
        let span = node.span;
        let text = self.cursor.text(span);
        let terms: Vec<TermId> = operands.iter().map(|operand| operand.0).collect();
        match node.shape {
            Shape::Name => self.named(text, span, scope),
            Shape::Number => Ok(self.program.terms.int(integer(text))),
            Shape::Decimal => Ok(self.program.terms.real(decimal(text))),
            Shape::Word => self.word(text, span),
            Shape::Text => error(Code::BoogieSort, span, "a text is no value"),
            Shape::Call(_) => self.application(text, span, operands, scope),
            Shape::Prefix("!") => {
                self.all(operands, SortId::BOOL, "a formula")?;
                Ok(self.program.terms.not(terms[0]))
            }
            Shape::Prefix(_) => {
                self.numbers(operands)?;
                Ok(self.program.terms.neg(terms[0]))
            }
            Shape::Infix(word) => self.infix(word, span, operands),
            Shape::Index => self.selected(&terms, span),
            Shape::Update => {
                let (value, indices) = terms[1..].split_last().expect("an update has a value");
                self.updated(terms[0], indices, *value, span)
            }
            Shape::Bits => self.bits(&terms, span),
            Shape::Conditional => match self.program.terms.app(Op::Ite, &terms) {
                Ok(term) => Ok(term),
                Err(_) => error(
                    Code::BoogieSort,
                    span,
                    "the condition is no formula, or the values differ in type",
                ),
            },
            Shape::Binder(word) => {
                self.all(operands, SortId::BOOL, "a formula")?;
                let bound = scope.bound.pop().unwrap_or_default();
                let vars: Vec<TermId> = bound.into_iter().map(|(_, term)| term).collect();
                let store = &mut self.program.terms;
                Ok(match word {
                    "forall" => store.forall(&vars, terms[0]),
                    _ => store.exists(&vars, terms[0]),
                })
            }
            Shape::Binding => unreachable!("bindings are no operands"),
        }
    }

    fn named(&mut self, name: &str, span: Span, scope: &Scope<'t>) -> Fallible<TermId> {
        let bound = scope.bound.iter().rev().flatten().find(|(known, _)| *known == name);
        if let Some((_, term)) = bound {
            return Ok(*term);
        }
        if let Some(&term) = scope.names.get(name) {
            return Ok(term);
        }
        match (name, self.globals.get(name)) {
            (_, Some(&var)) => Ok(self.program.term(var)),
            ("true" | "false", None) => Ok(self.program.terms.bool(name == "true")),
            (_, None) => self.undeclared(name, span, "variable"),
        }
    }

    /// `5bv8`
    fn word(&mut self, text: &str, span: Span) -> Fallible<TermId> {
        const MAX_LITERAL: u32 = 1 << 16;
        let (digits, width) = text.split_once("bv").unwrap_or((text, ""));
        let value = integer(digits);
        match width.parse::<u32>() {
            Ok(width)
                if (1..=MAX_LITERAL).contains(&width) && value.bit_len() <= width as usize =>
            {
                Ok(self.program.terms.bv(Bv::from_int(width, &value)))
            }
            _ => error(
                Code::BoogieSort,
                span,
                "the number does not fit its width, or that is too large",
            ),
        }
    }

    fn all(&self, operands: &[Value], sort: SortId, wanted: &str) -> Fallible<()> {
        match operands.iter().find(|operand| self.program.terms.sort(operand.0) != sort) {
            None => Ok(()),
            Some((_, span)) => error(Code::BoogieSort, *span, format!("{wanted} is needed here")),
        }
    }

    /// The sort of operands that are all numbers of one kind.
    fn numbers(&self, operands: &[Value]) -> Fallible<SortId> {
        let sort = self.program.terms.sort(operands[0].0);
        if !sort.is_arithmetic() {
            return error(Code::BoogieSort, operands[0].1, "a number is needed here");
        }
        self.all(operands, sort, if sort == SortId::INT { "an integer" } else { "a real number" })?;
        Ok(sort)
    }

    fn infix(&mut self, word: &str, span: Span, operands: &[Value]) -> Fallible<TermId> {
        let terms: Vec<TermId> = operands.iter().map(|operand| operand.0).collect();
        let (left, right) = (terms[0], terms[1]);
        match word {
            "<==>" | "==>" | "<==" | "||" | "&&" => {
                self.all(operands, SortId::BOOL, "a formula")?;
                let store = &mut self.program.terms;
                Ok(match word {
                    "<==>" => store.eq(left, right),
                    "==>" => store.implies(left, right),
                    "<==" => store.implies(right, left),
                    "||" => store.or(&terms),
                    _ => store.and(&terms),
                })
            }
            "==" | "!=" => {
                let sort = self.program.terms.sort(left);
                if self.program.terms.sort(right) != sort {
                    return error(Code::BoogieSort, span, "these differ in type");
                }
                Ok(compare(&mut self.program.terms, word, left, right))
            }
            "<" | "<=" | ">" | ">=" => {
                self.numbers(operands)?;
                Ok(compare(&mut self.program.terms, word, left, right))
            }
            "++" => match self.program.terms.app(Op::Concat, &terms) {
                Ok(term) => Ok(term),
                Err(_) => error(Code::BoogieSort, span, "words are needed here"),
            },
            "div" | "mod" => {
                self.all(operands, SortId::INT, "an integer")?;
                let store = &mut self.program.terms;
                Ok(match word {
                    "div" => store.mk(Op::IntDiv, &terms),
                    _ => remainder(store, left, right),
                })
            }
            _ => {
                let sort = self.numbers(operands)?;
                let store = &mut self.program.terms;
                Ok(match word {
                    "+" => store.add(&terms),
                    "-" => store.sub(left, right),
                    "*" => store.mul(&terms),
                    _ if sort == SortId::REAL => store.mk(Op::RealDiv, &terms),
                    _ => return error(Code::BoogieSort, span, "integers are divided by `div`"),
                })
            }
        }
    }

    /// What an array has at indices.
    fn selected(&mut self, terms: &[TermId], span: Span) -> Fallible<TermId> {
        let mut array = terms[0];
        for &index in &terms[1..] {
            self.index_fits(array, index, span)?;
            array = self.program.terms.select(array, index);
        }
        Ok(array)
    }

    fn index_fits(&self, array: TermId, index: TermId, span: Span) -> Fallible<SortId> {
        let store = &self.program.terms;
        match *store.sort_of(store.sort(array)) {
            Sort::Array(wanted, element) if store.sort(index) == wanted => Ok(element),
            Sort::Array(..) => {
                error(Code::BoogieSort, span, "the index has another type than the map's")
            }
            _ => error(Code::BoogieSort, span, "this is no map, or has fewer indices"),
        }
    }

    /// An array with another value at indices.
    pub(super) fn updated(
        &mut self,
        array: TermId,
        indices: &[TermId],
        value: TermId,
        span: Span,
    ) -> Fallible<TermId> {
        let mut arrays = vec![array];
        for &index in indices {
            let outer = *arrays.last().expect("there is an array");
            self.index_fits(outer, index, span)?;
            arrays.push(self.program.terms.select(outer, index));
        }
        let innermost = arrays.pop().expect("there is an element");
        if self.program.terms.sort(innermost) != self.program.terms.sort(value) {
            return error(Code::BoogieSort, span, "the value has another type than the map's");
        }
        let pairs = arrays.into_iter().zip(indices).rev();
        Ok(pairs
            .fold(value, |value, (array, &index)| self.program.terms.store(array, index, value)))
    }

    /// `w[8:0]`: the bits from the second up to, not including, the first.
    fn bits(&mut self, terms: &[TermId], span: Span) -> Fallible<TermId> {
        let store = &mut self.program.terms;
        let end = |term: TermId| store.int_value(term)?.to_u32();
        let ends =
            terms.get(1).and_then(|&high| end(high)).zip(terms.get(2).and_then(|&low| end(low)));
        let width = store.width_of(store.sort(terms[0]));
        match (ends, width) {
            (Some((high, low)), Some(width)) if terms.len() == 3 && low < high && high <= width => {
                Ok(store.mk(Op::Extract(high - 1, low), &[terms[0]]))
            }
            _ => error(Code::BoogieSort, span, "these are not bits of a word"),
        }
    }

    /// The variables of `x, y: int, z: bool ::`
    fn bindings(&mut self, span: Span) -> Fallible<Vec<(&'t str, TermId)>> {
        let mut cursor: Cursor<'t> = self.cursor.at(span.start);
        let mut bound = Vec::new();
        loop {
            let names = cursor.names("a variable")?;
            cursor.expect(":")?;
            let place = sorts::skip(&mut cursor)?;
            let sort = self.sort_at(place)?;
            for (name, _) in names {
                bound.push((name, self.program.terms.fresh_var(name, sort)));
            }
            if cursor.eat(",").is_none() {
                return Ok(bound);
            }
        }
    }
}
