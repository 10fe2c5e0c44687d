//! A linear program in floats: the dual simplex method on bounded variables.
//!
//! The tableau is condensed, a matrix with a row for each basic variable and a column for each
//! nonbasic one; a pivot changes only rows that have the entering column, at places where the
//! leaving row has an entry. Costs are drawn at random with the sign that makes the first corner
//! optimal. So the program always has an optimum so far, which each step makes worse until it
//! is feasible or a row cannot be repaired, and ties, on which a search for mere
//! feasibility runs in circles, are rare. The row to repair is the one that is furthest from its
//! bound in space (steepest edge: the norms of rows are at hand); of the columns that could repair it
//! those that come first and reach their other bound before it is repaired are flipped to it, and the next enters
//! (Maros, Computational Techniques of the Simplex Method, Kluwer 2003).
//!
//! Nothing here is trusted: tolerances, dropped entries and costs that are set to zero where
//! rounding gave them the wrong sign decide only which corner is looked at next. All is computed by
//! additions, products and quotients of IEEE 754 in a fixed order, the same on every machine;
//! what is no number compares as feasible, and the exact side will see that it is not.

use super::number::{exponent, times_power};

/// How far out of a bound of size 1 a value may be.
const FEASIBLE: f64 = 1e-9;
/// The least entry, relative to the largest of its row, on which is pivoted.
const PIVOT: f64 = 1e-8;
/// Sums of this size, relative to what was added, count as zero.
const CANCELLED: f64 = 1e-12;
/// How many steps values are updated before they are computed anew.
const REFRESH: u64 = 64;
/// Rows with more than one entry in so many places are added as a whole.
const DENSE: usize = 2;
/// The entries that are added side by side.
const LANES: usize = 4;
/// The passes of scaling.
const SCALINGS: usize = 3;
/// The room that strict bounds leave, where bounds are not tightened by more.
const STRICT: f64 = 1e-7;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// All values are within bounds.
    Feasible,
    /// The basic variable of this row cannot get to its bound.
    Blocked(usize),
    /// The work allowed was not enough.
    Stopped,
}

/// A bound as a float, infinite if there is none.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limit {
    pub(super) value: f64,
    pub(super) is_strict: bool,
}

/// A linear program; variables are numbered from 0.
#[derive(Debug)]
pub(super) struct Program {
    width: usize,
    /// Row by row: what each nonbasic variable is multiplied by in the sum that a basic one is.
    entries: Vec<f64>,
    basic: Vec<usize>,
    nonbasic: Vec<usize>,
    /// Bounds as given and as they are in force, by variable, scaled.
    given: Vec<[Limit; 2]>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    /// Powers of 2 that values are multiplied by.
    scales: Vec<i32>,
    values: Vec<f64>,
    /// The reduced costs by column.
    costs: Vec<f64>,
    /// The squared norms of rows.
    norms: Vec<f64>,
    /// The entries that were changed.
    pub(super) work: u64,
    steps: u64,
}

/// A column that can repair the row that is being repaired.
struct Candidate {
    ratio: f64,
    size: f64,
    column: usize,
    range: f64,
}

impl Program {
    /// The program with these rows, given by basic variables and entries for the nonbasic ones.
    pub(super) fn new(
        basic: Vec<usize>,
        nonbasic: Vec<usize>,
        entries: Vec<f64>,
        given: Vec<[Limit; 2]>,
        values: Vec<f64>,
    ) -> Program {
        let mut program = Program {
            width: nonbasic.len(),
            entries,
            lower: vec![0.0; given.len()],
            upper: vec![0.0; given.len()],
            scales: vec![0; given.len()],
            costs: vec![0.0; nonbasic.len()],
            norms: vec![1.0; basic.len()],
            basic,
            nonbasic,
            given,
            values,
            work: 0,
            steps: 0,
        };
        program.scale();
        for row in 0..program.basic.len() {
            let entries = program.row(row);
            program.norms[row] = entries.iter().fold(1.0, |sum, entry| sum + entry * entry);
        }
        program
    }

