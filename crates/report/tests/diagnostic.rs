//! How diagnostics look, on text, on long lines and on bytes that are not text.

use alphorn_front::{Code, Diagnostic};
use alphorn_problem::Span;
use alphorn_report::diagnostic::{Located, render};

#[track_caller]
fn check(source: &[u8], start: usize, end: usize, expected: &str) {
    let diagnostic =
        Diagnostic::error(Code::SmtUndeclared, Span::new(start, end), "the symbol is not declared")
            .hint("declare it first");
    let text = render(&Located::new(&diagnostic, "in.smt2", source), false);
    assert_eq!(text.trim_end(), expected.trim_matches('\n'), "\n{text}");
}

#[test]
fn a_line_with_a_mark() {
    let expected = "
error[S004]: the symbol is not declared
 --> in.smt2:2:9
  |
2 | (assert foo)
  |         ^^^
  = help: declare it first";
    check(b"(set-logic HORN)\n(assert foo)\n(check-sat)\n", 25, 28, expected);
}

#[test]
fn the_end_of_the_file() {
    let expected = "
error[S004]: the symbol is not declared
 --> in.smt2:1:5
  |
1 | (abc
  |     ^
  = help: declare it first";
    check(b"(abc", 4, 4, expected);
}

#[test]
fn bytes_that_are_no_text_are_not_shown() {
    let expected = "
error[S004]: the symbol is not declared
 --> in.smt2:1:3
  = help: declare it first";
    check(b"\x00\x01\x02\x03", 2, 3, expected);
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
