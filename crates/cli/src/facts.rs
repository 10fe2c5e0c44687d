//! How a page came about: the command, the version, the date, the seed and the limits.
//!
//! The date is that of `SOURCE_DATE_EPOCH` where it is set, as for everything that is to be made again
//! byte by byte.

use crate::args::Decide;
use alphorn_driver::config::DEFAULT_TIME;
use alphorn_driver::report::html::{RunFacts, shell};
use alphorn_driver::source::Origin;
use std::time::{SystemTime, UNIX_EPOCH};

/// The memory limit of those who give none.
const HALF: &str = "half of what was free";

/// The facts of this run.
pub fn run_facts(args: &Decide) -> RunFacts {
    let words: Vec<String> =
        std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
    // Where the program lies is nobody's business.
    if let Some(program) = words.first_mut() {
        *program = program.rsplit(['/', '\\']).next().unwrap_or("alphorn");
    }
    let or = |value: Option<String>, else_word: &str| value.unwrap_or(else_word.to_owned());
    let mut settings = vec![
        ("seed", args.seed.to_string()),
        ("time limit", format!("{} s", args.time.unwrap_or(DEFAULT_TIME).as_secs_f64())),
        ("memory limit", or(args.memory.map(|most| format!("{} MiB", most >> 20)), HALF)),
        ("ticks per engine", or(args.ticks.map(|most| most.to_string()), "not limited")),
        ("threads", or(args.threads.map(|count| count.to_string()), "one per processor")),
    ];
    let lists = [
        ("engines", &args.engine),
        ("transforms left out", &args.without),
        ("transforms added", &args.with),
    ];
    settings.extend(lists.map(|(name, list)| (name, list.join(", "))));
    settings.extend(args.bound.map(|bound| ("bound", format!("{bound} steps"))));
    settings.retain(|(_, value)| !value.is_empty());
    RunFacts {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        date: now(),
        command: shell(&words),
        settings: settings.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
    }
}

/// The command that checks evidence in the file `path` about a question of a file.
pub fn check_command(args: &Decide, file: &str, question: Option<usize>, path: &str) -> String {
    // What came through standard input must be in a file to be read again.
    let file = if file == "-" { "FILE" } else { file };
    let question = question.map(|index| index.to_string());
    let mut words = vec!["alphorn", "check"];
    if let Some(format) = args.format {
        words.extend(["--format", format.card().name]);
    }
    if let Some(question) = &question {
        words.extend(["--property", question]);
    }
    // A name must not be taken for an option.
    if file.starts_with('-') || path.starts_with('-') {
        words.push("--");
    }
    words.extend([file, path]);
    shell(&words)
}

/// Who makes a witness, and when.
pub fn origin(args: &Decide) -> Origin {
    let RunFacts { version, date, command, .. } = run_facts(args);
    let time = date.replacen(' ', "T", 1).replace(" UTC", "Z");
    Origin { version, time, command: Some(command) }
}

fn now() -> String {
    let asked = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|text| text.parse().ok());
    let seconds = asked
        .or_else(|| SystemTime::now().duration_since(UNIX_EPOCH).ok().map(|since| since.as_secs()));
    seconds.map_or(String::new(), date)
}

/// A moment, in seconds since 1970, as a date and a time of day.
fn date(seconds: u64) -> String {
    // After Hinnant, "chrono-compatible low-level date algorithms": years begin in March.
    let days = seconds / 86_400 + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let (year, month) = match month < 10 {
        true => (year + era * 400, month + 3),
        false => (year + era * 400 + 1, month - 9),
    };
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02} UTC")
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(date(0), "1970-01-01 00:00:00 UTC");
        assert_eq!(date(951_782_399), "2000-02-28 23:59:59 UTC");
        assert_eq!(date(951_782_400), "2000-02-29 00:00:00 UTC");
        assert_eq!(date(4_107_542_400), "2100-03-01 00:00:00 UTC");
        assert_eq!(date(1_767_225_599), "2025-12-31 23:59:59 UTC");
    }
}
