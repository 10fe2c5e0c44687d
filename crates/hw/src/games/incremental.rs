//! IC3 for games: frames of states that are reached while the controller avoids what is known to lose.
//!
//! Frame k has all states that a play can be in after k steps in which the controller never went where it is known to
//! lose. Two solvers look in the last frame for a state from which the environment has inputs without a good
//! response, as in `region`. Such states lose, wherever they are; but it is not worth while to know this of states
//! that nobody reaches. So they are *obligations*: a cube is blocked in its frame by a lemma if no step of the frame
//! before leads to it, and otherwise whatever leads to it is blocked in the frame before. If that leads back to a
//! first state there is a play, and the cube is taken away for good; so are the states of that play, from its end
//! on, as long as the environment's inputs of the play have no response there. When two frames are equal, the
//! controller wins by staying in them and outside of all that was taken away.
//!
//! Whatever is taken away makes steps fewer, so that lemmas stay true.
//!
//! Invariant: every cube that was taken away loses to its inputs, given those before it; every lemma of a frame is
//! kept by good steps from the frame before.
//!
//! After Morgenstern, Gesell, Schneider, "Solving Games Using Incremental Induction" (IFM 2013), with the two solvers
//! of Bloem, Könighofer, Seidl (VMCAI 2014) for what they ask of all responses.

use super::arena::{Arena, State, Step, in_model};
use super::leave::Leave;
use super::region::{Lost, Region};
use super::stay::Stay;
use crate::ask::ask;
use crate::frames::{Consecution, Cube, Frames};
use crate::settings::GAMES_OBLIGATIONS;
use alphorn_engine::{Ctx, Event, Stop};
use alphorn_sat::{Group, Lit};

/// Computes the region.
pub(super) fn region(arena: &Arena, ctx: &mut Ctx<'_>) -> Result<Region, Stop> {
    let mut search = Search::new(arena);
    let is_won = search.run(ctx)?;
    let Search { lost, frames, arrive, .. } = search;
    let lemmas = frames.invariant().filter(|_| is_won).unwrap_or_default();
    let unreached = lemmas.iter().map(|lemma| arrive.states(lemma)).collect();
    Ok(Region { lost, unreached, is_won })
}

struct Search<'a> {
    arena: &'a Arena,
    frames: Frames,
    lost: Vec<Lost>,
    leave: Leave,
    stay: Stay,
    arrive: Arrive,
    lift: Step,
}

/// What came of an attempt to block a cube.
enum Outcome {
    /// A lemma excludes it.
    Blocked,
    /// No step leads to it, but a lemma would say no more than that it loses.
    Barren,
    /// A step leads to it, which the solver has.
    Reached,
}

/// A cube to be blocked at a level, and the inputs that lead from it to the one it was made for.
struct Obligation {
    cube: Cube,
    level: usize,
    inputs: Vec<Lit>,
}

