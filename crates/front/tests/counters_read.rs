//! Petri nets and thread transition systems: what clauses they are, and what is said about mistakes.

use alphorn_front::Code;
use alphorn_front::counters::{spec, tts};
use alphorn_problem::Horn;
use alphorn_testkit::reading::{clause_lines as lines, clean, complains, damaged};

const NET: &str = "# a net\nvars a b\nrules a >= 1, b >= 2 -> a' = a - 1, b' = a + b;\ninit a >= 1, b = 0\ntarget b >= 2, a >= 1\n b >= 5\n";
const THREADS: &str = "2 3\n0 0 -> 1 1\n1 1 +> 0 2\n1 2 -> 1 2\n";

fn net(text: &str) -> Horn {
    let horn = clean(spec::read(text.as_bytes()), text);
    horn.validate().expect("what is read is valid");
    horn
}

fn target(text: &str) -> tts::Target {
    tts::Target::read(text.as_bytes()).expect("it is a target")
}

#[test]
fn a_net_is_a_predicate_with_a_clause_per_start_rule_and_target() {
    assert_eq!(
        lines(&net(NET)),
        [
            "(and (<= 1 a) (= b 0)) => net(a, b)",
            "(and (net a b) (<= 1 a) (<= 2 b)) => net((+ a (- 1)), (+ a b))",
            "(and (net a b) (<= 2 b) (<= 1 a)) => false",
            "(and (net a b) (<= 5 b)) => false",
        ]
    );
}

#[test]
fn counters_that_init_does_not_name_are_zero() {
    let found = lines(&net("vars a b\nrules\ninit a >= 3\ntarget b >= 1\n"));
    assert_eq!(found[0], "(and (<= 3 a) (= b 0)) => net(a, b)");
}

#[test]
fn a_rule_whose_guard_does_not_keep_counters_natural_says_so() {
    let found = lines(&net("vars a\nrules a >= 1 -> a' = a - 2;\ninit a = 4\ntarget a >= 5\n"));
    assert_eq!(found[1], "(and (net a) (<= 1 a) (<= 0 (+ a (- 2)))) => net((+ a (- 2)))");
}

#[test]
fn nets_with_mistakes_are_refused_with_their_place() {
    let of = |text: &str, expected: &[(Code, &str, &str)]| {
        complains(spec::read(text.as_bytes()), text, expected);
    };
    of("rules\n", &[(Code::NetSyntax, "rules", "`vars` expected")]);
    of(
        "vars abc a\nrules abd >= 1 -> ;\ninit a = 0\ntarget a >= 1\n",
        &[(Code::NetName, "abd", "abd is not one of the vars")],
    );
    of("vars a a\nrules\ninit\ntarget a >= 1\n", &[(Code::NetName, "a", "declared twice")]);
    of(
        "vars a\nrules a > 1 -> ;\ninit\ntarget a >= 1\n",
        &[(Code::NetSyntax, ">", "this character has no meaning here")],
    );
    of("vars a\nrules\ninit a = 1\ntarget\n", &[(Code::NetSyntax, "", "the target is empty")]);
    of(
        "vars a\nrules\ninit a = 1\ntarget a >= 2\ninvariants a = 1\n",
        &[(Code::NetIgnored, "invariants", "nothing is taken for granted")],
    );
    of(
        "vars a\nrules true -> a' = 0, a' = 1;\ninit\ntarget a >= 1\n",
        &[(Code::NetTwice, "a", "two new values")],
    );
}

#[test]
fn threads_are_counted_and_shared_states_are_predicates() {
    let horn = clean(tts::read(THREADS.as_bytes(), Some(&target("1|2,2"))), THREADS);
    horn.validate().expect("what is read is valid");
    assert_eq!(
        lines(&horn),
        [
            "(and (<= 1 local_0) (= local_1 0) (= local_2 0)) => shared_0(local_0, local_1, local_2)",
            "(and (shared_0 local_0 local_1 local_2) (<= 1 local_0)) => shared_1((+ local_0 (- 1)), (+ local_1 1), local_2)",
            "(and (shared_1 local_0 local_1 local_2) (<= 1 local_1)) => shared_0(local_0, local_1, (+ local_2 1))",
            "(and (shared_1 local_0 local_1 local_2) (<= 1 local_2)) => shared_1(local_0, local_1, local_2)",
            "(and (shared_1 local_0 local_1 local_2) (<= 2 local_2)) => false",
        ]
    );
}

#[test]
fn threads_with_mistakes_are_refused_with_their_place() {
    let of = |text: &str, goal: Option<&str>, expected: &[(Code, &str, &str)]| {
        let goal = goal.map(target);
        complains(tts::read(text.as_bytes(), goal.as_ref()), text, expected);
    };
    of("2 2\n0 0 -> 0 1\n", None, &[(Code::ThreadTarget, "", "not said")]);
    of("2 2\n0 0 -> 0 2\n", Some("0|1"), &[(Code::ThreadSyntax, "0 2", "no state 0|2")]);
    of("2 2\n0 0 ~> 0 1\n", Some("0|1"), &[(Code::ThreadTransfer, "~>", "not treated")]);
    of("2 2\n0 0 -> 0 1\n", Some("0|7"), &[(Code::ThreadTarget, "", "that the file has not")]);
    of("2\n", Some("0|0"), &[(Code::ThreadSyntax, "", "a number expected")]);
    for wrong in ["", "1", "1|", "1|2,", "1|2 3", "a|b"] {
        assert!(tts::Target::read(wrong.as_bytes()).is_err(), "{wrong}");
    }
}

#[test]
fn formats_are_told_apart_by_how_they_begin() {
    assert!(spec::begins(NET.as_bytes()) && !spec::begins(THREADS.as_bytes()));
    assert!(tts::begins(THREADS.as_bytes()) && !tts::begins(b"1 sort bitvec 8\n"));
}

#[test]
fn damaged_nets_are_read_or_refused_and_never_end_in_a_failure() {
    let pieces = [
        "vars",
        "rules",
        "init",
        "target",
        "->",
        ">=",
        "=",
        "a",
        "b'",
        "99999999999999999999",
        ";",
        ",",
    ];
    let accepted = damaged((7, 2000), (&[NET], &pieces), spec::read, |horn, text| {
        horn.validate().unwrap_or_else(|why| panic!("{why:?}\n{text}"));
    });
    assert!(accepted > 20, "only {accepted} damaged files are still nets");
    let accepted = damaged(
        (7, 2000),
        (&[THREADS], &["->", "+>", "~>", "0", "1", "77", "\n", "#"]),
        |bytes| tts::read(bytes, Some(&target("1|2"))),
        |horn, text| horn.validate().unwrap_or_else(|why| panic!("{why:?}\n{text}")),
    );
    assert!(accepted > 20, "only {accepted} damaged files are still systems of threads");
}
