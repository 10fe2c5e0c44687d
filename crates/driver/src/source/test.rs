//! A run as a C test, and what a compiler says to it.

use super::run_of;
use super::story::story;
use crate::evidence::AnyEvidence;
use crate::open::Opened;
use alphorn_front::c::harness::{Harness, VIOLATED, harness};
use std::path::Path;
use std::process::Command;

/// The test of the run that evidence is; nothing if it is none.
pub fn test(opened: &Opened, evidence: &AnyEvidence) -> Option<Harness> {
    let (task, run) = run_of(evidence)?;
    let story = story(&task, run, &opened.bytes);
    let property = run.violation.property;
    let mut test = harness(&task, &opened.file, &opened.bytes, property, &story.chosen);
    if story.spared > MAX_WAIT {
        let (steps, all) = (run.steps, run.steps.saturating_add(story.spared));
        test.slow = Some(format!(
            "the run has {steps} steps because calls of pure functions are remembered; compiled it has {all}"
        ));
    }
    Some(test)
}

/// The steps that a compiled program may take without a word about it: some seconds with sanitizers.
const MAX_WAIT: u64 = 1 << 28;

/// What a compiled test came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Confirmed {
    /// The violation happened.
    Yes,
    /// It did not.
    No(String),
    /// The test could not be compiled or run.
    Cannot(String),
}

/// Compiles a test with `cc` in a folder of its own, and runs it.
pub fn confirm(opened: &Opened, harness: &Harness) -> Confirmed {
    let name = format!("alphorn-test-{}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    if let Err(error) = std::fs::create_dir_all(&folder) {
        return Confirmed::Cannot(format!("there is no folder for it: {error}"));
    }
    let result = compile_and_run(opened, harness, &folder);
    // What is left behind does no harm.
    let _ = std::fs::remove_dir_all(&folder);
    result
}

fn compile_and_run(opened: &Opened, harness: &Harness, folder: &Path) -> Confirmed {
    let (source, program) = (folder.join("test.c"), folder.join("test"));
    if let Err(error) = std::fs::write(&source, &harness.text) {
        return Confirmed::Cannot(format!("it cannot be written: {error}"));
    }
    let beside = Path::new(&opened.file).parent().filter(|path| !path.as_os_str().is_empty());
    let mut compiler = Command::new("cc");
    compiler.args(&harness.flags);
    if let Some(beside) = beside {
        compiler.arg("-iquote").arg(beside);
    }
    match compiler.arg("-o").args([&program, &source]).output() {
        Err(error) => return Confirmed::Cannot(format!("there is no cc: {error}")),
        Ok(built) if !built.status.success() => {
            let said = String::from_utf8_lossy(&built.stderr).into_owned();
            let first = said.lines().find(|line| line.contains("error")).unwrap_or("no reason");
            return Confirmed::Cannot(format!("cc does not compile it: {first}"));
        }
        Ok(_) => {}
    }
    // A program that does not end is ended by the shell's own limit of processor time.
    let limited = format!("ulimit -t 20; exec '{}'", program.display());
    match Command::new("sh").arg("-c").arg(limited).output() {
        Err(error) => Confirmed::Cannot(format!("it cannot be run: {error}")),
        Ok(ran) if ran.status.code() == Some(i32::from(VIOLATED)) => Confirmed::Yes,
        Ok(ran) => match &harness.slow {
            // Killed by its limit.
            Some(slow) if ran.status.code().is_none() => {
                Confirmed::Cannot(format!("it does not end in time: {slow}"))
            }
            _ => Confirmed::No(format!("it ends with {}", ran.status)),
        },
    }
}
