//! Values of codatatypes: trees of constructors that may be infinite.
//!
//! A tree with finitely many different subtrees, a regular one, is a finite system of equations: a *node*
//! for each subtree, with its constructor, and as its arguments nodes or values of other sorts. The system
//! has one solution, since trees that cannot be told apart by walking down both are equal.
//!
//! Invariant: no two nodes are the same tree, and nodes are numbered as they are met breadth first
//! from the root, which is node 0. So equal trees have equal representations. An argument is a node exactly if its
//! sort is a codatatype.
//!
//! After Reynolds, Blanchette, "A decision procedure for (co)datatypes in SMT solvers" (CADE 2015), for the
//! values; the partition is refined as in Moore, "Gedanken-experiments on sequential machines" (1956), once finite trees
//! are told apart from their leaves up.

use super::{MAX_VALUE_DEPTH, MAX_VALUE_SIZE, Value};
use crate::id::{CtorId, DataId};
use crate::sort::SortId;
use crate::store::Store;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The most nodes of a tree.
pub const MAX_NODES: usize = 1 << 10;

/// A tree of constructors, perhaps infinite, with finitely many different subtrees.
#[derive(Clone, Debug)]
pub struct CodataValue {
    nodes: Vec<Node>,
    /// At least the nesting of the values in it; equality ignores it.
    depth: u32,
    size: u64,
}

/// A subtree.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Node {
    /// The constructor.
    pub ctor: CtorId,
    /// Its arguments.
    pub args: Vec<Part>,
}

/// An argument of a constructor.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Part {
    /// A subtree, by its node.
    Node(u32),
    /// A value of another sort; in equations also one of a codatatype.
    Value(Value),
}

impl PartialEq for CodataValue {
    fn eq(&self, other: &CodataValue) -> bool {
        self.nodes == other.nodes
    }
}

impl Eq for CodataValue {}

impl Hash for CodataValue {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.nodes.hash(state);
    }
}

impl Ord for CodataValue {
    fn cmp(&self, other: &CodataValue) -> Ordering {
        self.nodes.cmp(&other.nodes)
    }
}

impl PartialOrd for CodataValue {
    fn partial_cmp(&self, other: &CodataValue) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl CodataValue {
    /// The subtrees; the root is the first.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The constructor at the root.
    pub fn ctor(&self) -> CtorId {
        self.nodes[0].ctor
    }

    /// An argument of the constructor at the root.
    pub fn argument(&self, place: usize) -> Option<Value> {
        Some(match self.nodes[0].args.get(place)? {
            Part::Value(value) => value.clone(),
            Part::Node(node) => self.below(*node),
        })
    }

    /// All arguments of the constructor at the root.
    pub fn arguments(&self) -> Vec<Value> {
        (0..self.nodes[0].args.len()).filter_map(|place| self.argument(place)).collect()
    }

    /// The subtree of a node.
    fn below(&self, node: u32) -> Value {
        let nodes = numbered(&self.nodes, node);
        // A part is no larger than the whole.
        Value::Codata(Arc::new(CodataValue::measured(nodes)))
    }

    fn measured(nodes: Vec<Node>) -> CodataValue {
        let (mut depth, mut size) = (0, 0u64);
        for node in &nodes {
            size += 1;
            for part in &node.args {
                if let Part::Value(value) = part {
                    depth = depth.max(value.depth());
                    size = size.saturating_add(value.size());
                }
            }
        }
        CodataValue { nodes, depth: depth + 1, size }
    }

    /// The tree as a value, unless it is too large.
    fn kept(self) -> Option<Value> {
        let fits = self.depth <= MAX_VALUE_DEPTH && self.size <= MAX_VALUE_SIZE;
        (fits && self.nodes.len() <= MAX_NODES).then(|| Value::Codata(Arc::new(self)))
    }

    pub(super) fn depth(&self) -> u32 {
        self.depth
    }

    pub(super) fn size(&self) -> u64 {
        self.size
    }

    /// The values of other sorts in it.
    pub(super) fn values(&self) -> impl Iterator<Item = &Value> {
        self.nodes.iter().flat_map(|node| &node.args).filter_map(|part| match part {
            Part::Value(value) => Some(value),
            Part::Node(_) => None,
        })
    }

    /// Whether this is a tree of a codatatype; `fits` judges values of other sorts.
    pub fn has_sort<'v>(
        &'v self,
        store: &Store,
        data: DataId,
        mut fits: impl FnMut(&'v Value, SortId) -> bool,
    ) -> bool {
        let mut expected = vec![None; self.nodes.len()];
        expected[0] = Some(data);
        // Nodes are met breadth first, so a node's sort is known when its turn comes.
        for (at, node) in self.nodes.iter().enumerate() {
            let Some(own) = expected[at] else { return false };
            let declared = store.data(own);
            // The constructor may come from another store: look before asking for its fields.
            if !declared.is_co || !declared.ctors.contains(&node.ctor) {
                return false;
            }
            let fields = &store.ctor(node.ctor).fields;
            if fields.len() != node.args.len() {
                return false;
            }
            for (part, &(_, sort)) in node.args.iter().zip(fields) {
                match (part, store.codata_of(sort)) {
                    (Part::Node(next), Some(data)) => match &mut expected[*next as usize] {
                        Some(known) if *known != data => return false,
                        place => *place = Some(data),
                    },
                    (Part::Value(value), None) if fits(value, sort) => {}
                    _ => return false,
                }
            }
        }
        true
    }
}

impl Value {
    /// The value that equations say: what node `root` is, where the nodes are as said. `None` if that is
    /// too large, or a node is not there.
    pub fn codata(equations: Vec<Node>, root: u32) -> Option<Value> {
        Value::codata_all(equations, &[root])?.pop()
    }

