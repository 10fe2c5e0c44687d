//! Systems by hand: states, inputs, words, and a counter.

use alphorn_problem::words::{Named, State};
use alphorn_problem::{Span, Words};
use alphorn_term::{Bv, Op, SortId, TermId};

/// Adds an input.
pub fn input(system: &mut Words, name: &str, sort: SortId) -> TermId {
    let var = system.terms.var(name, sort);
    system.inputs.push(var);
    var
}

/// Adds a state, which may start and go on with any value.
pub fn state(system: &mut Words, name: &str, sort: SortId) -> TermId {
    let var = system.terms.var(name, sort);
    system.states.push(State { var, init: None, next: None, span: Span::NONE });
    var
}

/// A formula without a name.
pub fn named(term: TermId) -> Named {
    Named { term, name: None, span: Span::NONE }
}

/// The word of `width` bits that is `value`.
pub fn word(system: &mut Words, width: u32, value: u64) -> TermId {
    system.terms.bv(Bv::from_u64(width, value))
}

/// A counter of `width` bits that counts while its input is true and goes from `last` back to 0;
/// it is bad to reach `bad`. A second state and input do not matter.
pub fn counter(width: u32, last: u64, bad: u64) -> Words {
    let mut system = Words::default();
    let sort = system.terms.bv_sort(width);
    let wide = system.terms.bv_sort(40);
    let idle = state(&mut system, "idle", wide);
    let count = state(&mut system, "count", sort);
    let noise = input(&mut system, "noise", wide);
    let go = input(&mut system, "go", SortId::BOOL);
    let [zero, one, last, bad] = [0, 1, last, bad].map(|value| word(&mut system, width, value));
    let terms = &mut system.terms;
    let more = terms.mk(Op::BvAdd, &[count, one]);
    let at_last = terms.eq(count, last);
    let counted = terms.ite(at_last, zero, more);
    let next = terms.ite(go, counted, count);
    let idle_next = terms.mk(Op::BvMul, &[idle, noise]);
    let bad = terms.eq(count, bad);
    system.states[0].next = Some(idle_next);
    system.states[1].init = Some(zero);
    system.states[1].next = Some(next);
    system.bads.push(named(bad));
    system
}
