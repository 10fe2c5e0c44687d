//! Whole proofs: accepted as they are, refused when a step, a literal, a hint or a number is gone
//! or changed, unless what they prove is true anyway.

use crate::random::{models, satisfies};
use alphorn_check::proof::refute;
use alphorn_problem::evidence::proof::{LinearStep, Literal, Proof, ProofStep, Rule, StepId};
use alphorn_term::{Rat, Store, TermId};
use alphorn_testkit::Rng;
use alphorn_testkit::proofs::language::World;

/// Assertions and a refutation of them, a step per line.
pub const PROOFS: &[(&str, &str)] = &[
    ("false", "assert 0 | false \n rup 0 |"),
    ("false", "assert 0 |"),
    (
        "(or p q) (not p) (=> q p)",
        "assert 0 | (or p q)
         assert 1 | (not p)
         assert 2 | (=> q p)
         tautology | (not (or p q)) p q
         tautology | (not (=> q p)) (not q) p
         rup 1 0 3 2 4 |",
    ),
    // The step of the counter x := x + 2 keeps x even.
    (
        "(= (mod x 2) 0) (= y (+ x 2)) (not (= (mod y 2) 0))",
        "assert 0 | (= (mod x 2) 0)
         assert 1 | (= y (+ x 2))
         assert 2 | (not (= (mod y 2) 0))
         arithmetic (mod x 2) | (= x (+ (* 2 (div x 2)) (mod x 2)))
         arithmetic (mod y 2) | (= y (+ (* 2 (div y 2)) (mod y 2)))
         arithmetic (mod y 2) | (>= (mod y 2) 0)
         arithmetic (mod y 2) | (< (mod y 2) 2)
         trichotomy | (= (mod y 2) 0) (< (mod y 2) 0) (> (mod y 2) 0)
         farkas 1 1 | (not (>= (mod y 2) 0)) (not (< (mod y 2) 0))
         linear hypothesis 0; hypothesis 1; hypothesis 2; hypothesis 3; hypothesis 4; hypothesis 5; sum 1 4 -1 3 1 1 1 2 1 0; round 6; sum 1 5 1 3 -1 1 -1 2 -1 0; round 8; sum 1 7 1 9 | (not (= (mod x 2) 0)) (not (= y (+ x 2))) (not (= x (+ (* 2 (div x 2)) (mod x 2)))) (not (= y (+ (* 2 (div y 2)) (mod y 2)))) (not (> (mod y 2) 0)) (not (< (mod y 2) 2))
         rup 0 1 2 3 4 5 6 8 7 9 |",
    ),
    (
        "(= (f x) x) (= (f (f x)) y) (not (= x y))",
        "assert 0 | (= (f x) x)
         assert 1 | (= (f (f x)) y)
         assert 2 | (not (= x y))
         congruence | (not (= (f x) x)) (= (f (f x)) (f x))
         transitivity | (not (= x (f x))) (not (= (f x) (f (f x)))) (not (= (f (f x)) y)) (= x y)
         rup 0 1 2 3 4 |",
    ),
    // Two writes in either order, at different places, give the same array.
    (
        "(not (= i j)) (not (= (store (store a i x) j y) (store (store a j y) i x)))",
        "assert 0 | (not (= i j))
         assert 1 | (not (= (store (store a i x) j y) (store (store a j y) i x)))
         skolem k | (= (store (store a i x) j y) (store (store a j y) i x)) (not (= (select (store (store a i x) j y) k) (select (store (store a j y) i x) k)))
         array (select (store (store a i x) j y) k) | (not (= j k)) (= (select (store (store a i x) j y) k) y)
         array (select (store (store a i x) j y) k) | (= j k) (= (select (store (store a i x) j y) k) (select (store a i x) k))
         array (select (store a i x) k) | (not (= i k)) (= (select (store a i x) k) x)
         array (select (store a i x) k) | (= i k) (= (select (store a i x) k) (select a k))
         array (select (store (store a j y) i x) k) | (not (= i k)) (= (select (store (store a j y) i x) k) x)
         array (select (store (store a j y) i x) k) | (= i k) (= (select (store (store a j y) i x) k) (select (store a j y) k))
         array (select (store a j y) k) | (not (= j k)) (= (select (store a j y) k) y)
         array (select (store a j y) k) | (= j k) (= (select (store a j y) k) (select a k))
         transitivity | (not (= i k)) (not (= k j)) (= i j)
         transitivity | (not (= (select (store (store a i x) j y) k) y)) (not (= y (select (store a j y) k))) (not (= (select (store a j y) k) (select (store (store a j y) i x) k))) (= (select (store (store a i x) j y) k) (select (store (store a j y) i x) k))
         transitivity | (not (= (select (store (store a i x) j y) k) (select (store a i x) k))) (not (= (select (store a i x) k) x)) (not (= x (select (store (store a j y) i x) k))) (= (select (store (store a i x) j y) k) (select (store (store a j y) i x) k))
         transitivity | (not (= (select (store (store a i x) j y) k) (select (store a i x) k))) (not (= (select (store a i x) k) (select a k))) (not (= (select a k) (select (store a j y) k))) (not (= (select (store a j y) k) (select (store (store a j y) i x) k))) (= (select (store (store a i x) j y) k) (select (store (store a j y) i x) k))
         rup 1 2 0 3 11 8 9 12 | (not (= j k))
         rup 1 2 15 4 5 7 13 | (not (= i k))
         rup 1 2 15 16 4 6 8 10 14 |",
    ),
    (
        "(= l (cons x m)) (= m (cons y l))",
        "assert 0 | (= l (cons x m))
         assert 1 | (= m (cons y l))
         datatype | (not (= l (cons x m))) (not (= m (cons y l)))
         rup 0 1 2 |",
    ),
    (
        "(forall (x) (> (f x) x)) (exists (y) (<= (f (+ y 1)) y))",
        "assert 0 | (forall (x) (> (f x) x))
         assert 1 | (exists (y) (<= (f (+ y 1)) y))
         skolem k | (not (exists (y) (<= (f (+ y 1)) y))) (<= (f (+ k 1)) k)
         instantiate (+ k 1) | (not (forall (x) (> (f x) x))) (> (f (+ k 1)) (+ k 1))
         farkas 1 1 | (not (<= (f (+ k 1)) k)) (not (> (f (+ k 1)) (+ k 1)))
         rup 0 1 2 3 4 |",
    ),
    (
        "(= x (ite p 1 2)) (> x 2)",
        "assert 0 | (= x (ite p 1 2))
         assert 1 | (> x 2)
         conditional (ite p 1 2) | (not p) (<= (ite p 1 2) 1)
         conditional (ite p 1 2) | p (<= (ite p 1 2) 2)
         farkas 1 1 1 | (not (= x (ite p 1 2))) (not (> x 2)) (not (<= (ite p 1 2) 1))
         farkas 1 1 1 | (not (= x (ite p 1 2))) (not (> x 2)) (not (<= (ite p 1 2) 2))
         rup 0 1 4 2 3 5 |",
    ),
    (
        "(or (< u v) (< v u)) (= u v)",
        "assert 0 | (or (< u v) (< v u))
         assert 1 | (= u v)
         tautology | (not (or (< u v) (< v u))) (< u v) (< v u)
         farkas -1 1 | (not (= u v)) (not (< u v))
         farkas 1 1 | (not (= u v)) (not (< v u))
         rup 0 1 3 4 2 |",
    ),
];

