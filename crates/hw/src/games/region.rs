//! The winning region of the controller, by two solvers that learn from each other.
//!
//! `W` is a set of states, as clauses, that has all states from which the controller can win. One solver looks
//! for a state of `W` and inputs of the environment from which some response *leaves* `G`, a copy of `W` that
//! lags behind; the other for a response that *stays* in `W`. If there is none, the state loses, and with it all
//! states that lose for the same reason: a core over the latches, made small, is taken away from `W`. If
//! there is one, that response keeps a whole region of states and inputs in `G`, which is again a core, and is
//! excluded until `G` catches up. When nothing leaves and `G` is `W`, the controller wins from all of `W`.
//!
//! Few controllable inputs are *expanded*: the first solver has a copy of the step for each of their values, all
//! of which must leave, so that most of what it finds has no response.
//!
//! With *reachability*, a cube may also be taken away if its states either lose or are entered neither by a
//! first state nor by a step from the rest of `W`: nobody will ever be there.
//!
//! Invariant: clauses of `W` are only added; every state that is taken away and that a play can reach loses to
//! the inputs noted with the first cube that has it.
//!
//! After Bloem, Könighofer, Seidl, "SAT-Based Synthesis Methods for Safety Specs" (VMCAI 2014).

use super::arena::{Arena, State, Step, in_model};
use super::stay::Stay;
use crate::ask::ask;
use crate::settings::{GAMES_EXPANDED_GATES, GAMES_MAX_EXPANDED};
use alphorn_engine::{Ctx, Event, Stop};
use alphorn_sat::aig::{Aig, Edge, Encoder, Encoding, Polarity};
use alphorn_sat::{Group, Lit, Solver};

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
    /// Whether the controller wins.
    pub(super) is_won: bool,
}

