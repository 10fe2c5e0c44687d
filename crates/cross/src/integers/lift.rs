//! Formulas over integers that stand for words, as formulas over the words.
//!
//! Each comparison is done with words as wide as its sums need, so that none of them overflows: the
//! bounds of all parts follow from the widths of the words they are made of. A comparison of a word
//! with a constant keeps the word's width.
//!
//! Invariant: the result has the value that the formula has for the integers of the words.

use alphorn_engine::Lost;
use alphorn_term::{Bv, Int, Op, SortId, Store, TermId};
use rustc_hash::FxHashMap;

/// The widest words that are made.
const MAX_WIDTH: u32 = 1_024;

/// A formula over the first variables of pairs as one over the second.
pub(super) fn lift(
    store: &mut Store,
    formula: TermId,
    pairs: impl Iterator<Item = (TermId, TermId)>,
    is_signed: bool,
) -> Result<TermId, Lost> {
    let words = pairs.collect();
    let mut lift = Lift { store, words, is_signed, done: FxHashMap::default() };
    lift.formula(formula)
}

struct Lift<'a> {
    store: &'a mut Store,
    /// The words, or truth values, of variables.
    words: FxHashMap<TermId, TermId>,
    is_signed: bool,
    done: FxHashMap<TermId, TermId>,
}

/// The least and the greatest value of an integer term.
type Bounds = (Int, Int);

fn lost(text: &str) -> Lost {
    Lost(text.to_owned())
}

