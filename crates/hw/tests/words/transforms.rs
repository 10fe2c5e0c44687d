//! Ways between representations: evidence found on one side is checked on the other.

use crate::build::{counter, named, random_system, state, word};
use crate::circuits::{Random, counter as counter_circuit, random_circuit, shortest_violation};
use crate::{accept, decide};
use alphorn_check::{circuit, horn};
use alphorn_engine::{Ctx, Engine, Rng, Stop, Stopper};
use alphorn_hw::select::{select_words, select_words_justice};
use alphorn_hw::words::cone;
use alphorn_hw::{circuit_to_horn, circuit_to_words, words_to_circuit, words_to_horn};
use alphorn_problem::circuit::Lit;
use alphorn_problem::evidence::horn::{Definition, Derivation, HornModel, Step};
use alphorn_problem::evidence::proof::{Literal, Proof, ProofStep, Rule, StepId};
use alphorn_problem::evidence::words::{Property, WordCertificate, WordInvariant, WordTrace};
use alphorn_problem::horn::ClauseId;
use alphorn_problem::obligation::words::{Obligation, Obligations};
use alphorn_problem::{Back, Circuit, Horn, Problem, Span, Verdict, Words};
use alphorn_term::eval::Choices;
use alphorn_term::{Model, Op, SortId, TermId, Value, eval};
use std::collections::BTreeMap;

/// Carries a verdict back and has it checked on the circuit.
fn accept_circuit<S: Problem>(
    original: &Circuit,
    back: &Back<Circuit, S>,
    verdict: Verdict<S>,
) -> bool {
    match back.verdict(verdict) {
        Ok(Verdict::Safe(certificate)) => {
            circuit::check_certificate(original, &certificate).expect("accepted");
            true
        }
        Ok(Verdict::Unsafe(trace)) => {
            circuit::check_trace(original, &trace).expect("accepted");
            true
        }
        Err(lost) => {
            assert!(lost.0.contains("inputs of the first step"), "{lost:?}");
            false
        }
    }
}

#[test]
fn circuits_as_words() {
    let mut random = Random::new(31);
    let (mut carried, mut lost) = (0, 0);
    for _ in 0..300 {
        let original = random_circuit(&mut random);
        let (system, back) = circuit_to_words(&original).expect("well formed");
        let (verdict, _, _) = decide("words-explicit", &system, 100_000, 1);
        let verdict = verdict.expect("small systems are decided");
        let expected = shortest_violation(&original);
        match (&verdict, expected) {
            (Verdict::Safe(_), None) => {}
            (Verdict::Unsafe(trace), Some(length)) => assert_eq!(trace.inputs.len(), length),
            other => panic!("{other:?} on {original:?}"),
        }
        let arrived = accept_circuit(&original, &back, verdict);
        carried += usize::from(arrived);
        lost += usize::from(!arrived);
    }
    assert!(carried > 250 && lost > 0, "{carried} carried, {lost} lost");
}

#[test]
fn circuits_as_words_as_circuits() {
    let mut random = Random::new(32);
    for _ in 0..300 {
        let original = random_circuit(&mut random);
        let (system, to_circuit) = circuit_to_words(&original).expect("well formed");
        let (again, to_words) = words_to_circuit(&system).expect("made of bits");
        assert_eq!(shortest_violation(&again), shortest_violation(&original));
        let mut sink = |_| {};
        let mut ctx = Ctx::new(1_000_000, Stopper::new(), 1, &mut sink);
        match alphorn_hw::circuit::Explicit.run(&again, &mut ctx) {
            Ok(verdict @ Verdict::Unsafe(_)) => {
                accept_circuit(&original, &to_circuit.after(to_words), verdict);
            }
            // A proof is about a circuit with one property.
            Ok(verdict) => assert!(to_words.verdict(verdict).is_err()),
            Err(stop) => assert!(matches!(stop, Stop::Stuck(_)), "{stop:?}"),
        }
    }
}

