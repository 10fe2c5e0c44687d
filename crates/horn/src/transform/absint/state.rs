//! What is known about the terms of a clause, or about the parameters of a predicate.
//!
//! Numeric terms have intervals, Boolean terms may have a truth value, and some numeric variables are
//! the dimensions of an octagon. Terms without an entry may be anything. A linear constraint narrows
//! each of its terms by what the others leave, and the octagon in each pair of its variables.
//!
//! Invariant: a state holds of every valuation that satisfies what it was told; what is found to be
//! impossible is the error `Empty`.

use super::bound::{Bound, Interval, Upper, is_stronger, plus, stronger};
use super::octagon::{Empty, Octagon, Signed};
use crate::settings::ABSINT_MAX_TERMS;
use alphorn_smt::Linear;
use alphorn_term::{Rat, SortId, Store, TermId};
use std::collections::BTreeMap;
use std::rc::Rc;

/// How a polynomial compares to zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    /// It is zero.
    Zero,
    /// It is at most zero.
    AtMost,
    /// It is less than zero.
    Below,
}

/// Intervals, truth values and an octagon.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct State {
    /// Where the values of numeric terms lie.
    pub ranges: BTreeMap<TermId, Interval>,
    /// The values of Boolean terms that have only one.
    pub truths: BTreeMap<TermId, bool>,
    /// The octagon's dimensions, in ascending order.
    pub dimensions: Rc<Vec<TermId>>,
    /// Bounds of sums and differences of two of them.
    pub octagon: Octagon,
}

/// Whether a term is an integer.
pub(super) fn is_integral(store: &Store, term: TermId) -> bool {
    store.sort(term) == SortId::INT
}

impl State {
    /// Nothing is known; the octagon is over these variables.
    pub fn top(store: &Store, mut dimensions: Vec<TermId>) -> State {
        dimensions.sort_unstable();
        dimensions.dedup();
        let octagon = Octagon::top(dimensions.iter().map(|&t| is_integral(store, t)).collect());
        State { dimensions: Rc::new(dimensions), octagon, ..State::default() }
    }

    /// A variable's dimension in the octagon.
    pub fn dimension(&self, term: TermId) -> Option<usize> {
        self.dimensions.binary_search(&term).ok()
    }

    /// What is known about a numeric term by itself.
    pub fn range(&self, term: TermId) -> Interval {
        self.ranges.get(&term).cloned().unwrap_or(Interval::TOP)
    }

    /// Makes a Boolean term have a value; says whether that was unknown.
    pub fn decide(&mut self, term: TermId, value: bool) -> Result<bool, Empty> {
        match self.truths.insert(term, value) {
            Some(known) if known != value => Err(Empty),
            known => Ok(known.is_none()),
        }
    }

    /// Narrows a numeric term; says whether anything got stronger.
    pub fn narrow(&mut self, store: &Store, term: TermId, to: &Interval) -> Result<bool, Empty> {
        let known = self.range(term);
        if known.is_within(to) {
            return Ok(false);
        }
        let mut narrowed = known.meet(to);
        if is_integral(store, term) {
            narrowed = narrowed.integers();
        }
        if narrowed.is_empty() {
            return Err(Empty);
        }
        let has_changed = narrowed != known;
        self.ranges.insert(term, narrowed);
        Ok(has_changed)
    }

    /// Exchanges bounds between the intervals and the octagon; says whether anything got stronger.
    pub fn exchange(&mut self, store: &Store) -> Result<bool, Empty> {
        let mut has_changed = false;
        let dimensions = Rc::clone(&self.dimensions);
        for (at, &term) in dimensions.iter().enumerate() {
            let known = self.octagon.interval(at);
            has_changed |= self.narrow(store, term, &known)?;
            let known = self.range(term);
            has_changed |= self.octagon.restrict(at, &known)?;
        }
        Ok(has_changed)
    }

    /// A bound of a polynomial, given those of its terms.
    pub fn upper(&self, form: &Linear, ranges: &[Interval]) -> Upper {
        let mut sum = Some(Bound::at_most(form.constant.clone()));
        for ((_, factor), range) in form.terms.iter().zip(ranges) {
            sum = plus(&sum, &range.times(factor).up);
        }
        match self.pair(form, 0, 1) {
            Some((first, second, size)) if form.terms.len() == 2 => {
                let constant = Bound::at_most(form.constant.clone());
                let bound = self.octagon.bound(first, second).as_ref();
                let bound = bound.map(|bound| bound.times(&size).plus(&constant));
                stronger(&sum, &bound)
            }
            _ => sum,
        }
    }

    /// The signed dimensions of two terms of a polynomial that have coefficients of one size.
    fn pair(&self, form: &Linear, left: usize, right: usize) -> Option<(Signed, Signed, Rat)> {
        let ((first, left), (second, right)) = (form.terms.get(left)?, form.terms.get(right)?);
        let size = left.abs();
        if right.abs() != size {
            return None;
        }
        let first = Signed::of(self.dimension(*first)?, left.is_negative());
        let second = Signed::of(self.dimension(*second)?, right.is_negative());
        Some((first, second, size))
    }

    /// Makes a polynomial compare to zero, given the ranges of its terms; says whether anything got
    /// stronger.
    pub fn compare(
        &mut self,
        store: &Store,
        form: &Linear,
        relation: Relation,
        ranges: &[Interval],
    ) -> Result<bool, Empty> {
        let mut has_changed = self.below(store, form, relation == Relation::Below, ranges)?;
        if relation == Relation::Zero {
            has_changed |= self.below(store, &form.negated(), false, ranges)?;
        }
        Ok(has_changed)
    }

