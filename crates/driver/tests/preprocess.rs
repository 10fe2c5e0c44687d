//! What C programs take from outside: included files, and the preprocessor of a compiler.

use alphorn_driver::preprocess::{included, preprocess};
use alphorn_front::c::origin::Origins;
use alphorn_front::diag::Span;
use alphorn_program::c::DataModel;
use std::path::Path;

#[test]
fn an_included_file_is_a_file() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    assert!(included(folder, "Cargo.toml").is_some());
    for name in ["src", "no such file", "/dev/zero", "../driver/.", ""] {
        assert_eq!(included(folder, name), None, "{name}");
    }
}

#[test]
fn a_compiler_that_is_not_there_is_an_error_with_a_hint() {
    let error = preprocess("no-such-compiler", "a.c", b"int x;", DataModel::Lp64).unwrap_err();
    assert!(error.message.contains("no-such-compiler"));
    assert!(error.hint.is_some());
}

/// Where no compiler is installed there is nothing to test.
#[test]
fn a_compiler_preprocesses_and_its_lines_lead_back() {
    if std::process::Command::new("cc").arg("--version").output().is_err() {
        return;
    }
    let source = b"int x;\n#define A 41\n\nint y = A + 1;\n";
    let text = preprocess("cc", "some dir/p\"q.c", source, DataModel::Lp64).unwrap();
    let start = text.windows(5).position(|window| window == b"int y").unwrap();
    assert!(text[start..].starts_with(b"int y = 41 + 1;"));
    let origins = Origins::new(&text);
    let place = origins.place(&text, Span::new(start, start + 3));
    assert_eq!(place, Some(("some dir/p\"q.c", 4)));
    let error = preprocess("cc", "-", b"#error no\n", DataModel::Lp64).unwrap_err();
    assert!(error.message.contains("#error no"), "{}", error.message);
    // More than a pipe holds goes in and out.
    let long = b"int x;\n".repeat(100_000);
    let text = preprocess("cc", "-", &long, DataModel::Lp64).unwrap();
    assert!(text.len() >= long.len());
}