#[test]
fn names_survive() {
    let mut original = counter_circuit(2, 3, 3, 1);
    original.symbols.entries =
        vec![(b'i', 0, "go".to_owned()), (b'l', 1, "go".to_owned()), (b'b', 0, "full".to_owned())];
    let (system, _) = circuit_to_words(&original).expect("well formed");
    let name = |var: TermId| system.terms.var_name(var).expect("a variable").to_owned();
    assert_eq!(name(system.inputs[0]), "go");
    assert_eq!(name(system.inputs[1]), "i1");
    assert_eq!(name(system.states[0].var), "l0");
    // Two things of one name are told apart.
    assert!(name(system.states[1].var).starts_with("go!"));
    assert_eq!(system.bads[0].name.as_deref(), Some("full"));
    let (again, _) = words_to_circuit(&system).expect("made of bits");
    assert_eq!(again.symbols.name(b'i', 0), Some("go"));
    assert_eq!(again.symbols.name(b'b', 0), Some("full"));
    let system = counter(3, 4, 6);
    let (bits, _) = words_to_circuit(&system).expect("made of bits");
    assert_eq!(bits.symbols.name(b'i', 40), Some("go"));
    assert_eq!(bits.symbols.name(b'l', 42), Some("count[2]"));
}

#[test]
fn liveness_is_kept() {
    let mut live = counter_circuit(2, 3, 3, 0);
    live.bads.clear();
    live.justice.push(vec![live.latch(0), !live.latch(0)]);
    live.fairness.push(live.latch(1));
    live.outputs.push(live.latch(1));
    let (system, back) = circuit_to_words(&live).expect("well formed");
    assert_eq!((system.justice.len(), system.fairness.len(), system.outputs.len()), (1, 1, 1));
    assert!(system.bads.is_empty());
    let (again, to_words) = words_to_circuit(&system).expect("made of bits");
    assert_eq!((again.justice.len(), again.fairness.len(), again.outputs.len()), (1, 1, 1));
    // Counting for ever visits everything.
    let one = alphorn_problem::evidence::circuit::Bit::One;
    let zero = alphorn_problem::evidence::circuit::Bit::Zero;
    let lasso = alphorn_problem::evidence::circuit::Trace {
        property: Property::Justice(0),
        start: vec![zero; 2],
        inputs: vec![vec![one]; 4],
    };
    circuit::check_trace(&again, &lasso).expect("accepted");
    let words = to_words.trace(lasso).expect("carried");
    alphorn_check::words::check_trace(&system, &words).expect("accepted");
    circuit::check_trace(&live, &back.trace(words).expect("carried")).expect("accepted");
}

#[test]
fn cone_and_selection_of_words() {
    let mut rng = Rng::new(33);
    for _ in 0..200 {
        let mut system = random_system(&mut rng);
        let bad = system.bads[0].clone();
        system.bads = vec![named(TermId::TRUE), bad];
        let (selected, unselect) = select_words(&system, 1);
        let (small, uncone) = cone(&selected);
        let (verdict, _, _) = decide("words-explicit", &small, 100_000, 1);
        let back = unselect.after(uncone);
        accept(&system, &back.verdict(verdict.expect("decided")).expect("carried"));
    }
    let (small, _) = cone(&counter(3, 4, 6));
    assert_eq!((small.inputs.len(), small.states.len()), (1, 1));
    let mut live = counter(3, 4, 6);
    for term in [TermId::TRUE, TermId::FALSE] {
        let terms = vec![term];
        live.justice.push(alphorn_problem::words::Justice { terms, name: None, span: Span::NONE });
    }
    let (live, back) = select_words_justice(&live, 1);
    assert_eq!((live.bads.len(), live.justice.len()), (0, 1));
    let trace = WordTrace { property: Property::Justice(0), states: vec![], inputs: vec![] };
    assert_eq!(back.trace(trace).expect("carried").property, Property::Justice(1));
}

