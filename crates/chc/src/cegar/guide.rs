//! Interpolation abstraction: interpolants in terms of templates.
//!
//! A contradiction has many interpolants, and a proof gives the one it happens to need. So a vertex of an
//! unfolding is cut off from the one above it: it has variables of its own, and only the values of some
//! templates are the same on both sides. If the tree is still contradictory, interpolants can be
//! said by these templates. The cheapest are tried first, all of a price at all vertices at once; of those that
//! suffice, the contradiction's core is kept, and of that, what cannot be left out, the dearest first.
//!
//! After Leroux, Rümmer, Subotić, "Guiding Craig interpolation with domain-specific abstractions" (Acta Informatica
//! 2016). Where we differ: the lattice is searched by price and core, and a vertex has a set of its own.

use super::templates::{Template, Templates};
use super::unfolding::{ROOT, Unfolding};
use crate::la::interpolants::interpolants_of;
use crate::la::system::{Pred, System};
use crate::settings::{CEGAR_GUIDED_CONFLICTS, CEGAR_MAX_GUIDED, CEGAR_MAX_LEFT_OUT};
use alphorn_engine::{Ctx, Stop};
use alphorn_horn::ask::ask_within;
use alphorn_smt::interpolate::{Strength, tree};
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{Store, Substitution, TermId};
use rustc_hash::FxHashSet;

/// A template at a vertex.
#[derive(Clone, Copy)]
struct Link {
    vertex: usize,
    template: Template,
    /// Its value below, and above.
    sides: (TermId, TermId),
    /// That both are tied together.
    tied: TermId,
}

/// The interpolants of a contradictory unfolding by the cheapest templates that suffice, over the parameters of
/// symbols; nothing if they are not found with little effort.
pub(super) fn guided(
    unfolding: &Unfolding<'_>,
    system: &System,
    templates: &mut Templates,
    store: &mut Store,
    ctx: &mut Ctx<'_>,
) -> Result<Vec<(Pred, TermId)>, Stop> {
    let members: Vec<usize> = (0..unfolding.vertices.len())
        .filter(|&vertex| unfolding.vertices[vertex].branches.is_some())
        .collect();
    if members.len() > CEGAR_MAX_GUIDED.size() {
        return Ok(Vec::new());
    }
    let maps = apart(unfolding, store);
    let formulas = formulas(unfolding, &maps, store);
    let mut links: Vec<Link> = Vec::new();
    for &vertex in members.iter().filter(|&&vertex| vertex != ROOT) {
        links.extend(links_of(unfolding, system, templates, vertex, &maps, store, ctx)?);
    }
    let mut smt = Smt::new(Options::default());
    for &vertex in &members {
        smt.assert(store, formulas[vertex]);
    }
    match cheapest(&mut smt, links, store, ctx)? {
        Some(chosen) => interpolate(unfolding, system, &members, formulas, &chosen, store, ctx),
        None => Ok(Vec::new()),
    }
}

/// Variables for the parameters of each unfolded vertex.
fn apart(unfolding: &Unfolding<'_>, store: &mut Store) -> Vec<Substitution> {
    let mut maps = Vec::with_capacity(unfolding.vertices.len());
    for vertex in &unfolding.vertices {
        let mut map = Substitution::default();
        if vertex.branches.is_some() {
            for &param in &vertex.params {
                map.insert(param, store.fresh_var("here", store.sort(param)));
            }
        }
        maps.push(map);
    }
    maps
}

/// What each unfolded vertex says in its own variables, with the labels of those below it that are not.
fn formulas(unfolding: &Unfolding<'_>, maps: &[Substitution], store: &mut Store) -> Vec<TermId> {
    let mut parts: Vec<Vec<TermId>> = vec![Vec::new(); maps.len()];
    for vertex in 0..maps.len() {
        let it = &unfolding.vertices[vertex];
        let at = match (&it.branches, it.above) {
            (None, Some(above)) => above,
            _ => vertex,
        };
        for demand in unfolding.demands(vertex, store) {
            parts[at].push(store.substitute(demand, &maps[at]));
        }
    }
    parts.into_iter().map(|parts| store.and(&parts)).collect()
}

/// The templates that may tie a vertex to the one above it.
fn links_of(
    unfolding: &Unfolding<'_>,
    system: &System,
    templates: &mut Templates,
    vertex: usize,
    maps: &[Substitution],
    store: &mut Store,
    ctx: &mut Ctx<'_>,
) -> Result<Vec<Link>, Stop> {
    let it = &unfolding.vertices[vertex];
    let (Some(pred), Some(above)) = (unfolding.pred(vertex), it.above) else {
        return Ok(Vec::new());
    };
    let all = templates.of(store, system, pred, ctx)?.to_vec();
    let mut links = Vec::with_capacity(all.len());
    for template in all {
        let there = store.rename(template.term, &system.params[pred], &it.params);
        let sides = (store.substitute(there, &maps[vertex]), store.substitute(there, &maps[above]));
        let tied = template.tie.holds(store, sides.0, sides.1);
        links.push(Link { vertex, template, sides, tied });
    }
    Ok(links)
}

