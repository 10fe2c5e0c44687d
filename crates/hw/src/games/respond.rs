//! From diagrams of a winning region to a controller: a function for each controllable input.
//!
//! Inputs are taken one after the other. Where all responses that keep the region and agree with the inputs before
//! give an input one value, that value is demanded; a function between the two demands is one of the latches, the
//! environment's inputs and the inputs before. It is not put in the place of its input among diagrams: those of
//! responses stay as small as they were, and only the functions themselves are composed. There are three ways to
//! write one: as a diagram that is simple where nothing is demanded, in an order of its own, as a sum of products,
//! and as clauses from cores (`interpolation::learn`), which may speak of gates of the game. The one that adds
//! fewest gates stays.
//!
//! After Bloem, Egly, Klampfl, Könighofer, Lonsing, "SAT-Based Methods for Circuit Synthesis" (FMCAD 2014), which
//! compares the first and the last.

use super::arena::Arena;
use super::extract::{Functions, swept};
use super::symbolic::{Play, to_edge};
use crate::bdd::{Bdd, Cover, Diagram, Ref};
use crate::interpolation::learn::learn;
use crate::settings::{GAMES_EXPANDED_GATES, GAMES_LEARN_TICKS, GAMES_LEARNED_CLAUSES};
use alphorn_engine::{Ctx, Limit, Stop};
use alphorn_sat::aig::{Aig, Edge};

/// The functions of a controller that stays outside of `lost`; some of its inputs have a value already.
pub(super) fn respond(
    play: &mut Play,
    arena: &Arena,
    lost: Ref,
    frozen: &[Option<bool>],
    ctx: &mut Ctx<'_>,
) -> Result<Functions, Stop> {
    let step = play.response(lost, ctx)?;
    let mut pass = Pass::new(play, arena, lost, step);
    for (at, value) in frozen.iter().enumerate() {
        match value {
            Some(value) => pass.decided.push(Edge::FALSE.xor(*value)),
            None => pass.decide(at, ctx)?,
        }
    }
    let Pass { aig, decided, .. } = pass;
    swept(aig, decided, ctx)
}

struct Pass<'a> {
    play: &'a mut Play,
    arena: &'a Arena,
    lost: Ref,
    /// Pins of when there is an error, a state that loses is reached, and constraints hold. They are never put
    /// together without a quantifier.
    step: [usize; 3],
    aig: Aig,
    /// Functions of latches and the environment's inputs alone.
    decided: Vec<Edge>,
    /// The gates of the game that read no controllable input, deeper ones last.
    gates: Vec<Edge>,
    /// Ticks for one attempt at a shorter function.
    patience: u64,
}

/// What is demanded of an input, and a function that meets both demands, by pins.
struct Demands {
    must: usize,
    must_not: usize,
    function: usize,
}

