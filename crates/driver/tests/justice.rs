//! Justice properties of word-level systems: random small systems against a search of their graphs.
//!
//! The oracle lists all states and steps, evaluates the system's terms, and looks for a strongly
//! connected set of states that can be reached and in which every condition and every fairness
//! constraint is true in some step. Evidence is written, read and checked once more, and what the
//! system's circuit says is compared.

use alphorn_driver::certify::{Certified, certify};
use alphorn_driver::convert::{Target, convert};
use alphorn_driver::report::Outcome;
use alphorn_driver::run::Stopper;
use alphorn_driver::{AnyProblem, Config, Decision, Limits, Opened, decide, open_bytes};
use alphorn_engine::Rng;
use alphorn_problem::Words;
use alphorn_term::value::elements;
use alphorn_term::{Model, TermId, Value, eval};
use std::fmt::Write;

/// How many systems are tried.
const SYSTEMS: u64 = 400;

/// A system as text: two states, an input, some operators, constraints, fairness and justice.
fn random_text(rng: &mut Rng) -> String {
    let mut out = String::from("1 sort bitvec 1\n2 sort bitvec 2\n3 zero 1\n4 zero 2\n5 one 2\n");
    out.push_str("6 input 1 go\n7 state 2 count\n8 state 1 flag\n9 state 1 apart\n");
    let (mut bits, mut words, mut id) = (vec![6u64, 8], vec![5u64, 7], 9u64);
    fn pick(rng: &mut Rng, of: &[u64]) -> u64 {
        of[rng.below(of.len() as u64) as usize]
    }
    for _ in 0..4 + rng.below(5) {
        id += 1;
        let (b, c) = (pick(rng, &bits), pick(rng, &bits));
        let (v, w) = (pick(rng, &words), pick(rng, &words));
        let (text, is_bit) = match rng.below(9) {
            0 => (format!("and 1 {b} {c}"), true),
            1 => (format!("or 1 {b} -{c}"), true),
            2 => (format!("xor 1 {b} {c}"), true),
            3 => (format!("eq 1 {v} {w}"), true),
            4 => (format!("ult 1 {v} {w}"), true),
            5 => (format!("slice 1 {v} 1 1"), true),
            6 => (format!("add 2 {v} {w}"), false),
            7 => (format!("ite 2 {b} {v} {w}"), false),
            _ => (format!("uext 2 {b} 1"), false),
        };
        let _ = writeln!(out, "{id} {text}");
        if is_bit { &mut bits } else { &mut words }.push(id);
    }
    let mut line = |out: &mut String, text: String| {
        id += 1;
        let _ = writeln!(out, "{id} {text}");
    };
    for (sort, state, zero, of) in [(2, 7, 4, &words), (1, 8, 3, &bits), (1, 9, 3, &bits)] {
        if rng.below(4) > 0 {
            line(&mut out, format!("init {sort} {state} {zero}"));
        }
        if rng.below(6) > 0 {
            let next = pick(rng, of);
            line(&mut out, format!("next {sort} {state} {next}"));
        }
    }
    let sign = |rng: &mut Rng| if rng.below(2) == 0 { "" } else { "-" };
    for (kind, most) in [("constraint", 2), ("fair", 3)] {
        for _ in 0..rng.below(most) {
            let (sign, bit) = (sign(rng), pick(rng, &bits));
            line(&mut out, format!("{kind} {sign}{bit}"));
        }
    }
    for _ in 0..1 + rng.below(2) {
        let count = 1 + rng.below(2);
        let mut text = format!("justice {count}");
        for _ in 0..count {
            let _ = write!(text, " {}{}", sign(rng), pick(rng, &bits));
        }
        line(&mut out, text);
    }
    out
}

