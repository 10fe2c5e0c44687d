//! Interrupts end a run as a time limit does: with an answer, and with what is known.
#![cfg(unix)]

use alphorn_testkit::folder::empty as folder;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A run that has begun and can be signalled.
struct Running {
    child: Child,
}

impl Running {
    /// Starts a run and waits until it has had time to begin its work.
    fn start(args: &[&str]) -> Running {
        let child = Command::new(env!("CARGO_BIN_EXE_alphorn"))
            .args(args)
            .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary runs");
        std::thread::sleep(Duration::from_millis(700));
        Running { child }
    }

    fn signal(&self, signal: &str) {
        let id = self.child.id().to_string();
        let sent = Command::new("kill").args([signal, &id]).status().expect("kill is there");
        assert!(sent.success(), "the process is there");
    }

    /// What was said, and how it ended.
    fn end(mut self) -> (String, Option<i32>) {
        let begun = Instant::now();
        let mut text = String::new();
        let mut stdout = self.child.stdout.take().expect("a pipe");
        stdout.read_to_string(&mut text).expect("text");
        let status = self.child.wait().expect("it ends");
        assert!(begun.elapsed() < Duration::from_secs(20), "it did not end by itself");
        (text, status.code())
    }
}

/// The engine `forward` never comes to an end with it.
const ENDLESS: &str = "corpus/horn/shape/infinite_counter.smt2";

#[test]
fn an_interrupt_keeps_what_is_known() {
    let folder = folder("interrupt");
    let out = folder.to_string_lossy();
    for signal in ["-INT", "-TERM"] {
        let run = Running::start(&["--engine", "forward", "--time", "60s", ENDLESS, "--out", &out]);
        run.signal(signal);
        let (text, code) = run.end();
        assert!(text.contains("UNKNOWN  interrupted"), "{text}");
        assert!(text.contains("reached   no counterexample up to depth"), "{text}");
        assert!(text.contains("engine    forward: "), "{text}");
        assert_eq!(code, Some(2));
        let page = std::fs::read_to_string(folder.join("report.html")).expect("a page");
        assert!(page.contains("interrupted"), "{page}");
        std::fs::remove_file(folder.join("report.html")).expect("the page can be removed");
    }
    std::fs::remove_dir_all(folder).expect("the folder can be removed");
}

#[test]
fn files_after_an_interrupt_are_not_begun_and_have_an_answer() {
    let args = ["--engine", "forward", "--time", "60s", "examples/bounded_counter.smt2"];
    let run = Running::start(&[&args[..1], &args[1..4], &[ENDLESS], &args[4..]].concat());
    run.signal("-INT");
    let (text, code) = run.end();
    assert_eq!(text.matches("UNKNOWN  interrupted").count(), 2, "{text}");
    assert!(text.contains("2 files, 2 unknown"), "{text}");
    assert_eq!(code, Some(2));
}

/// A formula that no solver of today decides in time: pigeons without room.
fn pigeons(folder: &Path, count: usize) -> String {
    let variable = |pigeon: usize, hole: usize| pigeon * count + hole + 1;
    let mut clauses: Vec<String> = Vec::new();
    for pigeon in 0..=count {
        let row: Vec<String> = (0..count).map(|hole| variable(pigeon, hole).to_string()).collect();
        clauses.push(format!("{} 0", row.join(" ")));
        for other in 0..pigeon {
            let apart = |hole| format!("-{} -{} 0", variable(pigeon, hole), variable(other, hole));
            clauses.extend((0..count).map(apart));
        }
    }
    let head = format!("p cnf {} {}\n", (count + 1) * count, clauses.len());
    let path = folder.join("pigeons.cnf");
    std::fs::write(&path, head + &clauses.join("\n") + "\n").expect("a file can be written");
    path.to_string_lossy().into_owned()
}

#[test]
fn a_formula_is_answered_unknown() {
    let folder = folder("interrupt-sat");
    let run = Running::start(&["sat", "--time", "60s", &pigeons(&folder, 14)]);
    run.signal("-INT");
    let (text, code) = run.end();
    assert!(text.contains("c interrupted") && text.contains("s UNKNOWN"), "{text}");
    assert_eq!(code, Some(0), "0 is unknown for SAT solvers");
    std::fs::remove_dir_all(folder).expect("the folder can be removed");
}

/// The checker waits for its problem here, so that the interrupt always finds it at work.
#[test]
fn a_check_says_that_it_is_not_done() {
    let folder = folder("interrupt-check");
    let pipe = folder.join("problem.aag");
    let made = Command::new("mkfifo").arg(&pipe).status().expect("mkfifo is there");
    assert!(made.success());
    let run = Running::start(&["check", &pipe.to_string_lossy(), "examples/toggle.aag"]);
    run.signal("-INT");
    let (text, code) = run.end();
    assert!(text.contains("evidence not checked: interrupted"), "{text}");
    assert_eq!(code, Some(2));
    std::fs::remove_dir_all(folder).expect("the folder can be removed");
}

/// After the first interrupt the run waits for a reader of its page, who never comes, so that only
/// the second one can end it. When the first was heard is not known; hence the second is repeated.
#[test]
fn a_second_interrupt_ends_at_once() {
    let folder = folder("interrupt-twice");
    let made = Command::new("mkfifo").arg(folder.join("report.html")).status().expect("mkfifo");
    assert!(made.success());
    let out = folder.to_string_lossy();
    let mut run = Running::start(&["--engine", "forward", "--time", "60s", ENDLESS, "--out", &out]);
    run.signal("-INT");
    std::thread::sleep(Duration::from_millis(300));
    for _ in 0..100 {
        if run.child.try_wait().expect("its state is known").is_some() {
            break;
        }
        run.signal("-TERM");
        std::thread::sleep(Duration::from_millis(100));
    }
    let (text, code) = run.end();
    assert_eq!(code, Some(143), "{text}");
    std::fs::remove_dir_all(folder).expect("the folder can be removed");
}

#[test]
fn a_script_gets_its_reply() {
    let folder = folder("interrupt-smt");
    let path = folder.join("hard.smt2");
    let product = "(declare-const a (_ BitVec 40))(declare-const b (_ BitVec 40))
        (assert (= (bvmul ((_ zero_extend 40) a) ((_ zero_extend 40) b)) (_ bv340282366920938461 80)))
        (assert (bvugt a (_ bv1 40)))(assert (bvugt b (_ bv1 40)))";
    let script =
        format!("(set-logic QF_BV)(set-option :produce-models true){product}(check-sat)\n");
    std::fs::write(&path, script).expect("a file can be written");
    let run = Running::start(&["smt", "--time", "60s", &path.to_string_lossy()]);
    run.signal("-TERM");
    let (text, code) = run.end();
    assert_eq!(text, "unknown\n");
    assert_eq!(code, Some(2));
    std::fs::remove_dir_all(folder).expect("the folder can be removed");
}
