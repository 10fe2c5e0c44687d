//! What the command line of a test program says.

/// The command line, read.
#[derive(Debug, Default)]
pub(super) struct Arguments {
    /// Parts of names, of which a test must have one; any name if there are none.
    parts: Vec<String>,
    /// Parts of names that a test must not have.
    skipped: Vec<String>,
    /// Names must be equal to a part.
    is_exact: bool,
    /// Names are only printed.
    pub(super) is_list: bool,
    /// Only failures are printed.
    pub(super) is_quiet: bool,
    /// Ignored tests are asked for, of which there are none.
    is_ignored: bool,
    /// How many tests run at once.
    pub(super) threads: usize,
}

/// Flags of the standard harness that make no difference here.
const WITHOUT_EFFECT: &[&str] = &[
    "--nocapture",
    "--no-capture",
    "--show-output",
    "--include-ignored",
    "--test",
    "--report-time",
];
/// Options of the standard harness with a value that makes no difference here.
const WITH_VALUE: &[&str] = &["--format", "--color", "-Z", "--logfile"];

impl Arguments {
    /// Reads the words after the program's name.
    pub(super) fn read(words: impl IntoIterator<Item = String>) -> Result<Arguments, String> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = std::env::var("RUST_TEST_THREADS").ok().and_then(|text| text.parse().ok());
        let mut arguments = Arguments { threads: threads.unwrap_or(cores), ..Arguments::default() };
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            let (option, given) = match word.split_once('=') {
                Some((option, value)) if option.starts_with("--") => {
                    (option, Some(value.to_owned()))
                }
                _ => (word.as_str(), None),
            };
            let mut value = || {
                let value = given.clone().or_else(|| words.next());
                value.ok_or_else(|| format!("{option} has a value"))
            };
            match option {
                "--list" => arguments.is_list = true,
                "--exact" => arguments.is_exact = true,
                "--ignored" => arguments.is_ignored = true,
                "-q" | "--quiet" => arguments.is_quiet = true,
                "--skip" => arguments.skipped.push(value()?),
                "--test-threads" => {
                    let number = value()?.parse().ok().filter(|number| *number > 0);
                    arguments.threads = number.ok_or("--test-threads has a positive number")?;
                }
                option if WITHOUT_EFFECT.contains(&option) => {}
                option if WITH_VALUE.contains(&option) => _ = value()?,
                option if option.starts_with('-') => {
                    return Err(format!("there is no option {option}"));
                }
                part => arguments.parts.push(part.to_owned()),
            }
        }
        Ok(arguments)
    }

    /// Whether a test is to be run.
    pub(super) fn takes(&self, name: &str) -> bool {
        let fits =
            |part: &String| if self.is_exact { name == part } else { name.contains(part.as_str()) };
        !self.is_ignored
            && (self.parts.is_empty() || self.parts.iter().any(fits))
            && !self.skipped.iter().any(fits)
    }
}
