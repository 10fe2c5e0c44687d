//! The hash table of arenas: numbers found by what they stand for.
//!
//! Copies share what they have in common: a table is a few layers, of which the last grows while
//! nobody else has it. Once it is shared, additions begin a layer of their own. When a layer has grown
//! to a good part of the one below, it takes that one in; so layers are few, each much smaller than
//! the one below, and what a copy holds for itself is in proportion to what was added to it.
//!
//! Invariant: every number is in exactly one layer. What is found does not depend on the layers.

use crate::slots::Slots;
use std::sync::Arc;

/// The slots of a new layer.
const FIRST_SLOTS: usize = 16;

/// A layer of at most this many numbers is copied rather than built upon.
const SMALL: usize = 64;

/// At most so many layers are looked through.
const MAX_LAYERS: usize = 4;

/// A layer that grows takes in the one below if that is at most this many times as large.
const FACTOR: usize = 4;

/// A table of numbers below 2^32 - 1.
#[derive(Clone, Debug)]
pub(crate) struct IdTable {
    /// At least one; the last one is written.
    layers: Vec<Arc<Slots>>,
}

impl IdTable {
    pub(crate) fn new() -> IdTable {
        IdTable { layers: vec![Arc::new(Slots::new(FIRST_SLOTS))] }
    }

    /// The number with this hash that `is_it` accepts.
    #[inline]
    pub(crate) fn find(&self, hash: u32, mut is_it: impl FnMut(u32) -> bool) -> Option<u32> {
        self.layers.iter().rev().find_map(|layer| layer.find(hash, &mut is_it))
    }

    /// Adds a number that `find` does not find.
    pub(crate) fn insert(&mut self, hash: u32, id: u32) {
        let count = self.layers.len();
        let last = self.layers.last_mut().expect("there is a layer");
        let (len, is_full) = (last.len(), last.is_full());
        match Arc::get_mut(last) {
            Some(layer) if !is_full => return layer.insert(hash, id),
            None if len > SMALL && count < MAX_LAYERS => {
                self.layers.push(Arc::new(Slots::new(FIRST_SLOTS)));
            }
            None if !is_full => {}
            _ => self.grow(),
        }
        Arc::make_mut(self.layers.last_mut().expect("there is a layer")).insert(hash, id);
    }

    /// Makes room on the last layer, and takes in those below that are not much larger.
    fn grow(&mut self) {
        let mut from = self.layers.len() - 1;
        let mut len = self.layers[from].len();
        while from > 0 && self.layers[from - 1].len() <= FACTOR * len {
            from -= 1;
            len += self.layers[from].len();
        }
        let mut merged = Slots::new((4 * len).next_power_of_two());
        for layer in self.layers.drain(from..) {
            merged.take_in(&layer);
        }
        self.layers.push(Arc::new(merged));
    }
}

#[cfg(test)]
mod tests;
