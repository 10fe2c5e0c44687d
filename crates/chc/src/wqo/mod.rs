//! Backward search in well-structured systems: what can come to a violation, as an upward-closed set.
//!
//! In a monotone system of counters (`net`) the configurations that can reach an upward-closed set are one, too, and
//! have finitely many least elements (Dickson). These are found one step back after the other, until
//! nothing is new \[ACJT96\]. If no start is among them, the complement is an invariant: for each least element, some
//! counter is smaller. Configurations that an invariant found beforehand excludes (`sums`) are not followed, and the
//! invariant becomes part of the model.
//!
//! Invariant: what is in the set can reach a violation by the transition noted with it, from any larger configuration
//! as well; so a start in the set is the first step of a derivation, made by firing what is noted.

mod antichain;
mod backward;
mod evidence;
pub mod iic;
pub mod karp_miller;
mod net;
mod sums;

#[cfg(test)]
mod tests;

use alphorn_engine::{Card, Ctx, Engine, Stop};
use alphorn_problem::{Finding, Horn};
use antichain::{Antichain, Element, ElementId};
use evidence::Path;
use net::{Net, Vector};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use sums::Search;

/// Registry entry.
pub const CARD: Card<Horn> = Card {
    name: "wqo",
    about: "monotone systems of counters, backward by least elements that no sum excludes [ACJT96, ELMMN14]",
    proves: true,
    refutes: true,
    build: || Box::new(Wqo),
};

/// How many clauses are looked at before a system is taken for one of counters.
const MAX_LOOKED_AT: usize = 200;

/// Whether a system begins as a monotone one of counters; engines look at all of it.
pub fn is_counting(horn: &Horn) -> bool {
    Net::begins(horn, MAX_LOOKED_AT)
}

struct Wqo;

impl Engine<Horn> for Wqo {
    fn run(&mut self, horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Finding<Horn>, Stop> {
        let net = Net::of(horn, ctx)?;
        let mut search = Backward::new(horn, &net);
        match search.run(ctx)? {
            Some((start, element)) => {
                let path = search.path(start, element);
                Ok(Finding::Fails(evidence::derivation(horn, &net, &path, ctx)?))
            }
            None => {
                let Backward { set, marked, sums, .. } = &search;
                let excluded = evidence::Excluded { set, marked, sums };
                Ok(Finding::Holds(evidence::claim(horn, &excluded, ctx)?))
            }
        }
    }
}

/// The state of a search.
struct Backward<'n> {
    net: &'n Net,
    set: Antichain,
    /// Which counters can be more than 0, by location.
    marked: Vec<Option<Vec<bool>>>,
    sums: Search,
    /// The transitions into each location.
    into: Vec<Vec<usize>>,
    /// What is to be followed, small configurations first: they stand for more, so that fewer are needed.
    open: BinaryHeap<Reverse<(u64, ElementId)>>,
}

impl<'n> Backward<'n> {
    fn new(horn: &Horn, net: &'n Net) -> Backward<'n> {
        let locations = horn.preds.len();
        let width = horn.pred_ids().map(|pred| horn.pred_args(pred).len()).max().unwrap_or(0);
        let mut into = vec![Vec::new(); locations];
        for (at, transition) in net.transitions.iter().enumerate() {
            into[transition.to].push(at);
        }
        Backward {
            net,
            set: Antichain::new(locations),
            marked: sums::marked(net, locations, width),
            sums: Search::new(net, locations, width),
            into,
            open: BinaryHeap::new(),
        }
    }

    /// The way that is noted with an element.
    fn path(&self, start: usize, mut element: ElementId) -> Path {
        let Element { least, target, .. } = &self.set.elements[element];
        let (least, target) = (least.clone(), *target);
        let mut transitions = Vec::new();
        while let Some((transition, next)) = self.set.elements[element].next {
            transitions.push(transition);
            element = next;
        }
        Path { start, least, transitions, target }
    }

    /// Goes back until nothing is new; a start that is in the set, if there is one.
    fn run(&mut self, ctx: &mut Ctx<'_>) -> Result<Option<(usize, ElementId)>, Stop> {
        for (at, target) in self.net.targets.iter().enumerate() {
            if let Some(found) = self.add(target.location, target.least.clone(), None, at, ctx)? {
                return Ok(Some(found));
            }
        }
        while let Some(Reverse((_, id))) = self.open.pop() {
            let element = &self.set.elements[id];
            if !element.is_live {
                continue;
            }
            let (location, wanted, target) =
                (element.location, element.least.clone(), element.target);
            for at in 0..self.into[location].len() {
                let transition = self.into[location][at];
                let rule = &self.net.transitions[transition];
                ctx.tick(1 + wanted.len() as u64 / 32)?;
                for least in backward::before(rule, &wanted, ctx)? {
                    let next = Some((transition, id));
                    if let Some(found) = self.add(rule.from, least, next, target, ctx)? {
                        return Ok(Some(found));
                    }
                }
            }
        }
        Ok(None)
    }

    /// Puts a configuration in, if it is new and nothing excludes it; the start above it, if there is one.
    fn add(
        &mut self,
        location: usize,
        least: Vector,
        next: Option<(usize, ElementId)>,
        target: usize,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<(usize, ElementId)>, Stop> {
        let known = self.set.len_at(location);
        ctx.tick(1 + known as u64 / 16)?;
        let Some(marked) = &self.marked[location] else { return Ok(None) };
        if least.iter().zip(marked).any(|(&value, &can)| value > 0 && !can)
            || self.set.covers(location, &least)
            || self.sums.excludes(location, &least, ctx)?
        {
            return Ok(None);
        }
        let start = self.net.start_above(location, &least);
        let size = least.iter().fold(0, |sum: u64, &value| sum.saturating_add(value));
        let id = self.set.insert(location, least, next, target);
        self.open.push(Reverse((size, id)));
        Ok(start.map(|start| (start, id)))
    }
}
