//! A manager of diagrams within bounds of nodes and ticks, beyond which there is no answer.
//!
//! What is to stay is kept on a stack, and released in the opposite order.

use super::{Bdd, Halt, Ref};
use alphorn_engine::{Ctx, Stop};

/// Nodes below which an order is good enough.
const SMALL: usize = 1_000;

/// A manager with what is kept.
pub(crate) struct Bounded {
    pub(crate) bdd: Bdd,
}

impl Bounded {
    /// An empty manager in which at most so many nodes are needed.
    pub(crate) fn new(mut bdd: Bdd, most: usize) -> Bounded {
        bdd.set_room(SMALL, most);
        Bounded { bdd }
    }

    /// Changes how many nodes are needed at most.
    pub(crate) fn set_most(&mut self, most: usize) {
        self.bdd.set_most(most);
    }

    /// Where the stack ends.
    pub(crate) fn mark(&self) -> usize {
        self.bdd.pins()
    }

    /// Keeps a function until what is above an earlier mark is released; returns its place.
    pub(crate) fn keep(&mut self, f: Ref) -> usize {
        self.bdd.pin(f)
    }

    /// The function that is kept in a place.
    pub(super) fn kept(&self, place: usize) -> Ref {
        self.bdd.pinned(place)
    }

    /// Keeps nothing in a place any more.
    pub(super) fn give_up(&mut self, place: usize) {
        self.bdd.set_pin(place, Ref::TRUE);
    }

    /// Releases what is above a mark.
    pub(crate) fn release(&mut self, mark: usize) {
        self.bdd.unpin(mark);
    }

    /// Does an operation on functions that are kept, which holds what it makes on the way; none if there is no room
    /// for it.
    pub(crate) fn make(
        &mut self,
        ctx: &mut Ctx<'_>,
        mut work: impl FnMut(&mut Bdd, &mut Ctx<'_>) -> Result<Ref, Halt>,
    ) -> Result<Option<Ref>, Stop> {
        loop {
            let made = work(&mut self.bdd, ctx);
            self.bdd.held.clear();
            match made {
                Ok(made) => return Ok(Some(made)),
                Err(Halt::Again) => {}
                Err(Halt::Full) => return Ok(None),
                Err(Halt::Stop(stop)) => return Err(stop),
            }
        }
    }

    /// Looks for a better order for what is kept.
    pub(crate) fn order(&mut self, ctx: &mut Ctx<'_>) -> Result<(), Stop> {
        let kept = self.bdd.pins.clone();
        match self.bdd.reorder(&kept, ctx) {
            Err(Halt::Stop(stop)) => Err(stop),
            Ok(()) | Err(Halt::Full | Halt::Again) => Ok(()),
        }
    }
}
