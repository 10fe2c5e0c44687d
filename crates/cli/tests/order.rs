//! Answers about several properties come in the order of the file, whichever was decided first.

use std::process::Command;

#[test]
fn a_violation_that_is_found_first_waits_for_the_proof_before_it() {
    let folder = std::env::temp_dir().join(format!("alphorn-order-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder can be made");
    let file = folder.join("two.aag");
    // The first latch stays off, the second one goes on.
    std::fs::write(&file, "aag 2 0 2 0 0 2\n2 0\n4 1\n2\n4\n").expect("a file can be written");
    let output = Command::new(env!("CARGO_BIN_EXE_alphorn"))
        .args(["-q".as_ref(), file.as_os_str()])
        .output()
        .expect("the binary runs");
    std::fs::remove_dir_all(&folder).expect("it was made above");
    let text = String::from_utf8(output.stdout).expect("answers are text");
    let verdicts: Vec<&str> = text
        .lines()
        .filter_map(|line| ["UNSAFE", "SAFE"].into_iter().find(|verdict| line.contains(verdict)))
        .collect();
    assert_eq!(verdicts, ["SAFE", "UNSAFE"], "{text}");
    assert_eq!(output.status.code(), Some(1));
}
