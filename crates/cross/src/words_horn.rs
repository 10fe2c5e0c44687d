//! Word-level systems as Horn clauses, which keep words and arrays as they are.
//!
//! A system with large memories has no circuit, and following single cells (`words-memory`) does not
//! always do. As clauses it goes to engines that ask the solver about terms. A derivation comes back
//! as a run. A model defines the one predicate by a formula over the states, which is proved on the
//! system as it was given.

use crate::words_to_horn;
use alphorn_engine::{Card, Ctx, Engine, Road, Seen, Steps, Stop, View};
use alphorn_horn::simplify;
use alphorn_problem::{Finding, Horn, Words};

/// Systems as clauses, simplified.
static CLAUSES: View<Words, Horn> =
    View { name: "words as clauses", steps: Steps::Changed, make: make_clauses };

/// Systems as clauses as they are: a path of them has as many steps as the run.
static PLAIN: View<Words, Horn> =
    View { name: "words as plain clauses", steps: Steps::Kept, make: make_plain };

fn make_plain(system: &Words, _: &mut Ctx<'_>) -> Result<Seen<Words, Horn>, Stop> {
    let (horn, back) = words_to_horn(system).map_err(Stop::Unsupported)?;
    Ok(Seen::new(horn, back))
}

fn make_clauses(system: &Words, ctx: &mut Ctx<'_>) -> Result<Seen<Words, Horn>, Stop> {
    let (horn, to_words) = words_to_horn(system).map_err(Stop::Unsupported)?;
    let small = simplify(&horn, &[], ctx)?;
    Ok(Seen::new(small.horn, to_words.after(small.back)))
}

/// An engine for Horn clauses on a system.
pub(crate) struct OnClauses(pub(crate) &'static Card<Horn>);

impl Engine<Words> for OnClauses {
    fn run(&mut self, system: &Words, ctx: &mut Ctx<'_>) -> Result<Finding<Words>, Stop> {
        // A bound counts steps of the system.
        let view = if ctx.bound().is_some() { &PLAIN } else { &CLAUSES };
        Road { view, engine: self.0 }.run(system, ctx)
    }

    fn searches_by_depth(&self) -> bool {
        (self.0.build)().searches_by_depth()
    }
}
