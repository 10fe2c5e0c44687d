//! Sifting: each variable, the largest first, tries all levels and goes where there are fewest nodes.
//!
//! Neighbours are exchanged in place. A node whose function depends on both is made anew under the lower
//! variable and keeps its number, so that nobody who refers to it notices; nodes of the lower variable that lose
//! their last reference are freed at once, or their number would mislead the search. Variables of which no function
//! reads both are exchanged without a look at their nodes. A variable looks no further in a direction when even the
//! loss of all nodes that are still to be passed would not be enough.
//!
//! After Rudell, "Dynamic Variable Ordering for Ordered Binary Decision Diagrams" (ICCAD 1993).

use super::{Bdd, CONSTANT, EMPTY, Halt, NONE, Node, Ref, hash};
use alphorn_engine::Ctx;

/// How much larger than the best, in percent, all nodes may become while a variable looks further.
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
        let mut vars: Vec<usize> = (0..self.bdd.tables.len()).collect();
        vars.sort_by_key(|var| std::cmp::Reverse(self.bdd.tables[*var].count));
        for var in vars {
            if self.bdd.tables[var].count > 0 {
                self.one(var, ctx)?;
            }
        }
        Ok(())
    }

    /// Moves one variable to where there are fewest nodes.
    fn one(&mut self, var: usize, ctx: &mut Ctx<'_>) -> Result<(), Halt> {
        let last = self.bdd.order.len() - 1;
        let start = self.bdd.level[var] as usize;
        let (mut best, mut best_at, mut at) = (self.bdd.live, start, start);
        // The nearer end first.
        let ends = if start > last / 2 { [last, 0] } else { [0, last] };
        for end in ends {
            while at != end {
                if self.bdd.live - self.passed(var, at, end) >= best {
                    break;
                }
                let upper = if at < end { at } else { at - 1 };
                let looked_at = self.swap(upper);
                self.bdd.charge(1 + looked_at / super::SCALE, ctx)?;
                at = if at < end { at + 1 } else { at - 1 };
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
            let upper = if at < best_at { at } else { at - 1 };
            let looked_at = self.swap(upper);
            self.bdd.charge(1 + looked_at / super::SCALE, ctx)?;
            at = if at < best_at { at + 1 } else { at - 1 };
        }
        Ok(())
    }

    /// How many nodes there are that a variable on its way to an end might make superfluous.
    fn passed(&self, var: usize, at: usize, end: usize) -> usize {
        let levels = if at < end { at + 1..end + 1 } else { end..at };
        let vars = levels.map(|level| self.bdd.order[level] as usize);
        let counts = vars.filter(|other| self.together.are(var, *other));
        let counts = counts.map(|other| self.bdd.tables[other].count);
        counts.sum::<usize>() + self.bdd.tables[var].count
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
