//! What the environment plays, step by step from the first state.
//!
//! Layers of states that lose say a good deal about states that no play ever sees. Here the environment plays by the
//! number of steps that have passed: of each step only the states matter that plays reach then, which are few and
//! where functions have much freedom. A play that begins in layer n is in layer n - k after k steps, whatever the
//! controller does.
//!
//! Steps are functions of latches, so that the states that are reached are described by other variables first,
//! each next to the latch that it is the next value of.
//!
//! Invariant: the states that are reached after k steps are in layer n - k, and an error has shown otherwise.

use super::again::{Open, Plays};
use super::arena::Arena;
use super::played::{KEPT, Played};
use super::promises::Promises;
use super::respond::briefly;
use super::symbolic::Play;
use super::widen::Way;
use crate::bdd::{Bdd, Diagram, Ref};
use crate::settings::{GAMES_CHOICE_TICKS, GAMES_FIRST_REORDER, GAMES_MAX_NODES};
use alphorn_engine::{Ctx, Stop};

/// A step of the environment's plan.
pub(super) struct Move {
    /// What is said apart of the states that plays are in.
    pub(super) fixed: Vec<(usize, bool)>,
    /// The states that plays are in, where these latches have their values.
    pub(super) reached: Diagram,
    /// The environment's inputs, each after those that its function reads.
    pub(super) order: Vec<usize>,
    /// What they are there, functions of latches and of these inputs.
    pub(super) play: Vec<Diagram>,
}

/// Ticks for what the game's promises say of all inputs, at first and where steps are hard.
const PROMISE_TICKS: u64 = 100_000;
const HARD_PROMISE_TICKS: u64 = 1_000_000;
/// How many times as large the states of a step may be for the sake of an order that all steps have.
const MAX_GROWTH: usize = 2;
/// What a plan is made with.
struct Means {
    played: Played,
    promises: Promises,
    plays: Plays,
    /// Whether choosing a function for each input has taken too long in a step.
    is_hard: bool,
    /// How the steps since then were made.
    ways: Vec<Way>,
}

impl Play {
    /// The same game with a variable for the next value of each latch, after all others.
    fn with_next(&self, arena: &Arena, ctx: &mut Ctx<'_>) -> Result<Play, Stop> {
        let (count, latches) = (arena.aig.inputs() as usize, self.latches);
        let mut order: Vec<u32> = Vec::new();
        let mut bound = Vec::new();
        let mut waiting = None;
        for var in self.bdd.order() {
            if self.bdd.is_bound(*var as usize) {
                bound.push(*var as usize);
            } else {
                order.extend(waiting.take());
            }
            order.push(*var);
            if (*var as usize) < latches {
                waiting = Some(*var + count as u32);
                bound.push(*var as usize + count);
            }
        }
        order.extend(waiting);
        let mut bdd = Bdd::ordered(&order);
        bound.into_iter().for_each(|var| bdd.bind(var));
        bdd.set_room(GAMES_FIRST_REORDER.size(), GAMES_MAX_NODES.size());
        for _ in 0..latches + 2 {
            bdd.pin(Ref::TRUE);
        }
        bdd.pin(Ref::FALSE);
        let own = bdd.pins();
        for var in 0..count {
            let variable = bdd.variable(var);
            bdd.pin(variable);
        }
        let mut play = self.with_diagrams(bdd);
        for pin in 0..latches + 2 {
            let part = Diagram::new(&self.bdd, self.bdd.pinned(pin));
            let part = play.replaced(&part, own, ctx)?;
            play.bdd.set_pin(pin, part);
        }
        play.bdd.unpin(own);
        Ok(play)
    }

    /// What is played from a state of the last layer on.
    pub(super) fn chase(
        &self,
        arena: &Arena,
        start: &[bool],
        ctx: &mut Ctx<'_>,
    ) -> Result<Vec<Move>, Stop> {
        let mut play = self.with_next(arena, ctx)?;
        let literals: Vec<(usize, bool)> = start.iter().copied().enumerate().collect();
        let state = play.bdd.literals(&literals);
        play.set_lost(state);
        let (played, promises) = play.promised(PROMISE_TICKS, ctx)?;
        let plays = Plays { made: Vec::new(), own: play.set_by_controls() };
        let mut means = Means { played, promises, plays, is_hard: false, ways: Vec::new() };
        let mut moves = Vec::new();
        for before in self.layers[..self.layers.len() - 1].iter().rev() {
            let reached = Diagram::new(&play.bdd, play.lost());
            let (order, made) = play.moved(before, count(arena), &mut means, ctx)?;
            moves.push(Move { fixed: Vec::new(), reached, order, play: made });
        }
        if means.is_hard {
            let Means { promises, plays, ways, .. } = &means;
            play.widen(&mut moves, ways, promises, &plays.own, ctx)?;
            play.set_apart(&mut moves, ctx)?;
        }
        Ok(moves)
    }

