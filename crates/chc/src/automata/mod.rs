//! Regular invariants: tree automata over the constructors, found as finite models.
//!
//! An automaton with few states reads a value of a datatype from its leaves up, a table per constructor
//! saying the state of what it makes; a predicate is a set of tuples of states. Whether there are tables
//! that satisfy all clauses is a question for a SAT solver, one number of states after the other. The
//! states are folds (`evidence::fold`), so the answer is a model: that a list has even length, that
//! an expression is of this or that form.
//!
//! After Kostyukov, Mordvinov, Fedyukovich, "Beyond the elementary representations of program invariants
//! over algebraic data types" (PLDI 2021). We write the search for finite models as clauses ourselves,
//! and states as Boolean folds. Numbers, and what else is neither a datatype nor a truth value, are
//! left out of clauses, which makes them stronger.
//!
//! - `ground`: clauses as atoms over nodes
//! - `search`: tables by SAT
//! - `lift`: tables as folds and definitions

mod ground;
mod lift;
mod search;

use crate::fold::speaks_of_data;
use crate::settings::AUTOMATA_MAX_STATES;
use alphorn_engine::{Card, Ctx, Engine, Event, Stop};
use alphorn_horn::folds::with_laws;
use alphorn_problem::evidence::horn::HornClaim;
use alphorn_problem::{Finding, Horn};
use ground::{Domains, ground};

/// Registry entry.
pub const CARD: Card<Horn> = Card {
    name: "automata",
    about: "looks for tree automata with few states that tell all clauses true [KMF21]",
    proves: true,
    refutes: false,
    build: || Box::new(Automata),
};

struct Automata;

impl Engine<Horn> for Automata {
    fn run(&mut self, horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Finding<Horn>, Stop> {
        if !speaks_of_data(horn) {
            return Err(Stop::Unsupported("there are no datatypes".to_owned()));
        }
        let mut store = horn.terms.clone();
        let most = AUTOMATA_MAX_STATES.get();
        for states in 2..=most as usize {
            let domains = Domains::new(&store, states);
            let clauses = ground(horn, &mut store, &domains);
            let Some(tables) = search::tables(horn, &store, &domains, &clauses, ctx)? else {
                ctx.emit(Event::Remark(format!("no automaton of {states} states")));
                continue;
            };
            ctx.emit(Event::Remark(format!("an automaton of {states} states")));
            let mut terms = store.clone();
            let (folds, definitions) = lift::lift(horn, &mut terms, &domains, &tables, ctx)?;
            let folds = with_laws(folds, &mut terms, ctx)?;
            let claim = HornClaim { folds, ..HornClaim::of(terms, definitions) };
            return Ok(Finding::Holds(claim));
        }
        Err(Stop::Stuck(format!("no automaton of at most {most} states is a model")))
    }
}
