//! Terms over words as terms over integers.
//!
//! The integer of a word is always in the range of the reading. Sums, differences and products with
//! literals are taken as a whole (`WordSum`), so that one step brings the result back into the range: by
//! cases if there are few, else by the remainder. Shifts by literals, division by literals, and taking
//! words apart and together are division and remainder by powers of two.
//!
//! What is left may be anything in its range: a variable of its own. That only adds facts.

use super::{Reading, head_with};
use crate::settings::INTEGERS_VIEW_MAX_CASES;
use alphorn_horn::transform::conjuncts;
use alphorn_horn::word_sum::WordSum;
use alphorn_problem::Horn;
use alphorn_problem::horn::{Clause, Head, PredId};
use alphorn_term::{Bv, Int, Op, SortId, Store, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

pub(super) struct Translation<'a> {
    horn: &'a Horn,
    /// The system in the making: its predicates are there.
    system: &'a mut Horn,
    is_signed: bool,
    reading: Reading,
    /// The integer variables of word variables.
    vars: FxHashMap<TermId, TermId>,
    done: FxHashMap<TermId, TermId>,
    /// Variables of the clause at hand that stand for what is not said, with their widths.
    open: Vec<(TermId, u32)>,
}

impl<'a> Translation<'a> {
    pub(super) fn new(
        horn: &'a Horn,
        system: &'a mut Horn,
        is_signed: bool,
        reading: Reading,
    ) -> Translation<'a> {
        let (vars, done, open) = (FxHashMap::default(), FxHashMap::default(), Vec::new());
        Translation { horn, system, is_signed, reading, vars, done, open }
    }

    /// A clause over integers: with the variables of the clause over words first.
    pub(super) fn clause(&mut self, clause: &Clause) -> Result<Clause, String> {
        self.done.clear();
        self.open.clear();
        let body = self.term(clause.body)?;
        let args = match &clause.head {
            Head::False => Vec::new(),
            Head::Atom(_, args) => {
                args.iter().map(|&arg| self.term(arg)).collect::<Result<_, _>>()?
            }
        };
        let mut parts = vec![body];
        let held = self.held_variables(clause.body);
        let mut vars = Vec::with_capacity(clause.vars.len());
        for &var in &clause.vars {
            let of_integers = self.variable(var)?;
            vars.push(of_integers);
            let width = self.horn.terms.width_of(self.horn.terms.sort(var));
            // Arguments of facts are in their ranges; saying so makes it a part of what is proved.
            let is_said = self.reading == Reading::Exact || !held.contains(&var);
            if let Some(width) = width.filter(|_| is_said) {
                parts.push(self.in_range(of_integers, width));
            }
        }
        for (var, width) in self.open.clone() {
            vars.push(var);
            parts.push(self.in_range(var, width));
        }
        let body = self.store().and(&parts);
        let head = head_with(&clause.head, args);
        Ok(Clause { vars, body, head, name: clause.name.clone(), span: clause.span })
    }

    fn held_variables(&self, body: TermId) -> FxHashSet<TermId> {
        let parts = conjuncts(&self.horn.terms, body);
        let atoms = parts.into_iter().filter(|&part| self.horn.atom(part).is_some());
        atoms.flat_map(|atom| self.horn.terms.args(atom)).copied().collect()
    }

    fn store(&mut self) -> &mut Store {
        &mut self.system.terms
    }

    fn variable(&mut self, var: TermId) -> Result<TermId, String> {
        let terms = &self.horn.terms;
        if terms.width_of(terms.sort(var)).is_none() {
            super::integer_sort(terms, terms.sort(var))?;
            return Ok(var);
        }
        if let Some(&known) = self.vars.get(&var) {
            return Ok(known);
        }
        let name = terms.var_name(var).unwrap_or("x").to_owned();
        let fresh = self.store().fresh_var(&name, SortId::INT);
        self.vars.insert(var, fresh);
        Ok(fresh)
    }

    /// What a term is translated from: the parts of a sum, or the arguments.
    fn parts(&self, term: TermId) -> Vec<TermId> {
        let terms = &self.horn.terms;
        match terms.op(term) {
            _ if is_sum(terms, term) => {
                WordSum::of(terms, term).terms.into_iter().map(|(part, _)| part).collect()
            }
            _ => terms.args(term).to_vec(),
        }
    }

    fn term(&mut self, root: TermId) -> Result<TermId, String> {
        let mut stack = vec![(root, false)];
        while let Some((term, ready)) = stack.pop() {
            if self.done.contains_key(&term) {
                continue;
            }
            if !ready {
                stack.push((term, true));
                stack.extend(self.parts(term).into_iter().rev().map(|part| (part, false)));
                continue;
            }
            let result = self.translated(term)?;
            self.done.insert(term, result);
        }
        Ok(self.done[&root])
    }

    /// The translation of a term whose parts are translated.
    fn translated(&mut self, term: TermId) -> Result<TermId, String> {
        let horn = self.horn;
        let (terms, op) = (&horn.terms, horn.terms.op(term));
        if let Some(pred) = horn.atom(term) {
            return Ok(self.atom(pred, term));
        }
        if is_sum(terms, term) {
            return Ok(self.sum(term));
        }
        let args = terms.args(term);
        let width = terms.width_of(terms.sort(term));
        match (op, width) {
            (Op::Var(_), _) => self.variable(term),
            (Op::Forall | Op::Exists, _) => Err("a clause has a quantifier".to_owned()),
            (Op::Apply(_), _) => Err("a declared function has no fixed meaning".to_owned()),
            (Op::BvVal(_), Some(_)) => {
                let value = terms.bv_value(term).expect("a literal has a value");
                let value = if self.is_signed { value.to_signed() } else { value.to_unsigned() };
                Ok(self.store().int(value))
            }
            (Op::Ite, Some(_)) => {
                let args: Vec<TermId> = args.iter().map(|arg| self.done[arg]).collect();
                Ok(self.store().ite(args[0], args[1], args[2]))
            }
            (_, Some(width)) => Ok(self.word(term, width)),
            (_, None) if is_comparison(op) => Ok(self.comparison(term)),
            (_, None) => {
                super::integer_sort(terms, terms.sort(term))?;
                for &arg in args {
                    super::integer_sort(terms, terms.sort(arg))?;
                }
                if matches!(op, Op::UbvToInt | Op::SbvToInt) {
                    let width = terms.width(args[0]);
                    let value = self.done[&args[0]];
                    return Ok(match op {
                        Op::UbvToInt => self.unsigned(value, width),
                        _ => self.signed(value, width),
                    });
                }
                let args: Vec<TermId> = args.iter().map(|arg| self.done[arg]).collect();
                Ok(if args.is_empty() { term } else { self.store().mk(op, &args) })
            }
        }
    }

    fn atom(&mut self, pred: PredId, term: TermId) -> TermId {
        let args: Vec<TermId> =
            self.horn.terms.args(term).iter().map(|arg| self.done[arg]).collect();
        let func = self.system.pred(pred).func;
        self.store().mk(Op::Apply(func), &args)
    }

    /// 2ⁿ.
    fn modulus(width: u32) -> Int {
        Int::from(2).pow(width)
    }

    /// The least and the greatest integer of a word.
    fn range(&self, width: u32) -> (Int, Int) {
        if self.is_signed {
            let half = Int::from(2).pow(width - 1);
            (-half.clone(), half - Int::ONE)
        } else {
            (Int::ZERO, Translation::modulus(width) - Int::ONE)
        }
    }

    fn in_range(&mut self, term: TermId, width: u32) -> TermId {
        let (least, most) = self.range(width);
        let store = self.store();
        let (least, most) = (store.int(least), store.int(most));
        let (above, below) = (store.le(least, term), store.le(term, most));
        store.and(&[above, below])
    }

    fn sum(&mut self, term: TermId) -> TermId {
        let width = self.horn.terms.width(term);
        let sum = WordSum::of(&self.horn.terms, term);
        let constant = sum.constant.to_signed();
        let (mut least, mut most) = (constant.clone(), constant.clone());
        let (low, high) = self.range(width);
        let mut parts = vec![self.store().int(constant)];
        for (part, factor) in &sum.terms {
            let factor = factor.to_signed();
            let ends = [&factor * &low, &factor * &high];
            least = &least + ends.iter().min().expect("there are two");
            most = &most + ends.iter().max().expect("there are two");
            let part = self.done[part];
            let factor = self.store().int(factor);
            parts.push(self.store().mul(&[factor, part]));
        }
        let total = self.store().add(&parts);
        self.wrapped(total, &least, &most, width)
    }

    /// An integer between bounds brought into the range of a word.
    fn wrapped(&mut self, total: TermId, least: &Int, most: &Int, width: u32) -> TermId {
        if self.reading == Reading::Ideal {
            return total;
        }
        let modulus = Translation::modulus(width);
        let (low, _) = self.range(width);
        let turns = |value: &Int| (value - &low).div_floor(&modulus).unwrap_or(Int::ZERO);
        let (first, last) = (turns(least), turns(most));
        let count = (&last - &first).to_i64().unwrap_or(i64::MAX);
        if count >= INTEGERS_VIEW_MAX_CASES.size() as i64 {
            let store = self.store();
            let (low, modulus) = (store.int(low), store.int(modulus));
            let offset = store.sub(total, low);
            let rest = store.mk(Op::Mod, &[offset, modulus]);
            return store.add(&[rest, low]);
        }
        let mut result: Option<TermId> = None;
        let mut turn = last;
        while turn >= first {
            let shift = &turn * &modulus;
            let end = &(&low + &shift) + &modulus;
            let store = self.store();
            let shift = store.int(shift);
            let value = store.sub(total, shift);
            result = Some(match result {
                None => value,
                Some(later) => {
                    let end = store.int(end);
                    let is_before = store.lt(total, end);
                    store.ite(is_before, value, later)
                }
            });
            turn -= Int::ONE;
        }
        result.unwrap_or(total)
    }

    /// The natural number of a word.
    fn unsigned(&mut self, value: TermId, width: u32) -> TermId {
        if self.is_signed { self.unfolded(value, width) } else { value }
    }

    /// The natural number below 2ⁿ of an integer in two's complement.
    fn unfolded(&mut self, value: TermId, width: u32) -> TermId {
        let store = self.store();
        let (zero, modulus) = (store.int(0), store.int(Translation::modulus(width)));
        let is_negative = store.lt(value, zero);
        let other = store.add(&[value, modulus]);
        store.ite(is_negative, other, value)
    }

    /// The integer of a word in two's complement.
    fn signed(&mut self, value: TermId, width: u32) -> TermId {
        if self.is_signed { value } else { self.folded(value, width) }
    }

    /// The integer in two's complement of a natural number below 2ⁿ.
    fn folded(&mut self, value: TermId, width: u32) -> TermId {
        let store = self.store();
        let (half, modulus) =
            (store.int(Int::from(2).pow(width - 1)), store.int(Translation::modulus(width)));
        let is_positive = store.lt(value, half);
        let other = store.sub(value, modulus);
        store.ite(is_positive, value, other)
    }

    /// A natural number below 2ⁿ as the reading has it.
    fn of_unsigned(&mut self, value: TermId, width: u32) -> TermId {
        if self.is_signed { self.folded(value, width) } else { value }
    }

    /// An integer in two's complement as the reading has it.
    fn of_signed(&mut self, value: TermId, width: u32) -> TermId {
        if self.is_signed { value } else { self.unfolded(value, width) }
    }

    /// Anything of this width.
    fn anything(&mut self, width: u32) -> TermId {
        let var = self.store().fresh_var("any", SortId::INT);
        self.open.push((var, width));
        var
    }

    fn comparison(&mut self, term: TermId) -> TermId {
        let terms = &self.horn.terms;
        let args = terms.args(term);
        let width = terms.width(args[0]);
        let values: Vec<TermId> = args.iter().map(|arg| self.done[arg]).collect();
        let op = terms.op(term);
        let read = |me: &mut Self, at: usize| match op {
            Op::BvUlt | Op::BvUle | Op::BvUaddo | Op::BvUsubo => me.unsigned(values[at], width),
            _ => me.signed(values[at], width),
        };
        let left = read(self, 0);
        let right = if values.len() > 1 { read(self, 1) } else { left };
        let half = Int::from(2).pow(width - 1);
        let store = self.store();
        match op {
            Op::BvUlt | Op::BvSlt | Op::BvUsubo => store.lt(left, right),
            Op::BvUle | Op::BvSle => store.le(left, right),
            Op::BvNego => {
                let least = store.int(-half);
                store.eq(left, least)
            }
            Op::BvUaddo => {
                let (sum, end) = (store.add(&[left, right]), store.int(half * Int::from(2)));
                store.le(end, sum)
            }
            Op::BvSaddo | Op::BvSsubo => {
                let total = match op {
                    Op::BvSaddo => store.add(&[left, right]),
                    _ => store.sub(left, right),
                };
                let (least, end) = (store.int(-half.clone()), store.int(half));
                let (below, above) = (store.lt(total, least), store.le(end, total));
                store.or(&[below, above])
            }
            Op::BvSdivo => {
                let (least, minus_one) = (store.int(-half), store.int(-1));
                let (is_least, is_minus_one) = (store.eq(left, least), store.eq(right, minus_one));
                store.and(&[is_least, is_minus_one])
            }
            _ => {
                let bit = self.anything(1);
                let zero = self.store().int(0);
                self.store().eq(bit, zero)
            }
        }
    }

    /// A word that is no sum.
    fn word(&mut self, term: TermId, width: u32) -> TermId {
        let terms = &self.horn.terms;
        let args = terms.args(term);
        let inner = args.first().map_or(width, |&arg| terms.width(arg));
        let literal = args.get(1).and_then(|&arg| terms.bv_value(arg)).cloned();
        let value = self.done[&args[0]];
        match (terms.op(term), literal) {
            // Below half of the range, so that both readings are the same.
            (Op::ZeroExtend(_), _) => self.unsigned(value, inner),
            (Op::SignExtend(_), _) => {
                let value = self.signed(value, inner);
                self.of_signed(value, width)
            }
            (Op::Extract(high, low), _) if low + 1 == inner => {
                debug_assert_eq!(high, low, "an extract stays within its word");
                let value = self.signed(value, inner);
                let store = self.store();
                let (zero, minus_one) = (store.int(0), store.int(-1));
                let is_negative = store.lt(value, zero);
                let bit = store.ite(is_negative, minus_one, zero);
                self.of_signed(bit, width)
            }
            (Op::Extract(high, low), _) => {
                let value = self.quotient(value, low);
                self.remainder(value, high - low + 1)
            }
            (Op::Concat, _) => self.concatenation(args),
            (Op::BvAshr, Some(by)) => {
                let by = by.to_u64().map_or(inner - 1, |by| by.min(u64::from(inner) - 1) as u32);
                let value = self.signed(value, inner);
                let value = self.quotient(value, by);
                self.of_signed(value, width)
            }
            (Op::BvLshr, Some(by)) => match by.to_u64().filter(|&by| by < u64::from(width)) {
                Some(by) => {
                    let value = self.unsigned(value, inner);
                    let value = self.quotient(value, by as u32);
                    self.of_unsigned(value, width)
                }
                None => self.store().int(0),
            },
            (Op::BvShl, Some(by)) => match by.to_u64().filter(|&by| by < u64::from(width)) {
                Some(by) => {
                    let factor = self.store().int(Int::from(2).pow(by as u32));
                    let value = self.store().mul(&[factor, value]);
                    self.remainder(value, width)
                }
                None => self.store().int(0),
            },
            (Op::BvUdiv | Op::BvUrem, Some(by)) if !by.is_zero() => {
                let value = self.unsigned(value, width);
                let op = if terms.op(term) == Op::BvUdiv { Op::IntDiv } else { Op::Mod };
                let by = self.store().int(by.to_unsigned());
                let value = self.store().mk(op, &[value, by]);
                self.of_unsigned(value, width)
            }
            (Op::BvSdiv | Op::BvSrem, Some(by)) if !by.is_zero() && !by.is_ones() => {
                let is_quotient = terms.op(term) == Op::BvSdiv;
                let value = self.signed(value, width);
                let value = self.signed_division(value, &by, is_quotient);
                self.of_signed(value, width)
            }
            (Op::BvAnd, _) => match low_ones(terms, args) {
                Some((other, ones)) => {
                    let value = self.done[&other];
                    let store = self.store();
                    let modulus = store.int(Translation::modulus(ones));
                    store.mk(Op::Mod, &[value, modulus])
                }
                None => self.anything(width),
            },
            _ => self.anything(width),
        }
    }

    /// A value divided by a power of two and rounded down.
    fn quotient(&mut self, value: TermId, by: u32) -> TermId {
        if by == 0 {
            return value;
        }
        let store = self.store();
        let divisor = store.int(Translation::modulus(by));
        store.mk(Op::IntDiv, &[value, divisor])
    }

    /// The low bits of a value, as the reading has them.
    fn remainder(&mut self, value: TermId, width: u32) -> TermId {
        let store = self.store();
        let modulus = store.int(Translation::modulus(width));
        let rest = store.mk(Op::Mod, &[value, modulus]);
        self.of_unsigned(rest, width)
    }

    fn concatenation(&mut self, args: &[TermId]) -> TermId {
        let terms = &self.horn.terms;
        let mut total = self.store().int(0);
        let mut whole = 0;
        for &arg in args {
            let width = terms.width(arg);
            let value = self.done[&arg];
            let value = self.unsigned(value, width);
            let store = self.store();
            let factor = store.int(Translation::modulus(width));
            let shifted = store.mul(&[factor, total]);
            total = store.add(&[shifted, value]);
            whole += width;
        }
        self.of_unsigned(total, whole)
    }

    /// The quotient rounded towards zero, or the remainder with the dividend's sign.
    fn signed_division(&mut self, value: TermId, by: &Bv, is_quotient: bool) -> TermId {
        let by = by.to_signed();
        let is_negative = by.is_negative();
        let store = self.store();
        let (zero, divisor) = (store.int(0), store.int(by.abs()));
        let minus = store.neg(value);
        let op = if is_quotient { Op::IntDiv } else { Op::Mod };
        let (of_value, of_minus) =
            (store.mk(op, &[value, divisor]), store.mk(op, &[minus, divisor]));
        let otherwise = store.neg(of_minus);
        let is_natural = store.le(zero, value);
        let result = store.ite(is_natural, of_value, otherwise);
        if is_quotient && is_negative { store.neg(result) } else { result }
    }
}

