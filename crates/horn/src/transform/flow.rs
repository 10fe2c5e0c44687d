//! Arrays that flow into one another, and where they are accessed.
//!
//! Arguments of predicates and the terms of each clause are joined where one is the other, is a write
//! on it, a choice of it, or equal to it. What else happens to arrays (arrays inside of others,
//! differences that are asked for, arguments of bodies that are no variables) makes a class *unfit*
//! for those who want to know all accesses.

use super::system::{System, head_args};
use alphorn_problem::horn::{Head, PredId};
use alphorn_term::{Op, Sort, Store, TermId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// An argument of a predicate.
pub type Place = (PredId, usize);

/// Something that holds an array: where one flows into another the two are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Node {
    /// An argument.
    Place(Place),
    /// A term of a clause, by position.
    Term(usize, TermId),
}

/// Whether a term is an array.
pub fn is_array(store: &Store, term: TermId) -> bool {
    matches!(store.sort_of(store.sort(term)), Sort::Array(..))
}

/// Arrays that flow into one another.
#[derive(Default)]
pub struct Class {
    /// The arguments and terms that hold these arrays.
    pub nodes: Vec<Node>,
    /// Reads and writes: the clause and the index.
    pub accesses: Vec<(usize, TermId)>,
    /// Whether other things happen to them than accesses, choices, comparisons and being handed on.
    pub is_unfit: bool,
    /// Whether constant arrays are among them, or two of them are said to be equal.
    pub is_compared: bool,
}

impl Class {
    /// The arguments among the nodes.
    pub fn places(&self) -> impl Iterator<Item = Place> + '_ {
        self.nodes.iter().filter_map(|node| match *node {
            Node::Place(place) => Some(place),
            Node::Term(..) => None,
        })
    }

    /// The clauses that have arrays among the nodes, some more than once.
    fn clauses(&self) -> impl Iterator<Item = usize> + '_ {
        self.nodes.iter().filter_map(|node| match *node {
            Node::Place(_) => None,
            Node::Term(clause, _) => Some(clause),
        })
    }
}

/// The flow of arrays through a system.
#[derive(Default)]
pub struct Flow {
    nodes: Vec<Node>,
    id_of: FxHashMap<Node, usize>,
    parent: Vec<usize>,
    /// Nodes whose classes are not fit.
    unfit: BTreeSet<usize>,
    /// Nodes that are constant arrays, or compared.
    whole: BTreeSet<usize>,
    /// Accesses: the array's node, the clause and the index.
    accesses: Vec<(usize, usize, TermId)>,
}

impl Flow {
    /// The flow of a system's arrays.
    pub fn of(system: &System, store: &Store) -> Flow {
        let mut flow = Flow::default();
        for at in 0..system.clauses.len() {
            flow.clause(system, store, at);
        }
        flow
    }

    /// The classes, with what they have.
    pub fn classes(mut self) -> Vec<Class> {
        let mut classes: BTreeMap<usize, Class> = BTreeMap::new();
        for (id, node) in std::mem::take(&mut self.nodes).into_iter().enumerate() {
            let class = classes.entry(self.root(id)).or_default();
            class.nodes.push(node);
            class.is_unfit |= self.unfit.contains(&id);
            class.is_compared |= self.whole.contains(&id);
        }
        for (id, clause, index) in std::mem::take(&mut self.accesses) {
            classes.entry(self.root(id)).or_default().accesses.push((clause, index));
        }
        classes.into_values().collect()
    }

    fn id(&mut self, node: Node) -> usize {
        if let Some(&id) = self.id_of.get(&node) {
            return id;
        }
        let id = self.nodes.len();
        self.id_of.insert(node, id);
        self.nodes.push(node);
        self.parent.push(id);
        id
    }

    fn root(&mut self, mut id: usize) -> usize {
        while self.parent[id] != id {
            // Every other node on the way is hung higher, which keeps ways short.
            self.parent[id] = self.parent[self.parent[id]];
            id = self.parent[id];
        }
        id
    }

    fn join(&mut self, left: Node, right: Node) {
        let (left, right) = (self.id(left), self.id(right));
        let (left, right) = (self.root(left), self.root(right));
        self.parent[left.max(right)] = left.min(right);
    }

