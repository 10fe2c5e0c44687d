//! Who wins from where, by decision diagrams: states that lose in one step, in two, and so on.
//!
//! A state is in layer k + 1 if the environment has inputs after which, whatever the controller does, an error
//! shows or a state of layer k is reached. Steps are functions, so a layer is put through them by replacing
//! latches by their next values, and no variables for later states are needed. The search ends when a layer has a
//! first state, or is the one before.
//!
//! After Walker, Ryzhyk, "Simple BDD Solver" (SYNTCOMP 2014), and Brenguier, Pérez, Raskin, Sankur, "AbsSynthe:
//! Abstract Synthesis from Succinct Safety Specifications" (SYNT 2014), without their abstraction.

use super::arena::Arena;
use crate::bdd::{Bdd, Diagram, Place, Ref};
use crate::settings::{GAMES_FIRST_REORDER, GAMES_MAX_NODES};
use alphorn_engine::{Ctx, Event, Stop};
use alphorn_sat::aig::{Aig, Edge, Node};

/// Whether a function of the latches has a first state.
fn has_first(bdd: &Bdd, arena: &Arena, f: Ref) -> bool {
    let mut seen = rustc_hash::FxHashSet::default();
    let mut stack = vec![f];
    while let Some(f) = stack.pop() {
        if f == Ref::TRUE {
            return true;
        }
        let Some((latch, high, low)) = bdd.parts(f).filter(|_| seen.insert(f)) else {
            continue;
        };
        if arena.first[latch] != Some(false) {
            stack.push(high);
        }
        if arena.first[latch] != Some(true) {
            stack.push(low);
        }
    }
    false
}

/// Computes the layers; whether a first state loses.
pub(super) fn layers(arena: &Arena, ctx: &mut Ctx<'_>) -> Result<(Play, bool), Stop> {
    let mut play = Play::new(arena);
    play.build(arena, ctx)?;
    let is_lost = play.run(arena, ctx)?;
    Ok((play, is_lost))
}

/// The diagrams of a game. The first pins are next values, errors and constraints, then what loses; what is needed
/// for the moment comes after them.
pub(super) struct Play {
    pub(super) bdd: Bdd,
    latches: usize,
    /// What loses within so many steps, beginning with none; the manager has the last one only.
    pub(super) layers: Vec<Diagram>,
    others: Vec<usize>,
    controls: Vec<usize>,
}

impl Play {
    fn new(arena: &Arena) -> Play {
        let mut bdd = Bdd::ordered(&first_order(arena));
        bdd.set_room(GAMES_FIRST_REORDER.size(), GAMES_MAX_NODES.size());
        let latches = arena.latches.len();
        for _ in 0..latches + 2 {
            bdd.pin(Ref::TRUE);
        }
        bdd.pin(Ref::FALSE);
        let others = (0..arena.others).map(|at| arena.other(at) as usize).collect();
        let controls = (0..arena.controls).map(|at| arena.control(at) as usize).collect();
        let layers = vec![Diagram::new(&bdd, Ref::FALSE)];
        Play { bdd, latches, layers, others, controls }
    }

    /// What loses.
    pub(super) fn lost(&self) -> Ref {
        self.bdd.pinned(self.latches + 2)
    }

    /// A first state that loses.
    pub(super) fn start(&self, arena: &Arena) -> Vec<bool> {
        let mut state: Vec<bool> = arena.first.iter().map(|first| *first == Some(true)).collect();
        let mut at = self.lost();
        // Some way down that keeps to first values leads to true; values left open may go either way.
        while let Some((latch, high, low)) = self.bdd.parts(at) {
            let value = match arena.first[latch] {
                Some(value) => value,
                None => has_first(&self.bdd, arena, high),
            };
            state[latch] = value;
            at = if value { high } else { low };
        }
        state
    }

    fn next(&self, latch: usize) -> Ref {
        self.bdd.pinned(latch)
    }

    fn bad(&self) -> Ref {
        self.bdd.pinned(self.latches)
    }

    fn holds(&self) -> Ref {
        self.bdd.pinned(self.latches + 1)
    }

    /// The diagrams of the game's functions.
    fn build(&mut self, arena: &Arena, ctx: &mut Ctx<'_>) -> Result<(), Stop> {
        let mut roots = arena.next.clone();
        roots.extend([arena.bad, arena.holds]);
        self.diagrams(&arena.aig, &roots, 0, ctx)?;
        self.narrow(ctx)
    }

