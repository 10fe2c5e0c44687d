//! States packed into words, each once, with their numbers.
//!
//! States stand in the order in which they were added. The table of hashes has their numbers alone.

/// A set of packed states.
#[derive(Clone, Debug)]
pub struct Table {
    /// How many words a state has.
    size: usize,
    states: Vec<u64>,
    /// Numbers of states, plus one, with some bits of their hash above, so that other states are rarely looked at; 0
    /// where there is none.
    slots: Vec<u64>,
    count: usize,
}

/// The hash of a packed state.
pub fn hash(state: &[u64]) -> u64 {
    let mut hash = 0x9e37_79b9_7f4a_7c15u64;
    for word in state {
        hash = (hash ^ word).wrapping_mul(0xff51_afd7_ed55_8ccd);
        hash ^= hash >> 32;
    }
    hash.wrapping_mul(0xc4ce_b9fe_1a85_ec53) ^ hash >> 29
}

/// The bits of a slot that are those of a hash.
const TAG: u64 = 0xffff_ffff << 32;

fn tag(hash: u64) -> u64 {
    hash & TAG
}

/// The number of a slot, plus one.
fn number(slot: u64) -> usize {
    (slot & !TAG) as usize
}

impl Table {
    /// No states of `size` words.
    pub fn new(size: usize) -> Table {
        Table { size, states: Vec::new(), slots: vec![0; 1 << 10], count: 0 }
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there is no state.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The state with this number.
    pub fn state(&self, number: usize) -> &[u64] {
        &self.states[number * self.size..(number + 1) * self.size]
    }

    /// The number of a state, and whether it is new.
    pub fn insert(&mut self, state: &[u64], hash: u64) -> (usize, bool) {
        if self.count * 8 >= self.slots.len() * 5 {
            self.grow();
        }
        let at = self.find(state, hash);
        match self.slots[at] {
            0 => {
                self.states.extend_from_slice(state);
                self.count += 1;
                self.slots[at] = tag(hash) | self.count as u64;
                (self.count - 1, true)
            }
            slot => (number(slot) - 1, false),
        }
    }

    /// The number of a state that is there.
    pub fn number(&self, state: &[u64], hash: u64) -> Option<usize> {
        number(self.slots[self.find(state, hash)]).checked_sub(1)
    }

    fn find(&self, state: &[u64], hash: u64) -> usize {
        let (last, tag) = (self.slots.len() - 1, tag(hash));
        let mut at = hash as usize & last;
        loop {
            let slot = self.slots[at];
            if slot == 0 || (slot & TAG == tag && self.is(number(slot) - 1, state)) {
                return at;
            }
            at = (at + 1) & last;
        }
    }

    /// Whether a state has this number.
    #[inline]
    fn is(&self, number: usize, state: &[u64]) -> bool {
        match state {
            // Comparing one word needs no call.
            [word] => self.states[number] == *word,
            _ => self.state(number) == state,
        }
    }

    fn grow(&mut self) {
        let last = self.slots.len() * 2 - 1;
        let mut slots = vec![0u64; last + 1];
        for number in 0..self.count {
            let hash = hash(self.state(number));
            let mut at = hash as usize & last;
            while slots[at] != 0 {
                at = (at + 1) & last;
            }
            slots[at] = tag(hash) | (number as u64 + 1);
        }
        self.slots = slots;
    }
}
