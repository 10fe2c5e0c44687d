//! What kind of Horn system it is, read off in one pass: engines and plans choose by it.
//!
//! A predicate *depends* on those in the bodies of its clauses. The strongly connected components
//! of this relation, each after those it depends on, say what is recursive. The other properties
//! are counts: how many atoms a body can need at once, how often a predicate occurs in bodies and
//! in heads. For systems without recursion they tell which interpolation problem a system is
//! (Rümmer, Hojjat, Kuncak: Classifying and solving Horn clauses for verification, VSTTE 2013):
//! tree-like ones are tree interpolation, linear ones interpolation on DAGs, body-disjoint ones
//! disjunctive interpolation.
//!
//! Bodies are generalized, so an atom that occurs twice in one body counts once, and a body may
//! have atoms below a disjunction; such a system is not tree-like.

use crate::graph::body_preds;
use alphorn_problem::Horn;
use alphorn_problem::horn::{ClauseId, Head, PredId};
use alphorn_term::{Sort, SortId, Store};

/// Whether arguments hold arrays of cells of several kinds, as the heap of a program does.
///
/// Clauses of such systems say one thing that a program does with its heap each. Put together they are hard: what is
/// known in between must be found anew when clauses as read are proved, and says that there was another heap.
pub fn has_typed_heap(horn: &Horn) -> bool {
    let mut args = horn.pred_ids().flat_map(|pred| horn.pred_args(pred));
    args.any(|&sort| holds_cells(&horn.terms, sort, MAX_NESTED))
}

/// How deep sorts are looked into.
const MAX_NESTED: usize = 8;

fn holds_cells(store: &Store, sort: SortId, depth: usize) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    match store.sort_of(sort) {
        Sort::Array(_, element) => match store.sort_of(*element) {
            Sort::Data(data) => {
                let ctors = &store.data(*data).ctors;
                ctors.len() > 1 && ctors.iter().any(|&ctor| !store.ctor(ctor).fields.is_empty())
            }
            _ => holds_cells(store, *element, depth),
        },
        Sort::Data(data) => {
            let ctors = &store.data(*data).ctors;
            let mut fields = ctors.iter().flat_map(|&ctor| &store.ctor(ctor).fields);
            fields.any(|(_, field)| holds_cells(store, *field, depth))
        }
        _ => false,
    }
}

/// The kind of a Horn system, or of some of its clauses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The strongly connected components of the predicates, each after those it depends on.
    pub components: Vec<Vec<PredId>>,
    /// Whether a predicate depends on itself, directly or through others, by position.
    pub recursive: Vec<bool>,
    /// Whether no body can need more than one atom at once.
    pub is_linear: bool,
    /// Whether the atoms of all bodies are conjuncts.
    pub is_conjunctive: bool,
    /// Whether each predicate has at most one atom in all bodies together.
    pub is_body_disjoint: bool,
    /// Whether each predicate is the head of at most one clause.
    pub is_head_disjoint: bool,
}

impl Shape {
    /// The shape of a system.
    pub fn of(horn: &Horn) -> Shape {
        let all: Vec<ClauseId> = horn.clauses().map(|(id, _)| id).collect();
        Shape::of_clauses(horn, &all)
    }

    /// The shape of the system that has these clauses only.
    pub fn of_clauses(horn: &Horn, clauses: &[ClauseId]) -> Shape {
        let count = horn.preds.len();
        let mut needs: Vec<Vec<PredId>> = vec![Vec::new(); count];
        let (mut in_bodies, mut in_heads) = (vec![0u32; count], vec![0u32; count]);
        let (mut is_linear, mut is_conjunctive) = (true, true);
        for &id in clauses {
            let clause = horn.clause(id);
            for atom in horn.atoms(clause.body) {
                let pred = horn.atom(atom).expect("atoms are applications of predicates");
                in_bodies[pred.index()] += 1;
            }
            if let Head::Atom(pred, _) = clause.head {
                in_heads[pred.index()] += 1;
                needs[pred.index()].extend(body_preds(horn, clause));
            }
            is_linear &= horn.most_atoms(clause.body) <= 1;
            is_conjunctive &= horn.conjunctive(id).is_some();
        }
        let components = components(&needs);
        let mut recursive = vec![false; count];
        for component in &components {
            let first = component[0];
            let loops = component.len() > 1 || needs[first.index()].contains(&first);
            component.iter().for_each(|pred| recursive[pred.index()] = loops);
        }
        Shape {
            components,
            recursive,
            is_linear,
            is_conjunctive,
            is_body_disjoint: in_bodies.iter().all(|&times| times <= 1),
            is_head_disjoint: in_heads.iter().all(|&times| times <= 1),
        }
    }

