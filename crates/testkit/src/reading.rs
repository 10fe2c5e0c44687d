//! What is asked of every reader of texts: that it complains where and how it should, and that damaged
//! texts are read or complained of, with places inside the text.

use crate::Rng;
use alphorn_front::{Code, Diagnostics};

/// What a reader makes of a text.
type Read<T> = (Option<T>, Diagnostics);

/// Expects just these complaints, each with its code, the text at its place, and words of what it says;
/// and nothing read exactly where there are errors among them.
#[track_caller]
pub fn complains<T>((read, diagnostics): Read<T>, text: &str, expected: &[(Code, &str, &str)]) {
    let found: Vec<String> = diagnostics.list.iter().map(|d| format!("{d:?}")).collect();
    assert_eq!(diagnostics.list.len(), expected.len(), "{text}\n{found:#?}");
    for (diagnostic, &(code, place, words)) in diagnostics.list.iter().zip(expected) {
        assert_eq!(diagnostic.code, code, "{text}\n{found:#?}");
        let (start, end) = (diagnostic.span.start as usize, diagnostic.span.end as usize);
        assert_eq!(&text[start..end], place, "{text}\n{found:#?}");
        let said = format!("{} {:?}", diagnostic.message, diagnostic.hint);
        assert!(said.contains(words), "{text}\n{said}");
    }
    assert_eq!(read.is_some(), diagnostics.is_clean(), "{text}\n{found:#?}");
}

/// Reads so many texts that are made by damage to some, with pieces of their language, and looks at those
/// that can still be read; how many these are.
pub fn damaged<T>(
    (seed, rounds): (u64, usize),
    (texts, pieces): (&[&str], &[&str]),
    read: impl Fn(&[u8]) -> Read<T>,
    mut look: impl FnMut(T, &str),
) -> usize {
    let mut rng = Rng::new(seed);
    let mut accepted = 0;
    for round in 0..rounds {
        let mut bytes = texts[round % texts.len()].as_bytes().to_vec();
        for _ in 0..1 + rng.below(3) {
            let at = rng.below(bytes.len() + 1);
            let length = rng.below(4).min(bytes.len() - at);
            bytes.splice(at..at + length, rng.pick(pieces).bytes());
        }
        let (found, diagnostics) = read(&bytes);
        assert_eq!(found.is_some(), diagnostics.is_clean());
        for diagnostic in &diagnostics.list {
            assert!(diagnostic.span.start <= diagnostic.span.end);
            assert!(diagnostic.span.end as usize <= bytes.len());
        }
        if let Some(found) = found {
            look(found, &String::from_utf8_lossy(&bytes));
            accepted += 1;
        }
    }
    accepted
}
