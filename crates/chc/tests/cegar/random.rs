//! Random systems with clauses of several atoms, some below disjunctions, against `forward` and `pdr`.

use crate::{ALL, ask, read};
use alphorn_testkit::horn::branching::Generator;

fn is_decided(line: &str) -> bool {
    line == "safe" || line.starts_with("unsafe, ")
}

#[test]
fn agrees_with_other_engines() {
    let mut generator = Generator::new(23);
    let (mut safe, mut unsafe_) = (0, 0);
    for number in 0..80 {
        let text = generator.system();
        let horn = read(&text);
        let (expected, _) = ask("pdr", &horn, 1_000_000);
        let (other, _) = ask("forward", &horn, 200_000);
        for engine in ALL {
            let (line, _) = ask(engine, &horn, 200_000);
            for expected in [&expected, &other] {
                if is_decided(&line) && is_decided(expected) {
                    assert_eq!(line == "safe", expected == "safe", "{engine} {number}: {text}");
                }
            }
            if engine == "cegar" {
                safe += u32::from(line == "safe");
                unsafe_ += u32::from(line.starts_with("unsafe"));
            }
        }
    }
    assert!(safe >= 15 && unsafe_ >= 20, "{safe} safe, {unsafe_} unsafe");
}
