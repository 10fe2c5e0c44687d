//! Functions that are long, with a reason and without one.

use super::{check, check_code};

/// A function of a hundred lines and `more`, after `before`.
fn function(before: &str, more: usize) -> String {
    format!("{before}fn f(\n    x: u8,\n) {{\n{}}}\n", "    x;\n".repeat(96 + more))
}

#[test]
fn a_long_function_without_a_reason_is_reported() {
    let sentence = "`f` has 101 lines";
    let long = |before: &str| function(before, 1);
    check_code("long-plain", &long(""), &[("crates/term/src/a.rs:2", sentence)]);
    check_code("long-public", &long("pub(crate) const "), &[("crates/term/src/a.rs:2", sentence)]);
    check_code("long-inside", &long("pub(in crate::a) "), &[("crates/term/src/a.rs:2", sentence)]);
    let silent = long("/// Along the way.\n#[inline]\n");
    check_code("long-silent", &silent, &[("crates/term/src/a.rs:4", sentence)]);
    let test = format!("//! A.\n{}", long("#[test]\n"));
    let path = "crates/term/tests/a.rs";
    check("long-test", &[(path, &test)], &[("crates/term/tests/a.rs:3", sentence)]);
}

#[test]
fn a_function_may_be_long_with_a_reason_and_short_without_one() {
    check_code("hundred", &function("", 0), &[]);
    check_code("long-match", &function("/// Steps.\n/// One long match.\n#[inline]\n", 1), &[]);
    check_code("long-because", &function("// Long: a table.\n", 1), &[]);
    let trait_only = format!("fn f();\ntype F = fn (u8);\n{}}}", "x;\n".repeat(200));
    check_code("no-body", &trait_only, &[]);
}
