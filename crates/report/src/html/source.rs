//! The source of a program, with invariants where they hold or the values of a run beside its lines.

use super::{Section, SourceKind, escape};
use std::fmt::Write;

/// The section of the source, if there is one.
pub(super) fn source(out: &mut String, section: &Section) {
    if section.source.is_empty() {
        return;
    }
    out.push_str("<section><h2>The program</h2><pre>");
    for line in &section.source {
        let number = line.number.map_or(String::new(), |number| number.to_string());
        let text = escape(&line.text);
        let text = match line.kind {
            SourceKind::Plain => text.to_string(),
            SourceKind::NotPassed => format!("<span style=\"opacity:0.45\">{text}</span>"),
            SourceKind::Violation => format!("<strong>{text}</strong>"),
            SourceKind::Formula => format!("<em>{text}</em>"),
        };
        let beside = match line.beside.is_empty() {
            true => String::new(),
            false => format!("    <em>// {}</em>", escape(&line.beside)),
        };
        let _ = writeln!(out, "{number:>5}  {text}{beside}");
    }
    out.push_str("</pre></section>");
}
