//! C programs: what is shown and written about answers, and witnesses that are validated.

use alphorn_testkit::folder::{empty, write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn alphorn(args: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_alphorn"))
        .args(args)
        .current_dir(folder)
        .env("SOURCE_DATE_EPOCH", "0")
        .stdin(std::process::Stdio::null())
        .output()
        .expect("the binary runs")
}

/// An empty folder with the two programs in it.
fn folder(name: &str) -> PathBuf {
    let folder = empty(name);
    write(&folder, "safe.c", SAFE);
    write(&folder, "unsafe.c", UNSAFE);
    folder
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("what is said is text")
}

const SAFE: &str = "extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int x = 0;
    while (__VERIFIER_nondet_int()) {
        if (x < 10)
            x++;
    }
    if (x > 10)
        reach_error();
    return 0;
}
";

const UNSAFE: &str = "extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int x = __VERIFIER_nondet_int();
    int y = 0;
    if (x < 0)
        y = 7;
    if (x == 3 + y)
        reach_error();
    return 0;
}
";

#[test]
fn a_proof_is_shown_in_the_source_and_as_a_witness_that_is_accepted() {
    let folder = folder("proof");
    let args =
        ["safe.c", "--property", "unreach-call", "--show", "--witness", "w.yml", "--time", "60s"];
    let output = alphorn(&args, &folder);
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{said}{}", text(&output.stderr));
    let invariant = said.lines().position(|line| line.contains("// invariant: "));
    let invariant = invariant.unwrap_or_else(|| panic!("{said}"));
    assert!(said.lines().nth(invariant).is_some_and(|line| line.contains('x')), "{said}");
    let below = said.lines().skip(invariant).find(|line| !line.contains("invariant"));
    assert!(below.is_some_and(|line| line.contains("while (")), "{said}");
    assert_eq!(said.matches("assumed").count(), 1, "{said}");
    let witness = std::fs::read_to_string(folder.join("w.yml")).expect("it was written");
    assert!(witness.contains("\"loop_invariant\"") && witness.contains("1970-01-01T00:00:00Z"));
    let output = alphorn(&["check", "safe.c", "w.yml", "--time", "60s"], &folder);
    assert_eq!(output.status.code(), Some(0), "{}{}", text(&output.stdout), text(&output.stderr));
    // An invariant that does not hold is refused, and so is one about another place.
    let wrong = witness.replace("line: 6", "line: 11");
    write(&folder, "w.yml", &wrong);
    let output = alphorn(&["check", "safe.c", "w.yml", "--time", "60s"], &folder);
    assert_eq!(output.status.code(), Some(4), "{}{}", text(&output.stdout), text(&output.stderr));
    let lines: Vec<String> = witness
        .lines()
        .map(|line| match line.trim_start().starts_with("value:") {
            true => "        value: \"x < 10\"".to_owned(),
            false => line.to_owned(),
        })
        .collect();
    write(&folder, "w.yml", &format!("{}\n", lines.join("\n")));
    let output = alphorn(&["check", "safe.c", "w.yml", "--time", "60s"], &folder);
    assert_eq!(output.status.code(), Some(6), "{}{}", text(&output.stdout), text(&output.stderr));
    std::fs::remove_dir_all(&folder).expect("it was made here");
}

