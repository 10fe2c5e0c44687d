//! Binary decision diagrams: Boolean functions with one form each, under an order of the variables.
//!
//! A node says what the function is where its variable is true and where it is false; a reference may negate. The
//! high branch of a node is never negated, so that a function and its negation share their nodes. Nodes are kept
//! in a table per variable, which is what `reorder` needs to exchange neighbours in place: references stay what
//! they are. What is not needed is freed, and variables are reordered, in the middle of operations: see `room`.
//! Work is charged to the engine's budget while it happens.
//!
//! After Bryant, "Graph-Based Algorithms for Boolean Function Manipulation" (1986), Brace, Rudell, Bryant,
//! "Efficient Implementation of a BDD Package" (DAC 1990).

mod bounded;
mod cover;
mod diagram;
mod graph;
mod operations;
mod reorder;
mod room;
#[cfg(test)]
mod tests;
pub(crate) mod walk;

pub(crate) use bounded::Bounded;
pub(crate) use cover::Cover;
pub(crate) use diagram::{Diagram, Place};
pub(crate) use graph::to_edges;

use alphorn_engine::{Ctx, Stop};

/// A function: a node, possibly negated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Ref(u32);

impl Ref {
    /// Always true.
    pub(crate) const TRUE: Ref = Ref(0);
    /// Always false.
    pub(crate) const FALSE: Ref = Ref(1);

    fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    pub(crate) fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// The function that is not negated, of this one and its negation.
    pub(crate) fn positive(self) -> Ref {
        Ref(self.0 & !1)
    }

    pub(crate) fn xor(self, negate: bool) -> Ref {
        Ref(self.0 ^ u32::from(negate))
    }

    pub(crate) fn is_constant(self) -> bool {
        self.0 < 2
    }
}

impl std::ops::Not for Ref {
    type Output = Ref;
    fn not(self) -> Ref {
        Ref(self.0 ^ 1)
    }
}

/// Why an operation ended early.
#[derive(Debug)]
pub(crate) enum Halt {
    /// There are as many nodes as allowed, or it took as many ticks.
    Full,
    /// Variables were reordered: the operation has to be begun again.
    Again,
    /// The engine has to stop.
    Stop(Stop),
}

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Halt {
        Halt::Stop(stop)
    }
}

#[derive(Clone, Copy)]
struct Node {
    var: u32,
    high: Ref,
    low: Ref,
    /// The next node of its place in the table, or the next that is free.
    next: u32,
}

const NONE: u32 = u32::MAX;
/// The variable of constants, below all others.
const CONSTANT: u32 = u32::MAX;
/// Steps of operations between two looks at the budget.
const SLICE: u64 = 1 << 10;
/// Steps that make one tick.
const SCALE: u64 = 1 << 6;

/// The nodes of one variable.
#[derive(Default)]
struct Table {
    places: Vec<u32>,
    count: usize,
}

/// A result that is remembered, in a quarter of a cache line: the operation and its first operand in one word, the
/// other operands, the result.
#[derive(Clone, Copy)]
#[repr(align(16))]
struct Entry {
    key: [u32; 3],
    result: Ref,
}

const EMPTY: Entry = Entry { key: [NONE; 3], result: Ref::TRUE };
/// The lowest bit of a key's first word that says which operation it is of; operands are below.
const OPERATION: u32 = 29;
/// Nodes that can be needed at most, so that operands stay below even where three times as many are not yet freed.
const MAX_NODES: usize = 1 << 26;
/// Results that are remembered at first.
const MEMORY: usize = 1 << 14;

/// A manager of functions.
pub(crate) struct Bdd {
    nodes: Vec<Node>,
    free: u32,
    tables: Vec<Table>,
    /// The level of each variable, the top one being 0.
    level: Vec<u32>,
    /// The variable of each level.
    order: Vec<u32>,
    /// Whether a variable stays below the one above it when variables are reordered.
    is_bound: Vec<bool>,
    memory: Vec<Entry>,
    live: usize,
    work: u64,
    /// The ticks that are left for operations and reordering.
    left: u64,
    /// A number for each set of replacements, under which results are remembered.
    generation: u32,
    room: room::Room,
    /// What callers need.
    pins: Vec<Ref>,
    /// What operations need that are under way.
    held: Vec<Ref>,
}

impl Bdd {
    /// A manager of this many variables, the first on top.
    pub(crate) fn new(variables: usize) -> Bdd {
        let constant = Node { var: CONSTANT, high: Ref::TRUE, low: Ref::TRUE, next: NONE };
        Bdd {
            nodes: vec![constant],
            free: NONE,
            tables: (0..variables).map(|_| Table::default()).collect(),
            level: (0..variables as u32).collect(),
            order: (0..variables as u32).collect(),
            is_bound: vec![false; variables],
            memory: vec![EMPTY; MEMORY],
            live: 0,
            work: 0,
            left: u64::MAX,
            generation: 0,
            room: room::Room::default(),
            pins: Vec::new(),
            held: Vec::new(),
        }
    }

    /// A manager of as many variables as `order` has, which lists them from the top.
    pub(crate) fn ordered(order: &[u32]) -> Bdd {
        let mut bdd = Bdd::new(order.len());
        for (level, var) in order.iter().enumerate() {
            bdd.level[*var as usize] = level as u32;
        }
        bdd.order = order.to_vec();
        bdd
    }

    /// Keeps a variable below the one that is above it now.
    pub(crate) fn bind(&mut self, var: usize) {
        self.is_bound[var] = true;
    }

    /// Whether a variable stays below the one above it.
    pub(crate) fn is_bound(&self, var: usize) -> bool {
        self.is_bound[var]
    }

