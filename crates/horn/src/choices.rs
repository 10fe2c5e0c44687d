//! Which input values of a derivation matter: choices that would have avoided it, had they been others.
//!
//! For each choice (`problem::obligation::derivation`) a solver is asked whether the derivation goes through
//! with any other value. If it does not, the choice matters whatever else it is. If it does, a few other values
//! are tried one by one: neighbours, zero, the extremes, or all of a short word. If no choice matters by itself, pairs
//! are tried likewise.

use crate::ask::ask_within;
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::Horn;
use alphorn_problem::evidence::horn::{Avoided, Change, ChangedChoices, Derivation};
use alphorn_problem::evidence::proof::Proof;
use alphorn_problem::obligation::derivation::{changed, choices};
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{Bv, Int, Rat, Value};

/// Conflicts for each question.
const CONFLICTS: u64 = 2_000;

/// The most choices whose pairs are tried.
const MAX_PAIRED: usize = 12;

/// The most pairs of values that are tried for a pair of choices.
const MAX_TRIED: usize = 16;

/// The widest words all of whose values are tried.
const MAX_WIDTH: u32 = 3;

/// What became of the choices of a derivation.
pub struct Choices {
    /// Those that matter, each by itself; or if there is none, pairs of them.
    pub found: ChangedChoices,
    /// Those for which no value was found that avoids the derivation: the step and the variable.
    pub open: Vec<(usize, usize)>,
    /// How many were not looked at.
    pub left: usize,
}

/// Looks at the choices of a derivation that was accepted, until so many matter.
pub fn matters(
    horn: &Horn,
    derivation: &Derivation,
    most: usize,
    ctx: &mut Ctx<'_>,
) -> Result<Choices, Stop> {
    let found = ChangedChoices { terms: horn.terms.clone(), sets: Vec::new() };
    let mut search = Search { horn, derivation, found };
    let mut open = Vec::new();
    let places = derivation.steps.iter().enumerate();
    let mut places = places
        .flat_map(|(at, step)| choices(horn, step.clause).into_iter().map(move |var| (at, var)));
    while search.found.sets.len() < most
        && let Some(place) = places.next()
    {
        if !search.avoids(&[place], ctx)? {
            open.push(place);
        }
    }
    let left = places.count();
    if search.found.sets.is_empty() && open.len() <= MAX_PAIRED {
        let pairs = open.iter().enumerate();
        let mut pairs =
            pairs.flat_map(|(at, one)| open[at + 1..].iter().map(move |other| [*one, *other]));
        while search.found.sets.len() < most
            && let Some(pair) = pairs.next()
        {
            search.avoids(&pair, ctx)?;
        }
    }
    Ok(Choices { found: search.found, open, left })
}

struct Search<'a> {
    horn: &'a Horn,
    derivation: &'a Derivation,
    found: ChangedChoices,
}

impl Search<'_> {
    /// Whether changes of these choices are found that avoid the derivation.
    fn avoids(&mut self, places: &[(usize, usize)], ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
        let mut tries: Vec<Vec<Option<Value>>> = vec![Vec::new()];
        for &(step, var) in places {
            let other: Vec<Value> = others(&self.derivation.steps[step].values[var]);
            let with = |before: &Vec<Option<Value>>, value: &Value| {
                let mut values = before.clone();
                values.push(Some(value.clone()));
                values
            };
            let longer =
                tries.iter().flat_map(|before| other.iter().map(move |value| with(before, value)));
            tries = longer.collect();
        }
        if places.len() > 1 {
            tries.truncate(MAX_TRIED);
        }
        for values in [vec![None; places.len()]].into_iter().chain(tries) {
            let change = |(&(step, var), value)| Change { step, var, value };
            let changes: Vec<Change> = places.iter().zip(values).map(change).collect();
            if let Some(proof) = self.refuted(&changes, ctx)? {
                self.found.sets.push(Avoided { changes, proof });
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// A refutation of the derivation with changes, if one is found.
    fn refuted(&mut self, changes: &[Change], ctx: &mut Ctx<'_>) -> Result<Option<Proof>, Stop> {
        let terms = &mut self.found.terms;
        let formulas =
            changed(self.horn, self.derivation, changes, terms).map_err(Stop::Unsupported)?;
        let mut smt = Smt::new(Options { proofs: true, ..Options::default() });
        for formula in formulas {
            smt.assert(terms, formula);
        }
        match ask_within(&mut smt, terms, &[], CONFLICTS, ctx)? {
            Answer::Unsat => Ok(smt.refutation(terms).map(|refutation| refutation.proof)),
            Answer::Sat | Answer::Unknown => Ok(None),
        }
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
            if width <= MAX_WIDTH {
                let all = (0..1 << width).map(|value| Value::Bv(Bv::from_u64(width, value)));
                return all.filter(|other| other != value).collect();
            }
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
