//! A manager of diagrams that tidies up by itself, within bounds.
//!
//! What is to stay is kept on a stack, and released in the opposite order. When an operation finds no room, what
//! is not kept is freed, what is left is reordered if it has grown, and the operation is begun again with more
//! room, up to a bound. Beyond that there is no answer.

use super::{Bdd, Halt, Ref};
use alphorn_engine::{Ctx, Stop};

/// Nodes below which an order is good enough.
const SMALL: usize = 1_000;

/// A manager with what is kept.
pub(crate) struct Room {
    pub(crate) bdd: Bdd,
    stack: Vec<Ref>,
    /// The most nodes for the moment, and for ever.
    room: usize,
    most: usize,
    /// Nodes after which diagrams are reordered.
    ordered: usize,
}

impl Room {
    /// An empty manager of at most so many nodes.
    pub(crate) fn new(bdd: Bdd, most: usize) -> Room {
        Room { bdd, stack: Vec::new(), room: most / 8, most, ordered: SMALL }
    }

    /// Changes how many nodes there are at most.
    pub(crate) fn set_most(&mut self, most: usize) {
        (self.most, self.room) = (most, self.room.min(most));
    }

    /// Where the stack ends.
    pub(crate) fn mark(&self) -> usize {
        self.stack.len()
    }

    /// Keeps a function until what is above an earlier mark is released; returns its place.
    pub(crate) fn keep(&mut self, f: Ref) -> usize {
        self.stack.push(f);
        self.stack.len() - 1
    }

    /// The function that is kept in a place.
    pub(super) fn kept(&self, place: usize) -> Ref {
        self.stack[place]
    }

    /// Keeps nothing in a place any more.
    pub(super) fn give_up(&mut self, place: usize) {
        self.stack[place] = Ref::TRUE;
    }

    /// Releases what is above a mark.
    pub(crate) fn release(&mut self, mark: usize) {
        self.stack.truncate(mark);
    }

    /// Does an operation on functions that are kept; none if there is no room for it.
    pub(crate) fn make(
        &mut self,
        ctx: &mut Ctx<'_>,
        mut work: impl FnMut(&mut Bdd, &mut Ctx<'_>) -> Result<Ref, Halt>,
    ) -> Result<Option<Ref>, Stop> {
        loop {
            self.bdd.set_limit(self.room);
            match work(&mut self.bdd, ctx) {
                Ok(made) => return Ok(Some(made)),
                Err(Halt::Stop(stop)) => return Err(stop),
                Err(Halt::Full) if self.bdd.left() == 0 => return Ok(None),
                Err(Halt::Full) => {}
            }
            self.bdd.collect(&self.stack);
            if self.bdd.live() > self.ordered {
                self.order(ctx)?;
            }
            // What is left over for the operation must be more than what it had.
            if 2 * self.bdd.live() > self.room {
                if self.room >= self.most {
                    return Ok(None);
                }
                self.room = (2 * self.room).min(self.most);
            } else if self.room < self.most {
                self.room = (self.room + self.room / 2).min(self.most);
            } else {
                return Ok(None);
            }
        }
    }

    /// Looks for a better order for what is kept.
    pub(crate) fn order(&mut self, ctx: &mut Ctx<'_>) -> Result<(), Stop> {
        match self.bdd.reorder(&self.stack, ctx) {
            Err(Halt::Stop(stop)) => return Err(stop),
            Ok(()) | Err(Halt::Full) => {}
        }
        self.ordered = SMALL.max(2 * self.bdd.live());
        Ok(())
    }
}
