//! `alphorn batch`: many files, each decided once, by as many processes as there are.
//!
//! A record is named by what it is about: the bytes of the file and the options. Whoever wants to decide a file
//! first creates its claim, which only one can; so the same command may run many times at once on a shared folder,
//! as the tasks of an array, over ssh, or after one was ended. The claim of a process that is gone is taken over. A
//! record appears whole, under its name, or not at all.

use crate::args::Batch;
use crate::{interrupt, speak};
use alphorn_driver::config::DEFAULT_TIME;
use alphorn_driver::report::Exit;
use alphorn_driver::report::batch::{Record, answers, write};
use alphorn_driver::report::json::SCHEMA;
use alphorn_driver::sha256;
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant, SystemTime};

/// How often a run is looked after.
const PERIOD: Duration = Duration::from_millis(20);
/// How much older than the time limit a claim of another machine must be to be taken over.
const CLAIM_GRACE: Duration = Duration::from_secs(10 * 60);
/// How much of what a failing run says is kept, in bytes.
const MAX_SAID: usize = 2000;

/// How many files came to which end here.
#[derive(Default)]
struct Tally {
    decided: usize,
    before: usize,
    elsewhere: usize,
    missing: usize,
    refused: Option<String>,
}

/// Decides what has no record yet.
pub fn main(args: &Batch) -> u8 {
    let files = match list(&args.list) {
        Ok(files) => files,
        Err(error) => {
            speak::complain(&args.list, &format!("the list cannot be read: {error}"), false);
            return Exit::Input as u8;
        }
    };
    if args.slurm {
        speak::out(&script(args, files.len()));
        return Exit::Safe as u8;
    }
    let claims = Path::new(&args.out).join("claims");
    if let Err(error) = fs::create_dir_all(&claims) {
        speak::complain(&args.out, &format!("the folder cannot be made: {error}"), false);
        return Exit::Usage as u8;
    }
    interrupt::watch();
    let (next, tally) = (Mutex::new(files.iter()), Mutex::new(Tally::default()));
    let jobs = args.jobs.unwrap_or(1).clamp(1, files.len().max(1));
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| work(args, &claims, &next, &tally));
        }
    });
    let tally = tally.into_inner().unwrap_or_default();
    if let Some(why) = tally.refused {
        speak::complain("", &format!("a run refuses its options: {why}"), false);
        return Exit::Usage as u8;
    }
    let Tally { decided, before, elsewhere, missing, .. } = tally;
    let open = files.len() - decided - before - missing;
    speak::out(&format!(
        "{} files: {decided} decided now, {before} before, {elsewhere} claimed by others, {missing} not there\n",
        files.len()
    ));
    match (missing, open) {
        (0, 0) => Exit::Safe as u8,
        (0, _) => Exit::Unknown as u8,
        _ => Exit::Input as u8,
    }
}

/// The files of a list.
fn list(path: &str) -> std::io::Result<Vec<String>> {
    let mut text = String::new();
    match path {
        "-" => std::io::stdin().read_to_string(&mut text)?,
        path => File::open(path)?.read_to_string(&mut text)?,
    };
    let lines = text.lines().map(str::trim);
    Ok(lines.filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned).collect())
}

/// Takes one file after the other.
fn work<'a>(
    args: &Batch,
    claims: &Path,
    next: &Mutex<impl Iterator<Item = &'a String>>,
    tally: &Mutex<Tally>,
) {
    let count = |change: &dyn Fn(&mut Tally)| {
        if let Ok(mut tally) = tally.lock() {
            change(&mut tally);
        }
    };
    loop {
        let is_refused = tally.lock().is_ok_and(|tally| tally.refused.is_some());
        if is_refused || interrupt::is_pending() {
            return;
        }
        let Some(file) = next.lock().ok().and_then(|mut next| next.next()) else { return };
        let Ok(bytes) = fs::read(file) else {
            speak::complain(file, "it cannot be read", false);
            count(&|tally| tally.missing += 1);
            continue;
        };
        let own = options(args);
        let name = format!("{}\0{}", sha256::hex(&bytes), own.join("\0"));
        let key = sha256::hex(name.as_bytes())[..24].to_owned();
        let record = Path::new(&args.out).join(format!("{key}.json"));
        if record.exists() {
            count(&|tally| tally.before += 1);
            continue;
        }
        let Some(claim) = Claim::take(&claims.join(&key), args.time.unwrap_or(DEFAULT_TIME)) else {
            count(&|tally| tally.elsewhere += 1);
            continue;
        };
        // Another may have finished between the two looks.
        if record.exists() {
            count(&|tally| tally.before += 1);
            continue;
        }
        match decide(file, &own, &claim) {
            Ok(Some(found)) if found.exit == Some(Exit::Usage as i32) => {
                count(&|tally| tally.refused = Some(found.said.clone()));
            }
            Ok(Some(found)) => {
                let found = Record { sha256: sha256::hex(&bytes), ..found };
                match claim.publish(&record, &write(&found)) {
                    Ok(()) => count(&|tally| tally.decided += 1),
                    Err(error) => {
                        speak::complain(&record.to_string_lossy(), &error.to_string(), false)
                    }
                }
            }
            Ok(None) => return,
            Err(error) => speak::complain(file, &format!("no run can be started: {error}"), false),
        }
    }
}

/// The options of each run.
fn options(args: &Batch) -> Vec<String> {
    let mut all = Vec::new();
    if let Some(time) = args.time {
        all.push(format!("--time={}ms", time.as_millis()));
    }
    if let Some(memory) = args.memory {
        all.push(format!("--memory={}k", memory / 1024));
    }
    if let Some(threads) = args.threads {
        all.push(format!("--threads={threads}"));
    }
    all.extend(args.options.iter().cloned());
    all
}

