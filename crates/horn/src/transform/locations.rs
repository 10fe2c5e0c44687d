//! The transform `locations`: a predicate becomes one for each combination of truth values that a program counter
//! takes.
//!
//! A program that was written as one transition relation has its control flow in the bits of a counter. Each disjunct of
//! the step says from which bits it leads to which, and a query asks for the bits of an error. With a predicate for
//! each combination of bits, steps are the few disjuncts between two places, what is known of a place is said of
//! that place alone, and other transforms see which arguments do not matter there. Cimatti and Griggio [CG12] found the
//! explicit graph the better way for programs of this form.
//!
//! The bits are the arguments that are truth values and the same in all facts that need no other. Which
//! combinations follow which is asked of the solver, clause by clause, from those that are known. A program's graph has
//! few branches and several places; states that are no more than truth values lead from everywhere to everywhere, and
//! would copy the step again and again.
//!
//! The predicate before means: for some combination, the bits are so and the predicate of the combination holds.

use super::change::{Applied, Case, Change, Meaning, Recipe};
use super::system::{System, conjuncts};
use crate::ask::ask_within;
use crate::settings::{
    LOCATIONS_ALWAYS_ALLOWED, LOCATIONS_CONFLICTS, LOCATIONS_LEAST, LOCATIONS_MAX,
    LOCATIONS_MAX_BRANCHES, LOCATIONS_MAX_GROWTH, LOCATIONS_MEAN_BRANCHES,
};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::horn::{Clause, Head, Pred, PredId};
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{Op, SortId, Store, Substitution, TermId, Value, eval};
use std::collections::BTreeSet;

/// What the bits are.
type Location = Vec<bool>;

pub(super) fn apply(system: &System, store: &mut Store, ctx: &mut Ctx<'_>) -> Applied {
    for pred in (0..system.preds.len() as u32).map(PredId) {
        ctx.tick(system.clauses.len() as u64)?;
        let Some(uses) = Uses::of(system, store, pred) else { continue };
        let Some(graph) = uses.graph(system, store, ctx)? else { continue };
        return Ok(Some(uses.split(system, store, &graph)));
    }
    Ok(None)
}

/// A clause that uses or concludes the predicate.
struct Use {
    clause: usize,
    /// The bits of its atom in the body.
    before: Option<Vec<TermId>>,
    /// Those of the head.
    after: Option<Vec<TermId>>,
}

impl Use {
    /// What the bits of an edge are: values for those that are variables, and literals for all.
    fn put_in(&self, store: &mut Store, edge: &Edge) -> (Substitution, Vec<TermId>) {
        let (mut map, mut says) = (Substitution::default(), Vec::new());
        for (bits, location) in [(&self.before, &edge.before), (&self.after, &edge.after)] {
            let (Some(bits), Some(location)) = (bits, location) else { continue };
            for (&bit, &value) in bits.iter().zip(location) {
                if matches!(store.op(bit), Op::Var(_)) {
                    map.insert(bit, store.bool(value));
                }
            }
            says.extend(literals(store, bits, location));
        }
        (map, says)
    }
}

/// The clauses of a predicate whose facts all have the same bits.
struct Uses {
    pred: PredId,
    /// The positions of the bits.
    bits: Vec<usize>,
    start: Location,
    uses: Vec<Use>,
}

/// A clause between two locations.
struct Edge {
    use_: usize,
    before: Option<Location>,
    after: Option<Location>,
}

/// The locations that may be reached, and the clauses between them.
struct Graph {
    locations: Vec<Location>,
    edges: Vec<Edge>,
}

impl Uses {
    /// How a predicate is used, if each clause uses it once at most and not as an alternative, and there are bits.
    fn of(system: &System, store: &Store, pred: PredId) -> Option<Uses> {
        let mut uses: Vec<Use> = Vec::new();
        let mut is_recursive = false;
        for (clause, Clause { body, head, .. }) in system.clauses.iter().enumerate() {
            let atoms = system.atoms(store, *body);
            let own: Vec<TermId> =
                atoms.into_iter().filter(|&atom| system.atom(store, atom) == Some(pred)).collect();
            let before = match own[..] {
                [] => None,
                [atom] if conjuncts(store, *body).contains(&atom) => {
                    Some(store.args(atom).to_vec())
                }
                _ => return None,
            };
            let after = match head {
                Head::Atom(other, args) if *other == pred => Some(args.clone()),
                _ => None,
            };
            is_recursive |= before.is_some() && after.is_some();
            if before.is_some() || after.is_some() {
                uses.push(Use { clause, before, after });
            }
        }
        let sorts = system.sorts(store, pred);
        let mut bits = Vec::new();
        let mut start = Location::new();
        for at in (0..sorts.len()).filter(|&at| sorts[at] == SortId::BOOL) {
            let facts = uses.iter().filter(|place| place.before.is_none());
            let values: Option<BTreeSet<bool>> = facts
                .map(|Use { clause, after, .. }| {
                    fixed(store, system.clauses[*clause].body, after.as_ref()?[at])
                })
                .collect();
            if let Some(values) = values
                && let [value] = values.into_iter().collect::<Vec<_>>()[..]
            {
                bits.push(at);
                start.push(value);
            }
        }
        if bits.is_empty() || !is_recursive {
            return None;
        }
        for place in &mut uses {
            for args in [&mut place.before, &mut place.after].into_iter().flatten() {
                *args = bits.iter().map(|&at| args[at]).collect();
            }
        }
        Some(Uses { pred, bits, start, uses })
    }

