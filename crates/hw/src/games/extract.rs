//! From a winning region to a controller: a function for each controllable input.
//!
//! Inputs are taken one after the other, and the function of one may read those that are still to come, so that
//! there is no alternation of quantifiers: where the region is kept with one value and not with the other, that
//! value is demanded, and a function between the two demands is learned (`interpolation::learn`), once as
//! clauses and once as cubes; the shorter one stays. Clauses may speak of gates of the game that read nothing that
//! was decided before, for these are there anyway, and of decided inputs that do not depend on this one. What was
//! decided takes the place of its input in all that follows. The game is never conjoined with functions: a
//! response is judged by the game as it is, with functions in the place of inputs.
//!
//! Equal nodes of all functions are merged at the end.
//!
//! After Bloem, Egly, Klampfl, Könighofer, Lonsing, "SAT-Based Methods for Circuit Synthesis" (FMCAD 2014).

use super::arena::Arena;
use crate::interpolation::learn::learn;
use crate::settings::GAMES_MAX_CLAUSES;
use alphorn_engine::{Ctx, Event, Stop};
use alphorn_sat::aig::{Aig, Edge, SweepLimits};

/// The functions of the controllable inputs, in a graph whose inputs are those of the arena.
pub(super) struct Functions {
    pub(super) aig: Aig,
    pub(super) controls: Vec<Edge>,
}

/// How hard equal nodes of the functions are looked for.
const SWEEP: SweepLimits = SweepLimits { conflicts: 100, failures: 400, ticks: 1 << 24 };

/// The functions of a controller that stays in a region; `region` makes it of the values of the latches.
pub(super) fn extract(
    arena: &Arena,
    region: impl Fn(&mut Aig, &[Edge]) -> Edge,
    ctx: &mut Ctx<'_>,
) -> Result<Functions, Stop> {
    let mut aig = arena.aig.clone();
    let latches: Vec<Edge> = (0..arena.latches.len()).map(|at| arena.latch(at)).collect();
    let here = region(&mut aig, &latches);
    let there = region(&mut aig, &arena.next);
    let kept = aig.and(!arena.bad, there);
    let good = aig.or(!arena.holds, kept);
    let mut pass = Pass { arena, here, good, functions: vec![None; arena.controls], aig };
    for control in 0..arena.controls {
        pass.decide(control, ctx)?;
    }
    let controls = pass.composed();
    swept(pass.aig, controls, ctx)
}

/// Functions whose equal nodes are merged.
pub(super) fn swept(aig: Aig, controls: Vec<Edge>, ctx: &mut Ctx<'_>) -> Result<Functions, Stop> {
    let before = aig.size(&controls);
    let (made, roots, ticks) = aig.sweep(&controls, &SWEEP);
    ctx.tick(1 + ticks / 64)?;
    let functions = match made.size(&roots) < before {
        true => Functions { aig: made, controls: roots },
        false => Functions { aig, controls },
    };
    let after = functions.aig.size(&functions.controls);
    ctx.emit(Event::Remark(format!("a controller of {after} gates, {before} before sweeping")));
    Ok(functions)
}

struct Pass<'a> {
    arena: &'a Arena,
    aig: Aig,
    /// The region before the step.
    here: Edge,
    /// Whether a step is good.
    good: Edge,
    /// What has been decided.
    functions: Vec<Option<Edge>>,
}

