//! Random traces of calls against a naive search, with fixed seeds.

// Each program uses a part of this module.
#[allow(dead_code)]
mod support;

/// `examples/fuzz_api.rs` runs the same from any seed, for as long as one likes.
#[test]
fn random_traces_agree_with_naive_search() {
    for seed in 0..600 {
        let trace = support::generate(seed);
        if let Err(what) = support::run(&trace) {
            let small = support::shrink(&trace);
            panic!("seed {seed}: {what}\n{:?}\n{}", support::run(&small), support::show(&small));
        }
    }
}
