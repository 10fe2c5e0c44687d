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

mod evaluable;
mod facts;
mod invert;
mod model;
mod network;
mod propagate;
mod sample;
mod search;

use crate::graph::{derivable, relevant};
use alphorn_engine::{Card, Ctx, Engine, Event, Rng, Stop};
use alphorn_problem::evidence::horn::{Derivation, Step};
use alphorn_problem::horn::{Head, PredId};
use alphorn_problem::{Horn, Verdict};
use alphorn_term::Store;
use facts::{Facts, Instance};
use network::Network;
use rustc_hash::FxHashMap;
use search::{Effort, Losses, Search};

/// Registry entry.
pub(crate) const CARD: Card<Horn> = Card {
    name: "forward",
    about: "derives facts bottom-up by evaluation, sampling what nothing determines [Ban86]",
    proves: true,
    refutes: true,
    build: || Box::new(Forward),
};

/// Values in facts and instances that are kept at most: some hundred megabytes.
const MOST_STORED: u64 = 6_000_000;
/// Ticks of the first round.
const FIRST_ROUND: u64 = 200_000;

struct Forward;

impl Engine<Horn> for Forward {
    fn run(&mut self, horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Verdict<Horn>, Stop> {
        let mut system = System::new(horn, ctx)?;
        let mut rng = ctx.rng(0x666f_7277);
        for number in 0u32.. {
            let round = Round::number(number, ctx.ticks_used());
            match system.saturate(&round, &mut rng, ctx)? {
                Outcome::Refuted(derivation) => return Ok(Verdict::Unsafe(derivation)),
                Outcome::Saturated(facts, losses) if !losses.any() => {
                    let model = model::from_facts(horn, &facts, &system.relevant);
                    return model.map(Verdict::Safe).map_err(Stop::Stuck);
                }
                Outcome::Saturated(_, losses) if !losses.cut => return Err(stuck(losses)),
                Outcome::Full => {
                    let text = "the facts are too many to store, and none contradicts a query";
                    return Err(Stop::Stuck(text.to_owned()));
                }
                Outcome::Saturated(..) | Outcome::Tired => {}
            }
        }
        Err(stuck(Losses::default()))
    }
}

fn stuck(losses: Losses) -> Stop {
    let text = if losses.sampled {
        "no query fires on the facts found, but variables over large sorts were only sampled"
    } else {
        "no query fires on the facts found, but some instances of clauses have no value"
    };
    Stop::Stuck(text.to_owned())
}

/// The effort of one round.
struct Round {
    effort: Effort,
    /// The tick at which to give up the round.
    until: u64,
}

impl Round {
    /// Round `number`, begun at tick `now`: every third is exhaustive up to discrepancies.
    fn number(number: u32, now: u64) -> Round {
        let stage = number / 3;
        let effort = match number % 3 {
            0 => Effort { discrepancies: stage, instances: u64::MAX, random: false },
            kind => Effort {
                discrepancies: u32::MAX,
                instances: (1 + u64::from(stage)) * u64::from(kind * kind),
                random: true,
            },
        };
        let share = FIRST_ROUND.saturating_mul(1 << stage.min(40));
        let share = if effort.random { share / 2 } else { share.saturating_mul(4) };
        Round { effort, until: now.saturating_add(share) }
    }
}

enum Outcome {
    /// A query fired.
    Refuted(Derivation),
    /// Nothing is left to fire.
    Saturated(Facts, Losses),
    /// The round's ticks ran out.
    Tired,
    /// The memory ran out.
    Full,
}

/// The compiled clauses, queries first.
struct System {
    store: Store,
    searches: Vec<Search>,
    /// For each predicate, the clauses and atoms that use it.
    relevant: Vec<bool>,
    arities: Vec<usize>,
}

impl System {
    fn new(horn: &Horn, ctx: &mut Ctx<'_>) -> Result<System, Stop> {
        let (relevant, derivable) = (relevant(horn), derivable(horn));
        let mut store = horn.terms.clone();
        let mut searches = Vec::new();
        let ids = || horn.clauses().map(|(id, clause)| (id, clause, clause.head == Head::False));
        let queries = ids().filter(|(_, _, is_query)| *is_query);
        for (id, clause, _) in queries.chain(ids().filter(|(_, _, is_query)| !is_query)) {
            let needed = match clause.head {
                Head::Atom(pred, _) => relevant[pred.index()],
                Head::False => true,
            };
            if needed && crate::graph::can_hold(horn, clause.body, &derivable) {
                let net = Network::new(horn, &mut store, id);
                ctx.tick(1 + net.nodes.len() as u64)?;
                searches.push(net);
            }
        }
        let searches: Vec<Search> =
            searches.into_iter().map(|net| Search::new(net, &store)).collect();
        let arities = horn.pred_ids().map(|pred| horn.pred_args(pred).len()).collect();
        Ok(System { store, searches, relevant, arities })
    }