impl Pass<'_> {
    /// What is demanded of a controllable input: that it is true, and that it is false.
    fn demands(&mut self, control: usize) -> (Edge, Edge) {
        let place = self.arena.control(control);
        let good = self.substituted(&[self.good])[0];
        let one = self.aig.substitute(&[good], |input| (input == place).then_some(Edge::TRUE))[0];
        let zero = self.aig.substitute(&[good], |input| (input == place).then_some(Edge::FALSE))[0];
        let must = self.aig.and_n([self.here, one, !zero]);
        let must_not = self.aig.and_n([self.here, zero, !one]);
        (must, must_not)
    }

    /// Edges with what was decided in the place of inputs, the earliest first, as later functions do not read
    /// what was decided before unless it does not read them.
    fn substituted(&mut self, edges: &[Edge]) -> Vec<Edge> {
        let mut edges = edges.to_vec();
        for control in 0..self.functions.len() {
            let Some(function) = self.functions[control] else { continue };
            let place = self.arena.control(control);
            edges = self.aig.substitute(&edges, |input| (input == place).then_some(function));
        }
        edges
    }

    fn decide(&mut self, control: usize, ctx: &mut Ctx<'_>) -> Result<(), Stop> {
        let (must, must_not) = self.demands(control);
        let shared = self.shared(control);
        let most = GAMES_MAX_CLAUSES.size();
        let (aig, constant) = (&self.aig, |edge| Ok(Some(edge)));
        let found: Result<Option<Edge>, Stop> = if must == Edge::FALSE {
            constant(Edge::FALSE)
        } else if must_not == Edge::FALSE {
            constant(Edge::TRUE)
        } else {
            let clauses = learn(aig, must, must_not, &shared, most, ctx)?;
            let limit = clauses.as_ref().map_or(most, |clauses| size(clauses).min(most));
            let cubes = match limit {
                0 | 1 => None,
                _ => learn(aig, must_not, must, &shared, limit, ctx)?,
            };
            let of = |aig: &mut Aig, clauses: Vec<Vec<Edge>>| {
                let made: Vec<Edge> = clauses.into_iter().map(|clause| aig.or_n(clause)).collect();
                aig.and_n(made)
            };
            let aig = &mut self.aig;
            match (clauses, cubes) {
                (Some(clauses), Some(cubes)) if size(&cubes) < size(&clauses) => {
                    Ok(Some(!of(aig, cubes)))
                }
                (Some(clauses), _) => Ok(Some(of(aig, clauses))),
                (None, Some(cubes)) => Ok(Some(!of(aig, cubes))),
                (None, None) => Ok(None),
            }
        };
        // A demand is itself a function that meets both.
        let function = found?.unwrap_or(must);
        self.functions[control] = Some(function);
        Ok(())
    }

    /// What the function of an input may speak of: latches, inputs of the environment, inputs not decided yet,
    /// and gates of these; gates last, the deeper ones after the others.
    fn shared(&mut self, control: usize) -> Vec<Edge> {
        let arena = self.arena;
        let is_open = |index: u32| {
            let at = (index as usize).checked_sub(arena.control(0) as usize);
            at.is_none_or(|at| at > control)
        };
        let mut roots = arena.next.clone();
        roots.extend([arena.bad, arena.holds]);
        let mut reads_closed = vec![false; self.aig.len() as usize];
        let mut shared = Vec::new();
        let mut gates = Vec::new();
        for node in self.aig.cone(&roots) {
            let edge = Edge::new(node, false);
            match self.aig.node(node) {
                alphorn_sat::aig::Node::False => {}
                alphorn_sat::aig::Node::Input(index) if is_open(index) => shared.push(edge),
                alphorn_sat::aig::Node::Input(_) => reads_closed[node as usize] = true,
                alphorn_sat::aig::Node::And(left, right) => {
                    let closed =
                        reads_closed[left.node() as usize] || reads_closed[right.node() as usize];
                    reads_closed[node as usize] = closed;
                    if !closed {
                        gates.push(edge);
                    }
                }
            }
        }
        let place = arena.control(control);
        for earlier in 0..control {
            let Some(function) = self.functions[earlier] else { continue };
            let function = self.substituted(&[function])[0];
            if !function.is_constant() && !self.aig.support(&[function]).contains(&place) {
                gates.push(function);
            }
        }
        shared.extend(gates);
        shared
    }

    /// The functions of latches and inputs of the environment alone.
    fn composed(&mut self) -> Vec<Edge> {
        let controls: Vec<Edge> =
            (0..self.functions.len()).map(|at| self.aig.input(self.arena.control(at))).collect();
        self.substituted(&controls)
    }
}

/// How long clauses are together.
fn size(clauses: &[Vec<Edge>]) -> usize {
    clauses.iter().map(Vec::len).sum()
}