    /// Whether some predicate depends on itself.
    pub fn is_recursive(&self) -> bool {
        self.recursive.contains(&true)
    }

    /// How many predicates stand in the longest chain from a query to facts, where those that depend on
    /// one another count as one.
    pub fn query_depth(&self, horn: &Horn) -> usize {
        let mut component = vec![0; self.recursive.len()];
        for (number, members) in self.components.iter().enumerate() {
            members.iter().for_each(|pred| component[pred.index()] = number);
        }
        let mut needs: Vec<Vec<usize>> = vec![Vec::new(); self.components.len()];
        let mut asked: Vec<usize> = Vec::new();
        for clause in &horn.clauses {
            let used = body_preds(horn, clause).into_iter().map(|pred| component[pred.index()]);
            match clause.head {
                Head::Atom(pred, _) => needs[component[pred.index()]].extend(used),
                Head::False => asked.extend(used),
            }
        }
        // Components come after those they depend on.
        let mut depth: Vec<usize> = Vec::with_capacity(needs.len());
        for (number, used) in needs.iter().enumerate() {
            let below = used.iter().filter(|&&other| other < number).map(|&other| depth[other]);
            depth.push(1 + below.max().unwrap_or(0));
        }
        asked.into_iter().map(|number| depth[number]).max().unwrap_or(0)
    }

    /// Whether the clauses are trees: each predicate is concluded once and used once.
    pub fn is_tree_like(&self) -> bool {
        self.is_conjunctive && self.is_body_disjoint && self.is_head_disjoint
    }
}

/// The strongly connected components of a graph, each after those it has edges to (Tarjan 1972).
fn components(needs: &[Vec<PredId>]) -> Vec<Vec<PredId>> {
    const NEW: usize = usize::MAX;
    let mut found = Vec::new();
    // The number of a vertex in the order of discovery, and the smallest number seen from it.
    let (mut number, mut lowest) = (vec![NEW; needs.len()], vec![NEW; needs.len()]);
    let mut is_open = vec![false; needs.len()];
    let (mut open, mut count): (Vec<usize>, usize) = (Vec::new(), 0);
    for root in 0..needs.len() {
        let mut path: Vec<(usize, usize)> = Vec::new();
        let mut next = (number[root] == NEW).then_some(root);
        loop {
            if let Some(vertex) = next.take() {
                (number[vertex], lowest[vertex]) = (count, count);
                count += 1;
                open.push(vertex);
                is_open[vertex] = true;
                path.push((vertex, 0));
            }
            let Some((vertex, place)) = path.last_mut() else { break };
            let vertex = *vertex;
            if let Some(to) = needs[vertex].get(*place) {
                *place += 1;
                let to = to.index();
                if number[to] == NEW {
                    next = Some(to);
                } else if is_open[to] {
                    lowest[vertex] = lowest[vertex].min(number[to]);
                }
                continue;
            }
            path.pop();
            if let Some((before, _)) = path.last() {
                lowest[*before] = lowest[*before].min(lowest[vertex]);
            }
            if lowest[vertex] == number[vertex] {
                let start = open.iter().rposition(|&v| v == vertex);
                let mut members = open.split_off(start.expect("a root of a component is open"));
                members.sort_unstable();
                members.iter().for_each(|&member| is_open[member] = false);
                found.push(members.into_iter().map(|member| PredId(member as u32)).collect());
            }
        }
    }
    found
}