    /// The diagram of an edge of a graph whose inputs are those of the game.
    pub(super) fn diagram(
        &mut self,
        aig: &Aig,
        edge: Edge,
        ctx: &mut Ctx<'_>,
    ) -> Result<Ref, Stop> {
        let base = self.bdd.pin(Ref::TRUE);
        self.diagrams(aig, &[edge], base, ctx)?;
        let made = self.bdd.pinned(base);
        self.bdd.unpin(base);
        Ok(made)
    }

    /// Makes the diagrams of edges, for the pins from `first` on.
    fn diagrams(
        &mut self,
        aig: &Aig,
        roots: &[Edge],
        first: usize,
        ctx: &mut Ctx<'_>,
    ) -> Result<(), Stop> {
        let cone = aig.cone(roots);
        let mut readers = vec![0u32; aig.len() as usize];
        for node in &cone {
            if let Some((left, right)) = aig.operands(*node) {
                readers[left.node() as usize] += 1;
                readers[right.node() as usize] += 1;
            }
        }
        for root in roots {
            readers[root.node() as usize] += 1;
        }
        // A pin for each node, which is given up when all have read it.
        let base = self.bdd.pins();
        for _ in 0..aig.len() {
            self.bdd.pin(Ref::TRUE);
        }
        let at = |edge: Edge, bdd: &Bdd| {
            let made = bdd.pinned(base + edge.node() as usize);
            if edge.is_negated() { !made } else { made }
        };
        for node in cone {
            let made = match aig.node(node) {
                Node::False => Ref::FALSE,
                Node::Input(input) => self.bdd.variable(input as usize),
                Node::And(left, right) => {
                    let (f, g) = (at(left, &self.bdd), at(right, &self.bdd));
                    let made = self.bdd.whole(ctx, |bdd, ctx| bdd.and(f, g, ctx))?;
                    for edge in [left, right] {
                        readers[edge.node() as usize] -= 1;
                        if readers[edge.node() as usize] == 0 {
                            self.bdd.set_pin(base + edge.node() as usize, Ref::TRUE);
                        }
                    }
                    made
                }
            };
            self.bdd.set_pin(base + node as usize, made);
        }
        for (root, pin) in roots.iter().zip(first..) {
            let made = at(*root, &self.bdd);
            self.bdd.set_pin(pin, made);
        }
        self.bdd.unpin(base);
        Ok(())
    }

    /// Makes next values simpler where that is possible without changing them in steps without error.
    fn narrow(&mut self, ctx: &mut Ctx<'_>) -> Result<(), Stop> {
        let (bad, holds) = (self.bad(), self.holds());
        let care = self.bdd.whole(ctx, |bdd, ctx| bdd.and(!bad, holds, ctx))?;
        let base = self.bdd.pin(care);
        for latch in 0..self.latches {
            let next = self.next(latch);
            let narrow = self.bdd.whole(ctx, |bdd, ctx| bdd.restrict(next, care, ctx))?;
            if self.bdd.size(&[narrow]) < self.bdd.size(&[next]) {
                self.bdd.set_pin(latch, narrow);
            }
        }
        self.bdd.unpin(base);
        Ok(())
    }

    /// A function of latches with all replaced by what the pins from `first` on have. It goes from node to node
    /// and not by one operation, so that a new order of variables on the way costs a node and not all.
    fn replaced(&mut self, f: &Diagram, first: usize, ctx: &mut Ctx<'_>) -> Result<Ref, Stop> {
        let mut readers = f.readers();
        let base = self.bdd.pins();
        for _ in 0..=f.nodes.len() {
            self.bdd.pin(Ref::TRUE);
        }
        let made = |place: Place, bdd: &Bdd| {
            let made = bdd.pinned(base + (place >> 1) as usize);
            if place & 1 == 1 { !made } else { made }
        };
        for (at, node) in f.nodes.iter().enumerate() {
            let (high, low) = (made(node.high, &self.bdd), made(node.low, &self.bdd));
            let next = self.bdd.pinned(first + node.var as usize);
            let chosen = self.bdd.whole(ctx, |bdd, ctx| bdd.choose(next, high, low, ctx))?;
            self.bdd.set_pin(base + at + 1, chosen);
            for place in [node.high, node.low].into_iter().filter(|place| place >> 1 != 0) {
                let at = (place >> 1) as usize;
                readers[at - 1] -= 1;
                if readers[at - 1] == 0 {
                    self.bdd.set_pin(base + at, Ref::TRUE);
                }
            }
        }
        let made = made(f.root, &self.bdd);
        self.bdd.unpin(base);
        Ok(made)
    }

