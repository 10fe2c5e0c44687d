//! An unwinding on a page: instances of predicates, in a lane for each predicate.
//!
//! An instance is below those that it is derived from. Dashed lines lead from covered instances to those
//! that cover them; what depends on a covered instance is faint, too. Hovering over an instance
//! shows what is known of it.

use super::escape;
use alphorn_engine::UnwoundInstance;
use std::collections::BTreeMap;
use std::fmt::Write;

/// More columns are not drawn: nobody could read them.
const WIDEST: usize = 40;
/// The most characters of a predicate's name over its lane.
const LABEL: usize = 24;
/// The width of a column, the height of a row, and the size of a node.
const CELL: (f64, f64) = (76.0, 46.0);
const NODE: (f64, f64) = (48.0, 22.0);
/// The height of the names of the lanes.
const TOP: f64 = 26.0;

/// The unwinding in words.
pub(super) fn words(instances: &[UnwoundInstance], count: u64) -> String {
    let covered = instances.iter().filter(|it| it.covered_by.is_some()).count();
    let shown = match instances.len() as u64 {
        shown if shown < count => format!("the first {shown} of {count} instances"),
        shown => format!("{shown} instances"),
    };
    format!("{shown}, {covered} of them covered by earlier ones (dashed)")
}

/// Where the instances are: a column and a row for each, and the columns of each lane.
struct Layout<'a> {
    places: Vec<(usize, usize)>,
    lanes: Vec<(&'a str, usize, usize)>,
    rows: usize,
}

fn layout(instances: &[UnwoundInstance]) -> Layout<'_> {
    let mut names: Vec<&str> = Vec::new();
    let mut in_lane: Vec<usize> = Vec::with_capacity(instances.len());
    let mut rows: Vec<usize> = Vec::with_capacity(instances.len());
    let mut filled: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    let mut offsets: Vec<usize> = Vec::with_capacity(instances.len());
    for it in instances {
        let lane = names.iter().position(|&name| name == it.predicate).unwrap_or_else(|| {
            names.push(&it.predicate);
            names.len() - 1
        });
        let above = it.premises.iter().filter_map(|&premise| rows.get(premise));
        let row = above.max().map_or(0, |row| row + 1);
        let count = filled.entry((lane, row)).or_default();
        offsets.push(*count);
        *count += 1;
        in_lane.push(lane);
        rows.push(row);
    }
    let mut lanes = Vec::with_capacity(names.len());
    let mut first = 0;
    for (lane, name) in names.into_iter().enumerate() {
        let of_lane = filled.iter().filter(|((it, _), _)| *it == lane);
        let width = of_lane.map(|(_, &count)| count).max().unwrap_or(1);
        lanes.push((name, first, width));
        first += width;
    }
    let columns = in_lane.iter().zip(&offsets).map(|(&lane, &offset)| lanes[lane].1 + offset);
    let places = columns.zip(rows.iter().copied()).collect();
    Layout { places, lanes, rows: rows.iter().max().map_or(0, |row| row + 1) }
}

/// The drawing; nothing if there is nothing to draw or it would be too wide to be read.
pub(super) fn drawing(instances: &[UnwoundInstance]) -> Option<String> {
    let Layout { places, lanes, rows } = layout(instances);
    let columns = lanes.last().map(|(_, first, width)| first + width)?;
    if columns > WIDEST {
        return None;
    }
    let (width, height) = (CELL.0 * columns as f64, TOP + CELL.1 * rows as f64);
    let mut out = format!(
        "<svg viewBox=\"0 0 {width} {height}\" width=\"{width}\" role=\"img\" \
         aria-label=\"the unwinding as a graph\">"
    );
    for (name, first, columns) in &lanes {
        let middle = CELL.0 * (*first as f64 + *columns as f64 / 2.0);
        let longest = LABEL.min(10 * columns);
        let short: String = match name.chars().count() > longest {
            true => name.chars().take(longest - 1).chain(['…']).collect(),
            false => (*name).to_owned(),
        };
        let _ = write!(
            out,
            "<g><title>{}</title><text class=\"mono\" x=\"{middle:.0}\" y=\"14\" \
             text-anchor=\"middle\">{}</text></g>",
            escape(name),
            escape(&short)
        );
    }
    let place = |id: usize| {
        let (column, row) = places[id];
        (CELL.0 * (column as f64 + 0.5), TOP + CELL.1 * (row as f64 + 0.5))
    };
    for (id, it) in instances.iter().enumerate() {
        edges(&mut out, place(id), it, &place, instances.len());
    }
    nodes(&mut out, instances, &place);
    Some(out + "</svg>")
}

/// The lines from an instance to what it is derived from and to what covers it.
fn edges(
    out: &mut String,
    (x, y): (f64, f64),
    it: &UnwoundInstance,
    place: &impl Fn(usize) -> (f64, f64),
    count: usize,
) {
    let half = NODE.1 / 2.0;
    for &premise in it.premises.iter().filter(|&&premise| premise < count) {
        let (u, v) = place(premise);
        let (from, to) = (v + half, y - half);
        let middle = (from + to) / 2.0;
        let _ = write!(
            out,
            "<path class=\"edge\" d=\"M{u:.0} {from:.0}C{u:.0} {middle:.0} {x:.0} {middle:.0} \
             {x:.0} {to:.0}\"/>"
        );
    }
    if let Some(by) = it.covered_by.filter(|&by| by < count) {
        // Round the side, where lines of derivation do not go.
        let (u, v) = place(by);
        if (y - v).abs() < 1.0 {
            let (low, middle, below) = (y + half, (x + u) / 2.0, y + CELL.1 * 0.7);
            let _ = write!(
                out,
                "<path class=\"cover\" d=\"M{x:.0} {low:.0}Q{middle:.0} {below:.0} {u:.0} {low:.0}\"/>"
            );
            return;
        }
        let (from, to) = (x + NODE.0 / 2.0, u + NODE.0 / 2.0);
        let out_to = from.max(to) + 14.0;
        let _ = write!(
            out,
            "<path class=\"cover\" d=\"M{from:.0} {y:.0}C{out_to:.0} {y:.0} {out_to:.0} {v:.0} \
             {to:.0} {v:.0}\"/>"
        );
    }
}

fn nodes(out: &mut String, instances: &[UnwoundInstance], place: &impl Fn(usize) -> (f64, f64)) {
    let mut is_covered: Vec<bool> = Vec::with_capacity(instances.len());
    for (id, it) in instances.iter().enumerate() {
        let below = it.premises.iter().any(|&premise| is_covered.get(premise) == Some(&true));
        is_covered.push(below || it.covered_by.is_some());
        let (x, y) = place(id);
        let class = if is_covered[id] { "node covered" } else { "node" };
        let by = it.covered_by.map_or(String::new(), |by| format!("\ncovered by {by}"));
        let _ = write!(
            out,
            "<g><title>{} {id}: {}{by}</title><rect class=\"{class}\" x=\"{:.0}\" y=\"{:.0}\" \
             width=\"{}\" height=\"{}\" rx=\"5\"/>\
             <text class=\"mono\" x=\"{x:.0}\" y=\"{:.0}\" text-anchor=\"middle\">{id}</text></g>",
            escape(&it.predicate),
            escape(&it.annotation),
            x - NODE.0 / 2.0,
            y - NODE.1 / 2.0,
            NODE.0,
            NODE.1,
            y + 4.0
        );
    }
}
