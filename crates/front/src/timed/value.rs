//! Expressions and assignments of timed automata as terms over the state of a network.
//!
//! Integers, truth values and clocks with offsets are told apart while an expression is evaluated; what it needs
//! to have a value (an index inside of its array, a divisor that is not 0) is collected and belongs to the guard, so
//! that an edge without a value cannot be taken, as TChecker has it. Division rounds towards 0, as in C.

use super::network::Network;
use crate::diag::{Code, Diagnostic};
use crate::infix::{
    Assoc, Cursor, Fallible, Grammar, Node, Shape, Tree, compare, infix, integer, parse,
};
use crate::suggest::nearest;
use alphorn_problem::Span;
use alphorn_term::{Int, Op, SortId, Store, Substitution, TermId};
use std::collections::BTreeMap;

/// Expressions of both languages.
pub(super) static GRAMMAR: Grammar = Grammar {
    prefix: &[("-", 9), ("!", 9), ("not", 3)],
    infix: &[
        infix(1, Assoc::Right, &["imply"]),
        infix(2, Assoc::Chain, &["||", "or"]),
        infix(4, Assoc::Chain, &["&&", "and"]),
        infix(5, Assoc::None, &["==", "!=", "<=", ">=", "<", ">"]),
        infix(6, Assoc::Left, &["+", "-"]),
        infix(7, Assoc::Left, &["*", "/", "%"]),
    ],
    calls: &[],
    has_indices: true,
    has_conditional: false,
    binders: &[],
    bindings: |_| Ok(()),
    reserved: &["not", "and", "or", "imply"],
};

/// What a name stands for.
#[derive(Clone, Debug)]
pub(super) enum Thing {
    Clock(TermId),
    /// An integer, by its position among the network's.
    Number(usize),
    /// Clocks or integers, counted from 0.
    Array(Vec<Thing>),
    Constant(Int),
    /// An integer that is not known and never changes: of how many copies there are, and the name of a copy.
    Unknown(TermId),
    /// A formula, such as that a process is somewhere.
    Formula(TermId),
    /// A channel, by its position.
    Channel(usize),
}

/// The names that can be used, those of inner scopes last.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    pub names: Vec<BTreeMap<String, Thing>>,
}

impl Scope {
    pub(super) fn get(&self, name: &str) -> Option<&Thing> {
        self.names.iter().rev().find_map(|names| names.get(name))
    }

    /// Adds a name to the innermost scope; false if it was there.
    pub(super) fn insert(&mut self, name: &str, thing: Thing) -> bool {
        if self.names.is_empty() {
            self.names.push(BTreeMap::new());
        }
        let inner = self.names.last_mut().expect("there is a scope");
        inner.insert(name.to_owned(), thing).is_none()
    }
}

/// What an expression is.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Number(TermId),
    Truth(TermId),
    /// The value of the clock that was reset then, plus an integer.
    Clock(TermId, TermId),
    /// The first clock's value minus the second one's, plus an integer.
    Apart(TermId, TermId, TermId),
    Array(Vec<Thing>),
    Channel(usize),
}

/// New values, and what they need.
#[derive(Clone, Debug, Default)]
pub(super) struct Updates {
    pub ranges: Vec<TermId>,
    pub values: BTreeMap<TermId, TermId>,
}

/// Evaluates expressions.
pub(super) struct Evaluator<'n, 's> {
    pub network: &'n mut Network,
    pub scope: &'s Scope,
    /// What must hold for the expressions so far to have a value.
    pub defined: Vec<TermId>,
    /// The codes of what is wrong, of names that are not there, and of what is not treated.
    pub codes: [Code; 3],
}

impl Evaluator<'_, '_> {
    fn terms(&mut self) -> &mut Store {
        &mut self.network.terms
    }

