//! Zones: systems of clocks, forward, by difference bounds that are widened as far as clocks are looked at.
//!
//! The clauses are those that a network of timed automata stands for, or any linear system whose reals are compared by their
//! differences with integers, one of them the present time, and whose other arguments are integers and truth values
//! with finitely many values (`rule`). A state is a predicate, discrete values and a zone (`dbm`); zones are
//! widened by Extra⁺LU (`reach`, `search`), and one that another includes is not followed. What is left is an
//! invariant: lemmas about few arguments that follow from it, if they suffice (`hulls`), else the list of zones.
//! A way to a violation gets times by solving the bounds along it.
//!
//! Invariant: every live zone includes what any rule makes of any zone that was followed, so that the live zones are
//! a model of the clauses. Nothing depends on that: models are proved, and derivations are checked.
//!
//! After Behrmann, Bouyer, Larsen, Pelánek \[BBLP06\]; lemmas of pairs after thread-modular proofs.

mod dbm;
mod evidence;
mod hulls;
mod reach;
mod rule;
mod search;

#[cfg(test)]
mod tests;

use alphorn_engine::{Card, Ctx, Engine, Stop};
use alphorn_problem::{Finding, Horn};
use reach::Reach;
use rule::Layout;
use search::Search;

/// Registry entry.
pub const CARD: Card<Horn> = Card {
    name: "zones",
    about: "systems of clocks, by difference bounds as far as clocks are looked at [BBLP06]",
    proves: true,
    refutes: true,
    build: || Box::new(Zones),
};

struct Zones;

impl Engine<Horn> for Zones {
    fn run(&mut self, horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Finding<Horn>, Stop> {
        let mut layouts = Vec::with_capacity(horn.preds.len());
        for pred in horn.pred_ids() {
            let layout = Layout::of(horn.pred_args(pred));
            let text = "no system of clocks (an argument is no number)";
            layouts.push(layout.ok_or_else(|| Stop::Unsupported(text.to_owned()))?);
        }
        if layouts.iter().all(|layout| layout.reals.is_empty()) {
            return Err(Stop::Unsupported("no system of clocks (there are no reals)".to_owned()));
        }
        let mut store = horn.terms.clone();
        let mut rules = Vec::new();
        for (id, _) in horn.clauses() {
            ctx.tick(1 + horn.terms.dag_size(&[horn.clause(id).body]) as u64 / 8)?;
            rules.extend(rule::rules(horn, &mut store, &layouts, id)?);
        }
        let reach = Reach::of(&layouts, &mut rules, &mut store, ctx)?;
        let mut search = Search::new(&layouts, rules, store, reach);
        match search.run(ctx)? {
            Some(violation) => {
                Ok(Finding::Fails(evidence::derivation(horn, &search, violation, ctx)?))
            }
            None => Ok(Finding::Holds(evidence::claim(horn, &search, ctx)?)),
        }
    }
}
