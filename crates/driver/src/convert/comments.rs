//! Comments of a file: those at its head go with the problem, the others have no place to go to.
//!
//! The head of a file says where it comes from and whose it is. Further down a comment belongs to a
//! line that a conversion may not have. AIGER has one comment, at the end, which counts as the head.

use crate::convert::Target;
use crate::format::Format;
use crate::open::{AnyProblem, Opened};

/// What a file says in comments.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Comments {
    /// The lines at its head.
    pub(super) head: Vec<String>,
    /// How many comments there are elsewhere.
    pub(super) others: usize,
}

impl Comments {
    /// The comments of an opened file.
    pub(super) fn of(opened: &Opened) -> Comments {
        match (opened.format, &opened.problem) {
            (_, Some(AnyProblem::Circuit(circuit))) => {
                let text = String::from_utf8_lossy(&circuit.comments).into_owned();
                Comments { head: text.lines().map(plain).collect(), others: 0 }
            }
            (Some(Format::Btor2), _) => scan(&opened.bytes, false),
            (Some(Format::Prolog), _) => lines(&opened.bytes, b"%"),
            (Some(Format::Nts | Format::T2 | Format::Boogie), _) => lines(&opened.bytes, b"//"),
            (Some(Format::C), _) => in_c(&opened.bytes),
            _ => scan(&opened.bytes, true),
        }
    }

    /// The head as comment lines of a text format, in which `begin` starts a comment.
    pub(super) fn as_lines(&self, begin: &str) -> String {
        let line = |line: &String| format!("{begin} {line}").trim_end().to_owned() + "\n";
        self.head.iter().map(line).collect()
    }

    /// The head as the comment of an AIGER file.
    pub(super) fn as_section(&self) -> Vec<u8> {
        self.head.iter().flat_map(|line| [line.as_str(), "\n"].concat().into_bytes()).collect()
    }

    /// Puts the head before the text of a problem.
    pub(super) fn before(&self, text: String, target: Target) -> Vec<u8> {
        let gap = if self.head.is_empty() || target == Target::Btor2 { "" } else { "\n" };
        let begin = match target {
            Target::Prolog => "%",
            Target::T2 => "//",
            _ => ";",
        };
        (self.as_lines(begin) + gap + &text).into_bytes()
    }
}

/// A line without what would end it or play tricks on a terminal.
fn plain(line: &str) -> String {
    line.replace(|c: char| c.is_control() && c != '\t', " ").trim_end().to_owned()
}

/// The comments of a text in which a semicolon starts one; in SMT-LIB not within quotes and bars, in
/// BTOR2 at the beginning of a word only.
fn scan(bytes: &[u8], is_smtlib: bool) -> Comments {
    let mut comments = Comments::default();
    let mut is_head = true;
    let mut quote: Option<u8> = None;
    let mut at = 0;
    let mut before = b'\n';
    while let Some(&byte) = bytes.get(at) {
        let starts = is_smtlib || before.is_ascii_whitespace();
        match (quote, byte) {
            (Some(open), _) if byte == open => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'|') if is_smtlib => {
                (quote, is_head) = (Some(byte), false);
            }
            (None, b';') if starts => {
                let rest = &bytes[at..];
                let end = rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
                match is_head {
                    true => comments.head.push(text(&rest[1..end])),
                    false => comments.others += 1,
                }
                at += end;
                before = b'\n';
                continue;
            }
            _ => is_head &= byte.is_ascii_whitespace(),
        }
        before = byte;
        at += 1;
    }
    comments
}

/// The comments of a text in which they are lines of their own: those at the head, and how many others.
fn lines(bytes: &[u8], begin: &[u8]) -> Comments {
    let mut comments = Comments::default();
    let mut is_head = true;
    for line in bytes.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii) {
        match line.strip_prefix(begin) {
            Some(comment) if is_head => comments.head.push(text(comment)),
            Some(_) => comments.others += 1,
            None => is_head &= line.is_empty(),
        }
    }
    comments
}

/// The comments of a program in C, which are not within quotes.
fn in_c(bytes: &[u8]) -> Comments {
    let mut comments = Comments::default();
    let mut is_head = true;
    let mut at = 0;
    let length_to = |from: usize, end: &[u8]| {
        let rest = &bytes[from.min(bytes.len())..];
        rest.windows(end.len()).position(|part| part == end).unwrap_or(rest.len())
    };
    while let Some(&byte) = bytes.get(at) {
        let (end, after) = match (byte, bytes.get(at + 1)) {
            (b'/', Some(b'/')) => (at + 2 + length_to(at + 2, b"\n"), 0),
            (b'/', Some(b'*')) => (at + 2 + length_to(at + 2, b"*/"), 2),
            (b'"' | b'\'', _) => {
                at += 1;
                while bytes.get(at).is_some_and(|&other| other != byte && other != b'\n') {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                (at, is_head) = (at + 1, false);
                continue;
            }
            _ => {
                is_head &= byte.is_ascii_whitespace();
                at += 1;
                continue;
            }
        };
        match is_head {
            true => {
                let lines = bytes[at + 2..end].split(|&byte| byte == b'\n');
                let all = lines.map(|line| text(line.trim_ascii()));
                comments.head.extend(all.skip_while(|line| line.is_empty()));
            }
            false => comments.others += 1,
        }
        at = end + after;
    }
    comments
}

fn text(comment: &[u8]) -> String {
    let text = String::from_utf8_lossy(comment);
    plain(text.strip_prefix(' ').unwrap_or(&text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn semicolons_and_quotes_of_a_program_are_no_comments() {
        let found = in_c(b"/* one\n   two */\n// three\nint x; char *s = \"/* \\\" // \"; // a\nchar c = '\"'; /* b");
        let head = ["one", "two", "three"].map(str::to_owned).to_vec();
        assert_eq!(found, Comments { head, others: 2 });
        assert_eq!(in_c(b"int main(void) { return 0; }"), Comments::default());
        assert_eq!(in_c(b"/*").others, 0);
    }

    #[test]
    fn only_the_head_is_kept_and_the_others_are_counted() {
        let found = scan(b"; one\n;\n  ; two\r\n(set-info :a \"; no\") ; three\n|;|\n;four", true);
        let head = ["one", "", "two"].map(str::to_owned).to_vec();
        assert_eq!(found, Comments { head, others: 2 });
        let found = scan(b"; head\n1 sort bitvec 1\n2 state 1 a;b ; tail\n", false);
        assert_eq!(found, Comments { head: vec!["head".to_owned()], others: 1 });
    }

    #[test]
    fn a_comment_cannot_become_a_command() {
        let comments = Comments { head: vec![plain("a\u{1b}[2J\r(exit)")], others: 0 };
        assert_eq!(comments.as_lines(";"), "; a [2J (exit)\n");
    }
}