    /// Reads and evaluates a formula, with what it needs to have a value.
    pub(super) fn formula(&mut self, cursor: &mut Cursor<'_>) -> Fallible<TermId> {
        let tree = parse(cursor, &GRAMMAR)?;
        let value = self.value(&tree, cursor)?;
        let truth = self.truth(value, tree.span)?;
        let mut parts = std::mem::take(&mut self.defined);
        parts.push(truth);
        Ok(self.terms().and(&parts))
    }

    /// Reads an integer that does not depend on the state.
    pub(super) fn constant(&mut self, cursor: &mut Cursor<'_>) -> Fallible<Int> {
        let tree = parse(cursor, &GRAMMAR)?;
        let value = self.value(&tree, cursor)?;
        let number = self.number(value, tree.span)?;
        let found = self.network.terms.int_value(number).cloned();
        found.ok_or_else(|| self.wrong(tree.span, "this does not have the same value always"))
    }

    /// Reads an integer that may depend on this one, and on nothing else that changes.
    pub(super) fn bound(
        &mut self,
        cursor: &mut Cursor<'_>,
        size: Option<TermId>,
    ) -> Fallible<TermId> {
        let tree = parse(cursor, &GRAMMAR)?;
        let value = self.value(&tree, cursor)?;
        let number = self.number(value, tree.span)?;
        let vars = self.network.terms.free_vars(&[number]);
        match vars.iter().all(|&var| Some(var) == size) {
            true => Ok(number),
            false => Err(self.wrong(tree.span, "this does not have the same value always")),
        }
    }

    /// Reads an expression that may be anything.
    pub(super) fn any(&mut self, cursor: &mut Cursor<'_>) -> Fallible<Value> {
        let tree = parse(cursor, &GRAMMAR)?;
        self.value(&tree, cursor)
    }

    fn wrong(&self, span: Span, message: impl Into<String>) -> Box<Diagnostic> {
        Box::new(Diagnostic::error(self.codes[0], span, message))
    }

    pub(super) fn value(&mut self, tree: &Tree, cursor: &Cursor<'_>) -> Fallible<Value> {
        tree.fold(|node, operands| self.node(node, operands, cursor).map(Some))
    }

    fn node(
        &mut self,
        node: Node,
        mut operands: Vec<Value>,
        cursor: &Cursor<'_>,
    ) -> Fallible<Value> {
        let span = node.span;
        match node.shape {
            Shape::Number => {
                let number = self.terms().int(integer(cursor.text(span)));
                Ok(Value::Number(number))
            }
            Shape::Name => self.name(cursor.text(span), span),
            Shape::Index if operands.len() == 2 => {
                let (index, array) = (operands.pop(), operands.pop());
                let index = self.number(index.expect("two operands"), span)?;
                self.element(array.expect("two operands"), index, span)
            }
            Shape::Prefix("-") => {
                let number = self.number(operands.remove(0), span)?;
                Ok(Value::Number(self.terms().neg(number)))
            }
            Shape::Prefix(_) => {
                let truth = self.truth(operands.remove(0), span)?;
                Ok(Value::Truth(self.terms().not(truth)))
            }
            Shape::Infix(word @ ("&&" | "and" | "||" | "or" | "imply")) => {
                let mut truths = Vec::new();
                for operand in operands {
                    truths.push(self.truth(operand, span)?);
                }
                let terms = self.terms();
                Ok(Value::Truth(match word {
                    "&&" | "and" => terms.and(&truths),
                    "imply" => terms.implies(truths[0], truths[1]),
                    _ => terms.or(&truths),
                }))
            }
            Shape::Infix(word @ ("+" | "-" | "*" | "/" | "%")) => {
                let right = operands.pop().expect("two operands");
                let left = operands.pop().expect("two operands");
                self.arithmetic(word, left, right, span)
            }
            Shape::Infix(word) => {
                let right = operands.pop().expect("two operands");
                let left = operands.pop().expect("two operands");
                self.comparison(word, left, right, span)
            }
            _ => Err(self.wrong(span, "this has no meaning here")),
        }
    }