/// Whether a word is a sum of others.
fn is_sum(terms: &Store, term: TermId) -> bool {
    match terms.op(term) {
        Op::BvAdd | Op::BvSub | Op::BvNeg | Op::BvNot => true,
        Op::BvMul => terms.args(term).iter().filter(|&&arg| !terms.is_literal(arg)).count() <= 1,
        _ => false,
    }
}

fn is_comparison(op: Op) -> bool {
    use Op::{
        BvNego, BvSaddo, BvSdivo, BvSle, BvSlt, BvSmulo, BvSsubo, BvUaddo, BvUle, BvUlt, BvUmulo,
        BvUsubo,
    };
    let of_order = matches!(op, BvUlt | BvUle | BvSlt | BvSle);
    let of_sums = matches!(op, BvNego | BvUaddo | BvSaddo | BvUsubo | BvSsubo);
    of_order || of_sums || matches!(op, BvUmulo | BvSmulo | BvSdivo)
}

/// The argument of a bitwise conjunction that is not a literal, and how many low bits of it are left, if
/// those are all.
fn low_ones(terms: &Store, args: &[TermId]) -> Option<(TermId, u32)> {
    let &[left, right] = args else { return None };
    let (mask, other) = if terms.is_literal(left) { (left, right) } else { (right, left) };
    let mask = terms.bv_value(mask)?;
    let ones = (0..mask.width()).take_while(|&bit| mask.bit(bit)).count() as u32;
    let is_low = (ones..mask.width()).all(|bit| !mask.bit(bit));
    (is_low && ones > 0 && ones < mask.width()).then_some((other, ones))
}
