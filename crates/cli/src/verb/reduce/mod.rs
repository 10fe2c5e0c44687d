//! `alphorn reduce`: a file made as small as it can be while a condition holds of it.
//!
//! Every candidate is decided in a process of its own, so that faults, limits and endless work stay there. What has been
//! tried is not tried again. The smallest file so far is written whenever there is a new one: who interrupts a
//! reduction has a result.

mod condition;
mod trial;

use crate::args::Reduce;
use crate::{interrupt, speak, target};
use alphorn_driver::format::Format;
use alphorn_driver::open::open;
use alphorn_driver::reduce::reduce;
use alphorn_driver::report::Exit;
use alphorn_driver::{Opened, sha256};
use condition::Condition;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use trial::Runs;

/// How long a run on one candidate may take, if nothing is said.
const DEFAULT_TRY: Duration = Duration::from_secs(10);

/// Makes a file smaller.
pub fn main(args: &Reduce) -> u8 {
    let condition = match Condition::parse(&args.condition) {
        Ok(condition) => condition,
        Err(why) => {
            speak::complain("--while", &why, false);
            return Exit::Usage as u8;
        }
    };
    let opened = open(&args.file, args.format, None);
    if opened.bytes.is_empty() {
        speak::diagnostics(&opened, false);
        return Exit::Input as u8;
    }
    let output = args.output.clone().unwrap_or_else(|| beside(&args.file));
    if let Err((about, why)) = target::guard(&[&args.file], &output) {
        speak::complain(&about, &why, false);
        return Exit::Usage as u8;
    }
    interrupt::watch();
    let folder = match Folder::new(&args.file, opened.format) {
        Ok(folder) => folder,
        Err(error) => {
            speak::complain("", &format!("no folder for candidates can be made: {error}"), false);
            return Exit::Usage as u8;
        }
    };
    let runs = Runs {
        options: args.options.clone(),
        format: args.format,
        time: args.time.unwrap_or(DEFAULT_TRY),
        folder: folder.path.clone(),
        is_hardware: matches!(opened.format, Some(Format::Aiger | Format::Btor2)),
    };
    let search = Search {
        condition: &condition,
        runs: &runs,
        candidate: folder.candidate(),
        output: &output,
        tries: args.tries,
        is_quiet: args.quiet,
        begun: Instant::now(),
        tried: BTreeSet::new(),
        best: opened.bytes.len(),
        failure: None,
    };
    search.run(&opened)
}

/// A name for the result: `loop.reduced.smt2` of `loop.smt2`, in the folder where we are.
fn beside(file: &str) -> String {
    let name = Path::new(file).file_name().map_or_else(String::new, |n| n.to_string_lossy().into());
    match name.rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() => format!("{stem}.reduced.{ending}"),
        _ => format!("{name}.reduced"),
    }
}

/// Where candidates are written; it goes with what is in it.
struct Folder {
    path: PathBuf,
    ending: String,
    /// A candidate that stands elsewhere.
    outside: Option<PathBuf>,
}

impl Folder {
    /// A folder for what a file becomes. Programs include files that stand beside them, so their candidates do.
    fn new(file: &str, format: Option<Format>) -> io::Result<Folder> {
        let path = std::env::temp_dir().join(format!("alphorn-reduce-{}", std::process::id()));
        fs::create_dir_all(&path)?;
        let ending = Path::new(file).extension().map(|e| format!(".{}", e.to_string_lossy()));
        let ending = ending.unwrap_or_default();
        let parent = Path::new(file).parent().filter(|_| format == Some(Format::C) && file != "-");
        let outside = parent
            .map(|parent| parent.join(format!("alphorn-candidate-{}{ending}", std::process::id())));
        let outside = outside.filter(|path| fs::write(path, b"").is_ok());
        Ok(Folder { path, ending, outside })
    }

    fn candidate(&self) -> PathBuf {
        let inside = || self.path.join(format!("candidate{}", self.ending));
        self.outside.clone().unwrap_or_else(inside)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
        if let Some(outside) = &self.outside {
            let _ = fs::remove_file(outside);
        }
    }
}

struct Search<'a> {
    condition: &'a Condition,
    runs: &'a Runs,
    candidate: PathBuf,
    output: &'a str,
    /// How many runs there may be.
    tries: usize,
    is_quiet: bool,
    begun: Instant,
    /// What was refused, by its hash.
    tried: BTreeSet<String>,
    /// The length of the smallest file so far.
    best: usize,
    /// Why nothing more can be done.
    failure: Option<String>,
}

impl Search<'_> {
    fn run(mut self, opened: &Opened) -> u8 {
        match self.ask(&opened.bytes) {
            Ok((true, _)) => {}
            Ok((false, seen)) => {
                let message = format!("the condition does not hold of the file as it is: {seen}");
                speak::complain(&opened.file, &message, false);
                return Exit::Usage as u8;
            }
            Err(error) => {
                speak::complain("", &format!("no run can be started: {error}"), false);
                return Exit::Usage as u8;
            }
        }
        let given = self.tries;
        let (level, bytes) = reduce(opened, &mut |bytes| self.holds(bytes));
        if let Some(why) = &self.failure {
            speak::complain("", why, false);
            return Exit::Usage as u8;
        }
        if let Err(error) = fs::write(self.output, &bytes) {
            speak::complain(self.output, &format!("it cannot be written: {error}"), false);
            return Exit::Usage as u8;
        }
        let end = match (interrupt::is_pending(), self.tries) {
            (true, _) => ", interrupted",
            (false, 0) => ", out of tries",
            _ => "",
        };
        speak::out(&format!(
            "reduced {}, from {} bytes to {} in {} runs{end}: {}\n",
            level.describe(),
            opened.bytes.len(),
            bytes.len(),
            given - self.tries,
            self.output
        ));
        if end.is_empty() { Exit::Safe as u8 } else { Exit::Unknown as u8 }
    }

    /// Whether the condition holds of a candidate; nothing when there is no more to be done.
    fn holds(&mut self, bytes: &[u8]) -> Option<bool> {
        if self.tries == 0 || interrupt::is_pending() || self.failure.is_some() {
            return None;
        }
        let hash = sha256::hex(bytes);
        if self.tried.contains(&hash) {
            return Some(false);
        }
        self.tries -= 1;
        let holds = match self.ask(bytes) {
            // What was interrupted says nothing.
            Ok(_) if interrupt::is_pending() => return None,
            Ok((holds, _)) => holds,
            Err(error) => {
                self.failure = Some(format!("no run can be started: {error}"));
                return None;
            }
        };
        if !holds {
            self.tried.insert(hash);
            return Some(false);
        }
        if let Err(error) = fs::write(self.output, bytes) {
            self.failure = Some(format!("{}: it cannot be written: {error}", self.output));
            return None;
        }
        if bytes.len() < self.best && !self.is_quiet {
            let seconds = self.begun.elapsed().as_secs_f64();
            speak::err(&format!("{} bytes  {seconds:.2} s\n", bytes.len()));
        }
        self.best = self.best.min(bytes.len());
        Some(true)
    }

    fn ask(&self, bytes: &[u8]) -> io::Result<(bool, String)> {
        fs::write(&self.candidate, bytes)?;
        self.condition.holds(self.runs, &self.candidate)
    }
}

#[cfg(test)]
mod tests {
    use super::beside;

    #[test]
    fn the_result_has_a_name_of_its_own() {
        assert_eq!(beside("x/loop.smt2"), "loop.reduced.smt2");
        assert_eq!(beside("loop"), "loop.reduced");
        assert_eq!(beside(".smt2"), ".smt2.reduced");
    }
}
