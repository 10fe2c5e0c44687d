//! Bounded search for derivations, one bound after the other, in solvers that keep what they learned.
//!
//! A derivation of a linear system is a path, which the engines for transition systems unroll (`ts`).
//! With several atoms in a body it is a tree, in which the same fact may be needed many times:
//!
//! - `forward` bounds the number of *facts*. They stand in a row, each concluded from earlier ones, so
//!   that a fact is derived once however often it is needed;
//! - `backward` bounds the *height*. The tree grows from the query, and only where the contradiction
//!   of the last bound asks for it.
//!
//! Paths are unrolled forward and trees backward unless a preset says otherwise, which is what was
//! measured to find more.
//!
//! Where nothing is left to unroll, that is a proof: interpolants of the last unrolling are a model. So systems
//! without recursion, and those whose recursion ends by itself, are decided.
//!
//! After Biere, Cimatti, Clarke, Zhu (TACAS 1999); trees after Lal, Qadeer, Lahiri, "A solver for
//! reachability modulo theories" (CAV 2012), whose stratified inlining `backward` is.

mod backward;
mod forward;

use crate::fold::speaks_of_data;
use crate::ts;
use alphorn_engine::{Card, Ctx, Engine, Stop};
use alphorn_problem::{Finding, Horn};

/// Registry entry.
pub const CARD: Card<Horn> = Card {
    name: "bmc",
    about: "looks for paths of growing length, or trees of growing height, until none is left [BCCZ99, LQL12]",
    proves: true,
    refutes: true,
    build: || Box::new(Bmc { direction: None }),
};

/// From facts.
pub const FORWARD: Card<Horn> = Card {
    name: "bmc-forward",
    about: "bmc that unrolls from facts towards queries",
    proves: true,
    refutes: true,
    build: || Box::new(Bmc { direction: Some(Direction::Forward) }),
};

/// From queries.
pub const BACKWARD: Card<Horn> = Card {
    name: "bmc-backward",
    about: "bmc that unrolls from queries towards facts",
    proves: true,
    refutes: true,
    build: || Box::new(Bmc { direction: Some(Direction::Backward) }),
};

/// Where the unrolling begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    /// At facts.
    Forward,
    /// At queries.
    Backward,
}

struct Bmc {
    /// The direction; none for the one that suits the shape.
    direction: Option<Direction>,
}

impl Engine<Horn> for Bmc {
    fn run(&mut self, horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Finding<Horn>, Stop> {
        // Paths have few ways to go on from a fact; trees have few that lead to a query.
        // Paths are for numbers and truth values alone.
        let is_linear = horn.is_linear() && !speaks_of_data(horn);
        let suits = if is_linear { Direction::Forward } else { Direction::Backward };
        match (is_linear, self.direction.unwrap_or(suits)) {
            (true, Direction::Forward) => ts::bmc::engine().run(horn, ctx),
            (true, Direction::Backward) => ts::backward::engine().run(horn, ctx),
            (false, Direction::Forward) => match forward::search(horn, ctx)? {
                Some(derivation) => Ok(Finding::Fails(derivation)),
                None => backward::search(horn, ctx),
            },
            (false, Direction::Backward) => backward::search(horn, ctx),
        }
    }

    fn searches_by_depth(&self) -> bool {
        true
    }
}
