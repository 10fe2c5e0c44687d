//! What is recognised, what is refused, and both kinds of answers.

use super::antichain::{Antichain, is_at_most};
use super::backward::before;
use super::net::{Net, Sum, Transition};
use super::{CARD, iic, karp_miller};
use alphorn_engine::{Card, Ctx, Stop, Stopper};
use alphorn_problem::horn::{Clause, ClauseId, Head};
use alphorn_problem::{Finding, Horn, Span};
use alphorn_term::{Op, SortId, TermId};

/// p(n, 0) for n ≥ 1; p(x, y) ∧ x ≥ 1 → p(x − 1, y + gain); p(x, y) ∧ y ≥ bad → false.
fn mover(gain: i64, bad: i64, is_tested: bool) -> Horn {
    let mut horn = Horn::default();
    let p = horn.declare_pred("p", &[SortId::INT, SortId::INT]);
    let func = horn.pred(p).func;
    let t = &mut horn.terms;
    let (x, y) = (t.var("x", SortId::INT), t.var("y", SortId::INT));
    let [zero, one, gain, bad] = [0, 1, gain, bad].map(|value| t.int(value));
    let atom = t.mk(Op::Apply(func), &[x, y]);
    let (some, less, more, large) = (t.ge(x, one), t.sub(x, one), t.add(&[y, gain]), t.ge(y, bad));
    let guard = if is_tested { t.eq(x, one) } else { some };
    let (step, query) = (t.and(&[atom, guard]), t.and(&[atom, large]));
    let clause =
        |vars: Vec<TermId>, body, head| Clause { vars, body, head, name: None, span: Span::NONE };
    horn.clauses.push(clause(vec![x], some, Head::Atom(p, vec![x, zero])));
    horn.clauses.push(clause(vec![x, y], step, Head::Atom(p, vec![less, more])));
    horn.clauses.push(clause(vec![x, y], query, Head::False));
    horn
}