    fn clause(&mut self, system: &System, store: &Store, at: usize) {
        let clause = &system.clauses[at];
        let mut roots = vec![clause.body];
        roots.extend(head_args(clause));
        let equations = equations(system, store, clause.body);
        for part in store.subterms(&roots) {
            self.term(system, store, at, part, &equations);
        }
        if let Head::Atom(pred, args) = &clause.head {
            for (place, &arg) in args.iter().enumerate() {
                if is_array(store, arg) {
                    self.join(Node::Place((*pred, place)), Node::Term(at, arg));
                }
            }
        }
    }

    fn term(
        &mut self,
        system: &System,
        store: &Store,
        at: usize,
        part: TermId,
        equations: &BTreeSet<TermId>,
    ) {
        let node = |term: TermId| Node::Term(at, term);
        let args = store.args(part);
        if let Some(pred) = system.atom(store, part) {
            for (place, &arg) in args.iter().enumerate().filter(|(_, arg)| is_array(store, **arg)) {
                self.join(Node::Place((pred, place)), node(arg));
                if !matches!(store.op(arg), Op::Var(_)) {
                    let id = self.id(node(arg));
                    self.unfit.insert(id);
                }
            }
            return;
        }
        // Arrays that are elements or indices of others stay what they are.
        let inner: &[TermId] = match (store.op(part), args) {
            (Op::Store | Op::Select, [_, inner @ ..]) => inner,
            (Op::ConstArray, inner) => inner,
            _ => &[],
        };
        for &term in inner.iter().filter(|term| is_array(store, **term)) {
            let id = self.id(node(term));
            self.unfit.insert(id);
        }
        match (store.op(part), args) {
            (Op::Var(_), _) if is_array(store, part) => {
                self.id(node(part));
            }
            (Op::Store, &[older, index, _]) => {
                self.join(node(part), node(older));
                let id = self.id(node(part));
                self.accesses.push((id, at, index));
            }
            (Op::Select, &[array, index]) if !is_array(store, part) => {
                let id = self.id(node(array));
                self.accesses.push((id, at, index));
            }
            (Op::Ite, &[_, then, otherwise]) if is_array(store, part) => {
                self.join(node(part), node(then));
                self.join(node(part), node(otherwise));
            }
            (Op::ConstArray, _) => {
                let id = self.id(node(part));
                self.whole.insert(id);
            }
            (Op::Eq, &[left, right]) if is_array(store, left) && equations.contains(&part) => {
                self.join(node(left), node(right));
                let id = self.id(node(left));
                self.whole.insert(id);
            }
            _ => {
                for &term in args.iter().chain([&part]).filter(|term| is_array(store, **term)) {
                    let id = self.id(node(term));
                    self.unfit.insert(id);
                }
            }
        }
    }
}

/// The equations of arrays that a body has as parts, and that are parts of nothing else in it.
fn equations(system: &System, store: &Store, body: TermId) -> BTreeSet<TermId> {
    let is_equation =
        |part: TermId| store.op(part) == Op::Eq && is_array(store, store.args(part)[0]);
    let mut found = BTreeSet::new();
    let mut hidden: Vec<TermId> = Vec::new();
    let mut stack = vec![body];
    // Parts are shared: without this the walk would go along every path.
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    while let Some(part) = stack.pop() {
        if !seen.insert(part) {
            continue;
        }
        if matches!(store.op(part), Op::And | Op::Or) {
            stack.extend(store.args(part));
        } else if is_equation(part) {
            found.insert(part);
            hidden.extend(store.args(part));
        } else if system.atom(store, part).is_some() {
            hidden.extend(store.args(part));
        } else {
            hidden.push(part);
        }
    }
    for part in store.subterms(&hidden) {
        found.remove(&part);
    }
    found
}

/// For each clause, the atoms in which arguments of a class stand, with the argument's position.
pub fn occurrences(
    system: &System,
    store: &Store,
    class: &Class,
) -> Vec<Vec<(Place, Vec<TermId>)>> {
    let places: BTreeSet<Place> = class.places().collect();
    let mut all = vec![Vec::new(); system.clauses.len()];
    let clauses: BTreeSet<usize> = class.clauses().collect();
    for at in clauses {
        let clause = &system.clauses[at];
        let mut found = Vec::new();
        let mut add = |pred: PredId, args: &[TermId]| {
            let own = (0..args.len()).map(|at| (pred, at)).filter(|place| places.contains(place));
            found.extend(own.map(|place| (place, args.to_vec())));
        };
        for atom in system.atoms(store, clause.body) {
            if let Some(pred) = system.atom(store, atom) {
                add(pred, store.args(atom));
            }
        }
        if let Head::Atom(pred, args) = &clause.head {
            add(*pred, args);
        }
        all[at] = found;
    }
    all
}
