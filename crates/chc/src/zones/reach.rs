//! How far clocks are looked at: for each clock the largest lower and upper bounds that it may still be compared with
//! before its next reset.
//!
//! A clock is a real argument, and its value is how long ago that was, from the argument that is the present time. Bounds
//! are computed per value of one discrete argument at a time (its *mode*), backwards along the rules, as a
//! fixed point; of a state with several modes the least bounds count, since each of them covers all that can come. Where a
//! mode says that a clock is not looked at any more, the clock *belongs* to that argument.
//!
//! After Behrmann, Bouyer, Fleury, Larsen, "Static guard analysis in timed automata verification" (TACAS 2003), by modes
//! of any discrete argument in place of locations.

use super::dbm::{Apart, parts};
use super::rule::{Layout, Rule};
use alphorn_engine::{Ctx, Stop};
use alphorn_term::{Op, Store, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Larger modes are not told apart.
const MAX_VALUES: usize = 64;

/// The largest lower and upper bound that a clock is compared with; none if it is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Span {
    pub lower: Option<i64>,
    pub upper: Option<i64>,
}

impl Span {
    fn widen(&mut self, other: Span) {
        self.lower = self.lower.max(other.lower);
        self.upper = self.upper.max(other.upper);
    }

    fn narrow(&mut self, other: Span) {
        self.lower = self.lower.min(other.lower);
        self.upper = self.upper.min(other.upper);
    }
}

/// What is known of a discrete argument, or of none of them.
#[derive(Clone, Debug)]
pub(super) struct Mode {
    /// The discrete argument; none for what holds whatever they are.
    pub arg: Option<usize>,
    /// The spans of the real arguments, by the argument's value.
    spans: BTreeMap<i64, Vec<Span>>,
}

/// Spans of all clocks of all predicates.
#[derive(Clone, Debug)]
pub(super) struct Reach {
    /// The real argument that is the present time, by predicate: its position in zones.
    pub now: Vec<usize>,
    pub modes: Vec<Vec<Mode>>,
}

impl Reach {
    pub fn of(
        layouts: &[Layout],
        rules: &mut [Rule],
        store: &mut Store,
        ctx: &mut Ctx<'_>,
    ) -> Result<Reach, Stop> {
        let now = present(layouts, rules, store);
        let domains = domains(layouts, rules, store)?;
        let mut modes: Vec<Vec<Mode>> = Vec::new();
        for (layout, domains) in layouts.iter().zip(domains) {
            let none = vec![Span::default(); layout.reals.len() + 1];
            let mut list = vec![Mode { arg: None, spans: [(0, none.clone())].into() }];
            for (arg, domain) in domains.into_iter().enumerate() {
                if let Some(domain) = domain.filter(|domain| domain.len() <= MAX_VALUES) {
                    let spans = domain.into_iter().map(|value| (value, none.clone())).collect();
                    list.push(Mode { arg: Some(arg), spans });
                }
            }
            modes.push(list);
        }
        let mut reach = Reach { now, modes };
        loop {
            let mut is_new = false;
            for rule in rules.iter_mut() {
                is_new |= reach.back(rule, store, ctx)?;
            }
            if !is_new {
                return Ok(reach);
            }
        }
    }

    /// Spans of the clocks in a state.
    pub fn spans(&self, pred: usize, state: &[i64]) -> Vec<Span> {
        let modes = &self.modes[pred];
        let mut spans = modes[0].spans[&0].clone();
        for mode in &modes[1..] {
            let value = mode.arg.map_or(0, |arg| state[arg]);
            if let Some(narrow) = mode.spans.get(&value) {
                spans.iter_mut().zip(narrow).for_each(|(span, &other)| span.narrow(other));
            }
        }
        spans
    }

    /// The discrete argument that a clock belongs to: for most values of it the clock is not looked at.
    pub fn owner(&self, pred: usize, clock: usize) -> Option<usize> {
        let idle = |mode: &&Mode| {
            let all = mode.spans.values();
            let idle = all.filter(|spans| spans[clock] == Span::default()).count();
            idle * 1000 / mode.spans.len().max(1)
        };
        let owners = self.modes[pred].iter().filter(|mode| mode.arg.is_some() && idle(mode) > 0);
        owners.max_by_key(|mode| (idle(mode), std::cmp::Reverse(mode.arg)))?.arg
    }

