//! What is asked of every reader of texts: that it complains where and how it should, and that damaged
//! texts are read or complained of, with places inside the text.

use crate::Rng;
use alphorn_front::{Code, Diagnostics, Severity};
use alphorn_problem::Horn;
use alphorn_problem::horn::{Clause, Head};

/// What a reader makes of a text.
type Read<T> = (Option<T>, Diagnostics);

/// What a text is read as, about which the reader has nothing to say.
#[track_caller]
pub fn clean<T>((read, diagnostics): Read<T>, text: &str) -> T {
    assert!(diagnostics.list.is_empty(), "{text}\n{diagnostics:#?}");
    read.expect("a text about which nothing is said is read")
}

/// A term as text, without the numbers that make names unique.
pub fn plain(term: &str) -> String {
    let mut parts = term.split('!');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text.push_str(part.trim_start_matches(|c: char| c.is_ascii_digit()));
    }
    text
}

/// Expects a first complaint with a code, a severity and words of what it says; and nothing read, unless it
/// is a warning.
#[track_caller]
pub fn complains_first<T>(
    (read, diagnostics): Read<T>,
    text: &str,
    (code, severity, words): (Code, Severity, &str),
) {
    let first = diagnostics.list.first().unwrap_or_else(|| panic!("nothing said about\n{text}"));
    assert_eq!((first.code, first.severity), (code, severity), "{text}\n{diagnostics:#?}");
    let said = format!("{} {:?}", first.message, first.hint);
    assert!(said.contains(words), "{text}\n{said}");
    assert_eq!(read.is_some(), severity == Severity::Warning, "{text}\n{diagnostics:#?}");
}

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

/// The pieces of a text, of which a few are lost, repeated, exchanged or spoilt.
pub fn rearranged(pieces: &[&str], rng: &mut Rng) -> String {
    let mut text: Vec<String> = pieces.iter().map(|&piece| piece.to_owned()).collect();
    for _ in 0..1 + rng.below(3usize) {
        let at = rng.below(text.len());
        match rng.below(4u32) {
            0 => drop(text.remove(at)),
            1 => text[at] = rng.pick(pieces).to_owned(),
            2 => text.insert(at, rng.pick(pieces).to_owned()),
            _ => text[at] = String::from_utf8_lossy(&[rng.below(256u32) as u8]).into_owned(),
        }
    }
    text.concat()
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

/// The clauses of a system, a line each.
pub fn clause_lines(horn: &Horn) -> Vec<String> {
    let show = |term| plain(&horn.terms.show(term));
    let head = |head: &Head| match head {
        Head::False => "false".to_owned(),
        Head::Atom(pred, args) => {
            let args: Vec<String> = args.iter().map(|&arg| show(arg)).collect();
            format!("{}({})", horn.pred_name(*pred), args.join(", "))
        }
    };
    let line = |clause: &Clause| format!("{} => {}", show(clause.body), head(&clause.head));
    horn.clauses.iter().map(line).collect()
}
