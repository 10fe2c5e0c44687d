//! The rules of term-level proofs: what they accept and refuse, one lemma at a time; whole proofs;
//! and random lemmas and proofs, judged by evaluation.

mod random;
mod whole;

use alphorn_check::proof::refute;
use alphorn_problem::evidence::proof::{Proof, ProofStep};
use alphorn_term::Store;
use alphorn_testkit::proofs::language::World;
use alphorn_testkit::proofs::rules;

/// Why a lemma is refused, if it is: a proof that consists of it alone only lacks an end.
fn lemma(store: &Store, step: ProofStep) -> Result<(), String> {
    let proof = Proof { steps: vec![step] };
    match refute(store, &[], &proof) {
        Ok(()) => Ok(()),
        Err(refusal) if refusal.place == "end of the proof" => Ok(()),
        Err(refusal) => Err(refusal.to_string()),
    }
}

fn judge(rule: &str, clause: &str) -> Result<(), String> {
    let mut world = World::new();
    let step = ProofStep { clause: world.clause(clause), rule: world.rule(rule) };
    lemma(&world.store, step)
}

#[test]
fn lemmas_that_hold_are_accepted() {
    for (rule, clause) in rules::ACCEPTED {
        if let Err(reason) = judge(rule, clause) {
            panic!("{rule} should accept {clause}, but: {reason}");
        }
    }
}

#[test]
fn near_misses_are_refused() {
    for (rule, clause, part) in rules::REFUSED {
        let name = rule.split(' ').next().expect("a name");
        match judge(rule, clause) {
            Ok(()) => panic!("{rule} should refuse {clause}"),
            Err(reason) => {
                assert!(
                    reason.starts_with(&format!("step 0 ({name}): ")) && reason.contains(part),
                    "{rule} refuses {clause}, but not for {part:?}: {reason}"
                );
            }
        }
    }
}
