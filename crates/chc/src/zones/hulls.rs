//! What few discrete arguments say about the rest: lemmas that all zones satisfy.
//!
//! Zones of a network are many, since processes are in all sorts of places at once; what makes the network right is
//! mostly about two processes and what they share. For each set of up to three discrete arguments, and for each of their
//! values, the zones with these values have a hull over the clocks that belong to the arguments. Values that no zone has
//! are excluded, and bounds of a hull are lemmas, unless fewer arguments say the same already. Of these guesses the
//! largest set that the clauses keep is found as always (`houdini`).

use super::dbm::{Apart, Dbm, FREE, parts};
use super::search::{Node, Search};
use crate::houdini::Guesses;
use crate::settings::ZONES_MAX_LEMMAS;
use alphorn_engine::{Ctx, Stop};
use alphorn_term::{Rat, Store, TermId};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Discrete arguments, ascending, and their values.
type Key = (Vec<usize>, Vec<i64>);

/// The hulls of one predicate.
struct Hulls {
    /// The clocks that belong to each discrete argument, by position in zones.
    owned: Vec<Vec<usize>>,
    /// The clocks that belong to none, with the present time.
    shared: Vec<usize>,
    /// The values of each discrete argument.
    domains: Vec<BTreeSet<i64>>,
    hulls: BTreeMap<Key, Dbm>,
}

/// Guesses about all predicates from what was found; none if they are too many.
pub(super) fn guesses(
    search: &Search<'_>,
    params: Vec<Vec<TermId>>,
    store: &mut Store,
    ctx: &mut Ctx<'_>,
) -> Result<Option<Guesses>, Stop> {
    let mut of = Vec::new();
    for (pred, params) in params.iter().enumerate() {
        let nodes: Vec<&Node> =
            search.nodes.iter().filter(|node| node.is_live && node.pred == pred).collect();
        if nodes.is_empty() {
            of.push(vec![TermId::FALSE]);
            continue;
        }
        let hulls = Hulls::of(search, pred, &nodes, ctx)?;
        let layout = &search.layouts[pred];
        let discrete: Vec<TermId> = layout.discrete.iter().map(|&at| params[at]).collect();
        let reals: Vec<TermId> = layout.reals.iter().map(|&at| params[at]).collect();
        let lemmas = hulls.lemmas(store, &discrete, &reals, ctx)?;
        if lemmas.len() > ZONES_MAX_LEMMAS.size() {
            return Ok(None);
        }
        of.push(lemmas);
    }
    Ok(Some(Guesses { params, of }))
}

/// The sets of discrete arguments that are looked at, smaller ones first.
fn sets(count: usize, owners: &BTreeSet<usize>) -> Vec<Vec<usize>> {
    let mut sets: Vec<Vec<usize>> = (0..count).map(|one| vec![one]).collect();
    for one in 0..count {
        sets.extend((one + 1..count).map(|two| vec![one, two]));
    }
    let others: Vec<usize> = (0..count).filter(|arg| !owners.contains(arg)).collect();
    for &one in owners {
        for &two in owners.range(one + 1..) {
            for &third in &others {
                let mut set = vec![one, two, third];
                set.sort_unstable();
                sets.push(set);
            }
        }
    }
    sets
}

impl Hulls {
    fn of(
        search: &Search<'_>,
        pred: usize,
        nodes: &[&Node],
        ctx: &mut Ctx<'_>,
    ) -> Result<Hulls, Stop> {
        let count = search.layouts[pred].discrete.len();
        let mut owned = vec![Vec::new(); count];
        let mut shared = Vec::new();
        for clock in 1..=search.layouts[pred].reals.len() {
            let owner = match clock == search.reach.now[pred] {
                true => None,
                false => search.reach.owner(pred, clock),
            };
            match owner {
                Some(owner) => owned[owner].push(clock),
                None => shared.push(clock),
            }
        }
        let owners = (0..count).filter(|&arg| !owned[arg].is_empty()).collect();
        let mut hulls =
            Hulls { owned, shared, domains: vec![BTreeSet::new(); count], hulls: BTreeMap::new() };
        for node in nodes {
            for (domain, &value) in hulls.domains.iter_mut().zip(&node.values) {
                domain.insert(value);
            }
        }
        for set in sets(count, &owners) {
            let clocks = hulls.clocks(&set);
            let of: Vec<(usize, i64)> = clocks.iter().map(|&clock| (clock, 0)).collect();
            let mut found: FxHashMap<Vec<i64>, Dbm> = FxHashMap::default();
            for node in nodes {
                ctx.tick(1)?;
                let values: Vec<i64> = set.iter().map(|&arg| node.values[arg]).collect();
                match found.get_mut(&values) {
                    Some(hull) => hull.join_gathered(&node.zone, &clocks),
                    None => drop(found.insert(values, node.zone.gathered(&of))),
                }
            }
            let mut all: Vec<Vec<i64>> = vec![Vec::new()];
            for &arg in &set {
                let next = all.iter().flat_map(|known| {
                    let longer = |&value: &i64| [known.as_slice(), &[value]].concat();
                    hulls.domains[arg].iter().map(longer)
                });
                all = next.collect();
            }
            ctx.tick(all.len() as u64)?;
            for values in all {
                // No zone has these values: an empty hull.
                let hull = found.remove(&values).unwrap_or_else(|| Dbm::free(0));
                hulls.hulls.insert((set.clone(), values), hull);
            }
        }
        Ok(hulls)
    }

