//! Random small finite systems against the least model computed by brute force.

use crate::run;
use alphorn_testkit::horn::finite::{Generator, is_safe_by_brute_force};
use alphorn_testkit::shrink::for_all;

fn compare(seeds: std::ops::Range<u64>, linear: bool) {
    let (mut safe, mut unsafe_) = (0, 0);
    for_all(
        seeds,
        |rng| Generator::draw(rng, linear),
        |horn| {
            let (line, ..) = run("forward", horn, 1_000_000);
            let expected = is_safe_by_brute_force(horn);
            let got = line.split(',').next().unwrap_or("");
            assert_eq!(got, if expected { "safe" } else { "unsafe" }, "{line}");
            *if expected { &mut safe } else { &mut unsafe_ } += 1;
            let (line, ..) = run("vacuous", horn, 1_000_000);
            assert!(line.starts_with("stuck") || (line == "safe" && expected), "{line}");
        },
    );
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
