//! Evidence about flows that is changed a little: a number, a term, a conjunct, what a level removes.

use crate::Rng;
use alphorn_problem::evidence::flow::{Measure, Ranking, Recurrence};
use alphorn_term::{Int, Op, Rat, SortId, Store, Substitution, TermId, Value};

/// A ranking that differs from this one in one place; none if the change changes nothing.
pub fn ranking(rng: &mut Rng, old: &Ranking) -> Option<Ranking> {
    let mut new = old.clone();
    let mut places: Vec<&mut TermId> = new.invariants.iter_mut().collect();
    match &mut new.measure {
        Measure::Levels(levels) => {
            if !levels.is_empty() && rng.one_in(4u32) {
                let level = rng.below(levels.len());
                let level = &mut levels[level];
                match rng.below(3u32) {
                    0 => {
                        level.removed.pop();
                    }
                    1 => level.removed.push(level.removed.last().map_or(0, |last| last + 1)),
                    _ => level.least = TermId::TRUE,
                }
                return Some(new);
            }
            for level in levels {
                places.extend(level.functions.iter_mut().flatten());
                places.push(&mut level.least);
            }
        }
        Measure::Disjunctive(union) => {
            places.extend(union.relations.iter_mut().flatten());
            places.extend(union.functions.iter_mut());
            places.extend(union.least.iter_mut());
        }
    }
    change(rng, &mut new.terms, places).then_some(new)
}

/// A recurrence that differs from this one in one place; none if the change changes nothing.
pub fn recurrence(rng: &mut Rng, old: &Recurrence) -> Option<Recurrence> {
    let mut new = old.clone();
    if rng.one_in(4u32) {
        let mut values: Vec<&mut Value> = new.path.first.values.iter_mut().collect();
        for step in &mut new.path.steps {
            values.extend(step.values.iter_mut().chain(&mut step.inputs));
        }
        if values.is_empty() {
            return None;
        }
        let place = rng.below(values.len());
        let value = &mut *values[place];
        *value = match &*value {
            Value::Bool(truth) => Value::Bool(!truth),
            Value::Int(number) => Value::Int(number.clone() + Int::from(rng.pick(&[-1i64, 1]))),
            Value::Real(number) => Value::Real(number.clone() + Rat::from(rng.pick(&[-1i64, 1]))),
            other => other.clone(),
        };
        return Some(new);
    }
    if !new.choices.is_empty() && rng.one_in(8u32) {
        let place = rng.below(new.choices.len());
        new.choices.remove(place);
        new.proofs.pop();
        return Some(new);
    }
    let mut places: Vec<&mut TermId> = new.sets.iter_mut().collect();
    for choice in &mut new.choices {
        places.push(&mut choice.when);
        places.extend(choice.next.iter_mut().chain(&mut choice.inputs));
    }
    change(rng, &mut new.terms, places).then_some(new)
}

/// Changes one of some terms; says whether it is another one now.
fn change(rng: &mut Rng, store: &mut Store, mut places: Vec<&mut TermId>) -> bool {
    if places.is_empty() {
        return false;
    }
    let place = rng.below(places.len());
    let old = *places[place];
    let new = changed(rng, store, old);
    *places[place] = new;
    new != old
}

/// The term with a literal changed by one, an operand left out, or one operator for another.
fn changed(rng: &mut Rng, store: &mut Store, term: TermId) -> TermId {
    let parts = store.subterms(&[term]);
    let part = rng.pick(&parts);
    let args = store.args(part).to_vec();
    let by = rng.pick(&[-1i64, 1, 2]);
    let new = match store.op(part) {
        Op::IntVal(_) | Op::RealVal(_) => {
            let by = store.number(store.sort(part), &by.into());
            store.add(&[part, by])
        }
        Op::And | Op::Or | Op::Add => {
            let left_out = rng.below(args.len());
            let rest: Vec<TermId> = args
                .iter()
                .enumerate()
                .filter(|(at, _)| *at != left_out)
                .map(|(_, &a)| a)
                .collect();
            match store.op(part) {
                Op::And => store.and(&rest),
                Op::Or => store.or(&rest),
                _ => store.add(&rest),
            }
        }
        Op::Le => store.lt(args[0], args[1]),
        Op::Lt => store.le(args[0], args[1]),
        Op::Eq if store.sort(args[0]) != SortId::BOOL => store.le(args[0], args[1]),
        Op::Not => args[0],
        Op::True => TermId::FALSE,
        Op::False => TermId::TRUE,
        _ if matches!(store.sort(part), SortId::INT | SortId::REAL) => {
            let by = store.number(store.sort(part), &by.into());
            store.add(&[part, by])
        }
        _ if store.sort(part) == SortId::BOOL => store.not(part),
        _ => part,
    };
    let map: Substitution = [(part, new)].into_iter().collect();
    store.substitute(term, &map)
}
