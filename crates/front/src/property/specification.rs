//! Property files, line by line.

use super::{Specification, Untreated, Wanted};
use crate::diag::{Code, Diagnostic, Diagnostics, Read};
use alphorn_problem::Span;
use alphorn_program::c::Property;

const HINT: &str = "a property is a line: CHECK( init(main()), LTL(G ! call(reach_error())) )";

/// The formulas, as they are written without blanks.
const FORMULAS: &[(&str, Wanted)] = &[
    ("G!call(reach_error())", Wanted::Treated(Property::UnreachCall)),
    ("G!call(__VERIFIER_error())", Wanted::Treated(Property::UnreachCall)),
    ("G!overflow", Wanted::Treated(Property::NoOverflow)),
    ("Gvalid-deref", Wanted::Treated(Property::ValidDeref)),
    ("Gvalid-free", Wanted::Treated(Property::ValidFree)),
    ("Gvalid-memtrack", Wanted::Treated(Property::ValidMemtrack)),
    ("Gvalid-memcleanup", Wanted::Treated(Property::MemCleanup)),
    ("Gassert", Wanted::Treated(Property::Assert)),
    ("Gno-division-by-zero", Wanted::Treated(Property::NoDivisionByZero)),
    ("Garray-bounds", Wanted::Treated(Property::ArrayBounds)),
    ("G!data-race", Wanted::Treated(Property::NoDataRace)),
    ("Fend", Wanted::Untreated(Untreated::Termination)),
];

/// How a property is said in a property file and in a witness.
pub fn sentence(property: Property) -> &'static str {
    match property {
        Property::UnreachCall => "G ! call(reach_error())",
        Property::NoOverflow => "G ! overflow",
        Property::ValidDeref => "G valid-deref",
        Property::ValidFree => "G valid-free",
        Property::ValidMemtrack => "G valid-memtrack",
        Property::MemCleanup => "G valid-memcleanup",
        Property::Assert => "G assert",
        Property::NoDivisionByZero => "G no-division-by-zero",
        Property::ArrayBounds => "G array-bounds",
        Property::NoDataRace => "G ! data-race",
    }
}

/// Reads a property file.
pub fn read(bytes: &[u8]) -> Read<Specification> {
    let mut diagnostics = Diagnostics::default();
    let mut all = Specification::default();
    let mut start = 0;
    for line in bytes.split(|&byte| byte == b'\n') {
        let text = String::from_utf8_lossy(line);
        let place = |from: usize, to: usize| Span {
            start: u32::try_from(start + from).unwrap_or(u32::MAX - 1),
            end: u32::try_from(start + to).unwrap_or(u32::MAX - 1),
        };
        let is_comment = text.trim_start().starts_with("//") || text.trim_start().starts_with('#');
        if !text.trim().is_empty() && !is_comment {
            let indent = text.len() - text.trim_start().len();
            add(&mut all, text.trim(), place(indent, text.trim_end().len()), &mut diagnostics);
        }
        if diagnostics.is_full() {
            break;
        }
        start += line.len() + 1;
    }
    if all.wanted.is_empty() && diagnostics.is_clean() {
        let message = "the file asks for no property";
        diagnostics.push(Diagnostic::error(Code::PropertyFile, Span::NONE, message).hint(HINT));
    }
    (diagnostics.is_clean().then_some(all), diagnostics)
}

/// What a specification says that stands in a witness: the lines of a property file, or a formula alone.
/// Complaints are about the place `span`.
pub fn specification(text: &str, span: Span, diagnostics: &mut Diagnostics) -> Specification {
    let mut all = Specification::default();
    for line in lines(text) {
        add(&mut all, line, span, diagnostics);
    }
    if all.wanted.is_empty() && diagnostics.is_clean() {
        let message = "the specification asks for no property";
        diagnostics.push(Diagnostic::error(Code::PropertyFile, span, message).hint(HINT));
    }
    all
}

/// The properties of a text; several may stand in one line.
fn lines(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for line in text.lines() {
        let mut starts: Vec<usize> = line.match_indices("CHECK").map(|(at, _)| at).collect();
        if starts.first() != Some(&0) {
            starts.insert(0, 0);
        }
        starts.push(line.len());
        let parts = starts.windows(2).map(|ends| line[ends[0]..ends[1]].trim());
        found.extend(parts.filter(|part| !part.is_empty()));
    }
    found
}

