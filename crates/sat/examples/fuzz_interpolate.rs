//! Checks the interpolants of random formulas until one is wrong.
//!
//! Usage: `fuzz_interpolate [FIRST_SEED [COUNT]]`.

use std::panic::{AssertUnwindSafe, catch_unwind};

use alphorn_sat::Options;
use alphorn_testkit::cnf::interpolants::{Counts, run};
use alphorn_testkit::cnf::random::random_options;
use alphorn_testkit::{Rng, seeds};

fn main() {
    let mut counts = Counts::default();
    let mut failures = 0;
    for seed in seeds("fuzz_interpolate") {
        let options = match seed % 3 {
            0 => Options::default(),
            1 => Options { inprocess: 0, minimize: 0, ..Options::default() },
            _ => random_options(&mut Rng::new(seed)),
        };
        let result = catch_unwind(AssertUnwindSafe(|| run(seed, options, &mut counts)));
        let failure = match result {
            Ok(Ok(())) => None,
            Ok(Err(what)) => Some(what),
            Err(_) => Some("a panic".into()),
        };
        if let Some(what) = failure {
            println!("seed {seed}: {what}");
            failures += 1;
        }
        if seed % 1000 == 999 {
            eprintln!("seed {seed}, {counts:?}");
        }
    }
    println!("{counts:?}");
    std::process::exit(i32::from(failures > 0));
}
