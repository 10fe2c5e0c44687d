//! Ways between representations: evidence found on one side is checked on the other.

use crate::{find, with_ctx};
use alphorn_check::{circuit, horn};
use alphorn_cross::{circuit_to_horn, circuit_to_words, words_to_horn};
use alphorn_engine::{Back, Ctx, Engine, Stop, Stopper};
use alphorn_hw::select::{select_words, select_words_justice};
use alphorn_hw::words::cone;
use alphorn_hw::{certify, prove_words, words_to_circuit};
use alphorn_problem::circuit::Lit;
use alphorn_problem::evidence::horn::{Definition, Derivation, HornClaim, Step};
use alphorn_problem::evidence::words::{ClaimedInvariant, Property, Rows, WordClaim, WordTrace};
use alphorn_problem::horn::ClauseId;
use alphorn_problem::{Circuit, Finding, Horn, Problem, Span, Verdict, Words};
use alphorn_term::{Model, Op, SortId, TermId, Value, eval};
use alphorn_testkit::Rng;
use alphorn_testkit::circuit::build::counter as counter_circuit;
use alphorn_testkit::circuit::oracle::shortest_violation;
use alphorn_testkit::circuit::random::random_circuit;
use alphorn_testkit::words::build::{counter, named, state, word};
use alphorn_testkit::words::judge::{accept, conclude};
use alphorn_testkit::words::random::random_system;

/// Carries a finding back, and has it proved and checked on the circuit.
fn accept_circuit<S: Problem>(
    original: &Circuit,
    back: &Back<Circuit, S>,
    finding: Finding<S>,
) -> bool {
    let finding = match with_ctx(1_000, |ctx| back.finding(finding, ctx)) {
        Ok(finding) => finding,
        Err(lost) => {
            assert!(lost.describe().contains("inputs of the first step"), "{lost:?}");
            return false;
        }
    };
    match with_ctx(1_000_000, |ctx| certify::conclude(original, finding, ctx)) {
        Ok(Verdict::Safe(certificate)) => {
            circuit::check_certificate(original, &certificate).expect("accepted");
        }
        Ok(Verdict::Unsafe(trace)) => circuit::check_trace(original, &trace).expect("accepted"),
        Err(stop) => panic!("not proved: {stop:?}"),
    }
    true
}

/// Carries a finding back, and has it proved and checked on the system.
fn accept_words<S: Problem>(original: &Words, back: &Back<Words, S>, finding: Finding<S>) {
    let verdict = with_ctx(1_000_000, |ctx| {
        let finding = back.finding(finding, ctx).expect("carried");
        let prove = |claim| prove_words(original, claim, ctx);
        conclude(finding, prove).expect("what is claimed is proved")
    });
    accept(original, &verdict);
}

#[test]
fn a_circuit_as_words_has_its_verdicts_and_the_lengths_of_its_runs() {
    let mut random = Rng::new(31);
    let (mut carried, mut lost) = (0, 0);
    for _ in 0..300 {
        let original = random_circuit(&mut random);
        let (system, back) = circuit_to_words(&original).expect("well formed");
        let finding = find("words-explicit", &system, 100_000);
        let finding = finding.expect("small systems are decided");
        let expected = shortest_violation(&original);
        match (&finding, expected) {
            (Finding::Holds(_), None) => {}
            (Finding::Fails(trace), Some(length)) => assert_eq!(trace.inputs.len(), length),
            other => panic!("{other:?} on {original:?}"),
        }
        let arrived = accept_circuit(&original, &back, finding);
        carried += usize::from(arrived);
        lost += usize::from(!arrived);
    }
    assert!(carried > 250 && lost > 0, "{carried} carried, {lost} lost");
}

#[test]
fn circuits_as_words_as_circuits() {
    let mut random = Rng::new(32);
    for _ in 0..300 {
        let original = random_circuit(&mut random);
        let (system, to_circuit) = circuit_to_words(&original).expect("well formed");
        let (again, to_words) = words_to_circuit(&system).expect("made of bits");
        assert_eq!(shortest_violation(&again), shortest_violation(&original));
        let mut sink = |_| {};
        let mut ctx = Ctx::new(1_000_000, Stopper::new(), 1, &mut sink);
        match alphorn_hw::explore::Explicit.run(&again, &mut ctx) {
            Ok(finding @ Finding::Fails(_)) => {
                accept_circuit(&original, &to_circuit.after(to_words), finding);
            }
            // A proof is about a circuit with one property.
            Ok(finding) => assert!(to_words.finding(finding, &mut ctx).is_err()),
            Err(stop) => assert!(matches!(stop, Stop::Stuck(_)), "{stop:?}"),
        }
    }
}

#[test]
fn names_survive_the_way_to_words_and_back() {
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
    let words = with_ctx(1, |ctx| to_words.trace(lasso, ctx)).expect("carried");
    alphorn_check::words::check_trace(&system, &words).expect("accepted");
    let trace = with_ctx(1, |ctx| back.trace(words, ctx)).expect("carried");
    circuit::check_trace(&live, &trace).expect("accepted");
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
        let finding = find("words-explicit", &small, 100_000).expect("decided");
        accept_words(&system, &unselect.after(uncone), finding);
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
    let trace =
        WordTrace { property: Property::Justice(0), states: vec![], inputs: vec![], trap: None };
    let trace = with_ctx(1, |ctx| back.trace(trace, ctx)).expect("carried");
    assert_eq!(trace.property, Property::Justice(1));
}

