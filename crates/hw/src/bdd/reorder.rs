//! Sifting: each variable, the largest first, tries all levels and goes where there are fewest nodes. Variables that
//! are bound to each other move as one block.
//!
//! Neighbours are exchanged in place. A node whose function depends on both is made anew under the lower
//! variable and keeps its number, so that nobody who refers to it notices; nodes of the lower variable that lose
//! their last reference are freed at once, or their number would mislead the search. Variables of which no function
//! reads both are exchanged without a look at their nodes. A block looks no further in a direction when even the
//! loss of all nodes that are still to be passed would not be enough.
//!
//! After Rudell, "Dynamic Variable Ordering for Ordered Binary Decision Diagrams" (ICCAD 1993).

use super::{Bdd, CONSTANT, EMPTY, Halt, NONE, Node, Ref, hash};
use alphorn_engine::Ctx;

/// How much larger than the best, in percent, all nodes may become while a block looks further.
const MAX_GROWTH: usize = 120;

impl Bdd {
    /// Frees what the roots do not need, and looks for a better order for them.
    pub(crate) fn reorder(&mut self, roots: &[Ref], ctx: &mut Ctx<'_>) -> Result<(), Halt> {
        self.collect(roots);
        let together = Together::new(self, roots);
        let mut sift = Sift { references: vec![0; self.nodes.len()], together, bdd: self };
        sift.count(roots);
        let result = sift.all(ctx);
        self.memory.fill(EMPTY);
        result
    }
}

/// Which variables some function reads both of.
struct Together {
    words: usize,
    /// A set of variables for each.
    rows: Vec<u64>,
}

impl Together {
    fn new(bdd: &Bdd, roots: &[Ref]) -> Together {
        let vars = bdd.tables.len();
        let words = vars.div_ceil(64).max(1);
        let mut reads = vec![0u64; words * bdd.nodes.len()];
        for var in bdd.order.iter().rev() {
            for at in bdd.listed(*var as usize) {
                let Node { high, low, .. } = bdd.nodes[at as usize];
                for word in 0..words {
                    let below =
                        reads[high.node() * words + word] | reads[low.node() * words + word];
                    reads[at as usize * words + word] = below;
                }
                reads[at as usize * words + *var as usize / 64] |= 1 << (var % 64);
            }
        }
        let mut sets: Vec<&[u64]> =
            roots.iter().map(|root| &reads[root.node() * words..][..words]).collect();
        sets.sort_unstable();
        sets.dedup();
        let mut rows = vec![0u64; words * vars];
        for set in sets {
            for var in (0..vars).filter(|var| set[var / 64] >> (var % 64) & 1 == 1) {
                for (word, read) in rows[var * words..][..words].iter_mut().zip(set) {
                    *word |= read;
                }
            }
        }
        Together { words, rows }
    }

    fn are(&self, x: usize, y: usize) -> bool {
        self.rows[x * self.words + y / 64] >> (y % 64) & 1 == 1
    }
}

struct Sift<'b> {
    bdd: &'b mut Bdd,
    together: Together,
    /// How often each node is referred to.
    references: Vec<u32>,
}

