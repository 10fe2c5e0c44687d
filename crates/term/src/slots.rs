//! A hash table of numbers that are found by what they stand for, with removal.
//!
//! Open addressing with linear probing. A slot holds the number and half of the hash, so a probe
//! reads one cache line, growing and removing never look at what numbers stand for, and a candidate is
//! compared only when 32 bits of the hash agree. Removal moves later entries of the run back (Knuth,
//! volume 3, algorithm R), so there are no tombstones and a search that is undone as often as it
//! advances does not wear the table out.

/// A table of numbers below 2^32 - 1.
#[derive(Clone, Debug)]
pub struct Slots {
    /// Hash in the high half, number plus one in the low half; zero is free. At most half are taken,
    /// so that runs of taken slots stay short.
    slots: Vec<u64>,
    len: usize,
}

impl Slots {
    /// A table with so many slots, a power of two.
    pub fn new(slots: usize) -> Slots {
        Slots { slots: vec![0; slots], len: 0 }
    }

    /// How many numbers there are.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// How many slots there are.
    #[cfg(test)]
    pub(crate) fn room(&self) -> usize {
        self.slots.len()
    }

    /// The number with this hash that `is_it` accepts.
    #[inline]
    pub fn find(&self, hash: u32, mut is_it: impl FnMut(u32) -> bool) -> Option<u32> {
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

    /// Whether another number would take more than half of the slots.
    pub(crate) fn is_full(&self) -> bool {
        2 * (self.len + 1) > self.slots.len()
    }

    /// Adds a number that is not there.
    pub fn insert(&mut self, hash: u32, number: u32) {
        if self.is_full() {
            let mut larger = Slots::new(2 * self.slots.len());
            larger.take_in(self);
            *self = larger;
        }
        self.place(u64::from(hash) << 32 | (u64::from(number) + 1));
    }

    /// Adds what another table has, for which there must be room.
    pub(crate) fn take_in(&mut self, other: &Slots) {
        other.slots.iter().filter(|&&slot| slot != 0).for_each(|&slot| self.place(slot));
    }

    fn place(&mut self, slot: u64) {
        let mask = self.slots.len() - 1;
        let mut at = (slot >> 32) as usize & mask;
        while self.slots[at] != 0 {
            at = (at + 1) & mask;
        }
        self.slots[at] = slot;
        self.len += 1;
    }

    /// Takes out a number that was added with this hash.
    pub fn remove(&mut self, hash: u32, number: u32) {
        let mask = self.slots.len() - 1;
        let wanted = u64::from(hash) << 32 | (u64::from(number) + 1);
        let mut gap = hash as usize & mask;
        while self.slots[gap] != wanted {
            debug_assert!(self.slots[gap] != 0, "a number that is removed is in the table");
            if self.slots[gap] == 0 {
                return;
            }
            gap = (gap + 1) & mask;
        }
        self.len -= 1;
        let mut at = gap;
        loop {
            at = (at + 1) & mask;
            let slot = self.slots[at];
            if slot == 0 {
                break;
            }
            let home = (slot >> 32) as usize & mask;
            // An entry may move back to the gap unless that is before its home.
            if (at.wrapping_sub(home) & mask) >= (at.wrapping_sub(gap) & mask) {
                self.slots[gap] = slot;
                gap = at;
            }
        }
        self.slots[gap] = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::Slots;

    #[test]
    fn removal_keeps_what_probes_past_the_gap() {
        let mut table = Slots::new(64);
        // All in one run that wraps round the end of 64 slots.
        let hashes: Vec<u32> = (0..24).map(|i| 60 + (i % 5)).collect();
        for (number, &hash) in hashes.iter().enumerate() {
            table.insert(hash, number as u32);
        }
        for gone in 0..24u32 {
            table.remove(hashes[gone as usize], gone);
            for (number, &hash) in hashes.iter().enumerate() {
                let found = table.find(hash, |candidate| candidate == number as u32);
                assert_eq!(found.is_some(), number as u32 > gone);
            }
        }
    }
}
