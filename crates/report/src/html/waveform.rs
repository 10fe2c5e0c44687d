//! A run as a drawing: a row per signal, a column per step, as wave viewers draw it.
//!
//! Signals that change come first and are open; constant ones are folded. Names stand beside the
//! drawing and stay when it is scrolled. A long run is cut into pieces, in order and each with the names:
//! its beginning and its end, where the violation is, are open, and what is between is folded. The steps
//! that a lasso repeats for ever have a ground of their own and an arrow back to the first of them.

use super::escape;
use crate::waveform::{Role, Signal, Waveform};
use std::fmt::Write;
use std::ops::Range;

/// The most values that are drawn in one piece.
const MAX_VALUES: usize = 40_000;
/// The most steps that are drawn in one piece.
const MAX_STEPS: usize = 250;
/// The most values that are drawn in all pieces of a group.
const MAX_IN_ALL: usize = 400_000;
/// The most signals that are drawn in one group.
const MAX_SIGNALS: usize = 400;

const ROW: usize = 22;
const HIGH: usize = 5;
const LOW: usize = 18;

/// The run as HTML.
pub(super) fn waveform(wave: &Waveform) -> String {
    // In one step nothing can change.
    let is_short = wave.steps() <= 1;
    let changes = |signal: &&Signal| is_short || signal.role == Role::Property || signal.changes();
    let (moving, still): (Vec<&Signal>, Vec<&Signal>) = wave.signals.iter().partition(changes);
    let first = if is_short { "Signals" } else { "Signals that change" };
    let groups = [(first, moving, true), ("Signals that do not change", still, false)];
    let mut out = String::new();
    for (title, signals, is_open) in groups {
        if signals.is_empty() {
            continue;
        }
        let open = if is_open { " open" } else { "" };
        let _ = write!(
            out,
            "<details{open}><summary class=\"faint\">{title}: {}</summary>{}</details>",
            signals.len(),
            group(&signals, wave)
        );
    }
    for text in &wave.left_out {
        let _ = write!(out, "<p class=\"faint\">{}</p>", escape(text));
    }
    out
}

fn group(signals: &[&Signal], wave: &Waveform) -> String {
    let steps = wave.steps();
    let shown = &signals[..signals.len().min(MAX_SIGNALS)];
    let piece = (MAX_VALUES / shown.len().max(1)).clamp(1, MAX_STEPS);
    let pieces: Vec<Range<usize>> =
        (0..steps).step_by(piece).map(|from| from..(from + piece).min(steps)).collect();
    // Of very many the first half and the last one are drawn.
    let most = (MAX_IN_ALL / (piece * shown.len()).max(1)).max(2);
    let (head, tail) = match pieces.len() > most {
        true => (most - 1, pieces.len() - 1),
        false => (pieces.len(), pieces.len()),
    };
    let mut out = String::new();
    for (at, range) in pieces.iter().enumerate() {
        let words = format!("steps {} to {}", range.start, range.end - 1);
        if at == head && head < tail {
            let end = pieces[tail].start - 1;
            let _ = write!(
                out,
                "<p class=\"faint\">Steps {} to {end} are in the VCD file.</p>",
                range.start
            );
        }
        if (head..tail).contains(&at) {
            continue;
        }
        let drawing = drawing(shown, range.clone(), wave);
        let _ = match at == 0 || at + 1 == pieces.len() {
            true if pieces.len() == 1 => write!(out, "{drawing}"),
            true => write!(out, "<p class=\"faint\">{words}</p>{drawing}"),
            false => write!(
                out,
                "<details><summary class=\"faint\">{words}</summary>{drawing}</details>"
            ),
        };
    }
    if shown.len() < signals.len() {
        let more = signals.len() - shown.len();
        let _ = write!(out, "<p class=\"faint\">… and {more} more signals in the VCD file.</p>");
    }
    out
}

/// Some steps of some signals, with their names.
fn drawing(signals: &[&Signal], range: Range<usize>, wave: &Waveform) -> String {
    let (first, steps) = (range.start, range.len());
    let digits = signals.iter().map(|signal| signal.width.div_ceil(4)).max().unwrap_or(1);
    let cell = (10 + 8 * digits as usize).clamp(26, 200);
    let mut names = String::new();
    let (width, height) = (steps * cell + 2, (signals.len() + 1) * ROW);
    let mut svg = format!(
        "<svg width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
         aria-label=\"signals in steps {first} to {}\">",
        range.end.saturating_sub(1)
    );
    if let Some(start) = wave.loop_start.filter(|start| *start < range.end) {
        mark_loop(&mut svg, start, &range, wave.steps(), (cell, height));
    }
    for step in range.clone() {
        let x = (step - first) * cell;
        let _ = write!(
            svg,
            "<line class=\"grid\" x1=\"{x}\" x2=\"{x}\" y1=\"0\" y2=\"{height}\"/>\
             <text class=\"soft\" x=\"{}\" y=\"15\" text-anchor=\"middle\">{step}</text>",
            x + cell / 2
        );
    }
    for (row, signal) in signals.iter().enumerate() {
        let class = if signal.role == Role::Property { " class=\"bad\"" } else { "" };
        let width = if signal.width > 1 { format!("[{}]", signal.width) } else { String::new() };
        let _ = write!(
            names,
            "<div{class} title=\"{}\"><code>{}{width}</code> <span class=\"faint\">{}</span></div>",
            escape(&signal.name),
            escape(&signal.name),
            signal.role.word()
        );
        let top = (row + 1) * ROW;
        match signal.width {
            1 => bit(&mut svg, signal, &range, cell, top),
            _ => word(&mut svg, signal, &range, cell, top),
        }
    }
    svg.push_str("</svg>");
    format!(
        "<div class=\"wave\"><div class=\"names\"><div class=\"faint\">step</div>{names}</div>\
         <div class=\"scroll\">{svg}</div></div>"
    )
}

