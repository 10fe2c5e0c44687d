//! Saturation: firing clauses until nothing new follows, height by height.
//!
//! The facts of height `h` follow from facts below with one of height `h - 1` among them, so each
//! combination of facts is looked at once: at the height after its highest fact. Queries come
//! first at every height, so the derivation found is one of least height.

use super::facts::{Facts, Instance};
use super::network::Network;
use super::search::{Pursuit, Search};
use super::ways::Seed;
use crate::settings::FORWARD_MAX_STORED;
use alphorn_engine::{Ctx, Event, Stop};
use alphorn_horn::graph::{can_hold, derivable, relevant};
use alphorn_problem::Horn;
use alphorn_problem::horn::Head;
use alphorn_term::{Sort, SortId, Store, TermId};
use rustc_hash::FxHashSet;

/// How a saturation ended.
pub(super) enum Outcome {
    /// A query fired: the facts and the query's instance.
    Refuted(Facts, Instance),
    /// Nothing is left to fire.
    Saturated(Facts),
    /// The round's ticks ran out.
    Tired(Facts),
    /// The memory ran out.
    Full,
}

/// The compiled clauses, queries first.
pub(super) struct System {
    store: Store,
    searches: Vec<Search>,
    /// The predicates that some query depends on; clauses that conclude others are left out.
    pub relevant: Vec<bool>,
    arities: Vec<usize>,
}

impl System {
    pub fn new(horn: &Horn, ctx: &mut Ctx<'_>) -> Result<System, Stop> {
        if let Some(sort) = open_index(&horn.terms, horn) {
            return Err(Stop::Unsupported(format!(
                "arrays indexed by {sort}, which has no fixed size"
            )));
        }
        let (relevant, derivable) = (relevant(horn), derivable(horn));
        let mut store = horn.terms.clone();
        let mut searches = Vec::new();
        let ids = || horn.clauses().map(|(id, clause)| (id, clause, clause.head == Head::False));
        let queries = ids().filter(|(_, _, is_query)| *is_query);
        for (id, clause, _) in queries.chain(ids().filter(|(_, _, is_query)| !is_query)) {
            let needed = match clause.head {
                Head::Atom(pred, _) => relevant[pred.index()],
                Head::False => true,
            };
            if needed && can_hold(horn, clause.body, &derivable) {
                let net = Network::new(horn, &mut store, id);
                ctx.tick(1 + net.nodes.len() as u64)?;
                searches.push(net);
            }
        }
        let searches: Vec<Search> =
            searches.into_iter().map(|net| Search::new(net, &store)).collect();
        let arities = horn.pred_ids().map(|pred| horn.pred_args(pred).len()).collect();
        Ok(System { store, searches, relevant, arities })
    }

    /// Derives facts height by height, beginning with seeds, until nothing is left to fire or the round is over.
    pub fn saturate(
        &mut self,
        seeds: &[Seed],
        pursuit: &mut Pursuit,
        until: u64,
        ctx: &mut Ctx<'_>,
    ) -> Result<Outcome, Stop> {
        let mut facts = Facts::new(self.arities.iter().copied());
        seeds.iter().for_each(|seed| _ = seed.plant(&mut facts));
        for height in 0u64.. {
            for search in &mut self.searches {
                for delta in starts(search, &facts, height) {
                    search.start(&self.store, &facts, &pursuit.effort, delta);
                    while let Some(firing) = search.next(&self.store, &mut facts, pursuit, ctx)? {
                        match firing.head {
                            None => return Ok(Outcome::Refuted(facts, firing.instance)),
                            Some((pred, args)) => {
                                ctx.tick(1 + args.len() as u64 / 4)?;
                                facts.insert(pred, args, firing.instance)
                            }
                        };
                        if facts.stored > FORWARD_MAX_STORED.get() && !pursuit.losses.any() {
                            return Ok(Outcome::Full);
                        }
                        if facts.stored > FORWARD_MAX_STORED.get() || ctx.ticks_used() > until {
                            return Ok(Outcome::Tired(facts));
                        }
                    }
                    if ctx.ticks_used() > until {
                        return Ok(Outcome::Tired(facts));
                    }
                }
            }
            if !pursuit.losses.any() {
                ctx.emit(Event::Bound { depth: height });
            }
            let waiting = facts.next_height();
            ctx.emit(Event::Explored { seen: facts.total, waiting });
            if waiting == 0 {
                break;
            }
        }
        Ok(Outcome::Saturated(facts))
    }
}

/// Where the searches of a clause begin: anywhere at first, then at each atom with each fact of
/// the last height.
fn starts(search: &Search, facts: &Facts, height: u64) -> Vec<Option<(usize, u32)>> {
    if height == 0 {
        return vec![None];
    }
    let mut starts = Vec::new();
    for (number, atom) in search.net.atoms.iter().enumerate() {
        let pred = atom.pred.index();
        starts.extend((facts.old[pred]..facts.known[pred]).map(|fact| Some((number, fact))));
    }
    starts
}

/// A sort that has elements nobody fixed and indexes arrays, if there is one. How many arrays
/// there are would depend on how many elements there are.
fn open_index(store: &Store, horn: &Horn) -> Option<String> {
    let mut roots: Vec<TermId> = horn.clauses.iter().map(|clause| clause.body).collect();
    for clause in &horn.clauses {
        roots.extend(&clause.vars);
        if let Head::Atom(_, args) = &clause.head {
            roots.extend(args);
        }
    }
    let mut seen: FxHashSet<(SortId, bool)> = FxHashSet::default();
    let mut stack: Vec<(SortId, bool)> =
        store.subterms(&roots).into_iter().map(|term| (store.sort(term), false)).collect();
    while let Some((sort, is_index)) = stack.pop() {
        if !seen.insert((sort, is_index)) {
            continue;
        }
        match store.sort_of(sort) {
            Sort::Uninterpreted(..) if is_index => return Some(store.show_sort(sort)),
            Sort::Array(index, element) => {
                stack.extend([(*index, true), (*element, is_index)]);
            }
            Sort::Data(data) => {
                let ctors = &store.data(*data).ctors;
                let fields = ctors.iter().flat_map(|&ctor| &store.ctor(ctor).fields);
                stack.extend(fields.map(|&(_, field)| (field, is_index)));
            }
            _ => {}
        }
    }
    None
}
