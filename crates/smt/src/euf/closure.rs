//! The data of the closure, how nodes are made, and what can be asserted and asked.
//!
//! A class is a circular list of nodes; each node knows its root, and the root knows the size, the
//! node that carries the class's value, and a marked node. Arguments of all nodes lie in one list
//! whose entries also link the uses of each argument. Both are read by whoever merges the class,
//! so nothing about uses is ever undone.
//!
//! Invariants, while nothing is pending: an application is in the table under the roots of its
//! arguments, or some other one that is in its class is; an equation's node is in the class of
//! `TRUE` if and only if its sides have one root, and in that of `FALSE` if their classes have different values.

use super::explain::Scratch;
use super::merge::{Pending, Reason};
use super::trail::{Mark, Undo};
use super::{AXIOM, Conflict, Node, Tag};
use alphorn_term::Slots;
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// No node, use, watch or edge.
pub(super) const NONE: u32 = u32::MAX;

/// A node, and what is known of its class if it is the root.
#[derive(Clone, Debug)]
pub(super) struct Data {
    symbol: u64,
    value: Option<u64>,
    first: u32,
    arity: u32,
    pub(super) is_equality: bool,
    pub(super) is_filed: bool,
    is_shared: bool,
    pub(super) root: Node,
    /// The next node of the class.
    pub(super) next: Node,
    pub(super) size: u32,
    /// The node that carries the class's value, or `NONE`.
    pub(super) class_value: u32,
    /// A marked node of the class, or `NONE`.
    pub(super) class_shared: u32,
    /// The edge towards the root of the node's tree in the proof forest.
    pub(super) proof: u32,
    /// The first place where the node is an argument.
    pub(super) uses: u32,
    pub(super) watches: u32,
    /// The node that this one is equal to by definition, or `NONE`.
    definition: u32,
}

/// An argument of a node, and the next use of that argument.
#[derive(Clone, Copy, Debug)]
pub(super) struct Use {
    pub(super) arg: Node,
    pub(super) owner: Node,
    pub(super) next: u32,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Watch {
    pub(super) equality: Node,
    pub(super) id: u32,
    pub(super) next: u32,
}

/// The slots of a table at first.
const FIRST_SLOTS: usize = 64;

/// A list that is read to its end again and again, and shortened when a level is left.
#[derive(Clone, Debug)]
pub(super) struct Queue<T> {
    pub(super) items: Vec<T>,
    pub(super) head: usize,
}

impl<T: Copy> Queue<T> {
    fn new() -> Queue<T> {
        Queue { items: Vec::new(), head: 0 }
    }

    fn drain_into(&mut self, out: &mut Vec<T>, is_base: bool) {
        out.extend_from_slice(&self.items[self.head..]);
        self.head = self.items.len();
        self.forget(is_base);
    }

    /// What is read at the base level is never read again.
    pub(super) fn forget(&mut self, is_base: bool) {
        if is_base && self.head == self.items.len() {
            self.items.clear();
            self.head = 0;
        }
    }
}

/// Congruence closure with levels and explanations.
#[derive(Clone, Debug)]
pub struct Euf {
    pub(super) nodes: Vec<Data>,
    pub(super) uses: Vec<Use>,
    pub(super) watches: Vec<Watch>,
    /// Nodes by symbol and arguments.
    terms: Slots,
    /// Applications by symbol and roots of arguments.
    pub(super) signatures: Slots,
    pub(super) edges: Vec<super::explain::Edge>,
    pub(super) trail: Vec<Undo>,
    pub(super) marks: Vec<Mark>,
    pub(super) pending: Queue<Pending>,
    pub(super) implied: Queue<(u32, bool)>,
    pub(super) merges: Queue<(Node, Node)>,
    /// Two nodes of one class with different values, and the level where they met.
    pub(super) clash: Option<(Node, Node, usize)>,
    pub(super) scratch: Scratch,
    pub(super) revisit: Vec<Undo>,
}

impl Default for Euf {
    fn default() -> Self {
        Euf::new()
    }
}

fn hash_of(symbol: u64, args: impl Iterator<Item = Node>) -> u32 {
    let mut hasher = FxHasher::default();
    hasher.write_u64(symbol);
    for arg in args {
        hasher.write_u32(arg.0);
    }
    hasher.finish() as u32
}

/// The symbol that equations are hashed with; `is_equality` tells them from the caller's.
const EQUALITY: u64 = u64::MAX;

impl Euf {
    /// The truth value true.
    pub const TRUE: Node = Node(0);
    /// The truth value false.
    pub const FALSE: Node = Node(1);