impl<'a> Pass<'a> {
    fn new(play: &'a mut Play, arena: &'a Arena, lost: Ref, step: [usize; 3]) -> Pass<'a> {
        let aig = arena.aig.clone();
        let gates = arena.gates_of_others();
        // There are four attempts for each input.
        let patience = GAMES_LEARN_TICKS.get() / (4 * arena.controls.max(1) as u64);
        Pass { play, arena, lost, step, aig, decided: Vec::new(), gates, patience }
    }

    fn decide(&mut self, at: usize, ctx: &mut Ctx<'_>) -> Result<(), Stop> {
        let base = self.play.bdd.pins();
        let demands = self.demands(at, ctx)?;
        let pinned = |play: &Play, pin: usize| play.bdd.pinned(pin);
        let (must, must_not) =
            (pinned(self.play, demands.must), pinned(self.play, demands.must_not));
        let function = pinned(self.play, demands.function);
        let mut edges = [Edge::FALSE; 3];
        for (edge, f) in edges.iter_mut().zip([function, must, must_not]) {
            let diagram = Diagram::alone(&self.play.bdd, f, ctx)?;
            *edge = to_edge(&diagram, &mut self.aig);
        }
        let mut best = (self.cost(edges[0]), edges[0]);
        if best.0 > 0 {
            for (lower, upper, is_negated) in [(must, !must_not, false), (must_not, !must, true)] {
                if let Some(edge) = self.covered(lower, upper, ctx)? {
                    let edge = edge.xor(is_negated);
                    best = best.min((self.cost(edge), edge));
                }
            }
            for (implies, excludes, is_negated) in
                [(edges[1], edges[2], false), (edges[2], edges[1], true)]
            {
                if let Some(edge) = self.learned(implies, excludes, best.0, ctx)? {
                    let edge = edge.xor(is_negated);
                    best = best.min((self.cost(edge), edge));
                }
            }
        }
        let (earlier, decided) = (self.arena.control(0), &self.decided);
        let made = self.aig.substitute(&[best.1], |input| {
            input.checked_sub(earlier).and_then(|at| decided.get(at as usize).copied())
        });
        self.decided.push(made[0]);
        self.play.bdd.unpin(base);
        Ok(())
    }

    /// What is demanded of an input, where the state has not lost.
    fn demands(&mut self, at: usize, ctx: &mut Ctx<'_>) -> Result<Demands, Stop> {
        let input = self.arena.control(at) as usize;
        let later: Vec<usize> =
            (at + 1..self.arena.controls).map(|at| self.arena.control(at) as usize).collect();
        let [bad, reached, holds] = self.step.map(|pin| self.play.bdd.pinned(pin));
        let (bdd, lost) = (&mut self.play.bdd, self.lost);
        let left = bdd.whole(ctx, |bdd, ctx| {
            let cube = bdd.cube(&later);
            bdd.hold(cube);
            let kept = bdd.and_exists(!bad, !reached, cube, ctx)?;
            bdd.hold(kept);
            let over = bdd.exists(!holds, cube, ctx)?;
            bdd.hold(over);
            bdd.or(kept, over, ctx)
        })?;
        bdd.pin(left);
        let one = bdd.whole(ctx, |bdd, ctx| bdd.with_value(left, input, true, ctx))?;
        bdd.pin(one);
        let zero = bdd.whole(ctx, |bdd, ctx| bdd.with_value(left, input, false, ctx))?;
        bdd.pin(zero);
        let demanded = |bdd: &mut Bdd, yes: Ref, no: Ref, ctx: &mut Ctx<'_>| {
            bdd.whole(ctx, |bdd, ctx| {
                let only = bdd.and(yes, !no, ctx)?;
                bdd.hold(only);
                bdd.and(only, !lost, ctx)
            })
        };
        let must = demanded(bdd, one, zero, ctx)?;
        let must_pin = bdd.pin(must);
        let must_not = demanded(bdd, zero, one, ctx)?;
        let must_not_pin = bdd.pin(must_not);
        let mut function = Ref::FALSE;
        if must != Ref::FALSE {
            function = bdd.whole(ctx, |bdd, ctx| {
                let care = bdd.or(must, must_not, ctx)?;
                bdd.hold(care);
                bdd.restrict(must, care, ctx)
            })?;
        }
        let function = bdd.pin(function);
        Ok(Demands { must: must_pin, must_not: must_not_pin, function })
    }

    /// How many gates an edge adds to those of the game and of what was decided.
    fn cost(&self, edge: Edge) -> usize {
        let mut there = self.arena.next.clone();
        there.extend([self.arena.bad, self.arena.holds]);
        there.extend(&self.decided);
        let before = self.aig.size(&there);
        there.push(edge);
        self.aig.size(&there) - before
    }

    /// A sum of products between two functions; none if it is long.
    fn covered(&mut self, lower: Ref, upper: Ref, ctx: &mut Ctx<'_>) -> Result<Option<Edge>, Stop> {
        let (bdd, most) = (&mut self.play.bdd, GAMES_LEARNED_CLAUSES.size());
        let found = briefly(self.patience, ctx, |ctx| bdd.cover(lower, upper, most, ctx))?;
        let Some((Cover { sums, .. }, at)) = found else { return Ok(None) };
        let mut edges = vec![Edge::FALSE, Edge::TRUE];
        for sum in &sums {
            let aig = &mut self.aig;
            let variable = aig.input(sum.var as u32);
            let high = aig.and(variable, edges[sum.high]);
            let low = aig.and(!variable, edges[sum.low]);
            edges.push(aig.or_n([high, low, edges[sum.both]]));
        }
        Ok(Some(edges[at]))
    }

    /// Clauses between two functions that are learned with little effort; none if they are many.
    fn learned(
        &mut self,
        implies: Edge,
        excludes: Edge,
        most: usize,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Edge>, Stop> {
        let count = self.arena.control(self.decided.len());
        let mut shared: Vec<Edge> = (0..count).map(|input| self.aig.input(input)).collect();
        shared.extend(&self.gates);
        let (aig, most) = (&self.aig, most.min(GAMES_LEARNED_CLAUSES.size()));
        if aig.size(&[implies, excludes]) > GAMES_EXPANDED_GATES.size() {
            return Ok(None);
        }
        let clauses =
            briefly(self.patience, ctx, |ctx| learn(aig, implies, excludes, &shared, most, ctx))?;
        let Some(clauses) = clauses else { return Ok(None) };
        let aig = &mut self.aig;
        let made: Vec<Edge> = clauses.into_iter().map(|clause| aig.or_n(clause)).collect();
        Ok(Some(aig.and_n(made)))
    }
}

/// What is found with little effort; none if that is not enough.
pub(super) fn briefly<R>(
    ticks: u64,
    ctx: &mut Ctx<'_>,
    work: impl FnOnce(&mut Ctx<'_>) -> Result<Option<R>, Stop>,
) -> Result<Option<R>, Stop> {
    match ctx.within(ticks, work) {
        Err(Stop::Budget(Limit::Ticks)) => {
            // Unless nothing is left at all, it was only too long.
            ctx.tick(1)?;
            Ok(None)
        }
        found => found,
    }
}