    /// The latches whose next values are up to the controller alone.
    fn set_by_controls(&self) -> Vec<usize> {
        let is_set = |latch: &usize| {
            let support = self.bdd.support(self.bdd.pinned(*latch));
            !support.is_empty() && support.iter().all(|var| self.controls.contains(var))
        };
        (0..self.latches).filter(is_set).collect()
    }

    /// Says apart what the states of a step have in common, and gives all sets the order of variables of now: proofs
    /// compare sets of steps that follow each other. A set that would be much larger stays as it is.
    fn set_apart(&mut self, moves: &mut [Move], ctx: &mut Ctx<'_>) -> Result<(), Stop> {
        for step in moves {
            let reached = self.bdd.agreeing(&step.reached, Ref::TRUE, ctx)?;
            let left = self.bdd.pin(reached);
            let fixed = self.common(left, ctx)?;
            let rest = Diagram::new(&self.bdd, self.bdd.pinned(left));
            self.bdd.unpin(left);
            if rest.nodes.len() <= MAX_GROWTH * step.reached.nodes.len() {
                (step.fixed, step.reached) = (fixed, rest);
            }
        }
        Ok(())
    }

    /// What the states of a pin have in common; the pin is left with what else is said of them.
    pub(super) fn common(
        &mut self,
        pin: usize,
        ctx: &mut Ctx<'_>,
    ) -> Result<Vec<(usize, bool)>, Stop> {
        let mut fixed = Vec::new();
        for latch in self.bdd.support(self.bdd.pinned(pin)) {
            for value in [true, false] {
                let f = self.bdd.pinned(pin);
                let other =
                    self.bdd.whole(ctx, |bdd, ctx| bdd.with_value(f, latch, !value, ctx))?;
                if other != Ref::FALSE {
                    continue;
                }
                let f = self.bdd.pinned(pin);
                let this = self.bdd.whole(ctx, |bdd, ctx| bdd.with_value(f, latch, value, ctx))?;
                self.bdd.set_pin(pin, this);
                fixed.push((latch, value));
                break;
            }
        }
        Ok(fixed)
    }

    /// What is played in the states that are pinned as those that are reached, and lead to `before`; the states that
    /// are reached then take their place.
    fn moved(
        &mut self,
        before: &Diagram,
        count: usize,
        means: &mut Means,
        ctx: &mut Ctx<'_>,
    ) -> Result<(Vec<usize>, Vec<Diagram>), Stop> {
        if !means.is_hard {
            let base = self.pin_here(0, ctx)?;
            let (all, played) = (self.others.clone(), &mut means.played);
            let found = briefly(GAMES_CHOICE_TICKS.get(), ctx, |ctx| {
                self.chosen(before, base, count, &all, played, ctx).map(Some)
            })?;
            self.bdd.unpin(base);
            if let Some((play, there)) = found {
                self.set_lost(there);
                return Ok(self.by_input(play));
            }
            means.is_hard = true;
            // What was played so far is not needed again.
            (means.played, means.promises) = self.promised(HARD_PROMISE_TICKS, ctx)?;
        }
        let Means { played, promises, plays, ways, .. } = means;
        let (order, step) = self.decided(promises, played, count, ctx)?;
        let open: Vec<usize> =
            self.others.iter().copied().filter(|input| !order.contains(input)).collect();
        let base = self.pin_here(step, ctx)?;
        let (open, there) = match self.again(before, base, count, &open, plays, ctx)? {
            Some(found) => found,
            None => {
                let seen = self.seen(before, base, count, ctx)?;
                self.chosen(&seen, base, count, &open, played, ctx)?
            }
        };
        self.bdd.unpin(base);
        self.set_lost(there);
        let made = order.iter().map(|input| played.promised(*input - self.latches).clone());
        ways.push(Way { decided: order.clone(), step, open: open.clone() });
        let mut all = Open { made: made.collect(), order };
        all.order.extend(&open.order);
        all.made.extend(open.made.iter().cloned());
        plays.made.insert(0, open);
        plays.made.truncate(KEPT);
        Ok(self.by_input(all))
    }