    /// A closure that knows the truth values.
    pub fn new() -> Euf {
        let mut euf = Euf {
            nodes: Vec::new(),
            uses: Vec::new(),
            watches: Vec::new(),
            terms: Slots::new(FIRST_SLOTS),
            signatures: Slots::new(FIRST_SLOTS),
            edges: Vec::new(),
            trail: Vec::new(),
            marks: Vec::new(),
            pending: Queue::new(),
            implied: Queue::new(),
            merges: Queue::new(),
            clash: None,
            scratch: Scratch::default(),
            revisit: Vec::new(),
        };
        // They are not in the table of terms: no symbol of the caller's finds them.
        euf.add(EQUALITY, &[], Some(1), false);
        euf.add(EQUALITY, &[], Some(0), false);
        euf
    }

    /// The node for `symbol` applied to `args`, the same for the same.
    ///
    /// Nodes with different values are different constants. The value belongs to the symbol and
    /// the arguments: later calls need not repeat it. A node stays when the level is left.
    pub fn node(&mut self, symbol: u64, args: &[Node], value: Option<u64>) -> Node {
        let hash = hash_of(symbol, args.iter().copied());
        let found = self.terms.find(hash, |id| {
            let node = &self.nodes[id as usize];
            node.symbol == symbol && !node.is_equality && self.is_applied_to(Node(id), args)
        });
        if let Some(id) = found {
            return Node(id);
        }
        let node = self.add(symbol, args, value, false);
        self.terms.insert(hash, node.0);
        self.admit(node);
        node
    }

    /// The node for `symbol` applied to `args`, which equals `other` by definition, at every level.
    ///
    /// Explanations do not mention the definition. Later calls find the node with its first one.
    pub fn defined(&mut self, symbol: u64, args: &[Node], other: Node) -> Node {
        let before = self.nodes.len();
        let node = self.node(symbol, args, None);
        if node.index() == before && !args.is_empty() {
            self.nodes[node.index()].definition = other.0;
            self.enqueue(node, other, Reason::Asserted(AXIOM));
        }
        node
    }

    /// The node for the equation of two nodes, in either order.
    pub fn equality(&mut self, a: Node, b: Node) -> Node {
        if let Some(node) = self.find_equality(a, b) {
            return node;
        }
        let args = [a.min(b), a.max(b)];
        let node = self.add(EQUALITY, &args, None, true);
        self.terms.insert(hash_of(EQUALITY, args.into_iter()), node.0);
        self.admit(node);
        node
    }

    /// The node for the equation of two nodes, if it has been made.
    pub(super) fn find_equality(&self, a: Node, b: Node) -> Option<Node> {
        let args = [a.min(b), a.max(b)];
        let hash = hash_of(EQUALITY, args.into_iter());
        let same =
            |id: u32| self.nodes[id as usize].is_equality && self.is_applied_to(Node(id), &args);
        self.terms.find(hash, same).map(Node)
    }

    fn is_applied_to(&self, node: Node, args: &[Node]) -> bool {
        self.nodes[node.index()].arity as usize == args.len()
            && self.args(node).iter().map(|entry| entry.arg).eq(args.iter().copied())
    }

    fn add(&mut self, symbol: u64, args: &[Node], value: Option<u64>, is_equality: bool) -> Node {
        let position = |len: usize| {
            u32::try_from(len).ok().filter(|&at| at < NONE).expect("fewer than 2^32 - 1 are made")
        };
        let node = Node(position(self.nodes.len()));
        let first = position(self.uses.len() + args.len()) - args.len() as u32;
        for &arg in args {
            let at = self.uses.len() as u32;
            let next = std::mem::replace(&mut self.nodes[arg.index()].uses, at);
            self.uses.push(Use { arg, owner: node, next });
        }
        self.nodes.push(Data {
            symbol,
            value,
            first,
            arity: args.len() as u32,
            is_equality,
            is_filed: false,
            is_shared: false,
            root: node,
            next: node,
            size: 1,
            class_value: if value.is_some() { node.0 } else { NONE },
            class_shared: NONE,
            proof: NONE,
            uses: NONE,
            watches: NONE,
            definition: NONE,
        });
        self.scratch.grow(node);
        node
    }

    /// Lets a node take part in congruences at the current level.
    pub(super) fn admit(&mut self, node: Node) {
        if self.nodes[node.index()].arity > 0 {
            self.record(Undo::Created(node));
            self.file(node);
            match self.nodes[node.index()].definition {
                NONE => {}
                other => self.enqueue(node, Node(other), Reason::Asserted(AXIOM)),
            }
        }
    }

