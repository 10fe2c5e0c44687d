//! A set of states, each a fixed number of words, numbered in the order of arrival.
//!
//! The states lie one after another in an arena; an open-addressing table of their numbers finds
//! them again. Linear probing, at most half full, so that a lookup touches one or two lines.

use rustc_hash::FxHasher;
use std::hash::Hasher;

const FREE: u32 = u32::MAX;

/// A set of packed states.
#[derive(Clone, Debug)]
pub struct StateTable {
    words: usize,
    arena: Vec<u64>,
    slots: Vec<u32>,
    count: usize,
}

impl StateTable {
    /// An empty set of states of `bits` bits.
    pub fn new(bits: usize) -> StateTable {
        let words = bits.div_ceil(64);
        StateTable { words, arena: Vec::new(), slots: vec![FREE; 64], count: 0 }
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The number of words of a state.
    pub fn words(&self) -> usize {
        self.words
    }

    /// State number `index`.
    pub fn state(&self, index: usize) -> &[u64] {
        &self.arena[index * self.words..(index + 1) * self.words]
    }

    /// Adds a state; its number, if it is new.
    pub fn insert(&mut self, state: &[u64]) -> Option<usize> {
        debug_assert_eq!(state.len(), self.words);
        if 2 * (self.count + 1) > self.slots.len() {
            self.grow();
        }
        let slot = self.slot(state);
        if self.slots[slot] != FREE {
            return None;
        }
        let index = self.count;
        self.slots[slot] = u32::try_from(index).expect("the engine keeps fewer than 2^32 states");
        self.arena.extend_from_slice(state);
        self.count += 1;
        Some(index)
    }

    /// Where the state is or would be.
    fn slot(&self, state: &[u64]) -> usize {
        let mask = self.slots.len() - 1;
        let mut hasher = FxHasher::default();
        state.iter().for_each(|word| hasher.write_u64(*word));
        let mut slot = hasher.finish() as usize & mask;
        while self.slots[slot] != FREE && self.state(self.slots[slot] as usize) != state {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn grow(&mut self) {
        self.slots = vec![FREE; 2 * self.slots.len()];
        for index in 0..self.count {
            let slot = self.slot(self.state(index));
            self.slots[slot] = index as u32;
        }
    }
}
