//! The formulas of the corpus: solved as their headers say, with proofs that read back.

use alphorn_driver::sat::{Answer, Cnf, ProofFormat, Request, read, solve};
use std::path::{Path, PathBuf};

fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus").join(folder);
    let entries = std::fs::read_dir(folder).expect("the folder is there").flatten();
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| entry.path()).filter(|path| path.is_file()).collect();
    paths.sort();
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

/// Steps of LRAT are numbered after the file's clauses, hint at clauses before them only, and end
/// in the empty clause; the other formats have as many additions.
#[test]
fn proofs_are_written_as_external_checkers_expect() {
    for path in files("cnf") {
        let (cnf, _) = cnf(&path);
        let solved = solve(&cnf, &Request::default()).expect("the answer is accepted");
        let Answer::Unsatisfiable(proof) = solved.answer else { continue };
        let lrat = String::from_utf8(proof.to_bytes(ProofFormat::Lrat)).expect("LRAT is text");
        let mut last = cnf.len() as i64;
        let mut additions = 0;
        for line in lrat.lines() {
            let words: Vec<&str> = line.split(' ').collect();
            let id: i64 = words[0].parse().expect("a step has a number");
            if words[1] == "d" {
                assert_eq!(id, last);
                continue;
            }
            let numbers: Vec<i64> = words.iter().map(|word| word.parse().expect("")).collect();
            let hints = numbers[1..].split(|number| *number == 0).nth(1).expect("hints");
            assert!(id == last + 1 && hints.iter().all(|hint| 0 < *hint && *hint < id));
            (last, additions) = (id, additions + 1);
        }
        assert_eq!(additions, proof.additions());
        assert!(lrat.lines().last().is_some_and(|line| line.starts_with(&format!("{last} 0 "))));
        let drat = String::from_utf8(proof.to_bytes(ProofFormat::Drat)).expect("DRAT is text");
        assert_eq!(drat.lines().filter(|line| !line.starts_with('d')).count(), additions);
        assert!(drat.ends_with("\n0\n") || drat == "0\n", "{drat}");
        assert_eq!(proof.to_bytes(ProofFormat::LratBinary)[0], b'a');
        assert!(proof.to_bytes(ProofFormat::DratBinary).ends_with(b"a\0"));
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
