//! Clausal refutations: every rule of the replay, accepted and refused.

use alphorn_check::Refusal;
use alphorn_check::lrat::refute;
use alphorn_problem::evidence::circuit::{Lrat, LratStep};

use alphorn_testkit::Rng;
use alphorn_testkit::cnf::prove::refutation;
use alphorn_testkit::cnf::random::{clauses, has_model};

fn add(id: u64, clause: &[i32], hints: &[i64]) -> LratStep {
    LratStep::Add { id, clause: clause.to_vec(), hints: hints.to_vec() }
}

fn delete(ids: &[u64]) -> LratStep {
    LratStep::Delete(ids.to_vec())
}

fn check(formula: &[&[i32]], steps: &[LratStep]) -> Result<(), Refusal> {
    refute(formula.iter().copied(), &Lrat { steps: steps.to_vec() })
}

#[track_caller]
fn accept(formula: &[&[i32]], steps: &[LratStep]) {
    assert_eq!(check(formula, steps), Ok(()));
}

#[track_caller]
fn refuse(formula: &[&[i32]], steps: &[LratStep], why: &str) {
    let refusal = check(formula, steps).expect_err("refused");
    assert!(refusal.to_string().contains(why), "{refusal}");
}

/// All clauses over two variables.
const SQUARE: [&[i32]; 4] = [&[1, 2], &[1, -2], &[-1, 2], &[-1, -2]];

#[test]
fn units_in_order_and_then_a_conflict() {
    accept(&SQUARE, &[add(5, &[1], &[1, 2]), add(6, &[], &[5, 3, 4])]);
    refuse(&SQUARE, &[add(5, &[], &[1, 2])], "leaves both 1 and 2 open");
    refuse(&SQUARE, &[add(5, &[1], &[1])], "end without a conflict");
    refuse(&SQUARE, &[add(5, &[1], &[])], "end without a conflict");
    refuse(&SQUARE, &[add(5, &[1], &[3, 1, 2])], "hint 3 is satisfied by -1");
    refuse(&SQUARE, &[add(5, &[1], &[1, 1])], "hint 1 is satisfied by 2");
    refuse(&SQUARE, &[add(5, &[1], &[1, 2, 3])], "hints follow the conflict");
    refuse(&SQUARE, &[add(5, &[1], &[1, 2]), add(6, &[], &[3, 5, 4])], "step 2 (clause 6)");
}

#[test]
fn hints_name_clauses_that_are_there() {
    for hint in [0, 5, 6, i64::MAX] {
        refuse(&SQUARE, &[add(5, &[1], &[hint, 2])], "there is no clause");
    }
    for hint in [-1, i64::MIN] {
        assert!(check(&SQUARE, &[add(5, &[1], &[hint]), add(6, &[], &[5, 3, 4])]).is_err());
    }
}

#[test]
fn numbers_ascend_and_may_leave_gaps() {
    accept(&SQUARE, &[add(7, &[1], &[1, 2]), add(20, &[2], &[7, 3]), add(21, &[], &[7, 20, 4])]);
    let far = u64::MAX - 1;
    let unreachable = [add(far, &[1], &[1, 2]), add(u64::MAX, &[], &[i64::MAX, 3, 4])];
    refuse(&SQUARE, &unreachable, "there is no clause 9223372036854775807");
    for id in [0, 1, 4] {
        refuse(&SQUARE, &[add(id, &[1], &[1, 2])], "not larger");
    }
    let again = [add(9, &[1], &[1, 2]), add(9, &[], &[9, 3, 4])];
    refuse(&SQUARE, &again, "not larger");
    refuse(&SQUARE, &[add(9, &[1], &[1, 2]), add(10, &[], &[5, 3, 4])], "no clause 5");
}