    /// Makes entries about 1 in size, by powers of 2.
    fn scale(&mut self) {
        for _ in 0..SCALINGS {
            let mut columns: Vec<Extent> = vec![Extent::default(); self.width];
            for (row, base) in self.basic.iter().enumerate() {
                let mut extent = Extent::default();
                let entries = &mut self.entries[row * self.width..(row + 1) * self.width];
                entries.iter().for_each(|entry| extent.add(*entry));
                let shift = -extent.middle();
                self.scales[*base] += shift;
                for (entry, column) in entries.iter_mut().zip(&mut columns) {
                    *entry = times_power(*entry, shift);
                    column.add(*entry);
                }
            }
            for (column, extent) in columns.iter().enumerate() {
                // The sums stay the same where a value is multiplied and its entries are divided.
                let shift = extent.middle();
                self.scales[self.nonbasic[column]] += shift;
                if shift != 0 {
                    for row in 0..self.basic.len() {
                        let entry = &mut self.entries[row * self.width + column];
                        *entry = times_power(*entry, -shift);
                    }
                }
            }
        }
        for (var, scale) in self.scales.iter().enumerate() {
            self.values[var] = times_power(self.values[var], *scale);
            for limit in &mut self.given[var] {
                limit.value = times_power(limit.value, *scale);
            }
        }
    }

    /// Puts bounds in force that are tighter than given by so much of their size, except where
    /// they leave no room for it, and goes to the corner next to the present values.
    pub(super) fn tighten(&mut self, margin: f64) {
        for (var, [lower, upper]) in self.given.iter().enumerate() {
            let space = |limit: &Limit| {
                let least = if limit.is_strict { STRICT } else { 0.0 };
                margin.max(least) * (1.0 + limit.value.abs())
            };
            let (below, above) = (space(lower), space(upper));
            (self.lower[var], self.upper[var]) = (lower.value, upper.value);
            let room = upper.value - lower.value;
            if room > 0.0 {
                let share = room / 4.0;
                if lower.value.is_finite() {
                    self.lower[var] += below.min(share);
                }
                if upper.value.is_finite() {
                    self.upper[var] -= above.min(share);
                }
            }
        }
        for column in 0..self.width {
            let var = self.nonbasic[column];
            let (lower, upper, value) = (self.lower[var], self.upper[var], self.values[var]);
            let random = 0.5 + (scatter(var as u64) >> 12) as f64 / (1_u64 << 52) as f64;
            let is_low = value - lower < upper - value;
            (self.values[var], self.costs[column]) = match (lower.is_finite(), upper.is_finite()) {
                (true, true) if is_low => (lower, random),
                (true, false) => (lower, random),
                (_, true) => (upper, -random),
                (false, false) => (value, 0.0),
            };
        }
        self.refresh();
    }

    /// The value of a variable, in its own scale.
    pub(super) fn value(&self, var: usize) -> f64 {
        times_power(self.values[var], -self.scales[var])
    }

    /// The basic variables, by row.
    pub(super) fn basic(&self) -> &[usize] {
        &self.basic
    }

    /// The nonbasic variables, and whether they are at their upper bound.
    pub(super) fn nonbasic(&self) -> impl Iterator<Item = (usize, bool)> {
        self.nonbasic.iter().map(|&var| {
            let (value, lower, upper) = (self.values[var], self.lower[var], self.upper[var]);
            (var, upper - value < value - lower)
        })
    }

    /// The variables with an entry in a row.
    pub(super) fn support(&self, row: usize) -> impl Iterator<Item = usize> {
        let entries = self.row(row).iter().zip(&self.nonbasic);
        let others = entries.filter(|(entry, _)| **entry != 0.0).map(|(_, var)| *var);
        others.chain(std::iter::once(self.basic[row]))
    }

    /// Repairs rows until none is out of bounds, one cannot be, or the work is done.
    pub(super) fn run(&mut self, work: u64) -> Ending {
        let end = self.work.saturating_add(work);
        let mut is_fresh = false;
        loop {
            let Some((row, missing)) = self.leaving() else {
                if is_fresh {
                    return Ending::Feasible;
                }
                self.refresh();
                is_fresh = true;
                continue;
            };
            if self.work >= end {
                return Ending::Stopped;
            }
            let Some(column) = self.entering(row, missing) else {
                if is_fresh {
                    return Ending::Blocked(row);
                }
                self.refresh();
                is_fresh = true;
                continue;
            };
            is_fresh = false;
            self.steps += 1;
            self.pivot(row, column);
            if self.steps.is_multiple_of(REFRESH) {
                self.refresh();
            }
        }
    }

    fn row(&self, row: usize) -> &[f64] {
        &self.entries[row * self.width..(row + 1) * self.width]
    }

