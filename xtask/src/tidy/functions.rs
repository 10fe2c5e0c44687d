//! Long functions, which must say why they are long.
//!
//! A function of more than [`MAX_LINES`] lines is split, or its comment has the word *long* with the reason, such
//! as one match over all kinds of something. A function begins with the line of its `fn` and ends, as formatted
//! code has it, with the first closing brace of the same indentation. Tests are functions, too.

use super::code::{Split, has_word, split};
use super::{File, Violation};

/// The most lines of a function that says nothing about its length.
pub const MAX_LINES: usize = 100;

/// Reports functions of a Rust file that are long without a reason.
pub fn check(file: &File, violations: &mut Vec<Violation>) {
    if !file.path.ends_with(".rs") {
        return;
    }
    let split = split(&file.text);
    for begin in 0..split.code.len() {
        let Some(name) = name(&split.code[begin]) else { continue };
        let length = length(&split.code[begin..]);
        if length > MAX_LINES && !says_why(&split, begin) {
            let sentence = format!(
                "`{name}` has {length} lines; split it, or let its comment say why it is long"
            );
            violations.push(Violation::new(&file.path, begin + 1, sentence));
        }
    }
}

/// The name of the function that begins in a line of code.
fn name(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace();
    let is_before = |word: &&str| {
        word.starts_with("pub")
            || ["const", "async", "unsafe", "in"].contains(word)
            || word.ends_with(')') && line.trim_start().starts_with("pub(in ")
    };
    let first = words.find(|word| !is_before(word))?;
    let end = |c: char| !c.is_alphanumeric() && c != '_';
    words.next().filter(|_| first == "fn")?.split(end).next()
}

/// The lines of the function that begins in the first line, one if it has no body.
fn length(lines: &[String]) -> usize {
    let opens =
        lines.iter().map(|line| line.trim_end()).find(|line| line.ends_with(['{', '}', ';']));
    if !opens.is_some_and(|line| line.ends_with('{')) {
        return 1;
    }
    let indentation = lines[0].len() - lines[0].trim_start().len();
    let closing = format!("{}}}", &lines[0][..indentation]);
    lines.iter().position(|line| line.trim_end() == closing).map_or(1, |end| end + 1)
}

/// Whether the comment above the function that begins in this line says why it is long.
fn says_why(split: &Split, begin: usize) -> bool {
    let above = (0..begin).rev().take_while(|&line| {
        !split.comments[line].trim().is_empty() || split.code[line].trim_start().starts_with("#[")
    });
    above.into_iter().any(|line| has_word(&split.comments[line].to_lowercase(), "long"))
}
