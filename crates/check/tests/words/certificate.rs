//! Certificates: lists of states and formulas, accepted and refused.

use super::{counter, named, state, word};
use alphorn_check::words::check_certificate;
use alphorn_problem::Words;
use alphorn_problem::evidence::proof::{Literal, Proof, ProofStep, Rule, StepId};
use alphorn_problem::evidence::words::{Rows, WordCertificate, WordInvariant};
use alphorn_problem::obligation::words::Obligations;
use alphorn_term::{Bv, Op, SortId, Store, TermId, Value};

/// The counter without the way to six: it adds zero or four.
fn safe_counter() -> Words {
    let mut words = counter();
    let terms = &mut words.terms;
    let by = words.inputs[0];
    let low = terms.mk(Op::Extract(0, 0), &[by]);
    let none = terms.bv(Bv::from_u64(2, 0));
    let four = terms.mk(Op::Concat, &[low, none]);
    words.states[0].next = Some(terms.mk(Op::BvAdd, &[words.states[0].var, four]));
    words
}

fn states(vars: &[usize], rows: Vec<Vec<Value>>) -> WordCertificate {
    let invariant = WordInvariant::States(Rows { vars: vars.to_vec(), states: rows });
    WordCertificate { property: 0, invariant }
}

fn refusal(words: &Words, certificate: &WordCertificate) -> String {
    check_certificate(words, certificate).unwrap_err().to_string()
}

#[test]
fn a_list_about_some_states_is_accepted() {
    let words = safe_counter();
    let rows = vec![vec![word(3, 0)], vec![word(3, 4)]];
    assert_eq!(check_certificate(&words, &states(&[0], rows)), Ok(()));
    // More than can be reached is fine as long as it is closed.
    let rows = [0, 4, 1, 5].map(|count| vec![word(3, count)]).to_vec();
    assert_eq!(check_certificate(&words, &states(&[0], rows)), Ok(()));
}

#[test]
fn a_list_about_all_states_is_accepted() {
    let words = safe_counter();
    let mut rows = Vec::new();
    for (count, free, old) in
        [0, 4].iter().flat_map(|c| (0..4).flat_map(move |f| (0..8).map(move |o| (*c, f, o))))
    {
        rows.push(vec![word(3, count), word(2, free), word(3, old)]);
    }
    assert_eq!(check_certificate(&words, &states(&[0, 1, 2], rows.clone())), Ok(()));
    // `free` takes all values, so none may be missing.
    for missing in [0, 9, 60] {
        let mut fewer = rows.clone();
        fewer.remove(missing);
        assert!(check_certificate(&words, &states(&[0, 1, 2], fewer)).is_err(), "{missing}");
    }
}

#[test]
fn a_list_must_hold_the_first_states() {
    let words = safe_counter();
    let refused = refusal(&words, &states(&[0], vec![vec![word(3, 1)], vec![word(3, 5)]]));
    assert_eq!(refused, "states: the first state (count = #b000) is missing");
    // Unless the constraints rule them out.
    let mut words = words;
    words.constraints.push(named(TermId::FALSE));
    assert_eq!(check_certificate(&words, &states(&[0], vec![])), Ok(()));
}

#[test]
fn constraints_on_the_first_step_may_look_at_states_that_are_not_listed() {
    let mut words = safe_counter();
    let (free, old) = (words.states[1].var, words.states[2].var);
    let zero = words.terms.bv(Bv::from_u64(2, 0));
    let is_zero = words.terms.eq(free, zero);
    words.constraints.push(named(is_zero));
    words.states[0].init = None;
    words.states[0].next = Some(words.states[0].var);
    // The first count is free as well, so the list must be of all counts but the bad one.
    let rows: Vec<Vec<Value>> = (0..8).map(|count| vec![word(3, count)]).collect();
    assert!(refusal(&words, &states(&[0], rows.clone())).contains("the property is violated"));
    let six = words.terms.bv(Bv::from_u64(3, 6));
    let bad = words.terms.eq(words.states[0].var, six);
    let good = words.terms.not(bad);
    words.constraints.push(named(good));
    let without: Vec<Vec<Value>> =
        rows.iter().filter(|row| row[0] != word(3, 6)).cloned().collect();
    assert_eq!(check_certificate(&words, &states(&[0], without)), Ok(()));
    let _ = old;
}