/// Assertions are numbered, and the large system has more of them.
#[test]
fn proofs_of_formulas_survive_the_cone() {
    let mut system = counter(3, 4, 6);
    system.states[0].init = Some(word(&mut system, 40, 7));
    let flag = state(&mut system, "flag", SortId::BOOL);
    system.states[2].init = Some(TermId::FALSE);
    system.states[2].next = Some(TermId::FALSE);
    system.bads[0].term = flag;
    let (small, back) = cone(&system);
    assert_eq!(small.states.len(), 1);
    let mut terms = small.terms.clone();
    let formula = terms.not(flag);
    let obligations = Obligations::new(&small, 0, &terms, formula).expect("well formed");
    // Each obligation has a unit and its negation; the flag of the next step is another atom.
    let refute = |obligation: &Obligation| {
        let literal = |term: TermId| match obligations.terms.op(term) {
            Op::Not => Literal { atom: obligations.terms.args(term)[0], negated: true },
            _ => Literal { atom: term, negated: false },
        };
        let literals: Vec<Literal> = obligation.assertions.iter().map(|t| literal(*t)).collect();
        let last = literals.len() - 1;
        let clash = literals.iter().position(|l| *l == !literals[last]).expect("they clash");
        let unit = |number: usize| ProofStep {
            clause: vec![literals[number]],
            rule: Rule::Assert(number),
        };
        let rule = Rule::Rup(vec![StepId(0), StepId(1)]);
        let steps = vec![unit(clash), unit(last), ProofStep { clause: Vec::new(), rule }];
        Proof { steps }
    };
    let proofs = obligations.list.iter().map(refute).collect();
    let terms = Box::new(obligations.terms.clone());
    let invariant = WordInvariant::Formula { terms, formula, proofs };
    let certificate = WordCertificate { property: 0, invariant };
    alphorn_check::words::check_certificate(&small, &certificate).expect("accepted");
    accept(&system, &Verdict::Safe(back.proof(certificate).expect("carried")));
}

/// The derivation that goes along a run.
fn derivation(system: &Words, horn: &Horn, trace: &WordTrace) -> Derivation {
    let mut values = Model::new();
    for (state, given) in system.states.iter().zip(&trace.states[0]) {
        let value = given.clone().unwrap_or_else(|| {
            let init = state.init.expect("given or initial");
            eval(&system.terms, init, &values).expect("defined")
        });
        values.set(state.var, value);
    }
    let states = |model: &Model| -> Vec<Value> {
        system.states.iter().map(|state| model.vars[&state.var].clone()).collect()
    };
    let mut steps = vec![Step { clause: ClauseId(0), values: states(&values), premises: vec![] }];
    for (time, inputs) in trace.inputs.iter().enumerate() {
        system.inputs.iter().zip(inputs).for_each(|(var, value)| values.set(*var, value.clone()));
        let last = time + 1 == trace.inputs.len();
        let mut row = states(&values);
        row.extend(inputs.iter().cloned());
        let mut next = values.clone();
        for (index, state) in system.states.iter().enumerate().filter(|_| !last) {
            let value = match state.next {
                Some(term) => eval(&system.terms, term, &values).expect("defined"),
                None => trace.states[time + 1][index].clone().expect("given"),
            };
            if state.next.is_none() {
                row.push(value.clone());
            }
            next.set(state.var, value);
        }
        let clause = ClauseId(if last { 2 } else { 1 });
        assert_eq!(row.len(), horn.clause(clause).vars.len());
        steps.push(Step { clause, values: row, premises: vec![steps.len() - 1] });
        values = next;
    }
    Derivation::of(steps)
}

/// The model in which the predicate holds of the listed rows.
fn model(system: &Words, horn: &Horn, vars: &[usize], rows: &[Vec<Value>]) -> HornModel {
    let mut terms = horn.terms.clone();
    let mut cases = Vec::new();
    for row in rows {
        let mut case = Vec::new();
        for (&var, value) in vars.iter().zip(row) {
            let value = terms.value_term(value).expect("such values have terms");
            case.push(terms.eq(system.states[var].var, value));
        }
        cases.push(terms.and(&case));
    }
    let body = terms.or(&cases);
    let preds = vec![Definition { params: system.state_vars(), body }];
    let proofs = vec![Default::default(); 3];
    let (folds, funcs, choices) = Default::default();
    HornModel { terms, preds, folds, funcs, choices, proofs }
}

