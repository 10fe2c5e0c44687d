//! The functions of a heap, each defined by a term over the arrays that it stands for.

use super::{Made, Sorts};
use crate::smtlib::Fallible;
use crate::smtlib::context::{Context, Macro};
use crate::smtlib::scope::Meaning;
use alphorn_problem::Span;
use alphorn_term::{Op, TermId};

impl Context {
    /// Gives a term the names it has in the theory: the first one as in the first versions, where a name
    /// that the script has taken is left to it if there are ranges, and the others with ranges only.
    fn name_all(
        &mut self,
        names: &[&str],
        is_ranged: bool,
        span: Span,
        meaning: Meaning,
    ) -> Fallible<()> {
        let names = if is_ranged { names } else { &names[..1] };
        for (position, text) in names.iter().enumerate() {
            let name = self.scope.name(text.as_bytes());
            let is_own = self.scope.meaning(name) == Meaning::Data
                && self.datatypes.candidates(name).is_empty();
            if !self.scope.is_free(name) && !is_own {
                if position == 0 && is_ranged {
                    continue;
                }
                return Err(self.redeclared(name, span));
            }
            self.scope.declare(name, meaning);
        }
        Ok(())
    }

    pub(super) fn name_value(
        &mut self,
        names: &[&str],
        is_ranged: bool,
        term: TermId,
        span: Span,
    ) -> Fallible<()> {
        self.name_all(names, is_ranged, span, Meaning::Value(term))
    }

    fn name_function(
        &mut self,
        names: &[&str],
        is_ranged: bool,
        span: Span,
        params: &[TermId],
        body: TermId,
    ) -> Fallible<()> {
        self.macros.push(Macro { params: params.to_vec(), body });
        let meaning = Meaning::Macro(self.macros.len() as u32 - 1);
        self.name_all(names, is_ranged, span, meaning)
    }

    pub(super) fn define_functions(
        &mut self,
        heap: &str,
        addr: &str,
        is_ranged: bool,
        sorts: Sorts,
        made: Made,
        span: Span,
    ) -> Fallible<()> {
        let store = &mut self.store;
        let h = store.fresh_var("heap.h", sorts.heap);
        let a = store.fresh_var("heap.a", sorts.addr);
        let o = store.fresh_var("heap.o", sorts.object);
        let r = store.fresh_var("heap.r", sorts.result);
        let contents = store.mk(Op::Field(made.ctor, 0), &[h]);
        let size = store.mk(Op::Field(made.ctor, 1), &[h]);
        let number = store.mk(Op::Field(made.addr, 0), &[a]);
        let one = store.int(1);
        let bounds = [store.le(one, number), store.le(number, size)];
        let valid = store.and(&bounds);
        let cell = store.select(contents, number);
        let read = store.ite(valid, cell, made.default);
        let written = store.store(contents, number, o);
        let written = store.ite(valid, written, contents);
        let write = store.mk(Op::Construct(made.ctor), &[written, size]);
        let next = store.add(&[size, one]);
        let grown = store.store(contents, next, o);
        let new_heap = store.mk(Op::Construct(made.ctor), &[grown, next]);
        let new_addr = store.mk(Op::Construct(made.addr), &[next]);
        let alloc = store.mk(Op::Construct(made.result), &[new_heap, new_addr]);
        let first = store.mk(Op::Field(made.result, 0), &[r]);
        let second = store.mk(Op::Field(made.result, 1), &[r]);
        let of_heap = format!("new{heap}");
        let of_addr = format!("new{addr}");
        let firsts: &[&str] = &[&of_heap, "heap.alloc_first", "heap.heapAddrPair_1"];
        let seconds: &[&str] = &[&of_addr, "heap.alloc_second", "heap.heapAddrPair_2"];
        self.name_function(&["valid", "heap.valid"], is_ranged, span, &[h, a], valid)?;
        self.name_function(&["read", "heap.read"], is_ranged, span, &[h, a], read)?;
        self.name_function(&["write", "heap.write"], is_ranged, span, &[h, a, o], write)?;
        self.name_function(&["alloc", "heap.alloc"], is_ranged, span, &[h, o], alloc)?;
        self.name_function(firsts, is_ranged, span, &[r], first)?;
        self.name_function(seconds, is_ranged, span, &[r], second)?;
        self.name_function(&[&format!("alloc{heap}")], is_ranged, span, &[h, o], new_heap)?;
        self.name_function(&[&format!("alloc{addr}")], is_ranged, span, &[h, o], new_addr)
    }
}
