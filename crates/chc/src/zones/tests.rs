//! Difference bounds, what is recognised, what is refused, and both kinds of answers.

use super::CARD;
use super::dbm::{Apart, Dbm, FREE, LEVEL, bound};
use alphorn_engine::{Ctx, Stop, Stopper};
use alphorn_problem::horn::{Clause, Head};
use alphorn_problem::{Finding, Horn, Span};
use alphorn_term::{Op, Rat, SortId, TermId};

/// A machine that is started when the clock x is at least `wait` and stopped by time `limit`, at the latest; y counts
/// from the beginning. Bad: it was stopped at a y of at most `bad`.
fn machine(wait: i64, bad: i64, is_integer: bool) -> Horn {
    let mut horn = Horn::default();
    let time = if is_integer { SortId::INT } else { SortId::REAL };
    let p = horn.declare_pred("p", &[time, time, time, SortId::INT]);
    let func = horn.pred(p).func;
    let t = &mut horn.terms;
    let [now, x, y, later] = ["now", "x", "y", "later"].map(|name| t.var(name, time));
    let at = t.var("at", SortId::INT);
    let [zero, one, two] = [0, 1, 2].map(|value| t.int(value));
    let number = |t: &mut alphorn_term::Store, value: i64| match is_integer {
        true => t.int(value),
        false => t.real(Rat::from(value)),
    };
    let (wait, bad) = (number(t, wait), number(t, bad));
    let atom = t.mk(Op::Apply(func), &[now, x, y, at]);
    let (since_x, since_y) = (t.sub(now, x), t.sub(now, y));
    let [off, on, done] = [zero, one, two].map(|place| t.eq(at, place));
    let (passes, can, short) = (t.ge(later, now), t.ge(since_x, wait), t.le(since_y, bad));
    let start = {
        let (same_x, same_y) = (t.eq(x, now), t.eq(y, now));
        t.and(&[same_x, same_y, off])
    };
    let delay = t.and(&[atom, passes]);
    let (switch, stop) = (t.and(&[atom, off, can]), t.and(&[atom, on, can]));
    let query = t.and(&[atom, done, short]);
    let clause = |vars: &[TermId], body, head| Clause {
        vars: vars.to_vec(),
        body,
        head,
        name: None,
        span: Span::NONE,
    };
    let all = [now, x, y, at];
    horn.clauses.push(clause(&all, start, Head::Atom(p, all.to_vec())));
    let vars = [now, x, y, at, later];
    horn.clauses.push(clause(&vars, delay, Head::Atom(p, vec![later, x, y, at])));
    horn.clauses.push(clause(&all, switch, Head::Atom(p, vec![now, now, y, one])));
    horn.clauses.push(clause(&all, stop, Head::Atom(p, vec![now, x, y, two])));
    horn.clauses.push(clause(&all, query, Head::False));
    horn.validate().expect("the clauses are fine");
    horn
}

fn run(horn: &Horn) -> Result<Finding<Horn>, Stop> {
    let mut sink = |_| {};
    (CARD.build)().run(horn, &mut Ctx::new(10_000_000, Stopper::new(), 0, &mut sink))
}

#[test]
fn two_waits_take_twice_as_long() {
    assert!(matches!(run(&machine(3, 5, false)), Ok(Finding::Holds(_))));
    let Ok(Finding::Fails(derivation)) = run(&machine(3, 6, false)) else { panic!("unsafe") };
    assert!(alphorn_horn::derivation::is_derivation(&derivation, &machine(3, 6, false)));
}

#[test]
fn times_that_are_integers_are_refused() {
    assert!(matches!(run(&machine(3, 5, true)), Err(Stop::Unsupported(_))));
}

#[test]
fn bounds_add_up_along_paths_and_contradict_each_other() {
    let mut zone = Dbm::free(3);
    assert!(zone.add(Apart { left: 0, right: 1, bound: bound(3, false) }));
    assert!(zone.add(Apart { left: 1, right: 2, bound: bound(-1, true) }));
    assert_eq!(zone.get(0, 2), bound(2, true));
    assert_eq!(zone.get(2, 0), FREE);
    assert!(!zone.clone().add(Apart { left: 2, right: 0, bound: bound(-2, false) }));
    let mut closed = zone.clone();
    assert!(closed.close());
    assert_eq!(closed, zone);
}

#[test]
fn what_is_needed_of_bounds_gives_all_of_them_back() {
    let mut zone = Dbm::free(4);
    let bounds = [(0, 1, 4), (1, 0, -4), (1, 2, 3), (0, 3, 1), (3, 2, 0), (2, 0, 9)];
    for (left, right, value) in bounds {
        assert!(zone.add(Apart { left, right, bound: bound(value, value == 3) }));
    }
    let needed = zone.needed();
    let mut again = Dbm::free(4);
    assert!(needed.iter().all(|&apart| again.add(apart)));
    assert_eq!(again, zone);
    assert!(needed.len() < 8, "{needed:?}");
}

#[test]
fn numbers_are_gathered_with_their_constants() {
    let mut zone = Dbm::free(2);
    assert!(zone.add(Apart { left: 1, right: 0, bound: bound(5, false) }));
    let made = zone.gathered(&[(0, 0), (1, 2), (1, 0)]);
    assert_eq!(made.get(1, 0), bound(7, false));
    assert_eq!((made.get(1, 2), made.get(2, 1)), (bound(2, false), bound(-2, false)));
    assert_eq!(made.get(0, 0), LEVEL);
    assert!(made.includes(&made.clone()));
}