#[test]
fn deleted_clauses_are_gone() {
    let first = add(5, &[1], &[1, 2]);
    accept(&SQUARE, &[first.clone(), delete(&[1, 2]), add(6, &[], &[5, 3, 4])]);
    accept(&SQUARE, &[first.clone(), delete(&[]), add(6, &[], &[5, 3, 4])]);
    refuse(&SQUARE, &[first.clone(), delete(&[3]), add(6, &[], &[5, 3, 4])], "no clause 3");
    refuse(&SQUARE, &[first.clone(), delete(&[5]), add(6, &[], &[5, 3, 4])], "no clause 5");
    refuse(&SQUARE, &[delete(&[1, 1])], "step 1 (deletion): there is no clause 1");
    refuse(&SQUARE, &[delete(&[0])], "no clause 0");
    refuse(&SQUARE, &[delete(&[5]), first], "no clause 5");
}

#[test]
fn the_last_step_is_the_empty_clause() {
    let steps = [add(5, &[1], &[1, 2]), add(6, &[], &[5, 3, 4])];
    refuse(&SQUARE, &[], "last step");
    refuse(&SQUARE, &steps[..1], "last step");
    refuse(&SQUARE, &[&steps[..], &[delete(&[1])]].concat(), "last step");
    refuse(&SQUARE, &[&steps[..], &[add(7, &[1], &[6])]].concat(), "last step");
    refuse(&[], &[add(1, &[], &[])], "end without a conflict");
    accept(&[&[]], &[add(2, &[], &[1])]);
    refuse(&[&[]], &[], "last step");
}

#[test]
fn literals_are_those_of_the_formula_and_definitions() {
    for lit in [0, i32::MIN, i32::MAX, -i32::MAX, 4] {
        refuse(&SQUARE, &[add(5, &[lit], &[1])], "is no literal");
    }
    for lit in [0, i32::MIN] {
        refuse(&[&[1], &[lit]], &[add(3, &[], &[1, 2])], "clause 2 of the formula");
    }
    refuse(&SQUARE, &[add(5, &[1, -1], &[1])], "both -1 and 1");
}

#[test]
fn repeated_literals_count_once() {
    let formula: [&[i32]; 2] = [&[1, 1], &[-1, -1, -1]];
    accept(&formula, &[add(3, &[], &[1, 2])]);
    accept(&formula, &[add(3, &[1, 1], &[1]), add(4, &[], &[3, 2])]);
    // A clause that is always true never helps.
    refuse(&[&[1, -1]], &[add(2, &[], &[1])], "leaves both");
    refuse(&[&[1, -1], &[1]], &[add(3, &[], &[2, 1])], "satisfied");
}

#[test]
fn definitions() {
    // 3 is defined as 1 ∧ 2. No clause contains ¬3 when the first is added; the others are to be
    // resolved with it, and the resolvents are always true.
    let definition = [add(5, &[3, -1, -2], &[]), add(6, &[-3, 1], &[-5]), add(7, &[-3, 2], &[-5])];
    let end = [add(8, &[3, 1], &[1, 2]), add(9, &[1], &[8, 6]), add(10, &[], &[9, 3, 4])];
    accept(&SQUARE, &[&definition[..], &end[..]].concat());
    refuse(&SQUARE, &[&definition[1..], &definition[..1]].concat(), "there is no clause 5");
    let mut incomplete = definition.clone();
    incomplete[1] = add(6, &[-3, 1], &[]);
    refuse(&SQUARE, &incomplete, "not every clause with 3");
    incomplete[1] = add(6, &[1, -3], &[-5]);
    refuse(&SQUARE, &incomplete, "not every clause with -1");
}

