//! The way back of one lemma: a formula about a predicate that transforms left, about those as read.
//!
//! A predicate means cases over its parameters, each a condition and a predicate of the changed system on
//! terms. If all facts of that one satisfy a formula, then the facts of the predicate are in that case, with
//! the formula, or in another case. Predicates that were inlined have no meaning and get no lemma: what
//! goes back here are hints for another run, and the way back of models is another one.

use super::change::{Case, Meaning};
use alphorn_problem::hint::Hint;
use alphorn_problem::horn::PredId;
use alphorn_term::{Store, Substitution, TermId};

/// What a hint about a predicate after a change says about `pred`, which has this meaning, if something.
pub(super) fn carry(
    store: &mut Store,
    pred: PredId,
    meaning: &Meaning,
    hint: &Hint,
) -> Option<Hint> {
    let is_about = |case: &Case| {
        !case.is_negated && case.part.as_ref().is_some_and(|(part, _)| *part == hint.pred)
    };
    if !meaning.cases.iter().any(is_about) {
        return None;
    }
    let is_alone = meaning.cases.len() == 1;
    let mut cases = Vec::with_capacity(meaning.cases.len());
    for case in &meaning.cases {
        let said = match &case.part {
            Some((_, args)) if is_about(case) => {
                let map: Substitution =
                    hint.params.iter().copied().zip(args.iter().copied()).collect();
                store.substitute(hint.term, &map)
            }
            _ => TermId::TRUE,
        };
        // What the only case is about is found again by whoever finds it.
        cases.push(if is_alone { said } else { store.and(&[case.condition, said]) });
    }
    let term = store.or(&cases);
    let params = meaning.params.clone();
    (term != TermId::TRUE).then_some(Hint { pred, params, term, kind: hint.kind, span: hint.span })
}
