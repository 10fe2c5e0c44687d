//! What a derivation loses, and what it keeps.

use super::*;
use alphorn_problem::Span;
use alphorn_problem::evidence::horn::Progression;
use alphorn_problem::horn::Clause;
use alphorn_term::{Rat, SortId, TermId};

/// P(0); P(x) → P(x + 1); P(x) ∨ (P(y) ∧ y > x) → Q(x, y); Q(x, y) ∧ x ≥ 2 → false;
/// P(x) ∧ x ≥ 4 → false.
fn system() -> Horn {
    let mut horn = Horn::default();
    let int = SortId::INT;
    let (p, q) = (horn.declare_pred("P", &[int]), horn.declare_pred("Q", &[int, int]));
    let (p_func, q_func) = (horn.pred(p).func, horn.pred(q).func);
    let t = &mut horn.terms;
    let (x, y) = (t.var("x", int), t.var("y", int));
    let [zero, one, two, four] = [0, 1, 2, 4].map(|n| t.int(n));
    let (px, py) = (t.mk(Op::Apply(p_func), &[x]), t.mk(Op::Apply(p_func), &[y]));
    let qxy = t.mk(Op::Apply(q_func), &[x, y]);
    let (next, greater) = (t.add(&[x, one]), t.lt(x, y));
    let second = t.and(&[py, greater]);
    let either = t.or(&[px, second]);
    let (large, larger) = (t.le(two, x), t.le(four, x));
    let (first_query, second_query) = (t.and(&[qxy, large]), t.and(&[px, larger]));
    let clause =
        |vars: Vec<TermId>, body, head| Clause { vars, body, head, name: None, span: Span::NONE };
    horn.clauses = vec![
        clause(vec![], TermId::TRUE, Head::Atom(p, vec![zero])),
        clause(vec![x], px, Head::Atom(p, vec![next])),
        clause(vec![x, y], either, Head::Atom(q, vec![x, y])),
        clause(vec![x, y], first_query, Head::False),
        clause(vec![x], second_query, Head::False),
    ];
    horn
}

fn step(clause: u32, values: &[i64], premises: &[usize]) -> Step {
    let values = values.iter().map(|&value| Value::Int(value.into())).collect();
    Step::new(ClauseId(clause), values, premises.to_vec())
}

#[track_caller]
fn check(steps: Vec<Step>, expected: Vec<Step>) {
    let horn = system();
    alphorn_check::horn::check_derivation(&horn, &Derivation::of(steps.clone()))
        .expect("the original is a derivation");
    let small = minimize(Derivation::of(steps), &horn);
    assert_eq!(small.steps, expected);
    alphorn_check::horn::check_derivation(&horn, &small).expect("so is what is left");
    assert_eq!(minimize(small.clone(), &horn), small);
}

#[test]
fn equal_facts_and_idle_steps_go() {
    let chain = [step(0, &[], &[]), step(1, &[0], &[0]), step(1, &[1], &[1])];
    let mut long = chain.to_vec();
    long.extend([
        step(0, &[], &[]),
        step(1, &[0], &[3]),
        step(1, &[1], &[4]),
        step(2, &[2, 0], &[5]),
        step(1, &[2], &[5]),
        step(3, &[2, 0], &[6]),
    ]);
    let mut short = chain.to_vec();
    short.extend([step(2, &[2, 0], &[2]), step(3, &[2, 0], &[3])]);
    check(long, short);
}

#[test]
fn premises_of_a_disjunction_that_holds_without_them_go() {
    let chain = [step(0, &[], &[]), step(1, &[0], &[0]), step(1, &[1], &[1]), step(1, &[2], &[2])];
    let mut long = chain.to_vec();
    long.extend([step(2, &[2, 3], &[2, 3]), step(3, &[2, 3], &[4])]);
    let mut short = chain[..3].to_vec();
    short.extend([step(2, &[2, 3], &[2]), step(3, &[2, 3], &[3])]);
    check(long, short);
}

#[test]
fn the_query_that_needs_least_is_the_end() {
    let mut long =
        vec![step(0, &[], &[]), step(1, &[0], &[0]), step(1, &[1], &[1]), step(1, &[2], &[2])];
    long.extend([
        step(2, &[2, 0], &[2]),
        step(3, &[2, 0], &[4]),
        step(1, &[3], &[3]),
        step(4, &[4], &[6]),
    ]);
    let mut short = long[..3].to_vec();
    short.extend([step(2, &[2, 0], &[2]), step(3, &[2, 0], &[3])]);
    check(long, short);
}

#[test]
fn a_progression_begins_where_its_rounds_do() {
    let one = vec![Rat::from(1)];
    let value = |n: i64| vec![Value::Int(n.into())];
    let run = |start: i64, rounds: i64| Progression {
        rounds: rounds.into(),
        members: vec![Member { clause: ClauseId(1), start: value(start), growth: one.clone() }],
    };
    let progress = |run, premise| Step::progress(run, vec![premise]).expect("it has a member");
    let long = vec![
        step(0, &[], &[]),
        step(1, &[0], &[0]),
        step(1, &[1], &[1]),
        progress(run(2, 100), 2),
        step(4, &[102], &[3]),
    ];
    let short = vec![step(0, &[], &[]), progress(run(0, 102), 0), step(4, &[102], &[1])];
    check(long.clone(), short);
    // A step that something else uses stays.
    let mut used = long[..4].to_vec();
    used.extend([step(2, &[2, 102], &[2, 3]), step(3, &[2, 102], &[4])]);
    let horn = system();
    let small = minimize(Derivation::of(used), &horn);
    alphorn_check::horn::check_derivation(&horn, &small).expect("it is a derivation still");
}

#[test]
fn what_is_no_derivation_stays_as_it_is() {
    let horn = system();
    let broken = Derivation::of(vec![step(0, &[], &[3]), step(9, &[], &[])]);
    assert_eq!(minimize(broken.clone(), &horn), broken);
}