    pub(super) fn args(&self, node: Node) -> &[Use] {
        let data = &self.nodes[node.index()];
        &self.uses[data.first as usize..(data.first + data.arity) as usize]
    }

    /// The sides of an equation's node.
    pub(super) fn sides(&self, equality: Node) -> (Node, Node) {
        let first = self.nodes[equality.index()].first as usize;
        (self.uses[first].arg, self.uses[first + 1].arg)
    }

    /// The hash of a node's symbol and the roots of its arguments.
    pub(super) fn signature_hash(&self, node: Node) -> u32 {
        let data = &self.nodes[node.index()];
        if data.is_equality {
            let (a, b) = self.sides(node);
            return self.equality_hash(self.root(a), self.root(b));
        }
        hash_of(data.symbol, self.args(node).iter().map(|entry| self.root(entry.arg)))
    }

    fn equality_hash(&self, a: Node, b: Node) -> u32 {
        hash_of(EQUALITY, [a.min(b), a.max(b)].into_iter())
    }

    /// Whether two applications have the same symbol and equal arguments.
    pub(super) fn are_congruent(&self, left: Node, right: Node) -> bool {
        let (p, q) = (&self.nodes[left.index()], &self.nodes[right.index()]);
        if p.is_equality != q.is_equality {
            return false;
        }
        if p.is_equality {
            let (a, b) = self.sides(left);
            return self.equates(right, a, b);
        }
        p.symbol == q.symbol
            && p.arity == q.arity
            && self
                .args(left)
                .iter()
                .zip(self.args(right))
                .all(|(a, b)| self.root(a.arg) == self.root(b.arg))
    }

    /// Whether an equation is between the classes of `a` and `b`.
    fn equates(&self, equality: Node, a: Node, b: Node) -> bool {
        let (c, d) = self.sides(equality);
        (self.are_equal(a, c) && self.are_equal(b, d))
            || (self.are_equal(a, d) && self.are_equal(b, c))
    }

    /// The equation in the table between the classes of `a` and `b`.
    pub(super) fn filed_equality(&self, a: Node, b: Node) -> Option<Node> {
        let hash = self.equality_hash(self.root(a), self.root(b));
        let same = |id: u32| self.nodes[id as usize].is_equality && self.equates(Node(id), a, b);
        self.signatures.find(hash, same).map(Node)
    }

    /// Asserts an equality, and finds what follows from it.
    pub fn assert_equal(&mut self, a: Node, b: Node, tag: Tag) -> Result<(), Conflict> {
        self.enqueue(a, b, Reason::Asserted(tag));
        self.close()
    }

    /// Asserts a disequality, and finds what follows from it.
    pub fn assert_distinct(&mut self, a: Node, b: Node, tag: Tag) -> Result<(), Conflict> {
        let equality = self.equality(a, b);
        self.enqueue(equality, Euf::FALSE, Reason::Asserted(tag));
        self.close()
    }

    /// The node that stands for the class of a node.
    pub fn root(&self, node: Node) -> Node {
        self.nodes[node.index()].root
    }

    /// Whether two nodes are known to be equal.
    pub fn are_equal(&self, a: Node, b: Node) -> bool {
        self.root(a) == self.root(b)
    }

    /// Whether two nodes are known to be different: by values or by an asserted disequality.
    pub fn are_distinct(&self, a: Node, b: Node) -> bool {
        self.different_values(self.root(a), self.root(b)).is_some()
            || self.filed_equality(a, b).is_some_and(|e| self.are_equal(e, Euf::FALSE))
    }

    /// The nodes that carry the values of two classes, if these are different.
    pub(super) fn different_values(&self, a: Node, b: Node) -> Option<(Node, Node)> {
        let (v, w) = (self.nodes[a.index()].class_value, self.nodes[b.index()].class_value);
        if v == NONE || w == NONE {
            return None;
        }
        let differ = self.nodes[v as usize].value != self.nodes[w as usize].value;
        differ.then_some((Node(v), Node(w)))
    }

    /// The nodes of a class, the given one first.
    pub fn class(&self, node: Node) -> impl Iterator<Item = Node> + '_ {
        let mut next = Some(node);
        std::iter::from_fn(move || {
            let current = next?;
            let after = self.nodes[current.index()].next;
            next = (after != node).then_some(after);
            Some(current)
        })
    }

