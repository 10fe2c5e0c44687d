//! Linear derivations of an abstraction as one graph, and its interpolants.
//!
//! Where rules have at most one atom, all derivations of some height are paths from facts to the query, and they
//! share their beginnings: as a tree they are as many as there are paths, as a graph a vertex for each abstract fact and
//! height. The interpolants of all vertices come from one proof under assignments
//! (`alphorn_smt::interpolate::dag`), and are disjunctive ones: what holds of a vertex holds by whichever path it is reached.
//!
//! Invariant: an edge's formula speaks of the parameters of its two ends, and of variables that no other has.
//!
//! After Jančík, Kofroň, Rollini, Sharygina, "On Interpolants and Variable Assignments" (FMCAD 2014), and
//! Albarghouthi, Gurfinkel, Chechik, "Craig Interpretation" (SAS 2012).

use super::graph::NodeId;
use super::unfolding::Abstraction;
use crate::la::interpolants::interpolants_of;
use crate::la::position::make;
use crate::la::system::{Pred, System};
use crate::settings::{CEGAR_INTERPOLANT_CONFLICTS, CEGAR_MAX_MERGED};
use alphorn_engine::{Ctx, Stop};
use alphorn_smt::interpolate::{Dag, Strength, dag};
use alphorn_term::{Store, Substitution, TermId};
use rustc_hash::FxHashMap;

/// Where all paths begin.
const ENTRY: u32 = 0;
/// The queries, where they end.
const EXIT: u32 = 1;

/// An abstract fact, as it is derived by derivations of some height.
struct Place {
    node: NodeId,
    height: u32,
    /// Variables for its arguments.
    params: Vec<TermId>,
}

/// Derivations whose steps have at most one premise each.
pub(super) struct Merged {
    /// The places, from number 2 on.
    places: Vec<Place>,
    graph: Dag,
}

impl Merged {
    /// The derivations as a graph, if it is one, has facts that several derivations share, and is not too large.
    pub(super) fn of(
        system: &System,
        abstraction: &dyn Abstraction,
        store: &mut Store,
    ) -> Option<Merged> {
        let mut merged = Merged {
            places: Vec::new(),
            graph: Dag {
                nodes: vec![TermId::TRUE; 2],
                edges: Vec::new(),
                entry: ENTRY,
                exit: EXIT,
            },
        };
        let mut number: FxHashMap<(NodeId, u32), u32> = FxHashMap::default();
        let mut is_shared = false;
        let mut next = EXIT;
        while (next as usize) < merged.graph.nodes.len() {
            let (node, height, params) = match (next as usize).checked_sub(2) {
                None => (None, abstraction.height(), Vec::new()),
                Some(at) => {
                    let Place { node, height, params } = &merged.places[at];
                    (Some(*node), *height, params.clone())
                }
            };
            for way in abstraction.ways(node, height) {
                let position = make(store, system, way.rule, &params, TermId::TRUE);
                let mut formula = store.and(&position.parts);
                let from = match (way.sources.as_slice(), position.slots.as_slice()) {
                    ([], _) => ENTRY,
                    (&[source], [slot]) => {
                        let below = (source, height.saturating_sub(1));
                        let known = number.get(&below).copied();
                        is_shared |= known.is_some();
                        match known {
                            Some(known) => {
                                let here = &merged.places[known as usize - 2].params;
                                let map: Substitution =
                                    slot.params.iter().copied().zip(here.iter().copied()).collect();
                                formula = store.substitute(formula, &map);
                                known
                            }
                            None => merged.add(below, slot.params.clone(), &mut number)?,
                        }
                    }
                    _ => return None,
                };
                merged.graph.edges.push((from, next, formula));
            }
            next += 1;
        }
        is_shared.then_some(merged)
    }

    /// A new place; none if there are too many.
    fn add(
        &mut self,
        (node, height): (NodeId, u32),
        params: Vec<TermId>,
        number: &mut FxHashMap<(NodeId, u32), u32>,
    ) -> Option<u32> {
        let new = self.graph.nodes.len() as u32;
        if self.places.len() >= CEGAR_MAX_MERGED.size() {
            return None;
        }
        number.insert((node, height), new);
        self.places.push(Place { node, height, params });
        self.graph.nodes.push(TermId::TRUE);
        Some(new)
    }

    /// Formulas over the parameters of relation symbols by which none of the paths is a derivation; none if one may be.
    pub(super) fn separate(
        &self,
        (system, abstraction): (&System, &dyn Abstraction),
        store: &mut Store,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Vec<(Pred, TermId)>>, Stop> {
        let conflicts = CEGAR_INTERPOLANT_CONFLICTS.get();
        let found = interpolants_of(ctx, conflicts, Strength::Weak, |options| {
            dag(store, &self.graph, options)
        })?;
        let over_params = |(place, &formula): (&Place, &TermId)| {
            let pred = abstraction.pred(place.node);
            (pred, store.rename(formula, &place.params, &system.params[pred]))
        };
        Ok(found.map(|found| self.places.iter().zip(&found[2..]).map(over_params).collect()))
    }
}
