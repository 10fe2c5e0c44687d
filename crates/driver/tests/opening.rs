//! Opening files: compressed ones, those with marks, and those whose names are wrong.

use alphorn_driver::open::read_bytes;
use alphorn_driver::{
    AnyProblem, Code, Diagnostic, Format, Opened, Severity, open, open_bytes, sat, smt,
};
use std::io::Write;

const SCRIPT: &[u8] =
    b"(set-logic HORN)\n(declare-fun p (Int) Bool)\n(assert (p 0))\n(check-sat)\n";
const CIRCUIT: &[u8] = b"aag 1 0 1 0 0 1\n2 3\n2\n";
const SYSTEM: &[u8] = b"1 sort bitvec 1\n2 state 1 s\n3 bad 2\n";
const FORMULA: &[u8] = b"c a comment\np cnf 1 1\n1 0\n";

/// The script in Zstandard, as the tool `zstd` writes it: one frame with a checksum.
const ZSTD: &[u8] = include_bytes!("opening/script.smt2.zst");
/// The script in xz.
const XZ: &[u8] = include_bytes!("opening/script.smt2.xz");

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    out.write_all(bytes).expect("memory takes it");
    out.finish().expect("memory takes it")
}

fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let mut out = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::default());
    out.write_all(bytes).expect("memory takes it");
    out.finish().expect("memory takes it")
}

#[track_caller]
fn refused(opened: &Opened, severity: Severity, code: Code) -> String {
    assert!(opened.problem.is_none());
    let [diagnostic] = &opened.diagnostics.list[..] else { panic!("{:?}", opened.diagnostics) };
    assert_eq!((diagnostic.severity, diagnostic.code), (severity, code), "{diagnostic:?}");
    format!("{} {}", diagnostic.message, diagnostic.hint.as_deref().unwrap_or_default())
}

#[test]
fn compressed_files_are_read_whatever_their_names() {
    let all = [gzip(SCRIPT), bzip2(SCRIPT), XZ.to_vec(), ZSTD.to_vec()];
    for (bytes, ending) in all.iter().zip(["gz", "bz2", "xz", "zst"]) {
        for name in [format!("a.smt2.{ending}"), "a".to_owned(), "-".to_owned()] {
            let opened = open_bytes(&name, bytes.clone(), None);
            assert!(matches!(opened.problem, Some(AnyProblem::Horn(_))), "{name}");
            assert!(opened.diagnostics.list.is_empty(), "{name}");
            assert_eq!(opened.bytes.as_slice(), SCRIPT, "places are those of the text");
        }
    }
    // Parts one after the other are one file.
    let halves = [gzip(&SCRIPT[..20]), gzip(&SCRIPT[20..])].concat();
    assert_eq!(open_bytes("a.smt2.gz", halves, None).bytes.as_slice(), SCRIPT);
    // The name of what is inside says the format where the content does not.
    let comments = gzip(b"; nothing but a comment\n");
    assert_eq!(open_bytes("a.btor2.gz", comments, None).format, Some(Format::Btor2));
}

