//! Some processes at once, in the order of processes, and what formulas and updates say about them.
//!
//! Processes of a scene differ, so that comparisons of two of them are decided by their places; what holds of all
//! other processes is said of those that are there. With all processes there that is all it means; with some of them
//! it is less, so that more is allowed.

use super::LEXIS;
use super::file::{File, Kinds, Transition, Update, wrong};
use crate::diag::{Code, Diagnostic};
use crate::infix::{Cursor, Fallible, Node, Shape, Tree, compare, integer};
use crate::suggest::nearest;
use alphorn_problem::Span;
use alphorn_term::{Op, SortId, Store, TermId};

/// A process of a scene.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// Its name, for variables that hold processes.
    pub id: TermId,
    /// Its elements of the arrays.
    pub locals: Vec<TermId>,
}

/// Variables, and some processes.
pub(super) struct Scene<'f> {
    pub file: &'f File,
    pub text: &'f [u8],
    pub store: Store,
    pub globals: Vec<TermId>,
    pub places: Vec<Place>,
    /// Whether these are all processes.
    pub is_all: bool,
}

/// Names of processes, and their places.
type Names<'n> = Vec<(&'n str, usize)>;

/// What an expression is.
#[derive(Clone, Copy, Debug)]
enum Value {
    Term(TermId, Kinds),
    Place(usize),
    /// An array without an index.
    Array(usize),
}

/// The state after a transition.
pub(super) struct After {
    pub globals: Vec<TermId>,
    pub locals: Vec<Vec<TermId>>,
}

pub(super) fn sort_of(kind: Kinds) -> SortId {
    match kind {
        Kinds::Bool => SortId::BOOL,
        Kinds::Real => SortId::REAL,
        _ => SortId::INT,
    }
}

