//! Interpolants of a tree, from one proof or node by node.
//!
//! If the one proof of everything cannot be cut, nodes are taken children first. Each is a problem of
//! two formulas: the node's with the interpolants of its children, against the rest, in which
//! subtrees that are done are replaced by their interpolants. The two are contradictory by
//! induction, and their common symbols are shared at the node. It is solved by a proof of its own,
//! then by proofs with other seeds, and then by projection, which always succeeds where formulas are
//! Boolean or linear arithmetic.

use crate::settings::{INTERPOLANTS_LARGEST_SIMPLIFIED, INTERPOLANTS_MAX_PROOFS};
use alphorn_sat::{Answer, Budget};
use alphorn_term::{Store, TermId};

use super::problem::Problem;
use super::refutation::{self, Outcome};
use super::verify::{Violation, check};
use super::{Cause, Interpolation, InterpolationOptions, Method, Strength};
use crate::project::{Separation, Side, Symbol, separate, simplify};
use crate::smt::{Reason, Smt};

/// Formulas with more nodes are not verified unless asked.
const LARGEST_VERIFIED: usize = 400;
/// The budget of verification that was not asked for.
const UNASKED: Budget = Budget { conflicts: Some(1_000), propagations: Some(100_000), ticks: None };

/// The interpolants of a tree.
pub(super) fn interpolate(
    store: &mut Store,
    problem: &Problem,
    options: &InterpolationOptions,
) -> Interpolation {
    let mut found = match options.method {
        Method::Proof => match refutation::interpolate(store, problem, options, options.seed) {
            Outcome::Interpolants(found) => Some(found),
            Outcome::Satisfiable(model) => return Interpolation::Satisfiable(model),
            Outcome::Unknown(reason) => return Interpolation::Unknown(Cause::Search(reason)),
            Outcome::Stuck => None,
        },
        Method::Projection => {
            let mut models = options.solver(false, options.seed);
            match models.check(store, &problem.formulas) {
                Answer::Sat => {
                    return Interpolation::Satisfiable(Box::new(models.model(store)));
                }
                Answer::Unknown => {
                    let reason = models.reason_unknown().unwrap_or(Reason::Incomplete);
                    return Interpolation::Unknown(Cause::Search(reason));
                }
                Answer::Unsat => None,
            }
        }
    };
    if found.is_none() {
        found = node_by_node(store, problem, options);
    }
    let Some(mut found) = found else {
        return Interpolation::Unknown(match options.is_out_of_fuel() {
            true => Cause::Search(Reason::Budget),
            false => Cause::Inseparable,
        });
    };
    if options.simplify {
        for interpolant in &mut found {
            if store.dag_size(&[*interpolant]) <= INTERPOLANTS_LARGEST_SIMPLIFIED.size() {
                *interpolant = simplify(store, *interpolant, &[], None);
            }
        }
    }
    match is_right(store, problem, &found, options) {
        true => Interpolation::Interpolants(found),
        false => Interpolation::Unknown(Cause::Inseparable),
    }
}

/// Whether interpolants are what they should be, as far as that is asked for.
fn is_right(
    store: &mut Store,
    problem: &Problem,
    found: &[TermId],
    options: &InterpolationOptions,
) -> bool {
    if options.verify {
        let checked = check(store, problem, found, options.budget);
        debug_assert!(!is_wrong(checked), "interpolants are wrong: {checked:?}");
        return checked.is_ok();
    }
    let size = store.dag_size(&problem.formulas) + store.dag_size(found);
    if cfg!(debug_assertions) && size <= LARGEST_VERIFIED {
        let checked = check(store, problem, found, UNASKED);
        debug_assert!(!is_wrong(checked), "interpolants are wrong: {checked:?}");
    }
    true
}

fn is_wrong(checked: Result<(), Violation>) -> bool {
    !matches!(checked, Ok(()) | Err(Violation::Unknown(_)))
}

/// The interpolants of a tree whose formulas are contradictory, one after the other.
fn node_by_node(
    store: &mut Store,
    problem: &Problem,
    options: &InterpolationOptions,
) -> Option<Vec<TermId>> {
    let mut done: Vec<TermId> = Vec::new();
    let mut models = options.solver(false, options.seed);
    for node in 0..problem.len() {
        let interpolants =
            |nodes: &mut dyn Iterator<Item = u32>| nodes.map(|n| done[n as usize]).collect();
        let mut inside: Vec<TermId> = interpolants(&mut problem.children(node));
        inside.push(problem.formulas[node as usize]);
        let mut outside: Vec<TermId> = interpolants(&mut problem.open_before(node));
        outside.extend(&problem.formulas[node as usize + 1..]);
        let (inside, outside) = (store.and(&inside), store.and(&outside));
        // The proof of two formulas was just tried.
        let first = if problem.len() == 2 && node == 0 { 1 } else { 0 };
        done.push(pair(store, inside, outside, first, &mut models, options)?);
    }
    Some(done)
}

/// An interpolant of two contradictory formulas.
fn pair(
    store: &mut Store,
    inside: TermId,
    outside: TermId,
    first: u32,
    models: &mut Smt,
    options: &InterpolationOptions,
) -> Option<TermId> {
    match (inside, outside) {
        (_, TermId::TRUE) | (TermId::FALSE, _) => return Some(TermId::FALSE),
        (TermId::TRUE, _) | (_, TermId::FALSE) => return Some(TermId::TRUE),
        _ => {}
    }
    let problem = Problem::sequence(store, &[inside, outside]);
    if options.method == Method::Proof {
        for seed in first..INTERPOLANTS_MAX_PROOFS.short() {
            if options.is_out_of_fuel() {
                return None;
            }
            if let Outcome::Interpolants(found) =
                refutation::interpolate(store, &problem, options, options.seed + seed)
            {
                return Some(found[0]);
            }
        }
    }
    let is_shared = |symbol| problem.is_shared(0, symbol);
    project(store, inside, outside, &is_shared, models, options)
}

/// An interpolant of two contradictory formulas by projection, from one side or the other.
pub(super) fn project(
    store: &mut Store,
    inside: TermId,
    outside: TermId,
    is_shared: &dyn Fn(Symbol) -> bool,
    models: &mut Smt,
    options: &InterpolationOptions,
) -> Option<TermId> {
    // Cubes are widened, so those of the outside leave a strong interpolant.
    let sides = match options.strength {
        Strength::Strong => [Side::Right, Side::Left],
        Strength::Balanced | Strength::Weak => [Side::Left, Side::Right],
    };
    sides.into_iter().find_map(|side| {
        let separation = Separation { side, relax: true, rounds: options.rounds };
        separate(store, inside, outside, is_shared, models, &separation).ok()
    })
}
