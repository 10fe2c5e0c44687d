//! Linear derivations of an abstraction as one graph, and its interpolants.
//!
//! Where rules have at most one atom, all derivations of some height are paths from facts to the query, and they
//! share their beginnings: as a tree they are as many as there are paths, as a graph a vertex for each abstract fact and
//! height. The interpolants of all vertices come from one proof under assignments
//! (`alphorn_smt::interpolate::dag`), and are disjunctive ones: what holds of a vertex holds by whichever path it is reached.
//!
//! Whether one of the paths is a derivation is one question, with a flag for each edge.
//!
//! Invariant: an edge's formula speaks of the parameters of its two ends, and of variables that no other has.
//!
//! After Jančík, Kofroň, Rollini, Sharygina, "On Interpolants and Variable Assignments" (FMCAD 2014), and
//! Albarghouthi, Gurfinkel, Chechik, "Craig Interpretation" (SAS 2012).

use super::graph::NodeId;
use super::unfolding::{Abstraction, no_values, value};
use crate::la::interpolants::interpolants_of;
use crate::la::position::make;
use crate::la::system::{Pred, System};
use crate::settings::{CEGAR_INTERPOLANT_CONFLICTS, CEGAR_MAX_MERGED};
use alphorn_engine::{Ctx, Stop};
use alphorn_horn::ask::ask;
use alphorn_problem::Horn;
use alphorn_problem::evidence::horn::{Derivation, Step};
use alphorn_smt::interpolate::{Dag, Strength, dag};
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{SortId, Store, Substitution, TermId, Value};
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

/// What an edge is a step by.
struct Edge {
    rule: usize,
    /// A term for each of the rule's variables.
    values: Vec<TermId>,
}

/// Derivations whose steps have at most one premise each.
pub(super) struct Merged {
    /// The places, from number 2 on.
    places: Vec<Place>,
    graph: Dag,
    /// What the graph's edges are.
    edges: Vec<Edge>,
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
            edges: Vec::new(),
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
                let mut values = position.values;
                let from = match (way.sources.as_slice(), position.slots.as_slice()) {
                    ([], _) => ENTRY,
                    (&[source], [slot]) if slot.flag == TermId::TRUE => {
                        let below = (source, height.saturating_sub(1));
                        let known = number.get(&below).copied();
                        is_shared |= known.is_some();
                        let from = match known {
                            Some(known) => known,
                            None => merged.add(below, &slot.params, store, &mut number)?,
                        };
                        // What a rule passes on unchanged is a parameter of both ends, which are others here.
                        let here = &merged.places[from as usize - 2].params;
                        let mut map = Substitution::default();
                        let mut parts = vec![formula];
                        for (&own, &place) in slot.params.iter().zip(here) {
                            if params.contains(&own) {
                                parts.push(store.eq(place, own));
                            } else {
                                map.insert(own, place);
                            }
                        }
                        formula = store.and(&parts);
                        formula = store.substitute(formula, &map);
                        values = store.substitute_all(&values, &map);
                        from
                    }
                    _ => return None,
                };
                merged.graph.edges.push((from, next, formula));
                merged.edges.push(Edge { rule: way.rule, values });
            }
            next += 1;
        }
        is_shared.then_some(merged)
    }

    /// A new place, with parameters of the sorts of others; none if there are too many.
    fn add(
        &mut self,
        (node, height): (NodeId, u32),
        like: &[TermId],
        store: &mut Store,
        number: &mut FxHashMap<(NodeId, u32), u32>,
    ) -> Option<u32> {
        let new = self.graph.nodes.len() as u32;
        if self.places.len() >= CEGAR_MAX_MERGED.size() {
            return None;
        }
        let params = like.iter().map(|&like| store.fresh_var("a", store.sort(like))).collect();
        number.insert((node, height), new);
        self.places.push(Place { node, height, params });
        self.graph.nodes.push(TermId::TRUE);
        Some(new)
    }

    /// How many steps all paths together have at most, if each is taken for itself.
    pub(super) fn steps_of_paths(&self) -> u64 {
        let mut paths = vec![0u64; self.graph.nodes.len()];
        paths[EXIT as usize] = 1;
        let mut steps = 0u64;
        // The edges into a place come after those out of it.
        for &(from, to, _) in &self.graph.edges {
            let number = paths[to as usize];
            steps = steps.saturating_add(number);
            paths[from as usize] = paths[from as usize].saturating_add(number);
        }
        steps
    }

    /// A path that is a derivation, if there is one.
    pub(super) fn derivation(
        &self,
        (horn, system): (&Horn, &System),
        store: &mut Store,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Derivation>, Stop> {
        let edges = &self.graph.edges;
        let flags: Vec<TermId> =
            edges.iter().map(|_| store.fresh_var("edge", SortId::BOOL)).collect();
        let into = |place: u32| (0..edges.len()).filter(move |&at| edges[at].1 == place);
        let mut demands = Vec::with_capacity(2 * edges.len() + 1);
        let queries: Vec<TermId> = into(EXIT).map(|at| flags[at]).collect();
        demands.push(store.or(&queries));
        for (at, &(from, _, formula)) in edges.iter().enumerate() {
            demands.push(store.implies(flags[at], formula));
            if from != ENTRY {
                let below: Vec<TermId> = into(from).map(|at| flags[at]).collect();
                let any = store.or(&below);
                demands.push(store.implies(flags[at], any));
            }
        }
        let mut smt = Smt::new(Options::default());
        match ask(&mut smt, store, &demands, ctx)? {
            Answer::Unsat => return Ok(None),
            Answer::Unknown => {
                let text = "whether an abstract derivation is one is too hard to tell";
                return Err(Stop::Stuck(text.to_owned()));
            }
            Answer::Sat => {}
        }
        let mut model = smt.model(store);
        let mut path = Vec::new();
        let mut place = EXIT;
        while place != ENTRY {
            let is_taken = |&at: &usize| model.vars.get(&flags[at]) == Some(&Value::Bool(true));
            let Some(at) = into(place).find(is_taken) else { return Err(no_values()) };
            path.push(at);
            place = edges[at].0;
        }
        let mut steps: Vec<Step> = Vec::with_capacity(path.len());
        for at in path.into_iter().rev() {
            let clause = system.rules[self.edges[at].rule].clause;
            let count = horn.clause(clause).vars.len();
            let mut values = Vec::with_capacity(count);
            for &term in &self.edges[at].values[..count] {
                values.push(value(store, term, &mut model)?);
            }
            let premises = steps.len().checked_sub(1).into_iter().collect();
            steps.push(Step::new(clause, values, premises));
        }
        Ok(Some(Derivation::of(steps)))
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
