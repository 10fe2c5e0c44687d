//! Random quantified axioms with our answers, for another solver to compare.
//!
//! Usage: `fuzz_quantifiers FIRST_SEED COUNT ANSWERS`, with the output of `fuzz_smt`. Each seed is a
//! few questions, one formula more each time; about every second formula is closed over some of its
//! variables by quantifiers. Refutations are replayed, and in a model each quantified formula
//! is shown to hold; a failure of either ends the program.

// Each program uses a part of this module.
#[allow(dead_code)]
#[path = "../tests/support/mod.rs"]
mod support;

use std::io::Write;

use alphorn_sat::Budget;
use alphorn_smt::quantifiers::{Quantified, QuantifierLimits, decide, interpret};
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::eval::Table;
use alphorn_term::{Op, Store, TermId, Value};
use support::{Formulas, Kind, check_answer};

/// The kinds of formulas, in turn.
fn kind(seed: u64) -> Kind {
    let none = Kind::default();
    match seed % 4 {
        0 => Kind { functions: true, ..none },
        1 | 2 => Kind { ints: true, functions: true, ..none },
        _ => Kind { ints: true, ..none },
    }
}

/// Binds some of the free variables of a formula.
fn close(formulas: &mut Formulas, store: &mut Store, formula: TermId) -> TermId {
    let mut formula = formula;
    for _ in 0..1 + formulas.random.below(2) {
        let free = store.free_vars(&[formula]);
        let is_chosen = |formulas: &mut Formulas| formulas.random.below(3) == 0;
        let bound: Vec<TermId> = free.into_iter().filter(|_| is_chosen(formulas)).take(2).collect();
        if bound.is_empty() {
            continue;
        }
        // Names of their own: an instance must not need other ones.
        let mut own = Vec::with_capacity(bound.len());
        for var in &bound {
            own.push(store.fresh_var("x", store.sort(*var)));
        }
        formula = store.rename(formula, &bound, &own);
        let bound = own;
        formula = match formulas.random.below(4) {
            0 => store.exists(&bound, formula),
            _ => store.forall(&bound, formula),
        };
    }
    formula
}

/// Shows that all formulas hold in the model of the last answer.
fn check_model(smt: &Smt, store: &mut Store, formulas: &[TermId], what: &str) {
    let mut model = smt.model(store);
    for term in store.subterms(formulas) {
        if let Op::Apply(func) = store.op(term)
            && !model.funcs.contains_key(&func)
        {
            let default = Value::default_of(store, store.func(func).result);
            model.funcs.insert(func, Table { default, ..Table::default() });
        }
    }
    for &formula in formulas {
        let written = interpret(store, formula, &model);
        let written = written.unwrap_or_else(|| panic!("{what}: cannot be written out"));
        let negation = store.not(written);
        let found = decide(store, &[negation], &QuantifierLimits::default());
        if !matches!(found, Quantified::Refuted(_)) {
            let text = store.show(formula);
            panic!("{what}: not shown to hold: {text} in {model:?}");
        }
    }
}

fn main() -> std::io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [first, count, answers] = &arguments[..] else {
        eprintln!("usage: fuzz_quantifiers FIRST_SEED COUNT ANSWERS");
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
        let mut formulas = Formulas::new(&mut store, seed, kind(seed));
        let options = Options { proofs: true, instance_rounds: 60, ..Options::default() };
        let mut smt = Smt::new(options);
        smt.set_budget(Budget { conflicts: Some(2000), ..Budget::default() });
        let mut all = Vec::new();
        for _ in 0..4 {
            let depth = 1 + formulas.random.below(2);
            let formula = formulas.formula(&mut store, depth);
            all.push(match formulas.random.below(2) {
                0 => formula,
                _ => close(&mut formulas, &mut store, formula),
            });
        }
        writeln!(out, "(reset)\n(set-option :timeout 300)")?;
        write!(out, "{}", support::declarations(&store, &all))?;
        for (round, formula) in all.iter().enumerate() {
            writeln!(out, "(assert {})\n(check-sat)", store.show(*formula))?;
            smt.assert(&mut store, *formula);
            let answer = smt.check(&mut store, &[]);
            let what = format!("seed {seed}, {round}");
            check_answer(&smt, &mut store, answer, &what);
            let word = match answer {
                Answer::Sat => "sat",
                Answer::Unsat => "unsat",
                Answer::Unknown => "unknown",
            };
            writeln!(answers, "{seed} {round} {word}")?;
            match answer {
                Answer::Sat => check_model(&smt, &mut store, &all[..=round], &what),
                Answer::Unsat => break,
                Answer::Unknown => {}
            }
        }
    }
    Ok(())
}