/// Adds what one line asks for.
fn add(all: &mut Specification, line: &str, span: Span, diagnostics: &mut Diagnostics) {
    let wrong = |message: String| Diagnostic::error(Code::PropertyFile, span, message).hint(HINT);
    let plain: String = line.chars().filter(|c| !c.is_whitespace()).collect();
    if plain.starts_with("COVER(") {
        let message = "test coverage is not treated";
        diagnostics.push(Diagnostic::unsupported(Code::PropertyUntreated, span, message));
        return;
    }
    let inner = plain.strip_prefix("CHECK(").and_then(|rest| rest.strip_suffix(')'));
    let formula = match inner {
        None if plain.starts_with("CHECK") => {
            diagnostics.push(wrong("the parentheses do not balance".to_owned()));
            return;
        }
        None => plain.as_str(),
        Some(inner) => {
            let parts = inner.strip_prefix("init(").and_then(|rest| rest.split_once("()),LTL("));
            let Some((entry, formula)) =
                parts.and_then(|(entry, formula)| Some((entry, formula.strip_suffix(')')?)))
            else {
                let message = "init(…) and LTL(…) are expected".to_owned();
                diagnostics.push(wrong(message));
                return;
            };
            if all.entry.as_ref().is_some_and(|before| before != entry) {
                diagnostics.push(wrong("runs begin in two functions".to_owned()));
                return;
            }
            all.entry = Some(entry.to_owned());
            formula
        }
    };
    match FORMULAS.iter().find(|(text, _)| *text == formula) {
        Some((_, wanted)) => all.add(*wanted),
        None => diagnostics.push(unknown(formula, span)),
    }
}

fn unknown(formula: &str, span: Span) -> Diagnostic {
    let formula = formula.escape_debug();
    if formula.clone().to_string().starts_with("G!call(") {
        let message = format!("only calls of reach_error are treated, not '{formula}'");
        let hint = "rename the function, or have it call reach_error()";
        return Diagnostic::unsupported(Code::PropertyUntreated, span, message).hint(hint);
    }
    let message = format!("the property '{formula}' is not treated");
    Diagnostic::unsupported(Code::PropertyUntreated, span, message).hint(HINT)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::Severity;

    fn read_line(line: &str) -> Specification {
        let (found, diagnostics) = read(line.as_bytes());
        found.unwrap_or_else(|| panic!("{line}: {diagnostics:?}"))
    }

    #[test]
    fn what_is_said_of_a_property_is_read_as_that_property() {
        for property in Property::ALL {
            let bare = sentence(property);
            let whole = format!("CHECK( init(main()), LTL({bare}) )\n");
            assert_eq!(read_line(&whole).properties(), [property]);
            assert_eq!(read_line(&whole).entry.as_deref(), Some("main"));
            let mut diagnostics = Diagnostics::default();
            let found = specification(bare, Span::NONE, &mut diagnostics);
            assert_eq!(found.properties(), [property]);
            assert!(diagnostics.is_clean());
        }
    }

    #[test]
    fn several_lines_are_several_properties() {
        let text =
            "CHECK( init(start()), LTL(G valid-free) )\n\n# and\nCHECK(init(start()),LTL(F end))";
        let found = read_line(text);
        assert_eq!(found.properties(), [Property::ValidFree]);
        assert_eq!(found.untreated(), [Untreated::Termination]);
        assert_eq!(found.entry.as_deref(), Some("start"));
        let mut diagnostics = Diagnostics::default();
        let one_line = text.replace('\n', " ").replace("# and", "");
        let of_line = specification(&one_line, Span::NONE, &mut diagnostics);
        assert_eq!(of_line, found);
    }

    #[test]
    fn what_is_wrong_has_a_place_and_what_is_not_treated_is_no_error() {
        for (text, severity, start) in [
            ("", Severity::Error, u32::MAX),
            ("\n CHECK( init(main()), LTL(G ! overflow)", Severity::Error, 2),
            ("CHECK( main, G ! overflow )", Severity::Error, 0),
            ("CHECK( init(a()), LTL(F end) )\nCHECK( init(b()), LTL(F end) )", Severity::Error, 31),
            ("CHECK( init(main()), LTL(G F done) )", Severity::Unsupported, 0),
            ("CHECK( init(main()), LTL(G ! call(oops())) )", Severity::Unsupported, 0),
            ("COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )", Severity::Unsupported, 0),
        ] {
            let (found, diagnostics) = read(text.as_bytes());
            assert!(found.is_none(), "{text}");
            assert_eq!(diagnostics.worst(), Some(severity), "{text}");
            if start != u32::MAX {
                assert_eq!(diagnostics.list[0].span.start, start, "{text}");
            }
        }
    }
}