impl Sift<'_> {
    fn count(&mut self, roots: &[Ref]) {
        for root in roots {
            self.references[root.node()] += 1;
        }
        for var in 0..self.bdd.tables.len() {
            for at in self.bdd.listed(var) {
                let Node { high, low, .. } = self.bdd.nodes[at as usize];
                self.references[high.node()] += 1;
                self.references[low.node()] += 1;
            }
        }
    }

    fn all(&mut self, ctx: &mut Ctx<'_>) -> Result<(), Halt> {
        let mut blocks: Vec<(usize, usize)> = Vec::new();
        let mut at = 0;
        while at < self.bdd.order.len() {
            let end = self.end_of(at);
            let count = (at..end).map(|level| self.nodes_of(level)).sum::<usize>();
            blocks.push((count, self.bdd.order[at] as usize));
            at = end;
        }
        blocks.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
        for (count, var) in blocks {
            if count > 0 {
                self.one(var, ctx)?;
            }
        }
        Ok(())
    }

    /// How many nodes a level has.
    fn nodes_of(&self, level: usize) -> usize {
        self.bdd.tables[self.bdd.order[level] as usize].count
    }

    /// Whether a level stays below the one above it.
    fn is_bound(&self, level: usize) -> bool {
        level > 0 && self.bdd.is_bound[self.bdd.order[level] as usize]
    }

    /// Where the block that begins at a level ends.
    fn end_of(&self, start: usize) -> usize {
        let last = self.bdd.order.len();
        (start + 1..last).find(|level| !self.is_bound(*level)).unwrap_or(last)
    }

    /// Where the block begins that a level is in.
    fn start_of(&self, level: usize) -> usize {
        (1..=level).rev().find(|level| !self.is_bound(*level)).unwrap_or(0)
    }

    /// Moves the block that begins with a variable to where there are fewest nodes.
    fn one(&mut self, var: usize, ctx: &mut Ctx<'_>) -> Result<(), Halt> {
        let levels = self.bdd.order.len();
        let start = self.bdd.level[var] as usize;
        let size = self.end_of(start) - start;
        let (mut best, mut best_at, mut at) = (self.bdd.live, start, start);
        // The nearer end first.
        let ends = if start > levels / 2 { [true, false] } else { [false, true] };
        for is_down in ends {
            while at + size < levels && is_down || at > 0 && !is_down {
                if self.bdd.live - self.passed(at, size, is_down) >= best {
                    break;
                }
                at = self.moved(at, size, is_down, ctx)?;
                let live = self.bdd.live;
                if live < best {
                    (best, best_at) = (live, at);
                }
                if live * 100 > best * MAX_GROWTH {
                    break;
                }
            }
        }
        while at != best_at {
            at = self.moved(at, size, at < best_at, ctx)?;
        }
        Ok(())
    }

    /// Exchanges a block with its neighbour; where it begins then.
    fn moved(
        &mut self,
        at: usize,
        size: usize,
        is_down: bool,
        ctx: &mut Ctx<'_>,
    ) -> Result<usize, Halt> {
        let (first, upper, lower) = match is_down {
            true => (at, size, self.end_of(at + size) - at - size),
            false => {
                let above = self.start_of(at - 1);
                (above, at - above, size)
            }
        };
        let mut looked_at = 0;
        for place in 0..lower {
            for step in (0..upper).rev() {
                looked_at += self.swap(first + place + step);
            }
        }
        self.bdd.charge(1 + looked_at / super::SCALE, ctx)?;
        Ok(if is_down { at + lower } else { first })
    }

    /// How many nodes there are that a block on its way down or up might make superfluous.
    fn passed(&self, at: usize, size: usize, is_down: bool) -> usize {
        let levels = if is_down { at + size..self.bdd.order.len() } else { 0..at };
        let own = |level: usize| self.bdd.order[level] as usize;
        let is_met =
            |level: &usize| (at..at + size).any(|own_| self.together.are(own(own_), own(*level)));
        let met: usize = levels.filter(is_met).map(|level| self.nodes_of(level)).sum();
        met + (at..at + size).map(|level| self.nodes_of(level)).sum::<usize>()
    }

    /// Exchanges a level with the one below it; how many nodes were looked at.
    fn swap(&mut self, upper: usize) -> u64 {
        let (x, y) = (self.bdd.order[upper] as usize, self.bdd.order[upper + 1] as usize);
        if !self.together.are(x, y) {
            self.bdd.order.swap(upper, upper + 1);
            (self.bdd.level[x], self.bdd.level[y]) = (upper as u32 + 1, upper as u32);
            return 0;
        }
        let all = self.bdd.listed(x);
        let is_on = |bdd: &Bdd, f: Ref| bdd.nodes[f.node()].var == y as u32;
        let moved: Vec<u32> = (all.iter().copied())
            .filter(|at| {
                let Node { high, low, .. } = self.bdd.nodes[*at as usize];
                is_on(self.bdd, high) || is_on(self.bdd, low)
            })
            .collect();
        for at in &moved {
            self.bdd.unlist(x, *at);
        }
        self.bdd.order.swap(upper, upper + 1);
        (self.bdd.level[x], self.bdd.level[y]) = (upper as u32 + 1, upper as u32);
        for at in &moved {
            let Node { high, low, .. } = self.bdd.nodes[*at as usize];
            let parts = |bdd: &Bdd, f: Ref| match is_on(bdd, f) {
                true => {
                    let Node { high, low, .. } = bdd.nodes[f.node()];
                    (high.xor(f.is_negated()), low.xor(f.is_negated()))
                }
                false => (f, f),
            };
            let ((h1, h0), (l1, l0)) = (parts(self.bdd, high), parts(self.bdd, low));
            let new_high = self.made(x, h1, l1);
            let new_low = self.made(x, h0, l0);
            debug_assert!(!new_high.is_negated());
            self.references[new_high.node()] += 1;
            self.references[new_low.node()] += 1;
            let node = &mut self.bdd.nodes[*at as usize];
            (node.var, node.high, node.low) = (y as u32, new_high, new_low);
            self.bdd.list(y, *at);
            self.release(high);
            self.release(low);
        }
        (all.len() + 4 * moved.len()) as u64
    }

    /// A node of the lower level, with its references counted if it is new.
    fn made(&mut self, var: usize, high: Ref, low: Ref) -> Ref {
        let before = self.bdd.live;
        let made = self.bdd.make(var as u32, high, low);
        if self.references.len() < self.bdd.nodes.len() {
            self.references.resize(self.bdd.nodes.len(), 0);
        }
        if self.bdd.live > before {
            self.references[made.node()] = 0;
            let Node { high, low, .. } = self.bdd.nodes[made.node()];
            self.references[high.node()] += 1;
            self.references[low.node()] += 1;
        }
        made
    }

    fn release(&mut self, f: Ref) {
        let mut stack = vec![f.node()];
        while let Some(at) = stack.pop() {
            self.references[at] -= 1;
            if at == 0 || self.references[at] > 0 {
                continue;
            }
            let Node { var, high, low, .. } = self.bdd.nodes[at];
            self.bdd.unlist(var as usize, at as u32);
            let free = self.bdd.free;
            self.bdd.nodes[at] = Node { var: CONSTANT, high, low, next: free };
            self.bdd.free = at as u32;
            self.bdd.live -= 1;
            stack.extend([high.node(), low.node()]);
        }
    }
}

