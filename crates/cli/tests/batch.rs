//! Batches: each file is decided once, whoever runs the command and how often.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path =
            std::env::temp_dir().join(format!("alphorn-batch-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("a temporary folder can be made");
        Folder(path)
    }

    /// Small systems, every second of them unsafe, and a list of them.
    fn with_systems(name: &str, count: usize) -> Folder {
        let folder = Folder::new(name);
        let mut list = "# systems\n\n".to_owned();
        for at in 0..count {
            let bad = if at % 2 == 0 { -1 } else { at as i64 };
            let text = format!(
                "(set-logic HORN)(declare-fun p (Int) Bool)(assert (p 0))
                 (assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))
                 (assert (forall ((x Int)) (=> (and (p x) (= x (+ 0 {bad}))) false)))(check-sat) ; {at}"
            )
            .replace("-1", "(- 1)");
            let path = folder.path(&format!("{at}.smt2"));
            std::fs::write(&path, text).expect("it can be written");
            list += &format!("{path}\n");
        }
        std::fs::write(folder.path("list"), list).expect("it can be written");
        folder
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_string_lossy().into_owned()
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_alphorn"));
        command.args(args).current_dir(&self.0).stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn run(&self, args: &[&str]) -> (String, Option<i32>) {
        said(&self.command(args).output().expect("the binary runs"))
    }

    fn records(&self) -> usize {
        let entries = std::fs::read_dir(self.path("out")).expect("the folder is there").flatten();
        entries.filter(|entry| entry.path().extension().is_some_and(|it| it == "json")).count()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn said(output: &Output) -> (String, Option<i32>) {
    let text = [&output.stdout[..], &output.stderr].concat();
    (String::from_utf8_lossy(&text).into_owned(), output.status.code())
}

const BATCH: [&str; 8] = ["batch", "list", "--out", "out", "--time", "60s", "--threads", "1"];

#[test]
fn what_has_a_record_is_not_decided_again() {
    let folder = Folder::with_systems("again", 3);
    let (text, code) = folder.run(&BATCH);
    assert_eq!(text, "3 files: 3 decided now, 0 before, 0 claimed by others, 0 not there\n");
    assert_eq!(code, Some(0));
    let (text, _) = folder.run(&BATCH);
    assert!(text.contains("0 decided now, 3 before"), "{text}");
    // Other options are another question, and another file is another problem.
    let (text, _) = folder.run(&[&BATCH[..], &["--", "--seed", "1"]].concat());
    assert!(text.contains("3 decided now, 0 before"), "{text}");
    let first = folder.path("0.smt2");
    let changed = std::fs::read_to_string(&first).expect("it is there") + "\n";
    std::fs::write(&first, changed).expect("it can be written");
    let (text, _) = folder.run(&BATCH);
    assert!(text.contains("1 decided now, 2 before"), "{text}");
}

#[test]
fn many_at_once_decide_each_file_once() {
    let folder = Folder::with_systems("once", 8);
    let all: Vec<_> = (0..3).map(|_| folder.command(&BATCH).spawn().expect("it runs")).collect();
    let mut decided = 0;
    for child in all {
        let (text, _) = said(&child.wait_with_output().expect("it ends"));
        let count = text.split(" decided now").next().and_then(|text| text.split(' ').next_back());
        decided += count.and_then(|count| count.parse::<usize>().ok()).unwrap_or_default();
    }
    assert_eq!((decided, folder.records()), (8, 8));
    let left = std::fs::read_dir(folder.path("out/claims")).expect("the folder is there").count();
    assert_eq!(left, 0, "claims are left");
}

#[test]
fn files_that_are_not_there_and_wrong_options_are_said() {
    let folder = Folder::with_systems("wrong", 1);
    let list = std::fs::read_to_string(folder.path("list")).expect("it is there");
    std::fs::write(folder.path("list"), list + "nowhere.smt2\n").expect("it can be written");
    let (text, code) = folder.run(&BATCH);
    assert!(text.contains("nowhere.smt2") && text.contains("1 not there"), "{text}");
    assert_eq!(code, Some(4));
    let (text, code) = folder.run(&["batch", "list", "--out", "other", "--", "--frob"]);
    assert!(text.contains("--frob"), "{text}");
    assert_eq!(code, Some(3));
}

#[cfg(target_os = "linux")]
#[test]
fn the_claim_of_a_process_that_is_gone_is_taken_over_and_no_other() {
    let folder = Folder::with_systems("claims", 1);
    folder.run(&BATCH);
    let entries = std::fs::read_dir(folder.path("out")).expect("the folder is there").flatten();
    let record = entries.map(|entry| entry.path()).find(|path| path.extension().is_some());
    let record = record.expect("a record");
    std::fs::remove_file(&record).expect("it can be removed");
    let claim = Path::new(&folder.path("out/claims")).join(record.file_stem().expect("a name"));
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").expect("a name");
    let claimed_by = |process: u32| {
        std::fs::write(&claim, format!("{} {process}\n", host.trim())).expect("it can be written");
        folder.run(&BATCH)
    };
    let (text, code) = claimed_by(std::process::id());
    assert!(text.contains("1 claimed by others"), "{text}");
    assert_eq!(code, Some(2));
    let (text, code) = claimed_by(u32::MAX);
    assert!(text.contains("1 decided now"), "{text}");
    assert_eq!(code, Some(0));
}

#[test]
fn records_become_tables_and_plots() {
    let folder = Folder::with_systems("table", 2);
    folder.run(&BATCH);
    let outputs = ["--junit", "j.xml", "--cactus", "c.svg", "--scatter", "s.svg"];
    let (text, code) = folder.run(&[&["table", "out", "out"][..], &outputs].concat());
    assert!(text.contains("out: 2 files, 2 properties\n  safe          1"), "{text}");
    assert_eq!(code, Some(0));
    let file = |name: &str| std::fs::read_to_string(folder.path(name)).expect("it was written");
    assert!(file("j.xml").contains("failures=\"2\""), "{}", file("j.xml"));
    assert!(file("c.svg").contains("<polyline") && file("s.svg").contains("<circle"));
    let (text, _) = folder.run(&["table", "out", "--csv", "-"]);
    assert!(text.starts_with("file,property,verdict,engine,seconds,detail\n"), "{text}");
    let (_, code) = folder.run(&["table", "out", "--scatter", "s.svg"]);
    assert_eq!(code, Some(3), "two folders are compared");
    let (_, code) = folder.run(&["table", "nowhere"]);
    assert_eq!(code, Some(4));
}

#[cfg(unix)]
#[test]
fn the_script_of_an_array_runs_the_batch() {
    let folder = Folder::with_systems("slurm", 3);
    let (text, _) =
        folder.run(&[&BATCH[..], &["--slurm", "--jobs", "2", "--", "--seed", "4"]].concat());
    assert!(text.contains("#SBATCH --array=1-2\n"), "{text}");
    assert!(text.contains("batch 'list' --out 'out' --time 60000ms"), "{text}");
    // What Slurm would start, started here.
    let own = Path::new(env!("CARGO_BIN_EXE_alphorn")).parent().expect("a folder");
    let path = format!("{}:{}", own.display(), std::env::var("PATH").unwrap_or_default());
    let script = folder.path("script");
    std::fs::write(&script, text).expect("it can be written");
    let output = Command::new("sh").arg(&script).env("PATH", path).current_dir(&folder.0).output();
    let (text, code) = said(&output.expect("sh runs"));
    assert!(text.contains("3 decided now"), "{text}");
    assert_eq!((code, folder.records()), (Some(0), 3));
}
