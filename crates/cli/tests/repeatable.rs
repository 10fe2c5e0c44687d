//! With one thread and a limit of ticks the same run ends with the same evidence, whatever the machine
//! does meanwhile.

use std::path::Path;
use std::process::Command;

#[test]
fn the_same_run_on_one_thread_with_ticks_ends_with_the_same_evidence() {
    let evidence = std::env::temp_dir().join(format!("alphorn-repeatable-{}", std::process::id()));
    for file in [
        "corpus/horn/divergent/linear_loop.smt2",
        "corpus/horn/shape/fibonacci.smt2",
        "corpus/horn/records/owner.smt2",
        "corpus/horn/words/saturate.smt2",
        "examples/arbiter.aag",
    ] {
        let run = || {
            let output = Command::new(env!("CARGO_BIN_EXE_alphorn"))
                .args(["-q", "--threads", "1", "--ticks", "3M", "--evidence"])
                .args([evidence.as_os_str(), file.as_ref()])
                .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
                .output()
                .expect("the binary runs");
            assert!(matches!(output.status.code(), Some(0 | 1)), "{file}: {output:?}");
            std::fs::read(&evidence).expect("it was written")
        };
        let first = run();
        for _ in 0..3 {
            assert!(run() == first, "{file}: other evidence");
        }
    }
    std::fs::remove_file(&evidence).expect("it was written");
}
