//! Hints of users about the predicates of Horn clauses.
//!
//! Formulas are tried on the clauses as read; those that hold together become part of the bodies, for all transforms
//! and engines. All hints go on to the engines as such, about the predicates that the transforms left: who
//! abstracts by predicates begins with the formulas, and says interpolants by the terms.

use crate::settings::HINTS_MAX_TICKS;
use alphorn_chc::cegar::hints::{Strengthened, strengthen};
use alphorn_engine::{Ctx, Event};
use alphorn_front::diag::{Code, Diagnostic};
use alphorn_problem::Horn;
use alphorn_problem::lemma::HornLemma;

/// The hints of a text about the predicates of a system, or what is wrong with it.
pub fn read_hints(horn: &Horn, text: &[u8]) -> Result<Vec<HornLemma>, Vec<Diagnostic>> {
    let (hints, diagnostics) = alphorn_front::hints::read(text, horn);
    let Some(hints) = hints else { return Err(diagnostics.list) };
    let mut lemmas = Vec::with_capacity(hints.all.len());
    for hint in &hints.all {
        let lemma = HornLemma::of_hint(&hints.terms, hint.pred, &hint.params, hint.term, hint.kind);
        let Some(lemma) = lemma else {
            let text = "hints are of numbers, truth values, words and elements of arrays";
            return Err(vec![Diagnostic::error(Code::Hint, hint.span, text)]);
        };
        lemmas.push(lemma);
    }
    Ok(lemmas)
}

/// The clauses with those of the hints in their bodies that hold together, if there are some.
pub(crate) fn with_hints(
    horn: &Horn,
    hints: &[HornLemma],
    ctx: &mut Ctx<'_>,
) -> Option<Strengthened> {
    if hints.is_empty() {
        return None;
    }
    let trial = ctx.within(HINTS_MAX_TICKS.get(), |ctx| strengthen(horn, hints, ctx));
    let (found, text) = match trial {
        Ok(Some(found)) => {
            let text = format!("formulas of the hints that hold together: {}", found.held);
            (Some(found), text)
        }
        Ok(None) => (None, "no formula of the hints holds by itself".to_owned()),
        Err(stop) => (None, format!("the hints could not be tried: {}", stop.describe())),
    };
    ctx.emit(Event::Remark(text));
    found
}
