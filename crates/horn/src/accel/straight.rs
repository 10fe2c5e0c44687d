//! Loops along straight lines.
//!
//! Linear constraints on the states before and after a round are convex. If a state moves by the same vector
//! `d` in every round, then they hold in all of so many rounds if they hold in the first and in the last. So
//! for a vector `d` that two rounds in a row can move by, "from `x` to `x + (k+1)·d`, where a round can go from
//! `x` to `x + d` and from `x + k·d` to `x + (k+1)·d`" is part of what the loop can do. Guards that grow with
//! the rounds, or fall, are of this kind.

use super::rows::Rows;
use super::{Accuracy, Class, Closure, Method, Piece, Relation, columns};
use crate::ask::ask_within;
use crate::settings::{ACCEL_CONFLICTS, ACCEL_LINES};
use alphorn_engine::{Ctx, Stop};
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{Int, Model, SortId, Store, TermId, Value};

/// The vector that states move by.
#[derive(Clone, Debug)]
pub(super) struct Straight {
    pub vector: Vec<Int>,
}

/// Closures along a few lines.
pub(super) fn closures(
    store: &mut Store,
    relation: &Relation,
    rows: &Rows,
    ctx: &mut Ctx<'_>,
) -> Result<Vec<Closure>, Stop> {
    let count = rows.numbers.len();
    let mut fresh = |name: &str| -> Vec<TermId> {
        (0..count).map(|_| store.fresh_var(name, SortId::INT)).collect()
    };
    let (start, vector) = (fresh("x"), fresh("d"));
    let mut smt = Smt::new(Options::default());
    let mut points = vec![start];
    for _ in 0..2 {
        let last = &points[points.len() - 1];
        let next = last.iter().zip(&vector).map(|(&x, &d)| store.add(&[x, d])).collect();
        points.push(next);
    }
    for pair in points.windows(2) {
        let formula = rows.formula(store, &pair.concat());
        smt.assert(store, formula);
    }
    let zero = store.int(0);
    let moves: Vec<TermId> = vector.iter().map(|&d| store.eq(d, zero)).collect();
    let stays = store.and(&moves);
    let moves = store.not(stays);
    smt.assert(store, moves);
    let mut found = Vec::new();
    while found.len() < ACCEL_LINES.size() {
        let answer = ask_within(&mut smt, store, &[], ACCEL_CONFLICTS.get(), ctx)?;
        if answer != Answer::Sat {
            break;
        }
        let model = smt.model(store);
        let Some(moved) = numbers(&model, &vector) else { break };
        let mut same = Vec::with_capacity(count);
        for (&d, value) in vector.iter().zip(&moved) {
            let value = store.int(value.clone());
            same.push(store.eq(d, value));
        }
        let same = store.and(&same);
        let other = store.not(same);
        smt.assert(store, other);
        found.push(along(store, relation, rows, moved));
    }
    Ok(found)
}

/// The values of integer variables; those that do not matter are zero.
fn numbers(model: &Model, vars: &[TermId]) -> Option<Vec<Int>> {
    let value = |var: &TermId| match model.vars.get(var) {
        Some(Value::Int(value)) => Some(value.clone()),
        None => Some(Int::from(0)),
        _ => None,
    };
    vars.iter().map(value).collect()
}

/// The closure along a vector.
pub(super) fn along(
    store: &mut Store,
    relation: &Relation,
    rows: &Rows,
    vector: Vec<Int>,
) -> Closure {
    let all = columns(relation, &rows.numbers);
    let (before, after) = all.split_at(rows.numbers.len());
    let count = store.fresh_var("k", SortId::INT);
    let mut moved = |from: &[TermId], times: Option<TermId>, sign: i32| -> Vec<TermId> {
        let mut terms = Vec::with_capacity(from.len());
        for (&x, d) in from.iter().zip(&vector) {
            let d = store.int(&Int::from(sign) * d);
            let by = match times {
                Some(times) => store.mul(&[d, times]),
                None => d,
            };
            terms.push(store.add(&[x, by]));
        }
        terms
    };
    let second = moved(before, None, 1);
    let last = moved(after, None, -1);
    let end = moved(&second, Some(count), 1);
    let zero = store.int(0);
    let mut parts = vec![store.le(zero, count)];
    parts.push(rows.formula(store, &[before, &second].concat()));
    parts.push(rows.formula(store, &[&last, after].concat()));
    for (&wanted, &number) in after.iter().zip(&end) {
        parts.push(store.eq(wanted, number));
    }
    parts.extend(&rows.still);
    let formula = store.and(&parts);
    let piece = Piece { formula, count, base: 1 };
    Closure {
        class: Class::Straight,
        accuracy: Accuracy::Under,
        period: 1,
        pieces: vec![piece],
        method: Method::Straight(Straight { vector }),
        numbers: rows.numbers.clone(),
        rows: rows.clone(),
    }
}
