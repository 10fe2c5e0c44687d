//! Values: what terms evaluate to.
//!
//! Values are ordered and hashed structurally, so two values are equal exactly when they are the
//! same element of their sort. For arrays and codatatypes that takes a canonical form (`array`, `codata`). The structural
//! operations recurse on values and walk shared parts again, so values have a greatest depth and a
//! greatest size; what would exceed them is an error of evaluation.

mod array;
pub mod codata;

pub use array::ArrayValue;
pub use codata::CodataValue;

use crate::bv::Bv;
use crate::id::{CtorId, DataId};
use crate::num::{Int, Rat};
use crate::sort::{Sort, SortId};
use crate::store::Store;
use rustc_hash::FxHashMap;
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The deepest nesting of constructors and arrays in a value.
pub const MAX_VALUE_DEPTH: u32 = 1_000;

/// The largest value, in constructors, entries and scalars, written out without sharing.
pub const MAX_VALUE_SIZE: u64 = 1 << 24;

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
    /// A value of a codatatype.
    Codata(Arc<CodataValue>),
    /// An element of an uninterpreted sort, by its number.
    Element(SortId, u32),
}

/// A constructor applied to values.
#[derive(Clone, Debug)]
pub struct DataValue {
    /// The constructor.
    pub ctor: CtorId,
    /// Its arguments.
    pub args: Vec<Value>,
    /// At least the nesting; equality ignores it, since arrays' nesting depends on how they came.
    depth: u32,
    size: u64,
}

impl DataValue {
    /// At least how deep constructors and arrays are nested in it.
    pub fn depth(&self) -> u32 {
        self.depth
    }
}

impl PartialEq for DataValue {
    fn eq(&self, other: &DataValue) -> bool {
        self.ctor == other.ctor && self.size == other.size && self.args == other.args
    }
}

impl Eq for DataValue {}

impl Hash for DataValue {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.ctor.hash(state);
        self.args.hash(state);
    }
}

impl Ord for DataValue {
    fn cmp(&self, other: &DataValue) -> Ordering {
        self.ctor.cmp(&other.ctor).then_with(|| self.args.cmp(&other.args))
    }
}

impl PartialOrd for DataValue {
    fn partial_cmp(&self, other: &DataValue) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Value {
    /// Adds the values that this one is directly made of to those that are still to be looked at.
    pub fn push_parts<'v>(&'v self, stack: &mut Vec<&'v Value>) {
        match self {
            Value::Array(array) => {
                stack.push(array.default());
                stack.extend(array.entries().flat_map(|(index, value)| [index, value]));
            }
            Value::Data(data) => stack.extend(&data.args),
            Value::Codata(tree) => stack.extend(tree.values()),
            _ => {}
        }
    }

    /// A constructor of a datatype or codatatype applied to values; `None` if that is too deep or too large.
    pub fn made(store: &Store, ctor: CtorId, args: Vec<Value>) -> Option<Value> {
        match store.data(store.ctor(ctor).data).is_co {
            true => Value::codata_of(ctor, args),
            false => Value::data(ctor, args),
        }
    }

    /// The constructor that made a value, if it is one of a datatype or codatatype.
    pub fn ctor(&self) -> Option<CtorId> {
        match self {
            Value::Data(data) => Some(data.ctor),
            Value::Codata(tree) => Some(tree.ctor()),
            _ => None,
        }
    }

    /// A value of a datatype that is no codatatype; `None` if it would be deeper than `MAX_VALUE_DEPTH` or larger than
    /// `MAX_VALUE_SIZE`.
    pub fn data(ctor: CtorId, args: Vec<Value>) -> Option<Value> {
        let depth = 1 + args.iter().map(Value::depth).max().unwrap_or(0);
        let size = 1 + args.iter().map(Value::size).sum::<u64>();
        let fits = depth <= MAX_VALUE_DEPTH && size <= MAX_VALUE_SIZE;
        fits.then(|| Value::Data(Arc::new(DataValue { ctor, args, depth, size })))
    }

    /// How many constructors, entries and scalars it has, written out without sharing.
    pub fn size(&self) -> u64 {
        match self {
            Value::Data(data) => data.size,
            Value::Codata(tree) => tree.size(),
            Value::Array(array) => array.size(),
            _ => 1,
        }
    }

    fn depth(&self) -> u32 {
        match self {
            Value::Data(data) => data.depth,
            Value::Codata(tree) => tree.depth(),
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
    /// first constructor that ends; of codatatypes the first constructor, everywhere. `None` for datatypes
    /// without finite values.
    pub fn default_of(store: &Store, sort: SortId) -> Option<Value> {
        default_within(store, sort, &mut Vec::new(), &mut FxHashMap::default())
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
                    && !store.data(*data).is_co
                    && ctor.fields.len() == value.args.len()
                    && (ctor.fields.iter().zip(&value.args))
                        .all(|((_, sort), arg)| arg.has_sort(store, *sort))
            }
            (Value::Codata(tree), Sort::Data(data)) => {
                tree.has_sort(store, *data, |value, sort| value.has_sort(store, sort))
            }
            _ => false,
        }
    }
}

