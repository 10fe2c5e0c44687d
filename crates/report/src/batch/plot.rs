//! Plots of records: how many are decided in how much time, and two sets against each other.
//!
//! Both are SVG without scripts. Times are on a logarithmic scale from a hundredth of a second.

use super::{Record, Row};
use std::collections::BTreeMap;
use std::fmt::Write;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 440.0;
const MARGIN: f64 = 60.0;
const LEAST: f64 = 0.01;
const COLOURS: [&str; 6] = ["#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf"];

/// For each named set, how many properties are decided within a time.
pub fn cactus(sets: &[(String, Vec<Record>)]) -> String {
    let times = |records: &[Record]| {
        let rows = records.iter().flat_map(Record::rows).filter(Row::is_decided);
        let mut times: Vec<f64> = rows.map(|row| row.seconds.max(LEAST)).collect();
        times.sort_by(f64::total_cmp);
        times
    };
    let all: Vec<Vec<f64>> = sets.iter().map(|(_, records)| times(records)).collect();
    let most = all.iter().map(Vec::len).max().unwrap_or(0).max(1);
    let longest = all.iter().flatten().copied().fold(1.0, f64::max);
    let mut text = frame("properties decided", "seconds");
    for decade in decades(longest) {
        let y = HEIGHT - MARGIN - scale(decade, longest) * (HEIGHT - 2.0 * MARGIN);
        line(&mut text, (MARGIN, y), (WIDTH - MARGIN, y), "#dddddd");
        label(&mut text, (MARGIN - 6.0, y + 4.0), "end", &format!("{decade}"));
    }
    for part in 0..=4 {
        let x = MARGIN + f64::from(part) / 4.0 * (WIDTH - 2.0 * MARGIN);
        label(
            &mut text,
            (x, HEIGHT - MARGIN + 16.0),
            "middle",
            &(most * part as usize / 4).to_string(),
        );
    }
    for (at, ((name, _), times)) in sets.iter().zip(&all).enumerate() {
        let colour = COLOURS[at % COLOURS.len()];
        let mut points = String::new();
        for (count, time) in times.iter().enumerate() {
            let x = MARGIN + (count + 1) as f64 / most as f64 * (WIDTH - 2.0 * MARGIN);
            let y = HEIGHT - MARGIN - scale(*time, longest) * (HEIGHT - 2.0 * MARGIN);
            let _ = write!(points, "{x:.1},{y:.1} ");
        }
        let _ = writeln!(
            text,
            "<polyline points=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>"
        );
        let y = MARGIN + 16.0 * at as f64;
        line(&mut text, (MARGIN + 10.0, y), (MARGIN + 34.0, y), colour);
        label(&mut text, (MARGIN + 40.0, y + 4.0), "start", &format!("{name} ({})", times.len()));
    }
    text.push_str("</svg>\n");
    text
}

/// The times of two sets for each property that one of them decides; what is not decided is at the edge.
pub fn scatter(first: &(String, Vec<Record>), second: &(String, Vec<Record>)) -> String {
    let times = |records: &[Record]| -> BTreeMap<(String, String), f64> {
        let rows = records.iter().flat_map(Record::rows).filter(Row::is_decided);
        rows.map(|row| ((row.file.to_owned(), row.property.to_owned()), row.seconds.max(LEAST)))
            .collect()
    };
    let (left, right) = (times(&first.1), times(&second.1));
    let longest = left.values().chain(right.values()).copied().fold(1.0, f64::max) * 2.0;
    let mut text = frame(&format!("{}, seconds", first.0), &format!("{}, seconds", second.0));
    let x = |time: f64| MARGIN + scale(time, longest) * (WIDTH - 2.0 * MARGIN);
    let y = |time: f64| HEIGHT - MARGIN - scale(time, longest) * (HEIGHT - 2.0 * MARGIN);
    for decade in decades(longest) {
        line(&mut text, (MARGIN, y(decade)), (WIDTH - MARGIN, y(decade)), "#dddddd");
        line(&mut text, (x(decade), MARGIN), (x(decade), HEIGHT - MARGIN), "#dddddd");
        label(&mut text, (MARGIN - 6.0, y(decade) + 4.0), "end", &format!("{decade}"));
        label(&mut text, (x(decade), HEIGHT - MARGIN + 16.0), "middle", &format!("{decade}"));
    }
    line(&mut text, (x(LEAST), y(LEAST)), (x(longest), y(longest)), "#aaaaaa");
    let mut names: Vec<&(String, String)> = left.keys().chain(right.keys()).collect();
    names.sort();
    names.dedup();
    for name in names {
        let at =
            |times: &BTreeMap<(String, String), f64>| times.get(name).copied().unwrap_or(longest);
        let (left, right) = (at(&left), at(&right));
        let title = printable(&format!("{} {}", name.0, name.1));
        let _ = writeln!(
            text,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\" fill=\"{}\" fill-opacity=\"0.6\"><title>{title}</title></circle>",
            x(left),
            y(right),
            COLOURS[0]
        );
    }
    text.push_str("</svg>\n");
    text
}

/// Where a time stands between the least and the longest, from 0 to 1.
fn scale(time: f64, longest: f64) -> f64 {
    (time / LEAST).ln() / (longest / LEAST).ln()
}

fn decades(longest: f64) -> Vec<f64> {
    let all = [0.01, 0.1, 1.0, 10.0, 100.0, 1000.0, 10000.0];
    all.into_iter().filter(|decade| *decade <= longest).collect()
}

fn frame(below: &str, beside: &str) -> String {
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n"
    );
    let _ = writeln!(
        text,
        "<rect x=\"{MARGIN}\" y=\"{MARGIN}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#888888\"/>",
        WIDTH - 2.0 * MARGIN,
        HEIGHT - 2.0 * MARGIN
    );
    label(&mut text, (WIDTH / 2.0, HEIGHT - 16.0), "middle", below);
    let (x, y) = (16.0, HEIGHT / 2.0);
    let beside = printable(beside);
    let _ = writeln!(
        text,
        "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\" transform=\"rotate(-90 {x} {y})\">{beside}</text>"
    );
    text
}

fn line(text: &mut String, from: (f64, f64), to: (f64, f64), colour: &str) {
    let _ = writeln!(
        text,
        "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"{colour}\"/>",
        from.0, from.1, to.0, to.1
    );
}

fn label(text: &mut String, at: (f64, f64), anchor: &str, words: &str) {
    let words = printable(words);
    let _ = writeln!(
        text,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\">{words}</text>",
        at.0, at.1
    );
}

fn printable(text: &str) -> String {
    super::junit::escaped(text)
}

#[cfg(test)]
mod tests {
    use super::super::tests::records;
    use super::*;

    #[test]
    fn a_curve_has_a_point_for_each_decided_property() {
        let text = cactus(&[("one".to_owned(), records()), ("two".to_owned(), Vec::new())]);
        let points = text.lines().find(|line| line.starts_with("<polyline")).expect("a curve");
        assert_eq!(points.matches(',').count(), 2, "{points}");
        assert!(text.contains("one (2)") && text.contains("two (0)"), "{text}");
    }

    #[test]
    fn what_one_set_does_not_decide_is_at_the_edge() {
        let text = scatter(&("one".to_owned(), records()), &("two".to_owned(), Vec::new()));
        assert_eq!(text.matches("<circle").count(), 2);
        assert!(text.contains(&format!("cy=\"{MARGIN:.1}\"")), "{text}");
    }
}
