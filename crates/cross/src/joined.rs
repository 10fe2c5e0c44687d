//! Systems with heaps, with their clauses put together.
//!
//! A system that has a heap of typed cells keeps its predicates (`has_typed_heap`): a clause is one access, and
//! what is claimed of such a system is proved access by access. But many proofs are shorter, and most violations found sooner,
//! where predicates between loops are gone, so that a heap may be as it likes there. So the transforms run once more
//! for those who want to see that, inlining among them.

use alphorn_engine::{Ctx, Seen, Steps, Stop, View};
use alphorn_horn::transform::{Simplified, TRANSFORMS, TransformCard, simplify_with};
use alphorn_problem::Horn;

/// A system without predicates between loops.
pub static JOINED: View<Horn, Horn> =
    View { name: "clauses put together", steps: Steps::Changed, make };

fn make(horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Seen<Horn, Horn>, Stop> {
    let chosen: Vec<&TransformCard> = TRANSFORMS.iter().filter(|card| card.is_default).collect();
    let Simplified { horn: small, back, .. } = simplify_with(horn, &chosen, ctx)?;
    if small.preds.len() == horn.preds.len() {
        return Err(Stop::Unsupported("no predicate is between loops".to_owned()));
    }
    Ok(Seen::new(small, back))
}
