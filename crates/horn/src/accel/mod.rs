//! Closures of loops: what a round of a loop does when it is done any number of times.
//!
//! A round is a conjunction over the state before and the state after it. Where it is made of bounds on sums
//! and differences of two numbers (`octagon`) or is an affine function with few powers (`affine`), the relation
//! of `n` rounds is a formula in `n`, exactly. Any other conjunction of linear constraints is convex, so
//! along a straight line it holds for all rounds if it holds for the first and the last (`straight`): that is
//! part of what it can do, and enough for a deep violation.
//!
//! Classes are recognised by meaning: equations are solved, what is neither before nor after is projected
//! away, and constraints that follow from the others do not count. Nothing here is trusted: a model found
//! with a closure is proved without it, and a step by a closure becomes steps of the loop (`path`), which the
//! checker sees.

mod affine;
mod cycle;
mod hull;
mod loops;
mod octagon;
mod path;
mod rows;
mod straight;

#[cfg(test)]
mod tests;

pub(crate) use cycle::all_rounds;
pub use cycle::{Cycle, CycleCase, between, copies, cycle};
pub use hull::Hull;
pub use loops::{Link, Loop, cases, links, relation, through};
pub use path::{Way, lost};

use crate::ask::ask_within;
use crate::settings::ACCEL_CONFLICTS;
use affine::Affine;
use alphorn_engine::{Ctx, Stop};
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{Int, SortId, Store, TermId};
use octagon::Powers;
pub use rows::{Row, Rows};
use straight::Straight;

/// A round of a loop: a conjunction over the state before and the state after.
#[derive(Clone, Debug)]
pub struct Relation {
    /// Variables for the state before.
    pub pre: Vec<TermId>,
    /// Variables for the state after.
    pub post: Vec<TermId>,
    /// Literals, which may mention other variables: any values of these will do.
    pub parts: Vec<TermId>,
}

/// The kinds of loops that have a closure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Bounds on differences of two numbers.
    DifferenceBounds,
    /// Bounds on sums, too.
    Octagonal,
    /// An affine function with finitely many powers, under a guard.
    FiniteMonoid,
    /// Linear constraints, along a line.
    Straight,
}

/// What a closure says about so many rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accuracy {
    /// All that they can do, and nothing else.
    Exact,
    /// Some of what they can do.
    Under,
}

/// The relation of `base + period·k` rounds.
#[derive(Clone, Debug)]
pub struct Piece {
    /// The formula over the states before and after and `k`.
    pub formula: TermId,
    /// The variable `k`, which the formula says is not negative.
    pub count: TermId,
    /// The fewest rounds.
    pub base: u64,
}

/// What a round does when it is done any number of times from some number on.
#[derive(Clone, Debug)]
pub struct Closure {
    /// The loop's kind.
    pub class: Class,
    /// What the pieces say.
    pub accuracy: Accuracy,
    /// How far the rounds of a piece are apart.
    pub period: u64,
    /// A formula for each number of rounds modulo the period.
    pub pieces: Vec<Piece>,
    method: Method,
    /// The positions of numbers in a state.
    numbers: Vec<usize>,
    /// The constraints of a round, over numbers before and after.
    rows: Rows,
}

/// Which numbers of rounds a formula is about.
#[derive(Clone, Copy)]
struct Rounds {
    /// The number modulo the period.
    residue: usize,
    /// How many periods more than the fewest.
    k: TermId,
}

#[derive(Clone, Debug)]
enum Method {
    Affine(Affine),
    Octagon(Powers),
    Straight(Straight),
}

/// The closures of a round: one that is exact, or some that are not, or none. A loop that ends after few rounds
/// has none.
pub fn close(
    store: &mut Store,
    relation: &Relation,
    ctx: &mut Ctx<'_>,
) -> Result<Vec<Closure>, Stop> {
    let mut found = close_or_end(store, relation, ctx)?;
    found.retain(|closure| !closure.pieces.is_empty());
    Ok(found)
}

