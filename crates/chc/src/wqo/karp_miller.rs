//! Forward search in monotone systems of counters, with counters that grow for ever left without a bound.
//!
//! A tree of configurations whose counters may be ω. Where a configuration is larger than one on the way to it, and what
//! it has more comes again each time the way between them is taken, that much has no bound \[KM69\]. Nothing is
//! followed that another configuration of the tree covers. If the tree is finite, what it covers is an invariant: a
//! list of boxes. A target that it covers has a run, which is found backwards from the target: ways that were
//! taken any number of times are taken as often as needed.
//!
//! For plain nets the tree is finite; with transfers and resets it need not be, and the search ends with its budget.

use super::antichain::is_at_most;
use super::backward::before;
use super::evidence::{Path, derivation};
use super::net::{Net, Transition, Vector};
use crate::settings::{KARP_MILLER_MAX_LISTED, KARP_MILLER_MAX_STEPS};
use alphorn_engine::{Card, Ctx, Engine, Stop};
use alphorn_horn::readable::Names;
use alphorn_problem::evidence::horn::{Definition, HornClaim};
use alphorn_problem::{Finding, Horn};
use alphorn_term::{Int, TermId};
use std::collections::VecDeque;

/// Registry entry.
pub const CARD: Card<Horn> = Card {
    name: "karp-miller",
    about: "monotone systems of counters, forward, with counters that grow left without a bound [KM69]",
    proves: true,
    refutes: true,
    build: || Box::new(KarpMiller),
};

/// A counter without a bound. No counter that is counted gets as large.
const OMEGA: u64 = u64::MAX;

struct KarpMiller;

impl Engine<Horn> for KarpMiller {
    fn run(&mut self, horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Finding<Horn>, Stop> {
        let net = Net::of(horn, ctx)?;
        let mut tree =
            Tree { net: &net, nodes: Vec::new(), at: vec![Vec::new(); horn.preds.len()] };
        match tree.grow(ctx)? {
            Some((node, target)) => {
                let path = tree.path(node, target, ctx)?;
                Ok(Finding::Fails(derivation(horn, &net, &path, ctx)?))
            }
            None => Ok(Finding::Holds(tree.claim(horn, ctx)?)),
        }
    }
}

/// A configuration of the tree, of which counters may be without a bound.
struct Node {
    location: usize,
    marking: Vector,
    /// The node before and the transition from there; none where runs begin.
    parent: Option<(usize, usize)>,
    start: usize,
    /// What was given up: the marking before, and the node from which the way was taken again and again.
    pumps: Vec<(Vector, usize)>,
    is_maximal: bool,
}

struct Tree<'n> {
    net: &'n Net,
    nodes: Vec<Node>,
    /// The nodes by location.
    at: Vec<Vec<usize>>,
}