fn setting(index: usize) -> (World, Vec<TermId>, Proof) {
    let (assertions, proof) = PROOFS[index];
    let mut world = World::new();
    let assertions = world.terms(assertions);
    let proof = world.proof(proof);
    (world, assertions, proof)
}

#[test]
fn whole_proofs_are_accepted() {
    for index in 0..PROOFS.len() {
        let (world, assertions, proof) = setting(index);
        if let Err(refusal) = refute(&world.store, &assertions, &proof) {
            panic!("proof {index}: {refusal}");
        }
    }
}

#[test]
fn proofs_without_a_needed_step_are_refused() {
    for index in 0..PROOFS.len() {
        let (world, assertions, proof) = setting(index);
        let Some(Rule::Rup(hints)) = proof.steps.last().map(|step| step.rule.clone()) else {
            continue;
        };
        for hint in hints {
            let mut shorter = proof.clone();
            // A tautology that says nothing keeps the numbering.
            let position = hint.0 as usize;
            shorter.steps[position] =
                ProofStep { clause: world_tautology(&world.store), rule: Rule::Tautology };
            assert!(refute(&world.store, &assertions, &shorter).is_err(), "{index} {position}");
        }
        for position in 0..proof.steps.len() {
            let mut shorter = proof.clone();
            shorter.steps.truncate(position);
            assert!(refute(&world.store, &assertions, &shorter).is_err(), "{index} {position}");
        }
    }
}

fn world_tautology(store: &Store) -> Vec<Literal> {
    vec![Literal::of(store, TermId::TRUE)]
}