    /// The inputs of a play in their order, and the functions by input.
    fn by_input(&self, play: Open) -> (Vec<usize>, Vec<Diagram>) {
        let order: Vec<usize> = play.order.iter().map(|input| input - self.latches).collect();
        let mut made = vec![None; order.len()];
        for (at, function) in order.iter().zip(play.made) {
            made[*at] = Some(function);
        }
        (order, made.into_iter().flatten().collect())
    }

    /// A layer as it is in the states that a step of the pins from `step` on leads to, whatever is played.
    pub(super) fn seen(
        &mut self,
        layer: &Diagram,
        step: usize,
        count: usize,
        ctx: &mut Ctx<'_>,
    ) -> Result<Diagram, Stop> {
        let there = self.image(step, self.latches + 2, count, ctx)?;
        let pin = self.bdd.pin(there);
        let seen = self.bdd.agreeing(layer, there, ctx)?;
        self.bdd.unpin(pin);
        Ok(Diagram::new(&self.bdd, seen))
    }

    /// What is played in open inputs, and where that leads.
    pub(super) fn chosen(
        &mut self,
        before: &Diagram,
        base: usize,
        count: usize,
        open: &[usize],
        played: &mut Played,
        ctx: &mut Ctx<'_>,
    ) -> Result<(Open, Ref), Stop> {
        let forced = self.forced(before, base, ctx)?;
        let here = self.lost();
        let relation = self.bdd.pin(forced);
        let moves = self.bdd.whole(ctx, |bdd, ctx| bdd.and(forced, here, ctx))?;
        self.bdd.set_pin(relation, moves);
        let order = self.determined_first(open, relation, ctx)?;
        let mut made = Vec::with_capacity(order.len());
        for (at, input) in order.iter().enumerate() {
            made.push(self.demanded(relation, *input, &order[at + 1..], played, ctx)?);
        }
        let there = self.image(base, relation, count, ctx)?;
        Ok((Open { order, made }, there))
    }

    /// Pins of a step, given by pins, as it is in the states that are pinned as those that are reached; the first of them.
    fn pin_here(&mut self, step: usize, ctx: &mut Ctx<'_>) -> Result<usize, Stop> {
        let base = self.bdd.pins();
        for pin in step..step + self.latches + 2 {
            let (part, here) = (self.bdd.pinned(pin), self.lost());
            let narrow = self.bdd.whole(ctx, |bdd, ctx| bdd.restrict(part, here, ctx))?;
            let is_smaller = self.bdd.size(&[narrow]) < self.bdd.size(&[part]);
            self.bdd.pin(if is_smaller { narrow } else { part });
        }
        Ok(base)
    }

    /// The environment's inputs, those first that the relation of a pin allows one value only wherever it allows any.
    fn determined_first(
        &mut self,
        others: &[usize],
        relation: usize,
        ctx: &mut Ctx<'_>,
    ) -> Result<Vec<usize>, Stop> {
        let mut is_free = vec![false; others.len()];
        for (at, input) in others.iter().enumerate() {
            let rest: Vec<usize> = others.iter().copied().filter(|other| other != input).collect();
            let moves = self.bdd.pinned(relation);
            let both = self.bdd.whole(ctx, |bdd, ctx| {
                let cube = bdd.cube(&rest);
                bdd.hold(cube);
                let left = bdd.exists(moves, cube, ctx)?;
                bdd.hold(left);
                let one = bdd.with_value(left, *input, true, ctx)?;
                bdd.hold(one);
                let zero = bdd.with_value(left, *input, false, ctx)?;
                bdd.hold(zero);
                bdd.and(one, zero, ctx)
            })?;
            is_free[at] = both != Ref::FALSE;
        }
        let of = |free: bool| {
            let is_free = &is_free;
            others.iter().enumerate().filter(move |(at, _)| is_free[*at] == free)
        };
        Ok(of(false).chain(of(true)).map(|(_, input)| *input).collect())
    }

    /// Pins of where an input must be true, and where false, for the relation of a pin to hold with some values of
    /// later inputs.
    pub(super) fn demands(
        &mut self,
        relation: usize,
        input: usize,
        later: &[usize],
        ctx: &mut Ctx<'_>,
    ) -> Result<[usize; 2], Stop> {
        let moves = self.bdd.pinned(relation);
        let left = self.bdd.whole(ctx, |bdd, ctx| {
            let cube = bdd.cube(later);
            bdd.hold(cube);
            bdd.exists(moves, cube, ctx)
        })?;
        let base = self.bdd.pin(left);
        for value in [true, false] {
            let left = self.bdd.pinned(base);
            let demanded = self.bdd.whole(ctx, |bdd, ctx| {
                let this = bdd.with_value(left, input, value, ctx)?;
                bdd.hold(this);
                let that = bdd.with_value(left, input, !value, ctx)?;
                bdd.hold(that);
                bdd.and(this, !that, ctx)
            })?;
            self.bdd.pin(demanded);
        }
        Ok([base + 1, base + 2])
    }