fn default_within(
    store: &Store,
    sort: SortId,
    path: &mut Vec<SortId>,
    known: &mut FxHashMap<SortId, Value>,
) -> Option<Value> {
    if let Some(value) = known.get(&sort) {
        return Some(value.clone());
    }
    let value = match store.sort_of(sort) {
        Sort::Bool => Value::Bool(false),
        Sort::Int => Value::Int(Int::from(0i64)),
        Sort::Real => Value::Real(Rat::from(0i64)),
        Sort::BitVec(width) => Value::Bv(Bv::from_u64(*width, 0)),
        Sort::Uninterpreted(..) => Value::Element(sort, 0),
        Sort::Array(index, element) => {
            let default = default_within(store, *element, path, known)?;
            Value::Array(Arc::new(ArrayValue::constant(store, *index, default)?))
        }
        Sort::Data(data) => {
            if path.contains(&sort) || path.len() > MAX_NESTED_SORTS {
                return None;
            }
            path.push(sort);
            let found = if store.data(*data).is_co {
                let leaf = |sort| default_within(store, sort, path, known);
                Value::uniform(store, *data, |ctors| ctors.first().copied(), leaf)
            } else {
                store.data(*data).ctors.iter().find_map(|&ctor| {
                    let fields = store.ctor(ctor).fields.iter();
                    let args: Option<Vec<Value>> =
                        fields.map(|(_, sort)| default_within(store, *sort, path, known)).collect();
                    Value::data(ctor, args?)
                })
            };
            path.pop();
            found?
        }
    };
    known.insert(sort, value.clone());
    Some(value)
}

/// How many datatypes deep a default value is looked for.
const MAX_NESTED_SORTS: usize = 100;

/// The number of elements of a sort, when it is finite and fits 64 bits.
pub fn cardinality(store: &Store, sort: SortId) -> Option<u64> {
    match store.sort_of(sort) {
        Sort::Bool => Some(2),
        Sort::BitVec(width) => 1u64.checked_shl(*width).filter(|_| *width < 64),
        Sort::Int | Sort::Real | Sort::Uninterpreted(..) => None,
        Sort::Array(..) | Sort::Data(_) => {
            cardinality_within(store, sort, &mut FxHashMap::default())
        }
    }
}

/// `cardinality`, with what is known of other sorts; a datatype that is met inside itself is
/// known to be infinite. So is a codatatype: where there is a choice at some place, there is one at each
/// of the places that walking round leads to. Where there is none it has one value.
fn cardinality_within(
    store: &Store,
    sort: SortId,
    known: &mut FxHashMap<SortId, Option<u64>>,
) -> Option<u64> {
    if let Some(&size) = known.get(&sort) {
        return size;
    }
    known.insert(sort, None);
    let size = match store.sort_of(sort) {
        Sort::Array(index, element) => {
            let element = cardinality_within(store, *element, known);
            match element {
                Some(0 | 1) => element,
                _ => {
                    let index = cardinality_within(store, *index, known);
                    let index = index.and_then(|index| u32::try_from(index).ok());
                    element.and_then(|element| element.checked_pow(index?))
                }
            }
        }
        Sort::Data(data) if is_forced(store, *data, known) => Some(1),
        Sort::Data(data) => {
            let mut total = Some(0u64);
            for &ctor in &store.data(*data).ctors {
                let mut product = Some(1u64);
                for &(_, field) in &store.ctor(ctor).fields {
                    let size = cardinality_within(store, field, known);
                    product = product.and_then(|p| p.checked_mul(size?));
                }
                total = total.and_then(|t| t.checked_add(product?));
            }
            total
        }
        _ => cardinality(store, sort),
    };
    known.insert(sort, size);
    size
}

/// Whether a codatatype leaves nothing open: what its values are made of has one constructor each, and one value
/// at each place that is no codatatype.
fn is_forced(store: &Store, data: DataId, known: &mut FxHashMap<SortId, Option<u64>>) -> bool {
    if !store.data(data).is_co {
        return false;
    }
    let mut met = vec![data];
    let mut at = 0;
    while let Some(&data) = met.get(at) {
        at += 1;
        let [only] = store.data(data).ctors[..] else { return false };
        for &(_, field) in &store.ctor(only).fields {
            match store.codata_of(field) {
                Some(next) if met.contains(&next) => {}
                Some(next) => met.push(next),
                None if cardinality_within(store, field, known) == Some(1) => {}
                None => return false,
            }
        }
    }
    true
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
            let choices = elements(store, *element, most)?;
            let default = choices.first()?.clone();
            let mut arrays = vec![ArrayValue::constant(store, *index, default)?];
            // With one element to choose from there is one array, however many indices.
            let indices = if choices.len() == 1 { None } else { Some(*index) };
            let indices = indices.map_or(Some(Vec::new()), |index| elements(store, index, most))?;
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
        // An only value may be inside itself.
        Sort::Data(_) if count == 1 => Some(vec![Value::default_of(store, sort)?]),
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
                    all.push(Value::made(store, ctor, args)?);
                }
            }
            Some(all)
        }
        Sort::Int | Sort::Real | Sort::Uninterpreted(..) => None,
    }
}