impl Tree<'_> {
    /// Grows the tree until nothing is new, or a target is covered.
    fn grow(&mut self, ctx: &mut Ctx<'_>) -> Result<Option<(usize, usize)>, Stop> {
        let mut open = VecDeque::new();
        for (start, data) in self.net.starts.iter().enumerate() {
            let marking = data.most.iter().map(|most| most.unwrap_or(OMEGA)).collect();
            let node = self.add(data.location, marking, None, start, Vec::new(), ctx)?;
            open.extend(node);
        }
        let mut out = vec![Vec::new(); self.at.len()];
        for (at, transition) in self.net.transitions.iter().enumerate() {
            out[transition.from].push(at);
        }
        while let Some(node) = open.pop_front() {
            if let Some(target) = self.covered_target(node) {
                return Ok(Some((node, target)));
            }
            if !self.nodes[node].is_maximal {
                continue;
            }
            for &transition in &out[self.nodes[node].location] {
                let rule = &self.net.transitions[transition];
                ctx.tick(1 + rule.sums.len() as u64 / 32)?;
                let Some(mut marking) = fire(rule, &self.nodes[node].marking)? else { continue };
                let pumps = self.pump(node, transition, &mut marking, ctx)?;
                let (parent, start) = (Some((node, transition)), self.nodes[node].start);
                open.extend(self.add(rule.to, marking, parent, start, pumps, ctx)?);
            }
        }
        Ok(None)
    }

    fn covered_target(&self, node: usize) -> Option<usize> {
        let Node { location, marking, .. } = &self.nodes[node];
        let mut targets = self.net.targets.iter();
        targets
            .position(|target| target.location == *location && is_at_most(&target.least, marking))
    }

    /// Puts a configuration in that nothing covers.
    fn add(
        &mut self,
        location: usize,
        marking: Vector,
        parent: Option<(usize, usize)>,
        start: usize,
        pumps: Vec<(Vector, usize)>,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<usize>, Stop> {
        let known = &self.at[location];
        ctx.tick(1 + known.len() as u64 / 8)?;
        if known.iter().any(|&node| is_at_most(&marking, &self.nodes[node].marking)) {
            return Ok(None);
        }
        // What is covered now needs no steps of its own, if it has none yet.
        for &node in known {
            if is_at_most(&self.nodes[node].marking, &marking) {
                self.nodes[node].is_maximal = false;
            }
        }
        let nodes = &self.nodes;
        let id = nodes.len();
        self.at[location].retain(|&node| nodes[node].is_maximal);
        self.at[location].push(id);
        self.nodes.push(Node { location, marking, parent, start, pumps, is_maximal: true });
        Ok(Some(id))
    }

    /// Gives up the bounds of counters that a way from an earlier node makes larger each time.
    fn pump(
        &self,
        node: usize,
        transition: usize,
        marking: &mut Vector,
        ctx: &mut Ctx<'_>,
    ) -> Result<Vec<(Vector, usize)>, Stop> {
        let location = self.net.transitions[transition].to;
        let mut pumps = Vec::new();
        let mut way = vec![transition];
        let mut at = Some(node);
        while let Some(ancestor) = at {
            ctx.tick(1)?;
            let earlier = &self.nodes[ancestor];
            if earlier.location == location
                && earlier.marking != *marking
                && is_at_most(&earlier.marking, marking)
            {
                ctx.tick(way.len() as u64)?;
                let again = self.along(&way, marking)?;
                let mut larger = marking.clone();
                for (counter, value) in larger.iter_mut().enumerate() {
                    let before = earlier.marking[counter];
                    let grows = *value != OMEGA && *value > before;
                    if grows
                        && (again[counter] == OMEGA || again[counter] - *value >= *value - before)
                    {
                        *value = OMEGA;
                    }
                }
                // Only if all that is more comes again is it certain that it does so always.
                let all = earlier.marking.iter().zip(&*larger).all(|(a, b)| a == b || *b == OMEGA);
                if all && larger != *marking {
                    pumps.push((std::mem::replace(marking, larger), ancestor));
                }
            }
            at = earlier.parent.map(|(parent, transition)| {
                way.push(transition);
                parent
            });
        }
        Ok(pumps)
    }

    /// Where a way leads, given backwards.
    fn along(&self, way: &[usize], from: &Vector) -> Result<Vector, Stop> {
        let mut marking = from.clone();
        for &transition in way.iter().rev() {
            let rule = &self.net.transitions[transition];
            marking = fire(rule, &marking)?
                .expect("what a configuration can do, a larger one can do as well");
        }
        Ok(marking)
    }

    /// The run to a target that a node covers.
    fn path(&self, node: usize, target: usize, ctx: &mut Ctx<'_>) -> Result<Path, Stop> {
        let mut wanted = self.net.targets[target].least.clone();
        let (mut at, mut transitions) = (node, Vec::new());
        loop {
            let Node { parent, pumps, .. } = &self.nodes[at];
            for (marking, ancestor) in pumps.iter().rev() {
                let way = self.way(at, *ancestor);
                while !is_at_most(&wanted, marking) {
                    for &transition in &way {
                        ctx.tick(1 + wanted.len() as u64 / 32)?;
                        if transitions.len() as u64 >= KARP_MILLER_MAX_STEPS.get() {
                            return Err(Stop::Stuck(
                                "the run to a violation is too long".to_owned(),
                            ));
                        }
                        wanted = self.back(transition, &wanted, None, ctx)?;
                        transitions.push(transition);
                    }
                }
            }
            let Some((before, transition)) = *parent else { break };
            wanted = self.back(transition, &wanted, Some(&self.nodes[before].marking), ctx)?;
            transitions.push(transition);
            at = before;
        }
        transitions.reverse();
        Ok(Path { start: self.nodes[at].start, least: wanted, transitions, target })
    }

    /// The transitions from a node up to an earlier one, the last first.
    fn way(&self, node: usize, ancestor: usize) -> Vec<usize> {
        let mut way = Vec::new();
        let mut at = node;
        while let Some((parent, transition)) = self.nodes[at].parent {
            way.push(transition);
            at = parent;
            if at == ancestor {
                break;
            }
        }
        way
    }

    /// What is needed before a transition, so that there is enough after it; below a marking, if there is one.
    fn back(
        &self,
        transition: usize,
        wanted: &[u64],
        below: Option<&Vector>,
        ctx: &mut Ctx<'_>,
    ) -> Result<Vector, Stop> {
        let ways = before(&self.net.transitions[transition], wanted, ctx)?;
        let fits = |way: &Vector| below.is_none_or(|below| is_at_most(way, below));
        let lost = || Stop::Stuck("the run to a violation was lost among transfers".to_owned());
        ways.into_iter().find(fits).ok_or_else(lost)
    }

    /// What the tree covers, as a model.
    fn claim(&self, horn: &Horn, ctx: &mut Ctx<'_>) -> Result<HornClaim, Stop> {
        let (names, mut terms) = (Names::of(horn), horn.terms.clone());
        let mut preds = Vec::with_capacity(horn.preds.len());
        let listed: usize = self.at.iter().map(Vec::len).sum();
        if listed as u64 > KARP_MILLER_MAX_LISTED.get() {
            let why = format!("{listed} boxes are too many for a model");
            return Err(Stop::Stuck(why));
        }
        for pred in horn.pred_ids() {
            let params = names.parameters(&mut terms, pred);
            let zero = terms.int(0);
            let natural: Vec<TermId> = params.iter().map(|&param| terms.ge(param, zero)).collect();
            let mut boxes = Vec::new();
            for &node in &self.at[pred.index()] {
                ctx.tick(1 + params.len() as u64)?;
                let mut bounds = Vec::new();
                for (&param, &value) in params.iter().zip(&self.nodes[node].marking) {
                    if value != OMEGA {
                        let value = terms.int(Int::from(value as i128));
                        bounds.push(terms.le(param, value));
                    }
                }
                boxes.push(terms.and(&bounds));
            }
            let some = terms.or(&boxes);
            let all: Vec<TermId> = natural.into_iter().chain([some]).collect();
            let body = terms.and(&all);
            preds.push(Definition { params, body });
        }
        Ok(HornClaim::of(terms, preds))
    }
}

/// The marking after a transition; none if it cannot be taken.
fn fire(rule: &Transition, marking: &[u64]) -> Result<Option<Vector>, Stop> {
    if !is_at_most(&rule.guard, marking) {
        return Ok(None);
    }
    let mut after = Vec::with_capacity(rule.sums.len());
    for sum in &rule.sums {
        let mut total = i128::from(sum.constant);
        let mut is_unbounded = false;
        for &(counter, factor) in &sum.parts {
            match marking[counter] {
                OMEGA => is_unbounded = true,
                value => total = total.saturating_add(i128::from(value) * i128::from(factor)),
            }
        }
        let value = u64::try_from(total).ok().filter(|&value| value < OMEGA);
        after.push(match (is_unbounded, value) {
            (true, _) => OMEGA,
            (false, Some(value)) => value,
            (false, None) => return Err(Stop::Stuck("a counter gets too large".to_owned())),
        });
    }
    Ok(Some(after.into()))
}
