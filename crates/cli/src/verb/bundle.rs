//! `alphorn doctor --bundle`: what a report of a fault needs, in one folder.
//!
//! The file is decided once more with the options given, in a process of its own, and everything that is said is kept.
//! Nothing goes into the folder but what the listing names: no environment, no host, no path of this machine. Nothing
//! is sent.

use crate::args::Doctor;
use crate::{speak, target};
use alphorn_driver::anonymous::anonymous;
use alphorn_driver::doctor::Finding;
use alphorn_driver::open_bytes;
use alphorn_driver::report::Exit;
use alphorn_driver::sha256;
use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

/// Writes the folder.
pub fn main(args: &Doctor, folder: &str, findings: &[Finding]) -> u8 {
    match write(args, folder, findings) {
        Ok(listing) => {
            speak::out(&listing);
            Exit::Safe as u8
        }
        Err(Refused { about, why, exit }) => {
            speak::complain(&about, &why, false);
            exit as u8
        }
    }
}

/// Why there is no bundle.
struct Refused {
    about: String,
    why: String,
    exit: Exit,
}

fn refused(about: &str, why: impl std::fmt::Display, exit: Exit) -> Refused {
    Refused { about: about.to_owned(), why: why.to_string(), exit }
}

fn write(args: &Doctor, folder: &str, findings: &[Finding]) -> Result<String, Refused> {
    let bytes =
        match &args.file {
            Some(file) => Some(fs::read(file).map_err(|error| {
                refused(file, format!("it cannot be read: {error}"), Exit::Input)
            })?),
            None => None,
        };
    let whole = Path::new(folder);
    let is_used = fs::read_dir(whole).is_ok_and(|mut entries| entries.next().is_some());
    if is_used || whole.is_file() {
        let why = "there is something of this name; name a folder that is empty or new";
        return Err(refused(folder, why, Exit::Usage));
    }
    let cannot =
        |error: io::Error| refused(folder, format!("it cannot be written: {error}"), Exit::Usage);
    fs::create_dir_all(whole).map_err(cannot)?;
    let mut about = format!("alphorn {}\n{}", env!("CARGO_PKG_VERSION"), features());
    for finding in findings {
        let mark = if finding.ok { "ok  " } else { "FAIL" };
        about += &format!("{mark}  {:<12} {}\n", finding.about, finding.detail);
    }
    keep(whole, "settings.jsonl", &["engines", "--settings", "--json"]).map_err(cannot)?;
    if let (Some(file), Some(bytes)) = (&args.file, bytes) {
        let (name, bytes, options) = match args.anonymous {
            true => nameless(file, bytes, &args.options)?,
            false => (input_name(file), bytes, args.options.clone()),
        };
        target::guard(&[file], &whole.join(&name).to_string_lossy())
            .map_err(|(about, why)| refused(&about, why, Exit::Usage))?;
        fs::write(whole.join(&name), &bytes).map_err(cannot)?;
        let begun = Instant::now();
        let code = run(whole, &name, &options).map_err(cannot)?;
        let code = code.map_or("a signal".to_owned(), |code| code.to_string());
        let options = options.iter().map(|option| masked(option)).collect::<Vec<_>>().join(" ");
        about += &format!(
            "command      alphorn {options} {name}\nended with   {code} after {:.1} s\nsha256       {}\n",
            begun.elapsed().as_secs_f64(),
            sha256::hex(&bytes),
        );
    }
    fs::write(whole.join("about.txt"), about).map_err(cannot)?;
    listing(whole, args.anonymous).map_err(cannot)
}

/// The file under a name that says its format alone, with other names in it; and so the options.
fn nameless(
    file: &str,
    bytes: Vec<u8>,
    options: &[String],
) -> Result<(String, Vec<u8>, Vec<String>), Refused> {
    let opened = open_bytes(file, bytes, None);
    let (bytes, names) = anonymous(&opened).map_err(|why| refused(file, why, Exit::Usage))?;
    let options = options.iter().map(|word| names.of(word).unwrap_or_else(|| word.clone()));
    // What was compressed is not any more.
    let is_packing = |ending: &&str| matches!(*ending, "gz" | "xz" | "bz2" | "zst");
    let base = Path::new(file).file_name().unwrap_or_default().to_string_lossy().into_owned();
    let ending = base.rsplit('.').find(|ending| !is_packing(ending)).filter(|_| base.contains('.'));
    let name = ending.map_or("input".to_owned(), |ending| format!("input.{ending}"));
    Ok((name, bytes, options.collect()))
}

