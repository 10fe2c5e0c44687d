//! Templates in circuits: what is found, its evidence, and evidence that was changed.

#![allow(clippy::unwrap_used)]

use alphorn_testkit::folder::empty as folder;
use std::path::{Path, PathBuf};
use std::process::Command;

fn place(name: &str) -> PathBuf {
    let folder = folder(&format!("matching-{name}"));
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/matching");
    for entry in std::fs::read_dir(corpus).unwrap().flatten() {
        std::fs::copy(entry.path(), folder.join(entry.file_name())).unwrap();
    }
    folder
}

fn alphorn(folder: &Path, args: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_alphorn"));
    let output = command.current_dir(folder).args(args).output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&text).into_owned())
}

/// The exit code and what is said of a template, with its evidence accepted.
fn found(folder: &Path, circuit: &str, template: &str, more: &[&str]) -> (Option<i32>, String) {
    let mut args = vec!["match", circuit, template, "--evidence", "ev"];
    args.extend(more);
    let (code, said) = alphorn(folder, &args);
    let check = ["check", circuit, "ev", "--template", template];
    let (checked, judged) = alphorn(folder, &check);
    assert_eq!(checked, Some(0), "{said}{judged}");
    (code, said)
}

#[test]
fn what_was_enumerated_is_found_with_evidence() {
    let folder = place("found");
    let (code, said) = found(&folder, "compare.aag", "compare-gt.template", &["--all"]);
    assert_eq!(code, Some(0), "{said}");
    for line in ["  p         i1 i2\n", "  q         i3 i4\n", "  v         0\n", "1 and no others"]
    {
        assert!(said.contains(line), "{line}: {said}");
    }
    let (code, said) = found(&folder, "alu3.aag", "alu3-add-slt.template", &["--all"]);
    assert_eq!(code, Some(0), "{said}");
    for line in
        ["p         a2 a0 a1", "q         b1 b2 b0", "v1        00", "v2        10", "1 and no"]
    {
        assert!(said.contains(line), "{line}: {said}");
    }
    let (code, said) = found(&folder, "alu3.aag", "alu3-and.template", &[]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("v         11"), "{said}");
    for (circuit, template) in
        [("compare.aag", "compare-ge.template"), ("alu3.aag", "alu3-mul.template")]
    {
        let (code, said) = found(&folder, circuit, template, &[]);
        assert_eq!(code, Some(1), "{said}");
        assert!(said.contains("NO MATCH"), "{said}");
    }
}

#[test]
fn changed_evidence_is_refused() {
    let folder = place("changed");
    let judge = |circuit: &str, template: &str, text: &str| {
        std::fs::write(folder.join("changed"), text).unwrap();
        alphorn(&folder, &["check", circuit, "changed", "--template", template])
    };
    found(&folder, "alu3.aag", "alu3-add-slt.template", &["--all"]);
    let text = std::fs::read_to_string(folder.join("ev")).unwrap();
    let last = text.rfind("obligation").unwrap();
    let changed = [
        text.replace("order p a2 a0 a1", "order p a2 a1 a0"),
        text.replace("setting v2 10", "setting v2 11"),
        text.replace("match\n", "match\nmatch\n"),
        text.replace("order q b1 b2 b0", "order q b1 b1 b0"),
        format!("{}{}", &text[..last], "obligation\nend\n"),
        {
            // Without its inputs the exclusion shows nothing.
            let kept = text.lines().filter(|line| !line.starts_with("vector"));
            kept.collect::<Vec<_>>().join("\n")
        },
        {
            // The match is left out of the list.
            let start = text.find("match\n").unwrap();
            format!("{}{}", &text[..start], &text[text.find("complete").unwrap()..])
        },
    ];
    for (number, changed) in changed.iter().enumerate() {
        assert_ne!(*changed, text, "{number}");
        let (code, said) = judge("alu3.aag", "alu3-add-slt.template", changed);
        assert!(matches!(code, Some(4 | 6)), "{number}: {code:?} {said}");
    }
    // About another template it shows nothing, and without one it cannot be judged.
    let (code, said) = judge("alu3.aag", "alu3-and.template", &text);
    assert!(matches!(code, Some(4 | 6)), "{code:?} {said}");
    let (code, said) = alphorn(&folder, &["check", "alu3.aag", "ev"]);
    assert_eq!(code, Some(3), "{said}");
}

#[test]
fn templates_that_do_not_fit_are_errors_in_their_places() {
    let folder = place("wrong");
    let head = "(words (A i1 i2) (B i3 i4)) (control c) (outputs o)\n";
    let wrong = [
        "(words (A i1 i2 i9) (B i3 i4)) (control c) (outputs o)\n(= outputs (bv-uge A B))"
            .to_owned(),
        "(words (A i1 i2) (B i2 i4)) (control c) (outputs o)\n(= outputs (bv-uge A B))".to_owned(),
        "(words (A i1 i2) (B i3 i4)) (outputs o o)\n(= outputs A)".to_owned(),
        format!("{head}(= outputs (bv-add A B))"),
        format!("{head}(= outputs (bv-uge A 1 2))"),
        format!("{head}(= outputs (bv-uge A c))"),
        format!("{head}(= outputs (bv-huge A B))"),
        format!("{head}(= outputs (bv-uge A B)"),
        format!("{head}(= inputs (bv-uge A B))"),
        String::new(),
    ];
    for text in wrong {
        std::fs::write(folder.join("t"), &text).unwrap();
        let (code, said) = alphorn(&folder, &["match", "compare.aag", "t"]);
        assert_eq!(code, Some(4), "{text}\n{said}");
        assert!(said.contains("error["), "{said}");
    }
    std::fs::write(folder.join("latch.aag"), "aag 1 0 1 1 0\n2 2\n2\n").unwrap();
    std::fs::write(folder.join("t"), "(outputs o0) (= outputs 1)").unwrap();
    let (code, said) = alphorn(&folder, &["match", "latch.aag", "t"]);
    assert_eq!(code, Some(5), "{said}");
}

#[test]
fn outputs_may_be_in_another_order_and_inputs_may_not_matter() {
    let folder = place("outputs");
    // o0 = a & b, o1 = a | b; nothing depends on c.
    let circuit = "aag 5 3 0 2 2\n2\n4\n6\n8\n11\n8 4 2\n10 5 3\ni0 a\ni1 b\ni2 c\n";
    std::fs::write(folder.join("two.aag"), circuit).unwrap();
    let template = "(words (A a b)) (outputs o0 o1)
        (= (permute t outputs) (concat (bv-and (extract 0 0 A) (extract 1 1 A))
                                       (bv-or (extract 0 0 A) (extract 1 1 A))))";
    std::fs::write(folder.join("t"), template).unwrap();
    let (code, said) = found(&folder, "two.aag", "t", &["--all"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("1 and no others") && said.contains("t         o0 o1"), "{said}");
    let other = template.replace("bv-or", "bv-xor");
    std::fs::write(folder.join("t"), other).unwrap();
    let (code, said) = found(&folder, "two.aag", "t", &[]);
    assert_eq!(code, Some(1), "{said}");
}
