//! Small random systems, solved by brute force: the reachable states prove exactly the safe ones,
//! and a shortest run into a bad state is accepted.

use super::{named, state, word};
use alphorn_check::words::{check_certificate, check_trace};
use alphorn_problem::Words;
use alphorn_problem::evidence::words::{Property, WordCertificate, WordInvariant, WordTrace};
use alphorn_term::{Bv, Model, Op, TermId, Value, eval};
use std::collections::{BTreeMap, BTreeSet};

struct Rng(u64);

impl Rng {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % bound
    }
}

/// Words of two bits: two or three states, one input, random terms.
fn system(rng: &mut Rng) -> Words {
    let mut words = Words::default();
    let sort = words.terms.bv_sort(2);
    let vars: Vec<TermId> =
        (0..2 + rng.below(2)).map(|i| words.terms.var(&format!("s{i}"), sort)).collect();
    let input = words.terms.var("i", sort);
    words.inputs.push(input);
    let mut pool: Vec<TermId> = vars.iter().copied().chain([input]).collect();
    pool.extend((0..4).map(|bits| words.terms.bv(Bv::from_u64(2, bits))));
    const OPS: [Op; 8] =
        [Op::BvAnd, Op::BvOr, Op::BvXor, Op::BvAdd, Op::BvSub, Op::BvMul, Op::BvUdiv, Op::BvShl];
    for _ in 0..12 {
        let (a, b, c) =
            (pool[rng.below(pool.len())], pool[rng.below(pool.len())], pool[rng.below(pool.len())]);
        pool.push(if rng.below(4) == 0 {
            let condition = words.terms.mk(Op::BvUlt, &[a, b]);
            words.terms.ite(condition, b, c)
        } else {
            words.terms.mk(OPS[rng.below(8)], &[a, b])
        });
    }
    let pick = |rng: &mut Rng| pool[rng.below(pool.len())];
    for (index, &var) in vars.iter().enumerate() {
        let init = match rng.below(4) {
            0 => None,
            1 if index > 0 => Some(vars[0]),
            _ => Some(words.terms.bv(Bv::from_u64(2, rng.below(4) as u64))),
        };
        let next = if rng.below(8) == 0 { None } else { Some(pick(rng)) };
        words.states.push(state(var, init, next));
    }
    let (a, b, c, d) = (pick(rng), pick(rng), pick(rng), pick(rng));
    let (same, less) = (words.terms.eq(a, b), words.terms.mk(Op::BvUle, &[c, d]));
    let first = words.terms.mk(Op::BvUlt, &[vars[0], a]);
    let bad = words.terms.and(&[same, first]);
    words.bads.push(named(bad));
    if rng.below(2) == 0 {
        words.constraints.push(named(less));
    }
    words
}

type Row = Vec<u64>;

/// The reachable states with the way each was reached, and whether a bad step was seen and where.
struct Explored {
    reached: BTreeMap<Row, Option<(Row, u64)>>,
    bad: Option<(Row, u64)>,
}

fn value(words: &Words, term: TermId, row: &[u64], input: u64) -> Value {
    let mut model = Model::new();
    for (state, bits) in words.states.iter().zip(row) {
        model.set(state.var, word(2, *bits));
    }
    model.set(words.inputs[0], word(2, input));
    eval(&words.terms, term, &model).unwrap()
}

fn bits(value: &Value) -> u64 {
    match value {
        Value::Bv(word) => word.to_u64().unwrap(),
        _ => panic!(),
    }
}

fn rows(count: usize) -> impl Iterator<Item = Row> {
    (0..1u64 << (2 * count)).map(move |all| (0..count).map(|i| all >> (2 * i) & 3).collect())
}

fn explore(words: &Words) -> Explored {
    let count = words.states.len();
    let allowed = |row: &[u64], input: u64| {
        words.constraints.iter().all(|c| value(words, c.term, row, input) == Value::Bool(true))
    };
    let is_first = |row: &Row| {
        let agrees = |(state, bits_now): (&alphorn_problem::words::State, &u64)| {
            state.init.is_none_or(|init| bits(&value(words, init, row, 0)) == *bits_now)
        };
        words.states.iter().zip(row).all(agrees)
    };
    let mut reached = BTreeMap::new();
    let mut bad = None;
    let mut queue: Vec<Row> = Vec::new();
    for row in rows(count).filter(is_first) {
        if (0..4).any(|input| allowed(&row, input)) {
            reached.insert(row.clone(), None);
            queue.push(row);
        }
    }
    let mut at = 0;
    while at < queue.len() {
        let row = queue[at].clone();
        at += 1;
        for input in (0..4).filter(|input| allowed(&row, *input)) {
            if bad.is_none() && value(words, words.bads[0].term, &row, input) == Value::Bool(true) {
                bad = Some((row.clone(), input));
            }
            let next: Vec<Option<u64>> = words
                .states
                .iter()
                .map(|state| state.next.map(|next| bits(&value(words, next, &row, input))))
                .collect();
            let fits = |to: &Row| {
                next.iter().zip(to).all(|(next, to)| next.is_none_or(|next| next == *to))
            };
            for to in rows(count).filter(fits) {
                if !reached.contains_key(&to) {
                    reached.insert(to.clone(), Some((row.clone(), input)));
                    queue.push(to);
                }
            }
        }
    }
    Explored { reached, bad }
}

fn certificate(vars: Vec<usize>, rows: impl Iterator<Item = Row>) -> WordCertificate {
    let states = rows.map(|row| row.iter().map(|bits| word(2, *bits)).collect()).collect();
    WordCertificate { property: 0, invariant: WordInvariant::States { vars, states } }
}

