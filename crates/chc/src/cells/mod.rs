//! Arrays by cells: invariants that hold of every element.
//!
//! The system is abstracted to one that speaks of some cells of each array (`abstraction`), which has
//! no arrays and is solved by property-directed reachability, or by predicate abstraction. Its solution
//! says something of every index: `∀i. P'(x, i, a[i])` is the definition of `P(x, a)`, lemma by lemma, and
//! is proved on the clauses as given. What the abstract system derives is tried on the system (`replay`): it is a
//! derivation there as well, or the abstraction says too little. Then predicates speak of a cell and its mirror image, where
//! programs go through arrays from both ends, of two cells of
//! each array, and after that atoms get instances at more indices, which costs more and seldom helps.
//! Each of these is a view, which engines that begin elsewhere share.
//!
//! - `bases`: where arrays begin
//! - `mirrors`: indices that mirror each other
//! - `strides`: counters that step over cells
//! - `reading`: terms without arrays
//! - `abstraction`: clauses about cells
//! - `meaning`: what solutions say about arrays
//! - `replay`: derivations about cells, tried on arrays

mod abstraction;
mod bases;
mod meaning;
mod mirrors;
mod reading;
mod replay;
mod strides;
#[cfg(test)]
mod tests;

use abstraction::{Abstraction, Detail, abstraction};
use alphorn_engine::{Back, Card, Ctx, Engine, Event, Road, Seen, Steps, Stop, View};
use alphorn_horn::evidence::{Outcome, prove};
use alphorn_horn::readable::tidied;
use alphorn_horn::transform::{Simplified, TRANSFORMS, TransformCard, conjuncts, simplify_with};
use alphorn_problem::evidence::horn::HornClaim;
use alphorn_problem::{Finding, Horn};
use alphorn_term::SortId;
use meaning::quantified;
use std::sync::Arc;

/// Registry entry.
pub const CARD: Card<Horn> = Card {
    name: "cells",
    about: "decides by invariants that hold of every cell of arrays, or of every two [MG16]",
    proves: true,
    refutes: true,
    build: || Box::new(Cells { views: &FROM_ONE, engine: &crate::pdr::CARD }),
};

/// The engine that begins with two cells.
pub const PAIRS: Card<Horn> = Card {
    name: "cells-pairs",
    about: "decides by invariants that hold of every two cells of arrays [MG16]",
    proves: true,
    refutes: true,
    build: || Box::new(Cells { views: &FROM_TWO, engine: &crate::pdr::CARD }),
};

/// The engine that solves systems about cells by predicate abstraction.
pub const CEGAR: Card<Horn> = Card {
    name: "cells-cegar",
    about: "like cells, with predicate abstraction for what is said of cells [MG16, RHK13a]",
    proves: true,
    refutes: true,
    build: || Box::new(Cells { views: &FROM_ONE, engine: &crate::cegar::CARD }),
};

/// A view of so many cells of each array, eagerly at more indices or not.
macro_rules! view {
    ($name:literal, $copies:literal, $is_eager:literal) => {
        View {
            name: $name,
            steps: Steps::Changed,
            make: |horn, ctx| {
                let detail = Detail { copies: $copies, is_eager: $is_eager, is_mirrored: false };
                make(horn, detail, ctx)
            },
        }
    };
}

static ONE: View<Horn, Horn> = view!("a cell of each array", 1, false);
static ONE_EAGER: View<Horn, Horn> = view!("a cell of each array at more indices", 1, true);
static MIRRORED: View<Horn, Horn> = View {
    name: "a cell of each array and its image at the other end",
    steps: Steps::Changed,
    make: |horn, ctx| make(horn, Detail { copies: 1, is_eager: false, is_mirrored: true }, ctx),
};
static TWO: View<Horn, Horn> = view!("two cells of each array", 2, false);
static TWO_EAGER: View<Horn, Horn> = view!("two cells of each array at more indices", 2, true);

/// What is tried, beginning with one cell or with two.
static FROM_ONE: [&View<Horn, Horn>; 5] = [&ONE, &MIRRORED, &TWO, &ONE_EAGER, &TWO_EAGER];
static FROM_TWO: [&View<Horn, Horn>; 3] = [&MIRRORED, &TWO, &TWO_EAGER];

struct Cells {
    /// What is tried, one after the other.
    views: &'static [&'static View<Horn, Horn>],
    /// Who solves what is said of cells.
    engine: &'static Card<Horn>,
}

impl Engine<Horn> for Cells {
    fn run(&mut self, horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Finding<Horn>, Stop> {
        for &view in self.views {
            let mut road = Road { view, engine: self.engine };
            match road.run(horn, ctx) {
                // The view says too little, or more than can be proved of arrays.
                Err(Stop::Stuck(reason)) => {
                    ctx.emit(Event::Remark(format!("{} is not enough: {reason}", view.name)));
                }
                ended => return ended,
            }
        }
        Err(Stop::Stuck("invariants of so few cells are not enough".to_owned()))
    }
}

/// A system that speaks of cells, simplified. A model of it is one of the system as given, if that can be
/// proved; a derivation of it shows which clauses to use.
fn make(horn: &Horn, detail: Detail, ctx: &mut Ctx<'_>) -> Result<Seen<Horn, Horn>, Stop> {
    let is_plain = |&sort: &SortId| reading::is_plain(&horn.terms, sort);
    if horn.pred_ids().all(|pred| horn.pred_args(pred).iter().all(is_plain)) {
        return Err(Stop::Unsupported("no predicate has arrays".to_owned()));
    }
    let Simplified { horn, back: to_given, .. } = with_strides(horn, ctx)?;
    let cells = Arc::new(abstraction(&horn, detail, ctx)?);
    let is_chosen = |card: &&TransformCard| card.is_default || card.name == "congruences";
    let chosen: Vec<&TransformCard> = TRANSFORMS.iter().filter(is_chosen).collect();
    let Simplified { horn: small, back, .. } = simplify_with(&cells.horn, &chosen, ctx)?;
    let horn = Arc::new(horn);
    let original = Arc::clone(&horn);
    let to_arrays = Back::searching(
        move |claim, ctx| about_arrays(&original, &cells, claim, ctx),
        move |derivation, ctx| {
            let replayed = replay::replay(&horn, &derivation, ctx)?;
            replayed.ok_or_else(|| Stop::Stuck("what is derived of cells is not of arrays".into()))
        },
    );
    Ok(Seen::new(small, to_given.after(to_arrays.after(back))))
}

/// The system with what numbers are modulo others, so that steps from cell to cell are seen.
fn with_strides(horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Simplified, Stop> {
    let cards: Vec<&TransformCard> =
        TRANSFORMS.iter().filter(|card| card.name == "congruences").collect();
    simplify_with(horn, &cards, ctx)
}

/// A model of the system with cells as one of the system with arrays.
fn about_arrays(
    horn: &Horn,
    cells: &Abstraction,
    claim: HornClaim,
    ctx: &mut Ctx<'_>,
) -> Result<HornClaim, Stop> {
    let claim = tidied(&cells.horn, claim);
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
            Outcome::Proved(model) => return Ok(model.into_claim()),
            Outcome::Failed(failures) => {
                let clause = failures.first().map_or(0, |failure| failure.clause.index());
                let text = "what holds of all cells is not proved of arrays";
                ctx.emit(Event::Remark(format!("{text} at clause {clause}")));
            }
        }
    }
    Err(Stop::Stuck("what holds of all cells is not proved of arrays".to_owned()))
}
