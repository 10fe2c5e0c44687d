//! What a complete assignment has to satisfy beyond equality.
//!
//! No value is inside itself: from an application of a constructor one goes to those of its arguments,
//! or to ones that arguments are equal to, and a walk that comes back is a conflict, explained by the
//! equalities on the way. By congruence of fields all applications in a class have arguments in the same
//! classes, so one of each class is enough to go to.
//!
//! Terms that were expanded have a constructor: where the search has not decided which, it has to.

use alphorn_sat::Context;

use crate::datatypes::find_cycle;
use crate::euf::Node;
use crate::theories::Theories;

/// Looks at the datatypes of a complete assignment; false if the search has to go on.
pub(super) fn check(theories: &mut Theories, context: &mut Context<'_>) -> bool {
    if !theories.data.constructors.is_empty()
        && let Some(links) = cycle(theories)
    {
        let mut tags = Vec::new();
        for (value, made) in links {
            theories.equality.closure.explain_equal(value, made, &mut tags);
        }
        theories.refute_tags(&tags, None, context);
        return false;
    }
    let mut is_labelled = true;
    for (node, vars) in &theories.data.choices {
        if theories.equality.closure.value(*node).is_none() {
            for var in vars {
                if context.value(var.positive()).is_none() {
                    theories.justification.split(*var);
                    is_labelled = false;
                }
            }
        }
    }
    is_labelled
}

/// Equalities by which a value would be inside itself: a node and the constructor's application
/// that it equals, each below the application before.
fn cycle(theories: &mut Theories) -> Option<Vec<(Node, Node)>> {
    let mut states = std::mem::take(&mut theories.data.states);
    let Theories { data, equality, .. } = &*theories;
    let index_of =
        |node: Node| data.constructors.binary_search_by_key(&node, |(other, _)| *other).ok();
    let found = find_cycle(data.constructors.len(), &mut states, |at, edge| {
        let (node, places) = &data.constructors[at];
        let arg = equality.closure.argument(*node, *places.get(edge)?);
        // An argument that is an application itself, or what its class was made by.
        let next = index_of(arg).or_else(|| equality.closure.carrier(arg).and_then(index_of));
        Some(next.map(|next| (next, arg)))
    });
    let links = found
        .map(|path| path.into_iter().map(|(at, arg)| (arg, data.constructors[at].0)).collect());
    theories.data.states = states;
    links
}
