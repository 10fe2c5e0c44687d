//! Every rule of term-level proofs through its text: what the checker says about a lemma it also
//! says about the lemma that was written and read.
//!
//! The lemmas are those with which the checker's own tests try the rules, right ones and near
//! misses.

use alphorn_check::proof::refute;
use alphorn_front::evidence::{print_horn, read_horn};
use alphorn_problem::evidence::horn::{ClauseProof, HornModel};
use alphorn_problem::evidence::proof::{Proof, ProofStep};
use alphorn_problem::horn::{Clause, Head, Horn};
use alphorn_problem::{Span, Verdict};
use alphorn_term::eval::Choices;
use alphorn_term::{Store, TermId};
use alphorn_testkit::proofs::language::World;
use alphorn_testkit::proofs::rules;
use std::collections::BTreeMap;

fn judge(store: &Store, proof: &Proof) -> String {
    match refute(store, &[], proof) {
        Ok(()) => "accepted".to_owned(),
        Err(refusal) => refusal.to_string(),
    }
}

/// Checks that a lemma is judged alike before and after it was text.
#[track_caller]
fn check(rule: &str, clause: &str) {
    let mut world = World::new();
    let mut horn = Horn::new(world.store.clone());
    let vars = world.vars();
    let (body, head) = (TermId::TRUE, Head::False);
    horn.clauses.push(Clause { vars, body, head, name: None, span: Span::NONE });
    let step = ProofStep { clause: world.clause(clause), rule: world.rule(rule) };
    let proof = Proof { steps: vec![step] };
    let before = judge(&world.store, &proof);
    let model = HornModel {
        terms: world.store.clone(),
        preds: Vec::new(),
        folds: Default::default(),
        funcs: BTreeMap::new(),
        choices: Choices::default(),
        proofs: vec![ClauseProof::Refute(proof)],
    };
    let text = print_horn(&horn, &Verdict::Safe(model));
    let (verdicts, diagnostics) = read_horn(text.as_bytes(), &horn);
    let verdicts = verdicts.unwrap_or_else(|| panic!("{:?}\n{text}", diagnostics.list));
    let [Verdict::Safe(again)] = verdicts.as_slice() else { panic!("{text}") };
    let [ClauseProof::Refute(proof)] = again.proofs.as_slice() else { panic!("{text}") };
    assert_eq!(judge(&again.terms, proof), before, "{rule} on {clause}\n{text}");
}

#[test]
fn lemmas_that_hold_are_judged_alike_once_they_were_text() {
    for (rule, clause) in rules::ACCEPTED {
        check(rule, clause);
    }
}

#[test]
fn near_misses_are_judged_alike_once_they_were_text() {
    for (rule, clause, _) in rules::REFUSED {
        check(rule, clause);
    }
}
