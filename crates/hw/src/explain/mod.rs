//! Why a run goes as it does: what would have avoided a violation, and which latch was at fault.
//!
//! `smallest` looks for the smallest sets of values of inputs and latches, each at a step, that avoid a
//! violation if they are flipped. The run is written down with a control for every such value
//! (`problem::obligation::flips`), which inverts it; a counter bounds how many words change, and the bound rises until
//! there is a model. All sets of that size are enumerated. `avoidance` adds a refutation of any other.
//!
//! `roots` looks for the latches that explain an observation (`diagnose`).
//!
//! Nothing that is found is believed: whoever reports it has it simulated by the checker.
//!
//! After Kaiss, Kalechstain, "Post-Silicon Timing Diagnosis Made Simple using Formal Technology" (FMCAD
//! 2014), who ask for a single flip; we differ in asking for sets, and in starting from counterexamples.

mod diagnose;
mod encode;

pub use diagnose::{Found, roots};

use crate::ask::ask;
use crate::certify::{loaded, refute};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::Violation;
use alphorn_problem::evidence::flips::{Avoidance, Flip, Others};
use alphorn_problem::obligation::circuit::Obligation;
use alphorn_problem::obligation::flips::{Flipped, Word, others};
use alphorn_sat::{Lit, Options, Solver};

/// The largest sets that are looked for.
pub const MAX_FLIPS: usize = 8;

/// The smallest sets of flips that avoid a violation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sets {
    /// How many words each set changes; none if no set was found.
    pub size: Option<usize>,
    /// The sets, each ascending.
    pub sets: Vec<Vec<Flip>>,
    /// Whether these are all sets of words of that size.
    pub is_all: bool,
    /// Whether no set at all avoids the violation, however large.
    pub is_hopeless: bool,
}

impl Sets {
    /// The largest number of words up to which every set that avoids the violation contains one of these; none if
    /// there is no largest.
    fn known_up_to(&self) -> Option<usize> {
        match self.size {
            _ if self.is_hopeless => None,
            None => Some(MAX_FLIPS),
            Some(size) if self.is_all => Some(size),
            Some(size) => Some(size - 1),
        }
    }
}

/// Looks for the smallest sets of flips, at most so many, that avoid a violation, which must be valid.
pub fn smallest(violation: &Violation, most: usize, ctx: &mut Ctx<'_>) -> Result<Sets, Stop> {
    violation.validate().map_err(Stop::Unsupported)?;
    let steps = violation.trace.inputs.len() as u64;
    ctx.tick(steps.saturating_mul(1 + u64::from(violation.circuit.max_var()) / 64))?;
    let mut run = Flipped::new(violation).map_err(Stop::Unsupported)?;
    let counts: Vec<Lit> = run.counts(MAX_FLIPS).into_iter().filter_map(Lit::from_dimacs).collect();
    let mut solver = loaded(run.cnf(), Options::default());
    let words: Vec<&Word> = run.words().values().collect();
    enumerate(&mut solver, &words, &counts, most, ctx)
}

/// Finds the smallest number of words that suffice, and all sets of so many.
fn enumerate(
    solver: &mut Solver,
    words: &[&Word],
    counts: &[Lit],
    most: usize,
    ctx: &mut Ctx<'_>,
) -> Result<Sets, Stop> {
    if !ask(solver, &[], None, ctx)? {
        return Ok(Sets { is_all: true, is_hopeless: true, ..Sets::default() });
    }
    let mut found = Sets::default();
    for size in 1..=MAX_FLIPS {
        let bound: Vec<Lit> = counts.get(size).map(|more| !*more).into_iter().collect();
        while ask(solver, &bound, None, ctx)? {
            let mut flips: Vec<Flip> = Vec::new();
            let mut blocked: Vec<Lit> = Vec::new();
            for word in words {
                let before = flips.len();
                let is_true = |lit: &i32| {
                    Lit::from_dimacs(*lit).is_some_and(|lit| solver.value(lit) == Some(true))
                };
                flips.extend(
                    word.flips.iter().filter(|(_, lit)| is_true(lit)).map(|(flip, _)| *flip),
                );
                if flips.len() > before {
                    blocked.extend(Lit::from_dimacs(-word.changed));
                }
            }
            flips.sort_unstable();
            found.size = Some(size);
            found.sets.push(flips);
            if found.sets.len() >= most {
                found.sets.sort();
                return Ok(found);
            }
            solver.add_clause(&blocked);
        }
        if found.size.is_some() {
            found.is_all = true;
            break;
        }
    }
    found.sets.sort();
    Ok(found)
}

/// The sets as evidence, with a refutation of all others of their size, or of all smaller ones if some may be missing.
pub fn avoidance(violation: &Violation, found: Sets, ctx: &mut Ctx<'_>) -> Result<Avoidance, Stop> {
    let known: Vec<_> = found.sets.iter().map(|set| violation.places(set)).collect();
    let most = found.known_up_to();
    let cnf = others(violation, &known, most).map_err(Stop::Unsupported)?;
    let proof = refute(&Obligation { name: "other sets".into(), cnf }, 0, ctx)?;
    let (size, sets) = (found.size.unwrap_or(0), found.sets);
    Ok(Avoidance { size, sets, others: Some(Others { most, proof }) })
}
