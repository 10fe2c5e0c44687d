//! How values look as rows of bits: words lowest bit first, arrays cell by cell.
//!
//! Truth values take one bit. A small array takes the bits of its elements one after another, in the
//! order of the indices read as numbers. Of an array that is too large for that, the cells at some
//! addresses are followed, in the order of the addresses, and the bits say nothing of the others.
//!
//! Invariant: the number of bits depends on the sort and the sorts of the addresses alone.

use alphorn_term::value::ArrayValue;
use alphorn_term::{Bv, Sort, SortId, Store, Value};
use std::sync::Arc;

/// The most bits an index of an expanded array may have: such arrays have up to 1,024 cells.
pub const MAX_INDEX_BITS: usize = 10;
/// The most bits an expanded array may have.
pub const MAX_ARRAY_BITS: usize = 1 << 16;
/// The most bits a value may have.
const MAX_BITS: usize = 1 << 28;

/// The shapes of a store's values.
#[derive(Clone, Debug)]
pub struct Shape<'a> {
    store: &'a Store,
    /// The sorts of the addresses whose cells are followed in large arrays, where they are known.
    addresses: Vec<Option<SortId>>,
    /// Of each sort, how many bits its values have and whether these say everything; none if the
    /// values are not made of bits.
    known: Vec<Option<Known>>,
}

/// What is known of the values of a sort.
#[derive(Clone, Copy, Debug)]
struct Known {
    bits: usize,
    is_whole: bool,
}

/// The cells of an array that its bits speak of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cells {
    /// All, of a small array with this many bits of index.
    All(usize),
    /// Those at the addresses with these positions.
    At(Vec<usize>),
}

impl Cells {
    /// How many cells there are.
    pub fn count(&self) -> usize {
        match self {
            Cells::All(index) => 1 << index,
            Cells::At(addresses) => addresses.len(),
        }
    }
}

