//! Closures of difference bounds and octagons [BIK10]: bounds on sums and differences of two numbers.
//!
//! A relation is a matrix of bounds, closed so that it has no tighter ones over integers [BHZ08]. The bounds
//! of its powers are periodic: from some power `b` on, those of power `n + c` are those of power `n` and the
//! same amounts more. Prefix, period and amounts are guessed from three powers, and then *proved*: bounds
//! `a + b·k` are composed with the `c`-th power symbolically, where of two of them one must be the smaller for
//! all `k ≥ 0`, and must give the bounds of the next `k`. So the closure is exact, for all `n`.
//!
//! Composition eliminates the states between, which over closed matrices is leaving out their rows.

use super::Rounds;
use super::rows::Rows;
use alphorn_term::{Int, Store, TermId};

/// The most numbers in a state.
const MAX_NUMBERS: usize = 6;
/// The most powers that are looked at.
const MAX_POWERS: usize = 14;
/// The longest period.
const MAX_PERIOD: usize = 4;

/// A bound `a + b·k`, for all `k ≥ 0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Bound(i128, i128);

impl Bound {
    fn plus(self, other: Bound) -> Option<Bound> {
        Some(Bound(self.0.checked_add(other.0)?, self.1.checked_add(other.1)?))
    }

    /// Whether it is at most another one, for all `k`; none if that depends on `k`.
    fn is_at_most(self, other: Bound) -> Option<bool> {
        if self.0 <= other.0 && self.1 <= other.1 {
            Some(true)
        } else if self.0 >= other.0 && self.1 >= other.1 {
            Some(false)
        } else {
            None
        }
    }

    /// Half of it, rounded down; none if that is not linear.
    fn half(self) -> Option<Bound> {
        (self.1 % 2 == 0).then(|| Bound(self.0.div_euclid(2), self.1 / 2))
    }

    fn is_negative(self) -> Option<bool> {
        self.is_at_most(Bound(-1, 0))
    }
}

/// Bounds on `w_j - w_i`, where `w_2v` is a number and `w_2v+1` its negation.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Matrix {
    /// The rows' length: twice the numbers.
    size: usize,
    bounds: Vec<Option<Bound>>,
}

impl Matrix {
    fn new(numbers: usize) -> Matrix {
        let size = 2 * numbers;
        let mut matrix = Matrix { size, bounds: vec![None; size * size] };
        (0..size).for_each(|at| matrix.bounds[at * size + at] = Some(Bound(0, 0)));
        matrix
    }

    fn at(&self, i: usize, j: usize) -> Option<Bound> {
        self.bounds[i * self.size + j]
    }

    /// Takes a bound into account, and the same one said of negations.
    fn bound(&mut self, i: usize, j: usize, bound: Bound) -> Option<()> {
        for (i, j) in [(i, j), (j ^ 1, i ^ 1)] {
            let place = &mut self.bounds[i * self.size + j];
            match *place {
                Some(old) if old.is_at_most(bound)? => {}
                _ => *place = Some(bound),
            }
        }
        Some(())
    }

    /// Makes all bounds as tight as they are over integers; `Some(false)` if there is nothing within them,
    /// none if that depends on `k`.
    fn close(&mut self) -> Option<bool> {
        let size = self.size;
        for mid in 0..size {
            for i in 0..size {
                let Some(first) = self.at(i, mid) else { continue };
                for j in 0..size {
                    if let Some(second) = self.at(mid, j) {
                        self.bound(i, j, first.plus(second)?)?;
                    }
                }
            }
        }
        if !self.is_consistent()? {
            return Some(false);
        }
        for i in 0..size {
            if let Some(bound) = self.at(i, i ^ 1) {
                let half = bound.half()?;
                self.bounds[i * size + (i ^ 1)] = Some(half.plus(half)?);
            }
        }
        for i in 0..size {
            let (Some(up), Some(down)) = (self.at(i, i ^ 1), self.at(i ^ 1, i)) else { continue };
            if up.plus(down)?.is_negative()? {
                return Some(false);
            }
        }
        for i in 0..size {
            for j in 0..size {
                if let (Some(first), Some(second)) = (self.at(i, i ^ 1), self.at(j ^ 1, j)) {
                    self.bound(i, j, first.half()?.plus(second.half()?)?)?;
                }
            }
        }
        self.is_consistent()
    }

    fn is_consistent(&self) -> Option<bool> {
        for i in 0..self.size {
            if let Some(bound) = self.at(i, i)
                && bound.is_negative()?
            {
                return Some(false);
            }
        }
        Some(true)
    }

