//! A solver for DIMACS files, for measurements: the answer as `s` and `v` lines, exit code 10 or 20.
//!
//! Usage: `dimacs FILE [--proof LRAT] [--log] [--stats] [--ticks N] [--set NAME=VALUE]…`. With `--log`
//! a proof is recorded but not written.

use std::process::exit;

use alphorn_front::dimacs;
use alphorn_sat::{Answer, Budget, Lit, Options, Solver};

struct Arguments {
    file: String,
    proof: Option<String>,
    stats: bool,
    ticks: Option<u64>,
    options: Options,
}

fn arguments() -> Result<Arguments, String> {
    let mut words = std::env::args().skip(1);
    let mut options = Options::default();
    let (mut file, mut proof, mut stats, mut ticks) = (None, None, false, None);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("{word} needs a value"));
        match word.as_str() {
            "--proof" => {
                proof = Some(value()?);
                options.proof = 1;
            }
            "--log" => options.proof = 1,
            "--stats" => stats = true,
            "--ticks" => ticks = Some(value()?.parse().map_err(|_| "--ticks needs a number")?),
            "--set" => {
                let setting = value()?;
                let (name, value) = setting.split_once('=').ok_or("--set needs NAME=VALUE")?;
                options.set(name, value.parse().map_err(|_| "a value is a number")?)?;
            }
            _ => file = Some(word),
        }
    }
    let file = file.ok_or("usage: dimacs FILE [--proof LRAT] [--stats] [--set NAME=VALUE]")?;
    Ok(Arguments { file, proof, stats, ticks, options })
}

fn run(arguments: &Arguments) -> Result<i32, String> {
    let bytes = std::fs::read(&arguments.file).map_err(|error| error.to_string())?;
    let (cnf, diagnostics) = dimacs::read(&bytes);
    let cnf = cnf.ok_or_else(|| format!("{diagnostics:?}"))?;
    let mut solver = Solver::new(arguments.options.clone());
    for _ in 0..cnf.variables {
        solver.new_var();
    }
    let to_lits = |clause: &[i32]| -> Vec<Lit> {
        clause.iter().filter_map(|number| Lit::from_dimacs(*number)).collect()
    };
    for clause in cnf.clauses() {
        solver.add_clause(&to_lits(clause));
    }
    solver.set_budget(Budget { ticks: arguments.ticks, ..Budget::default() });
    let answer = solver.solve(&[]);
    if arguments.stats {
        for (name, count) in solver.stats().entries() {
            println!("c {name:<16} {count:>14}");
        }
    }
    match answer {
        Answer::Unknown => println!("s UNKNOWN"),
        Answer::Unsat => {
            println!("s UNSATISFIABLE");
            if let (Some(path), Some(trace)) = (&arguments.proof, solver.trace()) {
                let goal = solver.conclusion().ok_or("an answer without a conclusion")?;
                let proof = trace.refutation_of_inputs(goal).to_lrat();
                std::fs::write(path, proof).map_err(|error| error.to_string())?;
            }
        }
        Answer::Sat => {
            println!("s SATISFIABLE");
            let mut line = String::from("v");
            for var in (0..cnf.variables).map(alphorn_sat::Var) {
                let lit = var.lit(solver.value(var.positive()) == Some(true));
                line.push_str(&format!(" {}", lit.to_dimacs()));
            }
            println!("{line} 0");
            for clause in cnf.clauses() {
                if !to_lits(clause).iter().any(|lit| solver.value(*lit) == Some(true)) {
                    return Err(format!("the model violates {clause:?}"));
                }
            }
        }
    }
    Ok(match answer {
        Answer::Sat => 10,
        Answer::Unsat => 20,
        Answer::Unknown => 0,
    })
}

fn main() {
    match arguments().and_then(|arguments| run(&arguments)) {
        Ok(code) => exit(code),
        Err(message) => {
            eprintln!("{message}");
            exit(7);
        }
    }
}
