//! Terms as gates: every operator on truth values, words and arrays.
//!
//! Terms are translated once, arguments first. What is not made of bits (numbers, quantifiers,
//! datatypes, declared functions) is an error that names it. A term whose value the bits of its
//! arguments do not determine is *open*: a cell that is read from an array of which only some cells
//! are followed, or whether two such arrays are equal. It gets inputs that say what the bits do not.
//!
//! Invariant: for all values of a term's variables there are values of its open subterms' inputs
//! under which the gates give the bits of the term's value.

mod ticks;

use super::aig::Aig;
use super::shape::{Cells, Shape};
use super::word;
use super::word::{Direction, Word};
use crate::circuit::Lit;
use alphorn_term::{Meter, Op, Store, TermId};
use ticks::array_ticks;
#[cfg(test)]
pub(super) use ticks::operator_gates;
pub(super) use ticks::operator_ticks;
pub use ticks::{arrays_ticks, words_ticks};

/// The widest words that are multiplied or divided: the circuits grow with the square.
pub(super) const MAX_PRODUCT: usize = 1 << 10;
/// The most gates that are made.
pub const MAX_GATES: usize = 1 << 24;

/// Where the literals of a term are.
type Place = Option<(usize, usize)>;

/// A translation of the terms of one store into one graph.
pub struct Blaster<'a> {
    store: &'a Store,
    shape: &'a Shape<'a>,
    /// The literals of the addresses that are followed in large arrays.
    addresses: Vec<Word>,
    /// The gates so far.
    pub aig: Aig,
    literals: Vec<Lit>,
    places: Vec<Place>,
    /// The inputs of open terms.
    open: Vec<Place>,
}

