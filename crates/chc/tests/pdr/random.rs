//! Random systems over small numbers and truth values, against forward derivation.
//!
//! All arguments are bounded, so there are finitely many cubes: the engine must decide, and agree
//! where forward derivation decides.

use crate::run;
use alphorn_testkit::horn::numbers::{Generator, Kind};
use alphorn_testkit::read::horn as read;

#[test]
fn agrees_with_forward_derivation() {
    let mut generator = Generator::new(Kind::TREES, 7);
    let (mut safe, mut unsafe_, mut agreed) = (0, 0, 0);
    for number in 0..150 {
        let text = generator.system();
        let horn = read(&text);
        let (line, ..) = run("pdr", &horn, 5_000_000);
        let (expected, ..) = run("forward", &horn, 5_000_000);
        let is_decided = |line: &str| line == "safe" || line.starts_with("unsafe, ");
        assert!(is_decided(&line), "system {number} is {line}: {text}");
        if is_decided(&expected) {
            agreed += 1;
            assert_eq!(line == "safe", expected == "safe", "system {number}: {text}");
        }
        safe += u32::from(line == "safe");
        unsafe_ += u32::from(line.starts_with("unsafe"));
    }
    assert!(safe >= 20 && unsafe_ >= 20, "{safe} safe, {unsafe_} unsafe");
    assert!(agreed >= 50, "forward derivation decided {agreed}");
}
