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
use crate::bdd::{Bdd, Ref};
use crate::settings::{GAMES_FIRST_REORDER, GAMES_MAX_NODES};
use alphorn_engine::{Ctx, Event, Stop};
use alphorn_sat::aig::{Aig, Edge, Node};
use rustc_hash::FxHashMap;

/// The layers of states that lose.
pub(super) struct Layers {
    pub(super) game: Play,
    /// What loses within so many steps, beginning with none.
    pub(super) lost: Vec<Ref>,
    /// What the environment plays, for each of its inputs, if it wins.
    pub(super) play: Option<Vec<Ref>>,
}

impl Layers {
    /// What the environment plays in a state.
    pub(super) fn played(&self, state: &[bool]) -> Vec<bool> {
        let value = |f: &Ref| {
            let mut f = *f;
            while let Some((latch, high, low)) = self.game.bdd.parts(f) {
                f = if state[latch] { high } else { low };
            }
            f == Ref::TRUE
        };
        self.play.iter().flatten().map(value).collect()
    }

    /// A first state that loses.
    pub(super) fn start(&self, arena: &Arena) -> Vec<bool> {
        let mut state: Vec<bool> = arena.first.iter().map(|first| *first == Some(true)).collect();
        let mut at = self.lost[self.lost.len() - 1];
        // Some way down that keeps to first values leads to true; values left open may go either way.
        while let Some((latch, high, low)) = self.game.bdd.parts(at) {
            let value = match arena.first[latch] {
                Some(value) => value,
                None => has_first(&self.game.bdd, arena, high),
            };
            state[latch] = value;
            at = if value { high } else { low };
        }
        state
    }
}

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

/// Computes the layers.
pub(super) fn layers(arena: &Arena, ctx: &mut Ctx<'_>) -> Result<Layers, Stop> {
    let mut play = Play::new(arena);
    play.build(arena, ctx)?;
    play.run(arena, ctx)
}

/// The diagrams of a game. The first pins are next values, errors and constraints, then layers; what is needed for
/// the moment comes after them.
pub(super) struct Play {
    pub(super) bdd: Bdd,
    latches: usize,
    lost: Vec<Ref>,
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
        let others = (0..arena.others).map(|at| arena.other(at) as usize).collect();
        let controls = (0..arena.controls).map(|at| arena.control(at) as usize).collect();
        Play { bdd, latches, lost: vec![Ref::FALSE], others, controls }
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

    /// A function of latches with all replaced by their next values. It goes from node to node and not by one
    /// operation, so that a new order of variables on the way costs a node and not all.
    fn stepped(&mut self, f: Ref, ctx: &mut Ctx<'_>) -> Result<Ref, Stop> {
        let nodes = self.bdd.nodes(f);
        let places: FxHashMap<Ref, usize> =
            nodes.iter().enumerate().map(|(at, node)| (node.function, at)).collect();
        let place = |f: Ref| (!f.is_constant()).then(|| places[&f.positive()]);
        let mut readers = vec![0u32; nodes.len()];
        for at in nodes.iter().flat_map(|node| [place(node.high), place(node.low)]).flatten() {
            readers[at] += 1;
        }
        let base = self.bdd.pins();
        for _ in &nodes {
            self.bdd.pin(Ref::TRUE);
        }
        let after = |f: Ref, bdd: &Bdd| match place(f) {
            None => f,
            Some(at) if f.is_negated() => !bdd.pinned(base + at),
            Some(at) => bdd.pinned(base + at),
        };
        for (at, node) in nodes.iter().enumerate() {
            let (high, low) = (after(node.high, &self.bdd), after(node.low, &self.bdd));
            let next = self.next(node.var);
            let made = self.bdd.whole(ctx, |bdd, ctx| bdd.choose(next, high, low, ctx))?;
            self.bdd.set_pin(base + at, made);
            for at in [place(node.high), place(node.low)].into_iter().flatten() {
                readers[at] -= 1;
                if readers[at] == 0 {
                    self.bdd.set_pin(base + at, Ref::TRUE);
                }
            }
        }
        let made = after(f, &self.bdd);
        self.bdd.unpin(base);
        Ok(made)
    }

    /// The steps that show no error and reach no state of `lost`, or end the game.
    pub(super) fn good(&mut self, lost: Ref, ctx: &mut Ctx<'_>) -> Result<Ref, Stop> {
        let reached = self.stepped(lost, ctx)?;
        let base = self.bdd.pin(reached);
        let (bad, holds) = (self.bad(), self.holds());
        let good = self.bdd.whole(ctx, |bdd, ctx| {
            let kept = bdd.and(!bad, !reached, ctx)?;
            bdd.hold(kept);
            let good = bdd.or(kept, !holds, ctx)?;
            bdd.hold(good);
            // In states that have lost it does not matter.
            bdd.restrict(good, !lost, ctx)
        })?;
        self.bdd.unpin(base);
        Ok(good)
    }

