//! Strongly connected components of a graph of locations.
//!
//! By Kosaraju's two walks, each with a stack of its own, so that long chains need no deep recursion.

use crate::flow::LocId;

/// A number for each location, the same for two exactly if each can be reached from the other; a location
/// alone is a component, too, whether or not it has an edge to itself.
///
/// An edge within a component lies on a cycle.
pub fn components(locations: usize, edges: &[(LocId, LocId)]) -> Vec<usize> {
    let (mut out, mut into) = (vec![Vec::new(); locations], vec![Vec::new(); locations]);
    for (from, to) in edges {
        out[from.index()].push(to.index());
        into[to.index()].push(from.index());
    }
    let mut order = Vec::with_capacity(locations);
    let mut seen = vec![false; locations];
    for root in 0..locations {
        walk(root, &out, &mut seen, &mut |location| order.push(location));
    }
    let mut component = vec![0; locations];
    let mut seen = vec![false; locations];
    for (number, &root) in order.iter().rev().enumerate() {
        walk(root, &into, &mut seen, &mut |location| component[location] = number);
    }
    component
}

/// Calls `leave` for each location that is reached from `root` by ways not seen before, last of all the root.
fn walk(root: usize, edges: &[Vec<usize>], seen: &mut [bool], leave: &mut dyn FnMut(usize)) {
    if std::mem::replace(&mut seen[root], true) {
        return;
    }
    let mut stack = vec![(root, 0)];
    while let Some((location, next)) = stack.pop() {
        match edges[location].get(next) {
            Some(&to) => {
                stack.push((location, next + 1));
                if !std::mem::replace(&mut seen[to], true) {
                    stack.push((to, 0));
                }
            }
            None => leave(location),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_component_is_what_can_reach_each_other() {
        let edge = |from, to| (LocId(from), LocId(to));
        let edges = [edge(0, 1), edge(1, 2), edge(2, 1), edge(2, 3), edge(4, 4)];
        let found = components(5, &edges);
        assert_eq!(found[1], found[2]);
        let others = [found[0], found[1], found[3], found[4]];
        let different: std::collections::BTreeSet<usize> = others.into_iter().collect();
        assert_eq!(different.len(), 4);
    }
}
