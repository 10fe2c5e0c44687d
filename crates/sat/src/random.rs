//! Seeded random numbers: the same seed gives the same search.
//!
//! After Vigna's `splitmix64` (2015).

/// A generator.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The generator with the given seed.
    pub fn new(seed: u32) -> Random {
        Random(u64::from(seed))
    }

    /// The next 64 bits.
    #[expect(clippy::should_implement_trait, reason = "a generator never ends")]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which must be positive.
    pub fn below(&mut self, bound: u32) -> u32 {
        (((self.next() >> 32) * u64::from(bound)) >> 32) as u32
    }

    /// True once in `odds` times on average.
    pub fn one_in(&mut self, odds: u32) -> bool {
        self.below(odds) == 0
    }
}
