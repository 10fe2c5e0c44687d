//! A trace that is trimmed still proves, and one that outgrows its limit is given up softly.

use alphorn_sat::aig::Aig;
use alphorn_sat::drat::Limits;
use alphorn_sat::interpolate::{Cuts, InputMap, Interpolator};
use alphorn_sat::{Answer, ClauseId, Lit, Options, Origin, Solver, Var};
use alphorn_testkit::Rng;
use alphorn_testkit::cnf::calls;
use alphorn_testkit::cnf::random::clauses;

/// Clauses of 120 variables for a seed, too many for a model.
fn clauses_of(seed: u64) -> Vec<Vec<Lit>> {
    clauses(&mut Rng::new(seed), 120, 700, 3..=3)
}

fn solver_of(clauses: &[Vec<Lit>], variables: u32, options: Options) -> Solver {
    let mut solver = Solver::new(Options { proof: options.proof.max(1), ..options });
    (0..variables).for_each(|_| {
        solver.new_var();
    });
    for (index, clause) in clauses.iter().enumerate() {
        solver.add_clause_in(clause, u32::from(index >= clauses.len() / 2));
    }
    solver
}

#[test]
fn trimming_leaves_numbers_inputs_and_the_conclusion() {
    let clauses = clauses_of(5);
    let options = Options { reduce_interval: 10, ..Options::default() };
    let mut solver = solver_of(&clauses, 120, options);
    assert_eq!(solver.solve(&[]), Answer::Unsat);
    let goal = solver.conclusion().unwrap();
    let before = solver.trace().unwrap().words();
    let proof = solver.trace().unwrap().refutation_of_inputs(goal);
    solver.trim_trace();
    let trace = solver.trace().unwrap();
    assert_eq!(solver.conclusion(), Some(goal));
    assert_eq!(trace.refutation_of_inputs(goal), proof);
    assert!(trace.words() < before, "{} {before}", trace.words());
    let dropped = (1..=trace.len()).filter(|id| trace.is_dropped(ClauseId(*id))).count();
    assert!(dropped > 0);
    for (index, clause) in clauses.iter().enumerate() {
        let id = ClauseId(index as u32 + 1);
        let label = u32::from(index >= clauses.len() / 2);
        assert_eq!((trace.literals(id), trace.origin(id)), (&clause[..], Origin::Input(label)));
    }
}

/// The interpolant of a trimmed proof is implied by the one side and contradicts the other.
#[test]
fn trimmed_proofs_interpolate() {
    let clauses = clauses_of(5);
    let mut solver = solver_of(&clauses, 120, Options { proof_trim: 1, ..Options::default() });
    assert_eq!(solver.solve(&[]), Answer::Unsat);
    assert!(solver.stats().trimmed > 0);
    solver.trim_trace();
    let goal = solver.conclusion().unwrap();
    let (mut aig, mut inputs) = (Aig::new(), InputMap::default());
    let mut interpolator = Interpolator::new(solver.trace().unwrap(), goal);
    let cuts = Cuts::sequence(2);
    let interpolants = interpolator.cuts(&cuts, &mut aig, &mut inputs).expect("it has partitions");
    interpolator.verify(&cuts, &interpolants, &mut aig, &mut inputs).expect("it interpolates");
}

#[test]
fn proofs_survive_automatic_trimming_across_queries() {
    let mut random = Rng::new(6);
    let (mut trimmed, mut unsat) = (0, 0);
    for _ in 0..10 {
        let clauses = clauses(&mut random, 100, 420, 3..=3);
        let options = Options {
            proof_trim: 1,
            inprocess_first: 20,
            inprocess_interval: 20,
            ..Options::default()
        };
        let mut solver = solver_of(&clauses, 100, options);
        for _ in 0..20 {
            let assumptions = [0; 3].map(|_| Var(random.below(100)).lit(random.one_in(2)));
            let temporary = [0; 2].map(|_| Var(random.below(100)).lit(random.one_in(2)));
            let answer = solver.solve_with_clause(&assumptions, &temporary);
            if let (Answer::Unsat, Some(goal)) = (answer, solver.conclusion()) {
                let trace = solver.trace().unwrap();
                calls::replay(&trace.refutation(goal)).expect("the proof checks");
                unsat += 1;
            }
        }
        trimmed += solver.stats().trimmed;
    }
    assert!(trimmed > 20 && unsat > 20, "{trimmed} {unsat}");
}

/// Answers do not depend on whether the proof was given up meanwhile.
#[test]
fn a_proof_beyond_its_limit_is_given_up() {
    let clauses = clauses_of(5);
    let mut plain = solver_of(&clauses, 120, Options::default());
    let mut limited = solver_of(&clauses, 120, Options { proof_limit: 8, ..Options::default() });
    assert_eq!(plain.solve(&[]), Answer::Unsat);
    let words = plain.trace().unwrap().words();
    assert!(words > 8_000 && !plain.is_proof_lost(), "{words}");
    assert_eq!(limited.solve(&[]), Answer::Unsat);
    assert!(limited.is_proof_lost());
    assert!(limited.trace().is_none() && limited.conclusion().is_none());
    assert_eq!(limited.add_clause_in(&[Var(0).positive()], 0), None);
    limited.new_var();
    limited.trim_trace();
    assert_eq!(limited.solve(&[Var(120).positive()]), Answer::Unsat);

    // It may happen while clauses are still coming.
    let mut early = solver_of(&clauses, 120, Options { proof_limit: 1, ..Options::default() });
    assert!(early.is_proof_lost());
    assert_eq!(early.solve(&[]), Answer::Unsat);
}

