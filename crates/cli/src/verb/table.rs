//! `alphorn table`: what came of batches.

use crate::args::Table;
use crate::speak;
use alphorn_driver::report::Exit;
use alphorn_driver::report::batch::{Record, cactus, csv, junit, read, scatter, summary};
use std::path::Path;

/// Reads the records, prints a summary of each folder, and writes what is wanted.
pub fn main(args: &Table) -> u8 {
    let mut sets: Vec<(String, Vec<Record>)> = Vec::new();
    for folder in &args.folders {
        match records(Path::new(folder)) {
            Ok(records) => sets.push((folder.trim_end_matches('/').to_owned(), records)),
            Err(why) => {
                speak::complain(folder, &why, false);
                return Exit::Input as u8;
            }
        }
    }
    if args.scatter.is_some() && sets.len() != 2 {
        speak::complain("--scatter", "two folders are compared", false);
        return Exit::Usage as u8;
    }
    let is_data = [&args.csv, &args.junit].iter().any(|target| target.as_deref() == Some("-"));
    for (name, records) in &sets {
        let text = format!("{name}: {}", summary(records));
        if is_data { speak::err(&text) } else { speak::out(&text) }
    }
    let all: Vec<Record> = sets.iter().flat_map(|(_, records)| records.iter().cloned()).collect();
    let wanted = [
        (&args.csv, args.csv.as_ref().map(|_| csv(&all))),
        (
            &args.junit,
            args.junit
                .as_ref()
                .map(|_| junit(&all.iter().flat_map(Record::rows).collect::<Vec<_>>())),
        ),
        (&args.cactus, args.cactus.as_ref().map(|_| cactus(&sets))),
        (&args.scatter, args.scatter.as_ref().map(|_| scatter(&sets[0], &sets[sets.len() - 1]))),
    ];
    speak::write_all(wanted, false) as u8
}

/// The records of a folder, by the names of their files.
fn records(folder: &Path) -> Result<Vec<Record>, String> {
    let entries =
        std::fs::read_dir(folder).map_err(|error| format!("it cannot be read: {error}"))?;
    let mut found = Vec::new();
    for entry in entries.flatten() {
        let path = entry.path();
        if path.extension().is_none_or(|ending| ending != "json") {
            continue;
        }
        let name = path.to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{name}: {error}"))?;
        found.push(read(&text).map_err(|why| format!("{name}: {why}"))?);
    }
    found.sort_by(|one, other| (&one.file, &one.options).cmp(&(&other.file, &other.options)));
    Ok(found)
}
