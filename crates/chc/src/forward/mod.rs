//! Forward derivation: the facts that follow from the clauses, height by height.
//!
//! The least model of a Horn system is what its clauses derive. This engine computes it with
//! values: a clause fires for every combination of known facts that its body accepts, and only
//! combinations with a fact of the last height are looked at (semi-naive evaluation, Bancilhon
//! 1986). If a query fires, the facts it used are a derivation. If nothing is left to fire and
//! nothing was missed, the facts are a model.
//!
//! Over infinite sorts a variable that nothing determines can only be sampled (`sample`), and the
//! computation is incomplete: it can still refute. So it runs in *rounds* of growing effort,
//! some exhaustive up to a number of discrepancies, some random with few instances per fact.
//!
//! Invariant: every fact was concluded by an instance whose body evaluates to true.

mod derivation;
mod evaluable;
mod facts;
mod invert;
mod model;
mod narrowed;
mod network;
mod propagate;
mod sample;
mod saturate;
mod search;
mod unfold;
mod ways;

use crate::settings::{
    FORWARD_FIRST_ROUND, FORWARD_FIRST_WIDTH, FORWARD_LEAST_ROUNDS, FORWARD_WAY_ROUNDS,
};
use alphorn_engine::{Card, Ctx, Engine, Stop};
use alphorn_problem::{Finding, Horn};
use alphorn_term::Value;
use derivation::derivation;
pub(crate) use invert::as_rational;
use narrowed::Narrowed;
use saturate::{Outcome, System};
use search::{Effort, Losses, Pursuit};
use std::collections::BTreeSet;
use std::sync::Arc;
use ways::{Seed, ways};

/// Registry entry.
pub const CARD: Card<Horn> = Card {
    name: "forward",
    about: "derives facts bottom-up by evaluation, sampling what nothing determines [Ban86]",
    proves: true,
    refutes: true,
    build: || Box::new(Forward),
};

struct Forward;

