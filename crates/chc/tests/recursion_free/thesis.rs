//! Worked examples of Hojjat's thesis (EPFL 2013) that have no recursion, and their unsafe twins.

use crate::judge::run;
use crate::rules::rules;
use alphorn_horn::shape::Shape;

/// What a shape is called, most special first.
fn kind(shape: &Shape) -> &'static str {
    match shape {
        _ if shape.is_recursive() => "recursive",
        _ if shape.is_tree_like() && shape.is_linear => "linear tree-like",
        _ if shape.is_tree_like() => "tree-like",
        _ if shape.is_body_disjoint && shape.is_linear => "linear body-disjoint",
        _ if shape.is_body_disjoint => "body-disjoint",
        _ if shape.is_linear => "linear",
        _ if shape.is_head_disjoint => "head-disjoint",
        _ => "general",
    }
}

#[track_caller]
fn check(text: &str, shape: &str, verdict: &str) {
    let horn = rules(text);
    assert_eq!(kind(&Shape::of(&horn)), shape);
    assert_eq!(run(&horn), verdict);
}

#[test]
fn one_cut() {
    check(
        "p(I J X Y) :- (>= I 0); (>= J 0); (= X I); (= Y J); (= X 0)
         false :- p(I J X Y); (= I J); (not (= X Y))",
        "linear tree-like",
        "safe",
    );
}

const GCD: &str = "
    gcd(M N R) :- (= M N); (= R M)
    gcd1(M N R) :- (= M N); (= R M)
    gcd(M N R) :- (> M N); (= M1 (- M N)); gcd1(M1 N R)
    gcd(M N R) :- (< M N); (= N1 (- N M)); gcd1(M N1 R)";

#[test]
fn the_greatest_common_divisor_unwound_once() {
    let query = "false :- (>= M 0); (= M N); gcd(M N R); (> R M)";
    check(&format!("{GCD}\n{query}"), "linear", "safe");
    let query = "false :- (>= M 0); gcd(M N R); (> R M)";
    check(&format!("{GCD}\n{query}"), "linear", "safe");
    let query = "false :- (>= M 0); gcd(M N R); (< R M)";
    check(&format!("{GCD}\n{query}"), "linear", "unsafe");
}

#[test]
fn a_predicate_used_twice() {
    let clauses = "
        r(X Z) :- p(X Y); p(Y Z)
        p(X Y) :- q(X Y)
        q(X X) :- (>= X 0)";
    check(&format!("{clauses}\nfalse :- r(X Z); (< X 0)"), "head-disjoint", "safe");
    check(&format!("{clauses}\nfalse :- r(X Z); (not (= X Z))"), "head-disjoint", "safe");
    check(&format!("{clauses}\nfalse :- r(X Z); (> X 7)"), "head-disjoint", "unsafe");
}

#[test]
fn a_tree_of_mccarthys_function() {
    let clauses = "
        r0(N R)
        r1(N R) :- r0(N R); (> N 100)
        rf(N S) :- r1(N R); (= S (- N 10))
        r4(X Y)
        r5(Z Y) :- r4(X Y); (<= Z 100)
        r6(X Z) :- r5(X Y); rf(X Z)";
    check(&format!("{clauses}\nfalse :- r6(X Y); (not (= Y 91))"), "tree-like", "safe");
    let wider = clauses.replace("(<= Z 100)", "(<= Z 102)");
    check(&format!("{wider}\nfalse :- r6(X Y); (not (= Y 91))"), "tree-like", "unsafe");
}

#[test]
fn mccarthys_function_unwound() {
    let clauses = "
        r0(N R)
        r0a(N R)
        r0b(N R)
        r0c(N R)
        r1(N R) :- r0(N R); (> N 100)
        r1b(N R) :- r0b(N R); (> N 100)
        r1c(N R) :- r0c(N R); (> N 100)
        r2(N R) :- r0a(N R); (<= N 100)
        r3(N S) :- r2(N R); (= M (+ N 11)); rfb(M S)
        rf(N S) :- r1(N R); (= S (- N 10))
        rfb(N S) :- r1b(N R); (= S (- N 10))
        rfc(N S) :- r1c(N R); (= S (- N 10))
        rf(N S) :- r3(N R); rfc(R S)
        r4(X Y)
        r5(Z Y) :- r4(X Y); (<= Z 100)
        r6(X Z) :- r5(X Y); rf(X Z)";
    let query = "false :- r6(X Y); (not (= Y 91))";
    check(&format!("{clauses}\n{query}"), "body-disjoint", "safe");
    let query = "false :- r6(X Y); (not (= Y 90))";
    check(&format!("{clauses}\n{query}"), "body-disjoint", "unsafe");
}

