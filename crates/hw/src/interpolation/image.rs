//! Interpolants without proofs, by decision diagrams, where a circuit has few latches.
//!
//! What follows on a set of states in one step is itself an interpolant between the step and what is bad soon, the
//! strongest one. As a diagram it is computed by quantification: the relation of a step in parts, and each
//! variable leaves as soon as no part to come mentions it. States that are bad soon are computed backwards, by
//! putting next values for latches. Between the two there is freedom, which makes the diagram small: it must hold
//! of the image, and fail where something is bad soon; elsewhere it is what it likes.
//!
//! Where what is bad soon gets too large, the look ahead is no longer than it was so far, and images are exact from
//! then on: what is bad is then found from the resets or not at all. Where images get too large there is no answer,
//! and none later: then proofs have to do.
//!
//! Burch, Clarke, McMillan, Dill, Hwang, "Symbolic Model Checking: 10^20 States and Beyond" (LICS 1990); parts and
//! their order after Ranjan, Aziz, Brayton, Plessier, Pixley (IWLS 1995); that an interpolant may be anything
//! between image and bad states, after McMillan, "Interpolation and SAT-Based Model Checking" (CAV 2003).

use crate::bdd::walk::inputs_below;
use crate::bdd::{Bdd, Bounded, Halt, Ref, to_edges};
use crate::circuit::resets::resets_read_inputs;
use crate::settings::{
    IMAGE_MAX_GATES, IMAGE_MAX_LATCHES, IMAGE_MAX_NODES, IMAGE_MAX_PART, IMAGE_SHARE, IMAGE_TICKS,
};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::Circuit;
use alphorn_problem::circuit::Lit as Bit;
use alphorn_sat::aig::{Aig, Edge};
use rustc_hash::FxHashMap;
use std::collections::{BTreeSet, VecDeque};

/// What is asked about.
#[derive(Clone, Copy)]
pub(crate) struct Gap<'s> {
    /// The conjuncts of the set before the step.
    pub(crate) first: &'s [Edge],
    /// Conjuncts that are known to hold after it.
    pub(crate) later: &'s [Edge],
    /// How soon something is bad.
    pub(crate) bound: usize,
    /// Whether the image itself is wanted.
    pub(crate) exact: bool,
}

/// What lies between a step from a set and what is bad soon.
pub(crate) enum Between {
    /// States that are bad soon follow on the set.
    Hit,
    /// A set that contains what follows, and nothing that is bad soon.
    Set(Edge),
}

/// A step as diagrams. A latch has two variables, for the state before and the one after, next to each other;
/// inputs come after all latches.
pub(crate) struct Image {
    room: Bounded,
    latches: usize,
    /// The next value of each latch.
    next: Vec<Option<Ref>>,
    bad: Ref,
    allowed: Ref,
    inputs: Vec<usize>,
    /// The relation in parts, each with the variables that leave with it.
    parts: Vec<(Ref, Vec<usize>)>,
    /// The variables that no part mentions.
    first: Vec<usize>,
    /// For each bound from 1 on, what is bad so soon.
    soon: Vec<Ref>,
    /// Whether there is no room to look further ahead.
    is_exact: bool,
    /// The ticks that diagrams took.
    spent: u64,
    /// Sets that are known as diagrams.
    known: FxHashMap<Edge, Ref>,
}

impl Image {
    /// A step of a circuit, unless it is too large for diagrams or ties first states to inputs.
    pub(crate) fn new(circuit: &Circuit, ctx: &mut Ctx<'_>) -> Result<Option<Image>, Stop> {
        let latches = circuit.latches.len();
        if latches > IMAGE_MAX_LATCHES.size()
            || circuit.ands.len() > IMAGE_MAX_GATES.size()
            || resets_read_inputs(circuit)
        {
            return Ok(None);
        }
        let (graph, next, bad, allowed) = step(circuit);
        let order = first_order(&graph, latches, &next, &[bad, allowed]);
        let mut image = Image {
            room: Bounded::new(Bdd::ordered(&order), IMAGE_MAX_NODES.size()),
            latches,
            next: Vec::new(),
            bad: Ref::FALSE,
            allowed: Ref::TRUE,
            inputs: (0..circuit.inputs as usize).map(|index| 2 * latches + index).collect(),
            parts: Vec::new(),
            first: Vec::new(),
            soon: Vec::new(),
            is_exact: false,
            spent: 0,
            known: FxHashMap::default(),
        };
        image.room.bdd.set_left(IMAGE_TICKS.get());
        let is_made = image.build(&graph, &next, bad, allowed, ctx)?.is_some();
        Ok(is_made.then_some(image))
    }

