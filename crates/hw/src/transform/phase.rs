//! Phase abstraction: where a latch toggles in every step, two steps become one.
//!
//! A latch that starts with a constant and negates itself is a clock. In the first of two steps it has
//! its first value, in the second the other; both are constants to the gates of their step, which
//! often makes half of them vanish. A double step has two copies of the inputs. It is bad if its first
//! step is, or if its second one is and satisfies the constraints. The latch, which is of no use as a
//! clock, remembers whether the second step has satisfied them, and a run goes on only then: as a
//! constraint of the double step itself they would hide states from which there is but one step,
//! and the invariant must hold there, too.
//!
//! Way back: the invariant holds where the clock has its first value. For the other states an interpolant
//! serves, between "one step after the invariant" and "bad, or one step before what violates the
//! invariant". An induction over k double steps is one over 2k + 1 steps; its lemmas are lost. Off
//! unless asked for: the interpolant takes a search, and its size is anybody's guess.
//!
//! After Bjesse, Kukula, "Automatic Generalized Phase Abstraction for Formal Verification" (ICCAD 2005).

use super::Change;
use super::facts::completed_with;
use super::graph::Graph;
use super::resets::{as_gates, copied, gates};
use crate::model::until_bad;
use crate::settings::PHASE_CONFLICTS;
use alphorn_engine::{Back, Ctx, Lost, Stop};
use alphorn_problem::Circuit;
use alphorn_problem::circuit::{Latch, Lit};
use alphorn_problem::evidence::circuit::{CircuitClaim, Invariant, Trace};
use alphorn_sat::aig::{Aig, Edge, Encoder, Encoding, Partition, Polarity};
use alphorn_sat::interpolate::Interpolator;
use alphorn_sat::{Answer, Budget, Lit as Literal, Options, Solver, Var};

/// The transform.
pub(super) fn apply(circuit: &Circuit, _: &mut Ctx<'_>) -> Result<Option<Change>, Stop> {
    let is_clock = |index: &usize| {
        let latch = circuit.latches[*index];
        latch.reset.var() == 0 && latch.next == !circuit.latch(*index)
    };
    let (Some(clock), [bad], true) =
        ((0..circuit.latches.len()).find(is_clock), circuit.safety(), circuit.justice.is_empty())
    else {
        return Ok(None);
    };
    let clock = Clock { circuit: circuit.clone(), latch: clock, bad: *bad };
    let small = clock.doubled();
    let about = format!("latch {} is a clock, and two steps become one", clock.latch);
    let other = Clock { circuit: circuit.clone(), ..clock };
    let back = Back::new(
        move |claim: CircuitClaim| {
            let invariant = clock.undoubled(claim.invariant)?;
            Ok(CircuitClaim { invariant, ..claim })
        },
        move |trace| Ok(other.halved(trace)),
    );
    Ok(Some(Change { circuit: small, back, about }))
}

/// A circuit with a latch that toggles.
struct Clock {
    circuit: Circuit,
    latch: usize,
    bad: Lit,
}

/// The functions of a step.
struct Step {
    nexts: Vec<Edge>,
    bad: Edge,
    allowed: Edge,
}

impl Clock {
    /// The clock in first steps, or in second ones.
    fn value(&self, is_second: bool) -> Edge {
        Edge::FALSE.xor((self.circuit.latches[self.latch].reset == Lit::TRUE) != is_second)
    }

    /// A step with these inputs in this state, in which the clock is a constant.
    fn step(&self, aig: &mut Aig, inputs: &[Edge], state: &[Edge], is_second: bool) -> Step {
        let circuit = &self.circuit;
        let mut edges = vec![Edge::FALSE];
        edges.extend(inputs.iter().chain(state));
        edges[circuit.latch(self.latch).var() as usize] = self.value(is_second);
        let edge = |edges: &[Edge], lit: Lit| edges[lit.var() as usize].xor(lit.is_negated());
        for and in &circuit.ands {
            let gate = aig.and(edge(&edges, and.left), edge(&edges, and.right));
            edges.push(gate);
        }
        Step {
            nexts: circuit.latches.iter().map(|latch| edge(&edges, latch.next)).collect(),
            bad: edge(&edges, self.bad),
            allowed: aig.and_n(circuit.constraints.iter().map(|lit| edge(&edges, *lit))),
        }
    }

