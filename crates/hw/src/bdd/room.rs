//! Room for operations: what is not needed is freed, and variables are reordered, in the middle of them.
//!
//! Callers *pin* what they need; operations *hold* what they need for the moment. When nodes have grown to a
//! multiple of what was needed the last time, all that is neither pinned nor held is freed, and the operation goes
//! on. If what is left has grown to a multiple of what the last reordering left, variables are reordered: for what
//! the operation has made so far as well, since that is often what a good order is needed for. Such an operation
//! ends with `Again`, and `whole` begins it again.
//!
//! Invariant: an operand of an operation, and whatever it reads after another operation, is pinned or held.

use super::operations::REPLACE;
use super::{
    Bdd, CONSTANT, Cover, EMPTY, Halt, MAX_NODES, NONE, Node, OPERATION, Ref, SCALE, SLICE, Table,
};
use alphorn_engine::{Ctx, Stop};

/// Nodes that are looked through at least for some that are not needed.
const FEWEST: usize = 1 << 14;
/// Results that are remembered at most.
const MAX_MEMORY: usize = 1 << 21;
/// Nodes from which on reordering takes seconds.
const LARGE: usize = 60_000;
/// An order is better if so many percent of the nodes are left.
const WORTHWHILE: usize = 85;

/// When something has to be done.
#[derive(Clone, Copy)]
pub(super) struct Room {
    /// Nodes after which those that are not needed are freed.
    collected: usize,
    /// Needed nodes after which variables are reordered.
    reordered: usize,
    /// The fewest that are worth it.
    first: usize,
    /// The most nodes that may be needed.
    most: usize,
}

impl Default for Room {
    fn default() -> Room {
        Room { collected: FEWEST, reordered: usize::MAX, first: usize::MAX, most: MAX_NODES }
    }
}

impl Bdd {
    /// Reorders variables from so many nodes on, and gives up when so many are needed.
    pub(crate) fn set_room(&mut self, first_reorder: usize, most: usize) {
        let most = most.min(MAX_NODES);
        self.room = Room { reordered: first_reorder, first: first_reorder, most, ..self.room };
    }

    /// Changes how many nodes may be needed.
    pub(super) fn set_most(&mut self, most: usize) {
        self.room.most = most.min(MAX_NODES);
    }

    /// Keeps a function until its pin is taken away; the number of the pin.
    pub(crate) fn pin(&mut self, f: Ref) -> usize {
        self.pins.push(f);
        self.pins.len() - 1
    }

    /// What is kept by a pin.
    pub(crate) fn pinned(&self, pin: usize) -> Ref {
        self.pins[pin]
    }

    /// Keeps another function in the place of one.
    pub(crate) fn set_pin(&mut self, pin: usize, f: Ref) {
        self.pins[pin] = f;
    }

    /// The number of pins.
    pub(crate) fn pins(&self) -> usize {
        self.pins.len()
    }

    /// Takes away all pins but the first ones.
    pub(crate) fn unpin(&mut self, first: usize) {
        self.pins.truncate(first);
    }

    /// Keeps a function until the whole operation has ended.
    pub(crate) fn hold(&mut self, f: Ref) {
        self.held.push(f);
    }

    /// Does an operation, again as often as variables are reordered.
    pub(crate) fn whole(
        &mut self,
        ctx: &mut Ctx<'_>,
        mut work: impl FnMut(&mut Bdd, &mut Ctx<'_>) -> Result<Ref, Halt>,
    ) -> Result<Ref, Stop> {
        loop {
            let done = work(self, ctx);
            self.held.clear();
            match done {
                Ok(made) => return Ok(made),
                Err(Halt::Again) => {}
                Err(Halt::Stop(stop)) => return Err(stop),
                Err(Halt::Full) => {
                    let most = self.room.most;
                    return Err(Stop::Stuck(format!("decision diagrams of {most} nodes")));
                }
            }
        }
    }

    /// A cover of what lies between two functions, and its number in it; none if it has more parts than `most`.
    pub(crate) fn cover(
        &mut self,
        lower: Ref,
        upper: Ref,
        most: usize,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<(Cover, usize)>, Stop> {
        loop {
            let mut cover = Cover::default();
            let made = cover.between(self, lower, upper, most, ctx);
            self.held.clear();
            match made {
                Ok((_, at)) => return Ok(Some((cover, at))),
                Err(Halt::Again) => {}
                Err(Halt::Full) => return Ok(None),
                Err(Halt::Stop(stop)) => return Err(stop),
            }
        }
    }

    /// A step of an operation.
    #[inline]
    pub(super) fn step(&mut self, ctx: &mut Ctx<'_>) -> Result<(), Halt> {
        self.work += 1;
        if !self.work.is_multiple_of(SLICE) {
            return Ok(());
        }
        self.charge(SLICE / SCALE, ctx)?;
        if self.live > self.room.collected {
            self.make_room(ctx)?;
        }
        if self.live > self.memory.len() && self.memory.len() < MAX_MEMORY {
            self.memory = vec![EMPTY; 4 * self.memory.len()];
        }
        Ok(())
    }

    /// Frees what is not needed, and reorders if that is not enough.
    fn make_room(&mut self, ctx: &mut Ctx<'_>) -> Result<(), Halt> {
        let roots = [&self.pins[..], &self.held].concat();
        self.collect(&roots);
        if self.live > self.room.most {
            return Err(Halt::Full);
        }
        let is_reordered = self.live > self.room.reordered;
        if is_reordered {
            let before = self.live;
            self.reorder(&roots, ctx)?;
            // An order that is hardly better is not looked for again so soon, and none is where that takes longer than
            // what it is for.
            let is_better = self.live * 100 < before * WORTHWHILE;
            let times = match () {
                () if self.live > LARGE => 12,
                () if is_better => 2,
                () => 4,
            };
            self.room.reordered = self.room.first.max(times * self.live);
        }
        // Remembered results are looked through as well.
        self.room.collected = FEWEST.max(3 * self.live).max(self.memory.len() / 4);
        if is_reordered { Err(Halt::Again) } else { Ok(()) }
    }

    /// Frees all nodes that the roots do not need.
    pub(crate) fn collect(&mut self, roots: &[Ref]) {
        let seen = self.reached(roots);
        for var in 0..self.tables.len() {
            let listed = self.listed(var);
            let kept = listed.iter().filter(|at| seen[**at as usize]).count();
            // Tables that were large for a moment would be walked through for ever.
            let size = (2 * kept).next_power_of_two().max(16);
            self.tables[var] = Table { places: vec![NONE; size], count: 0 };
            for at in listed {
                if seen[at as usize] {
                    self.list(var, at);
                    continue;
                }
                let node = &mut self.nodes[at as usize];
                *node = Node { var: CONSTANT, next: self.free, ..*node };
                self.free = at;
                self.live -= 1;
            }
        }
        let is_there = |f: u32| f < 2 || seen[(f >> 1) as usize];
        for entry in &mut self.memory {
            if entry.key == EMPTY.key {
                continue;
            }
            let [first, b, c] = entry.key;
            let (operation, a) = (first >> OPERATION << OPERATION, first & ((1 << OPERATION) - 1));
            let c = if operation == REPLACE { 0 } else { c };
            if ![a, b, c, entry.result.0].into_iter().all(is_there) {
                *entry = EMPTY;
            }
        }
    }
}
