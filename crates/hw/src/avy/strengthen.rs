//! An interpolant becomes lemmas: only what the trace does not say yet, and in a form it can say.
//!
//! The trace must stay monotone, so at level i only states that are in neither the interpolant nor frame
//! i − 1 can go. Each such state is widened to a cube of them, the part of it that contradicts the
//! interpolant together with a lemma of level i − 1 that it violates, and blocked at level i. It has no
//! predecessor in frame i − 1, since the successors of that frame lie in the interpolant or in the
//! frame itself.
//!
//! Where cubes may speak about gates, the part of a state that contradicts the interpolant is looked for
//! among those of its gates, too, that depend on nothing but latches of the interpolant (`Told`).
//!
//! After Vizel, Gurfinkel, "Interpolating Property Directed Reachability" (CAV 2014), §4.

use crate::ask::{ask, bit, make_variables};
use crate::circuit::{Simulation, first_gate};
use crate::frames::Cube;
use crate::ic3::Trace;
use crate::interpolation::proofs::LatchClauses;
use crate::interpolation::sets::Functions;
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::Circuit;
use alphorn_problem::circuit::Lit as Bit;
use alphorn_sat::aig::{Aig, Edge, Encoder, Encoding, Polarity};
use alphorn_sat::{Lit, Solver, Var};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Sets of states, as a graph and functions in it.
pub(super) struct Sets<'a> {
    circuit: &'a Circuit,
    pub(super) graph: Aig,
    functions: Functions,
    /// The reset states.
    start: Edge,
}

impl<'a> Sets<'a> {
    /// The sets of a graph whose inputs are the latches of a circuit.
    pub(super) fn new(circuit: &'a Circuit, graph: Aig, start: Edge) -> Sets<'a> {
        Sets { circuit, graph, functions: Functions::default(), start }
    }
}

/// A solver over states, whose variable `i` is latch `i`.
struct States {
    solver: Solver,
    encoder: Encoder,
    first: u32,
    latches: u32,
}

impl States {
    fn new(sets: &Sets<'_>) -> States {
        let mut solver = Solver::default();
        let latches = sets.circuit.latches.len() as u32;
        make_variables(&mut solver, latches);
        let mut encoder = Encoder::new(Encoding::PlaistedGreenbaum);
        for index in 0..latches {
            encoder.bind(sets.graph.input(index), Var(index).positive());
        }
        States { solver, encoder, first: sets.circuit.inputs + 1, latches }
    }

    fn assert(&mut self, sets: &Sets<'_>, set: Edge) {
        if set == Edge::FALSE {
            self.solver.add_clause(&[]);
        } else if set != Edge::TRUE {
            self.encoder.assert(&sets.graph, set, &mut self.solver);
        }
    }

    /// The solver's literal for one of the circuit's that depends on no input.
    fn inner(&mut self, sets: &mut Sets<'_>, lit: Lit) -> Lit {
        let index = lit.var().0 - self.first;
        if index < self.latches {
            return Var(index).lit(!lit.is_negated());
        }
        let edge = sets.functions.edge(sets.circuit, &mut sets.graph, bit(lit));
        self.encoder.encode(&sets.graph, edge, Polarity::Both, &mut self.solver)
    }

    fn outer(&self, lit: Lit) -> Lit {
        Var(lit.var().0 + self.first).lit(!lit.is_negated())
    }

    fn exclude(&mut self, sets: &mut Sets<'_>, cube: &Cube) {
        let clause: Vec<Lit> = cube.lits().iter().map(|lit| !self.inner(sets, *lit)).collect();
        self.solver.add_clause(&clause);
    }

    /// The part of the literals that contradicts what is asserted.
    fn core(&mut self, lits: Vec<Lit>, ctx: &mut Ctx<'_>) -> Result<Option<Vec<Lit>>, Stop> {
        let mut lits = lits;
        loop {
            if ask(&mut self.solver, &lits, None, ctx)? {
                return Ok(None);
            }
            let before = lits.len();
            lits.retain(|lit| self.solver.is_failed(*lit));
            lits.reverse();
            if lits.len() == before {
                return Ok(Some(lits));
            }
        }
    }
}

/// The gates over latches of an interpolant, as literals of a solver over states.
struct Told<'a> {
    /// There is one if there are gates.
    simulation: Option<Simulation<'a>>,
    /// The literal of the solver for each gate, all different and none of a latch.
    gates: Vec<(Lit, Var)>,
}

