//! Split transition power abstraction: relations for twice as many steps, again and again.
//!
//! For each power of two there is a relation that contains all pairs of states so many steps apart,
//! and one for pairs of fewer steps. Whether a bad state can be reached in 2^n steps is asked of two
//! relations for half as many in a row: if not, an interpolant makes the relation for 2^n stronger; if
//! so, a set of states in the middle is a smaller question for each half, down to single steps. So
//! paths of thousands of steps are found with few levels, and a relation that is closed under steps
//! gives an invariant.
//!
//! - `relations`: the relations, and the solvers for two of them in a row
//! - `reach`: the recursion; `region`: sets of states
//! - `path`: the states of a path
//! - `closed`: relations that are closed under steps, as invariants; `between`: the same for several
//!   steps at once
//!
//! After Blicha, Fedyukovich, Hyvärinen, Sharygina (TACAS 2022, FMCAD 2022). Different from there: a
//! relation need not be closed as a whole, the greatest closed part of its conjuncts is looked for.

mod between;
mod closed;
mod path;
mod reach;
mod region;
mod relations;

use super::{Decided, Folded, Method, System};
use crate::settings::TPA_MAX_LEVELS;
use alphorn_engine::{Card, Ctx, Event, Stop};
use alphorn_problem::Horn;
use alphorn_term::Store;
use reach::Reach;
use relations::Kind;

/// Registry entry.
pub const CARD: Card<Horn> = Card {
    name: "tpa",
    about: "relations for 1, 2, 4, 8, … steps, refined where they promise too much [BFHS22]",
    proves: true,
    refutes: true,
    build: || Box::new(Folded(Tpa)),
};

/// The engine.
struct Tpa;

impl Method for Tpa {
    fn decide(&mut self, system: &System, ctx: &mut Ctx<'_>) -> Result<Decided, Stop> {
        let store: Store = system.store.clone();
        let mut reach = Reach::new(system, store);
        let (start, goal) = (reach.start(), reach.goal());
        for level in 0..TPA_MAX_LEVELS.size() {
            reach.add_level();
            let mut found = reach.reach(Kind::Within, level, &start, &goal, ctx)?;
            if found.is_none() {
                for is_doubled in [false, true] {
                    let invariant = if is_doubled {
                        reach.doubled_invariant(level, ctx)?
                    } else {
                        reach.invariant(level, ctx)?
                    };
                    if let Some(invariant) = invariant {
                        return Ok(Decided::Invariant(reach.store, invariant));
                    }
                }
                found = reach.reach(Kind::Exact, level, &start, &goal, ctx)?;
            }
            if let Some(node) = found {
                return reach.path(node, ctx).map(Decided::Path);
            }
            ctx.emit(Event::Bound { depth: 1 << level });
            ctx.emit(Event::Remark(reach.describe()));
        }
        Err(Stop::Stuck("paths are too long to be written down".to_owned()))
    }
}