/// The closures of a round, also where it cannot be done many times.
pub(crate) fn close_or_end(
    store: &mut Store,
    relation: &Relation,
    ctx: &mut Ctx<'_>,
) -> Result<Vec<Closure>, Stop> {
    let Some(mut rows) = Rows::of(store, relation) else { return Ok(Vec::new()) };
    ctx.tick(10)?;
    if let Some(affine) = Affine::of(&rows) {
        let pieces = 0..affine.period;
        let bases: Vec<usize> = pieces.map(|residue| affine.base(residue)).collect();
        let period = affine.period;
        let method = Method::Affine(affine);
        return Ok(vec![exact(store, relation, rows, Class::FiniteMonoid, method, period, &bases)]);
    }
    drop_implied(store, &mut rows, ctx)?;
    ctx.tick(100)?;
    if let Some(powers) = Powers::of(&rows) {
        let class = match powers.is_difference {
            true => Class::DifferenceBounds,
            false => Class::Octagonal,
        };
        let bases: Vec<usize> = (0..powers.period).map(|residue| powers.base(residue)).collect();
        let period = powers.period;
        let method = Method::Octagon(powers);
        return Ok(vec![exact(store, relation, rows, class, method, period, &bases)]);
    }
    straight::closures(store, relation, &rows, ctx)
}

/// The closure by a method that is exact.
fn exact(
    store: &mut Store,
    relation: &Relation,
    rows: Rows,
    class: Class,
    method: Method,
    period: usize,
    bases: &[usize],
) -> Closure {
    let columns = columns(relation, &rows.numbers);
    let mut pieces = Vec::with_capacity(bases.len());
    for (residue, &base) in bases.iter().enumerate() {
        let count = store.fresh_var("k", SortId::INT);
        let formula = match &method {
            Method::Affine(affine) => affine.formula(store, &columns, Rounds { residue, k: count }),
            Method::Octagon(powers) => {
                powers.formula(store, &columns, Rounds { residue, k: count })
            }
            Method::Straight(_) => TermId::FALSE,
        };
        let zero = store.int(0);
        let mut parts = vec![formula, store.le(zero, count)];
        parts.extend(&rows.still);
        let formula = store.and(&parts);
        pieces.push(Piece { formula, count, base: base as u64 });
    }
    let numbers = rows.numbers.clone();
    let (accuracy, period) = (Accuracy::Exact, period as u64);
    Closure { class, accuracy, period, pieces, method, numbers, rows }
}

/// The numbers of the states before and after.
fn columns(relation: &Relation, numbers: &[usize]) -> Vec<TermId> {
    let before = numbers.iter().map(|&at| relation.pre[at]);
    before.chain(numbers.iter().map(|&at| relation.post[at])).collect()
}

/// Drops rows that are no bounds on two numbers and follow from those that are.
fn drop_implied(store: &mut Store, rows: &mut Rows, ctx: &mut Ctx<'_>) -> Result<(), Stop> {
    let is_octagonal = |row: &Row| {
        let used = row.coefs.iter().filter(|&&coef| coef != 0);
        used.clone().count() <= 2 && used.into_iter().all(|coef| coef.abs() == 1)
    };
    let (bounds, others): (Vec<Row>, Vec<Row>) =
        std::mem::take(&mut rows.at_most).into_iter().partition(is_octagonal);
    rows.at_most = bounds;
    if others.is_empty() {
        return Ok(());
    }
    let columns: Vec<TermId> =
        (0..2 * rows.numbers.len()).map(|_| store.fresh_var("x", SortId::INT)).collect();
    let mut smt = Smt::new(Options::default());
    let formula = rows.formula(store, &columns);
    smt.assert(store, formula);
    for row in others {
        let (term, zero) = (row.term(store, &columns), store.int(0));
        let fails = store.lt(zero, term);
        let answer = ask_within(&mut smt, store, &[fails], ACCEL_CONFLICTS.get(), ctx)?;
        if answer != Answer::Unsat {
            rows.at_most.push(row);
        }
    }
    Ok(())
}

impl Closure {
    /// After how many rounds a loop ends that has no pieces.
    fn last(&self) -> u64 {
        match &self.method {
            Method::Octagon(powers) if powers.period == 0 => powers.prefix as u64 - 1,
            _ => self.pieces.iter().map(|piece| piece.base).max().unwrap_or(1),
        }
    }

    /// How many rounds a piece stands for, with this value of its count.
    pub fn rounds(&self, piece: usize, count: &Int) -> Int {
        &Int::from(self.pieces[piece].base) + &(&Int::from(self.period) * count)
    }
}