impl<'a> Told<'a> {
    fn new(gates: &[Var], support: &[Lit], sets: &mut Sets<'a>, states: &mut States) -> Told<'a> {
        if gates.is_empty() {
            return Told { simulation: None, gates: Vec::new() };
        }
        let (circuit, first) = (sets.circuit, first_gate(sets.circuit));
        let mut is_told = vec![false; circuit.max_var() as usize + 1];
        support.iter().for_each(|lit| is_told[states.outer(*lit).var().index()] = true);
        for (gate, var) in circuit.ands.iter().zip(first as usize..) {
            let is_within = |bit: Bit| is_told[bit.var() as usize];
            is_told[var] = is_within(gate.left) && is_within(gate.right);
        }
        let mut told: BTreeMap<Var, (Lit, Var)> = BTreeMap::new();
        for gate in gates.iter().filter(|gate| is_told[gate.index()]) {
            let edge = sets.functions.edge(circuit, &mut sets.graph, bit(gate.positive()));
            if edge == Edge::TRUE || edge == Edge::FALSE {
                continue;
            }
            let lit = states.inner(sets, gate.positive());
            if lit.var().0 >= states.latches {
                told.entry(lit.var()).or_insert((lit, *gate));
            }
        }
        let mut gates: Vec<(Lit, Var)> = told.into_values().collect();
        gates.sort_by_key(|(_, gate)| Reverse(*gate));
        Told { simulation: Some(Simulation::new(circuit)), gates }
    }

    /// What the gates are in a state, in which each latch has a literal.
    fn values(&mut self, state: &[Lit]) -> Vec<Lit> {
        let Some(simulation) = &mut self.simulation else { return Vec::new() };
        for (index, lit) in state.iter().enumerate() {
            simulation.set_latch(index, u64::from(!lit.is_negated()));
        }
        simulation.settle();
        let value =
            |(lit, gate): &(Lit, Var)| lit.xor(simulation.value(bit(gate.positive())) & 1 == 0);
        self.gates.iter().map(value).collect()
    }

    /// The circuit's literal for one of the solver.
    fn outer(&self, lit: Lit, states: &States) -> Lit {
        match self.gates.iter().find(|(gate, _)| gate.var() == lit.var()) {
            Some((inner, gate)) => gate.lit(*inner == lit),
            None => states.outer(lit),
        }
    }
}

/// Learns those clauses over latches that hold at a level as they are; returns how many lemmas came of it.
///
/// A clause of a proof need not: it speaks about runs that pass through the interpolants before.
pub(super) fn adopt(
    trace: &mut Trace<'_>,
    level: usize,
    clauses: &LatchClauses,
    ctx: &mut Ctx<'_>,
) -> Result<usize, Stop> {
    let mut count = 0;
    for clause in clauses {
        let cube = Cube::new(clause.iter().map(|lit| !trace.latch(*lit)).collect());
        if trace.frames.blocked(&cube, level).is_none() {
            count += usize::from(trace.block(&cube, level, ctx)?.is_some());
        }
    }
    Ok(count)
}

/// How a level was strengthened.
pub(super) enum Strengthened {
    /// It lies within the interpolant and the frame below, after so many lemmas.
    Done(usize),
    /// `most` lemmas were learned, and more are needed.
    Tired,
    /// A state that the proof excludes has a predecessor: lemmas about counterexamples to
    /// generalization have changed the frames below in the meantime. So many lemmas were learned.
    Outdated(usize),
}

/// Lets frame `level` lie within `interpolant` and the frame below, or learns `most` lemmas towards
/// that.
pub(super) fn strengthen(
    trace: &mut Trace<'_>,
    level: usize,
    sets: &mut Sets<'_>,
    interpolant: Edge,
    most: usize,
    ctx: &mut Ctx<'_>,
) -> Result<Strengthened, Stop> {
    let below: Vec<Cube> = trace.frames.level(level - 1).cloned().collect();
    if interpolant == Edge::TRUE || (level > 1 && below.is_empty()) {
        return Ok(Strengthened::Done(0));
    }
    let [mut outside, mut inside, mut resets] = [(); 3].map(|()| States::new(sets));
    inside.assert(sets, interpolant);
    outside.assert(sets, !interpolant);
    let mut selectors = Vec::new();
    if level == 1 {
        outside.assert(sets, !sets.start);
        resets.assert(sets, sets.start);
    } else {
        for cube in &below {
            let selector = outside.solver.new_var().positive();
            for lit in cube.lits() {
                let lit = outside.inner(sets, *lit);
                outside.solver.add_clause(&[!selector, lit]);
            }
            selectors.push(selector);
        }
        outside.solver.add_clause(&selectors);
    }
    for cube in trace.frames.frame(level) {
        outside.exclude(sets, cube);
    }
    let support: Vec<Lit> =
        sets.graph.support(&[interpolant]).into_iter().map(|index| Var(index).positive()).collect();
    let mut told = Told::new(&trace.gates(), &support, sets, &mut inside);
    let mut count = 0;
    while ask(&mut outside.solver, &[], None, ctx)? {
        if count == most {
            return Ok(Strengthened::Tired);
        }
        let signed = |lit: Lit| lit.xor(outside.solver.value(lit) != Some(true));
        let violated = selectors.iter().position(|lit| outside.solver.value(*lit) == Some(true));
        let everything: Vec<Lit> =
            (0..outside.latches).map(|index| signed(Var(index).positive())).collect();
        let mut state = told.values(&everything);
        state.extend(support.iter().map(|lit| everything[lit.var().index()]));
        let mut lits = inside.core(state, ctx)?.ok_or_else(lost)?;
        lits = lits.into_iter().map(|lit| told.outer(lit, &inside)).collect();
        match violated {
            Some(index) => lits.extend_from_slice(below[index].lits()),
            None => {
                let core = resets.core(everything, ctx)?.ok_or_else(lost)?;
                lits.extend(core.into_iter().map(|lit| resets.outer(lit)));
            }
        }
        let lemma = trace.block(&Cube::new(lits), level, ctx)?;
        let Some(lemma) = lemma else {
            return Ok(Strengthened::Outdated(count));
        };
        outside.exclude(sets, &lemma);
        count += 1;
    }
    Ok(Strengthened::Done(count))
}

fn lost() -> Stop {
    Stop::Stuck("a state lies in a set and in its complement".into())
}