/// Links that suffice for a contradiction, as cheap as little effort finds them.
fn cheapest(
    smt: &mut Smt,
    links: Vec<Link>,
    store: &mut Store,
    ctx: &mut Ctx<'_>,
) -> Result<Option<Vec<Link>>, Stop> {
    let mut prices: Vec<u32> = links.iter().map(|link| link.template.cost).collect();
    prices.sort_unstable();
    prices.dedup();
    let conflicts = CEGAR_GUIDED_CONFLICTS.get();
    let tied = |links: &[Link]| links.iter().map(|link| link.tied).collect::<Vec<TermId>>();
    let mut chosen = None;
    for price in prices {
        let affordable: Vec<Link> =
            links.iter().copied().filter(|link| link.template.cost <= price).collect();
        match ask_within(smt, store, &tied(&affordable), conflicts, ctx)? {
            Answer::Unknown => return Ok(None),
            Answer::Sat => {}
            Answer::Unsat => {
                chosen = Some(in_core(smt, affordable));
                break;
            }
        }
    }
    let Some(mut chosen) = chosen else { return Ok(None) };
    // The dearest first, and near the root before what is below.
    chosen.sort_by_key(|link| (std::cmp::Reverse(link.template.cost), link.vertex));
    let (mut place, mut tried) = (0, 0);
    while place < chosen.len() && tried < CEGAR_MAX_LEFT_OUT.size() {
        tried += 1;
        let mut fewer = chosen.clone();
        fewer.remove(place);
        match ask_within(smt, store, &tied(&fewer), conflicts, ctx)? {
            Answer::Unsat => chosen = in_core(smt, fewer),
            _ => place += 1,
        }
    }
    Ok(Some(chosen))
}

/// The links that the last contradiction needs.
fn in_core(smt: &Smt, links: Vec<Link>) -> Vec<Link> {
    let core: FxHashSet<TermId> = smt.failed().into_iter().collect();
    links.into_iter().filter(|link| core.contains(&link.tied)).collect()
}

/// The interpolants of the tree in which only the chosen templates are tied together.
fn interpolate(
    unfolding: &Unfolding<'_>,
    system: &System,
    members: &[usize],
    mut formulas: Vec<TermId>,
    chosen: &[Link],
    store: &mut Store,
    ctx: &mut Ctx<'_>,
) -> Result<Vec<(Pred, TermId)>, Stop> {
    let mut back: Vec<Substitution> = vec![Substitution::default(); formulas.len()];
    for link in chosen {
        let it = &unfolding.vertices[link.vertex];
        let Some(above) = it.above else { continue };
        let (below_side, above_side) = link.sides;
        let tie = link.template.tie;
        let value = store.fresh_var("tie", store.sort(below_side));
        let below = tie.holds(store, below_side, value);
        let over = tie.holds(store, value, above_side);
        formulas[link.vertex] = store.and(&[formulas[link.vertex], below]);
        formulas[above] = store.and(&[formulas[above], over]);
        back[link.vertex].insert(value, link.template.term);
    }
    let mut number = vec![None; formulas.len()];
    for (place, &vertex) in members.iter().enumerate() {
        number[vertex] = Some(place as u32);
    }
    let above = |&vertex: &usize| unfolding.vertices[vertex].above.and_then(|it| number[it]);
    let parents: Vec<Option<u32>> = members.iter().map(above).collect();
    let labels: Vec<TermId> = members.iter().map(|&vertex| formulas[vertex]).collect();
    let conflicts = CEGAR_GUIDED_CONFLICTS.get();
    let found = interpolants_of(ctx, conflicts, Strength::Weak, |options| {
        tree(store, &labels, &parents, options)
    })?;
    let Some(found) = found else { return Ok(Vec::new()) };
    let mut predicates = Vec::new();
    for (&vertex, interpolant) in members.iter().zip(found) {
        let Some(pred) = unfolding.pred(vertex) else { continue };
        let flag = unfolding.vertices[vertex].flag;
        if flag != TermId::TRUE {
            back[vertex].insert(flag, TermId::TRUE);
        }
        let formula = store.substitute(interpolant, &back[vertex]);
        let own: FxHashSet<TermId> = system.params[pred].iter().copied().collect();
        if store.free_vars(&[formula]).iter().all(|var| own.contains(var)) {
            predicates.push((pred, formula));
        }
    }
    Ok(predicates)
}