/// Changes assertions and proof together. What is accepted must be unsatisfiable, so no random
/// model may satisfy it.
#[test]
fn changed_proofs_are_refused_or_right() {
    let mut random = Rng::new(11);
    let (mut accepted, mut refused) = (0, 0);
    for index in 0..PROOFS.len() {
        let (mut world, assertions, proof) = setting(index);
        let models = models(&mut world, 240, &mut random);
        for _ in 0..150 {
            let mut local = world.clone();
            let mut steps = proof.steps.clone();
            let mut claims = assertions.clone();
            for _ in 0..1 + random.below(2) {
                change(&mut local, &mut random, &mut steps, &mut claims);
            }
            if refute(&local.store, &claims, &Proof { steps }).is_err() {
                refused += 1;
                continue;
            }
            accepted += 1;
            for model in &models {
                let all = claims.iter().map(|&claim| {
                    satisfies(&local.store, &[Literal::of(&local.store, claim)], model)
                });
                assert!(!all.into_iter().all(|truth| truth == Some(true)), "proof {index}");
            }
        }
    }
    assert!(accepted > 50 && refused > 500, "{accepted} and {refused}");
}

fn change(world: &mut World, random: &mut Rng, steps: &mut Vec<ProofStep>, claims: &mut [TermId]) {
    if steps.is_empty() {
        return;
    }
    let position = random.below(steps.len());
    match random.below(6) {
        0 => _ = steps.remove(position),
        1 => {
            let other = random.below(steps.len());
            steps.swap(position, other);
        }
        2 => crate::random::mutate_rule(random, &mut steps[position].rule),
        3 => crate::random::mutate(world, random, &mut steps[position]),
        4 => {
            // An assertion and its step change together.
            let which = random.below(claims.len());
            let mut step = ProofStep {
                clause: vec![Literal::of(&world.store, claims[which])],
                rule: Rule::Assert(which),
            };
            let before = step.clone();
            crate::random::mutate(world, random, &mut step);
            if let [literal] = step.clause[..] {
                let atom = literal.atom;
                claims[which] = if literal.negated { world.store.not(atom) } else { atom };
                for step in steps.iter_mut().filter(|step| **step == before) {
                    step.clause = vec![literal];
                }
            }
        }
        _ => {}
    }
}

#[test]
fn garbage_is_refused_and_nothing_panics() {
    let (mut world, assertions, proof) = setting(3);
    let small = world.store.clone();
    let far = world.term("(+ (* 17 x) (f (f (f y))))");
    let far_atom = world.term("(< (+ (* 17 x) (f (f (f y)))) 5)");
    let refused = |proof: &Proof, part: &str| {
        let refusal = refute(&small, &assertions, proof).expect_err("garbage is refused");
        assert!(refusal.to_string().contains(part), "{refusal} does not mention {part}");
    };
    let with = |rule: Rule, clause: Vec<Literal>| Proof { steps: vec![ProofStep { clause, rule }] };
    let literal = Literal { atom: far_atom, negated: false };
    let one = Literal::of(&small, assertions[0]);
    let number = small.args(small.args(assertions[0])[0])[0];
    let negation = small
        .subterms(&assertions)
        .into_iter()
        .find(|&t| matches!(small.op(t), alphorn_term::Op::Not));
    refused(&Proof::default(), "end of the proof");
    refused(&with(Rule::Tautology, vec![literal]), "there is no term");
    refused(&with(Rule::Arithmetic(far), vec![one]), "there is no term");
    refused(&with(Rule::Array(far), vec![one]), "there is no term");
    refused(&with(Rule::Conditional(far), vec![one]), "there is no term");
    refused(&with(Rule::Tautology, vec![Literal { atom: number, negated: true }]), "not a formula");
    let negation = negation.expect("an assertion is a negation");
    refused(&with(Rule::Tautology, vec![Literal { atom: negation, negated: true }]), "a negation");
    refused(&with(Rule::Assert(99), vec![one]), "no assertion 99");
    refused(&with(Rule::Assert(1), vec![one]), "assertion 1");
    refused(&with(Rule::Assert(0), vec![one, one]), "assertion 0");
    refused(&with(Rule::Rup(vec![]), vec![]), "no hints");
    refused(&with(Rule::Rup(vec![StepId(0)]), vec![]), "not an earlier step");
    refused(&with(Rule::Rup(vec![StepId(u32::MAX)]), vec![]), "not an earlier step");
    refused(&with(Rule::Linear(vec![LinearStep::Hypothesis(usize::MAX)]), vec![]), "no literal");
    refused(&with(Rule::Linear(vec![LinearStep::Round(usize::MAX)]), vec![]), "earlier line");
    refused(&with(Rule::Linear(vec![]), vec![]), "no lines");
    refused(&with(Rule::Linear(vec![LinearStep::Combine(vec![])]), vec![]), "0 = 0");
    refused(&with(Rule::Farkas(vec![Rat::from(1i64)]), vec![]), "1 multipliers");
    refused(&with(Rule::Skolem(vec![]), vec![]), "not a quantifier");
    refused(&with(Rule::Instantiate(vec![far]), vec![one]), "not a quantifier");
    let mut early = proof.clone();
    early.steps.rotate_right(1);
    refused(&early, "step 0 (rup): step 0 is not an earlier step");
    assert!(refute(&small, &[far_atom], &proof).is_err());
    assert!(refute(&small, &[number], &proof).is_err());
}