    /// The value of the class of a node.
    pub fn value(&self, node: Node) -> Option<u64> {
        match self.nodes[self.root(node).index()].class_value {
            NONE => None,
            carrier => self.nodes[carrier as usize].value,
        }
    }

    /// The node that carries the value of a node's class.
    pub fn carrier(&self, node: Node) -> Option<Node> {
        let carrier = self.nodes[self.root(node).index()].class_value;
        (carrier != NONE).then_some(Node(carrier))
    }

    /// The argument of an application at a place.
    pub fn argument(&self, node: Node, place: usize) -> Node {
        self.args(node)[place].arg
    }

    /// The symbol of a node.
    pub fn symbol(&self, node: Node) -> u64 {
        self.nodes[node.index()].symbol
    }

    /// The arguments of an application, in their order.
    pub fn arguments(&self, node: Node) -> impl Iterator<Item = Node> + '_ {
        self.args(node).iter().map(|entry| entry.arg)
    }

    /// The applications and equations that a node itself is an argument of, one for each place.
    pub fn owners(&self, node: Node) -> impl Iterator<Item = Node> + '_ {
        let first = self.nodes[node.index()].uses;
        let uses = std::iter::successors(self.uses.get(first as usize), |entry| {
            self.uses.get(entry.next as usize)
        });
        uses.map(|entry| entry.owner)
    }

    /// The sides of an equation's node, if it is one.
    pub fn equated(&self, node: Node) -> Option<(Node, Node)> {
        self.nodes[node.index()].is_equality.then(|| self.sides(node))
    }

    /// Whether the classes of two nodes have different values.
    pub fn have_different_values(&self, a: Node, b: Node) -> bool {
        self.different_values(self.root(a), self.root(b)).is_some()
    }

    /// Whether a node is equal to another by definition.
    pub fn is_defined(&self, node: Node) -> bool {
        self.nodes[node.index()].definition != NONE
    }

    /// Whether a node is an application that is a value of its own.
    pub fn is_maker(&self, node: Node) -> bool {
        let data = &self.nodes[node.index()];
        data.value.is_some() && data.arity > 0
    }

    /// Whether something that follows is still to be found.
    pub fn is_unsettled(&self) -> bool {
        self.pending.head < self.pending.items.len()
    }

    /// How many nodes there are; their numbers are below that.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: the truth values are always there.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Watches an equation: `implied` will report `id` when it is known to be true or false.
    ///
    /// The watch stays when the level is left.
    pub fn watch_equality(&mut self, a: Node, b: Node, id: u32) {
        let equality = self.equality(a, b);
        let at = self.watches.len() as u32;
        let next = std::mem::replace(&mut self.nodes[equality.index()].watches, at);
        self.watches.push(Watch { equality, id, next });
        self.report_watch(at);
    }

    /// Reports a watch whose equation is already known.
    pub(super) fn report_watch(&mut self, at: u32) {
        let watch = self.watches[at as usize];
        if let Some(truth) = self.truth(watch.equality) {
            self.implied.items.push((watch.id, truth));
            self.record(Undo::Watched(at));
        }
    }

    /// The truth value that a node equals.
    pub fn truth(&self, node: Node) -> Option<bool> {
        match self.root(node) {
            root if root == self.root(Euf::TRUE) => Some(true),
            root if root == self.root(Euf::FALSE) => Some(false),
            _ => None,
        }
    }

    /// Appends what watched equations have become known since the last call.
    ///
    /// After `pop`, what was implied below but reported in a level that is left comes again.
    pub fn implied(&mut self, out: &mut Vec<(u32, bool)>) {
        let is_base = self.marks.is_empty();
        self.implied.drain_into(out, is_base);
    }

    /// Makes a node one whose equalities `merges` reports; the mark stays when the level is left.
    pub fn mark_shared(&mut self, node: Node) {
        if !std::mem::replace(&mut self.nodes[node.index()].is_shared, true) {
            self.attach_shared(node);
        }
    }

    pub(super) fn attach_shared(&mut self, node: Node) {
        let root = self.root(node);
        match self.nodes[root.index()].class_shared {
            NONE => {
                self.nodes[root.index()].class_shared = node.0;
                self.record(Undo::Witness(root));
            }
            other => self.merges.items.push((Node(other), node)),
        }
        self.record(Undo::Marked(node));
    }

    /// Appends the pairs of marked nodes whose classes were merged since the last call, one pair
    /// for two classes; after `pop` as with `implied`.
    pub fn merges(&mut self, out: &mut Vec<(Node, Node)>) {
        let is_base = self.marks.is_empty();
        self.merges.drain_into(out, is_base);
    }
}
