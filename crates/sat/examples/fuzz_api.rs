//! Runs random traces of calls until one fails, and prints that one made small.
//!
//! Usage: `fuzz_api [FIRST_SEED [COUNT]]`.

use alphorn_testkit::cnf::calls;
use alphorn_testkit::shrink::{Shrink, minimise};
use alphorn_testkit::{Rng, seeds};

fn main() {
    let mut totals: Vec<(&str, u64)> = alphorn_sat::Stats::default().entries().collect();
    for seed in seeds("fuzz_api") {
        let trace = calls::generate(&mut Rng::new(seed));
        match calls::run(&trace) {
            Err(what) => {
                println!("seed {seed}: {what}");
                let small = minimise(trace, |trace| calls::run(trace).is_err());
                println!("{:?}\n{}", calls::run(&small), small.show());
                std::process::exit(1);
            }
            Ok(stats) => {
                for ((_, total), (_, count)) in totals.iter_mut().zip(stats.entries()) {
                    *total += count;
                }
            }
        }
        if seed % 10_000 == 0 {
            eprintln!("seed {seed}");
        }
    }
    // What was never exercised was never tested.
    for (name, total) in totals {
        println!("{name:<16} {total:>12}");
    }
}