/// Answers a few questions about a ring of equivalences; returns the solver.
fn ask_about_ring(proof_limit: u32) -> Solver {
    let ring = 300;
    let lit = |index: u32| Var(index).positive();
    // Implications both ways, so that there are cycles within the ring.
    let mut clauses = Vec::new();
    for (one, next) in (0..ring).map(|index| (lit(index), lit((index + 1) % ring))) {
        clauses.extend([vec![!one, next], vec![one, !next]]);
    }
    let (a, b) = (lit(ring), lit(ring + 1));
    clauses.extend([vec![!a, b], vec![!a, !b]]);
    let options = Options { inprocess_first: 1, proof_limit, ..Options::default() };
    let mut solver = solver_of(&clauses, ring + 2, options);
    assert_eq!(solver.solve(&[a]), Answer::Unsat);
    assert_eq!(solver.solve(&[]), Answer::Sat);
    assert!(solver.stats().substituted > 0);
    assert_eq!(solver.solve(&[lit(3), !lit(200)]), Answer::Unsat);
    solver
}

/// The proof may end in the middle of a technique, here while equivalences are derived.
#[test]
fn a_proof_may_be_given_up_within_simplification() {
    let unlimited = ask_about_ring(0);
    let words = unlimited.trace().unwrap().words();
    assert!(words > 4000, "{words}");
    for limit in 1..=words.div_ceil(1000) as u32 {
        let solver = ask_about_ring(limit);
        assert_eq!(solver.is_proof_lost(), u64::from(limit) * 1000 < words);
        assert_eq!(solver.conclusion().is_none(), solver.is_proof_lost());
    }
}

/// The clauses of the formula behind a conclusion whose hints were found afterwards.
fn restored_leaves(solver: &Solver) -> Vec<Vec<Lit>> {
    let trace = solver.trace().expect("proofs are on");
    let goal = solver.conclusion().expect("there is no model");
    assert!(!trace.has_hints());
    let (restored, last) = trace.restored(goal, |_| 0, 0, &Limits::default()).expect("it holds");
    assert!(restored.literals(last).is_empty());
    let is_leaf = |id: &ClauseId| restored.origin(*id) != Origin::Derived;
    let leaves = (1..=restored.len()).map(ClauseId).filter(is_leaf);
    leaves.map(|id| restored.literals(id).to_vec()).collect()
}

#[test]
fn a_conclusion_restored_has_a_temporary_clause_only_if_it_is_drawn_from_it() {
    let mut solver = solver_of(&[], 3, Options { proof: 2, ..Options::default() });
    let [x, y, z] = [0, 1, 2].map(|index| Var(index).positive());
    solver.add_clause_in(&[x, y], 0);
    solver.add_clause_in(&[x, !y], 0);
    // The unit x is learned and concluded while the clause is there, and has nothing to do with it.
    assert_eq!(solver.solve_with_clause(&[!x], &[z]), Answer::Unsat);
    assert!(!restored_leaves(&solver).contains(&vec![z]));
    assert_eq!(solver.solve_with_clause(&[!z], &[z]), Answer::Unsat);
    assert!(restored_leaves(&solver).contains(&vec![z]));
    // Nor is what was concluded from the clause a line of another proof.
    assert_eq!(solver.solve_with_clause(&[!z], &[z, !x]), Answer::Unsat);
    let leaves = restored_leaves(&solver);
    assert!(leaves.contains(&vec![z, !x]) && !leaves.contains(&vec![z]), "{leaves:?}");
}

#[test]
fn a_conclusion_restored_has_no_clauses_of_a_group_that_was_released() {
    let mut solver = solver_of(&[], 2, Options { proof: 2, ..Options::default() });
    let [x, y] = [0, 1].map(|index| Var(index).positive());
    let group = solver.new_group();
    let _ = solver.add_to_group(group, &[x]);
    assert_eq!(solver.solve(&[group.lit(), !x]), Answer::Unsat);
    solver.release_group(group);
    let next = solver.new_group();
    assert_eq!(next.lit(), group.lit(), "the activation literal serves again");
    let _ = solver.add_to_group(next, &[y]);
    assert_eq!(solver.solve(&[next.lit(), !y]), Answer::Unsat);
    let leaves = restored_leaves(&solver);
    assert!(leaves.contains(&vec![y, !next.lit()]), "{leaves:?}");
    assert!(leaves.iter().all(|clause| !clause.contains(&x)), "{leaves:?}");
}