/// Computes the region; `reachability` says whether states that nobody reaches may be taken away.
pub(super) fn region(arena: &Arena, reachability: bool, ctx: &mut Ctx<'_>) -> Result<Region, Stop> {
    let mut search = Search::new(arena, reachability);
    let is_won = search.run(ctx)?;
    Ok(Region { lost: search.lost, is_won })
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
        let here = Step::outside(&lost.cube, &self.leave.latches);
        self.leave.solver.add_clause(&here);
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

/// One copy of the step among those that must all leave.
struct Copy {
    /// The values of the expanded inputs.
    values: Vec<bool>,
    /// The other controllable inputs.
    controls: Vec<(usize, Lit)>,
    next: Vec<Lit>,
    bad: Lit,
    /// For each clause of `G` a literal that implies that the clause fails after the step.
    fails: Vec<Lit>,
}

/// The solver that looks for states from which responses leave.
struct Leave {
    solver: Solver,
    latches: Vec<Lit>,
    others: Vec<Lit>,
    /// The controllable inputs that are expanded.
    expanded: Vec<usize>,
    copies: Vec<Copy>,
    /// What holds until `G` catches up.
    epoch: Group,
}

impl Leave {
    fn new(arena: &Arena) -> Leave {
        let expanded = expanded(arena);
        let mut aig = Aig::new();
        let shared: Vec<Edge> =
            (0..arena.latches.len() + arena.others).map(|_| aig.add_input()).collect();
        let mut roots = arena.next.clone();
        roots.extend([arena.bad, arena.holds]);
        let mut made = Vec::new();
        for number in 0..1u32 << expanded.len() {
            let values: Vec<bool> = (0..expanded.len()).map(|at| number >> at & 1 == 1).collect();
            let mut controls = vec![Edge::FALSE; arena.controls];
            let mut free = Vec::new();
            for (control, edge) in controls.iter_mut().enumerate() {
                match expanded.iter().position(|one| *one == control) {
                    Some(at) => *edge = if values[at] { Edge::TRUE } else { Edge::FALSE },
                    None => {
                        *edge = aig.add_input();
                        free.push((control, *edge));
                    }
                }
            }
            let input = |_: &mut Aig, index: u32| match shared.get(index as usize) {
                Some(edge) => *edge,
                None => controls[index as usize - shared.len()],
            };
            let copied = aig.import(&arena.aig, &roots, input);
            made.push((values, free, copied));
        }
        let mut solver = Solver::default();
        let mut encoder = Encoder::new(Encoding::Tseitin);
        for index in 0..aig.inputs() {
            let lit = solver.new_var().positive();
            encoder.bind(aig.input(index), lit);
        }
        let all = made.iter().flat_map(|(_, _, edges)| edges.iter());
        let all: Vec<_> = all.map(|edge| (*edge, Polarity::Both)).collect();
        encoder.encode_all(&aig, &all, &mut solver);
        let known = |edge: Edge| encoder.known(edge).expect("roots and inputs have literals");
        let copies = made.iter().map(|(values, free, edges)| {
            let count = arena.latches.len();
            let next = edges[..count].iter().map(|edge| known(*edge)).collect();
            let (bad, holds) = (known(edges[count]), known(edges[count + 1]));
            solver.add_clause(&[holds]);
            let controls = free.iter().map(|(control, edge)| (*control, known(*edge))).collect();
            Copy { values: values.clone(), controls, next, bad, fails: Vec::new() }
        });
        let copies: Vec<Copy> = copies.collect();
        let lits: Vec<Lit> = shared.iter().map(|edge| known(*edge)).collect();
        let (latches, others) = lits.split_at(arena.latches.len());
        let (latches, others) = (latches.to_vec(), others.to_vec());
        let epoch = solver.new_group();
        let mut leave = Leave { solver, latches, others, expanded, copies, epoch };
        leave.begin();
        leave
    }

    /// Says that all copies leave `G` as it is now.
    fn begin(&mut self) {
        for copy in &self.copies {
            let mut clause = vec![copy.bad];
            clause.extend(&copy.fails);
            self.solver.add_to_group(self.epoch, &clause);
        }
    }

    /// Makes `G` what is left when all of these are taken away.
    fn catch_up(&mut self, lost: &[Lost]) {
        self.solver.release_group(self.epoch);
        self.epoch = self.solver.new_group();
        for copy in &mut self.copies {
            for lost in &lost[copy.fails.len()..] {
                let fails = self.solver.new_var().positive();
                for lit in Step::inside(&lost.cube, &copy.next) {
                    self.solver.add_clause(&[!fails, lit]);
                }
                copy.fails.push(fails);
            }
        }
        self.begin();
    }

    /// Whether there is a state from which responses leave.
    fn find(&mut self, ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
        let epoch = self.epoch.lit();
        ask(&mut self.solver, &[epoch], None, ctx)
    }

    /// The state and the inputs that were found.
    fn found(&self) -> (Vec<bool>, Vec<bool>) {
        let values = |lits: &[Lit]| {
            lits.iter().map(|lit| self.solver.value(*lit) == Some(true)).collect::<Vec<_>>()
        };
        (values(&self.latches), values(&self.others))
    }

    /// Excludes the states and inputs that this response keeps in `G`.
    fn exclude(
        &mut self,
        latches: &[bool],
        others: &[bool],
        controls: &[bool],
        ctx: &mut Ctx<'_>,
    ) -> Result<(), Stop> {
        let is_meant = |copy: &&Copy| {
            self.expanded.iter().zip(&copy.values).all(|(at, value)| controls[*at] == *value)
        };
        let copy = self.copies.iter().find(is_meant).expect("every value has a copy");
        let response = copy.controls.iter().map(|(control, lit)| lit.xor(!controls[*control]));
        let fixed: Vec<Lit> = response.chain([self.epoch.lit()]).collect();
        let region = [valued(&self.others, others), valued(&self.latches, latches)].concat();
        let all = [&fixed[..], &region].concat();
        if ask(&mut self.solver, &all, None, ctx)? {
            return Err(Stop::Stuck("a response that stays was said to leave".into()));
        }
        let mut core: Vec<Lit> =
            region.iter().copied().filter(|lit| self.solver.is_failed(*lit)).collect();
        // What is excluded holds for an epoch only: a round of dropping is worth its while.
        let mut at = 0;
        while at < core.len() {
            let mut fewer = core.clone();
            fewer.remove(at);
            let all = [&fixed[..], &fewer].concat();
            if ask(&mut self.solver, &all, None, ctx)? {
                at += 1;
                continue;
            }
            let needed: Vec<Lit> =
                fewer.iter().copied().filter(|lit| self.solver.is_failed(*lit)).collect();
            let is_in_order = needed.len() >= at && needed[..at] == core[..at];
            core = if is_in_order { needed } else { fewer };
        }
        let clause: Vec<Lit> = core.iter().map(|lit| !*lit).collect();
        self.solver.add_to_group(self.epoch, &clause);
        Ok(())
    }
}

/// The controllable inputs that are worth a copy of the step for each value: all, or those that most gates
/// read, as long as the copies stay small.
fn expanded(arena: &Arena) -> Vec<usize> {
    let mut roots = arena.next.clone();
    roots.extend([arena.bad, arena.holds]);
    let gates = arena.aig.size(&roots) + 1;
    let room = GAMES_EXPANDED_GATES.size() / gates;
    let count = (0..=GAMES_MAX_EXPANDED.size().min(arena.controls))
        .rev()
        .find(|count| 1usize << count <= room.max(1))
        .unwrap_or(0);
    let mut reads = vec![0u32; arena.controls];
    for node in arena.aig.cone(&roots) {
        let Some((left, right)) = arena.aig.operands(node) else { continue };
        for edge in [left, right] {
            if let alphorn_sat::aig::Node::Input(input) = arena.aig.node(edge.node())
                && let Some(control) = (input as usize).checked_sub(arena.control(0) as usize)
            {
                reads[control] += 1;
            }
        }
    }
    let mut order: Vec<usize> = (0..arena.controls).collect();
    order.sort_by_key(|control| std::cmp::Reverse(reads[*control]));
    order.truncate(count);
    order.sort_unstable();
    order
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