#[test]
fn a_run_is_shown_beside_the_lines_and_as_a_witness_that_is_accepted() {
    let folder = folder("run");
    let args = [
        "unsafe.c",
        "--property",
        "unreach-call",
        "--show",
        "--witness",
        "w.yml",
        "--harness",
        "t.c",
        "--time",
        "60s",
    ];
    let output = alphorn(&args, &folder);
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{said}{}", text(&output.stderr));
    assert!(said.contains("int x = __VERIFIER_nondet_int();    // x = 3"), "{said}");
    assert!(said.contains("┆         y = 7;"), "{said}");
    assert!(said.contains("✗ 10 │         reach_error();"), "{said}");
    assert!(said.contains("line 10, column 9: unreach-call is violated"), "{said}");
    let witness = std::fs::read_to_string(folder.join("w.yml")).expect("it was written");
    assert!(witness.contains("\\\\result == 3") && witness.contains("\"target\""), "{witness}");
    let output = alphorn(&["check", "unsafe.c", "w.yml", "--time", "60s"], &folder);
    assert_eq!(output.status.code(), Some(0), "{}{}", text(&output.stdout), text(&output.stderr));
    write(&folder, "w.yml", &witness.replace("== 3", "== 4"));
    let output = alphorn(&["check", "unsafe.c", "w.yml", "--time", "60s"], &folder);
    assert_eq!(output.status.code(), Some(6), "{}{}", text(&output.stdout), text(&output.stderr));
    let test = std::fs::read_to_string(folder.join("t.c")).expect("it was written");
    assert!(test.contains("alphorn_violated") && test.contains("reach_error();"), "{test}");
    if Command::new("cc").arg("--version").output().is_ok() {
        let output = alphorn(&["unsafe.c", "--confirm", "--time", "60s"], &folder);
        let said = text(&output.stdout);
        assert!(said.contains("confirmed: the compiled test fails likewise"), "{said}");
    }
    std::fs::remove_dir_all(&folder).expect("it was made here");
}

#[test]
fn a_witness_may_end_in_a_declaration_that_is_used_behind_it() {
    let folder = folder("declared");
    let program = "extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int x = __VERIFIER_nondet_int();
    int y = x + 1;
    return y;
}
";
    write(&folder, "over.c", program);
    let args = ["over.c", "--property", "no-overflow", "--witness", "w.yml", "--time", "60s"];
    assert_eq!(alphorn(&args, &folder).status.code(), Some(1));
    let output = alphorn(&["check", "over.c", "w.yml", "--time", "60s"], &folder);
    assert_eq!(output.status.code(), Some(0), "{}{}", text(&output.stdout), text(&output.stderr));
    let witness = std::fs::read_to_string(folder.join("w.yml")).expect("it was written");
    write(&folder, "w.yml", &witness.replace("== 2147483647", "== 5"));
    let output = alphorn(&["check", "over.c", "w.yml", "--time", "60s"], &folder);
    assert_eq!(output.status.code(), Some(6), "{}{}", text(&output.stdout), text(&output.stderr));
    std::fs::remove_dir_all(&folder).expect("it was made here");
}

#[test]
fn a_witness_is_about_assertions_where_no_error_function_is() {
    let folder = folder("asserting");
    let body = "int main(void) { int x = 0; while (x < 9) x++; assert(x == 9); return 0; }\n";
    write(&folder, "assert.c", &format!("#include <assert.h>\n{body}"));
    for (file, said) in [("assert.c", "G assert"), ("safe.c", "G ! call(reach_error())")] {
        let args = [file, "--witness", "w.yml", "--out", "page", "--time", "60s"];
        let output = alphorn(&args, &folder);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let witness = std::fs::read_to_string(folder.join("w.yml")).expect("it was written");
        let line = format!("specification: \"CHECK( init(main()), LTL({said}) )\"");
        assert!(witness.contains(&line), "{witness}");
        let output = alphorn(&["check", file, "w.yml", "--time", "60s"], &folder);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        // What an answer takes for granted stands on its page, too.
        let page =
            std::fs::read_to_string(folder.join("page/report.html")).expect("it was written");
        assert!(page.contains("Taken for granted: long and pointers have 64 bits"), "{page}");
    }
    std::fs::remove_dir_all(&folder).expect("it was made here");
}

