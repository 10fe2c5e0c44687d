//! Resolution from the query: derivations over data, where few clauses can meet a goal.
//!
//! Functional programs that were written as clauses are determinate in most places: a constructor tells the clause. From
//! facts they have no end of consequences, and a tree of formulas grows with every call; but a query whose arguments are
//! guessed piece by piece, each guess followed by all that it determines, is a program that runs. This engine
//! runs it: SLD resolution (Kowalski, Kuehner 1971) with determinate goals first, in rounds of more and more choices.
//! It refutes and does not prove.
//!
//! - `bindings`: terms with variables
//! - `program`: clauses as rules
//! - `guard`: what has no constructors
//! - `modes`: what is computed, and need not be guessed
//! - `search`: goals, and how they are resolved and taken back
//! - `choice`: what is chosen where nothing is determined
//! - `answer`: the derivation

mod answer;
pub(crate) mod bindings;
mod choice;
pub(crate) mod guard;
pub(crate) mod modes;
pub(crate) mod program;
mod search;
#[cfg(test)]
pub(crate) mod tests;

use crate::settings::{SLD_BITS, SLD_MAX_ANSWERS, SLD_STEPS};
use alphorn_engine::{Card, Ctx, Engine, Event, Stop};
use alphorn_problem::{Finding, Horn};
use search::{BIT, End, Reach, Search};

/// Registry entry.
pub const CARD: Card<Horn> = Card {
    name: "sld",
    about: "resolves the query's goals with clauses, determinate ones first, with more and more choices [KK71, HB88]",
    proves: false,
    refutes: true,
    build: || Box::new(Sld),
};

struct Sld;

impl Engine<Horn> for Sld {
    fn run(&mut self, horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Finding<Horn>, Stop> {
        let mut store = horn.terms.clone();
        let program = program::program(horn, &mut store)?;
        let computed = modes::computed(&store, &program);
        for round in 1.. {
            let reach = Reach {
                cost: BIT.saturating_mul(SLD_BITS.short()).saturating_mul(round),
                steps: SLD_STEPS.get().saturating_mul(1 << round.min(20)),
            };
            ctx.emit(Event::Remark(format!(
                "{} bits of choices, {} steps",
                reach.cost / BIT,
                reach.steps
            )));
            let mut search = Search::new(&store, &program, &computed, reach);
            let mut answers = 0;
            let may_have_more = loop {
                match search.run(ctx)? {
                    End::Exhausted(was_cut) => break was_cut || answers > 0,
                    End::Found => {}
                }
                let found = answer::derivation(horn, &store, &program, &search, ctx)?;
                if let Some(derivation) = found {
                    return Ok(Finding::Fails(derivation));
                }
                answers += 1;
                if answers > SLD_MAX_ANSWERS.size() {
                    break true;
                }
            };
            if !may_have_more {
                break;
            }
        }
        Err(Stop::Stuck("resolution ends without a derivation".to_owned()))
    }
}
