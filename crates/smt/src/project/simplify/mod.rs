//! Smaller formulas with the same meaning.
//!
//! What users read, and what solvers are given again and again, passes through here: invariants,
//! lemmas, interpolants, results of elimination. First negations go down to atoms, and arithmetic
//! atoms get one readable form each (`normal`). Then each part of the formula is simplified under
//! what its surroundings say (`context`): of several bounds on one polynomial the tightest is
//! enough (`range`, `facts`), and disjuncts that others cover or complete are merged (`merge`).
//! With an oracle, parts that the rest implies are dropped too (`redundant`).
//!
//! Contextual simplification after Dillig, Dillig, Aiken (SAS 2010). Results depend on the formula
//! alone, not on addresses or time.

mod context;
mod facts;
mod merge;
mod normal;
mod range;
mod redundant;

use super::oracle::Oracle;
use crate::settings::{SIMPLIFY_MAX_NODES, SIMPLIFY_MAX_ROUNDS};
use alphorn_term::{Store, TermId};

/// A formula that equals the given one wherever all of `context` is true, and is often smaller.
pub fn simplify(
    store: &mut Store,
    formula: TermId,
    context: &[TermId],
    oracle: Option<&mut dyn Oracle>,
) -> TermId {
    let context: Vec<TermId> = context.iter().map(|&fact| normal::normal(store, fact)).collect();
    let result = syntactic(store, formula, &context);
    let Some(oracle) = oracle else { return result };
    let mut result = result;
    for _ in 0..SIMPLIFY_MAX_ROUNDS.size() {
        let smaller = redundant::drop_redundant(store, result, &context, oracle);
        if smaller == result {
            break;
        }
        result = syntactic(store, smaller, &context);
    }
    result
}

/// The passes that need no oracle, until nothing changes.
fn syntactic(store: &mut Store, formula: TermId, context: &[TermId]) -> TermId {
    let (mut result, mut budget) = (formula, SIMPLIFY_MAX_NODES.size());
    for _ in 0..SIMPLIFY_MAX_ROUNDS.size() {
        let plain = normal::normal(store, result);
        let smaller = context::in_context(store, plain, context, &mut budget);
        if smaller == result || budget == 0 {
            result = smaller;
            break;
        }
        result = smaller;
    }
    result
}
