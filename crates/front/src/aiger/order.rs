//! A topological order of a graph with at most two edges per node, or a cycle.
//!
//! Depth-first search from the nodes in their given order, each emitted after what it depends
//! on. Hence an order that is already topological is returned unchanged. Linear time, no
//! recursion: circuits are deep.

/// The nodes `0..nodes`, each after its `fan_ins`, or a cycle, each node followed by one of its
/// fan-ins and the last by the first.
pub(super) fn topological(
    nodes: usize,
    fan_ins: impl Fn(u32) -> [Option<u32>; 2],
) -> Result<Vec<u32>, Vec<u32>> {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        OnPath,
        Done,
    }
    let mut marks = vec![Mark::New; nodes];
    let mut order = Vec::with_capacity(nodes);
    // A node of the path, and which of its fan-ins comes next.
    let mut path: Vec<(u32, usize)> = Vec::new();
    for root in 0..nodes as u32 {
        if marks[root as usize] == Mark::New {
            marks[root as usize] = Mark::OnPath;
            path.push((root, 0));
        }
        while let Some((node, edge)) = path.last_mut() {
            if *edge == 2 {
                marks[*node as usize] = Mark::Done;
                order.push(*node);
                path.pop();
                continue;
            }
            let target = fan_ins(*node)[*edge];
            *edge += 1;
            let Some(target) = target else { continue };
            match marks[target as usize] {
                Mark::Done => {}
                Mark::OnPath => {
                    let nodes = path.iter().map(|(node, _)| *node);
                    return Err(nodes.skip_while(|node| *node != target).collect());
                }
                Mark::New => {
                    marks[target as usize] = Mark::OnPath;
                    path.push((target, 0));
                }
            }
        }
    }
    Ok(order)
}
