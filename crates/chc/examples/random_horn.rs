//! Writes random Horn systems over words, arrays or datatypes, for `fuzz/bulk_horn.py`.
//!
//! Usage: `random_horn FIRST_SEED COUNT FOLDER words|arrays|data`; the system of a seed is in the file
//! `SEED.smt2`. The generator is that of the tests.

use alphorn_testkit::horn::theories::{Systems, Theory};

fn main() -> std::io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [first, count, folder, theory] = &arguments[..] else {
        eprintln!("usage: random_horn FIRST_SEED COUNT FOLDER words|arrays|data");
        std::process::exit(3);
    };
    let theory = match theory.as_str() {
        "words" => Some(Theory::Words),
        "arrays" => Some(Theory::Arrays),
        "data" => Some(Theory::Data),
        _ => None,
    };
    let (Some(theory), Ok(first), Ok(count)) = (theory, first.parse::<u64>(), count.parse::<u64>())
    else {
        eprintln!("the seed and the count are numbers, the theory is words, arrays or data");
        std::process::exit(3);
    };
    for seed in first..first + count {
        let path = std::path::Path::new(folder).join(format!("{seed}.smt2"));
        std::fs::write(path, Systems::text(theory, seed))?;
    }
    Ok(())
}
