//! The winning region of the controller, by two solvers that learn from each other.
//!
//! `W` is a set of states, as clauses, that has all states from which the controller can win. One solver looks
//! for a state of `W` and inputs of the environment from which some response *leaves* `G`, a copy of `W` that
//! lags behind; the other for a response that *stays* in `W`. If there is none, the state loses, and with it all
//! states that lose for the same reason: a core over the latches, made small, is taken away from `W`. If
//! there is one, that response keeps a whole region of states and inputs in `G`, which is again a core, and is
//! excluded until `G` catches up. When nothing leaves and `G` is `W`, the controller wins from all of `W`.
//!
//! With *reachability*, a cube may also be taken away if its states either lose or are entered neither by a
//! first state nor by a step from the rest of `W`: nobody will ever be there.
//!
//! Invariant: clauses of `W` are only added; every state that is taken away and that a play can reach loses to
//! the inputs noted with the first cube that has it.
//!
//! After Bloem, Könighofer, Seidl, "SAT-Based Synthesis Methods for Safety Specs" (VMCAI 2014).

use super::arena::{Arena, State, Step, in_model};
use super::leave::Leave;
use super::stay::Stay;
use crate::ask::ask;
use alphorn_engine::{Ctx, Event, Stop};
use alphorn_sat::Lit;
use alphorn_sat::aig::{Edge, Encoder, Encoding, Polarity};

/// States that lose, and what the environment does there.
#[derive(Clone, Debug)]
pub(super) struct Lost {
    /// The states, by literals of latches.
    pub(super) cube: Vec<State>,
    /// The environment's inputs.
    pub(super) inputs: Vec<bool>,
}

/// What came of the search.
pub(super) struct Region {
    /// What was taken away from the states that win, in order; the last has a first state if the controller
    /// loses.
    pub(super) lost: Vec<Lost>,
    /// What nobody reaches, as far as that was needed besides.
    pub(super) unreached: Vec<Vec<State>>,
    /// Whether the controller wins.
    pub(super) is_won: bool,
}

impl Region {
    /// What the controller stays outside of.
    pub(super) fn cubes(&self) -> impl Iterator<Item = &[State]> {
        self.lost
            .iter()
            .map(|lost| &lost.cube[..])
            .chain(self.unreached.iter().map(|cube| &cube[..]))
    }
}

/// Computes the region; `reachability` says whether states that nobody reaches may be taken away.
pub(super) fn region(arena: &Arena, reachability: bool, ctx: &mut Ctx<'_>) -> Result<Region, Stop> {
    let mut search = Search::new(arena, reachability);
    let is_won = search.run(ctx)?;
    Ok(Region { lost: search.lost, unreached: Vec::new(), is_won })
}

struct Search<'a> {
    arena: &'a Arena,
    lost: Vec<Lost>,
    leave: Leave,
    stay: Stay,
    arrive: Option<Arrive>,
}