#[test]
fn a_run_of_calls_that_are_remembered_is_found_and_its_test_takes_long() {
    let folder = folder("remembered");
    let text_of = "extern int __VERIFIER_nondet_int(void);
        int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
        int main(void) { return fibonacci(__VERIFIER_nondet_int()); }\n";
    write(&folder, "fib.c", text_of);
    let args = ["fib.c", "--property", "no-overflow", "--evidence", "e", "--harness", "t.c"];
    let output = alphorn(&args, &folder);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let said = text(&output.stdout) + &text(&output.stderr);
    assert!(said.contains("the test takes long: the run has "), "{said}");
    let output = alphorn(&["check", "fib.c", "e"], &folder);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    std::fs::remove_dir_all(&folder).expect("it was made here");
}

#[test]
fn competitions_have_their_words() {
    let folder = folder("words");
    for (file, word) in [("safe.c", "true\n"), ("unsafe.c", "false(unreach-call)\n")] {
        let output = alphorn(&[file, "--dialect", "svcomp", "--time", "60s"], &folder);
        assert_eq!(text(&output.stdout), word);
    }
    std::fs::remove_dir_all(&folder).expect("it was made here");
}

/// A witness about whether runs end; what it says stands at the end.
fn witness_of_runs(kind: &str, content: &str) -> String {
    format!(
        "- entry_type: {kind}
  metadata:
    format_version: \"2.1\"
    uuid: 00000000-0000-0000-0000-000000000000
    creation_time: 2026-01-01T00:00:00Z
    producer: {{name: somebody, version: n/a}}
    task:
      input_files: [runs.c]
      input_file_hashes: {{runs.c: 00}}
      specification: CHECK( init(main()), LTL(F end) )
      data_model: LP64
      language: C
  content:
{content}"
    )
}

