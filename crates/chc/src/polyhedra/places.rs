//! Places: what is known of a predicate's facts, apart for each value of its control arguments.
//!
//! Truth values are control, and so is a number as long as it has one value in everything that a clause concludes at
//! once, and few in all: counters of bounded loops, program counters, modes. A number that turns out to be no control
//! is a dimension of the hulls from then on (`Layout::demote`).

use super::cone::{MAX_NUMBER, Vector, too_large};
use super::polyhedron::{Hull, Row};
use crate::settings::POLYHEDRA_MAX_VALUES;
use alphorn_engine::Stop;
use alphorn_smt::Linear;
use alphorn_term::{Int, Rat, SortId, Store, TermId};
use std::collections::{BTreeMap, BTreeSet};

/// The values of the control arguments of a predicate, in their order.
pub(super) type Key = Vec<i128>;

/// Which arguments of a predicate are control, and which are dimensions.
#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    /// Truth values, and numbers with few values.
    pub(super) control: Vec<usize>,
    /// Other numbers.
    pub(super) numbers: Vec<usize>,
    /// Those of them that need not be whole.
    reals: Vec<usize>,
    /// The values of each argument that is control so far.
    seen: BTreeMap<usize, BTreeSet<i128>>,
}

/// What is known of the facts with one key.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// What holds of the numbers.
    pub(super) hull: Hull,
    /// In how many rounds the hull grew, and the last of them.
    pub(super) growths: u64,
    /// The round in which it grew last.
    pub(super) round: usize,
}

/// The places of one predicate.
pub(super) type Places = BTreeMap<Key, Place>;

impl Layout {
    /// The layout of arguments of these sorts, with every whole number as control.
    pub(super) fn new(sorts: &[SortId]) -> Layout {
        let at = |is_there: fn(SortId) -> bool| -> Vec<usize> {
            (0..sorts.len()).filter(|&at| is_there(sorts[at])).collect()
        };
        let control = at(|sort| sort == SortId::BOOL || sort == SortId::INT);
        let reals = at(|sort| sort == SortId::REAL);
        Layout { control, numbers: reals.clone(), reals, seen: BTreeMap::new() }
    }

    /// Notes a value of a control argument; false if there are too many now.
    pub(super) fn sees(&mut self, arg: usize, value: i128) -> bool {
        let seen = self.seen.entry(arg).or_default();
        seen.insert(value);
        seen.len() <= POLYHEDRA_MAX_VALUES.size()
    }

    /// The number among the control arguments with the most values, if there is one.
    pub(super) fn widest(&self, sorts: &[SortId]) -> Option<usize> {
        let is_number = |arg: &&usize| sorts[**arg] == SortId::INT;
        let count = |arg: &&usize| self.seen.get(*arg).map_or(0, BTreeSet::len);
        self.control.iter().filter(is_number).max_by_key(count).copied()
    }

    /// Makes a number a dimension that was control.
    pub(super) fn demote(&mut self, arg: usize) {
        self.control.retain(|&other| other != arg);
        self.numbers.push(arg);
        self.numbers.sort_unstable();
        self.forget();
    }

    /// Forgets which values there were.
    pub(super) fn forget(&mut self) {
        self.seen.clear();
    }

    /// Variables in the place of arguments, as far as rows speak of them.
    pub(super) fn params(&self, store: &mut Store) -> Vec<TermId> {
        let count = self.control.iter().chain(&self.numbers).max().map_or(0, |last| last + 1);
        let real = |at: usize| self.reals.contains(&at);
        let sort = |at: usize| if real(at) { SortId::REAL } else { SortId::INT };
        (0..count).map(|at| store.fresh_var("x", sort(at))).collect()
    }

