//! Reset normalization: reset functions become a first step that is told by a flag.
//!
//! The flag is down in the first step and up from then on. A latch whose reset is a function of inputs
//! and other latches starts with 0, and while the flag is down its readers see the function instead.
//! Resets are constant afterwards, or leave a latch open.
//!
//! Way back: after the first step the states are those of the circuit before, where the flag is up; so
//! I(s) with the flag up, or else s is a first state. Inputs that functions read are quantified in what a
//! first state is, or, where that takes too many gates, the functions are left out, because an invariant
//! cannot speak about inputs: then first states are taken together with inputs that do not belong to them,
//! and where that matters no set of states is an invariant (the checker's PROOFS.md shows it). Whether it
//! matters shows when the claim is proved, which is therefore tried on the way back; where it does, a short induction
//! takes the place of the invariant, or the answer is lost. Inductions need no change, but lemmas are lost, which
//! do not hold in first states.

use super::Change;
use super::facts::{Facts, completed_with, conjunction, disjunction, on_paths};
use super::flag::{with_flag, without_flag};
use super::graph::{Graph, first_values};
use crate::certify::certify;
use crate::circuit::resets::{graph, reset_states, resets_read_inputs, tied};
use crate::circuit::{latch_of, step_cone};
use crate::settings::RESETS_MAX_STEPS;
use alphorn_engine::{Back, Ctx, Lost, Stop};
use alphorn_problem::Circuit;
use alphorn_problem::circuit::{And, Lit};
use alphorn_problem::evidence::circuit::{CircuitClaim, Invariant, Trace};
use alphorn_sat::aig::{Aig, Edge, Node};

/// The transform.
pub(super) fn apply(circuit: &Circuit, _: &mut Ctx<'_>) -> Result<Option<Change>, Stop> {
    let is_function =
        |index: usize| circuit.latches[index].reset.var() != 0 && !circuit.is_uninitialised(index);
    let functions: Vec<usize> = (0..circuit.latches.len()).filter(|l| is_function(*l)).collect();
    if functions.is_empty() {
        return Ok(None);
    }
    let (mut wide, flag) = with_flag(circuit, Lit::FALSE);
    wide.latches[circuit.latches.len()].next = Lit::TRUE;
    let mut firsts = Vec::new();
    let graph = Graph::new(&wide, |aig, var, edge| {
        let Some(latch) = latch_of(circuit, var) else { return edge };
        if firsts.is_empty() {
            firsts = first_values(&wide, aig);
        }
        match is_function(latch) {
            true => aig.ite(aig.input(flag.var() - 1), edge, firsts[latch]),
            false => edge,
        }
    });
    let reset = |(index, latch): (usize, &alphorn_problem::circuit::Latch)| match latch.reset {
        Lit::TRUE => Edge::TRUE,
        _ if wide.is_uninitialised(index) => graph.aig.input(wide.latch(index).var() - 1),
        _ => Edge::FALSE,
    };
    let resets: Vec<Edge> = wide.latches.iter().enumerate().map(reset).collect();
    let constraints: Vec<Edge> = wide.constraints.iter().map(|l| graph.edge(*l)).collect();
    let small = graph.circuit(&wide, &resets, &constraints);

    let keeps_paths = Facts::default().keeps_paths(&wide, &small);
    let first = first_states(circuit);
    let before = circuit.clone();
    let (inputs, latches) = (circuit.inputs, circuit.latches.len() as u32);
    let after = circuit.clone();
    let is_tied = resets_read_inputs(circuit);
    let back = Back::searching(
        move |claim: CircuitClaim, ctx| {
            let invariant = on_paths(claim.invariant, keeps_paths)?;
            let later = without_flag(invariant, inputs, latches, true);
            let mut invariant = with_first(later, &first, inputs)?;
            if is_tied {
                invariant = untied(&before, claim.property, invariant, ctx)?;
            }
            Ok(CircuitClaim { invariant, ..claim })
        },
        move |mut trace: Trace, _| {
            trace.start.truncate(latches as usize);
            Ok(completed_with(&after, &[], &trace))
        },
    );
    let about = format!("{} reset functions are evaluated in the first step", functions.len());
    Ok(Some(Change { circuit: small, back, about }))
}

/// The invariant if it is one, though first states go with inputs that do not belong to them; otherwise an
/// induction, if there is a short one.
fn untied(
    circuit: &Circuit,
    property: usize,
    invariant: Invariant,
    ctx: &mut Ctx<'_>,
) -> Result<Invariant, Stop> {
    if matches!(invariant, Invariant::KInductive { .. }) {
        return Ok(invariant);
    }
    let inductions = (0..=RESETS_MAX_STEPS.size()).map(|k| Invariant::induction(k, false));
    for tried in [invariant].into_iter().chain(inductions) {
        match certify(circuit, property, tried.clone(), ctx) {
            Ok(_) => return Ok(tried),
            Err(Stop::Stuck(_)) => {}
            Err(stop) => return Err(stop),
        }
    }
    Err(tied())
}

