//! The gate: evidence is an answer to what was asked, or it is refused.

use alphorn_check::RefusalKind;
use alphorn_check::accept::{AskedProperty, Checkable, accept};
use alphorn_problem::circuit::Lit;
use alphorn_problem::evidence::circuit::{Certificate, Invariant, Property, Trace};
use alphorn_problem::evidence::words::{Rows, WordCertificate, WordInvariant, WordTrace};
use alphorn_problem::words::Named;
use alphorn_problem::{Circuit, Span, Verdict, Words};
use alphorn_term::TermId;

/// Properties 0 and 1 are violated at once and always, property 2 never; so is justice property 0.
fn circuit() -> Circuit {
    Circuit {
        bads: vec![Lit::TRUE, Lit::TRUE, Lit::FALSE],
        justice: vec![vec![Lit::TRUE]],
        ..Circuit::default()
    }
}

fn run(property: Property, steps: usize) -> Verdict<Circuit> {
    Verdict::Unsafe(Trace { property, start: Vec::new(), inputs: vec![Vec::new(); steps + 1] })
}

/// No latch, so there is one state.
fn proof(property: usize) -> Verdict<Circuit> {
    let invariant = Invariant::States { latches: Vec::new(), states: vec![Vec::new()] };
    Verdict::Safe(Certificate { property, invariant, obligations: Vec::new() })
}

#[track_caller]
fn judged<P: Checkable>(problem: &P, asked: P::Asked, verdict: Verdict<P>) -> Option<RefusalKind> {
    match accept(problem, asked.clone(), verdict) {
        Ok(checked) => {
            assert_eq!(*checked.asked(), asked);
            None
        }
        Err(refusal) => Some(refusal.kind),
    }
}

#[test]
fn a_run_answers_the_question_about_its_property_alone() {
    let (circuit, other) = (circuit(), Some(RefusalKind::OtherProperty));
    let [first, second] = [0, 1].map(|index| AskedProperty::of(Property::Bad(index)));
    let justice = AskedProperty::of(Property::Justice(0));
    for asked in [first, second, justice] {
        for about in [first, second, justice] {
            let expected = if asked == about { None } else { other };
            assert_eq!(judged(&circuit, asked, run(about.property, 1)), expected);
        }
    }
    // What is refused for itself is wrong, not beside the question.
    let third = AskedProperty::of(Property::Bad(2));
    assert_eq!(judged(&circuit, third, run(third.property, 1)), Some(RefusalKind::Wrong));
}

#[test]
fn a_proof_answers_the_question_about_its_property_alone() {
    let circuit = Circuit { bads: vec![Lit::FALSE, Lit::FALSE], ..circuit() };
    let [first, second] = [0, 1].map(|index| AskedProperty::of(Property::Bad(index)));
    assert_eq!(judged(&circuit, first, proof(0)), None);
    assert_eq!(judged(&circuit, second, proof(1)), None);
    assert_eq!(judged(&circuit, first, proof(1)), Some(RefusalKind::OtherProperty));
    // A proof of safety property 0 is none of justice property 0.
    let justice = AskedProperty::of(Property::Justice(0));
    assert_eq!(judged(&circuit, justice, proof(0)), Some(RefusalKind::OtherProperty));
}

#[test]
fn a_run_has_at_most_as_many_steps_as_were_asked_about() {
    let circuit = circuit();
    for (bound, steps) in [(0, 0), (0, 1), (2, 2), (2, 3), (7, 3)] {
        let asked = AskedProperty { bound: Some(bound), ..AskedProperty::of(Property::Bad(0)) };
        let expected = (steps as u64 > bound).then_some(RefusalKind::BeyondBound);
        assert_eq!(judged(&circuit, asked, run(Property::Bad(0), steps)), expected);
    }
    // A proof is about any number of steps.
    let asked = AskedProperty { bound: Some(0), ..AskedProperty::of(Property::Bad(2)) };
    assert_eq!(judged(&circuit, asked, proof(2)), None);
}

#[test]
fn evidence_says_what_it_is_about() {
    assert_eq!(Circuit::claimed(&proof(1)).property, Property::Bad(1));
    let justice = Property::Justice(0);
    assert_eq!(Circuit::claimed(&run(justice, 1)), AskedProperty::of(justice));
}

#[test]
fn systems_over_words_are_asked_about_a_property_too() {
    let named = |term| Named { term, name: None, span: Span::NONE };
    let bads = [TermId::TRUE, TermId::TRUE, TermId::FALSE].map(named).to_vec();
    let words = Words { bads, ..Words::default() };
    let run = |index, steps: usize| {
        let rows = |count| vec![Vec::new(); count];
        let property = Property::Bad(index);
        Verdict::Unsafe(WordTrace {
            property,
            states: rows(steps + 1),
            inputs: vec![Vec::new(); steps + 1],
            trap: None,
        })
    };
    let proof = |property| {
        let invariant = WordInvariant::States(Rows { vars: Vec::new(), states: vec![Vec::new()] });
        Verdict::Safe(WordCertificate { property, invariant })
    };
    let about = |index| AskedProperty::of(Property::Bad(index));
    let other = Some(RefusalKind::OtherProperty);
    assert_eq!(judged(&words, about(0), run(0, 1)), None);
    assert_eq!(judged(&words, about(1), run(0, 1)), other);
    assert_eq!(judged(&words, about(2), proof(2)), None);
    assert_eq!(judged(&words, about(1), proof(2)), other);
    let bounded = AskedProperty { bound: Some(1), ..about(0) };
    assert_eq!(judged(&words, bounded, run(0, 1)), None);
    assert_eq!(judged(&words, bounded, run(0, 2)), Some(RefusalKind::BeyondBound));
    let justice = AskedProperty::of(Property::Justice(0));
    assert_eq!(judged(&words, justice, run(0, 1)), other);
    assert_eq!(Words::claimed(&run(1, 0)), about(1));
}
