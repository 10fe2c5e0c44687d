//! The state of a model while its text is run with values that are terms: slots, names in scope, what can go wrong.
//!
//! Both ways of a condition are run, and where a slot ends up with different codes it has the one that the
//! condition says. `live` is when the place that is being run is reached, `wrong` when something goes wrong: a value
//! that is undefined is used, one is outside its type, or an assertion fails.

use super::shape::{Class, MAX_SLOTS, Simple, Type, TypeId, Types};
use super::tree::{Declaration, Procedure, Range, TypeKind, TypeTree};
use super::value::Sym;
use crate::diag::{Code, Diagnostic};
use crate::infix::Fallible;
use alphorn_problem::Span;
use alphorn_term::{Store, TermId};
use std::collections::BTreeMap;

/// The most terms of a model.
const MAX_TERMS: usize = 8_000_000;
/// The most expressions and statements that are run, all loops and rule sets counted: what is read ends.
const MAX_WORK: u64 = 10_000_000;
/// The most values that a name stands for in turn.
const MAX_VALUES: i64 = 1 << 16;

/// Where something lies: the first slots that it may have, each with when it is there.
pub(super) type Place = Vec<(TermId, usize)>;

/// What a name means.
#[derive(Clone, Debug)]
pub(super) enum Meaning {
    Value(Sym),
    Type(TypeId),
    Place(Place, TypeId),
}

pub(super) struct Scene<'f> {
    pub store: Store,
    pub types: Types,
    pub slots: Vec<TermId>,
    pub live: TermId,
    pub wrong: TermId,
    pub scope: Vec<(String, Meaning)>,
    /// How many names are known everywhere.
    pub globals: usize,
    pub procedures: BTreeMap<&'f str, &'f Procedure>,
    /// Whether the procedure that is run has returned.
    pub returned: TermId,
    /// Where its result goes.
    pub result: Option<(usize, TypeId)>,
    pub calls: usize,
    work: u64,
}

