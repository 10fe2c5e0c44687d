//! A run as a drawing: a row per signal, a column per step, as wave viewers draw it.
//!
//! Signals that change come first and are open; constant ones are folded. Names stand beside the
//! drawing and stay when it is scrolled. A long run is drawn from its end, where the violation is.

use super::escape;
use crate::waveform::{Role, Signal, Waveform};
use std::fmt::Write;

/// The most values that are drawn in one group.
const MOST_VALUES: usize = 40_000;
/// The most signals that are drawn in one group.
const MOST_SIGNALS: usize = 400;

const ROW: usize = 22;
const HIGH: usize = 5;
const LOW: usize = 18;

/// The run as HTML.
pub(super) fn waveform(wave: &Waveform) -> String {
    let changes = |signal: &&Signal| signal.role == Role::Property || signal.changes();
    let (moving, still): (Vec<&Signal>, Vec<&Signal>) = wave.signals.iter().partition(changes);
    let groups =
        [("Signals that change", moving, true), ("Signals that do not change", still, false)];
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
            group(&signals, wave.steps())
        );
    }
    for text in &wave.left_out {
        let _ = write!(out, "<p class=\"faint\">{}</p>", escape(text));
    }
    out
}

fn group(signals: &[&Signal], steps: usize) -> String {
    let shown = &signals[..signals.len().min(MOST_SIGNALS)];
    let first = steps.saturating_sub((MOST_VALUES / shown.len().max(1)).max(1));
    let digits = shown.iter().map(|signal| signal.width.div_ceil(4)).max().unwrap_or(1);
    let cell = (10 + 8 * digits as usize).clamp(26, 200);
    let mut names = String::new();
    let (width, height) = ((steps - first) * cell + 2, (shown.len() + 1) * ROW);
    let mut svg = format!(
        "<svg width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
         aria-label=\"signals over {steps} steps\">"
    );
    for step in first..steps {
        let x = (step - first) * cell;
        let _ = write!(
            svg,
            "<line class=\"grid\" x1=\"{x}\" x2=\"{x}\" y1=\"0\" y2=\"{height}\"/>\
             <text class=\"soft\" x=\"{}\" y=\"15\" text-anchor=\"middle\">{step}</text>",
            x + cell / 2
        );
    }
    for (row, signal) in shown.iter().enumerate() {
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
            1 => bit(&mut svg, signal, first, cell, top),
            _ => word(&mut svg, signal, first, cell, top),
        }
    }
    svg.push_str("</svg>");
    let mut out = format!(
        "<div class=\"wave\"><div class=\"names\"><div class=\"faint\">step</div>{names}</div>\
         <div class=\"scroll\">{svg}</div></div>"
    );
    if first > 0 {
        let _ = write!(out, "<p class=\"faint\">Steps 0 to {} are in the VCD file.</p>", first - 1);
    }
    if shown.len() < signals.len() {
        let more = signals.len() - shown.len();
        let _ = write!(out, "<p class=\"faint\">… and {more} more signals in the VCD file.</p>");
    }
    out
}

/// The runs of equal values: where each begins and ends, and the value.
fn runs(signal: &Signal, first: usize) -> Vec<(usize, usize, &str)> {
    let mut runs: Vec<(usize, usize, &str)> = Vec::new();
    for at in 0..signal.steps().saturating_sub(first) {
        let value = signal.value(first + at);
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
fn bit(svg: &mut String, signal: &Signal, first: usize, cell: usize, top: usize) {
    let mut path = String::new();
    let mut pen_is_down = false;
    for (begin, end, value) in runs(signal, first) {
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
fn word(svg: &mut String, signal: &Signal, first: usize, cell: usize, top: usize) {
    for (begin, end, value) in runs(signal, first) {
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
