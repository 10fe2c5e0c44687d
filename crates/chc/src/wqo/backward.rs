//! What may lead to a set of configurations, one step back: least elements again.
//!
//! A sum of counters is at least a number in finitely many least ways, which are told one after the other; with one
//! counter in the sum, as in plain nets, there is one.

use super::net::{Transition, Vector};
use alphorn_engine::{Ctx, Stop};

/// The least configurations from which a transition leads to what is at least `wanted`; some may be larger than
/// others.
pub(super) fn before(
    transition: &Transition,
    wanted: &[u64],
    ctx: &mut Ctx<'_>,
) -> Result<Vec<Vector>, Stop> {
    let mut ways: Vec<Vec<u64>> = vec![transition.guard.to_vec()];
    for (sum, &least) in transition.sums.iter().zip(wanted) {
        if least == 0 {
            continue;
        }
        let missing = i128::from(least) - i128::from(sum.constant);
        let mut next = Vec::with_capacity(ways.len());
        for way in ways {
            let have = |way: &[u64]| -> i128 {
                let parts = sum.parts.iter();
                parts.map(|&(at, factor)| i128::from(way[at]) * i128::from(factor)).sum()
            };
            let short = missing - have(&way);
            if short <= 0 {
                next.push(way);
                continue;
            }
            spread(&sum.parts, short, way, &mut next, ctx)?;
        }
        ways = next;
        if ways.is_empty() {
            break;
        }
    }
    Ok(ways.into_iter().map(Vec::into).collect())
}

/// All least ways to add `short` to a sum by making its counters larger.
fn spread(
    parts: &[(usize, u64)],
    short: i128,
    way: Vec<u64>,
    found: &mut Vec<Vec<u64>>,
    ctx: &mut Ctx<'_>,
) -> Result<(), Stop> {
    let Some((&(counter, factor), rest)) = parts.split_first() else { return Ok(()) };
    let most = (short + i128::from(factor) - 1) / i128::from(factor);
    for more in 0..=most {
        ctx.tick(1)?;
        let mut way = way.clone();
        let Ok(added) = u64::try_from(more) else { break };
        let Some(value) = way[counter].checked_add(added) else { break };
        way[counter] = value;
        let short = short - more * i128::from(factor);
        match short <= 0 {
            true => found.push(way),
            false => spread(rest, short, way, found, ctx)?,
        }
    }
    Ok(())
}
