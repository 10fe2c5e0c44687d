//! Numbers over time, one line per engine, as SVG.
//!
//! A number stays until it changes, so lines are steps. Values go up to the thousands and begin
//! small; the axis is logarithmic where that shows more.

use super::escape;
use crate::timeline::Series;
use std::fmt::Write;

/// Colours that can be told apart on light and on dark ground.
const COLOURS: [&str; 8] =
    ["#4c86cf", "#d96f4e", "#46a263", "#9a6fc0", "#b8912f", "#3fa5ab", "#c25d93", "#7d8791"];

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 260.0;
const LEFT: f64 = 52.0;
const RIGHT: f64 = 120.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 34.0;

/// The colour of the engine at a position.
pub(super) fn colour(position: usize) -> &'static str {
    COLOURS[position % COLOURS.len()]
}

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
    let shown = lines.iter().filter(|(_, _, series)| !series.points.is_empty());
    for (row, (position, engine, series)) in shown.enumerate() {
        let mut path = String::new();
        let mut last: Option<u64> = None;
        for &(at, value) in &series.points {
            match last {
                None => {
                    let _ = write!(path, "M{:.1} {:.1}", across(at), height(value));
                }
                Some(_) => {
                    let _ = write!(path, "H{:.1}V{:.1}", across(at), height(value));
                }
            }
            last = Some(value);
        }
        let _ = write!(path, "H{:.1}", across(end));
        let (colour, y) = (colour(*position), TOP + 10.0 + 16.0 * row as f64);
        let _ = write!(
            out,
            "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>\
             <rect x=\"{:.1}\" y=\"{:.1}\" width=\"10\" height=\"10\" fill=\"{colour}\"/>\
             <text x=\"{:.1}\" y=\"{y:.1}\">{} {}</text>",
            WIDTH - RIGHT + 12.0,
            y - 9.0,
            WIDTH - RIGHT + 27.0,
            escape(engine),
            last.unwrap_or_default()
        );
    }
    let bottom = HEIGHT - BOTTOM;
    let _ = write!(
        out,
        "<line class=\"axis\" x1=\"{LEFT}\" x2=\"{}\" y1=\"{bottom}\" y2=\"{bottom}\"/></svg>",
        WIDTH - RIGHT
    );
    Some(out)
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
