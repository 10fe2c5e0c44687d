//! Who wins from where, by decision diagrams: states that lose in one step, in two, and so on.
//!
//! A state is in layer k + 1 if the environment has inputs after which, whatever the controller does, an error
//! shows or a state of layer k is reached. Steps are functions, so a layer is put through them by replacing
//! latches by their next values, and no variables for later states are needed. The search ends when a layer has a
//! first state, or is the one before.
//!
//! Specifications remember in a latch that the environment has broken its promises, and no error shows from then on.
//! The game ends there, as it does where a constraint fails, and what functions are in such steps does not matter:
//! otherwise the promises would be a factor of everything. An input that becomes the value of a latch stays next
//! to it in the order of variables (`order`).
//!
//! After Walker, Ryzhyk, "Simple BDD Solver" (SYNTCOMP 2014), and Brenguier, Pérez, Raskin, Sankur, "AbsSynthe:
//! Abstract Synthesis from Succinct Safety Specifications" (SYNT 2014), without their abstraction.

use super::arena::Arena;
use super::order::{first_order, paired};
use crate::bdd::{Bdd, Diagram, Place, Ref};
use crate::settings::{GAMES_FIRST_REORDER, GAMES_MAX_NODES};
use alphorn_engine::{Ctx, Event, Stop};
use alphorn_sat::aig::{Aig, Edge, Node};

/// Whether a function of the latches has a first state.
pub(super) fn has_first(bdd: &Bdd, arena: &Arena, f: Ref) -> bool {
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
    let is_lost = !play.is_won_at_rest(arena, ctx)? && play.run(arena, ctx)?;
    Ok((play, is_lost))
}

/// The diagrams of a game. The first pins are next values, errors and constraints, then what loses; what is needed
/// for the moment comes after them.
pub(super) struct Play {
    pub(super) bdd: Bdd,
    pub(super) latches: usize,
    /// What loses within so many steps, beginning with none; the manager has the last one only.
    pub(super) layers: Vec<Diagram>,
    pub(super) others: Vec<usize>,
    pub(super) controls: Vec<usize>,
    /// Values of latches with which the game is over, and won.
    pub(super) ends: Vec<(usize, bool)>,
}

impl Play {
    fn new(arena: &Arena) -> Play {
        let (order, bound) = paired(arena, &first_order(arena));
        let mut bdd = Bdd::ordered(&order);
        bound.iter().for_each(|input| bdd.bind(*input as usize));
        bdd.set_room(GAMES_FIRST_REORDER.size(), GAMES_MAX_NODES.size());
        let latches = arena.latches.len();
        for _ in 0..latches + 2 {
            bdd.pin(Ref::TRUE);
        }
        bdd.pin(Ref::FALSE);
        let others = (0..arena.others).map(|at| arena.other(at) as usize).collect();
        let controls = (0..arena.controls).map(|at| arena.control(at) as usize).collect();
        let layers = vec![Diagram::new(&bdd, Ref::FALSE)];
        Play { bdd, latches, layers, others, controls, ends: Vec::new() }
    }

    /// The same players with other diagrams and no layers.
    pub(super) fn with_diagrams(&self, bdd: Bdd) -> Play {
        let (others, controls) = (self.others.clone(), self.controls.clone());
        let (latches, ends) = (self.latches, self.ends.clone());
        Play { bdd, latches, layers: Vec::new(), others, controls, ends }
    }