#[test]
fn words_as_clauses() {
    let mut rng = Rng::new(34);
    let (mut derived, mut modelled) = (0, 0);
    for _ in 0..200 {
        let system = random_system(&mut rng);
        let (clauses, back) = words_to_horn(&system).expect("closed");
        let (verdict, _, _) = decide("words-explicit", &system, 100_000, 1);
        match verdict.expect("decided") {
            Verdict::Unsafe(trace) => {
                let derivation = derivation(&system, &clauses, &trace);
                horn::check_derivation(&clauses, &derivation).expect("accepted");
                let trace = back.trace(derivation).expect("carried");
                accept(&system, &Verdict::Unsafe(trace));
                derived += 1;
            }
            Verdict::Safe(certificate) => {
                let WordInvariant::States { vars, states } = certificate.invariant else {
                    panic!("explicit search lists states")
                };
                let model = model(&system, &clauses, &vars, &states);
                let certificate = back.proof(model).expect("carried");
                accept(&system, &Verdict::Safe(certificate));
                modelled += 1;
            }
        }
    }
    assert!(derived > 30 && modelled > 30, "{derived} derivations, {modelled} models");
}

#[test]
fn what_clauses_cannot_say() {
    assert!(words_to_horn(&Words::default()).is_err());
    let mut loose = counter(2, 3, 3);
    let stray = loose.terms.var("stray", SortId::BOOL);
    loose.bads[0].term = stray;
    assert!(words_to_horn(&loose).err().expect("refused").contains("stray"));

    let system = counter(2, 3, 3);
    let (clauses, back) = words_to_horn(&system).expect("closed");
    let broken = Derivation::of(Vec::new());
    assert!(back.trace(broken).expect_err("lost").0.contains("chain"));
    let step = Step { clause: ClauseId(2), values: Vec::new(), premises: vec![0] };
    assert!(back.trace(Derivation::of(vec![step])).is_err());
    // Its idle state of 40 bits has too many values.
    let model = model(&system, &clauses, &[], &[Vec::new()]);
    assert!(back.proof(model).expect_err("lost").0.contains("too many"));
}

#[test]
fn circuits_as_clauses() {
    let original = counter_circuit(2, 3, 2, 0);
    let (clauses, back) = circuit_to_horn(&original).expect("well formed");
    assert_eq!((clauses.preds.len(), clauses.clauses.len()), (1, 3));
    assert!(clauses.is_linear());
    let (system, _) = circuit_to_words(&original).expect("well formed");
    let (verdict, _, _) = decide("words-explicit", &system, 1000, 1);
    let Ok(Verdict::Unsafe(trace)) = verdict else { panic!("two is reached") };
    let derivation = derivation(&system, &clauses, &trace);
    horn::check_derivation(&clauses, &derivation).expect("accepted");
    accept_circuit(&original, &back, Verdict::Unsafe(derivation));

    let safe = counter_circuit(2, 2, 3, 0);
    let (clauses, back) = circuit_to_horn(&safe).expect("well formed");
    let (system, _) = circuit_to_words(&safe).expect("well formed");
    let mut terms = clauses.terms.clone();
    let both = system.state_vars().into_iter().map(|var| terms.bv_to_bool(var));
    let both: Vec<TermId> = both.collect();
    let full = terms.mk(Op::And, &both);
    let body = terms.not(full);
    let preds = vec![Definition { params: system.state_vars(), body }];
    let (funcs, choices) = (BTreeMap::new(), Choices::default());
    let (folds, proofs) = (Default::default(), vec![Default::default(); 3]);
    let model = HornModel { terms, preds, folds, funcs, choices, proofs };
    accept_circuit(&safe, &back, Verdict::Safe(model));

    let mut malformed = safe.clone();
    malformed.bads.push(Lit::new(99, false));
    assert!(circuit_to_horn(&malformed).is_err());
}
