//! What formulas say about where words are: intervals, with signs and without, of all terms.
//!
//! Gates know a bound that is a power of two by unit propagation, and no other: that a counter which grows by at most three is at
//! most 240 after eighty steps takes the search longer the more steps there are, where each step follows from the one
//! before at once. So bounds are passed on from the formulas in force to terms, through what operators do to intervals, until nothing changes.
//! What comes out is a list of formulas that follow, each from those before and one operator, for whoever can use them
//! (`smt/ranged.rs` has the search refute their negations). Low bits are not among it: those that are known are
//! so by unit propagation.
//!
//! Invariant: every formula returned follows from those given. After Moore, Interval Analysis (1966), and for words that wrap around
//! Navas, Schachte, Søndergaard, Stuckey, Signedness-agnostic program analysis (APLAS 2012), of which two fixed cuts.

use alphorn_term::{Bv, Int, Op, Store, TermId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

use super::intervals::{Range, apply};
use crate::settings::{RANGES_MAX_STATED, RANGES_MAX_TERMS, RANGES_MAX_WORK};

/// An order, or an equation, between words that is in force.
#[derive(Clone, Copy)]
struct Fact {
    order: Order,
    left: TermId,
    right: TermId,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Equal,
    /// At most, or below; of numbers with signs or without.
    Less {
        is_strict: bool,
        is_signed: bool,
    },
}

impl Fact {
    /// What holds where this does not, if that is an order.
    fn negated(self) -> Option<Fact> {
        let Order::Less { is_strict, is_signed } = self.order else { return None };
        let order = Order::Less { is_strict: !is_strict, is_signed };
        Some(Fact { order, left: self.right, right: self.left })
    }
}

/// What has to be looked at again.
#[derive(Clone, Copy)]
enum Job {
    Term(TermId),
    Fact(usize),
}

/// Ranges of terms, as far as they are known.
struct Ranges<'a> {
    store: &'a Store,
    facts: Vec<Fact>,
    /// Conditions that are in force, or whose negations are.
    truths: FxHashMap<TermId, bool>,
    known: FxHashMap<TermId, Range>,
    /// When a range changed last.
    changed: FxHashMap<TermId, usize>,
    jobs: Vec<Job>,
    /// The jobs that depend on a term.
    users: FxHashMap<TermId, Vec<usize>>,
    open: VecDeque<usize>,
    is_open: Vec<bool>,
    clock: usize,
}

/// Formulas about words that follow from formulas, those first that others follow from.
pub(crate) fn consequences(store: &mut Store, formulas: &[TermId]) -> Vec<TermId> {
    let terms = store.subterms(formulas);
    if terms.len() > RANGES_MAX_TERMS.size() {
        return Vec::new();
    }
    let mut ranges = Ranges::new(store, formulas, &terms);
    ranges.propagate();
    let Ranges { truths, known, changed, .. } = ranges;
    let mut order: Vec<(usize, TermId)> = changed.iter().map(|(term, at)| (*at, *term)).collect();
    order.sort_unstable();
    let mut found = Vec::new();
    let mut seen: FxHashSet<TermId> = truths.keys().copied().collect();
    for (_, term) in order {
        for formula in said(store, term, &known[&term]) {
            let is_new = formula != TermId::TRUE && seen.insert(formula);
            if is_new && found.len() < RANGES_MAX_STATED.size() {
                found.push(formula);
            }
        }
    }
    // Comparisons that are decided.
    for atom in terms {
        if truths.contains_key(&atom) || found.len() >= RANGES_MAX_STATED.size() {
            continue;
        }
        match decided(store, atom, &known) {
            Some(true) => found.push(atom),
            Some(false) => found.push(store.not(atom)),
            None => {}
        }
    }
    found
}

/// A comparison of words as an order, and its sides.
fn order_of(store: &Store, atom: TermId) -> Option<Fact> {
    let less = |is_strict, is_signed| Order::Less { is_strict, is_signed };
    let order = match store.op(atom) {
        Op::Eq => Order::Equal,
        Op::BvUle => less(false, false),
        Op::BvUlt => less(true, false),
        Op::BvSle => less(false, true),
        Op::BvSlt => less(true, true),
        _ => return None,
    };
    let &[left, right] = store.args(atom) else { return None };
    store.width_of(store.sort(left))?;
    Some(Fact { order, left, right })
}

