//! Systems over datatypes by way of folds: lengths, sizes, sums instead of lists and trees.
//!
//! Invariants about lists are seldom about lists; they are about how long they are, or what is in them.
//! Each template (`family`) gives every datatype some folds, and the system over their values
//! (`abstraction`) has numbers and truth values only, so that the engines for such systems decide it. A
//! model of it is a model of the system with the folds as functions (`lift`); a derivation is one if the
//! clauses it takes have values. Where it has none, the next template may know more. Templates take
//! turns, and each turn is longer than the last.
//!
//! The systems over folds are views that are made one by one, as templates get their turns, and are kept
//! between turns; they are this engine's own, because what a template may spend depends on the others.
//!
//! - `template`: kinds of folds that are used together
//! - `family`: the folds of a template; `bounds`: what they are bounded by
//! - `abstraction`: the system over folds
//! - `lift`: what is known of it, as claims about the system

mod abstraction;
mod bounds;
mod family;
mod lift;
mod template;

use crate::settings::FOLDS_FIRST_TURN;
use alphorn_engine::{Card, Ctx, Engine, Event, Seen, Stop};
use alphorn_horn::folds::data::{Datatypes, is_data};
use alphorn_horn::revalue::revalued;
use alphorn_horn::transform::simplify;
use alphorn_problem::{Finding, Horn};
use alphorn_term::{SortId, Store};
use family::Family;
use std::collections::BTreeSet;
use template::TEMPLATES;

/// Registry entry.
pub const CARD: Card<Horn> = Card {
    name: "folds",
    about: "abstracts lists and trees to lengths, sizes, sums and the like, and proves those [GSG22]",
    proves: true,
    refutes: true,
    build: || Box::new(ByFolds),
};

struct ByFolds;

/// Engines for the abstract systems, with their shares of a turn.
static INNER: [(&Card<Horn>, u64); 3] =
    [(&crate::pdr::CARD, 3), (&crate::duality::CARD, 1), (&crate::polynomials::CARD, 2)];

/// A template with what is known of its system.
struct Attempt {
    name: &'static str,
    family: Family,
    /// The system over its folds, simplified, and the way back to it as it was.
    seen: Seen<Horn, Horn>,
    /// Whether it is worth another turn.
    is_open: bool,
}

impl Engine<Horn> for ByFolds {
    fn run(&mut self, horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Finding<Horn>, Stop> {
        let datatypes = Datatypes::of(&horn.terms);
        let sorts = datatypes.closure(sorts_of(horn));
        if sorts.is_empty() {
            return Err(Stop::Unsupported("there are no datatypes".to_owned()));
        }
        let mut attempts: Vec<Attempt> = Vec::new();
        let mut seen: BTreeSet<Vec<String>> = BTreeSet::new();
        let (mut next, mut turn) = (0, FOLDS_FIRST_TURN.get());
        let mut reason = "no template of folds is enough".to_owned();
        loop {
            if let Some(template) = TEMPLATES.get(next) {
                next += 1;
                let mut store = horn.terms.clone();
                let family = Family::new(&mut store, &datatypes, &sorts, template)
                    .map_err(Stop::Unsupported)?;
                if seen.insert(names(&store, &family)) {
                    attempts.push(Attempt::new(horn, template.name, store, family, ctx)?);
                    let last = attempts.len() - 1;
                    if let Some(finding) = attempts[last].turn(horn, turn, &mut reason, ctx)? {
                        return Ok(finding);
                    }
                }
                continue;
            }
            turn *= 2;
            if !attempts.iter().any(|attempt| attempt.is_open) {
                return Err(Stop::Stuck(reason));
            }
            for attempt in attempts.iter_mut().filter(|attempt| attempt.is_open) {
                if let Some(finding) = attempt.turn(horn, turn, &mut reason, ctx)? {
                    return Ok(finding);
                }
            }
        }
    }
}

/// The sorts of what a system speaks about.
fn sorts_of(horn: &Horn) -> BTreeSet<SortId> {
    let mut roots = Vec::new();
    for clause in &horn.clauses {
        roots.push(clause.body);
        roots.extend(&clause.vars);
        roots.extend(alphorn_horn::transform::head_args(clause));
    }
    let terms = horn.terms.subterms(&roots);
    let mut sorts: BTreeSet<SortId> = terms.iter().map(|&term| horn.terms.sort(term)).collect();
    sorts.extend(horn.pred_ids().flat_map(|pred| horn.pred_args(pred)));
    sorts.retain(|&sort| is_data(&horn.terms, sort));
    sorts
}

/// Whether a system has values of datatypes.
pub fn speaks_of_data(horn: &Horn) -> bool {
    !sorts_of(horn).is_empty()
}

/// The names of a family's folds, by which families are told apart.
fn names(store: &Store, family: &Family) -> Vec<String> {
    let funcs = family.of.values().flatten();
    let name = |&func| store.name(store.func(func).name).to_owned();
    funcs.map(name).collect()
}

impl Attempt {
    fn new(
        horn: &Horn,
        name: &'static str,
        store: Store,
        family: Family,
        ctx: &mut Ctx<'_>,
    ) -> Result<Attempt, Stop> {
        let whole = abstraction::abstracted(horn, &store, &family).map_err(Stop::Unsupported)?;
        ctx.emit(Event::Remark(format!("{name}: {} folds", family.folds.functions.len())));
        let simplified = ctx.apart(|ctx| simplify(&whole, &[], ctx))?;
        let seen = Seen::new(simplified.horn, simplified.back);
        Ok(Attempt { name, family, seen, is_open: true })
    }

    /// Gives the template a turn; nothing if it does not come to a finding.
    fn turn(
        &mut self,
        horn: &Horn,
        ticks: u64,
        reason: &mut String,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Finding<Horn>>, Stop> {
        let whole: u64 = INNER.iter().map(|(_, share)| share).sum();
        for (card, share) in INNER {
            let name = card.name;
            let mut engine = (card.build)();
            let small = &self.seen.problem;
            let answer =
                ctx.apart(|ctx| ctx.within(ticks * share / whole, |ctx| engine.run(small, ctx)));
            let finding = match answer {
                Ok(finding) => finding,
                Err(Stop::Budget(_)) => {
                    ctx.tick(1)?;
                    continue;
                }
                Err(stop) => {
                    *reason = stop.describe();
                    continue;
                }
            };
            let finding = match self.seen.back.finding(finding, ctx) {
                Ok(finding) => finding,
                Err(stop @ Stop::Budget(_)) => return Err(stop),
                Err(stop) => {
                    *reason = stop.describe();
                    continue;
                }
            };
            match finding {
                Finding::Holds(claim) => {
                    ctx.emit(Event::Remark(format!("{}: a model, by {name}", self.name)));
                    match lift::model(horn, &self.family, claim, ctx) {
                        Ok(model) => return Ok(Some(Finding::Holds(model.into_claim()))),
                        Err(stop @ (Stop::Stuck(_) | Stop::Unproved { .. })) => {
                            *reason = stop.describe();
                        }
                        Err(stop) => return Err(stop),
                    }
                }
                Finding::Fails(derivation) => {
                    let steps = derivation.steps.len();
                    let text = format!("{}: a derivation of {steps} steps, by {name}", self.name);
                    ctx.emit(Event::Remark(text));
                    if let Some(found) = revalued(horn, &derivation, ctx)? {
                        return Ok(Some(Finding::Fails(found)));
                    }
                    "a derivation over folds has no values".clone_into(reason);
                }
            }
            // Another turn would come to the same.
            self.is_open = false;
            return Ok(None);
        }
        Ok(None)
    }
}