    /// Pins of when a step shows an error, reaches a state of `lost`, and keeps the constraints, where it begins
    /// outside of `lost`.
    pub(super) fn response(&mut self, lost: Ref, ctx: &mut Ctx<'_>) -> Result<[usize; 3], Stop> {
        let last = Diagram::new(&self.bdd, lost);
        let reached = self.replaced(&last, 0, ctx)?;
        let pins = [self.bad(), reached, self.holds()].map(|part| self.bdd.pin(part));
        for pin in pins {
            let part = self.bdd.pinned(pin);
            let narrow = self.bdd.whole(ctx, |bdd, ctx| bdd.restrict(part, !lost, ctx))?;
            if self.bdd.size(&[narrow]) < self.bdd.size(&[part]) {
                self.bdd.set_pin(pin, narrow);
            }
        }
        Ok(pins)
    }

    /// The states and inputs of the environment after which, whatever the controller does, an error shows or a
    /// state of `before` is reached. The step is given by pins, as that of the game is by the first ones.
    fn forced(&mut self, before: &Diagram, first: usize, ctx: &mut Ctx<'_>) -> Result<Ref, Stop> {
        let reached = self.replaced(before, first, ctx)?;
        let base = self.bdd.pin(reached);
        let [bad, holds] = [0, 1].map(|at| self.bdd.pinned(first + self.latches + at));
        let controls = &self.controls;
        // A step is good where the constraints fail, or where there is no error and none will be forced.
        let answered = self.bdd.whole(ctx, |bdd, ctx| {
            let cube = bdd.cube(controls);
            bdd.hold(cube);
            let good = bdd.and_exists(!bad, !reached, cube, ctx)?;
            bdd.hold(good);
            let over = bdd.exists(!holds, cube, ctx)?;
            bdd.hold(over);
            bdd.or(good, over, ctx)
        })?;
        self.bdd.unpin(base);
        Ok(!answered)
    }

    /// Computes layers until one has a first state, or is the one before; whether it has one.
    fn run(&mut self, arena: &Arena, ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
        loop {
            let depth = self.layers.len() - 1;
            ctx.emit(Event::Bound { depth: depth as u64 });
            let (last, before) = (self.layers[depth].clone(), self.lost());
            let forced = self.forced(&last, 0, ctx)?;
            let base = self.bdd.pin(forced);
            let others = &self.others;
            let lost = self.bdd.whole(ctx, |bdd, ctx| {
                let cube = bdd.cube(others);
                bdd.hold(cube);
                let forced = bdd.exists(forced, cube, ctx)?;
                bdd.hold(forced);
                bdd.or(before, forced, ctx)
            })?;
            self.bdd.unpin(base);
            if lost == before {
                return Ok(false);
            }
            self.bdd.set_pin(self.latches + 2, lost);
            self.layers.push(Diagram::new(&self.bdd, lost));
            if has_first(&self.bdd, arena, lost) {
                return Ok(true);
            }
        }
    }

    /// What the environment plays in a state that loses: inputs that lead to a lower layer.
    pub(super) fn played(&mut self, state: &[bool], ctx: &mut Ctx<'_>) -> Result<Vec<bool>, Stop> {
        let is_there = |layer: &Diagram| layer.value(|latch| state[latch]);
        let Some(layer @ 1..) = self.layers.iter().position(is_there) else {
            return Err(Stop::Stuck("a state was followed that does not lose".into()));
        };
        let literals: Vec<(usize, bool)> = state.iter().copied().enumerate().collect();
        let base = self.bdd.pins();
        for pin in 0..self.latches + 2 {
            let part = self.bdd.pinned(pin);
            let here = self.bdd.whole(ctx, |bdd, ctx| {
                let cube = bdd.literals(&literals);
                bdd.hold(cube);
                bdd.restrict(part, cube, ctx)
            })?;
            self.bdd.pin(here);
        }
        let before = self.layers[layer - 1].clone();
        let mut at = self.forced(&before, base, ctx)?;
        self.bdd.unpin(base);
        if at == Ref::FALSE {
            return Err(Stop::Stuck("a state that loses has nothing that it loses to".into()));
        }
        let mut inputs = vec![false; self.others.len()];
        while let Some((var, high, low)) = self.bdd.parts(at) {
            let value = low == Ref::FALSE;
            inputs[var - self.others[0]] = value;
            at = if value { high } else { low };
        }
        Ok(inputs)
    }

