//! Outputs: text from files cannot act on a terminal, nothing is written where it must not be, and a
//! stream that takes nothing is an error.

use alphorn_testkit::folder::{empty as folder, write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn alphorn(args: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_alphorn"))
        .args(args)
        .current_dir(folder)
        .stdin(std::process::Stdio::null())
        .output()
        .expect("the binary runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("what is said is text")
}

/// No character in it acts, except line breaks.
#[track_caller]
fn assert_harmless(output: &Output) {
    for text in [text(&output.stdout), text(&output.stderr)] {
        let acts = |c: char| c != '\n' && c.is_control() || matches!(c, '\u{202a}'..='\u{202e}');
        assert!(!text.chars().any(acts), "{text:?}");
    }
}

/// What a file may try: go up, wipe the line, say something else, turn the direction of reading.
const EVIL: &str = "\u{1b}[1A\u{1b}[2K\r x: SAFE \u{9b}1m\u{7f}\u{202e}";

fn unsafe_circuit() -> String {
    format!("aag 1 0 1 0 0 1\n2 1\n2\nl0 {EVIL}\nb0 {EVIL}\n")
}

fn unsafe_horn() -> String {
    format!(
        "(set-logic HORN)\n(echo \"{EVIL}\")\n(declare-fun |p{EVIL}| (Int) Bool)\n\
         (assert (forall ((x Int)) (=> (= x 0) (|p{EVIL}| x))))\n\
         (assert (forall ((|v{EVIL}| Int)) (=> (|p{EVIL}| |v{EVIL}|) false)))\n(check-sat)\n"
    )
}

#[test]
fn names_in_files_do_not_act() {
    let folder = folder("names");
    write(&folder, "a.aag", &unsafe_circuit());
    write(&folder, "b.smt2", &unsafe_horn());
    write(&folder, "c.smt2", &format!("(set-logic HORN)\n(assert |{EVIL}|)\n(check-sat)\n"));
    write(&folder, "e.smt2", &format!("(declare-const |x{EVIL}| Bool)\n"));
    for args in [
        &["a.aag", "-v", "--trace"][..],
        &["a.aag", "--json", "-v"],
        &["b.smt2", "-v", "--tree", "--trace"],
        &["b.smt2", "--json", "-vv"],
        &["c.smt2"],
        &["c.smt2", "--json"],
        &["a.aag", "b.smt2", "c.smt2", "--out", "out"],
        &["a.aag", "--property", EVIL],
        &["a.aag", "--engine", EVIL],
        &[EVIL],
        &[EVIL, "--json"],
        &["a.aag", EVIL],
        &["check", "a.aag", EVIL],
        &["check", EVIL, "a.aag"],
        &["convert", EVIL, "--to", "btor2"],
        &["sat", EVIL],
        &["smt", EVIL],
        &["smt", "e.smt2"],
        &["--unheard-of", EVIL],
        &[&format!("--unheard-of{EVIL}")],
    ] {
        assert_harmless(&alphorn(args, &folder));
    }
    let shown = text(&alphorn(&["a.aag"], &folder).stdout);
    assert!(shown.contains("\\u{1b}[1A\\u{1b}[2K\\r x: SAFE \\u{9b}1m\\u{7f}\\u{202e}"), "{shown}");
    for page in ["out/a/report.html", "out/b/report.html", "out/index.html", "out/b/derivation.dot"]
    {
        let page = std::fs::read_to_string(folder.join(page)).expect("the page is there");
        assert!(!page.contains('\u{1b}') && !page.contains('\u{202e}'), "{page}");
    }
    std::fs::remove_dir_all(folder).expect("the folder can be removed");
}

/// The standard has `echo` print what it is given. A program that reads the replies gets that; a
/// terminal does not (`speak`).
#[test]
fn echo_is_printed_as_it_is_where_no_terminal_is() {
    let folder = folder("echo");
    write(&folder, "echo.smt2", &format!("(echo \"{EVIL}\")\n"));
    let output = alphorn(&["smt", "echo.smt2"], &folder);
    let said = text(&output.stdout);
    assert_eq!(said.trim_matches(['"', '\n']), EVIL, "{said:?}");
    assert!(output.stderr.is_empty());
    std::fs::remove_dir_all(folder).expect("the folder can be removed");
}

/// Refused with exit code 3, and nothing changed or appeared in the folder.
#[track_caller]
fn assert_refused(args: &[&str], folder: &Path, why: &str) {
    let list = || {
        let entries = std::fs::read_dir(folder).expect("the folder is there");
        let mut all: Vec<(PathBuf, Option<Vec<u8>>)> =
            entries.flatten().map(|e| (e.path(), std::fs::read(e.path()).ok())).collect();
        all.sort();
        all
    };
    let before = list();
    let output = alphorn(args, folder);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{args:?}: {said}");
    assert!(said.contains(why), "{args:?}: {said}");
    assert!(output.stdout.is_empty(), "{args:?}: {}", text(&output.stdout));
    assert_eq!(list(), before, "{args:?}");
}

#[test]
fn what_would_overwrite_is_refused_before_any_work() {
    let folder = folder("overwrite");
    write(&folder, "a.aag", &unsafe_circuit());
    write(&folder, "model.smt2", &unsafe_horn());
    write(&folder, "f.cnf", "p cnf 1 1\n1 0\n");
    let input = "this is an input";
    assert_refused(&["a.aag", "--evidence", "a.aag"], &folder, input);
    assert_refused(&["a.aag", "--vcd", "./a.aag"], &folder, input);
    assert_refused(&["model.smt2", "--dot", "model.smt2"], &folder, input);
    assert_refused(&["a.aag", "--evidence", "x", "--vcd", "./x"], &folder, "two outputs");
    assert_refused(&["model.smt2", "--out", "."], &folder, "--out would write");
    assert_refused(&["a.aag", "--out", ".", "--vcd", "witness-3.vcd"], &folder, "--out would");
    assert_refused(&["sat", "f.cnf", "--proof", "f.cnf"], &folder, input);
    assert_refused(&["convert", "a.aag", "-o", "a.aag"], &folder, input);
    assert_refused(&["a.aag", "--evidence", "-", "--vcd", "-"], &folder, "can take one");
    #[cfg(unix)]
    {
        std::fs::hard_link(folder.join("a.aag"), folder.join("b.aag")).expect("a link");
        std::os::unix::fs::symlink("a.aag", folder.join("c.aag")).expect("a link");
        assert_refused(&["a.aag", "--evidence", "b.aag"], &folder, input);
        assert_refused(&["a.aag", "--evidence", "c.aag"], &folder, input);
    }
    std::fs::remove_dir_all(folder).expect("the folder can be removed");
}

#[test]
fn several_files_need_a_name_each() {
    let folder = folder("several");
    write(&folder, "a.aag", &unsafe_circuit());
    std::fs::create_dir(folder.join("x")).expect("a folder");
    write(&folder, "x/a.aag", &unsafe_circuit());
    write(&folder, "...aag", &unsafe_circuit());
    let several = ["a.aag", "x/a.aag", "...aag"];
    let with = |more: &[&'static str]| [&several[..], more].concat();
    assert_refused(&with(&["--evidence", "e"]), &folder, "give a folder (DIR/)");
    assert_refused(&with(&["--vcd", "-"]), &folder, "give a folder (DIR/)");
    let args = ["--evidence", "ev/", "--vcd", "{stem}.vcd", "--out", "deep/out"];
    let output = alphorn(&with(&args), &folder);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    for path in [
        "ev/a.ev",
        "ev/a-2.ev",
        "ev/input.ev",
        "a.vcd",
        "a-2.vcd",
        "input.vcd",
        "deep/out/a/report.html",
        "deep/out/a-2/report.html",
        "deep/out/input/report.html",
        "deep/out/index.html",
    ] {
        assert!(folder.join(path).is_file(), "{path}");
    }
    assert!(!folder.join("deep/report.html").exists(), "a stem led out of the folder");
    let checked = alphorn(&["check", "...aag", "ev/input.ev"], &folder);
    assert_eq!(checked.status.code(), Some(0), "{}", text(&checked.stderr));
    std::fs::remove_dir_all(folder).expect("the folder can be removed");
}

#[test]
fn the_worst_file_decides_the_exit_code_and_the_table_counts() {
    let folder = folder("worst");
    write(&folder, "a.aag", &unsafe_circuit());
    write(&folder, "b.aag", "aag 1 0 1 0 0 1\n2 0\n2\n");
    write(&folder, "c.aag", "aag nonsense\n");
    let output = alphorn(&["b.aag", "a.aag"], &folder);
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stdout);
    assert!(said.contains("2 files, 1 safe, 1 unsafe, "), "{said}");
    let output = alphorn(&["a.aag", "c.aag", "b.aag"], &folder);
    assert_eq!(output.status.code(), Some(4));
    let said = text(&output.stdout);
    assert!(said.contains("3 files, 1 safe, 1 unsafe, 1 error, "), "{said}");
    assert!(said.contains("ERROR"), "{said}");
    std::fs::remove_dir_all(folder).expect("the folder can be removed");
}

#[test]
fn what_goes_to_standard_output_is_alone_there() {
    let folder = folder("alone");
    write(&folder, "a.aag", &unsafe_circuit());
    write(&folder, "b.smt2", &unsafe_horn());
    let evidence = alphorn(&["a.aag", "--evidence", "-"], &folder);
    assert!(text(&evidence.stdout).starts_with("1\nb0\n"), "{}", text(&evidence.stdout));
    assert!(text(&evidence.stderr).contains("a.aag: UNSAFE"), "{}", text(&evidence.stderr));
    let wave = text(&alphorn(&["a.aag", "--vcd", "-", "--json"], &folder).stdout);
    assert!(wave.starts_with("$comment") && wave.trim_end().ends_with("#20"), "{wave}");
    let graph = text(&alphorn(&["b.smt2", "--dot", "-", "--tree"], &folder).stdout);
    assert!(graph.starts_with("digraph") && graph.ends_with("}\n"), "{graph}");
    std::fs::remove_dir_all(folder).expect("the folder can be removed");
}

#[test]
fn verdicts_have_colours_only_where_they_are_wanted() {
    let folder = folder("colours");
    write(&folder, "a.aag", &unsafe_circuit());
    let always = text(&alphorn(&["a.aag", "--color", "always"], &folder).stdout);
    assert!(always.contains("a.aag: \u{1b}[1;31mUNSAFE\u{1b}[0m  after"), "{always:?}");
    for args in [&["a.aag"][..], &["a.aag", "--color", "never"]] {
        assert_harmless(&alphorn(args, &folder));
    }
    std::fs::remove_dir_all(folder).expect("the folder can be removed");
}

#[test]
fn wishes_that_do_not_fit_the_problem_are_refused() {
    let folder = folder("wishes");
    write(&folder, "a.aag", &unsafe_circuit());
    write(&folder, "b.smt2", &unsafe_horn());
    write(&folder, "safe.aag", "aag 1 0 1 0 0 1\n2 0\n2\n");
    for args in [["b.smt2", "--vcd", "x"], ["a.aag", "--dot", "x"]] {
        assert_refused(&args, &folder, "is not for this problem");
    }
    assert_refused(&["a.aag", "--tree"], &folder, "is not for this problem");
    let output = alphorn(&["safe.aag", "--vcd", "x"], &folder);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("--vcd has nothing to show: the answer is SAFE"), "{said}");
    std::fs::remove_dir_all(folder).expect("the folder can be removed");
}

#[cfg(target_os = "linux")]
#[test]
fn a_stream_that_takes_nothing_is_an_error_and_one_without_a_reader_is_not() {
    use std::process::Stdio;
    let folder = folder("streams");
    write(&folder, "a.aag", &unsafe_circuit());
    for args in [&["a.aag"][..], &["--help"], &["engines"], &["convert", "a.aag", "--to", "aag"]] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("a device");
        let output = Command::new(env!("CARGO_BIN_EXE_alphorn"))
            .args(args)
            .current_dir(&folder)
            .stdout(Stdio::from(full))
            .output()
            .expect("the binary runs");
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{args:?}: {said}");
        assert!(said.contains("standard output cannot be written"), "{args:?}: {said}");
    }
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let output = Command::new(env!("CARGO_BIN_EXE_alphorn"))
        .arg("a.aag")
        .current_dir(&folder)
        .stdout(Stdio::from(writer))
        .output()
        .expect("the binary runs");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output.stderr), "");
    std::fs::remove_dir_all(folder).expect("the folder can be removed");
}

