//! Every preset says what the file expects, or nothing.

use crate::{ask, read};
use alphorn_chc::engines::HORN_VARIANTS;
use std::path::Path;

/// The presets, with the engines they are presets of.
fn presets() -> Vec<&'static str> {
    let variants = HORN_VARIANTS.iter().map(|card| card.name);
    let mut all: Vec<&str> =
        variants.filter(|name| name.starts_with("duality-") || name.starts_with("la-")).collect();
    all.extend(["duality", "la"]);
    all
}

/// Files that every preset of `duality` decides.
const DECIDED: [&str; 10] = [
    "arithmetic/leaking_tank",
    "arithmetic/ninety_one",
    "dialect/fixedpoint",
    "finite/mutex",
    "finite/mutex_broken",
    "recursion_free/gcd_once",
    "recursion_free/mccarthy_tree",
    "shape/generalized",
    "thesis/ninety",
    "thesis/rate_limiter",
];

/// Files that some presets do not decide in a small budget.
const OPEN: [&str; 6] = [
    "arithmetic/two_counters",
    "divergent/linear_loop",
    "divergent/swap",
    "thesis/cousot",
    "thesis/gcd",
    "thesis/subtractive_loop",
];

fn file(name: &str) -> (String, String) {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/horn");
    let text = std::fs::read_to_string(corpus.join(format!("{name}.smt2"))).unwrap();
    let expect = text.lines().find_map(|line| line.strip_prefix("; expect: ")).unwrap().to_owned();
    (text, expect)
}

#[test]
fn every_preset_agrees() {
    for (names, must_decide) in [(&DECIDED[..], true), (&OPEN[..], false)] {
        for name in names {
            let (text, expect) = file(name);
            let horn = read(&text);
            for preset in presets() {
                let (line, _) = ask(preset, &horn, 40_000);
                let is_decided = line.starts_with("safe") || line.starts_with("unsafe");
                if is_decided {
                    assert!(line.starts_with(&expect), "{preset} on {name}: {line}");
                } else if must_decide && preset.starts_with("duality") {
                    panic!("{preset} on {name}: {line}");
                }
            }
        }
    }
}

/// The improvements are worth something: the last preset decides what the first does not.
#[test]
fn the_last_preset_decides_more() {
    for name in ["arithmetic/two_counters", "thesis/cousot"] {
        let (text, _) = file(name);
        let horn = read(&text);
        assert_eq!(ask("duality", &horn, 40_000).0, "safe", "{name}");
        assert_eq!(ask("duality-mark1", &horn, 40_000).0, "out of ticks", "{name}");
    }
}
