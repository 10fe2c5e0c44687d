//! The page that lists the pages of several files.

use super::{STYLE, escape};
use crate::summary::{Became, FileLine, totals};
use crate::text::seconds;
use std::fmt::Write;

/// The list as HTML. A page's address is taken relative to the list's: a folder per file.
pub fn index(files: &[FileLine]) -> String {
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>{} – alphorn</title><style>\n{STYLE}</style></head><body>\n\
         <header><h1>{}</h1></header>\n<section><table>\
         <tr><th>verdict</th><th>file</th><th></th><th>time</th></tr>\n",
        totals(files),
        totals(files)
    );
    for line in files {
        let class = match line.verdict {
            Became::Safe => "safe",
            Became::Unsafe | Became::Error => "unsafe",
            Became::Unknown => "unknown",
        };
        let file = match line.page.as_deref().and_then(relative) {
            Some(page) => format!("<a href=\"{}\">{}</a>", address(&page), escape(&line.file)),
            None => escape(&line.file),
        };
        let _ = writeln!(
            out,
            "<tr><td><span class=\"verdict {class}\">{}</span></td><td>{file}</td>\
             <td>{}</td><td>{}</td></tr>",
            line.verdict.human(),
            escape(&line.detail),
            seconds(line.milliseconds)
        );
    }
    out.push_str("</table></section></body></html>\n");
    out
}

/// The last folder and the name of a page.
fn relative(page: &str) -> Option<String> {
    let mut parts = page.rsplit(['/', '\\']);
    let (name, folder) = (parts.next()?, parts.next()?);
    Some(format!("{folder}/{name}"))
}

/// A path as an address: everything that is not plain is written by its bytes.
fn address(path: &str) -> String {
    let mut out = String::new();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'/' => {
                out.push(char::from(byte));
            }
            byte => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_has_a_row_that_leads_to_its_page() {
        let line = |file: &str, verdict, page: Option<&str>| FileLine {
            file: file.to_owned(),
            verdict,
            properties: [1, 0, 0],
            detail: "a <detail>".to_owned(),
            milliseconds: 120,
            page: page.map(str::to_owned),
        };
        let page = index(&[
            line("a b.smt2", Became::Safe, Some("out/a b/report.html")),
            line("<x>.aag", Became::Error, None),
        ]);
        assert!(page.contains("<a href=\"a%20b/report.html\">a b.smt2</a>"), "{page}");
        assert!(page.contains("<td>&lt;x&gt;.aag</td>"), "{page}");
        assert!(page.contains("2 files, 1 safe, 1 error"), "{page}");
        assert!(!page.contains("<detail>"));
    }
}