    /// The variables from the top.
    pub(crate) fn order(&self) -> &[u32] {
        &self.order
    }

    /// Ends operations, and reordering, after so many ticks more.
    pub(crate) fn set_left(&mut self, ticks: u64) {
        self.left = ticks;
    }

    /// Charges ticks.
    fn charge(&mut self, ticks: u64, ctx: &mut Ctx<'_>) -> Result<(), Halt> {
        ctx.tick(ticks)?;
        self.left = self.left.saturating_sub(ticks);
        if self.left == 0 { Err(Halt::Full) } else { Ok(()) }
    }

    /// How many nodes there are.
    #[cfg(test)]
    pub(crate) fn live(&self) -> usize {
        self.live
    }

    /// The function that is the variable.
    pub(crate) fn variable(&mut self, var: usize) -> Ref {
        self.make(var as u32, Ref::TRUE, Ref::FALSE)
    }

    /// The top variable of a function and what it is where that is true and false; none if it is constant.
    pub(crate) fn parts(&self, f: Ref) -> Option<(usize, Ref, Ref)> {
        let node = self.nodes[f.node()];
        let negate = f.is_negated();
        (node.var != CONSTANT)
            .then(|| (node.var as usize, node.high.xor(negate), node.low.xor(negate)))
    }

    /// How many nodes the functions have together.
    pub(crate) fn size(&self, roots: &[Ref]) -> usize {
        self.reached(roots).iter().filter(|is| **is).count()
    }

    /// The variables that a function depends on.
    pub(crate) fn support(&self, f: Ref) -> Vec<usize> {
        let reached = self.reached(&[f]);
        let mut is_there = vec![false; self.tables.len()];
        for (node, _) in self.nodes.iter().zip(reached).filter(|(_, is_reached)| *is_reached) {
            is_there[node.var as usize] = true;
        }
        (0..is_there.len()).filter(|var| is_there[*var]).collect()
    }

    fn reached(&self, roots: &[Ref]) -> Vec<bool> {
        let mut seen = vec![false; self.nodes.len()];
        let mut stack: Vec<usize> = roots.iter().map(|root| root.node()).collect();
        while let Some(node) = stack.pop() {
            if node != 0 && !std::mem::replace(&mut seen[node], true) {
                let Node { high, low, .. } = self.nodes[node];
                stack.extend([high.node(), low.node()]);
            }
        }
        seen
    }

    #[inline]
    fn level_of(&self, f: Ref) -> u32 {
        let var = self.nodes[f.node()].var;
        if var == CONSTANT { CONSTANT } else { self.level[var as usize] }
    }

    /// What a function is where the variable of a level is true and false.
    #[inline]
    fn split(&self, f: Ref, level: u32) -> (Ref, Ref) {
        if self.level_of(f) != level {
            return (f, f);
        }
        let Node { high, low, .. } = self.nodes[f.node()];
        (high.xor(f.is_negated()), low.xor(f.is_negated()))
    }

    /// The function that is `high` where the variable is true and `low` elsewhere; both are below it.
    #[inline]
    fn make(&mut self, var: u32, high: Ref, low: Ref) -> Ref {
        if high == low {
            return high;
        }
        if high.is_negated() {
            return !self.node(var, !high, !low);
        }
        self.node(var, high, low)
    }

    fn node(&mut self, var: u32, high: Ref, low: Ref) -> Ref {
        let table = &mut self.tables[var as usize];
        if table.count >= table.places.len() {
            self.grow(var);
        }
        let table = &mut self.tables[var as usize];
        let place = hash(high, low) & (table.places.len() - 1);
        let mut at = table.places[place];
        while at != NONE {
            let node = &self.nodes[at as usize];
            if node.high == high && node.low == low {
                return Ref(at << 1);
            }
            at = node.next;
        }
        let node = Node { var, high, low, next: table.places[place] };
        let index = match self.free {
            NONE => {
                self.nodes.push(node);
                self.nodes.len() as u32 - 1
            }
            index => {
                self.free = self.nodes[index as usize].next;
                self.nodes[index as usize] = node;
                index
            }
        };
        self.tables[var as usize].places[place] = index;
        self.tables[var as usize].count += 1;
        self.live += 1;
        Ref(index << 1)
    }

    fn grow(&mut self, var: u32) {
        let table = &mut self.tables[var as usize];
        let size = (table.places.len() * 2).max(16);
        let old = std::mem::replace(&mut table.places, vec![NONE; size]);
        for mut at in old {
            while at != NONE {
                let node = &mut self.nodes[at as usize];
                let next = node.next;
                let place = hash(node.high, node.low) & (size - 1);
                node.next = table.places[place];
                table.places[place] = at;
                at = next;
            }
        }
    }

    #[inline]
    fn recall(&self, key: [u32; 3]) -> Option<Ref> {
        let entry = &self.memory[place_of(key, self.memory.len())];
        (entry.key == key).then_some(entry.result)
    }

    #[inline]
    fn remember(&mut self, key: [u32; 3], result: Ref) {
        let place = place_of(key, self.memory.len());
        self.memory[place] = Entry { key, result };
    }
}

#[inline]
fn hash(high: Ref, low: Ref) -> usize {
    let key = u64::from(high.0) << 32 | u64::from(low.0);
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize
}

#[inline]
fn place_of([a, b, c]: [u32; 3], places: usize) -> usize {
    let first = u64::from(a) << 32 | u64::from(b);
    let second = u64::from(c);
    let mixed = first.wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ second.wrapping_mul(0xc2b2_ae3d_27d4_eb4f).rotate_left(29);
    (mixed.wrapping_mul(0xff51_afd7_ed55_8ccd) >> 40) as usize & (places - 1)
}