    /// The relation and then another one, both over numbers before and after.
    fn then(&self, other: &Matrix) -> Option<Option<Matrix>> {
        let numbers = self.size / 4;
        let mut both = Matrix::new(3 * numbers);
        for (matrix, shift) in [(self, 0), (other, 2 * numbers)] {
            for i in 0..matrix.size {
                for j in 0..matrix.size {
                    if let Some(bound) = matrix.at(i, j)
                        && i != j
                    {
                        both.bound(i + shift, j + shift, bound)?;
                    }
                }
            }
        }
        if !both.close()? {
            return Some(None);
        }
        let mut result = Matrix::new(2 * numbers);
        let place = |at: usize| if at < 2 * numbers { at } else { at + 2 * numbers };
        for i in 0..result.size {
            for j in 0..result.size {
                result.bounds[i * result.size + j] = both.at(place(i), place(j));
            }
        }
        Some(Some(result))
    }

    /// How much the bounds grow to those of another matrix, and whether both have the same.
    fn growth(&self, other: &Matrix) -> Option<Vec<i128>> {
        let pairs = self.bounds.iter().zip(&other.bounds);
        pairs
            .map(|(old, new)| match (old, new) {
                (Some(old), Some(new)) => new.0.checked_sub(old.0),
                (None, None) => Some(0),
                _ => None,
            })
            .collect()
    }

    /// The bounds `a + growth·k`.
    fn grows(&self, growth: &[i128]) -> Matrix {
        let bounds = self.bounds.iter().zip(growth);
        let bounds = bounds.map(|(bound, &growth)| bound.map(|bound| Bound(bound.0, growth)));
        Matrix { size: self.size, bounds: bounds.collect() }
    }

    /// The bounds of the next `k`.
    fn next(&self) -> Option<Matrix> {
        let next = |bound: &Option<Bound>| match bound {
            Some(Bound(a, b)) => Some(Some(Bound(a.checked_add(*b)?, *b))),
            None => Some(None),
        };
        let bounds = self.bounds.iter().map(next).collect::<Option<_>>()?;
        Some(Matrix { size: self.size, bounds })
    }

    /// The bounds that say all of them, as a formula.
    fn formula(&self, store: &mut Store, columns: &[TermId], k: TermId) -> TermId {
        let mut kept = self.clone();
        let size = self.size;
        for i in 0..size {
            for j in 0..size {
                let Some(bound) = kept.at(i, j) else { continue };
                let follows = |mid: usize| {
                    mid != i && mid != j && {
                        let sum = kept.at(i, mid).zip(kept.at(mid, j));
                        sum.and_then(|(a, b)| a.plus(b)?.is_at_most(bound)) == Some(true)
                    }
                };
                if i == j || (0..size).any(follows) {
                    kept.bounds[i * size + j] = None;
                }
            }
        }
        let (mut parts, zero) = (Vec::new(), store.int(0));
        for i in 0..size {
            for j in 0..size {
                // The same is said of negations.
                if kept.at(j ^ 1, i ^ 1).is_some() && (j ^ 1, i ^ 1) < (i, j) {
                    continue;
                }
                let Some(Bound(a, b)) = kept.at(i, j) else { continue };
                let mut sum = vec![store.int(Int::from(-a))];
                for (at, sign) in [(j, 1), (i, -1)] {
                    let factor = store.int(if at % 2 == 0 { sign } else { -sign });
                    sum.push(store.mul(&[factor, columns[at / 2]]));
                }
                if b != 0 {
                    let factor = store.int(Int::from(-b));
                    sum.push(store.mul(&[factor, k]));
                }
                let sum = store.add(&sum);
                parts.push(store.le(sum, zero));
            }
        }
        store.and(&parts)
    }
}

/// The powers of a relation: the first of them, and how they go on.
#[derive(Clone, Debug)]
pub(super) struct Powers {
    /// The powers 1, 2, …
    powers: Vec<Matrix>,
    /// From this one on they are periodic.
    pub prefix: usize,
    /// How many there are in a period; none if from there on they are empty.
    pub period: usize,
    /// The growth of the bounds in a period, by the power's position in it.
    growth: Vec<Vec<i128>>,
    /// Whether no bound is on a sum.
    pub is_difference: bool,
}