    /// What says that arguments have a key.
    pub(super) fn at(&self, store: &mut Store, args: &[TermId], key: &[i128]) -> TermId {
        let mut parts = Vec::with_capacity(key.len());
        for (&arg, &value) in self.control.iter().zip(key) {
            let arg = args[arg];
            parts.push(match (store.sort(arg) == SortId::BOOL, value) {
                (true, 0) => store.not(arg),
                (true, _) => arg,
                (false, _) => {
                    let value = store.int(value as i64);
                    store.eq(arg, value)
                }
            });
        }
        store.and(&parts)
    }

    /// The control arguments that are numbers.
    pub(super) fn counted(&self, store: &Store, args: &[TermId]) -> Vec<usize> {
        let is_number = |arg: &&usize| store.sort(args[**arg]) == SortId::INT;
        self.control.iter().filter(is_number).copied().collect()
    }

    /// What the rows of a hull say of arguments, one by one.
    pub(super) fn rows(&self, store: &mut Store, args: &[TermId], hull: &Hull) -> Vec<TermId> {
        hull.all_rows().map(|row| self.says(store, args, &row)).collect()
    }

    /// What a row says of arguments.
    pub(super) fn says(&self, store: &mut Store, args: &[TermId], row: &Row) -> TermId {
        let numbers: Vec<TermId> = self.numbers.iter().map(|&arg| args[arg]).collect();
        says(store, &row.vector, &numbers, row.is_equation)
    }
}

/// The formula that a row over numbers is zero, or not negative; over whole numbers as strong as it can be.
fn says(store: &mut Store, row: &[i128], numbers: &[TermId], is_equation: bool) -> TermId {
    let used = || numbers.iter().zip(&row[1..]).filter(|(_, factor)| **factor != 0);
    let is_real = used().any(|(number, _)| store.sort(*number) == SortId::REAL);
    let divisor = used().fold(0, |common, (_, factor)| gcd(common, *factor));
    let (mut constant, mut by) = (row[0], 1);
    if !is_real && !is_equation && divisor > 1 {
        (constant, by) = (constant.div_euclid(divisor), divisor);
    }
    // What is added stands on the right, what is subtracted on the left.
    let mut sides = [Linear::default(), Linear::default()];
    for (&number, &factor) in used() {
        let side = usize::from(factor > 0);
        let form = Linear::of(store, number);
        sides[side].add_scaled(&form, &Rat::from((factor / by).unsigned_abs() as i64));
    }
    let side = &mut sides[usize::from(constant > 0)];
    side.constant = &side.constant + &Rat::from(constant.unsigned_abs() as i64);
    let sort = if is_real { SortId::REAL } else { SortId::INT };
    let [left, right] = sides.map(|side| side.to_term(store, sort));
    match is_equation {
        true => store.eq(left, right),
        false => store.le(left, right),
    }
}

fn gcd(left: i128, right: i128) -> i128 {
    let (mut a, mut b) = (left.abs(), right.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The vectors of forms over dimensions, all multiplied by the same number, which is returned as well: the constant of
/// a form comes first.
pub(super) fn vectors(
    forms: &[Linear],
    dimensions: &[TermId],
) -> Result<(i128, Vec<Vector>), Stop> {
    let numbers = |form: &Linear| -> Vec<Rat> {
        let factors = dimensions.iter().map(|&dimension| form.coefficient(dimension));
        std::iter::once(form.constant.clone()).chain(factors).collect()
    };
    let all: Vec<Vec<Rat>> = forms.iter().map(numbers).collect();
    let common = |by: Int, value: &Rat| by.lcm(&value.denominator());
    let by = Rat::from(all.iter().flatten().fold(Int::ONE, common));
    let whole = |value: &Rat| {
        let value = (value * &by).to_int().and_then(|value| value.to_i64());
        value.map(i128::from).filter(|value| value.abs() <= MAX_NUMBER).ok_or_else(too_large)
    };
    let vector = |values: &Vec<Rat>| values.iter().map(whole).collect::<Result<Vector, Stop>>();
    let vectors = all.iter().map(vector).collect::<Result<Vec<Vector>, Stop>>()?;
    Ok((whole(&Rat::ONE)?, vectors))
}
