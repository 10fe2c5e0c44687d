//! A derivation from an answer to the query.
//!
//! The answers below an answer are its premises. Each is one step, however often it is used; variables that
//! nothing asks about have a default.

use super::heap::Ground;
use super::tables::{Answer, Below, Tables};
use crate::sld::bindings::NONE;
use crate::sld::program::Pattern;
use alphorn_horn::derivation::{is_derivation, minimize};
use alphorn_problem::Horn;
use alphorn_problem::evidence::horn::{Derivation, Step};
use alphorn_term::{SortId, Store, Value};
use std::collections::BTreeMap;

/// The derivation that an answer is, if its values can be written down.
pub(super) fn derivation(horn: &Horn, tables: &Tables<'_>, last: Answer) -> Option<Derivation> {
    let answer = |(call, number): Below| &tables.calls[call as usize][number as usize];
    let mut places: BTreeMap<Below, usize> = BTreeMap::new();
    let mut steps: Vec<Step> = Vec::new();
    let mut open: Vec<Below> = last.below.to_vec();
    while let Some(&next) = open.last() {
        if places.contains_key(&next) {
            open.pop();
            continue;
        }
        let below = &answer(next).below;
        let before = open.len();
        open.extend(below.iter().filter(|below| !places.contains_key(below)));
        if open.len() == before {
            open.pop();
            places.insert(next, steps.len());
            steps.push(step(horn, tables, answer(next), &places)?);
        }
    }
    steps.push(step(horn, tables, &last, &places)?);
    let found = minimize(Derivation::of(steps), horn);
    is_derivation(&found, horn).then_some(found)
}

fn step(
    horn: &Horn,
    tables: &Tables<'_>,
    answer: &Answer,
    places: &BTreeMap<Below, usize>,
) -> Option<Step> {
    let rule = &tables.program[answer.pred].rules[answer.rule];
    let mut values = Vec::with_capacity(rule.values.len());
    for (&var, pattern) in horn.clause(rule.clause).vars.iter().zip(&rule.values) {
        let sort = horn.terms.sort(var);
        values.push(value(&horn.terms, tables, pattern, sort, &answer.frame)?);
    }
    let premises: Option<Vec<usize>> =
        answer.below.iter().map(|below| places.get(below).copied()).collect();
    Some(Step::new(rule.clause, values, premises?))
}

/// The value of a pattern.
fn value(
    store: &Store,
    tables: &Tables<'_>,
    pattern: &Pattern,
    sort: SortId,
    frame: &[Ground],
) -> Option<Value> {
    match pattern {
        Pattern::Var(var) if frame[*var as usize] == NONE => Value::default_of(store, sort),
        Pattern::Var(var) => tables.heap.value(frame[*var as usize]),
        Pattern::Data(ctor, args) => {
            let fields = store.ctor(*ctor).fields.iter().zip(args);
            let fields = fields.map(|((_, sort), arg)| value(store, tables, arg, *sort, frame));
            Value::data(*ctor, fields.collect::<Option<_>>()?)
        }
        Pattern::Value(value) => Some(value.clone()),
    }
}
