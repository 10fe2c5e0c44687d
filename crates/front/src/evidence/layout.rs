//! Long terms over several lines.
//!
//! What fits into a line stays on one; of what does not, every argument gets a line of its own,
//! two columns further in. The body of a `let` stands below it and not further in, since lets come
//! in long chains. Only white space is changed, so the text means the same.

/// Where lines should end.
const WIDTH: usize = 98;
/// Text that is nested more deeply is not moved further in.
const MAX_INDENT: usize = 60;

enum Task {
    /// A piece of the text, to be broken if it is too long for what is left of the line.
    Piece {
        start: usize,
        end: usize,
        indent: usize,
    },
    /// A line break and so many spaces.
    Break(usize),
    Text(&'static str),
}

/// Appends `text`, a term without line breaks of its own, `indent` columns from the left.
pub fn lay_out(out: &mut String, text: &str, indent: usize) {
    let ends = ends(text);
    let mut tasks = vec![Task::Piece { start: 0, end: text.len(), indent }];
    while let Some(task) = tasks.pop() {
        match task {
            Task::Break(indent) => {
                out.push('\n');
                out.extend(std::iter::repeat_n(' ', indent.min(MAX_INDENT)));
            }
            Task::Text(text) => out.push_str(text),
            Task::Piece { start, end, indent } => {
                let piece = &text[start..end];
                if piece.len() + indent.min(MAX_INDENT) <= WIDTH || !piece.starts_with('(') {
                    out.push_str(piece);
                    continue;
                }
                let parts = parts(text, start, end, &ends);
                let is_let = parts.first().is_some_and(|&(s, e)| &text[s..e] == "let");
                out.push('(');
                let mut inner = Vec::with_capacity(2 * parts.len() + 1);
                for (position, &(start, end)) in parts.iter().enumerate() {
                    let indent = match (is_let, position) {
                        (true, 2) => indent,
                        (true, 1) => indent + 5,
                        _ => indent + 2,
                    };
                    if is_let && position == 1 {
                        // A binding stands beside its `let`.
                        inner.push(Task::Text(" "));
                    } else if position > 0 {
                        inner.push(Task::Break(indent));
                    }
                    inner.push(Task::Piece { start, end, indent });
                }
                inner.push(Task::Text(")"));
                tasks.extend(inner.into_iter().rev());
            }
        }
    }
}

/// For every opening parenthesis the position after its closing one.
fn ends(text: &str) -> Vec<(usize, usize)> {
    let (mut open, mut ends) = (Vec::new(), Vec::new());
    scan(text, |at, byte| match byte {
        b'(' => open.push(at),
        b')' => ends.extend(open.pop().map(|start| (start, at + 1))),
        _ => {}
    });
    ends.sort_unstable();
    ends
}

/// Calls `found` for every parenthesis outside of quotes.
fn scan(text: &str, mut found: impl FnMut(usize, u8)) {
    let mut quote: Option<u8> = None;
    for (at, &byte) in text.as_bytes().iter().enumerate() {
        match (quote, byte) {
            (Some(end), _) if byte == end => quote = None,
            (Some(_), _) => {}
            (None, b'|' | b'"') => quote = Some(byte),
            (None, b'(' | b')') => found(at, byte),
            _ => {}
        }
    }
}

/// The members of the list from `start` to `end`.
fn parts(text: &str, start: usize, end: usize, ends: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let bytes = text.as_bytes();
    let (mut parts, mut at) = (Vec::new(), start + 1);
    while at + 1 < end {
        if bytes[at] == b' ' {
            at += 1;
            continue;
        }
        let stop = match bytes[at] {
            b'(' => match ends.binary_search_by_key(&at, |&(open, _)| open) {
                Ok(found) => ends[found].1,
                Err(_) => end - 1,
            },
            quote @ (b'|' | b'"') => {
                let rest = &bytes[at + 1..end - 1];
                rest.iter().position(|&b| b == quote).map_or(end - 1, |length| at + length + 2)
            }
            _ => {
                let rest = &bytes[at..end - 1];
                rest.iter().position(|b| b" ()".contains(b)).map_or(end - 1, |length| at + length)
            }
        };
        parts.push((at, stop));
        at = stop;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn laid_out(text: &str) -> String {
        let mut out = String::new();
        lay_out(&mut out, text, 2);
        assert_eq!(
            out.split_whitespace().collect::<Vec<_>>(),
            text.split_whitespace().collect::<Vec<_>>(),
            "only white space changes"
        );
        out
    }

    #[test]
    fn short_terms_stay_on_a_line() {
        assert_eq!(laid_out("(and (<= x 5) p)"), "(and (<= x 5) p)");
    }

    #[test]
    fn long_terms_have_a_line_for_each_argument() {
        let parts: Vec<String> = (0..20).map(|n| format!("(<= |a ( b{n}| {n})")).collect();
        let out = laid_out(&format!("(and {})", parts.join(" ")));
        assert_eq!(out.lines().count(), 21);
        assert_eq!(out.lines().nth(1), Some("    (<= |a ( b0| 0)"));
    }

    #[test]
    fn chains_of_lets_do_not_move_in() {
        let text =
            format!("{}true{}", "(let ((a!1 (or some words here))) ".repeat(50), ")".repeat(50));
        let out = laid_out(&text);
        assert!(out.lines().count() > 40, "{out}");
        assert!(out.lines().all(|line| !line.starts_with("   ")), "{out}");
    }
}
