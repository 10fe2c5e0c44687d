//! Forward search: states are a predicate, discrete values and a zone, and a zone that another one includes is
//! not followed.
//!
//! Zones are widened by what clocks are still compared with (Extra⁺LU, Behrmann, Bouyer, Larsen, Pelánek \[BBLP06\]), before they are
//! compared, so that the zones that are kept include all that follows from them: they are a model. Rules that change
//! nothing but the time, and only add to a zone, are applied at once.

use super::dbm::{Dbm, FREE, LEVEL, bound, parts};
use super::reach::{Reach, Span, loose};
use super::rule::{Layout, Rule, Values};
use alphorn_engine::{Ctx, Event, Stop};
use alphorn_term::Store;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// A state, and the rules that led to it from another.
pub(super) struct Node {
    pub pred: usize,
    pub values: Values,
    pub zone: Dbm,
    /// The state before; none for a start.
    pub before: Option<usize>,
    /// What was used since then, in turn.
    pub by: Vec<usize>,
    /// Whether no other zone includes this one.
    pub is_live: bool,
}

pub(super) struct Search<'s> {
    pub layouts: &'s [Layout],
    pub rules: Vec<Rule>,
    pub store: Store,
    pub reach: Reach,
    pub nodes: Vec<Node>,
    seen: FxHashMap<(usize, Values), Vec<usize>>,
    open: VecDeque<usize>,
    /// The rules from each predicate, and those of them that let time pass.
    from: Vec<Vec<usize>>,
    delays: Vec<Vec<usize>>,
    /// Whether a rule compares a real with a number.
    has_absolute: bool,
}

/// A way to a violation: a state, and a query.
pub(super) type Violation = (usize, usize);

