//! Arrays with finitely many exceptions to a default.
//!
//! Invariant: no entry equals the default; and when the index sort is finite, the default is the
//! most frequent element (the least of them in a tie). So equal arrays have equal
//! representations, which over finite index sorts would not hold otherwise: over one bit, "0
//! except 1 at #b0" and "1 except 0 at #b1" are the same array.

use super::{MAX_VALUE_DEPTH, Value, cardinality, elements};
use crate::sort::SortId;
use crate::store::Store;
use std::collections::BTreeMap;

/// An array.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ArrayValue {
    default: Value,
    entries: BTreeMap<Value, Value>,
    /// The number of indices, when it is finite and fits.
    indices: Option<u64>,
    index_sort: SortId,
    depth: u32,
}

impl ArrayValue {
    /// The array over `index` that is `default` everywhere; `None` if it nests too deep.
    pub fn constant(store: &Store, index: SortId, default: Value) -> Option<ArrayValue> {
        let indices = cardinality(store, index);
        let depth = default.depth() + 1;
        let array =
            ArrayValue { default, entries: BTreeMap::new(), indices, index_sort: index, depth };
        (depth <= MAX_VALUE_DEPTH).then_some(array)
    }

    /// The array over `index` with these entries and `default` elsewhere; `None` as for `with`.
    ///
    /// It takes time in proportion to the entries, where `with` for each takes the square of it.
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
                array.entries.insert(index, value);
            }
        }
        array.normalise(store)?;
        (array.depth <= MAX_VALUE_DEPTH).then_some(array)
    }

    /// The value at `index`.
    pub fn at(&self, index: &Value) -> &Value {
        self.entries.get(index).unwrap_or(&self.default)
    }

    /// The array with the value at `index` replaced; `None` if it nests too deep, or has more
    /// exceptions over a finite index sort than we enumerate.
    pub fn with(&self, store: &Store, index: Value, value: Value) -> Option<ArrayValue> {
        let mut array = self.clone();
        array.depth = array.depth.max(1 + index.depth()).max(1 + value.depth());
        if value == array.default {
            array.entries.remove(&index);
        } else {
            array.entries.insert(index, value);
        }
        array.normalise(store)?;
        (array.depth <= MAX_VALUE_DEPTH).then_some(array)
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

    pub(super) fn has_sort(&self, store: &Store, index: SortId, element: SortId) -> bool {
        self.index_sort == index
            && self.default.has_sort(store, element)
            && (self.entries.iter())
                .all(|(i, v)| i.has_sort(store, index) && v.has_sort(store, element))
    }

    fn normalise(&mut self, store: &Store) -> Option<()> {
        let Some(indices) = self.indices else { return Some(()) };
        // While exceptions are fewer than half of the indices the default is the most frequent.
        let others = indices - self.entries.len() as u64;
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
        for index in elements(store, self.index_sort, MOST_INDICES)? {
            self.entries.entry(index).or_insert_with(|| old.clone());
        }
        let default = &self.default;
        self.entries.retain(|_, value| value != default);
        Some(())
    }
}

/// The largest finite index sort whose arrays may have as many exceptions as indices.
const MOST_INDICES: u64 = 1 << 16;
