//! Terms as nodes of a closure of their own, for one clause.
//!
//! Proofs and interpolants are made for one clause at a time, long after the search that found it.
//! The clause's literals, negated, are asserted into a fresh closure, where the edge of each merge
//! leads back to terms. Operators count as uninterpreted functions of their sort; equations are
//! equations, literals are different values, and so are applications of different constructors.
//! A quantifier is a constant, and so are conditionals if they are wanted to be: what is below them
//! may be large, and seldom matters. Negations of the truth values are nodes as well, so that a negated
//! argument is known when the argument is; so are the fields of applications of constructors, which equal
//! the arguments by definition.
//!
//! Invariant: each node but these stands for a term of its own.

use super::explain::Edge;
use super::{AXIOM, Euf, Node, Tag};
use alphorn_problem::evidence::proof::Literal;
use alphorn_term::{Op, SortId, Store, TermId};
use rustc_hash::FxHashMap;

use crate::datatypes::find_cycle;

/// A closure over terms.
pub(super) struct Terms {
    pub(super) euf: Euf,
    nodes: FxHashMap<TermId, Node>,
    /// By node.
    terms: Vec<TermId>,
    symbols: FxHashMap<(Op, SortId), u64>,
    /// Nodes that are fields of applications of constructors; their terms are the arguments.
    fields: FxHashMap<Node, Op>,
    /// Whether nothing is known of conditionals but their names.
    are_conditionals_shut: bool,
}

/// A step along a path of the proof forest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) edge: u32,
    pub(super) from: Node,
    pub(super) to: Node,
}

impl Terms {
    pub(super) fn new() -> Terms {
        let nodes = [(TermId::TRUE, Euf::TRUE), (TermId::FALSE, Euf::FALSE)];
        Terms {
            euf: Euf::new(),
            nodes: nodes.into_iter().collect(),
            terms: vec![TermId::TRUE, TermId::FALSE],
            symbols: FxHashMap::default(),
            fields: FxHashMap::default(),
            are_conditionals_shut: false,
        }
    }

    /// A closure that does not look into conditionals.
    pub(super) fn of_names() -> Terms {
        Terms { are_conditionals_shut: true, ..Terms::new() }
    }

    /// Asserts that the literals of a clause are false, tagged by their positions, until there is
    /// a conflict; gives the two nodes of one class that have different values.
    pub(super) fn refute(&mut self, store: &Store, clause: &[Literal]) -> Option<(Node, Node)> {
        for (tag, literal) in clause.iter().enumerate() {
            let node = self.node(store, literal.atom);
            let result = match (store.op(literal.atom), store.args(literal.atom)) {
                (Op::Eq, &[left, right]) if literal.negated => {
                    let (left, right) = (self.node(store, left), self.node(store, right));
                    self.euf.assert_equal(left, right, tag as Tag)
                }
                _ => {
                    let truth = if literal.negated { Euf::TRUE } else { Euf::FALSE };
                    self.euf.assert_equal(node, truth, tag as Tag)
                }
            };
            if result.is_err() {
                return self.clash();
            }
        }
        None
    }

    /// The nodes of one class that have different values.
    pub(super) fn clash(&self) -> Option<(Node, Node)> {
        self.euf.clash.map(|(v, w, _)| (v, w))
    }

    /// The term of a node.
    pub(super) fn term(&self, node: Node) -> TermId {
        self.terms[node.index()]
    }

    /// The node of a term.
    pub(super) fn node(&mut self, store: &Store, term: TermId) -> Node {
        let mut stack = vec![term];
        while let Some(&top) = stack.last() {
            if self.nodes.contains_key(&top) {
                stack.pop();
                continue;
            }
            let args = match store.op(top) {
                Op::Forall | Op::Exists => &[],
                Op::Ite if self.are_conditionals_shut => &[],
                _ => store.args(top),
            };
            let before = stack.len();
            stack.extend(args.iter().filter(|arg| !self.nodes.contains_key(arg)));
            if stack.len() == before {
                let args: Vec<Node> = args.iter().map(|arg| self.nodes[arg]).collect();
                self.make(store, top, &args);
                stack.pop();
            }
        }
        self.nodes[&term]
    }