    fn name(&mut self, name: &str, span: Span) -> Fallible<Value> {
        if let "true" | "false" = name {
            return Ok(Value::Truth(self.network.terms.bool(name == "true")));
        }
        if let Some(thing) = self.scope.get(name).cloned() {
            return Ok(self.thing(&thing));
        }
        let diagnostic = Diagnostic::error(self.codes[1], span, format!("{name} is not declared"));
        let names = self.scope.names.iter().flat_map(|names| names.keys().map(String::as_str));
        Err(Box::new(match nearest(name, names) {
            Some(other) => diagnostic.hint(format!("is {other} meant?")),
            None => diagnostic,
        }))
    }

    fn thing(&mut self, thing: &Thing) -> Value {
        match thing {
            Thing::Clock(var) => {
                let zero = self.terms().int(0);
                Value::Clock(*var, zero)
            }
            Thing::Number(at) => Value::Number(self.network.numbers[*at].var),
            Thing::Array(things) => Value::Array(things.clone()),
            Thing::Constant(value) => Value::Number(self.network.terms.int(value.clone())),
            Thing::Unknown(number) => Value::Number(*number),
            Thing::Formula(formula) => Value::Truth(*formula),
            Thing::Channel(channel) => Value::Channel(*channel),
        }
    }

    /// That an index is one of an array's.
    fn in_range(&mut self, index: TermId, length: usize) -> TermId {
        let terms = self.terms();
        let (zero, last) = (terms.int(0), terms.int(length as i64 - 1));
        let (least, most) = (terms.ge(index, zero), terms.le(index, last));
        terms.and(&[least, most])
    }

    fn element(&mut self, array: Value, index: TermId, span: Span) -> Fallible<Value> {
        let Value::Array(things) = array else {
            return Err(self.wrong(span, "what is indexed is no array"));
        };
        if let Some(at) = self.network.terms.int_value(index).and_then(Int::to_i64) {
            return match usize::try_from(at).ok().and_then(|at| things.get(at)) {
                Some(thing) => Ok(self.thing(thing)),
                None => {
                    let message = format!("there are {} elements, counted from 0", things.len());
                    Err(self.wrong(span, message))
                }
            };
        }
        let mut values = Vec::new();
        for thing in &things {
            let value = self.thing(thing);
            if !matches!(value, Value::Number(_)) {
                let message = "only arrays of integers take an index that changes";
                return Err(Box::new(Diagnostic::unsupported(self.codes[2], span, message)));
            }
            values.push(self.number(value, span)?);
        }
        let inside = self.in_range(index, values.len());
        self.defined.push(inside);
        let mut found = *values.last().expect("an array has elements");
        for (at, &value) in values.iter().enumerate().rev().skip(1) {
            let terms = self.terms();
            let place = terms.int(at as i64);
            let is_here = terms.eq(index, place);
            found = terms.ite(is_here, value, found);
        }
        Ok(Value::Number(found))
    }

    pub(super) fn number(&mut self, value: Value, span: Span) -> Fallible<TermId> {
        match value {
            Value::Number(number) => Ok(number),
            Value::Truth(truth) => {
                let terms = self.terms();
                let (one, zero) = (terms.int(1), terms.int(0));
                Ok(terms.ite(truth, one, zero))
            }
            Value::Clock(..) | Value::Apart(..) => {
                Err(self.wrong(span, "an integer is expected, and this is about clocks"))
            }
            Value::Array(_) | Value::Channel(_) => {
                Err(self.wrong(span, "an integer is expected, and this is none"))
            }
        }
    }

    pub(super) fn truth(&mut self, value: Value, span: Span) -> Fallible<TermId> {
        match value {
            Value::Truth(truth) => Ok(truth),
            Value::Number(number) => {
                let terms = self.terms();
                let zero = terms.int(0);
                let is_zero = terms.eq(number, zero);
                Ok(terms.not(is_zero))
            }
            _ => Err(self.wrong(span, "a condition is expected")),
        }
    }

