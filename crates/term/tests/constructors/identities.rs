//! What the constructors are expected to see, case by case.

use alphorn_term::{Bv, Op, SortId, Store, TermId};

#[test]
fn junctions() {
    let s = &mut Store::new();
    let [a, b, c] = ["a", "b", "c"].map(|name| s.var(name, SortId::BOOL));
    let (t, f) = (TermId::TRUE, TermId::FALSE);
    let not_a = s.not(a);
    let (a_and_b, a_or_b) = (s.and(&[a, b]), s.or(&[a, b]));
    let cases = [
        (s.and(&[]), t),
        (s.or(&[]), f),
        (s.and(&[a]), a),
        (s.and(&[a, t]), a),
        (s.and(&[a, f]), f),
        (s.or(&[a, f]), a),
        (s.or(&[a, t]), t),
        (s.and(&[a, a]), a),
        (s.or(&[a, a, a]), a),
        (s.and(&[a, not_a]), f),
        (s.and(&[not_a, a]), f),
        (s.or(&[not_a, b, a]), t),
        (s.and(&[a_and_b, a]), a_and_b),
        (s.and(&[a_and_b, not_a]), f),
        (s.or(&[not_a, a_or_b]), t),
        (s.and(&[t, t]), t),
        (s.or(&[f, f]), f),
        (s.not(not_a), a),
    ];
    for (at, (got, expected)) in cases.into_iter().enumerate() {
        assert_eq!(got, expected, "case {at}: {} for {}", s.show(got), s.show(expected));
    }
    let nested = s.and(&[a_and_b, c]);
    assert_eq!(s.args(nested), [a, b, c]);
    assert_eq!(s.and(&[a, b, c]), nested);
}

/// The first occurrence counts, whether a list is short or long.
#[test]
fn long_junctions_behave_like_short_ones() {
    let s = &mut Store::new();
    let vars: Vec<TermId> = (0..40).map(|n| s.var(&format!("v{n}"), SortId::BOOL)).collect();
    for len in 2..40 {
        let mut args = vars[..len].to_vec();
        let plain = s.and(&args);
        assert_eq!(s.args(plain), &args[..]);
        args.extend_from_slice(&vars[..len]);
        args.push(TermId::TRUE);
        assert_eq!(s.and(&args), plain);
        let negated = s.not(vars[len / 2]);
        args.push(negated);
        assert_eq!(s.and(&args), TermId::FALSE);
        assert_eq!(s.or(&args), TermId::TRUE);
    }
}

#[test]
fn equality_and_conditionals() {
    let s = &mut Store::new();
    let [a, b] = ["a", "b"].map(|name| s.var(name, SortId::BOOL));
    let (x, y) = (s.var("x", SortId::INT), s.var("y", SortId::INT));
    let (one, two) = (s.int(1), s.int(2));
    let (not_a, not_b) = (s.not(a), s.not(b));
    let same = s.eq(a, b);
    let differ = s.not(same);
    let picked = s.ite(a, one, two);
    let x_is_y = s.eq(x, y);
    let (a_or_b, a_and_b) = (s.or(&[a, b]), s.and(&[a, b]));
    let (not_a_or_b, not_a_and_b) = (s.or(&[not_a, b]), s.and(&[not_a, b]));
    let swapped = s.ite(a, y, x);
    let cases = [
        (s.eq(x, x), TermId::TRUE),
        (s.eq(one, two), TermId::FALSE),
        (s.eq(y, x), x_is_y),
        (s.eq(a, TermId::TRUE), a),
        (s.eq(TermId::FALSE, a), not_a),
        (s.eq(not_a, not_b), same),
        (s.eq(not_a, b), differ),
        (s.eq(a, not_a), TermId::FALSE),
        (s.eq(picked, one), a),
        (s.eq(two, picked), not_a),
        (s.ite(not_a, x, y), swapped),
        (s.ite(a, x, x), x),
        (s.ite(TermId::TRUE, x, y), x),
        (s.ite(TermId::FALSE, x, y), y),
        (s.ite(a, TermId::TRUE, TermId::FALSE), a),
        (s.ite(a, TermId::FALSE, TermId::TRUE), not_a),
        (s.ite(a, TermId::TRUE, b), a_or_b),
        (s.ite(a, b, TermId::FALSE), a_and_b),
        (s.ite(a, b, TermId::TRUE), not_a_or_b),
        (s.ite(a, TermId::FALSE, b), not_a_and_b),
    ];
    for (at, (got, expected)) in cases.into_iter().enumerate() {
        assert_eq!(got, expected, "case {at}: {} for {}", s.show(got), s.show(expected));
    }
    assert_eq!(s.ite(not_a, y, x), s.ite(a, x, y));
}

