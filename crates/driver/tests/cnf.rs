//! The formulas of the corpus: solved as their headers say, with proofs that read back.

use alphorn_check::lrat::refute;
use alphorn_driver::sat::{Answer, Cnf, Proof, ProofFormat, Request, read, solve};
use alphorn_front::evidence::lrat::read_step;
use alphorn_problem::Span;
use alphorn_problem::evidence::circuit::Lrat;
use alphorn_testkit::corpus::{files_below, root};
use std::path::{Path, PathBuf};

/// The files of a folder of the corpus, without those of its folders.
fn files(folder: &str) -> Vec<PathBuf> {
    let folder = root().join("corpus").join(folder);
    let below = files_below(&folder).into_iter();
    let paths: Vec<PathBuf> = below.filter(|path| path.parent() == Some(&folder)).collect();
    assert!(!paths.is_empty());
    paths
}

fn cnf(path: &Path) -> (Cnf, String) {
    let text = std::fs::read_to_string(path).expect("the file is text");
    let (cnf, diagnostics) = read(text.as_bytes());
    (cnf.unwrap_or_else(|| panic!("{}: {diagnostics:?}", path.display())), text)
}

#[test]
fn formulas_are_solved_as_expected() {
    for path in files("cnf") {
        let (cnf, text) = cnf(&path);
        for seed in 0..3 {
            let solved = solve(&cnf, &Request { seed, ..Request::default() });
            let answer = match solved.expect("the answer is accepted").answer {
                Answer::Satisfiable(_) => "sat",
                Answer::Unsatisfiable(_) => "unsat",
                Answer::Unknown => "unknown",
            };
            let expected = text.lines().find_map(|line| line.strip_prefix("c expect: "));
            assert_eq!(Some(answer), expected, "{}", path.display());
        }
    }
}

#[test]
fn broken_files_are_refused() {
    for path in files("cnf/broken") {
        let (cnf, diagnostics) = read(&std::fs::read(&path).expect("the file is there"));
        assert!(cnf.is_none() && !diagnostics.is_clean(), "{}", path.display());
    }
}

/// The proof of each unsatisfiable formula.
fn proofs() -> Vec<(Cnf, Proof)> {
    let solved = files("cnf").into_iter().filter_map(|path| {
        let (cnf, _) = cnf(&path);
        match solve(&cnf, &Request::default()).expect("the answer is accepted").answer {
            Answer::Unsatisfiable(proof) => Some((cnf, proof)),
            _ => None,
        }
    });
    solved.collect()
}

fn text(proof: &Proof, format: ProofFormat) -> String {
    String::from_utf8(proof.to_bytes(format)).expect("the format is text")
}

/// The file itself is replayed, as another checker would; without its first step it is refused.
#[test]
fn written_proofs_are_accepted() {
    for (cnf, proof) in proofs() {
        let lrat = text(&proof, ProofFormat::Lrat);
        let step = |line: &str| read_step(line, Span::NONE).expect("the step is well formed");
        let mut replayed = Lrat { steps: lrat.lines().map(step).collect() };
        assert_eq!(refute(cnf.clauses(), &replayed), Ok(()));
        replayed.steps.remove(0);
        assert!(refute(cnf.clauses(), &replayed).is_err());
        assert!(lrat.starts_with(&format!("{} ", cnf.len() + 1)));
    }
}

/// A binary file as lines of text; additions end after so many zeros.
fn decode(bytes: &[u8], zeros: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut bytes = bytes.iter();
    while let Some(kind) = bytes.next() {
        let mut line = String::from(if *kind == b'd' { "d " } else { "" });
        let mut left = if *kind == b'd' { 1 } else { zeros };
        while left > 0 {
            let (mut number, mut shift) = (0u64, 0);
            for byte in bytes.by_ref() {
                number |= u64::from(byte & 127) << shift;
                shift += 7;
                if byte & 128 == 0 {
                    break;
                }
            }
            left -= usize::from(number == 0);
            line.push_str(if number & 1 == 1 { "-" } else { "" });
            line.push_str(&format!("{} ", number >> 1));
        }
        lines.push(line.trim_end().to_owned());
    }
    lines
}

#[test]
fn binary_proofs_say_the_same_as_text() {
    for (_, proof) in proofs() {
        let drat = text(&proof, ProofFormat::Drat);
        assert_eq!(decode(&proof.to_bytes(ProofFormat::DratBinary), 1).join("\n"), drat.trim_end());
        let additions = drat.lines().filter(|line| !line.starts_with('d'));
        assert_eq!(additions.count(), proof.additions());
        assert!(drat.ends_with("\n0\n"), "the last clause is empty");
        // Deletions carry no number of their own in binary LRAT.
        let lrat = text(&proof, ProofFormat::Lrat);
        let unnumbered = |line: &str| match line.split_once(" d ") {
            Some((_, ids)) => format!("d {ids}"),
            None => line.to_owned(),
        };
        let expected: Vec<String> = lrat.lines().map(unnumbered).collect();
        assert_eq!(decode(&proof.to_bytes(ProofFormat::LratBinary), 2), expected);
    }
}

#[test]
fn the_conflict_limit_and_the_interrupt_are_kept() {
    let path = files("cnf").into_iter().find(|path| path.ends_with("parity.cnf"));
    let (cnf, _) = cnf(&path.expect("the formula is there"));
    let few = Request { conflicts: Some(3), ..Request::default() };
    let interrupted = Request::default();
    interrupted.interrupt.store(true, std::sync::atomic::Ordering::Relaxed);
    for request in [few, interrupted] {
        let solved = solve(&cnf, &request).expect("there is nothing to refuse");
        assert!(matches!(solved.answer, Answer::Unknown));
    }
}
