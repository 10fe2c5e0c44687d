//! Values: what terms evaluate to.
//!
//! Values are ordered and hashed structurally, so two values are equal exactly when they are the
//! same element of their sort. For arrays that takes a canonical form (`array`); for datatypes a
//! limit on depth keeps the structural operations from exhausting the stack.

mod array;
mod bv;

pub use array::ArrayValue;
pub use bv::Bv;

use crate::num::{Int, Rat};
use crate::sort::{Sort, SortId};
use crate::store::{CtorId, Store};
use std::sync::Arc;

/// The deepest nesting of constructors and arrays in a value.
pub const MAX_VALUE_DEPTH: u32 = 4_000;

/// An element of a sort.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(Int),
    /// A rational.
    Real(Rat),
    /// A word.
    Bv(Bv),
    /// An array.
    Array(Arc<ArrayValue>),
    /// A value of a datatype.
    Data(Arc<DataValue>),
    /// An element of an uninterpreted sort, by its number.
    Element(SortId, u32),
}

/// A constructor applied to values.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DataValue {
    /// The constructor.
    pub ctor: CtorId,
    /// Its arguments.
    pub args: Vec<Value>,
    depth: u32,
}

impl Value {
    /// A value of a datatype; `None` if it would be deeper than `MAX_VALUE_DEPTH`.
    pub fn data(ctor: CtorId, args: Vec<Value>) -> Option<Value> {
        let depth = 1 + args.iter().map(Value::depth).max().unwrap_or(0);
        let fits = depth <= MAX_VALUE_DEPTH;
        fits.then(|| Value::Data(Arc::new(DataValue { ctor, args, depth })))
    }

    fn depth(&self) -> u32 {
        match self {
            Value::Data(data) => data.depth,
            Value::Array(array) => array.depth(),
            _ => 0,
        }
    }

    /// The truth value, if this is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// Some value of a sort, always the same one: false, zero, the array of such values, the
    /// first constructor that ends. `None` for datatypes without finite values.
    pub fn default_of(store: &Store, sort: SortId) -> Option<Value> {
        default_within(store, sort, &mut Vec::new())
    }

    /// Whether this is an element of `sort`.
    pub fn has_sort(&self, store: &Store, sort: SortId) -> bool {
        match (self, store.sort_of(sort)) {
            (Value::Bool(_), Sort::Bool)
            | (Value::Int(_), Sort::Int)
            | (Value::Real(_), Sort::Real) => true,
            (Value::Bv(bv), Sort::BitVec(width)) => bv.width() == *width,
            (Value::Element(own, _), Sort::Uninterpreted(..)) => *own == sort,
            (Value::Array(array), Sort::Array(index, element)) => {
                array.has_sort(store, *index, *element)
            }
            (Value::Data(value), Sort::Data(data)) => {
                let ctor = store.ctor(value.ctor);
                ctor.data == *data
                    && ctor.fields.len() == value.args.len()
                    && (ctor.fields.iter().zip(&value.args))
                        .all(|((_, sort), arg)| arg.has_sort(store, *sort))
            }
            _ => false,
        }
    }
}

fn default_within(store: &Store, sort: SortId, path: &mut Vec<SortId>) -> Option<Value> {
    match store.sort_of(sort) {
        Sort::Bool => Some(Value::Bool(false)),
        Sort::Int => Some(Value::Int(Int::from(0i64))),
        Sort::Real => Some(Value::Real(Rat::from(0i64))),
        Sort::BitVec(width) => Some(Value::Bv(Bv::from_u64(*width, 0))),
        Sort::Uninterpreted(..) => Some(Value::Element(sort, 0)),
        Sort::Array(index, element) => {
            let default = default_within(store, *element, path)?;
            Some(Value::Array(Arc::new(ArrayValue::constant(store, *index, default)?)))
        }
        Sort::Data(data) => {
            if path.contains(&sort) || path.len() > 100 {
                return None;
            }
            path.push(sort);
            let ctors = store.data(*data).ctors.clone();
            let found = ctors.into_iter().find_map(|ctor| {
                let fields = &store.ctor(ctor).fields;
                let args: Option<Vec<Value>> =
                    fields.iter().map(|(_, sort)| default_within(store, *sort, path)).collect();
                Value::data(ctor, args?)
            });
            path.pop();
            found
        }
    }
}

/// The number of elements of a sort, when it is finite and fits 64 bits.
pub fn cardinality(store: &Store, sort: SortId) -> Option<u64> {
    cardinality_within(store, sort, &mut Vec::new())
}

fn cardinality_within(store: &Store, sort: SortId, path: &mut Vec<SortId>) -> Option<u64> {
    match store.sort_of(sort) {
        Sort::Bool => Some(2),
        Sort::BitVec(width) => 1u64.checked_shl(*width).filter(|_| *width < 64),
        Sort::Int | Sort::Real | Sort::Uninterpreted(..) => None,
        Sort::Array(index, element) => {
            let (index, element) = (
                cardinality_within(store, *index, path),
                cardinality_within(store, *element, path)?,
            );
            if element <= 1 {
                return Some(element);
            }
            element.checked_pow(u32::try_from(index?).ok()?)
        }
        Sort::Data(data) => {
            if path.contains(&sort) {
                return None;
            }
            path.push(sort);
            let mut total = Some(0u64);
            for &ctor in &store.data(*data).ctors {
                let mut product = Some(1u64);
                for &(_, field) in &store.ctor(ctor).fields {
                    let size = cardinality_within(store, field, path);
                    product = product.and_then(|p| p.checked_mul(size?));
                }
                total = total.and_then(|t| t.checked_add(product?));
            }
            path.pop();
            total
        }
    }
}

/// The elements of a sort with at most `most` of them; `None` for larger sorts.
pub fn elements(store: &Store, sort: SortId, most: u64) -> Option<Vec<Value>> {
    let count = cardinality(store, sort).filter(|&count| count <= most)?;
    match store.sort_of(sort) {
        Sort::Bool => Some(vec![Value::Bool(false), Value::Bool(true)]),
        Sort::BitVec(width) => {
            Some((0..count).map(|bits| Value::Bv(Bv::from_u64(*width, bits))).collect())
        }
        Sort::Array(index, element) => {
            let indices = elements(store, *index, most)?;
            let choices = elements(store, *element, most)?;
            let default = choices.first()?.clone();
            let mut arrays = vec![ArrayValue::constant(store, *index, default)?];
            for at in &indices {
                let mut wider = Vec::with_capacity(arrays.len() * choices.len());
                for array in &arrays {
                    for choice in &choices {
                        wider.push(array.with(store, at.clone(), choice.clone())?);
                    }
                }
                arrays = wider;
            }
            Some(arrays.into_iter().map(|array| Value::Array(Arc::new(array))).collect())
        }
        Sort::Data(data) => {
            let mut all = Vec::new();
            for &ctor in &store.data(*data).ctors {
                let mut tuples = vec![Vec::new()];
                for &(_, field) in &store.ctor(ctor).fields {
                    let choices = elements(store, field, most)?;
                    let mut wider = Vec::with_capacity(tuples.len() * choices.len());
                    for tuple in &tuples {
                        wider.extend(choices.iter().map(|choice| {
                            let mut longer: Vec<Value> = tuple.clone();
                            longer.push(choice.clone());
                            longer
                        }));
                    }
                    tuples = wider;
                }
                for args in tuples {
                    all.push(Value::data(ctor, args)?);
                }
            }
            Some(all)
        }
        Sort::Int | Sort::Real | Sort::Uninterpreted(..) => None,
    }
}
