//! Tables in which equal things have equal numbers.
//!
//! Numbers are given in the order of first occurrence, so a table's content depends only on what
//! was put in and in which order: no random state, the same run twice gives the same numbers.

use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::borrow::Borrow;
use std::hash::{Hash, Hasher};

/// An interner.
#[derive(Clone, Debug)]
pub(crate) struct Interner<T> {
    items: Vec<T>,
    table: HashTable<u32>,
}

/// The hash all our tables use.
pub(crate) fn hash_of<T: Hash + ?Sized>(item: &T) -> u64 {
    let mut hasher = FxHasher::default();
    item.hash(&mut hasher);
    hasher.finish()
}

impl<T: Hash + Eq> Interner<T> {
    pub(crate) fn new() -> Self {
        Interner { items: Vec::new(), table: HashTable::new() }
    }

    /// The number of `item`, a new one if it is new.
    pub(crate) fn intern(&mut self, item: T) -> u32 {
        let hash = hash_of(&item);
        if let Some(&id) = self.table.find(hash, |&id| self.items[id as usize] == item) {
            return id;
        }
        let id = u32::try_from(self.items.len()).expect("fewer than 2^32 things are interned");
        self.items.push(item);
        let items = &self.items;
        self.table.insert_unique(hash, id, |&id| hash_of(&items[id as usize]));
        id
    }

    /// The number of `item`, if it has one.
    pub(crate) fn find<Q>(&self, item: &Q) -> Option<u32>
    where
        T: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        self.table.find(hash_of(item), |&id| self.items[id as usize].borrow() == item).copied()
    }

    pub(crate) fn item(&self, id: u32) -> &T {
        &self.items[id as usize]
    }

    pub(crate) fn items(&self) -> &[T] {
        &self.items
    }
}
