//! Formulas against enumeration and proofs against the checker, under default and random options.

use alphorn_sat::{Answer, Budget, Lit, Options, Solver, Var};
use alphorn_testkit::Rng;
use alphorn_testkit::cnf::calls;
use alphorn_testkit::cnf::random::random_options;
use alphorn_testkit::cnf::random::{self, clauses};

/// A formula: the number of variables, and the clauses.
struct Cnf(u32, Vec<Vec<Lit>>);

/// Solves the formula with a proof, checks the evidence, and returns the answer.
#[track_caller]
fn check(Cnf(variables, clauses): &Cnf, mut options: Options) -> Answer {
    options.proof = 1;
    options.proof_limit = 0;
    let mut solver = Solver::new(options);
    for _ in 0..*variables {
        solver.new_var();
    }
    for clause in clauses {
        solver.add_clause(clause);
    }
    let answer = solver.solve(&[]);
    match answer {
        Answer::Sat => {
            for clause in clauses {
                let holds = |lit: &Lit| solver.value(*lit) == Some(true);
                assert!(clause.iter().any(holds), "the model violates {clause:?}");
            }
        }
        Answer::Unsat => {
            let trace = solver.trace().expect("the option asks for a proof");
            let goal = solver.conclusion().expect("unsat has a conclusion");
            assert!(trace.literals(goal).is_empty());
            calls::replay(&trace.refutation(goal)).expect("the trimmed proof checks");
            calls::replay(&trace.refutation_of_inputs(goal)).expect("the proof checks");
        }
        Answer::Unknown => panic!("there is no budget"),
    }
    answer
}

fn random_cnf(random: &mut Rng, variables: u32, count: u32, width: u32) -> Cnf {
    Cnf(variables, clauses(random, variables, count, width..=width))
}

fn has_model(Cnf(variables, clauses): &Cnf) -> bool {
    random::has_model(*variables, clauses)
}

/// `holes + 1` pigeons do not fit.
fn pigeons(holes: u32) -> Cnf {
    let sits = |pigeon: u32, hole: u32| Var(pigeon * holes + hole).positive();
    let mut clauses: Vec<Vec<Lit>> =
        (0..=holes).map(|pigeon| (0..holes).map(|hole| sits(pigeon, hole)).collect()).collect();
    for hole in 0..holes {
        for pigeon in 0..=holes {
            for other in 0..pigeon {
                clauses.push(vec![!sits(pigeon, hole), !sits(other, hole)]);
            }
        }
    }
    Cnf((holes + 1) * holes, clauses)
}

/// The clauses of `a ⊕ b ⊕ c = value`.
fn parity(a: Lit, b: Lit, c: Lit, value: bool) -> Vec<Vec<Lit>> {
    let signs = (0..8u32).filter(|signs| signs.count_ones() % 2 == u32::from(value));
    let flip = |lit: Lit, signs: u32, bit: u32| lit.xor(signs >> bit & 1 == 0);
    signs
        .map(|signs| vec![flip(a, signs ^ 7, 0), flip(b, signs ^ 7, 1), flip(c, signs ^ 7, 2)])
        .map(|clause| clause.into_iter().map(|lit| !lit).collect())
        .collect()
}

/// Two chains of sums over the same inputs in different orders, which cannot differ.
fn sums(length: u32, differ: bool) -> Cnf {
    let input = |index: u32| Var(index).positive();
    let mut clauses = Vec::new();
    let mut next = length;
    let mut chain = |order: Vec<u32>| {
        let mut sum = input(order[0]);
        for index in &order[1..] {
            let result = Var(next).positive();
            next += 1;
            clauses.extend(parity(sum, input(*index), result, false));
            sum = result;
        }
        sum
    };
    let forward = chain((0..length).collect());
    let backward = chain((0..length).map(|index| (index * 7 + 3) % length).collect());
    clauses
        .extend([vec![forward, backward.xor(!differ)], vec![!forward, (!backward).xor(!differ)]]);
    Cnf(next, clauses)
}

#[test]
fn small_random_formulas_agree_with_enumeration() {
    let mut random = Rng::new(1);
    for round in 0..600 {
        let variables = 3 + random.below(12);
        let density = 38 + random.below(12);
        let cnf = random_cnf(&mut random, variables, variables * density / 10, 3);
        let options = match round % 2 {
            0 => Options::default(),
            _ => random_options(&mut random),
        };
        let expected = if has_model(&cnf) { Answer::Sat } else { Answer::Unsat };
        assert_eq!(check(&cnf, options.clone()), expected, "round {round}, {options:?}");
    }
}