#[test]
fn resolution_groups_are_complete_and_conflict() {
    // On pivot 1 the clause 1 ∨ 3 is to be resolved with clauses 2 and 3.
    let formula: [&[i32]; 5] = [&[2, 3], &[-1, 2], &[-1, -3], &[1, 4], &[-2, 3]];
    let end = "last step";
    refuse(&formula, &[add(6, &[1, 3], &[-2, 5, -3])], "hint 5 is satisfied");
    // Resolvents: 3 ∨ 2 follows from clause 1 with ¬2, ¬3; 3 ∨ ¬3 is always true.
    refuse(&formula, &[add(6, &[1, 3], &[-2, 1, -3])], end);
    refuse(&formula, &[add(6, &[1, 3], &[-3, -2, 1])], end);
    refuse(&formula, &[add(6, &[1, 3], &[-2, 1])], "not every clause with -1");
    refuse(&formula, &[add(6, &[1, 3], &[-3])], "not every clause with -1");
    refuse(&formula, &[add(6, &[1, 3], &[-3, -3])], "not every clause with -1");
    refuse(&formula, &[add(6, &[1, 3], &[-2, 1, -3, 1])], "which needs none");
    refuse(&formula, &[add(6, &[1, 3], &[-2, -3])], "clause 2 reach no conflict");
    refuse(&formula, &[add(6, &[1, 3], &[-2, 1, -3, -4])], "clause 4 does not contain -1");
    refuse(&formula, &[add(6, &[1, 3], &[-2, 1, -3, -9])], "no clause 9");
    // The pivot is the first literal.
    refuse(&formula, &[add(6, &[3, 1], &[-2, 1, -3])], "clause 2 does not contain -3");
    refuse(&formula, &[add(6, &[], &[-2])], "end without a conflict");
    // A conflict before the groups leaves nothing for them to do.
    refuse(&formula, &[add(6, &[3], &[1, 5, -3])], "hints follow the conflict");
    // Deleted clauses need no group; clauses added since do.
    refuse(&formula, &[delete(&[3]), add(6, &[1, 3], &[-2, 1])], end);
    refuse(&formula, &[delete(&[3]), add(6, &[1, 3], &[-2, 1, -3])], "no clause 3");
    let shrunk = [add(6, &[1, 3], &[-2, 1, -3]), delete(&[3]), add(7, &[1, 3, 4], &[-2, 1])];
    refuse(&formula, &shrunk, end);
    let twice = [add(6, &[1, 3], &[-2, 1, -3]), add(7, &[-1, 2, 4], &[2]), delete(&[6])];
    refuse(&formula, &[&twice[..], &[add(8, &[1, 3], &[-2, 1, -3])]].concat(), "not every");
    refuse(&formula, &[&twice[..], &[add(8, &[1, 3], &[-2, 1, -3, -7, 1])]].concat(), end);
}

fn random_formula(random: &mut Rng, variables: u32) -> Vec<Vec<i32>> {
    let count = random.below(5 * variables);
    clauses(random, variables, count, 1..=3)
}

fn slices(formula: &[Vec<i32>]) -> impl Iterator<Item = &[i32]> {
    formula.iter().map(Vec::as_slice)
}

fn mutate(steps: &mut Vec<LratStep>, clauses: usize, random: &mut Rng) {
    let index = random.below(steps.len());
    let clauses = clauses + steps.len();
    match &mut steps[index] {
        LratStep::Add { hints, clause, .. } => match random.below(6) {
            0 => drop(steps.remove(index)),
            1 if !hints.is_empty() => drop(hints.remove(random.below(hints.len()))),
            2 if !hints.is_empty() => {
                let at = random.below(hints.len());
                hints[at] = 1 + random.below(clauses) as i64;
            }
            3 if !hints.is_empty() => {
                let at = random.below(hints.len());
                hints[at] = -hints[at];
            }
            4 if !clause.is_empty() => drop(clause.remove(random.below(clause.len()))),
            _ if !clause.is_empty() => clause[0] = -clause[0],
            _ => hints.reverse(),
        },
        LratStep::Delete(ids) => ids.clear(),
    }
}

#[test]
fn random_proofs_and_their_mutants() {
    let mut random = Rng::new(10);
    let (mut refuted, mut fooled_at) = (0, 0);
    for _ in 0..3000 {
        let variables = 2 + random.below(4);
        let formula = random_formula(&mut random, variables);
        let proof = refutation(slices(&formula));
        assert_eq!(proof.is_none(), has_model(variables, &formula));
        let Some(proof) = proof else { continue };
        refuted += 1;
        assert_eq!(refute(slices(&formula), &proof), Ok(()));
        // Every step that is hinted at later is needed, and so is the last one.
        for index in 0..proof.steps.len() {
            let LratStep::Add { id, .. } = proof.steps[index] else { unreachable!() };
            let is_used = proof.steps.iter().any(
                |step| matches!(step, LratStep::Add { hints, .. } if hints.contains(&(id as i64))),
            );
            let mut shorter = proof.clone();
            shorter.steps.remove(index);
            if is_used || index + 1 == proof.steps.len() {
                assert!(refute(slices(&formula), &shorter).is_err());
            }
        }
        // Where a clause is weakened until there is a model, nothing may be accepted.
        for _ in 0..10 {
            let mut weaker = formula.clone();
            let at = random.below(weaker.len());
            let var = 1 + random.below(variables) as i32;
            weaker[at].push(if random.one_in(2) { var } else { -var });
            let mut mutant = proof.clone();
            for _ in 0..random.below(3) {
                if !mutant.steps.is_empty() {
                    mutate(&mut mutant.steps, formula.len(), &mut random);
                }
            }
            if has_model(variables, &weaker) {
                fooled_at += 1;
                assert!(refute(slices(&weaker), &mutant).is_err(), "{weaker:?} {mutant:?}");
            }
        }
    }
    assert!(refuted > 500 && fooled_at > 500, "{refuted} refuted, {fooled_at} attempts");
}