#[test]
fn hints_are_followed_to_the_letter() {
    let text = "assert 0 | (or p q)
         assert 1 | (not p)
         assert 2 | (=> q p)
         tautology | (not (or p q)) p q
         tautology | (not (=> q p)) (not q) p
         rup HINTS |";
    let judge = |hints: &str| {
        let mut world = World::new();
        let assertions = world.terms("(or p q) (not p) (=> q p)");
        let proof = world.proof(&text.replace("HINTS", hints));
        refute(&world.store, &assertions, &proof).map_err(|refusal| refusal.reason)
    };
    assert_eq!(judge("1 0 3 2 4"), Ok(()));
    for (hints, part) in [
        ("0 3 1 2 4", "more than one literal"),
        ("1 0 3 2", "does not conflict"),
        ("1 0 3 2 4 4", "conflicts before the last hint"),
        ("1 1 0 3 2 4", "is satisfied"),
        ("1 0 3 2 9", "not an earlier step"),
        ("4", "more than one literal"),
    ] {
        let reason = judge(hints).expect_err("the hints are wrong");
        assert!(reason.contains(part), "{hints}: {reason}");
    }
}

/// A witness may be used freely, but not be something already: each line breaks one condition.
#[test]
fn witnesses_are_new() {
    let same = "(= (select a k) (select b k))";
    let cases = [
        // The witness occurs in an assertion.
        ("(= a b) (> k 0)", format!("skolem k | (= a b) (not {same})"), "not new"),
        // It is a witness already.
        (
            "p",
            format!("skolem k | (= a b) (not {same})\\n skolem k | (= b c) (not (= (select b k) (select c k)))"),
            "not new",
        ),
        // An earlier definition speaks of it.
        (
            "p",
            "skolem n | (= (store a k 1) b) (not (= (select (store a k 1) n) (select b n)))\\n skolem k | (= a c) (not (= (select a k) (select c k)))"
                .to_owned(),
            "not new",
        ),
    ];
    for (assertions, proof, part) in cases {
        let mut world = World::new();
        let assertions = world.terms(assertions);
        let proof = world.proof(&proof.replace("\\n", "\n"));
        let refusal = refute(&world.store, &assertions, &proof).expect_err("not new");
        assert!(refusal.reason.contains(part), "{refusal}");
    }
    // Lemmas about a witness may come before it.
    let mut world = World::new();
    let assertions = world.terms("p");
    let proof =
        world.proof(&format!("tautology | {same} (not {same})\n skolem k | (= a b) (not {same})"));
    let refusal = refute(&world.store, &assertions, &proof).expect_err("there is no end");
    assert_eq!(refusal.place, "end of the proof");
}

/// A chain of a million implications is replayed step by step.
#[test]
fn long_proofs_are_replayed_in_linear_time() {
    const LENGTH: usize = 350_000;
    let mut store = Store::new();
    let mut atoms = Vec::new();
    for index in 0..LENGTH {
        atoms.push(store.var(&format!("p{index}"), alphorn_term::SortId::BOOL));
    }
    let mut steps = Vec::new();
    let positive = |atom| Literal { atom, negated: false };
    let mut assertions = vec![atoms[0]];
    steps.push(ProofStep { clause: vec![positive(atoms[0])], rule: Rule::Assert(0) });
    for pair in atoms.windows(2) {
        let implication = store.implies(pair[0], pair[1]);
        assertions.push(implication);
    }
    let last = store.not(atoms[LENGTH - 1]);
    assertions.push(last);
    for (index, pair) in atoms.windows(2).enumerate() {
        let implication = positive(assertions[index + 1]);
        let start = steps.len() as u32;
        let (from, to) = (positive(pair[0]), positive(pair[1]));
        steps.push(ProofStep { clause: vec![implication], rule: Rule::Assert(index + 1) });
        steps.push(ProofStep { clause: vec![!implication, !from, to], rule: Rule::Tautology });
        let hints = vec![StepId(start - 1), StepId(start), StepId(start + 1)];
        steps.push(ProofStep { clause: vec![to], rule: Rule::Rup(hints) });
    }
    let end = steps.len() as u32;
    let last = !positive(atoms[LENGTH - 1]);
    steps.push(ProofStep { clause: vec![last], rule: Rule::Assert(LENGTH) });
    let hints = vec![StepId(end - 1), StepId(end)];
    steps.push(ProofStep { clause: vec![], rule: Rule::Rup(hints) });
    refute(&store, &assertions, &Proof { steps }).expect("the chain holds");
}