impl Scene<'_> {
    /// What a value of a kind satisfies.
    pub fn range(&mut self, term: TermId, kind: Kinds) -> TermId {
        let terms = &mut self.store;
        match kind {
            Kinds::Enum(id) => {
                let (zero, last) = (terms.int(0), terms.int(self.file.types[id].1 - 1));
                let (least, most) = (terms.ge(term, zero), terms.le(term, last));
                terms.and(&[least, most])
            }
            Kinds::Proc if self.is_all => {
                let ids: Vec<TermId> = self.places.iter().map(|place| place.id).collect();
                let any: Vec<TermId> = ids.iter().map(|&id| terms.eq(term, id)).collect();
                terms.or(&any)
            }
            _ => TermId::TRUE,
        }
    }

    /// A formula with names for some of the processes.
    pub fn formula(&mut self, tree: &Tree, names: &Names<'_>) -> Fallible<TermId> {
        match self.value(tree, names)? {
            Value::Term(term, Kinds::Bool) => Ok(term),
            _ => Err(wrong(Code::CubicleSyntax, tree.span, "a formula is expected")),
        }
    }

    fn value(&mut self, tree: &Tree, names: &Names<'_>) -> Fallible<Value> {
        let cursor = Cursor::new(self.text, 0, &LEXIS, Code::CubicleSyntax);
        tree.fold(|node, operands| self.node(node, operands, &cursor, names).map(Some))
    }

    fn node(
        &mut self,
        node: Node,
        operands: Vec<Value>,
        cursor: &Cursor<'_>,
        names: &Names<'_>,
    ) -> Fallible<Value> {
        let span = node.span;
        match (node.shape, &operands[..]) {
            (Shape::Number, _) => {
                let number = self.store.int(integer(cursor.text(span)));
                Ok(Value::Term(number, Kinds::Int))
            }
            (Shape::Name, _) => self.name(cursor.text(span), span, names),
            (Shape::Index, &[Value::Array(array), Value::Place(place)]) => {
                let kind = self.file.arrays[array].kind;
                Ok(Value::Term(self.places[place].locals[array], kind))
            }
            (Shape::Index, &[Value::Array(_), Value::Term(_, Kinds::Proc)]) => {
                let message = "an index that is a variable is not treated";
                Err(Box::new(Diagnostic::unsupported(Code::CubicleUntreated, span, message)))
            }
            (Shape::Prefix(_), &[Value::Term(term, kind @ (Kinds::Int | Kinds::Real))]) => {
                Ok(Value::Term(self.store.neg(term), kind))
            }
            (Shape::Infix(word @ ("&&" | "||")), all) => {
                let mut terms = Vec::new();
                for value in all {
                    let Value::Term(term, Kinds::Bool) = *value else {
                        return Err(wrong(Code::CubicleSyntax, span, "formulas are expected"));
                    };
                    terms.push(term);
                }
                let term =
                    if word == "&&" { self.store.and(&terms) } else { self.store.or(&terms) };
                Ok(Value::Term(term, Kinds::Bool))
            }
            (Shape::Infix(word @ ("+" | "-" | "*")), &[left, right]) => {
                let (left, right, kind) = self.same(left, right, span)?;
                if !matches!(kind, Kinds::Int | Kinds::Real) {
                    return Err(wrong(Code::CubicleSyntax, span, "numbers are expected"));
                }
                let term = match word {
                    "+" => self.store.add(&[left, right]),
                    "-" => self.store.sub(left, right),
                    _ => self.store.mul(&[left, right]),
                };
                Ok(Value::Term(term, kind))
            }
            (Shape::Infix(word), &[Value::Place(left), Value::Place(right)]) => {
                let holds = match word {
                    "=" => left == right,
                    "<>" => left != right,
                    "<" => left < right,
                    "<=" => left <= right,
                    ">" => left > right,
                    _ => left >= right,
                };
                Ok(Value::Term(self.store.bool(holds), Kinds::Bool))
            }
            (Shape::Infix(word), &[left, right]) => {
                let (left, right, kind) = self.same(left, right, span)?;
                if !matches!(word, "=" | "<>") && matches!(kind, Kinds::Bool | Kinds::Enum(_)) {
                    return Err(wrong(Code::CubicleSyntax, span, "these have no order"));
                }
                let word = if word == "<>" { "!=" } else { word };
                Ok(Value::Term(compare(&mut self.store, word, left, right), Kinds::Bool))
            }
            _ => Err(wrong(Code::CubicleSyntax, span, "this has no meaning here")),
        }
    }

    fn name(&mut self, name: &str, span: Span, names: &Names<'_>) -> Fallible<Value> {
        if let Some(&(_, place)) = names.iter().rev().find(|(other, _)| *other == name) {
            return Ok(Value::Place(place));
        }
        if let Some(number) = name.strip_prefix('#') {
            let place = number.parse::<usize>().ok().filter(|place| *place >= 1);
            return match place.filter(|place| self.is_all && *place <= self.places.len()) {
                Some(place) => Ok(Value::Place(place - 1)),
                None => {
                    let message = format!("there is no process {name}");
                    let error = Diagnostic::error(Code::CubicleName, span, message);
                    Err(Box::new(error.hint("number_procs says how many processes have numbers")))
                }
            };
        }
        let find = |symbols: &[super::file::Symbol]| symbols.iter().position(|s| s.name == name);
        if let Some(at) = find(&self.file.globals) {
            return Ok(Value::Term(self.globals[at], self.file.globals[at].kind));
        }
        if let Some(at) = find(&self.file.arrays) {
            return Ok(Value::Array(at));
        }
        if let "True" | "False" = name {
            return Ok(Value::Term(self.store.bool(name == "True"), Kinds::Bool));
        }
        if let Some(&(id, value)) = self.file.constructors.get(name) {
            return Ok(Value::Term(self.store.int(value), Kinds::Enum(id)));
        }
        let known = self.file.constructors.keys().map(String::as_str);
        let symbols = self.file.globals.iter().chain(&self.file.arrays);
        let known = known.chain(symbols.map(|symbol| symbol.name.as_str()));
        let error = Diagnostic::error(Code::CubicleName, span, format!("{name} is not declared"));
        Err(Box::new(match nearest(name, known) {
            Some(other) => error.hint(format!("is {other} meant?")),
            None => error,
        }))
    }

    /// A value as a term.
    fn term(&mut self, value: Value, span: Span) -> Fallible<(TermId, Kinds)> {
        match value {
            Value::Term(term, kind) => Ok((term, kind)),
            Value::Place(place) => Ok((self.places[place].id, Kinds::Proc)),
            Value::Array(_) => {
                let error = Diagnostic::error(Code::CubicleSyntax, span, "an array has no value");
                Err(Box::new(error.hint("A[x] is the element of a process")))
            }
        }
    }

    /// Two values of one kind.
    fn same(&mut self, left: Value, right: Value, span: Span) -> Fallible<(TermId, TermId, Kinds)> {
        let (mut left, mut kind) = self.term(left, span)?;
        let (mut right, other) = self.term(right, span)?;
        if kind != other
            && matches!((kind, other), (Kinds::Int, Kinds::Real) | (Kinds::Real, Kinds::Int))
        {
            for term in [&mut left, &mut right] {
                if self.store.sort(*term) == SortId::INT {
                    *term = self.store.mk(Op::ToReal, &[*term]);
                }
            }
            kind = Kinds::Real;
        } else if kind != other {
            return Err(wrong(Code::CubicleSyntax, span, "the two sides are of different types"));
        }
        Ok((left, right, kind))
    }

    /// When a transition of some processes can happen, and the state after.
    pub fn fire(&mut self, step: &Transition, who: &[usize]) -> Fallible<(Vec<TermId>, After)> {
        let names: Names<'_> =
            step.params.iter().map(String::as_str).zip(who.iter().copied()).collect();
        let mut body = Vec::new();
        for tree in &step.guard {
            body.push(self.formula(tree, &names)?);
        }
        for (name, tree) in &step.others {
            for place in (0..self.places.len()).filter(|place| !who.contains(place)) {
                let mut names = names.clone();
                names.push((name, place));
                body.push(self.formula(tree, &names)?);
            }
            // A name that is wrong must be found where there are no others, too.
            if self.places.len() == who.len() && !who.is_empty() {
                let mut names = names.clone();
                names.push((name, who[0]));
                self.formula(tree, &names)?;
            }
        }
        let mut after = After {
            globals: self.globals.clone(),
            locals: self.places.iter().map(|place| place.locals.clone()).collect(),
        };
        for update in &step.updates {
            self.update(update, &names, &mut after, &mut body)?;
        }
        Ok((body, after))
    }

    fn update(
        &mut self,
        update: &Update,
        names: &Names<'_>,
        after: &mut After,
        body: &mut Vec<TermId>,
    ) -> Fallible<()> {
        let find = |symbols: &[super::file::Symbol]| {
            symbols.iter().position(|symbol| symbol.name == update.name)
        };
        let (global, array) = (find(&self.file.globals), find(&self.file.arrays));
        match (global, array, &update.index) {
            (Some(at), _, None) => {
                let kind = self.file.globals[at].kind;
                after.globals[at] = self.cases(update, names, kind, body)?;
            }
            (_, Some(at), Some(index)) => {
                let kind = self.file.arrays[at].kind;
                let known = match index.starts_with('#') {
                    true => match self.name(index, update.span, names)? {
                        Value::Place(place) => Some(place),
                        _ => None,
                    },
                    false => names.iter().find(|(name, _)| name == index).map(|(_, place)| *place),
                };
                for place in 0..self.places.len() {
                    if known.is_some_and(|known| known != place) {
                        continue;
                    }
                    let mut names = names.clone();
                    names.push((index, place));
                    after.locals[place][at] = self.cases(update, &names, kind, body)?;
                }
            }
            _ => {
                let message = format!("{} cannot be given a value so", update.name);
                let error = Diagnostic::error(Code::CubicleName, update.span, message);
                let hint = "a variable is written X := v, an array A[x] := v";
                return Err(Box::new(error.hint(hint)));
            }
        }
        Ok(())
    }

    /// The value that the first case that holds has.
    fn cases(
        &mut self,
        update: &Update,
        names: &Names<'_>,
        kind: Kinds,
        body: &mut Vec<TermId>,
    ) -> Fallible<TermId> {
        let mut found = None;
        for (condition, value) in update.cases.iter().rev() {
            let value = match value {
                Some(tree) => {
                    let value = self.value(tree, names)?;
                    let (value, other) = self.term(value, tree.span)?;
                    if other != kind {
                        let message = format!("{} is of another type", update.name);
                        return Err(wrong(Code::CubicleSyntax, tree.span, message));
                    }
                    value
                }
                None => {
                    let any = self.store.fresh_var("any", sort_of(kind));
                    let range = self.range(any, kind);
                    body.push(range);
                    any
                }
            };
            found = Some(match (condition, found) {
                (Some(condition), Some(otherwise)) => {
                    let condition = self.formula(condition, names)?;
                    self.store.ite(condition, value, otherwise)
                }
                _ => value,
            });
        }
        Ok(found.expect("there is a last case"))
    }
}