    /// Makes and keeps the diagrams of a step.
    fn build(
        &mut self,
        graph: &Aig,
        next: &[Edge],
        bad: Edge,
        allowed: Edge,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<()>, Stop> {
        let latches = self.latches;
        let variable = |index: u32| match (index as usize) < latches {
            true => 2 * index as usize,
            false => index as usize + latches,
        };
        let mut made = Vec::with_capacity(next.len() + 2);
        for edge in next.iter().chain([&bad, &allowed]) {
            let Some(diagram) = self.room.of_edge(graph, *edge, variable, ctx)? else {
                return Ok(None);
            };
            self.room.keep(diagram);
            made.push(diagram);
        }
        (self.bad, self.allowed) = (made[latches], made[latches + 1]);
        self.next = vec![None; 2 * latches];
        for (index, next) in made[..latches].iter().enumerate() {
            self.next[2 * index] = Some(*next);
        }
        let Some(parts) = self.relation(ctx)? else { return Ok(None) };
        self.schedule(parts);
        Ok(Some(()))
    }

    /// The relation of a step in parts that are not too large, kept.
    fn relation(&mut self, ctx: &mut Ctx<'_>) -> Result<Option<Vec<Ref>>, Stop> {
        let mut parts: Vec<Ref> = Vec::new();
        let order: Vec<usize> = self.room.bdd.order().iter().map(|var| *var as usize).collect();
        for var in order.into_iter().filter(|var| *var < 2 * self.latches && var.is_multiple_of(2))
        {
            let Some(next) = self.next[var] else { continue };
            let one = self.room.make(ctx, |bdd, ctx| {
                let after = bdd.variable(var + 1);
                bdd.hold(after);
                bdd.choose(after, next, !next, ctx)
            })?;
            let Some(one) = one else { return Ok(None) };
            let place = self.room.keep(one);
            let last = parts.last().copied().unwrap_or(Ref::TRUE);
            let both = self.room.make(ctx, |bdd, ctx| bdd.and(last, one, ctx))?;
            match both.filter(|both| self.room.bdd.size(&[*both]) <= IMAGE_MAX_PART.size()) {
                Some(both) if !parts.is_empty() => {
                    self.room.release(place - 1);
                    parts.pop();
                    self.room.keep(both);
                    parts.push(both);
                }
                _ => parts.push(one),
            }
        }
        Ok(Some(parts))
    }

    /// Puts the parts into an order in which few variables are there at a time.
    fn schedule(&mut self, parts: Vec<Ref>) {
        let is_before = |var: &usize| *var >= 2 * self.latches || var.is_multiple_of(2);
        let mut open: Vec<(Ref, BTreeSet<usize>)> = parts
            .into_iter()
            .map(|part| (part, self.room.bdd.support(part).into_iter().collect()))
            .collect();
        let all: BTreeSet<usize> = open.iter().flat_map(|(_, vars)| vars).copied().collect();
        let states = (0..self.latches).map(|index| 2 * index).chain(self.inputs.iter().copied());
        self.first = states.filter(|var| !all.contains(var)).collect();
        let mut seen: BTreeSet<usize> = BTreeSet::new();
        while !open.is_empty() {
            let others = |at: usize| {
                let others = open.iter().enumerate().filter(move |(other, _)| *other != at);
                others.flat_map(|(_, (_, vars))| vars).copied().collect::<BTreeSet<usize>>()
            };
            let gain = |at: usize| {
                let (vars, others) = (&open[at].1, others(at));
                let leaving = vars.iter().filter(|var| is_before(var) && !others.contains(var));
                let new = vars.iter().filter(|var| !is_before(var) && !seen.contains(var));
                2 * leaving.count() as i64 - new.count() as i64
            };
            let best = (0..open.len()).max_by_key(|at| (gain(*at), std::cmp::Reverse(*at)));
            let best = best.unwrap_or(0);
            let others = others(best);
            let (part, vars) = open.remove(best);
            let leaving = vars.iter().filter(|var| is_before(var) && !others.contains(var));
            self.parts.push((part, leaving.copied().collect()));
            seen.extend(vars);
        }
    }

    /// Forgets the sets of a graph, which is to be another one.
    pub(crate) fn forget(&mut self) {
        self.known.clear();
    }

    /// Whether what is bad so soon is known.
    pub(crate) fn sees(&self, bound: usize) -> bool {
        bound <= self.soon.len()
    }

    /// A set between a step from the first conjuncts and what is bad within the bound, or as soon as can be
    /// seen, in the later ones; none if diagrams get too large.
    pub(crate) fn between(
        &mut self,
        sets: &mut Aig,
        gap: Gap<'_>,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Between>, Stop> {
        let others = ctx.ticks_used().saturating_sub(self.spent);
        let allowed = IMAGE_TICKS.get().saturating_add(others / IMAGE_SHARE.get());
        let allowance = allowed.saturating_sub(self.spent);
        let before = ctx.ticks_used();
        self.room.bdd.set_left(allowance / 4);
        self.look_ahead(gap.bound, ctx)?;
        self.room.bdd.set_left(allowance - (ctx.ticks_used() - before).min(allowance));
        let found = self.find(sets, gap, ctx);
        self.spent += ctx.ticks_used() - before;
        found
    }

    /// The same, without a look further ahead.
    fn find(
        &mut self,
        sets: &mut Aig,
        gap: Gap<'_>,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Between>, Stop> {
        if self.soon.is_empty() {
            return Ok(None);
        }
        for edge in gap.first.iter().chain(gap.later) {
            if !self.known.contains_key(edge) {
                let made = self.room.of_edge(sets, *edge, |latch| 2 * latch as usize, ctx)?;
                let Some(made) = made else { return Ok(None) };
                self.room.keep(made);
                self.known.insert(*edge, made);
            }
        }
        let mark = self.room.mark();
        let found = self.squeezed(gap, ctx)?;
        self.room.release(mark);
        Ok(found.map(|found| match found {
            None => Between::Hit,
            Some(found) => {
                let set = to_edges(&self.room.bdd, &[found], sets, |var| var as u32 / 2)[0];
                self.known.entry(set).or_insert_with(|| {
                    self.room.keep(found);
                    found
                });
                Between::Set(set)
            }
        }))
    }

    /// The image of a set that is not hit, made small within what is allowed; nothing inside if it is hit.
    /// What is made on the way is kept.
    fn squeezed(&mut self, gap: Gap<'_>, ctx: &mut Ctx<'_>) -> Result<Option<Option<Ref>>, Stop> {
        let mut from = self.allowed;
        for edge in gap.first {
            let set = self.known[edge];
            let Some(both) = self.make(ctx, |bdd, ctx| bdd.and(from, set, ctx))? else {
                return Ok(None);
            };
            from = both;
        }
        let Some(image) = self.image(from, ctx)? else { return Ok(None) };
        let mut excluded = self.soon[gap.bound.min(self.soon.len()) - 1];
        for edge in gap.later {
            let set = self.known[edge];
            let Some(both) = self.make(ctx, |bdd, ctx| bdd.and(excluded, set, ctx))? else {
                return Ok(None);
            };
            excluded = both;
        }
        let Some(hit) = self.make(ctx, |bdd, ctx| bdd.and(image, excluded, ctx))? else {
            return Ok(None);
        };
        if hit != Ref::FALSE {
            return Ok(Some(None));
        }
        if gap.exact || self.is_exact {
            return Ok(Some(Some(image)));
        }
        let squeezed = self.make(ctx, |bdd, ctx| {
            let care = bdd.or(image, excluded, ctx)?;
            bdd.hold(care);
            bdd.restrict(image, care, ctx)
        })?;
        Ok(squeezed.map(Some))
    }

    /// What follows in one step on states and inputs that are allowed.
    fn image(&mut self, from: Ref, ctx: &mut Ctx<'_>) -> Result<Option<Ref>, Stop> {
        let first = self.first.clone();
        let made = self.make(ctx, |bdd, ctx| {
            let cube = bdd.cube(&first);
            bdd.hold(cube);
            bdd.exists(from, cube, ctx)
        })?;
        let Some(mut image) = made else { return Ok(None) };
        for at in 0..self.parts.len() {
            let (part, leaving) = self.parts[at].clone();
            let made = self.make(ctx, |bdd, ctx| {
                let cube = bdd.cube(&leaving);
                bdd.hold(cube);
                bdd.and_exists(image, part, cube, ctx)
            })?;
            let Some(made) = made else { return Ok(None) };
            image = made;
        }
        let latches = self.latches;
        self.make(ctx, |bdd, ctx| {
            let mut by = vec![None; 2 * latches];
            for latch in 0..latches {
                let variable = bdd.variable(2 * latch);
                bdd.hold(variable);
                by[2 * latch + 1] = Some(variable);
            }
            bdd.replace(image, &by, ctx)
        })
    }

    /// Computes what is bad within the bound, as far as there is room.
    fn look_ahead(&mut self, bound: usize, ctx: &mut Ctx<'_>) -> Result<(), Stop> {
        while self.soon.len() < bound && !self.is_exact {
            // Images are worth more.
            self.room.set_most(IMAGE_MAX_NODES.size() / 4);
            let mark = self.room.mark();
            let soon = self.sooner(ctx);
            self.room.release(mark);
            self.room.set_most(IMAGE_MAX_NODES.size());
            match soon? {
                Some(soon) => {
                    self.room.keep(soon);
                    self.soon.push(soon);
                }
                None => self.is_exact = true,
            }
        }
        Ok(())
    }

    /// What is bad in one step more than is known.
    fn sooner(&mut self, ctx: &mut Ctx<'_>) -> Result<Option<Ref>, Stop> {
        let (bad, allowed) = (self.bad, self.allowed);
        let (next, inputs) = (self.next.clone(), self.inputs.clone());
        let before = self.soon.last().copied();
        let later = match before {
            None => Some(bad),
            Some(before) => self.make(ctx, |bdd, ctx| bdd.replace(before, &next, ctx))?,
        };
        let Some(later) = later else { return Ok(None) };
        self.make(ctx, |bdd, ctx| {
            let cube = bdd.cube(&inputs);
            bdd.hold(cube);
            let soon = bdd.and_exists(later, allowed, cube, ctx)?;
            bdd.hold(soon);
            bdd.or(soon, before.unwrap_or(Ref::FALSE), ctx)
        })
    }

    /// Does an operation and keeps what it makes.
    fn make(
        &mut self,
        ctx: &mut Ctx<'_>,
        work: impl FnMut(&mut Bdd, &mut Ctx<'_>) -> Result<Ref, Halt>,
    ) -> Result<Option<Ref>, Stop> {
        let made = self.room.make(ctx, work)?;
        if let Some(made) = made {
            self.room.keep(made);
        }
        Ok(made)
    }
}

/// The functions of a step, as a graph over latches and then inputs: next values, what is bad, what is allowed.
fn step(circuit: &Circuit) -> (Aig, Vec<Edge>, Edge, Edge) {
    let mut aig = Aig::new();
    let latches: Vec<Edge> = circuit.latches.iter().map(|_| aig.add_input()).collect();
    let mut edges = vec![Edge::FALSE];
    edges.extend((0..circuit.inputs).map(|_| aig.add_input()));
    edges.extend(latches);
    let edge = |edges: &[Edge], bit: Bit| edges[bit.var() as usize].xor(bit.is_negated());
    for gate in &circuit.ands {
        let gate = aig.and(edge(&edges, gate.left), edge(&edges, gate.right));
        edges.push(gate);
    }
    let next = circuit.latches.iter().map(|latch| edge(&edges, latch.next)).collect();
    let allowed = aig.and_n(circuit.constraints.iter().map(|bit| edge(&edges, *bit)));
    (aig, next, edge(&edges, circuit.safety()[0]), allowed)
}

/// The variables in the order in which a walk from what is bad through next values meets them.
fn first_order(aig: &Aig, latches: usize, next: &[Edge], roots: &[Edge]) -> Vec<u32> {
    let mut seen = vec![false; aig.len() as usize];
    let mut order = Vec::new();
    let mut waiting = VecDeque::from(roots.to_vec());
    waiting.extend(next);
    while let Some(root) = waiting.pop_front() {
        for index in inputs_below(aig, root, &mut seen) {
            match next.get(index as usize) {
                Some(next) => {
                    order.extend([2 * index, 2 * index + 1]);
                    waiting.push_front(*next);
                }
                None => order.push(index + latches as u32),
            }
        }
    }
    let mut is_met = vec![false; latches + aig.inputs() as usize];
    order.iter().for_each(|var| is_met[*var as usize] = true);
    order.extend((0..is_met.len() as u32).filter(|var| !is_met[*var as usize]));
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use alphorn_engine::Stopper;
    use alphorn_sat::aig::COUNTING;
    use alphorn_testkit::Rng;
    use alphorn_testkit::circuit::random::random_circuit;

    /// The successors of a set of states, and the states that are bad within so many steps, by simulation, as bits.
    fn brute(circuit: &Circuit, from: u64, bound: usize) -> (u64, u64) {
        let (latches, inputs) = (circuit.latches.len(), circuit.inputs as usize);
        let mut steps = Vec::new();
        for state in 0..1u64 << latches {
            for values in 0..1u64 << inputs {
                let mut simulation = crate::circuit::Simulation::new(circuit);
                (0..latches).for_each(|at| simulation.set_latch(at, state >> at & 1));
                (0..inputs).for_each(|at| simulation.set_input(at, values >> at & 1));
                simulation.settle();
                if simulation.allowed() & 1 == 0 {
                    continue;
                }
                let is_bad = simulation.value(circuit.safety()[0]) & 1 == 1;
                simulation.advance();
                let words = simulation.latches();
                let after = (0..latches).map(|at| (words[at] & 1) << at).sum::<u64>();
                steps.push((state, after, is_bad));
            }
        }
        let leading = |to: u64| {
            let leads = steps.iter().filter(|(_, after, is_bad)| *is_bad || to >> after & 1 == 1);
            leads.fold(0, |set, (state, _, _)| set | 1 << state)
        };
        let image = steps.iter().filter(|(state, _, _)| from >> state & 1 == 1);
        let image = image.fold(0, |set, (_, after, _)| set | 1 << after);
        (image, (0..bound).fold(0, |soon, _| leading(soon)))
    }

    #[test]
    fn what_is_found_lies_between_the_image_and_what_is_bad_soon() {
        let mut random = Rng::new(7);
        let mut sink = |_| {};
        let mut ctx = Ctx::new(u64::MAX, Stopper::new(), 0, &mut sink);
        let (mut hits, mut found) = (0, 0);
        for _ in 0..300 {
            let circuit = random_circuit(&mut random);
            if circuit.latches.len() > 6 || circuit.latches.is_empty() {
                continue;
            }
            let Some(mut image) = Image::new(&circuit, &mut ctx).expect("no budget") else {
                continue;
            };
            let mut sets = Aig::new();
            let latches: Vec<Edge> = circuit.latches.iter().map(|_| sets.add_input()).collect();
            let mut pick = |sets: &mut Aig| {
                let mut some = || latches[random.below(latches.len())].xor(random.below(2) == 0);
                let (first, second) = (some(), some());
                sets.or(first, second)
            };
            let (first, later) = (pick(&mut sets), pick(&mut sets));
            let states = u64::MAX >> (64 - (1u32 << latches.len()));
            for bound in 1..4 {
                let values = sets.simulate(&COUNTING[..latches.len()]);
                let (from, within) = (values.value(first) & states, values.value(later) & states);
                let (after, soon) = brute(&circuit, from, bound);
                let exact = bound == 2;
                let gap = Gap { first: &[first], later: &[later], bound, exact };
                let between = image.between(&mut sets, gap, &mut ctx);
                match between.expect("no budget").expect("there is room") {
                    Between::Hit => {
                        hits += 1;
                        assert_ne!(after & within & soon, 0);
                    }
                    Between::Set(set) => {
                        found += 1;
                        let set = sets.simulate(&COUNTING[..latches.len()]).value(set) & states;
                        assert_eq!(after & !set, 0, "it contains the image");
                        assert!(!exact || set == after, "it is the image");
                        assert_eq!(set & within & soon, 0, "it excludes what is bad soon");
                    }
                }
            }
        }
        assert!(hits > 50 && found > 50, "{hits} and {found}");
    }
}
