//! Each kind of input is made as small as its failure allows.

use super::{Shrink, for_all, minimise};
use crate::formulas::{Kind, assertions};
use crate::horn::finite::Generator;
use crate::{Rng, read, shrink::quiet};
use alphorn_problem::horn::Head;
use alphorn_term::Op;

#[test]
fn clauses_keep_what_fails() {
    let clauses = vec![vec![1, 2], vec![-3, 4, 5], vec![6], vec![-2, 3]];
    let small = minimise(clauses, |clauses| clauses.iter().flatten().any(|&literal| literal == -3));
    assert_eq!(small, [[-3]]);
    assert_eq!(small.show(), "-3 0\n");
}

#[test]
fn a_horn_system_keeps_one_query_with_a_true_body() {
    let mut generator = Generator::new(3, false);
    let has_query =
        |horn: &alphorn_problem::Horn| horn.clauses.iter().any(|clause| clause.head == Head::False);
    let fits = |horn: &alphorn_problem::Horn| has_query(horn) && horn.clauses.len() > 3;
    let horn = (0..100).map(|_| generator.system()).find(fits).expect("most systems have queries");
    let small = minimise(horn, has_query);
    assert_eq!(small.clauses.len(), 1);
    assert_eq!(small.clauses[0].body, alphorn_term::TermId::TRUE);
    assert!(read::horn(&small.show()).clauses.len() == 1);
}

#[test]
fn formulas_keep_one_operator() {
    let kind = Kind { ints: true, ..Kind::default() };
    let is_wrong = |all: &super::Assertions| {
        let terms = all.store.subterms(&all.formulas);
        terms.iter().any(|term| all.store.op(*term) == Op::Mul)
    };
    let mut rng = Rng::new(1);
    let mut large = std::iter::repeat_with(|| assertions(&mut rng, kind, 4));
    let large = large.find(is_wrong).expect("some have products");
    let small = minimise(large, is_wrong);
    assert_eq!(small.formulas.len(), 1, "{}", small.show());
    assert!(small.store.subterms(&small.formulas).len() <= 6, "{}", small.show());
}

#[test]
fn a_circuit_keeps_one_latch() {
    let circuit = read::circuit("aag 6 2 2 0 2 1 1\n2\n4\n6 12 1\n8 9\n10\n12\n10 8 3\n12 4 6\n");
    let small = minimise(circuit, |circuit| !circuit.latches.is_empty());
    assert_eq!((small.inputs, small.latches.len(), small.ands.len()), (0, 1, 0));
    assert_eq!(small.bads.len(), 1, "what is asked about stays");
    assert_eq!(small.constraints.len(), 0);
}

#[test]
fn a_word_level_system_keeps_one_state() {
    let words = read::words(
        "1 sort bitvec 1\n2 sort bitvec 4\n3 zero 2\n4 state 2 count\n5 state 1 flag\n6 input 2 by\n\
         7 init 2 4 3\n8 add 2 4 6\n9 next 2 4 8\n10 next 1 5 -5\n11 eq 1 4 6\n12 and 1 11 5\n\
         13 bad 12\n14 constraint 5\n",
    );
    let small = minimise(words, |words| !words.states.is_empty());
    assert_eq!((small.states.len(), small.inputs.len(), small.constraints.len()), (1, 0, 0));
    assert_eq!(small.bads.len(), 1, "what is asked about stays");
    let printed = small.show();
    assert_eq!(read::words(&printed).states.len(), 1, "{printed}");
}

#[test]
fn a_failing_claim_is_reported_with_its_seed_and_the_smallest_input() {
    let said = quiet::failure(|| {
        for_all(
            5..9,
            |rng| vec![vec![rng.below(3) + 1, 7], vec![2]],
            |clauses: &Vec<Vec<i32>>| {
                assert!(!clauses.iter().flatten().any(|&literal| literal == 7), "there is a seven");
            },
        );
    });
    assert_eq!(said.as_deref(), Some("seed 5, made small:\n7 0\n\nthere is a seven"));
}

#[test]
fn claims_that_hold_are_asked_of_every_seed() {
    let mut seeds = 0;
    for_all(0..10, |rng| vec![vec![rng.below(5)]], |_| seeds += 1);
    assert_eq!(seeds, 10);
}
