//! Several safety properties of one circuit: together first, then each by itself.
//!
//! First all are asked as one question: can any of them be violated? A run that violates some decides
//! those, and the others are asked again; an invariant that excludes all violations proves each of
//! them. When the time for that is over, each property that is left gets a slice of time, then a longer
//! one, and so on, so that a hard one does not keep the others waiting. What one proof needed is an
//! invariant of the circuit: where it proves another property that one is not run, and where it does not,
//! its clauses are hints for the engines.
//!
//! Invariant: every property gets its own evidence, proved without assuming any other property, and
//! checked like all evidence.
//!
//! After Goldberg, Güdemann, Kroening, Mukherjee, "Efficient Verification of Multi-Property Designs"
//! (DATE 2018). We differ in that nothing is assumed in what is handed out.

use crate::config::Config;
use crate::evidence::AnyEvidence;
use crate::open::{AnyProblem, Opened};
use crate::prepare::{circuit_entries, circuit_speech};
use crate::registry::choose_transforms;
use crate::run::{
    Accepted, Brought, CannotRun, Decision, PropertyKind, PropertyLine, Ran, Run, checked,
    tell_decision,
};
use crate::settings::{SEVERAL_ADOPTION, SEVERAL_ROUNDS, SEVERAL_SHORTEST, SEVERAL_TOGETHER};
use crate::vacuity::Vacuity;
use crate::wire::heard;
use alphorn_check::accept::AskedProperty;
use alphorn_engine::{Back, Ctx, Ended, Entry, Note, Stop, Stopper};
use alphorn_hw::select::{select_any, violations};
use alphorn_hw::settle::{Wishes, settle};
use alphorn_hw::transform::{CIRCUIT_TRANSFORMS, simplify_circuit};
use alphorn_problem::circuit::Lit;
use alphorn_problem::evidence::circuit::{Certificate, CircuitClaim, Invariant, Property};
use alphorn_problem::{Circuit, Finding, Verdict};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Whether there are several safety properties and a time to share. (Ticks are each engine's own.) Slices of
/// time differ from run to run, which nobody wants who limits ticks on one thread.
pub(crate) fn is_for(properties: &[PropertyLine], config: &Config) -> bool {
    let safety = properties.iter().filter(|property| property.kind == PropertyKind::Safety).count();
    let is_one = config.threads == 1 || config.in_rounds;
    let is_repeatable = is_one && config.limits.ticks != u64::MAX;
    safety > 1 && config.limits.deadline.is_some() && config.bound.is_none() && !is_repeatable
}

/// A run on several properties of a circuit.
pub(crate) struct Several<'a> {
    pub(crate) opened: &'a Opened,
    pub(crate) circuit: &'a Arc<Circuit>,
    pub(crate) config: &'a Config,
    pub(crate) stopper: &'a Stopper,
    pub(crate) listen: &'a mut dyn FnMut(Note),
    pub(crate) decided: &'a mut dyn FnMut(&Decision),
    pub(crate) vacuity: Vacuity,
}

/// Verdicts on some properties, by position.
type Verdicts = Vec<(usize, Accepted<Circuit>)>;

