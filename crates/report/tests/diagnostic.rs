//! How diagnostics look, on text, on long lines and on bytes that are not text.

use alphorn_front::{Code, Diagnostic};
use alphorn_problem::Span;
use alphorn_report::diagnostic::{Located, render};

#[track_caller]
fn check(source: &[u8], start: usize, end: usize, shown: &str) {
    let diagnostic =
        Diagnostic::error(Code::SmtUndeclared, Span::new(start, end), "the symbol is not declared")
            .hint("declare it first");
    let text = render(&Located::new(&diagnostic, "in.smt2", source), false);
    let expected = format!(
        "error[S004]: the symbol is not declared\n --> in.smt2:{shown}\n  = help: declare it first"
    );
    assert_eq!(text.trim_end(), expected, "\n{text}");
}

#[test]
fn a_line_with_a_mark() {
    let shown = "2:9\n  |\n2 | (assert foo)\n  |         ^^^";
    check(b"(set-logic HORN)\n(assert foo)\n(check-sat)\n", 25, 28, shown);
}

#[test]
fn the_end_of_the_file() {
    check(b"(abc", 4, 4, "1:5\n  |\n1 | (abc\n  |     ^");
}

#[test]
fn bytes_that_are_no_text_are_not_shown() {
    check(b"\x00\x01\x02\x03", 2, 3, "1:3");
}

#[test]
fn only_a_window_of_a_long_line_is_shown() {
    let mut source = vec![b' '; 100_000];
    source[50_000..50_003].copy_from_slice(b"foo");
    let diagnostic = Diagnostic::error(Code::SmtLex, Span::new(50_000, 50_003), "odd");
    let text = render(&Located::new(&diagnostic, "in", &source), false);
    assert!(text.contains("in:1:50001"), "{text}");
    assert!(text.contains("foo"), "{text}");
    assert!(text.lines().all(|line| line.len() < 200), "{text}");
}
