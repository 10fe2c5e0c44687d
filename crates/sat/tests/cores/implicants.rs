//! Prime implicants of formulas.

use super::{holds, lit};
use alphorn_sat::cores::Implicants;
use alphorn_sat::{Lit, Var};
use alphorn_testkit::Rng;
use alphorn_testkit::cnf::random::clause_of_distinct;

fn satisfies(literals: &[Lit], clauses: &[Vec<Lit>]) -> bool {
    clauses.iter().all(|clause| clause.iter().any(|lit| literals.contains(lit)))
}

#[test]
fn every_model_shrinks_to_a_prime_implicant() {
    let mut random = Rng::new(5);
    let mut models = 0;
    for _ in 0..60 {
        let variables = 6;
        let count = 4 + random.below(10);
        let clauses: Vec<Vec<Lit>> = (0..count)
            .map(|_| {
                let width = 1 + random.below(3).max(random.below(3));
                clause_of_distinct(&mut random, variables, width)
            })
            .collect();
        let mut implicants = Implicants::new(clauses.iter().map(Vec::as_slice));
        for model in 0..1u32 << variables {
            let mut literals: Vec<Lit> =
                (0..variables).map(|var| Var(var).lit(model >> var & 1 == 1)).collect();
            let turn = random.below(variables) as usize;
            literals.rotate_left(turn);
            let is_model = clauses.iter().all(|clause| clause.iter().any(|lit| holds(model, *lit)));
            let shrunk = implicants.shrink(&literals);
            assert_eq!(shrunk.is_some(), is_model);
            let Some(prime) = shrunk else { continue };
            models += 1;
            assert!(satisfies(&prime, &clauses));
            for index in 0..prime.len() {
                let mut fewer = prime.clone();
                fewer.remove(index);
                assert!(!satisfies(&fewer, &clauses), "{clauses:?} {literals:?} {prime:?}");
            }
            // The first literals stay: each kept one is needed beside all those before it.
            let mut sorted = literals.clone();
            sorted.retain(|lit| prime.contains(lit));
            assert_eq!(sorted, prime);
        }
    }
    assert!(models > 300, "{models} models");
}

#[test]
fn extremes() {
    let mut nothing = Implicants::new([]);
    assert_eq!(nothing.shrink(&[lit(1), lit(-9)]), Some(vec![]));
    let empty: [&[Lit]; 1] = [&[]];
    assert_eq!(Implicants::new(empty).shrink(&[lit(1)]), None);
    let repeated = [lit(1), lit(1)];
    let clauses: [&[Lit]; 1] = [&repeated];
    assert_eq!(Implicants::new(clauses).shrink(&[lit(1), lit(2), lit(1)]), Some(vec![lit(1)]));
}
