//! The octagonal hull of rounds of a loop: the least bounds on sums and differences of two numbers that hold of all
//! cases of a round.
//!
//! Its closure says more than rounds can do, in any order of the cases: what it cannot do, no rounds can.
//! Bounds are the solver's, over the states before and after (`maximize`).
//!
//! Source: \[Hoj13\] ch. 4.

use super::cycle::{all_rounds, copies};
use super::octagon::Powers;
use super::rows::{Row, Rows};
use super::{Class, Method, Relation, columns, exact};
use crate::settings::{ACCEL_CONFLICTS, ACCEL_MAX_HULL};
use alphorn_engine::{Ctx, Stop};
use alphorn_smt::{Budget, Options, Smt, Supremum};
use alphorn_term::{Store, TermId};

/// What any number of rounds can do at most.
#[derive(Clone, Debug)]
pub struct Hull {
    /// Variables for the state before.
    pub pre: Vec<TermId>,
    /// Variables for the state after.
    pub post: Vec<TermId>,
    /// Formulas over both states and variables of their own, for one round or more; one of them holds.
    pub ways: Vec<TermId>,
}

/// The closure of the hull of cases of a round; none if they have no bounds that go on evenly.
pub(super) fn hull(
    store: &mut Store,
    cases: &[Relation],
    ctx: &mut Ctx<'_>,
) -> Result<Option<Hull>, Stop> {
    let Some(first) = cases.first() else { return Ok(None) };
    let (pre, post) = (copies(&first.pre, store), copies(&first.post, store));
    let mut hull = Relation { pre, post, parts: Vec::new() };
    let mut all: Vec<(Vec<usize>, TermId)> = Vec::with_capacity(cases.len());
    for case in cases {
        let Some(rows) = Rows::of(store, case) else { return Ok(None) };
        let formula = rows.formula(store, &columns(&hull, &rows.numbers));
        all.push((rows.numbers, formula));
    }
    // What is no number stays; what else is said of it may differ from case to case, and is forgotten.
    let numbers = all[0].0.clone();
    if numbers.is_empty() || numbers.len() > ACCEL_MAX_HULL.size() {
        return Ok(None);
    }
    let columns = columns(&hull, &numbers);
    let formulas: Vec<TermId> = all.iter().map(|(_, formula)| *formula).collect();
    let mut smt = Smt::new(Options::default());
    smt.set_budget(Budget { conflicts: Some(ACCEL_CONFLICTS.get()), ..Budget::default() });
    let some = store.or(&formulas);
    smt.assert(store, some);
    let at_most = bounds(store, &mut smt, &columns, ctx)?;
    let mut still = Vec::new();
    for at in (0..hull.pre.len()).filter(|at| !numbers.contains(at)) {
        still.push(store.eq(hull.pre[at], hull.post[at]));
    }
    let rows = Rows { numbers, equal: Vec::new(), at_most, still };
    let Some(powers) = Powers::of(&rows) else { return Ok(None) };
    hull.parts = rows.still.clone();
    hull.parts.push(rows.formula(store, &columns));
    let bases: Vec<usize> = (0..powers.period).map(|residue| powers.base(residue)).collect();
    let (period, method) = (powers.period, Method::Octagon(powers));
    let closure = exact(store, &hull, rows, Class::Octagonal, method, period, &bases);
    let ways = all_rounds(store, &hull, &closure);
    let Relation { pre, post, .. } = hull;
    Ok(ways.map(|ways| Hull { pre, post, ways: ways.into_iter().map(|(way, _)| way).collect() }))
}

/// The least bounds on columns, and on sums and differences of two.
fn bounds(
    store: &mut Store,
    smt: &mut Smt,
    columns: &[TermId],
    ctx: &mut Ctx<'_>,
) -> Result<Vec<Row>, Stop> {
    let mut forms: Vec<Vec<i128>> = Vec::new();
    for one in 0..columns.len() {
        for sign in [1, -1] {
            let mut coefs = vec![0; columns.len()];
            coefs[one] = sign;
            forms.push(coefs.clone());
            for other in one + 1..columns.len() {
                for second in [1, -1] {
                    let mut coefs = coefs.clone();
                    coefs[other] = second;
                    forms.push(coefs);
                }
            }
        }
    }
    let mut found = Vec::new();
    for coefs in forms {
        ctx.tick(10)?;
        let mut row = Row { coefs, constant: 0 };
        let term = row.term(store, columns);
        if let Supremum::Bounded(most, _) = smt.maximize(store, term, &[])
            && let Some(most) = most.floor().to_i64()
        {
            row.constant = -i128::from(most);
            found.push(row);
        }
    }
    Ok(found)
}
