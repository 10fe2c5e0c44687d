//! Terms as gates: every operator on truth values, words and small arrays.
//!
//! Subterms are translated once, in dependency order, without recursion. What is not made of bits
//! (numbers, quantifiers, datatypes, declared functions) is an error that names it.

use super::aig::Aig;
use super::shape::bits_of;
use super::word::{self, Direction, Word};
use alphorn_problem::circuit::Lit;
use alphorn_term::{Op, Store, TermId};
use rustc_hash::FxHashMap;

/// The widest words that are multiplied or divided: the circuits grow with the square.
const MOST_PRODUCT: u32 = 1 << 10;
/// The most gates that are made.
const MOST_GATES: usize = 1 << 26;

/// A translation of the terms of one store into one graph.
pub struct Blaster<'a> {
    store: &'a Store,
    /// The gates so far.
    pub aig: Aig,
    known: FxHashMap<TermId, Word>,
}

impl<'a> Blaster<'a> {
    /// A translation that knows the literals of these variables.
    pub fn new(store: &'a Store, aig: Aig, variables: FxHashMap<TermId, Word>) -> Blaster<'a> {
        Blaster { store, aig, known: variables }
    }

    /// The literals of a term, lowest bit first, or why it has none.
    pub fn bits(&mut self, root: TermId) -> Result<Word, String> {
        let mut stack = vec![(root, false)];
        while let Some((term, ready)) = stack.pop() {
            if self.known.contains_key(&term) {
                continue;
            }
            let op = self.store.op(term);
            if matches!(op, Op::Forall | Op::Exists) {
                return Err("a quantifier is not made of bits".into());
            }
            if !ready && !self.store.args(term).is_empty() {
                stack.push((term, true));
                stack.extend(self.store.args(term).iter().map(|&arg| (arg, false)));
                continue;
            }
            let word = self.translate(term)?;
            debug_assert_eq!(Ok(word.len()), bits_of(self.store, self.store.sort(term)));
            self.known.insert(term, word);
            if self.aig.len() > MOST_GATES {
                return Err(format!("the circuit would have more than {MOST_GATES} gates"));
            }
        }
        Ok(self.known[&root].clone())
    }

    /// The literal of a formula.
    pub fn bit(&mut self, root: TermId) -> Result<Lit, String> {
        self.bits(root).map(|bits| bits[0])
    }

    fn translate(&mut self, term: TermId) -> Result<Word, String> {
        let store = self.store;
        let op = store.op(term);
        let args: Vec<Word> = store.args(term).iter().map(|arg| self.known[arg].clone()).collect();
        let aig = &mut self.aig;
        let one = |lit: Lit| vec![lit];
        Ok(match (op, &args[..]) {
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
            (Op::Store, [array, index, value]) => write(aig, array, index, value),
            (Op::ConstArray, [value]) => {
                let bits = bits_of(store, store.sort(term))?;
                value.iter().copied().cycle().take(bits).collect()
            }
            (Op::Var(_), _) => {
                let name = store.var_name(term).unwrap_or("?");
                return Err(format!("{name} is neither a state nor an input"));
            }
            (_, [a]) => unary(aig, op, a).ok_or_else(|| not_bits(store, term))?,
            (_, [a, b]) => {
                let squares = is_product(op) && a.len() > MOST_PRODUCT as usize;
                if squares {
                    return Err(format!("a product of {} bits is too large", a.len()));
                }
                binary(aig, op, a, b).ok_or_else(|| not_bits(store, term))?
            }
            _ => return Err(not_bits(store, term)),
        })
    }
}

fn not_bits(store: &Store, term: TermId) -> String {
    let sort = store.show_sort(store.sort(term));
    format!("a term of sort {sort} with root {:?} is not made of bits", store.op(term))
}

fn is_product(op: Op) -> bool {
    use Op::{BvMul, BvSdiv, BvSmod, BvSmulo, BvSrem, BvUdiv, BvUmulo, BvUrem};
    matches!(op, BvMul | BvUdiv | BvUrem | BvSdiv | BvSrem | BvSmod | BvUmulo | BvSmulo)
}

fn unary(aig: &mut Aig, op: Op, a: &[Lit]) -> Option<Word> {
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

fn binary(aig: &mut Aig, op: Op, a: &[Lit], b: &[Lit]) -> Option<Word> {
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
    let mut cells = array.to_vec();
    for &bit in index {
        let pairs = cells.chunks(2 * width);
        cells =
            pairs.flat_map(|pair| word::ite(aig, bit, &pair[width..], &pair[..width])).collect();
    }
    cells
}

/// The array with the cell that `index` points to replaced.
fn write(aig: &mut Aig, array: &[Lit], index: &[Lit], value: &[Lit]) -> Word {
    let mut written = Vec::with_capacity(array.len());
    for (at, cell) in array.chunks(value.len()).enumerate() {
        let digits = index.iter().enumerate().map(|(bit, &lit)| lit.xor(at >> bit & 1 == 0));
        let here = aig.all(digits);
        written.extend(word::ite(aig, here, value, cell));
    }
    written
}
