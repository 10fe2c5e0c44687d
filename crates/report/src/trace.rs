//! A run of a circuit or a word-level system in a terminal: a row per step, a column per signal.
//!
//! Signals that never change stand above the table; a value that is that of the step before is a dot, and
//! steps in which nothing changes share a row. A run that goes round for ever says where. Where the
//! columns do not fit, each row lists what changes.

use crate::printable;
use crate::waveform::{Signal, Waveform};
use std::fmt::Write;

/// The most characters of a row.
const WIDTH: usize = 100;
/// The most rows that are printed of a long run: so many at its beginning, and at its end.
const ENDS: (usize, usize) = (30, 10);
/// What stands for a value that has not changed.
const SAME: &str = "·";

/// A value: a bit, or a word in hexadecimal if all its bits are known.
fn value(bits: &str) -> String {
    if bits.len() <= 1 {
        return bits.to_owned();
    }
    if bits.contains('x') {
        return format!("0b{bits}");
    }
    let mut out = String::from("0x");
    let first = match bits.len() % 4 {
        0 => 4,
        rest => rest,
    };
    let mut from = 0;
    let mut to = first;
    while from < bits.len() {
        let digit = bits[from..to].bytes().fold(0, |digit, bit| 2 * digit + u32::from(bit == b'1'));
        out.extend(char::from_digit(digit, 16));
        (from, to) = (to, to + 4);
    }
    out
}

/// Steps that look the same, or one step.
struct Row {
    first: usize,
    last: usize,
}

/// The steps, with those put together in which nothing changes; the loop begins a row of its own.
fn rows(wave: &Waveform, signals: &[&Signal]) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for step in 0..wave.steps() {
        let is_still = step > 0 && signals.iter().all(|s| s.value(step) == s.value(step - 1));
        match rows.last_mut() {
            // The first row says all values, so that steps after it have one of their own.
            Some(row) if is_still && row.first > 0 && wave.loop_start != Some(step) => {
                let was_still =
                    signals.iter().all(|s| s.value(row.first) == s.value(row.first - 1));
                if was_still {
                    row.last = step;
                    continue;
                }
                rows.push(Row { first: step, last: step });
            }
            _ => rows.push(Row { first: step, last: step }),
        }
    }
    rows
}

/// The run as text, all of it or the ends of a long one.
pub fn print(wave: &Waveform, is_all: bool) -> String {
    let mut out = String::new();
    let (moving, still): (Vec<&Signal>, Vec<&Signal>) =
        wave.signals.iter().partition(|signal| signal.changes());
    if !still.is_empty() {
        let shown: Vec<String> = still
            .iter()
            .map(|signal| format!("{} = {}", printable::line(&signal.name), value(signal.value(0))))
            .collect();
        wrap(&mut out, "  always  ", &shown);
    }
    let names: Vec<String> = moving.iter().map(|s| printable::line(&s.name).into_owned()).collect();
    let widths: Vec<usize> = (moving.iter().zip(&names))
        .map(|(signal, name)| {
            let values = (0..signal.steps()).map(|step| value(signal.value(step)).len());
            values.max().unwrap_or(0).max(name.chars().count())
        })
        .collect();
    let rows = rows(wave, &moving);
    let number = |row: &Row| match row.first == row.last {
        true => row.first.to_string(),
        false => format!("{}–{}", row.first, row.last),
    };
    let margin = rows.iter().map(|row| number(row).chars().count()).max().unwrap_or(0).max(4);
    let is_table = margin + 2 + widths.iter().map(|width| width + 2).sum::<usize>() <= WIDTH;
    if is_table {
        let _ = write!(out, "  {:>margin$}", "step");
        for (name, width) in names.iter().zip(&widths) {
            let _ = write!(out, "  {name:>width$}");
        }
        out.push('\n');
    }
    let (head, tail) = ENDS;
    for (at, row) in rows.iter().enumerate() {
        if wave.loop_start == Some(row.first) {
            let _ = writeln!(out, "  {:>margin$}  the loop begins here", "");
        }
        if !is_all && rows.len() > head + tail && (head..rows.len() - tail).contains(&at) {
            if at == head {
                let hidden = rows.len() - head - tail;
                let _ = writeln!(out, "  {:>margin$}  {hidden} more rows (--trace=all)", "…");
            }
            continue;
        }
        let cell = |signal: &Signal| {
            let now = signal.value(row.first);
            let is_same = row.first > 0 && signal.value(row.first - 1) == now;
            (!is_same).then(|| value(now))
        };
        if is_table {
            let _ = write!(out, "  {:>margin$}", number(row));
            for (signal, width) in moving.iter().zip(&widths) {
                let _ = write!(out, "  {:>width$}", cell(signal).as_deref().unwrap_or(SAME));
            }
            out.push('\n');
            continue;
        }
        let changed: Vec<String> = (moving.iter().zip(&names))
            .filter_map(|(signal, name)| Some(format!("{name} = {}", cell(signal)?)))
            .collect();
        let nothing = vec!["nothing changes".to_owned()];
        let list = if changed.is_empty() { &nothing } else { &changed };
        wrap(&mut out, &format!("  {:>margin$}  ", number(row)), list);
    }
    if let Some(start) = wave.loop_start {
        let last = wave.steps().saturating_sub(1);
        let _ = writeln!(
            out,
            "  {:>margin$}  after step {last} comes step {start} again, for ever",
            ""
        );
    }
    for line in &wave.left_out {
        let _ = writeln!(out, "  {}", printable::line(line));
    }
    out
}