    /// A function that is true where it must be and false where it must be, given by pins, and simple elsewhere.
    pub(super) fn between(
        &mut self,
        must: usize,
        must_not: usize,
        ctx: &mut Ctx<'_>,
    ) -> Result<Ref, Stop> {
        let (must, must_not) = (self.bdd.pinned(must), self.bdd.pinned(must_not));
        if must == Ref::FALSE {
            return Ok(Ref::FALSE);
        }
        self.bdd.whole(ctx, |bdd, ctx| {
            let care = bdd.or(must, must_not, ctx)?;
            bdd.hold(care);
            bdd.restrict(must, care, ctx)
        })
    }

    /// A function for an input that the relation of a pin allows, of latches and the inputs before; the relation
    /// keeps to it then. The smallest that was played before is played again, if one will do.
    fn demanded(
        &mut self,
        relation: usize,
        input: usize,
        later: &[usize],
        played: &mut Played,
        ctx: &mut Ctx<'_>,
    ) -> Result<Diagram, Stop> {
        let base = self.bdd.pins();
        let [must, must_not] = self.demands(relation, input, later, ctx)?;
        let pin = self.kept(must, must_not, input, played, ctx)?;
        let (function, moves) = (self.bdd.pinned(pin.0), self.bdd.pinned(relation));
        let left = self.bdd.whole(ctx, |bdd, ctx| {
            let variable = bdd.variable(input);
            bdd.hold(variable);
            let agrees = bdd.choose(variable, function, !function, ctx)?;
            bdd.hold(agrees);
            bdd.and(moves, agrees, ctx)
        })?;
        self.bdd.set_pin(relation, left);
        self.bdd.unpin(base);
        Ok(pin.1)
    }

    /// The states that a step of the pins from `step` on leads to without an error, from states and with inputs of the
    /// environment that are in the relation of a pin.
    pub(super) fn image(
        &mut self,
        step: usize,
        relation: usize,
        count: usize,
        ctx: &mut Ctx<'_>,
    ) -> Result<Ref, Stop> {
        let (bad, moves) = (self.bdd.pinned(step + self.latches), self.bdd.pinned(relation));
        let kept = self.bdd.whole(ctx, |bdd, ctx| bdd.and(moves, !bad, ctx))?;
        let there = self.bdd.pin(kept);
        // A variable is quantified with the last function that reads it.
        let mut last = vec![None; count];
        for latch in 0..self.latches {
            for var in self.bdd.support(self.bdd.pinned(step + latch)) {
                last[var] = Some(latch);
            }
        }
        let unread: Vec<usize> = (0..count).filter(|var| last[*var].is_none()).collect();
        let sofar = self.bdd.pinned(there);
        let left = self.bdd.whole(ctx, |bdd, ctx| {
            let cube = bdd.cube(&unread);
            bdd.hold(cube);
            bdd.exists(sofar, cube, ctx)
        })?;
        self.bdd.set_pin(there, left);
        for latch in 0..self.latches {
            let vars: Vec<usize> = (0..count).filter(|var| last[*var] == Some(latch)).collect();
            let (sofar, next) = (self.bdd.pinned(there), self.bdd.pinned(step + latch));
            let left = self.bdd.whole(ctx, |bdd, ctx| {
                let cube = bdd.cube(&vars);
                bdd.hold(cube);
                let variable = bdd.variable(count + latch);
                bdd.hold(variable);
                let agrees = bdd.choose(variable, next, !next, ctx)?;
                bdd.hold(agrees);
                bdd.and_exists(sofar, agrees, cube, ctx)
            })?;
            self.bdd.set_pin(there, left);
        }
        let (latches, found) = (self.latches, self.bdd.pinned(there));
        self.bdd.whole(ctx, |bdd, ctx| {
            let mut by = vec![None; count + latches];
            for latch in 0..latches {
                let variable = bdd.variable(latch);
                bdd.hold(variable);
                by[count + latch] = Some(variable);
            }
            bdd.replace(found, &by, ctx)
        })
    }
}

/// How many variables the game has.
fn count(arena: &Arena) -> usize {
    arena.aig.inputs() as usize
}
