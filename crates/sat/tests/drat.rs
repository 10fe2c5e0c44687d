//! Proofs without hints: what is elaborated is replayed, and what is wrong is not elaborated.

use alphorn_check::lrat;
use alphorn_problem::evidence::circuit::{Lrat, LratStep};
use alphorn_sat::drat::{Failure, Limits, Line, Step, elaborate};
use alphorn_sat::{Answer, Lit, Options, Solver, Var};
use alphorn_testkit::Rng;
use alphorn_testkit::cnf::random::{self, has_model};

type Formula = Vec<Vec<Lit>>;

fn clause(numbers: &[i32]) -> Vec<Lit> {
    numbers.iter().filter_map(|number| Lit::from_dimacs(*number)).collect()
}

fn formula(clauses: &[&[i32]]) -> Formula {
    clauses.iter().map(|numbers| clause(numbers)).collect()
}

fn dimacs(clause: &[Lit]) -> Vec<i32> {
    clause.iter().map(|lit| lit.to_dimacs()).collect()
}

/// Elaborates and has the outcome replayed; how many clauses it adds.
fn replayed(formula: &Formula, lines: &[Line]) -> Result<usize, Failure> {
    let steps = elaborate(formula.iter().map(Vec::as_slice), lines, &Limits::default())?;
    let steps: Vec<LratStep> = steps
        .into_iter()
        .map(|step| match step {
            Step::Add { id, literals, hints } => {
                LratStep::Add { id, clause: dimacs(&literals), hints }
            }
            Step::Delete(id) => LratStep::Delete(vec![id]),
        })
        .collect();
    let added = steps.iter().filter(|step| matches!(step, LratStep::Add { .. })).count();
    let clauses: Vec<Vec<i32>> = formula.iter().map(|clause| dimacs(clause)).collect();
    let outcome = lrat::refute(clauses.iter().map(Vec::as_slice), &Lrat { steps: steps.clone() });
    outcome.unwrap_or_else(|refusal| panic!("{refusal}\n{clauses:?}\n{lines:?}\n{steps:?}"));
    Ok(added)
}

fn add(numbers: &[i32]) -> Line {
    Line::Add(clause(numbers))
}

fn delete(numbers: &[i32]) -> Line {
    Line::Delete(clause(numbers))
}

/// All clauses over so many variables.
fn cube(variables: i32) -> Formula {
    let signed = |bits: i32, place: i32| if bits >> place & 1 == 1 { !place } else { place + 1 };
    let row = |bits: i32| (0..variables).map(|place| signed(bits, place)).collect::<Vec<i32>>();
    (0..1 << variables).map(|bits| clause(&row(bits))).collect()
}

#[test]
fn clauses_that_follow_get_hints_and_others_are_left_out() {
    let lines = [add(&[1, 2]), add(&[9, 8]), add(&[1]), add(&[2]), add(&[])];
    assert_eq!(replayed(&cube(3), &lines), Ok(4));
    assert_eq!(replayed(&formula(&[&[1], &[-1, 2], &[-2]]), &[]), Ok(1), "by propagation alone");
    assert_eq!(replayed(&formula(&[&[1, 1], &[-1, -1, -1]]), &[]), Ok(1), "repeated literals");
    assert_eq!(replayed(&formula(&[&[1], &[]]), &[]), Ok(1), "an empty clause");
}

#[test]
fn a_proof_that_ends_early_or_takes_a_leap_is_refused() {
    assert_eq!(replayed(&cube(3), &[add(&[1, 2])]), Err(Failure::Open));
    let empty = Failure::Unfounded { line: 2, clause: Vec::new() };
    assert_eq!(replayed(&cube(3), &[add(&[1, 2]), add(&[])]), Err(empty));
    // The first neither follows nor is RAT; from it the rest would follow.
    let chain = formula(&[&[-1, -2, 3], &[-1, -2, -3], &[-4, 1], &[-4, 2], &[4, 5], &[-5, 6]]);
    let lines = [add(&[4]), add(&[])];
    let leap = Failure::Unfounded { line: 1, clause: clause(&[4]) };
    assert_eq!(replayed(&chain, &lines), Err(leap));
}

#[test]
fn definitions_of_new_variables_are_rat_and_their_numbers_may_be_large() {
    let far = 2_000_000_000;
    let mut lines = vec![
        // It is the conjunction of 1 and 2.
        add(&[far, -1, -2]),
        add(&[-far, 1]),
        add(&[-far, 2]),
        add(&[-far, 3]),
        add(&[-far]),
    ];
    lines.extend([add(&[-1, -2]), add(&[1, 2]), add(&[1]), add(&[2]), add(&[])]);
    assert!(replayed(&cube(3), &lines).is_ok());
}

#[test]
fn the_first_literal_of_a_clause_is_the_one_for_rat() {
    let satisfiable = formula(&[&[1, 2], &[-1, -2]]);
    let contradiction = [add(&[-3, 1]), add(&[-3, 2]), add(&[3])];
    assert!(matches!(
        replayed(&satisfiable, &contradiction),
        Err(Failure::Unfounded { line: 3, .. })
    ));
    let formula = formula(&[&[-2], &[5, 6], &[5, -6], &[-5, 6], &[-5, -6]]);
    assert_eq!(replayed(&formula, &[add(&[3, 2]), add(&[-3, 5])]), Ok(3));
    let wrong = replayed(&formula, &[add(&[2, 3]), add(&[-3, 5])]);
    assert_eq!(wrong, Err(Failure::Unfounded { line: 1, clause: clause(&[2, 3]) }));
}

