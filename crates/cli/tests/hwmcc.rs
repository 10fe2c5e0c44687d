//! The hardware competition's form: the program called by a link, a file, and two files to write.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("alphorn-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("a temporary folder can be made");
        let link = path.join("alphorn-hwmcc");
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_alphorn"), link)
            .expect("a link can be made");
        Folder(path)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_string_lossy().into_owned()
    }

    fn run(&self, file: &str, further: &[&str]) -> Output {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut command = Command::new(self.0.join("alphorn-hwmcc"));
        command.arg(root.join(file)).args(further).current_dir(&self.0);
        command.stdin(std::process::Stdio::null()).output().expect("the binary runs")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn said(output: &Output) -> (String, Option<i32>) {
    (String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code())
}

#[test]
fn a_violation_is_sat_and_leaves_a_witness() {
    let folder = Folder::new("hwmcc-sat");
    let output = folder.run("examples/lock.aag", &["cex", "cert.aig"]);
    assert_eq!(said(&output), ("sat\n".to_owned(), Some(10)));
    let witness = std::fs::read_to_string(folder.path("cex")).expect("the witness is there");
    assert_eq!(witness, "1\nb0\n0000\n011x\n101x\n111x\nxxxx\n.\n");
    assert!(!Path::new(&folder.path("cert.aig")).exists());
}

#[test]
fn a_proof_is_unsat_and_leaves_a_witness_circuit() {
    let folder = Folder::new("hwmcc-unsat");
    for (name, magic) in [("cert.aig", "aig "), ("cert.aag", "aag "), ("cert", "aag ")] {
        let output = folder.run("examples/arbiter.aag", &["cex", name]);
        assert_eq!(said(&output), ("unsat\n".to_owned(), Some(20)));
        let circuit = std::fs::read(folder.path(name)).expect("the certificate is there");
        assert!(circuit.starts_with(magic.as_bytes()));
        let text = String::from_utf8_lossy(&circuit);
        assert!(text.contains("i0 = 2\n") && text.contains("l0 = 12\n"), "{text}");
        assert!(!Path::new(&folder.path("cex")).exists());
    }
}

#[test]
fn a_word_level_violation_leaves_a_witness() {
    let folder = Folder::new("hwmcc-words");
    let output = folder.run("corpus/btor2/basic/counter.btor2", &["cex"]);
    let (text, code) = said(&output);
    assert_eq!((text.as_str(), code), ("sat\n", Some(10)));
    let witness = std::fs::read_to_string(folder.path("cex")).expect("the witness is there");
    assert!(witness.starts_with("sat\nb0\n"), "{witness}");
}

#[test]
fn what_is_not_decided_is_unknown() {
    let folder = Folder::new("hwmcc-unknown");
    let output = folder.run("examples/arbiter.aag", &["cex", "cert", "--bound", "3"]);
    assert_eq!(said(&output), ("unknown\n".to_owned(), Some(0)));
    let output = folder.run("examples/none.aag", &["cex", "cert"]);
    assert_eq!(output.status.code(), Some(4));
}

#[test]
fn a_second_file_to_decide_is_not_overwritten() {
    let folder = Folder::new("hwmcc-second");
    std::fs::write(folder.path("b.aag"), "aag 0 0 0 0 0\n").expect("a file can be written");
    let output = folder.run("examples/lock.aag", &["b.aag"]);
    assert_eq!(said(&output), (String::new(), Some(3)));
    let kept = std::fs::read_to_string(folder.path("b.aag")).expect("the file is there");
    assert_eq!(kept, "aag 0 0 0 0 0\n");
    let output = folder.run("examples/lock.aag", &["a", "b", "c"]);
    assert_eq!(said(&output), (String::new(), Some(3)));
}
