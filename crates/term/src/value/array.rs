//! Arrays with finitely many exceptions to a default.
//!
//! Invariant: no entry equals the default; and when the index sort is finite, the default is the
//! most frequent element (the least of them in a tie). So equal arrays have equal
//! representations, which over finite index sorts would not hold otherwise: over one bit, "0
//! except 1 at #b0" and "1 except 0 at #b1" are the same array.
//!
//! Once the exceptions are at least half of a finite index sort, a write counts all of them.

use super::{MAX_VALUE_DEPTH, MAX_VALUE_SIZE, Value, cardinality, elements};
use crate::sort::SortId;
use crate::store::Store;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

/// An array: a value for all indices, but for finitely many exceptions.
#[derive(Clone, Debug)]
pub struct ArrayValue {
    default: Value,
    entries: BTreeMap<Value, Value>,
    /// The number of indices, when it is finite and fits.
    indices: Option<u64>,
    index_sort: SortId,
    /// At least the nesting of the array; overwritten elements count, so equality ignores it.
    depth: u32,
    size: u64,
}

impl ArrayValue {
    /// The array over `index` that is `default` everywhere; `None` if it nests too deep.
    pub fn constant(store: &Store, index: SortId, default: Value) -> Option<ArrayValue> {
        let indices = cardinality(store, index);
        let (depth, size) = (default.depth() + 1, default.size() + 1);
        let entries = BTreeMap::new();
        let array = ArrayValue { default, entries, indices, index_sort: index, depth, size };
        array.fits().then_some(array)
    }

    /// The array over `index` with these entries and `default` elsewhere; `None` as for `with`.
    ///
    /// It counts the exceptions once, where `with` for each counts them each time.
    pub fn from_entries(
        store: &Store,
        index: SortId,
        default: Value,
        entries: BTreeMap<Value, Value>,
    ) -> Option<ArrayValue> {
        let mut array = ArrayValue::constant(store, index, default)?;
        for (index, value) in entries {
            if value != array.default {
                array.depth = array.depth.max(1 + index.depth()).max(1 + value.depth());
                array.size += index.size() + value.size();
                array.entries.insert(index, value);
            }
        }
        array.normalise(store)?;
        array.fits().then_some(array)
    }

    /// The value at `index`.
    pub fn at(&self, index: &Value) -> &Value {
        self.entries.get(index).unwrap_or(&self.default)
    }

    /// The array with the value at `index` replaced; `None` if it nests too deep, is too large, or
    /// has more exceptions over a finite index sort than we enumerate.
    pub fn with(&self, store: &Store, index: Value, value: Value) -> Option<ArrayValue> {
        let mut array = self.clone();
        array.set(store, index, value).then_some(array)
    }

    /// Replaces the value at `index`; false, and the array is of no use, where `with` gives `None`.
    pub(crate) fn set(&mut self, store: &Store, index: Value, value: Value) -> bool {
        self.depth = self.depth.max(1 + index.depth()).max(1 + value.depth());
        let at = index.size();
        let old = if value == self.default {
            self.entries.remove(&index)
        } else {
            self.size += at + value.size();
            self.entries.insert(index, value)
        };
        if let Some(old) = old {
            self.size -= at + old.size();
        }
        self.normalise(store).is_some() && self.fits()
    }

    fn fits(&self) -> bool {
        self.depth <= MAX_VALUE_DEPTH && self.size <= MAX_VALUE_SIZE
    }

    /// The value at all indices that are not entries.
    pub fn default(&self) -> &Value {
        &self.default
    }

    /// The exceptions, in the order of their indices.
    pub fn entries(&self) -> impl Iterator<Item = (&Value, &Value)> {
        self.entries.iter()
    }

    /// The sort of the indices.
    pub fn index_sort(&self) -> SortId {
        self.index_sort
    }

    pub(super) fn depth(&self) -> u32 {
        self.depth
    }

    pub(super) fn size(&self) -> u64 {
        self.size
    }

    pub(super) fn has_sort(&self, store: &Store, index: SortId, element: SortId) -> bool {
        self.index_sort == index
            && self.default.has_sort(store, element)
            && (self.entries.iter())
                .all(|(i, v)| i.has_sort(store, index) && v.has_sort(store, element))
    }

    fn normalise(&mut self, store: &Store) -> Option<()> {
        let Some(indices) = self.indices else { return Some(()) };
        // While exceptions are fewer than half of the indices the default is the most frequent.
        let others = indices.checked_sub(self.entries.len() as u64)?;
        if (self.entries.len() as u64) < others {
            return Some(());
        }
        let mut counts: BTreeMap<&Value, u64> = BTreeMap::new();
        for value in self.entries.values() {
            *counts.entry(value).or_default() += 1;
        }
        let mut best = (&self.default, others);
        for (value, count) in counts {
            if count > best.1 || (count == best.1 && value < best.0) {
                best = (value, count);
            }
        }
        let default = best.0.clone();
        if default == self.default {
            return Some(());
        }
        let old = std::mem::replace(&mut self.default, default);
        for index in elements(store, self.index_sort, MAX_INDICES)? {
            self.entries.entry(index).or_insert_with(|| old.clone());
        }
        let default = &self.default;
        self.entries.retain(|_, value| value != default);
        let entries = self.entries.iter().map(|(index, value)| index.size() + value.size());
        self.size = 1 + default.size() + entries.sum::<u64>();
        Some(())
    }
}

impl PartialEq for ArrayValue {
    fn eq(&self, other: &ArrayValue) -> bool {
        self.index_sort == other.index_sort
            && self.default == other.default
            && self.entries == other.entries
    }
}

impl Eq for ArrayValue {}

impl Hash for ArrayValue {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.index_sort.hash(state);
        self.default.hash(state);
        self.entries.hash(state);
    }
}

impl Ord for ArrayValue {
    fn cmp(&self, other: &ArrayValue) -> Ordering {
        (self.index_sort.cmp(&other.index_sort))
            .then_with(|| self.default.cmp(&other.default))
            .then_with(|| self.entries.cmp(&other.entries))
    }
}

impl PartialOrd for ArrayValue {
    fn partial_cmp(&self, other: &ArrayValue) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The largest finite index sort whose arrays may have as many exceptions as indices.
const MAX_INDICES: u64 = 1 << 16;