#[test]
fn a_search_that_goes_on_after_each_clause_agrees_with_enumeration() {
    let (mut refuted, mut kept) = (0, 0);
    for seed in 0..300 {
        let mut random = Rng::new(seed);
        let Cnf(variables, clauses) = random_cnf(&mut random, 10, 60, 3);
        let options = match seed % 2 {
            0 => Options::default(),
            _ => random_options(&mut random),
        };
        let mut solver = Solver::new(Options { proof: 1, proof_limit: 0, ..options });
        for _ in 0..variables {
            solver.new_var();
        }
        let assumptions: Vec<Lit> =
            (0..random.below(3)).map(|var| Var(var as u32).lit(random.below(2) == 0)).collect();
        let mut given: Vec<Vec<Lit>> = assumptions.iter().map(|lit| vec![*lit]).collect();
        for clause in clauses {
            let before = solver.stats().reused_levels;
            let answer = match given.len() == assumptions.len() {
                true => solver.solve(&assumptions),
                false => solver.resume(&assumptions),
            };
            kept += solver.stats().reused_levels - before;
            let expected = has_model(&Cnf(variables, given.clone()));
            assert_eq!(answer == Answer::Sat, expected, "seed {seed}, {} clauses", given.len());
            if answer == Answer::Unsat {
                let (trace, goal) = (solver.trace(), solver.conclusion());
                let (trace, goal) = (trace.expect("a proof"), goal.expect("a conclusion"));
                calls::replay(&trace.refutation(goal)).expect("the proof checks");
                refuted += 1;
                break;
            }
            let holds = |lit: &Lit| solver.value(*lit) == Some(true);
            assert!(given.iter().all(|clause| clause.iter().any(holds)), "seed {seed}");
            solver.add_clause(&clause);
            given.push(clause);
        }
    }
    assert!(refuted > 100 && kept > 10_000, "{refuted} refuted, {kept} levels kept");
}

#[test]
fn larger_random_formulas_have_checked_evidence() {
    let mut random = Rng::new(2);
    for _ in 0..60 {
        let variables = 50 + random.below(70);
        let cnf = random_cnf(&mut random, variables, variables * 43 / 10, 3);
        let options = random_options(&mut random);
        assert_eq!(check(&cnf, options), check(&cnf, Options::default()));
    }
}

#[test]
fn pigeons_do_not_fit() {
    for holes in 1..7 {
        assert_eq!(check(&pigeons(holes), Options::default()), Answer::Unsat);
    }
}

#[test]
fn sums_do_not_depend_on_the_order() {
    for length in [5, 8, 9, 10, 12] {
        assert_eq!(check(&sums(length, true), Options::default()), Answer::Unsat);
        assert_eq!(check(&sums(length, false), Options::default()), Answer::Sat);
    }
}

#[test]
fn the_same_input_and_seed_give_the_same_statistics() {
    let mut random = Rng::new(3);
    let Cnf(variables, clauses) = random_cnf(&mut random, 120, 516, 3);
    let run = || {
        let mut solver = Solver::default();
        for _ in 0..variables {
            solver.new_var();
        }
        clauses.iter().for_each(|clause| solver.add_clause(clause));
        solver.solve(&[]);
        solver.stats().clone()
    };
    assert_eq!(run(), run());
}

#[test]
fn budgets_end_a_call_and_the_next_one_goes_on() {
    let Cnf(variables, clauses) = pigeons(7);
    let mut solver = Solver::default();
    for _ in 0..variables {
        solver.new_var();
    }
    clauses.iter().for_each(|clause| solver.add_clause(clause));
    for budget in [
        Budget { conflicts: Some(10), ..Budget::default() },
        Budget { propagations: Some(100), ..Budget::default() },
        Budget { ticks: Some(100), ..Budget::default() },
    ] {
        solver.set_budget(budget);
        assert_eq!(solver.solve(&[]), Answer::Unknown);
    }
    let flag = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
    solver.set_budget(Budget::default());
    solver.set_interrupt(flag.clone());
    assert_eq!(solver.solve(&[]), Answer::Unknown);
    flag.store(false, std::sync::atomic::Ordering::Relaxed);
    assert_eq!(solver.solve(&[]), Answer::Unsat);
}