    fn clocks(&self, set: &[usize]) -> Vec<usize> {
        let mut clocks = self.shared.clone();
        set.iter().for_each(|&arg| clocks.extend(&self.owned[arg]));
        clocks
    }

    /// What fewer arguments say about a hull; none if they exclude it.
    fn known(&self, (set, values): &Key) -> Option<Dbm> {
        let clocks = self.clocks(set);
        let mut known = Dbm::free(clocks.len());
        for without in 0..set.len() {
            let (mut fewer, mut rest) = (set.clone(), values.clone());
            fewer.remove(without);
            rest.remove(without);
            let inner = self.clocks(&fewer);
            let Some(hull) = self.hulls.get(&(fewer, rest)) else { continue };
            if hull.size() == 0 {
                return None;
            }
            let place = |clock: usize| clocks.iter().position(|&other| other == clock);
            for (left, &one) in inner.iter().enumerate() {
                for (right, &other) in inner.iter().enumerate() {
                    if let (Some(one), Some(other)) = (place(one), place(other)) {
                        let bound = known.get(one, other).min(hull.get(left, right));
                        known.set(one, other, bound);
                    }
                }
            }
        }
        known.close().then_some(known)
    }

    fn lemmas(
        &self,
        store: &mut Store,
        discrete: &[TermId],
        reals: &[TermId],
        ctx: &mut Ctx<'_>,
    ) -> Result<Vec<TermId>, Stop> {
        let mut lemmas = Vec::new();
        for (domain, &arg) in self.domains.iter().zip(discrete) {
            lemmas.extend(range(store, arg, domain));
        }
        for (key, hull) in &self.hulls {
            ctx.tick(1)?;
            let Some(known) = self.known(key) else { continue };
            let (set, values) = key;
            let mut differs = Vec::new();
            for (&arg, &value) in set.iter().zip(values) {
                let is_value = equals(store, discrete[arg], value);
                differs.push(store.not(is_value));
            }
            if hull.size() == 0 {
                lemmas.push(store.or(&differs));
                continue;
            }
            let clocks = self.clocks(set);
            for Apart { left, right, bound } in hull.needed() {
                if bound < known.get(left, right) {
                    let (one, other) = (reals[clocks[left] - 1], reals[clocks[right] - 1]);
                    let apart = apart(store, (one, other), bound);
                    lemmas.push(store.or(&[differs.as_slice(), &[apart]].concat()));
                }
            }
        }
        Ok(lemmas)
    }
}

/// That an argument has a value.
pub(super) fn equals(store: &mut Store, arg: TermId, value: i64) -> TermId {
    let value = super::rule::value_of(store, arg, value);
    let value = store.value_term(&value).expect("numbers and truth values have terms");
    store.eq(arg, value)
}

/// That two reals are at most so far apart.
pub(super) fn apart(store: &mut Store, (left, right): (TermId, TermId), bound: i64) -> TermId {
    debug_assert!(bound != FREE, "no bound says nothing");
    let (value, is_strict) = parts(bound);
    let (between, value) = (store.sub(left, right), store.real(Rat::from(value)));
    match is_strict {
        true => store.lt(between, value),
        false => store.le(between, value),
    }
}

/// That an argument has one of some values.
fn range(store: &mut Store, arg: TermId, domain: &BTreeSet<i64>) -> Vec<TermId> {
    let (Some(&least), Some(&most)) = (domain.first(), domain.last()) else { return Vec::new() };
    if most - least + 1 == domain.len() as i64 && store.sort(arg) == alphorn_term::SortId::INT {
        let (least, most) = (store.int(least), store.int(most));
        return vec![store.ge(arg, least), store.le(arg, most)];
    }
    let mut any = Vec::new();
    for &value in domain {
        any.push(equals(store, arg, value));
    }
    vec![store.or(&any)]
}