impl<'a> Shape<'a> {
    /// The shapes of values where large arrays are followed at addresses of these sorts.
    pub fn new(store: &'a Store, addresses: Vec<Option<SortId>>) -> Shape<'a> {
        let mut shape = Shape { store, addresses, known: Vec::new() };
        // A sort is made after those it is made of, so one pass meets each once, however they nest.
        for sort in store.sorts() {
            let known = shape.find_out(sort);
            shape.known.push(known);
        }
        shape
    }

    fn find_out(&self, sort: SortId) -> Option<Known> {
        match self.store.sort_of(sort) {
            Sort::Bool => Some(Known { bits: 1, is_whole: true }),
            Sort::BitVec(width) => Some(Known { bits: *width as usize, is_whole: true }),
            Sort::Array(_, element) => {
                let element = self.known(*element)?;
                let cells = self.cells(sort).ok()?;
                let bits = cells.count().saturating_mul(element.bits);
                let is_whole = matches!(cells, Cells::All(_)) && element.is_whole;
                (bits <= MAX_BITS).then_some(Known { bits, is_whole })
            }
            _ => None,
        }
    }

    fn known(&self, sort: SortId) -> Option<Known> {
        self.known.get(sort.index()).copied().flatten()
    }

    /// The number of bits of a sort, or why it has none.
    pub fn bits(&self, sort: SortId) -> Result<usize, String> {
        match self.known(sort) {
            Some(known) => Ok(known.bits),
            None => Err(self.no_bits(sort)),
        }
    }

    /// Why the values of a sort have no bits.
    fn no_bits(&self, sort: SortId) -> String {
        let mut inner = sort;
        while let Sort::Array(index, element) = self.store.sort_of(inner) {
            if let Err(reason) = index_bits(self.store, *index) {
                return reason;
            }
            if self.known(*element).is_some() {
                return format!("{} has too many bits", self.store.show_sort(inner));
            }
            inner = *element;
        }
        format!("values of sort {} are not made of bits", self.store.show_sort(inner))
    }

    /// The cells that the bits of a sort of arrays speak of.
    pub fn cells(&self, sort: SortId) -> Result<Cells, String> {
        let Sort::Array(index, element) = self.store.sort_of(sort) else {
            return Err(format!("{} is not a sort of arrays", self.store.show_sort(sort)));
        };
        let width = index_bits(self.store, *index)?;
        if width <= MAX_INDEX_BITS && self.bits(*element)? << width <= MAX_ARRAY_BITS {
            return Ok(Cells::All(width));
        }
        let addresses = (0..self.addresses.len()).filter(|&at| self.addresses[at] == Some(*index));
        Ok(Cells::At(addresses.collect()))
    }

    /// Whether the bits of a sort say everything about its values.
    pub fn is_whole(&self, sort: SortId) -> bool {
        match self.store.sort_of(sort) {
            Sort::Array(..) => self.known(sort).is_some_and(|known| known.is_whole),
            _ => true,
        }
    }

    /// A value of a sort that has these bits, where the addresses have these values.
    pub fn value(&self, sort: SortId, bits: &[bool], addresses: &[Value]) -> Option<Value> {
        let store = self.store;
        match store.sort_of(sort) {
            Sort::Bool => Some(Value::Bool(*bits.first()?)),
            Sort::BitVec(_) => word_of(bits).map(Value::Bv),
            Sort::Array(index, element) => {
                let (index, element) = (*index, *element);
                let width = self.bits(element).ok()?;
                let cell = |at: usize| {
                    self.value(element, bits.get(at * width..(at + 1) * width)?, addresses)
                };
                let mut array = ArrayValue::constant(
                    store,
                    index,
                    match self.cells(sort).ok()? {
                        Cells::All(_) => cell(0)?,
                        Cells::At(_) => Value::default_of(store, element)?,
                    },
                )?;
                match self.cells(sort).ok()? {
                    Cells::All(width) => {
                        for at in 1..1 << width {
                            let index = self.value(index, &digits(at, width), addresses)?;
                            array = array.with(store, index, cell(at)?)?;
                        }
                    }
                    Cells::At(places) => {
                        // Where addresses agree, the first counts, as for those who read.
                        for (at, &place) in places.iter().enumerate().rev() {
                            array = array.with(store, addresses.get(place)?.clone(), cell(at)?)?;
                        }
                    }
                }
                Some(Value::Array(Arc::new(array)))
            }
            _ => None,
        }
    }

    /// The bits of a value of a sort, where the addresses have these values.
    pub fn bits_of(&self, sort: SortId, value: &Value, addresses: &[Value]) -> Option<Vec<bool>> {
        match (value, self.store.sort_of(sort)) {
            (Value::Bool(value), Sort::Bool) => Some(vec![*value]),
            (Value::Bv(word), Sort::BitVec(_)) => {
                Some((0..word.width()).map(|b| word.bit(b)).collect())
            }
            (Value::Array(array), Sort::Array(index, element)) => {
                let cells: Option<Vec<Value>> = match self.cells(sort).ok()? {
                    Cells::All(width) => (0..1 << width)
                        .map(|at| self.value(*index, &digits(at, width), addresses))
                        .collect(),
                    Cells::At(places) => {
                        places.into_iter().map(|place| addresses.get(place).cloned()).collect()
                    }
                };
                let mut bits = Vec::new();
                for at in cells? {
                    bits.extend(self.bits_of(*element, array.at(&at), addresses)?);
                }
                Some(bits)
            }
            _ => None,
        }
    }

    /// The name of bit `index` of a variable called `name`, where the addresses are called so.
    pub fn bit_name(&self, sort: SortId, name: &str, index: usize, addresses: &[String]) -> String {
        match self.store.sort_of(sort) {
            Sort::Array(_, element) => {
                let width = self.bits(*element).unwrap_or(1).max(1);
                let cell = match self.cells(sort) {
                    Ok(Cells::At(places)) => {
                        let place = places.get(index / width).copied();
                        place.and_then(|place| addresses.get(place).cloned()).unwrap_or_default()
                    }
                    _ => (index / width).to_string(),
                };
                self.bit_name(*element, &format!("{name}[{cell}]"), index % width, addresses)
            }
            Sort::Bool | Sort::BitVec(1) => name.to_owned(),
            _ => format!("{name}[{index}]"),
        }
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

fn digits(number: usize, width: usize) -> Vec<bool> {
    (0..width).map(|bit| number >> bit & 1 == 1).collect()
}

fn word_of(bits: &[bool]) -> Option<Bv> {
    let digits: Vec<u8> = bits.iter().rev().map(|&bit| b'0' + u8::from(bit)).collect();
    Bv::parse_binary(&digits)
}
