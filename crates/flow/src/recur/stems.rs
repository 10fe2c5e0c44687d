//! How runs begin: paths from the starts, breadth first, each with what holds on it and values for it.
//!
//! Few are kept for a location. A set of states is reached if the end of one of them can be in it; the values
//! that show it are a path.

use super::chain::Chain;
use super::edges::Edge;
use super::solve::find_model;
use crate::settings::{RECUR_MAX_STEMS, RECUR_STEMS_AT_ONE};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::Flow;
use alphorn_problem::evidence::flow::Path;
use alphorn_problem::flow::LocId;
use alphorn_term::{Model, Store, Substitution, TermId};

/// The beginning of runs.
#[derive(Clone, Debug)]
pub(super) struct Stem {
    /// The start, by its position.
    pub(super) start: usize,
    /// The edges.
    pub(super) chain: Chain,
    /// Where it passes: one more than there are edges.
    pub(super) places: Vec<LocId>,
    /// Values that make it a run.
    pub(super) model: Model,
}

impl Stem {
    /// Where it ends.
    pub(super) fn end(&self) -> LocId {
        *self.places.last().expect("a stem passes its start")
    }

    /// What a formula says of its end.
    pub(super) fn at_end(
        &self,
        flow: &Flow,
        store: &mut Store,
        formulas: &[TermId],
    ) -> Vec<TermId> {
        let end = self.chain.last().iter().copied();
        let map: Substitution = flow.vars.iter().copied().zip(end).collect();
        store.substitute_all(formulas, &map)
    }
}

/// All stems that are kept.
pub(super) struct Stems {
    pub(super) all: Vec<Stem>,
    /// Whether there are no others.
    pub(super) is_whole: bool,
}

impl Stems {
    /// The stems of a flow.
    pub(super) fn of(
        flow: &Flow,
        store: &mut Store,
        edges: &[Edge],
        ctx: &mut Ctx<'_>,
    ) -> Result<Stems, Stop> {
        let mut stems = Stems { all: Vec::new(), is_whole: true };
        let mut at = vec![0; flow.locations.len()];
        for (start, found) in flow.starts.iter().enumerate() {
            let mut chain = Chain::begin(flow.vars.clone());
            chain.conditions.push(found.formula);
            stems.add(start, chain, vec![found.at], store, &mut at, ctx)?;
        }
        let mut next = 0;
        while next < stems.all.len() {
            let from = stems.all[next].end();
            for step in (0..edges.len()).filter(|&step| edges[step].from == from) {
                if stems.all.len() >= RECUR_MAX_STEMS.size() {
                    stems.is_whole = false;
                    return Ok(stems);
                }
                let Stem { start, chain, places, .. } = &stems.all[next];
                let (start, mut chain, mut places) = (*start, chain.clone(), places.clone());
                chain.push(flow, store, edges, step);
                places.push(edges[step].to);
                stems.add(start, chain, places, store, &mut at, ctx)?;
            }
            next += 1;
        }
        Ok(stems)
    }

    fn add(
        &mut self,
        start: usize,
        chain: Chain,
        places: Vec<LocId>,
        store: &mut Store,
        at: &mut [usize],
        ctx: &mut Ctx<'_>,
    ) -> Result<(), Stop> {
        let end = places.last().expect("a stem passes its start").index();
        if at[end] >= RECUR_STEMS_AT_ONE.size() {
            self.is_whole = false;
            return Ok(());
        }
        if let Some(model) = find_model(store, &chain.conditions, ctx)? {
            at[end] += 1;
            self.all.push(Stem { start, chain, places, model });
        }
        Ok(())
    }

    /// A path to a state at a location where formulas hold, and values of what else they speak about.
    pub(super) fn reach(
        &self,
        flow: &Flow,
        store: &mut Store,
        edges: &[Edge],
        at: LocId,
        formulas: &[TermId],
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<(Path, Model)>, Stop> {
        for stem in self.all.iter().filter(|stem| stem.end() == at) {
            let mut all = stem.chain.conditions.clone();
            all.extend(stem.at_end(flow, store, formulas));
            let Some(model) = find_model(store, &all, ctx)? else { continue };
            let path = stem.chain.path(flow, store, edges, stem.start, &model);
            if let Some(path) = path {
                return Ok(Some((path, model)));
            }
        }
        Ok(None)
    }
}