impl Engine<Horn> for Forward {
    fn run(&mut self, horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Finding<Horn>, Stop> {
        let mut plain = System::new(horn, ctx)?;
        let mut narrowed: Option<Narrowed> = None;
        let mut rng = ctx.rng(0x666f_7277);
        let mut stage_began = 0;
        for number in 0u32.. {
            let began = ctx.ticks_used();
            let round = Round::number(number, began);
            if number % KINDS == 0 {
                stage_began = began;
            }
            // The first round may be all that is needed, and it needs the system as it is.
            if round.refutes_only && narrowed.is_none() {
                narrowed = Some(Narrowed::of(horn, ctx)?);
            }
            let narrowed = narrowed.as_mut().filter(|_| round.refutes_only);
            let (system, way) = match narrowed.and_then(Narrowed::parts) {
                Some((system, way)) => (system, Some(way)),
                None => (&mut plain, None),
            };
            // Random rounds begin anew as long as they cost no more than the rounds before them in the stage, or
            // than a part of what they may: a run that ends early says little.
            let again = match round.effort.random {
                true => ((began - stage_began) / 2).max((round.until - began) / 4),
                false => 0,
            };
            let again = round.until.min(began + again);
            loop {
                let mut pursuit = Pursuit { effort: round.effort, losses: Losses::default(), rng };
                let outcome = system.saturate(&[], &mut pursuit, round.until, ctx)?;
                let losses = pursuit.losses;
                rng = pursuit.rng;
                match outcome {
                    Outcome::Refuted(facts, query) => {
                        let found = match way {
                            Some(way) => way.derivation(horn, &facts, &query),
                            None => derivation(horn, None, &facts, &query),
                        };
                        if let Some(derivation) = found {
                            return Ok(Finding::Fails(derivation));
                        }
                    }
                    Outcome::Saturated(facts) if !losses.any() && way.is_none() => {
                        let model = model::from_facts(horn, &facts, &system.relevant);
                        let claim = model.map_err(Stop::Stuck)?.into_claim();
                        return Ok(Finding::Holds(claim));
                    }
                    Outcome::Saturated(_)
                        if !losses.cut
                            && (!losses.sampled || number >= FORWARD_LEAST_ROUNDS.short()) =>
                    {
                        return Err(stuck(losses));
                    }
                    Outcome::Full if way.is_none() => {
                        let text = "the facts are too many to store, and none contradicts a query";
                        return Err(Stop::Stuck(text.to_owned()));
                    }
                    Outcome::Saturated(_) if ctx.ticks_used() < again => continue,
                    Outcome::Saturated(_) | Outcome::Tired(_) | Outcome::Full => {}
                }
                break;
            }
        }
        Err(stuck(Losses::default()))
    }
}

/// The first round in which there are several values for a variable, and several instances for a fact.
pub(crate) const VARIED: u32 = 2 * KINDS;

/// The facts of one predicate, each once.
pub(crate) type Known = BTreeSet<Arc<[Value]>>;

/// Facts of each predicate that rounds with these numbers of so many ticks find, each once; what they leave out is not known.
pub(crate) fn some_facts(
    horn: &Horn,
    rounds: impl IntoIterator<Item = u32>,
    ticks: u64,
    ctx: &mut Ctx<'_>,
) -> Result<Vec<Known>, Stop> {
    let mut system = System::new(horn, ctx)?;
    facts_of_rounds(&mut system, &[], rounds, ticks, ctx)
}

/// `some_facts`, with those behind guards that samples do not pass.
pub(crate) fn some_guarded_facts(
    horn: &Horn,
    rounds: impl IntoIterator<Item = u32>,
    ticks: u64,
    ctx: &mut Ctx<'_>,
) -> Result<Vec<Known>, Stop> {
    let mut system = System::new(horn, ctx)?;
    let mut seeds: Vec<Seed> = Vec::new();
    let mut rng = ctx.rng(0x7761_7973);
    for _ in 0..FORWARD_WAY_ROUNDS.short() {
        let mut pursuit =
            Pursuit { effort: Round::number(0, 0).effort, losses: Losses::default(), rng };
        let until = ctx.ticks_used().saturating_add(ticks / 4);
        let outcome = system.saturate(&seeds, &mut pursuit, until, ctx)?;
        rng = pursuit.rng;
        let (Outcome::Saturated(mut facts) | Outcome::Tired(mut facts)) = outcome else { break };
        let before = seeds.len();
        match ctx.within(ticks, |ctx| ways(horn, &mut facts, &mut seeds, ctx)) {
            // Whether all of the time is over is found out by asking for more.
            Ok(()) | Err(Stop::Budget(_)) => ctx.tick(1)?,
            Err(stop) => return Err(stop),
        }
        if seeds.len() == before {
            break;
        }
    }
    facts_of_rounds(&mut system, &seeds, rounds, ticks, ctx)
}

fn facts_of_rounds(
    system: &mut System,
    seeds: &[Seed],
    rounds: impl IntoIterator<Item = u32>,
    ticks: u64,
    ctx: &mut Ctx<'_>,
) -> Result<Vec<Known>, Stop> {
    let mut rng = ctx.rng(0x706f_696e);
    let mut found = vec![BTreeSet::new(); system.relevant.len()];
    for number in rounds {
        let effort = Effort { is_wide: number >= VARIED, ..Round::number(number, 0).effort };
        let mut pursuit = Pursuit { effort, losses: Losses::default(), rng };
        let until = ctx.ticks_used().saturating_add(ticks);
        let outcome = system.saturate(seeds, &mut pursuit, until, ctx)?;
        rng = pursuit.rng;
        let (Outcome::Refuted(facts, _) | Outcome::Saturated(facts) | Outcome::Tired(facts)) =
            outcome
        else {
            continue;
        };
        for (relation, found) in facts.relations.iter().zip(&mut found) {
            found.extend((0..relation.len()).map(|fact| relation.args(fact).clone()));
        }
    }
    Ok(found)
}

fn stuck(losses: Losses) -> Stop {
    let text = if losses.sampled {
        "no query fires on the facts found, but variables over large sorts were only sampled"
    } else {
        "no query fires on the facts found, but some instances of clauses have no value"
    };
    Stop::Stuck(text.to_owned())
}

/// How many kinds of rounds a stage has.
const KINDS: u32 = 4;

/// The effort of one round.
struct Round {
    effort: Effort,
    /// Whether it looks at what queries may need only, so that it cannot prove anything.
    refutes_only: bool,
    /// The tick at which to give up the round.
    until: u64,
}

impl Round {
    /// Round `number`, begun at tick `now`: in each stage two are exhaustive up to discrepancies,
    /// and two are random.
    fn number(number: u32, now: u64) -> Round {
        let (stage, kind) = (number / KINDS, number % KINDS);
        let random = kind >= 2;
        let share = FORWARD_FIRST_ROUND.get().saturating_mul(1 << stage.min(40));
        let share = if kind == 0 { share.saturating_mul(4) } else { share };
        let effort = Effort {
            discrepancies: if random { u32::MAX } else { stage },
            width: FORWARD_FIRST_WIDTH.size() << stage.min(6),
            instances: if random { u64::from((stage + 1) * (kind - 1)) } else { u64::MAX },
            is_wide: false,
            random,
        };
        Round { effort, refutes_only: kind > 0, until: now.saturating_add(share) }
    }
}