impl<'f> Scene<'f> {
    pub fn new() -> Scene<'f> {
        let (store, types) = (Store::new(), Types::new());
        let (yes, no) = (store.bool(true), store.bool(false));
        let truth = |value| Meaning::Value(Sym::Known(value, Class::Truth));
        let scope = vec![
            ("false".to_owned(), truth(0)),
            ("true".to_owned(), truth(1)),
            ("boolean".to_owned(), Meaning::Type(super::shape::TRUTH)),
        ];
        let (slots, procedures) = (Vec::new(), BTreeMap::new());
        let (live, wrong, returned) = (yes, no, no);
        let (globals, result, calls, work) = (scope.len(), None, 0, 0);
        Scene {
            store,
            types,
            slots,
            live,
            wrong,
            scope,
            globals,
            procedures,
            returned,
            result,
            calls,
            work,
        }
    }

    /// One more expression or statement is run.
    pub fn spend(&mut self, span: Span) -> Fallible<()> {
        self.work += 1;
        match self.work <= MAX_WORK && self.store.len() <= MAX_TERMS {
            true => Ok(()),
            false => {
                Err(untreated(span, "the model is too large when all its rules are written out"))
            }
        }
    }

    /// Something goes wrong here under this condition.
    pub fn fail(&mut self, condition: TermId) {
        let here = self.store.and(&[self.live, condition]);
        self.wrong = self.store.or(&[self.wrong, here]);
    }

    /// Runs both ways of a condition.
    pub fn branch(
        &mut self,
        condition: TermId,
        then: impl FnOnce(&mut Self) -> Fallible<()>,
        otherwise: impl FnOnce(&mut Self) -> Fallible<()>,
    ) -> Fallible<()> {
        match self.store.literal_value(condition) {
            Some(alphorn_term::Value::Bool(true)) => return then(self),
            Some(_) => return otherwise(self),
            None => {}
        }
        let (live, before, returned) = (self.live, self.slots.clone(), self.returned);
        self.live = self.store.and(&[live, condition]);
        then(self)?;
        let then_slots = std::mem::replace(&mut self.slots, before);
        let then_returned = std::mem::replace(&mut self.returned, returned);
        let negated = self.store.not(condition);
        self.live = self.store.and(&[live, negated]);
        otherwise(self)?;
        for (slot, then) in self.slots.iter_mut().zip(then_slots) {
            *slot = self.store.ite(condition, then, *slot);
        }
        self.returned = self.store.ite(condition, then_returned, self.returned);
        self.live = live;
        Ok(())
    }

    /// What a name means.
    pub fn meaning(&self, name: &str, span: Span) -> Fallible<Meaning> {
        let found = self.scope.iter().rev().find(|(known, _)| known == name);
        found.map(|(_, meaning)| meaning.clone()).ok_or_else(|| {
            let message = format!("`{name}` is not declared");
            Box::new(Diagnostic::error(Code::MurphiName, span, message))
        })
    }

    /// The codes of new slots for a variable: undefined.
    pub fn allocate(&mut self, ty: TypeId, span: Span) -> Fallible<usize> {
        let first = self.slots.len();
        let mut parts = Vec::new();
        self.types.slots(ty, "", &mut parts);
        if first + parts.len() > MAX_SLOTS {
            return Err(untreated(span, "the variables have too many parts"));
        }
        for (_, part) in parts {
            let simple = self.types.simple(part).expect("a slot has a simple type");
            let code = simple.term(&mut self.store, 0);
            self.slots.push(code);
        }
        Ok(first)
    }

    /// Makes a name known that has no meaning yet, among those from `level` on.
    fn bind(&mut self, level: usize, name: &str, meaning: Meaning, span: Span) -> Fallible<()> {
        if self.scope[level..].iter().any(|(known, _)| known == name) {
            let message = format!("`{name}` is declared twice");
            return Err(Box::new(Diagnostic::error(Code::MurphiName, span, message)));
        }
        self.scope.push((name.to_owned(), meaning));
        Ok(())
    }

    /// Makes declarations known; variables get slots.
    pub fn declare(&mut self, declarations: &[Declaration]) -> Fallible<()> {
        let level = self.scope.len();
        for declaration in declarations {
            match declaration {
                Declaration::Const(name, value, span) => {
                    let value = self.known(value)?;
                    self.bind(level, name, Meaning::Value(Sym::Known(value.0, value.1)), *span)?;
                }
                Declaration::Type(name, ty, span) => {
                    let ty = self.ty(ty, Some(name))?;
                    self.bind(level, name, Meaning::Type(ty), *span)?;
                }
                Declaration::Vars(names, ty) => {
                    let ty = self.ty(ty, None)?;
                    for (name, span) in names {
                        let first = self.allocate(ty, *span)?;
                        let always = self.store.bool(true);
                        let place = Meaning::Place(vec![(always, first)], ty);
                        self.bind(level, name, place, *span)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The type that is written; values of scalarsets are called after it.
    pub fn ty(&mut self, tree: &TypeTree, name: Option<&str>) -> Fallible<TypeId> {
        let ty = match &tree.kind {
            TypeKind::Name(name) => {
                return match self.meaning(name, tree.span)? {
                    Meaning::Type(ty) => Ok(ty),
                    _ => Err(unfit(tree.span, &format!("`{name}` is no type"))),
                };
            }
            TypeKind::Range(first, last) => {
                let (first, last) = (self.known_number(first)?, self.known_number(last)?);
                if first > last || last - first >= MAX_VALUES {
                    let message = format!("the range {first}..{last} is empty or too long");
                    return Err(unfit(tree.span, &message));
                }
                Type::Simple(Simple { class: Class::Number, parts: vec![(first, last)] })
            }
            TypeKind::Enum(names) => {
                let simple = self.types.named(names.iter().map(|(name, _)| name.clone()).collect());
                let values: Vec<i64> = simple.values().collect();
                for ((name, span), value) in names.iter().zip(values) {
                    self.bind(0, name, Meaning::Value(Sym::Known(value, simple.class)), *span)?;
                }
                Type::Simple(simple)
            }
            TypeKind::Scalarset(size) => {
                let size = self.known_number(size)?;
                if !(1..=MAX_VALUES).contains(&size) {
                    return Err(unfit(
                        tree.span,
                        "a scalarset has at least one value and not too many",
                    ));
                }
                let name = name.unwrap_or("value");
                Type::Simple(self.types.named((1..=size).map(|n| format!("{name}_{n}")).collect()))
            }
            TypeKind::Union(parts) => {
                let mut all = Vec::new();
                for part in parts {
                    let ty = self.ty(part, None)?;
                    let Some(simple) = self.types.simple(ty) else {
                        return Err(unfit(part.span, "a union is made of types of single values"));
                    };
                    all.extend(simple.parts.iter().copied());
                }
                Type::Simple(Simple { class: Class::Mixed, parts: all })
            }
            TypeKind::Array(index, element) => {
                let index_type = self.ty(index, None)?;
                if self.types.simple(index_type).is_none() {
                    return Err(unfit(index.span, "an index is a single value"));
                }
                Type::Array(index_type, self.ty(element, None)?)
            }
            TypeKind::Record(fields) => {
                let mut all = Vec::new();
                for (names, ty) in fields {
                    let ty = self.ty(ty, None)?;
                    all.extend(names.iter().map(|name| (name.clone(), ty)));
                }
                Type::Record(all)
            }
        };
        self.types.add(ty).ok_or_else(|| untreated(tree.span, "this type has too many parts"))
    }

    /// The values that a name stands for in turn.
    pub fn values(&mut self, range: &Range, span: Span) -> Fallible<Vec<Sym>> {
        match range {
            Range::Type(tree) => {
                let ty = self.ty(tree, None)?;
                let Some(simple) = self.types.simple(ty) else {
                    return Err(unfit(tree.span, "this is no type of single values"));
                };
                let class = |value: i64| match simple.class {
                    Class::Mixed => self.types.class_of(value),
                    class => class,
                };
                Ok(simple.values().map(|value| Sym::Known(value, class(value))).collect())
            }
            Range::Numbers(first, last, by) => {
                let (first, last) = (self.known_number(first)?, self.known_number(last)?);
                let by = by.as_ref().map_or(Ok(1), |by| self.known_number(by))?;
                let count = if by == 0 { MAX_VALUES } else { (last - first) / by };
                if count >= MAX_VALUES {
                    return Err(unfit(span, "this goes on for too long"));
                }
                let mut values = Vec::new();
                let mut value = first;
                while if by > 0 { value <= last } else { value >= last } {
                    values.push(Sym::Known(value, Class::Number));
                    value += by;
                }
                Ok(values)
            }
        }
    }
}

pub(super) fn unfit(span: Span, message: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(Code::MurphiType, span, message))
}

pub(super) fn untreated(span: Span, message: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(Code::MurphiUntreated, span, message))
}