    /// The circuit whose steps are two of the clock's.
    fn doubled(&self) -> Circuit {
        let circuit = &self.circuit;
        let (inputs, latches) = (circuit.inputs as usize, circuit.latches.len());
        let mut aig = Aig::new();
        let leaves: Vec<Edge> = (0..2 * inputs + latches).map(|_| aig.add_input()).collect();
        let state = &leaves[2 * inputs..];
        let first = self.step(&mut aig, &leaves[..inputs], state, false);
        let second = self.step(&mut aig, &leaves[inputs..2 * inputs], &first.nexts, true);
        let bad_second = aig.and(second.bad, second.allowed);
        let bad = aig.or(first.bad, bad_second);
        let starts_down = self.value(false) == Edge::FALSE;
        let is_alive = state[self.latch].xor(starts_down);
        let stays_alive = second.allowed.xor(starts_down);

        // A circuit that is read off the graph: its literals name edges.
        let mut edges = vec![Edge::FALSE];
        edges.extend(leaves);
        let mut name = |edge: Edge| {
            edges.push(edge);
            Lit::new(edges.len() as u32 - 1, false)
        };
        let nexts: Vec<Lit> = second.nexts.iter().map(|edge| name(*edge)).collect();
        let remembered = name(stays_alive);
        let latch = |(index, next): (usize, Lit)| match index == self.latch {
            true => Latch { next: remembered, reset: Lit::FALSE },
            false => Latch { next, reset: Lit::FALSE },
        };
        let mut names = Circuit {
            inputs: 2 * circuit.inputs,
            latches: nexts.into_iter().enumerate().map(latch).collect(),
            bads: vec![name(bad)],
            symbols: circuit.symbols.clone(),
            comments: circuit.comments.clone(),
            ..Circuit::default()
        };
        for (kind, index, text) in &circuit.symbols.entries {
            if *kind == b'i' {
                let text = format!("{text} in the second step");
                names.symbols.entries.push((b'i', circuit.inputs + index, text));
            }
        }
        names.symbols.entries.retain(|(kind, _, _)| matches!(kind, b'i' | b'l' | b'b'));
        let mut graph = Graph::of_parts(aig, edges);
        let resets = self.resets(&mut graph.aig);
        let constraints = match second.allowed {
            Edge::TRUE => vec![first.allowed],
            _ => vec![first.allowed, is_alive],
        };
        let constraints: Vec<Edge> =
            constraints.into_iter().filter(|edge| *edge != Edge::TRUE).collect();
        graph.circuit(&names, &resets, &constraints)
    }

    /// The resets in a graph that has two copies of the inputs, of which the first counts.
    fn resets(&self, aig: &mut Aig) -> Vec<Edge> {
        let circuit = &self.circuit;
        let inputs = (0..circuit.inputs).map(|index| aig.input(index));
        let first = 2 * circuit.inputs;
        let latches = (0..circuit.latches.len() as u32).map(|index| aig.input(first + index));
        let mut edges: Vec<Edge> = [Edge::FALSE].into_iter().chain(inputs).chain(latches).collect();
        let edge = |edges: &[Edge], lit: Lit| edges[lit.var() as usize].xor(lit.is_negated());
        for and in &circuit.ands {
            let gate = aig.and(edge(&edges, and.left), edge(&edges, and.right));
            edges.push(gate);
        }
        circuit.latches.iter().map(|latch| edge(&edges, latch.reset)).collect()
    }

    /// The run of double steps as one of steps, up to its first bad one.
    fn halved(&self, trace: Trace) -> Trace {
        let inputs = self.circuit.inputs as usize;
        let steps = trace.inputs.iter();
        let steps = steps.flat_map(|step| [step[..inputs].to_vec(), step[inputs..].to_vec()]);
        let trace = Trace { inputs: steps.collect(), ..trace };
        until_bad(&self.circuit, completed_with(&self.circuit, &[], &trace))
    }

