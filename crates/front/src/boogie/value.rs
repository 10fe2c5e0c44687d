//! What expressions mean.

use super::declare::{Meaning, Reader, error, unsupported};
use super::sorts;
use crate::diag::Code;
use crate::infix::{Cursor, Fallible, Node, Shape, Tree, compare, decimal, integer, remainder};
use alphorn_problem::Span;
use alphorn_program::form::VarId;
use alphorn_term::{Bv, Op, Sort, SortId, Substitution, TermId};
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

    /// A function, or one of the words that look like one.
    fn application(
        &mut self,
        name: &'t str,
        span: Span,
        operands: &[Value],
        scope: &mut Scope<'t>,
    ) -> Fallible<TermId> {
        let terms: Vec<TermId> = operands.iter().map(|operand| operand.0).collect();
        if let ("old", [inner]) = (name, &terms[..]) {
            return self.old(*inner, span, scope);
        }
        let sorts: Vec<SortId> = terms.iter().map(|&term| self.program.terms.sort(term)).collect();
        match (name, &sorts[..]) {
            ("real", [SortId::INT]) => return Ok(self.program.terms.mk(Op::ToReal, &terms)),
            ("int", [SortId::REAL]) => return Ok(self.program.terms.mk(Op::ToInt, &terms)),
            _ => {}
        }
        let Some(function) = self.functions.get(name) else {
            return self.undeclared(name, span, "function");
        };
        if function.args != sorts {
            let message = format!("the arguments of `{name}` are others in number or type");
            return error(Code::BoogieSort, span, message);
        }
        let result = function.result;
        match function.meaning.clone() {
            Meaning::Open(func) => Ok(self.program.terms.mk(Op::Apply(func), &terms)),
            Meaning::Builtin(operator) => self.builtin(&operator, &terms, result, span),
            Meaning::InWork => unsupported(span, format!("the function `{name}` is recursive")),
            Meaning::Known(vars, body) => {
                let map: Substitution = vars.into_iter().zip(terms).collect();
                Ok(self.program.terms.substitute(body, &map))
            }
            Meaning::Body(parameters, tree) => {
                let mut inner = Scope::default();
                let mut vars = Vec::new();
                for (parameter, &sort) in parameters.iter().zip(&sorts) {
                    let var = self.program.terms.fresh_var(parameter.name, sort);
                    inner.names.insert(parameter.name, var);
                    vars.push(var);
                }
                self.set_meaning(name, Meaning::InWork);
                let body = self.value_of(&tree, result, &mut inner);
                let known = match &body {
                    Ok(body) => Meaning::Known(vars.clone(), *body),
                    Err(_) => Meaning::Body(parameters, tree),
                };
                self.set_meaning(name, known);
                let map: Substitution = vars.into_iter().zip(terms).collect();
                Ok(self.program.terms.substitute(body?, &map))
            }
        }
    }

    fn set_meaning(&mut self, name: &str, meaning: Meaning<'t>) {
        if let Some(function) = self.functions.get_mut(name) {
            function.meaning = meaning;
        }
    }

    /// What a term was at the beginning of the procedure: globals have their old values.
    fn old(&mut self, term: TermId, span: Span, scope: &mut Scope<'t>) -> Fallible<TermId> {
        let Some(old) = &mut scope.old else {
            return error(Code::BoogieSort, span, "there is no old state here");
        };
        let mut map = Substitution::default();
        for var in self.program.terms.free_vars(&[term]) {
            let global =
                self.program.globals.iter().find(|&&global| self.program.term(global) == var);
            let Some(&global) = global else { continue };
            if self.constants.contains(&global) {
                continue;
            }
            let value = match old.get(&global) {
                Some(&value) => value,
                None => {
                    let variable = self.program.var(global).clone();
                    let name = format!("old {}", variable.name);
                    let value = self.program.terms.fresh_var(&name, variable.sort);
                    old.insert(global, value);
                    value
                }
            };
            map.insert(var, value);
        }
        Ok(self.program.terms.substitute(term, &map))
    }

    /// An operator on words, by its name in SMT-LIB.
    fn builtin(
        &mut self,
        name: &str,
        terms: &[TermId],
        result: SortId,
        span: Span,
    ) -> Fallible<TermId> {
        let store = &mut self.program.terms;
        let inner = name.trim_start_matches("(_ ").trim_end_matches(')');
        let mut words = inner.split_whitespace();
        let word = words.next().unwrap_or_default();
        let number = words.next().and_then(|digits| digits.parse::<u32>().ok());
        let swapped: Vec<TermId> = terms.iter().rev().copied().collect();
        let applied = match (word, terms.len()) {
            ("bvadd", 2) => store.app(Op::BvAdd, terms),
            ("bvsub", 2) => store.app(Op::BvSub, terms),
            ("bvmul", 2) => store.app(Op::BvMul, terms),
            ("bvudiv", 2) => store.app(Op::BvUdiv, terms),
            ("bvurem", 2) => store.app(Op::BvUrem, terms),
            ("bvsdiv", 2) => store.app(Op::BvSdiv, terms),
            ("bvsrem", 2) => store.app(Op::BvSrem, terms),
            ("bvsmod", 2) => store.app(Op::BvSmod, terms),
            ("bvand", 2) => store.app(Op::BvAnd, terms),
            ("bvor", 2) => store.app(Op::BvOr, terms),
            ("bvxor", 2) => store.app(Op::BvXor, terms),
            ("bvnot", 1) => store.app(Op::BvNot, terms),
            ("bvneg", 1) => store.app(Op::BvNeg, terms),
            ("bvshl", 2) => store.app(Op::BvShl, terms),
            ("bvlshr", 2) => store.app(Op::BvLshr, terms),
            ("bvashr", 2) => store.app(Op::BvAshr, terms),
            ("bvult", 2) => store.app(Op::BvUlt, terms),
            ("bvule", 2) => store.app(Op::BvUle, terms),
            ("bvslt", 2) => store.app(Op::BvSlt, terms),
            ("bvsle", 2) => store.app(Op::BvSle, terms),
            ("bvugt", 2) => store.app(Op::BvUlt, &swapped),
            ("bvuge", 2) => store.app(Op::BvUle, &swapped),
            ("bvsgt", 2) => store.app(Op::BvSlt, &swapped),
            ("bvsge", 2) => store.app(Op::BvSle, &swapped),
            ("concat", 2) => store.app(Op::Concat, terms),
            ("zero_extend" | "sign_extend", 1) => {
                let widths = store.width_of(store.sort(terms[0])).zip(store.width_of(result));
                match (number, widths) {
                    (Some(by), Some((from, to))) if from.checked_add(by) == Some(to) => {
                        let op = if word == "zero_extend" {
                            Op::ZeroExtend(by)
                        } else {
                            Op::SignExtend(by)
                        };
                        store.app(op, terms)
                    }
                    _ => return error(Code::BoogieSort, span, "the widths do not fit"),
                }
            }
            _ => return unsupported(span, format!("the operator `{name}` is not treated")),
        };
        match applied {
            Ok(term) if store.sort(term) == result => Ok(term),
            _ => error(
                Code::BoogieSort,
                span,
                format!("the operator `{name}` does not fit its types"),
            ),
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