impl<'s> Search<'s> {
    pub fn new(layouts: &'s [Layout], rules: Vec<Rule>, store: Store, reach: Reach) -> Search<'s> {
        let mut from = vec![Vec::new(); layouts.len()];
        let mut delays = vec![Vec::new(); layouts.len()];
        for (at, rule) in rules.iter().enumerate() {
            let Some(pred) = rule.from else { continue };
            if is_delay(rule, reach.now[pred]) {
                delays[pred].push(at);
            }
            // A zone that was widened need not have all that time makes of it, so these are tried as well.
            from[pred].push(at);
        }
        let is_absolute = |rule: &Rule| {
            let timed = (0..rule.conditions.len()).filter(|&at| rule.conditions[at].is_timed);
            let mut bounds = timed.flat_map(|at| loose(rule, &store, at)).chain(rule.ties.clone());
            bounds.any(|apart| apart.left == 0 || apart.right == 0)
                || rule.gathers[1..].iter().any(|&(real, _)| real == 0)
        };
        let has_absolute = rules.iter().any(|rule| rule.from.is_some() && is_absolute(rule));
        let (nodes, seen, open) = (Vec::new(), FxHashMap::default(), VecDeque::new());
        Search { layouts, rules, store, reach, nodes, seen, open, from, delays, has_absolute }
    }

    /// Searches until nothing is new, or a query can be used.
    pub fn run(&mut self, ctx: &mut Ctx<'_>) -> Result<Option<Violation>, Stop> {
        for rule in 0..self.rules.len() {
            if self.rules[rule].from.is_none() {
                if self.rules[rule].to.is_none() {
                    return Err(Stop::Unsupported("a query without an atom".to_owned()));
                }
                self.step(None, rule, ctx)?;
            }
        }
        let mut told = 0;
        while let Some(id) = self.open.pop_front() {
            if !self.nodes[id].is_live {
                continue;
            }
            if self.nodes.len() >= told + 5000 {
                told = self.nodes.len();
                ctx.emit(Event::Remark(format!("{told} zones")));
            }
            let pred = self.nodes[id].pred;
            for at in 0..self.from[pred].len() {
                let rule = self.from[pred][at];
                if self.step(Some(id), rule, ctx)? {
                    return Ok(Some((id, rule)));
                }
                if !self.nodes[id].is_live {
                    break;
                }
            }
        }
        Ok(None)
    }

    /// What a rule makes of a state; for a query whether it can be used.
    fn step(&mut self, id: Option<usize>, rule: usize, ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
        let (state, zone) = match id {
            Some(id) => (self.nodes[id].values.clone(), self.nodes[id].zone.clone()),
            None => (Values::default(), Dbm::free(1)),
        };
        let found = self.post(rule, &state, &zone, ctx)?;
        let Some(pred) = self.rules[rule].to else { return Ok(!found.is_empty()) };
        for (values, zone) in found {
            let (mut zone, mut by) = (zone, vec![rule]);
            for at in 0..self.delays[pred].len() {
                let delay = self.delays[pred][at];
                for (_, later) in self.post(delay, &values, &zone, ctx)? {
                    if later.includes(&zone) {
                        zone = later;
                        by.push(delay);
                    }
                }
            }
            let spans = self.reach.spans(pred, &values);
            widen(&mut zone, self.reach.now[pred], &spans);
            self.insert(Node { pred, values, zone, before: id, by, is_live: true }, ctx)?;
        }
        Ok(false)
    }

    /// The states that a rule leads to.
    fn post(
        &mut self,
        at: usize,
        state: &[i64],
        zone: &Dbm,
        ctx: &mut Ctx<'_>,
    ) -> Result<Vec<(Values, Dbm)>, Stop> {
        ctx.tick(1)?;
        let Search { rules, store, .. } = self;
        let rule = &mut rules[at];
        let Some(values) = rule.slots_at(store, state)? else { return Ok(Vec::new()) };
        let mut all = Vec::with_capacity(rule.conditions.len());
        for condition in 0..rule.conditions.len() {
            let cases = rule.cases(store, condition, &values)?;
            if cases.is_empty() {
                return Ok(Vec::new());
            }
            all.push(cases);
        }
        ctx.tick(1 + zone.size() as u64 / 4)?;
        let mut zones = vec![if rule.extra > 0 { zone.extended(rule.extra) } else { zone.clone() }];
        zones.retain_mut(|zone| rule.ties.iter().all(|&tie| zone.add(tie)));
        for cases in all {
            let mut next = Vec::new();
            for zone in zones {
                for case in &cases[1..] {
                    let mut other = zone.clone();
                    if case.iter().all(|&apart| other.add(apart)) {
                        next.push(other);
                    }
                }
                let mut zone = zone;
                if cases[0].iter().all(|&apart| zone.add(apart)) {
                    next.push(zone);
                }
            }
            zones = next;
        }
        if zones.is_empty() || rule.to.is_none() {
            return Ok(zones.into_iter().map(|zone| (Values::default(), zone)).collect());
        }
        let mut after = Vec::with_capacity(rule.head.len());
        for made in &mut rule.head {
            after.push(made.value(store, &rule.slots, &values)?);
        }
        let after: Values = after.into();
        let mut found = Vec::new();
        for zone in zones {
            let mut zone = zone.gathered(&rule.gathers);
            if rule.from.is_none() && !self.has_absolute {
                forget_origin(&mut zone);
            }
            found.push((after.clone(), zone));
        }
        Ok(found)
    }

    fn insert(&mut self, node: Node, ctx: &mut Ctx<'_>) -> Result<(), Stop> {
        let key = (node.pred, node.values.clone());
        let known = self.seen.entry(key).or_default();
        ctx.tick(1 + known.len() as u64)?;
        if known.iter().any(|&other| self.nodes[other].zone.includes(&node.zone)) {
            return Ok(());
        }
        known.retain(|&other| {
            let other = &mut self.nodes[other];
            other.is_live = !node.zone.includes(&other.zone);
            other.is_live
        });
        known.push(self.nodes.len());
        self.open.push_back(self.nodes.len());
        self.nodes.push(node);
        Ok(())
    }
}

/// Whether a rule changes nothing but the present time.
fn is_delay(rule: &Rule, now: usize) -> bool {
    let keeps = |(at, made): (usize, &super::rule::Made)| {
        rule.binds[at].is_some_and(|slot| rule.slots[slot] == made.term)
    };
    let stays =
        |(at, &(real, shift)): (usize, &(usize, i64))| at == now || real == at && shift == 0;
    rule.from == rule.to
        && rule.head.iter().enumerate().all(keeps)
        && rule.gathers.iter().enumerate().all(stays)
}

/// Forgets how reals relate to the constant 0, which no rule asks about.
fn forget_origin(zone: &mut Dbm) {
    for at in 1..zone.size() {
        zone.set(0, at, FREE);
        zone.set(at, 0, FREE);
    }
}

/// Widens a zone by bounds beyond which clocks are not told apart.
fn widen(zone: &mut Dbm, now: usize, spans: &[Span]) {
    if now == 0 {
        return;
    }
    // A clock is the time less its reset, so that clocks compare in the other direction.
    let value_above = |zone: &Dbm, clock: usize| zone.get(now, clock);
    let least = |zone: &Dbm, clock: usize| parts(zone.get(clock, now)).0.saturating_neg();
    let old = zone.clone();
    let size = zone.size();
    let is_beyond = |value: i64, limit: Option<i64>| limit.is_none_or(|limit| value > limit);
    for (one, &Span { lower, upper }) in spans.iter().enumerate().skip(1) {
        if one == now {
            continue;
        }
        let floor = match old.get(one, now) {
            FREE => i64::MIN,
            _ => least(&old, one),
        };
        // How far the clock may be above the time's and other clocks' values.
        let is_high = floor != i64::MIN && is_beyond(floor, lower);
        for other in 1..size {
            if other == one {
                continue;
            }
            let above = if other == now { value_above(&old, one) } else { old.get(other, one) };
            if is_high || above != FREE && is_beyond(parts(above).0, lower) {
                zone.set(other, one, FREE);
            }
        }
        // How far others may be above the clock.
        if floor != i64::MIN && is_beyond(floor, upper) {
            for other in 1..size {
                if other != one && other != now {
                    zone.set(one, other, FREE);
                }
            }
            zone.set(one, now, upper.map_or(LEVEL, |upper| bound(-upper, true)));
        }
    }
    let is_full = zone.close();
    debug_assert!(is_full, "a wider zone is not empty");
}
