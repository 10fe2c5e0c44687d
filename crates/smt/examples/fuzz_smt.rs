//! Random formulas with our answers, for another solver to compare.
//!
//! Usage: `fuzz_smt FIRST_SEED COUNT ANSWERS [data]`, with formulas about datatypes only. Prints a script that asks each question after a
//! `(reset)` per seed, and writes our answers, a line each, to the file ANSWERS. Models are evaluated and
//! refutations replayed here; a refutation that is missing or refused ends the program.

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
    match number {
        0 => Kind { ints: true, ..none },
        1 => Kind { reals: true, ..none },
        2 => Kind { ints: true, operators: true, ..none },
        3 => Kind { ints: true, reals: true, operators: true, ..none },
        4 => Kind { functions: true, ..none },
        5 => Kind { ints: true, functions: true, ..none },
        6 => Kind { ints: true, reals: true, functions: true, operators: true, ..none },
        7 => Kind { ints: true, products: true, ..none },
        8 => Kind { data: true, ..none },
        9 => Kind { data: true, ints: true, ..none },
        10 => Kind { data: true, functions: true, ..none },
        _ => Kind { data: true, ints: true, functions: true, operators: true, ..none },
    }
}

fn main() -> std::io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let ([first, count, answers], kinds) = match &arguments[..] {
        [first, count, answers] => ([first, count, answers], 0..12),
        [first, count, answers, theory] if theory == "data" => ([first, count, answers], 8..12),
        _ => {
            eprintln!("usage: fuzz_smt FIRST_SEED COUNT ANSWERS [data]");
            std::process::exit(3);
        }
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
