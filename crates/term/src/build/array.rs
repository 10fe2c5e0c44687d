//! Constructors of arrays and datatypes: reading what was written.

use crate::id::TermId;
use crate::op::Op;
use crate::sort::SortId;
use crate::store::Store;

/// How many writes a read looks through; a bound keeps construction cheap on long chains.
const LOOK_THROUGH: usize = 64;

impl Store {
    /// The array's value at an index.
    pub fn select(&mut self, array: TermId, index: TermId) -> TermId {
        self.mk(Op::Select, &[array, index])
    }

    /// The array with the value at an index replaced.
    pub fn store(&mut self, array: TermId, index: TermId, value: TermId) -> TermId {
        self.mk(Op::Store, &[array, index, value])
    }

    pub(super) fn build_select(&mut self, sort: SortId, array: TermId, index: TermId) -> TermId {
        let mut below = array;
        for _ in 0..LOOK_THROUGH {
            match (self.op(below), self.args(below)) {
                (Op::Store, &[_, written, value]) if written == index => return value,
                (Op::Store, &[older, written, _])
                    if self.is_literal(written) && self.is_literal(index) =>
                {
                    below = older;
                }
                (Op::ConstArray, &[value]) => return value,
                _ => return self.raw(Op::Select, sort, &[below, index]),
            }
        }
        // Stopping half-way would make the term depend on how often it was rebuilt.
        self.raw(Op::Select, sort, &[array, index])
    }

    pub(super) fn build_store(&mut self, args: &[TermId]) -> TermId {
        let &[array, index, value] = args else { unreachable!("typing saw three arguments") };
        let sort = self.sort(array);
        // Writing back what is there already changes nothing.
        if self.op(value) == Op::Select && self.args(value) == [array, index] {
            return array;
        }
        if self.op(array) == Op::Store && self.args(array)[1] == index {
            let older = self.args(array)[0];
            return self.build_store(&[older, index, value]);
        }
        self.raw(Op::Store, sort, args)
    }

    pub(super) fn build_destructor(&mut self, op: Op, sort: SortId, term: TermId) -> TermId {
        match (op, self.op(term)) {
            (Op::Field(ctor, field), Op::Construct(made)) if made == ctor => {
                self.args(term)[field as usize]
            }
            (Op::Is(ctor), Op::Construct(made)) => self.bool(made == ctor),
            (Op::Is(ctor), _) if self.data(self.ctor(ctor).data).ctors.len() == 1 => TermId::TRUE,
            _ => self.raw(op, sort, &[term]),
        }
    }
}
