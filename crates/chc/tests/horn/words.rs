//! Linear systems as transition systems: explored by brute force, and the evidence carried back.

use alphorn_chc::integers::{Reading, on_integers};
use alphorn_chc::{conclude, horn_to_words};
use alphorn_check::words::{check_certificate, check_trace};
use alphorn_engine::{Ctx, Stopper};
use alphorn_problem::evidence::circuit::Property;
use alphorn_problem::evidence::words::{
    ClaimedInvariant, WordCertificate, WordClaim, WordInvariant, WordTrace,
};
use alphorn_problem::{Finding, Horn, Verdict, Words};
use alphorn_term::eval::Program;
use alphorn_term::value::elements;
use alphorn_term::{Model, SortId, Store, Value, eval};
use alphorn_testkit::horn::finite::{Generator, is_safe_by_brute_force};
use alphorn_testkit::horn::judge::judge;
use std::collections::BTreeSet;

/// All values of all inputs together; none if they are too many.
fn all_inputs(words: &Words) -> Option<Vec<Vec<Value>>> {
    let mut rows: Vec<Vec<Value>> = vec![Vec::new()];
    for &input in &words.inputs {
        let values = elements(&words.terms, words.terms.sort(input), 1 << 8)?;
        if rows.len() * values.len() > 1 << 12 {
            return None;
        }
        rows = rows
            .iter()
            .flat_map(|row| {
                values.iter().map(move |value| {
                    let mut longer = row.clone();
                    longer.push(value.clone());
                    longer
                })
            })
            .collect();
    }
    Some(rows)
}

/// What comes before a first state.
const FIRST: usize = usize::MAX;

/// All first states; none if they are too many.
fn first_states(words: &Words) -> Option<Vec<Vec<Value>>> {
    let mut rows: Vec<Vec<Value>> = vec![Vec::new()];
    for state in &words.states {
        let values = match state.init {
            Some(init) => vec![eval(&words.terms, init, &Model::new()).expect("a constant")],
            None => elements(&words.terms, words.terms.sort(state.var), 1 << 8)?,
        };
        let longer = |row: &Vec<Value>| {
            let row = row.clone();
            values.iter().map(move |value| [&row[..], std::slice::from_ref(value)].concat())
        };
        rows = rows.iter().flat_map(longer).collect();
        if rows.len() > 1 << 12 {
            return None;
        }
    }
    Some(rows)
}

/// Decides a transition system by looking at all its runs; none if that would take long.
fn explore(words: &Words) -> Option<Verdict<Words>> {
    let inputs = all_inputs(words)?;
    let model = Model::new();
    let vars: Vec<_> = words.state_vars().into_iter().chain(words.inputs.clone()).collect();
    let mut outputs: Vec<_> = words.states.iter().map(|state| state.next.unwrap()).collect();
    outputs.push(words.bads[0].term);
    let mut program = Program::new(&words.terms, &vars, &outputs);
    let mut seen: BTreeSet<Vec<Value>> = BTreeSet::new();
    let mut states: Vec<(Vec<Value>, usize, Vec<Value>)> = Vec::new();
    for start in first_states(words)? {
        seen.insert(start.clone());
        states.push((start, FIRST, Vec::new()));
    }
    let mut next = 0;
    while next < states.len() {
        for row in &inputs {
            let all: Vec<Value> = states[next].0.iter().chain(row).cloned().collect();
            program.run(&words.terms, &all, &model);
            if program.holds(words.states.len()).unwrap() {
                return Some(Verdict::Unsafe(trace(words, &states, next, row)));
            }
            let after: Vec<Value> =
                (0..words.states.len()).map(|at| program.output(at).unwrap().clone()).collect();
            if seen.insert(after.clone()) {
                states.push((after, next, row.clone()));
            }
        }
        next += 1;
    }
    let vars = (0..words.states.len()).collect();
    let states = states.into_iter().map(|state| state.0).collect();
    let invariant = WordInvariant::States { vars, states };
    Some(Verdict::Safe(WordCertificate { property: 0, invariant }))
}

