//! Which input values of a derivation matter: choices that would have avoided it, had they been others.
//!
//! For each choice (`problem::obligation::derivation`) a solver is asked whether the derivation goes through
//! with any other value. If it does not, the choice matters whatever else it is. If it does, a few other values
//! are tried one by one: neighbours, zero, the extremes.

use crate::ask::ask_within;
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::Horn;
use alphorn_problem::evidence::horn::{Derivation, Refuted};
use alphorn_problem::obligation::derivation::{Change, changed, choices};
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{Bv, Int, Rat, Value};

/// Conflicts for each question.
const CONFLICTS: u64 = 2_000;

/// A change that avoids a derivation, with the refutation that shows it.
pub struct Found {
    /// The change.
    pub change: Change,
    /// Why it avoids the derivation.
    pub refuted: Refuted,
}

/// What became of the choices of a derivation.
#[derive(Default)]
pub struct Choices {
    /// Those that matter.
    pub found: Vec<Found>,
    /// Those for which no value was found that avoids the derivation: the step and the variable.
    pub open: Vec<(usize, usize)>,
}

/// Looks at the choices of a derivation that was accepted, as many as `most`.
pub fn matters(
    horn: &Horn,
    derivation: &Derivation,
    most: usize,
    ctx: &mut Ctx<'_>,
) -> Result<Choices, Stop> {
    let mut all = Choices::default();
    let places = derivation.steps.iter().enumerate();
    let places = places
        .flat_map(|(at, step)| choices(horn, step.clause).into_iter().map(move |var| (at, var)));
    for (step, var) in places.take(most) {
        let had = &derivation.steps[step].values[var];
        let others = [None].into_iter().chain(others(had).into_iter().map(Some));
        let mut is_found = false;
        for value in others {
            let change = Change { step, var, value };
            if let Some(refuted) = refuted(horn, derivation, &change, ctx)? {
                all.found.push(Found { change, refuted });
                is_found = true;
                break;
            }
        }
        if !is_found {
            all.open.push((step, var));
        }
    }
    Ok(all)
}

/// A refutation of the derivation with a change, if one is found.
fn refuted(
    horn: &Horn,
    derivation: &Derivation,
    change: &Change,
    ctx: &mut Ctx<'_>,
) -> Result<Option<Refuted>, Stop> {
    let mut terms = horn.terms.clone();
    let formulas = changed(horn, derivation, change, &mut terms).map_err(Stop::Unsupported)?;
    let mut smt = Smt::new(Options { proofs: true, ..Options::default() });
    for formula in formulas {
        smt.assert(&mut terms, formula);
    }
    match ask_within(&mut smt, &mut terms, &[], CONFLICTS, ctx)? {
        Answer::Unsat => {
            let proof = smt.refutation(&mut terms).map(|refutation| refutation.proof);
            Ok(proof.map(|proof| Refuted { terms, proof }))
        }
        Answer::Sat | Answer::Unknown => Ok(None),
    }
}

/// A few other values of the sort.
fn others(value: &Value) -> Vec<Value> {
    let mut others = match value {
        Value::Int(number) => {
            let near = [number.clone() + Int::from(1), number.clone() - Int::from(1)];
            let far = [
                Int::from(0),
                Int::from(1),
                -Int::from(1),
                Int::from(1i64 << 40),
                -Int::from(1i64 << 40),
            ];
            near.into_iter().chain(far).map(Value::Int).collect()
        }
        Value::Real(number) => {
            let one = || Rat::from(Int::from(1));
            let near = [number.clone() + one(), number.clone() - one()];
            near.into_iter().chain([Rat::from(Int::from(0))]).map(Value::Real).collect()
        }
        Value::Bv(word) => {
            let width = word.width();
            let one = Bv::from_u64(width, 1);
            let near = [word.add(&one), word.sub(&one), word.not(), Bv::from_u64(width, 0)];
            near.into_iter().map(Value::Bv).collect()
        }
        // Of a truth value there is one other, and of values of other sorts none is tried by itself.
        _ => Vec::new(),
    };
    others.retain(|other| other != value);
    others.dedup();
    others
}