impl Several<'_> {
    /// Decides the properties, each when it is its time; the decisions are in their order.
    pub(crate) fn decide(
        &mut self,
        properties: &[PropertyLine],
    ) -> Result<Vec<Decision>, CannotRun> {
        let mut decisions: Vec<Option<Decision>> = vec![None; properties.len()];
        for (at, property) in properties.iter().enumerate() {
            if let Some(decision) = self.run(property, None).known_answer() {
                self.announce(at, decision, &mut decisions);
            }
        }
        self.together(properties, &mut decisions)?;
        self.one_by_one(properties, &mut decisions)?;
        Ok(decisions.into_iter().flatten().collect())
    }

    /// Asks for a violation of any property, again and again.
    fn together(
        &mut self,
        properties: &[PropertyLine],
        decisions: &mut [Option<Decision>],
    ) -> Result<(), CannotRun> {
        let ends = self.share(SEVERAL_TOGETHER.short());
        loop {
            let is_open = |at: &usize| {
                properties[*at].kind == PropertyKind::Safety && decisions[*at].is_none()
            };
            let open: Vec<usize> = (0..properties.len()).filter(is_open).collect();
            let is_over = ends.is_some_and(|ends| Instant::now() >= ends);
            if open.len() < 2 || is_over || self.stopper.reason().is_some() {
                return Ok(());
            }
            let indices: Vec<usize> = open.iter().map(|at| properties[*at].index).collect();
            let begun = Instant::now();
            let mut ran = self.run_together(&properties[open[0]], indices, ends)?;
            let Some((engine, verdicts)) = ran.answer.take() else { return Ok(()) };
            for (index, accepted) in verdicts {
                let Some(at) = open.iter().find(|at| properties[**at].index == index) else {
                    continue;
                };
                let ran = Ran {
                    answer: Some((engine, accepted)),
                    heard: None,
                    attempts: ran.attempts.clone(),
                    collector: Default::default(),
                    transform: ran.transform,
                    time: begun.elapsed(),
                };
                let decision = self.run(&properties[*at], None).decision(ran, AnyEvidence::Circuit);
                self.announce(*at, decision, decisions);
            }
        }
    }

    /// One question about all properties listed, of which `first` is one.
    fn run_together(
        &mut self,
        first: &PropertyLine,
        indices: Vec<usize>,
        ends: Option<Instant>,
    ) -> Result<Ran<Verdicts>, CannotRun> {
        let begun = Instant::now();
        let chosen = choose_transforms(CIRCUIT_TRANSFORMS, &self.config.with, &self.config.without);
        let chosen = chosen.map_err(CannotRun::Request)?;
        let joined = select_any(self.circuit, &indices);
        let (small, back) = self.with_ctx(self.config.limits.ticks, |ctx| {
            simplify_circuit(&joined, &chosen, ctx)
                .unwrap_or_else(|_| (joined.clone(), Back::identity()))
        });
        let circuit = Arc::clone(self.circuit);
        let config = self.config;
        let speech = self.with_ctx(self.config.limits.ticks, |ctx| {
            circuit_speech(&circuit, &small, &back, config, ctx)
        });
        let hints = speech.as_ref().map(|speech| speech.understand(&heard(&config.wires)));
        let hints = hints.unwrap_or_default();
        let mut entries = circuit_entries(&small, self.config).map_err(CannotRun::Request)?;
        // An induction that assumes all properties says nothing about one of them.
        entries.retain(|entry: &Entry<Circuit>| entry.card.name != "kind");
        let original = Arc::clone(self.circuit);
        let wishes = self.wishes();
        let accept = move |_: &Circuit, finding: Finding<Circuit>, ctx: &mut Ctx<'_>| {
            let finding = back.finding(finding, ctx).map_err(Ended::Stopped)?;
            split(&original, &indices, finding, wishes, ctx)
        };
        let transform = begun.elapsed();
        let mut run = self.run(first, ends);
        let brought = Brought { origins: None, hints, speech, takes_answers: false };
        let ran = run.portfolio(Arc::new(small), &entries, brought, accept);
        Ok(Ran { transform, ..ran })
    }

    /// Gives each property that is left its slices of time.
    fn one_by_one(
        &mut self,
        properties: &[PropertyLine],
        decisions: &mut [Option<Decision>],
    ) -> Result<(), CannotRun> {
        let mut known: Vec<Vec<Lit>> = Vec::new();
        decisions.iter().flatten().for_each(|decision| learn(decision, &mut known));
        let problem = AnyProblem::Circuit(Arc::clone(self.circuit));
        let mut slice = Duration::ZERO;
        loop {
            let open: Vec<usize> =
                (0..properties.len()).filter(|at| decisions[*at].is_none()).collect();
            if open.is_empty() {
                return Ok(());
            }
            let count = u32::try_from(open.len()).unwrap_or(u32::MAX);
            let fair = self.share(count).map(|ends| ends.saturating_duration_since(Instant::now()));
            let fair = fair.unwrap_or(Duration::MAX);
            let shortest = Duration::from_millis(SEVERAL_SHORTEST.get());
            let first = (fair / (1 << SEVERAL_ROUNDS.short().min(31))).max(shortest);
            slice = if slice.is_zero() { first } else { slice.saturating_mul(4) };
            // Nobody has time for another round.
            let is_last = slice >= fair / 2;
            for (position, at) in open.iter().enumerate() {
                let property = &properties[*at];
                let left = u32::try_from(open.len() - position).unwrap_or(u32::MAX);
                let ends = if is_last { self.share(left) } else { Some(Instant::now() + slice) };
                let decision = match self.adopt(property, &known) {
                    Some(decision) => decision,
                    None => Run { known: &known, ..self.run(property, ends) }.decide(&problem)?,
                };
                learn(&decision, &mut known);
                let ended_by_itself = ends.is_some_and(|ends| Instant::now() < ends);
                if decision.evidence.is_some() || is_last || ended_by_itself {
                    self.announce(*at, decision, decisions);
                }
            }
        }
    }

    /// The decision that what is known to hold proves the property, if it does.
    fn adopt(&mut self, property: &PropertyLine, known: &[Vec<Lit>]) -> Option<Decision> {
        if known.is_empty()
            || property.kind != PropertyKind::Safety
            || self.stopper.reason().is_some()
        {
            return None;
        }
        let begun = Instant::now();
        let invariant = Invariant::Clauses(known.to_vec());
        let claim = CircuitClaim { property: property.index, invariant };
        let circuit = Arc::clone(self.circuit);
        let wishes = self.wishes();
        let settled = self.with_ctx(SEVERAL_ADOPTION.get(), |ctx| {
            settle(&circuit, Finding::Holds(claim), wishes, ctx)
        });
        let asked = AskedProperty::of(Property::Bad(property.index));
        let accepted = checked(&*circuit, asked, settled.ok()?).ok()?;
        let ran = Ran {
            answer: Some(("known", accepted)),
            heard: None,
            attempts: Vec::new(),
            collector: Default::default(),
            transform: Duration::ZERO,
            time: begun.elapsed(),
        };
        Some(self.run(property, None).decision(ran, AnyEvidence::Circuit))
    }

    fn announce(
        &mut self,
        place: usize,
        mut decision: Decision,
        decisions: &mut [Option<Decision>],
    ) {
        decision.place = place;
        self.vacuity.judge(self.opened, &mut decision);
        tell_decision(self.opened, self.config, &decision);
        (self.decided)(&decision);
        decisions[place] = Some(decision);
    }

    fn wishes(&self) -> Wishes {
        let Config { minimize, witness_circuit, .. } = *self.config;
        Wishes { minimize, witness_circuit }
    }

    fn run(&mut self, property: &PropertyLine, ends: Option<Instant>) -> Run<'_> {
        Run {
            opened: self.opened,
            config: self.config,
            stopper: self.stopper,
            listen: &mut *self.listen,
            ends,
            property: property.clone(),
            known: &[],
            share: Stopper::new(),
        }
    }

    /// When a part of the time that is left will be over.
    fn share(&self, parts: u32) -> Option<Instant> {
        let begun = Instant::now();
        let rest = |deadline: Instant| deadline.saturating_duration_since(begun);
        self.config.limits.deadline.map(|deadline| begun + rest(deadline) / parts.max(1))
    }

    fn with_ctx<R>(&mut self, ticks: u64, work: impl FnOnce(&mut Ctx<'_>) -> R) -> R {
        let begun = Instant::now();
        let listen = &mut *self.listen;
        let mut sink = |event| listen(Note { engine: "transforms", at: begun.elapsed(), event });
        let mut ctx = Ctx::new(ticks, self.stopper.clone(), self.config.seed, &mut sink);
        work(&mut ctx)
    }
}

