//! Random linear systems over small numbers and truth values, against forward derivation.

use crate::run;
use crate::small::PROVERS;
use alphorn_testkit::horn::numbers::{Generator, Kind};
use alphorn_testkit::read::horn as read;

#[test]
fn random_systems_against_forward_derivation() {
    let mut generator = Generator::new(Kind::LINEAR, 11);
    let (mut safe, mut unsafe_, mut undecided) = (0, 0, 0);
    for _ in 0..150 {
        let text = generator.system();
        let horn = read(&text);
        let expected = run("forward", &horn, 200_000).0;
        let verdict = |line: &str| line.split(',').next().unwrap_or_default().to_owned();
        for engine in PROVERS {
            let line = verdict(&run(engine, &horn, 400_000).0);
            match line.as_str() {
                "safe" => safe += 1,
                "unsafe" => unsafe_ += 1,
                _ => {
                    undecided += 1;
                    continue;
                }
            }
            if ["safe", "unsafe"].contains(&verdict(&expected).as_str()) {
                assert_eq!(line, verdict(&expected), "{engine}\n{text}");
            }
        }
        if verdict(&expected) == "unsafe" {
            assert_eq!(verdict(&run("bmc", &horn, 400_000).0), "unsafe", "{text}");
        }
    }
    assert!(safe > 100 && unsafe_ > 100, "{safe} safe, {unsafe_} unsafe, {undecided} undecided");
    assert!(undecided < 15, "{safe} safe, {unsafe_} unsafe, {undecided} undecided");
}
