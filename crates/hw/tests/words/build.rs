//! Systems for tests: by hand and at random.

use alphorn_engine::Rng;
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
            return fitting[rng.below(fitting.len() as u64) as usize];
        }
        let value = alphorn_hw::words::random_value(&system.terms, sort, rng);
        let value = value.expect("finite sorts have values");
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
        let sort = sorts[rng.below(5) as usize];
        state(&mut system, &format!("s{number}"), sort);
    }
    for number in 0..rng.below(3) {
        let sort = sorts[rng.below(4) as usize];
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
