//! Runs on candidates: in processes of their own, which end when their time is over, whatever they started.

use alphorn_driver::format::Format;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How often a run is looked after.
const PERIOD: Duration = Duration::from_millis(2);
/// How much longer than its limit a run of ours may take to say so.
const GRACE: Duration = Duration::from_secs(2);

/// How candidates are run.
#[derive(Clone, Debug)]
pub struct Runs {
    /// The words after the name of our program, the file not among them.
    pub options: Vec<String>,
    /// The format that the user says.
    pub format: Option<Format>,
    /// How long a run may take.
    pub time: Duration,
    /// Where what is said is kept meanwhile.
    pub folder: PathBuf,
    /// Whether `sat` means unsafe.
    pub is_hardware: bool,
}

/// What a run came to.
#[derive(Clone, Debug, Default)]
pub struct Trial {
    /// How it ended, if by itself.
    pub code: Option<i32>,
    /// Whether its time was over.
    pub is_late: bool,
    /// Its standard output.
    pub out: String,
    /// Its standard error.
    pub err: String,
    /// How long it took.
    pub time: Duration,
}

impl Runs {
    /// Whether what runs is a verb that answers in words of its own, and not in JSON.
    pub fn is_script(&self) -> bool {
        self.options.first().is_some_and(|verb| ["smt", "sat"].contains(&verb.as_str()))
    }

    /// Our program on a candidate, with options of its own where they are given.
    pub fn own(&self, file: &Path, options: Option<&[String]>) -> io::Result<Trial> {
        let options = options.unwrap_or(&self.options);
        let mut command = crate::again()?;
        command.args(options);
        if !options.iter().any(|option| option.starts_with("--time")) {
            command.arg(format!("--time={}ms", self.time.as_millis()));
        }
        if !self.is_script() {
            command.arg("--json");
            command.args(self.format.map(|format| format!("--format={}", format.card().name)));
        }
        command.arg("--").arg(file);
        self.run(command, self.time + GRACE)
    }

    /// A command of the user's on a candidate, whose name stands where `{}` does.
    pub fn shell(&self, line: &str, file: &Path) -> io::Result<Trial> {
        let name = file.to_string_lossy().replace('\'', "'\\''");
        let line = match line.contains("{}") {
            true => line.replace("{}", &format!("'{name}'")),
            false => format!("{line} '{name}'"),
        };
        let mut command = Command::new("sh");
        command.args(["-c", &line]);
        self.run(command, self.time)
    }

    fn run(&self, mut command: Command, limit: Duration) -> io::Result<Trial> {
        let (out, err) = (self.folder.join("out"), self.folder.join("err"));
        command.stdin(Stdio::null()).stdout(File::create(&out)?).stderr(File::create(&err)?);
        // A group of its own, so that what it starts ends with it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let begun = Instant::now();
        let mut child = command.spawn()?;
        let (mut code, mut is_late) = (None, false);
        loop {
            if let Some(status) = child.try_wait()? {
                code = status.code();
                break;
            }
            if begun.elapsed() >= limit || crate::interrupt::is_pending() {
                is_late = true;
                end(&mut child);
                break;
            }
            std::thread::sleep(PERIOD);
        }
        let read = |path: &Path| fs::read(path).map(|b| String::from_utf8_lossy(&b).into_owned());
        Ok(Trial { code, is_late, out: read(&out)?, err: read(&err)?, time: begun.elapsed() })
    }
}

/// Ends a run and what it started.
fn end(child: &mut Child) {
    if cfg!(unix) {
        let _ = Command::new("kill").args(["-KILL", "--", &format!("-{}", child.id())]).status();
    }
    let _ = child.kill();
    let _ = child.wait();
}