#[test]
fn a_list_must_be_closed() {
    let words = safe_counter();
    let refused = refusal(&words, &states(&[0], vec![vec![word(3, 0)]]));
    assert_eq!(refused, "state (count = #b000): it leads to (count = #b100)");
    let words = counter();
    let rows: Vec<Vec<Value>> = (0..8).map(|count| vec![word(3, count)]).collect();
    let refused = refusal(&words, &states(&[0], rows));
    assert_eq!(refused, "state (count = #b110): the property is violated in it");
}

#[test]
fn lists_must_have_the_right_shape() {
    let words = safe_counter();
    let row = || vec![word(3, 0)];
    assert!(refusal(&words, &states(&[3], vec![row()])).contains("no such state"));
    assert!(refusal(&words, &states(&[1, 0], vec![])).contains("do not ascend"));
    assert!(refusal(&words, &states(&[0, 0], vec![])).contains("do not ascend"));
    assert!(
        refusal(&words, &states(&[0, 2], vec![row()])).contains("row 0: 1 values for 2 states")
    );
    assert!(refusal(&words, &states(&[1], vec![row()])).contains("free has another sort"));
    let mut certificate = states(&[0], vec![row(), vec![word(3, 4)]]);
    certificate.property = 1;
    assert!(refusal(&words, &certificate).contains("no safety property 1"));
}

#[test]
fn too_much_work_is_refused_before_it_begins() {
    let mut words = safe_counter();
    for index in 0..8 {
        let sort = words.terms.bv_sort(12);
        let input = words.terms.var(&format!("in{index}"), sort);
        let zero = words.terms.bv(Bv::from_u64(12, 0));
        let is_zero = words.terms.eq(input, zero);
        words.inputs.push(input);
        words.constraints.push(named(is_zero));
    }
    let rows = vec![vec![word(3, 0)], vec![word(3, 4)]];
    let reason = refusal(&words, &states(&[0], rows.clone()));
    assert!(reason.starts_with("states: too large to check by evaluation"), "{reason}");
    let sort = words.terms.bv_sort(64);
    let input = words.terms.var("huge", sort);
    let same = words.terms.var("other", sort);
    let equal = words.terms.eq(input, same);
    words.inputs.extend([input, same]);
    words.constraints = vec![named(equal)];
    assert!(refusal(&words, &states(&[0], rows)).contains("huge has too many values"));
}

#[test]
fn what_cannot_be_evaluated_is_refused() {
    let mut words = Words::default();
    let terms = &mut words.terms;
    let (p, x) = (terms.var("p", SortId::BOOL), terms.var("x", SortId::INT));
    let zero = terms.int(0);
    let remainder = terms.mk(Op::Mod, &[x, zero]);
    let bad = terms.eq(remainder, zero);
    words.states.push(state(p, Some(TermId::FALSE), Some(p)));
    words.states.push(state(x, Some(zero), Some(x)));
    words.bads.push(named(bad));
    let row = vec![Value::Bool(false), Value::Int(0.into())];
    let refused = refusal(&words, &states(&[0, 1], vec![row.clone()]));
    assert!(refused.contains("the property has no value: a division by zero"), "{refused}");
    // Where the constraints do not hold nobody looks.
    words.constraints.push(named(p));
    assert_eq!(check_certificate(&words, &states(&[0, 1], vec![row])), Ok(()));
}

/// A latch that stays false: `p' = p and q`, bad where it is true.
fn latch() -> Words {
    let mut words = Words::default();
    let terms = &mut words.terms;
    let (p, q) = (terms.var("p", SortId::BOOL), terms.var("q", SortId::BOOL));
    let both = terms.and(&[p, q]);
    words.states.push(state(p, Some(TermId::FALSE), Some(both)));
    words.inputs.push(q);
    words.bads.push(named(p));
    words
}

fn step(clause: &[(TermId, bool)], rule: Rule) -> ProofStep {
    let literal = |&(atom, negated): &(TermId, bool)| Literal { atom, negated };
    ProofStep { clause: clause.iter().map(literal).collect(), rule }
}