/// Decides a file in a process of its own; nothing if that was interrupted.
fn decide(file: &str, options: &[String], claim: &Claim) -> std::io::Result<Option<Record>> {
    let begun = Instant::now();
    let (out, err) = (claim.beside("out"), claim.beside("err"));
    let mut child = crate::again()?
        .args(options)
        .args(["--json", "--", file])
        .stdin(Stdio::null())
        .stdout(File::create(&out)?)
        .stderr(File::create(&err)?)
        .spawn()?;
    let mut is_told = false;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if interrupt::is_pending() && !is_told {
            is_told = true;
            end(&mut child);
        }
        std::thread::sleep(PERIOD);
    };
    let (said, told) = (fs::read_to_string(&out)?, fs::read_to_string(&err).unwrap_or_default());
    if interrupt::is_pending() {
        return Ok(None);
    }
    let answers = answers(&said);
    let said = match answers.is_empty() {
        true => format!("{said}{told}").chars().take(MAX_SAID).collect(),
        false => String::new(),
    };
    Ok(Some(Record {
        schema: SCHEMA,
        kind: "batch".to_owned(),
        file: file.to_owned(),
        sha256: String::new(),
        options: options.to_vec(),
        exit: status.code(),
        milliseconds: u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX),
        answers,
        said,
    }))
}

/// Asks a run to end, as the user asked us.
fn end(child: &mut Child) {
    let asked = Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
    if !asked.is_ok_and(|status| status.success()) {
        let _ = child.kill();
    }
}

/// A file that says that a problem is being decided; it goes when the claim does.
struct Claim {
    path: PathBuf,
}

impl Claim {
    /// Makes the claim, unless somebody has it who may still be at work.
    fn take(path: &Path, time: Duration) -> Option<Claim> {
        for _ in 0..2 {
            let made = OpenOptions::new().write(true).create_new(true).open(path);
            if let Ok(mut file) = made {
                let _ = file.write_all(owner(std::process::id()).as_bytes());
                return Some(Claim { path: path.to_owned() });
            }
            if !is_abandoned(path, time) {
                return None;
            }
            // Only one can move it away.
            let away = path.with_extension(format!("gone-{}", std::process::id()));
            fs::rename(path, &away).ok()?;
            let _ = fs::remove_file(away);
        }
        None
    }

    fn beside(&self, ending: &str) -> PathBuf {
        self.path.with_extension(ending)
    }

    /// Writes a text whole under a name.
    fn publish(&self, path: &Path, text: &str) -> std::io::Result<()> {
        let whole = self.beside("json");
        fs::write(&whole, text)?;
        fs::rename(whole, path)
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        for ending in ["out", "err", "json"] {
            let _ = fs::remove_file(self.beside(ending));
        }
        let _ = fs::remove_file(&self.path);
    }
}

/// A process of this machine, as claims name it.
fn owner(process: u32) -> String {
    format!("{} {process}\n", host())
}

fn host() -> String {
    let known = fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let known = known.or_else(|| std::env::var("HOSTNAME").ok());
    known.unwrap_or_default().trim().to_owned()
}

/// Whether whoever made a claim is gone: a process of this machine that is no more, or a claim that is too old.
fn is_abandoned(path: &Path, time: Duration) -> bool {
    let text = fs::read_to_string(path).unwrap_or_default();
    let process =
        text.trim().strip_prefix(&host()).and_then(|rest| rest.trim().parse::<u32>().ok());
    if let Some(process) = process.filter(|_| Path::new("/proc/self").exists()) {
        return !Path::new(&format!("/proc/{process}")).exists();
    }
    let made = fs::metadata(path).and_then(|about| about.modified()).ok();
    let age = made.and_then(|made| SystemTime::now().duration_since(made).ok());
    age.is_some_and(|age| age > time + CLAIM_GRACE)
}

/// The script of an array whose tasks all run the batch: each takes what no other has.
fn script(args: &Batch, files: usize) -> String {
    let jobs = args.jobs.unwrap_or(100).clamp(1, files.max(1));
    let threads = args.threads.unwrap_or(1);
    let time = args.time.unwrap_or(DEFAULT_TIME);
    let memory = args.memory.unwrap_or(8 << 30);
    // A task decides its share of the files, one after the other, and has a minute to spare.
    let minutes = (time.as_secs() * files.div_ceil(jobs) as u64).div_ceil(60) + 2;
    let quoted = |word: &str| format!("'{}'", word.replace('\'', "'\\''"));
    // A program that is not on the path of the nodes must be named by its place.
    let program = std::env::args().next().filter(|name| name.contains('/'));
    let program = program.and_then(|name| fs::canonicalize(name).ok());
    let program = program.map_or("alphorn".to_owned(), |path| quoted(&path.to_string_lossy()));
    let mut command = format!("{program} batch {} --out {}", quoted(&args.list), quoted(&args.out));
    command +=
        &format!(" --time {}ms --threads {threads} --memory {}k", time.as_millis(), memory / 1024);
    if !args.options.is_empty() {
        let rest: Vec<String> = args.options.iter().map(|option| quoted(option)).collect();
        command += &format!(" -- {}", rest.join(" "));
    }
    format!(
        "#!/bin/sh\n#SBATCH --job-name=alphorn\n#SBATCH --array=1-{jobs}\n#SBATCH --cpus-per-task={threads}\n\
         #SBATCH --mem={}M\n#SBATCH --time={minutes}\n#SBATCH --signal=B:TERM@60\n\
         # An array may be shorter than the list: each task takes what no other has claimed.\n\
         trap 'kill -TERM $pid' TERM\n{command} &\npid=$!\nwait $pid\n",
        memory.div_ceil(1 << 20) + 512
    )
}
