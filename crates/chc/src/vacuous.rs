//! Systems that are safe by their shape: no query's predicates can all have facts.
//!
//! A predicate without a clause that starts a chain of conclusions has no facts, whatever the
//! constraints say. If every query needs such a predicate, then "false for these, true for the
//! others" is a model: a clause that concludes a derivable predicate has a true head, and every
//! other clause has a body that needs an underivable one.

use alphorn_engine::{Card, Ctx, Engine, Stop};
use alphorn_horn::graph::{can_hold, derivable};
use alphorn_horn::model::model_of;
use alphorn_horn::readable::Names;
use alphorn_problem::evidence::horn::Definition;
use alphorn_problem::horn::Head;
use alphorn_problem::{Finding, Horn};

/// Registry entry.
pub const CARD: Card<Horn> = Card {
    name: "vacuous",
    about: "systems that are safe because no query's predicates can all have facts",
    proves: true,
    refutes: false,
    build: || Box::new(Vacuous),
};

struct Vacuous;

impl Engine<Horn> for Vacuous {
    fn run(&mut self, horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Finding<Horn>, Stop> {
        ctx.tick(horn.clauses.len() as u64)?;
        let derivable = derivable(horn);
        let fires = |body| can_hold(horn, body, &derivable);
        if horn.clauses.iter().any(|clause| clause.head == Head::False && fires(clause.body)) {
            let text = "the predicates of some query can be derived, if constraints allow it";
            return Err(Stop::Stuck(text.to_owned()));
        }
        let (names, mut terms) = (Names::of(horn), horn.terms.clone());
        let preds = horn.pred_ids().map(|pred| Definition {
            params: names.parameters(&mut terms, pred),
            body: terms.bool(derivable[pred.index()]),
        });
        let preds = preds.collect();
        let model = model_of(horn, terms, preds, &vec![true; horn.clauses.len()]);
        let claim = model.map_err(Stop::Stuck)?.into_claim();
        Ok(Finding::Holds(claim))
    }
}