    /// Makes a polynomial at most zero, or less than that.
    fn below(
        &mut self,
        store: &Store,
        form: &Linear,
        is_strict: bool,
        ranges: &[Interval],
    ) -> Result<bool, Empty> {
        // The least values of the terms: the bounds of their negatives.
        let lows: Vec<Upper> = (form.terms.iter().zip(ranges))
            .map(|((_, factor), range)| range.times(factor).down)
            .collect();
        let limit = Bound { value: -&form.constant, is_strict };
        if lows.is_empty() {
            return if limit.allows_zero() { Ok(false) } else { Err(Empty) };
        }
        let others = Others::of(&lows);
        let mut has_changed = false;
        for (at, (term, factor)) in form.terms.iter().enumerate() {
            if let Some(rest) = others.without(&lows, &[at]) {
                let bound = Some(limit.plus(&rest));
                let reciprocal = factor.recip().expect("coefficients are not zero");
                let to = Interval { down: None, up: bound }.times(&reciprocal);
                has_changed |= self.narrow(store, *term, &to)?;
            }
        }
        if form.terms.len() > ABSINT_MAX_TERMS.size() || self.dimensions.is_empty() {
            return Ok(has_changed);
        }
        for left in 0..form.terms.len() {
            for right in 0..left {
                if let Some((first, second, size)) = self.pair(form, left, right)
                    && let Some(rest) = others.without(&lows, &[left, right])
                    && let Some(inverse) = size.recip()
                {
                    let bound = limit.plus(&rest).times(&inverse);
                    has_changed |= self.octagon.add(first, second, bound)?;
                }
            }
        }
        Ok(has_changed)
    }

    /// What holds in both states, which have the same dimensions.
    pub fn join(&self, other: &State) -> State {
        self.with(other, Interval::join, Octagon::join)
    }

    /// The state for what comes after, with ranges that moved set to the next threshold, so that chains end.
    pub fn widened(&self, after: &State, thresholds: &[Rat]) -> State {
        self.with(
            after,
            |left, right| left.widened(right, thresholds),
            |left, right| left.widened(right, thresholds),
        )
    }

    fn with(
        &self,
        other: &State,
        ranges: impl Fn(&Interval, &Interval) -> Interval,
        octagon: impl Fn(&Octagon, &Octagon) -> Octagon,
    ) -> State {
        let mut result = State { dimensions: Rc::clone(&self.dimensions), ..State::default() };
        for (term, left) in &self.ranges {
            let range = other.ranges.get(term).map(|right| ranges(left, right));
            if let Some(range) = range.filter(|range| *range != Interval::TOP) {
                result.ranges.insert(*term, range);
            }
        }
        let agree = |(term, value): &(&TermId, &bool)| other.truths.get(term) == Some(value);
        result.truths = self.truths.iter().filter(agree).map(|(&term, &v)| (term, v)).collect();
        result.octagon = octagon(&self.octagon, &other.octagon);
        result
    }

    /// Whether everything the other says is said here.
    pub fn is_within(&self, other: &State) -> bool {
        other.ranges.iter().all(|(&term, range)| self.range(term).is_within(range))
            && other.truths.iter().all(|(term, value)| self.truths.get(term) == Some(value))
            && self.octagon.is_within(&other.octagon)
    }

    /// What is known about these terms, with an octagon over some of them, which must be among the
    /// dimensions or stay free.
    pub fn projected(&self, store: &Store, terms: &[TermId], dimensions: &[TermId]) -> State {
        let mut result = State::top(store, dimensions.to_vec());
        for &term in terms {
            if let Some(range) = self.ranges.get(&term).filter(|range| **range != Interval::TOP) {
                result.ranges.insert(term, range.clone());
            }
            if let Some(&value) = self.truths.get(&term) {
                result.truths.insert(term, value);
            }
        }
        let kept: Option<Vec<usize>> =
            result.dimensions.iter().map(|&term| self.dimension(term)).collect();
        if let Some(kept) = kept {
            result.octagon = self.octagon.projected(&kept);
        }
        result
    }
}

/// The sum of the bounds of negatives of some terms, of which a few are left out.
struct Others {
    unbounded: usize,
}

impl Others {
    fn of(lows: &[Upper]) -> Others {
        Others { unbounded: lows.iter().filter(|low| low.is_none()).count() }
    }

    /// The sum of all but these; none if one of the rest has no bound.
    fn without(&self, lows: &[Upper], left_out: &[usize]) -> Option<Bound> {
        let free = left_out.iter().filter(|&&at| lows[at].is_none()).count();
        if free < self.unbounded {
            return None;
        }
        let mut sum = Bound::at_most(Rat::ZERO);
        for (at, low) in lows.iter().enumerate() {
            if !left_out.contains(&at) {
                sum = sum.plus(low.as_ref()?);
            }
        }
        Some(sum)
    }
}

/// Whether bounds decide a comparison with zero: those of the polynomial and of its negative.
pub(super) fn decided(up: &Upper, down: &Upper, relation: Relation) -> Option<bool> {
    let zero = Some(Bound::at_most(Rat::ZERO));
    let below = Some(Bound { value: Rat::ZERO, is_strict: true });
    match relation {
        Relation::AtMost if is_stronger(up, &zero) => Some(true),
        Relation::AtMost if is_stronger(down, &below) => Some(false),
        Relation::Below if is_stronger(up, &below) => Some(true),
        Relation::Below if is_stronger(down, &zero) => Some(false),
        Relation::Zero if is_stronger(up, &zero) && is_stronger(down, &zero) => Some(true),
        Relation::Zero if is_stronger(up, &below) || is_stronger(down, &below) => Some(false),
        _ => None,
    }
}
