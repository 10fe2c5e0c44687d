//! Fair transition systems with numbered states, for small examples of response.
//!
//! ```text
//! states 3
//! init 0
//! p 0
//! q 2
//! weak: b
//! strong: a
//! 0 b 1
//! 1 b 0
//! 0 a 2
//! ```
//!
//! A line of a state, an action and a state is a step. Several states stand behind `init`, `p` and `q`, several actions
//! behind `weak:` and `strong:`. In any state nothing may happen. The question is whether `p` leads to `q`.

use crate::diag::{Code, Diagnostic, Read, until_wrong};
use alphorn_problem::Span;
use alphorn_problem::response::{Fair, Response};
use alphorn_problem::words::{State, Words};
use alphorn_term::{Bv, Store, TermId};
use std::collections::{BTreeMap, BTreeSet};

/// The most states and steps.
const MAX_SIZE: usize = 1 << 16;

#[derive(Default)]
struct File<'t> {
    states: usize,
    init: Vec<usize>,
    p: Vec<usize>,
    q: Vec<usize>,
    /// Actions, with whether runs are strongly fair to them.
    fair: Vec<(bool, &'t str, Span)>,
    steps: Vec<(usize, &'t str, usize)>,
}

/// Whether a text begins as these files do.
pub fn begins(bytes: &[u8]) -> bool {
    let mut lines = bytes.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    let is_said = |line: &&[u8]| !line.is_empty() && line[0] != b'#';
    let first = lines.by_ref().find(is_said);
    let second = lines.find(is_said);
    first.is_some_and(|line| line.starts_with(b"states "))
        && second.is_some_and(|line| line.starts_with(b"init "))
}

/// Reads a system with its question.
pub fn read(bytes: &[u8]) -> Read<Words> {
    until_wrong(bytes, Code::FtsSyntax, |text| file(text).and_then(|file| system(&file)))
}

fn wrong(span: Span, message: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(Code::FtsSyntax, span, message))
}

fn file(text: &str) -> Result<File<'_>, Box<Diagnostic>> {
    let mut file = File::default();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let span = Span::new(at, at + line.trim_end().len());
        at += line.len();
        let said = line.split('#').next().unwrap_or("");
        let words: Vec<&str> = said.split_whitespace().collect();
        let Some((&first, rest)) = words.split_first() else { continue };
        let number = |word: &&str| {
            let value = word.parse::<usize>().ok().filter(|value| *value < file.states);
            value.ok_or_else(|| {
                wrong(span, &format!("`{word}` is no state from 0 on below their number"))
            })
        };
        let numbers = || rest.iter().map(number).collect::<Result<Vec<usize>, _>>();
        match first {
            "states" => {
                let count = rest.first().and_then(|word| word.parse().ok());
                let count = count.filter(|count| (1..=MAX_SIZE).contains(count) && rest.len() == 1);
                file.states = count
                    .ok_or_else(|| wrong(span, "how many states are there? from 1 to 65536"))?;
            }
            "init" => file.init = numbers()?,
            "p" => file.p = numbers()?,
            "q" => file.q = numbers()?,
            "weak:" | "strong:" => {
                file.fair.extend(rest.iter().map(|action| (first == "strong:", *action, span)));
            }
            _ => {
                let [from, action, to] = words[..] else {
                    let error = wrong(span, "a step is a state, an action and a state");
                    return Err(Box::new(error.hint("0 a 1")));
                };
                file.steps.push((number(&from)?, action, number(&to)?));
                if file.steps.len() > MAX_SIZE {
                    return Err(wrong(span, "there are more than 65536 steps"));
                }
            }
        }
    }
    if file.init.is_empty() {
        return Err(wrong(Span::NONE, "no state is the first: init is missing"));
    }
    for (_, action, span) in &file.fair {
        if !file.steps.iter().any(|(_, known, _)| known == action) {
            return Err(wrong(*span, &format!("no step has the action `{action}`")));
        }
    }
    Ok(file)
}

fn bits(count: usize) -> u32 {
    (usize::BITS - count.saturating_sub(1).leading_zeros()).max(1)
}

fn system(file: &File<'_>) -> Result<Words, Box<Diagnostic>> {
    let mut store = Store::new();
    // One number is no step's, so that nothing may happen.
    let (state_width, step_width) = (bits(file.states), bits(file.steps.len() + 1));
    let sort = store.bv_sort(state_width);
    let state = store.var("state", sort);
    let sort = store.bv_sort(step_width);
    let step = store.var("step", sort);
    let mut next = state;
    let mut taken: BTreeMap<&str, Vec<TermId>> = BTreeMap::new();
    for (number, (from, action, to)) in file.steps.iter().enumerate() {
        let here = is_at(&mut store, state, *from);
        let number = store.bv(Bv::from_u64(step_width, number as u64));
        let is_tried = store.eq(step, number);
        let is_taken = store.and(&[here, is_tried]);
        let to = store.bv(Bv::from_u64(state_width, *to as u64));
        next = store.ite(is_taken, to, next);
        taken.entry(action).or_default().push(is_taken);
    }
    let first = BTreeSet::from_iter(file.init.iter().copied());
    let mut any = |set: &[usize]| {
        let each: Vec<TermId> = set.iter().map(|at| is_at(&mut store, state, *at)).collect();
        store.or(&each)
    };
    let (from, to, starts) = (any(&file.p), any(&file.q), any(&file.init));
    let mut fair = Vec::new();
    for (is_strong, action, _) in &file.fair {
        let leaves: Vec<usize> =
            file.steps.iter().filter(|step| step.1 == *action).map(|step| step.0).collect();
        let enabled = any(&leaves);
        fair.push((*is_strong, enabled, *action));
    }
    let fair = fair
        .into_iter()
        .map(|(is_strong, enabled, action)| {
            let taken = store.or(&taken[action]);
            Fair { is_strong, enabled, taken }
        })
        .collect();
    let only = first.iter().next().filter(|_| first.len() == 1);
    let init = only.map(|only| store.bv(Bv::from_u64(state_width, *only as u64)));
    let states = vec![State { var: state, init, next: Some(next), span: Span::NONE }];
    let mut words = Words { inputs: vec![step], states, ..Words::default() };
    if only.is_none() {
        // Where several states are first, a state that is nothing else says whether it is the first moment.
        let moment = store.var("later", alphorn_term::SortId::BOOL);
        let (no, yes) = (store.bool(false), store.bool(true));
        words.states.push(State { var: moment, init: Some(no), next: Some(yes), span: Span::NONE });
        let term = store.or(&[moment, starts]);
        words.constraints.push(alphorn_problem::words::Named {
            term,
            name: None,
            span: Span::NONE,
        });
    }
    words.terms = store;
    Response { from, to, fair }.ask(&mut words);
    Ok(words)
}

fn is_at(store: &mut Store, state: TermId, at: usize) -> TermId {
    let value = store.bv(Bv::from_u64(store.width(state), at as u64));
    store.eq(state, value)
}
