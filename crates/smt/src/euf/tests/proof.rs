//! Random clauses: a proof is found exactly if the naive closure refutes the negated clause, the
//! checker accepts it, and refuses it after a change.

use super::super::prove_clause;
use super::formulas::{Supply, is_consistent};
use alphorn_check::proof::refute;
use alphorn_problem::evidence::proof::{Literal, Proof, ProofStep, Rule, StepId};
use alphorn_term::{Op, Store, TermId};

/// A refutation of the clause's negation from the steps that prove the clause.
fn refutation(
    store: &mut Store,
    clause: &[Literal],
    mut steps: Vec<ProofStep>,
    proved: StepId,
) -> (Vec<TermId>, Proof) {
    let mut assertions = Vec::new();
    let mut hints = Vec::new();
    for &literal in clause {
        let negation = if literal.negated { literal.atom } else { store.not(literal.atom) };
        steps.push(ProofStep { clause: vec![!literal], rule: Rule::Assert(assertions.len()) });
        hints.push(StepId(steps.len() as u32 - 1));
        assertions.push(negation);
    }
    hints.push(proved);
    steps.push(ProofStep { clause: Vec::new(), rule: Rule::Rup(hints) });
    (assertions, Proof { steps })
}

/// A clause without repetitions and constants.
fn clause(supply: &mut Supply, literals: usize, depth: usize) -> Vec<Literal> {
    let mut clause: Vec<Literal> = (0..literals).map(|_| !supply.literal(depth)).collect();
    clause.retain(|literal| literal.atom.index() > 1);
    clause.sort_unstable();
    clause.dedup();
    clause
}

/// What a run of tests has seen.
#[derive(Default)]
struct Counts {
    proved: usize,
    refused: usize,
    steps: usize,
}

/// Proves a clause if the naive closure refutes its negation, and only then.
fn check(supply: &mut Supply, clause: &[Literal], counts: &mut Counts, seed: u64) -> bool {
    // A literal beside its negation is no clause that can be asserted.
    if clause.windows(2).any(|pair| pair[0].atom == pair[1].atom) {
        return false;
    }
    let negation: Vec<Literal> = clause.iter().map(|&literal| !literal).collect();
    let mut steps = Vec::new();
    let result = prove_clause(&mut supply.store, clause, &mut steps);
    assert_eq!(result.is_some(), !is_consistent(&supply.store, &negation), "seed {seed}");
    let Some(id) = result else { return false };
    assert_eq!(id.0 as usize, steps.len() - 1);
    counts.proved += 1;
    counts.steps += steps.len();
    let (assertions, proof) = refutation(&mut supply.store, clause, steps, id);
    let verdict = refute(&supply.store, &assertions, &proof);
    assert!(verdict.is_ok(), "seed {seed}: {verdict:?}");
    counts.refused += usize::from(mutated_is_refused(supply, &assertions, proof, seed));
    true
}

#[test]
fn proofs_of_random_clauses_are_accepted() {
    let mut counts = Counts::default();
    for seed in 0..1500 {
        let mut supply = Supply::new(seed);
        let count = 4 + supply.random.below(36);
        let depth = 1 + supply.random.below(3);
        let clause = clause(&mut supply, count, depth);
        check(&mut supply, &clause, &mut counts, seed);
    }
    assert!(counts.proved > 150 && counts.refused > 120, "{} proved", counts.proved);
}

/// Hypotheses are added while they are consistent, so that what follows follows from many.
#[test]
fn proofs_of_consequences_are_accepted() {
    let mut counts = Counts::default();
    for seed in 0..100 {
        let mut supply = Supply::new(seed);
        let mut clause: Vec<Literal> = Vec::new();
        for _ in 0..40 {
            let literal = !supply.literal(2);
            if literal.atom.index() > 1 && !clause.iter().any(|l| l.atom == literal.atom) {
                clause.push(literal);
                if check(&mut supply, &clause, &mut counts, seed) {
                    clause.pop();
                }
            }
        }
    }
    let Counts { proved, refused, steps } = counts;
    assert!(proved > 80 && refused > 70 && steps > 3 * proved, "{proved} {refused} {steps}");
}

/// Takes a literal out of a lemma, and the proof is refused.
fn mutated_is_refused(
    supply: &mut Supply,
    assertions: &[TermId],
    mut proof: Proof,
    seed: u64,
) -> bool {
    let lemmas: Vec<usize> = (0..proof.steps.len())
        .filter(|&at| !matches!(proof.steps[at].rule, Rule::Rup(_) | Rule::Assert(_)))
        .collect();
    if lemmas.is_empty() {
        return false;
    }
    let step = &mut proof.steps[supply.random.pick(&lemmas)];
    let gone = supply.random.below(step.clause.len());
    step.clause.remove(gone);
    // A chain between different constructors may be as good without its first link.
    let negation: Vec<Literal> = step.clause.iter().map(|&literal| !literal).collect();
    if !is_consistent(&supply.store, &negation) {
        return false;
    }
    assert!(refute(&supply.store, assertions, &proof).is_err(), "seed {seed}");
    true
}

#[test]
fn crossed_equations_are_proved_equal_as_arguments() {
    let mut supply = Supply::new(1);
    let u = {
        let name = supply.store.symbol("U");
        supply.store.sort_id(alphorn_term::Sort::Uninterpreted(name, Vec::new()))
    };
    let store = &mut supply.store;
    let k = store.declare("kk", &[alphorn_term::SortId::BOOL], u);
    let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| store.var(name, u));
    let (ab, cd) = (store.eq(a, b), store.eq(c, d));
    let (ka, kc) = (store.mk(Op::Apply(k), &[ab]), store.mk(Op::Apply(k), &[cd]));
    let hypotheses = [store.eq(a, d), store.eq(c, b)];
    let goal = store.eq(ka, kc);
    let mut clause: Vec<Literal> = hypotheses.iter().map(|&h| !Literal::of(store, h)).collect();
    clause.push(Literal::of(store, goal));
    let mut steps = Vec::new();
    let id = prove_clause(store, &clause, &mut steps).unwrap();
    let (assertions, proof) = refutation(store, &clause, steps, id);
    refute(store, &assertions, &proof).unwrap();
}

#[test]
fn tautologies_are_proved_and_open_clauses_are_not() {
    let mut supply = Supply::new(2);
    let literal = supply.literal(2);
    let mut steps = Vec::new();
    assert!(prove_clause(&mut supply.store, &[literal, !literal], &mut steps).is_some());
    assert_eq!(steps.len(), 1);
    assert!(prove_clause(&mut supply.store, &[], &mut steps).is_none());
    assert_eq!(steps.len(), 1);
}
