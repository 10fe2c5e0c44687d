//! C programs with other names in them: names of the program get numbers, comments and texts go.
//!
//! Names that have a meaning of their own stay: keywords, what the built-in headers declare, `main`, names that begin with two
//! underscores, and the words of verifiers. Texts keep their lengths. Marks of other files and lines go.

use super::lex::{Lexer, Raw, RawKind};
use super::preprocess::header_texts;
use super::token::Symbols;
use crate::anonymous::Names;
use std::collections::BTreeSet;

/// Words that mean something to us, or in attributes.
const KEPT: &[&str] = &[
    "main",
    "reach_error",
    "ERROR",
    "defined",
    "noreturn",
    "nothrow",
    "leaf",
    "packed",
    "aligned",
    "unused",
    "always_inline",
    "pure",
    "const",
    "format",
    "printf",
    "nonnull",
    "malloc",
];

/// Directives that stay; what others say is for people.
const DIRECTIVES: &[&str] =
    &["define", "undef", "if", "ifdef", "ifndef", "elif", "else", "endif", "include"];

/// The program with numbers for names, and what became of the names.
pub fn anonymous(bytes: &[u8]) -> Result<(String, Names), String> {
    let mut symbols = Symbols::default();
    let keywords = symbols.count();
    let known = known(&mut symbols);
    let (tokens, mut names, mut out) =
        (tokens(bytes, &mut symbols), Names::default(), String::new());
    for line in tokens.chunk_by(|_, next| !next.is_first) {
        let spelled = |raw: &Raw| &bytes[raw.start as usize..raw.end as usize];
        let is_directive = spelled(&line[0]) == b"#";
        let mut kept = Vec::new();
        if is_directive {
            let word = line.get(1).map(|raw| String::from_utf8_lossy(spelled(raw)).into_owned());
            let Some(word) = word.filter(|word| DIRECTIVES.contains(&word.as_str())) else {
                continue;
            };
            if word == "include" {
                let is_quoted = line.get(2).is_none_or(|raw| spelled(raw) != b"<");
                if is_quoted {
                    return Err("it includes a file of yours; preprocess it first".to_owned());
                }
                kept = line[2..].to_vec();
            }
            out.push_str(&format!("#{word}"));
            if !kept.is_empty() {
                out.push(' ');
            }
        }
        if !kept.is_empty() {
            kept.iter().for_each(|raw| out.push_str(&String::from_utf8_lossy(spelled(raw))));
        } else {
            for raw in &line[if is_directive { 2.min(line.len()) } else { 0 }..] {
                if raw.is_spaced && !raw.is_first {
                    out.push(' ');
                }
                let text = String::from_utf8_lossy(spelled(raw));
                match raw.kind {
                    RawKind::Name(symbol)
                        if (symbol.0 as usize) >= keywords
                            && !text.starts_with("__")
                            && !known.contains(&*text) =>
                    {
                        names.give(&text);
                        out.push_str(&names.of(&text).unwrap_or_default());
                    }
                    RawKind::Text(_) => out.push_str(&blank(&text)),
                    _ => out.push_str(&text),
                }
            }
        }
        out.push('\n');
    }
    Ok((out, names))
}

/// All words of the built-in headers, and those that mean something to us.
fn known(symbols: &mut Symbols) -> BTreeSet<String> {
    let mut known: BTreeSet<String> = KEPT.iter().map(|&word| word.to_owned()).collect();
    for text in header_texts() {
        for raw in tokens(text.as_bytes(), symbols) {
            known.insert(text[raw.start as usize..raw.end as usize].to_owned());
        }
    }
    known
}

fn tokens(bytes: &[u8], symbols: &mut Symbols) -> Vec<Raw> {
    let (mut lexer, mut tokens) = (Lexer::new(bytes), Vec::new());
    loop {
        let raw = lexer.next_token(symbols);
        if raw.kind == RawKind::End {
            return tokens;
        }
        tokens.push(raw);
    }
}

/// A text of the same length that says nothing.
fn blank(text: &str) -> String {
    let (mut out, mut letters) = (String::new(), text.chars());
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => {
                out.push('\\');
                out.extend(letters.next());
            }
            'a'..='z' | 'A'..='Z' if !out.is_empty() => out.push('a'),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::anonymous;

    #[test]
    fn names_of_the_program_get_numbers_and_those_of_the_language_stay() {
        let text = "// the vault\n#include <assert.h>\n# 7 \"src/vault.c\"\n#define GOLD 3 /* bars */\n\
            extern int __VERIFIER_nondet_int(void);\nint main(void) {\n  int bars = __VERIFIER_nondet_int();\n  \
            const char *who = \"me\\n\";\n  assert(bars != GOLD);\n  return 0;\n}\n";
        let (text, names) = anonymous(text.as_bytes()).expect("it is a program");
        for word in ["vault", "GOLD", "bars", "who", "me"] {
            assert!(!text.contains(word), "{word} in {text}");
        }
        assert!(text.contains("#include <assert.h>\n#define n1 3\n"), "{text}");
        assert!(text.contains("assert(n2 != n1);") && text.contains("\"aa\\n\""), "{text}");
        assert_eq!(names.of("bars").as_deref(), Some("n2"));
    }

    #[test]
    fn a_file_that_includes_another_is_refused() {
        assert!(anonymous(b"#include \"own.h\"\nint main(void) { return 0; }").is_err());
    }
}
