//! Random numbers for tests: one sequence per seed, the same on every machine.
//!
//! The numbers are those of the engines' generator; what is added is what makers of random problems ask
//! for all the time: a number of whatever type the caller counts in, an element of a slice, a chance.

/// A generator of random numbers.
#[derive(Clone, Debug)]
pub struct Rng(alphorn_engine::Rng);

/// A type of numbers that things are counted in.
pub trait Count: Copy {
    /// The number, which is not negative.
    fn wide(self) -> u64;
    /// The number of this type, which has room for it.
    fn narrow(wide: u64) -> Self;
}

macro_rules! counts {
    ($($number:ty)*) => {
        $(impl Count for $number {
            fn wide(self) -> u64 {
                u64::try_from(self).expect("a bound is not negative")
            }

            fn narrow(wide: u64) -> Self {
                wide as Self
            }
        })*
    };
}

counts!(u8 u32 u64 usize i32 i64);

impl Rng {
    /// The generator that `seed` determines.
    pub fn new(seed: u64) -> Rng {
        Rng(alphorn_engine::Rng::new(seed))
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `bound`, which is positive.
    pub fn below<N: Count>(&mut self, bound: N) -> N {
        N::narrow(self.0.below(bound.wide()))
    }

    /// A number from `low` to `high`.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.0.below((high - low + 1).unsigned_abs()).cast_signed()
    }

    /// True once in `times` on average.
    pub fn one_in<N: Count>(&mut self, times: N) -> bool {
        self.0.below(times.wide()) == 0
    }

    /// True in so many cases of a hundred.
    pub fn percent<N: Count>(&mut self, percent: N) -> bool {
        self.0.below(100) < percent.wide()
    }

    /// One of the items, of which there is one at least.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    /// The generator of the engines, for functions of theirs.
    pub fn engine(&mut self) -> &mut alphorn_engine::Rng {
        &mut self.0
    }
}

#[cfg(test)]
mod tests {
    use super::Rng;

    #[test]
    fn the_numbers_are_those_of_the_engines() {
        let (mut ours, mut theirs) = (Rng::new(7), alphorn_engine::Rng::new(7));
        for bound in 1..100u64 {
            assert_eq!(ours.below(bound), theirs.below(bound));
        }
    }

    #[test]
    fn every_item_comes_up() {
        let mut rng = Rng::new(1);
        let drawn: std::collections::BTreeSet<i32> =
            (0..100).map(|_| rng.pick(&[3, 5, 9])).collect();
        assert_eq!(drawn.into_iter().collect::<Vec<_>>(), [3, 5, 9]);
    }
}