#[test]
fn answers_are_collected_for_build_servers_and_code_hosts() {
    let folder = folder("collected");
    write(&folder, "a.aag", &unsafe_circuit());
    write(
        &folder,
        "b.c",
        "extern void reach_error(void);\nint main(void) {\n    reach_error();\n    return 0;\n}\n",
    );
    let args = ["a.aag", "b.c", "--sarif", "all.sarif", "--junit", "all.xml", "--time", "60s"];
    let output = alphorn(&args, &folder);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("it was written");
    let log: serde_json::Value = serde_json::from_str(&read("all.sarif")).expect("it is JSON");
    let results = &log["runs"][0]["results"];
    assert_eq!(results.as_array().map(Vec::len), Some(2), "{log}");
    assert_eq!(results[1]["level"], "error");
    let region = &results[1]["locations"][0]["physicalLocation"]["region"];
    assert_eq!((&region["startLine"], &region["startColumn"]), (&3.into(), &5.into()), "{log}");
    assert!(read("all.xml").contains("tests=\"2\" failures=\"2\""), "{}", read("all.xml"));
    let output = alphorn(&["b.c", "--sarif", "-", "--time", "60s"], &folder);
    assert!(text(&output.stdout).starts_with('{'), "the answer is beside the data");
    let output = alphorn(&["b.c", "--sarif", "no/where", "--time", "60s"], &folder);
    assert_eq!(output.status.code(), Some(3), "{}", text(&output.stderr));
    std::fs::remove_dir_all(folder).expect("the folder can be removed");
}
