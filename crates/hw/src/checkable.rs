//! Whether a list of states is short enough to be checked.
//!
//! The checker evaluates a list under everything it leaves open, and refuses one that takes more
//! work than its limit. An engine that knows the limit can say so instead of handing out evidence
//! that nobody will believe. The estimates are the checker's own; the tests compare the limits.

use alphorn_engine::Stop;
use alphorn_problem::circuit::Lit;
use alphorn_problem::evidence::circuit::{CircuitClaim, Invariant};
use alphorn_problem::evidence::words::{ClaimedInvariant, Rows, WordClaim};
use alphorn_problem::obligation::circuit::{cone, first_cone};
use alphorn_problem::{Circuit, Words};
use alphorn_term::value::cardinality;
use alphorn_term::{SortId, TermId};
use rustc_hash::FxHashSet;

/// The word operations the checker spends on any list of states of a circuit, and on each state and
/// wire besides.
pub const CIRCUIT_WORK: u64 = 1 << 28;
const CIRCUIT_WORK_PER_STATE: u64 = 1 << 12;
const CIRCUIT_WORK_PER_WIRE: u64 = 1 << 17;
/// The evaluated subterms the checker spends on any list of states of words, and on each state and
/// tick of making the terms besides.
pub const WORDS_WORK: u64 = 1 << 24;
const WORDS_WORK_PER_STATE: u64 = 1 << 8;
const WORDS_WORK_PER_TICK: u64 = 1 << 8;
/// The largest sort the checker enumerates.
const MAX_ELEMENTS: u64 = 1 << 16;

/// Says that a proof cannot be handed out if it is a list of states too long to be checked.
pub(crate) fn circuit_checkable(circuit: &Circuit, found: &CircuitClaim) -> Result<(), Stop> {
    let Invariant::States { latches, states } = &found.invariant else { return Ok(()) };
    let listed: Vec<Lit> = latches.iter().map(|&index| circuit.latch(index as usize)).collect();
    let nexts = latches.iter().map(|&index| circuit.latches[index as usize].next);
    let bad = circuit.safety()[found.property];
    let constraints = || circuit.constraints.iter().copied();
    let first = first_cone(circuit, listed.iter().copied().chain(constraints()));
    let later = cone(circuit, nexts.chain(constraints()).chain([bad]));
    let last_latch = circuit.inputs + circuit.latches.len() as u32;
    let open_first = first.iter().filter(|var| {
        let latch = var.checked_sub(1 + circuit.inputs).map(|index| index as usize);
        let is_open =
            |index: usize| index < circuit.latches.len() && circuit.is_uninitialised(index);
        latch.is_none_or(is_open)
    });
    let open_later = later.iter().filter(|var| {
        **var <= last_latch && listed.binary_search(&Lit::new(**var, false)).is_err()
    });
    let work = |open: usize, variables: usize| {
        let words = 1u64.checked_shl(open.saturating_sub(6) as u32).unwrap_or(u64::MAX);
        let lanes = 1u64 << open.min(6);
        words.saturating_mul(variables as u64 + lanes * latches.len() as u64)
    };
    let first_work = work(open_first.count(), circuit.max_var() as usize + 1);
    let later_work = work(open_later.count(), later.len() + 1);
    let total = first_work.saturating_add(later_work.saturating_mul(states.len() as u64));
    let wires = u64::from(circuit.max_var()) * CIRCUIT_WORK_PER_WIRE;
    let most = CIRCUIT_WORK + states.len() as u64 * CIRCUIT_WORK_PER_STATE + wires;
    if total > most { Err(too_long(states.len())) } else { Ok(()) }
}

/// Says that a proof cannot be handed out if it is a list of states too long to be checked.
pub(crate) fn words_checkable(system: &Words, found: &WordClaim) -> Result<(), Stop> {
    let (Rows { vars, states }, watched) = match &found.invariant {
        ClaimedInvariant::States(rows) => (rows, &system.bads[found.property]),
        ClaimedInvariant::Home(homing) => (&homing.rows, &system.homes[found.property]),
        _ => return Ok(()),
    };
    let store = &system.terms;
    let constraints: Vec<TermId> = system.constraints.iter().map(|c| c.term).collect();
    let listed: FxHashSet<TermId> = vars.iter().map(|&index| system.states[index].var).collect();
    let count = |vars: &[TermId]| {
        let size = |sort: SortId| cardinality(store, sort).filter(|size| *size <= MAX_ELEMENTS);
        let sizes = vars.iter().map(|&var| size(store.sort(var)).unwrap_or(u64::MAX));
        sizes.fold(1, u64::saturating_mul)
    };
    let among = |free: &[TermId], wanted: &[TermId]| -> Vec<TermId> {
        let free: FxHashSet<TermId> = free.iter().copied().collect();
        wanted.iter().copied().filter(|var| free.contains(var)).collect()
    };

    let mut needed: FxHashSet<TermId> = store.free_vars(&constraints).into_iter().collect();
    needed.extend(&listed);
    for state in system.states.iter().rev().filter(|state| state.init.is_some()) {
        if needed.contains(&state.var) {
            needed.extend(store.free_vars(state.init.as_slice()));
        }
    }
    let needed: Vec<_> = system.states.iter().filter(|s| needed.contains(&s.var)).collect();
    let open: Vec<TermId> = needed.iter().filter(|s| s.init.is_none()).map(|s| s.var).collect();
    let inits: Vec<TermId> = needed.iter().filter_map(|state| state.init).collect();
    let inputs = among(&store.free_vars(&constraints), &system.inputs);
    let first = count(&open).saturating_mul((store.dag_size(&inits) + needed.len()) as u64);
    let tests = (count(&open).saturating_mul(count(&inputs)))
        .saturating_mul((store.dag_size(&constraints) + needed.len()) as u64);

    let mut outputs = constraints;
    outputs.push(watched.term);
    outputs.extend(vars.iter().filter_map(|&index| system.states[index].next));
    let mut others = system.state_vars();
    others.retain(|var| !listed.contains(var));
    others.extend(&system.inputs);
    let others = among(&store.free_vars(&outputs), &others);
    let open = vars.iter().map(|&index| &system.states[index]).filter(|s| s.next.is_none());
    let open: Vec<TermId> = open.map(|state| state.var).collect();
    let steps = count(&others).saturating_mul(states.len() as u64);
    let later = (steps.saturating_mul(store.dag_size(&outputs) as u64))
        .saturating_add(steps.saturating_mul(count(&open)).saturating_mul(vars.len() as u64));
    let total = first.saturating_add(tests).saturating_add(later);
    let terms = store.effort().saturating_mul(WORDS_WORK_PER_TICK);
    let most = WORDS_WORK + states.len() as u64 * WORDS_WORK_PER_STATE;
    if total > most.saturating_add(terms) { Err(too_long(states.len())) } else { Ok(()) }
}

fn too_long(count: usize) -> Stop {
    Stop::Stuck(format!("the property holds, but a list of {count} states is too long to check"))
}
