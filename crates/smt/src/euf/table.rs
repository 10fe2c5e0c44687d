//! A hash table of numbers that are found by what they stand for, with removal.
//!
//! Open addressing with linear probing; a slot holds half of the hash beside the number, so that
//! growing and removing never look at what numbers stand for. Removal moves later entries of the
//! run back (Knuth, volume 3, algorithm R), so there are no tombstones and a search that is undone
//! as often as it advances does not wear the table out.

/// A table of numbers below 2^32 - 1.
#[derive(Clone, Debug)]
pub(super) struct Table {
    /// Hash in the high half, number plus one in the low half; zero is free.
    slots: Vec<u64>,
    len: usize,
}

impl Table {
    pub(super) fn new() -> Table {
        Table { slots: vec![0; 64], len: 0 }
    }

    /// The number with this hash that `is_it` accepts.
    #[inline]
    pub(super) fn find(&self, hash: u32, mut is_it: impl FnMut(u32) -> bool) -> Option<u32> {
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

    /// Adds a number that is not there.
    pub(super) fn insert(&mut self, hash: u32, number: u32) {
        if 2 * (self.len + 1) > self.slots.len() {
            let old = std::mem::take(&mut self.slots);
            self.slots = vec![0; 2 * old.len()];
            old.into_iter().filter(|&slot| slot != 0).for_each(|slot| self.place(slot));
        }
        self.len += 1;
        self.place(u64::from(hash) << 32 | (u64::from(number) + 1));
    }

    fn place(&mut self, slot: u64) {
        let mask = self.slots.len() - 1;
        let mut at = (slot >> 32) as usize & mask;
        while self.slots[at] != 0 {
            at = (at + 1) & mask;
        }
        self.slots[at] = slot;
    }

    /// Takes out a number that was added with this hash.
    pub(super) fn remove(&mut self, hash: u32, number: u32) {
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
    use super::Table;

    #[test]
    fn removal_keeps_what_probes_past_the_gap() {
        let mut table = Table::new();
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