/// A segment with one waypoint.
fn segment(kind: &str, action: &str, value: &str, line: usize) -> String {
    format!(
        "  - segment:
    - waypoint: {{type: {kind}, action: {action}, constraint: {{value: \"{value}\"}}, location: {{file_name: runs.c, \
         line: {line}}}}}\n"
    )
}

/// Two loops, of which the first is entered if `n` is not zero, and left only at 5.
const RUNS: &str = "extern int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n > 0) {
        while (n != 5)
            n = n < 5 ? 4 : 6;
    }
    while (n < 0)
        n = n < -1 ? -1 : -2;
    return 0;
}
";

#[test]
fn a_witness_of_an_endless_run_is_accepted_if_one_comes_to_what_repeats() {
    let folder = folder("endless");
    write(&folder, "runs.c", RUNS);
    let cases = [
        // The first loop, for ever.
        ([("branching", "follow", "true", 4), ("branching", "cycle", "true", 5)], 0),
        // The second one.
        ([("branching", "follow", "false", 4), ("branching", "cycle", "true", 8)], 0),
        // A run that follows the waypoints ends.
        ([("assumption", "follow", "n == 5", 4), ("branching", "cycle", "true", 5)], 6),
        // What repeats is never come to, by runs that never end.
        ([("branching", "follow", "true", 4), ("branching", "cycle", "true", 8)], 2),
    ];
    for (segments, code) in cases {
        let content: String = segments
            .iter()
            .map(|(kind, action, value, line)| segment(kind, action, value, *line))
            .collect();
        write(&folder, "w.yml", &witness_of_runs("violation_sequence", &content));
        let output = alphorn(&["check", "runs.c", "w.yml", "--time", "60s"], &folder);
        let said = text(&output.stdout) + &text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{segments:?}: {said}");
        assert_eq!(said.contains("accepted: RUNS FOREVER"), code == 0, "{said}");
    }
    std::fs::remove_dir_all(&folder).expect("it was made here");
}

#[test]
fn a_witness_that_runs_end_is_accepted_if_they_do_and_its_invariants_hold() {
    let folder = folder("ends");
    let program = "int main(void) {\n    int n = 7;\n    while (n > 0)\n        n = n - 2;\n    return 0;\n}\n";
    let invariant = |value: &str| {
        let location = "location: {file_name: runs.c, line: 3}";
        let content = format!(
            "  - invariant: {{type: loop_invariant, {location}, value: \"{value}\", format: c_expression}}\n"
        );
        witness_of_runs("invariant_set", &content)
    };
    for (text_of_program, value, code) in [
        (program.to_owned(), "n <= 7", 0),
        (program.to_owned(), "n >= 0", 6),
        (program.replace("n - 2", "n - 0"), "n <= 7", 6),
    ] {
        write(&folder, "runs.c", &text_of_program);
        write(&folder, "w.yml", &invariant(value));
        let output = alphorn(&["check", "runs.c", "w.yml", "--time", "60s"], &folder);
        let said = text(&output.stdout) + &text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{value}: {said}");
        assert_eq!(said.contains("accepted: TERMINATES"), code == 0, "{said}");
    }
    std::fs::remove_dir_all(&folder).expect("it was made here");
}

#[test]
fn a_broken_witness_about_runs_has_a_place() {
    let folder = folder("broken-runs");
    write(&folder, "runs.c", RUNS);
    let content = segment("branching", "dance", "true", 5);
    write(&folder, "w.yml", &witness_of_runs("violation_sequence", &content));
    let output = alphorn(&["check", "runs.c", "w.yml"], &folder);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(4), "{said}");
    assert!(said.contains("w.yml:15:"), "{said}");
    std::fs::remove_dir_all(&folder).expect("it was made here");
}

#[test]
fn invariants_cannot_make_an_unsafe_program_safe() {
    let folder = folder("hole");
    let program = "extern void __VERIFIER_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = 0, n = __VERIFIER_nondet_int();
    while (x < 3)
        x++;
    if (n == 12345) __VERIFIER_error();
    return 0;
}
";
    write(&folder, "p.c", program);
    write(&folder, "q.c", &program.replace("n == 12345", "x == 12345"));
    let witness = |value: &str| {
        format!(
            "- entry_type: invariant_set
  metadata:
    format_version: \"2.0\"
    uuid: 00000000-0000-0000-0000-000000000000
    creation_time: 2026-01-01T00:00:00Z
    producer: {{name: somebody, version: n/a}}
    task:
      input_files: [p.c]
      input_file_hashes: {{p.c: 00}}
      specification: \"G ! call(reach_error())\"
      data_model: LP64
      language: C
  content:
  - invariant: {{type: loop_invariant, location: {{file_name: p.c, line: 5}}, value: \"{value}\", format: c_expression}}
"
        )
    };
    // A run that ends while an invariant is evaluated must not hide what comes after.
    for undefined in ["1 / (x - x) == 0", "1 << (x + 40)", "*(int *)0 == 0"] {
        write(&folder, "w.yml", &witness(undefined));
        let output = alphorn(&["check", "p.c", "w.yml", "--time", "60s"], &folder);
        let said = text(&output.stderr);
        assert_ne!(output.status.code(), Some(0), "{undefined}: {said}");
        assert!(said.contains("w.yml:14:"), "{undefined}: {said}");
    }
    write(&folder, "w.yml", &witness("0 <= x && x <= 3 && x / 2 <= 1"));
    for (file, code) in [("p.c", 6), ("q.c", 0)] {
        let output = alphorn(&["check", file, "w.yml", "--time", "60s"], &folder);
        let said = text(&output.stdout) + &text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{file}: {said}");
    }
    std::fs::remove_dir_all(&folder).expect("it was made here");
}

#[test]
fn options_for_programs_are_refused_for_other_problems() {
    let folder = folder("others");
    write(&folder, "a.smt2", "(set-logic HORN)(assert (=> true true))(check-sat)");
    let options =
        [vec!["--show"], vec!["--witness", "w.yml"], vec!["--harness", "t.c"], vec!["--confirm"]];
    for option in options {
        let args: Vec<&str> = ["a.smt2"].into_iter().chain(option).collect();
        assert_eq!(alphorn(&args, &folder).status.code(), Some(3), "{args:?}");
    }
    let args = ["unsafe.c", "--witness", "unsafe.c"];
    assert_eq!(alphorn(&args, &folder).status.code(), Some(3), "an input is not overwritten");
    std::fs::remove_dir_all(&folder).expect("it was made here");
}

#[test]
fn a_task_answers_each_of_its_properties_and_says_which_are_not_treated() {
    let folder = folder("task");
    write(&folder, "call.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n");
    write(&folder, "termination.prp", "CHECK( init(main()), LTL(F end) )\n");
    let task = "format_version: '2.0'\ninput_files: 'unsafe.c'\nproperties:\n  - property_file: call.prp\n    \
                expected_verdict: false\n  - property_file: termination.prp\noptions:\n  language: C\n  \
                data_model: ILP32\n";
    write(&folder, "task.yml", task);
    let output = alphorn(&["task.yml", "--time", "60s"], &folder);
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{said}{}", text(&output.stderr));
    assert!(said.contains("32 bits") && said.contains("unsafe.c: UNSAFE"), "{said}");
    let unknown = said.lines().find(|line| line.contains("UNKNOWN"));
    assert!(unknown.is_some_and(|line| line.contains("asked alone")), "{said}");
    assert!(said.contains("termination"), "{said}");
    // What is undecided is no proof of all.
    write(&folder, "task.yml", &task.replace("unsafe.c", "safe.c"));
    let output = alphorn(&["task.yml", "--time", "60s"], &folder);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stdout));
    let one = alphorn(&["task.yml", "--property", "unreach-call", "--time", "60s"], &folder);
    assert_eq!(one.status.code(), Some(0), "{}", text(&one.stdout));
    let other = alphorn(&["task.yml", "--data-model", "lp64"], &folder);
    assert_eq!(other.status.code(), Some(4), "{}", text(&other.stdout));
    std::fs::remove_dir_all(&folder).expect("it was made here");
}

