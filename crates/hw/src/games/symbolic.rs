//! Who wins from where, by decision diagrams: states that lose in one step, in two, and so on.
//!
//! A state is in layer k + 1 if the environment has inputs after which, whatever the controller does, an error
//! shows or a state of layer k is reached. Steps are functions, so a layer is put through them by replacing
//! latches by their next values, and no variables for later states are needed. The search ends when a layer has a
//! first state, or is the one before.
//!
//! Diagrams are reordered between operations, when they have grown to a multiple of what the last reordering left,
//! and in the middle of one that is given up and begun again.
//!
//! After Walker, Ryzhyk, "Simple BDD Solver" (SYNTCOMP 2014), and Brenguier, Pérez, Raskin, Sankur, "AbsSynthe:
//! Abstract Synthesis from Succinct Safety Specifications" (SYNT 2014), without their abstraction.

use super::arena::Arena;
use crate::bdd::{Bdd, Halt, Ref};
use crate::settings::{GAMES_FIRST_REORDER, GAMES_MAX_NODES};
use alphorn_engine::{Ctx, Event, Stop};
use alphorn_sat::aig::{Edge, Node};

/// The nodes that an operation may leave at least before it is begun again.
const ROOM: usize = 1 << 21;
/// The nodes that are looked through at least for some that are not needed.
const COLLECTED: usize = 1 << 14;

/// The layers of states that lose.
pub(super) struct Layers {
    pub(super) bdd: Bdd,
    /// What loses within so many steps, beginning with none.
    pub(super) lost: Vec<Ref>,
    /// What the environment plays, for each of its inputs, if it wins.
    pub(super) play: Option<Vec<Ref>>,
}

impl Layers {
    /// A first state that loses.
    pub(super) fn start(&self, arena: &Arena) -> Vec<bool> {
        let mut state: Vec<bool> = arena.first.iter().map(|first| *first == Some(true)).collect();
        let mut at = self.lost[self.lost.len() - 1];
        // Some way down that keeps to first values leads to true; values left open may go either way.
        while let Some((latch, high, low)) = self.bdd.parts(at) {
            let value = match arena.first[latch] {
                Some(value) => value,
                None => self.has_first(arena, high),
            };
            state[latch] = value;
            at = if value { high } else { low };
        }
        state
    }