    /// `codata` for several roots.
    pub fn codata_all(equations: Vec<Node>, roots: &[u32]) -> Option<Vec<Value>> {
        let nodes = joined(equations)?;
        let classes = partition(&nodes);
        let count = classes.iter().max().map_or(0, |most| most + 1);
        let mut first: Vec<Option<u32>> = vec![None; count as usize];
        for (node, class) in classes.iter().enumerate() {
            first[*class as usize].get_or_insert(node as u32);
        }
        let merged: Vec<Node> = nodes
            .iter()
            .map(|node| {
                let args = node.args.iter().map(|part| match part {
                    Part::Node(next) => {
                        Part::Node(first[classes[*next as usize] as usize].unwrap_or(0))
                    }
                    value => value.clone(),
                });
                Node { ctor: node.ctor, args: args.collect() }
            })
            .collect();
        let value = |root: &u32| {
            let root = first[*classes.get(*root as usize)? as usize]?;
            CodataValue::measured(numbered(&merged, root)).kept()
        };
        roots.iter().map(value).collect()
    }

    /// The tree of a codatatype in which each codatatype has the constructor that `choose` takes of its own,
    /// and each other sort the value that `leaf` says.
    pub fn uniform(
        store: &Store,
        data: DataId,
        choose: impl Fn(&[CtorId]) -> Option<CtorId>,
        mut leaf: impl FnMut(SortId) -> Option<Value>,
    ) -> Option<Value> {
        let mut met = vec![data];
        let mut nodes: Vec<Node> = Vec::new();
        while let Some(&data) = met.get(nodes.len()) {
            let ctor = choose(&store.data(data).ctors)?;
            let mut args = Vec::new();
            for &(_, field) in &store.ctor(ctor).fields {
                args.push(match store.codata_of(field) {
                    Some(next) => {
                        let known = met.iter().position(|other| *other == next);
                        let number = known.unwrap_or(met.len());
                        if known.is_none() {
                            met.push(next);
                        }
                        Part::Node(number as u32)
                    }
                    None => Part::Value(leaf(field)?),
                });
            }
            nodes.push(Node { ctor, args });
        }
        Value::codata(nodes, 0)
    }

