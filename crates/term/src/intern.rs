//! Tables in which equal things have equal numbers.
//!
//! Numbers are given in the order of first occurrence, so a table's content depends only on what
//! was put in and in which order: no random state, the same run twice gives the same numbers. Copies
//! share what they have in common.

use crate::pages::Pages;
use crate::table::IdTable;
use rustc_hash::FxHasher;
use std::borrow::Borrow;
use std::hash::{Hash, Hasher};

/// Equal items get equal numbers, in the order in which they are first seen.
#[derive(Clone, Debug)]
pub(crate) struct Interner<T> {
    items: Pages<T>,
    table: IdTable,
}

/// The hash all our tables use.
fn hash_of<T: Hash + ?Sized>(item: &T) -> u32 {
    let mut hasher = FxHasher::default();
    item.hash(&mut hasher);
    // The hasher puts its best bits lowest.
    hasher.finish() as u32
}

impl<T: Hash + Eq + Clone> Interner<T> {
    pub(crate) fn new() -> Self {
        Interner { items: Pages::new(), table: IdTable::new() }
    }

    /// The number of `item`, a new one if it is new.
    pub(crate) fn intern(&mut self, item: T) -> u32 {
        let hash = hash_of(&item);
        if let Some(id) = self.table.find(hash, |id| self.items[id as usize] == item) {
            return id;
        }
        let id = u32::try_from(self.items.len()).ok().filter(|&id| id < u32::MAX);
        let id = id.expect("fewer than 2^32 - 1 things are interned");
        self.items.push(item);
        self.table.insert(hash, id);
        id
    }

    /// The number of `item`, if it has one.
    pub(crate) fn find<Q>(&self, item: &Q) -> Option<u32>
    where
        T: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        self.table.find(hash_of(item), |id| self.items[id as usize].borrow() == item)
    }

    pub(crate) fn item(&self, id: u32) -> &T {
        &self.items[id as usize]
    }

    /// How many things have numbers.
    pub(crate) fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether every number of `base` stands for the same here.
    pub(crate) fn extends(&self, base: &Interner<T>) -> bool {
        self.items.extends(&base.items)
    }
}
