//! Runs random traces of calls until one fails, and prints that one made small.
//!
//! Usage: `fuzz_api [FIRST_SEED [COUNT]]`.

// Each program uses a part of this module.
#[allow(dead_code)]
#[path = "../tests/support/mod.rs"]
mod support;

fn main() {
    let mut arguments = std::env::args().skip(1).map(|word| word.parse::<u32>());
    let mut next = |default| match arguments.next() {
        None => default,
        Some(Ok(number)) => number,
        Some(Err(_)) => {
            eprintln!("usage: fuzz_api [FIRST_SEED [COUNT]]");
            std::process::exit(3);
        }
    };
    let (first, count) = (next(0), next(u32::MAX));
    std::panic::set_hook(Box::new(|_| {}));
    let mut totals: Vec<(&str, u64)> = alphorn_sat::Stats::default().entries().collect();
    for seed in (first..=u32::MAX).take(count as usize) {
        let trace = support::generate(seed);
        match support::run(&trace) {
            Err(what) => {
                println!("seed {seed}: {what}");
                let small = support::shrink(&trace);
                println!("{:?}\n{}", support::run(&small), support::show(&small));
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