fn with_ticks<T>(work: impl FnOnce(&mut Ctx<'_>) -> Result<T, Stop>) -> Result<T, Stop> {
    let mut sink = |_| {};
    work(&mut Ctx::new(1_000_000, Stopper::new(), 0, &mut sink))
}

fn run(horn: &Horn) -> Result<Finding<Horn>, Stop> {
    run_by(&CARD, horn)
}

fn run_by(card: &Card<Horn>, horn: &Horn) -> Result<Finding<Horn>, Stop> {
    with_ticks(|ctx| (card.build)().run(horn, ctx))
}

/// All engines for counters.
const CARDS: [Card<Horn>; 3] = [CARD, iic::CARD, karp_miller::CARD];

#[test]
fn a_counter_that_any_number_of_others_can_fill_is_filled() {
    for card in &CARDS {
        let Ok(Finding::Fails(derivation)) = run_by(card, &mover(1, 3, false)) else {
            panic!("unsafe by {}", card.name)
        };
        // A start with three, three steps, the query.
        assert_eq!(derivation.steps.len(), 5, "{}", card.name);
        assert!(alphorn_horn::derivation::is_derivation(&derivation, &mover(1, 3, false)));
    }
}

#[test]
fn a_counter_that_nothing_fills_stays_empty() {
    for card in &CARDS {
        let found = run_by(card, &mover(0, 1, false));
        assert!(matches!(found, Ok(Finding::Holds(_))), "{}", card.name);
    }
}

#[test]
fn tests_for_equality_are_refused() {
    assert!(matches!(run(&mover(1, 3, true)), Err(Stop::Unsupported(_))));
}

#[test]
fn counters_that_may_become_negative_are_refused() {
    assert!(matches!(run(&mover(-1, 3, false)), Err(Stop::Unsupported(_))));
}

#[test]
fn a_transfer_has_all_least_ways_to_fill_its_end() {
    // x' = 0, y' = x + y; wanted y' ≥ 2.
    let sums = vec![
        Sum { parts: Vec::new(), constant: 0 },
        Sum { parts: vec![(0, 1), (1, 1)], constant: 0 },
    ];
    let guard = vec![0, 0].into();
    let rule = Transition { clause: ClauseId(0), from: 0, to: 0, guard, sums };
    let ways = with_ticks(|ctx| before(&rule, &[0, 2], ctx));
    let mut ways: Vec<Vec<u64>> =
        ways.expect("ticks enough").into_iter().map(|way| way.to_vec()).collect();
    ways.sort();
    assert_eq!(ways, [vec![0, 2], vec![1, 1], vec![2, 0]]);
    let none = with_ticks(|ctx| before(&rule, &[1, 0], ctx)).expect("ticks enough");
    assert!(none.is_empty(), "a counter that was reset is not 1");
}

#[test]
fn an_antichain_keeps_least_elements_only() {
    let mut set = Antichain::new(1);
    set.insert(0, vec![2, 1].into(), None, 0);
    set.insert(0, vec![0, 3].into(), None, 0);
    assert!(set.covers(0, &[2, 2]) && !set.covers(0, &[1, 2]));
    set.insert(0, vec![0, 1].into(), None, 0);
    assert_eq!(set.len_at(0), 1);
    assert!(is_at_most(&[0, 1], &[2, 1]));
}

#[test]
fn clauses_with_the_new_value_in_an_equation_are_recognised() {
    let mut horn = mover(1, 3, false);
    let t = &mut horn.terms;
    let (x, y, z) = (t.var("x", SortId::INT), t.var("y", SortId::INT), t.var("z", SortId::INT));
    let func = horn.preds[0].func;
    let [one, atom] = [t.int(1), t.mk(Op::Apply(func), &[x, y])];
    let (sum, guard) = (t.add(&[z, one]), t.ge(z, one));
    let equation = t.eq(x, sum);
    let body = t.and(&[atom, equation, guard]);
    let head = Head::Atom(alphorn_problem::horn::PredId(0), vec![z, y]);
    horn.clauses.push(Clause { vars: vec![x, y, z], body, head, name: None, span: Span::NONE });
    let net = with_ticks(|ctx| Net::of(&horn, ctx)).expect("it is monotone");
    assert_eq!(net.transitions[1].guard[..], [2, 0]);
    assert_eq!(net.transitions[1].sums[0].constant, -1);
}

/// p(1, 0); p(x, y) ∧ x ≥ 1 → p(x, y + 1), and with a reset p(x, y) ∧ x ≥ 1 → p(x, 1); p(x, y) ∧ y ≥ bad → false.
fn pump(is_reset: bool, bad: i64) -> Horn {
    let mut horn = Horn::default();
    let p = horn.declare_pred("p", &[SortId::INT, SortId::INT]);
    let func = horn.pred(p).func;
    let t = &mut horn.terms;
    let (x, y) = (t.var("x", SortId::INT), t.var("y", SortId::INT));
    let [zero, one, bad] = [0, 1, bad].map(|value| t.int(value));
    let atom = t.mk(Op::Apply(func), &[x, y]);
    let (some, more, large) = (t.ge(x, one), t.add(&[y, one]), t.ge(y, bad));
    let (step, query) = (t.and(&[atom, some]), t.and(&[atom, large]));
    let clause =
        |vars: Vec<TermId>, body, head| Clause { vars, body, head, name: None, span: Span::NONE };
    horn.clauses.push(clause(vec![], TermId::TRUE, Head::Atom(p, vec![one, zero])));
    let after = if is_reset { one } else { more };
    horn.clauses.push(clause(vec![x, y], step, Head::Atom(p, vec![x, after])));
    horn.clauses.push(clause(vec![x, y], query, Head::False));
    horn
}

#[test]
fn what_grows_each_time_has_no_bound_and_the_run_takes_the_way_as_often_as_needed() {
    let horn = pump(false, 7);
    let Ok(Finding::Fails(derivation)) = run_by(&karp_miller::CARD, &horn) else {
        panic!("unsafe")
    };
    assert_eq!(derivation.steps.len(), 9);
    assert!(alphorn_horn::derivation::is_derivation(&derivation, &horn));
}

#[test]
fn what_grows_once_and_is_reset_keeps_its_bound() {
    for card in &CARDS {
        let found = run_by(card, &pump(true, 2));
        assert!(matches!(found, Ok(Finding::Holds(_))), "{}", card.name);
    }
}

#[test]
fn only_monotone_systems_of_counters_are_taken_for_such() {
    assert!(super::is_counting(&mover(1, 3, false)));
    assert!(!super::is_counting(&mover(1, 3, true)));
    assert!(!super::is_counting(&Horn::default()));
}
