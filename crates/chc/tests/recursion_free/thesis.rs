//! Worked examples of Hojjat's thesis (EPFL 2013) that have no recursion, and their unsafe twins.

use crate::judge::run;
use crate::rules::rules;
use alphorn_chc::shape::Shape;

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

/// A machine that counts up from a number in binary until it overflows `bits` bits, its tape cut
/// at the head into two numbers, and `step` doubled so often that 2^n steps are taken.
///
/// States: 0 go right to the end, 1 carry to the left, 2 halted.
fn machine(doublings: u32, query: &str) -> String {
    let mut text = String::from(
        "step0(Q L R P M S) :- (= Q 0); (= P 0); (= R (+ B (* 2 S))); (>= B 0); (<= B 1); (= M (+ B (* 2 L))); (>= S 1)
         step0(Q L R P M S) :- (= Q 0); (= P 1); (>= R 0); (<= R 1); (= M L); (= S R)
         step0(Q L R P M S) :- (= Q 1); (= P 0); (= R (* 2 T)); (= S (+ R 1)); (= M L)
         step0(Q L R P M S) :- (= Q 1); (= P 2); (= L 0); (= R 1); (= M 0); (= S 0)
         step0(Q L R P M S) :- (= Q 2); (= P 2); (= M L); (= S R)\n",
    );
    for level in 0..doublings {
        let next = level + 1;
        text.push_str(&format!(
            "step{next}(Q L R P M S) :- step{level}(Q L R A B C); step{level}(A B C P M S)\n"
        ));
    }
    text + query
}

#[test]
fn a_machine_that_halts_in_time_or_not() {
    for doublings in 1..5 {
        let last = format!("step{doublings}");
        // From state 1 on a single 1 the machine halts in one step and stays halted.
        let query = format!("false :- {last}(Q L R P M S); (= Q 1); (= L 0); (= R 1); (= P 2)");
        assert_eq!(run(&rules(&machine(doublings, &query))), "unsafe");
        // In state 0 on the tape of a long number, it first runs to the right.
        let query = format!("false :- {last}(Q L R P M S); (= Q 0); (= L 0); (= R 64); (= P 2)");
        assert_eq!(run(&rules(&machine(doublings, &query))), "safe");
    }
}
