//! Memory that is lost or left.
//!
//! What nothing leads to any more stays lost, so it is enough to look where a run ends, and where a run without an
//! end comes by again and again: at loops, at labels, and at functions that call themselves. There everything
//! allocated must be pointed to by variables in sight. That is more than C asks, since what other objects or the variables of
//! callers point to is not lost either: a proof may be missing, and a run is asked about its own memory.

use super::Lower;
use super::value::Scalar;
use crate::c::property::Property;
use crate::c::tree::{FuncId, VarId};
use alphorn_problem::Span;
use alphorn_term::TermId;

/// The most pointers that are looked at for what they keep from being lost.
const MAX_HELD: usize = 8;

impl Lower<'_> {
    /// A loop or a label, where a run comes by again.
    pub fn loop_head(&mut self, span: Span) {
        self.say_ranges(span);
        self.demand_tracked(&self.certain_scope(), span);
    }

    /// The beginning of a function, where a run may come by again.
    pub fn begin_again(&mut self, function: FuncId, span: Span) {
        if self.reach.repeated.contains(&function) {
            self.demand_tracked(&self.certain_scope(), span);
        }
    }

    /// The variables in scope whose values are those of this life of theirs. A jump into a block further in passes
    /// declarations, and what was there in another life is not forgotten.
    fn certain_scope(&self) -> Vec<VarId> {
        let body = &self.body;
        let is_jumped =
            body.function.is_some_and(|function| !self.unit.function(function).labels.is_empty())
                || !body.cases.is_empty();
        let inner = body.scope_starts.get(1).filter(|_| is_jumped);
        body.scope[..inner.copied().unwrap_or(body.scope.len())].to_vec()
    }

    /// The entry returns.
    pub fn end_of_entry(&mut self, span: Span) {
        if self.body.function == Some(self.task.entry) && !self.reach.is_entry_called {
            self.end_run(true, &[], span);
        }
    }

    /// The program ends inside a function.
    pub fn end_inside(&mut self, is_orderly: bool, span: Span) {
        self.end_run(is_orderly, &self.certain_scope(), span);
    }

    /// The program ends with these variables alive: what is allocated is looked over.
    pub fn end_run(&mut self, is_orderly: bool, locals: &[VarId], span: Span) {
        self.demand_tracked(locals, span);
        if let Some(live) = self.memory.live
            && is_orderly
            && self.asks(Property::MemCleanup)
        {
            let (live, zero) = (self.term(live), self.program.terms.int(0));
            let none = self.program.terms.eq(live, zero);
            self.demand(Property::MemCleanup, none, span);
        }
    }

    /// All that is allocated must be pointed to by static variables or these, if anyone asks.
    fn demand_tracked(&mut self, locals: &[VarId], span: Span) {
        let Some(live) = self.memory.live.filter(|_| self.asks(Property::ValidMemtrack)) else {
            return;
        };
        let held = self.held_objects(locals, span);
        let (live, zero) = (self.term(live), self.program.terms.int(0));
        let none = self.program.terms.eq(live, zero);
        let all = self.program.terms.eq(live, held);
        let tracked = self.program.terms.or(&[none, all]);
        self.demand(Property::ValidMemtrack, tracked, span);
    }

    /// How many living objects on the heap some pointers in static variables and these point to, each counted
    /// once: if all do, none is lost.
    fn held_objects(&mut self, locals: &[VarId], span: Span) -> TermId {
        let (Some(life), heap) = (self.memory.life, self.program.terms.int(super::memory::HEAP))
        else {
            return self.program.terms.int(0);
        };
        let life = self.term(life);
        let objects = self.pointers_in_sight(locals, span);
        let (one, zero) = (self.program.terms.int(1), self.program.terms.int(0));
        let mut counts = vec![zero];
        for (at, &object) in objects.iter().enumerate() {
            let store = &mut self.program.terms;
            let what = store.select(life, object);
            let mut parts = vec![store.eq(what, heap)];
            for &other in &objects[..at] {
                let same = store.eq(object, other);
                parts.push(store.not(same));
            }
            let is_new = store.and(&parts);
            counts.push(store.ite(is_new, one, zero));
        }
        self.program.terms.add(&counts)
    }

    /// The objects that static variables and these point to, as far as they are no arrays; not too many.
    fn pointers_in_sight(&mut self, locals: &[VarId], span: Span) -> Vec<TermId> {
        let statics = self.unit.globals().map(|(var, _)| var);
        let statics = statics.filter(|var| self.reach.vars.contains(var));
        let vars: Vec<VarId> = locals.iter().copied().chain(statics).collect();
        let mut objects = Vec::new();
        for var in vars {
            let spot = self.variable(var);
            if spot.is_whole || !self.is_followed(&spot) {
                continue;
            }
            for scalar in self.peek(&spot, span) {
                if let Scalar::Pointer(pointer) = scalar
                    && self.program.terms.sort(pointer.object) == self.object_sort()
                    && !objects.contains(&pointer.object)
                    && objects.len() < MAX_HELD
                {
                    objects.push(pointer.object);
                }
            }
        }
        objects
    }
}
