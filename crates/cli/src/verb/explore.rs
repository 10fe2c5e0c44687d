//! `alphorn explore`: how many states a model has, and which properties are violated in them.

use super::opened_asking;
use crate::args::Explore;
use crate::{interrupt, speak};
use alphorn_driver::certify::{Unfinished, within};
#[cfg(feature = "dataflow")]
use alphorn_driver::explore::dataflow::{self, Together};
use alphorn_driver::explore::{Bounds, Explored, explore};
use alphorn_driver::open::AnyProblem;
use alphorn_driver::problem::Words;
use alphorn_driver::problem::evidence::words::Property;
use alphorn_driver::program::Wishes;
use alphorn_driver::report::{Exit, json};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Goes through the states of a file.
pub fn main(args: &Explore) -> u8 {
    interrupt::watch();
    let wishes = Wishes { asked: args.response.asked().unwrap_or_default(), ..Wishes::default() };
    #[cfg(feature = "dataflow")]
    if args.hosts.is_some() && args.response.from.is_some() {
        let why = "what leads to what is asked of one process: leave out --hosts";
        speak::complain(&args.file, why, args.json);
        return Exit::Usage as u8;
    }
    let opened = match opened_asking(&args.file, &args.given, &wishes, args.json) {
        Ok(opened) => opened,
        Err(exit) => return exit as u8,
    };
    let words = match &opened.problem {
        Some(AnyProblem::Words(words)) => Arc::clone(words),
        Some(_) => {
            let why = "states are gone through of Murphi models and of BTOR2 only";
            speak::complain(&args.file, why, args.json);
            return Exit::Input as u8;
        }
        None => return Exit::Input as u8,
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let bounds = Bounds {
        threads: args.threads.unwrap_or(cores).clamp(1, 256),
        max_states: args.max_states.min(u64::from(u32::MAX)),
    };
    let begun = Instant::now();
    let own = Arc::clone(&words);
    #[cfg(feature = "dataflow")]
    let together = match together(args, &opened.bytes) {
        Ok(together) => together,
        Err(why) => {
            speak::complain(&args.file, &why, args.json);
            return Exit::Input as u8;
        }
    };
    let work = move || {
        #[cfg(feature = "dataflow")]
        if let Some(together) = together {
            return dataflow::explore_together(&own, bounds, &together, lost);
        }
        explore(&own, bounds).map(Some)
    };
    let found = match within(args.given.time, args.given.memory, interrupt::is_pending, work) {
        Ok(Ok(Some(found))) => found,
        Ok(Ok(None)) => {
            speak::out(&format!("{}: took part; the first process has the result\n", args.file));
            return Exit::Unknown as u8;
        }
        Ok(Err(why)) => {
            speak::complain(&args.file, &why, args.json);
            return Exit::Input as u8;
        }
        Err(Unfinished::Limit(limit)) => {
            match args.json {
                true => {
                    let why = Err(limit.describe());
                    speak::object(&json::explored(
                        &args.file,
                        why,
                        &[],
                        milliseconds(begun.elapsed()),
                    ));
                }
                false => speak::out(&format!("{}: UNKNOWN  {}\n", args.file, limit.describe())),
            }
            return Exit::Unknown as u8;
        }
        Err(Unfinished::Failed(text)) => {
            speak::complain(&args.file, &format!("a fault of this program: {text}"), args.json);
            return Exit::Internal as u8;
        }
    };
    said(args, &words, &found, begun.elapsed()) as u8
}

fn milliseconds(elapsed: Duration) -> u64 {
    u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX)
}

/// Says what was counted, and which properties are violated.
fn said(args: &Explore, words: &Words, found: &Explored, elapsed: Duration) -> Exit {
    let seconds = elapsed.as_secs_f64();
    if !args.json {
        let least = if found.is_complete { "" } else { "at least " };
        speak::out(&format!(
            "{}: {least}{} states of {} bytes, {} steps, depth {}  {seconds:.2} s ({:.0} states/s)\n",
            args.file,
            found.states,
            found.bytes,
            found.steps,
            found.depth,
            found.states as f64 / seconds.max(1e-6),
        ));
    }
    let mut exit = Exit::Safe;
    let mut properties = Vec::new();
    for (position, bad) in words.bads.iter().enumerate() {
        let violation = found.violations.iter().find(|(property, _)| *property == position);
        let steps = violation.map(|(_, trace)| trace.inputs.len().saturating_sub(1));
        let (verdict, worst) = match steps {
            Some(steps) => {
                (format!("UNSAFE after {steps} steps, the run was checked"), Exit::Unsafe)
            }
            None if found.is_complete => {
                ("UNKNOWN: explored, not certified; no state violates it".to_owned(), Exit::Unknown)
            }
            None => ("UNKNOWN: not all states were seen".to_owned(), Exit::Unknown),
        };
        if !args.json {
            let name = bad.name.as_deref().map_or(String::new(), |name| format!("  \"{name}\""));
            speak::out(&format!("  bad {position}{name}: {verdict}\n"));
        }
        properties.push((format!("bad {position}"), bad.name.as_deref(), steps));
        exit = if exit == Exit::Unsafe { exit } else { worst };
    }
    for other in &found.others {
        let (label, name) = match other.property {
            Property::Home(index) => (
                format!("home {index}"),
                words.homes.get(index).and_then(|home| home.name.as_deref()),
            ),
            _ => ("response".to_owned(), None),
        };
        let steps = other.violation.as_ref().map(|trace| trace.inputs.len().saturating_sub(1));
        let (verdict, worst) = match steps {
            Some(steps) => {
                (format!("UNSAFE after {steps} steps, the run was checked"), Exit::Unsafe)
            }
            None => ("UNKNOWN: explored, not certified".to_owned(), Exit::Unknown),
        };
        if !args.json {
            let shown = name.map_or(String::new(), |name| format!("  \"{name}\""));
            speak::out(&format!("  {label}{shown}: {verdict}; {}\n", other.remark));
        }
        properties.push((label, name, steps));
        exit = if exit == Exit::Unsafe { exit } else { worst };
    }
    if args.json {
        let counts = json::Counts {
            states: found.states,
            steps: found.steps,
            depth: found.depth,
            bytes: found.bytes as u64,
            is_complete: found.is_complete,
        };
        let object = json::explored(&args.file, Ok(counts), &properties, milliseconds(elapsed));
        speak::object(&object);
    }
    exit
}

/// The processes that work together, if any are named.
#[cfg(feature = "dataflow")]
fn together(args: &Explore, bytes: &[u8]) -> Result<Option<Together>, String> {
    let (Some(hosts), Some(process)) = (&args.hosts, args.process) else { return Ok(None) };
    let text = std::fs::read_to_string(hosts).map_err(|error| format!("{hosts}: {error}"))?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let addresses: Vec<String> = lines.map(str::to_owned).collect();
    if let Some(wrong) = addresses.iter().find(|address| !address.contains(':')) {
        return Err(format!("{hosts}: {wrong} has no port; a line is HOST:PORT"));
    }
    if process >= addresses.len() {
        let lines = addresses.len();
        return Err(format!("{hosts} has {lines} lines, so there is no process {process}"));
    }
    let fingerprint = dataflow::fingerprint(bytes, args.threads);
    Ok(Some(Together { addresses, process, fingerprint }))
}

/// Ends the process when another one is gone.
#[cfg(feature = "dataflow")]
fn lost(why: &str) -> ! {
    let what = "the processes do not work together any more, so that there is no result";
    speak::complain("explore", &format!("{what}: {why}"), false);
    std::process::exit(i32::from(Exit::Unknown as u8))
}
