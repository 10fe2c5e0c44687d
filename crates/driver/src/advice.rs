//! What is said after *unknown*: who came furthest, what stopped it, and what to try.
//!
//! An engine that had a candidate for a proof came further than one that was still looking, and among
//! equals the greater depth counts, then the lemmas. What to try depends on what was tried: engines that
//! were left out, transforms that add relations where formulas went on without end, options that got in
//! the way, limits. More time is never the only advice: if that were all, nobody would need any.

#[cfg(test)]
mod tests;

use crate::config::Config;
use crate::open::{AnyProblem, Opened};
use crate::page::clause_title;
use crate::partial::{Collector, Progress};
use crate::registry::engines;
use alphorn_engine::{Attempt, Ended, Limit, Stop};
use alphorn_horn::TRANSFORMS;
use alphorn_problem::horn::ClauseId;
use alphorn_report::answer::{Formula, Partial};
use std::time::Duration;

/// Transforms that add relations between arguments, where the search does not find them by itself.
pub(crate) const RELATIONS: [&str; 3] = ["intervals", "octagons", "congruences"];
/// The most engines that are named.
const MAX_NAMED: usize = 4;
/// The most characters of a formula.
const LONGEST: usize = 160;

/// Why nothing was decided, and what its user can do about it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Advice {
    /// The reason in one phrase, which stands beside the verdict.
    pub(crate) detail: String,
    /// Who came furthest and what stopped it, a sentence each.
    pub(crate) why: Vec<String>,
    /// Command-line options that may help here.
    pub(crate) hints: Vec<String>,
}

/// What is known of a run without a verdict.
pub(crate) struct Run<'a> {
    pub(crate) opened: &'a Opened,
    pub(crate) config: &'a Config,
    pub(crate) attempts: &'a [Attempt],
    pub(crate) collector: &'a Collector,
    pub(crate) partial: Option<&'a Partial>,
    /// The limit that ended the run, if one did.
    pub(crate) stopped: Option<Limit>,
    /// How long the engines ran.
    pub(crate) time: Duration,
}