    /// What the environment plays: a function of the latches for each of its inputs, which leads from each layer
    /// to the one before.
    pub(super) fn strategy(&mut self, ctx: &mut Ctx<'_>) -> Result<Vec<Diagram>, Stop> {
        let relation = self.bdd.pin(Ref::FALSE);
        // The layer before, then what the variables of latches are replaced by: themselves.
        let earlier = self.bdd.pin(Ref::FALSE);
        let own = self.bdd.pins();
        for latch in 0..self.latches {
            let variable = self.bdd.variable(latch);
            self.bdd.pin(variable);
        }
        for layer in 1..self.layers.len() {
            let (before, here) = (self.layers[layer - 1].clone(), self.layers[layer].clone());
            let forced = self.forced(&before, 0, ctx)?;
            let base = self.bdd.pin(forced);
            let lost = self.replaced(&here, own, ctx)?;
            self.bdd.pin(lost);
            let (moves, before) = (self.bdd.pinned(relation), self.bdd.pinned(earlier));
            let more = self.bdd.whole(ctx, |bdd, ctx| {
                let new = bdd.and(lost, !before, ctx)?;
                bdd.hold(new);
                let new = bdd.and(new, forced, ctx)?;
                bdd.hold(new);
                bdd.or(moves, new, ctx)
            })?;
            self.bdd.set_pin(relation, more);
            self.bdd.set_pin(earlier, lost);
            self.bdd.unpin(base);
        }
        let others = self.others.clone();
        let mut functions = Vec::new();
        for (at, input) in others.iter().enumerate() {
            functions.push(self.chosen(relation, *input, &others[at + 1..], ctx)?);
        }
        self.bdd.unpin(relation);
        Ok(functions)
    }

    /// A function for an input that the relation of a pin allows, which takes the input's place there.
    fn chosen(
        &mut self,
        relation: usize,
        input: usize,
        later: &[usize],
        ctx: &mut Ctx<'_>,
    ) -> Result<Diagram, Stop> {
        let moves = self.bdd.pinned(relation);
        let function = self.bdd.whole(ctx, |bdd, ctx| {
            let cube = bdd.cube(later);
            bdd.hold(cube);
            let left = bdd.exists(moves, cube, ctx)?;
            bdd.hold(left);
            let one = bdd.with_value(left, input, true, ctx)?;
            bdd.hold(one);
            let zero = bdd.with_value(left, input, false, ctx)?;
            bdd.hold(zero);
            // Where both values do, or none, it does not matter.
            let different = bdd.choose(one, !zero, zero, ctx)?;
            bdd.hold(different);
            bdd.restrict(one, different, ctx)
        })?;
        let base = self.bdd.pin(function);
        let left = self.bdd.whole(ctx, |bdd, ctx| {
            let one = bdd.with_value(moves, input, true, ctx)?;
            bdd.hold(one);
            let zero = bdd.with_value(moves, input, false, ctx)?;
            bdd.hold(zero);
            bdd.choose(function, one, zero, ctx)
        })?;
        self.bdd.set_pin(relation, left);
        self.bdd.unpin(base);
        Ok(Diagram::new(&self.bdd, function))
    }
}

/// A diagram as an edge of a graph whose first inputs are its variables.
pub(super) fn to_edge(diagram: &Diagram, aig: &mut Aig) -> Edge {
    let mut edges = vec![Edge::TRUE];
    let at = |place: Place, edges: &[Edge]| edges[(place >> 1) as usize].xor(place & 1 == 1);
    for node in &diagram.nodes {
        let variable = aig.input(node.var);
        let edge = aig.ite(variable, at(node.high, &edges), at(node.low, &edges));
        edges.push(edge);
    }
    at(diagram.root, &edges)
}

/// The variables in the order in which a walk from errors through functions meets them.
fn first_order(arena: &Arena) -> Vec<u32> {
    let aig = &arena.aig;
    let mut seen = vec![false; aig.len() as usize];
    let mut order = Vec::new();
    let mut waiting = std::collections::VecDeque::from([arena.bad, arena.holds]);
    let mut walk = |root: Edge, order: &mut Vec<u32>| {
        let mut met = Vec::new();
        let mut stack = vec![root.node()];
        while let Some(node) = stack.pop() {
            if std::mem::replace(&mut seen[node as usize], true) {
                continue;
            }
            match aig.node(node) {
                Node::False => {}
                Node::Input(input) => {
                    order.push(input);
                    met.push(input);
                }
                Node::And(left, right) => stack.extend([right.node(), left.node()]),
            }
        }
        met
    };
    while let Some(root) = waiting.pop_front() {
        for input in walk(root, &mut order) {
            if let Some(next) = arena.next.get(input as usize) {
                waiting.push_back(*next);
            }
        }
    }
    let is_met = |input: &u32| order.contains(input);
    let rest: Vec<u32> = (0..aig.inputs()).filter(|input| !is_met(input)).collect();
    order.extend(rest);
    order
}