    fn arithmetic(&mut self, word: &str, left: Value, right: Value, span: Span) -> Fallible<Value> {
        let plus = |evaluator: &mut Self, one: TermId, other: TermId| match word {
            "+" => evaluator.terms().add(&[one, other]),
            _ => evaluator.terms().sub(one, other),
        };
        Ok(match (left, word, right) {
            (Value::Clock(clock, offset), "+" | "-", Value::Number(number)) => {
                Value::Clock(clock, plus(self, offset, number))
            }
            (Value::Number(number), "+", Value::Clock(clock, offset)) => {
                Value::Clock(clock, plus(self, offset, number))
            }
            (Value::Clock(one, first), "-", Value::Clock(other, second)) => {
                Value::Apart(one, other, plus(self, first, second))
            }
            (Value::Apart(one, other, offset), "+" | "-", Value::Number(number)) => {
                Value::Apart(one, other, plus(self, offset, number))
            }
            (left, _, right) => {
                let (left, right) = (self.number(left, span)?, self.number(right, span)?);
                Value::Number(match word {
                    "+" | "-" => plus(self, left, right),
                    "*" => self.terms().mul(&[left, right]),
                    _ => self.quotient(word == "%", left, right),
                })
            }
        })
    }

    /// The quotient that is rounded towards 0, or its remainder.
    fn quotient(&mut self, is_remainder: bool, left: TermId, right: TermId) -> TermId {
        let terms = &mut self.network.terms;
        let zero = terms.int(0);
        let is_zero = terms.eq(right, zero);
        self.defined.push(terms.not(is_zero));
        let (negative, is_natural) = (terms.neg(left), terms.ge(left, zero));
        let op = if is_remainder { Op::Mod } else { Op::IntDiv };
        let (plain, other) = (terms.mk(op, &[left, right]), terms.mk(op, &[negative, right]));
        let other = terms.neg(other);
        terms.ite(is_natural, plain, other)
    }

    fn comparison(&mut self, word: &str, left: Value, right: Value, span: Span) -> Fallible<Value> {
        let now = self.network.now;
        if let (Value::Truth(left), Value::Truth(right), "==" | "!=") = (&left, &right, word) {
            return Ok(Value::Truth(compare(self.terms(), word, *left, *right)));
        }
        let (left, right) = match (left, right) {
            (Value::Number(left), Value::Number(right)) => (left, right),
            (Value::Clock(one, first), Value::Clock(other, second)) => {
                let offset = self.terms().sub(first, second);
                let zero = self.terms().int(0);
                self.about_time(other, one, offset, zero)
            }
            (Value::Clock(clock, offset), right) => {
                let right = self.number(right, span)?;
                self.about_time(now, clock, offset, right)
            }
            (left, Value::Clock(clock, offset)) => {
                let left = self.number(left, span)?;
                let (right, left) = self.about_time(now, clock, offset, left);
                (left, right)
            }
            (Value::Apart(one, other, offset), right) => {
                let right = self.number(right, span)?;
                self.about_time(other, one, offset, right)
            }
            (left, Value::Apart(one, other, offset)) => {
                let left = self.number(left, span)?;
                let (right, left) = self.about_time(other, one, offset, left);
                (left, right)
            }
            (left, right) => (self.number(left, span)?, self.number(right, span)?),
        };
        Ok(Value::Truth(compare(self.terms(), word, left, right)))
    }

    /// The time between two moments, and what it is compared with less the offset.
    fn about_time(
        &mut self,
        later: TermId,
        earlier: TermId,
        offset: TermId,
        other: TermId,
    ) -> (TermId, TermId) {
        let terms = self.terms();
        let (between, bound) = (terms.sub(later, earlier), terms.sub(other, offset));
        (between, real(terms, bound))
    }

