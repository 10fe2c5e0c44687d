//! Splits Rust text into code and comments, so that rules about words see the right ones.
//!
//! A scanner for the few tokens in which other words may hide: comments, strings, characters. In
//! the code, comments and the contents of strings are blank; in the comments, all else is. Lines
//! stay where they were. Malformed text gives some split or other: the compiler complains anyway.

/// Rust text, split.
pub struct Split {
    /// The lines with comments and contents of strings blanked out.
    pub code: Vec<String>,
    /// The lines with everything but comments blanked out.
    pub comments: Vec<String>,
}

#[derive(Clone, Copy)]
enum Token {
    Code,
    Comment,
    Quoted,
}

/// Splits `text`.
pub fn split(text: &str) -> Split {
    let (mut code, mut comments) = (String::new(), String::new());
    let mut rest = text;
    let mut previous = ' ';
    while let Some(first) = rest.chars().next() {
        let (token, length) = token(rest, first, previous);
        let (now, later) = rest.split_at(length);
        for c in now.chars() {
            let blank = if c == '\n' { '\n' } else { ' ' };
            code.push(if matches!(token, Token::Code) { c } else { blank });
            comments.push(if matches!(token, Token::Comment) { c } else { blank });
        }
        previous = now.chars().next_back().unwrap_or(' ');
        rest = later;
    }
    let lines = |text: String| text.lines().map(str::to_owned).collect();
    Split { code: lines(code), comments: lines(comments) }
}

/// The kind and the length of the token that `rest` begins with; `first` is its first character.
fn token(rest: &str, first: char, previous: char) -> (Token, usize) {
    let until = |end: &str, from: usize| {
        let at = rest.get(from..).and_then(|later| later.find(end));
        at.map_or(rest.len(), |at| from + at + end.len())
    };
    if rest.starts_with("//") {
        return (Token::Comment, rest.find('\n').unwrap_or(rest.len()));
    }
    if rest.starts_with("/*") {
        return (Token::Comment, block_comment(rest));
    }
    if first == '"' {
        return (Token::Quoted, string(rest));
    }
    if first == 'r' && (previous == 'b' || !is_word(previous)) {
        let hashes = rest[1..].len() - rest[1..].trim_start_matches('#').len();
        if rest[1 + hashes..].starts_with('"') {
            let end = format!("\"{}", "#".repeat(hashes));
            return (Token::Quoted, until(&end, 2 + hashes));
        }
    }
    if first == '\'' {
        // A lifetime has no quote after its first character; a character always has one.
        let mut chars = rest.char_indices().skip(1);
        match chars.next() {
            Some((_, '\\')) => return (Token::Quoted, until("'", 3)),
            Some(_) if chars.next().is_some_and(|(_, c)| c == '\'') => {
                return (Token::Quoted, until("'", 1));
            }
            _ => {}
        }
    }
    (Token::Code, first.len_utf8())
}

/// The length of the block comment at the beginning; they nest.
fn block_comment(rest: &str) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while at < rest.len() {
        match &rest.as_bytes()[at..] {
            [b'/', b'*', ..] => (depth, at) = (depth + 1, at + 2),
            [b'*', b'/', ..] => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            break;
        }
    }
    at
}

/// The length of the string at the beginning.
fn string(rest: &str) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// Whether a word may contain `c`.
fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Whether `word` stands in `line`, not as a part of a longer word.
pub fn has_word(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back().is_some_and(is_word);
        let after = line[at + word.len()..].chars().next().is_some_and(is_word);
        let (begins, ends) = (word.starts_with(is_word), word.ends_with(is_word));
        !(before && begins || after && ends)
    })
}