/// Marks the steps of a piece that are repeated for ever.
fn mark_loop(
    svg: &mut String,
    start: usize,
    range: &Range<usize>,
    steps: usize,
    (cell, height): (usize, usize),
) {
    let left = start.saturating_sub(range.start) * cell;
    let right = range.len() * cell;
    let _ = write!(
        svg,
        "<rect class=\"loop\" x=\"{left}\" y=\"0\" width=\"{}\" height=\"{height}\">\
         <title>steps {start} to {} repeat for ever</title></rect>",
        right - left,
        steps.saturating_sub(1)
    );
    if range.contains(&start) {
        let _ = write!(
            svg,
            "<path class=\"loop-line\" d=\"M{} 1V{height}\"/><path class=\"loop-head\" d=\"M{} 1l7 4l-7 4z\"/>",
            left + 1,
            left + 1
        );
    }
    if range.end == steps {
        let _ = write!(
            svg,
            "<path class=\"loop-line\" d=\"M{} 1V{height}\"/>\
             <path class=\"loop-head\" d=\"M{right} 1l-7 4l7 4z\"/>",
            right - 1
        );
    }
}

/// The runs of equal values in some steps: where each begins and ends, and the value.
fn runs<'s>(signal: &'s Signal, range: &Range<usize>) -> Vec<(usize, usize, &'s str)> {
    let mut runs: Vec<(usize, usize, &str)> = Vec::new();
    for at in 0..signal.steps().min(range.end).saturating_sub(range.start) {
        let value = signal.value(range.start + at);
        match runs.last_mut() {
            Some((_, end, last)) if *last == value => *end = at + 1,
            _ => runs.push((at, at + 1, value)),
        }
    }
    runs
}

/// The class of a signal's line.
fn class(signal: &Signal) -> &'static str {
    match signal.role {
        Role::Property => "wire bad",
        Role::Input => "wire input",
        _ => "wire",
    }
}

/// A line that is high, low, or a band where it does not matter.
fn bit(svg: &mut String, signal: &Signal, range: &Range<usize>, cell: usize, top: usize) {
    let mut path = String::new();
    let mut pen_is_down = false;
    for (begin, end, value) in runs(signal, range) {
        let (left, right) = (begin * cell, end * cell);
        if value == "x" {
            let _ = write!(
                svg,
                "<rect class=\"open\" x=\"{left}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
                top + HIGH,
                right - left,
                LOW - HIGH
            );
            pen_is_down = false;
            continue;
        }
        let y = top + if value == "1" { HIGH } else { LOW };
        let _ = match pen_is_down {
            true => write!(path, "V{y}H{right}"),
            false => write!(path, "M{left} {y}H{right}"),
        };
        pen_is_down = true;
    }
    if !path.is_empty() {
        let _ = write!(svg, "<path class=\"{}\" d=\"{path}\"/>", class(signal));
    }
}

/// A box per value, with the value in it.
fn word(svg: &mut String, signal: &Signal, range: &Range<usize>, cell: usize, top: usize) {
    for (begin, end, value) in runs(signal, range) {
        let (left, right) = (begin * cell, end * cell);
        let (high, low, middle) = (top + HIGH, top + LOW, top + (HIGH + LOW) / 2);
        let is_open = value.bytes().all(|byte| byte == b'x');
        let class = if is_open { "wire word open" } else { class(signal) };
        let _ = write!(
            svg,
            "<path class=\"{class} word\" d=\"M{left} {middle}L{} {high}H{}L{right} {middle}L{} {low}H{}Z\"/>",
            left + 3,
            right - 3,
            right - 3,
            left + 3
        );
        if !is_open {
            let _ = write!(
                svg,
                "<text class=\"mono\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                (left + right) / 2,
                top + LOW - 3,
                hex(value)
            );
        }
    }
}

/// Bits as hexadecimal digits; a digit with an open bit is an x.
pub(super) fn hex(bits: &str) -> String {
    let bits = bits.as_bytes();
    let first = bits.len() % 4;
    let (head, tail) = bits.split_at(first);
    let digit = |chunk: &[u8]| {
        let value = chunk.iter().try_fold(0u32, |value, bit| match bit {
            b'0' => Some(2 * value),
            b'1' => Some(2 * value + 1),
            _ => None,
        });
        value.and_then(|value| char::from_digit(value, 16)).unwrap_or('x')
    };
    let head = if head.is_empty() { None } else { Some(digit(head)) };
    head.into_iter().chain(tail.chunks(4).map(digit)).collect()
}
