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

use super::arena::Arena;
use super::symbolic::Play;
use crate::bdd::{Bdd, Diagram, Ref};
use crate::settings::{GAMES_FIRST_REORDER, GAMES_MAX_NODES};
use alphorn_engine::{Ctx, Limit, Stop};

/// A step of the environment's plan.
pub(super) struct Move {
    /// The states that plays are in.
    pub(super) reached: Diagram,
    /// The environment's inputs, each after those that its function reads.
    pub(super) order: Vec<usize>,
    /// What they are there, functions of latches and of these inputs.
    pub(super) play: Vec<Diagram>,
}

/// Ticks for what the game's promises say of all inputs.
const PROMISE_TICKS: u64 = 100_000;
/// Functions of an input that are kept to be played again.
const KEPT: usize = 4;

/// Functions that have been played, by input: what was right once may be right again, and a plan of few functions
/// is a short one. The first of each is what the game's promises say of the input alone.
struct Played {
    /// The pin of the first function of the first input; each input has as many as are kept.
    first: usize,
    /// The functions of each input.
    made: Vec<Vec<Diagram>>,
    /// Which one goes next, for each input.
    oldest: Vec<usize>,
}

impl Played {
    fn pin(&self, at: usize, kept: usize) -> usize {
        self.first + at * KEPT + kept
    }
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
        let mut played = play.promised(ctx)?;
        let mut moves = Vec::new();
        for before in self.layers[..self.layers.len() - 1].iter().rev() {
            let reached = Diagram::new(&play.bdd, play.lost());
            let (order, made) = play.moved(before, count(arena), &mut played, ctx)?;
            moves.push(Move { reached, order, play: made });
        }
        Ok(moves)
    }

    /// What is played in the states that are pinned as those that are reached, and lead to `before`; the states that
    /// are reached then take their place.
    fn moved(
        &mut self,
        before: &Diagram,
        count: usize,
        played: &mut Played,
        ctx: &mut Ctx<'_>,
    ) -> Result<(Vec<usize>, Vec<Diagram>), Stop> {
        let base = self.pin_here(ctx)?;
        let forced = self.forced(before, base, ctx)?;
        let here = self.lost();
        let relation = self.bdd.pin(forced);
        let moves = self.bdd.whole(ctx, |bdd, ctx| bdd.and(forced, here, ctx))?;
        self.bdd.set_pin(relation, moves);
        let order = self.determined_first(relation, ctx)?;
        let mut made = vec![None; order.len()];
        for (at, input) in order.iter().enumerate() {
            let function = self.demanded(relation, *input, &order[at + 1..], played, ctx)?;
            made[*input - self.latches] = Some(function);
        }
        let there = self.image(base, relation, count, ctx)?;
        self.set_lost(there);
        self.bdd.unpin(base);
        let first = self.latches;
        let order = order.into_iter().map(|input| input - first).collect();
        Ok((order, made.into_iter().flatten().collect()))
    }

    /// Pins of the step as it is in the states that are pinned as those that are reached; the first of them.
    fn pin_here(&mut self, ctx: &mut Ctx<'_>) -> Result<usize, Stop> {
        let base = self.bdd.pins();
        for pin in 0..self.latches + 2 {
            let (part, here) = (self.bdd.pinned(pin), self.lost());
            let part = self.bdd.whole(ctx, |bdd, ctx| bdd.restrict(part, here, ctx))?;
            self.bdd.pin(part);
        }
        Ok(base)
    }

    /// The environment's inputs, those first that the relation of a pin allows one value only wherever it allows any.
    fn determined_first(&mut self, relation: usize, ctx: &mut Ctx<'_>) -> Result<Vec<usize>, Stop> {
        let others = self.others.clone();
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

    /// For each input of the environment a function of latches that keeps its promises where any value of
    /// the others does.
    fn promised(&mut self, ctx: &mut Ctx<'_>) -> Result<Played, Stop> {
        let others = self.others.clone();
        let first = self.bdd.pins();
        for _ in 0..others.len() * KEPT {
            self.bdd.pin(Ref::FALSE);
        }
        let oldest = vec![1; others.len()];
        let mut played = Played { first, made: Vec::new(), oldest };
        let base = self.bdd.pin(Ref::TRUE);
        let found = ctx.within(PROMISE_TICKS, |ctx| {
            let kept = self.kept_promises(ctx)?;
            self.bdd.set_pin(base, kept);
            for (at, input) in others.iter().enumerate() {
                let rest = others.iter().copied().filter(|other| other != input);
                let rest: Vec<usize> = rest.collect();
                let [must, must_not] = self.demands(base, *input, &rest, ctx)?;
                let function = self.between(must, must_not, ctx)?;
                self.bdd.set_pin(played.pin(at, 0), function);
                played.made.push(vec![Diagram::alone(&self.bdd, function, ctx)?]);
                self.bdd.unpin(base + 1);
            }
            Ok(())
        });
        match found {
            Err(Stop::Budget(Limit::Ticks)) => ctx.tick(1)?,
            found => found?,
        }
        self.bdd.unpin(base);
        // Where promises take too long, the first function of an input is a constant.
        for at in played.made.len()..others.len() {
            self.bdd.set_pin(played.pin(at, 0), Ref::FALSE);
            played.made.push(vec![Diagram::new(&self.bdd, Ref::FALSE)]);
        }
        Ok(played)
    }

    /// Pins of where an input must be true, and where false, for the relation of a pin to hold with some values of
    /// later inputs.
    fn demands(
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
    fn between(&mut self, must: usize, must_not: usize, ctx: &mut Ctx<'_>) -> Result<Ref, Stop> {
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
        let at = input - self.latches;
        let mut kept: Vec<usize> = (0..played.made[at].len()).collect();
        kept.sort_by_key(|kept| played.made[at][*kept].nodes.len());
        let mut found = None;
        for kept in kept {
            let function = self.bdd.pinned(played.pin(at, kept));
            let (must, must_not) = (self.bdd.pinned(must), self.bdd.pinned(must_not));
            let wrong = self.bdd.whole(ctx, |bdd, ctx| {
                let wrong = bdd.and(must, !function, ctx)?;
                bdd.hold(wrong);
                let also = bdd.and(must_not, function, ctx)?;
                bdd.hold(also);
                bdd.or(wrong, also, ctx)
            })?;
            if wrong == Ref::FALSE {
                found = Some(kept);
                break;
            }
        }
        let kept = match found {
            Some(kept) => kept,
            None => {
                let function = self.between(must, must_not, ctx)?;
                let kept = played.oldest[at];
                played.oldest[at] = 1 + kept % (KEPT - 1);
                self.bdd.set_pin(played.pin(at, kept), function);
                let diagram = Diagram::alone(&self.bdd, function, ctx)?;
                match played.made[at].get_mut(kept) {
                    Some(old) => *old = diagram,
                    None => played.made[at].push(diagram),
                }
                kept
            }
        };
        let (function, moves) = (self.bdd.pinned(played.pin(at, kept)), self.bdd.pinned(relation));
        let left = self.bdd.whole(ctx, |bdd, ctx| {
            let variable = bdd.variable(input);
            bdd.hold(variable);
            let agrees = bdd.choose(variable, function, !function, ctx)?;
            bdd.hold(agrees);
            bdd.and(moves, agrees, ctx)
        })?;
        self.bdd.set_pin(relation, left);
        self.bdd.unpin(base);
        Ok(played.made[at][kept].clone())
    }

    /// The states that a step of the pins from `step` on leads to without an error, from states and with inputs of the
    /// environment that are in the relation of a pin.
    fn image(
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
