//! Numbers over time, one line per engine, as SVG.
//!
//! A number stays until it changes, so lines are steps. Values go up to the thousands and begin
//! small; the axis is logarithmic where that shows more. The legend names the engines and nothing else:
//! their numbers stand in the table above, once.

use super::{escape, palette};
use crate::timeline::Series;
use std::fmt::Write;

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 240.0;
const LEFT: f64 = 52.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 34.0;

/// A plot of series, each with its engine's position and name; nothing if there is no point.
pub(super) fn plot(title: &str, lines: &[(usize, &str, &Series)], end: u64) -> Option<String> {
    let points = || lines.iter().flat_map(|(_, _, series)| series.points.iter());
    let most = points().map(|(_, value)| *value).max()?;
    let end = points().map(|(at, _)| *at).max()?.max(end).max(1);
    let is_logarithmic = most > 100;
    let height = |value: u64| {
        let share = match is_logarithmic {
            true => (1.0 + value as f64).ln() / (1.0 + most as f64).ln(),
            false => value as f64 / most.max(1) as f64,
        };
        HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * share
    };
    let across = |at: u64| LEFT + (WIDTH - LEFT - RIGHT) * at as f64 / end as f64;
    let mut out = format!(
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}\">",
        escape(title)
    );
    for tick in ticks(most, is_logarithmic) {
        let y = height(tick);
        let _ = write!(
            out,
            "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
             <text class=\"soft\" x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{tick}</text>",
            WIDTH - RIGHT,
            LEFT - 6.0,
            y + 4.0
        );
    }
    for part in 0..=4 {
        let at = end * part / 4;
        let _ = write!(
            out,
            "<text class=\"soft\" x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            across(at),
            HEIGHT - 14.0,
            clock(at, end)
        );
    }
    let mut legend = String::new();
    let shown = lines.iter().filter(|(_, _, series)| !series.points.is_empty());
    for (position, engine, series) in shown {
        let mut path = String::new();
        for &(at, value) in &series.points {
            let (x, y) = (across(at), height(value));
            let _ = match path.is_empty() {
                true => write!(path, "M{x:.1} {y:.1}"),
                false => write!(path, "H{x:.1}V{y:.1}"),
            };
        }
        let _ = write!(path, "H{:.1}", across(end));
        let class = palette::class(*position);
        let _ = write!(out, "<path class=\"series {class}\" d=\"{path}\"/>");
        // A series of one point would not be seen.
        if let [(at, value)] = series.points[..] {
            let (x, y) = (across(at), height(value));
            let _ =
                write!(out, "<circle class=\"dot {class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\"/>");
        }
        let _ = write!(
            legend,
            "<li><svg class=\"key\" viewBox=\"0 0 24 8\" aria-hidden=\"true\"><path class=\"series {class}\" \
             d=\"M0 4H24\"/></svg>{}</li>",
            escape(engine)
        );
    }
    let bottom = HEIGHT - BOTTOM;
    let _ = write!(
        out,
        "<line class=\"axis\" x1=\"{LEFT}\" x2=\"{}\" y1=\"{bottom}\" y2=\"{bottom}\"/></svg>",
        WIDTH - RIGHT
    );
    Some(format!("{out}<ul class=\"legend\">{legend}</ul>"))
}

/// A moment of a run that ends at `end`.
fn clock(at: u64, end: u64) -> String {
    match end {
        0..1_000 => format!("{at} ms"),
        1_000..100_000 => format!("{:.1} s", at as f64 / 1000.0),
        _ => format!("{} s", at / 1000),
    }
}

/// Round numbers up to `most`.
fn ticks(most: u64, is_logarithmic: bool) -> Vec<u64> {
    if is_logarithmic {
        let powers = std::iter::successors(Some(1u64), |power| power.checked_mul(10));
        return std::iter::once(0).chain(powers.take_while(|&power| power <= most)).collect();
    }
    let step = [1, 2, 5, 10, 20, 25].into_iter().find(|step| most / step <= 5).unwrap_or(25);
    (0..=most / step).map(|count| count * step).collect()
}
