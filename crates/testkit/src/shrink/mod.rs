//! Making a failing input small: what is reported about a random test is what a person can read.
//!
//! A kind of input says what is a little smaller than it ([`Shrink`]), with large steps first;
//! [`minimise`] takes the first smaller input that still fails, and again, until none does. [`for_all`] is
//! the whole of a random test: inputs from seeds, an assertion about each, and at the first that fails a
//! report with the seed and the smallest input that was found.
//!
//! After Claessen and Hughes, "QuickCheck" (ICFP 2000), and Zeller and Hildebrandt, "Simplifying and
//! Isolating Failure-Inducing Input" (TSE 2002), from which the order of chunks is.

mod c;
mod clauses;
mod flow;
mod formulas;
mod problems;
pub(crate) mod quiet;

pub use formulas::Assertions;

use crate::Rng;
use alphorn_reduce::Reduce;
pub(crate) use alphorn_reduce::shorter;
use std::ops::Range;

/// How many smaller inputs are tried before the smallest so far is reported.
const MAX_TRIES: usize = 2_000;

/// An input of random tests that can be made smaller.
pub trait Shrink: Clone {
    /// Smaller versions, the much smaller ones first. Each is well formed, and following them ends.
    fn smaller(&self) -> Box<dyn Iterator<Item = Self> + '_>;

    /// The input as a person would write it down.
    fn show(&self) -> String;
}

/// The smallest version of `input` found that still `fails`; `input` does.
pub fn minimise<T: Shrink>(input: T, mut fails: impl FnMut(&T) -> bool) -> T {
    let mut best = input;
    let mut tries = MAX_TRIES;
    loop {
        let next = best.smaller().take(tries).find(|candidate| {
            tries -= 1;
            fails(candidate)
        });
        match next {
            Some(smaller) => best = smaller,
            None => return best,
        }
    }
}

/// Holds the inputs of all seeds to `claim`, which panics where it does not hold.
///
/// # Panics
///
/// At the first input that fails, with its seed, the smallest version of it that fails, and what the claim
/// says about that.
#[track_caller]
pub fn for_all<T: Shrink>(
    seeds: Range<u64>,
    mut make: impl FnMut(&mut Rng) -> T,
    mut claim: impl FnMut(&T),
) {
    for seed in seeds {
        let input = make(&mut Rng::new(seed));
        if let Some(first) = quiet::failure(|| claim(&input)) {
            let small = minimise(input, |input| quiet::failure(|| claim(input)).is_some());
            let said = quiet::failure(|| claim(&small)).unwrap_or(first);
            panic!("seed {seed}, made small:\n{}\n{said}", small.show());
        }
    }
}

/// What the steps of a problem lead to.
fn steps<P: Reduce>(problem: &P) -> Box<dyn Iterator<Item = P> + '_> {
    Box::new(problem.steps().into_iter().filter_map(|step| problem.after(&step)))
}

#[cfg(test)]
mod tests;