    /// Computes the values of basic variables from the others.
    fn refresh(&mut self) {
        for row in 0..self.basic.len() {
            let entries = &self.entries[row * self.width..(row + 1) * self.width];
            let summands = entries.iter().zip(&self.nonbasic);
            self.values[self.basic[row]] = summands.fold(0.0, |sum, (entry, var)| {
                if *entry == 0.0 { sum } else { sum + entry * self.values[*var] }
            });
        }
        self.work += self.entries.len() as u64;
    }

    /// What the basic variable of a row lacks to its violated bound: positive if it must rise.
    #[inline]
    fn leaving_of(&self, row: usize) -> Option<f64> {
        let var = self.basic[row];
        let (value, lower, upper) = (self.values[var], self.lower[var], self.upper[var]);
        if value < lower - FEASIBLE * (1.0 + lower.abs()) {
            return Some(lower - value);
        }
        if value > upper + FEASIBLE * (1.0 + upper.abs()) {
            return Some(upper - value);
        }
        None
    }

    /// The row furthest from feasible, with what its basic variable lacks.
    fn leaving(&self) -> Option<(usize, f64)> {
        let mut best = None;
        let mut most = 0.0;
        for row in 0..self.basic.len() {
            if let Some(missing) = self.leaving_of(row) {
                let score = missing * missing / self.norms[row];
                if score > most {
                    most = score;
                    best = Some((row, missing));
                }
            }
        }
        best
    }

    /// The column that repairs a row, after flipping those that come before it; `None` if
    /// flipping all is not enough.
    fn entering(&mut self, row: usize, missing: f64) -> Option<usize> {
        let mut candidates = Vec::new();
        let largest = self.row(row).iter().fold(0.0, |most: f64, entry| most.max(entry.abs()));
        for (column, &entry) in self.row(row).iter().enumerate() {
            if entry.abs() <= largest * PIVOT {
                continue;
            }
            let var = self.nonbasic[column];
            let (value, lower, upper) = (self.values[var], self.lower[var], self.upper[var]);
            let must_rise = (entry > 0.0) == (missing > 0.0);
            if if must_rise { value < upper } else { value > lower } {
                let size = entry.abs();
                let ratio = self.costs[column].abs() / size;
                candidates.push(Candidate { ratio, size, column, range: upper - lower });
            }
        }
        candidates.sort_by(|left, right| {
            left.ratio.total_cmp(&right.ratio).then(left.column.cmp(&right.column))
        });
        self.work += self.width as u64;
        let mut slope = missing.abs();
        let mut flipped = 0;
        while let Some(candidate) = candidates.get(flipped) {
            let rest = slope - candidate.size * candidate.range;
            // What is no number is an end, too.
            if rest > 0.0 {
                slope = rest;
                flipped += 1;
            } else {
                break;
            }
        }
        let chosen = candidates.get(flipped).map(|stop| {
            // Among those that come about as soon, the largest entry is the most accurate.
            let soon = stop.ratio + FEASIBLE;
            let ties = candidates[flipped..].iter().take_while(|other| other.ratio <= soon);
            ties.fold(stop, |best, other| if other.size > best.size { other } else { best }).column
        });
        self.flip(&candidates[..flipped]);
        chosen
    }

    /// Moves nonbasic variables to their other bounds.
    fn flip(&mut self, flipped: &[Candidate]) {
        for candidate in flipped {
            let var = self.nonbasic[candidate.column];
            let (value, lower, upper) = (self.values[var], self.lower[var], self.upper[var]);
            let target = if value < upper { upper } else { lower };
            self.values[var] = target;
            self.follow(candidate.column, target - value);
        }
    }

    /// Lets basic variables follow a nonbasic one.
    fn follow(&mut self, column: usize, step: f64) {
        for (row, base) in self.basic.iter().enumerate() {
            let entry = self.entries[row * self.width + column];
            if entry != 0.0 {
                self.values[*base] += entry * step;
            }
        }
        self.work += self.basic.len() as u64;
    }

