//! How values look as rows of bits: words lowest bit first, arrays cell by cell.
//!
//! Truth values take one bit. An array takes the bits of its elements one after another, in the
//! order of the indices read as numbers; there must not be too many of either.

use alphorn_term::value::ArrayValue;
use alphorn_term::{Bv, Sort, SortId, Store, Value};
use std::sync::Arc;

/// The most bits an index of an expanded array may have: such arrays have up to 1,024 cells.
pub const MOST_INDEX_BITS: usize = 10;
/// The most bits an expanded array may have.
pub const MOST_ARRAY_BITS: usize = 1 << 16;

/// The number of bits of a sort, or why it has none.
pub fn bits_of(store: &Store, sort: SortId) -> Result<usize, String> {
    match store.sort_of(sort) {
        Sort::Bool => Ok(1),
        Sort::BitVec(width) => Ok(*width as usize),
        Sort::Array(index, element) => {
            let (index, element) = (index_bits(store, *index)?, bits_of(store, *element)?);
            if index > MOST_INDEX_BITS || element << index > MOST_ARRAY_BITS {
                let sort = store.show_sort(sort);
                return Err(format!("arrays of sort {sort} are too large to expand into bits"));
            }
            Ok(element << index)
        }
        _ => Err(format!("values of sort {} are not made of bits", store.show_sort(sort))),
    }
}

/// The number of bits of a sort of indices.
fn index_bits(store: &Store, sort: SortId) -> Result<usize, String> {
    match store.sort_of(sort) {
        Sort::Bool => Ok(1),
        Sort::BitVec(width) => Ok(*width as usize),
        _ => Err(format!("indices of sort {} are not made of bits", store.show_sort(sort))),
    }
}

/// The value of a sort that has these bits.
pub fn value_of(store: &Store, sort: SortId, bits: &[bool]) -> Option<Value> {
    match store.sort_of(sort) {
        Sort::Bool => Some(Value::Bool(*bits.first()?)),
        Sort::BitVec(_) => word_of(bits).map(Value::Bv),
        Sort::Array(index, element) => {
            let (index, element) = (*index, *element);
            let cells = 1usize << index_bits(store, index).ok()?;
            let width = bits.len() / cells;
            let cell = |at: usize| value_of(store, element, &bits[at * width..(at + 1) * width]);
            let mut array = ArrayValue::constant(store, index, cell(0)?)?;
            let at_bits = index_bits(store, index).ok()?;
            for at in 1..cells {
                let digits: Vec<bool> = (0..at_bits).map(|bit| at >> bit & 1 == 1).collect();
                array = array.with(store, value_of(store, index, &digits)?, cell(at)?)?;
            }
            Some(Value::Array(Arc::new(array)))
        }
        _ => None,
    }
}

/// The bits of a value of a sort that `bits_of` knows.
pub fn bits_of_value(store: &Store, sort: SortId, value: &Value) -> Option<Vec<bool>> {
    match (value, store.sort_of(sort)) {
        (Value::Bool(value), Sort::Bool) => Some(vec![*value]),
        (Value::Bv(word), Sort::BitVec(_)) => {
            Some((0..word.width()).map(|b| word.bit(b)).collect())
        }
        (Value::Array(array), Sort::Array(index, element)) => {
            let at_bits = index_bits(store, *index).ok()?;
            let mut bits = Vec::new();
            for at in 0..1usize << at_bits {
                let digits: Vec<bool> = (0..at_bits).map(|bit| at >> bit & 1 == 1).collect();
                let at = value_of(store, *index, &digits)?;
                bits.extend(bits_of_value(store, *element, array.at(&at))?);
            }
            Some(bits)
        }
        _ => None,
    }
}

fn word_of(bits: &[bool]) -> Option<Bv> {
    let digits: Vec<u8> = bits.iter().rev().map(|&bit| b'0' + u8::from(bit)).collect();
    Bv::parse_binary(&digits)
}

/// The name of bit `index` of a variable called `name`.
pub fn bit_name(store: &Store, sort: SortId, name: &str, index: usize) -> String {
    match store.sort_of(sort) {
        Sort::Array(_, element) => {
            let width = bits_of(store, *element).unwrap_or(1).max(1);
            bit_name(store, *element, &format!("{name}[{}]", index / width), index % width)
        }
        Sort::Bool => name.to_owned(),
        _ => format!("{name}[{index}]"),
    }
}