    /// The states and inputs of the environment after which, whatever the controller does, an error shows or a
    /// state of `before` is reached.
    fn forced(&mut self, before: Ref, ctx: &mut Ctx<'_>) -> Result<Ref, Stop> {
        let reached = self.stepped(before, ctx)?;
        let base = self.bdd.pin(reached);
        let (bad, holds) = (self.bad(), self.holds());
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

    fn run(mut self, arena: &Arena, ctx: &mut Ctx<'_>) -> Result<Layers, Stop> {
        loop {
            ctx.emit(Event::Bound { depth: self.lost.len() as u64 - 1 });
            let before = self.lost[self.lost.len() - 1];
            let forced = self.forced(before, ctx)?;
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
                let lost = std::mem::take(&mut self.lost);
                return Ok(Layers { game: self, lost, play: None });
            }
            self.lost.push(lost);
            self.bdd.pin(lost);
            if has_first(&self.bdd, arena, lost) {
                let play = Some(self.strategy(ctx)?);
                let lost = std::mem::take(&mut self.lost);
                return Ok(Layers { game: self, lost, play });
            }
        }
    }

    /// What the environment plays: a function of the latches for each of its inputs, which leads from each layer
    /// to the one before.
    fn strategy(&mut self, ctx: &mut Ctx<'_>) -> Result<Vec<Ref>, Stop> {
        let relation = self.bdd.pin(Ref::FALSE);
        for layer in 1..self.lost.len() {
            let (before, lost) = (self.lost[layer - 1], self.lost[layer]);
            let forced = self.forced(before, ctx)?;
            let base = self.bdd.pin(forced);
            let moves = self.bdd.pinned(relation);
            let more = self.bdd.whole(ctx, |bdd, ctx| {
                let new = bdd.and(lost, !before, ctx)?;
                bdd.hold(new);
                let new = bdd.and(new, forced, ctx)?;
                bdd.hold(new);
                bdd.or(moves, new, ctx)
            })?;
            self.bdd.unpin(base);
            self.bdd.set_pin(relation, more);
        }
        let mut functions = Vec::new();
        for (at, input) in self.others.iter().enumerate() {
            let later = &self.others[at + 1..];
            let moves = self.bdd.pinned(relation);
            let function = self.bdd.whole(ctx, |bdd, ctx| {
                let cube = bdd.cube(later);
                bdd.hold(cube);
                let left = bdd.exists(moves, cube, ctx)?;
                bdd.hold(left);
                let one = bdd.with_value(left, *input, true, ctx)?;
                bdd.hold(one);
                let zero = bdd.with_value(left, *input, false, ctx)?;
                bdd.hold(zero);
                // Where both values do, or none, it does not matter.
                let different = bdd.choose(one, !zero, zero, ctx)?;
                bdd.hold(different);
                bdd.restrict(one, different, ctx)
            })?;
            functions.push(function);
            self.bdd.pin(function);
            let left = self.bdd.whole(ctx, |bdd, ctx| {
                let one = bdd.with_value(moves, *input, true, ctx)?;
                bdd.hold(one);
                let zero = bdd.with_value(moves, *input, false, ctx)?;
                bdd.hold(zero);
                bdd.choose(function, one, zero, ctx)
            })?;
            self.bdd.set_pin(relation, left);
        }
        Ok(functions)
    }
}

/// Diagrams over latches as edges of a graph whose first inputs are the latches.
pub(super) fn to_edges(bdd: &Bdd, roots: &[Ref], aig: &mut Aig) -> Vec<Edge> {
    let mut made: FxHashMap<Ref, Edge> = FxHashMap::default();
    made.insert(Ref::TRUE, Edge::TRUE);
    made.insert(Ref::FALSE, Edge::FALSE);
    let mut stack: Vec<Ref> = roots.to_vec();
    while let Some(f) = stack.last().copied() {
        let Some((var, high, low)) = bdd.parts(f).filter(|_| !made.contains_key(&f)) else {
            stack.pop();
            continue;
        };
        match (made.get(&high).copied(), made.get(&low).copied()) {
            (Some(high), Some(low)) => {
                let edge = aig.ite(aig.input(var as u32), high, low);
                made.insert(f, edge);
                made.insert(!f, !edge);
            }
            (high_made, low_made) => {
                if high_made.is_none() {
                    stack.push(high);
                }
                if low_made.is_none() {
                    stack.push(low);
                }
            }
        }
    }
    roots.iter().map(|root| made[root]).collect()
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
