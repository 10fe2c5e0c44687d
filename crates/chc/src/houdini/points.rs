//! Guesses at what finitely many facts have in common.
//!
//! A definition that lists facts says what it must and nothing else. What all of them have in common
//! may be enough, and is shorter: between which bounds an argument is, by which distances its values lie
//! apart, which arguments have a fixed sum or difference, and what is a multiple of what.

use crate::settings::{HOUDINI_FEWEST_POINTS, HOUDINI_MAX_COMPARED_POINTS};
use alphorn_term::{Bv, Int, Op, Rat, SortId, Store, TermId, Value};

/// The facts that a definition lists, if it is a list of facts.
pub(super) fn facts(store: &Store, params: &[TermId], body: TermId) -> Option<Vec<Vec<Value>>> {
    let cases = if store.op(body) == Op::Or { store.args(body) } else { return None };
    if cases.len() < HOUDINI_FEWEST_POINTS.size() {
        return None;
    }
    cases.iter().map(|&case| fact(store, params, case)).collect()
}

/// The fact that a conjunction of equations describes.
fn fact(store: &Store, params: &[TermId], case: TermId) -> Option<Vec<Value>> {
    let parts = if store.op(case) == Op::And { store.args(case) } else { &[case] };
    let value = |&param: &TermId| {
        parts.iter().find_map(|&part| match (store.op(part), store.args(part)) {
            (Op::Eq, &[left, right]) if left == param => store.literal_value(right),
            (Op::Eq, &[left, right]) if right == param => store.literal_value(left),
            (Op::Not, &[inner]) if inner == param => Some(Value::Bool(false)),
            _ if part == param => Some(Value::Bool(true)),
            _ => None,
        })
    };
    if parts.len() != params.len() {
        return None;
    }
    params.iter().map(value).collect()
}

/// Formulas that hold of all facts.
pub(super) fn common(store: &mut Store, params: &[TermId], facts: &[Vec<Value>]) -> Vec<TermId> {
    let mut found = Vec::new();
    for (at, &param) in params.iter().enumerate() {
        let column: Vec<&Value> = facts.iter().map(|fact| &fact[at]).collect();
        match store.sort(param) {
            SortId::BOOL => of_truth_values(store, param, &column, &mut found),
            SortId::INT | SortId::REAL => of_numbers(store, param, &column, &mut found),
            _ => of_words(store, param, &column, &mut found),
        }
    }
    if params.len() <= HOUDINI_MAX_COMPARED_POINTS.size() {
        for (at, &left) in params.iter().enumerate() {
            for (other, &right) in params.iter().enumerate().skip(at + 1) {
                let pairs: Option<Vec<(Rat, Rat)>> = facts
                    .iter()
                    .map(|fact| Some((number(&fact[at])?, number(&fact[other])?)))
                    .collect();
                if store.sort(left) == store.sort(right) {
                    found.extend(pairs.and_then(|pairs| line(store, left, right, &pairs)));
                }
            }
        }
    }
    found
}

fn of_truth_values(store: &mut Store, param: TermId, column: &[&Value], found: &mut Vec<TermId>) {
    if column.iter().all(|value| value.as_bool() == Some(true)) {
        found.push(param);
    } else if column.iter().all(|value| value.as_bool() == Some(false)) {
        found.push(store.not(param));
    }
}

fn number(value: &Value) -> Option<Rat> {
    match value {
        Value::Int(number) => Some(Rat::from(number.clone())),
        Value::Real(number) => Some(number.clone()),
        _ => None,
    }
}

/// The greatest common divisor of all distances from the first number.
fn stride(numbers: &[Int]) -> Option<Int> {
    let first = numbers.first()?;
    let distances = numbers.iter().map(|number| (number - first).abs());
    distances.reduce(|all, next| all.gcd(&next)).filter(|stride| !stride.is_zero())
}

fn of_numbers(store: &mut Store, param: TermId, column: &[&Value], found: &mut Vec<TermId>) {
    let numbers: Option<Vec<Rat>> = column.iter().map(|value| number(value)).collect();
    let Some(numbers) = numbers else { return };
    let (Some(least), Some(greatest)) = (numbers.iter().min(), numbers.iter().max()) else {
        return;
    };
    let sort = store.sort(param);
    let constant = |store: &mut Store, number: &Rat| match sort {
        SortId::INT => store.int(number.floor()),
        _ => store.real(number.clone()),
    };
    let (least, greatest) = (constant(store, least), constant(store, greatest));
    found.push(store.ge(param, least));
    found.push(store.le(param, greatest));
    if sort == SortId::INT {
        let numbers: Vec<Int> = numbers.iter().map(Rat::floor).collect();
        let Some(stride) = stride(&numbers).filter(|stride| !stride.is_one()) else { return };
        let first = store.int(numbers[0].clone());
        let distance = store.sub(param, first);
        found.push(store.divisible(&stride, distance));
    }
}

fn of_words(store: &mut Store, param: TermId, column: &[&Value], found: &mut Vec<TermId>) {
    let word = |value: &&Value| match value {
        Value::Bv(word) => Some(word.clone()),
        _ => None,
    };
    let words: Option<Vec<Bv>> = column.iter().map(word).collect();
    let Some(words) = words else { return };
    let numbers: Vec<Int> = words.iter().map(Bv::to_unsigned).collect();
    let (Some(least), Some(greatest)) = (numbers.iter().min(), numbers.iter().max()) else {
        return;
    };
    let width = words[0].width();
    let least = store.bv(Bv::from_int(width, least));
    let greatest = store.bv(Bv::from_int(width, greatest));
    found.push(store.mk(Op::BvUle, &[least, param]));
    found.push(store.mk(Op::BvUle, &[param, greatest]));
    // Only distances by powers of two survive that words wrap around.
    let Some(stride) = stride(&numbers) else { return };
    let bits = (0..width).take_while(|&bit| !Bv::from_int(width, &stride).bit(bit)).count() as u32;
    if bits > 0 && bits < width {
        let low = store.mk(Op::Extract(bits - 1, 0), &[param]);
        let rest = store.bv(words[0].extract(bits - 1, 0));
        found.push(store.eq(low, rest));
    }
}

/// The line through all points, if they are on one that is parallel to no axis.
fn line(store: &mut Store, left: TermId, right: TermId, pairs: &[(Rat, Rat)]) -> Option<TermId> {
    let (first, second) = (pairs.first()?, pairs.iter().find(|pair| **pair != pairs[0])?);
    let (run, rise) = (&second.0 - &first.0, &second.1 - &first.1);
    if run.is_zero() || rise.is_zero() {
        return None;
    }
    // rise · (x - x0) = run · (y - y0)
    let offset = |pair: &(Rat, Rat)| &(&rise * &pair.0) - &(&run * &pair.1);
    let constant = offset(first);
    if pairs.iter().any(|pair| offset(pair) != constant) {
        return None;
    }
    let sort = store.sort(left);
    let scale = &(&rise.denominator() * &run.denominator()) * &constant.denominator();
    let scale = Rat::from(scale);
    let number = |store: &mut Store, value: Rat| match sort {
        SortId::INT => store.int(value.floor()),
        _ => store.real(value),
    };
    let (rise, run) = (number(store, &rise * &scale), number(store, &run * &scale));
    let constant = number(store, &constant * &scale);
    let (left, right) = (store.mul(&[rise, left]), store.mul(&[run, right]));
    let difference = store.sub(left, right);
    Some(store.eq(difference, constant))
}
