//! Arrays by cells: invariants that hold of every element.
//!
//! The system is abstracted to one that speaks of some cells of each array (`abstraction`), which has
//! no arrays and is solved by property-directed reachability. Its solution says something of every
//! index: `∀i. P'(x, i, a[i])` is the definition of `P(x, a)`, lemma by lemma, and is proved on the
//! clauses as given. What the abstract system derives is no derivation of the system, so that the
//! engine only proves; where one cell of each array is not enough, two are tried.
//!
//! - `reading`: terms without arrays
//! - `abstraction`: clauses about cells
//! - `meaning`: what solutions say about arrays

mod abstraction;
mod meaning;
mod reading;
#[cfg(test)]
mod tests;

use crate::evidence::prove;
use crate::transform::{Simplified, simplify};
use abstraction::{Abstraction, abstraction};
use alphorn_engine::{Card, Ctx, Engine, Event, Stop};
use alphorn_problem::{Horn, Lost, Verdict};
use alphorn_term::{Sort, SortId};
use meaning::quantified;

/// Registry entry.
pub(crate) const CARD: Card<Horn> = Card {
    name: "cells",
    about: "proves by invariants that hold of every cell of arrays, or of every two [MG16]",
    proves: true,
    refutes: false,
    build: || Box::new(Cells { copies: &[1, 2] }),
};

/// The engine that begins with two cells.
pub(crate) const PAIRS: Card<Horn> = Card {
    name: "cells-pairs",
    about: "proves by invariants that hold of every two cells of arrays [MG16]",
    proves: true,
    refutes: false,
    build: || Box::new(Cells { copies: &[2] }),
};

struct Cells {
    /// How many cells of each array are tried.
    copies: &'static [usize],
}

impl Engine<Horn> for Cells {
    fn run(&mut self, horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Verdict<Horn>, Stop> {
        let is_plain = |&sort: &SortId| !matches!(horn.terms.sort_of(sort), Sort::Array(..));
        if horn.pred_ids().all(|pred| horn.pred_args(pred).iter().all(is_plain)) {
            return Err(Stop::Unsupported("no predicate has arrays".to_owned()));
        }
        for &copies in self.copies {
            let cells = abstraction(horn, copies, ctx)?;
            if let Some(verdict) = solve(horn, &cells, ctx)? {
                return Ok(verdict);
            }
            ctx.emit(Event::Remark(format!("invariants of {copies} cells are not enough")));
        }
        Err(Stop::Stuck("invariants of so few cells are not enough".to_owned()))
    }
}

/// A model of the system by one of the abstraction, if that has one.
fn solve(
    horn: &Horn,
    cells: &Abstraction,
    ctx: &mut Ctx<'_>,
) -> Result<Option<Verdict<Horn>>, Stop> {
    let verdict = ctx.apart(|ctx| {
        let Simplified { horn: small, back, .. } = simplify(&cells.horn, &[], ctx)?;
        let mut engine = (crate::pdr::CARD.build)();
        match engine.run(&small, ctx)? {
            Verdict::Safe(model) => {
                back.verdict(Verdict::Safe(model)).map_err(|Lost(text)| Stop::Stuck(text))
            }
            derived => Ok(derived),
        }
    })?;
    let Verdict::Safe(model) = verdict else { return Ok(None) };
    let mut terms = model.terms;
    let mut definitions = Vec::with_capacity(horn.preds.len());
    for (pred, definition) in horn.pred_ids().zip(&model.preds) {
        definitions.push(quantified(horn, cells, &mut terms, pred, definition));
    }
    let model = prove(horn, terms, definitions, ctx)?.model(horn)?;
    Ok(Some(Verdict::Safe(model)))
}
