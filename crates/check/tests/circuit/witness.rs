//! Witness circuits: what is put beside a model must not matter to its runs.

use alphorn_check::circuit::{beside, check_witness, induction};
use alphorn_problem::circuit::{Circuit, Latch, Lit};
use alphorn_problem::evidence::circuit::Lrat;
use alphorn_problem::obligation::circuit::Obligations;
use alphorn_testkit::Rng;
use alphorn_testkit::circuit::build::{and, counter, or};
use alphorn_testkit::circuit::oracle::{pairs, violation};
use alphorn_testkit::circuit::random::{Size, circuit_of, lit};
use alphorn_testkit::cnf::prove::refutation;

/// Proofs of all obligations of the two circuits together; nothing if one of them fails.
fn proofs(model: &Circuit, witness: &Circuit) -> Option<Vec<Lrat>> {
    let both = beside(model, 0, witness).expect("the circuits fit");
    both.validate().ok()?;
    let invariant = induction();
    let obligations = Obligations::new(&both, 0, &invariant).expect("there is a property");
    let build = |index| obligations.build(index).expect("obligations are small");
    (0..obligations.count()).map(|index| refutation(build(index).cnf.clauses())).collect()
}

/// Whether a witness circuit is accepted once its proofs are looked for.
fn accepts(model: &Circuit, witness: &Circuit) -> bool {
    let Some(proofs) = proofs(model, witness) else { return false };
    check_witness(model, 0, witness, &proofs).expect("proofs of the obligations suffice");
    true
}

/// A counter to 3 that never sees 5, which is not inductive.
fn model() -> Circuit {
    let model = counter(3, 3, 5, 0);
    assert_eq!((model.inputs, model.latches.len()), (1, 3));
    model
}

/// The names that say what a witness circuit has in common with a model of the same shape.
fn named(model: &Circuit, mut witness: Circuit) -> Circuit {
    let entries = &mut witness.symbols.entries;
    for at in 0..model.inputs {
        entries.push((b'i', at, format!("= {}", model.input(at as usize).0)));
    }
    for at in 0..model.latches.len() {
        entries.push((b'l', at as u32, format!("= {}", model.latch(at).0)));
    }
    witness
}

/// The model with the invariant that its highest bit is 0.
fn strengthened() -> Circuit {
    let mut witness = model();
    let high = witness.latch(2);
    let bad = witness.bads[0];
    witness.bads[0] = or(&mut witness, bad, high);
    named(&model(), witness)
}

#[test]
fn an_inductive_property_beside_the_model_is_accepted() {
    assert!(!accepts(&model(), &named(&model(), model())), "it is not inductive by itself");
    assert!(accepts(&model(), &strengthened()));
    // Without names what has the same position is the same.
    let mut unnamed = strengthened();
    unnamed.symbols.entries.clear();
    assert!(accepts(&model(), &unnamed));
}

#[test]
fn a_witness_that_says_too_much_is_refused() {
    let mut witness = strengthened();
    let low = witness.latch(0);
    let bad = witness.bads[0];
    witness.bads[0] = or(&mut witness, bad, low);
    assert!(!accepts(&model(), &witness), "the lowest bit is not always 0");
}

#[test]
fn what_a_witness_says_about_common_latches_does_not_count() {
    // A model that is violated, and a witness whose latches never move.
    let violated = counter(3, 7, 5, 0);
    let mut witness = named(&violated, counter(3, 7, 5, 0));
    for at in 0..3 {
        witness.latches[at] = Latch { next: Lit::FALSE, reset: Lit::FALSE };
    }
    assert!(!accepts(&violated, &witness));
    witness.constraints.push(Lit::FALSE);
    assert!(!accepts(&violated, &witness), "constraints of the witness must hold in the model");
    witness.bads[0] = Lit::FALSE;
    assert!(!accepts(&violated, &witness));
}

#[test]
fn latches_of_its_own_remember_and_constrain_nothing() {
    // A latch that is 1 once the counter was at 5; the property is that it is 0.
    let violated = counter(3, 7, 5, 0);
    let mut witness = violated.clone();
    let seen = witness.latches.len();
    assert_eq!(seen, 3);
    let first_gate = witness.gate(0).var();
    // Room for one latch more: all gates move.
    let moved = |lit: Lit| if lit.var() >= first_gate { Lit(lit.0 + 2) } else { lit };
    for latch in &mut witness.latches {
        *latch = Latch { next: moved(latch.next), reset: moved(latch.reset) };
    }
    for gate in &mut witness.ands {
        (gate.left, gate.right) = (moved(gate.left), moved(gate.right));
    }
    let at_five = moved(witness.bads[0]);
    let own = Lit::new(first_gate, false);
    witness.latches.push(Latch { next: own, reset: Lit::FALSE });
    let next = or(&mut witness, own, at_five);
    witness.latches[3].next = next;
    witness.bads = vec![own];
    assert!(!accepts(&violated, &named(&violated, witness.clone())), "it is violated");
    let safe = model();
    let high = safe.latch(2);
    let mut bad = or(&mut witness, own, high);
    bad = or(&mut witness, bad, at_five);
    witness.bads = vec![bad];
    assert!(accepts(&safe, &named(&safe, witness.clone())));
    // A reset that depends on itself gives no first state, and proves nothing.
    let cycle = and(&mut witness, own, own);
    witness.latches[3].reset = !cycle;
    assert!(beside(&safe, 0, &named(&safe, witness)).is_err());
}

#[test]
fn names_and_properties_that_do_not_fit_are_refused() {
    let refused = |witness: &Circuit, property: usize| {
        let refusal = check_witness(&model(), property, witness, &[]).expect_err("it does not fit");
        refusal.reason
    };
    let mut wrong = strengthened();
    wrong.symbols.entries[1].2 = "= 2".to_owned();
    assert_eq!(refused(&wrong, 0), "the name `= 2` does not stand for a latch of the model");
    wrong.symbols.entries[1].2 = "= 99999999999".to_owned();
    assert!(refused(&wrong, 0).contains("does not stand for a latch"));
    assert_eq!(refused(&strengthened(), 7), "the circuit has no safety property 7");
    let mut several = strengthened();
    several.bads.push(Lit::FALSE);
    assert_eq!(refused(&several, 0), "it has 2 properties, not one");
    assert!(refused(&strengthened(), 0).contains("0 proofs for"));
    let mut malformed = strengthened();
    malformed.bads[0] = Lit(1 << 20);
    assert!(refused(&malformed, 0).contains("names no variable"));
}

/// Small circuits at random beside each other: whatever is accepted, no run of the model is bad.
#[test]
fn random_witnesses_prove_nothing_false() {
    let mut random = Rng::new(3);
    let (mut accepted, mut refused) = (0, 0);
    for round in 0..2_000 {
        let model = circuit_of(&mut random, Size::SMALL);
        let witness = match round % 2 {
            0 => circuit_of(&mut random, Size::SMALL),
            _ => {
                let mut stronger = model.clone();
                let more = lit(&mut random, model.max_var());
                let bad = stronger.bads[0];
                stronger.bads[0] = or(&mut stronger, bad, more);
                stronger
            }
        };
        let witness = named(&model, witness);
        if !beside(&model, 0, &witness).is_ok_and(|both| both.validate().is_ok()) {
            continue;
        }
        match accepts(&model, &witness) {
            true => {
                accepted += 1;
                assert!(violation(&pairs(&model)).is_none(), "{model:?} {witness:?}");
            }
            false => refused += 1,
        }
    }
    assert!(accepted > 20 && refused > 20, "{accepted} {refused}");
}