impl<'a> Search<'a> {
    fn new(arena: &'a Arena) -> Search<'a> {
        let mut frames = Frames::new();
        let mut arrive = Arrive::new(arena);
        frames.extend();
        arrive.extend();
        Search {
            frames,
            lost: Vec::new(),
            leave: Leave::new(arena),
            stay: Stay::new(arena),
            lift: Step::new(arena),
            arrive,
            arena,
        }
    }

    /// Whether the controller wins.
    fn run(&mut self, ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
        let mut known = 0;
        loop {
            if self.leave.find(ctx)? {
                let (latches, others) = self.leave.found();
                if self.answered(&latches, &others, ctx)? {
                    continue;
                }
                let cube = self.stay.lost(&others, ctx)?;
                if self.arena.is_first(&cube) {
                    self.lost.push(Lost { cube, inputs: others });
                    return Ok(false);
                }
                if self.block(Lost { cube, inputs: others }, ctx)? {
                    return Ok(false);
                }
                continue;
            }
            if known < self.lost.len() {
                known = self.lost.len();
                self.leave.catch_up(&self.lost);
                continue;
            }
            self.frames.extend();
            self.arrive.extend();
            self.frames.propagate(&mut self.arrive, ctx)?;
            ctx.emit(self.frames.sizes());
            ctx.emit(Event::Bound { depth: self.frames.last() as u64 - 1 });
            if self.frames.invariant().is_some() {
                return Ok(true);
            }
            self.leave.widen();
            for lemma in self.frames.frame(self.frames.last()) {
                self.leave.narrow(&self.arrive.states(lemma));
            }
        }
    }

    /// Whether there is a response that stays, which is then excluded with all that it keeps.
    fn answered(
        &mut self,
        latches: &[bool],
        others: &[bool],
        ctx: &mut Ctx<'_>,
    ) -> Result<bool, Stop> {
        if !self.stay.response(latches, others, ctx)? {
            return Ok(false);
        }
        let controls = in_model(&self.stay.step.solver, &self.stay.step.controls);
        let controls: Vec<bool> = controls.iter().map(|lit| !lit.is_negated()).collect();
        self.leave.exclude(latches, others, &controls, ctx)?;
        Ok(true)
    }

    fn take_away(&mut self, lost: Lost) {
        self.stay.take_away(&lost);
        self.leave.take_away(&lost.cube);
        self.arrive.take_away(&lost.cube);
        self.lost.push(lost);
    }

    fn learn(&mut self, cube: Cube, level: usize) {
        if level == self.frames.last() {
            self.leave.narrow(&self.arrive.states(&cube));
        }
        self.frames.learn(cube, level, &mut self.arrive);
    }

    /// Blocks states that lose in the last frame, or takes them away; whether a first state is among what was taken
    /// away.
    fn block(&mut self, lost: Lost, ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
        let level = self.frames.last();
        let whole = Cube::new(Step::inside(&lost.cube, &self.arrive.step.latches));
        let mut way = vec![Obligation { cube: whole.clone(), level, inputs: Vec::new() }];
        for _ in 0..GAMES_OBLIGATIONS.get() {
            let Some(Obligation { cube, level, .. }) = way.last() else { return Ok(false) };
            let (cube, level) = (cube.clone(), *level);
            let outcome = match self.frames.blocked(&cube, level) {
                Some(_) => Outcome::Blocked,
                None => self.blocked(&cube, level, &whole, ctx)?,
            };
            match outcome {
                Outcome::Blocked => {
                    way.pop();
                    continue;
                }
                Outcome::Barren => break,
                Outcome::Reached => {}
            }
            let (before, inputs) = self.lifted(&cube, ctx)?;
            let is_first = self.arena.is_first(&self.arrive.states(&before));
            way.push(Obligation { cube: before, level: level.saturating_sub(1), inputs });
            if is_first {
                return self.played(way, lost, ctx);
            }
        }
        self.take_away(lost);
        Ok(false)
    }

    /// Looks whether a step of the frame before leads to the cube, and learns a lemma if not.
    fn blocked(
        &mut self,
        cube: &Cube,
        level: usize,
        whole: &Cube,
        ctx: &mut Ctx<'_>,
    ) -> Result<Outcome, Stop> {
        let Some(mut core) = self.arrive.unreachable_from(cube, level - 1, ctx)? else {
            return Ok(Outcome::Reached);
        };
        for lit in core.lits().to_vec() {
            if !core.contains(lit) {
                continue;
            }
            let fewer = core.without(lit);
            if self.arena.is_first(&self.arrive.states(&fewer)) {
                continue;
            }
            if let Some(smaller) = self.arrive.unreachable_from(&fewer, level - 1, ctx)? {
                core = smaller;
            }
        }
        if core == *whole {
            return Ok(Outcome::Barren);
        }
        let mut level = level;
        while level < self.frames.last() {
            match self.arrive.unreachable_from(&core, level, ctx)? {
                Some(smaller) => (core, level) = (smaller, level + 1),
                None => break,
            }
        }
        self.learn(core, level);
        Ok(Outcome::Blocked)
    }

    /// States all of which the step that was just found leads from to the cube, and the inputs of that step.
    fn lifted(&mut self, cube: &Cube, ctx: &mut Ctx<'_>) -> Result<(Cube, Vec<Lit>), Stop> {
        let (step, lift) = (&self.arrive.step, &mut self.lift);
        let state = in_model(&step.solver, &step.latches);
        let inputs = [&step.others[..], &step.controls].concat();
        let inputs = in_model(&step.solver, &inputs);
        let mut missed = Step::outside(&self.arrive.states(cube), &lift.next);
        missed.extend([lift.bad, !lift.holds]);
        let all = [&inputs[..], &state].concat();
        if ask(&mut lift.solver, &all, Some(&missed), ctx)? {
            return Err(Stop::Stuck("a step does not lead where it leads".into()));
        }
        let needed = state.into_iter().filter(|lit| lift.solver.is_failed(*lit)).collect();
        Ok((Cube::new(needed), inputs))
    }

    /// Takes away what loses at the end of a play from a first state to the cube that loses; whether a first state
    /// is among it. The way begins with that cube.
    fn played(
        &mut self,
        way: Vec<Obligation>,
        lost: Lost,
        ctx: &mut Ctx<'_>,
    ) -> Result<bool, Stop> {
        let inside = way.last().map(|last| self.arrive.states(&last.cube)).unwrap_or_default();
        let mut state: Vec<bool> =
            self.arena.first.iter().map(|first| *first == Some(true)).collect();
        inside.iter().for_each(|(latch, value)| state[*latch as usize] = *value);
        let mut play = Vec::new();
        for Obligation { inputs, .. } in way.iter().skip(1).rev() {
            let values: Vec<bool> = inputs.iter().map(|lit| !lit.is_negated()).collect();
            let all = [&state[..], &values].concat();
            let next = self.arena.aig.evaluate(&self.arena.next, |index| all[index as usize]);
            let others = values[..self.arena.others].to_vec();
            play.push((std::mem::replace(&mut state, next), others));
        }
        self.take_away(lost);
        while let Some((state, others)) = play.pop() {
            if self.stay.response(&state, &others, ctx)? {
                break;
            }
            let cube = self.stay.lost(&others, ctx)?;
            let is_first = self.arena.is_first(&cube);
            self.take_away(Lost { cube, inputs: others });
            if is_first {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// The solver that looks for good steps from a frame into a cube.
struct Arrive {
    step: Step,
    /// The literals of the first states.
    first: Vec<Lit>,
    /// A group for the lemmas of each level, from the first on.
    levels: Vec<Group>,
}

impl Arrive {
    fn new(arena: &Arena) -> Arrive {
        let mut step = Step::new(arena);
        let (bad, holds) = (step.bad, step.holds);
        // After a step that ends the game nobody arrives anywhere.
        step.solver.add_clause(&[holds]);
        step.solver.add_clause(&[!bad]);
        let first = arena.first.iter().zip(&step.latches);
        let first = first.filter_map(|(first, lit)| first.map(|value| lit.xor(!value))).collect();
        Arrive { step, first, levels: Vec::new() }
    }

    fn extend(&mut self) {
        let group = self.step.solver.new_group();
        self.levels.push(group);
    }

    fn take_away(&mut self, cube: &[State]) {
        let Step { latches, next, solver, .. } = &mut self.step;
        solver.add_clause(&Step::outside(cube, latches));
        solver.add_clause(&Step::outside(cube, next));
    }

    /// The latches that a cube speaks of, and their values there.
    fn states(&self, cube: &Cube) -> Vec<State> {
        let latches = self.step.latches.iter().enumerate();
        let states = latches.filter_map(|(index, lit)| match () {
            () if cube.contains(*lit) => Some((index as u32, true)),
            () if cube.contains(!*lit) => Some((index as u32, false)),
            () => None,
        });
        states.collect()
    }
}

impl Consecution for Arrive {
    fn unreachable_from(
        &mut self,
        cube: &Cube,
        level: usize,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Cube>, Stop> {
        let states = self.states(cube);
        let there = Step::inside(&states, &self.step.next);
        let mut all: Vec<Lit> = match level.checked_sub(1) {
            None => self.first.clone(),
            Some(from) => self.levels[from..].iter().map(|group| group.lit()).collect(),
        };
        all.extend(&there);
        if ask(&mut self.step.solver, &all, Some(&cube.negation()), ctx)? {
            return Ok(None);
        }
        let lits = states
            .iter()
            .zip(&there)
            .map(|((latch, value), next)| (self.step.latches[*latch as usize].xor(!*value), *next));
        let (needed, other): (Vec<_>, Vec<_>) =
            lits.partition(|(_, next)| self.step.solver.is_failed(*next));
        let mut kept: Vec<Lit> = needed.into_iter().map(|(lit, _)| lit).collect();
        // What is unreachable has no first state; one literal that none of them has is enough.
        let excludes = |lit: &Lit| self.first.contains(&!*lit);
        if !kept.iter().any(excludes) {
            kept.extend(other.into_iter().map(|(lit, _)| lit).find(excludes));
        }
        Ok(Some(Cube::new(kept)))
    }

    fn learned(&mut self, cube: &Cube, level: usize, superfluous: &[(Cube, usize)]) {
        self.step.solver.add_to_group(self.levels[level - 1], &cube.negation());
        for (cube, level) in superfluous {
            self.step.solver.remove_from_group(self.levels[level - 1], &cube.negation());
        }
    }
}