    fn make(&mut self, store: &Store, term: TermId, args: &[Node]) {
        let (op, sort) = (store.op(term), store.sort(term));
        let node = match (op, args) {
            (Op::Eq, &[left, right]) => self.euf.equality(left, right),
            (_, []) => {
                let value = match op {
                    Op::Construct(_) => Some(self.symbol(op, sort)),
                    _ => store.is_literal(term).then_some(term.index() as u64),
                };
                // Above all numbers of symbols that are applied.
                self.euf.node(1 << 40 | term.index() as u64, &[], value)
            }
            _ => {
                let symbol = self.symbol(op, sort);
                let value = matches!(op, Op::Construct(_)).then_some(symbol);
                self.euf.node(symbol, args, value)
            }
        };
        self.terms.resize(self.euf.len(), term);
        self.nodes.insert(term, node);
        if let Op::Construct(ctor) = op {
            for (place, (&arg, &value)) in store.args(term).iter().zip(args).enumerate() {
                let field = Op::Field(ctor, place as u32);
                let symbol = self.symbol(field, store.sort(arg));
                let made = self.euf.defined(symbol, &[node], value);
                self.terms.resize(self.euf.len(), arg);
                self.fields.insert(made, field);
            }
        }
    }

    /// The selector of a node that is a field of an application of a constructor.
    pub(super) fn field(&self, node: Node) -> Option<Op> {
        self.fields.get(&node).copied()
    }

    /// Equal nodes by which a value would be inside itself: one that is no application of a
    /// constructor and one that is, each below the application before.
    pub(super) fn cycle(&self, store: &Store) -> Option<Vec<(Node, Node)>> {
        let is_made = |node: Node| {
            let is_made = match store.op(self.term(node)) {
                Op::Construct(ctor) => !store.data(store.ctor(ctor).data).is_co,
                _ => false,
            };
            is_made && self.field(node).is_none()
        };
        let nodes = (0..self.euf.len() as u32).map(Node);
        let made: Vec<Node> = nodes.filter(|node| is_made(*node)).collect();
        let index_of = |node: Node| made.binary_search(&node).ok();
        let found = find_cycle(made.len(), &mut Vec::new(), |at, edge| {
            let arg = self.euf.args(made[at]).get(edge)?.arg;
            let next = index_of(arg).or_else(|| self.euf.carrier(arg).and_then(index_of));
            Some(next.map(|next| (next, arg)))
        })?;
        let links = found.into_iter().map(|(at, arg)| (arg, made[at]));
        Some(links.filter(|(arg, made)| arg != made).collect())
    }

    fn symbol(&mut self, op: Op, sort: SortId) -> u64 {
        let next = self.symbols.len() as u64;
        if let Some(&symbol) = self.symbols.get(&(op, sort)) {
            return symbol;
        }
        self.symbols.insert((op, sort), next);
        if op == Op::Not {
            for (truth, opposite) in [(Euf::TRUE, Euf::FALSE), (Euf::FALSE, Euf::TRUE)] {
                let node = self.euf.node(next, &[truth], None);
                self.terms.push(self.term(opposite));
                // Whatever this contradicts, `refute` hears of at its next assertion.
                let _ = self.euf.assert_equal(node, opposite, AXIOM);
            }
        }
        next
    }

    /// An edge of the proof forest.
    pub(super) fn edge(&self, edge: u32) -> Edge {
        self.euf.edges[edge as usize]
    }

    /// The path between two equal nodes.
    pub(super) fn path(&self, a: Node, b: Node) -> Vec<Step> {
        let up = |start: Node| {
            let mut steps: Vec<Step> = Vec::new();
            let mut from = start;
            while let Some(edge) = self.euf.edge_up(from) {
                let to = self.edge(edge).other(from);
                steps.push(Step { edge, from, to });
                from = to;
            }
            steps
        };
        let (mut ahead, mut back) = (up(a), up(b));
        while let (Some(x), Some(y)) = (ahead.last(), back.last())
            && x.edge == y.edge
        {
            ahead.pop();
            back.pop();
        }
        let turned = back.iter().rev().map(|s| Step { edge: s.edge, from: s.to, to: s.from });
        ahead.extend(turned);
        ahead
    }

    /// The equalities that an edge rests on.
    pub(super) fn premises(&self, edge: u32) -> Vec<(Node, Node)> {
        let mut pairs = Vec::new();
        self.euf.premises(&self.edge(edge), |a, b| {
            if a != b {
                pairs.push((a, b));
            }
        });
        pairs
    }

    /// All edges that the equality of two nodes rests on, oldest first: each rests on those
    /// before it.
    pub(super) fn edges_below(&self, a: Node, b: Node) -> Vec<u32> {
        let mut work = vec![(a, b)];
        let mut found = Vec::new();
        let mut seen = vec![false; self.euf.edges.len()];
        while let Some((a, b)) = work.pop() {
            for step in self.path(a, b) {
                if !std::mem::replace(&mut seen[step.edge as usize], true) {
                    found.push(step.edge);
                    work.extend(self.premises(step.edge));
                }
            }
        }
        found.sort_unstable();
        found
    }
}
