//! Each technique of simplification finds what it is there to find, and its proofs check.

// Each program uses a part of this module.
#[allow(dead_code)]
mod support;

use alphorn_sat::{Answer, Lit, Options, Random, Solver, Stats, Var};

/// Options that simplify soon and often, by nothing but what the test switches on.
fn eager() -> Options {
    Options {
        inprocess_first: 30,
        inprocess_interval: 30,
        proof: 1,
        eliminate: 0,
        equivalence: 0,
        probe: 0,
        subsume: 0,
        subsume_forward: 0,
        vivify: 0,
        ..Options::default()
    }
}

/// Solves random formulas near the threshold, checks the evidence, and sums up the counts.
fn solve_many(options: &Options, seed: u32, redundant: impl Fn(&mut Vec<Vec<Lit>>)) -> Stats {
    let mut random = Random::new(seed);
    let mut total = Stats::default();
    let mut answers = [0, 0];
    for _ in 0..40 {
        let variables = 100;
        let mut clauses: Vec<Vec<Lit>> = Vec::new();
        while clauses.len() < 425 {
            let mut clause: Vec<Lit> =
                (0..3).map(|_| Var(random.below(variables)).lit(random.one_in(2))).collect();
            clause.sort_unstable();
            clause.dedup_by_key(|lit| lit.var());
            clauses.push(clause);
        }
        redundant(&mut clauses);
        let mut solver = Solver::new(options.clone());
        (0..variables).for_each(|_| {
            solver.new_var();
        });
        clauses.iter().for_each(|clause| solver.add_clause(clause));
        match solver.solve(&[]) {
            Answer::Sat => {
                let holds = |lit: &Lit| solver.value(*lit) == Some(true);
                assert!(clauses.iter().all(|clause| clause.iter().any(holds)));
                answers[1] += 1;
            }
            Answer::Unsat => {
                let (trace, goal) = (solver.trace().unwrap(), solver.conclusion().unwrap());
                support::replay(&trace.refutation_of_inputs(goal)).expect("the proof checks");
                answers[0] += 1;
            }
            Answer::Unknown => panic!("there is no budget"),
        }
        let stats = solver.stats();
        total.shortened += stats.shortened;
        total.forward_subsumed += stats.forward_subsumed;
        total.forward_shortened += stats.forward_shortened;
    }
    assert!(answers[0] > 5 && answers[1] > 5, "{answers:?}");
    total
}

/// Lengthens every other clause by a literal that vivification can find to be implied.
fn lengthen(clauses: &mut Vec<Vec<Lit>>) {
    for index in 0..40 {
        let (short, other) = (clauses[index].clone(), clauses[index + 100].clone());
        let extra = other[0];
        if short.iter().all(|lit| lit.var() != extra.var()) {
            let longer = short.iter().copied().chain([extra]).collect();
            let implied = short.iter().copied().chain([!extra]).collect();
            clauses[index] = longer;
            clauses.push(implied);
        }
    }
}

#[test]
fn vivification_shortens_clauses_of_the_formula() {
    let options = Options { vivify: 1, vivify_effort: 10_000, ..eager() };
    assert!(solve_many(&options, 1, lengthen).shortened > 100);
    let options = Options { vivify_irredundant: 0, ..options };
    assert_eq!(solve_many(&options, 1, lengthen).shortened, 0);
}

/// Clauses and learned clauses that contain others go, and literals that resolution removes.
#[test]
fn forward_subsumption_removes_and_shortens() {
    let options = Options { subsume_forward: 1, ..eager() };
    let stats = solve_many(&options, 2, |clauses| {
        lengthen(clauses);
        for index in 60..90 {
            let extra = clauses[index + 100][0];
            let longer = clauses[index].iter().copied().chain([extra]).collect();
            clauses.push(longer);
        }
    });
    assert!(stats.forward_subsumed > 500, "{}", stats.forward_subsumed);
    assert!(stats.forward_shortened > 500, "{}", stats.forward_shortened);
}
