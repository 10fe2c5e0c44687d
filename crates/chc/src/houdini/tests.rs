//! What is guessed, kept, and left out.

use super::*;
use alphorn_engine::Stopper;
use alphorn_problem::Span;
use alphorn_problem::horn::Head;
use alphorn_term::{Bv, SortId};

fn clause(vars: &[TermId], body: TermId, head: Head) -> Clause {
    Clause { vars: vars.to_vec(), body, head, name: None, span: Span::NONE }
}

fn with_ctx<R>(work: impl FnOnce(&mut Ctx<'_>) -> R) -> R {
    let mut sink = |_| {};
    work(&mut Ctx::new(u64::MAX, Stopper::new(), 0, &mut sink))
}

/// A system of two numbers that begin with zero: `step` says what comes after `x` and `y`, and `measure` what
/// of them must not be negative.
fn numbers(
    step: impl Fn(&mut Store, TermId, TermId) -> [TermId; 2],
    measure: impl Fn(&mut Store, TermId, TermId) -> TermId,
) -> Horn {
    let mut horn = Horn::default();
    let pred = horn.declare_pred("Inv", &[SortId::INT, SortId::INT]);
    let func = horn.pred(pred).func;
    let (x, y) = (horn.terms.var("x", SortId::INT), horn.terms.var("y", SortId::INT));
    let zero = horn.terms.int(0);
    horn.clauses.push(clause(&[], TermId::TRUE, Head::Atom(pred, vec![zero, zero])));
    let atom = horn.terms.mk(Op::Apply(func), &[x, y]);
    let next = step(&mut horn.terms, x, y);
    horn.clauses.push(clause(&[x, y], atom, Head::Atom(pred, next.to_vec())));
    let measured = measure(&mut horn.terms, x, y);
    let negative = horn.terms.lt(measured, zero);
    let body = horn.terms.and(&[atom, negative]);
    horn.clauses.push(clause(&[x, y], body, Head::False));
    horn
}

/// `x` counts up, `y` grows by its square; their product must not be negative.
fn squares() -> Horn {
    let step = |terms: &mut Store, x, y| {
        let (one, square) = (terms.int(1), terms.mul(&[x, x]));
        [terms.add(&[x, one]), terms.add(&[y, square])]
    };
    numbers(step, |terms, x, y| terms.mul(&[x, y]))
}

/// A word counts from 0 by 2 up to 200 and must be even.
fn even_word() -> Horn {
    let mut horn = Horn::default();
    let sort = horn.terms.bv_sort(32);
    let pred = horn.declare_pred("I", &[sort]);
    let func = horn.pred(pred).func;
    let i = horn.terms.var("i", sort);
    let word = |horn: &mut Horn, value| horn.terms.bv(Bv::from_u64(32, value));
    let (zero, two, last) = (word(&mut horn, 0), word(&mut horn, 2), word(&mut horn, 200));
    horn.clauses.push(clause(&[], TermId::TRUE, Head::Atom(pred, vec![zero])));
    let atom = horn.terms.mk(Op::Apply(func), &[i]);
    let at_end = horn.terms.eq(i, last);
    let goes_on = horn.terms.not(at_end);
    let body = horn.terms.and(&[atom, goes_on]);
    let next = horn.terms.mk(Op::BvAdd, &[i, two]);
    horn.clauses.push(clause(&[i], body, Head::Atom(pred, vec![next])));
    let bit = horn.terms.mk(Op::Extract(0, 0), &[i]);
    let odd = horn.terms.bv(Bv::from_bool(true));
    let is_odd = horn.terms.eq(bit, odd);
    let body = horn.terms.and(&[atom, is_odd]);
    horn.clauses.push(clause(&[i], body, Head::False));
    horn
}

/// The model that lists the facts 0, 2, …, 200.
fn listing(horn: &Horn) -> HornModel {
    let mut terms = horn.terms.clone();
    let sort = terms.bv_sort(32);
    let param = terms.fresh_var("x", sort);
    let mut cases = Vec::new();
    for value in (0..=200).step_by(2) {
        let word = terms.bv(Bv::from_u64(32, value));
        cases.push(terms.eq(param, word));
    }
    let body = terms.or(&cases);
    let definition = Definition { params: vec![param], body };
    with_ctx(|ctx| match prove(horn, terms, vec![definition], ctx) {
        Ok(Outcome::Proved(model)) => *model,
        other => panic!("{other:?}"),
    })
}

#[test]
fn the_sign_of_a_product_follows_from_the_signs_of_its_factors() {
    let horn = squares();
    let finding = with_ctx(|ctx| Guessing.run(&horn, ctx));
    let Ok(Finding::Holds(claim)) = finding else { panic!("{finding:?}") };
    let model = with_ctx(|ctx| alphorn_horn::prove_horn(&horn, claim, ctx)).unwrap();
    assert!(model.terms.show(model.preds[0].body).len() < 60);
}

#[test]
fn a_list_of_facts_gives_way_to_what_a_query_needs() {
    let horn = even_word();
    let short = with_ctx(|ctx| shorten(&horn, listing(&horn), None, ctx));
    let text = short.terms.show(short.preds[0].body);
    assert_eq!(text, "(= ((_ extract 0 0) i) #b0)");
    assert_eq!(short.proofs.len(), horn.clauses.len());
}

#[test]
fn whoever_was_first_the_short_model_is_the_same() {
    let horn = even_word();
    let from_list = with_ctx(|ctx| shorten(&horn, listing(&horn), None, ctx));
    let shown = |model: &HornModel| model.terms.show(model.preds[0].body);
    let again = with_ctx(|ctx| shorten(&horn, from_list.clone(), None, ctx));
    assert_eq!(shown(&from_list), shown(&again));
}

#[test]
fn facts_have_bounds_distances_and_lines_in_common() {
    let mut store = Store::default();
    let params = [store.var("x", SortId::INT), store.var("y", SortId::INT)];
    let facts: Vec<Vec<alphorn_term::Value>> = (0..5)
        .map(|at| {
            let value = |number: i64| alphorn_term::Value::Int(number.into());
            vec![value(1 + 3 * at), value(10 - 6 * at)]
        })
        .collect();
    let found = points::common(&mut store, &params, &facts);
    let shown: Vec<String> = found.iter().map(|&formula| store.show(formula)).collect();
    assert!(shown.iter().any(|text| text.contains("(mod ") && text.contains('3')), "{shown:?}");
    assert_eq!(shown.len(), 7, "{shown:?}");
}

#[test]
fn a_thorough_look_leaves_out_what_is_not_needed() {
    let horn = even_word();
    let mut terms = horn.terms.clone();
    let sort = terms.bv_sort(32);
    let param = terms.fresh_var("x", sort);
    let low = terms.mk(Op::Extract(0, 0), &[param]);
    let (none, last) = (terms.bv(Bv::from_bool(false)), terms.bv(Bv::from_u64(32, 200)));
    let (even, bounded) = (terms.eq(low, none), terms.mk(Op::BvUle, &[param, last]));
    let body = terms.and(&[bounded, even]);
    let definition = Definition { params: vec![param], body };
    let model = with_ctx(|ctx| match prove(&horn, terms, vec![definition], ctx) {
        Ok(Outcome::Proved(model)) => *model,
        other => panic!("{other:?}"),
    });
    for effort in [Effort::Nec, Effort::Feas, Effort::Msis, Effort::Minimum] {
        let small = with_ctx(|ctx| some_conjuncts(&horn, &model, effort, ctx)).expect("no limit");
        assert_eq!(small.terms.show(small.preds[0].body), "(= ((_ extract 0 0) i) #b0)");
    }
}

#[test]
fn what_is_unsafe_has_no_model_among_guesses() {
    let mut horn = even_word();
    let bit = horn.terms.bv(Bv::from_bool(false));
    let var = horn.clauses[2].vars[0];
    let low = horn.terms.mk(Op::Extract(0, 0), &[var]);
    let is_even = horn.terms.eq(low, bit);
    let func = horn.preds[0].func;
    let atom = horn.terms.mk(Op::Apply(func), &[var]);
    horn.clauses[2].body = horn.terms.and(&[atom, is_even]);
    assert!(matches!(with_ctx(|ctx| Guessing.run(&horn, ctx)), Err(Stop::Stuck(_))));
}

/// `x` and `y` count up from zero; their sum must not be negative.
fn two_counters() -> Horn {
    let step = |terms: &mut Store, x, y| {
        let one = terms.int(1);
        [terms.add(&[x, one]), terms.add(&[y, one])]
    };
    numbers(step, |terms, x, y| terms.add(&[x, y]))
}

fn model_of(horn: &Horn, params: Vec<TermId>, conjuncts: &[TermId], mut terms: Store) -> HornModel {
    let definition = Definition { params, body: terms.and(conjuncts) };
    with_ctx(|ctx| match prove(horn, terms, vec![definition], ctx) {
        Ok(Outcome::Proved(model)) => *model,
        other => panic!("{other:?}"),
    })
}

#[test]
fn of_two_ways_to_exclude_a_query_the_least_subset_is_the_shorter_one() {
    let horn = two_counters();
    let mut terms = horn.terms.clone();
    let params = vec![terms.var("a", SortId::INT), terms.var("b", SortId::INT)];
    let zero = terms.int(0);
    let (left, right) = (terms.ge(params[0], zero), terms.ge(params[1], zero));
    let sum = terms.add(&params);
    let both = terms.ge(sum, zero);
    let model = model_of(&horn, params, &[left, right, both], terms);
    let count = |effort| {
        let small = with_ctx(|ctx| some_conjuncts(&horn, &model, effort, ctx)).expect("no limit");
        assert_eq!(small.proofs.len(), horn.clauses.len());
        conjuncts(&small.terms, small.preds[0].body).len()
    };
    assert_eq!((count(Effort::Quick), count(Effort::Minimum)), (3, 1));
}

#[test]
fn clauses_with_two_atoms_in_the_body_are_kept_by_what_is_left() {
    let mut horn = Horn::default();
    let pred = horn.declare_pred("P", &[SortId::INT, SortId::INT]);
    let func = horn.pred(pred).func;
    let var = |horn: &mut Horn, name: &str| horn.terms.var(name, SortId::INT);
    let (x, y) = (var(&mut horn, "x"), var(&mut horn, "y"));
    let (u, v) = (var(&mut horn, "u"), var(&mut horn, "v"));
    let (zero, one) = (horn.terms.int(0), horn.terms.int(1));
    horn.clauses.push(clause(&[], TermId::TRUE, Head::Atom(pred, vec![one, one])));
    let first = horn.terms.mk(Op::Apply(func), &[x, y]);
    let second = horn.terms.mk(Op::Apply(func), &[u, v]);
    let (both, sum) = (horn.terms.and(&[first, second]), horn.terms.add(&[x, u]));
    let head = Head::Atom(pred, vec![sum, y]);
    horn.clauses.push(clause(&[x, y, u, v], both, head));
    let is_zero = horn.terms.eq(x, zero);
    let body = horn.terms.and(&[first, is_zero]);
    horn.clauses.push(clause(&[x, y], body, Head::False));
    let mut terms = horn.terms.clone();
    let params = vec![terms.var("p", SortId::INT), terms.var("q", SortId::INT)];
    let (needed, other) = (terms.ge(params[0], one), terms.ge(params[1], one));
    let model = model_of(&horn, params, &[needed, other], terms);
    assert_eq!(conjuncts(&model.terms, model.preds[0].body).len(), 2);
    for effort in [Effort::Nec, Effort::Feas, Effort::Msis, Effort::Minimum] {
        let small = with_ctx(|ctx| some_conjuncts(&horn, &model, effort, ctx)).expect("no limit");
        assert_eq!(small.terms.show(small.preds[0].body), "(<= 1 x)", "{effort:?}");
    }
}

/// `P` has all numbers and must not have a negative one; so many other predicates count up.
fn allowed_query(others: usize) -> Horn {
    let mut horn = Horn::default();
    let pred = horn.declare_pred("P", &[SortId::INT]);
    let func = horn.pred(pred).func;
    let x = horn.terms.var("x", SortId::INT);
    let (zero, one) = (horn.terms.int(0), horn.terms.int(1));
    horn.clauses.push(clause(&[x], TermId::TRUE, Head::Atom(pred, vec![x])));
    for other in 0..others {
        let pred = horn.declare_pred(&format!("Q{other}"), &[SortId::INT]);
        let func = horn.pred(pred).func;
        horn.clauses.push(clause(&[], TermId::TRUE, Head::Atom(pred, vec![zero])));
        let atom = horn.terms.mk(Op::Apply(func), &[x]);
        let more = horn.terms.add(&[x, one]);
        horn.clauses.push(clause(&[x], atom, Head::Atom(pred, vec![more])));
    }
    let atom = horn.terms.mk(Op::Apply(func), &[x]);
    let negative = horn.terms.lt(x, zero);
    let body = horn.terms.and(&[atom, negative]);
    horn.clauses.push(clause(&[x], body, Head::False));
    horn
}

#[test]
fn the_search_ends_once_a_query_is_allowed() {
    let ticks = |others| {
        with_ctx(|ctx| {
            assert!(
                from_clauses(&allowed_query(others), false, ctx).expect("ticks enough").is_none()
            );
            ctx.ticks_used()
        })
    };
    assert_eq!(ticks(2), ticks(30));
}

#[test]
fn an_answer_that_was_cheap_is_not_made_to_wait_for_a_shorter_one() {
    let after = |spent| {
        with_ctx(|ctx| {
            ctx.tick(spent).expect("ticks enough");
            allowance(ctx)
        })
    };
    let (least, most) = (HOUDINI_MIN_TICKS.usual, HOUDINI_MAX_TICKS.usual);
    assert_eq!([after(0), after(80_000), after(9_000_000)], [least, least + 10_000, most]);
}