    /// Takes over what comes after a rule; whether something is new.
    fn back(
        &mut self,
        rule: &mut Rule,
        store: &mut Store,
        ctx: &mut Ctx<'_>,
    ) -> Result<bool, Stop> {
        let Some(from) = rule.from else { return Ok(false) };
        let mut is_new = false;
        for at in 0..self.modes[from].len() {
            let arg = self.modes[from][at].arg;
            let slot = arg.and_then(|arg| rule.binds[arg]);
            let values: Vec<i64> = self.modes[from][at].spans.keys().copied().collect();
            for value in values {
                ctx.tick(1)?;
                if arg.is_some_and(|arg| !rule.may_have(store, arg, value)) {
                    continue;
                }
                let Some(guards) = guards(rule, store, slot.map(|slot| (slot, value)))? else {
                    continue;
                };
                let mut spans = self.modes[from][at].spans[&value].clone();
                let before = spans.clone();
                self.look(rule, from, &guards, &mut spans);
                self.after(rule, slot.map(|slot| (slot, value)), &mut spans, store);
                if spans != before {
                    is_new = true;
                    self.modes[from][at].spans.insert(value, spans);
                }
            }
        }
        Ok(is_new)
    }

    /// What a rule's bounds compare clocks with.
    fn look(&self, rule: &Rule, from: usize, guards: &[Apart], spans: &mut [Span]) {
        let clocks = spans.len();
        let is_clock = |at: usize| at != 0 && at < clocks && at != self.now[from];
        for &Apart { left, right, bound } in rule.ties.iter().chain(guards) {
            let value = parts(bound).0;
            // The time less a clock's reset is its value.
            if is_clock(right) {
                spans[right].widen(Span { lower: None, upper: Some(value.max(0)) });
            }
            if is_clock(left) {
                spans[left].widen(Span { lower: Some((-value).max(0)), upper: None });
            }
        }
    }

    /// What clocks that a rule keeps are compared with afterwards.
    fn after(
        &self,
        rule: &mut Rule,
        known: Option<(usize, i64)>,
        spans: &mut [Span],
        store: &Store,
    ) {
        let (Some(from), Some(to)) = (rule.from, rule.to) else { return };
        let clocks = spans.len();
        for (place, &(real, shift)) in rule.gathers.clone().iter().enumerate().skip(1) {
            if real == 0 || real >= clocks || real == self.now[from] || place == self.now[to] {
                continue;
            }
            let mut least: Option<Span> = None;
            for mode in &self.modes[to] {
                let value = match mode.arg {
                    None => Some(0),
                    Some(arg) => value_after(rule, arg, known, store),
                };
                let span = match value {
                    Some(value) => mode.spans.get(&value).map(|spans| spans[place]),
                    None => {
                        let mut widest = Span::default();
                        mode.spans.values().for_each(|spans| widest.widen(spans[place]));
                        Some(widest)
                    }
                };
                if let Some(span) = span {
                    least.get_or_insert(span).narrow(span);
                }
            }
            let moved = |bound: Option<i64>| bound.map(|bound| bound.saturating_add(shift).max(0));
            let least = least.unwrap_or_default();
            spans[real].widen(Span { lower: moved(least.lower), upper: moved(least.upper) });
        }
    }
}

/// The value of a discrete argument of the head, if what is known says it.
fn value_after(
    rule: &mut Rule,
    arg: usize,
    known: Option<(usize, i64)>,
    store: &Store,
) -> Option<i64> {
    let Rule { head, slots, .. } = rule;
    let made = &mut head[arg];
    let mut values = vec![0; slots.len()];
    match (&made.inputs[..], known) {
        ([], _) => {}
        ([slot], Some((mode, value))) if *slot == mode => values[mode] = value,
        _ => return None,
    }
    made.value(store, slots, &values).ok()
}

