//! What holds of all reachable configurations and is cheap to find: counters that stay 0, and weighted sums that
//! do not grow.
//!
//! Which counters can be more than 0 at a location is a least fixpoint. Natural weights and a number per
//! location are an invariant `weights · x + number ≤ 0` if every start satisfies it and no transition makes the sum larger,
//! which is a question of linear programming with the weights as unknowns. By Farkas' lemma weights that
//! exclude a configuration exist exactly if the state equation has no rational solution that covers it
//! \[ELMMN14\].

use super::net::{Net, Sum};
use crate::settings::WQO_PATIENCE;
use alphorn_engine::{Ctx, Stop};
use alphorn_horn::ask::ask_within;
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{Int, Rat, SortId, Store, TermId, Value};

/// `weights · x + numbers[location] ≤ 0` in every reachable configuration.
#[derive(Clone, Debug)]
pub(super) struct Weights {
    pub weights: Vec<Int>,
    pub numbers: Vec<Int>,
    small: Option<Small>,
}

/// Weights that are small numbers.
#[derive(Clone, Debug)]
struct Small {
    /// Those that are not 0, with their counters.
    weights: Vec<(usize, i64)>,
    numbers: Vec<i64>,
}

impl Weights {
    fn new(weights: Vec<Int>, numbers: Vec<Int>) -> Weights {
        let used = weights.iter().enumerate().filter(|(_, weight)| !weight.is_zero());
        let used: Option<Vec<(usize, i64)>> =
            used.map(|(at, weight)| Some((at, weight.to_i64()?))).collect();
        let all: Option<Vec<i64>> = numbers.iter().map(Int::to_i64).collect();
        let small = used.zip(all).map(|(weights, numbers)| Small { weights, numbers });
        Weights { weights, numbers, small }
    }

    /// Whether no configuration above this one can be reached.
    fn excludes(&self, location: usize, vector: &[u64]) -> bool {
        if let Some(Small { weights, numbers }) = &self.small {
            let mut sum = i128::from(numbers[location]);
            for &(at, weight) in weights {
                // Predicates may have fewer arguments than others.
                let value = vector.get(at).copied().unwrap_or(0);
                // As large as a sum gets, it has a sign.
                sum = sum.saturating_add(i128::from(weight) * i128::from(value));
            }
            return sum > 0;
        }
        let mut sum = self.numbers[location].clone();
        for (weight, &value) in self.weights.iter().zip(vector) {
            if value > 0 && !weight.is_zero() {
                sum = &sum + &(weight * &Int::from(value as i128));
            }
        }
        !sum.is_negative() && !sum.is_zero()
    }
}

/// Which counters can be more than 0, by location; none for locations that are not reached.
pub(super) fn marked(net: &Net, locations: usize, width: usize) -> Vec<Option<Vec<bool>>> {
    let mut marked: Vec<Option<Vec<bool>>> = vec![None; locations];
    for start in &net.starts {
        let at = marked[start.location].get_or_insert_with(|| vec![false; width]);
        for (counter, most) in start.most.iter().enumerate() {
            at[counter] |= *most != Some(0);
        }
    }
    loop {
        let mut changed = false;
        for transition in &net.transitions {
            let Some(before) = &marked[transition.from] else { continue };
            let guard = transition.guard.iter().zip(before);
            if guard.into_iter().any(|(&least, &can)| least > 0 && !can) {
                continue;
            }
            let may = |sum: &Sum| {
                sum.constant > 0 || sum.parts.iter().any(|&(counter, _)| before[counter])
            };
            let after: Vec<bool> = transition.sums.iter().map(may).collect();
            changed |= marked[transition.to].is_none();
            let known = marked[transition.to].get_or_insert_with(|| vec![false; width]);
            for (known, new) in known.iter_mut().zip(after) {
                changed |= new && !*known;
                *known |= new;
            }
        }
        if !changed {
            return marked;
        }
    }
}

/// The search for weights.
pub(super) struct Search {
    smt: Smt,
    store: Store,
    weights: Vec<TermId>,
    numbers: Vec<TermId>,
    pub found: Vec<Weights>,
    /// Which of them excluded something.
    pub used: Vec<bool>,
    /// How many questions in a row had no weights for an answer.
    misses: u64,
    /// How many questions were left out since the last one.
    left_out: u64,
}

