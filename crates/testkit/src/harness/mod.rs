//! A harness for tests that are made from data: one named test for each file and engine, run in parallel.
//!
//! The standard harness knows its tests when the program is compiled; these are known when it starts. A program
//! with `harness = false` makes a [`Suite`] and hands it to [`Suite::main`], which understands what `cargo test`
//! and people say after `--`: parts of names, `--exact`, `--skip`, `--list`, `--test-threads` and so on. Names are
//! paths of files and what is asked about them: `corpus/horn/shape/no_facts.smt2::pdr`.
//!
//! A test passes if it returns and fails if it panics; what it says then is reported with its name.

mod arguments;
mod pool;

use arguments::Arguments;
use std::process::ExitCode;

/// What a test does.
pub type Body = Box<dyn Fn() + Send + Sync>;

/// A test.
pub struct Test {
    name: String,
    body: Body,
}

/// Tests to run.
#[derive(Default)]
pub struct Suite {
    tests: Vec<Test>,
    /// What must hold of all tests together; run last, and only if all others were run.
    totals: Vec<Test>,
}

impl Suite {
    /// Adds a test.
    pub fn add(&mut self, name: impl Into<String>, body: impl Fn() + Send + Sync + 'static) {
        self.tests.push(Test { name: name.into(), body: Box::new(body) });
    }

    /// Adds a test about what the others have found together: it is run after them, and not if a part of them
    /// was chosen.
    pub fn add_total(&mut self, name: impl Into<String>, body: impl Fn() + Send + Sync + 'static) {
        self.totals.push(Test { name: name.into(), body: Box::new(body) });
    }

    /// Does what the command line says; the exit code is that of the standard harness.
    pub fn main(self) -> ExitCode {
        match Arguments::read(std::env::args().skip(1)) {
            Ok(arguments) => self.run(&arguments, &mut std::io::stdout()),
            Err(wrong) => {
                eprintln!("{wrong}");
                ExitCode::from(2)
            }
        }
    }

    fn run(self, arguments: &Arguments, out: &mut (impl std::io::Write + Send)) -> ExitCode {
        let Suite { tests, totals } = self;
        let all = tests.len();
        let chosen: Vec<Test> =
            tests.into_iter().filter(|test| arguments.takes(&test.name)).collect();
        let (run, left) = (chosen.len(), all - chosen.len());
        let is_whole = left == 0;
        let totals: Vec<Test> =
            totals.into_iter().filter(|test| is_whole && arguments.takes(&test.name)).collect();
        let mut say = |text: String| out.write_all(text.as_bytes()).expect("output can be written");
        if arguments.is_list {
            for test in chosen.iter().chain(&totals) {
                say(format!("{}: test\n", test.name));
            }
            say(format!("\n{} tests, 0 benchmarks\n", run + totals.len()));
            return ExitCode::SUCCESS;
        }
        say(format!("\nrunning {} tests\n", run + totals.len()));
        let mut failed = Vec::new();
        let mut report = |name: &str, failure: Option<String>| {
            let word = if failure.is_some() { "FAILED" } else { "ok" };
            if !arguments.is_quiet || failure.is_some() {
                say(format!("test {name} ... {word}\n"));
            }
            failed.extend(failure.map(|said| (name.to_owned(), said)));
        };
        pool::run(&chosen, arguments.threads, &mut report);
        pool::run(&totals, 1, &mut report);
        if !failed.is_empty() {
            failed.sort();
            say("\nfailures:\n".to_owned());
            for (name, said) in &failed {
                say(format!("\n---- {name} ----\n{said}\n"));
            }
            say("\nfailures:\n".to_owned());
            failed.iter().for_each(|(name, _)| say(format!("    {name}\n")));
        }
        let word = if failed.is_empty() { "ok" } else { "FAILED" };
        let passed = run + totals.len() - failed.len();
        say(format!(
            "\ntest result: {word}. {passed} passed; {} failed; 0 ignored; 0 measured; {left} filtered out\n\n",
            failed.len()
        ));
        if failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(101) }
    }
}

#[cfg(test)]
mod tests;