/// Writes a list after `head`, on as many lines as it needs.
fn wrap(out: &mut String, head: &str, list: &[String]) {
    let indent = head.chars().count();
    out.push_str(head);
    let mut width = indent;
    for (at, item) in list.iter().enumerate() {
        let comma = if at + 1 < list.len() { ", " } else { "" };
        let length = item.chars().count() + comma.len();
        if at > 0 && width + length > WIDTH {
            let kept = out.trim_end().len();
            out.truncate(kept);
            let _ = write!(out, "\n{}", " ".repeat(indent));
            width = indent;
        }
        let _ = write!(out, "{item}{comma}");
        width += length;
    }
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::waveform::Role;

    fn signal(name: &str, width: u32, bits: &str) -> Signal {
        Signal { role: Role::State, name: name.to_owned(), width, bits: bits.to_owned() }
    }

    #[test]
    fn words_are_hexadecimal_where_they_are_known() {
        let shown = ["1", "x", "0101", "111111", "1x1", "00011111"].map(value);
        assert_eq!(shown, ["1", "x", "0x5", "0x3f", "0b1x1", "0x1f"]);
    }

    #[test]
    fn what_does_not_change_is_folded() {
        let signals = vec![
            signal("reset", 1, "000000"),
            signal("go", 1, "011111"),
            signal("count", 4, "000000010001000100010010"),
        ];
        let wave = Waveform { signals, ..Waveform::default() };
        let expected = "  always  reset = 0\n  step  go  count\n     0   0    0x0\n     1   1    0x1\n   \
            2–4   ·      ·\n     5   ·    0x2\n";
        assert_eq!(print(&wave, false), expected);
    }

    #[test]
    fn the_loop_is_marked() {
        let wave = Waveform {
            signals: vec![signal("a", 1, "0101")],
            loop_start: Some(2),
            ..Waveform::default()
        };
        let text = print(&wave, false);
        let expected = "  step  a\n     0  0\n     1  1\n        the loop begins here\n     2  0\n     \
            3  1\n        after step 3 comes step 2 again, for ever\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn many_signals_are_listed_and_long_runs_cut() {
        let bits: String = (0..200).map(|step| if step % 2 == 0 { '0' } else { '1' }).collect();
        let signals = (0..40).map(|at| signal(&format!("a_long_name_{at}"), 1, &bits)).collect();
        let wave = Waveform { signals, ..Waveform::default() };
        let text = print(&wave, false);
        assert!(text.contains("160 more rows (--trace=all)"), "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
        assert!(!print(&wave, true).contains("more rows"));
    }
}
