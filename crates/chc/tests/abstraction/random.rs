//! Random linear systems over small numbers and truth values, against forward derivation.
//!
//! All arguments are bounded, so forward derivation decides most of them; the engines must agree
//! wherever both decide, and must decide most of them, too.

use crate::run;
use alphorn_testkit::horn::numbers::{Generator, Kind};
use alphorn_testkit::read::horn as read;

#[test]
fn engines_agree_with_forward_derivation() {
    let mut generator = Generator::new(Kind::STEPS, 11);
    let (mut decided, mut open) = (0, 0);
    for _ in 0..150 {
        let text = generator.system();
        let horn = read(&text);
        let verdict = |engine: &str, ticks: u64| {
            let (line, ..) = run(engine, &horn, ticks);
            line.split(',').next().unwrap_or_default().to_owned()
        };
        let expected = verdict("forward", 200_000);
        for engine in ["ic3", "tpa"] {
            let found = verdict(engine, 2_000_000);
            match (found.as_str(), expected.as_str()) {
                ("safe" | "unsafe", "safe" | "unsafe") => {
                    assert_eq!(found, expected, "{engine} on {text}");
                    decided += 1;
                }
                ("safe" | "unsafe", _) => decided += 1,
                _ if found.starts_with("unsupported") => {}
                _ => open += 1,
            }
        }
    }
    assert!(decided > 180 && open < 30, "{decided} decided, {open} open");
}