    /// The invariant of double steps as one of steps.
    fn undoubled(&self, invariant: Invariant) -> Result<Invariant, Lost> {
        let latches = self.circuit.latches.len() as u32;
        let first = match invariant {
            Invariant::KInductive { k, simple_path: false, lemmas } if lemmas.is_empty() => {
                return Ok(Invariant::induction(2 * k + 1, false));
            }
            Invariant::KInductive { .. } => {
                return Err(Lost("an induction over phases has lemmas or simple paths".into()));
            }
            states => as_gates(states, 2 * self.circuit.inputs, latches),
        };
        let second = self.interpolant(&first)?;
        let mut aig = Aig::new();
        let leaves: Vec<Edge> = (0..latches).map(|_| aig.add_input()).collect();
        let mut fixed = leaves.clone();
        fixed[self.latch] = self.value(false);
        let first = copied(&mut aig, &fixed, &first);
        let second = copied(&mut aig, &leaves, &second);
        let is_first = leaves[self.latch].xor(self.value(false) == Edge::FALSE);
        let both = aig.ite(is_first, first, second);
        Ok(Invariant::Aig(Box::new(gates(&aig, both))))
    }

    /// States between the first and the second step: all that follow the invariant, and none that is bad
    /// or leads out of it.
    fn interpolant(&self, invariant: &Circuit) -> Result<Circuit, Lost> {
        let mut solver = Solver::new(Options { proof: 1, ..Options::default() });
        let between: Vec<Literal> =
            self.circuit.latches.iter().map(|_| solver.new_var().positive()).collect();
        let mut aig = Aig::new();
        let [inputs, later] = [(); 2]
            .map(|()| (0..self.circuit.inputs).map(|_| aig.add_input()).collect::<Vec<Edge>>());
        let mut state: Vec<Edge> = between.iter().map(|_| aig.add_input()).collect();
        let middle = state.clone();
        state[self.latch] = self.value(false);

        let first = self.step(&mut aig, &inputs, &state, false);
        let begin = copied(&mut aig, &state, invariant);
        let begin = aig.and(begin, first.allowed);
        let mut encoder = Encoder::new(Encoding::Tseitin);
        let mut sink = Partition(&mut solver, 0);
        encoder.assert(&aig, begin, &mut sink);
        for (next, lit) in first.nexts.iter().zip(&between) {
            let value = encoder.encode(&aig, *next, Polarity::Both, &mut sink);
            sink.0.add_clause_in(&[!value, *lit], 0);
            sink.0.add_clause_in(&[value, !*lit], 0);
        }

        let second = self.step(&mut aig, &inputs, &middle, true);
        let after = self.step(&mut aig, &later, &second.nexts, false);
        let mut end = second.nexts.clone();
        end[self.latch] = self.value(false);
        let kept = copied(&mut aig, &end, invariant);
        let leaves = aig.and(!kept, after.allowed);
        let fails = aig.or(second.bad, leaves);
        let fails = aig.and(fails, second.allowed);
        let mut encoder = Encoder::new(Encoding::Tseitin);
        for (edge, lit) in middle.iter().zip(&between) {
            encoder.bind(*edge, *lit);
        }
        encoder.assert(&aig, fails, &mut Partition(&mut solver, 1));

        solver.set_budget(Budget { conflicts: Some(PHASE_CONFLICTS.get()), ..Budget::default() });
        let parts = match solver.solve(&[]) {
            Answer::Unsat => solver.trace().zip(solver.conclusion()),
            _ => None,
        };
        let lost = || Lost("no interpolant between the phases".into());
        let (trace, goal) = parts.ok_or_else(lost)?;
        let mut result = Aig::new();
        let places: Vec<Edge> = between.iter().map(|_| result.add_input()).collect();
        let mut place = |var: Var, _: &mut Aig| places[var.index()];
        let interpolant =
            Interpolator::new(trace, goal).binary(2, |part| part == 0, &mut result, &mut place);
        Ok(gates(&result, interpolant.map_err(|_| lost())?))
    }
}
