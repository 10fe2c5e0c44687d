//! A first core from a proof.
//!
//! The formula is solved without selectors, so that all of the solver's simplification applies, and
//! with a proof, in which each clause carries its group as partition label. The labels of the
//! leaves that the empty clause needs are a core. Solving what is left once more often gives a
//! smaller one still, so this is repeated while it pays.
//!
//! Invariant: the hard clauses and the active groups have no model.

use super::Grouped;
use super::effort::Meter;
use super::mus::Settings;
use crate::proof::{ClauseId, Origin, Trace};
use crate::solver::{Answer, Solver};

/// The most rounds; later ones hardly ever remove anything.
const ROUNDS: usize = 5;

/// The partition labels of the clauses from which `goal` follows, ascending.
pub fn partitions_behind(trace: &Trace, goal: ClauseId) -> Vec<u32> {
    let label = |id| match trace.origin(id) {
        Origin::Input(partition) => Some(partition),
        _ => None,
    };
    let mut labels: Vec<u32> = trace.core(goal).into_iter().filter_map(label).collect();
    labels.sort_unstable();
    labels.dedup();
    labels
}

/// Deactivates groups that a proof does without; the answer is that of the first round.
pub(super) fn trim(
    formula: &Grouped,
    settings: &Settings,
    meter: &mut Meter,
    is_active: &mut [bool],
) -> Answer {
    let mut first = Answer::Unknown;
    for round in 0..ROUNDS {
        let before = is_active.iter().filter(|active| **active).count();
        let (answer, labels) = prove(formula, settings, meter, is_active, round);
        if round == 0 {
            first = answer;
        }
        if answer != Answer::Unsat {
            break;
        }
        is_active.fill(false);
        for group in labels.iter().filter_map(|label| label.checked_sub(1)) {
            is_active[group as usize] = true;
        }
        let after = is_active.iter().filter(|active| **active).count();
        if after + before / 10 >= before {
            break;
        }
    }
    first
}

/// Solves the active part; the labels are 0 for hard clauses, else the group plus one.
fn prove(
    formula: &Grouped,
    settings: &Settings,
    meter: &mut Meter,
    is_active: &[bool],
    round: usize,
) -> (Answer, Vec<u32>) {
    let mut options = settings.options.clone();
    options.proof = 1;
    options.seed = options.seed.wrapping_add(round as u32);
    let mut solver = Solver::new(options);
    settings.prepare(&mut solver, formula.variables());
    for (group, clause) in formula.clauses() {
        if group.is_none_or(|group| is_active[group]) {
            solver.add_clause_in(clause, group.map_or(0, |group| group as u32 + 1));
        }
    }
    let answer = meter.solve(&mut solver, &[], None);
    match (answer, solver.trace(), solver.conclusion()) {
        (Answer::Unsat, Some(trace), Some(goal)) => (answer, partitions_behind(trace, goal)),
        // The proof outgrew its limit.
        (Answer::Unsat, ..) => {
            let active = (1..).zip(is_active).filter(|(_, active)| **active);
            (answer, active.map(|(label, _)| label).collect())
        }
        _ => (answer, Vec::new()),
    }
}