/// The features that this program was built with.
fn features() -> String {
    let all: &[(&str, bool)] = &[("debug assertions", cfg!(debug_assertions))];
    let on: Vec<&str> = all.iter().filter(|(_, is_on)| *is_on).map(|(name, _)| *name).collect();
    format!(
        "built with   {}\n",
        if on.is_empty() { "no features".to_owned() } else { on.join(", ") }
    )
}

/// The file's own name, without the folders of this machine.
fn input_name(file: &str) -> String {
    let name = Path::new(file).file_name().map(|name| name.to_string_lossy().into_owned());
    match name.as_deref() {
        Some("about.txt" | "events.jsonl" | "stderr.txt" | "journal.jsonl" | "evidence.txt")
        | Some("settings.jsonl") => format!("input-{}", name.unwrap_or_default()),
        Some(_) => name.unwrap_or_default(),
        None => "input".to_owned(),
    }
}

/// An option without a secret in it: what stands before the host of an address.
fn masked(option: &str) -> String {
    match option.split_once("://").and_then(|(scheme, rest)| Some((scheme, rest.rsplit_once('@')?)))
    {
        Some((scheme, (_, host))) => format!("{scheme}://…@{host}"),
        None => option.to_owned(),
    }
}

/// Decides the copy in the folder, and keeps what is said.
fn run(folder: &Path, name: &str, options: &[String]) -> io::Result<Option<i32>> {
    let is_script = options.first().is_some_and(|verb| verb == "smt" || verb == "sat");
    let mut command = crate::again()?;
    command.args(options);
    if !is_script {
        command.args(["--json", "-vv", "--journal", "journal.jsonl", "--evidence", "evidence.txt"]);
    }
    // The place of the file is the folder, so that no other is named in what is said.
    command.args(["--", name]).current_dir(folder).env("RUST_BACKTRACE", "1");
    Ok(said(command, folder, "events.jsonl", "stderr.txt")?.code())
}

/// What another verb of ours says, in a file.
fn keep(folder: &Path, name: &str, words: &[&str]) -> io::Result<()> {
    let mut command = crate::again()?;
    command.args(words).current_dir(folder);
    command.stdin(Stdio::null()).stdout(File::create(folder.join(name))?).stderr(Stdio::null());
    command.status().map(|_| ())
}

fn said(
    mut command: Command,
    folder: &Path,
    out: &str,
    err: &str,
) -> io::Result<std::process::ExitStatus> {
    command.stdin(Stdio::null());
    command.stdout(File::create(folder.join(out))?).stderr(File::create(folder.join(err))?);
    command.status()
}

/// What is in the folder; what is empty is taken out.
fn listing(folder: &Path, is_anonymous: bool) -> io::Result<String> {
    let mut lines = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let length = entry.metadata()?.len();
        if length == 0 {
            fs::remove_file(entry.path())?;
            continue;
        }
        lines.push(format!("{length:>10}  {}\n", entry.file_name().to_string_lossy()));
    }
    lines.sort_by(|one, other| one[10..].cmp(&other[10..]));
    let (place, lines) = (folder.to_string_lossy(), lines.concat());
    let has = match is_anonymous {
        true => "it has your file with numbers for names",
        false => "it has your file, and what its names say",
    };
    Ok(format!(
        "wrote {place}, which has\n{lines}Nothing was sent. Read it before you do: {has}.\n"
    ))
}

#[cfg(test)]
mod tests {
    use super::{input_name, masked};

    #[test]
    fn secrets_in_addresses_do_not_go_along() {
        assert_eq!(masked("nats://me:secret@host:4222"), "nats://…@host:4222");
        assert_eq!(masked("nats://host"), "nats://host");
        assert_eq!(masked("--engine"), "--engine");
    }

    #[test]
    fn the_file_keeps_its_own_name_unless_it_is_one_of_ours() {
        assert_eq!(input_name("a/b/loop.smt2"), "loop.smt2");
        assert_eq!(input_name("a/evidence.txt"), "input-evidence.txt");
        assert_eq!(input_name(".."), "input");
    }
}
