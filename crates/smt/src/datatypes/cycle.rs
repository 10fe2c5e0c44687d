//! A walk through a graph that finds a cycle.
//!
//! Depth first, with the path on a stack of its own: values may be nested deeper than calls can be.

/// Seen, with the walk below it not at its end.
const OPEN: u8 = 1;
/// No cycle is reached from it.
const DONE: u8 = 2;

/// A cycle of a graph with `count` vertices: the vertices, each with the label of the edge that leads to
/// it from the one before, the first from the last.
///
/// `edge` gives the target and label of a vertex's edge by its number, nothing inside for an edge that
/// leads nowhere, and nothing when there are no more. `states` is room to work in.
pub(crate) fn find_cycle<L: Copy>(
    count: usize,
    states: &mut Vec<u8>,
    edge: impl Fn(usize, usize) -> Option<Option<(usize, L)>>,
) -> Option<Vec<(usize, L)>> {
    states.clear();
    states.resize(count, 0);
    for start in 0..count {
        if states[start] != 0 {
            continue;
        }
        states[start] = OPEN;
        // Vertices, and how many of their edges were followed; and the labels that led there.
        let mut path: Vec<(usize, usize)> = vec![(start, 0)];
        let mut labels: Vec<(usize, L)> = Vec::new();
        while let Some((at, next)) = path.last_mut() {
            let Some(followed) = edge(*at, *next) else {
                states[*at] = DONE;
                path.pop();
                labels.pop();
                continue;
            };
            *next += 1;
            let Some((target, label)) = followed else { continue };
            match states[target] {
                DONE => {}
                OPEN => {
                    let first = path.iter().position(|(vertex, _)| *vertex == target)?;
                    let mut cycle = vec![(target, label)];
                    cycle.extend_from_slice(&labels[first..]);
                    return Some(cycle);
                }
                _ => {
                    states[target] = OPEN;
                    path.push((target, 0));
                    labels.push((target, label));
                }
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cycle_of(graph: &[&[usize]]) -> Option<Vec<(usize, usize)>> {
        let edge = |at: usize, edge: usize| graph[at].get(edge).map(|&to| Some((to, 10 * at + to)));
        find_cycle(graph.len(), &mut Vec::new(), edge)
    }

    #[test]
    fn cycles_are_found_with_their_labels_in_order() {
        assert_eq!(cycle_of(&[&[1, 2], &[2], &[]]), None);
        assert_eq!(cycle_of(&[&[0]]), Some(vec![(0, 0)]));
        assert_eq!(cycle_of(&[&[1], &[2], &[3, 1], &[]]), Some(vec![(1, 21), (2, 12)]));
    }
}