    /// Reads an assignment, and adds it to updates, with what is there already done before.
    pub(super) fn statement(
        &mut self,
        cursor: &mut Cursor<'_>,
        updates: &mut Updates,
    ) -> Fallible<()> {
        let (name, span) = cursor.name("an assignment")?;
        let mut index = None;
        if cursor.eat("[").is_some() {
            let tree = parse(cursor, &GRAMMAR)?;
            let value = self.value(&tree, cursor)?;
            index = Some(self.number(value, tree.span)?);
            cursor.expect("]")?;
        }
        let value = self.right_side(cursor, (name, span), index)?;
        let change: Substitution = updates.values.iter().map(|(&a, &b)| (a, b)).collect();
        let defined = std::mem::take(&mut self.defined);
        updates.ranges.extend(self.terms().substitute_all(&defined, &change));
        self.assign(updates, ((name, span), index), value)
    }

    /// What is assigned: behind `=`, or one more or less, or so much more or less.
    fn right_side(
        &mut self,
        cursor: &mut Cursor<'_>,
        (name, span): (&str, Span),
        index: Option<TermId>,
    ) -> Fallible<Value> {
        if cursor.eat("=").is_some() || cursor.eat(":=").is_some() {
            return self.any(cursor);
        }
        if cursor.is("(") {
            let message = "calls of functions are not treated";
            return Err(Box::new(Diagnostic::unsupported(self.codes[2], span, message)));
        }
        let mut old = self.name(name, span)?;
        if let Some(index) = index {
            old = self.element(old, index, span)?;
        }
        let one = Value::Number(self.terms().int(1));
        for (word, sign) in [("++", "+"), ("--", "-")] {
            if cursor.eat(word).is_some() {
                return self.arithmetic(sign, old, one, span);
            }
        }
        for (word, sign) in [("+=", "+"), ("-=", "-")] {
            if cursor.eat(word).is_some() {
                let more = self.any(cursor)?;
                return self.arithmetic(sign, old, more, span);
            }
        }
        Err(cursor.unexpected("`=`"))
    }

    /// Reads a name, perhaps with an index that does not change, for who hands it on.
    pub(super) fn reference(&mut self, cursor: &mut Cursor<'_>) -> Fallible<Thing> {
        let (name, span) = cursor.name("a name")?;
        let Some(thing) = self.scope.get(name).cloned() else {
            self.name(name, span)?;
            return Err(self.wrong(span, "this cannot be handed on"));
        };
        if cursor.eat("[").is_none() {
            return Ok(thing);
        }
        let index = self.constant(cursor)?.to_i64().and_then(|index| usize::try_from(index).ok());
        cursor.expect("]")?;
        match (thing, index) {
            (Thing::Array(things), Some(index)) if index < things.len() => {
                Ok(things[index].clone())
            }
            _ => Err(self.wrong(span, "there is no such element")),
        }
    }

    /// Adds `name = value` to updates, with what is there already done before.
    pub(super) fn assign(
        &mut self,
        updates: &mut Updates,
        (name, index): ((&str, Span), Option<TermId>),
        value: Value,
    ) -> Fallible<()> {
        let change: Substitution = updates.values.iter().map(|(&a, &b)| (a, b)).collect();
        let (name, span) = name;
        let thing = match (self.scope.get(name).cloned(), index) {
            (Some(Thing::Array(things)), Some(index)) => {
                let is_written = self.network.terms.int_value(index).is_some();
                let index = self.terms().substitute(index, &change);
                return self.assign_element(updates, &things, (index, is_written), value, span);
            }
            (None, _) => return self.name(name, span).map(drop),
            (Some(thing), None) => thing,
            (Some(_), Some(_)) => return Err(self.wrong(span, format!("{name} is no array"))),
        };
        self.set(updates, &thing, value, span)
    }

