//! Random traces of calls against a naive search, with fixed seeds.

use alphorn_sat::{Lit, Options, Solver};
use alphorn_testkit::Rng;
use alphorn_testkit::cnf::calls;
use alphorn_testkit::shrink::for_all;

/// `examples/fuzz_api.rs` runs the same from any seed, for as long as one likes.
#[test]
fn random_traces_agree_with_naive_search() {
    let agrees = |trace: &calls::Trace| {
        if let Err(what) = calls::run(trace) {
            panic!("{what}");
        }
    };
    for_all(0..600, calls::generate, agrees);
}

/// Variables that were taken out came back here with clauses that were deleted before. A line of the
/// proof that does not follow without them may still keep satisfiability, which is not enough.
#[test]
fn a_proof_without_hints_is_restored_where_variables_came_back() {
    let mut restored = 0;
    for seed in 717_000..717_600 {
        let trace = calls::generate(&mut Rng::new(seed));
        if trace.options.proof == 2 {
            let stats = calls::run(&trace).unwrap_or_else(|what| panic!("seed {seed}: {what}"));
            restored += usize::from(stats.restored > 0);
        }
    }
    assert!(restored > 2, "{restored}");
}

/// Simplification may find the contradiction and leave no watches behind; groups are released all
/// the same.
#[test]
fn groups_of_a_contradictory_solver_can_be_released() {
    let mut contradictory = 0;
    for seed in 0..400 {
        let mut random = Rng::new(seed);
        let options = Options { inprocess_interval: 1, inprocess_first: 1, ..Options::default() };
        let mut solver = Solver::new(options);
        let vars: Vec<Lit> = (0..10).map(|_| solver.new_var().positive()).collect();
        let groups: Vec<_> = (0..4).map(|_| solver.new_group()).collect();
        let literal = |random: &mut Rng| {
            let lit = vars[random.below(10) as usize];
            if random.below(2) == 0 { lit } else { !lit }
        };
        for _ in 0..20 {
            let clause = [literal(&mut random)];
            let group = groups[random.below(4) as usize];
            solver.add_to_group(group, &clause);
        }
        for _ in 0..60 {
            let clause = [literal(&mut random), literal(&mut random), literal(&mut random)];
            solver.add_clause(&clause);
        }
        solver.solve(&[]);
        contradictory += usize::from(solver.is_contradictory());
        for group in groups {
            solver.release_group(group);
        }
    }
    assert!(contradictory > 20, "{contradictory}");
}
