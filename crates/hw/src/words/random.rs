//! Random values of any sort, with a liking for corners.
//!
//! Uniform words of 32 bits are never 0 and never equal to each other, while designs branch on
//! zero, one, all ones and equality. So half of the words are corners or small.

use alphorn_engine::Rng;
use alphorn_term::value::ArrayValue;
use alphorn_term::{Bv, Int, Rat, Sort, SortId, Store, Value};
use std::sync::Arc;

/// A random value of a sort; `None` for datatypes without finite values.
pub fn random_value(store: &Store, sort: SortId, rng: &mut Rng) -> Option<Value> {
    random_within(store, sort, rng, 4)
}

fn random_within(store: &Store, sort: SortId, rng: &mut Rng, depth: u32) -> Option<Value> {
    match store.sort_of(sort) {
        Sort::Bool => Some(Value::Bool(rng.below(2) == 1)),
        Sort::BitVec(width) => Some(Value::Bv(random_word(*width, rng))),
        Sort::Int => Some(Value::Int(Int::from(random_number(rng)))),
        Sort::Real => {
            let quotient =
                Rat::from(random_number(rng)).checked_div(&Rat::from(1 + rng.below(4) as i64));
            Some(Value::Real(quotient.expect("the divisor is positive")))
        }
        Sort::Array(index, element) => {
            let default = random_within(store, *element, rng, depth)?;
            let mut array = ArrayValue::constant(store, *index, default)?;
            for _ in 0..rng.below(4) {
                let at = random_within(store, *index, rng, depth)?;
                let value = random_within(store, *element, rng, depth)?;
                array = array.with(store, at, value)?;
            }
            Some(Value::Array(Arc::new(array)))
        }
        Sort::Data(data) if depth > 0 => {
            let ctors = &store.data(*data).ctors;
            let ctor = *ctors.get(rng.below(ctors.len().max(1) as u64) as usize)?;
            let fields = &store.ctor(ctor).fields;
            let args: Option<Vec<Value>> = (fields.iter())
                .map(|(_, field)| random_within(store, *field, rng, depth - 1))
                .collect();
            Value::data(ctor, args?).or_else(|| Value::default_of(store, sort))
        }
        Sort::Data(_) | Sort::Uninterpreted(..) => Value::default_of(store, sort),
    }
}

/// A random word: a corner, a small number, a power of two, or anything.
fn random_word(width: u32, rng: &mut Rng) -> Bv {
    match rng.below(8) {
        0 => Bv::from_u64(width, 0),
        1 => Bv::ones(width),
        2 => Bv::from_u64(width, rng.below(8)),
        3 => Bv::from_u64(width, 1).shl(&Bv::from_u64(32, rng.below(u64::from(width)))),
        _ => {
            let mut word = Bv::from_u64(width.min(64), rng.next_u64());
            while word.width() < width {
                let more = (width - word.width()).min(64);
                word = word.concat(&Bv::from_u64(more, rng.next_u64()));
            }
            word
        }
    }
}

fn random_number(rng: &mut Rng) -> i64 {
    match rng.below(4) {
        0 => 0,
        1 => rng.below(5) as i64 - 2,
        2 => rng.below(33) as i64 - 16,
        _ => rng.below(2001) as i64 - 1000,
    }
}