#[test]
fn a_program_that_is_proved_in_one_step_is_not_called_vacuous() {
    let folder = folder("proved-at-once");
    write(&folder, "a.bpl", "procedure p(x: int, y: int) { assume x > y; assert x >= y; }\n");
    write(&folder, "b.bpl", "procedure p() { var x: int; x := 1; }\n");
    let said = |file: &str| {
        let output = alphorn(&[file, "--time", "60s"], &folder);
        assert_eq!(output.status.code(), Some(0), "{file}");
        text(&output.stdout) + &text(&output.stderr)
    };
    let proved = said("a.bpl");
    assert!(!proved.contains("vacuous") && !proved.contains("V001"), "{proved}");
    let empty = said("b.bpl");
    assert!(empty.contains("V001") && empty.contains("makes no check"), "{empty}");
    assert!(!empty.contains("query"), "{empty}");
    std::fs::remove_dir_all(&folder).expect("it was made here");
}

#[test]
fn a_program_nested_too_deep_is_wrong_input() {
    let folder = folder("nested");
    let nested =
        format!("int main(void) {{ return {}1{}; }}", "(".repeat(100_000), ")".repeat(100_000));
    write(&folder, "n.c", &nested);
    let output = alphorn(&["n.c"], &folder);
    assert_eq!(output.status.code(), Some(4));
    assert!(text(&output.stderr).contains("help:"), "{}", text(&output.stderr));
    std::fs::remove_dir_all(&folder).expect("it was made here");
}

/// What is asked of a program that asserts nothing are several questions.
const SEVERAL: &str = "extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int x = __VERIFIER_nondet_int();
    int y = 7;
    if (x > 5)
        y = 100 / y;
    return x + y;
}
";

