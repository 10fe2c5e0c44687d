//! Interpolants of random formulas against truth tables, with fixed seeds.

#[allow(dead_code)]
mod interpolate_support;
#[allow(dead_code)]
mod support;

use alphorn_sat::{Options, Random};
use interpolate_support::{Counts, run};

/// `examples/fuzz_interpolate.rs` runs the same from any seed, for as long as one likes.
#[test]
fn random_interpolants_agree_with_their_definition() {
    let mut counts = Counts::default();
    for seed in 0..400 {
        let options = match seed % 3 {
            0 => Options::default(),
            1 => Options { inprocess: 0, minimize: 0, ..Options::default() },
            _ => support::random_options(&mut Random::new(seed)),
        };
        if let Err(what) = run(seed, options, &mut counts) {
            panic!("seed {seed}: {what}");
        }
    }
    assert!(counts.interpolants > 3000);
    assert!(counts.colorized_clauses > counts.clauses, "{counts:?}");
    assert!(counts.colorized >= counts.clausal, "{counts:?}");
}