impl<'a> Search<'a> {
    fn new(arena: &'a Arena, reachability: bool) -> Search<'a> {
        let stay = Stay::new(arena);
        let leave = Leave::new(arena);
        let arrive = reachability.then(|| Arrive::new(arena));
        Search { arena, lost: Vec::new(), leave, stay, arrive }
    }

    /// Whether the controller wins.
    fn run(&mut self, ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
        let mut known = 0;
        loop {
            if !self.leave.find(ctx)? {
                if known == self.lost.len() {
                    return Ok(true);
                }
                known = self.lost.len();
                self.leave.catch_up(&self.lost);
                ctx.emit(Event::Lemmas { count: known as u64 });
                continue;
            }
            let (latches, others) = self.leave.found();
            if self.stay.response(&latches, &others, ctx)? {
                let controls = in_model(&self.stay.step.solver, &self.stay.step.controls);
                let controls = controls.iter().map(|lit| !lit.is_negated()).collect::<Vec<_>>();
                self.leave.exclude(&latches, &others, &controls, ctx)?;
                continue;
            }
            let lost = self.generalized(&others, ctx)?;
            let is_lost = self.arena.is_first(&lost.cube);
            self.take_away(lost);
            if is_lost {
                return Ok(false);
            }
        }
    }

    /// The states that lose to these inputs for the reason that the solver has just found.
    fn generalized(&mut self, others: &[bool], ctx: &mut Ctx<'_>) -> Result<Lost, Stop> {
        let mut cube = self.stay.lost(others, ctx)?;
        if self.arrive.is_some() && !self.arena.is_first(&cube) {
            let inputs = valued(&self.stay.step.others, others);
            cube = self.reached(cube, &inputs, ctx)?;
        }
        Ok(Lost { cube, inputs: others.to_vec() })
    }

    /// The cube without literals that it does not need, among states that are reached.
    fn reached(
        &mut self,
        mut cube: Vec<State>,
        inputs: &[Lit],
        ctx: &mut Ctx<'_>,
    ) -> Result<Vec<State>, Stop> {
        let Some(arrive) = &mut self.arrive else { return Ok(cube) };
        let mut at = 0;
        while at < cube.len() {
            let mut fewer = cube.clone();
            fewer.remove(at);
            match !self.arena.is_first(&fewer) && !arrive.keeps(&fewer, inputs, ctx)? {
                true => cube = fewer,
                false => at += 1,
            }
        }
        Ok(cube)
    }

    fn take_away(&mut self, lost: Lost) {
        self.stay.take_away(&lost);
        self.leave.take_away(&lost.cube);
        if let Some(arrive) = &mut self.arrive {
            arrive.take_away(&lost.cube);
        }
        self.lost.push(lost);
    }
}

/// The literals with these values.
pub(super) fn valued(lits: &[Lit], values: &[bool]) -> Vec<Lit> {
    lits.iter().zip(values).map(|(lit, value)| lit.xor(!*value)).collect()
}

/// The solver that looks for states that are arrived at and stay: two steps in a row.
struct Arrive {
    /// The step that is taken before.
    before: Before,
    step: Step,
}

/// The latches and next values of an earlier step in the same solver.
struct Before {
    latches: Vec<Lit>,
}

impl Arrive {
    fn new(arena: &Arena) -> Arrive {
        let mut step = Step::new(arena);
        let (bad, holds) = (step.bad, step.holds);
        step.solver.add_clause(&[!holds, !bad]);
        let mut encoder = Encoder::new(Encoding::Tseitin);
        let count = arena.latches.len() + arena.others + arena.controls;
        let lits: Vec<Lit> = (0..count).map(|_| step.solver.new_var().positive()).collect();
        for (index, lit) in lits.iter().enumerate() {
            encoder.bind(arena.aig.input(index as u32), *lit);
        }
        let mut roots: Vec<_> = arena.next.iter().map(|edge| (*edge, Polarity::Both)).collect();
        roots.extend([(arena.bad, Polarity::Both), (arena.holds, Polarity::Both)]);
        encoder.encode_all(&arena.aig, &roots, &mut step.solver);
        let known = |edge: Edge| encoder.known(edge).expect("roots are encoded");
        // After a step that ends the game nobody arrives anywhere.
        step.solver.add_clause(&[known(arena.holds)]);
        step.solver.add_clause(&[!known(arena.bad)]);
        for (edge, latch) in arena.next.iter().zip(&step.latches) {
            let next = known(*edge);
            step.solver.add_clause(&[!next, *latch]);
            step.solver.add_clause(&[next, !*latch]);
        }
        let latches = lits[..arena.latches.len()].to_vec();
        Arrive { before: Before { latches }, step }
    }

    /// Whether some state of the cube is entered from outside of it and has a response to the inputs that stays,
    /// in what is left; the cube has no first state.
    fn keeps(&mut self, cube: &[State], inputs: &[Lit], ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
        let inside = Step::inside(cube, &self.step.latches);
        let outside = Step::outside(cube, &self.before.latches);
        let all = [inputs, &inside].concat();
        ask(&mut self.step.solver, &all, Some(&outside), ctx)
    }

    fn take_away(&mut self, cube: &[State]) {
        let Step { latches, next, holds, .. } = &self.step;
        let here = Step::outside(cube, latches);
        let mut there = Step::outside(cube, next);
        there.push(!*holds);
        let before = Step::outside(cube, &self.before.latches);
        for clause in [here, there, before] {
            self.step.solver.add_clause(&clause);
        }
    }
}
