//! The formats: one table of names, endings and first bytes.

use crate::compressed::inner_name;
use alphorn_front::{Diagnostics, Severity};

/// A format of problems.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Format {
    /// Horn clauses in SMT-LIB.
    SmtLib,
    /// Circuits in AIGER, text or binary.
    Aiger,
    /// Word-level transition systems in BTOR2.
    Btor2,
}

/// A format as the manual sees it.
pub struct FormatCard {
    /// The format.
    pub format: Format,
    /// Its name on the command line.
    pub name: &'static str,
    /// Endings of file names.
    pub endings: &'static [&'static str],
    /// One sentence.
    pub about: &'static str,
}

/// All formats.
pub const FORMATS: &[FormatCard] = &[
    FormatCard {
        format: Format::SmtLib,
        name: "smtlib",
        endings: &["smt2", "smt", "chc"],
        about: "Horn clauses in SMT-LIB 2.7, or in the fixedpoint dialect",
    },
    FormatCard {
        format: Format::Aiger,
        name: "aiger",
        endings: &["aig", "aag"],
        about: "circuits in AIGER 1.9, text or binary",
    },
    FormatCard {
        format: Format::Btor2,
        name: "btor2",
        endings: &["btor2", "btor"],
        about: "word-level transition systems in BTOR2",
    },
];

impl Format {
    /// The format's card.
    pub fn card(self) -> &'static FormatCard {
        FORMATS.iter().find(|card| card.format == self).expect("every format has a card")
    }

    /// The format that a file's name suggests; how it is compressed does not matter.
    pub fn of_name(name: &str) -> Option<Format> {
        let (_, ending) = inner_name(name).rsplit_once('.')?;
        let ending = ending.to_ascii_lowercase();
        let card = FORMATS.iter().find(|card| card.endings.contains(&ending.as_str()))?;
        Some(card.format)
    }

    /// The format that a file's first bytes suggest.
    pub fn of_content(bytes: &[u8]) -> Option<Format> {
        if bytes.starts_with(b"aig ") || bytes.starts_with(b"aag ") {
            return Some(Format::Aiger);
        }
        // Both text formats begin their comments with a semicolon; what matters comes after.
        let mut rest = bytes;
        loop {
            rest = rest.trim_ascii_start();
            match rest.first()? {
                b';' => {
                    let end = rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
                    rest = &rest[end..];
                }
                b'(' => return Some(Format::SmtLib),
                b'0'..=b'9' => {
                    let line = rest.split(|&b| b == b'\n').next()?;
                    let is_line = line.len() < 4096 && line.is_ascii() && line.contains(&b' ');
                    return is_line.then_some(Format::Btor2);
                }
                _ => return None,
            }
        }
    }
}

/// Whether this is a CNF formula in DIMACS' format, which states no problem with properties.
pub fn is_formula(bytes: &[u8]) -> bool {
    let mut lines = bytes.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let is_comment = |line: &[u8]| line.is_empty() || line == b"c" || line.starts_with(b"c ");
    lines.find(|line| !is_comment(line)).is_some_and(|line| line.starts_with(b"p cnf"))
}

/// The verb that a file belongs to, for readers that were given one of another kind; nothing if nobody
/// can tell.
fn belongs_to(bytes: &[u8]) -> Option<&'static str> {
    if is_formula(bytes) {
        return Some("this is a CNF formula, decided by: alphorn sat FILE");
    }
    Some(match Format::of_content(bytes)? {
        Format::SmtLib => "this is a script in SMT-LIB, run by: alphorn smt FILE",
        Format::Aiger => "this is a circuit in AIGER, decided by: alphorn FILE",
        Format::Btor2 => "this is a transition system in BTOR2, decided by: alphorn FILE",
    })
}

/// Adds to the first error of a reader that its file is of another kind, if it is.
pub(crate) fn hint_at_kind(bytes: &[u8], diagnostics: &mut Diagnostics) {
    let mut errors = diagnostics.list.iter_mut().filter(|d| d.severity != Severity::Warning);
    if let (Some(first), Some(hint)) = (errors.next(), belongs_to(bytes)) {
        first.hint = Some(hint.to_owned());
    }
}
