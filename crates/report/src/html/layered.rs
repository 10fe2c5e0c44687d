//! Graphs in rows: every node has a row, and lines between rows that are not neighbours get a place of
//! their own in each row they cross, so that no line ever runs behind a node.
//!
//! After Sugiyama, Tagawa, Toda, "Methods for visual understanding of hierarchical system structures"
//! (1981): long lines are cut into pieces by points without a label, and the members of each row are
//! sorted by where their neighbours stand, down and up a few times.
//!
//! Invariant: the boxes of a row, points included, do not overlap.

use std::fmt::Write;

/// How often the rows are sorted in each direction.
const SWEEPS: usize = 8;
/// The room of a point of a long line.
const POINT: f64 = 16.0;

/// A line from an upper node to a lower one, by position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) upper: usize,
    pub(super) lower: usize,
}

/// Sizes of what is drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    /// A node's box.
    pub(super) node: (f64, f64),
    /// The room between neighbours of a row.
    pub(super) gap: f64,
    /// From the top of a row to that of the next.
    pub(super) step: f64,
}

/// Where everything is.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// The middle of each node.
    pub(super) nodes: Vec<(f64, f64)>,
    /// The points of each line, from the upper node's middle to the lower one's.
    pub(super) lines: Vec<Vec<(f64, f64)>>,
    /// The whole.
    pub(super) width: f64,
    pub(super) height: f64,
    /// The most nodes in a row.
    pub(super) widest: usize,
}

/// Lays out nodes, given their rows; a line's upper node must be in an earlier row than its lower one.
pub(super) fn layout(rows: &[usize], lines: &[Line], sizes: Sizes) -> Layout {
    let count = rows.len();
    // Nodes first, then the points of long lines.
    let mut row_of: Vec<usize> = rows.to_vec();
    let mut paths: Vec<Vec<usize>> = Vec::with_capacity(lines.len());
    for line in lines {
        let mut path = vec![line.upper];
        for row in rows[line.upper] + 1..rows[line.lower] {
            path.push(row_of.len());
            row_of.push(row);
        }
        path.push(line.lower);
        paths.push(path);
    }
    let mut above: Vec<Vec<usize>> = vec![Vec::new(); row_of.len()];
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); row_of.len()];
    for path in &paths {
        for pair in path.windows(2) {
            below[pair[0]].push(pair[1]);
            above[pair[1]].push(pair[0]);
        }
    }
    let mut members = vec![Vec::new(); row_of.iter().max().map_or(0, |last| last + 1)];
    for (item, &row) in row_of.iter().enumerate() {
        members[row].push(item);
    }
    let room = |item: usize| if item < count { sizes.node.0 + sizes.gap } else { POINT };
    let mut across = vec![0.0; row_of.len()];
    for row in &members {
        place(row, &room, &mut across);
    }
    for _ in 0..SWEEPS {
        for row in members.iter_mut().skip(1) {
            sort(row, &above, &mut across, &room);
        }
        for row in members.iter_mut().rev().skip(1) {
            sort(row, &below, &mut across, &room);
        }
    }
    let left = (0..row_of.len()).map(|item| across[item] - room(item) / 2.0).fold(0.0, f64::min);
    let right = (0..row_of.len()).map(|item| across[item] + room(item) / 2.0).fold(0.0, f64::max);
    let middle = |item: usize| {
        (across[item] - left, sizes.node.1 / 2.0 + 2.0 + sizes.step * row_of[item] as f64)
    };
    Layout {
        nodes: (0..count).map(middle).collect(),
        lines: paths.iter().map(|path| path.iter().map(|&item| middle(item)).collect()).collect(),
        width: right - left,
        height: sizes.step * (members.len().max(1) - 1) as f64 + sizes.node.1 + 4.0,
        widest: (members.iter())
            .map(|row| row.iter().filter(|&&item| item < count).count())
            .max()
            .unwrap_or(0),
    }
}