/// What is true of first states, as a circuit over latches; functions that read too many inputs are left
/// out.
fn first_states(circuit: &Circuit) -> Circuit {
    let mut aig = graph(circuit);
    if let Ok(states) = reset_states(circuit, &mut aig) {
        return gates(&aig, states);
    }
    let latches: Vec<Edge> =
        (0..circuit.latches.len()).map(|index| aig.input(index as u32)).collect();
    let mut all = Edge::TRUE;
    for (index, latch) in circuit.latches.iter().enumerate() {
        if latch.reset.var() == 0 || circuit.is_uninitialised(index) {
            let is_as_reset = match latch.reset.var() {
                0 => latches[index].xor(latch.reset == Lit::FALSE),
                _ => Edge::TRUE,
            };
            all = aig.and(all, is_as_reset);
            continue;
        }
        let cone = step_cone(circuit, [latch.reset]);
        if (1..=circuit.inputs as usize).any(|var| cone[var]) {
            continue;
        }
        let mut edges = vec![Edge::FALSE; cone.len()];
        for (place, edge) in latches.iter().enumerate() {
            edges[circuit.latch(place).var() as usize] = *edge;
        }
        let edge = |edges: &[Edge], lit: Lit| edges[lit.var() as usize].xor(lit.is_negated());
        for (place, and) in circuit.ands.iter().enumerate() {
            let var = circuit.gate(place).var() as usize;
            if cone[var] {
                let (left, right) = (edge(&edges, and.left), edge(&edges, and.right));
                edges[var] = aig.and(left, right);
            }
        }
        let same = aig.equals(latches[index], edge(&edges, latch.reset));
        all = aig.and(all, same);
    }
    gates(&aig, all)
}

/// The function as a circuit with the inputs of its graph.
pub(super) fn gates(aig: &Aig, root: Edge) -> Circuit {
    let mut circuit = Circuit { inputs: aig.inputs(), ..Circuit::default() };
    let mut places = vec![Lit::FALSE; aig.len() as usize];
    for node in aig.cone(&[root]) {
        let lit = |edge: Edge| places[edge.node() as usize].xor(edge.is_negated());
        places[node as usize] = match aig.node(node) {
            Node::False => Lit::FALSE,
            Node::Input(index) => Lit::new(1 + index, false),
            Node::And(left, right) => {
                circuit.ands.push(And { left: lit(right), right: lit(left) });
                circuit.gate(circuit.ands.len() - 1)
            }
        };
    }
    circuit.outputs.push(places[root.node() as usize].xor(root.is_negated()));
    circuit
}

/// The invariant, or a first state.
fn with_first(later: Invariant, first: &Circuit, inputs: u32) -> Result<Invariant, Lost> {
    let later = match later {
        Invariant::KInductive { lemmas, .. } if !lemmas.is_empty() => {
            return Err(Lost("lemmas of an induction need not hold in first states".into()));
        }
        induction @ Invariant::KInductive { .. } => return Ok(induction),
        other => as_gates(other, inputs, first.inputs),
    };
    let mut aig = Aig::new();
    let leaves: Vec<Edge> = (0..first.inputs).map(|_| aig.add_input()).collect();
    let [later, first] = [&later, first].map(|circuit| copied(&mut aig, &leaves, circuit));
    let either = aig.or(later, first);
    Ok(Invariant::Aig(Box::new(gates(&aig, either))))
}

/// An invariant of states as a circuit over `latches` latches.
pub(super) fn as_gates(invariant: Invariant, inputs: u32, latches: u32) -> Circuit {
    match invariant {
        Invariant::Aig(aig) => *aig,
        Invariant::States { latches: listed, states } => disjunction(&listed, &states, latches),
        Invariant::Clauses(clauses) | Invariant::KInductive { lemmas: clauses, .. } => {
            conjunction(clauses, inputs, latches)
        }
        // Transforms see safety only; to say nothing is to prove nothing.
        Invariant::Justice { .. } => conjunction(Vec::new(), inputs, latches),
    }
}

/// The output of a circuit without latches, in a graph, where `leaves` are its inputs.
pub(super) fn copied(aig: &mut Aig, leaves: &[Edge], circuit: &Circuit) -> Edge {
    let mut edges = vec![Edge::FALSE];
    edges.extend(leaves);
    let edge = |edges: &[Edge], lit: Lit| edges[lit.var() as usize].xor(lit.is_negated());
    for and in &circuit.ands {
        let (left, right) = (edge(&edges, and.left), edge(&edges, and.right));
        let gate = aig.and(left, right);
        edges.push(gate);
    }
    edge(&edges, circuit.outputs[0])
}
