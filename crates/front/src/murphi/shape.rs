//! Types of Murphi, and where the parts of a variable lie.
//!
//! A simple type has numbered values: those of ranges are the numbers themselves, those of enumerations and
//! scalarsets have numbers that no other type has, so that a union is a list of intervals. A variable of a simple
//! type holds a *code*: 0 while it is undefined, otherwise one more than the position of its value in the type.

use alphorn_term::{Bv, Store, TermId};

/// A type, by its position.
pub(super) type TypeId = usize;

/// The most slots of a model: every part of a variable that holds a single value is one.
pub(super) const MAX_SLOTS: usize = 1 << 14;

/// What values are about, so that values of different kinds are not compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    Number,
    Truth,
    /// An enumeration or a scalarset, with the number of its first value.
    Named(i64),
    /// A union of several.
    Mixed,
}

/// A type of single values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Simple {
    pub class: Class,
    /// The intervals of its values, in order.
    pub parts: Vec<(i64, i64)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Simple(Simple),
    Array(TypeId, TypeId),
    Record(Vec<(String, TypeId)>),
}

/// The type of truth values.
pub(super) const TRUTH: TypeId = 0;

/// All types of a model.
#[derive(Clone, Debug)]
pub(super) struct Types {
    all: Vec<Type>,
    sizes: Vec<usize>,
    /// The number of the next named value.
    next: i64,
    /// How named values are called.
    names: Vec<String>,
}

/// The number of the first named value: no range reaches it.
const FIRST_NAMED: i64 = 1 << 40;

impl Types {
    pub fn new() -> Types {
        let truth = Simple { class: Class::Truth, parts: vec![(0, 1)] };
        let (all, sizes) = (vec![Type::Simple(truth)], vec![1]);
        Types { all, sizes, next: FIRST_NAMED, names: Vec::new() }
    }

    /// The type with its number, unless it has too many parts.
    pub fn add(&mut self, ty: Type) -> Option<TypeId> {
        let size = match &ty {
            Type::Simple(_) => 1,
            Type::Array(index, element) => {
                self.simple(*index)?.count().checked_mul(self.sizes[*element])?
            }
            Type::Record(fields) => fields.iter().map(|(_, field)| self.sizes[*field]).sum(),
        };
        if size > MAX_SLOTS {
            return None;
        }
        self.all.push(ty);
        self.sizes.push(size);
        Some(self.all.len() - 1)
    }

    /// A type of new values with these names.
    pub fn named(&mut self, names: Vec<String>) -> Simple {
        let first = self.next;
        self.next += names.len() as i64;
        self.names.extend(names);
        Simple { class: Class::Named(first), parts: vec![(first, self.next - 1)] }
    }

    pub fn get(&self, ty: TypeId) -> &Type {
        &self.all[ty]
    }

    pub fn simple(&self, ty: TypeId) -> Option<&Simple> {
        match &self.all[ty] {
            Type::Simple(simple) => Some(simple),
            Type::Array(..) | Type::Record(_) => None,
        }
    }

    /// How many slots a variable of the type has.
    pub fn size(&self, ty: TypeId) -> usize {
        self.sizes[ty]
    }

    /// Whether values of one can be copied to the other, part by part.
    pub fn is_alike(&self, left: TypeId, right: TypeId) -> bool {
        left == right
            || match (self.get(left), self.get(right)) {
                (Type::Simple(a), Type::Simple(b)) => a == b,
                (Type::Array(i, a), Type::Array(j, b)) => {
                    self.is_alike(*i, *j) && self.is_alike(*a, *b)
                }
                (Type::Record(a), Type::Record(b)) => {
                    a.len() == b.len()
                        && a.iter().zip(b).all(|((n, a), (m, b))| n == m && self.is_alike(*a, *b))
                }
                _ => false,
            }
    }

    /// The class of a value of a union.
    pub fn class_of(&self, value: i64) -> Class {
        if value < FIRST_NAMED {
            return Class::Number;
        }
        let is_of =
            |ty: &&Simple| ty.class == Class::Named(ty.parts[0].0) && ty.code(value).is_some();
        let named = self.all.iter().filter_map(|ty| match ty {
            Type::Simple(simple) => Some(simple),
            Type::Array(..) | Type::Record(_) => None,
        });
        named.into_iter().find(is_of).map_or(Class::Mixed, |simple| simple.class)
    }

    /// All values with names, and what they are called.
    pub fn named_values(&self) -> Vec<(String, i64, Class)> {
        let value = |(position, name): (usize, &String)| {
            let value = FIRST_NAMED + position as i64;
            (name.clone(), value, self.class_of(value))
        };
        self.names.iter().enumerate().map(value).collect()
    }

    /// How a value is written.
    pub fn show(&self, value: i64, class: Class) -> String {
        match class {
            Class::Truth => if value == 1 { "true" } else { "false" }.to_owned(),
            _ if value >= FIRST_NAMED => self.names[(value - FIRST_NAMED) as usize].clone(),
            _ => value.to_string(),
        }
    }

    /// The simple types of all slots of a type, with how each part is called behind the variable's name.
    pub fn slots(&self, ty: TypeId, name: &str, into: &mut Vec<(String, TypeId)>) {
        match self.get(ty) {
            Type::Simple(_) => into.push((name.to_owned(), ty)),
            Type::Array(index, element) => {
                let Some(index) = self.simple(*index) else { return };
                for value in index.values() {
                    let at = self.show(value, index.class);
                    self.slots(*element, &format!("{name}[{at}]"), into);
                }
            }
            Type::Record(fields) => {
                for (field, ty) in fields {
                    self.slots(*ty, &format!("{name}.{field}"), into);
                }
            }
        }
    }
}

impl Simple {
    pub fn count(&self) -> usize {
        self.parts.iter().map(|(first, last)| (last - first + 1) as usize).sum()
    }

    /// The bits of a code.
    pub fn width(&self) -> u32 {
        usize::BITS - self.count().leading_zeros()
    }

    pub fn values(&self) -> impl Iterator<Item = i64> + '_ {
        self.parts.iter().flat_map(|(first, last)| *first..=*last)
    }

    /// The code of a value, if it has one.
    pub fn code(&self, value: i64) -> Option<u64> {
        let mut before = 1;
        for &(first, last) in &self.parts {
            if (first..=last).contains(&value) {
                return Some(before + (value - first) as u64);
            }
            before += (last - first + 1) as u64;
        }
        None
    }

    /// The value with a code.
    pub fn value(&self, code: u64) -> Option<i64> {
        self.values().nth(usize::try_from(code).ok()?.checked_sub(1)?)
    }

    /// A code as a term.
    pub fn term(&self, store: &mut Store, code: u64) -> TermId {
        store.bv(Bv::from_u64(self.width(), code))
    }
}