    /// Moves the basic variable of a row to its violated bound and exchanges it.
    fn pivot(&mut self, row: usize, column: usize) {
        let inverse = 1.0 / self.row(row)[column];
        if let Some(missing) = self.leaving_of(row) {
            let (base, var) = (self.basic[row], self.nonbasic[column]);
            let target = if missing > 0.0 { self.lower[base] } else { self.upper[base] };
            self.values[var] += missing * inverse;
            self.follow(column, missing * inverse);
            self.values[base] = target;
        }
        let mut pivot: Vec<(usize, f64)> = Vec::new();
        let mut all = vec![0.0; self.width];
        for (place, entry) in self.row(row).iter().enumerate() {
            if *entry != 0.0 && place != column {
                all[place] = -entry * inverse;
                pivot.push((place, all[place]));
            }
        }
        let is_dense = pivot.len() * DENSE > self.width;
        for other in 0..self.basic.len() {
            let entries = &mut self.entries[other * self.width..(other + 1) * self.width];
            let by = entries[column];
            if other == row || by == 0.0 {
                continue;
            }
            let norm = if is_dense {
                self.work += self.width as u64 / LANES as u64;
                add_multiple(entries, &all, by)
            } else {
                self.work += 1 + pivot.len() as u64;
                add_multiple_at(entries, &pivot, by, self.norms[other])
            };
            entries[column] = by * inverse;
            self.norms[other] = (norm - by * by + entries[column] * entries[column]).max(1.0);
        }
        let cost = self.costs[column];
        let entries = &mut self.entries[row * self.width..(row + 1) * self.width];
        let mut norm = 1.0 + inverse * inverse;
        for &(place, entry) in &pivot {
            entries[place] = entry;
            norm += entry * entry;
            self.costs[place] += cost * entry;
        }
        entries[column] = inverse;
        self.norms[row] = norm;
        self.costs[column] = cost * inverse;
        std::mem::swap(&mut self.basic[row], &mut self.nonbasic[column]);
        self.work += 2 * self.width as u64;
        self.right_cost(column);
        for (place, _) in pivot {
            self.right_cost(place);
        }
    }

    /// Costs that have the wrong sign for where their variable is are none.
    fn right_cost(&mut self, column: usize) {
        let var = self.nonbasic[column];
        let (value, lower, upper) = (self.values[var], self.lower[var], self.upper[var]);
        let cost = self.costs[column];
        let is_right = if value == lower {
            cost >= 0.0 || value == upper
        } else {
            value == upper && cost <= 0.0
        };
        if !is_right {
            self.costs[column] = 0.0;
        }
    }
}

/// Adds a multiple of a row to another, and returns the squared norm.
fn add_multiple(entries: &mut [f64], added: &[f64], by: f64) -> f64 {
    // Lanes of their own are sums that the processor can keep side by side.
    let mut norms = [0.0; LANES];
    let (entries, last) = entries.as_chunks_mut::<LANES>();
    let (added, last_added) = added.as_chunks::<LANES>();
    for (entries, added) in entries.iter_mut().zip(added) {
        for lane in 0..LANES {
            let sum = cancelled_sum(entries[lane], by * added[lane]);
            entries[lane] = sum;
            norms[lane] += sum * sum;
        }
    }
    let mut norm = norms.iter().fold(1.0, |sum, norm| sum + norm);
    for (entry, added) in last.iter_mut().zip(last_added) {
        *entry = cancelled_sum(*entry, by * added);
        norm += *entry * *entry;
    }
    norm
}

/// Adds a multiple of a row, given by its entries, to another, and returns the squared norm by the
/// one before.
fn add_multiple_at(entries: &mut [f64], added: &[(usize, f64)], by: f64, mut norm: f64) -> f64 {
    for &(place, added) in added {
        let old = entries[place];
        let sum = cancelled_sum(old, by * added);
        norm += sum * sum - old * old;
        entries[place] = sum;
    }
    norm
}

/// A sum, zero if rounding is all that is left of it.
#[inline]
fn cancelled_sum(old: f64, added: f64) -> f64 {
    let sum = old + added;
    if sum.abs() <= CANCELLED * added.abs() { 0.0 } else { sum }
}

/// The exponents of the least and the largest of some entries.
#[derive(Clone, Copy, Default)]
struct Extent(Option<(i32, i32)>);

impl Extent {
    fn add(&mut self, entry: f64) {
        if entry != 0.0 {
            let own = exponent(entry);
            let (least, most) = self.0.unwrap_or((own, own));
            self.0 = Some((least.min(own), most.max(own)));
        }
    }

    fn middle(self) -> i32 {
        self.0.map_or(0, |(least, most)| (least + most) / 2)
    }
}

/// A number without a pattern (the finisher of SplitMix64).
fn scatter(number: u64) -> u64 {
    let mut number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}