#[test]
fn two_steps_of_one_or_two() {
    let clauses = "
        r(X Y) :- (= Y (+ X 1))
        r(X Y) :- (= Y (+ X 2))
        s(X Z) :- r(X Y); r(Y Z)";
    check(&format!("{clauses}\nfalse :- s(X Z); (>= X 0); (<= Z 0)"), "general", "safe");
    check(&format!("{clauses}\nfalse :- s(X Z); (>= X 0); (<= Z (+ X 2))"), "general", "unsafe");
    check(&format!("{clauses}\nfalse :- s(X Z); (> Z (+ X 4))"), "general", "safe");
}

#[test]
fn recursion_is_refused() {
    check(
        "p(X) :- (= X 0)
         p(Y) :- q(X); (= Y (+ X 1))
         q(X) :- p(X)
         false :- p(X); (< X 0)",
        "recursive",
        "Unsupported(\"a predicate depends on itself\")",
    );
}

/// A machine on a tape of bits that walks to the right over ones and halts behind the first zero.
///
/// The tape is cut at the head into two numbers, whose lowest bits are next to the cut; states are 0,
/// walking, and 1, halted. A step is doubled `doublings` times, so that 2^doublings steps are taken.
fn machine(doublings: u32, tape: u32) -> String {
    let mut text = String::from(
        "step0(Q L R P M S) :- (= Q 0); (= P 0); (= R (+ 1 (* 2 S))); (= M (+ 1 (* 2 L)))
         step0(Q L R P M S) :- (= Q 0); (= P 1); (= R (* 2 S)); (= M (* 2 L))
         step0(Q L R P M S) :- (= Q 1); (= P 1); (= M L); (= S R)\n",
    );
    for level in 0..doublings {
        let next = level + 1;
        text.push_str(&format!(
            "step{next}(Q L R P M S) :- step{level}(Q L R A B C); step{level}(A B C P M S)\n"
        ));
    }
    text + &format!(
        "false :- step{doublings}(Q L R P M S); (= Q 0); (= L 0); (= R {tape}); (= P 1)"
    )
}

#[test]
fn a_machine_halts_in_time_or_not() {
    for doublings in 1..4 {
        let steps = 1 << doublings;
        // As many ones as a number of steps needs one step more than that.
        let ones = |count: u32| (1 << count) - 1;
        assert_eq!(run(&rules(&machine(doublings, ones(steps - 1)))), "unsafe");
        assert_eq!(run(&rules(&machine(doublings, ones(steps)))), "safe");
    }
}

/// Whoever goes left or right `count` times has gone three times as far in all.
fn diamonds(count: u32, most: u32) -> String {
    let mut text = String::from("p0(X Y) :- (= X 0); (= Y 0)\n");
    for i in 0..count {
        let next = i + 1;
        text.push_str(&format!(
            "a{i}(X Y) :- p{i}(A B); (= X (+ A 1)); (= Y (+ B 2))
             b{i}(X Y) :- p{i}(A B); (= X (+ A 2)); (= Y (+ B 1))
             p{next}(X Y) :- a{i}(X Y)
             p{next}(X Y) :- b{i}(X Y)\n"
        ));
    }
    text + &format!("false :- p{count}(X Y); (> (+ X Y) {most})")
}

#[test]
fn combinations_of_alternatives_are_not_enumerated() {
    assert_eq!(run(&rules(&diamonds(12, 36))), "safe");
    assert_eq!(run(&rules(&diamonds(12, 35))), "unsafe");
    // Sixteen steps of one or two, by doubling.
    let mut text = String::from("s0(X Y) :- (= Y (+ X 1))\ns0(X Y) :- (= Y (+ X 2))\n");
    for i in 0..4 {
        text.push_str(&format!("s{}(X Z) :- s{i}(X Y); s{i}(Y Z)\n", i + 1));
    }
    assert_eq!(run(&rules(&format!("{text}false :- s4(X Y); (= X 0); (> Y 32)"))), "safe");
    assert_eq!(run(&rules(&format!("{text}false :- s4(X Y); (= X 0); (> Y 31)"))), "unsafe");
}