/// The large system has more states, of which the formula says nothing.
#[test]
fn formulas_are_proved_beyond_the_cone() {
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
    let claimed = |formula| {
        let terms = Box::new(terms.clone());
        let invariant = ClaimedInvariant::Formula { terms, formula };
        WordClaim { property: 0, invariant }
    };
    accept_words(&system, &back, Finding::Holds(claimed(formula)));
    let refused = with_ctx(1_000_000, |ctx| prove_words(&system, claimed(TermId::TRUE), ctx));
    assert!(matches!(refused, Err(Stop::Stuck(_))), "{refused:?}");
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
    let mut steps = vec![Step::new(ClauseId(0), states(&values), vec![])];
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
        steps.push(Step::new(clause, row, vec![steps.len() - 1]));
        values = next;
    }
    Derivation::of(steps)
}

/// The model in which the predicate holds of the listed rows.
fn model(system: &Words, horn: &Horn, vars: &[usize], rows: &[Vec<Value>]) -> HornClaim {
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
    HornClaim::of(terms, vec![Definition { params: system.state_vars(), body }])
}

#[test]
fn evidence_about_clauses_is_carried_back_to_the_words_they_came_from() {
    let mut rng = Rng::new(34);
    let (mut derived, mut modelled) = (0, 0);
    for _ in 0..200 {
        let system = random_system(&mut rng);
        let (clauses, back) = words_to_horn(&system).expect("closed");
        match find("words-explicit", &system, 100_000).expect("decided") {
            Finding::Fails(trace) => {
                let derivation = derivation(&system, &clauses, &trace);
                horn::check_derivation(&clauses, &derivation).expect("accepted");
                accept_words(&system, &back, Finding::Fails(derivation));
                derived += 1;
            }
            Finding::Holds(claim) => {
                let ClaimedInvariant::States(Rows { vars, states }) = claim.invariant else {
                    panic!("explicit search lists states")
                };
                let model = model(&system, &clauses, &vars, &states);
                accept_words(&system, &back, Finding::Holds(model));
                modelled += 1;
            }
        }
    }
    assert!(derived > 30 && modelled > 30, "{derived} derivations, {modelled} models");
}

#[test]
fn what_clauses_cannot_say_or_carry_back_is_refused() {
    assert!(words_to_horn(&Words::default()).is_err());
    let mut loose = counter(2, 3, 3);
    let stray = loose.terms.var("stray", SortId::BOOL);
    loose.bads[0].term = stray;
    assert!(words_to_horn(&loose).err().expect("refused").contains("stray"));

    let system = counter(2, 3, 3);
    let (clauses, back) = words_to_horn(&system).expect("closed");
    let broken = Derivation::of(Vec::new());
    let lost = with_ctx(1, |ctx| back.trace(broken, ctx)).expect_err("lost");
    assert!(lost.describe().contains("chain"));
    let step = Step::new(ClauseId(2), Vec::new(), vec![0]);
    assert!(with_ctx(1, |ctx| back.trace(Derivation::of(vec![step]), ctx)).is_err());
    // That every state may be reached is claimed, and not proved.
    let all = model(&system, &clauses, &[], &[Vec::new()]);
    let claim = with_ctx(1, |ctx| back.claim(all, ctx)).expect("carried");
    let refused = with_ctx(1_000_000, |ctx| prove_words(&system, claim, ctx));
    assert!(matches!(refused, Err(Stop::Stuck(_))), "{refused:?}");
}

#[test]
fn evidence_about_clauses_is_carried_back_to_the_circuit_they_came_from() {
    let original = counter_circuit(2, 3, 2, 0);
    let (clauses, back) = circuit_to_horn(&original).expect("well formed");
    assert_eq!((clauses.preds.len(), clauses.clauses.len()), (1, 3));
    assert!(clauses.is_linear());
    let (system, _) = circuit_to_words(&original).expect("well formed");
    let finding = find("words-explicit", &system, 1000);
    let Ok(Finding::Fails(trace)) = finding else { panic!("two is reached") };
    let derivation = derivation(&system, &clauses, &trace);
    horn::check_derivation(&clauses, &derivation).expect("accepted");
    accept_circuit(&original, &back, Finding::Fails(derivation));

    let safe = counter_circuit(2, 2, 3, 0);
    let (clauses, back) = circuit_to_horn(&safe).expect("well formed");
    let (system, _) = circuit_to_words(&safe).expect("well formed");
    let mut terms = clauses.terms.clone();
    let both = system.state_vars().into_iter().map(|var| terms.bv_to_bool(var));
    let both: Vec<TermId> = both.collect();
    let full = terms.mk(Op::And, &both);
    let body = terms.not(full);
    let claim = HornClaim::of(terms, vec![Definition { params: system.state_vars(), body }]);
    accept_circuit(&safe, &back, Finding::Holds(claim));
    // A counter of 15 bits has too many states to be listed.
    let large = counter_circuit(15, 9, 12, 0);
    let (clauses, back) = circuit_to_horn(&large).expect("well formed");
    let (system, _) = circuit_to_words(&large).expect("well formed");
    let preds = vec![Definition { params: system.state_vars(), body: TermId::TRUE }];
    let claim = HornClaim::of(clauses.terms.clone(), preds);
    let lost = with_ctx(1, |ctx| back.claim(claim, ctx)).expect_err("lost");
    assert!(lost.describe().contains("too many"), "{lost:?}");

    let mut malformed = safe.clone();
    malformed.bads.push(Lit::new(99, false));
    assert!(circuit_to_horn(&malformed).is_err());
}