#[test]
fn every_reader_of_files_expands_them() {
    let folder = std::env::temp_dir().join(format!("alphorn-opening-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("there is room");
    let path = folder.join("evidence.txt.gz");
    std::fs::write(&path, gzip(FORMULA)).expect("there is room");
    let read = read_bytes(&path.to_string_lossy(), None);
    std::fs::remove_dir_all(&folder).expect("it was made above");
    assert_eq!(read.expect("it is whole"), FORMULA);
}

#[test]
fn what_a_compressed_file_stands_for_keeps_the_memory_limit() {
    let folder = std::env::temp_dir().join(format!("alphorn-expanding-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("there is room");
    let spaces = vec![b' '; 3 << 20];
    for (ending, bytes) in [("gz", gzip(&spaces)), ("bz2", bzip2(&spaces))] {
        let path = folder.join(format!("a.smt2.{ending}"));
        std::fs::write(&path, bytes).expect("there is room");
        let path = path.to_string_lossy();
        let opened = open(&path, None, Some(4 << 20));
        let text = refused(&opened, Severity::Unsupported, Code::FileTooLarge);
        assert!(text.contains("more than 2 MiB, half of the memory limit"), "{text}");
        assert!(text.contains("--memory"), "{text}");
        assert_eq!(read_bytes(&path, Some(8 << 20)).expect("there is room").len(), spaces.len());
    }
    // Decoders that want a large dictionary are not damaged files.
    for (ending, bytes) in [("xz", XZ), ("zst", ZSTD)] {
        let path = folder.join(format!("a.smt2.{ending}"));
        std::fs::write(&path, bytes).expect("there is room");
        let opened = open(&path.to_string_lossy(), None, Some(100));
        let text = refused(&opened, Severity::Unsupported, Code::FileTooLarge);
        assert!(text.contains("half of the memory limit"), "{text}");
    }
    std::fs::remove_dir_all(&folder).expect("it was made above");
}

#[test]
fn damaged_archives_are_errors() {
    for bytes in [gzip(SCRIPT), bzip2(SCRIPT), XZ.to_vec(), ZSTD.to_vec()] {
        for length in [6, bytes.len() / 2, bytes.len() - 1] {
            let opened = open_bytes("a.smt2", bytes[..length].to_vec(), None);
            let text = refused(&opened, Severity::Error, Code::FileCompressed);
            assert!(text.contains("damaged or incomplete"), "{text}");
        }
        for at in 0..bytes.len() {
            let mut bytes = bytes.clone();
            bytes[at] ^= 0x24;
            // Whatever it is now, it is not another problem.
            let opened = open_bytes("a.smt2", bytes, None);
            assert!(opened.problem.is_none() || opened.bytes.as_slice() == SCRIPT, "byte {at}");
        }
    }
}

#[test]
fn a_few_bytes_cannot_stand_for_many() {
    let zeros = vec![b' '; 40 << 20];
    let bomb = bzip2(&zeros);
    assert!(bomb.len() < 1000);
    let text =
        refused(&open_bytes("a.smt2", bomb, None), Severity::Unsupported, Code::FileTooLarge);
    assert!(text.contains("stands for more than 16 MiB"), "{text}");
}

#[test]
fn a_byte_order_mark_is_no_part_of_the_text() {
    for (name, text) in [("a.smt2", SCRIPT), ("a.aag", CIRCUIT), ("a.btor2", SYSTEM), ("a", SYSTEM)]
    {
        let marked = [b"\xef\xbb\xbf", text].concat();
        let opened = open_bytes(name, marked, None);
        assert!(opened.problem.is_some(), "{name}: {:?}", opened.diagnostics);
        assert_eq!(opened.bytes.as_slice(), text);
    }
}

#[test]
fn other_encodings_are_named() {
    let wide = |text: &[u8], big: bool| -> Vec<u8> {
        text.iter().flat_map(|&byte| if big { [0, byte] } else { [byte, 0] }).collect()
    };
    for (big, mark) in [(false, b"\xff\xfe"), (true, b"\xfe\xff")] {
        for bytes in [wide(SCRIPT, big), [&mark[..], &wide(SYSTEM, big)].concat()] {
            let opened = open_bytes("a.smt2", bytes, None);
            let text = refused(&opened, Severity::Error, Code::FileEncoding);
            assert!(text.contains("UTF-16") && text.contains("UTF-8"), "{text}");
        }
    }
}

#[test]
fn the_content_outweighs_the_name_and_the_user_outweighs_both() {
    let files = [(SCRIPT, Format::SmtLib), (CIRCUIT, Format::Aiger), (SYSTEM, Format::Btor2)];
    for (bytes, format) in files {
        for name in ["a.smt2", "a.aag", "a.btor2"] {
            let opened = open_bytes(name, bytes.to_vec(), None);
            assert!(opened.problem.is_some(), "{name}: {:?}", opened.diagnostics);
            assert_eq!(opened.format, Some(format), "{name}");
            let warned = opened.diagnostics.list.iter().any(|d| d.code == Code::FormatMismatch);
            assert_eq!(warned, Format::of_name(name) != Some(format), "{name}");
        }
        for (_, other) in files.into_iter().filter(|(_, other)| *other != format) {
            let opened = open_bytes("a", bytes.to_vec(), Some(other));
            assert!(opened.problem.is_none());
            let last = opened.diagnostics.list.last().expect("it is wrong");
            assert_eq!(last.code, Code::FormatMismatch);
            let hint = last.hint.as_deref().unwrap_or_default();
            assert!(hint.contains(format.card().name), "{hint}");
        }
    }
}

#[test]
fn a_formula_is_sent_to_the_solver_whatever_its_name() {
    for name in ["a.smt2", "a.aag", "a.cnf", "a"] {
        let opened = open_bytes(name, FORMULA.to_vec(), None);
        let text = refused(&opened, Severity::Error, Code::FormatUnknown);
        assert!(text.contains(&format!("alphorn sat {name}")), "{text}");
    }
}

#[test]
fn readers_of_one_kind_know_the_others() {
    let hint = |diagnostics: &[Diagnostic]| diagnostics[0].hint.clone().unwrap_or_default();
    for (bytes, verb) in
        [(SCRIPT, "alphorn smt"), (CIRCUIT, "alphorn FILE"), (SYSTEM, "alphorn FILE")]
    {
        let (formula, diagnostics) = sat::read(bytes);
        assert!(formula.is_none() && hint(&diagnostics.list).contains(verb), "{diagnostics:?}");
    }
    for (bytes, verb) in
        [(FORMULA, "alphorn sat"), (CIRCUIT, "alphorn FILE"), (SYSTEM, "alphorn FILE")]
    {
        let (script, diagnostics) = smt::read(bytes);
        assert!(script.is_none() && hint(&diagnostics.list).contains(verb), "{diagnostics:?}");
    }
    assert!(sat::read(FORMULA).0.is_some());
    // A formula with an error of its own keeps its hint.
    assert!(!hint(&sat::read(b"p cnf 1 1\n2 0\n").1.list).contains("alphorn"));
}

/// Lines may end as they do on Windows.
#[test]
fn carriage_returns_are_blanks() {
    for (name, text) in [("a.smt2", SCRIPT), ("a.aag", CIRCUIT), ("a.btor2", SYSTEM)] {
        let text = String::from_utf8_lossy(text).replace('\n', "\r\n");
        let opened = open_bytes(name, text.into_bytes(), None);
        assert!(opened.problem.is_some(), "{name}: {:?}", opened.diagnostics);
    }
    assert!(sat::read(b"c one\r\np cnf 1 1\r\n1 0\r\n").0.is_some());
}
