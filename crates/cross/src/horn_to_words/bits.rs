//! Invariants of the circuit that a transition system is, as formulas over its states.
//!
//! A latch is a bit of a state's word, or a truth value. Clauses, lists of states and circuits over
//! latches say the same of bits. Induction over several steps is not a formula over one state, and
//! neither is what is said of cells of arrays.

use alphorn_engine::Lost;
use alphorn_problem::Words;
use alphorn_problem::circuit::{Circuit, Lit};
use alphorn_problem::evidence::circuit::Invariant;
use alphorn_problem::evidence::words::Abstraction;
use alphorn_problem::obligation::blast::{Goal, Layout};
use alphorn_term::{Bv, Op, Sort, Store, TermId};

/// The formula over the states, in `terms`, that an invariant of the circuit of the first property is.
pub(super) fn formula(
    words: &Words,
    terms: &mut Store,
    abstraction: &Abstraction,
    invariant: &Invariant,
) -> Result<TermId, Lost> {
    let layout = Layout::new(words, Goal::Safety(0), abstraction).map_err(Lost)?;
    let first = 1 + layout.inputs_len();
    let mut bits: Vec<TermId> = Vec::with_capacity(layout.latches_len());
    for (&state, range) in layout.states().iter().zip(layout.latches()) {
        let var = words.states[state].var;
        match words.terms.sort_of(words.terms.sort(var)) {
            Sort::Bool => bits.push(var),
            Sort::BitVec(_) => bits.extend((0..range.len() as u32).map(|at| bit(terms, var, at))),
            _ => return Err(Lost("the invariant speaks of bits of an array".to_owned())),
        }
    }
    let latch = |terms: &mut Store, lit: Lit| -> Result<TermId, Lost> {
        let value = match lit.var() as usize {
            0 => TermId::FALSE,
            var => *bits.get(var.wrapping_sub(first)).ok_or_else(not_latches)?,
        };
        Ok(if lit.is_negated() { terms.not(value) } else { value })
    };
    match invariant {
        Invariant::Clauses(clauses) => {
            let mut all = Vec::with_capacity(clauses.len());
            for clause in clauses {
                let lits: Result<Vec<TermId>, Lost> =
                    clause.iter().map(|&lit| latch(terms, lit)).collect();
                all.push(terms.or(&lits?));
            }
            Ok(terms.and(&all))
        }
        Invariant::States { latches, states } => {
            let mut rows = Vec::with_capacity(states.len());
            for row in states {
                let mut values = Vec::with_capacity(latches.len());
                for (&at, &value) in latches.iter().zip(row) {
                    let bit = *bits.get(at as usize).ok_or_else(not_latches)?;
                    values.push(if value { bit } else { terms.not(bit) });
                }
                rows.push(terms.and(&values));
            }
            Ok(terms.or(&rows))
        }
        Invariant::Aig(circuit) => gates(terms, circuit, &bits),
        Invariant::KInductive { .. } | Invariant::Justice { .. } => {
            Err(Lost("induction over several steps is not a formula over a state".to_owned()))
        }
    }
}

fn not_latches() -> Lost {
    Lost("the invariant speaks of what is no latch".to_owned())
}

/// The bit of a word at a position, as a truth value.
fn bit(terms: &mut Store, word: TermId, at: u32) -> TermId {
    let bit = terms.mk(Op::Extract(at, at), &[word]);
    let one = terms.bv(Bv::from_u64(1, 1));
    terms.eq(bit, one)
}

/// The output of a circuit without latches whose inputs are these truth values.
fn gates(terms: &mut Store, circuit: &Circuit, inputs: &[TermId]) -> Result<TermId, Lost> {
    let mut values: Vec<Option<TermId>> = vec![None; circuit.max_var() as usize + 1];
    values[0] = Some(TermId::FALSE);
    for (at, &input) in inputs.iter().enumerate().take(circuit.inputs as usize) {
        values[at + 1] = Some(input);
    }
    let read = |terms: &mut Store, values: &[Option<TermId>], lit: Lit| -> Result<TermId, Lost> {
        let value = values.get(lit.var() as usize).copied().flatten().ok_or_else(not_latches)?;
        Ok(if lit.is_negated() { terms.not(value) } else { value })
    };
    for (at, and) in circuit.ands.iter().enumerate() {
        let left = read(terms, &values, and.left)?;
        let right = read(terms, &values, and.right)?;
        let var = circuit.inputs as usize + circuit.latches.len() + 1 + at;
        values[var] = Some(terms.and(&[left, right]));
    }
    let output = circuit.outputs.first().copied().ok_or_else(not_latches)?;
    read(terms, &values, output)
}
