//! Transcripts: commands with what they print and how they end, kept as documents.
//!
//! In `transcripts/*.md`, an indented line `$ alphorn …` is a command; the indented lines after it
//! are its standard output, those with `!` its standard error, and `? N` its exit code. Commands
//! run at the root of the repository; `TMP` is an empty folder of the transcript's own. Times are
//! compared as `0.00 s`. With `ALPHORN_BLESS=1` the documents are rewritten to what is printed.

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The text with everything that varies from run to run made equal: times, and the folder.
fn normalise(text: &str, tmp: &str) -> String {
    let text = text.replace(tmp, "TMP");
    let mut out = String::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let timed: Vec<String> = (0..words.len())
            .map(|i| {
                let next = words.get(i + 1).map(|w| w.trim_end_matches([',', ')']));
                let number = words[i].trim_start_matches('(');
                let is_time = next == Some("s") && number.parse::<f64>().is_ok();
                if is_time { words[i].replace(number, "0.00") } else { words[i].to_owned() }
            })
            .collect();
        // The time stands in a column of its own, which moves with its width.
        let line = timed.join(" ");
        let line = match line.strip_suffix(" 0.00 s") {
            Some(head) => format!("{}  0.00 s", head.trim_end()),
            None => line.trim_end().to_owned(),
        };
        out.push_str(&line);
        out.push('\n');
    }
    out
}

fn run(command: &str, tmp: &str) -> String {
    let mut words = command.split_whitespace().map(|word| word.replace("TMP", tmp));
    assert_eq!(words.next().as_deref(), Some("alphorn"), "{command}");
    let output = Command::new(env!("CARGO_BIN_EXE_alphorn"))
        .args(words)
        .current_dir(root())
        .stdin(std::process::Stdio::null())
        .output()
        .expect("the binary runs");
    let mut said = String::new();
    let stdout = normalise(&String::from_utf8_lossy(&output.stdout), tmp);
    let stderr = normalise(&String::from_utf8_lossy(&output.stderr), tmp);
    stdout.lines().for_each(|line| said.push_str(&format!("    {line}\n")));
    stderr.lines().for_each(|line| said.push_str(&format!("    ! {line}\n")));
    let code = output.status.code().unwrap_or(-1);
    said.push_str(&format!("    ? {code}\n"));
    said.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// How many of the lines after a command are what it said: up to its exit code, blank lines
/// included; none if no exit code is there yet.
fn said(lines: &[&str]) -> usize {
    let is_output =
        |line: &&&str| line.is_empty() || line.starts_with("    ") && !line.starts_with("    $ ");
    let output = lines.iter().take_while(is_output).count();
    let code = lines[..output].iter().position(|line| line.starts_with("    ? "));
    code.map_or(0, |at| at + 1)
}

fn replay(path: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(path).expect("the transcript is there");
    let name = path.file_stem().and_then(|s| s.to_str()).unwrap_or("x");
    let folder = std::env::temp_dir().join(format!("alphorn-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a temporary folder can be made");
    let tmp = folder.to_string_lossy().into_owned();
    let mut out = String::new();
    let lines: Vec<&str> = text.lines().collect();
    let mut at = 0;
    while at < lines.len() {
        out.push_str(lines[at]);
        out.push('\n');
        at += 1;
        if let Some(command) = lines[at - 1].strip_prefix("    $ ") {
            out.push_str(&run(command, &tmp));
            at += said(&lines[at..]);
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
    if std::env::var_os("ALPHORN_BLESS").is_some() {
        std::fs::write(path, &out).expect("the transcript can be written");
        return Ok(());
    }
    if out == text {
        return Ok(());
    }
    let differing = out.lines().zip(text.lines()).position(|(a, b)| a != b);
    let at = differing.unwrap_or(out.lines().count().min(text.lines().count()));
    Err(format!(
        "{}:{}:\n  printed:  {:?}\n  expected: {:?}",
        path.display(),
        at + 1,
        out.lines().nth(at),
        text.lines().nth(at)
    ))
}

#[test]
fn transcripts_are_as_written() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts");
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("transcripts").flatten().map(|e| e.path()).collect();
    paths.sort();
    assert!(!paths.is_empty());
    let failures: Vec<String> = paths.iter().filter_map(|path| replay(path).err()).collect();
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}