fn trace(words: &Words, explored: &Explored) -> WordTrace {
    let (mut row, input) = explored.bad.clone().unwrap();
    let mut steps = vec![(row.clone(), input)];
    while let Some((before, input)) = &explored.reached[&row] {
        steps.push((before.clone(), *input));
        row = before.clone();
    }
    steps.reverse();
    let given = |(step, (row, _)): (usize, &(Row, u64))| {
        let needed = |(state, bits): (&alphorn_problem::words::State, &u64)| {
            let follows = if step == 0 { state.init } else { state.next };
            follows.is_none().then(|| word(2, *bits))
        };
        words.states.iter().zip(row).map(needed).collect()
    };
    WordTrace {
        property: Property::Bad(0),
        states: steps.iter().enumerate().map(given).collect(),
        inputs: steps.iter().map(|(_, input)| vec![word(2, *input)]).collect(),
    }
}

#[test]
fn reachable_states_prove_exactly_the_safe_systems() {
    let mut rng = Rng(4711);
    let (mut safe, mut wrong) = (0, 0);
    for round in 0..300 {
        let words = system(&mut rng);
        let explored = explore(&words);
        let all: Vec<usize> = (0..words.states.len()).collect();
        let result =
            check_certificate(&words, &certificate(all.clone(), explored.reached.keys().cloned()));
        assert_eq!(result.is_ok(), explored.bad.is_none(), "round {round}: {result:?}");
        if explored.bad.is_some() {
            wrong += 1;
            let trace = trace(&words, &explored);
            assert_eq!(check_trace(&words, &trace), Ok(()), "round {round}");
            continue;
        }
        safe += 1;
        // The reachable states are the least invariant: nothing can be left out of them.
        for missing in explored.reached.keys().take(5) {
            let fewer = explored.reached.keys().filter(|row| *row != missing).cloned();
            assert!(check_certificate(&words, &certificate(all.clone(), fewer)).is_err());
        }
        check_projections(&words, &explored, round);
    }
    assert!(safe > 50 && wrong > 50, "{safe} safe, {wrong} unsafe");
}

/// An accepted list about one state must hold all reachable values, and only safe states.
fn check_projections(words: &Words, explored: &Explored, round: usize) {
    let projected: BTreeSet<Row> = explored.reached.keys().map(|row| vec![row[0]]).collect();
    let accepted =
        check_certificate(words, &certificate(vec![0], projected.iter().cloned())).is_ok();
    let is_inductive =
        rows(words.states.len()).filter(|row| projected.contains(&row[..1])).all(|row| {
            (0..4).all(|input| {
                let holds = |term| value(words, term, &row, input) == Value::Bool(true);
                if !words.constraints.iter().all(|c| holds(c.term)) {
                    return true;
                }
                let next =
                    words.states[0].next.map(|next| vec![bits(&value(words, next, &row, input))]);
                let closed = match next {
                    Some(next) => projected.contains(&next),
                    None => projected.len() == 4,
                };
                closed && !holds(words.bads[0].term)
            })
        });
    assert_eq!(accepted, is_inductive, "round {round}");
}

#[test]
fn damaged_traces_are_refused_where_they_are_no_runs() {
    let mut rng = Rng(31);
    let mut refused = 0;
    for round in 0..200 {
        let words = system(&mut rng);
        let explored = explore(&words);
        if explored.bad.is_none() {
            continue;
        }
        let trace = trace(&words, &explored);
        for _ in 0..10 {
            let mut damaged = trace.clone();
            let step = rng.below(damaged.inputs.len());
            match rng.below(5) {
                0 => damaged.inputs[step][0] = word(2, rng.below(4) as u64),
                1 => {
                    let place = rng.below(words.states.len());
                    damaged.states[step][place] = Some(word(2, rng.below(4) as u64));
                }
                2 => {
                    damaged.inputs.remove(step);
                    damaged.states.remove(step);
                }
                3 => {
                    let place = rng.below(words.states.len());
                    damaged.states[step][place] = None;
                }
                _ => {
                    damaged.inputs.push(vec![word(2, rng.below(4) as u64)]);
                    damaged.states.push(damaged.states[step].clone());
                }
            }
            let accepted = check_trace(&words, &damaged).is_ok();
            assert_eq!(accepted, is_violation(&words, &damaged), "round {round}");
            refused += usize::from(!accepted);
        }
    }
    assert!(refused > 300, "{refused}");
}

/// Whether a trace is a run into a bad state, by following all states that agree with it.
fn is_violation(words: &Words, trace: &WordTrace) -> bool {
    let mut row: Option<Row> = None;
    for (step, inputs) in trace.inputs.iter().enumerate() {
        let mut next = Vec::new();
        for (place, state) in words.states.iter().enumerate() {
            let given = trace.states[step][place].as_ref().map(bits);
            let follows = match (&row, step) {
                (_, 0) => state.init.map(|init| {
                    let mut known: Row = next.clone();
                    known.resize(words.states.len(), 0);
                    bits(&value(words, init, &known, 0))
                }),
                (Some(row), _) => {
                    let before = bits(&trace.inputs[step - 1][0]);
                    state.next.map(|next| bits(&value(words, next, row, before)))
                }
                _ => unreachable!(),
            };
            match (follows, given) {
                (Some(a), Some(b)) if a != b => return false,
                (Some(value), _) | (None, Some(value)) => next.push(value),
                (None, None) => return false,
            }
        }
        let input = bits(&inputs[0]);
        let holds = |term| value(words, term, &next, input) == Value::Bool(true);
        if !words.constraints.iter().all(|c| holds(c.term)) {
            return false;
        }
        if step + 1 == trace.inputs.len() && !holds(words.bads[0].term) {
            return false;
        }
        row = Some(next);
    }
    !trace.inputs.is_empty()
}
