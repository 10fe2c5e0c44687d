//! The formats: one table of names, endings and first bytes.

use crate::compressed::inner_name;

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
