//! Random formulas with our answers, for another solver to compare.
//!
//! Usage: `fuzz_smt FIRST_SEED COUNT ANSWERS [numbers|arrays|words|data|mixed]`, with formulas about one
//! theory only if it is named. Prints a script that asks each question after a `(reset)` per seed, and
//! writes our answers, a line each, to the file ANSWERS. Models are evaluated and refutations replayed
//! here; a refutation that is missing or refused ends the program.

// Each program uses a part of this module.
#[allow(dead_code)]
#[path = "../tests/support/mod.rs"]
mod support;

use std::io::Write;

use alphorn_sat::Budget;
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::Store;
use support::{Formulas, Kind, check_answer};

/// The kinds of formulas, by number.
fn kind(number: u64) -> Kind {
    let none = Kind::default();
    let arrays = Kind { arrays: true, ..none };
    match number {
        0 => Kind { ints: true, ..none },
        1 => Kind { reals: true, ..none },
        2 => Kind { ints: true, operators: true, ..none },
        3 => Kind { ints: true, reals: true, operators: true, ..none },
        4 => Kind { functions: true, ..none },
        5 => Kind { ints: true, functions: true, ..none },
        6 => Kind { ints: true, reals: true, functions: true, operators: true, ..none },
        7 => Kind { ints: true, products: true, ..none },
        8 => arrays,
        9 => Kind { ints: true, ..arrays },
        10 => Kind { ints: true, functions: true, ..arrays },
        11 => Kind { nested: true, ..arrays },
        12 => Kind { ints: true, nested: true, ..arrays },
        13 => Kind { reals: true, nested: true, functions: true, ..arrays },
        14 => Kind { ints: true, functions: true, operators: true, ..arrays },
        15 | 16 => Kind { words: true, ..none },
        17 => Kind { words: true, functions: true, ..none },
        18 => Kind { words: true, functions: true, ints: true, ..none },
        19 => Kind { data: true, ..none },
        20 => Kind { data: true, ints: true, ..none },
        21 => Kind { data: true, functions: true, ..none },
        22 => Kind { data: true, ints: true, functions: true, operators: true, ..none },
        23 => Kind { ints: true, words: true, ..arrays },
        24 => Kind { ints: true, data: true, ..arrays },
        25 => Kind { words: true, data: true, functions: true, ..none },
        26 => Kind { words: true, ..arrays },
        _ => Kind { ints: true, words: true, data: true, functions: true, nested: true, ..arrays },
    }
}

fn main() -> std::io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let kinds = match arguments.get(3).map(String::as_str) {
        None => Some(0..28),
        Some("numbers") => Some(0..8),
        Some("arrays") => Some(8..15),
        Some("words") => Some(15..19),
        Some("data") => Some(19..23),
        Some("mixed") => Some(23..28),
        Some(_) => None,
    };
    let (Some(kinds), [first, count, answers, ..]) = (kinds, &arguments[..]) else {
        eprintln!("usage: fuzz_smt FIRST_SEED COUNT ANSWERS [numbers|arrays|words|data|mixed]");
        std::process::exit(3);
    };
    let (Ok(first), Ok(count)) = (first.parse::<u64>(), count.parse::<u64>()) else {
        eprintln!("the seed and the count are numbers");
        std::process::exit(3);
    };
    let mut answers = std::io::BufWriter::new(std::fs::File::create(answers)?);
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for seed in first..first + count {
        let mut store = Store::new();
        let mut formulas =
            Formulas::new(&mut store, seed, kind(kinds.start + seed % (kinds.end - kinds.start)));
        let mut smt = Smt::new(Options { proofs: true, ..Options::default() });
        smt.set_budget(Budget { conflicts: Some(3000), ..Budget::default() });
        let mut all = Vec::new();
        for _ in 0..5 {
            let depth = 1 + formulas.random.below(3);
            all.push(formulas.formula(&mut store, depth));
        }
        writeln!(out, "(reset)\n(set-option :timeout 1000)")?;
        write!(out, "{}", support::declarations(&store, &all))?;
        for (round, formula) in all.iter().enumerate() {
            writeln!(out, "(assert {})\n(check-sat)", store.show(*formula))?;
            smt.assert(&mut store, *formula);
            let answer = smt.check(&mut store, &[]);
            check_answer(&smt, &mut store, answer, &format!("seed {seed}, {round}"));
            let word = match answer {
                Answer::Sat => "sat",
                Answer::Unsat => "unsat",
                Answer::Unknown => "unknown",
            };
            writeln!(answers, "{seed} {round} {word}")?;
            if answer == Answer::Unsat {
                break;
            }
        }
    }
    Ok(())
}
