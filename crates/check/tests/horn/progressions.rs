//! Progressions: accepted for all rounds or refused, and never accepted where what they stand for is not.

use super::{System, refused, system};
use alphorn_check::horn::check_derivation;
use alphorn_problem::evidence::horn::{Derivation, Member, Progression, Step};
use alphorn_problem::horn::ClauseId;
use alphorn_term::{Rat, Value};
use alphorn_testkit::Rng;

/// Q(0); Q(x) ∧ x < 1000000 → Q(x + 2); Q(1000000) → false.
fn deep() -> System {
    system(&[
        ("true", "(Q 0)"),
        ("(and (Q x) (< x 1000000))", "(Q (+ x 2))"),
        ("(Q 1000000)", "false"),
    ])
}

fn member(clause: u32, start: &[Value], growth: &[i64]) -> Member {
    let growth = growth.iter().map(|&growth| Rat::from(growth)).collect();
    Member { clause: ClauseId(clause), start: start.to_vec(), growth }
}

fn int(value: i64) -> Value {
    Value::Int(value.into())
}

/// Step 0 by clause 0, a progression of it, and the query, which uses the progression alone.
fn progressing(rounds: i64, members: Vec<Member>, query: u32) -> Derivation {
    let run = Progression { rounds: rounds.into(), members };
    Derivation::of(vec![
        Step::new(ClauseId(0), vec![], vec![]),
        Step::progress(run, vec![0]).expect("there are members"),
        Step::new(ClauseId(query), vec![], vec![1]),
    ])
}

#[test]
fn a_million_rounds_are_one_step() {
    let horn = deep().horn;
    let good = progressing(500_000, vec![member(1, &[int(0)], &[2])], 2);
    check_derivation(&horn, &good).expect("it counts up to the end");
    assert_eq!(good.instances(), 500_002.into());
    assert!(good.expanded(&horn, 1000).is_none());
    let plain = good.expanded(&horn, 1_000_000).expect("it has so many steps");
    assert_eq!(plain.steps.len(), 500_002);
    check_derivation(&horn, &plain).expect("what it stands for is a derivation");
    let start = || member(1, &[int(0)], &[2]);
    for (rounds, member, why) in [
        (500_001, start(), "not seen to hold"),
        (499_999, start(), "body is false"),
        (250_000, member(1, &[int(0)], &[4]), "not seen to hold"),
        (500_000, member(1, &[int(2)], &[2]), "not seen to hold"),
        (500_000, member(1, &[int(-2)], &[2]), "not seen to hold"),
        (0, start(), "number of rounds"),
        (-3, start(), "number of rounds"),
        (500_000, member(7, &[int(0)], &[2]), "no clause 7"),
        (500_000, member(1, &[], &[2]), "0 values"),
        (500_000, member(1, &[int(0)], &[]), "growth is given for 0"),
        (500_000, member(1, &[Value::Bool(true)], &[2]), "does not fit"),
        (1, member(2, &[], &[]), "query stands in a progression"),
    ] {
        refused(check_derivation(&horn, &progressing(rounds, vec![member], 2)), why);
    }
    let mut half = start();
    half.growth = vec![Rat::ratio(1, 2).expect("a half")];
    refused(check_derivation(&horn, &progressing(500_000, vec![half], 2)), "growth of x");
}

#[test]
fn what_a_progression_says_of_itself_is_compared() {
    let horn = deep().horn;
    let good = progressing(500_000, vec![member(1, &[int(0)], &[2])], 2);
    let mut other = good.clone();
    other.steps[1].values = vec![int(0)];
    refused(check_derivation(&horn, &other), "not the last one");
    let mut other = good.clone();
    other.steps[1].clause = ClauseId(0);
    refused(check_derivation(&horn, &other), "not the last one");
    let mut other = good.clone();
    other.steps[1].premises = vec![];
    refused(check_derivation(&horn, &other), "not seen to hold");
    let mut other = good.clone();
    other.steps[1].premises = vec![1];
    refused(check_derivation(&horn, &other), "not an earlier step");
    let mut other = good;
    other.steps[1].progression.as_mut().expect("it is one").members.clear();
    refused(check_derivation(&horn, &other), "not the last one");
}

#[test]
fn rounds_take_turns_and_use_facts_of_their_own() {
    // B toggles, R counts by what Q offers in the same round.
    let horn = system(&[
        ("true", "(R 0 7)"),
        ("(< x 5000)", "(Q x)"),
        ("(and (R x y) (Q x) (or (= y 3) (= y 7)))", "(R (+ x 1) (ite (= y 7) 3 7))"),
        ("(R 4000 7)", "false"),
    ])
    .horn;
    let q = |clause: &[i64]| clause.iter().map(|&value| int(value)).collect::<Vec<_>>();
    let round = vec![
        member(1, &q(&[0]), &[2]),
        member(2, &q(&[0, 7]), &[2, 0]),
        member(1, &q(&[1]), &[2]),
        member(2, &q(&[1, 3]), &[2, 0]),
    ];
    check_derivation(&horn, &progressing(2000, round.clone(), 3)).expect("two steps a round");
    refused(check_derivation(&horn, &progressing(2501, round.clone(), 3)), "not seen to hold");
    let mut without = round.clone();
    without.remove(0);
    refused(check_derivation(&horn, &progressing(2000, without, 3)), "not seen to hold");
    let mut exchanged = round.clone();
    exchanged.swap(0, 1);
    refused(check_derivation(&horn, &progressing(2000, exchanged, 3)), "not seen to hold");
    let mut same = round;
    same[3].start[1] = int(7);
    refused(check_derivation(&horn, &progressing(2000, same, 3)), "not seen to hold");
}