    /// How large what was found is.
    pub(super) fn remark(&self) -> Event {
        let nodes: Vec<usize> = self.layers.iter().map(|layer| layer.nodes.len()).collect();
        let (count, last, all) =
            (nodes.len() - 1, nodes[nodes.len() - 1], nodes.iter().sum::<usize>());
        let step = self
            .bdd
            .size(&(0..self.latches + 2).map(|pin| self.bdd.pinned(pin)).collect::<Vec<_>>());
        Event::Remark(format!(
            "{count} layers, {last} nodes in the last and {all} in all, the step has {step}"
        ))
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

    /// How many variables latches and inputs are.
    pub(super) fn variables(&self) -> usize {
        self.latches + self.others.len() + self.controls.len()
    }

    pub(super) fn set_lost(&mut self, lost: Ref) {
        self.bdd.set_pin(self.latches + 2, lost);
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
        self.end_early(ctx)?;
        self.narrow(ctx)
    }

    /// Ends the game, by constraints that fail, in steps without error after which a latch has a value that it keeps
    /// and with which no error ever shows: the controller has won there. Specifications remember in such latches
    /// that the environment has broken its promises.
    fn end_early(&mut self, ctx: &mut Ctx<'_>) -> Result<(), Stop> {
        for latch in 0..self.latches {
            for value in [true, false] {
                let (next, bad) = (self.next(latch), self.bad());
                let kept =
                    self.bdd.whole(ctx, |bdd, ctx| bdd.with_value(next, latch, value, ctx))?;
                let shown =
                    self.bdd.whole(ctx, |bdd, ctx| bdd.with_value(bad, latch, value, ctx))?;
                let end = if value { Ref::TRUE } else { Ref::FALSE };
                if kept != end || shown != Ref::FALSE {
                    continue;
                }
                let (holds, is_there) = (self.holds(), if value { next } else { !next });
                let left = self.bdd.whole(ctx, |bdd, ctx| {
                    let ends = bdd.and(is_there, !bad, ctx)?;
                    bdd.hold(ends);
                    bdd.and(holds, !ends, ctx)
                })?;
                self.bdd.set_pin(self.latches + 1, left);
                self.ends.push((latch, value));
            }
        }
        Ok(())
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

    /// Makes next values simpler where that is possible without changing them in steps without error, and errors
    /// without changing them while the game goes on.
    fn narrow(&mut self, ctx: &mut Ctx<'_>) -> Result<(), Stop> {
        self.simplify(self.latches, self.holds(), ctx)?;
        let (bad, holds) = (self.bad(), self.holds());
        let care = self.bdd.whole(ctx, |bdd, ctx| bdd.and(!bad, holds, ctx))?;
        let base = self.bdd.pin(care);
        for latch in 0..self.latches {
            let care = self.bdd.pinned(base);
            self.simplify(latch, care, ctx)?;
        }
        self.bdd.unpin(base);
        Ok(())
    }

    /// A function of latches with all replaced by what the pins from `first` on have. It goes from node to node
    /// and not by one operation, so that a new order of variables on the way costs a node and not all.
    pub(super) fn replaced(
        &mut self,
        f: &Diagram,
        first: usize,
        ctx: &mut Ctx<'_>,
    ) -> Result<Ref, Stop> {
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
    pub(super) fn forced(
        &mut self,
        before: &Diagram,
        first: usize,
        ctx: &mut Ctx<'_>,
    ) -> Result<Ref, Stop> {
        let reached = self.replaced(before, first, ctx)?;
        let [good, over] = self.answered(reached, first, ctx)?;
        let base = self.bdd.pin(good);
        self.bdd.pin(over);
        let forced = self.bdd.whole(ctx, |bdd, ctx| bdd.and(!good, !over, ctx))?;
        self.bdd.unpin(base);
        Ok(forced)
    }

    /// The states and inputs of the environment that have a response without error that does not reach what loses, as
    /// `reached` says, and those that have one that ends the game.
    fn answered(
        &mut self,
        reached: Ref,
        first: usize,
        ctx: &mut Ctx<'_>,
    ) -> Result<[Ref; 2], Stop> {
        let base = self.bdd.pin(reached);
        let bad = self.bdd.pinned(first + self.latches);
        let controls = &self.controls;
        let good = self.bdd.whole(ctx, |bdd, ctx| {
            let cube = bdd.cube(controls);
            bdd.hold(cube);
            bdd.and_exists(!bad, !reached, cube, ctx)
        })?;
        self.bdd.pin(good);
        let over = self.over(first, ctx)?;
        self.bdd.unpin(base);
        Ok([good, over])
    }

    /// The states and inputs of the environment after which the controller can end the game, where the step is given
    /// by pins.
    pub(super) fn over(&mut self, first: usize, ctx: &mut Ctx<'_>) -> Result<Ref, Stop> {
        let (holds, controls) = (self.bdd.pinned(first + self.latches + 1), &self.controls);
        self.bdd.whole(ctx, |bdd, ctx| {
            let cube = bdd.cube(controls);
            bdd.hold(cube);
            bdd.exists(!holds, cube, ctx)
        })
    }

    /// Makes a pinned function simpler where it does not matter what it is; it matters where `care` holds.
    fn simplify(&mut self, pin: usize, care: Ref, ctx: &mut Ctx<'_>) -> Result<(), Stop> {
        let base = self.bdd.pin(care);
        let f = self.bdd.pinned(pin);
        let made = self.bdd.whole(ctx, |bdd, ctx| bdd.restrict(f, care, ctx))?;
        if self.bdd.size(&[made]) < self.bdd.size(&[f]) {
            self.bdd.set_pin(pin, made);
        }
        self.bdd.unpin(base);
        Ok(())
    }

    /// What loses in a step more, where `reached` says which steps reach what loses.
    pub(super) fn back(&mut self, reached: Ref, ctx: &mut Ctx<'_>) -> Result<Ref, Stop> {
        let before = self.lost();
        let [good, over] = self.answered(reached, 0, ctx)?;
        let base = self.bdd.pin(good);
        self.bdd.pin(over);
        let others = &self.others;
        let lost = self.bdd.whole(ctx, |bdd, ctx| {
            let cube = bdd.cube(others);
            bdd.hold(cube);
            let forced = bdd.and_exists(!good, !over, cube, ctx)?;
            bdd.hold(forced);
            bdd.or(before, forced, ctx)
        })?;
        self.bdd.unpin(base);
        Ok(lost)
    }

    /// Adds to what loses until nothing is added or a first state loses; whether one does. `layer` is told of what loses
    /// each time.
    ///
    /// A step reaches what loses if it reached what lost before or reaches what is new, so that only that is put
    /// through the step, made simple where it does not matter because it lost before.
    pub(super) fn grow(
        &mut self,
        arena: &Arena,
        ctx: &mut Ctx<'_>,
        mut layer: impl FnMut(&mut Play, &mut Ctx<'_>),
    ) -> Result<bool, Stop> {
        let reached = self.bdd.pin(Ref::FALSE);
        let earlier = self.bdd.pin(Ref::FALSE);
        let is_lost = loop {
            let (lost, before) = (self.lost(), self.bdd.pinned(earlier));
            let new = self.bdd.whole(ctx, |bdd, ctx| bdd.restrict(lost, !before, ctx))?;
            let is_smaller = self.bdd.size(&[new]) < self.bdd.size(&[lost]);
            let new = Diagram::new(&self.bdd, if is_smaller { new } else { lost });
            let more = self.replaced(&new, 0, ctx)?;
            let base = self.bdd.pin(more);
            let before = self.bdd.pinned(reached);
            let all = self.bdd.whole(ctx, |bdd, ctx| bdd.or(before, more, ctx))?;
            self.bdd.unpin(base);
            self.bdd.set_pin(reached, all);
            self.bdd.set_pin(earlier, lost);
            let more = self.back(all, ctx)?;
            if more == lost {
                break false;
            }
            self.set_lost(more);
            layer(self, ctx);
            if has_first(&self.bdd, arena, more) {
                break true;
            }
        };
        self.bdd.unpin(reached);
        Ok(is_lost)
    }

    /// Computes layers until one has a first state, or is the one before; whether it has one.
    fn run(&mut self, arena: &Arena, ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
        self.grow(arena, ctx, |play, ctx| {
            ctx.emit(Event::Bound { depth: play.layers.len() as u64 });
            play.layers.push(Diagram::new(&play.bdd, play.lost()));
        })
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