#[test]
fn a_deleted_clause_is_not_used_but_a_reason_stays() {
    let binary = formula(&[&[1, 2], &[1, -2], &[-1, 2], &[-1, -2]]);
    let lines = [delete(&[2, 1]), add(&[1]), add(&[])];
    assert!(matches!(replayed(&binary, &lines), Err(Failure::Unfounded { line: 2, .. })));
    let lines = [add(&[1]), delete(&[1]), delete(&[-1, 2]), delete(&[7, 9]), add(&[])];
    assert!(replayed(&binary, &lines).is_ok());
}

#[test]
fn work_ends_at_its_limit() {
    let mut lines = Vec::new();
    let mut clauses = formula(&[&[1, 2, 3]]);
    for number in 4..6_000 {
        clauses.push(clause(&[-number, number + 1]));
        lines.push(add(&[-4, number + 1]));
    }
    let limits = Limits { ticks: Some(1 << 15), ..Limits::default() };
    let outcome = elaborate(clauses.iter().map(Vec::as_slice), &lines, &limits);
    // Nothing is claimed; only that nobody waits for it.
    assert!(matches!(outcome, Err(Failure::Limit | Failure::Open)));
    lines.extend([add(&[4]), add(&[-4])]);
    clauses.extend(formula(&[&[4, 1], &[4, -1], &[-5_999, 2], &[-5_999, -2]]));
    let outcome = elaborate(clauses.iter().map(Vec::as_slice), &lines, &limits);
    assert_eq!(outcome, Err(Failure::Limit));
    let limits = Limits { hints: Some(1_000), ..Limits::default() };
    let outcome = elaborate(clauses.iter().map(Vec::as_slice), &lines, &limits);
    assert_eq!(outcome, Err(Failure::Limit));
    assert!(replayed(&clauses, &lines).is_ok());
}

/// Clauses of two literals or more, few of one.
fn random_formula(random: &mut Rng, variables: u32, clauses: u32) -> Formula {
    let next = |random: &mut Rng| {
        let width = if random.one_in(6) { 1 } else { 2 } + random.below(2);
        random::clause(random, variables, width)
    };
    (0..clauses).map(|_| next(random)).collect()
}

/// The solver's proof without its hints, with deletions.
fn solved(formula: &Formula, variables: u32) -> Option<Vec<Line>> {
    let mut solver = Solver::new(Options { proof: 1, ..Options::default() });
    for _ in 0..variables {
        solver.new_var();
    }
    for clause in formula {
        solver.add_clause(clause);
    }
    if solver.solve(&[]) != Answer::Unsat {
        return None;
    }
    let trace = solver.trace().expect("the option asks for a proof");
    let goal = solver.conclusion().expect("unsat has a conclusion");
    let refutation = trace.refutation_of_inputs(goal);
    let text = refutation.to_drat();
    let lines = text.lines().map(|line| {
        let numbers: Vec<i32> =
            line.split(' ').filter_map(|word| word.parse().ok()).filter(|n| *n != 0).collect();
        if line.starts_with('d') { delete(&numbers) } else { add(&numbers) }
    });
    Some(lines.collect())
}

#[test]
fn proofs_of_the_solver_are_elaborated_and_what_is_damaged_proves_nothing_false() {
    const VARIABLES: u32 = 9;
    let mut random = Rng::new(5);
    let (mut proofs, mut damaged, mut false_claims) = (0, 0, 0);
    for _ in 0..2_000 {
        let count = 24 + random.below(8);
        let formula = random_formula(&mut random, VARIABLES, count);
        let Some(mut lines) = solved(&formula, VARIABLES) else { continue };
        assert!(replayed(&formula, &lines).is_ok(), "{formula:?} {lines:?}");
        proofs += 1;
        // The proof of another formula: some clauses are gone, or say something else.
        let mut other = formula.clone();
        for _ in 0..1 + random.below(12) {
            let at = random.below(other.len() as u32) as usize;
            if random.one_in(2) {
                other.remove(at);
            } else if !other[at].is_empty() {
                let place = random.below(other[at].len() as u32) as usize;
                other[at][place] = !other[at][place];
            }
        }
        if random.one_in(2) && !lines.is_empty() {
            let at = random.below(lines.len() as u32) as usize;
            lines.remove(at);
        }
        let accepted = replayed(&other, &lines).is_ok();
        damaged += usize::from(!accepted);
        if has_model(VARIABLES, &other) {
            assert!(!accepted, "{other:?} has a model: {lines:?}");
            false_claims += 1;
        }
    }
    assert!(proofs > 300 && damaged > 50 && false_claims > 50, "{proofs} {damaged} {false_claims}");
}

/// Lines at random, most of them blocked or definitions: all of RAT is met.
#[test]
fn random_lines_with_new_variables_and_deletions_prove_nothing_false() {
    const VARIABLES: u32 = 5;
    let mut random = Rng::new(9);
    let mut accepted = 0;
    for _ in 0..8_000 {
        let count = 6 + random.below(20);
        let formula = random_formula(&mut random, VARIABLES, count);
        let mut lines = Vec::new();
        for _ in 0..random.below(12) {
            let width = 1 + random.below(3);
            let literals: Vec<Lit> = (0..width)
                .map(|_| Var(random.below(VARIABLES + 2)).lit(random.one_in(2)))
                .collect();
            let from_formula = formula[random.below(formula.len() as u32) as usize].clone();
            lines.push(match random.below(5) {
                0 => Line::Delete(from_formula),
                1 => Line::Delete(literals),
                _ => Line::Add(literals),
            });
        }
        if replayed(&formula, &lines).is_ok() {
            accepted += 1;
            assert!(!has_model(VARIABLES, &formula), "{formula:?} {lines:?}");
        }
    }
    assert!(accepted > 500, "{accepted}");
}
