//! What was seen of a few bits of a state, by these bits.
//!
//! What a choice does depends on some fields of the state, mostly few. Where these have at most `MAX_BITS` bits,
//! what it did is kept in a table whose index they are: whether anything happens, and the new bits of the words that
//! change. So a choice is run once for each combination that occurs, and looked up ever after.

/// The most bits that an index has.
pub(super) const MAX_BITS: u32 = 16;
/// The most entries of all tables together.
const MAX_ENTRIES: usize = 1 << 21;

/// A stretch of bits of a state, and where it stands in an index.
#[derive(Clone, Copy, Debug)]
struct Part {
    word: u32,
    shift: u32,
    to: u32,
    mask: u64,
}

/// Which bits something depends on.
#[derive(Clone, Debug)]
pub(super) struct Support {
    parts: Vec<Part>,
    bits: u32,
}

impl Support {
    /// The bits of these fields, each given by its word, its shift and its width; none if they are too many.
    pub fn of(mut fields: Vec<(usize, u32, u32)>) -> Option<Support> {
        fields.sort_unstable();
        fields.dedup();
        let bits: u32 = fields.iter().map(|field| field.2).sum();
        if bits > MAX_BITS {
            return None;
        }
        let (mut parts, mut to): (Vec<Part>, u32) = (Vec::new(), 0);
        for (word, shift, wide) in fields {
            match parts.last_mut() {
                Some(last)
                    if last.word as usize == word
                        && last.shift + last.mask.count_ones() == shift =>
                {
                    last.mask = last.mask << wide | (u64::MAX >> (64 - wide));
                }
                _ => {
                    parts.push(Part { word: word as u32, shift, to, mask: u64::MAX >> (64 - wide) })
                }
            }
            to += wide;
        }
        Some(Support { parts, bits })
    }

    /// How many combinations of its bits there are.
    pub fn entries(&self) -> usize {
        1 << self.bits
    }

    /// The bits of a state.
    #[inline]
    pub fn index(&self, state: &[u64]) -> usize {
        let mut index = 0;
        for part in &self.parts {
            index |= (state[part.word as usize] >> part.shift & part.mask) << part.to;
        }
        index as usize
    }
}

/// What is known of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// Nothing yet.
    Nothing,
    /// Nothing happens.
    Idle,
    /// The words change to what the table says.
    Fires,
}

/// A table of what happens.
#[derive(Clone, Debug, Default)]
pub(super) struct Memo {
    known: Vec<u8>,
    values: Vec<u64>,
}

impl Memo {
    /// A table with so many entries, of so many words each, in which nothing is known.
    pub fn new(entries: usize, words: usize) -> Memo {
        Memo { known: vec![0; entries], values: vec![0; entries * words] }
    }

    /// What is known of an entry.
    #[inline]
    pub fn known(&self, index: usize) -> Known {
        match self.known[index] {
            0 => Known::Nothing,
            1 => Known::Idle,
            _ => Known::Fires,
        }
    }

    /// The words of an entry.
    #[inline]
    pub fn values(&self, index: usize, words: usize) -> &[u64] {
        &self.values[index * words..(index + 1) * words]
    }

    /// Nothing happens.
    pub fn set_idle(&mut self, index: usize) {
        self.known[index] = 1;
    }

    /// These words change.
    pub fn set_fires(&mut self, index: usize, values: impl ExactSizeIterator<Item = u64>) {
        let words = values.len();
        self.known[index] = 2;
        for (to, value) in self.values[index * words..].iter_mut().zip(values) {
            *to = value;
        }
    }
}

/// Leaves out supports, the largest first, until the tables of the others are not too large together.
pub(super) fn limit(supports: &mut [Option<Support>]) {
    let size = |support: &Option<Support>| support.as_ref().map_or(0, Support::entries);
    while supports.iter().map(size).sum::<usize>() > MAX_ENTRIES {
        let Some(largest) = supports.iter_mut().max_by_key(|support| size(support)) else { return };
        *largest = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_has_the_bits_of_the_fields_and_no_others() {
        let support = Support::of(vec![(1, 4, 2), (0, 3, 3), (0, 6, 1)]).expect("few bits");
        assert_eq!(support.entries(), 64);
        let state = [0b101_1011_0000_0110_1011, 0b11_0110_1111u64];
        let wanted = (state[0] >> 3 & 15) | (state[1] >> 4 & 3) << 4;
        assert_eq!(support.index(&state), wanted as usize);
        assert_eq!(support.index(&[u64::MAX; 2]), 63);
        assert!(Support::of(vec![(0, 0, 9), (1, 0, 9)]).is_none());
    }

    #[test]
    fn tables_that_are_too_large_together_are_left_out_from_the_largest() {
        let wide = || Support::of(vec![(0, 0, MAX_BITS)]);
        let mut all: Vec<Option<Support>> = (0..40).map(|_| wide()).collect();
        all.push(Support::of(vec![(0, 0, 2)]));
        limit(&mut all);
        assert!(all[40].is_some());
        assert!(all.iter().flatten().map(Support::entries).sum::<usize>() <= MAX_ENTRIES);
    }
}
