//! Each technique of simplification finds what it is there to find, and its proofs check.

use alphorn_sat::{Answer, Lit, Options, Solver, Stats, Var};
use alphorn_testkit::Rng;
use alphorn_testkit::cnf::calls;

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
fn solve_many(options: &Options, seed: u64, redundant: impl Fn(&mut Vec<Vec<Lit>>)) -> Stats {
    let mut random = Rng::new(seed);
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
                let trace = solver.trace().expect("proofs are on");
                let goal = solver.conclusion().expect("unsat has a conclusion");
                calls::replay(&trace.refutation_of_inputs(goal)).expect("the proof checks");
                answers[0] += 1;
            }
            Answer::Unknown => panic!("there is no budget"),
        }
        let stats = solver.stats();
        total.shortened += stats.shortened;
        total.trimmed += stats.trimmed;
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

/// A random circuit of gates of one shape is solved, so that variables are eliminated, and then
/// asked about any of them, which brings them back.
#[test]
fn definitions_of_each_shape_are_found_and_variables_return() {
    for shape in [calls::Shape::And, calls::Shape::Parity, calls::Shape::Choice] {
        let mut random = Rng::new(3);
        let (mut gates, mut restored, mut fewer) = (0, 0, 0);
        for round in 0..40 {
            let uses_gates = round % 2 == 0;
            let options = Options {
                eliminate: 1,
                eliminate_gates: u32::from(uses_gates),
                inprocess_first: 1,
                inprocess_interval: 1,
                ..eager()
            };
            let mut solver = Solver::new(options);
            let inputs: Vec<Lit> = (0..6).map(|_| solver.new_var().positive()).collect();
            let mut signals = inputs.clone();
            let mut definitions = Vec::new();
            for _ in 0..24 {
                let from = [0; 3].map(|_| signals[random.below(signals.len() as u32) as usize]);
                let from = from.map(|lit| lit.xor(random.one_in(2)));
                let out = solver.new_var().positive();
                shape.clauses(out, from).iter().for_each(|clause| solver.add_clause(clause));
                definitions.push((out, from));
                signals.push(out);
            }
            // Search meets conflicts in a pigeonhole problem over variables of its own.
            let guard = solver.new_var().positive();
            let pigeons: Vec<Vec<Lit>> =
                (0..6).map(|_| (0..5).map(|_| solver.new_var().positive()).collect()).collect();
            for (index, one) in pigeons.iter().enumerate() {
                let place: Vec<Lit> = one.iter().copied().chain([guard]).collect();
                solver.add_clause(&place);
                for other in &pigeons[..index] {
                    one.iter().zip(other).for_each(|(a, b)| solver.add_clause(&[!*a, !*b]));
                }
            }
            assert_eq!(solver.solve(&[!guard]), Answer::Unsat);
            for _ in 0..20 {
                let asked = signals[random.below(signals.len() as u32) as usize];
                let assumptions = [asked.xor(random.one_in(2)), inputs[0].xor(random.one_in(2))];
                let mut values = [false; 30];
                let expected = (0..64u32).any(|input| {
                    (0..6).for_each(|index| values[index] = input >> index & 1 == 1);
                    for (out, from) in &definitions {
                        let from = from.map(|lit| values[lit.var().index()] != lit.is_negated());
                        values[out.var().index()] = shape.evaluate(from);
                    }
                    let holds = |lit: &Lit| values[lit.var().index()] != lit.is_negated();
                    assumptions.iter().all(holds)
                });
                assert_eq!(solver.solve(&assumptions) == Answer::Sat, expected, "{shape:?}");
                for (out, from) in definitions.iter().filter(|_| expected) {
                    let value = |lit: Lit| solver.value(lit) == Some(true);
                    assert_eq!(value(*out), shape.evaluate(from.map(value)), "{shape:?}");
                }
            }
            let stats = solver.stats();
            match uses_gates {
                true => gates += stats.gates,
                false => fewer += stats.gates,
            }
            restored += stats.restored;
        }
        assert!(gates > 20 && restored > 20 && fewer == 0, "{shape:?}: {gates} {restored}");
    }
}
