//! Runs an engine, has the checker judge its evidence, and says in a line what happened.

use alphorn_engine::{Card, Ctx, Event, Stop, Stopper};
use alphorn_problem::{Finding, Horn, Verdict};

/// The card of the engine called `name` in some tables.
#[track_caller]
pub fn card<'a>(tables: &[&'a [Card<Horn>]], name: &str) -> &'a Card<Horn> {
    let mut cards = tables.iter().copied().flatten();
    cards.find(|card| card.name == name).expect("a registered engine")
}

/// What proves what an engine found.
pub type Conclude = fn(&Horn, Finding<Horn>, &mut Ctx<'_>) -> Result<Verdict<Horn>, Stop>;

/// Engines that are asked by their names, and whose findings are proved in one way.
pub struct Engines {
    /// Where they are registered.
    pub tables: &'static [&'static [Card<Horn>]],
    /// What proves what they find.
    pub conclude: Conclude,
    /// How many ticks they have where a verdict is expected.
    pub ticks: u64,
}

impl Engines {
    /// What an engine says, in a line, with the events.
    #[track_caller]
    pub fn ask(&self, name: &str, horn: &Horn, ticks: u64) -> (String, Vec<Event>) {
        let (line, _, events) = run(card(self.tables, name), horn, ticks, self.conclude);
        (line, events)
    }

    /// Asks each of some engines, and compares the line; two runs must be the same run.
    #[track_caller]
    pub fn check(&self, names: &[&str], horn: &Horn, expected: &str) {
        for name in names {
            let (line, events) = self.ask(name, horn, self.ticks);
            assert_eq!(line, expected, "{name}");
            assert_eq!((line, events), self.ask(name, horn, self.ticks), "two runs are the same");
        }
    }
}

/// Runs an engine for at most `ticks`, and has what it finds proved by `conclude`; the outcome, the ticks
/// used and the events.
pub fn attempt(
    card: &Card<Horn>,
    horn: &Horn,
    ticks: u64,
    conclude: Conclude,
) -> (Result<Verdict<Horn>, Stop>, u64, Vec<Event>) {
    let mut events = Vec::new();
    let mut sink = |event| events.push(event);
    let mut ctx = Ctx::new(ticks, Stopper::new(), 1, &mut sink);
    let outcome = (card.build)().run(horn, &mut ctx);
    let outcome = outcome.and_then(|finding| conclude(horn, finding, &mut ctx));
    let used = ctx.ticks_used();
    (outcome, used, events)
}

/// The same with the outcome as a line.
#[track_caller]
pub fn run(
    card: &Card<Horn>,
    horn: &Horn,
    ticks: u64,
    conclude: Conclude,
) -> (String, u64, Vec<Event>) {
    let (outcome, used, events) = attempt(card, horn, ticks, conclude);
    let line = match outcome {
        Ok(verdict) => judge(horn, &verdict),
        Err(stop) => crate::stopped(&stop),
    };
    (line, used, events)
}

/// Checks a verdict's evidence against the system as given; the verdict in a line.
#[track_caller]
pub fn judge(horn: &Horn, verdict: &Verdict<Horn>) -> String {
    horn.validate().expect("the system is well formed");
    match verdict {
        Verdict::Safe(model) => {
            alphorn_check::horn::check_model(horn, model).expect("the model is accepted");
            "safe".to_owned()
        }
        Verdict::Unsafe(derivation) => {
            alphorn_check::horn::check_derivation(horn, derivation)
                .expect("the derivation is accepted");
            format!("unsafe, {} steps", derivation.instances())
        }
    }
}