fn trace(
    words: &Words,
    states: &[(Vec<Value>, usize, Vec<Value>)],
    last: usize,
    row: &[Value],
) -> WordTrace {
    let mut inputs = vec![row.to_vec()];
    let mut at = last;
    while states[at].1 != FIRST {
        inputs.push(states[at].2.clone());
        at = states[at].1;
    }
    inputs.reverse();
    let mut rows = vec![vec![None; states[at].0.len()]; inputs.len()];
    for (position, state) in words.states.iter().enumerate() {
        if state.init.is_none() {
            rows[0][position] = Some(states[at].0[position].clone());
        }
    }
    let states = rows;
    WordTrace { property: Property::Bad(0), states, inputs }
}

#[test]
fn evidence_about_transition_systems_comes_back() {
    let (mut safe, mut unsafe_) = (0, 0);
    for seed in 5_000..5_200 {
        let horn = Generator::new(seed, true).system();
        let (words, back) = horn_to_words(&horn).expect("the system is linear and over words");
        assert!(words.terms.extends(&horn.terms), "seed {seed}");
        let Some(verdict) = explore(&words) else { continue };
        let checked = match &verdict {
            Verdict::Safe(certificate) => check_certificate(&words, certificate),
            Verdict::Unsafe(trace) => check_trace(&words, trace),
        };
        checked.expect("the exploration is right");
        let finding = match verdict {
            Verdict::Safe(WordCertificate {
                property,
                invariant: WordInvariant::States { vars, states },
            }) => {
                let invariant = ClaimedInvariant::States { vars, states };
                Finding::Holds(WordClaim { property, invariant })
            }
            Verdict::Safe(_) => panic!("states are listed"),
            Verdict::Unsafe(trace) => Finding::Fails(trace),
        };
        let mut sink = |_| ();
        let mut ctx = Ctx::new(1_000_000, Stopper::new(), 1, &mut sink);
        let finding = back.finding(finding, &mut ctx).expect("what was found comes back");
        let verdict = conclude(&horn, finding, &mut ctx).expect("it is proved");
        let line = judge(&horn, &verdict);
        let expected = is_safe_by_brute_force(&horn);
        assert_eq!(line == "safe", expected, "seed {seed}: {line}");
        if expected { safe += 1 } else { unsafe_ += 1 }
    }
    assert!(safe > 20 && unsafe_ > 20, "{safe} safe and {unsafe_} unsafe systems");
}

#[test]
fn other_sorts_are_named() {
    let mut horn = Horn::new(Store::new());
    horn.declare_pred("p", &[SortId::BOOL, SortId::INT]);
    let error = horn_to_words(&horn).map(|_| ()).unwrap_err();
    assert_eq!(error, "the sort Int is neither Bool, words nor arrays");
}

#[test]
fn two_facts_at_once_are_refused() {
    let refused = (0..20).filter(|&seed| {
        let horn = Generator::new(seed, false).system();
        assert_eq!(horn_to_words(&horn).is_ok(), horn.is_linear());
        !horn.is_linear()
    });
    assert!(refused.count() > 5);
}

/// What reading words as integers says about a random system, proved or evaluated over words.
fn by_integers(horn: &Horn, reading: Reading) -> Option<String> {
    let mut sink = |_| ();
    let mut ctx = Ctx::new(200_000, Stopper::new(), 1, &mut sink);
    let finding = on_integers("pdr", reading).run(horn, &mut ctx).ok()?;
    let verdict = conclude(horn, finding, &mut ctx).ok()?;
    Some(judge(horn, &verdict))
}

#[test]
fn words_read_as_integers_are_decided_as_they_are() {
    let mut exact = 0;
    for seed in 7_000..7_080 {
        let horn = Generator::new(seed, seed % 2 == 0).system();
        let expected = if is_safe_by_brute_force(&horn) { "safe" } else { "unsafe" };
        for reading in [Reading::Exact, Reading::Ideal] {
            let Some(line) = by_integers(&horn, reading) else { continue };
            assert!(line.starts_with(expected), "seed {seed}: {line}, not {expected}");
            exact += usize::from(reading == Reading::Exact);
        }
    }
    assert!(exact > 50, "{exact} systems are decided");
}