#[test]
fn evidence_about_several_properties_is_one_file_that_is_checked_piece_by_piece() {
    let folder = empty("several");
    write(&folder, "several.c", SEVERAL);
    let output = alphorn(&["several.c", "--evidence", "all.ev", "--time", "60s"], &folder);
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{said}{}", text(&output.stderr));
    let check = |args: &[&str]| {
        let output = alphorn(&[&["check", "several.c"], args].concat(), &folder);
        (output.status.code(), text(&output.stdout) + &text(&output.stderr))
    };
    let (code, said) = check(&["all.ev"]);
    assert_eq!(code, Some(0), "{said}");
    for property in ["no-overflow: UNSAFE", "no-division-by-zero: SAFE", "array-bounds: SAFE"] {
        assert!(said.contains(property), "{property}: {said}");
    }
    // One piece of them answers one question, and no other.
    let all = std::fs::read_to_string(folder.join("all.ev")).expect("it was written");
    let first = all.find("alphorn-program").expect("there is one");
    let second = first + 1 + all[first + 1..].find("alphorn-program").expect("there are several");
    write(&folder, "first.ev", &all[..second]);
    let (code, said) = check(&["first.ev", "--property", "0"]);
    assert_eq!(code, Some(0), "{said}");
    let (code, said) = check(&["first.ev", "--property", "1"]);
    assert_eq!(code, Some(4), "{said}");
    assert!(said.contains("another question"), "{said}");
    let (code, said) = check(&["first.ev", "--property", "9"]);
    assert_eq!(code, Some(3), "{said}");
    // A piece that is wrong is refused, whatever the others are.
    let of_others = all.replacen("properties no-division-by-zero", "properties no-overflow", 1);
    write(&folder, "wrong.ev", &of_others);
    let (code, said) = check(&["wrong.ev"]);
    assert!(matches!(code, Some(4 | 6)), "{code:?}: {said}");
    assert!(said.contains("array-bounds: SAFE"), "{said}");
    let cut = all.replacen("unsafe no-overflow", "unsafe array-bounds", 1);
    write(&folder, "wrong.ev", &cut);
    let (code, said) = check(&["wrong.ev"]);
    assert_eq!(code, Some(6), "{said}");
}

/// A loop of as many rounds as an input says, each with an input of its own.
const LONG: &str = "extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);
int main(void)
{
    unsigned int n = __VERIFIER_nondet_uint();
    unsigned long s = 0;
    unsigned long i = 0;
    while (i < n) {
        s += __VERIFIER_nondet_uint();
        ++i;
    }
    if (i > n)
        reach_error();
    return s == 0;
}
";

/// A witness of somebody else with an invariant at the loop.
fn invariant_at_loop(invariant: &str) -> String {
    format!(
        "- entry_type: invariant_set
  metadata:
    format_version: \"2.0\"
    uuid: \"eee0ba85-b96e-4aab-9e30-8105af1fd3f8\"
    creation_time: \"2024-09-17T09:35:16Z\"
    producer:
      name: \"somebody\"
      version: \"1\"
    task:
      input_files:
      - \"long.c\"
      input_file_hashes:
        \"long.c\": \"{}\"
      specification: \"G ! call(reach_error())\"
      data_model: \"LP64\"
      language: \"C\"
  content:
    - invariant:
        type: loop_invariant
        location:
          file_name: \"long.c\"
          line: 8
          column: 5
          function: main
        value: \"{invariant}\"
        format: c_expression
",
        "0".repeat(64)
    )
}

#[test]
fn an_invariant_that_fails_after_billions_of_rounds_is_refused_and_one_that_holds_is_not() {
    let folder = empty("long");
    write(&folder, "long.c", LONG);
    let check = |invariant: &str| {
        write(&folder, "w.yml", &invariant_at_loop(invariant));
        let output = alphorn(&["check", "long.c", "w.yml", "--time", "120s"], &folder);
        (output.status.code(), text(&output.stdout) + &text(&output.stderr))
    };
    let (code, said) = check("i < 0xfffffffe");
    assert_eq!(code, Some(6), "{said}");
    assert!(said.contains("invariant 1 fails") && said.contains("derivation"), "{said}");
    let (code, said) = check("i <= n && i <= 0xffffffff");
    assert_eq!(code, Some(0), "{said}");
    // One that fails soon is refused by a run.
    let (code, said) = check("i < 3");
    assert_eq!(code, Some(6), "{said}");
    assert!(said.contains("a run comes by"), "{said}");
}
