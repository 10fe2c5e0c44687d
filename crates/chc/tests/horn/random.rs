//! Random small finite systems against the least model computed by brute force.

use crate::run;
use alphorn_testkit::horn::finite::{Generator, is_safe_by_brute_force};

fn compare(seeds: std::ops::Range<u64>, linear: bool) {
    let (mut safe, mut unsafe_) = (0, 0);
    for seed in seeds {
        let horn = Generator::new(seed, linear).system();
        let (line, ..) = run("forward", &horn, 1_000_000);
        let expected = is_safe_by_brute_force(&horn);
        let got = line.split(',').next().unwrap_or("");
        assert_eq!(got, if expected { "safe" } else { "unsafe" }, "seed {seed}: {line}");
        if expected {
            safe += 1
        } else {
            unsafe_ += 1
        }
        let (line, ..) = run("vacuous", &horn, 1_000_000);
        assert!(line.starts_with("stuck") || (line == "safe" && expected), "seed {seed}: {line}");
    }
    assert!(safe > 20 && unsafe_ > 20, "{safe} safe and {unsafe_} unsafe systems");
}

#[test]
fn linear_systems_agree_with_brute_force() {
    compare(0..300, true);
}

#[test]
fn nonlinear_systems_agree_with_brute_force() {
    compare(1_000..1_300, false);
}
