//! Every rule is broken once in a small made-up repository, and must be seen there and only there.

mod functions;

use super::{Violation, tidy};
use std::path::PathBuf;

const TABLE: &str = "# A\n\n| crate | is | uses |\n|---|---|---|\n| `term` | terms | – |\n\
    | `sat` (planned) | solver | – |\n| `engine` | engines | `term`, `sat` (planned) |\n";
const MANIFEST: &str = "[package]\nname = \"x\"\n\n[lints]\nworkspace = true\n\n[dependencies]\n";

/// A made-up repository in a folder of its own, removed at the end.
struct Tree(PathBuf);

impl Tree {
    /// A repository with two crates that breaks no rule, changed by `files`.
    fn new(name: &str, files: &[(&str, &str)]) -> Tree {
        let id = std::process::id();
        let tree = Tree(std::env::temp_dir().join(format!("alphorn-tidy-{id}-{name}")));
        let engine = format!("{MANIFEST}alphorn-term.workspace = true\n");
        let sound = [
            (".gitignore", "/target\n"),
            ("ARCHITECTURE.md", TABLE),
            ("crates/term/Cargo.toml", MANIFEST),
            ("crates/engine/Cargo.toml", &engine),
            ("crates/term/src/lib.rs", "//! Terms.\n"),
            ("target/debug/build.rs", "junk.unwrap()"),
        ];
        for (path, text) in sound.iter().chain(files) {
            let path = tree.0.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        tree
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Changes the sound repository by `files` and compares what tidy says with `expected`: for each
/// violation `path:line` and a part of its sentence.
#[track_caller]
fn check(name: &str, files: &[(&str, &str)], expected: &[(&str, &str)]) {
    let tree = Tree::new(name, files);
    let violations = tidy(&tree.0).unwrap();
    let matches = |(violation, (place, part)): (&Violation, &(&str, &str))| {
        let place = format!("{place}: ");
        violation.to_string().starts_with(&place) && violation.sentence.contains(part)
    };
    let agree = violations.len() == expected.len() && violations.iter().zip(expected).all(matches);
    assert!(agree, "tidy says {violations:#?}");
}

/// Puts `code` into a file of the core crate `term`.
#[track_caller]
fn check_code(name: &str, code: &str, expected: &[(&str, &str)]) {
    check(name, &[("crates/term/src/a.rs", &format!("//! A.\n{code}\n"))], expected);
}

#[test]
fn this_repository_is_tidy() {
    let violations = tidy(&crate::root()).unwrap();
    let lines: Vec<String> = violations.iter().map(Violation::to_string).collect();
    assert!(lines.is_empty(), "\n{}\n", lines.join("\n"));
}

#[test]
fn a_sound_tree_has_no_violations() {
    check("sound", &[], &[]);
}

#[test]
fn words_that_code_must_not_contain() {
    let words = [
        ("println!(\"x\");", "prints"),
        ("eprintln!(\"x\");", "prints"),
        ("print!(\"x\");", "prints"),
        ("eprint!(\"x\");", "prints"),
        ("std::io::stdout().write(x);", "prints"),
        ("std::io::stderr().write(x);", "prints"),
        ("use std::time::Duration;", "clock"),
        ("let now = Instant::now();", "clock"),
        ("let now = SystemTime::UNIX_EPOCH;", "clock"),
        ("std::thread::spawn(f);", "threads"),
        ("std::env::args();", "environment"),
        ("use std::{env, fmt};", "one `use`"),
        ("use std::collections::{BTreeMap, HashMap};", "random"),
        ("let set = std::collections::HashSet::new();", "random"),
        ("let state = RandomState::new();", "random"),
        ("let x = y.unwrap();", "invariant"),
        ("todo!()", "unfinished"),
        ("unimplemented!()", "unfinished"),
        ("dbg!(x);", "unfinished"),
        ("unsafe { x }", "unsafe"),
        ("const MOST_ROUNDS: u32 = 3;", "MAX_"),
    ];
    for (index, (code, part)) in words.iter().enumerate() {
        check_code(&format!("word-{index}"), code, &[("crates/term/src/a.rs:2", part)]);
    }
}

#[test]
fn words_that_only_look_forbidden() {
    let code = r##"
//! See `x.unwrap()` and println!("x").
/* unsafe /* nested */ todo!() */
fn a<'a>(b: &'a str) -> FxHashMap<char, Unsafe> {
    let c = "x.unwrap() \" unsafe"; // unsafe
    let d = r#"println!("todo!()")"#;
    let e = ['"', '\'', '\\', 'u'];
    unwrap_or(unsafe_code, my_println!(b"unsafe", br"\", 'b'))
}
"##;
    check_code("looks", code, &[]);
}

#[test]
fn words_around_strings_and_comments_are_seen() {
    let code = "let a = '\"'; unsafe { \"b\\\"\" }\n/* c */ x.unwrap() // d";
    let expected = [("crates/term/src/a.rs:2", "unsafe"), ("crates/term/src/a.rs:3", "unwrap")];
    check_code("around", code, &expected);
}

#[test]
fn tests_may_do_what_they_like() {
    let code = "#[cfg(test)]\nmod tests {\n    x.unwrap();\n}\nfn f() { y.unwrap() }";
    check_code("inline", code, &[("crates/term/src/a.rs:6", "unwrap")]);
    let test = "//! T.\nuse std::time::Instant;\nfn f() { x.unwrap() }\n";
    let files = ["src/tests.rs", "src/a/tests.rs", "src/tests/b.rs", "tests/c.rs", "benches/d.rs"];
    let files = files.map(|path| format!("crates/term/{path}"));
    let files: Vec<(&str, &str)> = files.iter().map(|path| (path.as_str(), test)).collect();
    check("tests", &files, &[]);
}

#[test]
fn what_tests_share_is_for_tests_alone() {
    let kit = format!("{MANIFEST}alphorn-term.workspace = true\n");
    let code = "//! K.\nfn f() { x.unwrap(); println!() }\n";
    let for_tests = format!("{MANIFEST}\n[dev-dependencies]\nalphorn-testkit.workspace = true\n");
    let sound = [
        ("crates/testkit/Cargo.toml", kit.as_str()),
        ("crates/testkit/src/lib.rs", code),
        ("crates/term/Cargo.toml", &for_tests),
    ];
    check("kit", &sound, &[]);
    let linked = format!("{MANIFEST}alphorn-testkit.workspace = true\n");
    let wrong = [sound[0], sound[1], ("crates/term/Cargo.toml", &linked)];
    check("kit-linked", &wrong, &[("crates/term/Cargo.toml:8", "only tests may use `testkit`")]);
}

#[test]
fn modules_from_other_places_are_refused_in_tests_too() {
    let test = "//! T.\n#[path = \"../other/build.rs\"]\nmod build;\n// #[path] in words\n";
    let expected = [("crates/term/tests/a.rs:2", "what tests share is in crates/testkit")];
    check("path", &[("crates/term/tests/a.rs", test)], &expected);
}

/// Modules `a` to `d` of the crate `engine`, of which each uses the next one, in another way each time.
const RING: &[(&str, &str)] = &[
    ("crates/engine/src/lib.rs", "//! E.\npub use d::{Deep, Other};\n"),
    ("crates/engine/src/a.rs", "//! A.\nuse crate::{\n    x::y,\n    b::{Some, Thing},\n};\n"),
    ("crates/engine/src/b/mod.rs", "//! B.\nuse super::c::C;\n"),
    ("crates/engine/src/c/inner.rs", "//! C.\nfn f() -> super::super::Deep { super::d() }\n"),
];

#[test]
fn modules_that_use_each_other_in_a_large_circle_are_seen() {
    let last = [("crates/engine/src/d.rs", "//! D.\nfn f() { crate::a::g() }\n")];
    let expected =
        [("crates/engine/src:1", "4 modules use each other in a circle, and 3 may: a, b, c, d")];
    check("ring", &[RING, &last].concat(), &expected);
}

#[test]
fn chains_words_in_tests_and_inner_modules_make_no_circle() {
    let tests = "//! D.\n// crate::a::g()\n#[cfg(test)]\nmod tests {\n    use crate::a::g;\n}\n";
    check("chain", &[RING, &[("crates/engine/src/d.rs", tests)]].concat(), &[]);
    let inner = "//! D.\nuse super::super::a;\nuse super::a::f;\nuse mycrate::a;\n";
    check("inner", &[RING, &[("crates/engine/src/d/e/f.rs", inner)]].concat(), &[]);
}

#[test]
fn small_circles_are_allowed() {
    let files = [
        ("crates/engine/src/a.rs", "//! A.\nuse crate::b::B;\n"),
        ("crates/engine/src/b.rs", "//! B.\nuse crate::a::A;\n"),
    ];
    check("small", &files, &[]);
}

#[test]
fn some_crates_may_do_what_others_may_not() {
    let clock = "//! A.\nuse std::time::Instant;\nstd::thread::spawn(f);\n";
    check("clock", &[("crates/engine/src/a.rs", clock)], &[]);
    let print = "//! A.\nprintln!();\n";
    check("xtask", &[("xtask/src/main.rs", print)], &[]);
    let expected = [("crates/engine/src/a.rs:2", "prints")];
    check("prints", &[("crates/engine/src/a.rs", print)], &expected);
}

#[test]
fn files_have_names_heads_and_limits() {
    check(
        "name",
        &[("crates/term/src/utils.rs", "//! U.\n")],
        &[("crates/term/src/utils.rs:1", "`utils`")],
    );
    let folder = "crates/term/src/common/mod.rs";
    check("folder", &[(folder, "//! C.\n")], &[("crates/term/src/common/mod.rs:1", "`common`")]);
    check("head", &[("crates/term/src/a.rs", "fn f() {}\n")], &[("crates/term/src/a.rs:1", "//!")]);
    let long = format!("//! L.\n{}", "\n".repeat(super::files::MAX_LINES));
    check("long", &[("crates/term/src/a.rs", &long)], &[("crates/term/src/a.rs:801", "801 lines")]);
    let exact = format!("//! L.\n{}", "\n".repeat(super::files::MAX_LINES - 1));
    check("exact", &[("crates/term/src/a.rs", &exact)], &[]);
}

#[test]
fn marks_of_unfinished_work() {
    for mark in ["TODO", "FIXME", "XXX"] {
        check_code(mark, &format!("// {mark}: x"), &[("crates/term/src/a.rs:2", mark)]);
        check_code(&format!("{mark}-s"), &format!("let a = \"{mark}\"; // {mark}S"), &[]);
    }
}

#[test]
fn paths_of_one_machine() {
    for folder in ["root", "work", "home", "Users"] {
        let text = format!("see\n`/{folder}/x`\n");
        check(&format!("path-{folder}"), &[("a.md", &text)], &[("a.md:2", "one machine")]);
        let text = format!("crates/{folder}/x and $A/{folder}/x\n");
        check(&format!("relative-{folder}"), &[("a.md", &text)], &[]);
    }
}

#[test]
fn the_table_and_the_manifests_agree() {
    let manifest = format!("{MANIFEST}alphorn-engine = {{ path = \"../engine\" }}\n");
    let edge = [("crates/term/Cargo.toml:8", "does not let `term` use `engine`")];
    check("edge", &[("crates/term/Cargo.toml", &manifest)], &edge);
    let renamed = format!("{MANIFEST}\n[dependencies.e]\npackage = \"alphorn-engine\"\n");
    let edge = [("crates/term/Cargo.toml:10", "does not let `term` use `engine`")];
    check("renamed", &[("crates/term/Cargo.toml", &renamed)], &edge);
    let dev = format!("{MANIFEST}\n[dev-dependencies]\nalphorn-engine.workspace = true\n");
    check("dev", &[("crates/term/Cargo.toml", &dev)], &[]);
    let unused = [("ARCHITECTURE.md:7", "`engine` does not use `term`")];
    check("unused", &[("crates/engine/Cargo.toml", MANIFEST)], &unused);
}

#[test]
fn the_checker_alone_reaches_no_solver() {
    let table =
        format!("{TABLE}| `hw` | – | – |\n| `report` | – | `hw` |\n| `audit` | – | `report` |\n");
    let report = format!("{MANIFEST}alphorn-hw.workspace = true\n");
    let audit = format!("{MANIFEST}alphorn-report.workspace = true\n");
    let files = [
        ("ARCHITECTURE.md", table.as_str()),
        ("crates/hw/Cargo.toml", MANIFEST),
        ("crates/report/Cargo.toml", &report),
        ("crates/audit/Cargo.toml", &audit),
    ];
    check("audit", &files, &[("ARCHITECTURE.md:10", "`audit` reaches `hw`")]);
}

#[test]
fn the_table_has_every_crate() {
    let missing = [("crates/new/Cargo.toml:1", "not in the crate table")];
    check("missing", &[("crates/new/Cargo.toml", MANIFEST)], &missing);
    let exists = [("ARCHITECTURE.md:6", "`sat` exists")];
    check("exists", &[("crates/sat/Cargo.toml", MANIFEST)], &exists);
    let gone = format!("{TABLE}| `gone` | – | – |\n| `cell` | – |\n| `up` (planned) | – | `x` |\n");
    let expected = [
        ("ARCHITECTURE.md:8", "no crate `gone`"),
        ("ARCHITECTURE.md:9", "three cells"),
        ("ARCHITECTURE.md:10", "no row above"),
    ];
    check("gone", &[("ARCHITECTURE.md", &gone)], &expected);
    check("none", &[("ARCHITECTURE.md", "# A\n")], &[("ARCHITECTURE.md:1", "no table")]);
}

#[test]
fn crates_take_over_the_lints() {
    let manifest = "[package]\nname = \"x\"\n";
    let expected = [("crates/term/Cargo.toml:1", "lints")];
    check("lints", &[("crates/term/Cargo.toml", manifest)], &expected);
}

#[test]
fn documents_name_files_that_exist() {
    let text =
        "`crates/term/src/lib.rs`, `crates/<a>/b`, `target/x`, `a/b` and\n`crates/gone.rs`\n";
    check("document", &[("A.md", text)], &[("A.md:2", "`crates/gone.rs` does not exist")]);
}

#[test]
fn pages_of_the_site_link_to_pages_of_the_site() {
    let pages = [
        ("docs/SUMMARY.md", "[a](a.md) [b](b/c.md)\n"),
        ("docs/a.md", "[c](b/c.md) {{#include ../A.md}}\n[out](../A.md)\n[gone](d.md)\n"),
        ("docs/b/c.md", "[a](../a.md)\n[out](../../A.md)\n"),
        ("A.md", "text\n"),
    ];
    let expected = [
        ("docs/a.md:2", "../A.md leads out of the site"),
        ("docs/a.md:3", "d.md leads nowhere"),
        ("docs/b/c.md:2", "../../A.md leads out of the site"),
    ];
    check("site", &pages, &expected);
}

#[test]
fn trusted_files_are_those_that_the_checker_names_and_those_that_extend_their_types() {
    let sources = [
        ("crates/check/src/lib.rs", "//! C.\nuse alphorn_term::{a::A, nothing};\n"),
        ("crates/term/src/a.rs", "//! A.\npub struct A;\n"),
        ("crates/term/src/b.rs", "//! B.\nimpl A {}\n"),
        ("crates/term/src/c.rs", "//! C.\npub struct C;\n"),
    ];
    let document = |rows: &str| {
        let title = "# Trust\n\n| part | lines | files |\n|---|---|---|\n";
        format!("{title}{rows}\nand so on\n")
    };
    let check_rows = |name: &str, rows: &str, expected: &[(&str, &str)]| {
        let text = document(rows);
        let files: Vec<(&str, &str)> =
            sources.into_iter().chain([("crates/check/TRUST.md", text.as_str())]).collect();
        check(name, &files, expected);
    };
    let own = "| `crates/check/src` | 2 | `lib.rs` |\n";
    let term = "| `crates/term/src` | 5 | `a.rs`, `b.rs`, `lib.rs` |\n";
    check_rows("trust-right", &format!("{own}{term}"), &[]);
    let longer = "| `crates/term/src` | 6 | `a.rs`, `b.rs`, `c.rs`, `lib.rs` |\n";
    let place = "crates/check/TRUST.md:6";
    let expected = [(place, "has 5 lines, not 6"), (place, "are a.rs, b.rs, lib.rs;")];
    check_rows("trust-wrong", &format!("{own}{longer}"), &expected);
    let place = "crates/check/TRUST.md:3";
    check_rows("trust-missing", own, &[(place, "crates/term/src is trusted and not listed")]);
}