/// Puts a row's members side by side in their order, around zero.
fn place(row: &[usize], room: &impl Fn(usize) -> f64, across: &mut [f64]) {
    let all: f64 = row.iter().map(|&item| room(item)).sum();
    let mut at = -all / 2.0;
    for &item in row {
        across[item] = at + room(item) / 2.0;
        at += room(item);
    }
}

/// Sorts a row by the middle of its members' neighbours, and moves it as near to them as it can be.
fn sort(
    row: &mut [usize],
    neighbours: &[Vec<usize>],
    across: &mut [f64],
    room: &impl Fn(usize) -> f64,
) {
    let wish = |item: usize| {
        let near = &neighbours[item];
        match near.len() {
            0 => across[item],
            len => near.iter().map(|&other| across[other]).sum::<f64>() / len as f64,
        }
    };
    let wishes: Vec<(usize, f64)> = row.iter().map(|&item| (item, wish(item))).collect();
    let mut sorted = wishes;
    sorted.sort_by(|(_, one), (_, other)| one.total_cmp(other));
    row.iter_mut().zip(&sorted).for_each(|(place, (item, _))| *place = *item);
    place(row, room, across);
    let off: f64 = sorted.iter().map(|(item, wish)| wish - across[*item]).sum();
    let off = off / row.len().max(1) as f64;
    row.iter().for_each(|&item| across[item] += off);
}

/// A line as the data of a path: from below the upper node to above the lower one, bent only between
/// rows.
pub(super) fn path(points: &[(f64, f64)], half: f64) -> String {
    let Some((&(x, y), rest)) = points.split_first() else { return String::new() };
    let mut out = format!("M{x:.0} {:.0}", y + half);
    let mut from = (x, y + half);
    for (at, &(u, v)) in rest.iter().enumerate() {
        let is_last = at + 1 == rest.len();
        let enter = v - half;
        let middle = (from.1 + enter) / 2.0;
        let x = from.0;
        let _ = write!(out, "C{x:.0} {middle:.0} {u:.0} {middle:.0} {u:.0} {enter:.0}");
        if !is_last {
            let _ = write!(out, "V{:.0}", v + half);
        }
        from = (u, v + half);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZES: Sizes = Sizes { node: (100.0, 20.0), gap: 10.0, step: 50.0 };

    /// A line stays clear of all boxes but those it joins.
    fn clear(rows: &[usize], lines: &[Line]) {
        let layout = layout(rows, lines, SIZES);
        for (line, points) in lines.iter().zip(&layout.lines) {
            for &(x, y) in points {
                for (node, &(u, v)) in layout.nodes.iter().enumerate() {
                    let is_end = node == line.upper || node == line.lower;
                    let inside = (x - u).abs() < 50.0 && (y - v).abs() < 10.0;
                    assert!(is_end || !inside, "{line:?} runs through {node}");
                }
            }
        }
        for (one, a) in layout.nodes.iter().enumerate() {
            for b in &layout.nodes[..one] {
                assert!((a.0 - b.0).abs() >= 100.0 || (a.1 - b.1).abs() >= 20.0, "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn lines_do_not_run_behind_nodes() {
        // Every step of a recursion uses the two before it.
        let rows: Vec<usize> = (0..12).collect();
        let lines: Vec<Line> = (0..12)
            .flat_map(|upper| [upper + 1, upper + 2].map(|lower| Line { upper, lower }))
            .filter(|line| line.lower < 12)
            .collect();
        clear(&rows, &lines);
        // One line crosses many rows of many nodes.
        let rows = [0, 1, 1, 1, 2, 2, 2, 3];
        let pairs = [(0, 1), (0, 2), (0, 3), (1, 4), (2, 5), (3, 6), (5, 7), (0, 7), (1, 7)];
        clear(&rows, &pairs.map(|(upper, lower)| Line { upper, lower }));
    }

    #[test]
    fn nothing_is_laid_out_too() {
        assert_eq!(layout(&[], &[], SIZES).nodes.len(), 0);
    }
}
