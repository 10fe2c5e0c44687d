//! What happens to a problem before engines see it, and to their answers on the way back.
//!
//! The problem is simplified by the chosen transforms; the engines are those the user named, or those
//! that fit the shape of what is left. A verdict is carried back through the transforms, which proves
//! models and invariants anew on the problem as read, and derivations lose the steps they do not need.

use crate::config::Config;
use crate::registry::{choose, choose_transforms};
use alphorn_chc::derivation::minimise;
use alphorn_chc::engines::{HORN_ENGINES, HORN_VARIANTS};
use alphorn_chc::{TRANSFORMS, carry_back, plan, simplify_with};
use alphorn_engine::{Card, Ctx, Ended, Entry, Note, Stopper};
use alphorn_hw::engines::CIRCUIT_ENGINES;
use alphorn_hw::plan_circuit;
use alphorn_hw::select::select_circuit;
use alphorn_hw::settle::{Wishes, settle};
use alphorn_hw::transform::{CIRCUIT_TRANSFORMS, simplify_circuit};
use alphorn_problem::{Back, Circuit, Horn, Lost, Problem, Verdict};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How a verdict on a transformed problem becomes one on the problem as read.
pub(crate) type Carry<P, S> =
    dyn Fn(Verdict<S>, &mut Ctx<'_>) -> Result<Verdict<P>, Ended> + Send + Sync;

/// A problem of type `P`, ready for engines that see it as one of type `S`.
pub(crate) struct Prepared<P: Problem, S: Problem = P> {
    /// The problem they see.
    pub(crate) small: Arc<S>,
    /// The way back of what they say.
    pub(crate) carry: Box<Carry<P, S>>,
    /// The engines, with their shares of the time.
    pub(crate) entries: Vec<Entry<S>>,
    /// How long it took.
    pub(crate) time: Duration,
}

/// A problem whose way back needs no search, with the engines the user asked for or all.
pub(crate) fn prepared<P: Problem>(
    (small, back): (P, Back<P, P>),
    cards: &'static [Card<P>],
    config: &Config,
) -> Result<Prepared<P>, String> {
    let carry = move |verdict, _: &mut Ctx<'_>| {
        back.verdict(verdict).map_err(|Lost(why)| Ended::Refused(why))
    };
    Ok(Prepared {
        small: Arc::new(small),
        carry: Box::new(carry),
        entries: entries(cards, &[], config)?,
        time: Duration::ZERO,
    })
}

/// Simplifies a Horn system, and chooses engines for what is left of it.
pub(crate) fn prepare_horn(
    horn: &Arc<Horn>,
    config: &Config,
    stopper: &Stopper,
    listen: &mut dyn FnMut(Note),
) -> Result<Prepared<Horn>, String> {
    let begun = Instant::now();
    let chosen = choose_transforms(TRANSFORMS, &config.with, &config.without)?;
    let mut sink = |event| listen(Note { engine: "transforms", at: begun.elapsed(), event });
    let mut ctx = Ctx::new(config.limits.ticks, stopper.clone(), config.seed, &mut sink);
    // Out of time here is out of time for the engines, too; they will say so.
    let (small, back) = simplify_with(horn, &chosen, &mut ctx)
        .map_or_else(|_| (Arc::clone(horn), Back::identity()), |(s, b)| (Arc::new(s), b));
    let entries = if config.engines.is_empty() && config.bound.is_none() {
        plan(&small)
    } else {
        entries(HORN_ENGINES, HORN_VARIANTS, config)?
    };
    let original = Arc::clone(horn);
    let carry = move |verdict, ctx: &mut Ctx<'_>| {
        let verdict = carry_back(&original, &back, verdict, ctx).map_err(Ended::Stopped)?;
        Ok(match verdict {
            Verdict::Unsafe(derivation) => Verdict::Unsafe(minimise(derivation, &original)),
            safe => safe,
        })
    };
    Ok(Prepared { small, carry: Box::new(carry), entries, time: begun.elapsed() })
}

/// Simplifies a circuit for one of its safety properties, and chooses engines for what is left of it.
pub(crate) fn prepare_circuit(
    circuit: &Arc<Circuit>,
    property: usize,
    config: &Config,
    stopper: &Stopper,
    listen: &mut dyn FnMut(Note),
) -> Result<Prepared<Circuit>, String> {
    let begun = Instant::now();
    let chosen = choose_transforms(CIRCUIT_TRANSFORMS, &config.with, &config.without)?;
    let mut sink = |event| listen(Note { engine: "transforms", at: begun.elapsed(), event });
    let mut ctx = Ctx::new(config.limits.ticks, stopper.clone(), config.seed, &mut sink);
    let (selected, unselect) = select_circuit(circuit, property);
    // Out of time here is out of time for the engines, too; they will say so.
    let (small, back) = simplify_circuit(&selected, &chosen, &mut ctx)
        .unwrap_or_else(|_| (selected, Back::identity()));
    let back = unselect.after(back);
    let entries = if config.engines.is_empty() && config.bound.is_none() {
        plan_circuit(&small)
    } else {
        entries(CIRCUIT_ENGINES, &[], config)?
    };
    let original = Arc::clone(circuit);
    let wishes = Wishes { minimize: config.minimize, witness_circuit: config.witness_circuit };
    let carry = move |verdict, ctx: &mut Ctx<'_>| {
        settle(&original, &back, verdict, wishes, ctx).map_err(Ended::Stopped)
    };
    Ok(Prepared { small: Arc::new(small), carry: Box::new(carry), entries, time: begun.elapsed() })
}

/// The engines the user asked for, or all, with equal shares of the time.
fn entries<P: Problem>(
    cards: &'static [Card<P>],
    also: &'static [Card<P>],
    config: &Config,
) -> Result<Vec<Entry<P>>, String> {
    let mut chosen = choose(cards, also, &config.engines)?;
    if config.bound.is_some() {
        // Proofs are not wanted, and only a search by depth comes to the bound.
        let by_depth = |name: &str| name == "bmc" || name.ends_with("-bmc");
        chosen.retain(|card| !card.proves && card.refutes && by_depth(card.name));
        if chosen.is_empty() {
            let known = cards.iter().chain(also).filter(|card| !card.proves && by_depth(card.name));
            let known: Vec<&str> = known.map(|card| card.name).collect();
            return Err(match known.join(", ") {
                none if none.is_empty() => "no engine for this problem takes --bound".to_owned(),
                known => format!("--bound needs an engine that searches by depth: {known}"),
            });
        }
    }
    Ok(chosen.into_iter().map(|card| Entry { card, weight: 1, late: 0 }).collect())
}