/// Random RAT steps, right and wrong, followed by a correct refutation of what results.
#[test]
fn random_resolution_steps_keep_models() {
    let mut random = Rng::new(11);
    let (mut accepted, mut refused) = (0, 0);
    for _ in 0..20_000 {
        let variables = 2 + random.below(3);
        let formula = random_formula(&mut random, variables);
        let mut clause: Vec<i32> = Vec::new();
        for _ in 0..1 + random.below(2) {
            let var = 1 + random.below(variables) as i32;
            if !clause.contains(&var) && !clause.contains(&-var) {
                clause.push(if random.one_in(2) { var } else { -var });
            }
        }
        let mut hints = Vec::new();
        for (index, partner) in formula.iter().enumerate() {
            if partner.contains(&-clause[0]) && !random.one_in(16) {
                hints.push(-(index as i64 + 1));
                // The resolvent's refutation, if unit propagation by one clause gives it.
                let others = partner.iter().filter(|lit| **lit != -clause[0]);
                let assumed: Vec<i32> =
                    clause.iter().chain(others.clone()).map(|lit| -lit).collect();
                let is_true = others.clone().any(|lit| clause.contains(&-lit));
                let conflict = formula.iter().position(|c| c.iter().all(|l| assumed.contains(&-l)));
                if let (false, Some(conflict)) = (is_true, conflict) {
                    hints.push(conflict as i64 + 1);
                }
            }
        }
        let mut larger = formula.clone();
        larger.push(clause.clone());
        let id = larger.len() as u64;
        let Some(rest) = refutation(slices(&larger)) else { continue };
        let mut steps = vec![LratStep::Add { id, clause, hints }];
        steps.extend(rest.steps);
        let result = refute(slices(&formula), &Lrat { steps: steps.clone() });
        if has_model(variables, &formula) {
            refused += 1;
            assert!(result.is_err(), "{formula:?} {steps:?}");
        } else {
            accepted += usize::from(result.is_ok());
        }
    }
    assert!(accepted > 100 && refused > 100, "{accepted} accepted, {refused} refused");
}

/// Hints and numbers that mean nothing are refused without a panic.
#[test]
fn garbage_is_refused() {
    let mut random = Rng::new(12);
    for _ in 0..20_000 {
        let variables = 2 + random.below(3);
        let formula = random_formula(&mut random, variables);
        let mut steps = Vec::new();
        for _ in 0..1 + random.below(4) {
            let extreme = [0, 1, -1, i64::MAX, i64::MIN, i64::from(i32::MIN)];
            let number = |random: &mut Rng| match random.below(8) {
                0 => extreme[random.below(extreme.len())],
                _ => random.below(2 * formula.len() + 4) as i64 - formula.len() as i64,
            };
            let id = formula.len() as u64 + 1 + random.below(9) as u64;
            let clause = (0..random.below(3)).map(|_| number(&mut random) as i32).collect();
            let hints = (0..random.below(5)).map(|_| number(&mut random)).collect();
            steps.push(match random.below(6) {
                0 => LratStep::Delete(vec![number(&mut random) as u64]),
                _ => LratStep::Add { id, clause, hints },
            });
        }
        let result = refute(slices(&formula), &Lrat { steps });
        assert!(result.is_err() || !has_model(variables, &formula));
    }
}