    /// A constructor of a codatatype applied to values; `None` if that is too large.
    pub(super) fn codata_of(ctor: CtorId, args: Vec<Value>) -> Option<Value> {
        let mut trees = args.iter().filter_map(|arg| match arg {
            Value::Codata(tree) => Some(tree),
            _ => None,
        });
        // With one tree below, the new one is a subtree of it, or new: no two of the others become equal.
        if let Some(tree) = trees.next().cloned()
            && trees.all(|other| *other == tree)
        {
            let parts: Vec<Part> = args
                .into_iter()
                .map(|arg| match arg {
                    Value::Codata(_) => Part::Node(0),
                    value => Part::Value(value),
                })
                .collect();
            let is_same = |node: &Node| node.ctor == ctor && node.args == parts;
            if let Some(known) = tree.nodes.iter().position(is_same) {
                return Some(tree.below(known as u32));
            }
            let mut nodes = tree.nodes.clone();
            let root = nodes.len() as u32;
            nodes.push(Node { ctor, args: parts });
            return CodataValue::measured(numbered(&nodes, root)).kept();
        }
        let args = args.into_iter().map(Part::Value).collect();
        Value::codata(vec![Node { ctor, args }], 0)
    }
}

/// Equations in which values of codatatypes are nodes, too.
fn joined(mut nodes: Vec<Node>) -> Option<Vec<Node>> {
    let own = nodes.len();
    let mut known: BTreeMap<Arc<CodataValue>, u32> = BTreeMap::new();
    for at in 0..own {
        for place in 0..nodes[at].args.len() {
            match &nodes[at].args[place] {
                Part::Node(next) if *next as usize >= own => return None,
                Part::Value(Value::Codata(tree)) => {
                    let tree = tree.clone();
                    let start = nodes.len() as u32;
                    let start = *known.entry(tree.clone()).or_insert_with(|| {
                        nodes.extend(tree.nodes.iter().map(|node| shifted(node, start)));
                        start
                    });
                    nodes[at].args[place] = Part::Node(start);
                }
                _ => {}
            }
            // More than fit: trees may have most of their nodes in common.
            if nodes.len() > 4 * MAX_NODES {
                return None;
            }
        }
    }
    Some(nodes)
}

fn shifted(node: &Node, by: u32) -> Node {
    let args = node.args.iter().map(|part| match part {
        Part::Node(next) => Part::Node(next + by),
        value => value.clone(),
    });
    Node { ctor: node.ctor, args: args.collect() }
}

/// The class of each node: two have the same one exactly if they are the same tree.
fn partition(nodes: &[Node]) -> Vec<u32> {
    let (finite, ended) = finite_classes(nodes);
    let rest: Vec<usize> = (0..nodes.len()).filter(|at| finite[*at].is_none()).collect();
    // Infinite trees are in one class to begin with, and none of them is a finite one.
    let mut classes: Vec<u32> = finite.iter().map(|class| class.unwrap_or(ended)).collect();
    let mut count = rest.len().min(1);
    let mut is_first = true;
    while !rest.is_empty() {
        let mut numbers: BTreeMap<(u32, Option<CtorId>, Vec<Label<'_>>), u32> = BTreeMap::new();
        let mut finer = classes.clone();
        for &at in &rest {
            // What constructors and values say is in the classes after the first round.
            let label = labels(&nodes[at], &classes, is_first);
            let label = (classes[at], is_first.then_some(nodes[at].ctor), label);
            let next = ended + numbers.len() as u32;
            finer[at] = *numbers.entry(label).or_insert(next);
        }
        let is_stable = !is_first && numbers.len() == count;
        (classes, count, is_first) = (finer, numbers.len(), false);
        if is_stable {
            break;
        }
    }
    classes
}

/// What can be seen of an argument.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Label<'a> {
    Class(u32),
    Value(&'a Value),
}

/// The arguments of a node, with classes for nodes, and with values or without.
fn labels<'a>(node: &'a Node, classes: &[u32], with_values: bool) -> Vec<Label<'a>> {
    let label = |part: &'a Part| match part {
        Part::Node(next) => Some(Label::Class(classes[*next as usize])),
        Part::Value(value) => with_values.then_some(Label::Value(value)),
    };
    node.args.iter().filter_map(label).collect()
}

/// The classes of the nodes from which every walk ends, each after those below it; and how many classes.
fn finite_classes(nodes: &[Node]) -> (Vec<Option<u32>>, u32) {
    let below = |node: &Node| -> Vec<usize> {
        let parts = node.args.iter().filter_map(|part| match part {
            Part::Node(next) => Some(*next as usize),
            Part::Value(_) => None,
        });
        parts.collect()
    };
    let mut above: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    let mut open: Vec<usize> = Vec::with_capacity(nodes.len());
    for (at, node) in nodes.iter().enumerate() {
        let next = below(node);
        open.push(next.len());
        next.into_iter().for_each(|next| above[next].push(at));
    }
    let mut ready: Vec<usize> = (0..nodes.len()).filter(|at| open[*at] == 0).collect();
    let mut numbers: BTreeMap<(CtorId, Vec<Label<'_>>), u32> = BTreeMap::new();
    let mut classes = vec![0; nodes.len()];
    let mut finite = vec![None; nodes.len()];
    while let Some(at) = ready.pop() {
        let next = numbers.len() as u32;
        let label = (nodes[at].ctor, labels(&nodes[at], &classes, true));
        let class = *numbers.entry(label).or_insert(next);
        (classes[at], finite[at]) = (class, Some(class));
        for &outer in &above[at] {
            open[outer] -= 1;
            if open[outer] == 0 {
                ready.push(outer);
            }
        }
    }
    (finite, numbers.len() as u32)
}

/// The nodes that are met from a root, breadth first, with the numbers by which they are met.
fn numbered(nodes: &[Node], root: u32) -> Vec<Node> {
    let mut order = vec![root];
    let mut numbers: Vec<Option<u32>> = vec![None; nodes.len()];
    numbers[root as usize] = Some(0);
    let mut made: Vec<Node> = Vec::new();
    while let Some(&at) = order.get(made.len()) {
        let node = &nodes[at as usize];
        let mut args = Vec::with_capacity(node.args.len());
        for part in &node.args {
            args.push(match part {
                Part::Node(next) => {
                    let number = *numbers[*next as usize].get_or_insert_with(|| {
                        order.push(*next);
                        order.len() as u32 - 1
                    });
                    Part::Node(number)
                }
                value => value.clone(),
            });
        }
        made.push(Node { ctor: node.ctor, args });
    }
    made
}
