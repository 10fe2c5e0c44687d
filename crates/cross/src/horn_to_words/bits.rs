//! Invariants of the circuit that a transition system is, as formulas over its states.
//!
//! Gates that the outputs of the system are, comparisons of words, are said by these: a comparison bit by bit
//! is as long as its words are wide, and takes as long to prove.
//!
//! A latch is a bit of a state's word, or a truth value. Clauses, lists of states and circuits over
//! latches say the same of bits. Induction over several steps is not a formula over one state, and
//! neither is what is said of cells of arrays.

use alphorn_engine::Lost;
use alphorn_problem::Words;
use alphorn_problem::circuit::{Circuit, Lit};
use alphorn_problem::evidence::circuit::Invariant;
use alphorn_problem::evidence::words::{Abstraction, ClaimedInvariant, WordClaim};
use alphorn_problem::obligation::blast::bits::{Bits, is_atom};
use alphorn_problem::obligation::blast::{Goal, Layout};
use alphorn_term::{Bv, Op, Sort, Store, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

/// A claim about bits as one about words, with the outputs of the system for the gates that they are.
pub(crate) fn said_by_outputs(words: &Words, claim: WordClaim) -> Result<WordClaim, Lost> {
    let ClaimedInvariant::Bits { abstraction, invariant, .. } = &claim.invariant else {
        return Ok(claim);
    };
    let mut terms = words.terms.clone();
    let formula = formula(words, &mut terms, abstraction, invariant)?;
    let invariant = ClaimedInvariant::Formula { terms: Box::new(terms), formula };
    Ok(WordClaim { property: claim.property, invariant })
}

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
        Invariant::Aig(circuit) => gates(terms, circuit, &bits, &named(words)),
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

/// The outputs of a system that are one bit of states.
fn named(words: &Words) -> Vec<TermId> {
    let states: FxHashSet<TermId> = words.states.iter().map(|state| state.var).collect();
    let is_of_states = |term: TermId| {
        is_atom(&words.terms, term)
            && words.terms.free_vars(&[term]).iter().all(|var| states.contains(var))
    };
    words.outputs.iter().map(|output| output.term).filter(|&term| is_of_states(term)).collect()
}

/// The output of a circuit without latches whose inputs are these truth values; gates that comparisons are
/// become them.
fn gates(
    terms: &mut Store,
    circuit: &Circuit,
    inputs: &[TermId],
    comparisons: &[TermId],
) -> Result<TermId, Lost> {
    let mut graph = Bits::default();
    // What gates of the graph say.
    let mut said: FxHashMap<u32, TermId> = FxHashMap::default();
    said.insert(0, TermId::FALSE);
    let mut edges: Vec<Option<Lit>> = vec![None; circuit.max_var() as usize + 1];
    edges[0] = Some(Lit::FALSE);
    for (at, &input) in inputs.iter().enumerate().take(circuit.inputs as usize) {
        let &[edge] = graph.of(terms, input).map_err(Lost)? else { return Err(not_latches()) };
        let term = if edge.is_negated() { terms.not(input) } else { input };
        said.entry(edge.var()).or_insert(term);
        edges[at + 1] = Some(edge);
    }
    for &comparison in comparisons {
        // One that is too large for gates is none of those of the circuit.
        let Ok(&[edge]) = graph.of(terms, comparison) else { continue };
        let term = if edge.is_negated() { terms.not(comparison) } else { comparison };
        said.entry(edge.var()).or_insert(term);
    }
    let value = |terms: &mut Store, said: &FxHashMap<u32, TermId>, edge: Lit| {
        let term = said.get(&edge.var()).copied().ok_or_else(not_latches)?;
        Ok::<TermId, Lost>(if edge.is_negated() { terms.not(term) } else { term })
    };
    let read = |edges: &[Option<Lit>], lit: Lit| -> Result<Lit, Lost> {
        let edge = edges.get(lit.var() as usize).copied().flatten().ok_or_else(not_latches)?;
        Ok(edge.xor(lit.is_negated()))
    };
    for (at, and) in circuit.ands.iter().enumerate() {
        let (left, right) = (read(&edges, and.left)?, read(&edges, and.right)?);
        let edge = graph.aig.and(left, right);
        if !said.contains_key(&edge.var()) {
            let sides = [value(terms, &said, left)?, value(terms, &said, right)?];
            let term = terms.and(&sides);
            said.insert(edge.var(), if edge.is_negated() { terms.not(term) } else { term });
        }
        let var = circuit.inputs as usize + circuit.latches.len() + 1 + at;
        edges[var] = Some(edge);
    }
    let output = circuit.outputs.first().copied().ok_or_else(not_latches)?;
    value(terms, &said, read(&edges, output)?)
}
