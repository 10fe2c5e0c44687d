//! Refinement: from abstract derivations that are none to predicates that exclude them.
//!
//! `Refine` is all that the search knows of it. `Interpolating` unfolds the derivations, and takes the
//! interpolants of their formulas: of a tree where there is one derivation, and disjunctive ones, by flags,
//! where there are several, from one proof for a graph where rules are linear (`merged`). An interpolant of a vertex says what of its fact the contradiction needs; each rule,
//! with the interpolants of its atoms, implies that of its head, so with these predicates the same
//! derivations cannot be found again.
//!
//! A contradiction has many interpolants, and which of them are kept by loops shows only later. So beside those
//! of one proof there are others: some that can be said by few templates (`guide`), and sums taken apart.

use super::guide::guided;
use super::merged::Merged;
use super::templates::Templates;
use super::unfolding::{Abstraction, Unfolded, Unfolding};
use crate::la::interpolants::interpolants_of;
use crate::la::system::{Pred, System};
use crate::settings::{
    CEGAR_GUIDED_CONFLICTS, CEGAR_INTERPOLANT_CONFLICTS, CEGAR_MAX_DECOMPOSED, CEGAR_MAX_MERGED,
    CEGAR_MAX_UNLABELLED,
};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::Horn;
use alphorn_problem::evidence::horn::Derivation;
use alphorn_smt::interpolate::{InterpolationOptions, Strength, binary, tree};
use alphorn_term::{Store, TermId};

/// What a refinement came to.
pub(crate) enum Refined {
    /// One of the derivations is a derivation of the system.
    Derived(Derivation),
    /// None is, as these formulas over the parameters of relation symbols tell.
    Predicates(Vec<(Pred, TermId)>),
}

/// From derivations of an abstraction to predicates that exclude them.
pub(crate) trait Refine {
    /// Derives false, or finds formulas by which the derivations are none.
    fn refine(
        &mut self,
        system: (&Horn, &System),
        store: &mut Store,
        derivations: &dyn Abstraction,
        ctx: &mut Ctx<'_>,
    ) -> Result<Refined, Stop>;
}

/// Refinement by interpolants.
pub(crate) struct Interpolating {
    /// Terms in which they should be said, if they should.
    pub(crate) templates: Option<Templates>,
}

impl Refine for Interpolating {
    fn refine(
        &mut self,
        (horn, system): (&Horn, &System),
        store: &mut Store,
        derivations: &dyn Abstraction,
        ctx: &mut Ctx<'_>,
    ) -> Result<Refined, Stop> {
        let mut shared = None;
        if CEGAR_MAX_MERGED.get() > 0
            && let Some(merged) = Merged::of(system, derivations, store)
        {
            if let Some(derivation) = merged.derivation((horn, system), store, ctx)? {
                return Ok(Refined::Derived(derivation));
            }
            shared = merged.separate((system, derivations), store, ctx)?;
            // Templates are for derivations one by one, if they are few.
            if merged.steps_of_paths() > CEGAR_MAX_UNLABELLED.get()
                && let Some(found) = shared
            {
                return Ok(Refined::Predicates(found));
            }
        }
        let mut unfolding = Unfolding::new(horn, system, derivations, store);
        match unfolding.solve(store, ctx)? {
            Unfolded::Derived(derivation) => Ok(Refined::Derived(derivation)),
            Unfolded::Contradictory(labels) => {
                let mut found = match shared {
                    Some(found) => found,
                    None => separate(&unfolding, &labels, store, ctx)?,
                };
                if let Some(templates) = &mut self.templates {
                    found.extend(guided(&unfolding, system, templates, store, ctx)?);
                    found.extend(decomposed(&unfolding, &labels, store, ctx)?);
                }
                Ok(Refined::Predicates(found))
            }
        }
    }
}

/// The interpolants of a contradictory tree, over the parameters of relation symbols.
fn separate(
    unfolding: &Unfolding<'_>,
    labels: &[TermId],
    store: &mut Store,
    ctx: &mut Ctx<'_>,
) -> Result<Vec<(Pred, TermId)>, Stop> {
    let members = members(unfolding, labels);
    let mut number = vec![None; labels.len()];
    for (place, &vertex) in members.iter().enumerate() {
        number[vertex] = Some(place as u32);
    }
    let formulas: Vec<TermId> = members.iter().map(|&vertex| labels[vertex]).collect();
    let above = |&vertex: &usize| unfolding.vertices[vertex].above.and_then(|it| number[it]);
    let parents: Vec<Option<u32>> = members.iter().map(above).collect();
    for strength in [Strength::Weak, Strength::Strong] {
        let conflicts = CEGAR_INTERPOLANT_CONFLICTS.get();
        let found = interpolants_of(ctx, conflicts, strength, |options| {
            tree(store, &formulas, &parents, options)
        })?;
        let Some(found) = found else { continue };
        let mut predicates = Vec::new();
        for (&vertex, interpolant) in members.iter().zip(found) {
            if unfolding.vertices[vertex].branches.is_some() {
                predicates.extend(unfolding.over_params(vertex, interpolant, store));
            }
        }
        return Ok(predicates);
    }
    let text = "an abstract derivation is none, but no formulas were found that say why";
    Err(Stop::Stuck(text.to_owned()))
}

/// What can be said of the lowest vertices by inequalities that are no sums of others, over the parameters of
/// relation symbols.
fn decomposed(
    unfolding: &Unfolding<'_>,
    labels: &[TermId],
    store: &mut Store,
    ctx: &mut Ctx<'_>,
) -> Result<Vec<(Pred, TermId)>, Stop> {
    let mut predicates = Vec::new();
    let is_cut = |&vertex: &usize| unfolding.vertices[vertex].branches.is_some();
    for vertex in (1..labels.len()).filter(is_cut).rev().take(CEGAR_MAX_DECOMPOSED.size()) {
        let mut is_below = vec![false; labels.len()];
        is_below[vertex] = true;
        for other in vertex + 1..labels.len() {
            is_below[other] = unfolding.vertices[other].above.is_some_and(|above| is_below[above]);
        }
        let side = |wanted: bool| {
            let is_there = |&other: &usize| is_below[other] == wanted;
            (0..labels.len()).filter(is_there).map(|other| labels[other]).collect::<Vec<TermId>>()
        };
        let (inside, outside) = (store.and(&side(true)), store.and(&side(false)));
        if inside == TermId::TRUE {
            continue;
        }
        let conflicts = CEGAR_GUIDED_CONFLICTS.get();
        let found = interpolants_of(ctx, conflicts, Strength::Strong, |options| {
            let options = InterpolationOptions { decompose: true, ..options.clone() };
            binary(store, inside, outside, &options)
        })?;
        for interpolant in found.into_iter().flatten() {
            predicates.extend(unfolding.over_params(vertex, interpolant, store));
        }
    }
    Ok(predicates)
}

/// The vertices that have something to say below or at them, and the root.
fn members(unfolding: &Unfolding<'_>, labels: &[TermId]) -> Vec<usize> {
    let mut speaks: Vec<bool> = labels.iter().map(|&label| label != TermId::TRUE).collect();
    if let Some(root) = speaks.first_mut() {
        *root = true;
    }
    for vertex in (0..labels.len()).rev() {
        if let (true, Some(above)) = (speaks[vertex], unfolding.vertices[vertex].above) {
            speaks[above] = true;
        }
    }
    (0..labels.len()).filter(|&vertex| speaks[vertex]).collect()
}
