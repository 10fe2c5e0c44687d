//! Random operators with the sorts of their arguments.

use super::World;
use super::word_operators::{COMPARISONS, TO_WORD};
use alphorn_term::{Op, Sort, SortId};

impl World {
    /// A random operator and the sorts of its arguments; quantifiers and constant arrays apart.
    pub(super) fn signature(&mut self) -> (Op, Vec<SortId>) {
        match self.rng.below(10) {
            0 | 1 => self.core(),
            2 | 3 => self.arithmetic(),
            4..=6 => self.words(),
            7 => self.conversions(),
            8 => self.array_operators(),
            _ => self.data_operators(),
        }
    }

    fn core(&mut self) -> (Op, Vec<SortId>) {
        let sorts = self.sorts.clone();
        let sort = self.rng.pick(&sorts);
        let count = 2 + self.rng.below(3);
        match self.rng.below(6) {
            0 => (Op::Not, vec![SortId::BOOL]),
            1 => (Op::And, vec![SortId::BOOL; count]),
            2 => (Op::Or, vec![SortId::BOOL; count]),
            3 => (Op::Eq, vec![sort; 2]),
            4 => (Op::Distinct, vec![sort; count]),
            _ => (Op::Ite, vec![SortId::BOOL, sort, sort]),
        }
    }

    fn arithmetic(&mut self) -> (Op, Vec<SortId>) {
        let sort = self.rng.pick(&[SortId::INT, SortId::REAL]);
        let count = 2 + self.rng.below(3);
        match self.rng.below(8) {
            0 | 1 => (Op::Add, vec![sort; count]),
            2 => (Op::Mul, vec![sort; 2]),
            3 => (Op::Le, vec![sort; 2]),
            4 => (Op::Lt, vec![sort; 2]),
            5 => (Op::RealDiv, vec![SortId::REAL; 2]),
            6 => (self.rng.pick(&[Op::IntDiv, Op::Mod]), vec![SortId::INT; 2]),
            _ => (Op::Abs, vec![SortId::INT]),
        }
    }

    fn words(&mut self) -> (Op, Vec<SortId>) {
        let (sort, width) = self.word_sort();
        match self.rng.below(8) {
            0 => (self.rng.pick(&[Op::BvNot, Op::BvNeg, Op::BvNego]), vec![sort]),
            1..=3 => (self.rng.pick(TO_WORD), vec![sort; 2]),
            4 => (self.rng.pick(COMPARISONS), vec![sort; 2]),
            5 => {
                let (low_sort, low) = self.word_sort();
                let wide = self.store.bv_sort(width + low);
                if self.in_use(wide) { (Op::Concat, vec![sort, low_sort]) } else { self.words() }
            }
            6 => {
                let (_, narrow) = self.word_sort();
                if narrow > width {
                    return self.words();
                }
                let low = self.rng.below((width - narrow + 1) as usize) as u32;
                (Op::Extract(low + narrow - 1, low), vec![sort])
            }
            _ => {
                let (_, wide) = self.word_sort();
                if wide < width {
                    return self.words();
                }
                let by = wide - width;
                match self.rng.below(3) {
                    0 => (Op::ZeroExtend(by), vec![sort]),
                    1 => (Op::SignExtend(by), vec![sort]),
                    _ if wide.is_multiple_of(width) => (Op::Repeat(wide / width), vec![sort]),
                    _ => self.words(),
                }
            }
        }
    }

    fn conversions(&mut self) -> (Op, Vec<SortId>) {
        let (sort, width) = self.word_sort();
        match self.rng.below(6) {
            0 => (Op::ToReal, vec![SortId::INT]),
            1 => (Op::ToInt, vec![SortId::REAL]),
            2 => (Op::IsInt, vec![SortId::REAL]),
            3 => (Op::UbvToInt, vec![sort]),
            4 => (Op::SbvToInt, vec![sort]),
            _ => (Op::IntToBv(width), vec![SortId::INT]),
        }
    }

    fn array_operators(&mut self) -> (Op, Vec<SortId>) {
        let arrays = self.arrays.clone();
        let array = self.rng.pick(&arrays);
        let Sort::Array(index, element) = *self.store.sort_of(array) else {
            unreachable!("array sorts are sorts of arrays")
        };
        match self.rng.below(2) {
            0 => (Op::Select, vec![array, index]),
            _ => (Op::Store, vec![array, index, element]),
        }
    }

    fn data_operators(&mut self) -> (Op, Vec<SortId>) {
        let colour = self.rng.below(3);
        match self.rng.below(8) {
            0 => (Op::Construct(self.cons), vec![SortId::INT, self.list]),
            1 => (Op::Construct(self.pair), vec![self.store.bv_sort(2), SortId::BOOL]),
            2 => (Op::Construct(self.colours[colour]), vec![]),
            3 => (Op::Field(self.cons, self.rng.below(2) as u32), vec![self.list]),
            4 => (Op::Field(self.pair, self.rng.below(2) as u32), vec![self.pairs]),
            5 => (Op::Is(self.rng.pick(&[self.nil, self.cons])), vec![self.list]),
            6 => (Op::Is(self.pair), vec![self.pairs]),
            _ => (Op::Is(self.colours[colour]), vec![self.colour]),
        }
    }
}