/// All valuations of some variables.
fn valuations(words: &Words, vars: &[TermId]) -> Vec<Vec<Value>> {
    let mut all = vec![Vec::new()];
    for &var in vars {
        let domain = elements(&words.terms, words.terms.sort(var), 16).expect("small words");
        let longer = |row: &Vec<Value>| -> Vec<Vec<Value>> {
            domain.iter().map(|value| [row.clone(), vec![value.clone()]].concat()).collect()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

/// A step of the graph: from, to, and which of the signals are true in it.
type Step = (usize, usize, Vec<bool>);

/// Whether justice property `index` is violated by some infinite run.
fn is_violated(words: &Words, index: usize) -> bool {
    let vars = words.state_vars();
    let states = valuations(words, &vars);
    let value = |term: TermId, model: &Model| eval(&words.terms, term, model).expect("total");
    let is_true = |term: TermId, model: &Model| value(term, model) == Value::Bool(true);
    let model_of = |state: &[Value], inputs: &[Value]| {
        let mut model = Model::new();
        vars.iter().zip(state).for_each(|(&var, value)| model.set(var, value.clone()));
        words.inputs.iter().zip(inputs).for_each(|(&var, value)| model.set(var, value.clone()));
        model
    };
    let fairness = words.fairness.iter().map(|fair| fair.term);
    let signals: Vec<TermId> = words.justice[index].terms.iter().copied().chain(fairness).collect();
    let mut steps: Vec<Step> = Vec::new();
    let mut reached = vec![false; states.len()];
    for (from, state) in states.iter().enumerate() {
        let model = model_of(state, &[]);
        reached[from] = (words.states.iter().zip(state))
            .all(|(of, has)| of.init.is_none_or(|init| value(init, &model) == *has));
        for inputs in valuations(words, &words.inputs) {
            let model = model_of(state, &inputs);
            if !words.constraints.iter().all(|constraint| is_true(constraint.term, &model)) {
                continue;
            }
            let seen: Vec<bool> = signals.iter().map(|&signal| is_true(signal, &model)).collect();
            let follows = |next: &Vec<Value>| {
                let mut pairs = words.states.iter().zip(next);
                pairs.all(|(of, has)| of.next.is_none_or(|next| value(next, &model) == *has))
            };
            let tos = (0..states.len()).filter(|&to| follows(&states[to]));
            steps.extend(tos.map(|to| (from, to, seen.clone())));
        }
    }
    // Which states lead to which, in one step or more.
    let mut leads = vec![vec![false; states.len()]; states.len()];
    steps.iter().for_each(|(from, to, _)| leads[*from][*to] = true);
    for over in 0..states.len() {
        for from in 0..states.len() {
            for to in 0..states.len() {
                leads[from][to] |= leads[from][over] && leads[over][to];
            }
        }
    }
    let is_reached = |at: usize| (0..states.len()).any(|s| reached[s] && (s == at || leads[s][at]));
    (0..states.len()).filter(|&at| leads[at][at] && is_reached(at)).any(|at| {
        let inside = |state: usize| leads[at][state] && leads[state][at];
        (0..signals.len()).all(|signal| {
            steps.iter().any(|(from, to, seen)| inside(*from) && inside(*to) && seen[signal])
        })
    })
}

fn decided(opened: &Opened) -> Vec<Decision> {
    let limits = Limits { ticks: 50_000, ..Limits::default() };
    let config = Config { limits, ..Config::default() };
    let result = decide(opened, &config, &Stopper::new(), &mut |_| {}, &mut |_| {});
    result.expect("there are properties")
}

#[test]
fn justice_of_words_is_what_the_graph_says() {
    let mut rng = Rng::new(7);
    let (mut safe, mut violated, mut unknown) = (0, 0, 0);
    for number in 0..SYSTEMS {
        let text = random_text(&mut rng);
        let opened = open_bytes("random.btor2", text.clone().into_bytes(), None);
        let Some(AnyProblem::Words(words)) = &opened.problem else {
            panic!("{text}\n{:?}", opened.diagnostics)
        };
        let expected: Vec<Outcome> = (0..words.justice.len())
            .map(|index| match is_violated(words, index) {
                true => Outcome::Unsafe,
                false => Outcome::Safe,
            })
            .collect();
        for (decision, expected) in decided(&opened).iter().zip(&expected) {
            let verdict = decision.answer.verdict;
            match verdict {
                Outcome::Safe => safe += 1,
                Outcome::Unsafe => violated += 1,
                Outcome::Unknown => unknown += 1,
            }
            assert!(verdict == Outcome::Unknown || verdict == *expected, "{number}\n{text}");
            let Some(evidence) = &decision.evidence else { continue };
            assert_eq!(evidence.property(), Some(decision.answer.property.clone()));
            let written = evidence.text(&opened);
            let read = certify(&opened, written.as_bytes());
            assert!(matches!(read[..], [Certified::Accepted(_)]), "{read:?}\n{text}\n{written}");
        }
        let converted = convert(&opened, Target::AigerText, None).expect("it is made of bits");
        let circuit = open_bytes("random.aag", converted.bytes, None);
        for (decision, expected) in decided(&circuit).iter().zip(&expected) {
            let verdict = decision.answer.verdict;
            assert!(verdict == Outcome::Unknown || verdict == *expected, "{number}\n{text}");
        }
    }
    assert!(safe >= 20 && violated >= 20, "{safe} safe, {violated} violated");
    assert!(unknown * 20 <= safe + violated, "{unknown} unknown, {safe} safe, {violated} violated");
}

/// What cannot be written out in bits is left open, with the reason.
#[test]
fn justice_over_a_large_memory_is_unknown() {
    let text = "1 sort bitvec 1\n2 sort bitvec 20\n3 sort array 2 1\n4 state 3 memory\n5 input 2 at\n\
                6 read 1 4 5\n7 next 3 4 4\n8 justice 1 6\n";
    let opened = open_bytes("large.btor2", text.as_bytes().to_vec(), None);
    let decisions = decided(&opened);
    assert_eq!(decisions[0].answer.verdict, Outcome::Unknown);
    let detail = &decisions[0].answer.detail;
    assert!(detail.contains("too large to expand into bits"), "{detail}");
}
