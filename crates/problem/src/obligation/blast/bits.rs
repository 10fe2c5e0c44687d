//! The bits of words in formulas, translated term by term as they are asked for.
//!
//! The bits of a word that an operator of words makes are gates over the bits of its arguments. All
//! other words (variables, values of functions, elements of arrays) are leaves: each of their bits is
//! an input of the graph. A comparison of words is one literal; a formula that is none and stands below
//! a word, the condition of an `ite`, is an input as well.
//!
//! Invariant: for every interpretation, the gates give a term's bits its value's bits where inputs
//! have those of theirs. Which gates there are depends on the terms alone, up to numbering: what was
//! translated before changes nothing (`Aig::and` looks at fan-ins without their order, and no
//! circuit of `word` at the order of literals).

use super::aig::Aig;
use super::gates::{MAX_GATES, MAX_PRODUCT, binary, operator_ticks, unary};
use super::word::{self, Word};
use crate::circuit::Lit;
use alphorn_term::{Int, Meter, Op, Sort, SortId, Store, TermId};
use rustc_hash::FxHashMap;

/// What an input of the graph stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Leaf {
    /// A bit of a word.
    Bit(TermId, u32),
    /// The truth of a formula.
    Truth(TermId),
}

/// How a term becomes bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nature {
    /// By the bits of its arguments.
    Operator,
    /// It is made of inputs.
    Leaf,
    /// It is made of inputs although it is an operator of words.
    Opaque,
}

/// The ticks of a bit that is an input: a gate, and what it stands for.
const LEAF: u64 = 16;

/// A translation of formulas over words into one graph.
#[derive(Clone, Debug)]
pub struct Bits {
    /// The gates so far.
    pub aig: Aig,
    literals: Vec<Lit>,
    rows: FxHashMap<TermId, (usize, usize)>,
    leaves: FxHashMap<u32, Leaf>,
    is_partial: bool,
}

impl Default for Bits {
    fn default() -> Bits {
        Bits {
            aig: Aig::new(0),
            literals: Vec::new(),
            rows: FxHashMap::default(),
            leaves: FxHashMap::default(),
            is_partial: false,
        }
    }
}

/// Whether a formula is a comparison of words.
pub fn is_atom(store: &Store, term: TermId) -> bool {
    if store.sort(term) != SortId::BOOL {
        return false;
    }
    let is_word = |arg: &TermId| store.width_of(store.sort(*arg)).is_some();
    match store.op(term) {
        Op::Eq => store.args(term).first().is_some_and(is_word),
        op => is_comparison(op),
    }
}

fn is_comparison(op: Op) -> bool {
    use Op::{
        BvNego, BvSaddo, BvSdivo, BvSle, BvSlt, BvSmulo, BvSsubo, BvUaddo, BvUle, BvUlt, BvUmulo,
        BvUsubo,
    };
    matches!(
        op,
        BvUlt
            | BvUle
            | BvSlt
            | BvSle
            | BvNego
            | BvUaddo
            | BvSaddo
            | BvUsubo
            | BvSsubo
            | BvUmulo
            | BvSmulo
            | BvSdivo
    )
}

/// The number that a word is, as the sum of its bits; the highest counts negative if it is signed.
pub fn number(store: &mut Store, word: TermId, is_signed: bool) -> TermId {
    let width = store.width(word);
    let (zero, one) = (store.int(0), store.int(1));
    let mut weight = Int::ONE;
    let mut summands = Vec::with_capacity(width as usize);
    for bit in 0..width {
        let digit = store.mk(Op::Extract(bit, bit), &[word]);
        let is_one = store.bv_to_bool(digit);
        let digit = store.ite(is_one, one, zero);
        let is_negative = is_signed && bit + 1 == width;
        let factor = store.int(if is_negative { -weight.clone() } else { weight.clone() });
        summands.push(store.mul(&[factor, digit]));
        weight = &weight + &weight;
    }
    match summands[..] {
        [only] => only,
        _ => store.add(&summands),
    }
}

/// How a term becomes bits: a word or a formula.
pub fn nature(store: &Store, term: TermId) -> Nature {
    let op = store.op(term);
    if op.is_product() && store.width(store.args(term)[0]) as usize > MAX_PRODUCT {
        return Nature::Opaque;
    }
    let is_operator = match store.sort_of(store.sort(term)) {
        Sort::Bool => matches!(op, Op::True | Op::False | Op::Not) || is_atom(store, term),
        _ => !matches!(op, Op::Var(_) | Op::Apply(_) | Op::Select | Op::Field(..) | Op::IntToBv(_)),
    };
    if is_operator { Nature::Operator } else { Nature::Leaf }
}

