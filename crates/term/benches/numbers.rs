//! Exact numbers against `dashu` alone.
//!
//! Two kinds of load: a long vector of independent multiply-subtract operations, which
//! is a row operation of simplex, and whole Gaussian eliminations, where numbers grow
//! as they do in a real tableau. The sparse matrix stays inline almost everywhere; the
//! dense one leaves the 64-bit range early and measures the long shape.
//!
//! Run: `cargo bench -p alphorn-term --bench numbers`

use alphorn_testkit::Rng;
use std::hint::black_box;
use std::time::{Duration, Instant};

use alphorn_term::num::{Int, Rat};
use dashu_int::IBig;
use dashu_ratio::RBig;

/// What the loads need of a number.
trait Number: Clone {
    fn ratio(num: i64, den: i64) -> Self;
    fn is_zero(&self) -> bool;
    fn quotient(&self, divisor: &Self) -> Self;
    fn mul_sub(&mut self, a: &Self, b: &Self);
    fn mul_add(&mut self, a: &Self, b: &Self);
}

impl Number for Rat {
    fn ratio(num: i64, den: i64) -> Rat {
        Rat::ratio(num, den).expect("the loads have no zero denominator")
    }
    fn is_zero(&self) -> bool {
        self.is_zero()
    }
    fn quotient(&self, divisor: &Rat) -> Rat {
        self / divisor
    }
    fn mul_sub(&mut self, a: &Rat, b: &Rat) {
        self.mul_sub_assign(a, b);
    }
    fn mul_add(&mut self, a: &Rat, b: &Rat) {
        self.mul_add_assign(a, b);
    }
}

impl Number for RBig {
    fn ratio(num: i64, den: i64) -> RBig {
        RBig::from_parts_signed(IBig::from(num), IBig::from(den))
    }
    fn is_zero(&self) -> bool {
        self.is_zero()
    }
    fn quotient(&self, divisor: &RBig) -> RBig {
        self / divisor
    }
    fn mul_sub(&mut self, a: &RBig, b: &RBig) {
        *self -= a * b;
    }
    fn mul_add(&mut self, a: &RBig, b: &RBig) {
        *self += a * b;
    }
}

/// Integers have no quotient; only the vector loads use them.
impl Number for Int {
    fn ratio(num: i64, _: i64) -> Int {
        Int::from_i64(num)
    }
    fn is_zero(&self) -> bool {
        self.is_zero()
    }
    fn quotient(&self, _: &Int) -> Int {
        unreachable!("no load divides integers")
    }
    fn mul_sub(&mut self, a: &Int, b: &Int) {
        self.mul_sub_assign(a, b);
    }
    fn mul_add(&mut self, a: &Int, b: &Int) {
        self.mul_add_assign(a, b);
    }
}

impl Number for IBig {
    fn ratio(num: i64, _: i64) -> IBig {
        IBig::from(num)
    }
    fn is_zero(&self) -> bool {
        self.is_zero()
    }
    fn quotient(&self, _: &IBig) -> IBig {
        unreachable!("no load divides integers")
    }
    fn mul_sub(&mut self, a: &IBig, b: &IBig) {
        *self -= a * b;
    }
    fn mul_add(&mut self, a: &IBig, b: &IBig) {
        *self += a * b;
    }
}

/// A fixed stream of numbers, the same for every type.
struct Stream(Rng);

impl Stream {
    fn below(&mut self, limit: u64) -> i64 {
        self.0.below(limit).cast_signed()
    }

    fn vector<N: Number>(&mut self, length: usize, denominators: u64) -> Vec<N> {
        (0..length)
            .map(|_| {
                let num = self.below(99) - 49;
                N::ratio(if num == 0 { 1 } else { num }, 1 + self.below(denominators))
            })
            .collect()
    }
}

