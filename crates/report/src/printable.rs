//! Text from outside, made fit for a terminal.
//!
//! Names, `echo`, file names and messages quote files, and a file may hold anything: an escape
//! sequence that repaints the line above, a carriage return, a character that turns the direction of
//! reading. Such characters are shown as Rust would write them (`\u{1b}`, `\r`) and do nothing.
//!
//! Invariant: everything that is printed goes through one of these functions. What comes out has no
//! control character except line breaks and tabs where `text` is used, and nothing that reorders what is
//! read. The characters are those of general category Cc, the bidirectional controls of UAX #9 and the
//! line and paragraph separators.

use std::borrow::Cow;

/// Whether a character acts on the reader's screen and not only in it.
pub fn is_active(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        )
}

fn replace(text: &str, is_meant: fn(char) -> bool) -> Cow<'_, str> {
    let is_shown = |c: char| !is_active(c) || is_meant(c);
    if text.chars().all(is_shown) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match (is_shown(c), c) {
            (true, c) => out.push(c),
            (false, '\t' | '\r' | '\n') => out.extend(c.escape_default()),
            (false, c) => out.extend(c.escape_unicode()),
        }
    }
    Cow::Owned(out)
}

/// Text that stays on its line.
pub fn line(text: &str) -> Cow<'_, str> {
    replace(text, |_| false)
}

/// Text that may have several lines.
pub fn text(text: &str) -> Cow<'_, str> {
    replace(text, |c| c == '\n' || c == '\t')
}

/// JSON that means the same: what acts stands only in strings, where it can be written as `\u001b`.
pub fn json(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_active) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match is_active(c) && c != '\n' {
            // All of them are in the first plane.
            true => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            false => out.push(c),
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_repaints_or_reorders_is_shown_instead() {
        let name = "b\u{1b}[1A\u{1b}[2K\ry.aag: SAFE\u{7f}\u{9b}2J\u{202e}x\u{2066}";
        let shown = line(name);
        let expected = "b\\u{1b}[1A\\u{1b}[2K\\ry.aag: SAFE\\u{7f}\\u{9b}2J\\u{202e}x\\u{2066}";
        assert_eq!(shown, expected);
        assert_eq!(text(name), expected);
    }

    #[test]
    fn every_control_character_is_shown() {
        for c in (0..0x11_0000).filter_map(char::from_u32).filter(|c| is_active(*c)) {
            let one = line(&format!("a{c}b")).into_owned();
            assert!(!one.chars().any(is_active), "{:?}", c);
            let json = json(&format!("\"{}\"", c)).into_owned();
            assert!(c == '\n' || !json.chars().any(is_active), "{c:?}");
        }
    }

    #[test]
    fn letters_of_all_scripts_stay() {
        let name = "größe 寸法 عرض └ … “x” 👍";
        assert!(matches!(line(name), Cow::Borrowed(same) if same == name));
    }

    #[test]
    fn lines_stay_where_there_may_be_several() {
        assert_eq!(text("a\n\tb\r\n"), "a\n\tb\\r\n");
        assert_eq!(line("a\nb"), "a\\nb");
    }

    #[test]
    fn json_means_the_same() {
        let value = serde_json::json!({ "name": "a\u{1b}\u{9b}\u{202e}\u{7f}\n" });
        let written = json(&value.to_string()).into_owned();
        assert!(!written.chars().any(is_active), "{written}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&written).ok(), Some(value));
    }
}
