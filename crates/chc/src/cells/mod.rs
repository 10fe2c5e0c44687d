//! Arrays by cells: invariants that hold of every element.
//!
//! The system is abstracted to one that speaks of some cells of each array (`abstraction`), which has
//! no arrays and is solved by property-directed reachability. Its solution says something of every
//! index: `∀i. P'(x, i, a[i])` is the definition of `P(x, a)`, lemma by lemma, and is proved on the
//! clauses as given. What the abstract system derives is tried on the system (`replay`): it is a
//! derivation there as well, or the abstraction says too little. Then predicates speak of two cells of
//! each array, and after that atoms get instances at more indices, which costs more and seldom helps.
//!
//! - `bases`: where arrays begin
//! - `reading`: terms without arrays
//! - `abstraction`: clauses about cells
//! - `meaning`: what solutions say about arrays
//! - `replay`: derivations about cells, tried on arrays

mod abstraction;
mod bases;
mod meaning;
mod reading;
mod replay;
#[cfg(test)]
mod tests;

use abstraction::{Abstraction, Detail, abstraction};
use alphorn_engine::{Card, Ctx, Engine, Event, Stop};
use alphorn_horn::evidence::{Outcome, prove};
use alphorn_horn::readable::tidied;
use alphorn_horn::transform::{Simplified, TRANSFORMS, TransformCard, conjuncts, simplify_with};
use alphorn_problem::{Finding, Horn};
use alphorn_term::SortId;
use meaning::quantified;

/// Registry entry.
pub const CARD: Card<Horn> = Card {
    name: "cells",
    about: "decides by invariants that hold of every cell of arrays, or of every two [MG16]",
    proves: true,
    refutes: true,
    build: || Box::new(Cells { details: &[ONE, TWO, ONE_EAGER, TWO_EAGER] }),
};

/// The engine that begins with two cells.
pub const PAIRS: Card<Horn> = Card {
    name: "cells-pairs",
    about: "decides by invariants that hold of every two cells of arrays [MG16]",
    proves: true,
    refutes: true,
    build: || Box::new(Cells { details: &[TWO, TWO_EAGER] }),
};

const ONE: Detail = Detail { copies: 1, is_eager: false };
const ONE_EAGER: Detail = Detail { copies: 1, is_eager: true };
const TWO: Detail = Detail { copies: 2, is_eager: false };
const TWO_EAGER: Detail = Detail { copies: 2, is_eager: true };

struct Cells {
    /// What is tried, one after the other.
    details: &'static [Detail],
}

impl Engine<Horn> for Cells {
    fn run(&mut self, horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Finding<Horn>, Stop> {
        let is_plain = |&sort: &SortId| reading::is_plain(&horn.terms, sort);
        if horn.pred_ids().all(|pred| horn.pred_args(pred).iter().all(is_plain)) {
            return Err(Stop::Unsupported("no predicate has arrays".to_owned()));
        }
        for &detail in self.details {
            let cells = abstraction(horn, detail, ctx)?;
            if let Some(finding) = solve(horn, &cells, ctx)? {
                return Ok(finding);
            }
            let Detail { copies, is_eager } = detail;
            let more = if is_eager { ", at more indices," } else { "" };
            ctx.emit(Event::Remark(format!("invariants of {copies} cells{more} are not enough")));
        }
        Err(Stop::Stuck("invariants of so few cells are not enough".to_owned()))
    }
}

/// A model of the system by one of the abstraction, or a derivation that uses the same clauses as
/// one of the abstraction; none if the abstraction derives what the system does not.
fn solve(
    horn: &Horn,
    cells: &Abstraction,
    ctx: &mut Ctx<'_>,
) -> Result<Option<Finding<Horn>>, Stop> {
    let finding = ctx.apart(|ctx| {
        let is_chosen = |card: &&TransformCard| card.is_default || card.name == "congruences";
        let chosen: Vec<&TransformCard> = TRANSFORMS.iter().filter(is_chosen).collect();
        let Simplified { horn: small, back, .. } = simplify_with(&cells.horn, &chosen, ctx)?;
        let mut engine = (crate::pdr::CARD.build)();
        match engine.run(&small, ctx)? {
            holds @ Finding::Holds(_) => back.finding(holds, ctx).map(Some),
            // What cannot be carried back cannot be tried either.
            derived => Ok(back.finding(derived, ctx).ok()),
        }
    })?;
    let claim = match finding {
        None => return Ok(None),
        Some(Finding::Holds(claim)) => tidied(&cells.horn, claim),
        Some(Finding::Fails(derivation)) => {
            return Ok(replay::replay(horn, &derivation, ctx)?.map(Finding::Fails));
        }
    };
    let mut terms = claim.terms;
    let mut tried = Vec::new();
    for is_twofold in [false, true] {
        let mut definitions = Vec::with_capacity(horn.preds.len());
        for (pred, definition) in horn.pred_ids().zip(&claim.preds) {
            let meaning = quantified(horn, cells, &mut terms, pred, definition, is_twofold);
            definitions.push(meaning);
        }
        let sizes: Vec<usize> =
            definitions.iter().map(|meaning| conjuncts(&terms, meaning.body).len()).collect();
        if tried == sizes {
            break;
        }
        tried = sizes;
        match prove(horn, terms.clone(), definitions, ctx)? {
            Outcome::Proved(model) => return Ok(Some(Finding::Holds(model.into_claim()))),
            Outcome::Failed(failures) => {
                let clause = failures.first().map_or(0, |failure| failure.clause.index());
                let text = "what holds of all cells is not proved of arrays";
                ctx.emit(Event::Remark(format!("{text} at clause {clause}")));
            }
        }
    }
    Ok(None)
}
