//! The example in Verilog, by way of Yosys, as `docs/verilog.md` has it. Without Yosys there is nothing to test.

use std::path::Path;
use std::process::Command;

/// What Yosys does before it writes BTOR2, and before it writes AIGER.
const BTOR2: &str = "async2sync; write_btor";
const AIGER: &str = "async2sync; memory_map; techmap; dffunmap; abc -g AND; write_aiger -symbols";

/// The verdicts about the example's properties and the exit code, and the run as a wave file if there is one.
fn decide(
    defines: &str,
    steps: &str,
    name: &str,
) -> (Vec<&'static str>, Option<i32>, Option<String>) {
    let folder =
        std::env::temp_dir().join(format!("alphorn-verilog-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder can be made");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/queue.v");
    let (file, wave) = (folder.join(name), folder.join("run.vcd"));
    let script = format!(
        "read_verilog -formal {defines} {}; prep -top queue; {steps} {}",
        source.display(),
        file.display()
    );
    let status = Command::new("yosys").args(["-q", "-p", &script]).status().expect("Yosys runs");
    assert!(status.success(), "{script}");
    let output = Command::new(env!("CARGO_BIN_EXE_alphorn"))
        .args(["-q".as_ref(), file.as_os_str(), "--vcd".as_ref(), wave.as_os_str()])
        .output()
        .expect("the binary runs");
    let shown = std::fs::read_to_string(&wave).ok();
    std::fs::remove_dir_all(&folder).expect("it was made above");
    let text = String::from_utf8(output.stdout).expect("answers are text");
    let answers = text.lines().filter(|line| !line.contains("properties"));
    let verdict =
        |line: &str| ["UNSAFE", "SAFE"].into_iter().find(|verdict| line.contains(verdict));
    (answers.filter_map(verdict).collect(), output.status.code(), shown)
}

#[test]
fn assertions_of_a_verilog_file_are_decided_if_yosys_is_there() {
    if Command::new("yosys").arg("-V").output().is_err() {
        println!("skipped: yosys is not installed");
        return;
    }
    for (steps, name) in [(BTOR2, "queue.btor2"), (AIGER, "queue.aig")] {
        let (verdicts, code, _) = decide("", steps, name);
        assert_eq!((verdicts, code), (vec!["SAFE", "SAFE"], Some(0)), "{name}");
        let (verdicts, code, wave) = decide("-D OVERFULL", steps, name);
        assert_eq!((verdicts, code), (vec!["SAFE", "UNSAFE"], Some(1)), "{name}");
        let wave = wave.expect("a violation has a run");
        assert!(wave.contains("push"), "{wave}");
    }
}