impl Powers {
    /// The powers of rows that are bounds on sums and differences of two numbers.
    pub fn of(rows: &Rows) -> Option<Powers> {
        let numbers = rows.numbers.len();
        if numbers == 0 || numbers > MAX_NUMBERS {
            return None;
        }
        let mut matrix = Matrix::new(2 * numbers);
        let mut is_difference = true;
        let opposite = rows.equal.iter().map(|row| super::rows::Row {
            coefs: row.coefs.iter().map(|coef| -coef).collect(),
            constant: -row.constant,
        });
        for row in rows.at_most.iter().chain(&rows.equal).cloned().chain(opposite) {
            let used: Vec<usize> = (0..2 * numbers).filter(|&at| row.coefs[at] != 0).collect();
            if used.iter().any(|&at| row.coefs[at].abs() != 1) {
                return None;
            }
            // w_j - w_i with w_j the number or its negation.
            let node = |at: usize| 2 * at + usize::from(row.coefs[at] < 0);
            match used[..] {
                [only] => {
                    let twice = row.constant.checked_mul(-2)?;
                    matrix.bound(node(only) ^ 1, node(only), Bound(twice, 0))?;
                }
                [first, second] => {
                    is_difference &= row.coefs[first] != row.coefs[second];
                    matrix.bound(node(first) ^ 1, node(second), Bound(-row.constant, 0))?;
                }
                _ => return None,
            }
        }
        if !matrix.close()? {
            return None;
        }
        let mut powers = vec![matrix];
        while powers.len() < MAX_POWERS {
            // A power that is empty ends the loop after few rounds.
            let Some(next) = powers[powers.len() - 1].then(&powers[0])? else {
                let prefix = powers.len() + 1;
                let (period, growth) = (0, Vec::new());
                return Some(Powers { powers, prefix, period, growth, is_difference });
            };
            powers.push(next);
            if let Some((prefix, period, growth)) = periodic(&powers) {
                return Some(Powers { powers, prefix, period, growth, is_difference });
            }
        }
        None
    }

    /// The fewest rounds of a residue that are told by its formula.
    pub fn base(&self, residue: usize) -> usize {
        self.prefix + residue
    }

    /// The relation of `base + period·k` rounds, `k ≥ 0`.
    pub fn formula(&self, store: &mut Store, columns: &[TermId], rounds: Rounds) -> TermId {
        let Rounds { residue, k } = rounds;
        let power = &self.powers[self.prefix + residue - 1];
        power.grows(&self.growth[residue]).formula(store, columns, k)
    }

    /// The relation of so many rounds.
    pub fn relation(&self, store: &mut Store, rounds: &Int, columns: &[TermId]) -> Option<TermId> {
        let zero = store.int(0);
        let few = rounds.to_u64().and_then(|rounds| usize::try_from(rounds).ok());
        if let Some(few) = few.filter(|&few| few < self.prefix) {
            let power = self.powers.get(few.checked_sub(1)?)?;
            return Some(power.formula(store, columns, zero));
        }
        let over = rounds - &Int::from(self.prefix);
        let (k, residue) = over.div_rem_euclid(&Int::from(self.period))?;
        let residue = usize::try_from(residue.to_u64()?).ok()?;
        let k = store.int(k);
        Some(self.formula(store, columns, Rounds { residue, k }))
    }
}

/// Where powers begin to be periodic, the period, and the growth in it, by the position in the period.
fn periodic(powers: &[Matrix]) -> Option<(usize, usize, Vec<Vec<i128>>)> {
    let last = powers.len();
    for period in 1..=MAX_PERIOD.min(last.saturating_sub(1) / 2) {
        // Three powers that are a period apart, for each position in it.
        let prefix = last.checked_sub(3 * period - 1)?;
        if prefix == 0 {
            continue;
        }
        let power = |n: usize| &powers[n - 1];
        let growths: Option<Vec<Vec<i128>>> = (0..period)
            .map(|at| {
                let first = power(prefix + at).growth(power(prefix + at + period))?;
                let third = prefix + at + 2 * period;
                if third > last {
                    return Some(first);
                }
                let second = power(prefix + at + period).growth(power(third))?;
                (first == second).then_some(first)
            })
            .collect();
        let Some(growths) = growths else { continue };
        let is_proved = (0..period).all(|at| {
            let symbolic = power(prefix + at).grows(&growths[at]);
            let composed = symbolic.then(power(period));
            composed.flatten().is_some_and(|composed| Some(composed) == symbolic.next())
        });
        if is_proved {
            return Some((prefix, period, growths));
        }
    }
    None
}