/// What a comparison comes to between the ranges of its sides, if that is known.
fn decided(store: &Store, atom: TermId, known: &FxHashMap<TermId, Range>) -> Option<bool> {
    let Fact { order, left, right } = order_of(store, atom)?;
    let (left, right) = (known.get(&left)?, known.get(&right)?);
    match order {
        Order::Equal => left.is_apart(right).then_some(false),
        Order::Less { is_strict, is_signed } => {
            let ([least, most], [low, high]) = (left.of(is_signed), right.of(is_signed));
            match is_strict {
                _ if most < low => Some(true),
                false if most == low => Some(true),
                _ if least > high => Some(false),
                true if least == high => Some(false),
                _ => None,
            }
        }
    }
}

/// The formulas that say a range.
fn said(store: &mut Store, term: TermId, range: &Range) -> Vec<TermId> {
    let width = store.width(term);
    let full = Range::full(width);
    let word = |value: &Int| Bv::from_int(width, value);
    let is_signed = range.unsigned == full.unsigned;
    let (own, all) = (range.of(is_signed), full.of(is_signed));
    let op = if is_signed { Op::BvSle } else { Op::BvUle };
    let mut found = Vec::new();
    if own[0] == own[1] {
        let value = store.bv(word(&own[0]));
        return vec![store.eq(term, value)];
    }
    if own[1] < all[1] {
        let most = store.bv(word(&own[1]));
        found.push(store.mk(op, &[term, most]));
    }
    if own[0] > all[0] {
        let least = store.bv(word(&own[0]));
        found.push(store.mk(op, &[least, term]));
    }
    found
}

