//! FEAS: round by round a small set of clauses that supports those of the round before.
//!
//! It begins with what is necessary and ends when a round needs nothing more. Within a round the set
//! is what one answer of the solver used, from which clauses are removed on trial; each answer to a
//! trial may remove more. A set of which nothing can be removed is worth the questions, because
//! whatever is in it has to be supported in turn.

use super::{Element, Support};
use crate::{Ctx, Stop};

/// A subset that will do, with the clauses of `necessary` in it.
pub fn feas<S: Support>(
    support: &mut S,
    necessary: &[usize],
    is_minimal: bool,
    ctx: &mut Ctx<'_>,
) -> Result<Vec<usize>, Stop> {
    let mut is_kept = vec![false; support.count()];
    necessary.iter().for_each(|&index| is_kept[index] = true);
    let mut kept: Vec<usize> = necessary.to_vec();
    let mut fresh: Vec<usize> = necessary.to_vec();
    let mut goal = Goal::Property;
    loop {
        let further: Vec<usize> = (0..is_kept.len()).filter(|&index| !is_kept[index]).collect();
        let added = needed(support, &goal, &kept, further, is_minimal, ctx)?;
        fresh.extend(&added);
        added.iter().for_each(|&index| is_kept[index] = true);
        kept.extend(added);
        if fresh.is_empty() {
            return Ok(kept);
        }
        goal = Goal::Clauses(std::mem::take(&mut fresh));
    }
}

/// What a round must support.
enum Goal {
    Property,
    Clauses(Vec<usize>),
}

impl Goal {
    fn supporters<S: Support>(
        &self,
        support: &mut S,
        set: &[usize],
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Vec<usize>>, Stop> {
        match self {
            Goal::Property => support.supporters(Element::Property, set, ctx),
            Goal::Clauses(clauses) => support.supporters_of_all(clauses, set, ctx),
        }
    }
}

/// A set of clauses that together with `kept` supports the goal; of it nothing can be removed if it
/// is to be minimal.
fn needed<S: Support>(
    support: &mut S,
    goal: &Goal,
    kept: &[usize],
    further: Vec<usize>,
    is_minimal: bool,
    ctx: &mut Ctx<'_>,
) -> Result<Vec<usize>, Stop> {
    let mut is_kept = vec![false; support.count()];
    kept.iter().for_each(|&index| is_kept[index] = true);
    let with =
        |candidates: &[usize], support: &mut S, ctx: &mut Ctx<'_>| {
            let set: Vec<usize> = kept.iter().chain(candidates).copied().collect();
            let used = goal.supporters(support, &set, ctx)?;
            Ok::<_, Stop>(used.map(|used| {
                used.into_iter().filter(|&index| !is_kept[index]).collect::<Vec<usize>>()
            }))
        };
    let Some(mut candidates) = with(&further, support, ctx)? else {
        return Err(Stop::Stuck("the invariant is not inductive".into()));
    };
    if !is_minimal {
        return Ok(candidates);
    }
    let mut tried = 0;
    while tried < candidates.len() {
        let mut without = candidates.clone();
        without.remove(tried);
        match with(&without, support, ctx)? {
            // What was found to be needed is in every answer, and stays in front.
            Some(used) => candidates.retain(|index| used.contains(index)),
            None => tried += 1,
        }
    }
    Ok(candidates)
}
