//! Runs engines on a bounded flow, has the checker judge their evidence and changed versions of it, and holds
//! all of that against brute force.

use super::oracle::{broken_ranking, broken_recurrence, explore};
use super::{mutate, pad::padded, random::Small};
use crate::Rng;
use alphorn_check::flow::{check_recurrence, check_termination};
use alphorn_engine::{Back, Card, Ctx, Stop, Stopper};
use alphorn_problem::evidence::flow::{Ranking, Recurrence, Termination};
use alphorn_problem::{Finding, Flow, Verdict};

/// What proves what an engine found.
type Conclude = fn(&Flow, Finding<Flow>, &mut Ctx<'_>) -> Result<Verdict<Flow>, Stop>;

/// What happened on a flow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Engines that said that every run ends.
    pub ends: usize,
    /// Engines that said that one does not.
    pub runs: usize,
    /// Engines that said nothing.
    pub unknown: usize,
    /// Changed pieces of evidence.
    pub changed: usize,
    /// Those of them that were accepted.
    pub accepted: usize,
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.ends += other.ends;
        self.runs += other.runs;
        self.unknown += other.unknown;
        self.changed += other.changed;
        self.accepted += other.accepted;
    }
}

/// Runs engines on a flow, each for at most `ticks`, and changes their evidence `changes` times.
///
/// # Panics
///
/// If an answer is wrong, evidence is refused, or changed evidence is accepted that is wrong.
#[track_caller]
pub fn judge(
    small: &Small,
    cards: &[Card<Flow>],
    conclude: Conclude,
    ticks: u64,
    changes: usize,
) -> Tally {
    let flow = small.bounded();
    flow.validate().expect("the flow is well formed");
    let truth = explore(&flow);
    let mut tally = Tally::default();
    for card in cards {
        match answer(card, &flow, (&flow, &Back::identity()), conclude, ticks, truth.terminates) {
            None => tally.unknown += 1,
            Some(Verdict::Safe(evidence)) => {
                tally.ends += 1;
                for seed in 0..changes as u64 {
                    let changed = mutate::ranking(&mut Rng::new(seed), &evidence.ranking);
                    tally += changed_ranking(&flow, changed, &evidence, truth.terminates);
                }
            }
            Some(Verdict::Unsafe(evidence)) => {
                tally.runs += 1;
                for seed in 0..changes as u64 {
                    let changed = mutate::recurrence(&mut Rng::new(seed), &evidence);
                    tally += changed_recurrence(&flow, changed);
                }
            }
        }
    }
    tally
}

/// Runs engines on a flow after things were added to it that do not matter, and after transforms have taken
/// them away.
///
/// # Panics
///
/// If something that was added is left, an answer is wrong, or evidence is refused that was carried back.
#[track_caller]
pub fn judge_padded(
    small: &Small,
    cards: &[Card<Flow>],
    simplify: impl Fn(&Flow) -> (Flow, Back<Flow, Flow>),
    conclude: Conclude,
    ticks: u64,
) -> Tally {
    let flow = small.bounded();
    let truth = explore(&flow);
    let mut tally = Tally::default();
    for seed in 0..2 {
        let size = (flow.vars.len(), flow.locations.len());
        let flow = padded(&flow, &mut Rng::new(seed));
        flow.validate().expect("the flow is well formed");
        let (seen, back) = simplify(&flow);
        seen.validate().expect("what transforms leave is well formed");
        let left = (seen.vars.len(), seen.locations.len());
        assert!(left.0 <= size.0 && left.1 <= size.1, "what was added is left: {seen:?}");
        for card in cards {
            match answer(card, &flow, (&seen, &back), conclude, ticks, truth.terminates) {
                None => tally.unknown += 1,
                Some(Verdict::Safe(_)) => tally.ends += 1,
                Some(Verdict::Unsafe(_)) => tally.runs += 1,
            }
        }
    }
    tally
}

/// What an engine says of a flow that it sees changed, checked against the flow itself and against the truth.
#[track_caller]
fn answer(
    card: &Card<Flow>,
    flow: &Flow,
    (seen, back): (&Flow, &Back<Flow, Flow>),
    conclude: Conclude,
    ticks: u64,
    terminates: bool,
) -> Option<Verdict<Flow>> {
    let mut sink = |_| {};
    let mut ctx = Ctx::new(ticks, Stopper::new(), 1, &mut sink);
    let finding = (card.build)().run(seen, &mut ctx).ok()?;
    conclude(seen, finding.clone(), &mut ctx).ok()?;
    // What is proved must not be lost on the way back, whatever time is left.
    let mut ctx = Ctx::new(1_000_000, Stopper::new(), 1, &mut sink);
    let finding = back.finding(finding, &mut ctx);
    let finding = finding.unwrap_or_else(|stop| panic!("{}: lost: {stop:?}", card.name));
    let verdict = conclude(flow, finding, &mut ctx);
    let verdict = verdict.unwrap_or_else(|stop| panic!("{}: not proved: {stop:?}", card.name));
    let refusal = match &verdict {
        Verdict::Safe(evidence) => {
            assert!(terminates, "{} says that a flow ends that does not", card.name);
            check_termination(flow, evidence).err()
        }
        Verdict::Unsafe(evidence) => {
            assert!(!terminates, "{} says that a flow runs on that ends", card.name);
            check_recurrence(flow, evidence).err()
        }
    };
    assert!(refusal.is_none(), "{}: refused: {refusal:?}", card.name);
    Some(verdict)
}

/// Changed ranks are accepted only if no small values contradict them.
fn changed_ranking(
    flow: &Flow,
    changed: Option<Ranking>,
    old: &Termination,
    terminates: bool,
) -> Tally {
    let Some(ranking) = changed else { return Tally::default() };
    let broken = broken_ranking(flow, &ranking);
    let changed = Termination { ranking, proofs: old.proofs.clone() };
    let is_accepted = check_termination(flow, &changed).is_ok();
    if is_accepted {
        assert!(terminates, "ranks are accepted where a run does not end");
        assert_eq!(broken, None, "changed ranks are accepted: {:?}", changed.ranking.measure);
    }
    Tally { changed: 1, accepted: usize::from(is_accepted), ..Tally::default() }
}

/// A changed recurrence is accepted only if no small values contradict it.
fn changed_recurrence(flow: &Flow, changed: Option<Recurrence>) -> Tally {
    let Some(changed) = changed else { return Tally::default() };
    let is_accepted = check_recurrence(flow, &changed).is_ok();
    if is_accepted {
        let broken = broken_recurrence(flow, &changed.terms, &changed.sets, &changed.choices);
        assert_eq!(broken, None, "a changed recurrence is accepted: {changed:?}");
    }
    Tally { changed: 1, accepted: usize::from(is_accepted), ..Tally::default() }
}
