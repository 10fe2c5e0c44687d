//! The word-level problems of the hardware competition: all read, and printing is stable.

use alphorn_front::btor2;
use alphorn_term::Op;
use std::path::PathBuf;

fn files() -> Vec<PathBuf> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/bench/hw/hwmcc20-btor2");
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.sort();
    files
}

#[test]
fn competition_files_read_cleanly_and_print_stably() {
    let files = files();
    if files.is_empty() {
        println!("the benchmark folder is absent; nothing was read");
        return;
    }
    for file in files {
        let bytes = std::fs::read(&file).unwrap();
        let (words, diagnostics) = btor2::read(&bytes);
        assert!(diagnostics.list.is_empty(), "{}: {:?}", file.display(), diagnostics.list);
        let words = words.unwrap();
        let count = |op: &str| {
            let text = String::from_utf8_lossy(&bytes);
            text.lines().filter(|line| line.split(' ').nth(1) == Some(op)).count()
        };
        let lists = [
            ("input", words.inputs.len()),
            ("state", words.states.len()),
            ("bad", words.bads.len()),
            ("constraint", words.constraints.len()),
            ("output", words.outputs.len()),
            ("init", words.states.iter().filter(|state| state.init.is_some()).count()),
            ("next", words.states.iter().filter(|state| state.next.is_some()).count()),
        ];
        for (op, found) in lists {
            assert_eq!(found, count(op), "{}: {op}", file.display());
        }
        for bad in &words.bads {
            assert_ne!(words.terms.op(bad.term), Op::True);
        }
        let printed = btor2::print(&words).unwrap();
        let (again, diagnostics) = btor2::read(printed.as_bytes());
        assert!(diagnostics.list.is_empty(), "{}: {:?}", file.display(), diagnostics.list);
        let printed_again = btor2::print(&again.unwrap()).unwrap();
        assert!(printed == printed_again, "{}: printing is not stable", file.display());
        assert!(printed.len() < 2 * bytes.len() + 1000, "{}: the text grows", file.display());
    }
}