impl<'a> Blaster<'a> {
    /// A translation into a graph over `leaves` inputs and latches.
    pub fn new(store: &'a Store, shape: &'a Shape<'a>, leaves: u32) -> Blaster<'a> {
        Blaster {
            store,
            shape,
            addresses: Vec::new(),
            aig: Aig::new(leaves),
            literals: Vec::new(),
            places: vec![None; store.len()],
            open: vec![None; store.len()],
        }
    }

    /// Says which literals a variable has.
    pub fn set(&mut self, variable: TermId, word: &[Lit]) {
        self.places[variable.index()] = Some((self.literals.len(), word.len()));
        self.literals.extend(word);
    }

    /// Says which literals an open term has besides what is known of it.
    pub fn set_open(&mut self, term: TermId, word: &[Lit]) {
        self.open[term.index()] = Some((self.literals.len(), word.len()));
        self.literals.extend(word);
    }

    /// Says which literals the followed addresses have.
    pub fn set_addresses(&mut self, addresses: Vec<Word>) {
        self.addresses = addresses;
    }

    /// The literals of a term that was translated, lowest bit first.
    pub fn bits(&self, term: TermId) -> Option<&[Lit]> {
        let (start, count) = self.places[term.index()]?;
        Some(&self.literals[start..start + count])
    }

    /// Translates terms, which come after their arguments, or says what is not made of bits.
    pub fn translate(&mut self, terms: &[TermId]) -> Result<(), String> {
        self.translate_within(terms, &Meter::unlimited())
    }

    /// `translate`, where what is made is counted on a meter before it is made.
    pub fn translate_within(&mut self, terms: &[TermId], meter: &Meter) -> Result<(), String> {
        for &term in terms {
            if self.places[term.index()].is_some() {
                continue;
            }
            meter.spend(array_ticks(self.store, self.shape, term)?)?;
            meter.spend(operator_ticks(self.store, term))?;
            let word = self.gates(term)?;
            debug_assert_eq!(Ok(word.len()), self.shape.bits(self.store.sort(term)));
            self.set(term, &word);
            if self.aig.len() > MAX_GATES {
                return Err(format!("the circuit would have more than {MAX_GATES} gates"));
            }
        }
        Ok(())
    }

    fn gates(&mut self, term: TermId) -> Result<Word, String> {
        let (store, op) = (self.store, self.store.op(term));
        match op {
            Op::Forall | Op::Exists => return Err("a quantifier is not made of bits".into()),
            Op::Var(_) => {
                let name = store.var_name(term).unwrap_or("?");
                return Err(format!("{name} is neither a state nor an input"));
            }
            _ => {}
        }
        let mut args: Vec<Word> = Vec::with_capacity(store.args(term).len());
        for &arg in store.args(term) {
            args.push(self.bits(arg).ok_or_else(|| not_bits(store, arg))?.to_vec());
        }
        if is_open(store, self.shape, term) {
            return self.partly_known(term, &args);
        }
        match op {
            Op::Store => return self.written(term, &args),
            Op::ConstArray => {
                let cells = self.shape.cells(store.sort(term))?.count();
                return Ok(args[0].repeat(cells));
            }
            _ => {}
        }
        self.determined(term, &args)
    }

    /// A term whose bits follow from those of its arguments, cell by cell for arrays.
    fn determined(&mut self, term: TermId, args: &[Word]) -> Result<Word, String> {
        let (store, op) = (self.store, self.store.op(term));
        let aig = &mut self.aig;
        let one = |lit: Lit| vec![lit];
        Ok(match (op, args) {
            (Op::True, _) => one(Lit::TRUE),
            (Op::False, _) => one(Lit::FALSE),
            (Op::BvVal(_), _) => {
                let value = store.bv_value(term).expect("a word literal has a value");
                (0..value.width()).map(|bit| Lit(u32::from(value.bit(bit)))).collect()
            }
            (Op::Not, [a]) => word::not(a),
            (Op::And, _) => one(aig.all(args.iter().map(|arg| arg[0]))),
            (Op::Or, _) => one(aig.any(args.iter().map(|arg| arg[0]))),
            (Op::Eq, [a, b]) => one(word::equal(aig, a, b)),
            (Op::Distinct, _) => {
                let mut distinct = Lit::TRUE;
                for (index, a) in args.iter().enumerate() {
                    for b in &args[..index] {
                        let same = word::equal(aig, a, b);
                        distinct = aig.and(distinct, !same);
                    }
                }
                one(distinct)
            }
            (Op::Ite, [condition, a, b]) => word::ite(aig, condition[0], a, b),
            (Op::Select, [array, index]) => select(aig, array, index),
            (_, [a]) => unary(aig, op, a).ok_or_else(|| not_bits(store, term))?,
            (_, [a, b]) => {
                if op.is_product() && a.len() > MAX_PRODUCT {
                    return Err(format!("a product of {} bits is too large", a.len()));
                }
                binary(aig, op, a, b).ok_or_else(|| not_bits(store, term))?
            }
            _ => return Err(not_bits(store, term)),
        })
    }

    /// The array with the cell that an index points to replaced.
    fn written(&mut self, term: TermId, args: &[Word]) -> Result<Word, String> {
        let [array, index, value] = args else { return Err(not_bits(self.store, term)) };
        let aig = &mut self.aig;
        let mut written = Vec::with_capacity(array.len());
        let cells = self.shape.cells(self.store.sort(term))?;
        for at in 0..cells.count() {
            let here = match &cells {
                Cells::All(_) => {
                    let digits = index.iter().enumerate();
                    aig.all(digits.map(|(bit, &lit)| lit.xor(at >> bit & 1 == 0)))
                }
                Cells::At(places) => word::equal(aig, index, &self.addresses[places[at]]),
            };
            let cell = &array[at * value.len()..(at + 1) * value.len()];
            written.extend(word::ite(aig, here, value, cell));
        }
        Ok(written)
    }

    /// An open term: what the bits of its arguments say of it, and its inputs where they do not.
    fn partly_known(&mut self, term: TermId, args: &[Word]) -> Result<Word, String> {
        let store = self.store;
        let (start, count) = self.open[term.index()]
            .ok_or_else(|| "the value of a term is open, and it has no inputs".to_owned())?;
        let chosen = self.literals[start..start + count].to_vec();
        let aig = &mut self.aig;
        match (store.op(term), args) {
            (Op::Eq, [a, b]) => {
                let same = word::equal(aig, a, b);
                Ok(vec![aig.and(same, chosen[0])])
            }
            (Op::Select, [array, index]) => {
                let Cells::At(places) = self.shape.cells(store.sort(store.args(term)[0]))? else {
                    return Ok(chosen);
                };
                let mut read = chosen;
                for (at, &place) in places.iter().enumerate().rev() {
                    let here = word::equal(aig, index, &self.addresses[place]);
                    let cell = &array[at * read.len()..(at + 1) * read.len()];
                    read = word::ite(aig, here, cell, &read);
                }
                Ok(read)
            }
            _ => Ok(chosen),
        }
    }
}

/// Whether a term's bits do not follow from those of its arguments.
pub(super) fn is_open(store: &Store, shape: &Shape<'_>, term: TermId) -> bool {
    let whole = |arg: &TermId| shape.is_whole(store.sort(*arg));
    match store.op(term) {
        Op::Eq | Op::Distinct => !store.args(term).iter().all(whole),
        Op::Select => !matches!(shape.cells(store.sort(store.args(term)[0])), Ok(Cells::All(_))),
        _ => false,
    }
}

fn not_bits(store: &Store, term: TermId) -> String {
    let sort = store.show_sort(store.sort(term));
    format!("a term of sort {sort} with root {:?} is not made of bits", store.op(term))
}

pub(super) fn unary(aig: &mut Aig, op: Op, a: &[Lit]) -> Option<Word> {
    Some(match op {
        Op::Extract(high, low) => a[low as usize..=high as usize].to_vec(),
        Op::BvNot => word::not(a),
        Op::BvNeg => word::negate(aig, a),
        Op::Repeat(times) => a.repeat(times as usize),
        Op::ZeroExtend(by) => [a, &vec![Lit::FALSE; by as usize]].concat(),
        Op::SignExtend(by) => [a, &vec![word::sign(a); by as usize]].concat(),
        Op::BvNego => vec![word::is_smallest(aig, a)],
        _ => return None,
    })
}

pub(super) fn binary(aig: &mut Aig, op: Op, a: &[Lit], b: &[Lit]) -> Option<Word> {
    let (left, right) = (Direction::Left, Direction::Right);
    Some(match op {
        Op::Concat => [b, a].concat(),
        Op::BvAnd => word::bitwise(aig, a, b, Aig::and),
        Op::BvOr => word::bitwise(aig, a, b, Aig::or),
        Op::BvXor => word::bitwise(aig, a, b, Aig::xor),
        Op::BvAdd => word::add(aig, a, b, Lit::FALSE).0,
        Op::BvSub => word::subtract(aig, a, b).0,
        Op::BvMul => word::multiply(aig, a, b),
        Op::BvUdiv => word::divide(aig, a, b).0,
        Op::BvUrem => word::divide(aig, a, b).1,
        Op::BvSdiv => word::signed_quotient(aig, a, b),
        Op::BvSrem => word::signed_remainder(aig, a, b),
        Op::BvSmod => word::signed_modulo(aig, a, b),
        Op::BvShl => word::shift(aig, a, b, left, Lit::FALSE),
        Op::BvLshr => word::shift(aig, a, b, right, Lit::FALSE),
        Op::BvAshr => word::shift(aig, a, b, right, word::sign(a)),
        Op::BvUlt => vec![word::less(aig, a, b)],
        Op::BvUle => vec![!word::less(aig, b, a)],
        Op::BvSlt => vec![word::signed_less(aig, a, b)],
        Op::BvSle => vec![!word::signed_less(aig, b, a)],
        Op::BvUaddo => vec![word::add(aig, a, b, Lit::FALSE).1],
        Op::BvSaddo => vec![word::signed_sum_overflows(aig, a, b)],
        Op::BvUsubo => vec![word::less(aig, a, b)],
        Op::BvSsubo => vec![word::signed_difference_overflows(aig, a, b)],
        Op::BvUmulo => vec![word::product_overflows(aig, a, b, false)],
        Op::BvSmulo => vec![word::product_overflows(aig, a, b, true)],
        Op::BvSdivo => {
            let (smallest, ones) = (word::is_smallest(aig, a), aig.all(b.iter().copied()));
            vec![aig.and(smallest, ones)]
        }
        _ => return None,
    })
}

/// The cell that `index` points to: a tree of choices, the lowest bit of the index first.
fn select(aig: &mut Aig, array: &[Lit], index: &[Lit]) -> Word {
    let width = array.len() >> index.len();
    if width == 0 {
        // The elements are large arrays of which no cell is followed.
        return Vec::new();
    }
    let mut cells = array.to_vec();
    for &bit in index {
        let pairs = cells.chunks(2 * width);
        cells =
            pairs.flat_map(|pair| word::ite(aig, bit, &pair[width..], &pair[..width])).collect();
    }
    cells
}
