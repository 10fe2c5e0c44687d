//! Random word-level systems that are small enough for brute force.

use super::build::{input, named, state};
use crate::Rng;
use crate::terms::{Values, value};
use alphorn_problem::words::State;
use alphorn_problem::{Span, Words};
use alphorn_term::{Bv, Op, SortId, TermId};

/// A random term of `sort` over `vars`, whose sorts are truth values, words of up to 3 bits, and
/// arrays of them.
pub fn random_term(
    system: &mut Words,
    rng: &mut Rng,
    vars: &[TermId],
    sort: SortId,
    depth: u32,
) -> TermId {
    let fitting: Vec<TermId> =
        vars.iter().copied().filter(|var| system.terms.sort(*var) == sort).collect();
    if depth == 0 || rng.below(6) == 0 {
        if !fitting.is_empty() && rng.below(4) > 0 {
            return rng.pick(&fitting);
        }
        let value = value(&system.terms, sort, Values::Corners, rng);
        return system.terms.value_term(&value).expect("such values have terms");
    }
    let mut sub = |system: &mut Words, sort| random_term(system, rng, vars, sort, depth - 1);
    if sort == SortId::BOOL {
        let words = system.terms.bv_sort(2);
        let (p, q) = (sub(system, SortId::BOOL), sub(system, SortId::BOOL));
        let (a, b) = (sub(system, words), sub(system, words));
        let ops = [Op::BvUlt, Op::BvSle, Op::BvUaddo, Op::BvSmulo, Op::Eq];
        return match rng.below(8) {
            0 => system.terms.and(&[p, q]),
            1 => system.terms.or(&[p, q]),
            2 => system.terms.xor(p, q),
            pick => system.terms.mk(ops[pick as usize - 3], &[a, b]),
        };
    }
    let condition = sub(system, SortId::BOOL);
    let (a, b) = (sub(system, sort), sub(system, sort));
    let (index, element) = (system.terms.bv_sort(1), system.terms.bv_sort(2));
    let Some(width) = system.terms.width_of(sort) else {
        let (at, value) = (sub(system, index), sub(system, element));
        let written = system.terms.store(a, at, value);
        return if rng.below(2) == 0 { written } else { system.terms.ite(condition, written, b) };
    };
    let array = system.terms.array_sort(index, element);
    let (memory, at) = (sub(system, array), sub(system, index));
    use Op::{BvAdd, BvAnd, BvLshr, BvMul, BvShl, BvSmod, BvSub, BvUdiv, BvXor};
    let ops = [BvAdd, BvAnd, BvLshr, BvMul, BvShl, BvSmod, BvSub, BvUdiv, BvXor];
    match rng.below(12) {
        0 => system.terms.ite(condition, a, b),
        1 if width == 2 => system.terms.select(memory, at),
        1 => system.terms.mk(Op::BvNeg, &[a]),
        2 if width == 2 => system.terms.mk(Op::ZeroExtend(1), &[at]),
        2 => system.terms.mk(Op::BvNot, &[a]),
        pick => system.terms.mk(ops[pick as usize - 3], &[a, b]),
    }
}

/// A random system with states and inputs of up to 2 bits and perhaps a small array.
pub fn random_system(rng: &mut Rng) -> Words {
    let mut system = Words::default();
    let (index, element) = (system.terms.bv_sort(1), system.terms.bv_sort(2));
    let array = system.terms.array_sort(index, element);
    let sorts = [SortId::BOOL, element, element, index, array];
    for number in 0..1 + rng.below(3) {
        let sort = rng.pick(&sorts);
        state(&mut system, &format!("s{number}"), sort);
    }
    for number in 0..rng.below(3) {
        let sort = rng.pick(&sorts[..4]);
        input(&mut system, &format!("i{number}"), sort);
    }
    let states = system.state_vars();
    let all: Vec<TermId> = states.iter().chain(&system.inputs).copied().collect();
    for (position, &var) in states.iter().enumerate() {
        let sort = system.terms.sort(var);
        if rng.below(4) > 0 {
            let init = random_term(&mut system, rng, &states[..position], sort, 1);
            system.states[position].init = Some(init);
        }
        if rng.below(5) > 0 {
            let next = random_term(&mut system, rng, &all, sort, 2);
            system.states[position].next = Some(next);
        }
    }
    let bad = random_term(&mut system, rng, &all, SortId::BOOL, 2);
    system.bads.push(named(bad));
    if rng.below(3) == 0 {
        let constraint = random_term(&mut system, rng, &all, SortId::BOOL, 2);
        system.constraints.push(named(constraint));
    }
    system
}

/// A random system over words of two bits: two or three states, one input, many operators.
pub fn two_bit_system(rng: &mut Rng) -> Words {
    let mut words = Words::default();
    let sort = words.terms.bv_sort(2);
    let vars: Vec<TermId> =
        (0..2 + rng.below(2)).map(|i| words.terms.var(&format!("s{i}"), sort)).collect();
    let input = words.terms.var("i", sort);
    words.inputs.push(input);
    let mut pool: Vec<TermId> = vars.iter().copied().chain([input]).collect();
    pool.extend((0..4).map(|bits| words.terms.bv(Bv::from_u64(2, bits))));
    const OPS: [Op; 8] =
        [Op::BvAnd, Op::BvOr, Op::BvXor, Op::BvAdd, Op::BvSub, Op::BvMul, Op::BvUdiv, Op::BvShl];
    for _ in 0..12 {
        let (a, b, c) = (rng.pick(&pool), rng.pick(&pool), rng.pick(&pool));
        pool.push(if rng.below(4) == 0 {
            let condition = words.terms.mk(Op::BvUlt, &[a, b]);
            words.terms.ite(condition, b, c)
        } else {
            words.terms.mk(rng.pick(&OPS), &[a, b])
        });
    }
    let pick = |rng: &mut Rng| rng.pick(&pool);
    for (index, &var) in vars.iter().enumerate() {
        let init = match rng.below(4) {
            0 => None,
            1 if index > 0 => Some(vars[0]),
            _ => Some(words.terms.bv(Bv::from_u64(2, rng.below(4) as u64))),
        };
        let next = if rng.below(8) == 0 { None } else { Some(pick(rng)) };
        words.states.push(State { var, init, next, span: Span::NONE });
    }
    let (a, b, c, d) = (pick(rng), pick(rng), pick(rng), pick(rng));
    let (same, less) = (words.terms.eq(a, b), words.terms.mk(Op::BvUle, &[c, d]));
    let first = words.terms.mk(Op::BvUlt, &[vars[0], a]);
    let bad = words.terms.and(&[same, first]);
    words.bads.push(named(bad));
    if rng.below(2) == 0 {
        words.constraints.push(named(less));
    }
    words
}
