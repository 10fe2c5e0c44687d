//! Random numbers from a seed: the same sequence on every machine.
//!
//! SplitMix64 (Steele, Lea, Flood 2014): small, fast, and good enough for simulation patterns.

/// A source of random numbers that is the same on every machine.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// The generator that `seed` determines.
    pub fn new(seed: u64) -> Rng {
        Rng(seed)
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which is positive.
    pub fn below(&mut self, bound: u64) -> u64 {
        // The bias is below 2^-32 for the bounds we use.
        ((u128::from(self.next_u64()) * u128::from(bound)) >> 64) as u64
    }
}