impl Bdd {
    /// The nodes of a variable.
    pub(super) fn listed(&self, var: usize) -> Vec<u32> {
        let table = &self.tables[var];
        let mut all = Vec::with_capacity(table.count);
        for place in &table.places {
            let mut at = *place;
            while at != NONE {
                all.push(at);
                at = self.nodes[at as usize].next;
            }
        }
        all
    }

    /// Takes a node out of the table of its variable; it stays a node.
    fn unlist(&mut self, var: usize, wanted: u32) {
        let Node { high, low, next, .. } = self.nodes[wanted as usize];
        let table = &mut self.tables[var];
        let place = hash(high, low) & (table.places.len() - 1);
        table.count -= 1;
        if table.places[place] == wanted {
            table.places[place] = next;
            return;
        }
        let mut at = table.places[place];
        while self.nodes[at as usize].next != wanted {
            at = self.nodes[at as usize].next;
        }
        self.nodes[at as usize].next = next;
    }

    /// Puts a node into the table of its variable.
    pub(super) fn list(&mut self, var: usize, at: u32) {
        if self.tables[var].count >= self.tables[var].places.len() {
            self.grow(var as u32);
        }
        let Node { high, low, .. } = self.nodes[at as usize];
        let table = &mut self.tables[var];
        let place = hash(high, low) & (table.places.len() - 1);
        self.nodes[at as usize].next = table.places[place];
        table.places[place] = at;
        table.count += 1;
    }
}
