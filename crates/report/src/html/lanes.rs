//! A run with threads: a column for each thread, from the top to the bottom in the order of the run.

use super::{Lanes, Section, escape};
use std::fmt::Write;

/// The section of the lanes, if there are any.
pub(super) fn lanes(out: &mut String, section: &Section) {
    let Some(Lanes { threads, rows }) = &section.lanes else { return };
    out.push_str("<section><h2>The threads</h2><table><tr><th class=\"number\">line");
    for thread in threads {
        let _ = write!(out, "<th>{}", escape(thread));
    }
    for row in rows {
        let _ = write!(out, "<tr><td class=\"number\">{}", row.line);
        for thread in 0..threads.len() as u32 {
            if thread != row.thread {
                out.push_str("<td>");
                continue;
            }
            let _ = write!(out, "<td><code>{}</code>", escape(&row.text));
            if !row.values.is_empty() {
                let _ = write!(out, " <em>{}</em>", escape(&row.values));
            }
        }
    }
    out.push_str("</table></section>");
}