impl Lift<'_> {
    fn formula(&mut self, root: TermId) -> Result<TermId, Lost> {
        let mut stack = vec![(root, false)];
        while let Some((term, ready)) = stack.pop() {
            if self.done.contains_key(&term) {
                continue;
            }
            let args = self.store.args(term).to_vec();
            let is_atom = args.iter().any(|&arg| self.store.sort(arg) == SortId::INT);
            if !ready && !is_atom {
                stack.push((term, true));
                stack.extend(args.iter().rev().map(|&arg| (arg, false)));
                continue;
            }
            let result = if is_atom {
                self.comparison(term)?
            } else if args.is_empty() {
                self.words.get(&term).copied().unwrap_or(term)
            } else {
                let args: Vec<TermId> = args.iter().map(|arg| self.done[arg]).collect();
                self.store.mk(self.store.op(term), &args)
            };
            self.done.insert(term, result);
        }
        Ok(self.done[&root])
    }

    fn comparison(&mut self, term: TermId) -> Result<TermId, Lost> {
        let args = self.store.args(term).to_vec();
        let op = match self.store.op(term) {
            Op::Le => Op::BvSle,
            Op::Lt => Op::BvSlt,
            op @ (Op::Eq | Op::Distinct) => op,
            _ => return Err(lost("a comparison of integers has no counterpart over words")),
        };
        // Conditions inside of terms are formulas of their own.
        let parts = self.store.subterms(&args);
        for &part in &parts {
            if self.store.op(part) == Op::Ite {
                let condition = self.store.args(part)[0];
                self.formula(condition)?;
            }
        }
        let parts: Vec<TermId> =
            parts.into_iter().filter(|&part| self.store.sort(part) == SortId::INT).collect();
        let mut bounds: FxHashMap<TermId, Bounds> = FxHashMap::default();
        let mut width = 1;
        for &part in &parts {
            let found = self.bounds(part, &bounds)?;
            width = width.max(width_of(&found.0)).max(width_of(&found.1));
            bounds.insert(part, found);
        }
        if width > MAX_WIDTH {
            return Err(lost("a comparison of integers needs words that are too wide"));
        }
        let mut words: FxHashMap<TermId, TermId> = FxHashMap::default();
        for &part in &parts {
            let word = self.word(part, width, &words)?;
            words.insert(part, word);
        }
        let args: Vec<TermId> = args.iter().map(|arg| words[arg]).collect();
        Ok(self.store.mk(op, &args))
    }

    /// The bounds of a term, and of what is computed on the way, from those of its parts.
    fn bounds(&self, term: TermId, known: &FxHashMap<TermId, Bounds>) -> Result<Bounds, Lost> {
        let args = self.store.args(term);
        let of = |at: usize| &known[&args[at]];
        Ok(match self.store.op(term) {
            Op::IntVal(_) => {
                let value = self.store.int_value(term).expect("a literal has a value").clone();
                (value.clone(), value)
            }
            Op::Var(_) => {
                let word = self.words.get(&term).ok_or_else(|| lost("a variable is no word"))?;
                let width = self.store.width(*word);
                if width == 0 {
                    return Err(lost("a variable is no word"));
                }
                let half = Int::from(2).pow(width - 1);
                match self.is_signed {
                    true => (-half.clone(), half - Int::ONE),
                    false => (Int::ZERO, half * Int::from(2) - Int::ONE),
                }
            }
            Op::Add => {
                // Partial sums, too, must fit.
                let (mut least, mut most) = (Int::ZERO, Int::ZERO);
                for arg in args {
                    let (low, high) = &known[arg];
                    least += low.clone().min(Int::ZERO);
                    most += high.clone().max(Int::ZERO);
                }
                (least, most)
            }
            Op::Mul => {
                let mut product = of(0).clone();
                for arg in &args[1..] {
                    product = times(&product, &known[arg]);
                }
                product
            }
            Op::Ite => {
                let (then, otherwise) = (of(1), of(2));
                let least = then.0.clone().min(otherwise.0.clone());
                (least, then.1.clone().max(otherwise.1.clone()))
            }
            Op::IntDiv | Op::Mod => {
                let divisor = self.divisor(args[1])?;
                let (low, high) = of(0).clone();
                // The divisor itself is a word, and so is the dividend.
                (low.min(-divisor.clone()), high.max(divisor))
            }
            Op::Abs => {
                let (low, high) = of(0).clone();
                let most = low.abs().max(high.abs());
                (-most.clone(), most)
            }
            _ => return Err(lost("a term over integers has no counterpart over words")),
        })
    }

    fn divisor(&self, term: TermId) -> Result<Int, Lost> {
        let value = self.store.int_value(term).filter(|value| value.is_positive());
        value.cloned().ok_or_else(|| lost("a divisor is not a positive number"))
    }

    /// The word of this width that a term is, from those of its parts.
    fn word(
        &mut self,
        term: TermId,
        width: u32,
        known: &FxHashMap<TermId, TermId>,
    ) -> Result<TermId, Lost> {
        let args = self.store.args(term).to_vec();
        let parts = || args.iter().map(|arg| known[arg]);
        Ok(match self.store.op(term) {
            Op::IntVal(_) => {
                let value = self.store.int_value(term).expect("a literal has a value");
                let word = Bv::from_int(width, value);
                self.store.bv(word)
            }
            Op::Var(_) => {
                let word = self.words[&term];
                let more = width - self.store.width(word);
                match (more, self.is_signed) {
                    (0, _) => word,
                    (_, true) => self.store.mk(Op::SignExtend(more), &[word]),
                    (_, false) => self.store.mk(Op::ZeroExtend(more), &[word]),
                }
            }
            Op::Add => self.chain(Op::BvAdd, parts().collect()),
            Op::Mul => self.chain(Op::BvMul, parts().collect()),
            Op::Ite => {
                let condition = self.done[&args[0]];
                self.store.ite(condition, known[&args[1]], known[&args[2]])
            }
            Op::Abs => {
                let value = known[&args[0]];
                let zero = self.store.bv(Bv::from_u64(width, 0));
                let is_negative = self.store.mk(Op::BvSlt, &[value, zero]);
                let other = self.store.mk(Op::BvNeg, &[value]);
                self.store.ite(is_negative, other, value)
            }
            op => {
                let (value, by) = (known[&args[0]], known[&args[1]]);
                self.division(op == Op::Mod, value, by, width)
            }
        })
    }

    fn chain(&mut self, op: Op, words: Vec<TermId>) -> TermId {
        let mut words = words.into_iter();
        let first = words.next().expect("sums and products have parts");
        words.fold(first, |sum, word| self.store.mk(op, &[sum, word]))
    }

    /// The quotient rounded down, or its remainder, for a positive divisor.
    fn division(&mut self, is_remainder: bool, value: TermId, by: TermId, width: u32) -> TermId {
        let store = &mut *self.store;
        if let Some(bits) = store.bv_value(by).and_then(power_of_two) {
            // Two's complement rounds down by itself.
            if !is_remainder {
                let bits = store.bv(Bv::from_u64(width, u64::from(bits)));
                return store.mk(Op::BvAshr, &[value, bits]);
            }
            let mask = Bv::from_int(width, &(Int::from(2).pow(bits) - Int::ONE));
            let mask = store.bv(mask);
            return store.mk(Op::BvAnd, &[value, mask]);
        }
        let zero = store.bv(Bv::from_u64(width, 0));
        let rest = store.mk(Op::BvSrem, &[value, by]);
        let is_negative = store.mk(Op::BvSlt, &[rest, zero]);
        if is_remainder {
            let other = store.mk(Op::BvAdd, &[rest, by]);
            return store.ite(is_negative, other, rest);
        }
        let quotient = store.mk(Op::BvSdiv, &[value, by]);
        let one = store.bv(Bv::from_u64(width, 1));
        let other = store.mk(Op::BvSub, &[quotient, one]);
        store.ite(is_negative, other, quotient)
    }
}

/// The position of the only bit of a word that is set, if there is one.
fn power_of_two(word: &Bv) -> Option<u32> {
    let mut ones = (0..word.width()).filter(|&bit| word.bit(bit));
    let first = ones.next()?;
    ones.next().is_none().then_some(first)
}

/// The width of the words in two's complement that have a value.
fn width_of(value: &Int) -> u32 {
    let bits = if value.is_negative() { (value + &Int::ONE).bit_len() } else { value.bit_len() };
    u32::try_from(bits).unwrap_or(u32::MAX - 1) + 1
}

/// The bounds of a product.
fn times(left: &Bounds, right: &Bounds) -> Bounds {
    let ends = [&left.0 * &right.0, &left.0 * &right.1, &left.1 * &right.0, &left.1 * &right.1];
    let (least, most) = (ends.iter().min(), ends.iter().max());
    (least.expect("there are four").clone(), most.expect("there are four").clone())
}