/// The invariant "p is false" with its three proofs.
fn latch_certificate(words: &Words) -> WordCertificate {
    let mut terms = words.terms.clone();
    let p = words.states[0].var;
    let formula = terms.not(p);
    let obligations = Obligations::new(words, 0, &terms, formula).unwrap();
    let store = &obligations.terms;
    // Initiation: not p, and not not p.
    let [initiation, consecution, property] = &obligations.list;
    assert_eq!(initiation.assertions, [formula, p]);
    let first = Proof {
        steps: vec![
            step(&[(p, true)], Rule::Assert(0)),
            step(&[(p, false)], Rule::Assert(1)),
            step(&[], Rule::Rup(vec![StepId(0), StepId(1)])),
        ],
    };
    // Consecution: not p, p' = (p and q), p'.
    let [_, equation, later] = consecution.assertions[..] else { panic!() };
    let both = words.states[0].next.unwrap();
    assert_eq!(store.args(equation).len(), 2);
    let second = Proof {
        steps: vec![
            step(&[(p, true)], Rule::Assert(0)),
            step(&[(equation, false)], Rule::Assert(1)),
            step(&[(later, false)], Rule::Assert(2)),
            step(&[(equation, true), (later, true), (both, false)], Rule::Tautology),
            step(&[(both, true), (p, false)], Rule::Tautology),
            step(&[], Rule::Rup([0, 1, 2, 3, 4].map(StepId).to_vec())),
        ],
    };
    assert_eq!(property.assertions, [formula, p]);
    let third = first.clone();
    let proofs = vec![first, second, third];
    let invariant = WordInvariant::Formula { terms: Box::new(terms), formula, proofs };
    WordCertificate { property: 0, invariant }
}

#[test]
fn a_formula_with_its_proofs_is_accepted() {
    let words = latch();
    let certificate = latch_certificate(&words);
    assert_eq!(check_certificate(&words, &certificate), Ok(()));
}

#[test]
fn formulas_with_other_proofs_are_refused() {
    let words = latch();
    for index in 0..3 {
        let mut certificate = latch_certificate(&words);
        let WordInvariant::Formula { proofs, .. } = &mut certificate.invariant else { panic!() };
        proofs[index].steps.pop();
        let name = ["initiation", "consecution", "property"][index];
        assert!(refusal(&words, &certificate).starts_with(name));
    }
    let mut certificate = latch_certificate(&words);
    let WordInvariant::Formula { proofs, .. } = &mut certificate.invariant else { panic!() };
    proofs.pop();
    assert!(refusal(&words, &certificate).contains("2 proofs for 3 obligations"));
    // The system that is proved must be the one that is asked about.
    let mut other = latch();
    other.states[0].init = Some(TermId::TRUE);
    assert!(refusal(&other, &latch_certificate(&words)).starts_with("initiation"));
    let mut other = latch();
    other.states[0].next = Some(other.inputs[0]);
    assert!(check_certificate(&other, &latch_certificate(&words)).is_err());
}

#[test]
fn formulas_must_be_about_states() {
    let words = latch();
    let replace = |change: &dyn Fn(&mut Store) -> TermId| {
        let mut certificate = latch_certificate(&words);
        let WordInvariant::Formula { terms, formula, .. } = &mut certificate.invariant else {
            panic!()
        };
        *formula = change(terms);
        refusal(&words, &certificate)
    };
    assert!(replace(&|terms| terms.int(1)).contains("not a formula"));
    assert!(replace(&|_| words.inputs[0]).contains("q, which is not a state"));
    assert!(replace(&|terms| terms.var("new", SortId::BOOL)).contains("new, which is not a state"));
    let foreign = replace(&|terms| {
        *terms = Store::new();
        TermId::TRUE
    });
    assert!(foreign.contains("do not extend"));
}

#[test]
fn the_step_has_inputs_of_its_own_on_both_sides() {
    let mut words = latch();
    let (p, q) = (words.states[0].var, words.inputs[0]);
    words.constraints.push(named(q));
    // A name that the copy of `p` would have otherwise.
    words.terms.var("p'", SortId::BOOL);
    let mut terms = words.terms.clone();
    // What the invariant's store holds besides does not matter.
    terms.var("q'", SortId::BOOL);
    let obligations = Obligations::new(&words, 0, &terms, p).unwrap();
    let store = &obligations.terms;
    assert!(store.extends(&terms));
    let assertions = &obligations.list[1].assertions;
    assert_eq!(assertions[..2], [p, q]);
    let names: Vec<&str> =
        store.free_vars(assertions).into_iter().map(|var| store.var_name(var).unwrap()).collect();
    assert_eq!(names, ["p", "q", "p''", "q'"]);
    assert_eq!(assertions.len(), 5);
    // Asking twice gives the same.
    let again = Obligations::new(&words, 0, &terms, p).unwrap();
    assert_eq!(again.list, obligations.list);
}
