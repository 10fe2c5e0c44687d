//! The conjuncts of a level: latches that are equal there, and conjuncts that say nothing.
//!
//! Both are found by one solver over states that has all conjuncts of the level, each behind a literal of
//! its own. Latches that no state of the level tells apart are first guessed from states of it, and every
//! state that refutes a guess refutes others with it. What is found becomes a conjunct of its own: where
//! the level is assumed, the steps that follow are then about one latch instead of two, and such small
//! conjuncts are pushed on where the set they come from is not. A conjunct that follows from the others
//! is dropped, the largest first.
//!
//! Questions have a few ticks each, and what is not answered is left as it is.

use crate::ask::ask_within;
use crate::settings::{IGR_MAX_QUESTIONS, IGR_TICKS};
use alphorn_engine::{Ctx, Stop};
use alphorn_sat::aig::{Aig, Edge, Encoder, Encoding, Polarity};
use alphorn_sat::{Lit, Solver};
use std::collections::BTreeMap;

/// The gates of an equality.
const EQUALITY: usize = 3;

/// A level in a solver.
pub(super) struct Conjuncts {
    solver: Solver,
    encoder: Encoder,
    /// For each conjunct its literal.
    selectors: Vec<Lit>,
    questions: usize,
}

impl Conjuncts {
    /// The conjuncts of a level, none of which is constant.
    pub(super) fn new(sets: &Aig, conjuncts: &[Edge]) -> Conjuncts {
        let mut solver = Solver::default();
        let mut encoder = Encoder::new(Encoding::PlaistedGreenbaum);
        let mut selector = |set: &Edge| encoder.encode(sets, *set, Polarity::Both, &mut solver);
        let selectors = conjuncts.iter().map(&mut selector).collect();
        Conjuncts { solver, encoder, selectors, questions: 0 }
    }

    /// Whether there is a state under the assumptions, as far as that is worth a question.
    fn ask(&mut self, assumptions: &[Lit], ctx: &mut Ctx<'_>) -> Result<Option<bool>, Stop> {
        if self.questions == IGR_MAX_QUESTIONS.size() {
            return Ok(None);
        }
        self.questions += 1;
        ask_within(&mut self.solver, assumptions, IGR_TICKS.get(), ctx)
    }

    /// The conjuncts that do not follow from those that are left, by position.
    pub(super) fn needed(
        &mut self,
        sets: &Aig,
        conjuncts: &[Edge],
        ctx: &mut Ctx<'_>,
    ) -> Result<Vec<bool>, Stop> {
        let mut order: Vec<usize> = (0..conjuncts.len()).collect();
        // What is no larger than an equality costs little and is pushed on.
        order.retain(|index| sets.size(&[conjuncts[*index]]) > EQUALITY);
        order.sort_by_key(|index| std::cmp::Reverse(sets.size(&[conjuncts[*index]])));
        let mut needed = vec![true; conjuncts.len()];
        for index in order {
            let others = (0..conjuncts.len()).filter(|other| needed[*other] && *other != index);
            let mut assumptions: Vec<Lit> = others.map(|other| self.selectors[other]).collect();
            assumptions.push(!self.selectors[index]);
            needed[index] = self.ask(&assumptions, ctx)? != Some(false);
        }
        Ok(needed)
    }

    /// Pairs of latches that are equal, or opposite, in all states of the level, as sets; and latches that
    /// are constant there.
    pub(super) fn equalities(
        &mut self,
        sets: &mut Aig,
        conjuncts: &[Edge],
        ctx: &mut Ctx<'_>,
    ) -> Result<Vec<Edge>, Stop> {
        let support = sets.support(conjuncts);
        let selectors = self.selectors.clone();
        let mut found = Vec::new();
        // A signature of each latch from the states seen; its first bit says whether it is negated.
        let mut rows: Vec<u64> = vec![0; support.len()];
        let mut states = 0;
        let mut open = true;
        while open && states < 64 {
            open = false;
            let mut leaders: BTreeMap<u64, usize> = BTreeMap::new();
            let mask = if states == 0 { 0 } else { u64::MAX >> (64 - states) };
            found.clear();
            for (position, input) in support.iter().enumerate() {
                let row = rows[position];
                let is_flipped = row & 1 == 1;
                let key = if is_flipped { !row & mask } else { row };
                let latch = sets.input(*input).xor(is_flipped);
                let set = match leaders.get(&key) {
                    _ if key == 0 && states > 0 => !latch,
                    Some(leader) => {
                        let other = sets.input(support[*leader]).xor(rows[*leader] & 1 == 1);
                        sets.equals(latch, other)
                    }
                    None => {
                        leaders.insert(key, position);
                        continue;
                    }
                };
                let lit = self.encoder.encode(sets, set, Polarity::Both, &mut self.solver);
                let assumptions = [&selectors[..], &[!lit]].concat();
                match self.ask(&assumptions, ctx)? {
                    Some(false) => found.push(set),
                    Some(true) => {
                        for (row, input) in rows.iter_mut().zip(&support) {
                            let known = self.encoder.known(sets.input(*input));
                            let value = known.and_then(|lit| self.solver.value(lit));
                            *row |= u64::from(value == Some(true)) << states;
                        }
                        states += 1;
                        open = true;
                        break;
                    }
                    None => {}
                }
            }
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alphorn_engine::Stopper;

    /// Looks through conjuncts over six latches.
    fn look<T>(make: impl FnOnce(&mut Aig, &[Edge], &mut Ctx<'_>) -> T) -> T {
        let mut sets = Aig::new();
        let latches: Vec<Edge> = (0..6).map(|_| sets.add_input()).collect();
        let mut sink = |_| {};
        make(&mut sets, &latches, &mut Ctx::new(u64::MAX, Stopper::new(), 0, &mut sink))
    }

    #[test]
    fn latches_that_a_level_makes_equal_opposite_or_constant_are_found() {
        look(|sets, latch, ctx| {
            let (left, right) = (sets.or(latch[2], latch[3]), sets.or(!latch[2], !latch[3]));
            let opposite = sets.and(left, right);
            let equal = sets.equals(latch[0], latch[1]);
            let open = sets.or(latch[4], latch[0]);
            let level = [sets.and_n([equal, opposite, !latch[5]]), open];
            let mut found =
                Conjuncts::new(sets, &level).equalities(sets, &level, ctx).expect("there is time");
            found.sort_unstable();
            let mut expected = vec![equal, sets.equals(latch[3], !latch[2]), !latch[5]];
            expected.sort_unstable();
            assert_eq!(found, expected);
        });
    }

    #[test]
    fn a_conjunct_that_follows_from_the_others_is_needless_and_equalities_stay() {
        look(|sets, latch, ctx| {
            let all = sets.and_n(latch[..5].iter().copied());
            let pairs = sets.and_n(latch[1..6].iter().copied());
            let most = sets.and_n(latch[..6].iter().copied());
            let equal = sets.equals(latch[1], latch[2]);
            let level = [all, most, pairs, equal];
            let needed =
                Conjuncts::new(sets, &level).needed(sets, &level, ctx).expect("there is time");
            // The largest goes first: two others say it together. The equality follows, too.
            assert_eq!(needed, [true, false, true, true]);
        });
    }
}
