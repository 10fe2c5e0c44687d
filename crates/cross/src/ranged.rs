//! Systems after the transform `ranges`, with the transforms that make systems smaller: no argument is left that bounds
//! leave few numbers for.
//!
//! A recursion of bounded depth becomes a chain, and a function that takes few numbers several functions, of which each
//! may be simpler than all of them together.

use alphorn_engine::{Ctx, Seen, Steps, Stop, View};
use alphorn_horn::{TRANSFORMS, TransformCard, simplify_with};
use alphorn_problem::Horn;

/// Systems whose predicates are split by arguments that have few values.
pub static RANGED: View<Horn, Horn> =
    View { name: "split by arguments with few values", steps: Steps::Changed, make };

fn make(horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Seen<Horn, Horn>, Stop> {
    let is_chosen = |card: &&TransformCard| card.is_default || card.name == "ranges";
    let chosen: Vec<&TransformCard> = TRANSFORMS.iter().filter(is_chosen).collect();
    let small = simplify_with(horn, &chosen, ctx)?;
    if !small.has("ranges") {
        return Err(Stop::Unsupported("no argument has few values".to_owned()));
    }
    Ok(Seen::new(small.horn, small.back))
}