#[test]
fn constraints_are_followed_through_all_rounds() {
    // What may stand in the body of a loop that counts by six from 0, and for how many rounds it holds.
    for (constraint, holds) in [
        ("(<= x 60)", 11),
        ("(< x 60)", 10),
        ("(not (= x 60))", 10),
        ("(not (= x 63))", i64::MAX),
        ("(= (mod x 3) 0)", i64::MAX),
        ("(= (mod x 4) 0)", 0),
        ("(= (div x 3) (* 2 (div x 6)))", i64::MAX),
        ("(or (= x 5) (< (- x) 1))", i64::MAX),
        ("(or (< x 12) (<= 12 x))", 2),
        ("(<= (* x x) 0)", 0),
        ("(<= (* 3 x) 90)", 6),
        ("(= (ite (< x 0) 1 x) x)", i64::MAX),
        ("(= (div x 0) 1)", 0),
    ] {
        let body = format!("(and (Q x) {constraint})");
        let horn = system(&[("true", "(Q 0)"), (&body, "(Q (+ x 6))"), ("(Q 0)", "false")]).horn;
        let accepts = |rounds: i64| {
            let mut derivation = progressing(rounds, vec![member(1, &[int(0)], &[6])], 2);
            derivation.steps[2].premises = vec![0];
            check_derivation(&horn, &derivation).is_ok()
        };
        for rounds in [1, 2, 3, 6, 7, 10, 11, 12, 1_000_000_000_000] {
            assert_eq!(accepts(rounds), rounds <= holds, "{constraint} for {rounds} rounds");
        }
    }
}

#[test]
fn hostile_progressions_are_refused_soon() {
    let horn = deep().horn;
    let mut run = progressing(1, vec![member(1, &[int(0)], &[2])], 2);
    let progression = run.steps[1].progression.as_mut().expect("it is one");
    progression.rounds = alphorn_term::Int::from(2).pow(1 << 13);
    refused(check_derivation(&horn, &run), "number of rounds");
    let long = alphorn_term::Int::from(2).pow(1 << 22);
    let mut run = progressing(1, vec![member(1, &[Value::Int(long.clone())], &[2])], 2);
    refused(check_derivation(&horn, &run), "does not fit");
    let progression = run.steps[1].progression.as_mut().expect("it is one");
    progression.members[0].start = vec![int(0)];
    progression.members[0].growth = vec![Rat::from(long)];
    refused(check_derivation(&horn, &run), "does not fit");
    let many = progressing(1 << 40, vec![member(1, &[int(0)], &[2]); 20_000], 2);
    refused(check_derivation(&horn, &many), "");
}

/// Changes to a progression are refused unless what it stands for is still a derivation.
#[test]
fn changed_progressions_are_derivations_or_refused() {
    let horn = system(&[
        ("true", "(R 0 9)"),
        ("(and (R x y) (< x 40) (not (= y 2)))", "(R (+ x 1) (- y 1))"),
        ("(and (R x y) (<= y x))", "(R (+ x 3) (+ y 1))"),
        ("(and (R x y) (<= 5 x))", "false"),
    ])
    .horn;
    let mut rng = Rng::new(7);
    let (mut accepted, mut refused) = (0, 0);
    for _ in 0..20_000 {
        let mut number = |low: i64, high: i64| low + rng.below((high - low) as u64) as i64;
        let start = [int(number(0, 3)), int(number(7, 11))];
        let mut members = vec![member(1, &start, &[number(0, 4), number(-2, 2)])];
        if number(0, 3) == 0 {
            let second = [int(number(0, 3)), int(number(-2, 9))];
            members.push(member(2, &second, &[number(0, 5), number(-1, 2)]));
        }
        let rounds = number(1, 9);
        let mut derivation = progressing(rounds, members, 3);
        let end = derivation.steps[1].conclusion(&horn).expect("it concludes something").1;
        derivation.steps[2].values = end;
        let plain = derivation.expanded(&horn, 1000).expect("it is short");
        let is_right = check_derivation(&horn, &plain).is_ok();
        match check_derivation(&horn, &derivation) {
            Ok(()) => {
                assert!(is_right, "{derivation:?}");
                accepted += 1;
            }
            Err(_) => refused += 1,
        }
    }
    assert!(accepted > 20 && refused > 100, "{accepted} accepted, {refused} refused");
}
