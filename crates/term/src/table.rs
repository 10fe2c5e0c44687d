//! The hash table of the term arena: numbers found by what they stand for.
//!
//! Open addressing with linear probing. A slot holds the number and half of the hash, so a probe
//! reads one cache line, growing reads the arena not at all, and a candidate is compared with the
//! arena only when 32 bits of the hash agree.

/// A table of numbers below 2^32 - 1.
#[derive(Clone, Debug)]
pub(crate) struct IdTable {
    /// Hash in the high half, number plus one in the low half; zero is free.
    slots: Vec<u64>,
    len: usize,
}

impl IdTable {
    pub(crate) fn new() -> IdTable {
        IdTable { slots: vec![0; 64], len: 0 }
    }

    /// The number with this hash that `is_it` accepts.
    #[inline]
    pub(crate) fn find(&self, hash: u32, mut is_it: impl FnMut(u32) -> bool) -> Option<u32> {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let slot = self.slots[at];
            if slot == 0 {
                return None;
            }
            if (slot >> 32) as u32 == hash && is_it(slot as u32 - 1) {
                return Some(slot as u32 - 1);
            }
            at = (at + 1) & mask;
        }
    }

    /// Adds a number that `find` does not find.
    pub(crate) fn insert(&mut self, hash: u32, id: u32) {
        // At most half full: runs of taken slots stay short.
        if 2 * (self.len + 1) > self.slots.len() {
            let old = std::mem::take(&mut self.slots);
            self.slots = vec![0; 2 * old.len()];
            old.into_iter().filter(|&slot| slot != 0).for_each(|slot| self.place(slot));
        }
        self.len += 1;
        self.place(u64::from(hash) << 32 | (u64::from(id) + 1));
    }

    fn place(&mut self, slot: u64) {
        let mask = self.slots.len() - 1;
        let mut at = (slot >> 32) as usize & mask;
        while self.slots[at] != 0 {
            at = (at + 1) & mask;
        }
        self.slots[at] = slot;
    }
}
