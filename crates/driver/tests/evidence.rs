//! Evidence in files: what `accept` holds is accepted, what `reject` holds is not, and evidence
//! that was written and read is judged like the original.
//!
//! A file names its problem in a comment, `problem: PATH`, and in `reject` also a part of what is
//! said about it, `refused: TEXT`, or `refused: unreadable: TEXT` if it is not even evidence.

use alphorn_driver::certify::{Certified, certify};
use alphorn_driver::run::Stopper;
use alphorn_driver::{AnyProblem, Config, Limits, Opened, decide, open_bytes};
use alphorn_front::evidence::print_circuit;
use alphorn_problem::Verdict;
use alphorn_problem::circuit::{Circuit, Lit};
use alphorn_problem::evidence::circuit::{Certificate, Invariant};
use alphorn_problem::obligation::circuit::Obligations;
use alphorn_testkit::cnf::prove;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn files(folder: &str) -> Vec<PathBuf> {
    let folder = root().join(folder);
    let mut found: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the folder is there")
        .flatten()
        .map(|e| e.path())
        .collect();
    found.sort();
    found
}

fn open(path: &Path) -> Opened {
    let bytes = std::fs::read(path).expect("the problem is there");
    let opened = open_bytes(&path.to_string_lossy(), bytes, None);
    assert!(opened.problem.is_some(), "{}: {:?}", path.display(), opened.diagnostics.list);
    opened
}

/// The problem and the text of a file of evidence, and what its comments say under `key`.
fn case(path: &Path, key: &str) -> (Opened, String, Option<String>) {
    let text = std::fs::read_to_string(path).expect("evidence is text");
    let header = |key: &str| {
        let mut lines = text.lines().map(|line| line.trim_start_matches([';', 'c', ' ']));
        lines.find_map(|line| Some(line.strip_prefix(key)?.strip_prefix(": ")?.to_owned()))
    };
    let problem = header("problem").expect("evidence names its problem");
    let said = header(key);
    (open(&root().join(problem)), text, said)
}

/// Certifies a text that must be accepted, and what it is printed as too.
#[track_caller]
fn accepted(opened: &Opened, text: &str) -> usize {
    let judged = certify(opened, text.as_bytes());
    let mut again = String::new();
    for certified in &judged {
        match certified {
            Certified::Accepted(evidence) => again.push_str(&evidence.text(opened)),
            other => panic!("{}: {other:?}\n{text}", opened.file),
        }
    }
    let second = certify(opened, again.as_bytes());
    assert_eq!(second.len(), judged.len(), "{again}");
    for certified in second {
        let Certified::Accepted(evidence) = certified else {
            panic!("{}: {certified:?}\n{again}", opened.file)
        };
        assert!(again.contains(&evidence.text(opened)), "{again}");
    }
    judged.len()
}

#[test]
fn what_should_be_accepted_is() {
    for path in files("crates/driver/tests/evidence/accept") {
        let (opened, text, _) = case(&path, "problem");
        assert!(accepted(&opened, &text) > 0, "{}", path.display());
    }
}

#[test]
fn what_should_be_refused_is() {
    for path in files("crates/driver/tests/evidence/reject") {
        let (opened, text, said) = case(&path, "refused");
        let said = said.expect("the file says why it is refused");
        let judged = certify(&opened, text.as_bytes());
        let last = judged.last().expect("something is said");
        let (reason, expected) = match (last, said.strip_prefix("unreadable: ")) {
            (Certified::Refused(refusal), None) => (refusal.to_string(), said.as_str()),
            (Certified::Unreadable(diagnostics), Some(expected)) => {
                (diagnostics.list[0].message.clone(), expected)
            }
            other => panic!("{}: {other:?}", path.display()),
        };
        assert!(reason.contains(expected), "{}: {reason}", path.display());
    }
}

/// What engines find about the corpus is accepted from its text as well.
#[test]
fn evidence_of_engines_is_accepted_from_its_text() {
    let folders = ["horn/shape", "horn/dialect", "horn/finite", "aiger/basic", "btor2/basic"];
    let paths: Vec<PathBuf> =
        folders.iter().flat_map(|folder| files(&format!("corpus/{folder}"))).collect();
    let mut count = 0;
    // Verilog is for Yosys to read, and files of T2 ask about infinite runs.
    let is_own = |path: &PathBuf| path.extension().is_none_or(|end| end != "v" && end != "t2");
    for path in paths.into_iter().chain(files("examples").into_iter().filter(is_own)) {
        let opened = open(&path);
        let config = Config {
            limits: Limits { ticks: 200_000, ..Limits::default() },
            threads: 1,
            ..Config::default()
        };
        let decisions =
            decide(&opened, &config, &Stopper::new(), &mut |_| {}, &mut |_| {}).expect("it runs");
        // Evidence about a Horn system answers one question; a circuit's properties share a file.
        let is_horn = matches!(opened.problem, Some(AnyProblem::Horn(_) | AnyProblem::C(_)));
        let mut texts: Vec<(usize, String)> = Vec::new();
        for decision in &decisions {
            let Some(evidence) = &decision.evidence else { continue };
            let text = evidence.text(&opened.question(decision.index));
            match texts.last_mut() {
                Some((_, all)) if !is_horn => all.push_str(&text),
                _ => texts.push((decision.index, text)),
            }
        }
        for (index, text) in texts {
            count += accepted(&opened.question(index), &text);
        }
    }
    assert!(count > 15, "only {count} pieces of evidence");
}

/// A certificate of the first property with proofs of its obligations.
fn certificate(circuit: &Circuit, invariant: Invariant) -> Certificate {
    let built = Obligations::new(circuit, 0, &invariant).expect("the invariant is well-formed");
    let proof = |index| {
        let obligation = built.build(index).expect("the obligation is small");
        prove::refutation(obligation.cnf.clauses()).expect("the obligation holds")
    };
    let obligations = (0..built.count()).map(proof).collect();
    Certificate { property: 0, invariant, obligations }
}

#[test]
fn circuit_certificates_with_proofs_are_accepted_from_their_text() {
    let opened = open(&root().join("crates/driver/tests/evidence/problems/ring.aag"));
    let Some(AnyProblem::Circuit(circuit)) = &opened.problem else { panic!("a circuit") };
    let aig = "aag 3 2 0 1 1\n2\n4\n7\n6 4 2\n";
    let aig = alphorn_front::aiger::read(aig.as_bytes()).0.expect("a sound circuit");
    let clause: Vec<Lit> = vec![!circuit.latch(0), !circuit.latch(1)];
    for invariant in [
        Invariant::Clauses(vec![clause.clone()]),
        Invariant::Aig(Box::new(aig)),
        Invariant::induction(1, false),
        Invariant::induction(3, false),
        Invariant::induction(2, true),
        Invariant::KInductive { k: 0, simple_path: false, lemmas: vec![clause.clone()] },
        Invariant::KInductive { k: 1, simple_path: true, lemmas: vec![clause] },
    ] {
        let verdict = Verdict::Safe(certificate(circuit, invariant));
        let text = print_circuit(circuit, &verdict);
        assert_eq!(accepted(&opened, &text), 1);
    }
}
