//! Minimal failed assumptions.

use super::lit;
use alphorn_sat::cores::{Effort, Found, Question, minimize_failed, minimize_question};
use alphorn_sat::{Budget, Lit, Options, Solver, Var};
use alphorn_testkit::Rng;
use alphorn_testkit::cnf::random::{clause_of_distinct, has_model, random_options};

const VARIABLES: u32 = 8;

fn solver(clauses: &[Vec<Lit>]) -> Solver {
    solver_with(clauses, Options::default())
}

fn solver_with(clauses: &[Vec<Lit>], options: Options) -> Solver {
    let mut solver = Solver::new(options);
    (0..VARIABLES).for_each(|_| {
        solver.new_var();
    });
    clauses.iter().for_each(|clause| solver.add_clause(clause));
    solver
}

/// Whether the clauses have a model under the assumptions.
fn possible(clauses: &[Vec<Lit>], assumptions: &[Lit]) -> bool {
    let units = assumptions.iter().map(std::slice::from_ref);
    has_model(VARIABLES, clauses.iter().map(Vec::as_slice).chain(units))
}

fn random_problem(random: &mut Rng) -> (Vec<Vec<Lit>>, Vec<Lit>) {
    let count = 8 + random.below(22);
    let clauses = (0..count)
        .map(|_| {
            let width = 2 + random.below(2);
            clause_of_distinct(random, VARIABLES, width)
        })
        .collect();
    let count = 2 + random.below(7);
    let assumptions =
        (0..count).map(|_| Var(random.below(VARIABLES)).lit(random.one_in(2))).collect();
    (clauses, assumptions)
}

#[test]
fn cores_of_assumptions_are_minimal() {
    let mut random = Rng::new(1);
    let mut cores = 0;
    for _ in 0..2000 {
        let (clauses, assumptions) = random_problem(&mut random);
        let options = random_options(&mut random);
        let found = minimize_failed(&mut solver_with(&clauses, options), &assumptions);
        if possible(&clauses, &assumptions) {
            assert_eq!(found, Found::Satisfiable);
            continue;
        }
        let core = found.into_core().expect("there is no model");
        assert!(core.is_minimal);
        assert!(!possible(&clauses, &core.elements), "{clauses:?} {assumptions:?} {core:?}");
        for index in 0..core.elements.len() {
            let mut fewer = core.elements.clone();
            fewer.remove(index);
            assert!(possible(&clauses, &fewer), "{clauses:?} {assumptions:?} {core:?}");
        }
        cores += 1;
    }
    assert!(cores > 500, "{cores} cores");
}

/// With a fixed part, a temporary clause, and little effort.
#[test]
fn questions_keep_their_fixed_part() {
    let mut random = Rng::new(2);
    let mut unfinished = 0;
    for _ in 0..2000 {
        let (mut clauses, assumptions) = random_problem(&mut random);
        let (fixed, free) = assumptions.split_at(assumptions.len() / 2);
        let clause = clause_of_distinct(&mut random, VARIABLES, 2);
        let question = Question { fixed, assumptions: free, clause: Some(&clause) };
        let effort = Effort { queries: Some(1 + random.below(3)), ..Effort::default() };
        let mut solver = solver_with(&clauses, random_options(&mut random));
        let found = minimize_question(&mut solver, question, effort);
        clauses.push(clause.clone());
        let with_fixed = |lits: &[Lit]| possible(&clauses, &[fixed, lits].concat());
        let Some(core) = found.into_core() else {
            assert!(with_fixed(free));
            continue;
        };
        assert!(!with_fixed(&core.elements));
        unfinished += usize::from(!core.is_minimal);
        for index in 0..core.elements.len() {
            let mut fewer = core.elements.clone();
            fewer.remove(index);
            assert!(!core.is_minimal || with_fixed(&fewer));
        }
        let whole = minimize_question(&mut solver, question, Effort::default());
        assert!(whole.into_core().expect("there is no model").is_minimal);
    }
    assert!(unfinished > 50, "{unfinished} unfinished");
}

#[test]
fn the_first_assumptions_stay() {
    let clauses = [vec![lit(-1), lit(-4)], vec![lit(-2), lit(-3)]];
    let ask = |order: [i32; 4]| {
        let core = minimize_failed(&mut solver(&clauses), &order.map(lit)).into_core();
        core.expect("both pairs contradict").elements
    };
    assert_eq!(ask([1, 4, 2, 3]), [lit(1), lit(4)]);
    assert_eq!(ask([3, 2, 1, 4]), [lit(3), lit(2)]);
}

#[test]
fn extremes() {
    let mut contradictory = solver(&[vec![lit(1)], vec![lit(-1)]]);
    let core = minimize_failed(&mut contradictory, &[lit(2), lit(3)]).into_core();
    assert!(core.expect("the clauses contradict").elements.is_empty());
    let mut free = solver(&[]);
    let core = minimize_failed(&mut free, &[lit(2), lit(1), lit(2), lit(-1)]).into_core();
    assert_eq!(core.expect("the literals contradict").elements, [lit(1), lit(-1)]);
    assert_eq!(minimize_failed(&mut free, &[]), Found::Satisfiable);
}

#[test]
fn the_solver_keeps_its_own_budget() {
    let mut solver = solver(&[vec![lit(-1), lit(-2)]]);
    let budget = Budget { conflicts: Some(7), ..Budget::default() };
    solver.set_budget(budget);
    let question = Question { assumptions: &[lit(1), lit(2)], ..Question::default() };
    let effort = Effort { ticks: Some(1_000_000), ..Effort::default() };
    assert!(minimize_question(&mut solver, question, effort).into_core().is_some());
    assert_eq!(solver.budget(), budget);
    let nothing = Effort { queries: Some(0), ..Effort::default() };
    assert_eq!(minimize_question(&mut solver, question, nothing), Found::Unknown);
}
