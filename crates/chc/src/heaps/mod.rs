//! Heaps of typed cells: invariants of programs that build lists and trees in arrays.
//!
//! A heap that was laid out as arrays, one for each field, is a matter of few forms of invariants (`guesses`).
//! Which arguments are pointers, links and tags is found by unification (`pointers`). The view `places`
//! makes one index stand for all, so that what is guessed has no quantifiers while `houdini` drops what does not
//! hold; what is left is said of all indices and proved on the clauses as given. Guesses that derived facts contradict are
//! dropped before (`facts`).
//!
//! - `pointers`: which numbers are indices of which arrays
//! - `places`: clauses with an index that stands for all
//! - `guesses`: the forms
//! - `facts`: guesses that facts contradict

mod facts;
mod guesses;
mod places;
mod pointers;
#[cfg(test)]
mod tests;

use crate::houdini::{Guesses, Houdini};
use crate::settings::HEAPS_MAX_IN_ALL;
use alphorn_engine::{Card, Ctx, Engine, Event, Stop};
use alphorn_horn::transform::{System, conjuncts, weaken};
use alphorn_problem::evidence::horn::{Definition, HornClaim};
use alphorn_problem::{Finding, Horn};
use alphorn_term::{Op, Store};
use facts::Facts;
use guesses::Detail;
use pointers::Heap;

/// Registry entry.
pub const CARD: Card<Horn> = Card {
    name: "heaps",
    about: "keeps of formulas about typed cells of a heap those that hold together [FL01, RKJ08]",
    proves: true,
    refutes: false,
    build: || Box::new(Heaps),
};

struct Heaps;

impl Engine<Horn> for Heaps {
    fn run(&mut self, horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Finding<Horn>, Stop> {
        if has_quantifiers(horn) {
            return Err(Stop::Unsupported("quantifiers in bodies are not treated".to_owned()));
        }
        let heaps = pointers::heaps(&System::of(horn), &horn.terms);
        if heaps.iter().all(|heap| heap.links.is_empty()) {
            return Err(Stop::Unsupported("no array holds indices of arrays".to_owned()));
        }
        let seen = places::with_indices(horn, &heaps, ctx)?;
        let facts = Facts::of(horn, ctx)?;
        for detail in DETAILS {
            if let Some(claim) = claim(&seen, &heaps, &facts, detail, ctx)? {
                return Ok(Finding::Holds(claim));
            }
        }
        Err(Stop::Stuck("what holds of typed cells does not exclude the queries".to_owned()))
    }
}

/// What is tried, one after the other.
const DETAILS: [Detail; 3] = [
    Detail { has_exceptions: false, has_values: false },
    Detail { has_exceptions: true, has_values: false },
    Detail { has_exceptions: true, has_values: true },
];

/// What is left of guesses about cells and is needed, if it excludes the queries.
fn claim(
    seen: &Horn,
    heaps: &[Heap],
    facts: &Facts,
    detail: Detail,
    ctx: &mut Ctx<'_>,
) -> Result<Option<HornClaim>, Stop> {
    let (system, mut store) = (System::of(seen), seen.terms.clone());
    let (mut guesses, mut all) = (Guesses { params: Vec::new(), of: Vec::new() }, 0);
    for (pred, heap) in seen.pred_ids().zip(heaps) {
        let params = system.params(&mut store, pred);
        let guessed = guesses::guesses(&mut store, &params, heap, detail);
        all += guessed.len();
        guesses.of.push(facts.kept(&store, pred.index(), &params, guessed, ctx)?);
        guesses.params.push(params);
    }
    let count: usize = guesses.of.iter().map(Vec::len).sum();
    let text = format!("{count} of {all} formulas about cells that are guessed hold of some facts");
    ctx.emit(Event::Remark(text));
    if count > HEAPS_MAX_IN_ALL.size() {
        return Err(Stop::Stuck("there are too many formulas to guess".to_owned()));
    }
    let mut search = Houdini::new(&system, &mut store, &guesses);
    if !search.run(&mut store, ctx)? {
        return Ok(None);
    }
    let Some(needed) = search.needed(&mut store, ctx)? else { return Ok(None) };
    drop(search);
    let mut definitions = Vec::with_capacity(needed.len());
    for (params, needed) in guesses.params.iter().zip(&needed) {
        definitions.push(Definition { params: params.clone(), body: store.and(needed) });
    }
    weaken(seen, &mut store, &mut definitions, ctx)?;
    let definitions = definitions.into_iter();
    let definitions = definitions.map(|definition| of_all(&mut store, definition)).collect();
    Ok(Some(HornClaim::of(store, definitions)))
}

/// A definition whose last parameter stands for all indices.
fn of_all(store: &mut Store, definition: Definition) -> Definition {
    let Definition { mut params, body } = definition;
    let Some(index) = params.pop() else { return Definition { params, body } };
    let mut parts = conjuncts(store, body);
    for part in &mut parts {
        if store.free_vars(&[*part]).contains(&index) {
            *part = store.forall(&[index], *part);
        }
    }
    Definition { params, body: store.and(&parts) }
}

fn has_quantifiers(horn: &Horn) -> bool {
    let bodies: Vec<_> = horn.clauses.iter().map(|clause| clause.body).collect();
    let is_bound = |&term: &_| matches!(horn.terms.op(term), Op::Forall | Op::Exists);
    horn.terms.subterms(&bodies).iter().any(is_bound)
}