/// Nanoseconds of one multiply-subtract, over a vector that returns to its start.
fn vector_load<N: Number>(denominators: u64) -> f64 {
    const LENGTH: usize = 16384;
    let mut stream = Stream(Rng::new(0x9e37_79b9_7f4a_7c15));
    let mut row: Vec<N> = stream.vector(LENGTH, denominators);
    let a: Vec<N> = stream.vector(LENGTH, denominators);
    let b: Vec<N> = stream.vector(LENGTH, denominators);
    let pass = least_time(|| {
        for ((x, a), b) in row.iter_mut().zip(&a).zip(&b) {
            x.mul_sub(a, b);
        }
        for ((x, a), b) in row.iter_mut().zip(&a).zip(&b) {
            x.mul_add(a, b);
        }
        black_box(&row);
    });
    pass.as_secs_f64() * 1e9 / (2 * LENGTH) as f64
}

/// Nanoseconds of one elimination of each of a few matrices, on average.
fn elimination_load<N: Number>(size: usize, sparse: bool) -> f64 {
    const MATRICES: usize = 8;
    let mut stream = Stream(Rng::new(0xd1b5_4a32_d192_ed03));
    let matrices: Vec<Vec<Vec<N>>> = (0..MATRICES)
        .map(|_| {
            let entry = |stream: &mut Stream| match sparse {
                true if stream.below(3) > 0 => 0,
                true => 2 * stream.below(2) - 1,
                false => stream.below(199) - 99,
            };
            (0..size)
                .map(|_| (0..size).map(|_| N::ratio(entry(&mut stream), 1)).collect())
                .collect()
        })
        .collect();
    let pass = least_time(|| {
        for matrix in &matrices {
            black_box(eliminate(matrix.clone()));
        }
    });
    pass.as_secs_f64() * 1e9 / MATRICES as f64
}

/// Brings a matrix into row echelon form and returns its rank.
fn eliminate<N: Number>(mut rows: Vec<Vec<N>>) -> usize {
    let mut rank = 0;
    for column in 0..rows.len() {
        let Some(pivot) = (rank..rows.len()).find(|&row| !rows[row][column].is_zero()) else {
            continue;
        };
        rows.swap(rank, pivot);
        let (done, rest) = rows.split_at_mut(rank + 1);
        let pivot = &done[rank];
        for row in rest.iter_mut().filter(|row| !row[column].is_zero()) {
            let factor = row[column].quotient(&pivot[column]);
            for (x, p) in row.iter_mut().zip(pivot).skip(column) {
                if !p.is_zero() {
                    x.mul_sub(&factor, p);
                }
            }
        }
        rank += 1;
    }
    rank
}

/// The least time of one call, measured in batches long enough for the clock.
fn least_time(mut load: impl FnMut()) -> Duration {
    let start = Instant::now();
    load();
    let once = start.elapsed().max(Duration::from_nanos(1));
    let batch = (Duration::from_millis(10).as_nanos() / once.as_nanos()).clamp(1, 10_000);
    let batch = u32::try_from(batch).expect("the batch was clamped");
    let mut least = Duration::MAX;
    for _ in 0..40 {
        let start = Instant::now();
        for _ in 0..batch {
            load();
        }
        least = least.min(start.elapsed() / batch);
    }
    least
}

fn report(name: &str, unit: &str, scale: f64, ours: f64, dashu: f64) {
    println!(
        "| {name} | {:.2} {unit} | {:.2} {unit} | {:.2} |",
        ours / scale,
        dashu / scale,
        dashu / ours
    );
}

fn main() {
    println!("| load | ours | dashu alone | ratio |");
    println!("|---|--:|--:|--:|");
    report("integer, `Int`", "ns", 1.0, vector_load::<Int>(1), vector_load::<IBig>(1));
    report("integer, `Rat`", "ns", 1.0, vector_load::<Rat>(1), vector_load::<RBig>(1));
    report("fraction, `Rat`", "ns", 1.0, vector_load::<Rat>(12), vector_load::<RBig>(12));
    let sparse = (elimination_load::<Rat>(12, true), elimination_load::<RBig>(12, true));
    report("elimination 12×12, sparse ±1", "µs", 1e3, sparse.0, sparse.1);
    let dense = (elimination_load::<Rat>(24, false), elimination_load::<RBig>(24, false));
    report("elimination 24×24, dense", "ms", 1e6, dense.0, dense.1);
}