    /// The locations that clauses lead to, as far as the solver says without knowing more of the facts, if they
    /// are few.
    fn graph(
        &self,
        system: &System,
        store: &mut Store,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Graph>, Stop> {
        let mut solvers = Vec::with_capacity(self.uses.len());
        let mut bodies = Vec::with_capacity(self.uses.len());
        for place in &self.uses {
            let body = system.clauses[place.clause].body;
            let body = system.map_atoms(store, body, |_, _, _| TermId::TRUE);
            let mut smt = Smt::new(Options::default());
            smt.assert(store, body);
            solvers.push(smt);
            bodies.push(body);
        }
        let before: usize = bodies.iter().map(|&body| store.dag_size(&[body])).sum();
        let mut left = LOCATIONS_ALWAYS_ALLOWED.size().max(LOCATIONS_MAX_GROWTH.size() * before);
        let mut graph = Graph { locations: vec![self.start.clone()], edges: Vec::new() };
        for (use_, place) in self.uses.iter().enumerate() {
            if place.before.is_none() {
                let after = Some(self.start.clone());
                graph.edges.push(Edge { use_, before: None, after });
            }
        }
        let mut next = 0;
        while let Some(location) = graph.locations.get(next).cloned() {
            next += 1;
            let first = graph.edges.len();
            for (use_, place) in self.uses.iter().enumerate() {
                let Some(before) = &place.before else { continue };
                let smt = &mut solvers[use_];
                let mut assumed = vec![store.fresh_var("from", SortId::BOOL)];
                assumed.extend(literals(store, before, &location));
                loop {
                    match ask_within(smt, store, &assumed, LOCATIONS_CONFLICTS.get(), ctx)? {
                        Answer::Unknown => return Ok(None),
                        Answer::Unsat => break,
                        Answer::Sat => {}
                    }
                    if graph.edges.len() - first >= LOCATIONS_MAX_BRANCHES.size() {
                        return Ok(None);
                    }
                    let from = Some(location.clone());
                    let Some(bits) = &place.after else {
                        graph.edges.push(Edge { use_, before: from, after: None });
                        break;
                    };
                    let Some(after) = values(system, store, place.clause, bits, smt) else {
                        return Ok(None);
                    };
                    let others: Vec<TermId> = literals(store, bits, &after);
                    let same = store.and(&others);
                    let same = store.and(&[assumed[0], same]);
                    let other = store.not(same);
                    smt.assert(store, other);
                    if !graph.locations.contains(&after) {
                        graph.locations.push(after.clone());
                    }
                    if graph.locations.len() > LOCATIONS_MAX.size() {
                        return Ok(None);
                    }
                    graph.edges.push(Edge { use_, before: from, after: Some(after) });
                    let (map, _) = place.put_in(store, &graph.edges[graph.edges.len() - 1]);
                    let rest = store.substitute(bodies[use_], &map);
                    let size = store.dag_size(&[rest]);
                    let Some(fewer) = left.checked_sub(size) else { return Ok(None) };
                    left = fewer;
                    ctx.tick(size as u64)?;
                }
            }
        }
        let (locations, edges) = (graph.locations.len(), graph.edges.len());
        let is_sparse = edges <= LOCATIONS_MEAN_BRANCHES.size() * locations;
        Ok((locations >= LOCATIONS_LEAST.size() && is_sparse).then_some(graph))
    }

    /// The system with a predicate for each location.
    fn split(&self, system: &System, store: &mut Store, graph: &Graph) -> Change {
        let (preds, parts) = self.parts(system, store, graph);
        let part = |location: &Location| {
            let place = graph.locations.iter().position(|other| other == location);
            parts[place.expect("edges are between known locations")]
        };
        let mut clauses: Vec<(Clause, Recipe)> = Vec::new();
        for (at, clause) in system.clauses.iter().enumerate() {
            if !self.uses.iter().any(|place| place.clause == at) {
                clauses.push((clause.clone(), Recipe::same(at)));
            }
        }
        for edge in &graph.edges {
            let Edge { use_, before, after } = edge;
            let place = &self.uses[*use_];
            let clause = &system.clauses[place.clause];
            let (map, mut says) = place.put_in(store, edge);
            says.push(system.map_atoms(store, clause.body, |store, other, atom| {
                if other != self.pred {
                    return atom;
                }
                let args = self.rest(store.args(atom));
                let location = before.as_ref().expect("a clause with an atom comes from somewhere");
                store.mk(Op::Apply(preds[part(location).index()].func), &args)
            }));
            let body = store.and(&says);
            let body = store.substitute(body, &map);
            if body == TermId::FALSE {
                continue;
            }
            let head = match (&clause.head, after) {
                (Head::Atom(_, args), Some(location)) => {
                    let args = store.substitute_all(&self.rest(args), &map);
                    Head::Atom(part(location), args)
                }
                (Head::Atom(pred, args), None) => {
                    Head::Atom(*pred, store.substitute_all(args, &map))
                }
                (Head::False, _) => Head::False,
            };
            let values = clause.vars.iter().map(|var| map.get(var).copied().unwrap_or(*var));
            let recipe = Recipe::terms(place.clause, values.collect());
            let left = clause.vars.iter().copied().filter(|var| !map.contains_key(var));
            let changed = Clause { vars: left.collect(), body, head, ..clause.clone() };
            clauses.push((changed, recipe));
        }
        let meanings = self.meanings(system, store, graph, &parts);
        Change::new(preds, clauses, meanings, vec![None; system.preds.len()])
    }

    /// All predicates of the changed system, and those of the locations; the others stay where they are.
    fn parts(&self, system: &System, store: &mut Store, graph: &Graph) -> (Vec<Pred>, Vec<PredId>) {
        let mut preds = system.preds.clone();
        let pred = &system.preds[self.pred.index()];
        let sorts = self.rest(&system.sorts(store, self.pred));
        let mut parts = Vec::with_capacity(graph.locations.len());
        for location in &graph.locations {
            let digits: String = location.iter().map(|&bit| if bit { '1' } else { '0' }).collect();
            let name = format!("{}@{digits}", store.name(store.func(pred.func).name));
            let part = Pred { func: store.declare(&name, &sorts, SortId::BOOL), span: pred.span };
            match parts.is_empty() {
                true => {
                    parts.push(self.pred);
                    preds[self.pred.index()] = part;
                }
                false => {
                    parts.push(PredId(preds.len() as u32));
                    preds.push(part);
                }
            }
        }
        (preds, parts)
    }

    /// What the predicates before mean.
    fn meanings(
        &self,
        system: &System,
        store: &mut Store,
        graph: &Graph,
        parts: &[PredId],
    ) -> Vec<Option<Meaning>> {
        let mut meanings = Vec::with_capacity(system.preds.len());
        for pred in (0..system.preds.len() as u32).map(PredId) {
            if pred != self.pred {
                meanings.push(Some(Meaning::same(system, store, pred, pred)));
                continue;
            }
            let params = system.formal_params(store, pred);
            let bits: Vec<TermId> = self.bits.iter().map(|&at| params[at]).collect();
            let rest = self.rest(&params);
            let mut cases = Vec::with_capacity(parts.len());
            for (location, &part) in graph.locations.iter().zip(parts) {
                let says = literals(store, &bits, location);
                cases.push(Case::new(store.and(&says), Some((part, rest.clone()))));
            }
            meanings.push(Some(Meaning { params, cases }));
        }
        meanings
    }

    /// The arguments that are no bits.
    fn rest<T: Copy>(&self, args: &[T]) -> Vec<T> {
        (0..args.len()).filter(|at| !self.bits.contains(at)).map(|at| args[at]).collect()
    }
}

/// The truth value that a term has because it is one, or because a conjunct says so.
fn fixed(store: &Store, body: TermId, term: TermId) -> Option<bool> {
    match store.op(term) {
        Op::True => return Some(true),
        Op::False => return Some(false),
        _ => {}
    }
    let is_denied = |&part: &TermId| store.op(part) == Op::Not && store.args(part) == [term];
    let parts = conjuncts(store, body);
    match parts.contains(&term) {
        true => Some(true),
        false => parts.iter().any(is_denied).then_some(false),
    }
}

/// The literals that say that terms have these truth values.
fn literals(store: &mut Store, terms: &[TermId], location: &Location) -> Vec<TermId> {
    let pairs = terms.iter().zip(location);
    pairs.map(|(&term, &value)| if value { term } else { store.not(term) }).collect()
}

/// The truth values of terms of a clause in the solver's model.
fn values(
    system: &System,
    store: &Store,
    clause: usize,
    terms: &[TermId],
    smt: &Smt,
) -> Option<Location> {
    let mut model = smt.model(store);
    for &var in &system.clauses[clause].vars {
        if !model.vars.contains_key(&var) {
            model.set(var, Value::default_of(store, store.sort(var))?);
        }
    }
    terms.iter().map(|&term| eval(store, term, &model).ok()?.as_bool()).collect()
}
