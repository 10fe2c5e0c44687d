//! Interpolants of a tree, from one proof or node by node.
//!
//! If the one proof of everything cannot be cut, nodes are taken children first. Each is a problem of
//! two formulas: the node's with the interpolants of its children, against the rest, in which
//! subtrees that are done are replaced by their interpolants. The two are contradictory by
//! induction, and their common symbols are shared at the node. It is solved by a proof of its own,
//! then by proofs with other seeds, and then by projection, which always succeeds where formulas are
//! Boolean or linear arithmetic.

use alphorn_term::{Store, TermId};

use super::problem::Problem;
use super::refutation::{self, Outcome};
use super::verify::{Violation, check};
use super::{Cause, Interpolation, InterpolationOptions, Method, Models, Strength};
use crate::project::{Oracle, Outcome as Found, Separation, Side, Symbol, separate, simplify};
use crate::smt::Reason;

/// How many proofs are tried for a problem of two formulas.
const MOST_PROOFS: u32 = 3;
/// Formulas with more nodes are not simplified.
const LARGEST_SIMPLIFIED: usize = 4_000;
/// Formulas with more nodes are not verified unless asked.
const LARGEST_VERIFIED: usize = 400;

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
        Method::Projection => match Models::new(options.budget).check(store, &problem.formulas) {
            Found::Sat(model) => return Interpolation::Satisfiable(model),
            Found::Unknown => {
                return Interpolation::Unknown(Cause::Search(Reason::Incomplete));
            }
            Found::Unsat => None,
        },
    };
    if found.is_none() {
        found = node_by_node(store, problem, options);
    }
    let Some(mut found) = found else { return Interpolation::Unknown(Cause::Inseparable) };
    if options.simplify {
        for interpolant in &mut found {
            if store.dag_size(&[*interpolant]) <= LARGEST_SIMPLIFIED {
                *interpolant = simplify(store, *interpolant, &[], None);
            }
        }
    }
    let size = store.dag_size(&problem.formulas) + store.dag_size(&found);
    if options.verify || cfg!(debug_assertions) && size <= LARGEST_VERIFIED {
        let checked = check(store, problem, &found, options.budget);
        debug_assert!(
            matches!(checked, Ok(()) | Err(Violation::Unknown(_))),
            "interpolants are wrong: {checked:?}"
        );
        if options.verify && checked.is_err() {
            return Interpolation::Unknown(Cause::Inseparable);
        }
    }
    Interpolation::Interpolants(found)
}

/// The interpolants of a tree whose formulas are contradictory, one after the other.
fn node_by_node(
    store: &mut Store,
    problem: &Problem,
    options: &InterpolationOptions,
) -> Option<Vec<TermId>> {
    let mut done: Vec<TermId> = Vec::new();
    let mut models = Models::new(options.budget);
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
    models: &mut Models,
    options: &InterpolationOptions,
) -> Option<TermId> {
    match (inside, outside) {
        (_, TermId::TRUE) | (TermId::FALSE, _) => return Some(TermId::FALSE),
        (TermId::TRUE, _) | (_, TermId::FALSE) => return Some(TermId::TRUE),
        _ => {}
    }
    let problem = Problem::sequence(store, &[inside, outside]);
    if options.method == Method::Proof {
        for seed in first..MOST_PROOFS {
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
    models: &mut Models,
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
