//! Terms with variables that get bound, and are free again when the search goes back.
//!
//! Invariant: `undo` makes everything as it was at the mark; nodes older than a mark are changed by `set` alone,
//! which writes down what they were. A node that is ground when it is made stays so.

use super::program::Pattern;
use alphorn_term::{CtorId, Value};
use std::collections::BTreeSet;

/// A term, by its place.
pub(crate) type Node = u32;

/// No node, and the end of a list.
pub(crate) const NONE: u32 = u32::MAX;

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cell {
    /// A variable without value, and the first that waits for one.
    Free(u32),
    /// A variable that is another node.
    Bound(Node),
    /// A constructor applied to nodes, by their place; whether they have no variables.
    Data(CtorId, u32, bool),
    /// A value of another sort.
    Value(u32),
}

/// Who waits for a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Waiter {
    /// A goal: fewer rules may be left for it.
    Goal(u32),
    /// A guard: it may be true or false now.
    Guard(u32),
}

/// All terms of a search.
#[derive(Default)]
pub(crate) struct Bindings {
    cells: Vec<Cell>,
    args: Vec<Node>,
    values: Vec<Value>,
    waiters: Vec<(Waiter, u32)>,
    old: Vec<(Node, Cell)>,
    /// Who waited for a variable that has a value since.
    pub(super) woken: Vec<Waiter>,
}

/// A moment to which the search may go back.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    cells: usize,
    args: usize,
    values: usize,
    waiters: usize,
    old: usize,
}

impl Bindings {
    pub(super) fn mark(&self) -> Mark {
        Mark {
            cells: self.cells.len(),
            args: self.args.len(),
            values: self.values.len(),
            waiters: self.waiters.len(),
            old: self.old.len(),
        }
    }

    pub(super) fn undo(&mut self, mark: Mark) {
        for (node, cell) in self.old.drain(mark.old..).rev() {
            self.cells[node as usize] = cell;
        }
        self.cells.truncate(mark.cells);
        self.args.truncate(mark.args);
        self.values.truncate(mark.values);
        self.waiters.truncate(mark.waiters);
        self.woken.clear();
    }

    fn set(&mut self, node: Node, cell: Cell) {
        self.old.push((node, self.cells[node as usize]));
        self.cells[node as usize] = cell;
    }

    fn push(&mut self, cell: Cell) -> Node {
        self.cells.push(cell);
        (self.cells.len() - 1) as Node
    }

    pub(super) fn free(&mut self) -> Node {
        self.push(Cell::Free(NONE))
    }

    pub(super) fn value(&mut self, value: Value) -> Node {
        self.values.push(value);
        self.push(Cell::Value((self.values.len() - 1) as u32))
    }

    pub(super) fn data(&mut self, ctor: CtorId, args: &[Node]) -> Node {
        let first = self.args.len() as u32;
        self.args.push(args.len() as u32);
        self.args.extend_from_slice(args);
        let is_ground = args.iter().all(|&arg| self.is_known_ground(arg));
        self.push(Cell::Data(ctor, first, is_ground))
    }

    /// Whether a node is seen to have no variables at first sight.
    fn is_known_ground(&self, node: Node) -> bool {
        match self.cells[self.find(node) as usize] {
            Cell::Data(_, _, is_ground) => is_ground,
            Cell::Value(_) => true,
            Cell::Free(_) | Cell::Bound(_) => false,
        }
    }

    /// What a variable is in the end.
    pub(super) fn find(&self, mut node: Node) -> Node {
        while let Cell::Bound(next) = self.cells[node as usize] {
            node = next;
        }
        node
    }

    /// What a node is that is no bound variable.
    pub(super) fn cell(&self, node: Node) -> Cell {
        self.cells[node as usize]
    }

    /// The arguments that begin at a place, where their number stands.
    pub(super) fn args(&self, first: u32) -> &[Node] {
        let first = first as usize;
        &self.args[first + 1..=first + self.args[first] as usize]
    }

    pub(super) fn value_at(&self, place: u32) -> &Value {
        &self.values[place as usize]
    }

    /// Lets someone wait for a free variable.
    pub(super) fn wait(&mut self, node: Node, waiter: Waiter) {
        if let Cell::Free(first) = self.cells[node as usize] {
            self.waiters.push((waiter, first));
            self.set(node, Cell::Free((self.waiters.len() - 1) as u32));
        }
    }

    /// Gives a free variable a value.
    fn bind(&mut self, node: Node, to: Node) {
        let Cell::Free(mut waiting) = self.cells[node as usize] else { return };
        self.set(node, Cell::Bound(to));
        while waiting != NONE {
            let (waiter, next) = self.waiters[waiting as usize];
            self.woken.push(waiter);
            self.wait(to, waiter);
            waiting = next;
        }
    }

