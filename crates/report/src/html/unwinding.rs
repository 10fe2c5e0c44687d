//! An unwinding on a page: instances of predicates, each below those that it is derived from.
//!
//! Dashed lines lead from covered instances to those that cover them; what depends on a covered instance
//! is faint, too. Hovering over an instance shows what is known of it.

use super::escape;
use super::layered::{self, Line, Sizes};
use alphorn_engine::UnwoundInstance;
use std::fmt::Write;

/// More instances in a row are not drawn: nobody could read them.
const WIDEST: usize = 24;
/// The most characters of a label.
const LABEL: usize = 14;
/// The sizes of the drawing.
const SIZES: Sizes = Sizes { node: (112.0, 24.0), gap: 14.0, step: 52.0 };

/// The unwinding in words.
pub(super) fn words(instances: &[UnwoundInstance], count: u64) -> String {
    let covered = instances.iter().filter(|it| it.covered_by.is_some()).count();
    let shown = match instances.len() as u64 {
        shown if shown < count => format!("the first {shown} of {count} instances"),
        shown => format!("{shown} instances"),
    };
    format!("{shown}, {covered} of them covered by earlier ones (dashed)")
}

/// The row of each instance: below those it is derived from.
fn rows(instances: &[UnwoundInstance]) -> Vec<usize> {
    let mut rows: Vec<usize> = Vec::with_capacity(instances.len());
    for it in instances {
        let above = it.premises.iter().filter_map(|&premise| rows.get(premise));
        rows.push(above.max().map_or(0, |row| row + 1));
    }
    rows
}

/// The drawing; nothing if there is nothing to draw or it would be too wide to be read.
pub(super) fn drawing(instances: &[UnwoundInstance]) -> Option<String> {
    // A single one is no unwinding.
    if instances.len() < 2 {
        return None;
    }
    let rows = rows(instances);
    let mut lines: Vec<(Line, &str)> = Vec::new();
    let mut level: Vec<(usize, usize)> = Vec::new();
    for (lower, it) in instances.iter().enumerate() {
        let known = it.premises.iter().filter(|&&premise| premise < lower);
        lines.extend(known.map(|&upper| (Line { upper, lower }, "edge")));
        if let Some(by) = it.covered_by.filter(|&by| by < instances.len()) {
            match rows[by].cmp(&rows[lower]) {
                std::cmp::Ordering::Less => lines.push((Line { upper: by, lower }, "cover")),
                std::cmp::Ordering::Greater => {
                    lines.push((Line { upper: lower, lower: by }, "cover"));
                }
                std::cmp::Ordering::Equal => level.push((lower, by)),
            }
        }
    }
    let plain: Vec<Line> = lines.iter().map(|(line, _)| *line).collect();
    let layout = layered::layout(&rows, &plain, SIZES);
    if layout.widest > WIDEST {
        return None;
    }
    let half = SIZES.node.1 / 2.0;
    let (width, height) = (layout.width, layout.height + SIZES.step * 0.4);
    let mut out = format!(
        "<svg viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" role=\"img\" \
         aria-label=\"the unwinding as a graph\">"
    );
    for ((_, class), points) in lines.iter().zip(&layout.lines) {
        let _ = write!(out, "<path class=\"{class}\" d=\"{}\"/>", layered::path(points, half));
    }
    for (one, other) in level {
        // Between the rows, where no node is.
        let ((x, y), (u, _)) = (layout.nodes[one], layout.nodes[other]);
        let (low, middle, below) = (y + half, (x + u) / 2.0, y + SIZES.step * 0.7);
        let _ = write!(
            out,
            "<path class=\"cover\" d=\"M{x:.0} {low:.0}Q{middle:.0} {below:.0} {u:.0} {low:.0}\"/>"
        );
    }
    nodes(&mut out, instances, &layout.nodes);
    Some(out + "</svg>")
}

fn nodes(out: &mut String, instances: &[UnwoundInstance], places: &[(f64, f64)]) {
    let mut is_covered: Vec<bool> = Vec::with_capacity(instances.len());
    for (id, it) in instances.iter().enumerate() {
        let below = it.premises.iter().any(|&premise| is_covered.get(premise) == Some(&true));
        is_covered.push(below || it.covered_by.is_some());
        let (x, y) = places[id];
        let class = if is_covered[id] { "node covered" } else { "node" };
        let name = format!("{} {id}", it.predicate);
        let label: String = match name.chars().count() > LABEL {
            // The number is what tells instances apart.
            true => {
                let number = format!("… {id}");
                let room = LABEL.saturating_sub(number.chars().count());
                it.predicate.chars().take(room).chain(number.chars()).collect()
            }
            false => name,
        };
        let by = it.covered_by.map_or(String::new(), |by| format!("\ncovered by {by}"));
        let _ = write!(
            out,
            "<g><title>{} {id}: {}{by}</title><rect class=\"{class}\" x=\"{:.0}\" y=\"{:.0}\" \
             width=\"{}\" height=\"{}\" rx=\"5\"/>\
             <text class=\"mono\" x=\"{x:.0}\" y=\"{:.0}\" text-anchor=\"middle\">{}</text></g>",
            escape(&it.predicate),
            escape(&it.annotation),
            x - SIZES.node.0 / 2.0,
            y - SIZES.node.1 / 2.0,
            SIZES.node.0,
            SIZES.node.1,
            y + 4.0,
            escape(&label)
        );
    }
}
