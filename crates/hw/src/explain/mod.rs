//! Why a run goes as it does: what would have avoided a violation, and which latch was at fault.
//!
//! `smallest` looks for the smallest sets of values of inputs and latches, each at a step, that avoid a
//! violation if they are flipped. The run is unrolled with a control for every such value (`encode`), which
//! inverts it; a counter bounds how many controls are true, and the bound rises until there is a model. All
//! sets of that size are enumerated. Where several bits are one word, changing the word counts once.
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
use crate::circuit::influence;
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::Circuit;
use alphorn_problem::evidence::circuit::{Property, Trace};
use alphorn_problem::evidence::flips::Flip;
use alphorn_sat::Lit;
use encode::Flipped;
use std::collections::BTreeMap;

/// The largest sets that are looked for.
pub const MAX_FLIPS: usize = 8;

/// The most gates, inputs and latches in all steps of a run that is unrolled.
const MAX_SIZE: usize = 1 << 23;

/// What may be flipped, and how much is looked for.
#[derive(Clone, Debug)]
pub struct Wish {
    /// Whether inputs may be flipped.
    pub inputs: bool,
    /// Whether latches may be flipped.
    pub latches: bool,
    /// The most sets that are found.
    pub most: usize,
    /// By input and latch, from variable 1 on: the word that it is a bit of. Words count once.
    pub words: Vec<usize>,
}

impl Wish {
    /// All inputs and latches of a circuit, each for itself.
    pub fn all(circuit: &Circuit) -> Wish {
        let signals = circuit.inputs as usize + circuit.latches.len();
        Wish { inputs: true, latches: true, most: 100, words: (0..signals).collect() }
    }
}

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

/// Looks for the smallest sets of flips that avoid the violation of a safety property that a run is.
pub fn smallest(
    circuit: &Circuit,
    trace: &Trace,
    wish: &Wish,
    ctx: &mut Ctx<'_>,
) -> Result<Sets, Stop> {
    let Property::Bad(property) = trace.property else {
        return Err(Stop::Unsupported("runs that violate justice are not explained".into()));
    };
    let bad = circuit.safety()[property];
    let roots = circuit.constraints.iter().copied().chain([bad]);
    let seen = influence(circuit, roots, |index| {
        let latch = circuit.latches[index];
        [Some(latch.next), Some(latch.reset)]
    });
    let size = seen.iter().filter(|seen| **seen).count().saturating_mul(trace.inputs.len());
    if size > MAX_SIZE {
        let reason = format!("the run has {size} values that may matter, more than {MAX_SIZE}");
        return Err(Stop::Unsupported(reason));
    }
    let mut run = Flipped::new(circuit, &seen);
    let mut groups: BTreeMap<(usize, usize), Vec<(Flip, Lit)>> = BTreeMap::new();
    for step in 0..trace.inputs.len() {
        ctx.tick(1 + u64::from(circuit.max_var()) / 64)?;
        let mut control = |run: &mut Flipped<'_>, var: u32| {
            let is_wanted = if var <= circuit.inputs { wish.inputs } else { wish.latches };
            let wanted = is_wanted && seen[var as usize];
            wanted.then(|| {
                let (flip, lit) = (Flip { step, var }, run.solver.new_var().positive());
                groups.entry((step, wish.words[var as usize - 1])).or_default().push((flip, lit));
                lit
            })
        };
        run.step(trace, step, &mut control);
        for constraint in &circuit.constraints {
            run.require(*constraint);
        }
        run.require(!bad);
    }
    let groups: Vec<Vec<(Flip, Lit)>> = groups.into_values().collect();
    enumerate(&mut run, &groups, wish.most, ctx)
}

/// Finds the smallest number of groups that suffice, and all sets of so many.
fn enumerate(
    run: &mut Flipped<'_>,
    groups: &[Vec<(Flip, Lit)>],
    most: usize,
    ctx: &mut Ctx<'_>,
) -> Result<Sets, Stop> {
    if !ask(&mut run.solver, &[], None, ctx)? {
        return Ok(Sets { is_all: true, is_hopeless: true, ..Sets::default() });
    }
    let changed: Vec<Lit> = groups.iter().map(|group| run.some(group)).collect();
    let counts = run.counts(&changed, MAX_FLIPS);
    let mut found = Sets::default();
    for size in 1..=MAX_FLIPS {
        let bound: Vec<Lit> = counts.get(size).map(|more| !*more).into_iter().collect();
        while ask(&mut run.solver, &bound, None, ctx)? {
            let is_true = |lit: Lit| run.solver.value(lit) == Some(true);
            let flips = groups.iter().flatten().filter(|(_, lit)| is_true(*lit));
            let mut flips: Vec<Flip> = flips.map(|(flip, _)| *flip).collect();
            flips.sort_unstable();
            let in_set = |group: &[(Flip, Lit)]| group.iter().any(|(_, lit)| is_true(*lit));
            let blocked = groups.iter().zip(&changed).filter(|(group, _)| in_set(group));
            let blocked: Vec<Lit> = blocked.map(|(_, changed)| !*changed).collect();
            found.size = Some(size);
            found.sets.push(flips);
            if found.sets.len() >= most {
                found.sets.sort();
                return Ok(found);
            }
            run.solver.add_clause(&blocked);
        }
        if found.size.is_some() {
            found.is_all = true;
            break;
        }
    }
    found.sets.sort();
    Ok(found)
}