/// What was found of all properties listed, as verdicts on those that it decides, as far as there is time.
fn split(
    original: &Arc<Circuit>,
    indices: &[usize],
    finding: Finding<Circuit>,
    wishes: Wishes,
    ctx: &mut Ctx<'_>,
) -> Result<Verdicts, Ended> {
    let parts: Vec<(usize, Finding<Circuit>)> = match finding {
        Finding::Fails(trace) => {
            let found = violations(original, indices, &trace).into_iter();
            found.map(|(index, trace)| (index, Finding::Fails(trace))).collect()
        }
        Finding::Holds(claim) => {
            let of = |&property: &usize| {
                (property, Finding::Holds(CircuitClaim { property, ..claim.clone() }))
            };
            indices.iter().map(of).collect()
        }
    };
    let mut verdicts = Vec::with_capacity(parts.len());
    for (index, finding) in parts {
        match settle(original, finding, wishes, ctx) {
            Ok(verdict) => {
                let asked = AskedProperty::of(Property::Bad(index));
                verdicts.push((index, checked(&**original, asked, verdict)?));
            }
            Err(Stop::Budget(_)) if !verdicts.is_empty() => break,
            Err(stop) => return Err(Ended::Stopped(stop)),
        }
    }
    match verdicts.is_empty() {
        true => Err(Ended::Refused("the run violates none of the properties".to_owned())),
        false => Ok(verdicts),
    }
}

/// Adds the clauses of a proof to what is known to hold; together they are an invariant.
fn learn(decision: &Decision, known: &mut Vec<Vec<Lit>>) {
    let Some(AnyEvidence::Circuit(checked)) = &decision.evidence else { return };
    if let Verdict::Safe(Certificate { invariant: Invariant::Clauses(clauses), .. }) =
        checked.verdict()
    {
        let mut fresh: Vec<Vec<Lit>> =
            clauses.iter().filter(|clause| !known.contains(clause)).cloned().collect();
        known.append(&mut fresh);
    }
}
