//! Random C programs, and how they run here: for comparing with a compiler (`fuzz/random_c.py`).
//!
//! `c_run make FIRST COUNT` prints programs of that many seeds as one file; `c_run run FILE` runs each function of
//! a file whose name ends with `_main` and prints a line about it: its name, and what it returns, or how it ended.
//! `c_run values FIRST COUNT` does that for the programs of seeds, each on its own.
//! `c_run asserting FIRST COUNT` prints programs that ask for values and assert.
//! `c_run shrink SEED COMMAND` prints the smallest version of a program that it finds for which the
//! command, which gets the name of a file, fails; `c_run shrink-asserting` does so for those that assert.

use alphorn_front::c;
use alphorn_problem::Span;
use alphorn_program::c::layout::DataModel;
use alphorn_program::c::property::{Asked, Choice, Malloc, Task};
use alphorn_program::c::run::{Chooser, Limits, Outcome, Runnable, State, Value, Wanted, Watcher};
use alphorn_program::c::tree::FuncId;
use alphorn_testkit::c::{Program, asserting, random};
use alphorn_testkit::{Rng, shrink};
use std::process::{Command, ExitCode};
use std::sync::Arc;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match words[..] {
        ["make", first, count] => make(first, count),
        ["run", file] => std::fs::read_to_string(file)
            .map_err(|error| format!("{file}: {error}"))
            .and_then(|text| run(&text)),
        ["values", first, count] => values(first, count),
        ["asserting", first, count] => make_asserting(first, count),
        ["shrink", seed, command] => number(seed).and_then(|seed| small(program(seed), command)),
        ["shrink-asserting", seed, command] => {
            number(seed).and_then(|seed| small(with_assertions(seed), command))
        }
        _ => Err("usage: c_run make|values|asserting FIRST COUNT | run FILE \
                  | shrink|shrink-asserting SEED COMMAND"
            .to_owned()),
    };
    match done {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(text) => {
            eprintln!("{text}");
            ExitCode::FAILURE
        }
    }
}

fn number(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("not a number: {text}"))
}

fn program(seed: u64) -> Program {
    random(&mut Rng::new(seed), &format!("p{seed}_"))
}

fn make(first: &str, count: &str) -> Result<String, String> {
    let first = number(first)?;
    Ok((first..first + number(count)?).map(|seed| program(seed).text()).collect())
}

fn with_assertions(seed: u64) -> Program {
    asserting(&mut Rng::new(seed), &format!("p{seed}_"))
}

fn make_asserting(first: &str, count: &str) -> Result<String, String> {
    let first = number(first)?;
    Ok((first..first + number(count)?).map(|seed| with_assertions(seed).text()).collect())
}

/// Whoever asks gets zeros: the programs have nothing to ask.
struct Zeros;

impl Chooser for Zeros {
    fn choose(&mut self, _: Asked, wanted: Wanted, _: Span) -> Option<Choice> {
        Some(match wanted {
            Wanted::Int(_) | Wanted::Pointer => Choice::Value(0),
            Wanted::Contents(_) => Choice::Contents { cells: Vec::new(), default: 0 },
            Wanted::Allocated => Choice::Allocated(true),
            Wanted::Turn { current, .. } => Choice::Turn { thread: current, points: u64::MAX },
        })
    }
}

/// What a function returned.
struct Returned(FuncId, Option<Value>);

impl Watcher for Returned {
    fn leave(&mut self, function: FuncId, result: Value, _: &State<'_>) {
        if function == self.0 {
            self.1 = Some(result);
        }
    }
}

fn values(first: &str, count: &str) -> Result<String, String> {
    let first = number(first)?;
    (first..first + number(count)?).map(|seed| run(&program(seed).text())).collect()
}

fn run(text: &str) -> Result<String, String> {
    let (unit, diagnostics) = c::read(text.as_bytes(), &c::Options::new(DataModel::Lp64));
    let unit = Arc::new(unit.ok_or_else(|| format!("not read: {diagnostics:?}"))?);
    let mut out = String::new();
    for index in 0..unit.functions.len() {
        let function = &unit.functions[index];
        if !function.name.ends_with("_main") || function.body.is_none() {
            continue;
        }
        let entry = FuncId(index as u32);
        let unit = Arc::clone(&unit);
        let task = Task { unit, entry, properties: Vec::new(), malloc: Malloc::Succeeds };
        let mut seen = Returned(entry, None);
        let limits = Limits { steps: 50_000_000, ..Limits::default() };
        let ran = Runnable::new(&task).run(&mut Zeros, limits, &mut seen);
        let line = match (ran.outcome, seen.1) {
            (Outcome::Finished, Some(Value::Int(number))) => format!("{number}"),
            (Outcome::Undefined(what, _), _) => format!("undefined {what}"),
            (outcome, _) => format!("ended {outcome:?}"),
        };
        out.push_str(&format!("{} {line}\n", task.unit.functions[index].name));
    }
    Ok(out)
}

fn small(program: Program, command: &str) -> Result<String, String> {
    let path = std::env::temp_dir().join(format!("c_run_{}.c", std::process::id()));
    let fails = |program: &Program| {
        std::fs::write(&path, program.text()).is_ok()
            && Command::new(command)
                .arg(&path)
                .status()
                .is_ok_and(|status| status.code() == Some(1))
    };
    if !fails(&program) {
        return Err("the command does not fail".to_owned());
    }
    let small = shrink::minimise(program, fails);
    // Nothing depends on the file any more.
    let _ = std::fs::remove_file(&path);
    Ok(small.text())
}
