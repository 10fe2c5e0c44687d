//! Equality: chains, and equal arguments of the same function.
//!
//! Both rules read the clause as an implication: the disequalities in front are hypotheses, what
//! comes last is the conclusion. A conclusion is compared with what the constructors make of it,
//! which may be false (`1 = 2`); then it is left out of the clause.

use super::context::{Context, is_clause};
use alphorn_problem::evidence::proof::Literal;
use alphorn_term::{Op, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

/// The disequalities form a chain in their order, and its ends are equal.
pub(super) fn transitivity(context: &mut Context, clause: &[Literal]) -> Result<(), String> {
    let is_hypothesis = |l: &&Literal| l.negated && context.sides(l.atom).is_some();
    let count = clause.iter().take_while(is_hypothesis).count();
    // An equality of Booleans may conclude negatively, where one end is a negation.
    for count in [count, count.saturating_sub(1)] {
        let (hypotheses, conclusion) = clause.split_at(count);
        let Some((a, b)) = hypotheses.first().and_then(|l| context.sides(l.atom)) else {
            continue;
        };
        for start in [a, b] {
            let Some(end) = end_of_chain(context, start, hypotheses) else { continue };
            let expected = context.equality(start, end)?;
            if is_clause(conclusion, &[expected]) && conclusion.len() <= 1 {
                return Ok(());
            }
        }
    }
    Err("the disequalities are no chain between the sides of the last literal".to_owned())
}

fn end_of_chain(context: &Context, start: TermId, hypotheses: &[Literal]) -> Option<TermId> {
    let mut end = start;
    for hypothesis in hypotheses {
        end = match context.sides(hypothesis.atom)? {
            (a, b) if a == end => b,
            (a, b) if b == end => a,
            _ => return None,
        };
    }
    Some(end)
}

/// Whether equal arguments of a term make it equal: not of one that binds variables, as the
/// arguments would have to be equal for all values of these.
fn is_function(op: Op) -> bool {
    !matches!(op, Op::Forall | Op::Exists)
}

/// The hypotheses make the arguments of two applications equal, and the conclusion says that the
/// applications are.
pub(super) fn congruence(context: &mut Context, clause: &[Literal]) -> Result<(), String> {
    let Some((&last, hypotheses)) = clause.split_last() else {
        return Err("the clause is empty".to_owned());
    };
    if !last.negated
        && let Some((left, right)) = context.sides(last.atom)
        && are_congruent(context, left, right, hypotheses)?
    {
        return Ok(());
    }
    if let Some((&other, hypotheses)) = hypotheses.split_last()
        && other.negated != last.negated
        && are_congruent(context, other.atom, last.atom, hypotheses)?
    {
        return Ok(());
    }
    let mut candidates = vec![last.atom];
    if let Some((left, right)) = context.sides(last.atom) {
        candidates.extend([left, right]);
    }
    for term in candidates {
        if is_replacement(context, term, last, hypotheses)? {
            return Ok(());
        }
    }
    Err("the disequalities do not make the arguments equal".to_owned())
}

/// Both terms apply the same function, and each pair of different arguments has its disequality.
fn are_congruent(
    context: &mut Context,
    left: TermId,
    right: TermId,
    hypotheses: &[Literal],
) -> Result<bool, String> {
    let store = context.store();
    let (op, sort) = (store.op(left), store.sort(left));
    context.spend(16 * (store.args(left).len() + store.args(right).len()) as u64)?;
    let (first, second) = (store.args(left).to_vec(), store.args(right).to_vec());
    if op != store.op(right)
        || sort != store.sort(right)
        || first.is_empty()
        || first.len() != second.len()
        || !is_function(op)
    {
        return Ok(false);
    }
    let given: FxHashSet<Literal> = hypotheses.iter().copied().collect();
    let mut expected = Vec::new();
    for (&a, &b) in first.iter().zip(&second).filter(|(a, b)| a != b) {
        if context.store().sort(a) != context.store().sort(b) {
            return Ok(false);
        }
        let literal = !context.equality(a, b)?;
        if !given.contains(&literal) {
            return Ok(false);
        }
        expected.push(literal);
    }
    Ok(is_clause(hypotheses, &expected))
}

/// `term` with arguments replaced by what the hypotheses say they equal, and built again, is a
/// term that the conclusion says equals `term`.
fn is_replacement(
    context: &mut Context,
    term: TermId,
    conclusion: Literal,
    hypotheses: &[Literal],
) -> Result<bool, String> {
    if !is_function(context.store().op(term)) {
        return Ok(false);
    }
    context.spend(16 * context.store().args(term).len() as u64)?;
    let mut equal: FxHashMap<TermId, TermId> = FxHashMap::default();
    let args: FxHashSet<TermId> = context.store().args(term).iter().copied().collect();
    for hypothesis in hypotheses {
        let Some((left, right)) = context.sides(hypothesis.atom) else { return Ok(false) };
        let (from, to) = if args.contains(&left) { (left, right) } else { (right, left) };
        if !hypothesis.negated || !args.contains(&from) || equal.insert(from, to).is_some() {
            return Ok(false);
        }
    }
    let args: Vec<TermId> = context.store().args(term).to_vec();
    let replaced: Vec<TermId> = args.iter().map(|arg| *equal.get(arg).unwrap_or(arg)).collect();
    let result = context.make().rebuild(term, &replaced);
    let expected = context.equality(term, result)?;
    Ok(conclusion == expected)
}
