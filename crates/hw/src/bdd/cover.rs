//! A function between two others, as a sum of products that share their parts.
//!
//! Where the lower function demands something that only one value of the top variable allows, that value is asked
//! for; what is left of the demand is covered without the variable. Parts for the same two functions are made
//! once.
//!
//! After Minato, "Fast Generation of Prime-Irredundant Covers from Binary Decision Diagrams" (1993).

use super::{Bdd, Halt, Ref};
use alphorn_engine::Ctx;
use rustc_hash::FxHashMap;

/// A part of a cover: the sum of what holds where the variable is true, where it is false, and in both cases.
pub(crate) struct Sum {
    pub(crate) var: usize,
    pub(crate) high: usize,
    pub(crate) low: usize,
    pub(crate) both: usize,
}

/// Parts of covers by number, each after those it is made of: 0 is false and 1 is true, others are `sums` from 2 on.
#[derive(Default)]
pub(crate) struct Cover {
    pub(crate) sums: Vec<Sum>,
    made: FxHashMap<(Ref, Ref), (Ref, usize)>,
}

impl Cover {
    /// The number of a function that `lower` implies and that implies `upper`; `Full` if there are more parts
    /// than `most`.
    pub(crate) fn between(
        &mut self,
        bdd: &mut Bdd,
        lower: Ref,
        upper: Ref,
        most: usize,
        ctx: &mut Ctx<'_>,
    ) -> Result<(Ref, usize), Halt> {
        if lower == Ref::FALSE {
            return Ok((Ref::FALSE, 0));
        }
        if upper == Ref::TRUE {
            return Ok((Ref::TRUE, 1));
        }
        if let Some(made) = self.made.get(&(lower, upper)) {
            return Ok(*made);
        }
        if self.sums.len() >= most {
            return Err(Halt::Full);
        }
        // Parts are found again by what they lie between, so that all of that is held to the end.
        bdd.hold(lower);
        bdd.hold(upper);
        let level = bdd.level_of(lower).min(bdd.level_of(upper));
        let ((l1, l0), (u1, u0)) = (bdd.split(lower, level), bdd.split(upper, level));
        let only = bdd.and(l1, !u0, ctx)?;
        let (high, high_at) = self.between(bdd, only, u1, most, ctx)?;
        bdd.hold(high);
        let only = bdd.and(l0, !u1, ctx)?;
        let (low, low_at) = self.between(bdd, only, u0, most, ctx)?;
        bdd.hold(low);
        let left1 = bdd.and(l1, !high, ctx)?;
        bdd.hold(left1);
        let left0 = bdd.and(l0, !low, ctx)?;
        bdd.hold(left0);
        let left = bdd.or(left1, left0, ctx)?;
        bdd.hold(left);
        let allowed = bdd.and(u1, u0, ctx)?;
        let (both, both_at) = self.between(bdd, left, allowed, most, ctx)?;
        bdd.hold(both);
        let high = bdd.or(high, both, ctx)?;
        bdd.hold(high);
        let low = bdd.or(low, both, ctx)?;
        let var = bdd.order[level as usize];
        let function = bdd.make(var, high, low);
        bdd.hold(function);
        self.sums.push(Sum { var: var as usize, high: high_at, low: low_at, both: both_at });
        let made = (function, self.sums.len() + 1);
        self.made.insert((lower, upper), made);
        Ok(made)
    }

    /// The products of a number, by literals; none if they are more than `most`.
    pub(crate) fn products(&self, at: usize, most: usize) -> Option<Vec<Vec<(usize, bool)>>> {
        let mut counts = vec![0usize, 1];
        for sum in &self.sums {
            let parts = [sum.high, sum.low, sum.both].map(|part| counts[part]);
            counts.push(parts.into_iter().fold(0, usize::saturating_add));
        }
        if counts[at] > most {
            return None;
        }
        let mut found = Vec::with_capacity(counts[at]);
        let mut stack = vec![(at, Vec::new())];
        while let Some((at, product)) = stack.pop() {
            match at {
                0 => {}
                1 => found.push(product),
                _ => {
                    let sum = &self.sums[at - 2];
                    for (part, value) in [(sum.high, true), (sum.low, false)] {
                        let mut product: Vec<(usize, bool)> = product.clone();
                        product.push((sum.var, value));
                        stack.push((part, product));
                    }
                    stack.push((sum.both, product));
                }
            }
        }
        Some(found)
    }
}
