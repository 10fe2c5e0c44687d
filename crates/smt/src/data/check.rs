//! What a complete assignment has to satisfy beyond equality.
//!
//! No value is inside itself: from an application of a constructor one goes to those of its arguments,
//! or to ones that arguments are equal to, and a walk that comes back is a conflict, explained by the
//! equalities on the way. By congruence of fields all applications in a class have arguments in the same
//! classes, so one of each class is enough to go to.
//!
//! Terms that were expanded have a constructor: where the search has not decided which, it has to.

use alphorn_sat::Context;

use super::cycle::find_cycle;
use crate::euf::Node;
use crate::theory::Theories;

impl Theories {
    /// Looks at the datatypes of a complete assignment; false if the search has to go on.
    pub(crate) fn check_trees(&mut self, context: &mut Context<'_>) -> bool {
        if !self.trees.constructors.is_empty()
            && let Some(links) = self.cycle()
        {
            let mut tags = Vec::new();
            for (value, made) in links {
                self.euf.explain_equal(value, made, &mut tags);
            }
            self.refute_tags(&tags, None, context);
            return false;
        }
        let mut is_labelled = true;
        for (node, vars) in &self.trees.expanded {
            if self.euf.value(*node).is_none() {
                for var in vars {
                    if context.value(var.positive()).is_none() {
                        self.justification.split(*var);
                        is_labelled = false;
                    }
                }
            }
        }
        is_labelled
    }

    /// Equalities by which a value would be inside itself: a node and the constructor's application
    /// that it equals, each below the application before.
    fn cycle(&mut self) -> Option<Vec<(Node, Node)>> {
        let mut states = std::mem::take(&mut self.trees.states);
        let trees = &self.trees;
        let index_of =
            |node: Node| trees.constructors.binary_search_by_key(&node, |(other, _)| *other).ok();
        let found = find_cycle(trees.constructors.len(), &mut states, |at, edge| {
            let (node, places) = &trees.constructors[at];
            let arg = self.euf.argument(*node, *places.get(edge)?);
            // An argument that is an application itself, or what its class was made by.
            let next = index_of(arg).or_else(|| self.euf.carrier(arg).and_then(index_of));
            Some(next.map(|next| (next, arg)))
        });
        let links = found.map(|path| {
            path.into_iter().map(|(at, arg)| (arg, trees.constructors[at].0)).collect()
        });
        self.trees.states = states;
        links
    }
}