    fn assign_element(
        &mut self,
        updates: &mut Updates,
        things: &[Thing],
        (index, is_written): (TermId, bool),
        value: Value,
        span: Span,
    ) -> Fallible<()> {
        if let Some(at) = self.network.terms.int_value(index).and_then(Int::to_i64) {
            let Some(thing) = usize::try_from(at).ok().and_then(|at| things.get(at)) else {
                // An index that earlier assignments make wrong is one with which the edge cannot be taken.
                if !is_written {
                    updates.ranges.push(TermId::FALSE);
                    return Ok(());
                }
                let message = format!("there are {} elements, counted from 0", things.len());
                return Err(self.wrong(span, message));
            };
            return self.set(updates, &thing.clone(), value, span);
        }
        let inside = self.in_range(index, things.len());
        updates.ranges.push(inside);
        let change: Substitution = updates.values.iter().map(|(&a, &b)| (a, b)).collect();
        for (at, thing) in things.iter().enumerate() {
            let Thing::Number(number) = thing else {
                let message = "only arrays of integers take an index that changes";
                return Err(Box::new(Diagnostic::unsupported(self.codes[2], span, message)));
            };
            let old = self.network.numbers[*number].var;
            let old = updates.values.get(&old).copied().unwrap_or(old);
            let new = self.number(value.clone(), span)?;
            let new = self.terms().substitute(new, &change);
            let place = self.terms().int(at as i64);
            let is_here = self.terms().eq(index, place);
            let new = self.terms().ite(is_here, new, old);
            self.write(updates, *number, new);
        }
        Ok(())
    }

    fn set(
        &mut self,
        updates: &mut Updates,
        thing: &Thing,
        value: Value,
        span: Span,
    ) -> Fallible<()> {
        let change: Substitution = updates.values.iter().map(|(&a, &b)| (a, b)).collect();
        match thing {
            Thing::Number(number) => {
                let value = self.number(value, span)?;
                let value = self.terms().substitute(value, &change);
                self.write(updates, *number, value);
                Ok(())
            }
            Thing::Clock(clock) => {
                // A clock has a value v if it was reset v ago.
                let (since, ago) = match value {
                    Value::Clock(other, offset) => (other, offset),
                    other => (self.network.now, self.number(other, span)?),
                };
                let terms = &mut self.network.terms;
                let (since, ago) =
                    (terms.substitute(since, &change), terms.substitute(ago, &change));
                let zero = terms.int(0);
                if ago != zero {
                    updates.ranges.push(terms.ge(ago, zero));
                }
                let ago = real(terms, ago);
                let value = terms.sub(since, ago);
                updates.values.insert(*clock, value);
                Ok(())
            }
            _ => Err(self.wrong(span, "this cannot be given a value")),
        }
    }

    fn write(&mut self, updates: &mut Updates, number: usize, value: TermId) {
        let number = self.network.numbers[number].clone();
        let terms = self.terms();
        updates.ranges.push(terms.ge(value, number.least));
        updates.ranges.push(terms.le(value, number.most));
        updates.values.insert(number.var, value);
    }
}

/// An integer among the reals.
fn real(terms: &mut Store, number: TermId) -> TermId {
    match terms.int_value(number).cloned() {
        Some(value) => terms.number(SortId::REAL, &value),
        None => terms.mk(Op::ToReal, &[number]),
    }
}

/// Whether a formula that holds now and later holds between, whatever the time is: no disjunction
/// speaks of clocks.
pub(super) fn is_convex(network: &Network, formula: TermId) -> bool {
    let terms = &network.terms;
    let is_timed = |term: TermId| terms.free_vars(&[term]).contains(&network.now);
    let mut stack = vec![formula];
    while let Some(term) = stack.pop() {
        match terms.op(term) {
            Op::And => stack.extend(terms.args(term)),
            Op::Le | Op::Lt | Op::Eq => {}
            Op::Not if matches!(terms.op(terms.args(term)[0]), Op::Le | Op::Lt) => {}
            _ if is_timed(term) => return false,
            _ => {}
        }
    }
    true
}