    /// Derives facts height by height until nothing is left to fire or the round is over.
    fn saturate(
        &mut self,
        round: &Round,
        rng: &mut Rng,
        ctx: &mut Ctx<'_>,
    ) -> Result<Outcome, Stop> {
        let mut facts = Facts::new(self.arities.iter().copied());
        let mut losses = Losses::default();
        for height in 0u64.. {
            for clause in 0..self.searches.len() {
                let ended = self.fire(clause, height, round, &mut facts, &mut losses, rng, ctx)?;
                if let Some(outcome) = ended {
                    return Ok(outcome);
                }
            }
            if !losses.any() {
                ctx.emit(Event::Bound { depth: height });
            }
            let waiting = facts.next_height();
            ctx.emit(Event::Explored { seen: facts.total, waiting });
            if waiting == 0 {
                break;
            }
        }
        Ok(Outcome::Saturated(facts, losses))
    }

    /// Fires one clause for all combinations of facts with one of the last height.
    #[allow(clippy::too_many_arguments)]
    fn fire(
        &mut self,
        clause: usize,
        height: u64,
        round: &Round,
        facts: &mut Facts,
        losses: &mut Losses,
        rng: &mut Rng,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Outcome>, Stop> {
        let search = &mut self.searches[clause];
        let mut starts: Vec<Option<(usize, u32)>> = Vec::new();
        if height == 0 {
            starts.push(None);
        } else {
            for (number, atom) in search.net.atoms.iter().enumerate() {
                let pred = atom.pred.index();
                starts.extend((facts.old[pred]..facts.known[pred]).map(|f| Some((number, f))));
            }
        }
        for delta in starts {
            search.start(&self.store, facts, &round.effort, delta);
            while let Some(firing) =
                search.next(&self.store, facts, &round.effort, losses, rng, ctx)?
            {
                match firing.head {
                    None => {
                        let derivation = derivation(facts, firing.instance);
                        return Ok(Some(Outcome::Refuted(derivation)));
                    }
                    Some((pred, args)) => {
                        facts.insert(pred, args, firing.instance);
                    }
                }
                if facts.stored > MOST_STORED {
                    return Ok(Some(if losses.any() { Outcome::Tired } else { Outcome::Full }));
                }
                if ctx.ticks_used() > round.until {
                    return Ok(Some(Outcome::Tired));
                }
            }
            if ctx.ticks_used() > round.until {
                return Ok(Some(Outcome::Tired));
            }
        }
        Ok(None)
    }
}

/// The derivation that ends in `query`: what it uses, what that uses, and so on, each once.
fn derivation(facts: &Facts, query: Instance) -> Derivation {
    let mut steps: Vec<Step> = Vec::new();
    let mut step_of: FxHashMap<(PredId, u32), usize> = FxHashMap::default();
    let step = |instance: &Instance, step_of: &FxHashMap<(PredId, u32), usize>| Step {
        clause: instance.clause,
        values: instance.values.clone(),
        premises: instance.premises.iter().map(|premise| step_of[premise]).collect(),
    };
    let mut stack: Vec<((PredId, u32), bool)> =
        query.premises.iter().rev().map(|&premise| (premise, false)).collect();
    while let Some((fact, ready)) = stack.pop() {
        if step_of.contains_key(&fact) {
            continue;
        }
        let instance = facts.relations[fact.0.index()].instance(fact.1);
        if ready {
            steps.push(step(instance, &step_of));
            step_of.insert(fact, steps.len() - 1);
        } else {
            stack.push((fact, true));
            stack.extend(instance.premises.iter().rev().map(|&premise| (premise, false)));
        }
    }
    steps.push(step(&query, &step_of));
    Derivation { steps }
}