impl Search {
    pub fn new(net: &Net, locations: usize, width: usize) -> Search {
        let (mut smt, mut store) = (Smt::new(Options::default()), Store::new());
        let mut unknowns = |name: &str, count: usize| -> Vec<TermId> {
            (0..count).map(|_| store.fresh_var(name, SortId::REAL)).collect()
        };
        let (weights, numbers) = (unknowns("w", width), unknowns("n", locations));
        let zero = store.real(Rat::ZERO);
        let mut assert = |store: &mut Store, sum: Vec<TermId>| {
            let sum = store.add(&sum);
            let formula = store.le(sum, zero);
            smt.assert(store, formula);
        };
        for &weight in &weights {
            let negative = store.neg(weight);
            assert(&mut store, vec![negative]);
        }
        for start in &net.starts {
            let mut sum = vec![numbers[start.location]];
            for (counter, most) in start.most.iter().enumerate() {
                match most {
                    Some(most) => sum.push(times(&mut store, *most as i128, weights[counter])),
                    // Only weight 0 bounds what has no bound.
                    None => assert(&mut store, vec![weights[counter]]),
                }
            }
            assert(&mut store, sum);
        }
        for transition in &net.transitions {
            // How much of each counter before is more after, by the weights.
            let mut columns: Vec<Vec<(usize, i128)>> = vec![Vec::new(); width];
            let mut sum = vec![numbers[transition.to], store.neg(numbers[transition.from])];
            for (counter, new) in transition.sums.iter().enumerate() {
                if new.constant != 0 {
                    sum.push(times(&mut store, i128::from(new.constant), weights[counter]));
                }
                for &(before, factor) in &new.parts {
                    columns[before].push((counter, i128::from(factor)));
                }
            }
            for (before, mut column) in columns.into_iter().enumerate() {
                match column.iter_mut().find(|(counter, _)| *counter == before) {
                    Some((_, factor)) => *factor -= 1,
                    None => column.push((before, -1)),
                }
                column.retain(|(_, factor)| *factor != 0);
                if column.is_empty() {
                    continue;
                }
                let grows: Vec<TermId> = column
                    .iter()
                    .map(|&(counter, factor)| times(&mut store, factor, weights[counter]))
                    .collect();
                let least = transition.guard.get(before).copied().unwrap_or(0);
                if least > 0 {
                    let all = store.add(&grows);
                    sum.push(times(&mut store, least as i128, all));
                }
                assert(&mut store, grows);
            }
            assert(&mut store, sum);
        }
        Search {
            smt,
            store,
            weights,
            numbers,
            found: Vec::new(),
            used: Vec::new(),
            misses: 0,
            left_out: 0,
        }
    }

    /// Whether weights that were found before exclude all configurations above one.
    pub fn is_known(
        &mut self,
        location: usize,
        vector: &[u64],
        ctx: &mut Ctx<'_>,
    ) -> Result<bool, Stop> {
        ctx.tick(1 + (self.found.len() * vector.len()) as u64 / 64)?;
        let at = self.found.iter().position(|found| found.excludes(location, vector));
        if let Some(at) = at {
            self.used[at] = true;
        }
        Ok(at.is_some())
    }

    /// Whether weights exclude all configurations above one.
    pub fn excludes(
        &mut self,
        location: usize,
        vector: &[u64],
        ctx: &mut Ctx<'_>,
    ) -> Result<bool, Stop> {
        if self.is_known(location, vector, ctx)? {
            return Ok(true);
        }
        // Where weights exclude little, asking costs more than what is followed in vain.
        if self.left_out < self.misses / WQO_PATIENCE.get() {
            self.left_out += 1;
            return Ok(false);
        }
        self.left_out = 0;
        let store = &mut self.store;
        let mut sum = vec![self.numbers[location]];
        for (&value, &weight) in vector.iter().zip(&self.weights) {
            if value > 0 {
                sum.push(times(store, value as i128, weight));
            }
        }
        let (sum, one) = (store.add(&sum), store.real(Rat::ONE));
        let wanted = store.ge(sum, one);
        self.smt.push();
        self.smt.assert(store, wanted);
        let answer = ask_within(&mut self.smt, store, &[], u64::MAX, ctx);
        let found = match &answer {
            Ok(Answer::Sat) => self.weights_found(),
            _ => None,
        };
        self.smt.pop();
        answer?;
        let excludes = found.as_ref().is_some_and(|found| found.excludes(location, vector));
        self.misses = if excludes { 0 } else { self.misses + 1 };
        self.found.extend(found.filter(|_| excludes));
        self.used.resize(self.found.len(), true);
        Ok(excludes)
    }

    /// The weights of the solver's model, as integers.
    fn weights_found(&self) -> Option<Weights> {
        let model = self.smt.model(&self.store);
        let value = |var: &TermId| match model.vars.get(var) {
            Some(Value::Real(value)) => Some(value.clone()),
            None => Some(Rat::ZERO),
            Some(_) => None,
        };
        let weights: Vec<Rat> = self.weights.iter().map(value).collect::<Option<_>>()?;
        let numbers: Vec<Rat> = self.numbers.iter().map(value).collect::<Option<_>>()?;
        let all = weights.iter().chain(&numbers);
        let common = all.fold(Int::ONE, |common, value| common.lcm(&value.denominator()));
        let whole = |values: Vec<Rat>| -> Option<Vec<Int>> {
            let factor = Rat::from(common.clone());
            values.iter().map(|value| (value * &factor).to_int()).collect()
        };
        Some(Weights::new(whole(weights)?, whole(numbers)?))
    }
}

fn times(store: &mut Store, factor: i128, term: TermId) -> TermId {
    let factor = store.real(Rat::from(Int::from(factor)));
    store.mul(&[factor, term])
}
