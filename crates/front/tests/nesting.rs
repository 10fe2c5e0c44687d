//! Programs nested 100,000 deep: they are read, or refused as wrong with a place and a hint.

use alphorn_front::c::{self, Options};
use alphorn_front::{Diagnostics, Severity, boogie, nts, prolog, svlib, t2};
use alphorn_program::c::DataModel;

const DEPTH: usize = 100_000;

fn nested(open: &str, inside: &str, close: &str) -> String {
    [&open.repeat(DEPTH), inside, &close.repeat(DEPTH)].concat()
}

/// A text is read, or its first complaint is an error with a place; nothing is called untreated.
#[track_caller]
fn survives(text: &str, read: impl Fn(&[u8]) -> (bool, Diagnostics)) {
    let (is_read, diagnostics) = read(text.as_bytes());
    let start = &text[..text.len().min(80)];
    let mut worse = diagnostics.list.iter().filter(|found| found.severity != Severity::Warning);
    match worse.next() {
        None => assert!(is_read, "{start}"),
        Some(first) => {
            assert!(!is_read && first.severity == Severity::Error, "{start}: {first:?}");
            assert!((first.span.end as usize) <= text.len() && first.span.end > 0, "{first:?}");
        }
    }
}

#[test]
fn expressions_of_every_language_may_be_nested_deep() {
    let value = nested("(", "1", ")");
    let minus = nested("- ", "1", "");
    for value in [&value, &minus] {
        let text = format!("int main(void) {{ int x = {value}; return x; }}");
        survives(&text, |bytes| {
            let (unit, diagnostics) = c::read(bytes, &Options::new(DataModel::Lp64));
            (unit.is_some(), diagnostics)
        });
        let text =
            format!("nts n; main {{ x : int; initial a; error b; a -> b {{ x = {value} }} }}");
        survives(&text, |bytes| {
            let (program, diagnostics) = nts::read(bytes);
            (program.is_some(), diagnostics)
        });
        survives(&format!("p(X) :- X = {value}.\nfalse :- p(1)."), |bytes| {
            let (horn, diagnostics) = prolog::read(bytes);
            (horn.is_some(), diagnostics)
        });
        let text = format!("START: 0;\nCUTPOINT: 1;\nFROM: 0;\nx := {value};\nTO: 1;\n");
        survives(&text, |bytes| {
            let (program, diagnostics) = t2::read_safety(bytes);
            (program.is_some(), diagnostics)
        });
        survives(&format!("procedure p() {{ var x: int; x := {value}; }}"), |bytes| {
            let (program, diagnostics) = boogie::read(bytes);
            (program.is_some(), diagnostics)
        });
    }
}

#[test]
fn statements_types_and_formulas_may_be_nested_deep() {
    let texts = [
        format!("procedure p() {{ var x: int; {} }}", nested("if (x > 0) {", "", "}")),
        format!("procedure p() {{ var x: {}; }}", nested("[int]", "int", "")),
        format!("type t = {}; procedure p() {{ }}", nested("(", "int", ")")),
    ];
    for text in &texts {
        survives(text, |bytes| {
            let (program, diagnostics) = boogie::read(bytes);
            (program.is_some(), diagnostics)
        });
    }
    for body in [nested("(sequence ", "(assume true)", ")"), nested("(if true ", "(return)", ")")] {
        let text = format!(
            "(set-logic LIA)\n(set-info :format-version 1.0)\n\
             (define-proc p () () () {body})\n(verify-call p ())\n"
        );
        survives(&text, |bytes| {
            let (program, diagnostics) = svlib::read(bytes);
            (program.is_some(), diagnostics)
        });
    }
    let formula = nested("not (", "x = 1", ")");
    survives(
        &format!("nts n; main {{ x : int; initial a; error b; a -> b {{ {formula} }} }}"),
        |bytes| {
            let (program, diagnostics) = nts::read(bytes);
            (program.is_some(), diagnostics)
        },
    );
}

#[test]
fn a_program_in_c_that_is_nested_too_deep_is_wrong_and_a_hint_says_what_helps() {
    let text = format!("int main(void) {{ return {}; }}", nested("(", "1", ")"));
    let (unit, diagnostics) = c::read(text.as_bytes(), &Options::new(DataModel::Lp64));
    assert!(unit.is_none());
    let [only] = &diagnostics.list[..] else { panic!("{:?}", diagnostics.list) };
    assert_eq!(only.severity, Severity::Error);
    assert!(only.hint.is_some() && only.message.contains("too deep"), "{only:?}");
}
