//! Petri nets, thread transition systems and Boolean programs: what clauses they are, and what is said about mistakes.

use alphorn_front::Code;
use alphorn_front::counters::{bp, spec, tts};
use alphorn_problem::Horn;
use alphorn_testkit::reading::{clause_lines as lines, clean, complains, damaged};

const NET: &str = "# a net\nvars a b\nrules a >= 1, b >= 2 -> a' = a - 1, b' = a + b;\ninit a >= 1, b = 0\ntarget b >= 2, a >= 1\n b >= 5\n";
const THREADS: &str = "2 3\n0 0 -> 1 1\n1 1 +> 0 2\n1 2 -> 1 2\n";

const BOOLEAN: &str = "decl s := 0;\nvoid main() begin\n1: start_thread goto 4;\n2: broadcast;\n3: goto 3;\n4: wait;\n5: assert(s);\nend\n";

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

fn program(text: &str) -> Horn {
    let horn = clean(bp::read(text.as_bytes()), text);
    horn.validate().expect("what is read is valid");
    horn
}

#[test]
fn who_waits_goes_on_with_a_broadcast_and_a_started_thread_is_counted() {
    let found = lines(&program(BOOLEAN));
    let all = "at0 at1 at2 at3 at4 at5";
    let args = all.replace(' ', ", ");
    let has = |line: String| assert!(found.contains(&line), "{line}\n{found:#?}");
    has(format!(
        "(and (= at0 1) (= at1 0) (= at2 0) (= at3 0) (= at4 0) (= at5 0)) => shared_s0({args})"
    ));
    has(format!(
        "(and (shared_s0 {all}) (<= 1 at0)) => shared_s0((+ at0 (- 1)), (+ at1 1), at2, (+ at3 1), at4, at5)"
    ));
    has(format!(
        "(and (shared_s0 {all}) (<= 1 at1)) => shared_s0(at0, (+ at1 (- 1)), (+ at2 1), 0, (+ at3 at4), at5)"
    ));
    has(format!("(and (shared_s0 {all}) (<= 1 at4)) => false"));
}

#[test]
fn nobody_else_runs_inside_an_atomic_section() {
    let text = "decl s := 0;\nvoid main() begin\natomic { s := 1; assert(s); }\nend\n";
    let found = lines(&program(text));
    assert_eq!(
        found[1..4],
        [
            "(and (shared_s0 at0 at4) (<= 1 at0)) => shared_s0_atomic_at1((+ at0 (- 1)), at4)",
            "(shared_s0_atomic_at1 at0 at4) => shared_s1_atomic_at2(at0, at4)",
            "(shared_s1_atomic_at2 at0 at4) => shared_s1_atomic_at3(at0, at4)",
        ]
    );
}

#[test]
fn a_choice_is_made_anew_each_time_and_a_constraint_speaks_of_new_values() {
    let text = "void main() begin\ndecl l := 0, m := 0;\nl, m := *, * constrain ('l = 'm);\nassert(!l | m);\nassert(* & !l);\nend\n";
    let horn = program(text);
    let names: Vec<&str> = found_names(&horn);
    assert!(names.contains(&"at1_l1_m1") && !names.contains(&"at1_l1_m0"), "{names:?}");
    let queries = lines(&horn).iter().filter(|line| line.ends_with("=> false")).count();
    assert_eq!(queries, 2, "the first assertion holds, the second one may fail for each value");
}

/// The names of the counters.
fn found_names(horn: &Horn) -> Vec<&str> {
    let vars = &horn.clauses[0].vars;
    vars.iter().filter_map(|&var| horn.terms.var_name(var)).collect()
}

#[test]
fn boolean_programs_with_mistakes_are_refused_with_their_place() {
    let of = |body: &str, expected: (Code, &str, &str)| {
        let text = format!("decl s := 0;\nvoid main() begin\n{body}\nassert(s);\nend\n");
        complains(bp::read(text.as_bytes()), &text, &[expected]);
    };
    of("goto L;", (Code::BooleanName, "L", "there is no label L"));
    of("x := 1;", (Code::BooleanName, "x", "x is not declared"));
    of("assume('s);", (Code::BooleanSyntax, "'s", "new values are named behind `constrain` only"));
    of("s := * constrain (s);", (Code::BooleanUntreated, "(s)", "which value is meant"));
    of("f(s);", (Code::BooleanUntreated, "f", "calls are not treated"));
    of("if s then s := 0; fi;", (Code::BooleanUntreated, "s", "inside an if"));
    of("atomic_end;", (Code::BooleanUntreated, "atomic_end", "may not have begun"));
    of("atomic { wait; }", (Code::BooleanUntreated, "wait", "inside an atomic section"));
    of("s := s & s = s;", (Code::BooleanSyntax, "=", "parentheses"));
    let none = "void main() begin\nskip;\nend\n";
    complains(bp::read(none.as_bytes()), none, &[(Code::BooleanSyntax, "", "nothing is asked")]);
}

#[test]
fn formats_are_told_apart_by_how_they_begin() {
    assert!(spec::begins(NET.as_bytes()) && !spec::begins(THREADS.as_bytes()));
    assert!(tts::begins(THREADS.as_bytes()) && !tts::begins(b"1 sort bitvec 8\n"));
    assert!(bp::begins(BOOLEAN.as_bytes()) && bp::begins(b"void main() begin\nskip;"));
    assert!(!bp::begins(b"void main(void) {}") && !bp::begins(NET.as_bytes()));
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
    let accepted = damaged(
        (7, 2000),
        (&[BOOLEAN], &["goto", "*", "(", "s", ":=", ";", "atomic {", "if", "'", "wait", "decl"]),
        bp::read,
        |horn, text| horn.validate().unwrap_or_else(|why| panic!("{why:?}\n{text}")),
    );
    assert!(accepted > 10, "only {accepted} damaged files are still programs");
}
