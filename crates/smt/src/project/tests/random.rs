//! Random formulas, reproducible.

use alphorn_term::{Op, SortId, Store, TermId};
use alphorn_testkit::Rng;

/// What formulas are made of.
pub(super) struct Shape {
    pub(super) ints: Vec<TermId>,
    pub(super) reals: Vec<TermId>,
    pub(super) bools: Vec<TermId>,
    /// Whether quotients, remainders, absolute values, integer parts and conditionals occur.
    pub(super) is_rich: bool,
    /// The largest coefficient.
    pub(super) coefficient: i64,
}

impl Shape {
    /// Over integers, and rich for every second seed.
    pub(super) fn over_ints(ints: &[TermId], bools: &[TermId], seed: u64) -> Shape {
        let (ints, bools, is_rich) = (ints.to_vec(), bools.to_vec(), seed.is_multiple_of(2));
        Shape { ints, reals: Vec::new(), bools, is_rich, coefficient: 3 }
    }

    fn linear(&self, store: &mut Store, random: &mut Rng, sort: SortId) -> TermId {
        let mut parts = Vec::new();
        for &var in &self.ints {
            let factor = random.between(-self.coefficient, self.coefficient);
            if random.below(3) > 0 {
                let var = if sort == SortId::REAL { store.mk(Op::ToReal, &[var]) } else { var };
                let factor = store.number(sort, &factor.into());
                parts.push(store.mul(&[factor, var]));
            }
        }
        if sort == SortId::REAL {
            for &var in &self.reals {
                let factor = random.between(-self.coefficient, self.coefficient);
                let factor = store.number(sort, &factor.into());
                parts.push(store.mul(&[factor, var]));
            }
        }
        parts.push(store.number(sort, &random.between(-6, 6).into()));
        if parts.len() == 1 { parts[0] } else { store.add(&parts) }
    }

    fn term(&self, store: &mut Store, random: &mut Rng, sort: SortId, depth: u32) -> TermId {
        if depth == 0 || !self.is_rich || random.below(2) == 0 {
            return self.linear(store, random, sort);
        }
        let inner = self.term(store, random, sort, depth - 1);
        let special = match random.below(5) {
            0 => {
                let other = self.term(store, random, sort, depth - 1);
                let condition = self.literal(store, random, depth - 1);
                store.ite(condition, inner, other)
            }
            _ if sort == SortId::REAL => {
                let part = store.mk(Op::ToInt, &[inner]);
                store.mk(Op::ToReal, &[part])
            }
            1 => store.mk(Op::Abs, &[inner]),
            kind => {
                let divisor = random.between(2, 4) * if random.below(5) == 0 { -1 } else { 1 };
                let divisor = store.int(divisor);
                store.mk(if kind == 2 { Op::IntDiv } else { Op::Mod }, &[inner, divisor])
            }
        };
        let rest = self.linear(store, random, sort);
        store.add(&[special, rest])
    }

    /// A literal.
    pub(super) fn literal(&self, store: &mut Store, random: &mut Rng, depth: u32) -> TermId {
        if !self.bools.is_empty() && random.below(5) == 0 {
            let atom = self.bools[random.below(self.bools.len() as u64) as usize];
            return if random.below(2) == 0 { atom } else { store.not(atom) };
        }
        let is_real = !self.reals.is_empty() && (self.ints.is_empty() || random.below(2) == 0);
        let sort = if is_real { SortId::REAL } else { SortId::INT };
        let left = self.term(store, random, sort, depth);
        let zero = store.number(sort, &0.into());
        let atom = match random.below(9) {
            0 | 1 => store.eq(left, zero),
            2 if sort == SortId::INT => store.divisible(&random.between(2, 5).into(), left),
            2 if self.is_rich => store.mk(Op::IsInt, &[left]),
            3 | 4 => store.lt(left, zero),
            _ => store.le(left, zero),
        };
        if random.below(3) == 0 { store.not(atom) } else { atom }
    }

    /// A formula.
    pub(super) fn formula(&self, store: &mut Store, random: &mut Rng, depth: u32) -> TermId {
        if depth == 0 {
            return self.literal(store, random, 1);
        }
        let count = random.between(2, 3);
        let mut args = Vec::new();
        for _ in 0..count {
            let below = random.below(u64::from(depth)) as u32;
            args.push(self.formula(store, random, below));
        }
        match random.below(10) {
            0..4 => store.and(&args),
            4..8 => store.or(&args),
            8 => store.eq(args[0], args[1]),
            _ => {
                let last = self.literal(store, random, 0);
                store.ite(args[0], args[1], last)
            }
        }
    }
}
