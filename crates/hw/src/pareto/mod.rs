//! The front of a circuit with parameters: cheapest valuations at which a property holds.
//!
//! Costs come first: a valuation that no point undercuts, and that no failure speaks for, is a candidate
//! (`candidates`); one run of IC3 decides all of them (`ic3::narrow`). At a valid candidate parameters are
//! lowered as long as what is known for good still excludes bad states, which needs no further search and
//! no monotony; then candidates are looked for that undercut it, until there is none: it is a point of the
//! front. At an invalid one the run fails with whatever values some parameters have, and all those
//! valuations are excluded; if the property is monotone (`monotony`), so is everything below them, and a
//! candidate is raised as far as it stays one before it is decided.
//!
//! Invariant: what is reported is valid and proved when it is reported; a point that is reported as optimal
//! is one of the front. When the search ends, a refutation shows that nothing was left out.
//!
//! After Bittner, Bozzano, Cimatti, Gario, Griggio, "Towards Pareto-Optimal Parameter Synthesis for
//! Monotonic Cost Functions" (FMCAD 2014). We differ in going from one valid valuation down to the front
//! in all costs at once, so that there may be any number of costs, in what a failure excludes without
//! monotony, and in the evidence. `bench/notes/parameters.md` has figures.

mod candidates;
mod evidence;
mod monotony;

use crate::ask::same;
use crate::circuit::first_bad;
use crate::ic3::{Question, Reduced, Run, Settings};
use crate::select::select_circuit;
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::Circuit;
use alphorn_problem::circuit::Lit as Bit;
use alphorn_problem::evidence::circuit::Trace;
use alphorn_problem::evidence::front::{Front, Monotony, Point};
use alphorn_problem::obligation::front::Excluded;
use alphorn_problem::parameters::Parametric;
use alphorn_sat::Lit;
use candidates::Candidates;

/// What a search reports.
#[derive(Clone, Debug)]
pub enum Found {
    /// Whether what lies below failures is excluded, too, and why.
    Monotony(Monotony),
    /// A valid valuation, which may be undercut by others.
    Valid(Point),
    /// The valid valuation that was reported last is not undercut.
    Optimal,
    /// A valuation at which the property fails.
    Failed,
}

/// How many questions were answered, and how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Candidates.
    pub candidates: usize,
    /// Those that what was known for good showed to be valid.
    pub known: usize,
    /// Those for which the circuit was searched.
    pub searched: usize,
}

/// Looks for the front; `is_monotone` says that the user knows the property to be monotone.
pub fn search(
    problem: &Parametric,
    is_monotone: bool,
    ctx: &mut Ctx<'_>,
    found: &mut dyn FnMut(Found),
) -> Result<(Front, Effort), Stop> {
    problem.validate().map_err(Stop::Unsupported)?;
    let monotony = match is_monotone {
        true => Monotony::Asserted,
        false => monotony::proved(problem, ctx)?,
    };
    found(Found::Monotony(monotony.clone()));
    let (selected, _) = select_circuit(&problem.circuit, problem.property);
    first_bad(&selected)?;
    let reduced = Reduced::new(&Question::new(&selected));
    let mut search = Search {
        problem,
        selected: &selected,
        reduced: &reduced,
        run: Run::new(&reduced, Settings::default()),
        candidates: Candidates::new(problem, monotony != Monotony::Unused),
        points: Vec::new(),
        failed: Vec::new(),
        effort: Effort::default(),
    };
    while let Some(candidate) = search.candidates.next(None, ctx)? {
        let Some(mut best) = search.decide(candidate, ctx, found)? else { continue };
        while let Some(better) = search.candidates.next(Some(&best), ctx)? {
            if let Some(cheaper) = search.decide(better, ctx, found)? {
                let undercut = search.points.len() - 2;
                search.points.remove(undercut);
                best = cheaper;
            }
        }
        found(Found::Optimal);
    }
    let Search { points, failed, effort, .. } = search;
    Ok((evidence::front(problem, points, failed, monotony, ctx)?, effort))
}

/// The state of a search.
struct Search<'a> {
    problem: &'a Parametric,
    selected: &'a Circuit,
    reduced: &'a Reduced<'a>,
    run: Run<'a>,
    candidates: Candidates<'a>,
    /// Valid valuations; all but the last are optimal.
    points: Vec<Point>,
    failed: Vec<Trace>,
    effort: Effort,
}

impl Search<'_> {
    /// The cheaper valuation that a candidate leads to, if it is valid; what follows is told to the
    /// candidates.
    fn decide(
        &mut self,
        candidate: Vec<bool>,
        ctx: &mut Ctx<'_>,
        found: &mut dyn FnMut(Found),
    ) -> Result<Option<Vec<bool>>, Stop> {
        self.effort.candidates += 1;
        let with = self.assumed(&candidate);
        if self.run.is_excluded(&with, ctx)? {
            self.effort.known += 1;
        } else {
            self.effort.searched += 1;
            if let Some(trace) = self.run.violation(&with, ctx)? {
                self.fail(&candidate, &trace);
                found(Found::Failed);
                return Ok(None);
            }
        }
        let valid = self.lowered(candidate, ctx)?;
        self.candidates.undercut(&valid)?;
        let clauses = self.run.invariant_clauses();
        let point = evidence::point(self.problem, valid.clone(), clauses, ctx)?;
        self.points.push(point.clone());
        found(Found::Valid(point));
        Ok(Some(valid))
    }

    /// The literals of a valuation, as far as the property depends on them.
    fn assumed(&self, valuation: &[bool]) -> Vec<Lit> {
        let lits = self.problem.literals(valuation);
        lits.filter_map(|lit| self.small(lit)).collect()
    }

    fn small(&self, lit: Bit) -> Option<Lit> {
        self.reduced.shrink(&[lit]).and_then(|clause| clause.first().copied()).map(same)
    }

    /// A valuation below a valid one that what is known for good shows to be valid, and below which it
    /// shows none. Dear parameters are lowered first.
    fn lowered(&mut self, valuation: Vec<bool>, ctx: &mut Ctx<'_>) -> Result<Vec<bool>, Stop> {
        let mut lowest = valuation;
        if !self.run.is_excluded(&self.assumed(&lowest), ctx)? {
            return Ok(lowest);
        }
        self.lower_unneeded(&mut lowest);
        for at in self.candidates.dearest_first() {
            if !lowest[at] {
                continue;
            }
            lowest[at] = false;
            match self.run.is_excluded(&self.assumed(&lowest), ctx)? {
                true => self.lower_unneeded(&mut lowest),
                false => lowest[at] = true,
            }
        }
        Ok(lowest)
    }

    /// Lowers the parameters that the last answer does not need: those that it needs low are low already.
    fn lower_unneeded(&self, valuation: &mut [bool]) {
        let needed: Vec<bool> = (self.problem.literals(valuation))
            .map(|lit| self.small(lit).is_some_and(|lit| self.run.is_needed(lit)))
            .collect();
        for (raised, needed) in valuation.iter_mut().zip(needed) {
            *raised &= needed;
        }
    }

    /// Takes note of a run at a candidate.
    fn fail(&mut self, candidate: &[bool], trace: &Trace) {
        let trace = self.reduced.widen_trace(trace);
        let trace = evidence::opened(
            self.problem,
            self.selected,
            candidate,
            trace,
            self.candidates.is_monotone(),
        );
        self.candidates.exclude(&Excluded::by(self.problem, &trace, self.candidates.is_monotone()));
        self.failed.push(trace);
    }
}
