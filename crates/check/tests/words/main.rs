//! Evidence about word-level systems: what is accepted, what is refused, and why.

#![allow(clippy::unwrap_used)]

mod bits;
mod certificate;
mod home;
mod random;
mod trace;

use alphorn_problem::words::{Justice, Named, State};
use alphorn_problem::{Span, Words};
use alphorn_term::{Bv, Op, TermId, Value};

/// A word.
fn word(width: u32, bits: u64) -> Value {
    Value::Bv(Bv::from_u64(width, bits))
}

fn named(term: TermId) -> Named {
    Named { term, name: None, span: Span::NONE }
}

fn state(var: TermId, init: Option<TermId>, next: Option<TermId>) -> State {
    State { var, init, next, span: Span::NONE }
}

/// A counter of three bits that adds its input of two bits, which must not be three; a state
/// `free` that is any word of two bits in every step, and a state `old` that is any at first and
/// the counter's last value later. Bad: the counter is six. Justice: the counter is zero.
fn counter() -> Words {
    let mut words = Words::default();
    let terms = &mut words.terms;
    let (three, two) = (terms.bv_sort(3), terms.bv_sort(2));
    let (count, free, old) =
        (terms.var("count", three), terms.var("free", two), terms.var("old", three));
    let by = terms.var("by", two);
    let zero = terms.bv(Bv::from_u64(3, 0));
    let wide = terms.mk(Op::ZeroExtend(1), &[by]);
    let sum = terms.mk(Op::BvAdd, &[count, wide]);
    let (six, most) = (terms.bv(Bv::from_u64(3, 6)), terms.bv(Bv::from_u64(2, 3)));
    let (bad, full) = (terms.eq(count, six), terms.eq(by, most));
    let allowed = terms.not(full);
    let is_zero = terms.eq(count, zero);
    let is_free = terms.eq(free, most);
    words.states.push(state(count, Some(zero), Some(sum)));
    words.states.push(state(free, None, None));
    words.states.push(state(old, None, Some(count)));
    words.inputs.push(by);
    words.bads.push(named(bad));
    words.constraints.push(named(allowed));
    words.justice.push(Justice { terms: vec![is_zero], name: None, span: Span::NONE });
    words.fairness.push(named(is_free));
    words
}