    /// Whether a variable occurs in a term.
    fn occurs(&self, var: Node, term: Node) -> bool {
        let mut stack = vec![term];
        while let Some(node) = stack.pop() {
            let node = self.find(node);
            match self.cells[node as usize] {
                Cell::Free(_) if node == var => return true,
                Cell::Data(_, first, false) => stack.extend(self.args(first)),
                _ => {}
            }
        }
        false
    }

    /// Whether a term has no free variables.
    pub(super) fn is_ground(&self, term: Node) -> bool {
        let mut stack = vec![term];
        while let Some(node) = stack.pop() {
            match self.cells[self.find(node) as usize] {
                Cell::Free(_) => return false,
                Cell::Data(_, first, false) => stack.extend(self.args(first)),
                _ => {}
            }
        }
        true
    }

    /// Adds the free variables of a term.
    pub(super) fn add_free(&self, term: Node, free: &mut BTreeSet<Node>) {
        let mut stack = vec![term];
        while let Some(node) = stack.pop() {
            let node = self.find(node);
            match self.cells[node as usize] {
                Cell::Free(_) => {
                    free.insert(node);
                }
                Cell::Data(_, first, false) => stack.extend(self.args(first)),
                _ => {}
            }
        }
    }

    /// Makes two terms equal, if they can be.
    pub(super) fn unify(&mut self, one: Node, other: Node) -> bool {
        let mut stack = vec![(one, other)];
        while let Some((one, other)) = stack.pop() {
            let (one, other) = (self.find(one), self.find(other));
            if one == other {
                continue;
            }
            match (self.cells[one as usize], self.cells[other as usize]) {
                (Cell::Free(_), Cell::Free(_)) => self.bind(one.max(other), one.min(other)),
                (Cell::Free(_), _) if self.occurs(one, other) => return false,
                (Cell::Free(_), _) => self.bind(one, other),
                (_, Cell::Free(_)) if self.occurs(other, one) => return false,
                (_, Cell::Free(_)) => self.bind(other, one),
                (Cell::Data(ctor, first, _), Cell::Data(also, second, _)) if ctor == also => {
                    let pairs = self.args(first).iter().zip(self.args(second)).rev();
                    stack.extend(pairs.map(|(&one, &other)| (one, other)));
                }
                (Cell::Value(one), Cell::Value(other))
                    if self.values[one as usize] == self.values[other as usize] => {}
                _ => return false,
            }
        }
        true
    }

    /// The node that a pattern is, with new variables where the frame has none yet.
    pub(super) fn build(&mut self, pattern: &Pattern, frame: &mut [Node]) -> Node {
        match pattern {
            Pattern::Var(var) => {
                if frame[*var as usize] == NONE {
                    frame[*var as usize] = self.free();
                }
                frame[*var as usize]
            }
            Pattern::Data(ctor, args) => {
                let args: Vec<Node> = args.iter().map(|arg| self.build(arg, frame)).collect();
                self.data(*ctor, &args)
            }
            Pattern::Value(value) => self.value(value.clone()),
        }
    }

    /// Makes a term an instance of a pattern, if it can be.
    pub(super) fn meet(&mut self, pattern: &Pattern, node: Node, frame: &mut [Node]) -> bool {
        let node = self.find(node);
        match (pattern, self.cells[node as usize]) {
            (Pattern::Var(var), _) => {
                let known = frame[*var as usize];
                if known == NONE {
                    frame[*var as usize] = node;
                    return true;
                }
                self.unify(known, node)
            }
            (_, Cell::Free(_)) => {
                let made = self.build(pattern, frame);
                self.unify(node, made)
            }
            (Pattern::Data(ctor, args), Cell::Data(also, first, _)) => {
                *ctor == also
                    && args.iter().enumerate().all(|(position, arg)| {
                        let node = self.args(first)[position];
                        self.meet(arg, node, frame)
                    })
            }
            (Pattern::Value(value), Cell::Value(place)) => *value == self.values[place as usize],
            _ => false,
        }
    }

    /// Whether two terms are equal whatever their variables are; a variable that it depends on otherwise.
    pub(super) fn same(&self, one: Node, other: Node) -> Result<bool, Node> {
        let mut open = None;
        let mut stack = vec![(one, other)];
        while let Some((one, other)) = stack.pop() {
            let (one, other) = (self.find(one), self.find(other));
            if one == other {
                continue;
            }
            match (self.cells[one as usize], self.cells[other as usize]) {
                (Cell::Free(_), _) => open = open.or(Some(one)),
                (_, Cell::Free(_)) => open = open.or(Some(other)),
                (Cell::Data(ctor, first, _), Cell::Data(also, second, _)) if ctor == also => {
                    let pairs = self.args(first).iter().zip(self.args(second));
                    stack.extend(pairs.map(|(&one, &other)| (one, other)));
                }
                (Cell::Value(one), Cell::Value(other))
                    if self.values[one as usize] == self.values[other as usize] => {}
                _ => return Ok(false),
            }
        }
        open.map_or(Ok(true), Err)
    }
}