    /// Whether a function has a first state.
    fn has_first(&self, arena: &Arena, f: Ref) -> bool {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut stack = vec![f];
        while let Some(f) = stack.pop() {
            if f == Ref::TRUE {
                return true;
            }
            let Some((latch, high, low)) = self.bdd.parts(f).filter(|_| seen.insert(f)) else {
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
}

/// Computes the layers.
pub(super) fn layers(arena: &Arena, ctx: &mut Ctx<'_>) -> Result<Layers, Stop> {
    let mut play = Play::new(arena);
    play.build(arena, ctx)?;
    play.run(arena, ctx)
}

/// The diagrams of a game.
struct Play {
    bdd: Bdd,
    next: Vec<Option<Ref>>,
    bad: Ref,
    holds: Ref,
    lost: Vec<Ref>,
    /// Diagrams that are needed for the moment.
    kept: Vec<Ref>,
    /// Nodes after which those that are not needed are freed.
    threshold: usize,
    /// Nodes after which diagrams are reordered.
    ordered: usize,
}

impl Play {
    fn new(arena: &Arena) -> Play {
        Play {
            bdd: Bdd::ordered(&first_order(arena)),
            next: Vec::new(),
            bad: Ref::FALSE,
            holds: Ref::TRUE,
            lost: vec![Ref::FALSE],
            kept: Vec::new(),
            threshold: COLLECTED,
            ordered: GAMES_FIRST_REORDER.size(),
        }
    }

    fn roots(&self) -> Vec<Ref> {
        let next = self.next.iter().flatten().copied();
        let all = next.chain([self.bad, self.holds]);
        all.chain(self.lost.iter().chain(&self.kept).copied()).collect()
    }

    /// Does an operation, with more room each time there is not enough.
    fn with_room(
        &mut self,
        ctx: &mut Ctx<'_>,
        mut work: impl FnMut(&mut Bdd, &mut Ctx<'_>) -> Result<Ref, Halt>,
    ) -> Result<Ref, Stop> {
        if self.bdd.live() > self.threshold {
            self.tidy(ctx)?;
        }
        let mut room = (8 * self.threshold).max(ROOM);
        loop {
            self.bdd.set_limit(room.min(GAMES_MAX_NODES.size()));
            match work(&mut self.bdd, ctx) {
                Ok(made) => return Ok(made),
                Err(Halt::Stop(stop)) => return Err(stop),
                Err(Halt::Full) if room >= GAMES_MAX_NODES.size() => {
                    let most = GAMES_MAX_NODES.size();
                    return Err(Stop::Stuck(format!("decision diagrams of {most} nodes")));
                }
                Err(Halt::Full) => {
                    self.tidy(ctx)?;
                    room *= 4;
                }
            }
        }
    }

    /// Frees what is not needed, and reorders what is left if it is much.
    fn tidy(&mut self, ctx: &mut Ctx<'_>) -> Result<(), Stop> {
        let roots = self.roots();
        self.bdd.collect(&roots);
        if self.bdd.live() > self.ordered {
            match self.bdd.reorder(&roots, ctx) {
                Err(Halt::Stop(stop)) => return Err(stop),
                Ok(()) | Err(Halt::Full) => {}
            }
            self.ordered = GAMES_FIRST_REORDER.size().max(2 * self.bdd.live());
        }
        self.threshold = COLLECTED.max(3 * self.bdd.live());
        Ok(())
    }

    /// The diagrams of the game's functions.
    fn build(&mut self, arena: &Arena, ctx: &mut Ctx<'_>) -> Result<(), Stop> {
        let mut roots = arena.next.clone();
        roots.extend([arena.bad, arena.holds]);
        let cone = arena.aig.cone(&roots);
        let mut readers = vec![0u32; arena.aig.len() as usize];
        for node in &cone {
            if let Some((left, right)) = arena.aig.operands(*node) {
                readers[left.node() as usize] += 1;
                readers[right.node() as usize] += 1;
            }
        }
        for root in &roots {
            readers[root.node() as usize] += 1;
        }
        // A place of its own for each node, which is given up when all have read it.
        self.kept = vec![Ref::TRUE; arena.aig.len() as usize];
        for node in cone {
            let made = match arena.aig.node(node) {
                Node::False => Ref::FALSE,
                Node::Input(input) => self.bdd.variable(input as usize),
                Node::And(left, right) => {
                    let at = |edge: Edge, kept: &[Ref]| {
                        let made = kept[edge.node() as usize];
                        if edge.is_negated() { !made } else { made }
                    };
                    let (f, g) = (at(left, &self.kept), at(right, &self.kept));
                    let made = self.with_room(ctx, |bdd, ctx| bdd.and(f, g, ctx))?;
                    for edge in [left, right] {
                        readers[edge.node() as usize] -= 1;
                        if readers[edge.node() as usize] == 0 {
                            self.kept[edge.node() as usize] = Ref::TRUE;
                        }
                    }
                    made
                }
            };
            self.kept[node as usize] = made;
        }
        let at = |edge: Edge| {
            let made = self.kept[edge.node() as usize];
            if edge.is_negated() { !made } else { made }
        };
        self.next = arena.next.iter().map(|edge| Some(at(*edge))).collect();
        (self.bad, self.holds) = (at(arena.bad), at(arena.holds));
        self.kept.clear();
        self.narrow(ctx)?;
        Ok(())
    }

    /// Makes next values simpler where that is possible without changing them in steps without error.
    fn narrow(&mut self, ctx: &mut Ctx<'_>) -> Result<(), Stop> {
        let (bad, holds) = (self.bad, self.holds);
        let care = self.with_room(ctx, |bdd, ctx| bdd.and(!bad, holds, ctx))?;
        self.kept = vec![care];
        for index in 0..self.next.len() {
            let Some(next) = self.next[index] else { continue };
            let narrow = self.with_room(ctx, |bdd, ctx| bdd.restrict(next, care, ctx))?;
            if self.bdd.size(&[narrow]) < self.bdd.size(&[next]) {
                self.next[index] = Some(narrow);
            }
        }
        self.kept.clear();
        Ok(())
    }

    /// The states and inputs of the environment after which, whatever the controller does, an error shows or a
    /// state of `before` is reached.
    fn forced(&mut self, before: Ref, controls: &[usize], ctx: &mut Ctx<'_>) -> Result<Ref, Stop> {
        let next = self.next.clone();
        let reached = self.with_room(ctx, |bdd, ctx| bdd.replace(before, &next, ctx))?;
        self.kept.push(reached);
        let (bad, holds) = (self.bad, self.holds);
        // A step is good where the constraints fail, or where there is no error and none will be forced.
        let answered = self.with_room(ctx, |bdd, ctx| {
            let cube = bdd.cube(controls);
            let good = bdd.and_exists(!bad, !reached, cube, ctx)?;
            let over = bdd.exists(!holds, cube, ctx)?;
            bdd.or(good, over, ctx)
        })?;
        self.kept.pop();
        Ok(!answered)
    }

    fn run(mut self, arena: &Arena, ctx: &mut Ctx<'_>) -> Result<Layers, Stop> {
        let others: Vec<usize> = (0..arena.others).map(|at| arena.other(at) as usize).collect();
        let controls: Vec<usize> =
            (0..arena.controls).map(|at| arena.control(at) as usize).collect();
        let first: Vec<(usize, bool)> = (arena.first.iter().enumerate())
            .filter_map(|(latch, value)| value.map(|value| (latch, value)))
            .collect();
        loop {
            ctx.emit(Event::Bound { depth: self.lost.len() as u64 - 1 });
            let before = self.lost[self.lost.len() - 1];
            let forced = self.forced(before, &controls, ctx)?;
            self.kept.push(forced);
            let lost = self.with_room(ctx, |bdd, ctx| {
                let cube = bdd.cube(&others);
                let forced = bdd.exists(forced, cube, ctx)?;
                bdd.or(before, forced, ctx)
            })?;
            self.kept.pop();
            if lost == before {
                let Play { bdd, lost, .. } = self;
                return Ok(Layers { bdd, lost, play: None });
            }
            self.lost.push(lost);
            let begun = self.with_room(ctx, |bdd, ctx| {
                let mut states = lost;
                for (latch, value) in &first {
                    let variable = bdd.variable(*latch);
                    states = bdd.and(states, if *value { variable } else { !variable }, ctx)?;
                }
                Ok(states)
            })?;
            if begun != Ref::FALSE {
                let play = Some(self.strategy(&others, &controls, ctx)?);
                let Play { bdd, lost, .. } = self;
                return Ok(Layers { bdd, lost, play });
            }
        }
    }

    /// What the environment plays: a function of the latches for each of its inputs, which leads from each layer
    /// to the one before.
    fn strategy(
        &mut self,
        others: &[usize],
        controls: &[usize],
        ctx: &mut Ctx<'_>,
    ) -> Result<Vec<Ref>, Stop> {
        let mut relation = Ref::FALSE;
        for layer in 1..self.lost.len() {
            let (before, lost) = (self.lost[layer - 1], self.lost[layer]);
            self.kept = vec![relation];
            let forced = self.forced(before, controls, ctx)?;
            self.kept = vec![relation, forced];
            relation = self.with_room(ctx, |bdd, ctx| {
                let new = bdd.and(lost, !before, ctx)?;
                let moves = bdd.and(new, forced, ctx)?;
                bdd.or(relation, moves, ctx)
            })?;
        }
        let mut functions = Vec::new();
        for (at, input) in others.iter().enumerate() {
            self.kept = [&functions[..], &[relation]].concat();
            let later = &others[at + 1..];
            let mut by = vec![None; input + 1];
            let function = self.with_room(ctx, |bdd, ctx| {
                let cube = bdd.cube(later);
                let left = bdd.exists(relation, cube, ctx)?;
                by[*input] = Some(Ref::TRUE);
                let one = bdd.replace(left, &by, ctx)?;
                by[*input] = Some(Ref::FALSE);
                let zero = bdd.replace(left, &by, ctx)?;
                let either = bdd.or(one, zero, ctx)?;
                let both = bdd.and(one, zero, ctx)?;
                let care = bdd.and(either, !both, ctx)?;
                bdd.restrict(one, care, ctx)
            })?;
            functions.push(function);
            self.kept = [&functions[..], &[relation]].concat();
            by[*input] = Some(function);
            relation = self.with_room(ctx, |bdd, ctx| bdd.replace(relation, &by, ctx))?;
        }
        self.kept.clear();
        Ok(functions)
    }
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