impl Bits {
    /// The literals of a term, lowest bit first; one literal for a formula.
    ///
    /// There is an error where the graph would be too large.
    pub fn of(&mut self, store: &Store, root: TermId) -> Result<&[Lit], String> {
        self.of_within(store, root, &Meter::unlimited())
    }

    /// `of`, where what is made is counted on a meter before it is made.
    pub fn of_within(
        &mut self,
        store: &Store,
        root: TermId,
        meter: &Meter,
    ) -> Result<&[Lit], String> {
        let mut stack = vec![(root, false)];
        while let Some((term, is_ready)) = stack.pop() {
            if self.rows.contains_key(&term) {
                continue;
            }
            let nature = nature(store, term);
            meter.spend(match (nature, is_ready) {
                (Nature::Operator, false) => 1 + store.args(term).len() as u64,
                (Nature::Operator, true) => operator_ticks(store, term),
                _ => LEAF * (1 + u64::from(store.width(term))),
            })?;
            match (nature, is_ready) {
                (Nature::Operator, false) => {
                    stack.push((term, true));
                    stack.extend(store.args(term).iter().rev().map(|arg| (*arg, false)));
                }
                (Nature::Operator, true) => {
                    let row = self.gates(store, term)?;
                    self.set(term, &row);
                }
                _ => self.make_leaf(store, term, nature),
            }
            if self.aig.len() > MAX_GATES {
                return Err(format!("the circuit would have more than {MAX_GATES} gates"));
            }
        }
        self.known(root).ok_or_else(|| "the term is neither a word nor a formula".to_owned())
    }

    /// The literals of a term that was translated.
    pub fn known(&self, term: TermId) -> Option<&[Lit]> {
        let &(start, count) = self.rows.get(&term)?;
        Some(&self.literals[start..start + count])
    }

    /// The terms that were translated, in no order.
    pub fn terms(&self) -> impl Iterator<Item = TermId> + '_ {
        self.rows.keys().copied()
    }

    /// What a variable of the graph stands for that is an input.
    pub fn leaf(&self, var: u32) -> Option<Leaf> {
        self.leaves.get(&var).copied()
    }

    /// Whether some operator of words was taken for a leaf, as its circuit would be too large.
    pub fn is_partial(&self) -> bool {
        self.is_partial
    }

    fn set(&mut self, term: TermId, row: &[Lit]) {
        self.rows.insert(term, (self.literals.len(), row.len()));
        self.literals.extend(row);
    }

    fn make_leaf(&mut self, store: &Store, term: TermId, nature: Nature) {
        self.is_partial |= nature == Nature::Opaque;
        let start = self.literals.len();
        let width = store.width_of(store.sort(term));
        for bit in 0..width.unwrap_or(1) {
            let lit = self.aig.leaf();
            let leaf = if width.is_some() { Leaf::Bit(term, bit) } else { Leaf::Truth(term) };
            self.leaves.insert(lit.var(), leaf);
            self.literals.push(lit);
        }
        self.rows.insert(term, (start, self.literals.len() - start));
    }

    /// The bits of an operator whose arguments were translated.
    fn gates(&mut self, store: &Store, term: TermId) -> Result<Word, String> {
        let (op, args) = (store.op(term), store.args(term));
        let row = |index: usize| -> Result<&[Lit], String> {
            let row = args.get(index).and_then(|arg| self.rows.get(arg));
            let &(start, count) = row.ok_or_else(|| "an argument has no bits".to_owned())?;
            Ok(&self.literals[start..start + count])
        };
        let aig = &mut self.aig;
        let made = match (op, args.len()) {
            (Op::True, _) => Some(vec![Lit::TRUE]),
            (Op::False, _) => Some(vec![Lit::FALSE]),
            (Op::BvVal(_), _) => store.bv_value(term).map(|value| {
                (0..value.width()).map(|bit| Lit(u32::from(value.bit(bit)))).collect()
            }),
            (Op::Not, 1) => Some(word::not(row(0)?)),
            (Op::Eq, 2) => Some(vec![word::equal(aig, row(0)?, row(1)?)]),
            (Op::Ite, 3) => Some(word::ite(aig, row(0)?[0], row(1)?, row(2)?)),
            (_, 1) => unary(aig, op, row(0)?),
            (_, 2) => binary(aig, op, row(0)?, row(1)?),
            _ => None,
        };
        made.ok_or_else(|| format!("{op:?} is not an operator of words"))
    }
}