/// The places of clauses as people find them: `clause 3 (line 12)`.
pub(crate) fn places(opened: &Opened, clauses: &[u64]) -> String {
    let place = |&clause: &u64| {
        let id = u32::try_from(clause).map(ClauseId);
        match (&opened.problem, id) {
            (Some(AnyProblem::Horn(horn)), Ok(id)) if id.index() < horn.clauses.len() => {
                clause_title(opened, id, horn.clause(id))
            }
            _ => format!("clause {clause}"),
        }
    };
    let all: Vec<String> = clauses.iter().map(place).collect();
    match &all[..] {
        [] => "a clause".to_owned(),
        [one] => one.clone(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}

/// How an attempt ended, in words.
pub(crate) fn ending(opened: &Opened, ended: &Ended) -> String {
    match ended {
        Ended::Answered => "answered".to_owned(),
        Ended::Stopped(Stop::Unsupported(what)) => format!("not for this problem: {what}"),
        Ended::Stopped(Stop::Unproved { clauses, reason }) => {
            let at = places(opened, clauses);
            format!("a candidate for a model is not proved at {at}: {reason}")
        }
        Ended::Stopped(stop) => stop.describe(),
        Ended::Refused(why) => format!("its evidence was refused (a fault of ours): {why}"),
        Ended::Panicked(what) => format!("failed (a fault of ours): {what}"),
        Ended::Abandoned => "did not stop in time".to_owned(),
    }
}

impl Run<'_> {
    /// What there is to say.
    pub(crate) fn advice(&self) -> Advice {
        Advice { detail: self.detail(), why: self.why(), hints: self.hints() }
    }

    fn failed(&self) -> Vec<&str> {
        let is_fault = |a: &&Attempt| matches!(a.ended, Ended::Refused(_) | Ended::Panicked(_));
        self.attempts.iter().filter(is_fault).map(|attempt| attempt.engine).collect()
    }

    /// The limit that ended the run or an engine.
    fn limit(&self) -> Option<Limit> {
        let budget = self.attempts.iter().find_map(|a| match a.ended {
            Ended::Stopped(Stop::Budget(limit)) if limit != Limit::Answered => Some(limit),
            Ended::Abandoned => self.stopped.or(Some(Limit::Time)),
            _ => None,
        });
        self.stopped.or(budget)
    }

    fn detail(&self) -> String {
        match (self.failed().is_empty(), self.limit()) {
            (false, _) => "an engine failed; nothing it said was believed".to_owned(),
            (true, Some(limit)) => limit.describe().to_owned(),
            (true, None) => "no engine could decide it".to_owned(),
        }
    }

    /// How far an attempt came; none if it is not to be compared.
    fn rank(&self, attempt: &Attempt) -> Option<(u8, u64, u64)> {
        let Progress { bound, lemmas } = self.collector.progress(attempt.engine);
        let proves = engines().iter().any(|line| line.name == attempt.engine && line.proves);
        let level = match &attempt.ended {
            Ended::Stopped(Stop::Unproved { .. }) => 3,
            Ended::Refused(_) | Ended::Panicked(_) | Ended::Answered => return None,
            _ if proves && lemmas.is_some() => 2,
            _ if bound.is_some() => 1,
            _ => return None,
        };
        Some((level, bound.unwrap_or(0), lemmas.unwrap_or(0)))
    }

    /// Who came furthest, who looked deepest, and which clause the last candidate breaks.
    fn why(&self) -> Vec<String> {
        let mut why: Vec<String> = Vec::new();
        for attempt in self.attempts {
            if let Ended::Refused(_) | Ended::Panicked(_) = attempt.ended {
                why.push(format!("{} {}", attempt.engine, ending(self.opened, &attempt.ended)));
            }
        }
        let ranked = self.attempts.iter().filter_map(|a| Some((self.rank(a)?, a)));
        let Some((_, furthest)) = ranked.max_by_key(|(rank, _)| *rank) else {
            why.extend(self.nobody());
            return why;
        };
        let Progress { bound, lemmas } = self.collector.progress(furthest.engine);
        let mut progress: Vec<String> = Vec::new();
        progress.extend(bound.map(|depth| format!("depth {depth}")));
        progress.extend(lemmas.map(|count| match count {
            1 => "1 lemma".to_owned(),
            _ => format!("{count} lemmas"),
        }));
        let progress = match progress.is_empty() {
            true => String::new(),
            false => format!(" ({})", progress.join(", ")),
        };
        let end = ending(self.opened, &furthest.ended);
        why.push(format!("{} came furthest{progress}: {end}", furthest.engine));
        let same = self.attempts.iter().filter(|other| {
            matches!(furthest.ended, Ended::Stopped(Stop::Unproved { .. }))
                && other.engine != furthest.engine
                && other.ended == furthest.ended
        });
        let same: Vec<&str> = same.map(|attempt| attempt.engine).collect();
        if !same.is_empty() {
            why.push(format!("{} ended at the same clause, for the same reason", named(&same)));
        }
        let deepest = self.attempts.iter().filter_map(|attempt| {
            Some((self.collector.progress(attempt.engine).bound?, attempt.engine))
        });
        if let Some((depth, engine)) = deepest.max_by_key(|(depth, _)| *depth)
            && bound.is_none_or(|bound| bound < depth)
        {
            why.push(format!("{engine} looked deepest: no counterexample up to depth {depth}"));
        }
        why.extend(self.broken(furthest.engine));
        why
    }

    /// Why nobody came anywhere.
    fn nobody(&self) -> Option<String> {
        let reason = self.attempts.iter().find_map(|attempt| match &attempt.ended {
            Ended::Stopped(Stop::Unsupported(what)) => Some(what),
            _ => None,
        })?;
        let refuses = |a: &&Attempt| matches!(a.ended, Ended::Stopped(Stop::Unsupported(_)));
        let count = self.attempts.iter().filter(refuses).count();
        let all = match count == self.attempts.len() {
            true => "no engine is".to_owned(),
            false => format!("{count} of {} engines are not", self.attempts.len()),
        };
        Some(format!("{all} for this problem: {reason}"))
    }

    /// The last candidate of an engine, or of any, and the clause that does not keep it.
    fn broken(&self, engine: &str) -> Option<String> {
        let candidates = &self.partial?.candidates;
        let is_placed = |formula: &&Formula| !formula.clauses.is_empty();
        let own = candidates.iter().filter(is_placed).find(|formula| formula.engine == engine);
        let last = own.or_else(|| candidates.iter().find(is_placed))?;
        let mut text: String = last.formula.chars().take(LONGEST).collect();
        if text.len() < last.formula.len() {
            text.push('…');
        }
        let at = places(self.opened, &last.clauses);
        let Formula { engine, predicate, .. } = last;
        Some(format!("the last candidate of {engine} for {predicate}, {text}, is broken by {at}"))
    }

    fn hints(&self) -> Vec<String> {
        let mut hints: Vec<String> = Vec::new();
        let failed = self.failed();
        if !failed.is_empty() {
            hints.push("alphorn doctor, and report the file".to_owned());
        }
        if self.stopped == Some(Limit::Interrupted) {
            return hints;
        }
        // Of any number of processes nothing is a violation.
        let is_any =
            matches!(&self.opened.problem, Some(AnyProblem::Horn(horn)) if horn.allows_more);
        if is_any {
            let what = "violations are looked for among just so many processes";
            hints.push(format!("--processes N: {what}"));
        }
        hints.extend(self.other_engines(&failed));
        let is_horn = matches!(self.opened.problem, Some(AnyProblem::Horn(_)));
        let diverges = self.partial.is_some_and(|partial| !partial.patterns.is_empty());
        let relations: Vec<&str> = (RELATIONS.into_iter())
            .filter(|name| !self.config.with.iter().any(|with| with == name))
            .filter(|name| TRANSFORMS.iter().any(|card| card.name == *name))
            .collect();
        if is_horn && diverges && !relations.is_empty() {
            let names = relations.join(",");
            hints.push(format!("--with {names}: relations that the formulas found so far lack"));
        }
        let unproved = |a: &Attempt| matches!(a.ended, Ended::Stopped(Stop::Unproved { .. }));
        match self.config.without.is_empty() {
            false => {
                let names = self.config.without.join(",");
                hints.push(format!("without --without {names}: transforms make problems smaller"));
            }
            true if self.attempts.iter().any(unproved) => {
                let what = "proofs are then of the clauses as they stand";
                hints.push(format!("--without all: {what}"));
            }
            true => {}
        }
        let takes_no_bound = matches!(
            self.opened.problem,
            Some(AnyProblem::Flow(_) | AnyProblem::Temporal(_) | AnyProblem::Game(_))
        );
        if self.config.bound.is_none() && !takes_no_bound && !is_any {
            let known = match self.collector.bound() {
                Some(bound) => format!(" (up to {bound} there is none)"),
                None => String::new(),
            };
            let what = "if only violations of at most N steps matter";
            hints.push(format!("--bound N, {what}{known}"));
        }
        match self.limit() {
            Some(Limit::Memory) => {
                hints.push("--threads 1: engines take turns and need less at a time".to_owned());
                hints.push("a larger --memory".to_owned());
            }
            Some(Limit::Ticks) => hints.push("a larger --ticks".to_owned()),
            Some(Limit::Time) => {
                let time = self.time.as_secs_f64();
                hints.push(format!("a longer --time (it was over after {time:.1} s)"));
            }
            Some(Limit::Answered | Limit::Interrupted | Limit::Bound) | None => {}
        }
        hints
    }

    /// Engines that treat this kind of problem and were not tried.
    fn other_engines(&self, failed: &[&str]) -> Option<String> {
        let kind = match self.opened.problem.as_ref()? {
            AnyProblem::Horn(_) => "horn",
            AnyProblem::Circuit(_) => "circuit",
            AnyProblem::Words(_) => "words",
            AnyProblem::C(_) => "horn",
            AnyProblem::Flow(_) => "flow",
            AnyProblem::Temporal(_) => "temporal",
            AnyProblem::Game(_) => "game",
        };
        if !self.config.engines.is_empty() {
            let names = self.config.engines.join(",");
            return Some(format!("without --engine {names}: all engines that fit are tried"));
        }
        if !failed.is_empty() {
            let others: Vec<&str> = (self.attempts.iter().map(|attempt| attempt.engine))
                .filter(|name| !failed.contains(name))
                .collect();
            let names = others.join(",");
            return (!others.is_empty()).then(|| format!("--engine {names}: the others alone"));
        }
        // Those that found out that they cannot help were tried.
        let all = engines();
        let others: Vec<&str> = all
            .iter()
            .filter(|line| line.works_on == kind)
            .filter(|line| self.attempts.iter().all(|attempt| attempt.engine != line.name))
            .map(|line| line.name)
            .take(MAX_NAMED)
            .collect();
        let names = others.join(",");
        (!others.is_empty()).then(|| format!("--engine {names}: not tried by default here"))
    }
}

fn named(names: &[&str]) -> String {
    match names {
        [rest @ .., last] if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.concat(),
    }
}