/// The bounds of a rule's body where one slot has a value, or more of them; none if it cannot be used there.
fn guards(
    rule: &mut Rule,
    store: &mut Store,
    known: Option<(usize, i64)>,
) -> Result<Option<Vec<Apart>>, Stop> {
    let mut found = Vec::new();
    for at in 0..rule.conditions.len() {
        let mut values = vec![0; rule.slots.len()];
        let inputs = &rule.conditions[at].inputs;
        let is_known = match known {
            Some((slot, value)) => {
                values[slot] = value;
                inputs.iter().all(|&input| input == slot)
            }
            None => inputs.is_empty(),
        };
        if is_known {
            let cases = rule.cases(store, at, &values)?;
            if cases.is_empty() {
                return Ok(None);
            }
            cases.iter().for_each(|case| found.extend(case));
        } else if rule.conditions[at].is_timed {
            found.extend(loose(rule, store, at));
        }
    }
    Ok(Some(found))
}

/// All bounds that a condition mentions, in both directions; what also depends on other values is not seen.
pub(super) fn loose(rule: &Rule, store: &Store, at: usize) -> Vec<Apart> {
    let mut found = Vec::new();
    for term in store.subterms(&[rule.conditions[at].term]) {
        if !matches!(store.op(term), Op::Le | Op::Lt | Op::Eq) {
            continue;
        }
        if let Some(Some(list)) = rule.bounds(store, term) {
            for apart in list {
                let Apart { left, right, bound } = apart;
                let (value, is_strict) = parts(bound);
                let opposite = super::dbm::bound(-value, is_strict);
                found.extend([apart, Apart { left: right, right: left, bound: opposite }]);
            }
        }
    }
    found
}

/// The real argument that is the present time, by predicate: the one that most bounds speak of.
fn present(layouts: &[Layout], rules: &[Rule], store: &Store) -> Vec<usize> {
    let mut counts: Vec<Vec<usize>> =
        layouts.iter().map(|layout| vec![0; layout.reals.len() + 1]).collect();
    for rule in rules {
        let Some(from) = rule.from else { continue };
        let timed = (0..rule.conditions.len()).filter(|&at| rule.conditions[at].is_timed);
        for Apart { left, right, .. } in timed.flat_map(|at| loose(rule, store, at)) {
            for at in [left, right] {
                if at != 0 && at < counts[from].len() {
                    counts[from][at] += 1;
                }
            }
        }
    }
    let most = |counts: &Vec<usize>| {
        (1..counts.len()).max_by_key(|&at| (counts[at], std::cmp::Reverse(at))).unwrap_or(0)
    };
    counts.iter().map(most).collect()
}

/// The values of discrete arguments that are only ever constants or handed on; none for the others.
fn domains(
    layouts: &[Layout],
    rules: &mut [Rule],
    store: &Store,
) -> Result<Vec<Vec<Option<BTreeSet<i64>>>>, Stop> {
    let mut domains: Vec<Vec<Option<BTreeSet<i64>>>> =
        layouts.iter().map(|layout| vec![Some(BTreeSet::new()); layout.discrete.len()]).collect();
    loop {
        let before = domains.clone();
        for rule in rules.iter_mut() {
            let Some(to) = rule.to else { continue };
            let start = match rule.from {
                None => rule.slots_at(store, &[])?,
                Some(_) => None,
            };
            for arg in 0..rule.head.len() {
                let Rule { head, slots, binds, .. } = rule;
                let made = &mut head[arg];
                let is_fixed = store.literal_value(made.term);
                let new = match (is_fixed, &start, rule.from) {
                    (Some(Value::Int(_) | Value::Bool(_)), _, _) => {
                        made.value(store, slots, &vec![0; slots.len()]).ok().map(|v| [v].into())
                    }
                    (_, Some(values), _) => {
                        made.value(store, slots, values).ok().map(|value| [value].into())
                    }
                    (_, _, Some(from)) => {
                        let slot = slots.iter().position(|&slot| slot == made.term);
                        let arg = slot.and_then(|slot| binds.iter().position(|b| *b == Some(slot)));
                        arg.and_then(|arg| domains[from][arg].clone())
                    }
                    _ => None,
                };
                let domain = &mut domains[to][arg];
                match new {
                    Some(new) => {
                        if let Some(domain) = domain.as_mut() {
                            domain.extend(new);
                        }
                    }
                    None => *domain = None,
                }
            }
        }
        if domains == before {
            return Ok(domains);
        }
    }
}
