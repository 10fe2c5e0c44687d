//! Closures of affine loops whose matrix has finitely many powers [Boi99]: `x' = Ax + b` under a guard.
//!
//! If `A^(l+p) = A^l` then from the `l`-th round on a state is that of `p` rounds before and a constant vector
//! `v = A^l (b + Ab + … + A^(p-1) b)` more. So the state after `base + p·k` rounds is that after `base` rounds
//! and `k·v`. A guard is a conjunction of linear constraints; along rounds that are `p` apart it is linear in
//! `k`, and so it holds in all of them if it holds in the first and in the last: the closure is exact.

use super::Rounds;
use super::rows::{Row, Rows};
use alphorn_term::{Int, Store, TermId};

/// The most powers of the matrix that are looked at.
const MAX_POWERS: usize = 12;
/// The most numbers in a state.
const MAX_NUMBERS: usize = 40;
/// The largest entry of a power.
const LARGEST: i128 = 1 << 60;

/// A state as a function of the first one: rows with the coefficients of its numbers, and constants.
type State = Vec<(Vec<i128>, i128)>;

/// A loop `x' = Ax + b` under a guard, with its period.
#[derive(Clone, Debug)]
pub(super) struct Affine {
    /// What is zero in a state, and what is at most zero.
    equal: Vec<Row>,
    at_most: Vec<Row>,
    /// The states after 0, 1, … rounds, up to the largest base.
    states: Vec<State>,
    /// From so many rounds on.
    pub prefix: usize,
    /// So many rounds add a constant vector.
    pub period: usize,
    /// The vector.
    vector: Vec<i128>,
}

impl Affine {
    /// The loop that rows are, if they determine the next state and its matrix has few powers.
    pub fn of(rows: &Rows) -> Option<Affine> {
        let count = rows.numbers.len();
        if count == 0 || count > MAX_NUMBERS {
            return None;
        }
        let (step, equal, at_most) = solved(rows, count)?;
        let unit = |at: usize| (0..count).map(|other| i128::from(other == at)).collect();
        let mut states: Vec<State> = vec![(0..count).map(|at| (unit(at), 0)).collect()];
        let (prefix, period) = loop {
            let last = states.last()?;
            if states.len() > MAX_POWERS {
                return None;
            }
            states.push(after(last, &step)?);
            let newest = states.len() - 1;
            let same = |earlier: &usize| {
                let pairs = states[*earlier].iter().zip(&states[newest]);
                pairs.into_iter().all(|(old, new)| old.0 == new.0)
            };
            if let Some(earlier) = (0..newest).find(same) {
                break (earlier, newest - earlier);
            }
        };
        let pairs = states[prefix].iter().zip(&states[prefix + period]);
        let vector: Vec<i128> =
            pairs.map(|(old, new)| new.1.checked_sub(old.1)).collect::<Option<_>>()?;
        while states.len() < prefix + 2 * period {
            states.push(after(states.last()?, &step)?);
        }
        Some(Affine { equal, at_most, states, prefix, period, vector })
    }

    /// The fewest rounds of a residue that are told by its formula.
    pub fn base(&self, residue: usize) -> usize {
        self.prefix + self.period + residue
    }

    /// The relation of `base + period·k` rounds, `k ≥ 0`; columns are the numbers before and after.
    pub fn formula(&self, store: &mut Store, columns: &[TermId], rounds: Rounds) -> TermId {
        let Rounds { residue, k } = rounds;
        let count = self.vector.len();
        let (before, after) = columns.split_at(count);
        let (base, mut parts, zero) = (self.base(residue), Vec::new(), store.int(0));
        for rounds in 0..base {
            let state = self.state(store, rounds, before, zero);
            self.guard(store, &state, &mut parts);
        }
        for back in 1..=self.period {
            let state = self.state(store, base - back, before, k);
            self.guard(store, &state, &mut parts);
        }
        let end = self.state(store, base, before, k);
        for (&number, &wanted) in end.iter().zip(after) {
            parts.push(store.eq(wanted, number));
        }
        store.and(&parts)
    }

