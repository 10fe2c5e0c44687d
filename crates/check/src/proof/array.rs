//! Arrays: what a read comes to after a write, and from arrays that are equal.
//!
//! Reads from constant arrays and at the index just written are settled by the constructors, so
//! the axiom is left for two indices of which it is not known whether they are equal. That equal
//! arrays have equal elements is congruence where one of the reads is a term; a form of the rule
//! here says it where the constructors settle both. That different arrays differ somewhere
//! introduces the place, and is a rule of `quantifier`.

use super::context::{Context, is_clause};
use alphorn_problem::evidence::proof::Literal;
use alphorn_term::{Op, Sort, TermId};

/// The read `term` from a written array gives what was written if the indices are equal, and what
/// was there if not; or two arrays are different, or reads at `term` are equal.
pub(super) fn array(context: &mut Context, clause: &[Literal], term: TermId) -> Result<(), String> {
    context.known(term)?;
    if let [first, rest @ ..] = clause
        && first.negated
        && let Some((left, right)) = context.sides(first.atom)
        && is_index(context, left, term)
        && are_equal_reads(context, rest, [left, right], term)?
    {
        return Ok(());
    }
    let store = context.store();
    let (Op::Select, &[array, index]) = (store.op(term), store.args(term)) else {
        return Err("the term is not a read".to_owned());
    };
    let (Op::Store, &[older, written, value]) = (store.op(array), store.args(array)) else {
        return Err("the term does not read from a written array".to_owned());
    };
    let same_index = context.equality(written, index)?;
    let reads_new = [!same_index, context.equality(term, value)?];
    let below = context.make().select(older, index);
    let reads_old = [same_index, context.equality(term, below)?];
    if is_clause(clause, &reads_new) || is_clause(clause, &reads_old) {
        Ok(())
    } else {
        Err("the clause does not say what the read comes to".to_owned())
    }
}

/// Whether a term is an index of an array.
fn is_index(context: &Context, array: TermId, term: TermId) -> bool {
    let store = context.store();
    match store.sort_of(store.sort(array)) {
        Sort::Array(index, _) => *index == store.sort(term),
        _ => false,
    }
}

/// Whether the literals say that the arrays have one value at the index.
fn are_equal_reads(
    context: &mut Context,
    literals: &[Literal],
    arrays: [TermId; 2],
    index: TermId,
) -> Result<bool, String> {
    let [left, right] = arrays.map(|array| context.make().select(array, index));
    let expected = context.equality(left, right)?;
    Ok(is_clause(literals, &[expected]))
}
