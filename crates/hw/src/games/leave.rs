//! The solver that looks for states from which all responses *leave* what the controller should keep to.
//!
//! Few controllable inputs are *expanded*: there is a copy of the step for each of their values, all of which must
//! leave, so that most of what is found has no response at all. What a response keeps is excluded until `G`, the
//! set that must be left, catches up with what was taken away.
//!
//! Invariant: what is excluded is kept in `G` by some response; what was taken away is not looked at.
//!
//! After Bloem, Könighofer, Seidl, "SAT-Based Synthesis Methods for Safety Specs" (VMCAI 2014).

use super::arena::{Arena, State, Step};
use super::region::{Lost, valued};
use crate::ask::ask;
use crate::settings::{GAMES_EXPANDED_GATES, GAMES_MAX_EXPANDED};
use alphorn_engine::{Ctx, Stop};
use alphorn_sat::aig::{Aig, Edge, Encoder, Encoding, Node, Polarity};
use alphorn_sat::{Group, Lit, Solver};

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
pub(super) struct Leave {
    solver: Solver,
    latches: Vec<Lit>,
    others: Vec<Lit>,
    /// The controllable inputs that are expanded.
    expanded: Vec<usize>,
    copies: Vec<Copy>,
    /// What holds until `G` catches up.
    epoch: Group,
    /// What is known of the states that are looked at, for the moment.
    within: Group,
}

impl Leave {
    pub(super) fn new(arena: &Arena) -> Leave {
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
        let (epoch, within) = (solver.new_group(), solver.new_group());
        let mut leave = Leave { solver, latches, others, expanded, copies, epoch, within };
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
    pub(super) fn catch_up(&mut self, lost: &[Lost]) {
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
    pub(super) fn find(&mut self, ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
        let both = [self.epoch.lit(), self.within.lit()];
        ask(&mut self.solver, &both, None, ctx)
    }

    /// Looks outside of a cube from now on.
    pub(super) fn take_away(&mut self, cube: &[State]) {
        let here = Step::outside(cube, &self.latches);
        self.solver.add_clause(&here);
    }

    /// Looks outside of a cube until `widen`.
    pub(super) fn narrow(&mut self, cube: &[State]) {
        let here = Step::outside(cube, &self.latches);
        self.solver.add_to_group(self.within, &here);
    }

    /// Forgets what was said by `narrow`.
    pub(super) fn widen(&mut self) {
        self.solver.release_group(self.within);
        self.within = self.solver.new_group();
    }

    /// The state and the inputs that were found.
    pub(super) fn found(&self) -> (Vec<bool>, Vec<bool>) {
        let values = |lits: &[Lit]| {
            lits.iter().map(|lit| self.solver.value(*lit) == Some(true)).collect::<Vec<_>>()
        };
        (values(&self.latches), values(&self.others))
    }

    /// Excludes the states and inputs that this response keeps in `G`, whatever states are looked at.
    pub(super) fn exclude(
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
            if let Node::Input(input) = arena.aig.node(edge.node())
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