#[test]
fn polynomials() {
    let s = &mut Store::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| s.var(name, SortId::INT));
    let (zero, one, two, three) = (s.int(0), s.int(1), s.int(2), s.int(3));
    let sum = s.add(&[x, y]);
    let two_x = s.mul(&[two, x]);
    let three_x = s.add(&[x, two_x]);
    let cases = [
        (s.add(&[x, zero]), x),
        (s.mul(&[x, one]), x),
        (s.mul(&[x, zero]), zero),
        (s.add(&[x, x]), two_x),
        (s.mul(&[x, two]), two_x),
        (s.mul(&[three, x]), three_x),
        (s.sub(x, x), zero),
        (s.sub(sum, x), y),
        (s.sub(three_x, two_x), x),
        (s.mk(Op::Mod, &[x, one]), zero),
        (s.mk(Op::IntDiv, &[x, one]), x),
    ];
    for (at, (got, expected)) in cases.into_iter().enumerate() {
        assert_eq!(got, expected, "case {at}: {} for {}", s.show(got), s.show(expected));
    }
    // 2(x + y + 1) - 2x - 2 is 2y.
    let inner = s.add(&[x, y, one]);
    let doubled = s.mul(&[two, inner]);
    let less = s.sub(doubled, two_x);
    let less = s.sub(less, two);
    assert_eq!(less, s.mul(&[two, y]));
    assert_eq!(s.mul(&[x, y]), s.mul(&[y, x]));
    let product = s.mul(&[x, y, z]);
    assert_eq!(s.args(product), [x, y, z]);
}

#[test]
fn words() {
    let s = &mut Store::new();
    let eight = s.bv_sort(8);
    let x = s.var("x", eight);
    let [zero, one, ones] = [0, 1, 255].map(|bits| s.bv(Bv::from_u64(8, bits)));
    let middle = s.mk(Op::Extract(6, 2), &[x]);
    let deeper = s.mk(Op::Extract(4, 3), &[x]);
    let negated = s.mk(Op::BvNot, &[x]);
    let minus = s.mk(Op::BvNeg, &[x]);
    let cases = [
        (s.mk(Op::Extract(7, 0), &[x]), x),
        (s.mk(Op::Extract(2, 1), &[middle]), deeper),
        (s.mk(Op::ZeroExtend(0), &[x]), x),
        (s.mk(Op::SignExtend(0), &[x]), x),
        (s.mk(Op::Repeat(1), &[x]), x),
        (s.mk(Op::BvNot, &[negated]), x),
        (s.mk(Op::BvNeg, &[minus]), x),
        (s.mk(Op::BvAnd, &[x, ones]), x),
        (s.mk(Op::BvAnd, &[zero, x]), zero),
        (s.mk(Op::BvOr, &[x, zero]), x),
        (s.mk(Op::BvOr, &[ones, x]), ones),
        (s.mk(Op::BvXor, &[x, x]), zero),
        (s.mk(Op::BvXor, &[zero, x]), x),
        (s.mk(Op::BvSub, &[x, x]), zero),
        (s.mk(Op::BvSub, &[x, zero]), x),
        (s.mk(Op::BvAdd, &[zero, x]), x),
        (s.mk(Op::BvMul, &[x, one]), x),
        (s.mk(Op::BvMul, &[zero, x]), zero),
        (s.mk(Op::BvShl, &[x, zero]), x),
        (s.mk(Op::BvUle, &[x, x]), TermId::TRUE),
        (s.mk(Op::BvSlt, &[x, x]), TermId::FALSE),
    ];
    for (at, (got, expected)) in cases.into_iter().enumerate() {
        assert_eq!(got, expected, "case {at}: {} for {}", s.show(got), s.show(expected));
    }
    // No identity for these: x / x is all ones at zero.
    for op in [Op::BvUdiv, Op::BvUrem, Op::BvSdiv] {
        let term = s.mk(op, &[x, x]);
        assert_eq!(s.op(term), op);
    }
}

#[test]
fn arrays() {
    let s = &mut Store::new();
    let sort = s.array_sort(SortId::INT, SortId::INT);
    let (a, i, v) = (s.var("a", sort), s.var("i", SortId::INT), s.var("v", SortId::INT));
    let (one, two) = (s.int(1), s.int(2));
    let written = s.store(a, i, v);
    let twice = s.store(written, i, one);
    let at_one = s.store(a, one, v);
    let at_two = s.store(at_one, two, i);
    let read = s.select(a, i);
    let three = s.int(3);
    let below = s.select(a, three);
    let cases = [
        (s.select(written, i), v),
        (s.select(at_two, one), v),
        (s.select(at_two, two), i),
        (s.select(at_two, three), below),
        (s.store(a, i, read), a),
        (s.store(a, i, one), twice),
    ];
    for (at, (got, expected)) in cases.into_iter().enumerate() {
        assert_eq!(got, expected, "case {at}: {} for {}", s.show(got), s.show(expected));
    }
    // Unknown indices may be the same.
    let open = s.select(written, one);
    assert_eq!(s.op(open), Op::Select);
}
