//! Where the time went: phases, engines, and their numbers over time.
//!
//! A run that was over in less than a second is folded: nobody asks where the time went. An engine has
//! the same colour in the table and in every drawing.

use super::{Section, counted, duration, escape, frames, palette, plot};
use crate::timeline::{EngineLine, Series};
use std::fmt::Write;

/// Runs that took less are folded, in milliseconds.
const SHORT: u64 = 1000;

/// What the engines did.
pub(super) fn engines(out: &mut String, section: &Section) {
    let answer = &section.answer;
    if answer.attempts.is_empty() && answer.phases.is_empty() {
        return;
    }
    let open = if answer.milliseconds < SHORT { "" } else { " open" };
    let _ = write!(
        out,
        "<section><details{open}><summary><h2>Where the time went</h2> <span class=\"faint\">{}, \
         {}</span></summary>",
        duration(answer.milliseconds),
        counted(answer.attempts.len(), "engine")
    );
    let most = answer.attempts.iter().map(|attempt| attempt.milliseconds);
    let most = most.chain(answer.phases.iter().map(|p| p.milliseconds)).max().unwrap_or(0).max(1);
    let bar = |milliseconds: u64| format!("{:.1}", 100.0 * milliseconds as f64 / most as f64);
    out.push_str(
        "<div class=\"scroll\"><table><tr><th>phase<th class=\"number\">time<th class=\"bar\"></tr>",
    );
    for phase in &answer.phases {
        let _ = write!(
            out,
            "<tr><td>{}<td class=\"number\">{}<td class=\"bar\"><span style=\"width:{}%\"></span></tr>",
            escape(phase.name),
            duration(phase.milliseconds),
            bar(phase.milliseconds)
        );
    }
    out.push_str("</table></div>");
    if !answer.attempts.is_empty() {
        out.push_str(
            "<h3>Engines</h3><div class=\"scroll\"><table class=\"engines\"><tr><th>engine<th>how it ended\
             <th class=\"number\">depth<th class=\"number\">lemmas<th class=\"number\">ticks\
             <th class=\"number\">time<th class=\"bar\"></tr>",
        );
        for (at, attempt) in answer.attempts.iter().enumerate() {
            let number =
                |value: Option<u64>| value.map_or(String::new(), |value| value.to_string());
            let is_first = answer.engine.as_deref() == Some(&attempt.engine);
            let _ = write!(
                out,
                "<tr{}><td class=\"name\"><i class=\"swatch c{}\"></i>{}<td>{}<td class=\"number\">{}\
                 <td class=\"number\">{}<td class=\"number\">{}<td class=\"number\">{}\
                 <td class=\"bar\"><span style=\"width:{}%\"></span></tr>",
                if is_first { " class=\"first\"" } else { "" },
                at % palette::LIGHT.len(),
                escape(&attempt.engine),
                escape(&attempt.ended),
                number(attempt.bound),
                number(attempt.lemmas),
                attempt.ticks,
                duration(attempt.milliseconds),
                bar(attempt.milliseconds)
            );
        }
        out.push_str("</table></div>");
    }
    plots(out, section);
    out.push_str("</details></section>\n");
}

/// The position of an engine in the table, which gives its colour; after the table for those not in it.
fn position(section: &Section, at: usize, line: &EngineLine) -> usize {
    let attempts = &section.answer.attempts;
    let found = attempts.iter().position(|attempt| attempt.engine == line.engine);
    found.unwrap_or(attempts.len() + at)
}

fn plots(out: &mut String, section: &Section) {
    let engines = &section.timeline.engines;
    let end = section.answer.attempts.iter().map(|attempt| attempt.milliseconds).max().unwrap_or(0);
    let series = |of: fn(&EngineLine) -> &Series| -> Vec<(usize, &str, &Series)> {
        let line = |(at, line)| -> (usize, &str, &Series) {
            let line: &EngineLine = line;
            (position(section, at, line), line.engine.as_str(), of(line))
        };
        engines.iter().enumerate().map(line).collect()
    };
    let all = [
        ("Depth without a counterexample", series(|line| &line.bound)),
        ("Lemmas", series(|line| &line.lemmas)),
        ("States or facts seen", series(|line| &line.seen)),
    ];
    let figure =
        |title: &str, drawing: String| format!("<figure><h3>{title}</h3>{drawing}</figure>");
    let mut drawn: Vec<String> = (all.iter())
        .filter_map(|(title, lines)| Some(figure(title, plot::plot(title, lines, end)?)))
        .collect();
    for (at, line) in engines.iter().enumerate() {
        let title = format!("Lemmas per level at the end: {}", escape(&line.engine));
        let position = position(section, at, line);
        drawn.extend(frames::frames(position, line).map(|drawing| figure(&title, drawing)));
    }
    if !drawn.is_empty() {
        let _ = write!(out, "<div class=\"plots\">{}</div>", drawn.concat());
    }
}
