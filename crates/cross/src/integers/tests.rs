//! Readings of words as integers, against all values of small words.

use super::lift::lift;
use super::{Integers, Reading};
use alphorn_problem::horn::{Clause, Head};
use alphorn_problem::{Horn, Span};
use alphorn_term::{Bv, Model, Op, SortId, Store, TermId, Value, eval};

const WIDTH: u32 = 3;

/// All formulas over two words that the translation says exactly.
fn formulas(store: &mut Store, x: TermId, y: TermId) -> Vec<TermId> {
    let literal = |store: &mut Store, value: u64| store.bv(Bv::from_u64(WIDTH, value));
    let mut words = vec![x];
    for op in [Op::BvAdd, Op::BvSub] {
        words.push(store.mk(op, &[x, y]));
    }
    words.push(store.mk(Op::BvNeg, &[y]));
    words.push(store.mk(Op::BvNot, &[y]));
    for value in 1..8 {
        let by = literal(store, value);
        words.push(store.mk(Op::BvMul, &[by, x]));
        for op in [Op::BvUdiv, Op::BvUrem, Op::BvShl, Op::BvLshr, Op::BvAshr] {
            words.push(store.mk(op, &[x, by]));
        }
        if value != 7 {
            words.push(store.mk(Op::BvSdiv, &[x, by]));
            words.push(store.mk(Op::BvSrem, &[x, by]));
        }
    }
    let mask = literal(store, 3);
    words.push(store.mk(Op::BvAnd, &[mask, x]));
    for (high, low) in [(0, 0), (1, 0), (2, 1), (2, 2)] {
        let part = store.mk(Op::Extract(high, low), &[x]);
        for op in [Op::ZeroExtend(low + 2 - high), Op::SignExtend(low + 2 - high)] {
            words.push(store.mk(op, &[part]));
        }
    }
    let (high, low) = (store.mk(Op::Extract(0, 0), &[x]), store.mk(Op::Extract(2, 1), &[y]));
    words.push(store.mk(Op::Concat, &[high, low]));
    let mut formulas = Vec::new();
    for word in words {
        for op in [Op::Eq, Op::BvUlt, Op::BvUle, Op::BvSlt, Op::BvSle] {
            formulas.push(store.mk(op, &[word, y]));
        }
    }
    for op in [Op::BvUaddo, Op::BvSaddo, Op::BvUsubo, Op::BvSsubo, Op::BvSdivo] {
        formulas.push(store.mk(op, &[x, y]));
    }
    formulas.push(store.mk(Op::BvNego, &[x]));
    formulas
}

/// A system with a query for each formula.
fn queries(is_signed: bool) -> (Horn, TermId, TermId) {
    let mut store = Store::new();
    let sort = store.bv_sort(WIDTH);
    let (x, y) = (store.var("x", sort), store.var("y", sort));
    let formulas = formulas(&mut store, x, y);
    let mut horn = Horn::new(store);
    for body in formulas {
        let vars = vec![x, y];
        horn.clauses.push(Clause { vars, body, head: Head::False, name: None, span: Span::NONE });
    }
    // What most comparisons are decides the reading.
    let op = if is_signed { Op::BvSle } else { Op::BvUle };
    let many: Vec<TermId> = (0..400u64)
        .map(|at| {
            let (high, low) = (Bv::from_u64(12, at), Bv::from_u64(12, at + 1));
            let (high, low) = (horn.terms.bv(high), horn.terms.bv(low));
            let wide = horn.terms.mk(Op::ZeroExtend(9), &[x]);
            let wide = horn.terms.mk(Op::BvAdd, &[wide, high]);
            horn.terms.mk(op, &[wide, low])
        })
        .collect();
    let body = horn.terms.and(&many);
    let vars = vec![x];
    horn.clauses.push(Clause { vars, body, head: Head::False, name: None, span: Span::NONE });
    (horn, x, y)
}

#[test]
fn integers_say_what_words_say() {
    for is_signed in [true, false] {
        let (mut horn, x, y) = queries(is_signed);
        let integers = Integers::of(&horn, Reading::Exact).unwrap();
        assert_eq!(integers.is_signed, is_signed);
        horn.clauses.pop();
        for (clause, of_integers) in horn.clauses.iter().zip(&integers.system.clauses) {
            assert_eq!(of_integers.vars.len(), 2, "{}", horn.terms.show(clause.body));
            for (a, b) in (0..8).flat_map(|a| (0..8).map(move |b| (a, b))) {
                let (a, b) = (Bv::from_u64(WIDTH, a), Bv::from_u64(WIDTH, b));
                let read = |word: &Bv| match is_signed {
                    true => Value::Int(word.to_signed()),
                    false => Value::Int(word.to_unsigned()),
                };
                let (mut words, mut numbers) = (Model::new(), Model::new());
                numbers.set(of_integers.vars[0], read(&a));
                numbers.set(of_integers.vars[1], read(&b));
                words.set(x, Value::Bv(a.clone()));
                words.set(y, Value::Bv(b.clone()));
                assert_eq!(
                    eval(&horn.terms, clause.body, &words),
                    eval(&integers.system.terms, of_integers.body, &numbers),
                    "{} for {a} and {b}",
                    horn.terms.show(clause.body)
                );
            }
        }
    }
}

#[test]
fn lifted_formulas_say_what_integers_say() {
    let mut store = Store::new();
    let sort = store.bv_sort(WIDTH);
    let (x, y) = (store.var("x", sort), store.var("y", sort));
    let (i, j) = (store.var("i", SortId::INT), store.var("j", SortId::INT));
    let mut terms = vec![i];
    for (left, right) in [(1, 1), (3, -2), (-1, 5)] {
        let (left, right) = (store.int(left), store.int(right));
        let (left, right) = (store.mul(&[left, i]), store.mul(&[right, j]));
        terms.push(store.add(&[left, right]));
    }
    terms.push(store.mul(&[i, j]));
    for divisor in [2, 3, 4] {
        let by = store.int(divisor);
        let sum = terms[1];
        terms.push(store.mk(Op::IntDiv, &[sum, by]));
        terms.push(store.mk(Op::Mod, &[sum, by]));
    }
    let is_less = store.lt(i, j);
    terms.push(store.ite(is_less, i, j));
    terms.push(store.mk(Op::Abs, &[j]));
    let mut formulas = Vec::new();
    for (at, &term) in terms.iter().enumerate() {
        let bound = store.int(at as i64 - 4);
        formulas.push(store.le(term, bound));
        formulas.push(store.lt(j, term));
        formulas.push(store.eq(term, bound));
    }
    for is_signed in [true, false] {
        for &formula in &formulas {
            let pairs = [(i, x), (j, y)].into_iter();
            let lifted = lift(&mut store, formula, pairs, is_signed).unwrap();
            for (a, b) in (0..8).flat_map(|a| (0..8).map(move |b| (a, b))) {
                let (a, b) = (Bv::from_u64(WIDTH, a), Bv::from_u64(WIDTH, b));
                let read = |word: &Bv| match is_signed {
                    true => Value::Int(word.to_signed()),
                    false => Value::Int(word.to_unsigned()),
                };
                let mut model = Model::new();
                model.set(i, read(&a));
                model.set(j, read(&b));
                model.set(x, Value::Bv(a.clone()));
                model.set(y, Value::Bv(b.clone()));
                let (wanted, found) = (eval(&store, formula, &model), eval(&store, lifted, &model));
                assert_eq!(wanted, found, "{} for {a} and {b}", store.show(formula));
            }
        }
    }
}
