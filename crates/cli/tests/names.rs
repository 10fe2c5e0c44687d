//! Other tools' names: a link to the program, called with the command lines of those who call these tools.
#![cfg(unix)]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

struct Links(PathBuf);

impl Links {
    fn new(name: &str) -> Links {
        let path =
            std::env::temp_dir().join(format!("alphorn-names-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("a temporary folder can be made");
        for name in ["eld", "golem", "z3", "horn", "sby", "smt"] {
            let link = path.join(format!("alphorn-{name}"));
            std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_alphorn"), link)
                .expect("a link can be made");
        }
        Links(path)
    }

    /// What is printed and how it ends, with this text as standard input.
    fn call(&self, line: &str, input: &str) -> (String, Option<i32>) {
        let mut words = line.split(' ');
        let name = words.next().expect("a name");
        let mut child = Command::new(self.0.join(name))
            .args(words)
            .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary runs");
        child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("it reads");
        let output = child.wait_with_output().expect("it ends");
        (String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code())
    }
}

impl Drop for Links {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const SAFE: &str = "examples/bounded_counter.smt2";
const UNSAFE: &str = "(set-logic HORN)(declare-fun p (Int) Bool)(assert (p 0))
(assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))
(assert (forall ((x Int)) (=> (and (p x) (= x 3)) false)))(check-sat)";

#[test]
fn solidity_asks_eldarica_on_standard_input() {
    let links = Links::new("solidity");
    let safe =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(SAFE))
            .expect("the example is there");
    let (said, code) = links.call("alphorn-eld -t:60 -ssol", &safe);
    let mut lines = said.lines();
    assert_eq!(lines.next(), Some("sat"), "{said}");
    assert!(said.contains("define-fun"), "{said}");
    assert_eq!(code, Some(0));
    assert_eq!(links.call("alphorn-eld -t:60", UNSAFE), ("unsat\n".to_owned(), Some(0)));
}

#[test]
fn pychc_asks_eldarica_and_golem_about_a_file() {
    let links = Links::new("pychc");
    for line in [
        format!("alphorn-eld {SAFE} -scex -ssol"),
        format!("alphorn-golem {SAFE} --print-witness"),
        format!("alphorn-golem -e spacer -l QF_LIA --print-witness {SAFE}"),
    ] {
        let (said, code) = links.call(&line, "");
        assert!(said.starts_with("sat\n") && said.contains("define-fun"), "{line}: {said}");
        assert_eq!(code, Some(0), "{line}");
    }
    let (said, code) = links.call("alphorn-golem --print-witness -", UNSAFE);
    assert!(said.starts_with("unsat\n"), "{said}");
    assert!(said.lines().skip(1).all(|line| line.starts_with(';')), "{said}");
    assert_eq!(code, Some(0));
}

#[test]
fn thrust_takes_any_other_code_than_zero_for_a_crash() {
    let links = Links::new("thrust");
    assert_eq!(links.call(&format!("alphorn-horn {SAFE}"), ""), ("sat\n".to_owned(), Some(0)));
    assert_eq!(links.call("alphorn-horn -", UNSAFE), ("unsat\n".to_owned(), Some(0)));
    let (_, code) = links.call("alphorn-horn -", "(set-logic HORN)(assert");
    assert_eq!(code, Some(4), "errors are errors");
}

#[test]
fn callers_of_z3_have_their_options() {
    let links = Links::new("z3");
    let script = "(set-option :smt.mbqi true)(declare-const x Int)(assert (> x 3))(check-sat)";
    for line in ["alphorn-z3 -in -smt2", "alphorn-z3 -smt2 -in -T:60 rlimit=2000000"] {
        assert_eq!(links.call(line, script), ("sat\n".to_owned(), Some(0)), "{line}");
    }
    // Solidity asks it for Horn clauses, too.
    let line =
        "alphorn-z3 -in -smt2 -t:60000 rewriter.pull_cheap_ite=true fp.spacer.q3.use_qgen=true";
    assert_eq!(links.call(line, UNSAFE), ("unsat\n".to_owned(), Some(0)));
}

#[test]
fn sby_reads_zero_or_one_and_a_witness_without_x() {
    let links = Links::new("sby");
    let (said, code) = links.call("alphorn-sby +simple_liveness examples/arbiter.aag", "");
    let answer: Vec<&str> = said.lines().filter(|line| !line.starts_with('u')).collect();
    assert_eq!((answer, code), (vec!["0", "b0", "."], Some(0)));
    let (said, code) = links.call("alphorn-sby examples/lock.aag", "");
    let answer: Vec<&str> = said.lines().filter(|line| !line.starts_with('u')).collect();
    assert_eq!(&answer[..2], ["1", "b0"], "{said}");
    assert_eq!(answer.last(), Some(&"."), "{said}");
    assert!(!said.contains('x'), "{said}");
    assert_eq!(code, Some(0));
}

#[test]
fn sby_is_not_told_that_a_file_passes_of_which_nothing_was_shown() {
    let links = Links::new("sby-nothing");
    for circuit in ["aag 1 1 0 0 0\n2\n", "aag 1 1 0"] {
        let (said, _) = links.call("alphorn-sby -", circuit);
        assert!(!said.lines().any(|line| line == "0"), "{said}");
    }
    let endless = "corpus/horn/shape/infinite_counter.smt2";
    let (said, _) = links.call(&format!("alphorn-sby --engine forward --ticks 10 {endless}"), "");
    assert!(said.lines().any(|line| line == "2"), "{said}");
}
