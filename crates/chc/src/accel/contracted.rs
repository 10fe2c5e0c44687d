//! Systems after the transform `contract`, with the transforms that make systems smaller: as few predicates as
//! closures of loops and inlining leave.
//!
//! Where all loops have exact closures, one after the other from the innermost out, what is left has no
//! recursion, and its queries are formulas: what Flata does.

use alphorn_engine::{Ctx, Seen, Steps, Stop, View};
use alphorn_horn::shape::Shape;
use alphorn_horn::{TRANSFORMS, TransformCard, simplify_with};
use alphorn_problem::Horn;

/// Systems without the loops that have exact closures.
pub static CONTRACTED: View<Horn, Horn> =
    View { name: "without loops that have closures", steps: Steps::Changed, make };

fn make(horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Seen<Horn, Horn>, Stop> {
    let is_chosen = |card: &&TransformCard| card.is_default || card.name == "contract";
    let chosen: Vec<&TransformCard> = TRANSFORMS.iter().filter(is_chosen).collect();
    let small = simplify_with(horn, &chosen, ctx)?;
    if !small.has("contract") && Shape::of(&small.horn).is_recursive() {
        return Err(Stop::Unsupported("no predicate's loops have exact closures".to_owned()));
    }
    Ok(Seen::new(small.horn, small.back))
}