    /// The state after so many rounds and `k` periods.
    fn state(&self, store: &mut Store, rounds: usize, from: &[TermId], k: TermId) -> Vec<TermId> {
        let mut terms = Vec::with_capacity(from.len());
        for (at, (coefs, constant)) in self.states[rounds].iter().enumerate() {
            let row = Row { coefs: coefs.clone(), constant: *constant };
            let start = row.term(store, from);
            let factor = store.int(Int::from(self.vector[at]));
            let grown = store.mul(&[factor, k]);
            terms.push(store.add(&[start, grown]));
        }
        terms
    }

    fn guard(&self, store: &mut Store, state: &[TermId], parts: &mut Vec<TermId>) {
        let zero = store.int(0);
        for row in &self.equal {
            let term = row.term(store, state);
            parts.push(store.eq(term, zero));
        }
        for row in &self.at_most {
            let term = row.term(store, state);
            parts.push(store.le(term, zero));
        }
    }

    /// The state after a round; the numbers of a state are given and returned.
    pub fn next(&self, state: &[Int]) -> Option<Vec<Int>> {
        let step = self.states.get(1)?;
        let number = |(coefs, constant): &(Vec<i128>, i128)| {
            let mut sum = Int::from(*constant);
            for (&coef, value) in coefs.iter().zip(state) {
                sum = &sum + &(&Int::from(coef) * value);
            }
            sum
        };
        Some(step.iter().map(number).collect())
    }
}

/// The state after one more round.
fn after(state: &State, step: &State) -> Option<State> {
    let number = |(coefs, constant): &(Vec<i128>, i128)| {
        let mut sum = (vec![0i128; coefs.len()], *constant);
        for (&coef, (inner, shift)) in coefs.iter().zip(state) {
            for (place, &value) in sum.0.iter_mut().zip(inner) {
                *place = place.checked_add(coef.checked_mul(value)?)?;
            }
            sum.1 = sum.1.checked_add(coef.checked_mul(*shift)?)?;
        }
        let is_small = sum.0.iter().chain([&sum.1]).all(|value| value.abs() <= LARGEST);
        is_small.then_some(sum)
    };
    step.iter().map(number).collect()
}

/// The next state as a function of the one before, and what is left of the rows: constraints on that.
fn solved(rows: &Rows, count: usize) -> Option<(State, Vec<Row>, Vec<Row>)> {
    let (mut equal, mut at_most) = (rows.equal.clone(), rows.at_most.clone());
    let mut step: Vec<Option<Row>> = vec![None; count];
    for at in 0..count {
        let column = count + at;
        let found = equal.iter().position(|row| row.coefs[column].abs() == 1)?;
        let row = equal.remove(found);
        let sign = row.coefs[column];
        // The column is minus the rest of the row.
        let rest = |value: i128| value.checked_mul(-sign);
        let mut coefs: Vec<i128> =
            row.coefs.iter().map(|&coef| rest(coef)).collect::<Option<_>>()?;
        coefs[column] = 0;
        let solution = Row { coefs, constant: rest(row.constant)? };
        for row in equal.iter_mut().chain(&mut at_most).chain(step.iter_mut().flatten()) {
            let factor = std::mem::take(&mut row.coefs[column]);
            *row = plus(row, &solution, factor)?;
        }
        step[at] = Some(solution);
    }
    let mut state = Vec::with_capacity(count);
    for row in step {
        let row = row?;
        if row.coefs[count..].iter().any(|&coef| coef != 0) {
            return None;
        }
        state.push((row.coefs[..count].to_vec(), row.constant));
    }
    for row in equal.iter_mut().chain(&mut at_most) {
        row.coefs.truncate(count);
    }
    Some((state, equal, at_most))
}

fn plus(row: &Row, other: &Row, factor: i128) -> Option<Row> {
    let add = |(a, b): (&i128, &i128)| a.checked_add(b.checked_mul(factor)?);
    let coefs = row.coefs.iter().zip(&other.coefs).map(add).collect::<Option<_>>()?;
    Some(Row { coefs, constant: add((&row.constant, &other.constant))? })
}
