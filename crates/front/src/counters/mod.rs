//! Systems of counters: Petri nets and their extensions (`spec`), and threads that are counted by what
//! they are doing (`tts`, `bp`).
//!
//! A configuration is a location, of finitely many, and a natural number for each counter. It becomes a fact
//! of the location's predicate, rules become linear clauses, and what must not be covered becomes queries.
//! Nothing about such systems is left for others to know: a model and a derivation are what they are for
//! any Horn system.
//!
//! Invariant: no fact that can be derived has a negative counter. A rule whose guard does not say that
//! its counters stay natural has that in its body as well.

pub mod bp;
pub mod spec;
pub mod tts;

use alphorn_problem::horn::{Clause, Head, PredId};
use alphorn_problem::{Horn, Span};
use alphorn_term::{Int, Op, SortId, TermId};
use std::collections::BTreeMap;

/// The most arguments that all clauses together may have.
const MAX_ARGUMENTS: usize = 40_000_000;

/// A counter, by its position.
type Counter = usize;

/// What a guard says about a counter.
#[derive(Clone, Debug)]
struct Guard {
    counter: Counter,
    /// Whether the counter is the number, and not just at least as large.
    is_equal: bool,
    value: Int,
}

/// A sum of counters times factors, and a constant.
#[derive(Clone, Debug, Default)]
struct Sum {
    parts: Vec<(Counter, Int)>,
    constant: Int,
}

/// A Horn system in the making.
struct Builder {
    horn: Horn,
    /// The variable that stands for each counter in every clause.
    counters: Vec<TermId>,
    locations: Vec<PredId>,
}

impl Builder {
    /// A system with these locations and counters, and no rules; none if rules would be too large.
    fn new(locations: &[String], counters: &[String], rules: usize) -> Option<Builder> {
        if rules.checked_mul(counters.len() + 1)? > MAX_ARGUMENTS {
            return None;
        }
        let mut horn = Horn::default();
        let sorts = vec![SortId::INT; counters.len()];
        let locations = locations.iter().map(|name| horn.declare_pred(name, &sorts)).collect();
        let counters = counters.iter().map(|name| horn.terms.var(name, SortId::INT)).collect();
        Some(Builder { horn, counters, locations })
    }

    fn guard(&mut self, guard: &Guard) -> TermId {
        let value = self.horn.terms.int(guard.value.clone());
        let counter = self.counters[guard.counter];
        match guard.is_equal {
            true => self.horn.terms.eq(counter, value),
            false => self.horn.terms.ge(counter, value),
        }
    }

    fn sum(&mut self, sum: &Sum) -> TermId {
        let mut terms = Vec::with_capacity(sum.parts.len() + 1);
        for (counter, factor) in &sum.parts {
            let factor = self.horn.terms.int(factor.clone());
            terms.push(self.horn.terms.mul(&[factor, self.counters[*counter]]));
        }
        terms.push(self.horn.terms.int(sum.constant.clone()));
        self.horn.terms.add(&terms)
    }

    fn atom(&mut self, location: usize) -> TermId {
        let func = self.horn.pred(self.locations[location]).func;
        let counters = self.counters.clone();
        self.horn.terms.mk(Op::Apply(func), &counters)
    }

    /// Runs begin here: counters that are not mentioned are zero.
    fn start(&mut self, location: usize, guards: &[Guard], span: Span) {
        let mut known = vec![false; self.counters.len()];
        let mut parts = Vec::with_capacity(self.counters.len());
        for guard in guards {
            known[guard.counter] = true;
            parts.push(self.guard(guard));
            if !guard.is_equal && guard.value.is_negative() {
                parts.push(self.guard(&Guard { value: Int::ZERO, ..guard.clone() }));
            }
        }
        for counter in (0..known.len()).filter(|&counter| !known[counter]) {
            parts.push(self.guard(&Guard { counter, is_equal: true, value: Int::ZERO }));
        }
        let head = Head::Atom(self.locations[location], self.counters.clone());
        self.push(&parts, head, span);
    }

    /// A step from one location to another; counters without a new value stay.
    fn rule(
        &mut self,
        (from, to): (usize, usize),
        guards: &[Guard],
        updates: &BTreeMap<Counter, Sum>,
        span: Span,
    ) {
        let mut parts = vec![self.atom(from)];
        let mut least: BTreeMap<Counter, &Int> = BTreeMap::new();
        for guard in guards {
            parts.push(self.guard(guard));
            let bound = least.entry(guard.counter).or_insert(&guard.value);
            *bound = (*bound).max(&guard.value);
        }
        let mut head = self.counters.clone();
        for (&counter, sum) in updates {
            let value = self.sum(sum);
            head[counter] = value;
            if !stays_natural(sum, &least) {
                let zero = self.horn.terms.int(Int::ZERO);
                parts.push(self.horn.terms.ge(value, zero));
            }
        }
        self.push(&parts, Head::Atom(self.locations[to], head), span);
    }

    /// A set of configurations that must not be reached.
    fn target(&mut self, location: usize, guards: &[Guard], span: Span) {
        let mut parts = vec![self.atom(location)];
        for guard in guards {
            parts.push(self.guard(guard));
        }
        self.push(&parts, Head::False, span);
    }

    fn push(&mut self, parts: &[TermId], head: Head, span: Span) {
        let body = self.horn.terms.and(parts);
        let mut roots = vec![body];
        if let Head::Atom(_, arguments) = &head {
            roots.extend(arguments);
        }
        let vars = self.horn.terms.free_vars(&roots);
        self.horn.clauses.push(Clause { vars, body, head, name: None, span });
    }
}

/// Whether a sum is a natural number where counters are at least what guards say.
fn stays_natural(sum: &Sum, least: &BTreeMap<Counter, &Int>) -> bool {
    let mut smallest = sum.constant.clone();
    for (counter, factor) in &sum.parts {
        if factor.is_negative() {
            return false;
        }
        if let Some(&bound) = least.get(counter)
            && !bound.is_negative()
        {
            smallest = &smallest + &(factor * bound);
        }
    }
    !smallest.is_negative()
}