impl<'a> Ranges<'a> {
    fn new(store: &'a Store, formulas: &[TermId], terms: &[TermId]) -> Ranges<'a> {
        let mut ranges = Ranges {
            store,
            facts: Vec::new(),
            truths: FxHashMap::default(),
            known: FxHashMap::default(),
            changed: FxHashMap::default(),
            jobs: Vec::new(),
            users: FxHashMap::default(),
            open: VecDeque::new(),
            is_open: Vec::new(),
            clock: 0,
        };
        for &formula in formulas {
            ranges.learn(formula);
        }
        for &term in terms {
            let Some(width) = store.width_of(store.sort(term)) else { continue };
            if let Some(value) = store.bv_value(term) {
                ranges.known.insert(term, Range::of_value(value));
                continue;
            }
            ranges.known.insert(term, Range::full(width));
            if !store.args(term).is_empty() {
                ranges.add_job(Job::Term(term), store.args(term));
            }
        }
        for place in 0..ranges.facts.len() {
            let Fact { left, right, .. } = ranges.facts[place];
            ranges.add_job(Job::Fact(place), &[left, right]);
        }
        ranges
    }

    fn add_job(&mut self, job: Job, uses: &[TermId]) {
        let number = self.jobs.len();
        self.jobs.push(job);
        self.open.push_back(number);
        self.is_open.push(true);
        for &term in uses {
            self.users.entry(term).or_default().push(number);
        }
    }

    /// Takes a formula apart into what it says of words and conditions.
    fn learn(&mut self, formula: TermId) {
        let mut stack = vec![(formula, true)];
        while let Some((term, holds)) = stack.pop() {
            if self.truths.insert(term, holds).is_some() {
                continue;
            }
            let args = self.store.args(term);
            match (self.store.op(term), holds) {
                (Op::Not, _) => stack.push((args[0], !holds)),
                (Op::And, true) | (Op::Or, false) => {
                    stack.extend(args.iter().map(|arg| (*arg, holds)));
                }
                _ => {
                    let fact = order_of(self.store, term);
                    self.facts.extend(
                        fact.and_then(|fact| if holds { Some(fact) } else { fact.negated() }),
                    );
                }
            }
        }
    }

    /// Passes ranges on until nothing changes, they contradict each other, or there was work enough.
    fn propagate(&mut self) {
        let mut work = 0;
        while let Some(number) = self.open.pop_front() {
            self.is_open[number] = false;
            work += 1;
            if work > RANGES_MAX_WORK.size() {
                return;
            }
            let is_possible = match self.jobs[number] {
                Job::Term(term) => {
                    let range = self.computed(term);
                    range.is_none_or(|range| self.narrow(term, &range))
                }
                Job::Fact(place) => self.apply_fact(self.facts[place]),
            };
            if !is_possible {
                return;
            }
        }
    }

    /// What an application is of the ranges of its arguments.
    fn computed(&self, term: TermId) -> Option<Range> {
        let store = self.store;
        let args = store.args(term);
        if store.op(term) == Op::Ite {
            let branches = [args[1], args[2]].map(|arg| self.known.get(&arg));
            return match self.truths.get(&args[0]) {
                Some(true) => branches[0].cloned(),
                Some(false) => branches[1].cloned(),
                None => Some(branches[0]?.join(branches[1]?)),
            };
        }
        let ranges: Option<Vec<&Range>> = args.iter().map(|arg| self.known.get(arg)).collect();
        apply(
            store.op(term),
            store.width(term),
            args.first().map(|arg| store.width(*arg))?,
            &ranges?,
        )
    }

    /// Makes a range smaller; false if nothing is left of it.
    fn narrow(&mut self, term: TermId, by: &Range) -> bool {
        let Some(own) = self.known.get(&term) else { return true };
        let Some(range) = own.meet(by, self.store.width(term)) else { return false };
        if range == *own {
            return true;
        }
        self.known.insert(term, range);
        self.clock += 1;
        self.changed.insert(term, self.clock);
        for &job in self.users.get(&term).map_or(&[][..], Vec::as_slice) {
            if !std::mem::replace(&mut self.is_open[job], true) {
                self.open.push_back(job);
            }
        }
        true
    }

    /// Has the sides of a fact agree with it; false if they cannot.
    fn apply_fact(&mut self, fact: Fact) -> bool {
        let Fact { order, left, right } = fact;
        let (Some(low), Some(high)) = (self.known.get(&left), self.known.get(&right)) else {
            return true;
        };
        let (mut low, mut high) = (low.clone(), high.clone());
        match order {
            Order::Equal => std::mem::swap(&mut low, &mut high),
            Order::Less { is_strict, is_signed } => {
                let step = Int::from(i64::from(is_strict));
                let least = &low.of(is_signed)[0] + &step;
                let most = &high.of(is_signed)[1] - &step;
                let full = Range::full(self.store.width(left));
                (low, high) = (full.clone(), full);
                low.of_mut(is_signed)[1] = most;
                high.of_mut(is_signed)[0] = least;
            }
        }
        self.narrow(left, &low) && self.narrow(right, &high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(width: u32, make: impl Fn(&mut Store, [TermId; 3]) -> Vec<TermId>) -> Vec<String> {
        let mut store = Store::new();
        let sort = store.bv_sort(width);
        let words = ["x", "y", "z"].map(|name| store.var(name, sort));
        let formulas = make(&mut store, words);
        consequences(&mut store, &formulas).into_iter().map(|term| store.show(term)).collect()
    }

    fn number(store: &mut Store, width: u32, value: i64) -> TermId {
        store.bv(Bv::from_int(width, &Int::from(value)))
    }

    #[test]
    fn bounds_pass_through_sums_and_definitions() {
        let found = shown(8, |store, [x, y, z]| {
            let [five, seven] = [5, 7].map(|value| number(store, 8, value));
            let sum = store.mk(Op::BvAdd, &[x, y]);
            vec![
                store.mk(Op::BvUle, &[x, five]),
                store.mk(Op::BvUlt, &[y, seven]),
                store.eq(z, sum),
            ]
        });
        assert_eq!(found, ["(bvule y #x06)", "(bvule (bvadd x y) #x0b)", "(bvule z #x0b)"]);
    }

    #[test]
    fn what_leads_to_a_contradiction_is_said() {
        let found = shown(8, |store, [x, y, z]| {
            let [five, many] = [5, 16].map(|value| number(store, 8, value));
            let twice = store.mk(Op::BvAdd, &[x, x]);
            let thrice = store.mk(Op::BvAdd, &[y, x]);
            let ends = [[x, five], [many, z]].map(|ends| store.mk(Op::BvUle, &ends));
            vec![store.eq(y, twice), store.eq(z, thrice), ends[0], ends[1]]
        });
        assert!(found.contains(&"(bvule y #x0a)".to_owned()), "{found:?}");
    }

    #[test]
    fn sums_that_may_wrap_around_have_no_bounds() {
        let found = shown(8, |store, [x, y, _]| {
            let many = number(store, 8, 200);
            let sum = store.mk(Op::BvAdd, &[x, y]);
            let less = store.mk(Op::BvUle, &[sum, many]);
            vec![store.mk(Op::BvUle, &[x, many]), store.mk(Op::BvUle, &[y, many]), store.not(less)]
        });
        assert_eq!(found, ["(bvule #xc9 (bvadd x y))"]);
    }

    #[test]
    fn products_with_signs_have_bounds_with_signs() {
        let found = shown(16, |store, [x, y, z]| {
            let [low, high] = [-10, 10].map(|value| number(store, 16, value));
            let product = store.mk(Op::BvMul, &[x, y]);
            let mut all: Vec<TermId> = [x, y]
                .into_iter()
                .flat_map(|word| [[low, word], [word, high]])
                .map(|args| store.mk(Op::BvSle, &args))
                .collect();
            all.push(store.eq(z, product));
            all
        });
        assert!(found.contains(&"(bvsle z #x0064)".to_owned()), "{found:?}");
        assert!(found.contains(&"(bvsle #xff9c z)".to_owned()), "{found:?}");
    }
}
